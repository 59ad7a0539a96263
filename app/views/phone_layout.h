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

// By what tensors are, not by their names: a group that a program has nothing of is not there.
std::vector<PhoneTab> phone_tabs(const Program& program);

// The tab that shows a tensor best: the chosen one where it does, else the first that does; −1: none.
int tab_of(const std::vector<PhoneTab>& tabs, int node, int chosen);

// Where everything stands on a narrow screen: upright with the sheet below, lying with it at the right.
struct PhoneFrame {
    Rect top_bar, chips, content, sheet, tabs;
    bool is_upright = true;
};
PhoneFrame phone_frame(const Rect& area, bool sheet_is_open, float sheet_height);

// The matrices of a tab from the top down, beside one another where they fit, scaled to the width. `content` begins at
// the scrolled place; `bottom` receives where the last one ends.
std::vector<MatrixView> place_matrices(const ViewContext& context, const PhoneTab& tab, const Rect& content,
                                       float& bottom);

// What a finger needs.
constexpr float kTouchTarget = 36;

} // namespace lab
