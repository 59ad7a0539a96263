// The presets: every tensor that they come to, every digit that they printed, and where each cell came from.
#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/formats/embedded.h"
#include "engine/formats/session.h"
#include "tests/engine/labs.h"
#include "tests/engine/step_facets.h"
#include "tests/engine/trace_facets.h"

namespace {

using namespace lab;
using namespace lab::test;
using Json = nlohmann::json;

struct Golden {
    std::string name;
    Lab lab;
    Json expected; // tensor → nested lists, computed in float64
    Json printed;  // tensor or "tensor[row]" → nested lists, as the preset's sources print them
};

std::string text_of(const std::string& file_name) {
    for (const EmbeddedFile& file : embedded_presets()) {
        if (file.name == file_name) return {file.data, file.size};
    }
    ADD_FAILURE() << file_name << " is not embedded";
    return {};
}

std::vector<Golden> goldens() {
    std::vector<Golden> all;
    const std::string ending = ".session.json";
    for (const EmbeddedFile& file : embedded_presets()) {
        const std::string file_name = file.name;
        if (file_name.size() < ending.size() || file_name.substr(file_name.size() - ending.size()) != ending) continue;
        const std::string name = file_name.substr(0, file_name.size() - ending.size());
        const auto session = read_session({file.data, file.size});
        EXPECT_TRUE(session) << name;
        if (!session) continue;
        const Json values = Json::parse(text_of(name + ".expected.json"));
        const Lab lab{name, session->document.attention, session->document.tensors};
        all.push_back({name, lab, values.at("expected"), values.at("printed")});
    }
    return all;
}

// Calls f(cell, number) for every number of nested lists; of rank 1 they are one row, of rank 3 planes.
template <class Function> void for_each_number(const Json& lists, Cell cell, Function f) {
    if (!lists.is_array()) return f(cell, lists);
    const bool holds_numbers = !lists.empty() && !lists[0].is_array();
    const bool holds_matrices = !lists.empty() && lists[0].is_array() && !lists[0].empty() && lists[0][0].is_array();
    for (int i = 0; i < static_cast<int>(lists.size()); ++i) {
        Cell next = cell;
        (holds_numbers ? next.col : holds_matrices ? next.plane : next.row) = i;
        for_each_number(lists[static_cast<std::size_t>(i)], next, f);
    }
}

// "attention_weights[1]" is row 1 of attention_weights.
std::string without_row(const std::string& key, int& row) {
    const std::size_t bracket = key.find('[');
    if (bracket == std::string::npos) return key;
    row = std::stoi(key.substr(bracket + 1));
    return key.substr(0, bracket);
}

// How many decimals a printed number has; JSON writes no trailing zeros.
int decimals_of(const Json& number) {
    const std::string text = number.dump();
    const std::size_t point = text.find('.');
    return point == std::string::npos ? 0 : static_cast<int>(text.size() - point - 1);
}

// "-inf" is what JSON has for a masked score.
double number_of(const Json& number) { return number.is_string() ? -HUGE_VAL : number.get<double>(); }

TEST(Golden, ThereAreTwenty) { EXPECT_EQ(goldens().size(), 20u); }

TEST(Golden, EveryExpectedTensorWithinTheStatedTolerance) {
    for (const Golden& golden : goldens()) {
        const Trace trace = run(golden.lab);
        for (const auto& tensor : golden.expected.items()) {
            const std::string name = tensor.key();
            const int node = trace.program().find(name);
            ASSERT_GE(node, 0) << golden.name << ": " << name;
            std::size_t n_numbers = 0;
            for_each_number(tensor.value(), Cell{}, [&](Cell cell, const Json& number) {
                ++n_numbers;
                EXPECT_TRUE(close(static_cast<double>(trace.at(node, cell)), number_of(number)))
                    << golden.name << ": " << name << to_text(cell) << " is " << trace.at(node, cell) << " but "
                    << number;
            });
            EXPECT_EQ(n_numbers, trace.program().node(node).shape.size()) << golden.name << ": " << name;
        }
    }
}

// Rounded to as many decimals as were printed (trailing zeros are not, so to four where there are fewer).
TEST(Golden, EveryPrintedDigit) {
    int n_numbers = 0;
    for (const Golden& golden : goldens()) {
        const Trace trace = run(golden.lab);
        for (const auto& tensor : golden.printed.items()) {
            Cell start;
            const std::string name = without_row(tensor.key(), start.row);
            const int node = trace.program().find(name);
            ASSERT_GE(node, 0) << golden.name << ": " << name;
            for_each_number(tensor.value(), start, [&](Cell cell, const Json& number) {
                ++n_numbers;
                const double half_a_unit = 0.5 * std::pow(10.0, -std::max(4, decimals_of(number)));
                const double difference = static_cast<double>(trace.at(node, cell)) - number.get<double>();
                EXPECT_LE(std::fabs(difference), half_a_unit * 1.001)
                    << golden.name << ": " << name << to_text(cell) << " is " << trace.at(node, cell)
                    << " but was printed " << number;
            });
        }
    }
    EXPECT_GT(n_numbers, 200);
}

// The worked example writes 0.0634 down as 0.0, for its row is to sum to 1.
TEST(Golden, RoundedRowsStillSumToOne) {
    for (const Golden& golden : goldens()) {
        if (golden.name != "integers-rounded") continue;
        const Trace trace = run(golden.lab);
        const int node = trace.program().find("rounded_weights");
        EXPECT_EQ(tensor_of(trace, node).values(), (std::vector<float>{0, 0.5f, 0.5f, 0, 1, 0, 0, 0.9f, 0.1f}));
        const Expression first = trace.derive(node, {0, 0, 0});
        EXPECT_EQ(first.kind, Expression::Kind::given);
        EXPECT_EQ(first.label, "rounded down so that the row still sums to 1");
        EXPECT_EQ(sources(first).size(), 3u);
        EXPECT_EQ(trace.derive(node, {0, 2, 2}).kind, Expression::Kind::round);
        return;
    }
    ADD_FAILURE() << "integers-rounded is not there";
}

TEST(Golden, EveryCellOfEveryTensorIsTheValueOfItsDerivation) {
    for (const Golden& golden : goldens()) {
        SCOPED_TRACE(golden.name);
        const Trace trace = run(golden.lab);
        check_derivations(trace);
        check_feeds(trace);
    }
}

TEST(Golden, SourcesAreExactlyTheCellsThatMatter) {
    for (const Golden& golden : goldens()) {
        SCOPED_TRACE(golden.name);
        check_steps(run(golden.lab));
    }
}

// The same constant natively and in WebAssembly: the reference path has the same bits everywhere.
TEST(Golden, EveryTensorHasTheSameBitsOnEveryPlatform) {
    std::uint32_t hash = 2166136261u;
    for (const Golden& golden : goldens()) {
        const Trace trace = run(golden.lab);
        for (const Node& node : trace.program().nodes) {
            for (float value : tensor_of(trace, node.name).values()) hash = (hash ^ bits_of(value)) * 16777619u;
        }
    }
    EXPECT_EQ(hash, 1499212589u);
}

TEST(Golden, EditedAndUndoneTheBitsComeBack) {
    for (const Golden& golden : goldens()) {
        Trace trace = run(golden.lab);
        const std::string last = trace.program().nodes.back().name;
        const Tensor before = tensor_of(trace, last);
        Lab edited = golden.lab;
        Tensor& embedded = edited.tensors[edited.tensors.contains("inputs") ? "inputs" : "W_embedding"];
        embedded = embedded.with({0, 1, 1}, 3.5f);
        update(trace, edited);
        EXPECT_FALSE(bit_equal(tensor_of(trace, last), before)) << golden.name;
        update(trace, golden.lab);
        EXPECT_TRUE(bit_equal(tensor_of(trace, last), before)) << golden.name;
    }
}

} // namespace
