#pragma once

#include <optional>
#include <span>

#include "app/views/head_combination.h"
#include "engine/reduction.h"
#include "engine/trace.h"

namespace lab {

// A texel stands for 2^rows × 2^cols cells.
struct PictureLevel {
    int rows = 0, cols = 0;

    int cells() const { return 1 << (rows + cols); } // of a texel
    bool is_finest() const { return rows == 0 && cols == 0; }
    auto operator<=>(const PictureLevel&) const = default;
};

// A matrix as it is shown, to be read at any level: rows and columns are those on the screen. Texels of masked keys alone
// read −∞, also of weights.
struct TexelSource {
    const Trace* trace = nullptr;
    int node = 0;
    int plane = 0;                 // that is shown; of a slice the first
    std::optional<int> query = {}; // whose slice is shown: its rows are planes
    std::optional<HeadCombination> combined = {};
    int n_rows = 0;
    int n_cols = 0;
    bool has_colors_of_points = false; // texels that stand for several cells, where they do

    // A number for each of these texels, row after row. What has the colours of its cells is known by the trace then (`survey`): to know
    // the rows of others would be to compute them twice.
    void read(Range texel_rows, Range texel_cols, PictureLevel level, Reduction reduction, float* texels) const;

    // Whether an update that goes on has come by these rows, as far as reading them rests on that.
    bool is_computed(Range texel_rows, PictureLevel level, Reduction reduction) const;

    // Whether all cells have to be computed to be read, as for the mean of what is not stored.
    bool is_long_to_read(PictureLevel level, Reduction reduction) const;

    // Whether one row of cells of each row of texels can be read by itself while all of them would take long, of a text that is run for
    // longer than a frame, and its texels.
    bool can_sample(PictureLevel level, Reduction reduction) const;
    void sample(Range texel_rows, Range texel_cols, PictureLevel level, Reduction reduction, float* texels) const;

    // Whether what is sampled of it while an update goes on is read ahead of that: of what is stored as it was before.
    bool is_read_ahead(PictureLevel level) const;

  private:
    bool is_reduced_by_source(PictureLevel level) const { return !query && !combined && level.rows == level.cols; }
    void survey(Range rows) const;
    void read_cells(Range rows, Range cols, float* cells) const;
    void read_rows(std::span<const int> rows, float* cells) const;
    void reduce_cells(Range texel_rows, Range texel_cols, PictureLevel level, Reduction reduction, float* texels) const;
};

} // namespace lab
