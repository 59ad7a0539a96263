#pragma once

#include "engine/program_layout.h"
#include "engine/shape.h"

// Where the heads of a program stand in its tensors: views ask here and count no planes themselves.
namespace lab {

// 1 where attention has one head, and for an empty program.
int n_heads(const Program& program);

HeadLayout head_layout(const Program& program, int node);

// The cells that are the head's; all of a tensor that holds no heads.
Block block_of_head(const Program& program, int node, int head);

// The heads that a cell is of: one, those that share its part, or all.
Range heads_of(const Program& program, int node, Cell cell);

// The cell in the same place of the head's own part.
Cell cell_of_head(const Program& program, int node, Cell cell, int head);

} // namespace lab
