#include <algorithm>
#include <vector>

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include "engine/formats/presets.h"
#include "engine/formats/session.h"
#include "tests/views/app_window.h"
#include "tests/views/canvas_support.h"

namespace lab {
namespace {

using test::kUpright;
using test::kWide;
using test::WholeApp;

TEST_F(WholeApp, OpensEveryPresetInBothThemesAndShapes) {
    for (const ImVec2 size : {kWide, kUpright, ImVec2{844, 390}}) {
        window.resize(size);
        window.press_key(ImGuiKey_T);
        for (const PresetInfo& preset : presets()) {
            app.open_preset(preset.name);
            window.frames(2);
            EXPECT_EQ(app.lab().preset_name(), preset.name);
            EXPECT_EQ(app.lab().badge(), Badge::matches) << preset.name;
            EXPECT_GT(ImGui::GetDrawData()->TotalVtxCount, 1000) << preset.name;
            if (app.lab().program().sections.size() > 1) continue; // shows another section than the first tensor's
            const TensorCell first{app.lab().program().nodes.front().name, {0, 0, 0}};
            EXPECT_TRUE(size.x < size.y || size.y < 400 || app.cell_area(first).has_value()) << preset.name;
        }
    }
    app.open_preset("no such preset");
    EXPECT_NE(app.status_text().find("no such preset"), std::string::npos);
}

// What one looks at is not left behind at the edge.
TEST_F(WholeApp, InAWindowOfAnotherSizeTheMiddleStaysInTheMiddle) {
    const TensorCell cell{"attention_weights", {0, 2, 2}};
    window.move_to(app.cell_area(cell).value().center());
    ImGui::GetIO().AddMouseWheelEvent(0, 3);
    window.frames(3);
    const ImVec2 before = app.cell_area(cell).value().center();
    window.resize({kWide.x, kWide.y - 200});
    window.frames(3);
    const ImVec2 after = app.cell_area(cell).value().center();
    EXPECT_NEAR(after.x, before.x, 1);
    EXPECT_NEAR(after.y, before.y - 100, 1);
}

// Behind it one would not see what was chosen.
TEST_F(WholeApp, OnAPhoneTheMenuClosesWithWhatIsOpenedFromIt) {
    window.platform.coarse_pointer = true;
    window.resize(kUpright);
    window.frames(2);
    const auto menu = [] { return window_with("##sections") != nullptr && window_with("##sections")->Active; };
    window.click({25, 26});
    ASSERT_TRUE(menu());
    window.click({150, 54});
    window.click({150, 54 + 100});
    window.frames(3);
    EXPECT_EQ(app.lab().preset_name(), "simplified-sum");
    EXPECT_FALSE(menu());
}

TEST_F(WholeApp, AGradientThatWasHiddenIsShownWhenItIsTakenAgain) {
    app.open_preset("trainable");
    window.frames(2);
    const auto is_shown = [&] { return app.cell_area({"grad.W_query", {0, 0, 0}}).has_value(); };
    window.press_key(ImGuiKey_D);
    EXPECT_TRUE(is_shown());
    window.press_key(ImGuiKey_D);
    EXPECT_FALSE(is_shown());
    window.press_key(ImGuiMod_Ctrl | ImGuiKey_Z);
    ASSERT_LT(app.lab().program().target, 0);
    EXPECT_EQ(app.status_text().substr(0, 8), "undone: ") << "nothing of it is seen";
    window.press_key(ImGuiMod_Ctrl | ImGuiKey_Y);
    ASSERT_GE(app.lab().program().target, 0);
    EXPECT_EQ(app.status_text().substr(0, 12), "done again: ");
    EXPECT_FALSE(is_shown()) << "still hidden";
    window.press_key(ImGuiMod_Ctrl | ImGuiKey_Z);
    window.press_key(ImGuiKey_D);
    EXPECT_TRUE(is_shown());
}

TEST_F(WholeApp, AGradientThatIsTakenIsToldOfThePinnedNumber) {
    app.open_preset("trainable");
    window.frames(2);
    ImGui::GetIO().AddMousePosEvent(-1, -1);
    window.press_key(ImGuiKey_D);
    EXPECT_EQ(app.explanation_text().substr(0, 23), "grad.attention_weights[") << app.explanation_text();
    window.press_key(ImGuiKey_D);
    EXPECT_EQ(app.explanation_text().substr(0, 18), "attention_weights[") << app.explanation_text();
    window.press_key(ImGuiKey_D);
    window.press_key(ImGuiMod_Ctrl | ImGuiKey_Z);
    ASSERT_LT(app.lab().program().target, 0);
    EXPECT_EQ(app.explanation_text().substr(0, 18), "attention_weights[")
        << "it is not let go of: " << app.explanation_text();
    window.press_key(ImGuiMod_Ctrl | ImGuiKey_Y);
    ASSERT_GE(app.lab().program().target, 0);
    EXPECT_EQ(app.explanation_text().substr(0, 23), "grad.attention_weights[") << app.explanation_text();
}

TEST_F(WholeApp, TabAfterTheLastNumberThatIsTypedSaysHowToGoOn) {
    app.open_preset("trainable");
    window.frames(2);
    ImGui::GetIO().AddMousePosEvent(-1, -1);
    window.press_key(ImGuiKey_Escape);
    window.press_key(ImGuiKey_Tab); // inputs[0, …]
    for (int i = 0; i < 20 && app.status_text().find("inputs[step, d₃]") == std::string::npos; ++i)
        window.press_key(ImGuiKey_Tab);
    ImGui::GetIO().AddInputCharacter('5');
    window.frames(2);
    window.press_key(ImGuiKey_Tab);
    window.frames(2);
    EXPECT_NE(app.status_text().find("F6"), std::string::npos) << app.status_text();
}

TEST_F(WholeApp, WhatAKeyIsToldGoesWithTheDocument) {
    app.open_preset("trainable");
    window.frames(2);
    window.press_key(ImGuiKey_G);
    const std::string told = app.status_text();
    ASSERT_NE(told.find("no choice of heads"), std::string::npos) << told;
    app.open_preset("gpt2-block");
    window.frames(2);
    EXPECT_EQ(app.status_text().find("no choice of heads"), std::string::npos);
}

// Nothing is to be mended: it is said until somebody goes on.
TEST_F(WholeApp, AGradientThatIsRefusedIsToldUntilTheNextKeyOrPress) {
    const auto refuse = [&] {
        Document document = test::document_of({.n_tokens = 16384, .d_in = 2, .d_k = 2, .d_v = 2});
        ASSERT_TRUE(app.lab().perform(OpenDocument{document}).has_value());
        window.frames(3);
        window.press_key(ImGuiKey_D);
    };
    refuse();
    const std::string sentence = "does not fit into memory";
    EXPECT_NE(app.status_text().find(sentence), std::string::npos) << app.status_text();
    ImGui::GetIO().AddMousePosEvent(640, 500);
    window.frames(3);
    EXPECT_NE(app.status_text().find(sentence), std::string::npos) << "it can be read with the mouse in hand";
    window.press_key(ImGuiKey_J);
    EXPECT_EQ(app.status_text().find(sentence), std::string::npos) << app.status_text();
    window.press_key(ImGuiKey_D);
    EXPECT_NE(app.status_text().find(sentence), std::string::npos) << "and again";
    app.show_error("another");
    window.press_key(ImGuiKey_J);
    EXPECT_EQ(app.status_text(), "another") << "which stays";
}

TEST_F(WholeApp, AnotherDocumentIsLookedAtAnew) {
    const auto session = [](int n_tokens) {
        return write_session(test::document_of({.n_tokens = n_tokens, .d_in = 4, .d_k = 4, .d_v = 4, .n_heads = 2}));
    };
    const TensorCell first{"inputs", {0, 0, 0}};
    app.open_bytes(session(5));
    window.frames(3);
    ASSERT_TRUE(app.cell_area(first).has_value());
    const std::string explanation = app.explanation_text();
    window.press_key(ImGuiKey_RightArrow);
    window.press_key(ImGuiKey_G);
    ASSERT_FALSE(app.cell_area(first).has_value()) << "all heads stand in the canvas' place";
    ASSERT_NE(app.explanation_text(), explanation);
    app.open_bytes(session(6));
    window.frames(3);
    EXPECT_TRUE(app.cell_area(first).has_value());
    const auto cell_of = [](const std::string& text) { return text.substr(0, text.find(':')); };
    EXPECT_EQ(cell_of(app.explanation_text()), cell_of(explanation));
}

bool sentence_dialog_is_open() {
    const ImGuiWindow* dialog = ImGui::FindWindowByName("sentence dialog");
    return dialog != nullptr && dialog->Active;
}

TEST_F(WholeApp, ANewSessionAsksForItsSentenceAndBeginsWithIt) {
    ASSERT_TRUE(app.lab().perform(SetTitle{"Monday"}).has_value());
    window.press_key(ImGuiMod_Alt | ImGuiKey_N);
    window.frames(3);
    EXPECT_TRUE(sentence_dialog_is_open());
    EXPECT_TRUE(ImGui::GetIO().WantTextInput) << "it can be typed at once";
    EXPECT_EQ(app.lab().title(), "Monday") << "nothing is lost before it is";
    window.press_key(ImGuiKey_Escape);
    window.frames(3);
    EXPECT_FALSE(sentence_dialog_is_open());
    EXPECT_EQ(app.lab().title(), "Monday");
    EXPECT_EQ(app.lab().document().tokens[0], "Your");
    window.press_key(ImGuiMod_Alt | ImGuiKey_N);
    window.frames(3);
    ImGui::GetIO().AddInputCharactersUTF8("To be or not");
    window.frames(3);
    window.press_key(ImGuiKey_Enter);
    window.frames(3);
    EXPECT_FALSE(sentence_dialog_is_open());
    EXPECT_EQ(app.lab().document().tokens, (std::vector<std::string>{"To", "be", "or", "not"}));
    EXPECT_EQ(app.lab().title(), "To be or not");
}

// In the dialog of a new session.
void paste_too_many_words(test::AppWindow& window) {
    std::string text;
    for (int i = 0; i <= kMostTokens; ++i) text += "a ";
    window.press_key(ImGuiMod_Alt | ImGuiKey_N);
    window.frames(3);
    ImGui::SetClipboardText(text.c_str());
    window.press_key(ImGuiMod_Ctrl | ImGuiKey_V);
    window.frames(3);
    window.press_key(ImGuiKey_Enter);
    window.frames(3);
}

TEST_F(WholeApp, ASentenceThatCannotBeTakenStaysInItsDialog) {
    const auto n_before = app.lab().document().tokens.size();
    paste_too_many_words(window);
    EXPECT_TRUE(sentence_dialog_is_open());
    EXPECT_EQ(app.lab().document().tokens.size(), n_before);
    EXPECT_TRUE(ImGui::GetIO().WantTextInput) << "and can be mended there at once";
    ImGui::GetIO().AddInputCharactersUTF8("So be it");
    window.frames(3);
    window.press_key(ImGuiKey_Enter);
    window.frames(3);
    EXPECT_FALSE(sentence_dialog_is_open());
    EXPECT_EQ(app.lab().document().tokens.size(), 3u);
}

class Sentences : public WholeApp {
  protected:
    // In place of the session's own, by its dialog.
    void use_sentence(const char* text, const char* width) {
        window.click({140, 628}); // "New sentence…"
        ImGui::GetIO().AddInputCharactersUTF8(text);
        window.frames(3);
        const ImGuiWindow* dialog = ImGui::FindWindowByName("sentence dialog");
        ASSERT_NE(dialog, nullptr);
        const ImVec2 end{dialog->Pos.x + dialog->Size.x, dialog->Pos.y + dialog->Size.y};
        window.click({dialog->Pos.x + 225, end.y - 90}); // the width
        ImGui::GetIO().AddInputCharactersUTF8(width);
        window.frames(2);
        window.press_key(ImGuiKey_Enter);
        window.click({end.x - 80, end.y - 40}); // "Use this sentence"
    }

    // Of a matrix of weights, as far as it is seen: where its first cell begins and its last ends.
    Rect corners(int n_tokens) {
        const auto first = app.cell_area({"attention_weights", {0, 0, 0}});
        const auto last = app.cell_area({"attention_weights", {0, n_tokens - 1, n_tokens - 1}});
        return first && last ? Rect{first->left, first->top, last->right, last->bottom} : Rect();
    }

    void zoom_in() {
        ImGui::GetIO().AddMousePosEvent(600, 400);
        for (int i = 0; i < 8; ++i) {
            ImGui::GetIO().AddMouseWheelEvent(0, 2);
            window.frames(2);
        }
    }
};

TEST_F(Sentences, OnAPhoneTheMenuGivesTheViewFreeWhenOneIsTaken) {
    window.resize(kUpright);
    window.frames(3);
    window.click({25, 25});
    const auto is_menu_open = [] {
        const ImGuiWindow* menu = ImGui::FindWindowByName("##dimmed");
        return menu != nullptr && menu->Active;
    };
    ASSERT_TRUE(is_menu_open());
    paste_too_many_words(window);
    EXPECT_TRUE(is_menu_open()) << "refused";
    ImGui::GetIO().AddInputCharactersUTF8("So be it");
    window.frames(3);
    window.press_key(ImGuiKey_Enter);
    window.frames(3);
    EXPECT_EQ(app.lab().document().tokens.size(), 3u);
    EXPECT_FALSE(is_menu_open());
}

TEST_F(Sentences, OneWithAnotherNumberOfWordsIsSeenAsAWhole) {
    use_sentence("So be it then", "3");
    const Rect fitted = corners(4);
    ASSERT_GT(fitted.width(), 50);
    window.press_key(ImGuiMod_Ctrl | ImGuiKey_Z);
    zoom_in();
    ASSERT_EQ(corners(6).width(), 0) << "too large to be seen";
    use_sentence("So be it then", "3");
    EXPECT_EQ(corners(4).min().x, fitted.min().x);
    EXPECT_EQ(corners(4).width(), fitted.width());
    zoom_in();
    const auto near = app.cell_area({"attention_weights", {0, 1, 1}});
    use_sentence("So was it then", "3");
    const auto as_before = app.cell_area({"attention_weights", {0, 1, 1}});
    ASSERT_EQ(near.has_value(), as_before.has_value());
    EXPECT_EQ(corners(4).width(), 0) << "of as many words: one looks where one looked";
}

TEST_F(Sentences, AWiderOneSaysThatAnEditedMatrixGainsZeros) {
    ASSERT_TRUE(app.lab().perform(SetCell{"W_query", {0, 1, 0}, 2}).has_value());
    use_sentence("So be it then", "6");
    ASSERT_EQ(app.lab().document().tensors.at("inputs").shape().cols, 6);
    EXPECT_TRUE(app.status_text().starts_with("Note: the new cells of W_query are 0")) << app.status_text();
    window.press_key(ImGuiMod_Ctrl | ImGuiKey_Z);
    window.frames(2);
    EXPECT_FALSE(app.status_text().starts_with("Note")) << "it is undone";
    window.press_key(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Z);
    use_sentence("So be it", "3");
    EXPECT_EQ(app.lab().document().tensors.at("inputs").shape(), Shape::matrix(3, 3));
    EXPECT_FALSE(app.status_text().starts_with("Note")) << app.status_text();
}

TEST_F(WholeApp, TheWindowIsCalledWhatIsOpenNow) {
    window.frame();
    ASSERT_TRUE(app.lab().perform(SetSentence{"My own words", 123, 3}).has_value());
    window.frame();
    EXPECT_EQ(window.platform.title, "My own words – Attention Lab");
    ASSERT_TRUE(app.lab().perform(SetTitle{"Monday"}).has_value());
    window.frame();
    EXPECT_EQ(window.platform.title, "Monday – Attention Lab");
    app.lab().undo();
    window.frame();
    EXPECT_EQ(window.platform.title, "My own words – Attention Lab");
}

TEST_F(WholeApp, TheThemeIsRemembered) {
    EXPECT_EQ(window.platform.preferences.count("theme") > 0 && !window.platform.preferences["theme"].empty(), false);
    window.press_key(ImGuiKey_T);
    EXPECT_EQ(window.platform.preferences["theme"], "light");
    window.press_key(ImGuiKey_T);
    EXPECT_EQ(window.platform.preferences["theme"], "dark");
}

TEST_F(WholeApp, APanelThatWasFoldedStaysSoAfterTheWindowWasNarrow) {
    for (const bool is_open : {true, false}) {
        const ImVec2 chevron = {178, 74};
        if (!is_open) {
            ImGui::GetIO().AddMousePosEvent(chevron.x, chevron.y);
            for (const bool down : {true, false}) {
                ImGui::GetIO().AddMouseButtonEvent(0, down);
                window.frames(2);
            }
        }
        window.resize({900, 600});
        window.frames(3);
        EXPECT_EQ(window_with("##left panel")->Size.x, spacing::kFoldedPanel);
        window.resize({1280, 800});
        window.frames(3);
        EXPECT_EQ(window_with("##left panel")->Size.x > spacing::kFoldedPanel, is_open);
    }
}

TEST_F(WholeApp, AFoldedPanelLeavesTheCanvasItsRoom) {
    window.resize({900, 600});
    window.frames(4);
    const ImGuiWindow* panel = window_with("##left panel");
    ASSERT_NE(panel, nullptr);
    EXPECT_EQ(panel->Size.x, spacing::kFoldedPanel);
}

TEST_F(WholeApp, AnIdleWindowWantsNoFrames) {
    window.frames(5);
    EXPECT_FALSE(window.frame());
    ASSERT_TRUE(app.lab().perform(SetCell{"inputs", {0, 0, 0}, 5}).has_value());
    EXPECT_TRUE(window.frame()) << "what changed shines";
    int n_frames = 0;
    while (window.frame() && n_frames < 600) ++n_frames;
    EXPECT_GT(n_frames, 10);
    EXPECT_LT(n_frames, 90) << "and settles within a second or so";
    for (int i = 0; i < 20; ++i) EXPECT_FALSE(window.frame());
}

TEST_F(WholeApp, OnAPhoneTheTopBarSaysHowFarALongTextIs) {
    const auto n_vertices_of_top_bar = [&] {
        int n = 0;
        for (const ImDrawList* list : ImGui::GetDrawData()->CmdLists)
            n += static_cast<int>(std::count_if(list->VtxBuffer.begin(), list->VtxBuffer.end(),
                                                [](const ImDrawVert& each) { return each.pos.y <= 52; }));
        return n;
    };
    window.resize(kUpright);
    const Document document = test::document_of({.n_tokens = 1024, .d_in = 64, .d_k = 64, .d_v = 64});
    ASSERT_TRUE(app.lab().perform(OpenDocument{document}).has_value());
    window.frame(); // drawn first, then computed
    const int while_computing = n_vertices_of_top_bar();
    window.frames(60);
    EXPECT_GE(while_computing, n_vertices_of_top_bar() + 4 * 12) << "a bar, and \"computing, 0 %\"";
}

TEST_F(WholeApp, ALongTextIsDrawnFirstAndComputedBetweenFrames) {
    const Document document = test::document_of({.n_tokens = 1024, .d_in = 64, .d_k = 64, .d_v = 64});
    EXPECT_FALSE(app.has_work());
    ASSERT_TRUE(app.lab().perform(OpenDocument{document}).has_value());
    app.refresh_trace();
    EXPECT_TRUE(app.lab().is_computing());
    EXPECT_TRUE(app.has_work());
    EXPECT_TRUE(window.frame()) << "progress is shown";
    EXPECT_FALSE(app.lab().is_computing()) << "the clock stands, so there was time for all of it";
    EXPECT_FALSE(app.has_work());
    window.frames(60);
    EXPECT_FALSE(window.frame()) << "its pictures are there";
    ASSERT_TRUE(app.lab().perform(SetCell{"inputs", {0, 5, 7}, 0.5f}).has_value());
    app.refresh_trace();
    EXPECT_FALSE(app.lab().is_computing()) << "an edit is there in its own frame";
}

TEST_F(WholeApp, TheBadgeOfTheDocumentBeforeIsGoneAsSoonAsAnotherIsTakenUp) {
    ASSERT_EQ(app.lab().badge(), Badge::matches);
    const Document document = test::document_of({.n_tokens = 1024, .d_in = 64, .d_k = 64, .d_v = 64});
    ASSERT_TRUE(app.lab().perform(OpenDocument{document}).has_value());
    app.refresh_trace();
    ASSERT_TRUE(app.lab().is_computing());
    EXPECT_EQ(app.lab().badge(), Badge::none);
    app.lab().undo();
    app.refresh_trace();
    EXPECT_EQ(app.lab().badge(), Badge::matches);
}

TEST_F(WholeApp, ATightWindowFoldsTheLeftPanelAndAWideOneUnfoldsIt) {
    const auto left_of_inputs = [&](ImVec2 size) {
        window.resize(size);
        window.frames(2);
        return app.cell_area({"inputs", {0, 0, 0}})->left;
    };
    EXPECT_LT(left_of_inputs({1000, 700}), spacing::kLeftPanel);
    EXPECT_GT(left_of_inputs(kWide), spacing::kLeftPanel);
}

TEST_F(WholeApp, TwoFingersZoomAboutTheirMiddleOnTheCanvasOnly) {
    const TensorCell cell{"queries", {0, 3, 1}};
    const Rect before = *app.cell_area(cell);
    app.pinch({.center_x = before.left, .center_y = before.top, .dx = 0, .dy = 0, .scale = 1.5f});
    window.frame();
    EXPECT_NEAR(app.cell_area(cell)->left, before.left, 0.5f);
    EXPECT_NEAR(app.cell_area(cell)->width(), before.width() * 1.5f, 2);
    app.pinch({.center_x = 300, .center_y = 300, .dx = 12, .dy = -7, .scale = 1});
    window.frame();
    EXPECT_NEAR(app.cell_area(cell)->left, before.left + 12, 0.5f);
    EXPECT_NEAR(app.cell_area(cell)->top, before.top - 7, 0.5f);
    app.pinch({.center_x = 1200, .center_y = 300, .dx = 50, .dy = 0, .scale = 2}); // the inspector
    window.frame();
    EXPECT_NEAR(app.cell_area(cell)->left, before.left + 12, 0.5f);
    window.resize(kUpright);
    window.frames(2);
    app.pinch({.center_x = 200, .center_y = 300, .dx = 50, .dy = 0, .scale = 2});
    window.frames(2);
}

} // namespace
} // namespace lab
