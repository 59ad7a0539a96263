#pragma once

#include "engine/document.h"
#include "engine/result.h"

namespace lab {

// Gives the document what its settings need and it lacks, and makes tensors fit that others or settings have outgrown:
//
// W_query, W_key, W_value  by torch.rand, seed 123, one after the other as a notebook draws them, then on with the
// W_output, W_up, …        others and the next block's as nn.Linear draws them. Widths are those of the first block; without
//                          one d_k = d_v = d_in − 1 for 2 ≤ d_in ≤ 4, else d_in, as the worked examples have it, and
//                          d_ff = 4 · d_in
// W_output                 only where the heads side by side are not as wide as what reads them
// gains                    ones; sink zeros; W_position and relative_bias as nn.Embedding draws them
// mask                     zeros for new rows and columns
// document_lengths         the last grows or shrinks until all are as many as the keys; nonpad_keys at most the keys;
//                          rope_dims the greatest even number that a head has room for
//
// An error: what cannot be computed all the same. Then the document is not to be used.
Result<Done> complete(Document& document);

} // namespace lab
