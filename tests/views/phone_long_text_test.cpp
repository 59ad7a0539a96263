#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include "app/views/explanation.h"
#include "app/views/matrix_metrics.h"
#include "app/views/matrix_picture.h"
#include "app/views/phone_camera.h"
#include "app/views/views.h"
#include "tests/views/canvas_support.h"
#include "tests/views/headless.h"

namespace lab {
namespace {

// A phone that shows a text of any length.
class PhoneWithLongText : public testing::Test {
  protected:
    static constexpr int kPiecesOfRamp = 24;

    bool reads_pictures = false;
    HeadlessViews views{[this](ViewContext& context) {
                            context.ui.drawn_matrices.clear(); // as the application does
                            draw_phone(context, {0, 0, 390, 844});
                            if (reads_pictures) refresh_pictures(context);
                        },
                        {390, 844}};

    void open(int n_tokens) {
        Document document = views.lab.document();
        document.tokens.clear();
        for (int i = 0; i < n_tokens; ++i) document.tokens.push_back("token " + std::to_string(10001 + i));
        document.tensors["inputs"] = Tensor(Shape::matrix(n_tokens, 3), 0.5f);
        views.open(document);
        views.frame(3);
    }

    // So wide that no numbers are drawn.
    void open_wide(int n_tokens) {
        const auto document = test::document_of({.n_tokens = n_tokens, .d_in = 64, .d_k = 64, .d_v = 64});
        views.open(document);
        views.frame(3);
    }

    static ImVec2 place_of_tab(int tab) { return {390 * (static_cast<float>(tab) + 0.5f) / 5, 820}; }

    void choose(int query) {
        views.selection.query = query;
        views.frame(3);
    }

    static ImGuiWindow* strip() { return window_with("##tokens"); }

    static int n_vertices_of(const std::string& window) {
        int n = 0;
        for (const ImDrawList* list : ImGui::GetDrawData()->CmdLists)
            n += std::string(list->_OwnerName).find(window) != std::string::npos ? list->VtxBuffer.Size : 0;
        return n;
    }
};

// Whom one attends to is read at the map itself, too.
TEST_F(PhoneWithLongText, TheChosenColumnOfManyHasItsWord) {
    open(40);
    views.click(place_of_tab(3));
    const auto n_letters_above = [&](int col) {
        views.selection.visit({"attention_weights", {0, 9, col}}, views.lab.program());
        views.frame(3);
        const DrawnMatrix& map = views.ui.drawn_matrices.front();
        const float middle = map.origin.x + (static_cast<float>(col) + 0.5f) * map.pitch.x;
        const Rect above{middle - 30, map.origin.y - 16, middle + 30, map.origin.y};
        return test::n_letters("", above, kDarkPalette.accent.u32());
    };
    EXPECT_EQ(n_letters_above(20), 10) << "\"token 10021\" and no blank";
    EXPECT_EQ(n_letters_above(13), 10);
}

// A row that is in sight anyhow.
TEST_F(PhoneWithLongText, ATapOnAZoomedMapLeavesItWhereItIs) {
    open(1000);
    views.click(place_of_tab(3));
    const ImVec2 finger{200, 350};
    for (int i = 0; i < 4; ++i) {
        ASSERT_TRUE(pinch_tab(views.ui, finger, {0, 0}, 3));
        views.frame(2);
    }
    const auto map = [&] { return views.ui.drawn_matrices.front(); };
    for (const float y : {330.0f, 250.0f, 450.0f}) {
        const float top = map().origin.y, row_height = map().pitch.y;
        views.click({finger.x, y});
        views.frame(3);
        ASSERT_NE(views.selection.pinned(), nullptr);
        EXPECT_EQ(views.selection.pinned()->cell.row, static_cast<int>((y - top) / row_height));
        EXPECT_EQ(map().origin.y, top) << y;
    }
}

TEST_F(PhoneWithLongText, WhatPointsShowIsChosenInTheMenu) {
    open_wide(400);
    views.click(place_of_tab(2));
    views.frame(3);
    ASSERT_FALSE(views.ui.pictures.levels_drawn().empty()) << "points stand for several cells";
    views.ui.phone_menu_open = true;
    views.frame(3);
    for (float y = 190; y < 300 && views.ui.reduction != Reduction::mean; y += 10) views.click({130, y});
    EXPECT_EQ(views.ui.reduction, Reduction::mean);
    EXPECT_EQ(views.platform.preferences["reduction"], "mean");
}

TEST_F(PhoneWithLongText, TheStripOfTokensDrawsThoseInSightAlone) {
    open(50);
    choose(25);
    const int of_few = n_vertices_of("##tokens");
    EXPECT_GT(of_few, 0);
    open(5000);
    choose(2500);
    EXPECT_EQ(n_vertices_of("##tokens"), of_few);
}

TEST_F(PhoneWithLongText, TheStripOfTokensScrollsToItsEnd) {
    open(5000);
    ImGui::SetScrollX(strip(), strip()->ScrollMax.x);
    views.frame(3);
    views.click({340, 80});
    EXPECT_EQ(views.selection.query, 4999);
}

TEST_F(PhoneWithLongText, TheStripOfTokensFollowsTheQueryThatIsChosenElsewhere) {
    open(5000);
    choose(3000);
    const float scrolled = strip()->Scroll.x;
    EXPECT_GT(scrolled, 3000.0f * 80);
    views.selection.query = 3001; // beside it, and in sight
    views.frame(3);
    EXPECT_EQ(strip()->Scroll.x, scrolled) << "what is in sight stays where it is";
    views.click({195, 80});
    EXPECT_EQ(views.selection.query, 3000) << "the one that was scrolled to stands in the middle";
}

TEST_F(PhoneWithLongText, TheStripOfTokensIsLeftWhereItWasScrolledTo) {
    open(5000);
    choose(3000);
    ImGui::SetScrollX(strip(), 1000);
    views.frame(3);
    EXPECT_EQ(strip()->Scroll.x, 1000);
}

TEST_F(PhoneWithLongText, ATabShowsTheQueryThatWasChosenOnAnother) {
    const auto is_in_sight = [&](int row) {
        const DrawnMatrix first = views.ui.drawn_matrices.front();
        const float y = first.origin.y + (static_cast<float>(row) + 0.5f) * first.pitch.y;
        return y > first.clip.top && y < first.clip.bottom;
    };
    open_wide(1000);
    views.ui.opened_query = views.selection.query;
    views.click(place_of_tab(0)); // "Inputs"
    EXPECT_TRUE(is_in_sight(0)) << "as it was opened";
    views.click(place_of_tab(3)); // "Weights"
    choose(600);
    views.click(place_of_tab(0));
    EXPECT_TRUE(is_in_sight(600));
    views.wheel({195, 400}, 5);
    EXPECT_FALSE(is_in_sight(600)) << "and is left where it is scrolled to";
}

TEST_F(PhoneWithLongText, WhatTheRowsOfTheMapComeToIsShownForTheChosenQuery) {
    open_wide(1000);
    ASSERT_EQ(views.ui.phone_tab, 3) << "Weights";
    const auto rows_in_sight = [&] {
        const DrawnMatrix& contexts = views.ui.drawn_matrices.back();
        EXPECT_EQ(views.lab.program().node(contexts.node).name, "context_vectors");
        const Rect& clip = contexts.clip;
        const auto row_at = [&](float y) {
            return static_cast<int>(std::lround((y - contexts.origin.y) / contexts.pitch.y));
        };
        return Range{row_at(clip.top), row_at(clip.bottom)};
    };
    const float map_top = views.ui.drawn_matrices.front().origin.y;
    for (const int query : {0, 1, 300, 333, 600, 999}) {
        choose(query);
        const DrawnMatrix& contexts = views.ui.drawn_matrices.back();
        const float row_top = contexts.origin.y + static_cast<float>(query) * contexts.pitch.y;
        EXPECT_GE(row_top, contexts.clip.top) << query << ": not below the line under the title";
        EXPECT_TRUE(rows_in_sight().contains(query)) << query;
        EXPECT_EQ(views.ui.drawn_matrices.front().origin.y, map_top) << "the map stays";
    }
    choose(600);
    const DrawnMatrix before = views.ui.drawn_matrices.back();
    const ImVec2 cell{before.origin.x + 10.5f * before.pitch.x, before.origin.y + 600.5f * before.pitch.y};
    views.click(cell);
    EXPECT_EQ(*views.selection.pinned(), (TensorCell{"context_vectors", {0, 600, 10}}));
    EXPECT_EQ(views.ui.drawn_matrices.back().origin.y, before.origin.y) << "what was tapped stays below the finger";
}

TEST_F(PhoneWithLongText, ASecondTapZoomsInUntilNumbersAreRead) {
    open_wide(100);
    constexpr ImVec2 kPlace{200, 300};
    const auto cell_below = [&] {
        const DrawnMatrix& map = views.ui.drawn_matrices.front();
        return ImVec2{(kPlace.x - map.origin.x) / map.pitch.x, (kPlace.y - map.origin.y) / map.pitch.y};
    };
    const ImVec2 before = cell_below();
    views.click(kPlace);
    views.wait(1);
    views.click(kPlace);
    EXPECT_EQ(cell_below().x, before.x) << "two taps, one after the other";
    views.wait(1);
    views.double_click(kPlace);
    views.frame(3);
    EXPECT_GE(views.ui.drawn_matrices.front().pitch.x, matrix_metrics::kPitch.x);
    EXPECT_NEAR(cell_below().x, before.x, 0.05f);
    EXPECT_NEAR(cell_below().y, before.y, 0.05f);
}

TEST_F(PhoneWithLongText, AnotherTextIsShownFromItsChosenQuery) {
    open(5000);
    choose(3000);
    open(400);
    EXPECT_LT(views.selection.query, 5);
    EXPECT_EQ(strip()->Scroll.x, 0);
}

TEST_F(PhoneWithLongText, TheStripOfBarsMarksWhereTermsAreLeftOut) {
    open(5000);
    views.ui.sheet_open = true;
    views.selection.visit({"attention_weights", {0, 10, 3000}}, views.lab.program());
    views.frame(3);
    const Explanation told = explain(views.lab, *views.selection.pinned());
    ASSERT_EQ(told.terms.size(), told.n_before_gap + 1);
    ASSERT_TRUE(told.terms.back().is_own) << "a small one, told after the greatest";
    ImGuiWindow* bars = window_with("##strip");
    ASSERT_NE(bars, nullptr);
    // The chosen bar stands in the middle, after the mark.
    const auto n_vertices_from = [&](float left, std::optional<ImU32> color) {
        return test::n_vertices({left, bars->Pos.y + 1, left + 44, bars->Pos.y + bars->Size.y - 1}, color);
    };
    const float own = bars->Pos.x + bars->Size.x / 2 + 20;
    EXPECT_GT(n_vertices_from(own, kDarkPalette.accent.u32()), 0);
    EXPECT_EQ(n_vertices_from(own - 54, kDarkPalette.raised.u32()), 0) << "no bar";
    EXPECT_GE(n_vertices_from(own - 54, kDarkPalette.dim.u32()), 4 * 10) << "a number, and \"left out\"";
}

// Its colours are a ramp of pieces.
TEST_F(PhoneWithLongText, ALegendBelowAMatrixTellsWhatItsColoursStandFor) {
    reads_pictures = true;
    open_wide(700);
    views.click(place_of_tab(2)); // "Scores"
    const DrawnMatrix scores = views.ui.drawn_matrices.front();
    const float bottom = scores.origin.y + 700 * scores.pitch.y;
    ASSERT_LT(bottom + matrix_metrics::kLegend, scores.clip.bottom) << "in sight";
    EXPECT_GT(test::n_vertices(Rect{scores.origin.x, bottom + 1, 390, bottom + matrix_metrics::kLegend}),
              2 * kPiecesOfRamp);
}

TEST_F(PhoneWithLongText, ALegendOfZerosSaysSoAndHasNoColours) {
    reads_pictures = true;
    open_wide(700);
    Document document = views.lab.document();
    document.tensors["W_query"] = Tensor(Shape::matrix(64, 64), 0.0f);
    ASSERT_TRUE(views.lab.perform(OpenDocument{document}).has_value());
    views.lab.refresh();
    views.click(place_of_tab(2)); // "Scores"
    const DrawnMatrix scores = views.ui.drawn_matrices.front();
    const float bottom = scores.origin.y + 700 * scores.pitch.y;
    const int n = test::n_vertices(Rect{scores.origin.x, bottom + 1, 390, bottom + matrix_metrics::kLegend});
    EXPECT_GT(n, 4);
    EXPECT_LT(n, 2 * kPiecesOfRamp);
}

TEST_F(PhoneWithLongText, OfNumbersThatNobodyHasSeenYetALegendSaysNothing) {
    open_wide(1000);
    views.click(place_of_tab(2)); // "Scores", which are not stored, nor drawn without a graphics processor
    const DrawnMatrix scores = views.ui.drawn_matrices.front();
    const float bottom = scores.origin.y + 1000 * scores.pitch.y;
    EXPECT_EQ(test::n_vertices(Rect{scores.origin.x, bottom + 1, 390, bottom + matrix_metrics::kLegend}), 0);
}

TEST_F(PhoneWithLongText, TheLegendOfAMatrixTallerThanTheScreenStaysAtTheLowerEdge) {
    open_wide(1000);
    views.click(place_of_tab(4)); // "Context"
    const DrawnMatrix context = views.ui.drawn_matrices.front();
    const float end = context.clip.bottom;
    ASSERT_GT(context.origin.y + 1000 * context.pitch.y, end) << "out of sight";
    const Rect edge{0, end - matrix_metrics::kLegend, 390, end};
    EXPECT_GT(test::n_vertices(edge), 2 * kPiecesOfRamp);
    const auto before = *views.selection.pinned();
    views.click({200, edge.center().y});
    EXPECT_EQ(*views.selection.pinned(), before) << "a tap on it is none on a cell below";
    views.click({200, edge.top - 10});
    EXPECT_EQ(views.selection.pinned()->tensor, "context_vectors");
}

} // namespace
} // namespace lab
