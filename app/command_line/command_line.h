#pragma once

#include <functional>
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

// What the window opens first; nothing in it: the first worked example.
struct WindowSession {
    std::string preset;     // a worked example's name, or
    std::string name, text; // a session, called as on the command line
};
using OpenWindow = std::function<int(const WindowSession&)>;

// The whole program, given the arguments after its name; the exit status. The window is opened only for a session that can
// be read.
int run_program(const std::vector<std::string>& arguments, const Streams& streams, const OpenWindow& open_window);

} // namespace lab
