#pragma once

#include "engine/program.h"

namespace lab {

// Gradients and their parts have no place of their own: they are shown in that of their tensor.
bool has_place(const Node& node);

// The tensor that a gradient, or a part of one, stands in the place of; any other node is its own.
int placed_node(const Program& program, int node);

// Works out where heads and sections stand in a program: once, when it is finished, so that who draws it only looks.
void lay_out(Program& program);

} // namespace lab
