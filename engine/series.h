#pragma once

#include <cstddef>
#include <vector>

#include "engine/shape.h"

namespace lab {

// As the reference path rounds every intermediate result.
inline double as_float32(double value) { return static_cast<double>(static_cast<float>(value)); }

// A cell of one of several tensors: an operand of a step, or (in a derivation of a trace) a node of the program.
struct CellRef {
    int tensor = 0;
    Cell cell;
    bool operator==(const CellRef&) const = default;
};

// A box of cells of one of them.
struct BlockRef {
    int tensor = 0;
    Block block;
    bool operator==(const BlockRef&) const = default;
};

// Terms of one form, which follow one another in a sum that may be thousands long: a row times a column, the powers of a row of
// scores. It holds which cells they read and the values, rather than an expression for each.
struct Series {
    enum class Form {
        cells,    // a
        products, // a · b
        powers,   // e^(a − b), or e^a of one run
    };

    // What a letter stands for from term to term: cells along a row, a column or the planes.
    struct Run {
        BlockRef cells;
        std::vector<float> values; // one of each cell; where there is one cell it is that of every term

        CellRef cell(std::size_t term) const;
        double value(std::size_t term) const;
    };

    Form form = Form::cells;
    std::vector<Run> runs; // a, of which each term has its own cell, and b

    std::size_t n_terms() const { return runs.front().values.size(); }
    double value(std::size_t term) const;
    bool reads(const CellRef& cell) const;
    std::size_t place_of(const CellRef& cell) const; // the first term with a cell that it reads
};

} // namespace lab
