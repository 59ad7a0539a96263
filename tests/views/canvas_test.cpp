#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "app/views/canvas_frame.h"
#include "app/views/matrix_cells.h"
#include "app/views/matrix_masked.h"
#include "tests/views/canvas_support.h"

// Looking: hover, pin, pan, zoom, fold, step by step, large matrices.
namespace lab {
namespace {

using test::Canvas;

const TensorCell kWeight{"attention_weights", {0, 3, 1}};

class CanvasLooking : public testing::Test {
  protected:
    Canvas canvas;
    HeadlessViews& views = canvas.views;

    const TensorCell* pinned() const { return views.selection.pinned(); }
    Camera& camera() { return views.ui.camera; }
    ImVec2 empty_place() const { return {views.ui.camera.area.right - 6, views.ui.camera.area.top + 6}; }
};

TEST_F(CanvasLooking, EveryCellUnderThePointerIsTheHoveredOne) {
    for (const Node& node : views.lab.program().nodes) {
        if (!views.selection.unfolds(node)) continue;
        for (int i = 0; i < static_cast<int>(node.shape.size()); ++i) {
            const TensorCell cell{node.name, {0, i / node.shape.cols, i % node.shape.cols}};
            views.move_to(canvas.middle_of(cell));
            ASSERT_EQ(views.selection.hovered, cell);
            ASSERT_NE(views.ui.status.find(node.name), std::string::npos);
        }
    }
    views.move_to(empty_place());
    EXPECT_FALSE(views.selection.hovered.has_value());
}

TEST_F(CanvasLooking, AClickPinsAndChoosesTheQuery) {
    views.click(canvas.middle_of(kWeight));
    ASSERT_NE(pinned(), nullptr);
    EXPECT_EQ(*pinned(), kWeight);
    EXPECT_EQ(views.selection.query, 3);
    EXPECT_TRUE(views.take_commands().empty());
}

// What a cell is filled with: of the vertices near its corners those of the colour that the legend has for its number.
bool is_filled_with(const Rect& cell, ImU32 color) { return test::n_vertices(cell.grown(1), color) > 0; }

TEST_F(CanvasLooking, EveryCellHasTheColourOfTheLegendWhicheverQueryIsChosen) {
    const Fonts fonts;
    const Theme theme{kDarkPalette, fonts};
    ViewContext context = canvas.context(theme);
    for (const char* preset : {"trainable", "causal", "two-heads-split"}) {
        canvas.open(preset);
        for (const DrawnMatrix& drawn : std::vector<DrawnMatrix>(views.ui.drawn_matrices)) {
            const MatrixView view{.node = drawn.node, .origin = drawn.origin, .pitch = drawn.pitch};
            const MatrixFrame frame = matrix_frame(context, view);
            const ColorScale scale = frame.scale();
            for (int row = 0; row < frame.extent.n_rows; ++row) {
                for (int col = 0; col < frame.extent.n_cols; ++col) {
                    const float number = frame.read(Range::at(row), Range::at(col))[0];
                    if (!std::isfinite(number)) continue;
                    EXPECT_TRUE(is_filled_with(frame.cell_rect(row, col), scale.at(number).u32()))
                        << preset << " " << frame.node.name << "[" << row << ", " << col << "]";
                }
            }
        }
    }
}

TEST_F(CanvasLooking, EscapeAndAClickBesideAllMatricesEndWhatEmphasisThereIs) {
    const int emphasised = canvas.n_vertices();
    ASSERT_TRUE(views.selection.points_at_query);
    views.click(empty_place());
    EXPECT_EQ(pinned(), nullptr);
    EXPECT_FALSE(views.selection.points_at_query);
    EXPECT_LT(canvas.n_vertices(), emphasised);
    views.click(canvas.middle_of(kWeight));
    EXPECT_TRUE(views.selection.points_at_query);
    views.drag(empty_place(), {empty_place().x - 40, empty_place().y + 30});
    EXPECT_NE(pinned(), nullptr) << "the canvas was moved";
}

TEST_F(CanvasLooking, MovingTheCanvasByAComputedMatrixLeavesThePinnedNumber) {
    views.click(canvas.middle_of(kWeight));
    const TensorCell score{"attention_scores", {0, 2, 2}};
    const ImVec2 from = canvas.middle_of(score);
    views.drag(from, {from.x - 40, from.y + 20});
    ASSERT_NE(pinned(), nullptr);
    EXPECT_EQ(*pinned(), kWeight);
    EXPECT_NEAR(canvas.middle_of(score).x, from.x - 40, 1) << "it was moved";
}

// Of the places beside a row's ends, where brackets or arrows stand, those with some of the accent's colour.
TEST_F(CanvasLooking, BracketsOrArrowsStandAtBothEndsOfTheChosenRowAlone) {
    for (const int n_tokens : {6, 200}) { // rows of 200 are too low for brackets
        canvas.open(test::document_of({.n_tokens = n_tokens, .d_in = 3, .d_k = 2, .d_v = 2}));
        views.selection.unpin();
        views.selection.query = 2;
        views.selection.points_at_query = true;
        views.move_to(empty_place());
        views.frame(2);
        const int node = views.lab.program().find("queries");
        const auto& all = views.ui.drawn_matrices;
        const auto queries =
            std::find_if(all.begin(), all.end(), [&](const DrawnMatrix& each) { return each.node == node; });
        ASSERT_NE(queries, all.end());
        const float right = queries->origin.x + 2 * queries->pitch.x;
        for (const int row : {2, n_tokens - 1}) {
            const float middle = queries->origin.y + (static_cast<float>(row) + 0.5f) * queries->pitch.y;
            const float half = std::max(queries->pitch.y / 2 - 1, 0.5f);
            const ImU32 accent = kDarkPalette.accent.u32();
            const Rect before{queries->origin.x - 7, middle - half, queries->origin.x, middle + half};
            const Rect behind{right - 3, middle - half, right + 7, middle + half};
            EXPECT_EQ(test::n_vertices(before, accent) > 0, row == 2) << n_tokens << " tokens, row " << row;
            EXPECT_EQ(test::n_vertices(behind, accent) > 0, row == 2) << n_tokens << " tokens, row " << row;
        }
    }
}

TEST_F(CanvasLooking, WhatTheCellWasMadeFromIsOutlined) {
    views.move_to(empty_place());
    views.selection.unpin();
    views.frame(2);
    const int without = canvas.n_vertices();
    views.move_to(canvas.middle_of({"context_vectors", {0, 2, 1}}));
    EXPECT_EQ(canvas.n_lit("attention_weights"), 6U); // a row
    EXPECT_EQ(canvas.n_lit("values"), 6U);            // a column
    EXPECT_EQ(canvas.n_lit(), 12U);
    EXPECT_GT(canvas.n_vertices(), without + 13 * 8);
    EXPECT_EQ(views.ui.lit_sources.of, *views.selection.hovered);
}

// The list's row is marked beside the kept cell, whose sources stay marked: of a folded tensor what stands for its cell.
TEST_F(CanvasLooking, WhatTheListPointsAtIsMarkedBesideTheKeptCell) {
    const TensorCell weight{"attention_weights", {0, 1, 2}};
    const auto marks_of = [&](const std::string& tensor, int col) {
        const Rect& cells = canvas.placed(tensor).cells;
        const ImVec2 pitch{cells.width() / 6, cells.height() / 6};
        const Rect cell = Rect::at({cells.left + static_cast<float>(col) * pitch.x, cells.top + pitch.y}, pitch);
        return test::n_vertices(views.ui.camera.to_screen(cell.grown(2)), kDarkPalette.accent.u32());
    };
    views.move_to(empty_place());
    views.selection.visit(weight, views.lab.program());
    views.frame(2);
    const int before = marks_of("attention_scores", 4), kept = marks_of("attention_weights", 2);
    views.ui.lit_by_list = TensorCell{"scaled_scores", {0, 1, 4}};
    ASSERT_FALSE(views.selection.unfolds(views.lab.program().node(views.lab.program().find("scaled_scores"))));
    views.frame();
    EXPECT_GT(marks_of("attention_scores", 4), before);
    EXPECT_EQ(marks_of("attention_weights", 2), kept);
    EXPECT_EQ(views.ui.lit_sources.of, weight);
    views.ui.lit_by_list = TensorCell{"attention_weights", {0, 1, 5}};
    views.frame();
    EXPECT_EQ(marks_of("attention_scores", 4), before);
    EXPECT_GT(marks_of("attention_weights", 5), 0);
    EXPECT_EQ(marks_of("attention_weights", 2), kept);
}

// A window closes the way from a weight to cells of the document's own mask, and the picture stays as it is.
TEST_F(CanvasLooking, TheSourcesFollowAnEdit) {
    const auto set_mask = [&](MaskKind kind, std::optional<int> window) {
        AttentionSettings attention = views.lab.document().attention;
        attention.mask = kind;
        attention.window = window;
        ASSERT_TRUE(views.lab.perform(SetAttention{attention}).has_value());
        views.frame(2);
    };
    set_mask(MaskKind::tensor, {}); // gives the document a mask
    set_mask(MaskKind::causal, {});
    const TensorCell weight{"attention_weights", {0, 3, 1}};
    views.move_to(canvas.middle_of(weight));
    EXPECT_EQ(canvas.n_lit("mask"), 4U);
    set_mask(MaskKind::sliding_window, 1);
    EXPECT_EQ(*views.selection.hovered, weight);
    EXPECT_EQ(canvas.n_lit("mask"), 1U);
}

TEST_F(CanvasLooking, AWordBesideARowChoosesTheQuery) {
    const ImVec2 first = canvas.middle_of({"attention_weights", {0, 4, 0}});
    const float half_cell = canvas.placed("attention_weights").pitch.x * camera().zoom / 2;
    views.click({first.x - half_cell - 12, first.y});
    EXPECT_EQ(views.selection.query, 4);
    EXPECT_EQ(*pinned(), (TensorCell{"attention_weights", {0, 4, 2}})); // what was pinned moves along
    views.double_click({first.x - half_cell - 12, first.y});
    pan(camera(), {30, 0});
    views.double_click({first.x - half_cell - 12 + 30, first.y});
    EXPECT_FALSE(camera().is_fitted) << "a word is no empty space";
}

TEST_F(CanvasLooking, NarrowLabelsDoNotCoverTheColumnBefore) {
    test::Sizes sizes;
    sizes.word = "w";
    canvas.open(document_of(sizes));
    views.selection.query = 0;
    views.click(canvas.middle_of({"queries", {0, 3, 1}}));
    views.click(canvas.middle_of({"values", {0, 5, 1}}));
    EXPECT_EQ(views.selection.query, 3);
}

TEST_F(CanvasLooking, DraggingAComputedCellOrNothingPans) {
    for (const ImVec2 from : {canvas.middle_of(kWeight), ImVec2{400, 4}}) {
        const ImVec2 origin = camera().origin;
        views.drag(from, {from.x + 50, from.y + 20});
        EXPECT_NEAR((origin.x - camera().origin.x) * camera().zoom, 50, 8);
        EXPECT_NEAR((origin.y - camera().origin.y) * camera().zoom, 20, 8);
        EXPECT_FALSE(camera().is_fitted);
    }
    EXPECT_TRUE(views.take_commands().empty());
}

TEST_F(CanvasLooking, TheWheelZoomsAboutTheMouse) {
    const ImVec2 point{300, 500};
    const ImVec2 world = camera().to_world(point);
    const float zoom = camera().zoom;
    views.wheel(point, 3);
    EXPECT_GT(camera().zoom, zoom * 1.2f);
    EXPECT_NEAR(camera().to_world(point).x, world.x, 0.01f);
    EXPECT_NEAR(camera().to_world(point).y, world.y, 0.01f);
    for (int i = 0; i < 30; ++i) views.wheel(point, 5);
    EXPECT_FLOAT_EQ(camera().zoom, camera().greatest_zoom);
    for (int i = 0; i < 60; ++i) views.wheel(point, -5);
    EXPECT_FLOAT_EQ(camera().zoom, camera().least_zoom);
    EXPECT_NEAR(camera().to_world(point).x, world.x, 0.5f);
}

TEST_F(CanvasLooking, AThinMatrixThatIsHitAlmostIsZoomedInto) {
    canvas.open(test::document_of({.n_tokens = 256, .d_in = 64}));
    views.frame(2);
    const auto queries = [&] { return CanvasFrame{views.ui.canvas.layout, camera()}.cells(canvas.placed("queries")); };
    const ImVec2 beside{queries().left - 4, queries().center().y};
    for (int i = 0; i < 40; ++i) views.wheel(beside, 1);
    ASSERT_GT(camera().zoom, 8);
    EXPECT_TRUE(queries().contains(beside)) << "it does not run away";
    for (int i = 0; i < 80; ++i) views.wheel(beside, -1);
    ASSERT_FLOAT_EQ(camera().zoom, camera().least_zoom);
    const ImVec2 left_edge{queries().left - 2, queries().center().y};
    const float before = queries().left;
    views.wheel(left_edge, -1);
    EXPECT_EQ(queries().left, before) << "nothing is to be zoomed out of any more";
}

TEST_F(CanvasLooking, AMatrixOfLargeCellsIsNotZoomedIntoAsFarAsOneOfSmallCells) {
    canvas.open(test::document_of({.n_tokens = 512, .d_in = 8, .d_k = 8, .d_v = 8}));
    const auto narrowest_cell = [&](const char* name) {
        const TensorCell cell{name, {0, 3, 4}};
        for (int i = 0; i < 60; ++i) views.wheel(canvas.middle_of(cell), 2);
        const ImVec2 pitch = canvas.placed(name).pitch;
        return std::min(pitch.x, pitch.y) * camera().zoom;
    };
    EXPECT_NEAR(narrowest_cell("attention_weights"), kLargestCell, 1);
    camera().is_fitted = true;
    views.frame(2);
    const ImVec2 pitch = canvas.placed("W_query").pitch;
    EXPECT_NEAR(narrowest_cell("W_query"), std::max(kLargestCell, 8 * std::min(pitch.x, pitch.y)), 1);
}

TEST_F(CanvasLooking, PanningFromAWordDoesNotChooseItsQuery) {
    const ImVec2 first = canvas.middle_of({"attention_weights", {0, 4, 0}});
    const ImVec2 word{first.x - canvas.placed("attention_weights").pitch.x * camera().zoom / 2 - 12, first.y};
    const int before = views.selection.query;
    views.drag(word, {word.x + 60, word.y + 10});
    EXPECT_EQ(views.selection.query, before);
}

TEST_F(CanvasLooking, WhatAFoldedTensorWasMadeFromIsLitInItsPlace) {
    views.move_to(canvas.middle_of(kWeight));
    EXPECT_EQ(canvas.n_lit("attention_scores"), 6U);
    views.selection.shown_stage = views.lab.program().node(views.lab.program().find("scaled_scores")).stage;
    views.frame(2);
    EXPECT_EQ(canvas.n_lit("attention_scores"), 0U) << "the step shows what it computes";
    views.selection.shown_stage.reset();
    views.frame(2);
    views.selection.toggle_fold("scaled_scores");
    views.frame(2);
    views.move_to(canvas.middle_of(kWeight));
    EXPECT_EQ(canvas.n_lit("attention_scores"), 0U);
}

TEST_F(CanvasLooking, TheWholeRowOfScoresBehindAWeightIsBoxedHoweverLong) {
    constexpr int kTokens = 1500;
    for (const MaskKind mask : {MaskKind::none, MaskKind::causal}) {
        canvas.open(test::document_of({.n_tokens = kTokens, .d_in = 16, .d_k = 16, .d_v = 16, .mask = mask}));
        views.move_to(canvas.middle_of({"attention_weights", {0, 1400, 700}}));
        ASSERT_EQ(views.selection.hovered->tensor, "attention_weights");
        const int row = views.selection.hovered->cell.row;
        const auto& runs = views.ui.lit_sources.runs;
        const auto scores = runs.find(views.lab.program().find("attention_scores"));
        ASSERT_NE(scores, runs.end());
        EXPECT_EQ(scores->second, (std::vector<Block>{{{0, 1}, Range::at(row), {0, kTokens}}}));
    }
}

// A box is larger than so small a cell: of the last ones it is moved back, since the legend stands below.
TEST_F(CanvasLooking, BoxesOfTheLastCellsStayWithinTheMatrix) {
    constexpr int kTokens = 256;
    canvas.open(test::document_of({.n_tokens = kTokens, .d_in = 64, .d_k = 64, .d_v = 64}));
    for (const int row : {kTokens - 1, kTokens - 4, kTokens / 2}) {
        views.selection.visit({"attention_weights", {0, row, kTokens - 1}}, views.lab.program());
        views.move_to({-1, -1});
        views.frame(2);
        for (const char* tensor : {"attention_scores", "attention_weights"}) {
            const Rect cells = camera().to_screen(canvas.placed(tensor).cells);
            const Rect legend{cells.left, cells.bottom + 3.5f, cells.right, cells.bottom + 14};
            EXPECT_EQ(test::n_vertices(legend, kDarkPalette.accent.u32()), 0) << tensor << ", " << row;
            const float y = std::min(cells.top + cells.height() * static_cast<float>(row) / kTokens, cells.bottom - 6);
            const Rect around{cells.right - 9, y - 3, cells.right + 4, y + 9};
            EXPECT_GT(test::n_vertices(around, kDarkPalette.accent.u32()), 4) << tensor << ", " << row;
        }
        const Rect weights = camera().to_screen(canvas.placed("attention_weights").cells);
        const float left = weights.right - 7, right = weights.right - 3; // the left side of a box that is moved back
        EXPECT_GT(test::n_vertices({left, weights.top - 9, right, weights.bottom + 9}, kDarkPalette.accent.u32()), 0);
    }
}

TEST_F(CanvasLooking, ADoubleClickOnEmptySpaceFits) {
    views.wheel({300, 500}, -6);
    EXPECT_FALSE(camera().is_fitted);
    views.double_click(empty_place());
    EXPECT_TRUE(camera().is_fitted);
}

TEST_F(CanvasLooking, AFoldedLineUnfoldsAndItsTitleFolds) {
    const auto line = [&] { return camera().to_screen(canvas.placed("scaled_scores").cells).center(); };
    views.click(line());
    ASSERT_FALSE(canvas.placed("scaled_scores").is_folded);
    EXPECT_TRUE(canvas.is_seen({"scaled_scores", {0, 0, 0}}));
    const PlacedNode& open = canvas.placed("scaled_scores");
    const Rect around = open.room.around(camera().to_screen(open.cells), camera().zoom);
    views.click({camera().to_screen(open.cells).left + 10, around.top + 8});
    EXPECT_TRUE(canvas.placed("scaled_scores").is_folded);
}

// The layout moves under the resting pointer, to which another number then comes.
TEST_F(CanvasLooking, AClickThatUnfoldsPinsNothingAndChoosesNoQuery) {
    for (const int n_tokens : {6, 200, 1500}) {
        canvas.open(test::document_of({.n_tokens = n_tokens, .d_in = 16, .d_k = 16, .d_v = 16}));
        const Rect line = camera().to_screen(canvas.placed("scaled_scores").cells);
        for (const float part : {0.1f, 0.5f, 0.9f}) {
            const auto before = std::optional(*pinned());
            const int query = views.selection.query;
            views.click({line.left + part * line.width(), line.center().y});
            ASSERT_FALSE(canvas.placed("scaled_scores").is_folded) << n_tokens;
            EXPECT_EQ(std::optional(*pinned()), before) << n_tokens << " tokens, at " << part;
            EXPECT_EQ(views.selection.query, query) << n_tokens << " tokens, at " << part;
            canvas.open(views.lab.document());
        }
    }
}

TEST_F(CanvasLooking, StepByStepLaterStagesCannotBeSeenNorPointedAt) {
    const ImVec2 weight = canvas.middle_of(kWeight), input = canvas.middle_of({"inputs", {0, 0, 0}});
    const ImVec2 folded = camera().to_screen(canvas.placed("scaled_scores").cells).center();
    views.selection.shown_stage = 1;
    views.move_to(weight);
    EXPECT_FALSE(views.selection.hovered.has_value());
    EXPECT_FALSE(canvas.is_seen(kWeight));
    views.click(folded);
    EXPECT_TRUE(canvas.placed("scaled_scores").is_folded);
    views.move_to(input);
    EXPECT_TRUE(views.selection.hovered.has_value());
}

TEST_F(CanvasLooking, PicturesThatAreNotSeenAnyMoreAreGivenUp) {
    canvas.open(test::document_of({.n_tokens = 64, .d_in = 64, .d_k = 64, .d_v = 64}));
    ASSERT_NE(views.ui.pictures.find("queries"), nullptr);
    canvas.open("trainable");
    views.frame(2);
    EXPECT_TRUE(views.ui.pictures.empty());
}

TEST_F(CanvasLooking, LargeMatricesArePicturesUntilTheirNumbersCanBeRead) {
    constexpr int kMostVertices = 60000;
    for (const int n : {64, 256}) {
        canvas.open(test::document_of({.n_tokens = n, .d_in = n, .d_k = n, .d_v = n}));
        const TensorCell last{"context_vectors", {0, n - 1, n - 1}};
        views.move_to(canvas.middle_of(last)); // with the most sources there are
        ASSERT_EQ(views.selection.hovered->tensor, last.tensor);
        EXPECT_NEAR(views.selection.hovered->cell.col, n - 1, 3); // of cells smaller than a pixel the nearest
        EXPECT_EQ(canvas.n_lit(), 2 * static_cast<std::size_t>(n));
        ASSERT_NE(views.ui.pictures.find("attention_weights"), nullptr);
        EXPECT_LT(canvas.n_vertices(), kMostVertices) << n;
        for (int i = 0; i < 40; ++i) {
            views.wheel({400, 300}, 1.5f);
            EXPECT_LT(canvas.n_vertices(), kMostVertices) << n << " at zoom " << camera().zoom;
        }
    }
}

TEST_F(CanvasLooking, TallMatricesAreNoHairsAndTheirCellsStayUnderTheMouse) {
    canvas.open(test::document_of({.n_tokens = 4000, .d_in = 16, .d_k = 16, .d_v = 16}));
    const DrawnMatrix* inputs = nullptr;
    for (const DrawnMatrix& each : views.ui.drawn_matrices) {
        if (views.lab.program().node(each.node).name == "inputs") inputs = &each;
    }
    ASSERT_NE(inputs, nullptr);
    EXPECT_NEAR(16 * inputs->pitch.x, kLeastSide, 0.1f * kLeastSide);
    const ImVec2 place = canvas.middle_of({"inputs", {0, 1000, 14}});
    views.move_to(place);
    ASSERT_TRUE(views.selection.hovered.has_value());
    const Cell before = views.selection.hovered->cell;
    EXPECT_NEAR(before.row, 1000, 64) << "of the same point";
    EXPECT_NEAR(before.col, 14, 1);
    for (int i = 0; i < 80; ++i) views.wheel(place, 1);
    ASSERT_TRUE(views.selection.hovered.has_value());
    EXPECT_EQ(views.selection.hovered->tensor, "inputs");
    EXPECT_NEAR(views.selection.hovered->cell.row, 1000, 40) << "the middle of a point";
    EXPECT_NEAR(views.selection.hovered->cell.col, 14, 1);
    EXPECT_GE(number_size({.pitch = views.ui.drawn_matrices.front().pitch}), 8.5f) << "and can be read there";
}

TEST_F(CanvasLooking, ForbiddenCellsHaveStrokesWhereTheyAreReadAsHatching) {
    for (const float side : {16.0f, 24.0f, 44.0f, 120.0f}) {
        ASSERT_TRUE(has_room_for_hatching(ImVec2{side, side}));
        const float step = hatch_step(Rect::at({0, 0}, {side, side}));
        EXPECT_LT(step, side) << "at least one stroke";
        EXPECT_GE(step, 3) << "strokes do not run together";
        EXPECT_LE(step, 6) << "strokes belong together";
    }
}

TEST_F(CanvasLooking, WeightedValuesAreTheChosenQuerysSlice) {
    views.selection.unfolded.insert("weighted_values");
    views.selection.query = 2;
    views.frame(2);
    EXPECT_FALSE(canvas.is_seen({"weighted_values", {4, 1, 0}}));
    views.click(canvas.middle_of({"weighted_values", {4, 2, 0}}));
    EXPECT_EQ(*pinned(), (TensorCell{"weighted_values", {4, 2, 0}}));
}

} // namespace
} // namespace lab
