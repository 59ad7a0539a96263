#pragma once

#include <cstdint>

#include "engine/step.h"

// Kinds of step that make weights of scores, and what becomes of them; their gradients and Jacobians. Shapes as in steps.h.
namespace lab {

// Rows of weights from rows of scores: exp(x − max) / Σ exp(x − max); naively exp(x) / Σ exp(x), where exp overflows above
// 88.73 and the weight is ∞/∞, not a number.
//
// operand, result  [planes × n_q × n_k], −∞ where a key may not be attended to
// each row sums to 1 within 1e-6, beyond 16 keys within n_k · 6e-8 (float32 adds them up); one that is −∞ throughout becomes zeros (as ONNX Attention defines it; PyTorch gives NaN);
// one that holds a NaN or +∞ is no numbers. What is notable of a row is its Notice.
StepPtr softmax();
StepPtr naive_softmax();

// The same with a sink, one more score of every row, whose weight goes to no key: e^(x − max) / (Σ e^(x − max) + e^(s − max)), max
// being the greatest of the scores and s; so that a row of weights may add up to less than 1 (as in gpt-oss).
//
// scores, result  [planes × n_q × n_k], a row that is −∞ throughout becomes zeros
// sink            [planes]
// error           another number of sinks
StepPtr softmax_with_sink();
StepPtr naive_softmax_with_sink();

// Its gradient: ds[h] = −Σ_i (1 − Σ_j P[h, i, j]) · Σ_j P[h, i, j] · g[h, i, j], from the weights P and their gradient.
//
// P, g    [planes × n_q × n_k]
// result  [planes]
StepPtr sink_slope();

// Softmax over the k greatest scores of a row (from 1), of equals the earlier; the other weights are 0. Masked keys are not
// counted; of k keys or fewer it is softmax, to the bit. A sink, a second operand [planes], is none of the k.
StepPtr top_k_softmax(int k, bool has_sink = false);

// max(x − τ, 0) with τ such that a row adds up to 1: softmax that gives exactly 0 to low scores (Martins and Astudillo 2016). With
// the k scores of the support, those above τ: τ = (Σ support − 1) / k.
//
// operand, result  [planes × n_q × n_k], −∞ where a key may not be attended to; a row that is −∞ throughout becomes zeros, one
//                  that holds a NaN or +∞ is no numbers
StepPtr sparsemax();

// Its gradient: g[j] − the mean of g over the support where j lies in it (P[j] > 0), else 0, row by row.
//
// P, g, result  [planes × n_q × n_k]
StepPtr sparsemax_slope();

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

struct DropoutForm {
    float p = 0;                      // how probable it is that a cell is dropped: 0 ≤ p < 1
    std::uint64_t seed = 123;         // as torch.manual_seed takes it
    std::uint64_t n_cells_before = 0; // cells that were drawn for since: those of earlier blocks
};
// y = x · 1 / (1 − p) where the cell is kept, 0 where it is dropped, whatever x is. Cell number c, row by row and plane by plane, is
// kept where u < 1 − p, u being the uniform double after 2 · (n_cells_before + c) draws of Generator(seed): the bits of
// torch.nn.functional.dropout on a CPU, which multiplies by float32(1) / float32(1 − p). The mask is drawn once, when the step is
// first computed.
//
// operand, result  of the shape
// not modelled     PyTorch built with MKL on an Intel processor, or on a GPU, draws other numbers; PyTorch makes NaN of a dropped
//                  NaN or ∞
// error            an operand of another shape
StepPtr dropout(const DropoutForm& form, const Shape& shape);

// dx = P · (g − Σ_k P[k] · g[k]), row by row: the gradient with respect to the scores, from the weights P that softmax (also
// naively, of the greatest k, or with a sink) made of them, and g, the gradient with respect to the weights.
//
// P, g, result  [planes × n_q × n_k]
StepPtr softmax_slope();

// dx = (g − Σ_k g[k] · y[k]) / Σ x, row by row, of y = x / Σ x; 0 for masked keys and rows that sum to 0.
//
// x, g, result  [planes × n_q × n_k]
StepPtr divide_by_sum_slope();

// The Jacobians of rows of weights y[h, i] with respect to their scores x[h, i]: plane h · n_k + j, row i, column k holds
// ∂y[h, i, j] / ∂x[h, i, k], how much the weight that query i gives key j grows with its score for key k.
//
// operand  weights or scores [heads × n_q × n_k]
// result   [heads · n_k × n_q × n_k]

// P[j] · (δ[j, k] − P[k]), from the weights P that softmax made (Bridle 1990). Also naively; of the
// greatest k, the choice of which is held fixed: what is left out has P = 0; and with a sink, which is one more score in the sum,
// so that Σ P < 1 and nothing else changes.
StepPtr softmax_jacobian();

// s[j] · (δ[j, k] − s[k] / Σ s), with s 1 in the support (P > 0) and 0 outside (Martins and Astudillo 2016:
// Diag(s) − s sᵀ / |S|); a row without weights: 0.
StepPtr sparsemax_jacobian();

// (δ[j, k] − x[j] / Σ x) / Σ x, from the scores x: the quotient rule on x[j] / Σ x. 0 where j or k is masked, and in a row that
// sums to 0.
StepPtr divide_by_sum_jacobian();
} // namespace lab
