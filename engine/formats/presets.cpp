#include "engine/formats/presets.h"

#include <cmath>
#include <cstdlib>

#include "engine/formats/embedded.h"
#include "engine/formats/json_text.h"
#include "engine/formats/session.h"
#include "engine/nearest_names.h"

namespace lab {

namespace {

struct PresetPlace {
    const char* name;
    const char* group;
};

constexpr const char* kWorkedExamples = "Worked examples";
constexpr const char* kHeads = "Heads";
constexpr const char* kMasksAndPositions = "Masks and positions";
constexpr const char* kBlocks = "Blocks";

constexpr PresetPlace kTeachingOrder[] = {
    {"simplified-sum", kWorkedExamples},
    {"simplified-naive-softmax", kWorkedExamples},
    {"simplified-softmax", kWorkedExamples},
    {"integers", kWorkedExamples},
    {"integers-rounded", kWorkedExamples},
    {"trainable", kWorkedExamples},
    {"linear", kWorkedExamples},
    {"sentence", kWorkedExamples},
    {"causal", kHeads},
    {"two-heads-split", kHeads},
    {"two-heads-separate", kHeads},
    {"multi-head", kHeads},
    {"grouped-query", kHeads},
    {"cross-attention", kHeads},
    {"sliding-window", kMasksAndPositions},
    {"rotary", kMasksAndPositions},
    {"alibi", kMasksAndPositions},
    {"gpt2-block", kBlocks},
    {"llama-block", kBlocks},
    {"induction", kBlocks},
};

std::string_view embedded_text(const std::string& file_name) {
    for (const EmbeddedFile& file : embedded_presets()) {
        if (file.name == file_name) return {file.data, file.size};
    }
    return {};
}

std::vector<PresetInfo> list_presets() {
    std::vector<PresetInfo> list;
    for (const auto& [name, group] : kTeachingOrder) {
        const Result<SessionFile> file = parse_session(preset_session_text(name));
        if (file) list.push_back({name, file->document.title, group});
    }
    return list;
}

// Decimals of a number as JSON writes it: 4 of 0.0751, 0 of 12, 10 of 6.0337e-06.
int decimals_of(const std::string& text) {
    const std::size_t exponent = text.find_first_of("eE");
    const std::size_t point = text.find('.');
    const std::size_t end = exponent == std::string::npos ? text.size() : exponent;
    const int after_point = point == std::string::npos ? 0 : static_cast<int>(end - point - 1);
    return after_point - (exponent == std::string::npos ? 0 : std::atoi(text.c_str() + exponent + 1));
}

void append_numbers(const Json& value, bool printed, ExpectedNumbers& out) {
    if (value.is_array()) {
        for (const Json& item : value) append_numbers(item, printed, out);
    } else if (value.is_number()) {
        out.numbers.push_back(value.get<double>());
        if (printed) out.decimals.push_back(decimals_of(value.dump()));
    } else {
        out.numbers.push_back(
            -HUGE_VAL); // "-inf", what a masked score is; nothing else that JSON cannot write is expected
    }
}

Shape shape_of(const Json& lists) {
    std::vector<int> dims;
    for (const Json* level = &lists; level->is_array() && !level->empty(); level = &level->front()) {
        dims.push_back(static_cast<int>(level->size()));
    }
    if (dims.size() == 1) return Shape::matrix(1, dims[0]);
    return dims.size() == 2 ? Shape::matrix(dims[0], dims[1]) : Shape::stack(dims[0], dims[1], dims[2]);
}

// `key` names a tensor, "context_vectors", or one of its rows, "attention_scores[1]".
ExpectedNumbers expected_numbers(const std::string& key, const Json& lists, bool printed) {
    ExpectedNumbers numbers;
    const std::size_t bracket = key.find('[');
    numbers.tensor = key.substr(0, bracket);
    if (bracket != std::string::npos) numbers.row = std::atoi(key.c_str() + bracket + 1);
    numbers.shape = shape_of(lists);
    append_numbers(lists, printed, numbers);
    return numbers;
}

bool agrees(const ExpectedNumbers& numbers, std::size_t index, double computed) {
    const double expected = numbers.numbers[index];
    if (std::isinf(expected)) return computed == expected;
    if (numbers.decimals.empty()) return std::fabs(computed - expected) <= 0.5e-4 * (1.0 + std::fabs(expected));
    constexpr double kFloatError = 1e-7; // a number that stands on the edge in decimal may lie beyond it in float32
    const double half_unit = 0.5 * std::pow(10.0, -numbers.decimals[index]);
    return std::fabs(computed - expected) <= half_unit * (1.0 + 1e-6) + kFloatError * std::fabs(expected);
}

// Hands f one mismatch after the other, until it returns false; false if it did.
template <class Function> bool each_mismatch(const ExpectedNumbers& numbers, const Trace& trace, Function f) {
    const int node = trace.program().find(numbers.tensor);
    const Shape shape = node < 0 ? Shape() : trace.program().node(node).shape;
    const bool row_fits =
        numbers.row && *numbers.row < shape.rows && shape.planes == 1 && shape.cols == numbers.shape.cols;
    if (numbers.row ? !row_fits : shape != numbers.shape) {
        return f(Mismatch{numbers.tensor, {}, numbers.numbers.front(), std::nullopt});
    }
    Block block = Block::all(shape);
    if (numbers.row) block.rows = Range::at(*numbers.row);
    std::vector<float> computed(block.size());
    trace.source(node)->read(block, computed.data());
    const int n_cols = block.cols.size(), n_rows = block.rows.size();
    for (int i = 0; i < static_cast<int>(computed.size()); ++i) {
        const std::size_t index = static_cast<std::size_t>(i);
        if (agrees(numbers, index, static_cast<double>(computed[index]))) continue;
        const Cell cell{i / n_cols / n_rows, block.rows.begin + i / n_cols % n_rows, i % n_cols};
        if (!f(Mismatch{numbers.tensor, cell, numbers.numbers[index], computed[index]})) return false;
    }
    return true;
}

} // namespace

const std::vector<PresetInfo>& presets() {
    static const std::vector<PresetInfo> list = list_presets();
    return list;
}

std::string unknown_preset_error(const std::string& name) {
    std::vector<std::string> known;
    for (const auto& preset : kTeachingOrder) known.emplace_back(preset.name);
    return "there is no preset '" + name + "' but " + nearest_names_text(name, known);
}

std::string_view preset_session_text(std::string_view name) {
    return embedded_text(std::string(name) + ".session.json");
}

Result<WorkedExample> worked_example(std::string_view name) {
    const std::string_view text = embedded_text(std::string(name) + ".expected.json");
    if (text.empty()) return Error{unknown_preset_error(std::string(name))};
    const Result<Json> root = parse_json(text);
    if (!root) return Error{root.error()};
    WorkedExample example;
    for (const char* part : {"expected", "printed"}) {
        const auto tensors = root->find(part);
        if (tensors == root->end()) continue;
        for (const auto& [key, lists] : tensors->items()) {
            example.expected.push_back(expected_numbers(key, lists, part == std::string_view("printed")));
        }
    }
    return example;
}

std::vector<Mismatch> mismatches(const WorkedExample& example, const Trace& trace) {
    std::vector<Mismatch> all;
    const auto keep = [&](Mismatch mismatch) {
        all.push_back(std::move(mismatch));
        return true;
    };
    for (const ExpectedNumbers& numbers : example.expected) each_mismatch(numbers, trace, keep);
    return all;
}

std::optional<Mismatch> first_mismatch(const WorkedExample& example, const Trace& trace) {
    std::optional<Mismatch> first;
    const auto keep = [&](Mismatch mismatch) {
        first = std::move(mismatch);
        return false;
    };
    for (const ExpectedNumbers& numbers : example.expected) {
        if (!each_mismatch(numbers, trace, keep)) break;
    }
    return first;
}

} // namespace lab
