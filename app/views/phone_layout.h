#pragma once

#include <string>
#include <vector>

#include "app/views/matrix_view.h"

namespace lab {

// A group of stages that a narrow screen shows at a time: nodes of the program, in their order.
struct PhoneTab {
    std::string title; // "Q K V"
    std::vector<int> nodes;
};

// Of what stands in the chosen section, by what tensors are, not by their names: a group that it has nothing of is not there.
std::vector<PhoneTab> phone_tabs(const Selection& selection, const Program& program);

// The tab that shows a tensor best: the chosen one where it does, else the first that does; −1: none.
int tab_of(const std::vector<PhoneTab>& tabs, int node, int chosen);

// Where everything stands on a narrow screen: upright with the sheet below, lying with it at the right.
struct PhoneFrame {
    Rect top_bar, chips, heads, content, sheet, tabs; // heads: empty where there is one
    bool is_upright = true;
};
struct PhoneSheet {
    bool is_open = true;
    float height = 0;
    float pulled = 0; // out by a finger, in points, or in where it is negative
};
PhoneFrame phone_frame(const Rect& area, const PhoneSheet& sheet, bool has_heads);

// The matrices of a tab from the top down, beside one another where they fit, scaled to the width. `content` begins at
// the scrolled place; `bottom` receives where the last one ends.
std::vector<MatrixView> place_matrices(const ViewContext& context, const PhoneTab& tab, const Rect& content,
                                       float& bottom);

// What a finger needs.
constexpr float kTouchTarget = 36;

} // namespace lab
