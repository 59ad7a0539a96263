#pragma once

#include <algorithm>
#include <vector>

#include "app/widgets/geometry.h"
#include "engine/program.h"

namespace lab {

// Room around cells for title, labels and legend, in points.
struct Surroundings {
    float left = 0, above = 0, right = 0, below = 0;

    Rect around(const Rect& cells, float text_scale) const {
        return {cells.left - left * text_scale, cells.top - above * text_scale, cells.right + right * text_scale,
                cells.bottom + below * text_scale};
    }
};

// A matrix is drawn at least so wide and high, in points at text scale 1, about the middle of where it stands: of thousands of
// rows or columns it would be a hair.
constexpr float kLeastSide = 24;
// By how much, then, on each side of what stands there.
inline ImVec2 beyond_sides(ImVec2 standing, float text_scale) {
    const float least = kLeastSide * text_scale;
    return {std::max(0.0f, least - standing.x) / 2, std::max(0.0f, least - standing.y) / 2};
}

// Where a node stands on the canvas, in world units (points at zoom 1).
struct PlacedNode {
    int node = 0;
    bool is_folded = false; // a titled line
    Rect cells;             // of a folded node: the line
    ImVec2 pitch;           // from cell to cell
    bool has_row_labels = false;
    bool has_col_labels = false;
    bool has_legend = false;
    bool is_compact = false; // as in Sizing
    Surroundings room;       // around the cells as they stand, with what a thin one is drawn wider
    bool is_guest = false;
    int column = 0; // of the picture, from left to right
    int shelf = 0;  // where columns do not stand side by side: which line of the picture, from top to bottom

    Rect around() const { return room.around(cells, 1); } // with its title and labels, where nothing is zoomed
};

// A line on the canvas: what a node is made from comes in, through the weight matrix that it is multiplied by.
struct CanvasEdge {
    int node = 0;         // that is made
    int from = 0, to = 0; // placed nodes: an operand, and the node itself or its weight matrix
    bool operator==(const CanvasEdge&) const = default;
};

struct CanvasLayout {
    std::vector<PlacedNode> placed; // one per item, in the items' order
    Rect bounds;                    // of everything, titles and labels included
    float least_zoom = 0;           // smaller it is not to be shown: it is scrolled through instead
    std::vector<CanvasEdge> edges = {};
    std::vector<std::vector<ImVec2>> lines = {}; // by edge, corner by corner; empty where nothing stands in its way

    const PlacedNode* find(int node) const; // null if it does not stand there
};

// What a layout needs to know of a node.
struct LayoutItem {
    int node = 0;
    bool is_guest = false;      // of another section: stands left of all others
    int n_rows = 0, n_cols = 0; // as shown
    int column = 0;             // as in Presentation
    Branch branch = Branch::none;
    Role role = Role::embedding;
    bool is_folded = false;
    bool is_between_tokens = false; // its columns are keys
    bool wants_legend = false;      // tells what its colours stand for
    bool has_masked_keys = false;   // as may_have_masked_keys has it
    bool has_words = true;          // its rows are tokens or words
    bool has_word_columns = false;  // its columns are words
    bool is_table_of_words = false; // its rows are the vocabulary's
    float title_width = 0;          // in points
    float compact_title_width = 0;  // on one line and without formula
    bool operator==(const LayoutItem&) const = default;
};

// What a layout is made for.
struct LayoutRequest {
    std::vector<LayoutItem> items; // one per node that is shown
    float row_label_width = 0;     // of the widest row label, in points
    ImVec2 view{0, 0};             // the canvas, in points
    bool may_scroll = false;       // where numbers and words would become too small to be read
    float texel = 1;               // as least_texel() has it: cells smaller than that are shown several in one

    bool operator==(const LayoutRequest& other) const {
        return items == other.items && row_label_width == other.row_label_width && view.x == other.view.x &&
               view.y == other.view.y && may_scroll == other.may_scroll && texel == other.texel;
    }
};

// From left to right by column; within a column from top to bottom. Cells are as large as the view allows once it is
// fitted to it, up to the size that the design draws them in; where there is little room, first a tall column is split
// into several, texts shrink a little, titles lose their formulas, and at last cells lose their numbers; then what is between tokens
// takes the room that is left beside it. A picture that may be scrolled keeps its numbers: it stands in lines instead, as text does.
CanvasLayout lay_out(const LayoutRequest& request);

} // namespace lab
