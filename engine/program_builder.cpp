#include "engine/program_builder.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "engine/attention.h"
#include "engine/document_tensors.h"
#include "engine/plan.h"
#include "engine/program_layout.h"

namespace lab {

namespace {

// The letter of the literature for a tensor, or empty.
std::string symbol_of(const std::string& name) {
    static const std::map<std::string, std::string> kSymbols = {{"inputs", "X"},
                                                                {"queries", "Q"},
                                                                {"keys", "K"},
                                                                {"values", "V"},
                                                                {"mask", "M"},
                                                                {"attention_scores", "S"},
                                                                {"attention_weights", "P"},
                                                                {"rounded_weights", "P′"}};
    const auto found = kSymbols.find(name);
    return found == kSymbols.end() ? std::string() : found->second;
}

// Why the document's table of tensors has none of this rank, or nothing.
std::string rank_error(const std::string& name, const Shape& shape) {
    const DocumentTensor* known = find_document_tensor(name);
    if (known == nullptr || (shape.rank >= known->ranks.least && shape.rank <= known->ranks.most)) return {};
    const bool is_vector = known->ranks.most == 1;
    return name + " is " + shape.to_text() + " but must " +
           (is_vector ? "be a list of numbers" : "have rows and columns") +
           (!is_vector && known->ranks.most == 2 ? " only" : "");
}

// " (2 × 16384 × 16384)": as planes of such a tensor, where it has several and one is not too large.
std::string as_planes(const Shape& shape) {
    const std::uint64_t n = kMostUnstoredCells / (std::uint64_t(shape.rows) * std::uint64_t(shape.cols));
    if (shape.planes < 2 || n == 0) return {};
    return " (" + Shape::stack(static_cast<int>(n), shape.rows, shape.cols).to_text() + ")";
}

} // namespace

Presentation presentation(Role role, Axis rows, Axis cols, std::string meaning) {
    Presentation shown;
    shown.role = role;
    shown.rows = rows;
    shown.cols = cols;
    shown.meaning = std::move(meaning);
    return shown;
}

Presentation between_tokens(Role role, std::string meaning) {
    Presentation shown = presentation(role, Axis::queries, Axis::keys, std::move(meaning));
    shown.column = 3;
    shown.row_of_query = true;
    return shown;
}

void ProgramBuilder::section(std::string title) { program_.sections.push_back({std::move(title)}); }

std::string ProgramBuilder::full_name(const std::string& name) const {
    const DocumentTensor* known = find_document_tensor(name);
    return known != nullptr && !known->is_in_block() ? name : prefix_ + name;
}

void ProgramBuilder::stage(std::string title, std::string sentence) {
    program_.stages.push_back({std::move(title), std::move(sentence)});
}

int ProgramBuilder::leaf(const std::string& name, const std::string& needed_because, Presentation presentation) {
    const std::string full = full_name(name);
    if (const int present = program_.find(full); present >= 0) return present;
    const auto given = shapes_.find(full);
    if (given == shapes_.end()) {
        fail("the tensor " + full + " is missing but " + needed_because);
        return -1;
    }
    if (const std::string error = rank_error(full, given->second); !error.empty()) {
        fail(error);
        return -1;
    }
    Node node;
    node.name = full;
    node.shape = given->second;
    node.presentation = std::move(presentation);
    return append(std::move(node));
}

int ProgramBuilder::step(const std::string& name, StepPtr step, std::vector<int> operands, Presentation presentation) {
    if (!step) fail(name + " is not computed yet");
    if (error_) return -1;
    Node node;
    node.name = prefix_ + name;
    node.step = std::move(step);
    node.operands = std::move(operands);
    node.presentation = std::move(presentation);
    const StepPtr kind = node.step;
    const int index = append(std::move(node));
    const Result<Shape> shape = kind->shape(program_.operand_shapes(index), program_.operand_names(index));
    if (!shape) {
        fail(shape.error());
        return -1;
    }
    program_.nodes.back().shape = *shape;
    return index;
}

void ProgramBuilder::fail(std::string message) {
    if (!error_) error_ = Error{std::move(message)};
}

// Calls f(name, shape, whether memory is to hold it) for every tensor of a program and of the document beside it, until it is false.
template <class Function> void ProgramBuilder::for_each_tensor(const Program& program, Function f) const {
    const Plan plan = make_plan(program, kMostStoredInteractively);
    for (std::size_t i = 0; i < program.nodes.size(); ++i) {
        const Node& node = program.nodes[i];
        if (!f(node.name, node.shape, plan.is_stored[i])) return;
    }
    for (const auto& [name, shape] : shapes_) {
        if (program.find(name) < 0 && !f(name, shape, true)) return;
    }
}

std::uint64_t ProgramBuilder::n_cells_held() const { return n_cells_held(program_); }

std::uint64_t ProgramBuilder::n_cells_held(const Program& program) const {
    std::uint64_t n_cells = 0;
    for_each_tensor(program, [&](const std::string&, const Shape& shape, bool is_held) {
        n_cells += is_held ? shape.n_cells() : 0;
        return true;
    });
    return n_cells;
}

std::uint64_t ProgramBuilder::n_cells_held(int n_tokens, int instead_of) const {
    Program other = program_;
    for (Node& node : other.nodes) {
        for (int* n : {&node.shape.rows, &node.shape.cols}) *n = *n == instead_of ? n_tokens : *n;
    }
    return n_cells_held(other);
}

// In 64 bits, and given up at the first tensor too many: neither a product nor the sum wraps round.
void ProgramBuilder::reject_what_memory_cannot_hold() {
    std::uint64_t n_cells = 0;
    for_each_tensor(program_, [&](const std::string& name, const Shape& shape, bool is_held) {
        n_cells += is_held ? shape.n_cells() : 0;
        const std::string too_large = name + " is " + shape.to_text() + ", ";
        if (n_cells > kMostCells)
            fail(too_large + "which brings the tensors to " + std::to_string(n_cells) + " numbers, but " +
                 std::to_string(kMostCells) + " is the most");
        else if (shape.n_cells() > kMostUnstoredCells)
            fail(too_large + "but " + std::to_string(kMostUnstoredCells) + " numbers are the most" + as_planes(shape));
        return !failed();
    });
}

Result<Program> ProgramBuilder::finish() && {
    if (!error_) reject_what_memory_cannot_hold();
    if (error_) return *std::move(error_);
    lay_out(program_);
    return std::move(program_);
}

int ProgramBuilder::append(Node node) {
    if (error_) return -1;
    node.stage = static_cast<int>(program_.stages.size()) - 1;
    node.section = std::max(0, static_cast<int>(program_.sections.size()) - 1);
    node.presentation.symbol = symbol_of(std::string(name_in_block(node.name)));
    program_.nodes.push_back(std::move(node));
    return static_cast<int>(program_.nodes.size()) - 1;
}

} // namespace lab
