#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/count_text.h"
#include "engine/rope_pairs.h"
#include "engine/step.h"
#include "engine/steps/around_attention.h"
#include "engine/steps/masks.h"
#include "engine/steps/normalisers.h"

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
    // Queries · keysᵀ, only the second transposed: by pairs where that is the faster (engine/kernels/product.h).
    bool is_of_scores = false;
};

// C[h, i, j] = Σ_k A[h, i, k] · B[h, k, j] (transposed: A[h, k, i], B[h, j, k]) + bias[h·m + j], added in float32 in the order of k (scores: or by
// pairs).
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

struct RopeForm {
    float base = 10000; // above 0
    RopePairs pairs = RopePairs::half;
    std::optional<int> dims = {}; // r, the first so many columns of each head; absent: all
    float scaling = 1;            // places are divided by it
    int first_place = 0;          // of row 0
    bool inverse = false;         // turns back: by the negative angle
};
// Rotary positions (Su et al. 2021): pair m = (a, b) of the r dimensions of row i becomes (a cos φ − b sin φ, b cos φ + a sin φ)
// with φ = (i + first_place) / scaling · base^(−2m / r), so that a score depends on how far apart query and key stand. Angle, sine
// and cosine in float64 and the latter two rounded to float32 once; other columns stay as they are.
//
// operand, result  [planes × n × d], a plane for each head
// error            an odd r, or more than d
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

// y = x · factor, named for formulas ("1/√2"). Any shape.
StepPtr scale(float factor, std::string factor_text);

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

} // namespace lab
