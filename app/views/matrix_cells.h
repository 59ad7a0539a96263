#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/views/matrix_edges.h"
#include "app/views/matrix_view.h"
#include "app/widgets/color_scale.h"

namespace lab {

float gap_between_cells(ImVec2 pitch);

// Where a matrix's cells stand on the screen, and which cells of the tensor they are. Rows and columns are those that are
// shown: of several heads those of one, or of the group that it shares; of weighted values keys × dimensions of the
// chosen query.
struct MatrixGeometry {
    const MatrixView& view;
    int index = 0; // of the node whose cells are shown
    const Node& node;
    MatrixExtent extent;
    int query = 0;
    int plane = 0;         // that is shown; of a slice the first
    Block of_head = {};    // what of the tensor is the head's
    bool is_stored = true; // false: its cells are computed where they are looked at

    Rect cells() const;
    Rect cell_rect(int row, int col) const;       // without the gap
    Cell to_cell(int row, int col) const;         // of the tensor
    Block to_block(Range rows, Range cols) const; // the same of a box of cells
    bool shows(Cell cell) const;                  // false: of another query's slice, or another head's plane
    int row_of(Cell cell) const;                  // the row it is shown in
    Range rows_of(const Block& block) const;      // the rows it is shown in; empty where it is not
    Range visible_rows(const Rect& clip) const;
    Range visible_cols(const Rect& clip) const;
    // Row after row; weights of masked keys read −∞.
    std::vector<float> read_cells(const Trace& trace, Range rows, Range cols) const;
};

MatrixGeometry matrix_geometry(const ViewContext& context, const MatrixView& view);

// One matrix this frame, with all that drawing needs.
struct MatrixFrame : MatrixGeometry {
    ViewContext& context;
    MatrixEdges edges;             // once it is drawn
    std::optional<Cell> explained; // where it is one of this matrix's and shown

    std::vector<float> read(Range rows, Range cols) const; // the same, of heads that are combined too
    ColorScale scale() const;
    // Of numbers in this range, and how large one typically is: of many weights at least an equal share.
    ColorScale scale(const Extent& range, float typical) const;
};

// Whether a signed matrix has so many rows that its colours follow a typical number where its greatest is far above.
bool may_bend_colors(const Node& node);

// Whether weights are so many that their colours follow a typical one, beside which the greatest is far above.
bool has_many_weights(const Node& node);

// Whether a legend tells what its colours stand for: between tokens, where colours may be bent, and of weights that are a picture.
bool has_explained_colors(const Node& node);

MatrixFrame matrix_frame(ViewContext& context, const MatrixView& view);

// Whether the cells are drawn as one picture, without numbers, since they are many or small.
bool is_picture(const MatrixGeometry& matrix, const Rect& clip);

// Cells with numbers where there is room, else a picture.
void draw_cells(const MatrixFrame& frame, ImDrawList& draw_list);

// "−1.4e11": numbers too large to be written out.
std::string short_exponent_text(float value);

// The size of numbers in cells; 0 where there is no room for them.
float number_size(const MatrixView& view);

// The colour of a number in its cell. Where black and white are read nearly equally well the number decides that is read: those
// written alike have one colour. At worst 4.25 : 1 there, elsewhere as ink_on.
Color ink_of_number(const std::string& number, Color fill, const ColorScale& scale, const Palette& palette);

// What a draw list shows of all that is drawn.
Rect clip_of(const ImDrawList& draw_list);

// What the view, and what stands at its edges, leave of the cells.
Rect seen_cells(const MatrixFrame& frame, const Rect& clip);

// The height at which the middle of a number or word of this size stands in its row: of what is seen of that, but within it.
float middle_of_row(const Rect& cell, const Rect& seen, float size);

} // namespace lab
