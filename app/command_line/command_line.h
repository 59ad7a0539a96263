#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace lab {

// Where a command reads and writes; tests give their own.
struct Streams {
    std::istream& in;
    std::ostream& out; // only what was asked for
    std::ostream& err; // lines that begin with "attention-lab: "
};

// Exit statuses.
constexpr int kSuccess = 0;
constexpr int kOwnFailure = 1; // of the program or its surroundings: a full disk, an output that was closed
constexpr int kWrongInput = 2; // a wrong session, tensors file or argument: one line on err says what and where

// Runs `eval`, `presets` or `bench` with the arguments after the program's name; the exit status.
int run_command(const std::vector<std::string>& arguments, const Streams& streams);

// The same with main's arguments and the process's own streams.
int run_command_line(int argc, char** argv);

} // namespace lab
