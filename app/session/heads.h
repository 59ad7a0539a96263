#pragma once

#include "engine/program.h"
#include "engine/shape.h"

// Where the heads of a program stand in its tensors: views ask here and count no planes themselves.
namespace lab {

// 1 where attention has one head, and for an empty program.
int n_heads(const Program& program);

// How a tensor holds heads: plane by plane, or side by side along its rows or columns. Where heads share keys and
// values there are fewer parts than heads.
enum class HeadsAlong { nothing, planes, rows, cols };
struct HeadLayout {
    HeadsAlong along = HeadsAlong::nothing;
    int n_parts = 1;
};
HeadLayout head_layout(const Program& program, int node);

// The cells that are the head's; all of a tensor that holds no heads.
Block block_of_head(const Program& program, int node, int head);

// The heads that a cell is of: one, those that share its part, or all.
Range heads_of(const Program& program, int node, Cell cell);

// The cell in the same place of the head's own part.
Cell cell_of_head(const Program& program, int node, Cell cell, int head);

// The tensor that a gradient, or a part of one, stands in the place of; any other node is its own.
int placed_node(const Program& program, int node);

} // namespace lab
