// Points that stand for many cells: what they show, what is said of them, and how one comes to read the cells.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/views/matrix_picture.h"
#include "app/views/reduction_choice.h"
#include "engine/derivation.h"
#include "tests/views/pictures.h"

namespace lab {

using test::Pictures;

// Others would be computed cell by cell, anew with every edit.
TEST_F(Pictures, OfWhatIsNotStoredHaveSquarePoints) {
    for (const int n : {1024, 2048}) {
        open(n, 64, MaskKind::causal);
        const PictureLevel level = picture("attention_weights").level;
        EXPECT_EQ(level.rows, level.cols) << n;
    }
}

TEST_F(Pictures, OfWhatIsStoredShowWhatThereIsRoomFor) {
    open(4096, 64);
    const PictureLevel level = picture("queries").level;
    EXPECT_LT(level.cols, level.rows);
}

TEST_F(Pictures, SayWhatTheirPointsShow) {
    EXPECT_EQ(cells_text({5, 5}), "32 × 32 cells");
    EXPECT_EQ(cells_text({1, 0}), "2 × 1 cells");
    open(1024, 8);
    views.move_to(canvas.middle_of({"attention_weights", {0, 600, 300}}));
    ASSERT_TRUE(views.selection.hovered.has_value());
    const Cell cell = views.selection.hovered->cell;
    const int side = 1 << picture("attention_weights").level.rows;
    const std::string rows =
        std::to_string(cell.row / side * side + 1) + "–" + std::to_string(cell.row / side * side + side);
    const std::string cells = std::to_string(side) + " × " + std::to_string(side) + " cells here";
    const float shown = texel("attention_weights", cell.row / side, cell.col / side);
    EXPECT_EQ(canvas.value({"attention_weights", cell}), shown) << "the cell whose number is the colour is told of";
    EXPECT_NE(views.ui.status.find(" = " + number_text(static_cast<double>(shown)) + ", greatest of the " + cells),
              std::string::npos)
        << views.ui.status;
    EXPECT_NE(views.ui.status_hint.find("rows " + rows), std::string::npos) << views.ui.status_hint;
    views.ui.reduction = Reduction::mean;
    views.frame(2);
    const float mean = texel("attention_weights", cell.row / side, cell.col / side);
    EXPECT_NE(views.ui.status.find(" = " + number_text(static_cast<double>(mean)) + ", mean of the " + cells),
              std::string::npos)
        << views.ui.status;
}

TEST_F(Pictures, APointOfMaskedWeightsIsZero) {
    open(1024, 8, MaskKind::causal);
    for (const Reduction reduction : {Reduction::maximum, Reduction::mean}) {
        views.ui.reduction = reduction;
        views.move_to(canvas.middle_of({"attention_weights", {0, 300, 600}}));
        EXPECT_NE(views.ui.status.find(" = 0"), std::string::npos) << views.ui.status;
    }
}

TEST_F(Pictures, OfCellsThatShareAPointTheOneThatIsNoNumberIsFound) {
    open(1024, 8);
    ASSERT_TRUE(views.lab.perform(SetCell{"inputs", {0, 602, 3}, NAN}).has_value());
    views.lab.refresh();
    views.frame(3);
    ASSERT_GT(picture("inputs").level.rows, 1);
    views.move_to(canvas.middle_of({"inputs", {0, 605, 3}}));
    EXPECT_EQ(views.selection.hovered, (TensorCell{"inputs", {0, 602, 3}})) << views.ui.status;
}

TEST_F(Pictures, TheMaskIsPaintedOnTheCellThatTheStatusNames) {
    open(1024, 8, MaskKind::causal);
    views.ui.paints_mask = true;
    views.frame(3);
    views.move_to(canvas.middle_of({"attention_weights", {0, 600, 303}}));
    const Fonts fonts;
    const Theme theme{kDarkPalette, fonts};
    const auto& all = views.ui.drawn_matrices;
    const auto weights = std::find_if(all.begin(), all.end(),
                                      [&](const DrawnMatrix& each) { return each.node == node("attention_weights"); });
    ASSERT_NE(weights, all.end());
    const MatrixView view{.node = weights->node, .origin = weights->origin, .pitch = weights->pitch};
    const std::optional<Cell> painted = cell_at(canvas.context(theme), view, ImGui::GetIO().MousePos);
    ASSERT_TRUE(painted && views.selection.hovered);
    EXPECT_EQ(views.selection.hovered->cell, *painted) << views.ui.status;
}

// Masked throughout, or of what is no number: neither has a finite cell, which is not to say that all are 0.
TEST_F(Pictures, OfNothingFiniteNothingIsSaidToBeSeen) {
    Document document = test::document_of({.n_tokens = 6, .d_in = 4, .d_k = 4, .d_v = 4});
    document.attention.mask = MaskKind::tensor;
    document.tensors["mask"] = Tensor(Shape::matrix(6, 6), -INFINITY);
    canvas.open(document);
    EXPECT_TRUE(views.lab.trace().has_seen_finite(node("attention_scores")));
    EXPECT_FALSE(views.lab.trace().has_seen_finite(node("masked_scores")));
    document.attention.mask = MaskKind::none;
    document.tensors.erase("mask");
    document.tensors["inputs"] = Tensor(Shape::matrix(6, 4), NAN);
    canvas.open(document);
    EXPECT_FALSE(views.lab.trace().has_seen_finite(node("attention_weights")));
}

TEST_F(Pictures, ToReadNumbersIsNotKeptUntilACanvasIsThere) {
    canvas.open("two-heads-split");
    views.ui.head_grid.is_open = true;
    views.ui.zooms_to_numbers = true; // Z
    views.frame(2);
    EXPECT_FALSE(views.ui.zooms_to_numbers);
    EXPECT_NE(views.ui.key_note.find("canvas"), std::string::npos) << views.ui.key_note;
}

TEST_F(Pictures, APointOfSignedCellsIsTheOneFarthestFromZero) {
    open(4096, 4);
    const PictureLevel level = picture("queries").level;
    ASSERT_GT(level.rows, 0);
    bool has_some_below_0 = false;
    for (int row = 0; row < 40; ++row) {
        float least = INFINITY, most = -INFINITY;
        for (int i = row << level.rows; i < (row + 1) << level.rows; ++i) {
            for (int j = 0; j < 1 << level.cols; ++j) {
                least = std::min(least, canvas.value({"queries", {0, i, j}}));
                most = std::max(most, canvas.value({"queries", {0, i, j}}));
            }
        }
        EXPECT_EQ(texel("queries", row, 0), most >= -least ? most : least);
        has_some_below_0 = has_some_below_0 || texel("queries", row, 0) < 0;
    }
    EXPECT_TRUE(has_some_below_0);
    EXPECT_EQ(picture("attention_scores").content().reduction, Reduction::maximum) << "as of the weights";
}

// Where numbers are too small a double click brings them near, and the one that the colour showed under the mouse.
TEST_F(Pictures, ADoubleClickZoomsToNumbersThatCanBeRead) {
    open(1024, 8);
    const ImVec2 place = canvas.middle_of({"attention_weights", {0, 600, 300}});
    views.move_to(place);
    const TensorCell shown = *views.selection.hovered;
    EXPECT_NE(views.ui.status_hint.find("double-click"), std::string::npos) << views.ui.status_hint;
    views.double_click(place);
    const ImVec2 now = canvas.middle_of(shown);
    EXPECT_NEAR(now.x, place.x, 2);
    EXPECT_NEAR(now.y, place.y, 2);
    EXPECT_EQ(views.selection.hovered, shown);
    EXPECT_EQ(*views.selection.pinned(), shown);
    EXPECT_FALSE(views.ui.editor.has_value());
    const auto is_it = [&](const DrawnMatrix& each) { return each.node == node("attention_weights"); };
    const auto& drawn = views.ui.drawn_matrices;
    const auto found = std::find_if(drawn.begin(), drawn.end(), is_it);
    ASSERT_NE(found, drawn.end());
    EXPECT_GE(number_size({.pitch = found->pitch}), 11);
    views.ui.zooms_to_numbers = true; // Z
    views.frame(1);
    EXPECT_NE(views.ui.key_note.find("can be read"), std::string::npos) << views.ui.key_note;
}

// Also at the view's edge, where the words of the rows would cover it.
TEST_F(Pictures, ADoubleClickNearTheEdgeShowsTheCellBesideTheWords) {
    open(1024, 8);
    const ImVec2 place = canvas.middle_of({"inputs", {0, 530, 5}});
    views.move_to(place);
    const TensorCell shown = *views.selection.hovered;
    views.double_click(place);
    const auto& drawn = views.ui.drawn_matrices;
    const auto inputs =
        std::find_if(drawn.begin(), drawn.end(), [&](const DrawnMatrix& each) { return each.node == node("inputs"); });
    ASSERT_NE(inputs, drawn.end());
    EXPECT_GE(canvas.middle_of(shown).x - inputs->pitch.x / 2, inputs->clip.left - 1);
    EXPECT_NEAR(canvas.middle_of(shown).y, place.y, 2);
}

// The greatest of many scores are nearly all above 0: on the scale of single cells they would all be of one colour.
TEST_F(Pictures, TheGreatestOfManyScoresRunFromTheLeastToTheGreatestOfThem) {
    open(1024, 64);
    for (int i = 0; i < 200 && !is_all_there(); ++i) views.frame();
    views.frame(3);
    expect_span_of_texels("attention_scores");
    const Extent points = span("attention_scores");
    ASSERT_GT(points.least, 0);
    const Fonts fonts;
    const Theme theme{kDarkPalette, fonts};
    ViewContext context = canvas.context(theme);
    const auto& all = views.ui.drawn_matrices;
    const auto scores = std::find_if(all.begin(), all.end(),
                                     [&](const DrawnMatrix& each) { return each.node == node("attention_scores"); });
    ASSERT_NE(scores, all.end());
    const MatrixView view{.node = scores->node, .origin = scores->origin, .pitch = scores->pitch};
    const std::optional<ColorScale> colors = shown_scale(matrix_frame(context, view), {0, 0, 812, 724});
    ASSERT_TRUE(colors.has_value());
    EXPECT_EQ(colors->least, points.least) << "which the legend says";
    EXPECT_EQ(colors->greatest, points.greatest);
    EXPECT_EQ(colors->at(points.least), kDarkPalette.zero);
    EXPECT_EQ(colors->at(points.greatest), kDarkPalette.hot);
    EXPECT_EQ(views.ui.pictures.span("queries"), nullptr) << "the strongest stand on either side of 0";
}

// Of few weights in a row, seen by points that are not square, nobody has come by the rows.
TEST_F(Pictures, WeightsOfFewKeysHaveColoursUpToTheGreatestOfThem) {
    Document document = test::document_of({.n_tokens = 2000, .d_in = 64, .d_k = 64, .d_v = 64});
    document.tensors["context_inputs"] = test::document_of({.n_tokens = 40, .d_in = 64}).tensors.at("inputs");
    canvas.open(document);
    views.frame(4);
    const int weights = node("attention_weights");
    ASSERT_FALSE(views.lab.trace().is_stored(weights));
    ASSERT_NE(picture("attention_weights").level.rows, picture("attention_weights").level.cols);
    const float row = 700.0f / 2000;
    const auto colors = colors_of("attention_weights", row);
    ASSERT_TRUE(colors.has_value());
    EXPECT_FLOAT_EQ(float(colors->greatest), greatest("attention_weights", {0, 2000}, {0, 40}));
}

} // namespace lab
