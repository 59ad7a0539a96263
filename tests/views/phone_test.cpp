#include <gtest/gtest.h>
#include <imgui_internal.h>

#include "app/views/phone_layout.h"
#include "app/views/phone_parts.h"
#include "app/views/shortcuts.h"
#include "app/views/views.h"
#include "app/widgets/text.h"
#include "tests/views/app_window.h"
#include "tests/views/canvas_support.h"
#include "tests/views/headless.h"
#include "tests/views/phone_screen.h"

namespace lab {
namespace {

using test::kUpright;

std::vector<std::string> titles(const Lab& lab) {
    std::vector<std::string> found;
    for (const PhoneTab& tab : phone_tabs({}, lab.program())) found.push_back(tab.title);
    return found;
}

using test::cell_of_first_matrix;
using test::Phone;
using test::tab_place;

TEST_F(Phone, HasATabForEveryGroupThatThereIs) {
    EXPECT_EQ(titles(views.lab), (std::vector<std::string>{"Inputs", "Q K V", "Scores", "Weights", "Context"}));
    ASSERT_TRUE(views.lab.open_preset("simplified-softmax").has_value());
    views.lab.refresh();
    EXPECT_EQ(titles(views.lab), (std::vector<std::string>{"Inputs", "Scores", "Weights", "Context"}));
}

TEST_F(Phone, EveryTensorIsOnATab) {
    const Program& program = views.lab.program();
    for (int node = 0; node < static_cast<int>(program.nodes.size()); ++node) {
        EXPECT_GE(tab_of(phone_tabs({}, program), node, 0), 0) << program.node(node).name;
    }
}

TEST_F(Phone, BeginsWithThePinnedCellAndATapPinsAnother) {
    EXPECT_EQ(views.ui.phone_tab, 3);
    views.click(cell_of_first_matrix(4, 1));
    EXPECT_EQ(pinned(), (TensorCell{"attention_weights", {0, 4, 1}}));
    EXPECT_EQ(views.selection.query, 4);
    EXPECT_FALSE(views.selection.hovered.has_value()); // fingers do not hover
}

TEST_F(Phone, TheSheetOfAGivenNumberSaysThatASecondTapEditsItUntilSomebodyDid) {
    const auto n_letters = [&] { return static_cast<int>(test::letters("##phone").size()); };
    views.click(tab_place(0, 5));
    views.click(cell_of_first_matrix(2, 1));
    ASSERT_EQ(pinned(), (TensorCell{"inputs", {0, 2, 1}}));
    const int with_hint = n_letters();
    views.click(cell_of_first_matrix(2, 1));
    ASSERT_TRUE(views.ui.editor.has_value());
    EXPECT_EQ(views.platform.preferences["hints"], "3") << "remembered";
    views.ui.editor.reset();
    views.frame(2);
    EXPECT_LT(n_letters(), with_hint - 30);
    views.ui.n_hints_dismissed = 0;
    views.click(tab_place(3, 5));
    views.click(cell_of_first_matrix(2, 1));
    const int of_sum = n_letters();
    views.ui.n_hints_dismissed = 3;
    views.frame(2);
    EXPECT_EQ(n_letters(), of_sum) << "nobody types a sum";
}

// The last row of what the weights come to stood half behind the sheet.
TEST_F(Phone, TheFirstScreenEndsWithAWholeRow) {
    views.frame(2);
    const DrawnMatrix& last = views.ui.drawn_matrices.back();
    EXPECT_EQ(views.lab.program().node(last.node).name, "context_vectors");
    EXPECT_GE(last.pitch.y, 22);
    EXPECT_LE(last.origin.y + 6 * last.pitch.y, last.clip.bottom);
}

// Moved up, they would stand below what is said above them.
TEST_F(Phone, MatricesWithNumbersStayWhereTheyAreWhateverQueryIsChosen) {
    const auto below_map = [&] {
        const DrawnMatrix &map = views.ui.drawn_matrices.front(), &contexts = views.ui.drawn_matrices.back();
        EXPECT_EQ(views.lab.program().node(contexts.node).name, "context_vectors");
        return contexts.origin.y - map.origin.y;
    };
    const float before = below_map();
    for (const int query : {5, 3, 1, 0}) {
        views.click(cell_of_first_matrix(query, 1));
        ASSERT_EQ(views.selection.query, query);
        EXPECT_EQ(below_map(), before) << query;
    }
}

TEST_F(Phone, ATapOnTheChosenGivenNumberEditsIt) {
    views.click(tab_place(0, 5));
    views.click(cell_of_first_matrix(1, 0));
    EXPECT_EQ(pinned(), (TensorCell{"inputs", {0, 1, 0}}));
    EXPECT_FALSE(views.ui.editor.has_value());
    views.click(cell_of_first_matrix(1, 0));
    ASSERT_TRUE(views.ui.editor.has_value());
    EXPECT_EQ(views.ui.editor->where, pinned());
    EXPECT_EQ(views.ui.editor->text, "0.55");
}

TEST_F(Phone, ADragScrollsAndPinsNothing) {
    const TensorCell before = pinned();
    views.click(tab_place(1, 5)); // six matrices: taller than the screen
    constexpr ImVec2 kTopOfW_query{60, 175};
    views.drag({60, 500}, {60, 300});
    EXPECT_EQ(pinned(), before);
    views.click(kTopOfW_query); // which stands elsewhere now
    EXPECT_NE(pinned().tensor, "W_query");
    views.drag({60, 300}, {60, 600});
    views.click(kTopOfW_query);
    EXPECT_EQ(pinned(), (TensorCell{"W_query", {0, 0, 0}}));
}

TEST_F(Phone, ABarOfTheSheetLeadsToItsSource) {
    views.click({20 + 59 * 3 + 26, 740});
    EXPECT_EQ(pinned(), (TensorCell{"scaled_scores", {0, 1, 3}}));
    EXPECT_EQ(views.ui.phone_tab, 2); // and to the tab that shows it
}

TEST_F(Phone, TheHandleFoldsTheSheet) {
    views.click({195, 625});
    EXPECT_FALSE(views.ui.sheet_open);
    views.click({195, 785});
    EXPECT_TRUE(views.ui.sheet_open);
}

TEST_F(Phone, PullingTheHandleFoldsAndOpensTheSheet) {
    views.drag({195, 625}, {195, 600});
    EXPECT_TRUE(views.ui.sheet_open) << "it is open already";
    views.drag({195, 625}, {195, 700});
    EXPECT_FALSE(views.ui.sheet_open);
    views.drag({195, 785}, {195, 770});
    EXPECT_TRUE(views.ui.sheet_open) << "let go on the handle itself";
}

TEST_F(Phone, TheSheetFollowsTheFingerOnItsHandle) {
    const auto end_of_content = [&] { return views.ui.phone_cameras.at("Weights").area.bottom; };
    const float before = end_of_content();
    views.press({195, 625});
    views.move_to({195, 665});
    EXPECT_EQ(end_of_content(), before + 40);
    views.move_to({195, 400});
    EXPECT_EQ(end_of_content(), before) << "no larger than what it tells";
    views.move_to({195, 665});
    views.release();
    views.frame(2);
    EXPECT_FALSE(views.ui.sheet_open);
    const float closed = end_of_content();
    views.press({195, 785});
    views.move_to({195, 745});
    EXPECT_EQ(end_of_content(), closed - 40);
    views.release();
    EXPECT_TRUE(views.ui.sheet_open);
}

TEST_F(Phone, AStripThatFitsDoesNotScroll) {
    views.selection.visit({"context_vectors", {0, 1, 0}}, views.lab.program());
    views.frame(3);
    ASSERT_NE(window_with("##strip"), nullptr);
    EXPECT_EQ(window_with("##strip")->ScrollMax.x, 0) << "six tokens";
}

// What says that there is more shows it when tapped, and what lies beneath is not pressed.
TEST_F(Phone, ATapOnTheSignAtAStripsEndShowsMoreOfIt) {
    views.open(test::document_of({.n_tokens = 40}));
    const TensorCell pinned_cell{"context_vectors", {0, 1, 0}};
    views.selection.visit(pinned_cell, views.lab.program());
    views.frame(3);
    for (const char* name : {"##strip", "##tokens"}) {
        const ImGuiWindow* strip = window_with(name);
        ASSERT_NE(strip, nullptr) << name;
        const float from = strip->Scroll.x, y = strip->Pos.y + strip->Size.y / 2;
        views.click({380, y});
        views.frame(2);
        EXPECT_GT(strip->Scroll.x, from + 195) << name << ": half of the screen";
        EXPECT_LT(strip->Scroll.x, from + 390) << name << ": nothing is passed by";
        views.click({10, y});
        views.frame(2);
        EXPECT_EQ(strip->Scroll.x, from) << name;
        EXPECT_EQ(pinned(), pinned_cell) << name;
        EXPECT_EQ(views.selection.query, 1) << name;
        views.drag({380, y}, {340, y});
        views.frame(2);
        EXPECT_EQ(strip->Scroll.x, from + 40) << name << ": a finger that sets out from the sign pulls the strip";
        views.drag({340, y}, {380, y});
        views.frame(2);
    }
}

// Only padding is left of what is to be seen: there is no more, and what stands there is pressed.
TEST_F(Phone, AStripsFirstAndLastArePressedWhereTheyAreInSight) {
    views.open(test::document_of({.n_tokens = 40}));
    views.frame(3);
    const ImGuiWindow* strip = window_with("##tokens");
    ASSERT_NE(strip, nullptr);
    const float y = strip->Pos.y + strip->Size.y / 2;
    views.drag({200, y}, {186, y});
    views.frame(2);
    ASSERT_GT(strip->Scroll.x, 1);
    ASSERT_LT(strip->Scroll.x, kBeforePills);
    views.click({25, y});
    EXPECT_EQ(views.selection.query, 0);
    for (int i = 0; i < 30; ++i) views.drag({380, y}, {20, y});
    ASSERT_EQ(strip->Scroll.x, strip->ScrollMax.x);
    views.drag({200, y}, {214, y});
    views.frame(2);
    ASSERT_LT(strip->Scroll.x, strip->ScrollMax.x - 1);
    ASSERT_GT(strip->Scroll.x, strip->ScrollMax.x - kBeforePills);
    views.click({370, y});
    EXPECT_EQ(views.selection.query, 39);
}

// Its signs are no part of what it holds.
TEST_F(Phone, AStripThatWasScrolledIsSeenWhenItGetsShorter) {
    views.open(test::document_of({.n_tokens = 400}));
    views.selection.visit({"attention_weights", {0, 1, 2}}, views.lab.program());
    views.frame(3);
    const ImGuiWindow* strip = window_with("##strip");
    ASSERT_NE(strip, nullptr);
    const float y = strip->Pos.y + 20;
    for (int i = 0; i < 20; ++i) views.click({380, y});
    ASSERT_GT(strip->Scroll.x, 3000);
    ASSERT_TRUE(views.lab.perform(OpenDocument{test::document_of({.n_tokens = 8})}).has_value());
    views.frame(4);
    EXPECT_EQ(views.selection.pinned()->tensor, "attention_weights");
    EXPECT_LT(strip->ScrollMax.x, 500);
    EXPECT_LE(strip->Scroll.x, strip->ScrollMax.x);
}

// A slope is not the number in whose place it stands.
TEST_F(Phone, GradientsAreToldAndNotDragged) {
    ASSERT_TRUE(views.lab.perform(SetGradient{"attention_weights[1,2]"}).has_value());
    views.ui.phone_tab = 0;
    views.frame(3);
    const Tensor before = views.lab.document().tensors.at("inputs");
    const ImVec2 place = cell_of_first_matrix(1, 1);
    views.click(place);
    EXPECT_EQ(pinned(), (TensorCell{"grad.inputs", {0, 1, 1}}));
    EXPECT_EQ(views.ui.phone_tab, 0);
    views.frame(3);
    views.click(place);
    EXPECT_FALSE(views.ui.editor.has_value());
    views.drag(place, {place.x + 72, place.y});
    views.frame(2);
    EXPECT_TRUE(views.take_commands().empty());
    EXPECT_EQ(views.lab.document().tensors.at("inputs").values(), before.values());
}

// "0: the target does not depend on it" is longer than what it is said of is wide, and another stands beside.
TEST_F(Phone, TitlesBesideEachOtherDoNotTouch) {
    views.open(test::document_of({.n_tokens = 6, .d_in = 3, .d_k = 2, .d_v = 2}));
    ASSERT_TRUE(views.lab.perform(SetGradient{"attention_weights[1,2]"}).has_value());
    views.ui.phone_tab = 1;
    views.frame(3);
    const DrawnMatrix* left = nullptr;
    const DrawnMatrix* right = nullptr;
    for (const DrawnMatrix& view : views.ui.drawn_matrices) {
        const std::string& name = views.lab.program().node(view.node).name;
        if (name == "W_value") left = &view;
        if (name == "values") right = &view;
    }
    ASSERT_TRUE(left != nullptr && right != nullptr);
    ASSERT_EQ(left->origin.y, right->origin.y) << "in one line";
    float end = 0; // of the letters left of the gap between them
    for (const test::Letter& letter : test::letters("##phone")) {
        const bool is_of_title = letter.box.bottom < left->origin.y - 15 && letter.box.top > left->origin.y - 55;
        if (is_of_title && letter.box.left < right->origin.x - 6) end = std::max(end, letter.box.right);
    }
    EXPECT_GT(end, left->origin.x + 60);
    EXPECT_LT(end, right->origin.x - 6);
}

TEST_F(Phone, TheMenuSaysWhetherTheWorkedExampleIsMatched) {
    constexpr ImVec2 kHelpBelowBadge{33 + 4 * 44, 110};
    ASSERT_EQ(views.lab.badge(), Badge::matches);
    views.ui.phone_menu_open = true;
    views.frame(2);
    views.click(kHelpBelowBadge);
    EXPECT_EQ(views.take_actions(), std::vector{Action::show_help});
}

TEST_F(Phone, AWordChoosesTheQueryAndWhatIsPinnedMovesAlong) {
    views.click({40, 80}); // "Your"
    EXPECT_EQ(views.selection.query, 0);
    EXPECT_EQ(pinned(), (TensorCell{"attention_weights", {0, 0, 2}}));
}

TEST_F(Phone, ATitleIsShortenedButNamesOfCodeStay) {
    EXPECT_EQ(short_title("Self-attention with trainable weights"), "Trainable weights");
    EXPECT_EQ(short_title("Self-attention with nn.Linear projections"), "nn.Linear projections");
    EXPECT_EQ(short_title("Rotary positions: queries and keys turn with their place"),
              "Rotary positions: queries and keys turn with their place");
    EXPECT_EQ(short_title("Mine"), "Mine");
}

TEST_F(Phone, AStripWithMoreThanFitsSaysSo) {
    const auto n_vertices_of_chips = [&] {
        int n = 0;
        for (const ImDrawList* list : ImGui::GetDrawData()->CmdLists)
            n += std::string(list->_OwnerName).find("##tokens") != std::string::npos ? list->VtxBuffer.Size : 0;
        return n;
    };
    const auto rename_last = [&](const std::string& word) {
        ASSERT_TRUE(views.lab.perform(RenameToken{5, word}).has_value());
        views.frame(3);
    };
    rename_last("steppe");
    const int without = n_vertices_of_chips();
    rename_last("Donaudampfer");
    EXPECT_EQ(n_vertices_of_chips(), without + 4 * (6 + 1 + 1)) << "a fade and a chevron beside six more letters";
}

TEST_F(Phone, PillsOfHeadsAreNotCut) {
    views.open(test::document_of({.n_tokens = 6, .d_in = 8, .n_heads = 4, .n_kv_heads = 4}));
    views.frame(2);
    const ImGuiWindow* pills = window_with("##head pills");
    ASSERT_TRUE(pills != nullptr && pills->Active);
    constexpr float kBlurred = 0.6f; // edge of a shape
    for (const ImDrawVert& vertex : pills->DrawList->VtxBuffer) {
        EXPECT_GE(vertex.pos.y, pills->Pos.y - kBlurred);
        EXPECT_LE(vertex.pos.y, pills->Pos.y + pills->Size.y + kBlurred);
    }
}

TEST_F(Phone, TheHelpSpeaksOfFingers) {
    for (const Gesture& gesture : gestures(true)) {
        for (const char* word : {"Point", "Click", "click", "Wheel", "canvas"}) {
            EXPECT_EQ(std::string(gesture.gesture).find(word), std::string::npos) << gesture.gesture;
        }
    }
}

TEST_F(Phone, TheMenuOpensAndATapBesideItCloses) {
    views.click({25, 26});
    EXPECT_TRUE(views.ui.phone_menu_open);
    views.click({370, 400});
    EXPECT_FALSE(views.ui.phone_menu_open);
}

TEST(PhoneLayout, MatricesStayWithinTheWidthWhateverTheirSize) {
    constexpr Rect kContent{0, 106, 390, 616};
    std::vector<MatrixView> placed;
    HeadlessViews layout([&](ViewContext& context) {
        placed.clear();
        for (const PhoneTab& tab : phone_tabs({}, context.lab.program())) {
            float bottom = 0;
            const auto views_of_tab = place_matrices(context, tab, kContent, bottom);
            placed.insert(placed.end(), views_of_tab.begin(), views_of_tab.end());
            EXPECT_GT(bottom, kContent.top);
        }
    });
    for (const int n_tokens : {1, 2, 6, 40, 300}) {
        Document document = layout.lab.document();
        document.tokens.assign(static_cast<std::size_t>(n_tokens), "Donaudampfschiff");
        document.tensors["inputs"] = Tensor(Shape::matrix(n_tokens, 3), 0.5f);
        ASSERT_TRUE(layout.lab.perform(OpenDocument{document}).has_value());
        layout.frame();
        EXPECT_EQ(placed.size(), layout.lab.program().nodes.size() + 1); // context vectors stand on two tabs
        for (const MatrixView& view : placed) {
            const Node& node = layout.lab.program().node(view.node);
            EXPECT_GE(view.origin.x, kContent.left + 16) << node.name;
            EXPECT_LE(view.origin.x + view.pitch.x * static_cast<float>(shown_extent(node).n_cols), kContent.right - 15)
                << node.name;
            EXPECT_LE(view.pitch.x, 46) << node.name;
        }
    }
}

TEST(PhoneLayout, TheWordsOfALongTextAreNotCutOff) {
    constexpr Rect kContent{0, 106, 390, 616};
    HeadlessViews layout([&](ViewContext& context) {
        const float widest =
            text_width({context.theme.fonts.text_semibold, type_size::kLabel, {}, Align::left}, "token 16384");
        for (const PhoneTab& tab : phone_tabs({}, context.lab.program())) {
            float bottom = 0;
            for (const MatrixView& view : place_matrices(context, tab, kContent, bottom)) {
                const Axis rows = context.lab.program().node(view.node).presentation.rows;
                if (rows != Axis::queries && rows != Axis::keys) continue;
                EXPECT_GE(view.origin.x - matrix_metrics::kRowLabelGap - widest, kContent.left + 8) << tab.title;
            }
        }
    });
    Document document = layout.lab.document();
    document.tokens.assign(300, "a");
    document.tokens.set(299, "token 16384");
    document.tensors["inputs"] = Tensor(Shape::matrix(300, 3), 0.5f);
    ASSERT_TRUE(layout.lab.perform(OpenDocument{document}).has_value());
    layout.frame();
}

TEST_F(Phone, LyingEverythingIsThereToo) {
    turn({844, 390});
    const PhoneFrame frame = phone_frame({0, 0, 844, 390}, {true, 222}, false);
    EXPECT_FALSE(frame.is_upright);
    EXPECT_GT(frame.content.width(), 400);
    EXPECT_GT(frame.content.height(), 200);
    views.click({92 + 23, 148 + 18});
    EXPECT_EQ(pinned(), (TensorCell{"attention_weights", {0, 0, 0}}));
}

TEST_F(Phone, EveryTabOfEveryKindIsDrawnUprightAndLying) {
    for (const ImVec2 to : {kUpright, ImVec2{844, 390}, ImVec2{320, 480}}) {
        turn(to);
        for (const Node& node : views.lab.program().nodes) {
            views.selection.visit({node.name, {0, 0, 0}}, views.lab.program());
            views.frame(2);
            EXPECT_GT(ImGui::GetDrawData()->TotalVtxCount, 500) << node.name;
        }
    }
}

} // namespace
} // namespace lab
