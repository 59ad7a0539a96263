// What stands at the edges of a matrix that is larger than the view.
#include <gtest/gtest.h>

#include <algorithm>

#include "app/views/canvas_frame.h"
#include "app/views/matrix_cells.h"
#include "app/views/matrix_metrics.h"
#include "tests/views/canvas_support.h"

namespace lab {

namespace {

class Edges : public ::testing::Test {
  protected:
    void open(int n) {
        canvas.open(test::document_of({.n_tokens = n, .d_in = 8, .d_k = 8, .d_v = 8}));
        views.frame(2);
    }

    void zoom_into(const TensorCell& cell, int n_notches) {
        for (int i = 0; i < n_notches; ++i) views.wheel(canvas.middle_of(cell), 1);
        views.frame(2);
    }

    // A matrix as it stood in the last frame.
    DrawnMatrix drawn(const std::string& tensor) {
        for (const DrawnMatrix& each : views.ui.drawn_matrices) {
            if (views.lab.program().node(each.node).name == tensor) return each;
        }
        ADD_FAILURE() << tensor << " is not drawn";
        return {};
    }

    // Of the weights.
    MatrixEdges edges() {
        const DrawnMatrix weights = drawn("attention_weights");
        const MatrixView view{.node = weights.node,
                              .origin = weights.origin,
                              .pitch = weights.pitch,
                              .has_row_labels = true,
                              .has_col_labels = true,
                              .has_legend = true,
                              .sticks = true};
        return matrix_edges(matrix_geometry(canvas.context(theme), view), kView);
    }

    static constexpr Rect kView{0, 0, 812, 724};
    test::Canvas canvas;
    HeadlessViews& views = canvas.views;
    Fonts fonts;
    const Theme theme{kDarkPalette, fonts};
};

TEST_F(Edges, OfAMatrixThatFitsAreItsOwn) {
    open(24);
    const MatrixEdges fitted = edges();
    EXPECT_FALSE(fitted.is_tall || fitted.is_wide || fitted.covers_top || fitted.covers_left);
    pan(views.ui.camera, {-700, -300});
    views.frame(2);
    EXPECT_FALSE(edges().covers_left) << "it is smaller than the view: it leaves with all that is its own";
}

TEST_F(Edges, OfALargerOneStayInSight) {
    open(256);
    zoom_into({"attention_weights", {0, 128, 128}}, 30);
    const MatrixEdges now = edges();
    ASSERT_TRUE(now.covers_top && now.covers_left);
    EXPECT_TRUE(kView.contains(now.above.min())) << "the title";
    EXPECT_TRUE(kView.contains(now.beside.min())) << "the words beside the rows";
    EXPECT_GE(now.cells.left - now.beside.left, matrix_metrics::kMostRowLabel) << "which have room";
    EXPECT_GE(now.cells.top - now.above.top, matrix_metrics::kTitle + matrix_metrics::kColumnLabels);
}

// Which row it is stays known while one scrolls through thousands of them.
TEST_F(Edges, WordsBesideTheRowsOfATallOneStayInSight) {
    open(256);
    zoom_into({"inputs", {0, 100, 4}}, 20);
    const Rect inputs = views.ui.camera.to_screen(canvas.placed("inputs").cells);
    ASSERT_GT(inputs.height(), kView.height());
    ASSERT_LT(inputs.width(), kView.width());
    const auto n_letters_of_words = [&] {
        const Rect beside{kView.left, 120, kView.left + matrix_metrics::kMostRowLabel, kView.bottom - 60};
        return test::n_letters("Canvas", beside, kDarkPalette.dim.u32());
    };
    pan(views.ui.camera, {300 - inputs.left, 0});
    views.move_to({-1, -1});
    EXPECT_EQ(n_letters_of_words(), 0) << "they stand beside the cells";
    pan(views.ui.camera, {-310, 0});
    views.frame(2);
    EXPECT_GT(n_letters_of_words(), 20);
}

TEST_F(Edges, WhatTheyCoverIsNotPointedAt) {
    open(256);
    zoom_into({"attention_weights", {0, 128, 128}}, 30);
    const MatrixEdges now = edges();
    views.move_to({now.cells.left + 200, now.cells.top + 200});
    ASSERT_TRUE(views.selection.hovered.has_value());
    const int row = views.selection.hovered->cell.row;
    views.move_to({now.cells.left + 200, now.above.top + 5});
    EXPECT_FALSE(views.selection.hovered.has_value()) << "behind the title";
    views.click({now.cells.left - 20, now.cells.top + 200});
    EXPECT_EQ(views.selection.query, row) << "the word beside the row chooses it";
}

TEST_F(Edges, WhatIsZoomedIntoDoesNotComeUnderThem) {
    for (const TensorCell& cell : {TensorCell{"attention_weights", {0, 1, 2}}, TensorCell{"inputs", {0, 2, 1}},
                                   TensorCell{"attention_weights", {0, 2, 150}}}) {
        open(256);
        zoom_into(cell, 12);
        const ImVec2 mouse = canvas.middle_of(cell); // which stays where it is
        for (int i = 0; i < 40; ++i) {
            views.wheel(mouse, 1);
            ASSERT_TRUE(canvas.is_seen(cell)) << cell.tensor << " after " << i + 1 << " notches";
        }
        views.frame(2);
        const auto area = drawn_area(canvas.context(theme), cell);
        const ImVec2 pitch = canvas.placed(cell.tensor).pitch;
        EXPECT_GE(area->width(), 0.8f * pitch.x * views.ui.camera.zoom) << cell.tensor;
        EXPECT_GE(area->height(), 0.8f * pitch.y * views.ui.camera.zoom) << cell.tensor;
    }
}

TEST_F(Edges, WhatZLooksForIsPointedAtAlsoWhereWordsComeUnderTheMouse) {
    canvas.open(test::document_of({.n_tokens = 256, .d_in = 64}));
    const Rect inputs = views.ui.camera.to_screen(canvas.placed("inputs").cells);
    for (const float part : {0.05f, 0.1f, 0.2f}) {
        views.ui.camera.is_fitted = true;
        views.frame(2);
        views.move_to({inputs.left + part * inputs.width(), inputs.center().y});
        const std::optional<TensorCell> meant = views.selection.hovered;
        ASSERT_TRUE(meant);
        views.key(ImGuiKey_Z);
        views.frame(2);
        ASSERT_TRUE(views.selection.hovered) << part;
        EXPECT_EQ(views.selection.hovered->cell.col, meant->cell.col) << part;
    }
}

// It stands beside its row's word, and the mouse may lie on another.
TEST_F(Edges, WhatADoubleClickZoomsIntoStaysToldUntilTheMouseGoesOn) {
    canvas.open(test::document_of({.n_tokens = 1000, .d_in = 64, .mask = MaskKind::causal}));
    const Rect inputs = views.ui.camera.to_screen(canvas.placed("inputs").cells);
    int n_elsewhere = 0;
    for (const float part : {0.02f, 0.3f, 0.5f, 0.7f, 0.95f}) {
        views.ui.camera.is_fitted = true;
        views.move_to({5, 5});
        views.wait(1);
        const ImVec2 mouse{inputs.left + part * inputs.width(), inputs.center().y};
        views.move_to(mouse);
        ASSERT_TRUE(views.selection.hovered);
        const TensorCell meant = *views.selection.hovered;
        views.double_click(mouse);
        views.frame(3);
        EXPECT_EQ(views.selection.hovered, meant) << part;
        EXPECT_EQ(views.pinned(), meant) << part;
        const Theme theme{kDarkPalette, {}};
        ASSERT_TRUE(canvas.is_seen(meant)) << part;
        const auto area = drawn_area(canvas.context(theme), meant);
        n_elsewhere += area->contains(mouse) ? 0 : 1;
        views.move_to({mouse.x, mouse.y + 6});
        EXPECT_EQ(views.selection.hovered == meant, area->contains({mouse.x, mouse.y + 6})) << part;
    }
    EXPECT_GT(n_elsewhere, 0) << "else nothing was tried";
}

TEST_F(Edges, WhatWasZoomedIntoIsNotHeldFromAfar) {
    canvas.open(test::document_of({.n_tokens = 1000, .d_in = 64}));
    views.move_to(canvas.middle_of({"inputs", {0, 485, 30}}));
    views.key(ImGuiKey_Z);
    views.frame(2);
    ASSERT_TRUE(views.ui.held);
    views.ui.camera.is_fitted = true; // as F does
    views.frame(2);
    EXPECT_FALSE(views.ui.held);
    views.type("5");
    EXPECT_FALSE(views.ui.editor) << "nobody can read it";
}

// While the kept number stays explained.
TEST_F(Edges, AfterADragZZoomsIntoTheNumberUnderTheMouse) {
    canvas.open(test::document_of({.n_tokens = 1000, .d_in = 64}));
    views.selection.visit({"attention_weights", {0, 3, 2}}, views.lab.program());
    const ImVec2 from = canvas.middle_of({"inputs", {0, 485, 30}});
    views.wait(1);
    views.drag(from, {from.x, from.y - 30});
    ASSERT_TRUE(views.ui.held && views.ui.held->tells_kept);
    views.key(ImGuiKey_Z);
    views.frame(2);
    EXPECT_TRUE(canvas.is_seen(views.ui.held->where));
    EXPECT_EQ(views.ui.held->where.tensor, "inputs");
}

// Where the mouse came to lie beside it.
TEST_F(Edges, WhatWasZoomedIntoIsWhatIsPressed) {
    canvas.open(test::document_of({.n_tokens = 1000, .d_in = 32}));
    const Rect inputs = views.ui.camera.to_screen(canvas.placed("inputs").cells);
    const ImVec2 mouse{inputs.left + 0.05f * inputs.width(), inputs.center().y};
    views.move_to(mouse);
    views.key(ImGuiKey_Z);
    views.frame(2);
    ASSERT_TRUE(views.ui.held);
    const TensorCell meant = views.ui.held->where;
    const Theme theme{kDarkPalette, {}};
    ASSERT_FALSE(drawn_area(canvas.context(theme), meant)->contains(mouse));
    const float before = canvas.value(meant);
    views.press(mouse);
    views.move_to({mouse.x + 60, mouse.y});
    views.release();
    EXPECT_NE(canvas.value(meant), before);
}

// At the view's left edge: from afar they have no words there.
TEST_F(Edges, RowsOfAWeightMatrixThatIsZoomedIntoAreNamed) {
    const Theme theme{kDarkPalette, {}};
    canvas.open(test::document_of({.n_tokens = 1000, .d_in = 64, .d_k = 64}));
    for (const Cell cell : {Cell{0, 2, 2}, Cell{0, 30, 0}, Cell{0, 30, 40}}) {
        views.ui.camera.is_fitted = true;
        views.move_to({5, 5});
        views.wait(1);
        views.double_click(canvas.middle_of({"W_query", cell}));
        views.frame(2);
        ASSERT_TRUE(canvas.is_seen({"W_query", cell})) << cell.col;
        const Rect area = *drawn_area(canvas.context(theme), {"W_query", cell});
        const float left = std::max(drawn("W_query").origin.x, views.ui.camera.area.left + 40);
        const Rect beside{views.ui.camera.area.left, area.top, left, area.bottom};
        EXPECT_GT(test::n_letters("Canvas", beside, kDarkPalette.accent.u32()), 0) << cell.col;
    }
}

TEST_F(Edges, OfOneThatIsReadFromNearRowsAndColumnsAreNamed) {
    open(256);
    const auto has_words = [&](const std::string& name) {
        const MatrixView view = matrix_view(canvas.context(theme), canvas.placed(name));
        return view.has_row_labels && view.has_col_labels;
    };
    EXPECT_FALSE(has_words("keys")) << "there is no room for them beside the others";
    zoom_into({"keys", {0, 100, 4}}, 32);
    ASSERT_GT(number_size(matrix_view(canvas.context(theme), canvas.placed("keys"))), 0);
    EXPECT_TRUE(has_words("keys"));
    const DrawnMatrix keys = drawn("keys");
    const Rect beside{keys.clip.left - 60, 200, keys.clip.left, 600};
    EXPECT_GT(test::n_letters("Canvas", beside, kDarkPalette.dim.u32()), 10);
    canvas.open(test::document_of({.n_tokens = 256, .d_in = 256, .d_k = 256}));
    views.ui.camera.is_fitted = true;
    views.frame(2);
    zoom_into({"W_query", {0, 100, 100}}, 40);
    const DrawnMatrix weights = drawn("W_query");
    EXPECT_GT(weights.clip.left, 15) << "there are labels";
    EXPECT_LT(weights.clip.left, 0.8f * keys.clip.left) << "what is counted takes less room";
    views.move_to({weights.clip.left - 15, 400});
    EXPECT_EQ(views.ui.status.substr(0, 1), "d") << views.ui.status;
}

TEST_F(Edges, WordsThatTheMouseGoesToAreTold) {
    open(256);
    zoom_into({"attention_weights", {0, 128, 128}}, 30);
    const Rect cells = drawn("attention_weights").clip;
    views.move_to({cells.left + 200, cells.top + 200});
    views.move_to({cells.left - 20, cells.top + 200});
    EXPECT_FALSE(views.selection.hovered) << "beside the row";
    EXPECT_EQ(views.ui.status.substr(0, 4), "word") << views.ui.status;
    views.move_to({cells.left + 200, cells.top - 8});
    EXPECT_FALSE(views.selection.hovered) << "above the column";
    EXPECT_EQ(views.ui.status.substr(0, 4), "word") << views.ui.status;
    views.wheel({cells.left + 200, cells.top - 8}, 0.5f);
    EXPECT_TRUE(views.selection.hovered) << "what is zoomed into";
}

// Of what stands near the view's upper edge the title comes over it.
TEST_F(Edges, ANumberThatIsZoomedIntoIsToldAlsoWhereTheTitleComesUnderTheMouse) {
    open(256);
    for (int row = 1; row < 40; row += 8) {
        views.ui.camera.is_fitted = true;
        views.frame(2);
        const TensorCell cell{"attention_scores", {0, row, 100}};
        const ImVec2 mouse = canvas.middle_of(cell);
        for (int i = 0; i < 30; ++i) {
            views.wheel(mouse, 1);
            ASSERT_TRUE(views.selection.hovered) << row << " after " << i + 1 << " notches";
            ASSERT_EQ(views.selection.hovered->tensor, "attention_scores");
        }
        EXPECT_NEAR(views.selection.hovered->cell.row, row, 3);
    }
}

// Of what stands near the view's left edge words come over the place that was pointed at.
TEST_F(Edges, ANumberThatIsZoomedIntoIsToldAlsoWhereWordsComeUnderTheMouse) {
    canvas.open(test::document_of({.n_tokens = 256, .d_in = 256, .word = "a long word "}));
    views.frame(2);
    const TensorCell cell{"inputs", {0, 100, 24}};
    const ImVec2 mouse = canvas.middle_of(cell);
    for (int i = 0; i < 16; ++i) views.wheel(mouse, 1);
    views.frame(2);
    ASSERT_TRUE(views.selection.hovered);
    EXPECT_EQ(views.selection.hovered->tensor, "inputs");
    EXPECT_NEAR(views.selection.hovered->cell.col, 24, 4) << "points of several cells are zoomed into first";
    EXPECT_NEAR(views.selection.hovered->cell.row, 100, 8);
    const DrawnMatrix inputs = drawn("inputs");
    ASSERT_GT(inputs.clip.left, mouse.x) << "the words are there";
    const float top = std::max(inputs.clip.top, inputs.origin.y);
    const auto letters = test::letters("Canvas");
    const auto word = std::find_if(letters.begin(), letters.end(), [&](const test::Letter& letter) {
        return letter.color == kDarkPalette.accent.u32() && letter.box.bottom < top;
    });
    ASSERT_NE(word, letters.end());
    EXPECT_GE(word->box.left, inputs.clip.left - 0.5f) << "that of the column is whole";
}

TEST_F(Edges, OfAColumnThatIsOutOfSightNoWordIsLeft) {
    open(256);
    zoom_into({"attention_weights", {0, 100, 100}}, 30);
    views.selection.visit({"attention_weights", {0, 100, 100}}, views.lab.program());
    views.move_to({-1, -1});
    const auto n_letters = [&] {
        const float top = edges().cells.top;
        const auto letters = test::letters("Canvas");
        return std::count_if(letters.begin(), letters.end(), [&](const test::Letter& letter) {
            return letter.color == kDarkPalette.accent.u32() && letter.box.bottom < top;
        });
    };
    EXPECT_GT(n_letters(), 0);
    for (const float by : {-900.0f, 1800.0f}) {
        pan(views.ui.camera, {by, 0});
        views.frame(2);
        EXPECT_EQ(n_letters(), 0) << by;
    }
}

TEST_F(Edges, TheNameIsSeenAsFarAsTheMatrixIs) {
    open(256);
    zoom_into({"keys", {0, 100, 4}}, 20);
    const auto keys = [&] { return drawn("keys"); };
    pan(views.ui.camera, {-60 - keys().origin.x, 100 - keys().origin.y});
    views.frame(2);
    ASSERT_GT(keys().pitch.x * 8, 60 + matrix_metrics::kLeastSeen);
    const Rect title{0, 100 - matrix_metrics::kTitle, 50, 100};
    EXPECT_GE(test::n_letters("Canvas", title), 4);
}

// Some letters say what it is, where the shape leaves no room for them.
TEST_F(Edges, TheNameIsReadHoweverLittleOfTheMatrixIsSeen) {
    canvas.open(test::document_of({.n_tokens = 256, .d_in = 64, .d_k = 64, .d_v = 64}));
    for (const int n_notches : {2, 6, 10}) {
        views.ui.camera.is_fitted = true;
        views.frame(2);
        zoom_into({"queries", {0, 100, 4}}, n_notches);
        for (float seen = 60; seen < 200; seen += 10) {
            const Rect cells = views.ui.camera.to_screen(canvas.placed("queries").cells);
            pan(views.ui.camera, {seen - cells.right, 300 - cells.top});
            views.frame(2);
            const Rect title{0, 300 - 1.5f * matrix_metrics::kTitle, seen, 300};
            EXPECT_GE(test::n_letters("Canvas", title, kDarkPalette.text.u32()), 3) << n_notches << ", " << seen;
        }
    }
}

TEST_F(Edges, WhereLittleOfAMatrixIsSeenNoLegendStandsForIt) {
    open(256);
    zoom_into({"keys", {0, 100, 4}}, 24);
    const Rect foot{0, kView.bottom - matrix_metrics::kLegend, kView.right, kView.bottom};
    const auto n_letters = [&] { return test::n_letters("Canvas", foot); };
    EXPECT_GT(n_letters(), 6);
    const PlacedNode& keys = canvas.placed("keys");
    pan(views.ui.camera, {-30 - views.ui.camera.to_screen(keys.cells).right, 0});
    views.frame(2);
    EXPECT_EQ(n_letters(), 0);
}

TEST_F(Edges, ALegendAtTheViewsFootIsNotPointedThrough) {
    open(256);
    zoom_into({"keys", {0, 100, 4}}, 24);
    const Rect cells = views.ui.camera.to_screen(canvas.placed("keys").cells);
    const ImVec2 on_legend{cells.left + 20, kView.bottom - matrix_metrics::kLegend / 2};
    ASSERT_TRUE(cells.contains(on_legend));
    views.move_to({on_legend.x, on_legend.y - 2 * matrix_metrics::kLegend});
    EXPECT_TRUE(views.selection.hovered.has_value());
    views.selection.let_go();
    views.click(on_legend);
    EXPECT_FALSE(views.selection.hovered.has_value());
    EXPECT_EQ(views.selection.pinned(), nullptr);
}

TEST_F(Edges, OfACellThatTheyCutTheNumberIsSeen) {
    open(256);
    zoom_into({"attention_weights", {0, 128, 128}}, 60);
    views.move_to({-1, -1});
    ASSERT_TRUE(edges().covers_left && edges().covers_top);
    const float pitch = views.ui.camera.zoom * canvas.placed("attention_weights").pitch.y;
    int n_cut = 0;
    for (int col = 100; col < 156; ++col) {
        for (int row = 100; row < 156; ++row) {
            const auto area = drawn_area(canvas.context(theme), {"attention_weights", {0, row, col}});
            if (!area || area->width() < 30 || area->height() < 30) continue;
            n_cut += area->height() < 0.8f * pitch ? 1 : 0;
            EXPECT_GE(test::n_vertices(area->grown(-6)), 4) << row << ", " << col << ": " << area->width();
        }
    }
    EXPECT_GT(n_cut, 3);
}

// What is between the edges of letters that stand there, whose middles are.
Rect letters_within(const Rect& part) {
    constexpr float kFar = 1e6f;
    Rect all{kFar, kFar, -kFar, -kFar};
    for (const test::Letter& letter : test::letters("Canvas")) {
        if (part.contains(letter.box.center())) all = all.joined(letter.box);
    }
    return all;
}

TEST_F(Edges, WordsStandWhereTheNumbersOfWhatIsSeenInPartDo) {
    constexpr float kRoom = 26, kWide = 90, kOff = 2, kOffAcross = 5; // letters end where their ink does
    open(256);
    zoom_into({"attention_weights", {0, 128, 128}}, 60);
    const float pitch = views.ui.camera.zoom * canvas.placed("attention_weights").pitch.y;
    int n_rows_in_part = 0, n_cols_in_part = 0;
    for (int i = 0; i < 14; ++i) {
        pan(views.ui.camera, {9, 7});
        views.move_to({-1, -1});
        views.frame(2);
        const MatrixEdges now = edges();
        const float scale = views.ui.camera.text_scale();
        for (int k = 100; k < 156; ++k) {
            SCOPED_TRACE(std::to_string(i) + ", line " + std::to_string(k));
            const auto of_row = drawn_area(canvas.context(theme), {"attention_weights", {0, k, 128}});
            if (of_row && of_row->width() > kWide && of_row->bottom < kView.bottom - 50 && of_row->height() > kRoom) {
                const Rect number = letters_within(*of_row);
                const Rect word = letters_within({0, of_row->top, now.cells.left, of_row->bottom});
                EXPECT_NEAR(word.center().y, number.center().y, kOff);
                n_rows_in_part += of_row->height() < 0.9f * pitch ? 1 : 0;
            }
            const auto of_col = drawn_area(canvas.context(theme), {"attention_weights", {0, 128, k}});
            if (of_col && of_col->height() > kRoom && of_col->width() > kWide) {
                const Rect number = letters_within(*of_col);
                const Rect word =
                    letters_within({of_col->left, now.cells.top - 18 * scale, of_col->right, now.cells.top});
                EXPECT_NEAR(word.center().x, number.center().x, kOffAcross);
                n_cols_in_part += of_col->width() < 0.9f * of_col->height() ? 1 : 0;
            }
        }
    }
    EXPECT_GT(n_rows_in_part, 5);
    EXPECT_GT(n_cols_in_part, 0);
}

TEST_F(Edges, ColumnsAreLabelledWhereRowsAre) {
    open(256);
    for (const int n_notches : {0, 5, 5, 5}) {
        zoom_into({"attention_weights", {0, 128, 128}}, n_notches);
        views.move_to({-1, -1});
        const MatrixEdges now = edges();
        const Rect words{now.cells.left + 60, now.cells.top - 16, std::min(now.cells.right, kView.right) - 20,
                         now.cells.top - 3};
        EXPECT_GE(test::n_vertices(words), 4 * 5) << n_notches;
    }
}

TEST_F(Edges, LeaveWithTheEndOfTheMatrix) {
    open(256);
    zoom_into({"attention_weights", {0, 255, 255}}, 30);
    // Until less of it is in sight than its words and its title take.
    const Rect before = edges().cells;
    pan(views.ui.camera, {60 - before.right, 70 - before.bottom});
    views.frame(2);
    const MatrixEdges now = edges();
    EXPECT_TRUE(now.covers_left && now.covers_top);
    EXPECT_EQ(now.cells.left, now.cells.right - 40);
    EXPECT_EQ(now.cells.top, now.cells.bottom - 40);
}

} // namespace

} // namespace lab
