#include "engine/series.h"

#include <algorithm>
#include <cassert>

#include "engine/kernels/elementary.h"

namespace lab {

namespace {

bool contains(const BlockRef& cells, const CellRef& cell) {
    return cells.tensor == cell.tensor && cells.block.contains(cell.cell);
}

} // namespace

CellRef Series::Run::cell(std::size_t term) const {
    const auto& [planes, rows, cols] = cells.block;
    const int at = static_cast<int>(term);
    const auto along = [&](Range range) { return range.size() > 1 ? range.begin + at : range.begin; };
    return {cells.tensor, {along(planes), along(rows), along(cols)}};
}

double Series::Run::value(std::size_t term) const {
    return static_cast<double>(values.size() > 1 ? values[term] : values.front());
}

double Series::value(std::size_t term) const {
    const double a = runs[0].value(term);
    switch (form) {
    case Form::cells: return a;
    case Form::products: return as_float32(a * runs[1].value(term));
    case Form::powers: return exponential(static_cast<float>(runs.size() > 1 ? a - runs[1].value(term) : a));
    }
    return 0;
}

bool Series::reads(const CellRef& cell) const {
    return n_terms() > 0 &&
           std::any_of(runs.begin(), runs.end(), [&](const Run& run) { return contains(run.cells, cell); });
}

std::size_t Series::place_of(const CellRef& cell) const {
    assert(reads(cell));
    std::size_t first = n_terms();
    for (const Run& run : runs) {
        if (!contains(run.cells, cell)) continue;
        const CellRef begin = run.cell(0);
        const int apart = (cell.cell.plane - begin.cell.plane) + (cell.cell.row - begin.cell.row) +
                          (cell.cell.col - begin.cell.col); // along the one axis
        first = std::min(first, static_cast<std::size_t>(apart));
    }
    return first;
}

} // namespace lab
