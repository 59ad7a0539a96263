#include <gtest/gtest.h>

#include <cmath>

#include "app/app.h"
#include "app/session/heads.h"
#include "app/views/explanation.h"
#include "app/views/head_choice.h"
#include "app/views/matrix_cells.h"
#include "app/views/shortcuts.h"
#include "app/widgets/color_scale.h"
#include "tests/views/canvas_support.h"

// A document of four heads, of which pairs share keys and values, on the canvas and in the grid of all heads.
namespace lab {
namespace {

using test::Canvas;

constexpr ImVec2 kSize{812, 724};

class HeadsOnCanvas : public testing::Test {
  protected:
    HeadsOnCanvas() { canvas.open(test::document_of({.n_tokens = 6, .d_in = 4, .n_heads = 4, .n_kv_heads = 2})); }

    Canvas canvas{kSize};
    HeadlessViews& views = canvas.views;
    Selection& selection = views.selection;

    const Program& program() { return views.lab.program(); }
    ViewContext context(const Theme& theme) { return canvas.context(theme); }
    void choose(int head) {
        const Fonts fonts;
        const Theme theme{kDarkPalette, fonts};
        ViewContext asked = context(theme);
        choose_head(asked, head);
        views.frame(2);
    }
    bool is_of_head(const std::string& tensor, int row, int col) {
        const Fonts fonts;
        const Theme theme{kDarkPalette, fonts};
        const MatrixView view{.node = program().find(tensor)};
        const Block of_head = matrix_geometry(context(theme), view).of_head;
        return of_head.rows.contains(row) && of_head.cols.contains(col);
    }
};

TEST_F(HeadsOnCanvas, OneHeadIsShownAndItsCellsAreTheTensorsOwn) {
    EXPECT_TRUE(canvas.is_seen({"attention_weights", {0, 3, 1}}));
    EXPECT_FALSE(canvas.is_seen({"attention_weights", {2, 3, 1}}));
    choose(2);
    EXPECT_FALSE(canvas.is_seen({"attention_weights", {0, 3, 1}}));
    for (const TensorCell& cell : {TensorCell{"attention_weights", {2, 3, 1}}, TensorCell{"queries", {2, 1, 1}},
                                   TensorCell{"keys", {1, 1, 1}}, TensorCell{"context_vectors", {2, 0, 1}}}) {
        views.move_to(canvas.middle_of(cell));
        EXPECT_EQ(views.selection.hovered, cell);
        EXPECT_NE(views.ui.status.find(cell.tensor == "keys" ? "group 2" : "head 3"), std::string::npos)
            << views.ui.status;
    }
}

TEST_F(HeadsOnCanvas, AnotherHeadTakesThePinnedNumberAlong) {
    selection.visit({"attention_weights", {0, 3, 1}}, program());
    choose(3);
    EXPECT_EQ(*selection.pinned(), (TensorCell{"attention_weights", {3, 3, 1}}));
    selection.visit({"inputs", {0, 2, 1}}, program());
    choose(1);
    EXPECT_EQ(*selection.pinned(), (TensorCell{"inputs", {0, 2, 1}})) << "of no head";
}

TEST_F(HeadsOnCanvas, TheMatricesColumnsOfTheHeadAreFramedAndThoseOfOthersLeadToTheirs) {
    EXPECT_TRUE(is_of_head("W_query", 0, 1));
    EXPECT_FALSE(is_of_head("W_query", 0, 2));
    views.click(canvas.middle_of({"W_query", {0, 2, 5}}));
    EXPECT_EQ(selection.head, 2);
    EXPECT_TRUE(is_of_head("W_query", 0, 5));
    EXPECT_FALSE(is_of_head("W_query", 0, 1));
    EXPECT_TRUE(is_of_head("W_key", 0, 3)) << "of the group that heads 3 and 4 share";
    EXPECT_TRUE(is_of_head("inputs", 0, 0));
}

// Along the lower edge of its columns; a matrix that is the head's as a whole has none.
TEST_F(HeadsOnCanvas, AFrameStandsAroundTheHeadsColumns) {
    selection.unpin();
    views.move_to({kSize.x - 4, 4});
    const auto n_along = [&](const char* tensor, int first, int end) {
        const int node = program().find(tensor);
        for (const DrawnMatrix& each : views.ui.drawn_matrices) {
            if (each.node != node) continue;
            const float bottom = each.origin.y + static_cast<float>(program().node(node).shape.rows) * each.pitch.y;
            const Rect edge{each.origin.x + static_cast<float>(first) * each.pitch.x - 5, bottom - 2,
                            each.origin.x + static_cast<float>(end) * each.pitch.x + 5, bottom + 5};
            return test::n_vertices(edge, kDarkPalette.accent.u32());
        }
        return -1;
    };
    EXPECT_GT(n_along("W_query", 0, 2), 0);
    EXPECT_EQ(n_along("W_query", 6, 8), 0);
    EXPECT_EQ(n_along("inputs", 0, 4), 0);
    choose(3);
    EXPECT_EQ(n_along("W_query", 0, 2), 0);
    EXPECT_GT(n_along("W_query", 6, 8), 0);
}

TEST_F(HeadsOnCanvas, AnEditGoesToTheCellThatIsShown) {
    const TensorCell weight{"W_query", {0, 1, 7}};
    views.click(canvas.middle_of(weight));
    views.key(ImGuiKey_Enter);
    views.type("2");
    views.key(ImGuiKey_Enter);
    views.frame(2);
    EXPECT_EQ(canvas.value(weight), 2.0f);
    EXPECT_EQ(selection.head, 3);
}

TEST_F(HeadsOnCanvas, TheExplanationTellsOfTheChosenHead) {
    const Explanation told = explain(views.lab, {"inputs", {0, 1, 0}}, {1, 2});
    EXPECT_EQ(told.feeds.front().target, (TensorCell{"queries", {2, 1, 0}}));
    const Explanation of_weight = explain(views.lab, {"attention_weights", {2, 1, 0}}, {1, 0});
    EXPECT_NE(of_weight.answers, explain(views.lab, {"attention_weights", {1, 1, 0}}, {1, 0}).answers);
}

TEST_F(HeadsOnCanvas, AStripStandsAboveOnlyWhereThereIsAChoice) {
    EXPECT_GT(views.ui.camera.area.top, 0);
    canvas.open("trainable");
    EXPECT_EQ(views.ui.camera.area.top, 0);
}

class HeadGridShown : public HeadsOnCanvas {
  protected:
    HeadGridShown() {
        views.ui.head_grid.is_open = true;
        views.frame(2);
    }

    // Of the tile's title, beside its name.
    ImVec2 title_of(int head) {
        const ImVec2 first = canvas.middle_of({"attention_weights", {head, 0, 0}});
        const float pitch = canvas.middle_of({"attention_weights", {head, 1, 0}}).y - first.y;
        return {first.x, first.y - pitch / 2 - 21};
    }
};

TEST_F(HeadGridShown, ShowsEveryHeadAndAClickChoosesIt) {
    for (int head = 0; head < 4; ++head) EXPECT_TRUE(canvas.is_seen({"attention_weights", {head, 5, 5}})) << head;
    EXPECT_FALSE(canvas.is_seen({"queries", {0, 0, 0}}));
    views.click(canvas.middle_of({"attention_weights", {3, 2, 1}}));
    EXPECT_EQ(selection.head, 3);
    EXPECT_EQ(*selection.pinned(), (TensorCell{"attention_weights", {3, 2, 1}}));
    views.click(title_of(1));
    EXPECT_EQ(selection.head, 1);
    EXPECT_EQ(*selection.pinned(), (TensorCell{"attention_weights", {1, 2, 1}}));
}

TEST_F(HeadGridShown, ShowsTheTensorThatIsAskedFor) {
    views.ui.head_grid.tensor = "context_vectors";
    views.frame(2);
    EXPECT_TRUE(canvas.is_seen({"context_vectors", {3, 5, 1}}));
    EXPECT_FALSE(canvas.is_seen({"attention_weights", {3, 5, 1}}));
    views.ui.head_grid.tensor = "of another document";
    views.frame(2);
    EXPECT_TRUE(canvas.is_seen({"attention_weights", {3, 5, 1}}));
}

TEST_F(HeadGridShown, HeadsAreTakenTogether) {
    const int weights = program().find("attention_weights");
    const auto at = [&](int head) { return canvas.value({"attention_weights", {head, 1, 2}}); };
    const auto combined = [&](bool is_maximum) {
        return read_combined(views.lab.trace(), weights, {{0, 2}, is_maximum}, Range::at(1), Range::at(2)).front();
    };
    EXPECT_NEAR(combined(false), (at(0) + at(2)) / 2, 1e-6);
    EXPECT_EQ(combined(true), std::max(at(0), at(2)));
    views.ui.head_grid.combined = {0, 2};
    views.frame(2);
    bool is_told = false;
    for (float y = 100; y < kSize.y && !is_told; y += 20) {
        views.move_to({kSize.x * 0.8f, y});
        is_told = views.ui.status.starts_with("average over heads 1, 3 of attention_weights[word");
    }
    EXPECT_TRUE(is_told);
    views.ui.head_grid.combined = {0, 99};
    views.frame();
    EXPECT_EQ(views.ui.head_grid.combined, (std::set<int>{0}));
}

TEST_F(HeadGridShown, OneLegendBelowAllHeadsTellsTheirColours) {
    const auto bottom = [&] {
        float lowest = 0;
        for (const DrawnMatrix& each : views.ui.drawn_matrices)
            lowest = std::max(lowest, each.origin.y + 6 * each.pitch.y);
        return lowest;
    };
    const auto n_below = [&](bool is_of_weights) {
        const ImU32 greatest = color_ramp(kDarkPalette, is_of_weights).at(1).u32();
        return test::n_vertices({0, bottom() + 1, kSize.x, kSize.y}, greatest);
    };
    EXPECT_LT(bottom() + 16, kSize.y);
    EXPECT_GT(n_below(true), 0);
    views.ui.head_grid.tensor = "context_vectors";
    views.frame(2);
    EXPECT_GT(n_below(false), 0);
}

TEST_F(HeadGridShown, TheWheelSaysWhereItZooms) {
    views.wheel(canvas.middle_of({"attention_weights", {1, 2, 2}}), 1);
    EXPECT_NE(views.ui.key_note.find("G leads"), std::string::npos) << views.ui.key_note;
    views.key(ImGuiKey_LeftShift);
    EXPECT_NE(views.ui.key_note, "") << "which does nothing by itself";
    views.key(ImGuiKey_Escape);
    EXPECT_EQ(views.ui.key_note, "");
}

TEST_F(HeadGridShown, WhatWasDraggedBeforeIsNotTold) {
    views.ui.head_grid.is_open = false;
    views.frame(2);
    const TensorCell number{"inputs", {0, 1, 1}};
    const ImVec2 in_grid = {400, 300};
    views.drag(canvas.middle_of(number), in_grid);
    ASSERT_EQ(views.selection.hovered, number);
    views.ui.head_grid.is_open = true;
    views.frame(2);
    EXPECT_NE(views.selection.hovered, number);
}

TEST(HeadGridThatScrolls, ItsLegendStaysBelowThePage) {
    constexpr ImVec2 kSmall{400, 400};
    Canvas canvas{kSmall};
    canvas.open(test::document_of({.n_tokens = 12, .d_in = 4, .d_k = 1, .d_v = 1, .n_heads = 64, .n_kv_heads = 64}));
    canvas.views.ui.head_grid.is_open = true;
    canvas.views.frame(2);
    const ImU32 greatest = color_ramp(kDarkPalette, true).at(1).u32();
    const Rect below{0, kSmall.y - 20, kSmall.x, kSmall.y};
    const int n = test::n_vertices(below, greatest);
    EXPECT_GT(n, 0);
    EXPECT_FALSE(canvas.is_seen({"attention_weights", {63, 11, 11}}));
    for (int i = 0; i < 30; ++i) canvas.views.wheel({200, 200}, -10);
    EXPECT_EQ(canvas.views.ui.key_note, "") << "the wheel does something";
    EXPECT_TRUE(canvas.is_seen({"attention_weights", {63, 11, 11}}));
    EXPECT_EQ(test::n_vertices(below, greatest), n);
}

TEST_F(HeadGridShown, WordsOfALongTextStayAboveTheirHead) {
    canvas.open(test::document_of({.n_tokens = 1000, .d_in = 8, .d_k = 2, .d_v = 2, .n_heads = 4, .n_kv_heads = 4}));
    views.frame(2);
    ASSERT_EQ(views.ui.drawn_matrices.size(), 4u);
    int n_above = 0;
    for (const DrawnMatrix& head : views.ui.drawn_matrices) {
        constexpr float kAbove = 16, kToNext = 24;
        const float right = head.origin.x + 1000 * head.pitch.x;
        for (const test::Letter& letter : test::letters("Canvas/")) {
            const Rect above{head.origin.x, head.origin.y - kAbove, right + kToNext, head.origin.y};
            if (!above.contains(letter.box.center())) continue;
            ++n_above;
            EXPECT_LE(letter.box.right, right + 1);
        }
    }
    EXPECT_GT(n_above, 4 * 2 * 5);
}

TEST_F(HeadGridShown, ClosesWhereThereIsOneHead) {
    canvas.open("trainable");
    EXPECT_TRUE(canvas.is_seen({"inputs", {0, 0, 0}}));
}

// What a mask forbids is no weight of 0.
TEST(Masked, WeightsOfForbiddenKeysAreToldApartFromZero) {
    Canvas canvas;
    canvas.open(test::document_of({.n_tokens = 4, .mask = MaskKind::causal}));
    const Fonts fonts;
    const Theme theme{kDarkPalette, fonts};
    HeadlessViews& views = canvas.views;
    ViewContext context = canvas.context(theme);
    const MatrixView view{.node = views.lab.program().find("attention_weights")};
    const std::vector<float> row = matrix_frame(context, view).read({1, 2}, {0, 4});
    EXPECT_GT(row[1], 0);
    EXPECT_EQ(row[2], -INFINITY);
    EXPECT_EQ(canvas.value({"attention_weights", {0, 1, 2}}), 0);
}

TEST(Masked, ARowWithoutKeysIsMarked) {
    Canvas canvas;
    Document document = test::document_of({.n_tokens = 4, .mask = MaskKind::tensor});
    canvas.open(document);
    const int before = canvas.n_vertices();
    std::vector<float> mask(16, 0.0f);
    std::fill(mask.begin() + 4, mask.begin() + 8, -INFINITY);
    document.tensors["mask"] = Tensor(Shape::matrix(4, 4), mask);
    canvas.open(document);
    EXPECT_NE(canvas.n_vertices(), before);
    canvas.views.move_to(canvas.middle_of({"attention_weights", {0, 1, 2}}));
    EXPECT_EQ(canvas.views.ui.status_hint, "word1 may not attend to any key, so its weights are all 0.");
}

} // namespace
} // namespace lab
