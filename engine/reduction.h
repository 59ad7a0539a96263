#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "engine/shape.h"

namespace lab {

// What one number says of many cells, where a matrix is seen from so far away that they share a point of the screen.
//
// Masked cells (−∞) count only where all are: then it is −∞. Where one is not a number, neither is the result.
enum class Reduction {
    maximum,
    magnitude, // the number farthest from 0, with its sign; of −x and x it is x
    mean,      // added up in float64, rows first
};

// A matrix seen at a level: a texel stands for a square of 2^level × 2^level cells, the first at row and column 0; the last ones
// may hang over the edge and stand for fewer cells.
inline int n_texels(int n_cells, int level) { return (n_cells + (1 << level) - 1) >> level; }
inline Shape seen_at_level(const Shape& shape, int level) {
    return Shape::stack(shape.planes, n_texels(shape.rows, level), n_texels(shape.cols, level));
}

// The cells of a line that texels stand for.
inline Range cells_of_texels(Range texels, int level, int n_cells) {
    const int end = texels.end << level;
    return {texels.begin << level, end < n_cells ? end : n_cells};
}

struct Seen {
    int level = 0;
    Reduction reduction = Reduction::maximum;
    // Of the rows that a texel stands for only the middle one is read, where there is no time for all of them.
    bool is_sampled = false;

    // The rows of cells that are read for a row of texels.
    Range rows_of(int texel_row, int n_rows) const {
        const Range all = cells_of_texels(Range::at(texel_row), level, n_rows);
        return is_sampled ? Range::at((all.begin + all.end) / 2) : all;
    }
};

// Adds cells to what their reduction is made of.
class Reducer {
  public:
    explicit Reducer(Reduction reduction) : reduction_(reduction) {}
    void add(const float* cells, int n);
    float result() const;

  private:
    Reduction reduction_;
    float extreme_ = -std::numeric_limits<float>::infinity(); // for maximum and magnitude
    double sum_ = 0;
    std::size_t n_ = 0; // that are not masked
    bool has_nan_ = false;
};

// Some texels side by side, made from the rows of cells that they stand for as these come by; then those below them.
class TexelRow {
  public:
    // level: along the rows, which have n_cells cells.
    TexelRow(Range texels, int level, int n_cells, Reduction reduction);
    void add(const float* cells); // of one row those that the texels stand for
    void finish(float* result);   // writes the texels; what is added from here on is of the next

  private:
    int n_cells_of(std::size_t texel) const;
    void write(float* result) const;
    void begin();

    Range texels_;
    int level_ = 0;
    int n_cells_ = 0;
    Reduction reduction_;
    std::vector<float> extremes_;   // per column of cells, for maximum and magnitude
    std::vector<Reducer> reducers_; // per texel, for the mean
};

// The texels of one row of cells.
void reduce_row(const float* cells, int n_cells, int level, Reduction reduction, float* result);
// The same of the maximum, for who knows whether a cell is NaN.
void reduce_row_to_maxima(const float* cells, int n_cells, int level, bool has_nan, float* result);

} // namespace lab
