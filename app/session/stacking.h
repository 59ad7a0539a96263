#pragma once

#include "engine/document.h"

namespace lab {

// The document has so many blocks, by name: from 0 the tensors of the attention become those of block 0, back to 0 block 0's
// become the attention's; those of blocks that go, go. What new blocks need is for complete() to make, but for what is
// optional and block 0 has: its biases they get as zeros, its past as it is.
void restack(Document& document, int n_blocks);

} // namespace lab
