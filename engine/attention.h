#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/program.h"
#include "engine/result.h"
#include "engine/rope_pairs.h"

namespace lab {

enum class Normalization { softmax, naive_softmax, sum, sparsemax, top_k_softmax };

// Whether a sink can stand in its sums: those of exponentials.
inline bool takes_sink(Normalization kind) { return kind != Normalization::sum && kind != Normalization::sparsemax; }

enum class MaskKind { none, causal, sliding_window, tensor, prefix };
enum class Position { none, sinusoidal, rope, alibi, learned, relative_bias };
enum class Norm { none, layer_norm, rms_norm };
enum class NormPosition { pre, post };
enum class Mlp { none, relu, gelu, gelu_tanh, silu_gated };
enum class Unembedding { none, own, tied };

constexpr int kMostDecimals = 20; // of round_weights

// Cells of all tensors that a program stores where it may leave large ones out (make_plan), and of those that the document holds
// beside it: 512 MiB. WebAssembly has 2 GiB, in which stand also what an edit of the sizes makes anew before the old goes, undo
// (256 MiB) and the copy of one tensor that is handed out.
constexpr std::uint64_t kMostCells = std::uint64_t{128} << 20;

// Cells of one tensor that is left out, as far as they can be counted: 17 billion, in WebAssembly 0.5.
constexpr std::uint64_t kMostUnstoredCells = std::uint64_t{1} << (sizeof(void*) == 4 ? 29 : 34);

// How rotary positions turn pairs of dimensions: by place / scaling · base^(−2m / dims).
struct Rope {
    float base = 10000;
    RopePairs pairs = RopePairs::half;
    std::optional<int> dims; // the first so many of each head, even; absent: all
    float scaling = 1;

    bool operator==(const Rope&) const = default;
};

// What stands around attention where it is stacked.
struct Blocks {
    int n = 0; // 0: one attention, bare
    bool residual = true;
    Norm norm = Norm::none;
    NormPosition norm_position = NormPosition::pre;
    float norm_epsilon = 1e-5f;
    bool final_norm = false;
    Mlp mlp = Mlp::none;
    Unembedding unembedding = Unembedding::none;

    bool operator==(const Blocks&) const = default;
};

// The settings of the whole computation: what `attention` in a session file holds. The default is the contract's.
struct AttentionSettings {
    bool projections = true;    // false: inputs serve as queries, keys and values
    std::optional<float> scale; // absent: 1/√d_k
    Normalization normalization = Normalization::softmax;
    MaskKind mask = MaskKind::none;
    std::optional<int> window;         // keys that a query may see, itself included; with sliding_window only
    std::optional<int> prefix;         // keys that every query sees; with prefix only
    std::vector<int> document_lengths; // query and key must lie in one; empty: all lie in one
    std::optional<int> nonpad_keys;    // keys from here on are padding
    std::optional<int> top_k;          // with top_k_softmax only
    bool sink = false;                 // an extra logit per head, the tensor `sink`
    float dropout = 0;                 // probability that a weight is zeroed, in [0, 1)
    std::uint64_t dropout_seed = 123;
    // Decimals; absent: not rounded. Every weight to nearest, ties to even, as torch.round; only in a row that would no
    // longer sum to 1 the fewest are rounded the other way, those that rounding moved furthest (round_rows in steps.h).
    std::optional<int> round_weights;
    int n_heads = 1;
    std::optional<int> n_kv_heads; // absent: as many as n_heads
    std::optional<float> softcap;
    Position position = Position::none;
    Rope rope;
    std::optional<int> context_length; // rows of inputs that are used; absent: all
    Blocks blocks;

    bool operator==(const AttentionSettings&) const = default;
};

// The ordered steps that these settings stand for, on tensors of these shapes.
//
// An error names both facts: shapes that do not fit one another, a tensor that the settings need and that is not
// there, queries/keys/values beside inputs, a setting out of its range (window from 1, round_weights to kMostDecimals) or
// one that this version does not compute, more than kMostCells.
Result<Program> build_program(const AttentionSettings& settings, const TensorShapes& shapes);

} // namespace lab
