#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/document.h"
#include "engine/result.h"
#include "engine/shape.h"
#include "engine/tensor.h"

namespace lab {

// A named way to fill a tensor, as a menu and a session file's `made_by.init` know it.
//
//   name              what PyTorch gives for a matrix [n × m]                              equal
//   "zeros"           torch.zeros(n, m)                                                    to the bit
//   "constant"        torch.full((n, m), value), value: MadeBy::value                      to the bit
//   "identity"        torch.eye(n, m): ones on the diagonal                                to the bit
//   "rand"            torch.rand(n, m)                                                     to the bit
//   "randn"           torch.randn(n, m)                                                    within 2e-6
//   "linear"          torch.nn.Linear(n, m).weight.T, uniform in ±1/√n                     to the bit
//   "embedding"       torch.nn.Embedding(n_embeddings, m).weight[token_ids]                within 2e-6
//   "xavier_uniform"  torch.nn.init.xavier_uniform_(empty(m, n)).T, in ±√(6 / (n + m))     to the bit
//   "xavier_normal"   torch.nn.init.xavier_normal_(empty(m, n)).T, deviation √(2 / (n + m))
//   "kaiming_uniform" torch.nn.init.kaiming_uniform_(empty(m, n)).T, in ±√(6 / n)          to the bit
//   "kaiming_normal"  torch.nn.init.kaiming_normal_(empty(m, n)).T, deviation √(2 / n)
//
// PyTorch's linear layer holds its weight as [out × in] and ours is applied as inputs · W, so "linear" and the last four
// draw row after row of [m × n] and hand back the transpose. They need a matrix, or heads × d_in × d_k, which is drawn as
// the heads side by side: nn.Linear(d_in, heads · d_k). Normal numbers: within 2e-6 times the deviation.
struct InitialiserInfo {
    std::string name;
    std::string title;    // for a menu
    std::string sentence; // one plain sentence: what it does
    bool needs_seed = false;
};

// All of them, in the order of the table above.
const std::vector<InitialiserInfo>& initialisers();

// Null where there is none of that name.
const InitialiserInfo* find_initialiser(const std::string& name);

// What a fill may have to know beyond the tensor's shape.
struct FillContext {
    std::span<const int> token_ids; // "embedding": one per row; empty: rows 0, 1, 2, …
    int fan_in = 0;                 // "linear" of a vector, a bias: rows of the matrix that it belongs to
};

constexpr int kDefaultEmbeddings = 50000;          // rows of the table where MadeBy::n_embeddings is absent
constexpr std::uint64_t kMaxDraws = 1'000'000'000; // skipped and drawn together: seconds, not hours

// The tensor that `how` describes: a generator seeded with `how.seed` skips `how.skip` draws and fills
// `shape`.
//
// An error: an unknown name; an empty shape; a matrix wanted but a vector given; a token id that the table
// has no row for; as many ids as rows not given; more than kMaxDraws draws.
Result<Tensor> make_tensor(const MadeBy& how, const Shape& shape, const FillContext& context = {});

// How many 32-bit draws make_tensor takes after the skipped ones. A notebook that fills one tensor after the
// other has the next one's skip at how.skip + draws(how, shape), so W_query, W_key, W_value by rand(3, 2)
// skip 0, 6, 12.
//
// Not modelled: randn of an odd count below 16 leaves one number in PyTorch's generator that its next randn
// below 16 would begin with; here each tensor begins afresh.
std::uint64_t draws(const MadeBy& how, const Shape& shape);

} // namespace lab
