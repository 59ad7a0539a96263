#include <cmath>
#include <set>

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include "app/views/explanation.h"
#include "app/views/explanation_widgets.h"
#include "app/views/views.h"
#include "app/widgets/controls.h"
#include "app/widgets/text.h"
#include "engine/formats/presets.h"
#include "tests/views/headless.h"

namespace lab {
namespace {

constexpr Rect kArea{1008, 49, 1280, 772};
constexpr float kFirstRow = 308, kRow = 22; // of the weights' list
constexpr float kButtons = 74;              // the middle of the small buttons at the top
constexpr float kFold = 1256, kUnpin = 1230, kForward = 1206, kBack = 1182;

class Inspector : public testing::Test {
  protected:
    HeadlessViews views{[](ViewContext& context) { draw_inspector(context, kArea); }};

    const TensorCell* pinned() const { return views.selection.pinned(); }

    void pin(const TensorCell& cell) {
        views.selection.visit(cell, views.lab.program());
        views.frame(2);
    }

    void open(const std::string& preset) { views.open_preset(preset); }
};

TEST_F(Inspector, DrawsEveryCellOfEveryPreset) {
    for (const PresetInfo& preset : presets()) {
        open(preset.name);
        for (const Node& node : views.lab.program().nodes) {
            for (int i = 0; i < static_cast<int>(node.shape.size()); ++i) {
                const int row = i / node.shape.cols;
                const TensorCell cell{node.name, {row / node.shape.rows, row % node.shape.rows, i % node.shape.cols}};
                views.selection.visit(cell, views.lab.program());
                views.frame();
                ASSERT_EQ(views.ui.explanation->cell, cell);
                ASSERT_GT(ImGui::GetDrawData()->TotalVtxCount, 100);
            }
        }
    }
}

TEST_F(Inspector, ARowLightsItsCellAndLeadsToIt) {
    const TensorCell weight{"attention_weights", {0, 1, 2}};
    const TensorCell score{"scaled_scores", {0, 1, 3}};
    views.move_to({1100, kFirstRow + 3 * kRow});
    EXPECT_EQ(views.ui.lit_by_list, score);
    EXPECT_EQ(views.ui.explanation->cell, weight) << "what its rows light is not what it explains";
    views.click({1100, kFirstRow + 3 * kRow});
    ASSERT_NE(pinned(), nullptr);
    EXPECT_EQ(*pinned(), score);
    EXPECT_EQ(views.ui.explanation->cell, score);
}

TEST_F(Inspector, TheFirstScreenFits) {
    views.frame(2);
    const ImGuiWindow* panel = window_with("##explanation");
    ASSERT_NE(panel, nullptr);
    EXPECT_EQ(panel->ScrollMax.y, 0);
}

TEST_F(Inspector, UnfoldsATensorWhoseCellsCannotBeSeen) {
    views.click({1080, kFirstRow - 22}); // "scaled_scores is folded: show it"
    EXPECT_TRUE(views.selection.unfolded.count("scaled_scores"));
    EXPECT_EQ(views.ui.explanation->cell, (TensorCell{"attention_weights", {0, 1, 2}}));
    views.move_to({1100, kFirstRow - 22}); // the note is gone, the rows stand in its place
    EXPECT_EQ(views.ui.lit_by_list, (TensorCell{"scaled_scores", {0, 1, 0}}));
}

TEST_F(Inspector, SaysThatThePinnedNumberStandsFolded) {
    pin({"weighted_values", {2, 1, 0}});
    views.click({1080, 181}); // "weighted_values is folded: show it", below what its letters mean
    EXPECT_TRUE(views.selection.unfolded.count("weighted_values"));
}

TEST_F(Inspector, ExplainsNothingThatIsNotComputedYet) {
    views.selection.shown_stage = 2;
    views.ui.explanation.reset();
    views.frame(2);
    EXPECT_EQ(views.ui.explanation, nullptr);
    views.click({1070, 198}); // "Go to that step"
    EXPECT_EQ(views.selection.shown_stage, 4);
    ASSERT_NE(views.ui.explanation, nullptr);
    EXPECT_EQ(views.ui.explanation->cell, *pinned());
}

TEST_F(Inspector, WalksBackAndForwardAndLetsGo) {
    const TensorCell weight = *pinned();
    const TensorCell score{"attention_scores", {0, 1, 2}};
    pin(score);
    views.click({kBack, kButtons});
    EXPECT_EQ(*pinned(), weight);
    views.click({kForward, kButtons});
    EXPECT_EQ(*pinned(), score);
    views.click({kUnpin, kButtons});
    EXPECT_EQ(pinned(), nullptr);
}

TEST_F(Inspector, ShowsThePathOfTheQueryWhenNothingIsChosen) {
    views.selection.unpin();
    views.selection.query = 3;
    views.frame(2);
    views.click({1100, 235}); // the first of the path
    ASSERT_NE(pinned(), nullptr);
    EXPECT_EQ(*pinned(), (TensorCell{"inputs", {0, 3, 0}}));
}

TEST_F(Inspector, ThePathIsOfGradientsWhereTheseAreShown) {
    views.selection.unpin();
    views.selection.query = 3;
    ASSERT_TRUE(views.lab.perform(SetGradient{"sum(context_vectors)"}));
    views.selection.shows_gradient = true;
    views.frame(2);
    views.click({1100, 235});
    ASSERT_NE(pinned(), nullptr);
    EXPECT_EQ(*pinned(), (TensorCell{"grad.inputs", {0, 3, 0}}));
}

TEST_F(Inspector, FoldsAndUnfolds) {
    views.click({kFold, kButtons});
    EXPECT_FALSE(views.ui.inspector_open);
    views.click({1266, kButtons});
    EXPECT_TRUE(views.ui.inspector_open);
}

TEST_F(Inspector, OffersToFillAGivenMatrix) {
    pin({"W_query", {0, 1, 1}});
    views.click({1248, 239});
    EXPECT_EQ(views.ui.fill_dialog, "W_query");
}

TEST_F(Inspector, FollowsAnEditInTheNextFrame) {
    const std::string before = views.ui.explanation->value;
    ASSERT_TRUE(views.lab.perform(SetCell{"inputs", {0, 1, 0}, 3.0f}).has_value());
    views.frame();
    EXPECT_NE(views.ui.explanation->value, before);
    EXPECT_EQ(views.ui.explanation->value,
              number_text(views.lab.trace().at(views.lab.program().find("attention_weights"), {0, 1, 2})));
}

TEST_F(Inspector, DrawsOnlyTheTermsInSight) {
    Document document = views.lab.document();
    constexpr int kTokens = 1000;
    document.tokens.clear();
    document.tensors["inputs"] = Tensor(Shape::matrix(kTokens, 3), 0.5f);
    ASSERT_TRUE(views.lab.perform(OpenDocument{document}).has_value());
    views.frame();
    pin({"attention_weights", {0, 999, 999}});
    EXPECT_EQ(views.ui.explanation->terms.size(), static_cast<std::size_t>(kTokens));
    EXPECT_LT(ImGui::GetDrawData()->TotalVtxCount, 20000);
}

// "token 987   0.00100·(−0.2199)" has no room beside its product: the factors stand below, and lead to their cells there.
TEST_F(Inspector, FactorsThatHaveNoRoomStandBelowTheirLabel) {
    Document document = views.lab.document();
    const auto n_terms_between = [&](float top, float bottom) {
        std::set<int> rows;
        for (float y = top; y < bottom; y += 4) {
            views.move_to({1032, y});
            if (views.ui.lit_by_list) rows.insert(views.ui.lit_by_list->cell.row + views.ui.lit_by_list->cell.col);
        }
        return rows.size();
    };
    document.tokens = std::vector<std::string>(1000, "token 987");
    std::vector<float> inputs(3000);
    for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i] = -0.5f + 0.4f * std::sin(static_cast<float>(i));
    document.tensors["inputs"] = Tensor(Shape::matrix(1000, 3), inputs);
    ASSERT_TRUE(views.lab.perform(OpenDocument{document}).has_value());
    views.frame();
    pin({"context_vectors", {0, 900, 1}});
    constexpr float kTop = 480, kBottom = 700;
    EXPECT_LE(n_terms_between(kTop, kBottom), 6U);
    views.move_to({1040, kTop});
    EXPECT_EQ(views.ui.lit_by_list->tensor, "attention_weights");
    views.move_to({1240, kTop});
    EXPECT_EQ(views.ui.lit_by_list->tensor, "values");
    document.tokens.clear();
    for (int i = 0; i < 12; ++i) document.tokens.push_back("token " + std::to_string(976 + i));
    document.tensors["inputs"] = Tensor(Shape::matrix(12, 3), std::vector<float>(inputs.begin(), inputs.begin() + 36));
    ASSERT_TRUE(views.lab.perform(OpenDocument{document}).has_value());
    views.frame();
    pin({"context_vectors", {0, 9, 1}});
    EXPECT_GE(n_terms_between(kTop - 100, kBottom - 100), 7U) << "which have room beside it";
}

TEST_F(Inspector, LongForeignWordsStayInTheirPlace) {
    ASSERT_TRUE(views.lab.perform(RenameToken{1, "Donaudampfschifffahrtsgesellschaftskapitän"}).has_value());
    ASSERT_TRUE(views.lab.perform(RenameToken{2, "中文标记很长很长很长很长很长🙂"}).has_value());
    views.frame(2);
    for (const ImDrawList* list : ImGui::GetDrawData()->CmdLists) {
        for (const ImDrawVert& vertex : list->VtxBuffer) {
            EXPECT_GE(vertex.pos.x, kArea.left - 1);
            EXPECT_LE(vertex.pos.x, kArea.right + 1);
        }
    }
}

// In a window so high that nothing is out of sight.
TEST(HighInspector, GradientsThatAreNotShownAreNotSpokenOf) {
    HeadlessViews views([](ViewContext& context) { draw_inspector(context, {1008, 49, 1280, 2972}); }, {1280, 3000});
    const auto n_drawn = [&] {
        views.frame(3);
        return ImGui::GetDrawData()->TotalVtxCount;
    };
    ASSERT_TRUE(views.lab.perform(SetGradient{"context_vectors[1,0]"}).has_value());
    views.selection.visit({"attention_weights", {0, 1, 2}}, views.lab.program());
    const int with_gradients = n_drawn();
    views.selection.shows_gradient = false;
    EXPECT_LT(n_drawn(), with_gradients) << "softmax_jacobian";
}

TEST(ShareColumns, MakeRoomForLabelsAndNumbersAtTheBarsCost) {
    constexpr float kWidth = 232;
    const ShareColumns usual = share_columns({.label = 40, .value = 50, .part = 36}, kWidth);
    EXPECT_EQ(usual.value_end, 98);
    EXPECT_EQ(usual.bar_end, 184);
    const ShareColumns longer = share_columns({.label = 66, .value = 50, .part = 50}, kWidth);
    EXPECT_GT(longer.value_end - 50 - 6, 66) << "\"token 12048\" is whole";
    EXPECT_LT(longer.bar_end, kWidth - 50) << "a bar does not touch its share";
    const ShareColumns longest = share_columns({.label = 400, .value = 50, .part = 50}, kWidth);
    EXPECT_GE(longest.bar_end - longest.bar_begin, 28) << "a bar is left";
}

TEST(Heading, OfManyTermsSaysHowManyOnALineOfItsOwn) {
    std::vector<float> heights;
    HeadlessViews views([&](ViewContext& context) {
        for (const char* text : {"from this row of masked scores", "from this row of masked scores: 1025 of 12048"}) {
            Column column{context, *ImGui::GetForegroundDrawList(), 0, 232, 0};
            draw_heading(column, text);
            heights.push_back(column.y);
        }
    });
    views.frame();
    ASSERT_GE(heights.size(), 2U);
    EXPECT_EQ(heights[1], heights[0] + 16);
}

} // namespace
} // namespace lab
