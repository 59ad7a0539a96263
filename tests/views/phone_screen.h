#pragma once

#include <gtest/gtest.h>

#include "app/views/views.h"
#include "tests/views/app_window.h"
#include "tests/views/canvas_support.h"
#include "tests/views/headless.h"

namespace lab::test {

// The screen of a phone, held upright at first, with fingers.
class Phone : public testing::Test {
  protected:
    Phone() { views.platform.coarse_pointer = true; }

    ImVec2 size = kUpright; // before the views, which draw it at once
    HeadlessViews views{[this](ViewContext& context) {
                            context.ui.drawn_matrices.clear(); // as the application does
                            draw_phone(context, {0, 0, size.x, size.y});
                        },
                        kUpright};

    void turn(ImVec2 to) {
        size = to;
        ImGui::GetIO().DisplaySize = to;
        views.frame(2);
    }

    TensorCell pinned() const { return views.pinned(); }
};

// The middle of a cell of the first matrix of a tab, as in the design: its cells begin at (92, 166).
inline ImVec2 cell_of_first_matrix(int row, int col) {
    return {92 + 46 * (static_cast<float>(col) + 0.5f), 166 + 36 * (static_cast<float>(row) + 0.5f)};
}

inline ImVec2 tab_place(int tab, int n) {
    return {390 * (static_cast<float>(tab) + 0.5f) / static_cast<float>(n), 820};
}

} // namespace lab::test
