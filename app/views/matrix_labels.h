#pragma once

#include "app/views/matrix_cells.h"

namespace lab {

// What stands around a matrix's cells: its name, and below it the formula with the shape at the right end; words and
// dimensions beside rows and above columns, as many as there is room for; the colours with the values they stand for,
// and where those are not of single cells, of what they are. All but the legend stand at the frame's edges; the legend stands
// below the cells, or behind the title where that place is out of sight.
float draw_title(const MatrixFrame& frame, ImDrawList& draw_list); // returns its right end
void draw_row_labels(const MatrixFrame& frame, ImDrawList& draw_list);
void draw_col_labels(const MatrixFrame& frame, ImDrawList& draw_list);
void draw_legend(const MatrixFrame& frame, ImDrawList& draw_list, float title_end);

// On a line of its own, of several matrices in the same colours, of which the frame is one.
void draw_shared_legend(const MatrixFrame& frame, ImDrawList& draw_list, const Rect& line);

// The baseline of the title's last line.
float title_baseline(const MatrixFrame& frame);

// What a matrix is called above its cells: within its block, a gradient too ("grad.W_query" of "grad.blocks.0.W_query").
std::string title_name(const Node& node);

// Which head of several a matrix shows, "head 2", or the group that shares it, "group 1"; empty where it shows all.
std::string shown_head(const Program& program, int node, int head);

// How wide the title of a node is at least, in points at text scale 1.
struct TitleWidths {
    float full = 0;
    float compact = 0; // on one line
};
TitleWidths title_widths(const ViewContext& context, int node);

// How much of a word beside a row is written, in points of the screen: of one that leaves the view its beginning.
float row_word_room(const MatrixView& view, const MatrixEdges& edges, const Rect& clip);

// The widest label that rows of this document have, in points at text scale 1; wider ones are cut.
float row_label_width(const ViewContext& context);

} // namespace lab
