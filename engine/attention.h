#pragma once

#include <cstdint>
#include <optional>

#include "engine/program.h"
#include "engine/result.h"

namespace lab {

enum class Normalization { softmax, naive_softmax, sum };
enum class MaskKind { none, causal, sliding_window, tensor };
enum class Position { none, sinusoidal, rope, alibi };

constexpr int kMostDecimals = 20; // of round_weights

// Cells of all tensors that a program stores, and of those that the document holds beside it: 512 MiB. WebAssembly has 2 GiB,
// in which stand also what an edit of the sizes makes anew before the old goes, undo (256 MiB) and the copy of one tensor
// that is handed out. 4096 tokens of 64 dimensions with every kind of mask and rounding take 118 of these 134 million.
constexpr std::uint64_t kMostCells = std::uint64_t{128} << 20;

// The settings of one attention: what `attention` in a session file holds. The default is the contract's.
struct AttentionSettings {
    bool projections = true;    // false: inputs serve as queries, keys and values
    std::optional<float> scale; // absent: 1/√d_k
    Normalization normalization = Normalization::softmax;
    MaskKind mask = MaskKind::none;
    std::optional<int> window; // keys that a query may see, itself included; with sliding_window only
    // Decimals; absent: not rounded. Every weight to nearest, ties to even, as torch.round; only in a row that would no
    // longer sum to 1 the fewest are rounded the other way, those that rounding moved furthest (round_rows in steps.h).
    std::optional<int> round_weights;
    int n_heads = 1;
    std::optional<int> n_kv_heads; // absent: as many as n_heads
    std::optional<float> softcap;
    Position position = Position::none;

    bool operator==(const AttentionSettings&) const = default;
};

// The ordered steps that these settings stand for, on tensors of these shapes.
//
// An error names both facts: shapes that do not fit one another, a tensor that the settings need and that is not
// there, queries/keys/values beside inputs, a setting out of its range (window from 1, round_weights to kMostDecimals) or
// one that this version does not compute, more than kMostCells.
Result<Program> build_program(const AttentionSettings& settings, const TensorShapes& shapes);

} // namespace lab
