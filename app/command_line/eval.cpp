#include "app/command_line/eval.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <optional>

#include "app/command_line/gradient_option.h"
#include "app/command_line/missing_tensors.h"
#include "app/command_line/report.h"
#include "app/command_line/session_argument.h"
#include "app/command_line/tensors_option.h"
#include "app/command_line/unused_settings.h"
#include "app/files.h"
#include "engine/formats/attention_settings.h"
#include "engine/formats/npz.h"
#include "engine/formats/session.h"
#include "engine/nearest_names.h"
#include "engine/tensor_name.h"
#include "engine/trace.h"

namespace lab {

namespace {

struct EvalOptions {
    std::string session;
    std::string tensors_file;
    std::string out_file;
    std::string gradient;              // its target, or empty
    std::vector<std::string> settings; // "KEY=VALUE"
    std::vector<std::string> printed;  // names
};

bool ends_with(const std::string& text, const std::string& end) {
    return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

std::vector<std::string> split_at_commas(const std::string& text) {
    std::vector<std::string> parts(1);
    for (char c : text) {
        if (c == ',')
            parts.emplace_back();
        else
            parts.back() += c;
    }
    return parts;
}

Result<Done> take_option(EvalOptions& options, const std::string& option, const std::string& value) {
    if (option == "--tensors") {
        options.tensors_file = value;
    } else if (option == "--set") {
        if (value.find('=') == std::string::npos) return Error{"--set takes KEY=VALUE but got '" + value + "'"};
        options.settings.push_back(value);
    } else if (option == "--gradient") {
        if (value.empty()) return Error{"--gradient takes a target but got ''"};
        options.gradient = value;
    } else if (option == "--print") {
        for (std::string& name : split_at_commas(value)) options.printed.push_back(std::move(name));
    } else if (option == "--out") {
        if (!ends_with(value, ".npz") && !ends_with(value, ".json")) {
            return Error{"--out takes FILE.npz or FILE.json but got '" + value + "'"};
        }
        options.out_file = value;
    } else {
        return Error{"eval has no option '" + option + "'; --help lists them"};
    }
    return Done{};
}

Result<EvalOptions> parse_options(const std::vector<std::string>& arguments) {
    constexpr const char* kOptions[] = {"--tensors", "--set", "--gradient", "--print", "--out"};
    EvalOptions options;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& argument = arguments[i];
        if (argument.size() > 1 && argument[0] == '-') {
            const bool is_known = std::find(std::begin(kOptions), std::end(kOptions), argument) != std::end(kOptions);
            if (is_known && i + 1 == arguments.size()) return Error{argument + " is given without a value"};
            const Result<Done> taken = take_option(options, argument, is_known ? arguments[++i] : "");
            if (!taken) return Error{taken.error()};
        } else if (!options.session.empty()) {
            return Error{"eval takes one session but got '" + options.session + "' and '" + argument + "'"};
        } else {
            options.session = argument;
        }
    }
    if (options.session.empty()) return Error{"eval takes a session: a file, - or preset:NAME"};
    return options;
}

Result<Done> apply_settings(Document& document, const std::vector<std::string>& settings) {
    for (const std::string& setting : settings) {
        const std::size_t equals = setting.find('=');
        const Result<Done> set =
            set_attention_key(document.attention, setting.substr(0, equals), setting.substr(equals + 1));
        if (!set) return set;
    }
    return Done{};
}

// Nothing on the command line has changed the session: what is wrong, is wrong in it.
bool is_as_it_was_read(const EvalOptions& options) {
    return options.tensors_file.empty() && options.settings.empty() && options.gradient.empty();
}

Result<SessionFile> complete_session(const EvalOptions& options, std::istream& in) {
    const Result<std::string> text = session_text(options.session, in);
    if (!text) return Error{text.error()};
    Result<SessionFile> parsed = parse_session(*text);
    if (!parsed) return Error{where_in(options.session) + parsed.error()};
    SessionFile file = std::move(parsed).value();
    if (!options.tensors_file.empty()) {
        if (const auto taken = take_tensors(file, options.tensors_file); !taken) return Error{taken.error()};
    }
    if (const auto set = apply_settings(file.document, options.settings); !set) return Error{set.error()};
    if (!options.gradient.empty()) {
        if (const auto taken = take_gradient(file.document, options.gradient); !taken) return Error{taken.error()};
    }
    if (const auto checked = check_document(file.document); !checked) {
        if (is_as_it_was_read(options)) return Error{where_in(options.session) + checked.error()};
        return Error{checked.error() + how_to_give_what_is_missing(file.document, !options.settings.empty())};
    }
    std::vector<std::string> keys;
    for (const std::string& setting : options.settings) keys.push_back(setting.substr(0, setting.find('=')));
    for (std::string& sentence : unused_settings(file.document, keys)) file.notes.push_back(std::move(sentence));
    return file;
}

// Every tensor of the document and of the trace, by name; or of these only the wanted one.
Tensors all_tensors(const Document& document, const Trace& trace) {
    Tensors all = document.tensors;
    const auto& nodes = trace.program().nodes;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (!nodes[i].is_leaf() && !nodes[i].is_auxiliary)
            all[nodes[i].name] = Tensor(nodes[i].shape, read_all(*trace.source(static_cast<int>(i))));
    }
    return all;
}

std::optional<Tensor> find_tensor(const Document& document, const Trace& trace, const std::string& name) {
    const int node = trace.program().find(name);
    if (node >= 0) {
        const Shape& shape = trace.program().node(node).shape;
        return Tensor(shape, read_all(*trace.source(node)));
    }
    const auto found = document.tensors.find(name);
    return found == document.tensors.end() ? std::nullopt : std::optional<Tensor>(found->second);
}

// "there is no tensor 'output' in this session but outputs": what may be printed and is called alike, or what is to be given first.
std::string no_tensor_error(const Document& document, const Trace& trace, const std::string& name) {
    const std::string there_is_none = "there is no tensor '" + name + "' in this session";
    const bool is_of_gradient = name_without_gradient(name) != name || name_in_block(name) == "softmax_jacobian";
    if (is_of_gradient && document.gradient.empty()) return there_is_none + " without --gradient TARGET";
    std::vector<std::string> names;
    for (const Node& node : trace.program().nodes) {
        if (!node.is_auxiliary) names.push_back(node.name);
    }
    for (const auto& [given, tensor] : document.tensors) {
        if (trace.program().find(given) < 0) names.push_back(given);
    }
    return there_is_none + " but " + nearest_names_text(name, names);
}

// 4 decimals; zero has no sign, wherever it was rounded from.
std::string number_text(float cell) {
    if (std::isnan(cell)) return "nan";
    char text[64];
    std::snprintf(text, sizeof text, "%.4f", static_cast<double>(cell));
    return std::string_view(text) == "-0.0000" ? text + 1 : text;
}

void print_tensor(std::ostream& out, const std::string& name, const Tensor& tensor) {
    out << name << ": " << tensor.shape().to_text() << '\n';
    for (int row = 0; row < tensor.shape().planes * tensor.shape().rows; ++row) {
        const char* separator = "";
        for (float cell : tensor.row(row)) {
            out << separator << number_text(cell);
            separator = " ";
        }
        out << '\n';
    }
}

int write_out(const Document& document, const Trace& trace, const std::string& path, const Streams& streams) {
    const Tensors tensors = all_tensors(document, trace);
    const bool as_json = ends_with(path, ".json");
    std::size_t n_bytes = 0;
    for (const auto& [name, tensor] : tensors) n_bytes += tensor.shape().size() * sizeof(float) + 1024;
    if (!as_json && n_bytes > 0xFFFF0000u) {
        return report(streams, kOwnFailure,
                      path + " would hold " + std::to_string(n_bytes) + " bytes but npz ends at 4 GiB");
    }
    const auto failure = write_file(path, as_json ? write_json_tensors(tensors) : write_npz(tensors));
    if (!failure) return kSuccess;
    return report(streams, failure->could_open ? kOwnFailure : kWrongInput, failure->message);
}

} // namespace

int run_eval(const std::vector<std::string>& arguments, const Streams& streams) {
    const Result<EvalOptions> options = parse_options(arguments);
    if (!options) return report(streams, kWrongInput, options.error());
    const Result<SessionFile> file = complete_session(*options, streams.in);
    if (!file) return report(streams, kWrongInput, file.error());
    const Document& document = file->document;
    const Result<Program> program = build_program(document);
    if (!program) return report(streams, kWrongInput, program.error());

    ThreadPool threads(ThreadPool::sensible_n_threads());
    Trace trace(&threads, kMostStoredInARun);
    trace.update(*program, document.tensors);
    std::vector<Tensor> printed;
    for (const std::string& name : options->printed) {
        std::optional<Tensor> tensor = find_tensor(document, trace, name);
        if (!tensor) return report(streams, kWrongInput, no_tensor_error(document, trace, name));
        printed.push_back(*std::move(tensor));
    }
    if (!options->out_file.empty()) {
        if (const int status = write_out(document, trace, options->out_file, streams); status != kSuccess)
            return status;
    }
    for (const std::string& note : file->notes) report(streams, kSuccess, "note: " + note);
    for (std::size_t i = 0; i < printed.size(); ++i) print_tensor(streams.out, options->printed[i], printed[i]);
    return kSuccess;
}

} // namespace lab
