#include "app/session/gradient_words.h"

#include <cmath>

#include "app/session/labels.h"
#include "engine/gradient.h"

namespace lab {

namespace {

constexpr double kStep = 0.01;
constexpr std::size_t kMostSearched = 1u << 20; // of larger ones the steepest cell is not searched

// "head 1, journey, starts"; of a row without its column.
std::string labels_text(const Document& document, const Node& node, const std::vector<int>& index) {
    const Presentation& shown = node.presentation;
    const std::size_t rank = static_cast<std::size_t>(node.shape.rank);
    if (index.size() != rank) return {};
    const int col = index[rank - 1];
    std::string text = rank > 2 ? plane_label(document, node, index[0]) : std::string();
    const auto add = [&](Axis axis, int place) {
        text += (text.empty() ? "" : ", ") + told_label(document, axis, place);
    };
    if (rank > 1) add(shown.rows, index[rank - 2]);
    if (col != GradientTarget::kWholeRow) add(shown.cols, col);
    return text;
}

// "attention_weights[head 1, journey, starts]"; of a row "the sum of queries[journey]".
std::string named_target(const GradientTarget& target, const std::string& name, const std::string& words) {
    const bool is_row = target.index.back() == GradientTarget::kWholeRow;
    return (is_row ? "the sum of " : "") + name + "[" + words + "]";
}

// "If W_query[d₁, d₂] grows by 0.01, the target grows by about 0.0012."
std::string step_sentence(const std::string& what, double slope) {
    const std::string begin = "If " + what + " grows by 0.01, the target ";
    if (!std::isfinite(slope)) return {};
    if (slope == 0) return begin + "stays as it is.";
    return begin + (slope > 0 ? "grows" : "falls") + " by about " + number_text(std::fabs(slope) * kStep, 6) + ".";
}

// "Steepest in grad.W_query: [d₁, d₂] −0.1234."
std::string steepest_sentence(const Document& document, const Trace& trace, int index) {
    const Node& node = trace.program().node(index);
    if (node.shape.size() > kMostSearched) return {};
    Cell steepest;
    float greatest = 0;
    const std::vector<float> cells = read_all(*trace.source(index));
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (!(std::fabs(cells[i]) > std::fabs(greatest))) continue;
        const int row = static_cast<int>(i) / node.shape.cols;
        steepest = {row / node.shape.rows, row % node.shape.rows, static_cast<int>(i) % node.shape.cols};
        greatest = cells[i];
    }
    if (greatest == 0) return short_name(node) + " is 0 throughout.";
    const std::string place = cell_text(document, node, steepest).substr(node.name.size());
    return "Steepest in " + short_name(node) + ": " + place + " " + number_text(static_cast<double>(greatest)) + ".";
}

} // namespace

std::string target_text(const Document& document, const Program& program, const std::string& target) {
    const Result<GradientTarget> read = read_gradient_target(target, document.vocabulary);
    const int node = read ? program.find(read->tensor) : -1;
    if (node < 0) return target;
    const std::string words = labels_text(document, program.node(node), read->index);
    return words.empty() ? target : named_target(*read, program.node(node).name, words);
}

std::vector<std::string> short_target_texts(const Document& document, const Program& program,
                                            const std::string& target) {
    const Result<GradientTarget> read = read_gradient_target(target, document.vocabulary);
    const int found = read ? program.find(read->tensor) : -1;
    if (found < 0) return {target};
    const Node& node = program.node(found);
    const std::size_t name_at = target.find(node.name); // absent of a word's log-probability
    const std::string words = labels_text(document, node, read->index);
    std::vector<std::string> texts;
    if (!words.empty()) {
        for (const std::string& name : {node.name, short_name(node), std::string()})
            texts.push_back(named_target(*read, name, words));
        return texts; // what is counted from 0 is for files
    }
    texts.push_back(target);
    if (name_at != std::string::npos)
        texts.push_back(std::string(target).replace(name_at, node.name.size(), short_name(node)));
    return texts;
}

std::vector<std::string> answers_about_gradient(const Document& document, const Trace& trace, const CellRef& at) {
    const Program& program = trace.program();
    const Node& node = program.node(at.tensor);
    std::vector<std::string> lines{"The target is " + target_text(document, program, document.gradient) + "."};
    const auto say = [&](const std::string& line) {
        if (!line.empty()) lines.push_back(line);
    };
    if (node.is_auxiliary) {
        say("A part of a gradient: it is added to others, or summed up, on the way.");
        return lines;
    }
    const std::string what = cell_text(document, program.node(node.gradient_of), at.cell);
    say(step_sentence(what, static_cast<double>(trace.at(at.tensor, at.cell))));
    say(steepest_sentence(document, trace, at.tensor));
    return lines;
}

} // namespace lab
