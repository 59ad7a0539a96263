#pragma once

#include <vector>

#include "app/views/view.h"

namespace lab {

// Tensors of the shown section with a plane per head, whose heads can stand side by side: nodes.
std::vector<int> grid_tensors(const ViewContext& context);

// Which of them the grid shows; −1 where there is none.
int grid_tensor(const ViewContext& context);

// A list of them.
void draw_grid_tensor_choice(ViewContext& context, const Rect& area);

// How the heads' matrices stand in an area: in lines of `n_columns`, as large as can be.
struct HeadTiles {
    int n_columns = 1;
    ImVec2 pitch{};            // from cell to cell
    bool has_words = false;    // beside rows and above columns
    float left = 0, above = 0; // of a tile's cells, for words and title
    ImVec2 step{};             // from tile to tile
    ImVec2 size{};             // of all together
    bool scrolls = false;      // it is higher than the area

    ImVec2 cells_at(int tile) const; // relative to the area's corner
};
struct HeadTilesRequest {
    int n_heads = 1, n_rows = 1, n_cols = 1;
    ImVec2 area{};
    float row_label_width = 0;
};
HeadTiles lay_out_heads(const HeadTilesRequest& request);

// All heads of a tensor side by side in place of the canvas, and those that are taken together as one more matrix.
void draw_head_grid(ViewContext& context, const Rect& area);

} // namespace lab
