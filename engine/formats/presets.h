#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/result.h"
#include "engine/trace.h"

namespace lab {

// A session that comes with the program.
struct PresetInfo {
    std::string name;  // "trainable", as the command line and the page know it
    std::string title; // the session's own
    std::string group; // "Worked examples", "Heads", …: presets of one group follow one another
};

// All of them, in the order in which one would teach them.
const std::vector<PresetInfo>& presets();

// "there is no preset 'trainble' but trainable, integers, … and 14 more": those that are written like it.
std::string unknown_preset_error(const std::string& name);

// The text of a preset's session file; empty if there is no such preset.
std::string_view preset_session_text(std::string_view name);

// Numbers that a tensor, or one row of a matrix, must come to.
struct ExpectedNumbers {
    std::string tensor;
    std::optional<int> row; // absent: the whole tensor
    Shape shape;            // of the whole tensor, or 1 × columns
    std::vector<double> numbers;
    std::vector<int> decimals; // per number, how many decimals were printed; empty: computed in float64, not printed
};

// What a worked example comes to: every tensor computed in float64, and the numbers that the example printed.
struct WorkedExample {
    std::vector<ExpectedNumbers> expected;
};

// An error if there is no such preset.
Result<WorkedExample> worked_example(std::string_view name);

// A number in which a trace is not the worked example.
struct Mismatch {
    std::string tensor;
    Cell cell;
    double expected = 0.0;
    std::optional<float> computed; // absent: there is no such cell
};

// All of them; where there are none, the badge says "matches the worked example to 4 digits". Computed
// numbers match within 0.5e-4 · (1 + |expected|), printed ones when they round to what was printed (half a
// unit of the last decimal). A tensor that is not there or has another shape is one mismatch.
std::vector<Mismatch> mismatches(const WorkedExample& example, const Trace& trace);
std::optional<Mismatch> first_mismatch(const WorkedExample& example, const Trace& trace);

} // namespace lab
