#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "engine/count_text.h"
#include "engine/step.h"

// Where kinds of steps are listed, each a file of this folder. Shapes are [planes × rows × columns], or [rows × columns] where
// the step takes one plane; n_q and n_k count queries and keys. What does not fit is an error of Step::shape, one sentence with
// both facts. Not modelled: dropout.
namespace lab {

using StepPtr = std::shared_ptr<const Step>;

// Half of a sentence on shapes that do not fit: "inputs have 3 columns", "W_query has 1 row".
inline std::string count_of(const std::string& tensor, int n, const std::string& things) {
    const bool is_plural = !tensor.empty() && tensor.back() == 's';
    return tensor + (is_plural ? " have " : " has ") + count_text(static_cast<std::size_t>(n), things);
}

enum class SecondOperand { as_is, transposed };

// C[h, i, j] = Σ_k A[h, i, k] · B[h, k, j] (transposed: B[h, j, k]) + bias[j], added in float32 in the order of k.
//
// A       [planes × n × d]
// B       [planes × d × m], transposed [planes × m × d]; with fewer planes than A, or A with fewer than it, they are shared
// bias    [m], where there is a third operand
// result  [planes × n × m]
// error   d or m that do not agree; planes of which one does not divide the other
StepPtr matrix_product(SecondOperand second);

// y = x · factor, named for formulas ("1/√2"). Any shape.
StepPtr scale(float factor, std::string factor_text);

constexpr int kAllBefore = std::numeric_limits<int>::max();

struct MaskRule {
    // Of the keys up to its own, this one included, a query sees the last so many: from 1 (a window) to kAllBefore (causal).
    // Absent: every key, also those that come after it.
    std::optional<int> n_seen;
    int n_queries = 0;
    int n_keys = 0;
};
// What is added to scores: −∞ where query i may not attend to key j, which is where j > i or j ≤ i − n_seen; elsewhere the
// document's own additive mask, or 0 without one.
//
// operand  none, or the document's own mask [n_q × n_k]
// result   [n_q × n_k]
// error    a mask of another shape
StepPtr combined_mask(const MaskRule& rule);

// y[h, i, j] = scores[h, i, j] + mask[h, i, j].
//
// scores, result  [planes × n_q × n_k]
// mask            the same, or [n_q × n_k] for all planes
// error           another shape
StepPtr add_mask();

// Rows of weights from rows of scores: exp(x − max) / Σ exp(x − max); naively exp(x) / Σ exp(x), where exp overflows above
// 88.73 and the weight is ∞/∞, not a number.
//
// operand, result  [planes × n_q × n_k], −∞ where a key may not be attended to
// each row sums to 1 within 1e-6, beyond 16 keys within n_k · 6e-8 (float32 adds them up); one that is −∞ throughout becomes zeros (as ONNX Attention defines it; PyTorch gives NaN);
// one that holds a NaN or +∞ is no numbers. What is notable of a row is its Notice.
StepPtr softmax();
StepPtr naive_softmax();

// Rows of weights: x / Σ x, a masked key (−∞) counting 0.
//
// operand, result  [planes × n_q × n_k]
// A row sums to 1 within 1e-6 · Σ|x| / |Σ x| (beyond 16 keys n_k · 6e-8 of that): where positive and negative scores cancel it may be far from it, and weights may
// be negative or above 1. A row that sums to 0, one that is masked throughout among them, becomes zeros.
StepPtr divide_by_sum();

// To a number of decimals for reading, every cell to nearest, ties to even, as torch.round; and a row that sums to 1 goes on
// doing so, as when one rounds by hand ([0.0634, 0.4683, 0.4683] to one decimal is [0.0, 0.5, 0.5], not [0.1, 0.5, 0.5]).
//
// operand, result  any shape; every row by itself
//
// Where |Σx − 1| ≤ 1e-4 and the rounded row would be 1e-4 or more away from 1, the fewest cells are rounded the other way
// until it is nearer: those that rounding moved furthest towards the error (largest remainder method), of equals the
// later first. With up to 4 decimals the row then sums to 1 exactly, as decimals.
//
// Exactly torch.round: a row whose rounded cells sum to 1 already, one that does not sum to 1 before (every key masked,
// not a number), and one that could not without rounding a cell down below 0 (which takes negative weights, as only
// division by the sum gives). Whether a cell is turned depends on its whole row.
StepPtr round_rows(int decimals);

// y[j, i, d] = weights[i, j] · values[j, d]: value j times the weight that query i gives it. Its sum over j is context_vectors.
//
// weights  [n_q × n_k]
// values   [n_k × d_v]
// result   [n_k × n_q × d_v], of which a masked key's plane is zeros wherever its value is a finite number
// error    columns and rows that do not agree; more than one head, whose weighted values are not modelled
StepPtr weigh_values();

} // namespace lab
