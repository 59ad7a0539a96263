#pragma once

#include <optional>
#include <vector>

#include "app/views/matrix_view.h"
#include "app/widgets/color_scale.h"

namespace lab {

// Where a matrix's cells stand on the screen. Rows and columns are those that are shown: of weighted values, keys ×
// dimensions of the chosen query.
struct MatrixGeometry {
    const MatrixView& view;
    const Node& node;
    MatrixExtent extent;
    int query = 0;

    Rect cells() const;
    Rect cell_rect(int row, int col) const; // without the gap
    Cell to_cell(int row, int col) const;   // of the tensor
    bool shows(Cell cell) const;            // false: of another query's slice
    int row_of(Cell cell) const;            // the row it is shown in
    Range visible_rows(const Rect& clip) const;
    Range visible_cols(const Rect& clip) const;
    bool is_dimmed(int row) const; // belongs to a query that is not chosen
};

MatrixGeometry matrix_geometry(const ViewContext& context, const MatrixView& view);

// One matrix this frame, with all that drawing needs.
struct MatrixFrame : MatrixGeometry {
    ViewContext& context;
    std::optional<Cell> explained; // where it is one of this matrix's and shown

    std::vector<float> read(Range rows, Range cols) const; // row after row
    ColorScale scale() const;
};

MatrixFrame matrix_frame(ViewContext& context, const MatrixView& view);

// Whether the cells are drawn as one picture, without numbers, since they are many or small.
bool is_picture(const MatrixGeometry& matrix, const Rect& clip);

// Cells with numbers where there is room, else a picture.
void draw_cells(const MatrixFrame& frame, ImDrawList& draw_list);

// "−1.4e11": numbers too large to be written out.
std::string short_exponent_text(float value);

// The size of numbers in cells; 0 where there is no room for them.
float number_size(const MatrixView& view);

// What a draw list shows of all that is drawn.
Rect clip_of(const ImDrawList& draw_list);

} // namespace lab
