#pragma once

#include <vector>

#include "app/views/matrix_view.h"
#include "app/widgets/color_scale.h"

namespace lab {

// One matrix this frame, with all that drawing and pointing need. Rows and columns are those that are shown: of
// weighted values, keys × dimensions of the chosen query.
struct MatrixFrame {
    ViewContext& context;
    const MatrixView& view;
    const Node& node;
    MatrixExtent extent;

    Rect cells() const;
    Rect cell_rect(int row, int col) const;    // without the gap
    Cell to_cell(int row, int col) const;      // of the tensor
    bool shows(Cell cell) const;               // false: of another query's slice
    int row_of(Cell cell) const;               // the row it is shown in
    Range visible_rows(const Rect& clip) const;
    Range visible_cols(const Rect& clip) const;
    std::vector<float> read(Range rows, Range cols) const; // row after row
    ColorScale scale() const;
    bool is_dimmed(int row) const; // belongs to a query that is not chosen
};

MatrixFrame matrix_frame(ViewContext& context, const MatrixView& view);

// Cells with numbers where there is room, else a picture.
void draw_cells(const MatrixFrame& frame, ImDrawList& draw_list);

// The size of numbers in cells; 0 where there is no room for them.
float number_size(const MatrixView& view);

} // namespace lab
