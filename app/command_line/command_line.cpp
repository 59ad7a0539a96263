#include "app/command_line/command_line.h"

#include <algorithm>
#include <ostream>

#include "app/command_line/bench.h"
#include "app/command_line/eval.h"
#include "app/command_line/report.h"
#include "app/command_line/session_argument.h"
#include "engine/formats/presets.h"
#include "engine/formats/session.h"

namespace lab {

namespace {

constexpr const char* kHelp =
    R"(attention-lab [SESSION]
    opens the window
attention-lab eval SESSION [--tensors FILE.npz] [--set KEY=VALUE]... [--gradient TARGET] [--print NAME[,NAME...]] [--out FILE.npz|FILE.json]
    computes the session
    --tensors  takes tensors from the arrays of an npz file, by name
    --set      sets a key of the session's attention, such as mask=causal
    --gradient adds the slope of a target, grad.NAME for every tensor: NAME[i,j], NAME[h,i,j], NAME[i,:], sum(NAME),
               distance(NAME,FILE.npz) or logprob(i,token)
    --print    writes tensors with 4 decimals
    --out      writes every tensor to a file, the whole file or none
attention-lab presets [NAME]
    lists the worked examples, or writes one as a session
attention-lab bench --case NxD_INxD_K[xHEADS] [--threads T] [--repeats R] [--json]
    times a full forward pass, with output projection where there are heads
attention-lab --help
attention-lab --version

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
        return kSuccess;
    }
    const std::string_view text = preset_session_text(arguments[0]);
    if (text.empty()) return report(streams, kWrongInput, unknown_preset_error(arguments[0]));
    streams.out << text;
    return kSuccess;
}

int print(const char* text, const Streams& streams) {
    streams.out << text;
    return status_of_output(streams);
}

struct Command {
    const char* name;
    int (*run)(const std::vector<std::string>& arguments, const Streams& streams);
};
constexpr Command kCommands[] = {{"eval", run_eval}, {"presets", run_presets}, {"bench", run_bench}};

bool is_option(const std::string& argument) { return argument.size() > 1 && argument[0] == '-'; }

bool asks_for_help(const std::string& argument) { return argument == "--help" || argument == "-h"; }

// Reads the session before there is a window: what is wrong with it is said where the program was called.
int run_window(const std::vector<std::string>& arguments, const Streams& streams, const OpenWindow& open_window) {
    if (arguments.empty()) return open_window({});
    const std::string& session = arguments[0];
    if (arguments.size() > 1) {
        const std::string both = "'" + session + "' and '" + arguments[1] + "'";
        return report(streams, kWrongInput, "the window takes one session but got " + both);
    }
    const Result<std::string> text = session_text(session, streams.in);
    if (!text) return report(streams, kWrongInput, text.error());
    const Result<SessionFile> file = read_session(*text);
    if (!file) return report(streams, kWrongInput, where_in(session) + file.error());
    return open_window({preset_name_of(session), session, *text});
}

} // namespace

int run_program(const std::vector<std::string>& arguments, const Streams& streams, const OpenWindow& open_window) {
    if (std::any_of(arguments.begin(), arguments.end(), asks_for_help)) return print(kHelp, streams);
    const std::string first = arguments.empty() ? "" : arguments[0];
    if (first == "--version") return print("attention-lab " ATTENTION_LAB_VERSION "\n", streams);
    for (const Command& command : kCommands) {
        if (first != command.name) continue;
        const int status = command.run({arguments.begin() + 1, arguments.end()}, streams);
        return status == kSuccess ? status_of_output(streams) : status;
    }
    const auto option = std::find_if(arguments.begin(), arguments.end(), is_option);
    if (option == arguments.end()) return run_window(arguments, streams, open_window);
    return report(streams, kWrongInput, "there is no option '" + *option + "'; --help lists them");
}

} // namespace lab
