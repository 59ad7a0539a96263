#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engine/step.h"

// Where kinds of steps are listed. Each is a file of this folder that says what it computes; n_q × n_k below is
// [planes × queries × keys].
namespace lab {

using StepPtr = std::shared_ptr<const Step>;

// Half of a sentence on shapes that do not fit: "inputs have 3 columns", "W_query has 1 row".
inline std::string count_of(const std::string& tensor, int n, const std::string& things) {
    const bool is_plural = !tensor.empty() && tensor.back() == 's';
    return tensor + (is_plural ? " have " : " has ") + std::to_string(n) + " " + things + (n == 1 ? "" : "s");
}

enum class SecondOperand { as_is, transposed };

// A·B or A·Bᵀ, plus one bias per column where there is a third operand. [n × d]·[d × m] → [n × m].
StepPtr matrix_product(SecondOperand second);

// operand · factor, named for formulas ("1/√2"). Any shape.
StepPtr scale(float factor, std::string factor_text);

struct MaskRule {
    bool causal = false;
    std::optional<int> window; // keys that a query sees, itself included
    int n_queries = 0;
    int n_keys = 0;
};
// What is added to scores: 0 where a key may be attended to, −∞ where not. No operand, or the document's own additive mask.
StepPtr combined_mask(const MaskRule& rule);

// scores + mask.
StepPtr add_mask();

// Rows of weights: exp(x − max) / Σ exp(x − max); naively exp(x) / Σ exp(x), which may overflow.
StepPtr softmax();
StepPtr naive_softmax();

// Rows of weights: x / Σ x, a masked key (−∞) counting 0.
StepPtr divide_by_sum();

// To a number of decimals for reading, every cell to nearest, ties to even, as torch.round; and a row that sums to 1 goes on
// doing so, as when one rounds by hand ([0.0634, 0.4683, 0.4683] to one decimal is [0.0, 0.5, 0.5], not [0.1, 0.5, 0.5]).
//
// Where |Σx − 1| ≤ 1e-4 and the rounded row would be 1e-4 or more away from 1, the fewest cells are rounded the other way
// until it is nearer: those that rounding moved furthest towards the error (largest remainder method), of equals the
// later first. With up to 4 decimals the row then sums to 1 exactly, as decimals.
//
// Exactly torch.round: a row whose rounded cells sum to 1 already, one that does not sum to 1 before (every key masked,
// not a number), and one that could not without rounding a cell down below 0 (which takes negative weights, as only
// division by the sum gives). Whether a cell is turned depends on its whole row.
StepPtr round_rows(int decimals);

// [1 × n_q × n_k] weights, [1 × n_k × d_v] values → [n_k × n_q × d_v], value j times the weight that query i gives it.
StepPtr weigh_values();

} // namespace lab
