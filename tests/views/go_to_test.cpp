// Going to a number by its words, and the canvas that follows keys and lists when it has been zoomed by hand.
#include <gtest/gtest.h>

#include "app/views/dialogs.h"
#include "app/views/phone_layout.h"
#include "app/views/phone_parts.h"
#include "app/views/shortcuts.h"
#include "app/views/views.h"
#include "tests/views/canvas_support.h"

namespace lab::test {

namespace {

constexpr Rect kCanvas{0, 48, 1008, 772}, kInspector{1008, 48, 1280, 772};
constexpr ImVec2 kSearch{1143, 73};

class GoTo : public testing::Test {
  protected:
    GoTo()
        : views([](ViewContext& context) {
              context.ui.drawn_matrices.clear();
              context.selection.hovered.reset();
              handle_keys(context);
              draw_canvas(context, kCanvas);
              draw_inspector(context, kInspector);
              draw_dialogs(context);
          }) {
        views.performs = true;
        views.ui.n_hints_dismissed = 100;
        views.frame(2);
    }

    void open(const Document& document) {
        views.open(document);
        views.frame(2);
    }
    void enter() {
        views.key(ImGuiKey_Enter);
        views.frame(3);
    }
    // Opens the dialog, types in its fields and presses Enter.
    void go_to(const std::string& row, const std::string& col = {}) {
        views.type("/");
        views.frame(3);
        ASSERT_TRUE(views.ui.go_to_open);
        views.type(row);
        if (!col.empty()) {
            views.key(ImGuiKey_Tab);
            views.type(col);
        }
        enter();
    }
    // An entry of the dialog's list of matrices, which are those of the first session.
    enum Entry { kWQuery = 1, kQueries, kKeys = 4, kWeights = 8, kBehindWeights };
    void choose(Entry entry) {
        constexpr float kFirst = 39, kEach = 30;
        if (!views.ui.go_to_open) views.type("/");
        views.frame(3);
        const ImGuiWindow* dialog = ImGui::FindWindowByName("go-to dialog");
        ASSERT_NE(dialog, nullptr);
        const ImVec2 choice{dialog->Pos.x + 220, dialog->Pos.y + 90};
        views.click(choice);
        views.frame(3);
        views.click({choice.x, choice.y + kFirst + kEach * static_cast<float>(entry)});
        views.frame(3);
    }
    TensorCell pinned() const { return *views.selection.pinned(); }
    std::optional<Rect> area(const TensorCell& cell) {
        const Fonts fonts;
        return drawn_area(views.context({kDarkPalette, fonts}), cell);
    }
    // Whole, and wide enough for its number.
    bool can_be_read(const TensorCell& cell) {
        const std::optional<Rect> seen = area(cell);
        return seen && seen->width() > 40 && seen->height() > 20;
    }

    HeadlessViews views;
};

Document long_text() { return document_of({.n_tokens = 400, .d_in = 8, .d_k = 8, .d_v = 8}); }

TEST_F(GoTo, ANumberOfALongTextByWordAndByNumber) {
    open(long_text());
    go_to("word250", "31");
    EXPECT_FALSE(views.ui.go_to_open);
    EXPECT_EQ(pinned(), (TensorCell{"attention_weights", {0, 250, 30}}));
    EXPECT_TRUE(can_be_read(pinned()));
    EXPECT_EQ(views.selection.query, 250);
    go_to("", "word399");
    EXPECT_EQ(pinned(), (TensorCell{"attention_weights", {0, 250, 399}})) << "what is left blank stays";
    EXPECT_TRUE(can_be_read(pinned()));
}

TEST_F(GoTo, BothPlacesInTheFirstField) {
    open(long_text());
    go_to("word250 word31");
    EXPECT_EQ(pinned(), (TensorCell{"attention_weights", {0, 250, 31}}));
    go_to("attention_weights[word7, word8]");
    EXPECT_EQ(pinned(), (TensorCell{"attention_weights", {0, 7, 8}})) << "as the status bar names it";
    go_to("word250 word31", "9");
    EXPECT_TRUE(views.ui.go_to_open) << "one key is asked for twice";
    EXPECT_EQ(pinned(), (TensorCell{"attention_weights", {0, 7, 8}}));
}

TEST_F(GoTo, TheFirstAndTheLastColumnsFillTheView) {
    open(long_text());
    const auto area_of = [&](int col) { return area({"attention_weights", {0, 200, col}}); };
    go_to("201", "1");
    ASSERT_TRUE(area_of(0) && area_of(10));
    EXPECT_LT(area_of(0)->left, kCanvas.left + 120) << "with the row's word before it";
    go_to("", "400");
    ASSERT_TRUE(area_of(399) && area_of(389));
    EXPECT_GT(area_of(399)->right, kCanvas.right - 20);
}

TEST_F(GoTo, AnotherMatrixIsChosenInTheDialog) {
    choose(kQueries);
    views.type("with"); // in the first field at once
    enter();
    EXPECT_EQ(pinned(), (TensorCell{"queries", {0, 3, 0}}));
    go_to("", "2");
    EXPECT_EQ(pinned(), (TensorCell{"queries", {0, 3, 1}})) << "and of it the next one";
}

TEST_F(GoTo, WhereNothingIsPinnedTheChosenMatrixBeginsWithTheQuery) {
    views.selection.unpin();
    views.selection.query = 3;
    choose(kKeys);
    enter();
    EXPECT_EQ(pinned(), (TensorCell{"keys", {0, 3, 0}}));
    views.selection.query = 2;
    views.selection.unfolded.insert("weighted_values");
    views.frame(2);
    choose(kBehindWeights);
    enter();
    EXPECT_EQ(pinned(), (TensorCell{"weighted_values", {0, 2, 0}})) << "its slice";
}

TEST_F(GoTo, AChoiceIsForgottenWithItsDialogAndLeadsBackToThePinnedNumber) {
    const TensorCell weight{"attention_weights", {0, 2, 4}};
    views.selection.visit(weight, views.lab.program());
    views.frame(2);
    choose(kQueries);
    views.key(ImGuiKey_Escape);
    views.frame(3);
    go_to("", "1");
    EXPECT_EQ(pinned(), (TensorCell{"attention_weights", {0, 2, 0}}));
    go_to("", "4");
    choose(kQueries);
    choose(kWeights);
    enter();
    EXPECT_FALSE(views.ui.go_to_open);
    EXPECT_EQ(pinned(), (TensorCell{"attention_weights", {0, 2, 3}}));
}

TEST_F(GoTo, WhatWasTypedStaysWithItsKindOfRow) {
    views.type("/");
    views.frame(3);
    views.type("with");
    views.frame(2);
    choose(kQueries);
    enter();
    EXPECT_EQ(pinned(), (TensorCell{"queries", {0, 3, 0}})) << "a row of queries is a token's too";
    views.selection.unpin();
    views.frame(2);
    views.type("/");
    views.frame(3);
    views.type("with");
    choose(kWQuery);
    enter();
    EXPECT_EQ(pinned(), (TensorCell{"W_query", {0, 0, 0}})) << "no row of which is";
}

TEST_F(GoTo, AMatrixThatStandsAloneIsNoChoice) {
    const auto height = [&] {
        views.type("/");
        views.frame(3);
        const ImGuiWindow* dialog = ImGui::FindWindowByName("go-to dialog");
        const float found = dialog->Size.y;
        views.key(ImGuiKey_Escape);
        views.frame(3);
        return found;
    };
    views.selection.unpin();
    const float with_choice = height();
    views.selection.shown_stage = 0;
    views.frame(2);
    EXPECT_LT(height(), with_choice - 40);
    go_to("2", "3");
    EXPECT_EQ(pinned(), (TensorCell{"inputs", {0, 1, 2}})) << "what is seen, not the weights";
}

TEST_F(GoTo, WhereGradientsAreShownTheyAreGoneTo) {
    ASSERT_TRUE(views.lab.perform(SetGradient{"attention_weights[1,2]"}).has_value());
    views.selection.shows_gradient = true;
    views.frame(3);
    views.selection.unpin();
    go_to("2");
    EXPECT_EQ(pinned().tensor, "grad.attention_weights");
    choose(kQueries);
    enter();
    EXPECT_EQ(pinned().tensor, "grad.queries");
}

TEST_F(GoTo, WhereNumbersCanBeReadTheViewStays) {
    const float zoom = views.ui.camera.zoom;
    go_to("one");
    EXPECT_EQ(pinned().cell.row, 4);
    EXPECT_TRUE(views.ui.camera.is_fitted);
    EXPECT_EQ(views.ui.camera.zoom, zoom);
}

TEST_F(GoTo, TheSameTextGoesOnToTheNextOfTheSameName) {
    Document document = views.lab.document();
    document.tokens = {"the", "cat", "the", "dog", "the", "end"};
    open(document);
    ASSERT_EQ(pinned().cell.row, 1);
    std::vector<int> rows;
    go_to("the");
    rows.push_back(pinned().cell.row);
    for (int i = 0; i < 3; ++i) {
        go_to("");
        rows.push_back(pinned().cell.row);
    }
    EXPECT_EQ(rows, (std::vector{2, 4, 0, 2}));
    views.selection.visit({"attention_weights", {0, 1, 1}}, views.lab.program());
    views.type("/");
    EXPECT_EQ(views.ui.go_to_form.row, "") << "elsewhere one begins anew";
}

TEST_F(GoTo, WhatIsNotThereIsSaidAndNothingMoves) {
    const TensorCell before = pinned();
    go_to("yacht");
    EXPECT_TRUE(views.ui.go_to_open);
    EXPECT_EQ(pinned(), before);
    views.key(ImGuiKey_Escape);
    views.frame(3);
    EXPECT_FALSE(views.ui.go_to_open);
    EXPECT_EQ(pinned(), before);
    EXPECT_EQ(views.ui.go_to_form.row, "");
}

// A word that was not there can be mended at once; a hand may be quicker than frames are.
TEST_F(GoTo, IsTypedWithoutTheMouse) {
    ImGuiIO& io = ImGui::GetIO();
    views.type("/");
    views.frame(3);
    views.type("yacht");
    views.key(ImGuiKey_Enter);
    EXPECT_TRUE(io.WantTextInput);
    views.type("with");
    io.AddKeyEvent(ImGuiKey_Tab, true);
    views.frame();
    io.AddKeyEvent(ImGuiKey_Tab, false);
    io.AddInputCharactersUTF8("one");
    views.frame(3);
    EXPECT_EQ(views.ui.go_to_form.row, "with");
    EXPECT_EQ(views.ui.go_to_form.col, "one");
    views.key(ImGuiKey_Enter);
    EXPECT_EQ(pinned(), (TensorCell{"attention_weights", {0, 3, 4}}));
}

TEST_F(GoTo, ATextThatWasKeptMovesNothingBesideANewOne) {
    Document document = views.lab.document();
    document.tokens = {"the", "cat", "the", "dog", "the", "end"};
    open(document);
    go_to("dog", "the");
    EXPECT_EQ(pinned().cell, (Cell{0, 3, 2}));
    go_to("end");
    EXPECT_EQ(pinned().cell, (Cell{0, 5, 2}));
}

// Seen or not: it is asked for.
TEST_F(GoTo, TheNumberThatIsPinnedAlready) {
    open(long_text());
    go_to("200", "200");
    pan(views.ui.camera, {-3000, -2000});
    views.frame(2);
    ASSERT_FALSE(can_be_read(pinned()));
    go_to("200", "200");
    EXPECT_TRUE(can_be_read(pinned()));
}

TEST_F(GoTo, FromAllHeadsItIsChosenAndTheCanvasStays) {
    open(document_of({.n_tokens = 400, .d_in = 8, .d_k = 8, .d_v = 8, .n_heads = 2}));
    const Cell before = pinned().cell;
    views.ui.head_grid.is_open = true;
    views.frame(2);
    go_to("300");
    EXPECT_EQ(pinned().cell, (Cell{before.plane, 299, before.col}));
    views.ui.head_grid.is_open = false;
    views.frame(3);
    EXPECT_TRUE(views.ui.camera.is_fitted);
}

TEST_F(GoTo, WithinTheSliceOfTheChosenQueryAndWhereThereIsOneNumber) {
    views.selection.visit({"weighted_values", {2, 1, 0}}, views.lab.program());
    go_to("step", "2");
    EXPECT_EQ(pinned(), (TensorCell{"weighted_values", {5, 1, 1}}));
    open(document_of({.n_tokens = 1, .d_in = 1, .d_k = 1, .d_v = 1}));
    const TensorCell only = pinned();
    views.type("/");
    views.frame(3);
    EXPECT_TRUE(views.ui.go_to_open);
    views.key(ImGuiKey_Enter);
    views.frame(3);
    EXPECT_FALSE(views.ui.go_to_open);
    EXPECT_EQ(pinned(), only);
}

TEST_F(GoTo, ByTheButtonOfThePanelFromTheChosenQuery) {
    views.selection.let_go();
    views.selection.query = 2;
    views.click(kSearch);
    views.frame(3);
    ASSERT_TRUE(views.ui.go_to_open);
    views.key(ImGuiKey_Tab);
    views.type("step");
    views.key(ImGuiKey_Enter);
    views.frame(3);
    EXPECT_EQ(pinned(), (TensorCell{"attention_weights", {0, 2, 5}}));
}

TEST_F(GoTo, TheFirstFromHereOn) {
    views.selection.visit({"attention_weights", {0, 1, 2}}, views.lab.program()); // starts
    go_to("", "st");
    EXPECT_EQ(pinned(), (TensorCell{"attention_weights", {0, 1, 2}}));
    go_to("");
    EXPECT_EQ(pinned(), (TensorCell{"attention_weights", {0, 1, 5}})) << "step, by the same text again";
}

TEST_F(GoTo, ArrowsEndAtTheEdge) {
    open(long_text());
    go_to("200", "1");
    const TensorCell before = pinned();
    views.key(ImGuiKey_LeftArrow);
    EXPECT_EQ(pinned(), before);
    views.key(ImGuiMod_Shift | ImGuiKey_Tab);
    EXPECT_EQ(pinned().cell, (Cell{0, 198, 399})) << "Tab goes on in the row before";
    EXPECT_TRUE(can_be_read(pinned()));
}

TEST_F(GoTo, AZoomedCanvasFollowsTheKeys) {
    open(long_text());
    go_to("200", "200");
    const float zoom = views.ui.camera.zoom;
    for (int i = 0; i < 40; ++i) {
        views.key(i % 2 == 0 ? ImGuiKey_DownArrow : ImGuiKey_RightArrow);
        ASSERT_TRUE(can_be_read(pinned())) << i;
    }
    EXPECT_EQ(pinned().cell, (Cell{0, 219, 219}));
    EXPECT_EQ(views.ui.camera.zoom, zoom);
    views.key(ImGuiKey_Q);
    EXPECT_TRUE(can_be_read(pinned())) << "another query";
    views.key(ImGuiMod_Alt | ImGuiKey_LeftArrow);
    EXPECT_TRUE(can_be_read(pinned())) << "the number before";
}

TEST_F(GoTo, AZoomedCanvasFollowsToAnotherMatrixButNotAClick) {
    open(long_text());
    go_to("200", "200");
    views.move_to({kInspector.left + 60, kInspector.bottom - 60});
    views.selection.visit({"inputs", {0, 300, 4}}, views.lab.program());
    views.ui.approach = Approach::into_view; // as a list of the panel does
    views.frame(2);
    EXPECT_TRUE(area(pinned()).has_value());
    go_to("300", "5");
    const TensorCell other{"inputs", {0, 303, 4}};
    ASSERT_TRUE(area(other));
    const ImVec2 origin = views.ui.camera.origin;
    views.click(area(other)->center());
    EXPECT_EQ(pinned(), other);
    EXPECT_EQ(views.ui.camera.origin.x, origin.x);
    EXPECT_EQ(views.ui.camera.origin.y, origin.y);
}

// Whatever makes room beside it, be it above.
TEST_F(GoTo, AZoomedMatrixStaysWhenAnotherUnfolds) {
    open(long_text());
    go_to("200", "200");
    const std::optional<Rect> before = area(pinned());
    ASSERT_TRUE(before);
    const auto place_of_weights = [&] {
        return views.ui.canvas.layout.find(views.lab.program().find("attention_weights"))->cells;
    };
    const Rect place = place_of_weights();
    views.selection.toggle_fold("scaled_scores");
    views.frame(2);
    const std::optional<Rect> after = area(pinned());
    ASSERT_TRUE(after);
    EXPECT_NE(place_of_weights(), place) << "it stands elsewhere in the layout";
    EXPECT_NEAR(after->center().x, before->center().x, 1);
    EXPECT_NEAR(after->center().y, before->center().y, 1) << "its rows may be lower now";
    EXPECT_NEAR(after->width(), before->width(), 0.1f);
}

TEST(GoToOnAPhone, ByTheButtonOfTheSheetUntilTheNumberCanBeRead) {
    float sheet_top = 0;
    HeadlessViews views(
        [&](ViewContext& context) {
            context.ui.drawn_matrices.clear();
            draw_phone(context, {0, 0, 390, 844});
            draw_dialogs(context);
            const float height = phone_sheet_height(context, 390, *context.selection.pinned());
            sheet_top = phone_frame({0, 0, 390, 844}, {true, height, 0}, false).sheet.top;
        },
        {390, 844});
    views.platform.coarse_pointer = true;
    views.open(long_text());
    views.frame(3);
    views.click({366, sheet_top + 12});
    views.frame(3);
    ASSERT_TRUE(views.ui.go_to_open);
    views.type("word250");
    views.key(ImGuiKey_Tab);
    views.type("31");
    views.key(ImGuiKey_Enter);
    views.frame(3);
    const TensorCell there{"attention_weights", {0, 250, 30}};
    EXPECT_EQ(*views.selection.pinned(), there);
    ASSERT_FALSE(views.ui.drawn_matrices.empty());
    const float pitch = views.ui.drawn_matrices.front().pitch.x; // of the tab's first matrix
    EXPECT_GT(pitch, 40);
}

} // namespace
} // namespace lab::test
