#pragma once

#include <gtest/gtest.h>

#include <variant>
#include <vector>

#include "tests/views/canvas_support.h"

namespace lab::test {

// A canvas to type into and to drag on.
class CanvasEditing : public testing::Test {
  protected:
    Canvas canvas;
    HeadlessViews& views = canvas.views;

    TensorCell input(int row, int col) const { return {"inputs", {0, row, col}}; }
    TensorCell pinned() const { return views.pinned(); }
    bool edits() const { return views.ui.editor.has_value(); }

    void pin(const TensorCell& cell) {
        views.click(canvas.middle_of(cell));
        ASSERT_EQ(pinned(), cell);
        views.take_commands();
    }

    // Not so soon after another press that the two would be a double click.
    void drag(ImVec2 from, ImVec2 to) {
        views.wait(1);
        views.drag(from, to);
    }

    // Every command since the last call as an edit of one cell, which all of them must be.
    std::vector<SetCell> take_edits() {
        std::vector<SetCell> edits;
        for (const CommandRequest& request : views.take_commands()) edits.push_back(std::get<SetCell>(request.command));
        return edits;
    }

    void expect_one_edit(const TensorCell& cell, float value) {
        const std::vector<SetCell> edits = take_edits();
        ASSERT_EQ(edits.size(), 1U);
        EXPECT_EQ((TensorCell{edits[0].tensor, edits[0].cell}), cell);
        EXPECT_EQ(edits[0].value, value);
        EXPECT_EQ(canvas.value(cell), value);
    }
};

} // namespace lab::test
