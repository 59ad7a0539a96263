#include "app/command_line/command_line.h"

#include <iostream>

#include "app/command_line/eval.h"
#include "app/command_line/report.h"
#include "engine/formats/presets.h"

namespace lab {

namespace {

constexpr const char* kHelp =
    R"(attention-lab [SESSION]
    opens the window
attention-lab eval SESSION [--tensors FILE.npz] [--set KEY=VALUE]... [--print NAME[,NAME...]] [--out FILE.npz|FILE.json]
    computes the session
    --tensors  takes tensors from the arrays of an npz file, by name
    --set      sets a key of the session's attention, such as mask=causal
    --print    writes tensors with 4 decimals
    --out      writes every tensor to a file, the whole file or none
attention-lab presets [NAME]
    lists the worked examples, or writes one as a session
attention-lab bench
    comes in a later version

SESSION is a file, - for standard input, or preset:NAME.
)";

// What was written must have arrived: a closed pipe or a full disk is a failure.
int status_of_output(const Streams& streams) {
    streams.out.flush();
    return streams.out ? kSuccess : report(streams, kOwnFailure, "standard output cannot be written");
}

int run_presets(const std::vector<std::string>& arguments, const Streams& streams) {
    if (arguments.size() > 1) return report(streams, kWrongInput, "presets takes one name at most");
    if (arguments.empty()) {
        for (const PresetInfo& preset : presets()) streams.out << preset.name << '\t' << preset.title << '\n';
        return status_of_output(streams);
    }
    const std::string_view text = preset_session_text(arguments[0]);
    if (text.empty()) return report(streams, kWrongInput, "there is no preset '" + arguments[0] + "'");
    streams.out << text;
    return status_of_output(streams);
}

bool asks_for_help(const std::vector<std::string>& arguments) {
    for (const std::string& argument : arguments) {
        if (argument == "--help" || argument == "-h") return true;
    }
    return false;
}

} // namespace

int run_command(const std::vector<std::string>& arguments, const Streams& streams) {
    if (asks_for_help(arguments)) {
        streams.out << kHelp;
        return status_of_output(streams);
    }
    if (arguments.empty()) return report(streams, kWrongInput, "there is no command; --help lists them");
    const std::vector<std::string> rest(arguments.begin() + 1, arguments.end());
    if (arguments[0] == "presets") return run_presets(rest, streams);
    if (arguments[0] == "bench") return report(streams, kWrongInput, "bench comes in a later version");
    if (arguments[0] != "eval") {
        return report(streams, kWrongInput, "there is no command '" + arguments[0] + "'; --help lists them");
    }
    const int status = run_eval(rest, streams);
    return status == kSuccess ? status_of_output(streams) : status;
}

int run_command_line(int argc, char** argv) {
    return run_command({argv + 1, argv + argc}, {std::cin, std::cout, std::cerr});
}

} // namespace lab
