// Every session of tests/reference/attention_*.json, run through reader, program and trace, against float64 tensors that were
// computed apart from the engine, by PyTorch or from the formulas of docs/attention.md; with a target also gradients.
#include "tests/formats/attention_cases.h"

#include <cmath>
#include <limits>
#include <map>
#include <ostream>
#include <set>

#include <gtest/gtest.h>

#include "engine/formats/session.h"
#include "engine/trace.h"

namespace {

using lab::test::attention_cases;
using lab::test::AttentionCase;
using Json = nlohmann::json;

constexpr double kTolerance = 2e-5;
constexpr double kFloat64Tolerance = 1e-6; // of the engine's own float64 run, whose settings are float32
constexpr int kMostCellsNamed = 3;         // of a tensor that differs

double number_of(const Json& value) {
    if (value.is_number()) return value.get<double>();
    const double infinity = std::numeric_limits<double>::infinity();
    if (value == "inf") return infinity;
    return value == "-inf" ? -infinity : std::numeric_limits<double>::quiet_NaN();
}

bool agree(double actual, double expected, double tolerance) {
    if (std::isnan(expected)) return std::isnan(actual);
    if (std::isinf(expected)) return actual == expected;
    return std::fabs(actual - expected) <= tolerance * (1 + std::fabs(expected));
}

std::vector<int> dims_of(const Json& lists) {
    std::vector<int> dims;
    for (const Json* level = &lists; level->is_array(); level = &level->front()) {
        dims.push_back(static_cast<int>(level->size()));
    }
    return dims;
}

void append_numbers(const Json& lists, std::vector<double>& numbers) {
    if (!lists.is_array()) return numbers.push_back(number_of(lists));
    for (const Json& item : lists) append_numbers(item, numbers);
}

std::string text_of(const std::vector<int>& dims) {
    std::string text;
    for (int n : dims) text += (text.empty() ? "" : " × ") + std::to_string(n);
    return text;
}

// "[1][0][2]" of the number that stands at this place in row-major order.
std::string place_text(std::size_t place, const std::vector<int>& dims) {
    std::string text;
    for (std::size_t axis = dims.size(); axis-- > 0;) {
        const auto n = static_cast<std::size_t>(dims[axis]);
        text = "[" + std::to_string(place % n) + "]" + text;
        place /= n;
    }
    return text;
}

// The node of that name, if it has the expected shape; else -1 and a failure.
int node_of(const lab::Program& program, const std::string& name, const std::vector<int>& dims) {
    const int node = program.find(name);
    if (node < 0) {
        ADD_FAILURE() << name << " is not there";
        return -1;
    }
    if (program.node(node).shape.dims() == dims) return node;
    ADD_FAILURE() << name << " is " << program.node(node).shape.to_text() << " but must be " << text_of(dims);
    return -1;
}

template <class T>
void expect_cells(const std::string& name, const std::vector<T>& actual, const Json& lists, double tolerance) {
    std::vector<double> expected;
    append_numbers(lists, expected);
    int n_named = 0;
    for (std::size_t c = 0; c < expected.size() && n_named < kMostCellsNamed; ++c) {
        if (agree(static_cast<double>(actual[c]), expected[c], tolerance)) continue;
        ++n_named;
        ADD_FAILURE() << name << place_text(c, dims_of(lists)) << " is " << actual[c] << " but float64 has "
                      << expected[c];
    }
}

// The numbers of instances are places in attention_cases(); their names say which.
class AttentionCases : public testing::TestWithParam<std::size_t> {};

TEST_P(AttentionCases, EveryTensorIsFloat64s) {
    const AttentionCase& wanted = attention_cases()[GetParam()];
    SCOPED_TRACE(wanted.name);
    const auto file = lab::read_session(wanted.session.dump());
    ASSERT_TRUE(file) << file.error();
    EXPECT_TRUE(file->notes.empty()) << file->notes.front();
    const auto program = lab::build_program(file->document);
    ASSERT_TRUE(program) << program.error();
    lab::Trace trace;
    trace.update(*program, file->document.tensors);
    const auto twin = lab::run_reference(*program, file->document.tensors);
    ASSERT_FALSE(wanted.expected.empty());
    for (const auto& [name, lists] : wanted.expected.items()) {
        const int node = node_of(*program, name, dims_of(lists));
        if (node < 0) continue;
        expect_cells(name, lab::read_all(*trace.source(node)), lists, kTolerance);
        expect_cells("in the engine's float64 " + name, twin[static_cast<std::size_t>(node)], lists, kFloat64Tolerance);
    }
}

// gtest's names have letters, digits and underscores only; the maker sees to it that they stay different.
std::string name_of(const testing::TestParamInfo<std::size_t>& info) {
    const AttentionCase& named = attention_cases()[info.param];
    std::string name = named.theme + "_";
    for (const char c : named.name) {
        const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (is_plain || name.back() != '_') name += is_plain ? c : '_';
    }
    return name;
}

INSTANTIATE_TEST_SUITE_P(Reference, AttentionCases, testing::Range(std::size_t{0}, attention_cases().size()), name_of);

// What the cases have between them: key → values, as JSON text.
std::map<std::string, std::set<std::string>> settings_in_cases() {
    std::map<std::string, std::set<std::string>> found;
    for (const AttentionCase& one : attention_cases()) {
        for (const auto& [key, value] : one.session.at("attention").items()) found[key].insert(value.dump());
    }
    return found;
}

TEST(AttentionCaseList, HasEveryWordOfEverySetting) {
    const std::map<std::string, std::vector<std::string>> words = {
        {"normalization", {"naive_softmax", "sum", "sparsemax", "top_k_softmax"}},
        {"mask", {"causal", "sliding_window", "tensor", "prefix"}},
        {"position", {"sinusoidal", "rope", "alibi", "learned", "relative_bias"}},
        {"rope_pairs", {"interleaved"}},
        {"norm", {"layer_norm", "rms_norm"}},
        {"norm_position", {"post"}},
        {"mlp", {"relu", "gelu", "gelu_tanh", "silu_gated"}},
        {"unembedding", {"own", "tied"}}};
    auto found = settings_in_cases();
    for (const auto& [key, values] : words) {
        for (const std::string& value : values)
            EXPECT_EQ(found[key].count('"' + value + '"'), 1u) << key << " " << value;
    }
}

TEST(AttentionCaseList, HasEverySettingOffItsDefault) {
    const std::map<std::string, std::string> defaults = {{"projections", "true"},
                                                         {"scale", "\"rsqrt_d_k\""},
                                                         {"window", "null"},
                                                         {"prefix", "null"},
                                                         {"document_lengths", "null"},
                                                         {"nonpad_keys", "null"},
                                                         {"top_k", "null"},
                                                         {"sink", "false"},
                                                         {"dropout", "0"},
                                                         {"dropout_seed", "123"},
                                                         {"round_weights", "null"},
                                                         {"n_heads", "1"},
                                                         {"n_kv_heads", "null"},
                                                         {"softcap", "null"},
                                                         {"rope_base", "10000"},
                                                         {"rope_dims", "null"},
                                                         {"rope_scaling", "1"},
                                                         {"context_length", "null"},
                                                         {"n_blocks", "0"},
                                                         {"residual", "true"},
                                                         {"norm_epsilon", "1e-05"},
                                                         {"final_norm", "false"}};
    auto found = settings_in_cases();
    for (const auto& [key, value] : defaults) {
        found[key].erase(value);
        EXPECT_FALSE(found[key].empty()) << key;
    }
}

TEST(AttentionCaseList, IsLongEnough) {
    std::size_t n_gradients = 0;
    for (const AttentionCase& one : attention_cases()) n_gradients += one.session.count("gradient");
    EXPECT_GE(attention_cases().size() - n_gradients, 150u);
    EXPECT_GE(n_gradients, 45u);
}

} // namespace
