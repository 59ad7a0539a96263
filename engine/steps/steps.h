#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/count_text.h"
#include "engine/step.h"

// Where kinds of steps are listed, each a file of this folder. Shapes are [planes × rows × columns], or [rows × columns] where
// the step takes one plane; n_q and n_k count queries and keys. What does not fit is an error of Step::shape, one sentence with
// both facts.
namespace lab {

// Half of a sentence on shapes that do not fit: "inputs have 3 columns", "W_query has 1 row".
inline std::string count_of(const std::string& tensor, int n, const std::string& things) {
    const bool is_plural = tensor.ends_with('s') && !tensor.ends_with("bias");
    return tensor + (is_plural ? " have " : " has ") + count_text(static_cast<std::size_t>(n), things);
}

// Which matrices a product multiplies: planes of its operands, or matrices that lie side by side in one plane's columns.
struct ProductForm {
    bool first_transposed = false;
    bool second_transposed = false;
    int n_first = 1; // matrices side by side in the first operand; 1: its planes are the matrices
    int n_second = 1;
    bool has_planes = false; // a result of one plane is [1 × n × m] instead of [n × m]
};

// C[h, i, j] = Σ_k A[h, i, k] · B[h, k, j] (transposed: A[h, k, i], B[h, j, k]) + bias[h·m + j], added in float32 in the order of k.
//
// A       [planes × n × d], transposed [planes × d × n]
// B       [planes × d × m], transposed [planes × m × d]; with fewer matrices than A, or A with fewer than it, they are shared
// bias    [m for each matrix of B], where there is a third operand
// result  [planes × n × m]
// error   d or m that do not agree; matrices of which one's number does not divide the other's, or does not divide columns
StepPtr matrix_product(const ProductForm& form = {});

// y[p] = Σ of the planes that share plane p when there are n_planes of them.
//
// operand  [planes × n × m], n_planes divides planes
// result   [n_planes × n × m]; rank 2 for one plane: [n × m]
StepPtr sum_planes(int n_planes, int rank);

// `gradient`, of the result's shape, as that of operand i, which has the result's rows and columns and may be shared by its planes.
inline void add_shared(Backward& at, int i, int gradient) {
    const Shape& shared = at.shape(at.operand(i));
    if (shared == at.shape(gradient))
        at.add(i, gradient);
    else
        at.add_step(i, sum_planes(shared.planes, shared.rank), {gradient});
}
inline void add_shared(Backward& at, int i) { add_shared(at, i, at.gradient()); }

// y[h·m + j] = Σ_i x[h, i, j]: the columns' sums of every plane, one after the other.
//
// operand  [planes × n × m]
// result   [planes·m]
StepPtr sum_rows();

// y[i, h·m + j] = x[h, i, j]: planes side by side, as heads before the output projection; and back.
//
// operand  [planes × n × m] (split_heads: [n × planes·m])
// result   [n × planes·m]   (split_heads: [planes × n × m])
// error    columns that n_heads does not divide
StepPtr join_heads();
StepPtr split_heads(int n_heads);

enum class RopePairs { half, interleaved }; // (m, m + r/2) are a pair, or (2m, 2m + 1)
struct RopeForm {
    float base = 10000; // above 0
    RopePairs pairs = RopePairs::half;
    std::optional<int> dims = {}; // r, the first so many columns of each head; absent: all
    float scaling = 1;            // places are divided by it
    int n_heads = 1;              // side by side in the columns of a plane
    int first_place = 0;          // of row 0
    bool inverse = false;         // turns back: by the negative angle
};
// Rotary positions (Su et al. 2021): pair m = (a, b) of the r dimensions of row i becomes (a cos φ − b sin φ, b cos φ + a sin φ)
// with φ = (i + first_place) / scaling · base^(−2m / r), so that a score depends on how far apart query and key stand. Angle, sine
// and cosine in float64 and the latter two rounded to float32 once; other columns stay as they are.
//
// operand, result  [planes × n × n_heads·d]
// error            columns that n_heads does not divide; an odd r, or more than d
StepPtr rope(const RopeForm& form = {});

// y[p] = the rows of a[p], then those of b[p]: past and new keys together.
//
// a, b    [planes × n_a × d], [planes × n_b × d], of one rank
// result  [planes × (n_a + n_b) × d]
// error   planes, d or ranks that differ
StepPtr append_rows();

// y[p, i, j] = x[p, begin + i, j]: some rows of every plane; and back: y[p, first + i, j] = x[p, i, j], 0 in the other rows.
//
// operand  [planes × n × d]
// result   [planes × rows.size() × d]   (place_rows: [planes × n_rows × d])
// error    rows.end > n                 (place_rows: first + n > n_rows)
StepPtr take_rows(Range rows);
StepPtr place_rows(int n_rows, int first);

// y = a + b + …, cell by cell. Operands of one shape.
StepPtr sum();

// Zeros of a shape, whatever the operands, because of the reason: "rounding has no slope".
StepPtr zeros(const Shape& shape, std::string reason);

// 1 in the cells of the block, 0 elsewhere: the gradient of their sum with respect to the tensor that they are of.
StepPtr target_cells(const Shape& shape, const Block& cells);

// (x − target) / √Σ (x − target)², or 0 where they are equal: the gradient of the distance with respect to x.
//
// x, target, result  of one shape
StepPtr distance_slope();

// dx = P · (g − Σ_k P[k] · g[k]), row by row: the gradient with respect to the scores, from the weights P that softmax (also
// naively, of the greatest k, or with a sink) made of them, and g, the gradient with respect to the weights.
//
// P, g, result  [planes × n_q × n_k]
StepPtr softmax_slope();

// dx = (g − Σ_k g[k] · y[k]) / Σ x, row by row, of y = x / Σ x; 0 for masked keys and rows that sum to 0.
//
// x, g, result  [planes × n_q × n_k]
StepPtr divide_by_sum_slope();

// y = x · factor, named for formulas ("1/√2"). Any shape.
StepPtr scale(float factor, std::string factor_text);

constexpr int kAllBefore = std::numeric_limits<int>::max();

// Which keys a query may attend to. Query i stands at place i + n_past, key j at place j.
struct MaskRule {
    // Of the keys up to its own, this one included, a query sees the last so many: from 1 (a window) to kAllBefore (causal).
    // Absent: every key, also those that come after it.
    std::optional<int> n_seen = std::nullopt;
    int n_queries = 0;
    int n_keys = 0;
    int n_past = 0;
    int prefix = 0;                         // keys below it are seen by every query, whatever n_seen says
    std::vector<int> document_lengths = {}; // documents one after the other; query and key must lie in the same one
    std::optional<int> nonpad_keys = {};    // keys from here on are padding, which no query sees
    int n_heads = 1;                        // that have the same rule
};
// What is added to scores: −∞ where query i may not attend to key j: where j > i + n_past or j ≤ i + n_past − n_seen unless
// j < prefix; in another document; in the padding. Elsewhere the sum of the operands, 0 without one.
//
// operands  none, one or two (the document's own mask, a position bias), each [n_q × n_k] or [planes × n_q × n_k]
// result    [n_q × n_k]; [planes × n_q × n_k] with more heads than one, or where an operand is so
// error     an operand of other rows and columns or of other planes than heads or the other operand have, document lengths that do
//           not add up to n_k
StepPtr combined_mask(const MaskRule& rule);

// y = g where the rule lets the query see the key, else 0: its gradient.
//
// g, result  [n_q × n_k] or [planes × n_q × n_k]
StepPtr seen_cells(const MaskRule& rule);

// y[h, i, j] = −slope[h] · |i + n_past − j|: a key counts the less the further away it is, in every head at its own rate
// (ALiBi, Press et al. 2022). Slopes as in the paper's code: of n heads, a power of two, slope[h] = 2^(−8(h+1)/n); otherwise those
// of the next lower power of two and then every second one, from the first, of the next higher.
//
// result  [n_heads × n_q × n_k]; one head: [n_q × n_k]
StepPtr alibi(int n_heads, int n_queries, int n_keys, int n_past);

// y[h, i, j] = table[h, clip(j − i − n_past, −r, r) + r]: a number for every distance, further ones as the furthest
// (Shaw et al. 2018, as T5 adds it to scores).
//
// table   [heads × (2r + 1)]
// result  [heads × n_q × n_k]; one head: [n_q × n_k]
// error   a table with an even number of columns
StepPtr relative_bias(int n_queries, int n_keys, int n_past);

// Its gradient: y[h, c] = Σ g[h, i, j] over queries and keys that stand as far apart as column c says.
//
// g       [heads × n_q × n_k] or [n_q × n_k]
// result  [heads × n_distances]
StepPtr relative_bias_slope(const Shape& table, int n_past);

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

// y[j, i, d] = weights[i, j] · values[j, d]: value j times the weight that query i gives it. Its sum over j is context_vectors.
//
// weights  [n_q × n_k]
// values   [n_k × d_v]
// result   [n_k × n_q × d_v], of which a masked key's plane is zeros wherever its value is a finite number
// error    columns and rows that do not agree; more than one head, whose weighted values are not modelled
StepPtr weigh_values();

// Its gradients: with respect to the weights Σ_d g[j, i, d] · values[j, d], to the values Σ_i g[j, i, d] · weights[i, j].
//
// g         [n_k × n_q × d_v]
// operand   values or weights, the other one
// result    [n_q × n_k] or [n_k × d_v]
enum class WeighedOperand { weights, values };
StepPtr weigh_values_slope(WeighedOperand of);

// Kinds of what stands around attention: soft cap, norms, activations, positions, tokens.

// y = cap · tanh(x / cap), which nears ±cap: −∞ becomes −cap. Any shape.
//
// error  a cap that is not a number above 0
StepPtr soft_cap(float cap);

// dx = tanh′(x / cap) · g, with tanh′ = 1 − tanh².
//
// x, g, result  of one shape
StepPtr soft_cap_slope(float cap);

// y = (x − mean) / √(Σ (x − mean)² / d + ε) · gain + bias, row by row, as torch.nn.LayerNorm; RMSNorm without the mean, as
// torch.nn.RMSNorm: x / √(Σ x² / d + ε) · gain.
//
// x           [planes × n × d]
// gain, bias  [d], where there is a second and a third operand
// result      [planes × n × d]
// error       a gain or bias that has not d numbers
StepPtr layer_norm(float epsilon);
StepPtr rms_norm(float epsilon);

struct NormRule {
    bool is_centred = true; // the mean is subtracted: LayerNorm
    float epsilon = 1e-5f;
};
// Their gradient with respect to x: with n = (x − mean) / deviation and s = g · gain, (s − Σ s / d − n · Σ s · n / d) / deviation;
// RMSNorm without Σ s / d.
//
// x, g, result  [planes × n × d]
// gain          [d], where there is a third operand
StepPtr norm_slope(const NormRule& rule);

// y = f(x), and dx = f′(x) · g from x and g: relu, gelu, gelu_tanh, silu, tanh, sigmoid. Any shape. An infinite x gives not a
// number where f multiplies it by 0, as in PyTorch.
StepPtr activation(Function function);
StepPtr activation_slope(Function function);

// y = a · b, cell by cell.
//
// a, b, result  of one shape
StepPtr multiply();

// y = (x − max) − ln Σ exp(x − max), row by row: the logarithm of softmax, finite where softmax is rounded to 0.
//
// operand, result  [planes × n × m]; a row that holds +∞ or not a number, or is −∞ throughout, is no numbers, as in PyTorch
StepPtr log_softmax();

// dx = g − e^y · Σ_k g[k], row by row, from its result y.
//
// y, g, result  [planes × n × m]
StepPtr log_softmax_slope();

// y[i] = x[i] + table[first + i]: a row for every place, the first of them at place `first`.
//
// x, result  [n × d]
// table      [n_places × d]
// error      a table of other columns, or with fewer than first + n rows; more than one plane
StepPtr add_rows(int first);

// y[i, 2m] = sin((first + i) / 10000^(2m/d)), y[i, 2m + 1] = cos of the same (Vaswani et al. 2017). An odd d ends with a sine.
//
// result  [n_rows × d], whatever the operands
StepPtr position_table(int n_rows, int d, int first = 0);

// y[i, v] = 1 where token_ids[i] is v, else 0. A number that is no whole number from 0 to n_vocabulary − 1 gives zeros and a Notice.
//
// token_ids  [n]
// result     [n × n_vocabulary]
// error      token_ids of rank 2 or 3
StepPtr one_hot(int n_vocabulary);

// y[i] = table[token_ids[i]]: the product of one-hot rows with the table, to the bit but for the sign of a 0, without those rows.
// A number that is no row's gives zeros and a Notice.
//
// token_ids  [n]
// table      [n_words × d]
// result     [n × d]
// error      token_ids of rank 2 or 3, a table that is no matrix
StepPtr gather_rows();

// Its gradient with respect to the table: y[v] = Σ g[i] over the tokens i with the number v, in the order of i.
//
// token_ids  [n]
// g          [n × d]
// result     [n_rows × d]
// error      another number of rows than of tokens
StepPtr scatter_rows(int n_rows);

// y[j, i, k] = P[i, j] · (δ[j, k] − P[i, k]): how much the weight that query i gives key j grows with its score for key k, where
// softmax made the weights.
//
// P       [n_q × n_k]
// result  [n_k × n_q × n_k]
// error   more than one head, whose slopes are not modelled
StepPtr softmax_jacobian();

} // namespace lab
