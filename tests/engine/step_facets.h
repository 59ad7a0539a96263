#pragma once

#include "tests/engine/support.h"

namespace lab::test {

// Holds the facets of a step against one another on these operands, cell by cell; one gtest failure per facet that lies:
// - cut into blocks in any way, the result has the same bits
// - the derivation of every cell, evaluated, is the cell
// - reach is the inverse of sources
// - the cells that are not a source of a cell do not change it; a source does when really changed, unless `hides` says
//   why it cannot
// - a step that says to have one number everywhere has it
// - reach of a box holds the reach of its cells
void check_facets(const Step& step, const std::vector<Tensor>& operands);

// The same bits when computed in random blocks as at once.
void check_blocks(const Step& step, const std::vector<Tensor>& operands);

// float32 is within 1e-5 · (1 + |v|) of float64. For operands whose results stay finite.
void check_float64_twin(const Step& step, const std::vector<Tensor>& operands);

// Whether a change of the source can leave the value of the expression as it is: everywhere it stands it is
// multiplied by zero, rounded, part of a definition ("masked"), within a quotient or exponential that is 0 or
// 1, or within anything that is infinite or not a number.
bool hides(const Expression& expression, const CellRef& source);

} // namespace lab::test
