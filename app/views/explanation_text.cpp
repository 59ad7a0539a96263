#include "app/views/explanation_text.h"

#include "app/session/sections.h"
#include "app/views/explanation_made_from.h"

namespace lab {

namespace {

std::string place_text(const Explanation& explanation, const Document& document, const Program& program) {
    const int node = program.find(explanation.cell.tensor);
    if (node < 0) return explanation.cell.tensor;
    return cell_text(document, program.node(node), explanation.cell.cell);
}

std::string number_line(const Explanation& explanation) {
    std::string text = explanation.value;
    for (const std::string& line : explanation.formula) {
        const bool is_first = &line == &explanation.formula.front();
        text += (is_first ? " = " : " ") + line;
    }
    if (!explanation.evaluated.empty()) text += " = " + explanation.evaluated;
    for (const std::string& name : explanation.named) text += ", " + name;
    if (!explanation.reason.empty()) text += ", " + explanation.reason;
    if (!explanation.masked.empty()) text += ". " + explanation.masked;
    if (!explanation.made_by.empty()) text += ", " + explanation.made_by;
    return text;
}

} // namespace

std::string to_text(const Explanation& explanation, const Document& document, const Program& program) {
    std::string text = place_text(explanation, document, program) + ": ";
    for (const TextPart& part : explanation.meaning) text += part.text;
    text += "\n" + number_line(explanation) + "\n";
    for (std::size_t i = 0; i < explanation.terms.size(); ++i) {
        const WrittenTerm term = written_term(document, program, explanation, i);
        text += term.label + ": " + term.text + (term.part_text.empty() ? "" : ", " + term.part_text) + "\n";
    }
    if (!explanation.terms_total.empty()) text += explanation.terms_total + "\n";
    for (const ExplanationFeed& feed : explanation.feeds) {
        text += "feeds " + feed.target.tensor + feed.place + ": " + feed.how;
        text += (feed.more.empty() ? "" : ", " + feed.more) + "\n";
    }
    for (const std::string& answer : explanation.answers) text += answer + "\n";
    return text;
}

std::string not_yet_text(const TensorCell& cell, const Program& program) {
    const int node = program.find(cell.tensor);
    if (node < 0) return {};
    const int stage = program.node(node).stage;
    return cell.tensor + " comes with " + step_text(program, stage) + ", \"" +
           program.stages[static_cast<std::size_t>(stage)].title + "\".";
}

} // namespace lab
