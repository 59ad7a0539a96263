// Keys, dialogs, the status bar and hints, without a window.
#include <algorithm>
#include <string>

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include "app/session/sections.h"
#include "app/views/hints.h"
#include "engine/formats/presets.h"
#include "tests/views/canvas_support.h"
#include "tests/views/panels.h"

namespace lab {
namespace {

TEST(Shortcuts, AreHeardOnlyWhileNothingIsTyped) {
    HeadlessViews views(draw_panels);
    views.key(ImGuiMod_Ctrl | ImGuiKey_Z);
    views.key(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Z);
    views.key(ImGuiKey_T);
    EXPECT_EQ(views.take_actions(), (std::vector{Action::undo, Action::redo, Action::toggle_theme}));
    views.double_click(kFirstChip);
    views.key(ImGuiKey_T);
    views.type("?");
    EXPECT_TRUE(views.take_actions().empty());
}

TEST(Shortcuts, EscapeLetsGoOfOneThingAtATime) {
    HeadlessViews views(draw_panels);
    views.selection.shown_stage = 2;
    views.ui.error = "something went wrong";
    ASSERT_TRUE(views.selection.pinned());
    views.key(ImGuiKey_Escape);
    EXPECT_TRUE(views.ui.error.empty());
    ASSERT_TRUE(views.selection.pinned());
    views.key(ImGuiKey_Escape);
    EXPECT_FALSE(views.selection.pinned());
    EXPECT_EQ(views.selection.shown_stage, 2);
    views.key(ImGuiKey_Escape);
    EXPECT_FALSE(views.selection.shown_stage.has_value());
}

TEST(Shortcuts, EveryActionOfTheTopBarHasKeysAndNoTwoAreAlike) {
    for (Action action : {Action::undo, Action::redo, Action::open, Action::save, Action::new_document,
                          Action::toggle_theme, Action::show_help, Action::fit_view}) {
        EXPECT_FALSE(keys_of(action).empty());
    }
    for (const Shortcut& a : shortcuts()) {
        const auto same = std::count_if(shortcuts().begin(), shortcuts().end(),
                                        [&](const Shortcut& b) { return std::string(a.keys) == b.keys; });
        EXPECT_EQ(same, 1) << a.keys;
    }
}

TEST(Dialogs, HelpFitsIntoAWindowOrScrollsWithinIt) {
    std::vector<std::size_t> n_letters;
    const auto shown = [&](ImVec2 size) {
        HeadlessViews views(draw_dialogs, size);
        views.ui.help_open = true;
        views.frame(3);
        const ImGuiWindow* help = ImGui::FindWindowByName("help dialog");
        EXPECT_NE(help, nullptr);
        EXPECT_TRUE(Rect::at({}, size).contains(help->Pos));
        EXPECT_TRUE(Rect::at({}, size).contains({help->Pos.x + help->Size.x, help->Pos.y + help->Size.y}));
        n_letters.push_back(test::letters("help dialog").size());
        return help->ScrollMax.y;
    };
    for (const ImVec2 size : {ImVec2{1280, 800}, {1280, 720}, {1920, 1080}, {1920, 800}, {1000, 900}})
        EXPECT_EQ(shown(size), 0) << size.x << " x " << size.y;
    for (const std::size_t n : n_letters) EXPECT_EQ(n, n_letters.front()) << "no sentence is cut in one of them";
    EXPECT_GT(shown({900, 500}), 100);
}

TEST(Dialogs, HelpOpensByItsIconAndEscapeClosesItAlone) {
    HeadlessViews views(draw_panels);
    views.type("?");
    EXPECT_EQ(views.take_actions(), std::vector{Action::show_help});
    views.ui.help_open = true;
    views.frame(3);
    views.key(ImGuiMod_Ctrl | ImGuiKey_Z);
    EXPECT_TRUE(views.take_actions().empty()) << "a dialog has the keys";
    views.key(ImGuiKey_Escape);
    EXPECT_FALSE(views.ui.help_open);
    EXPECT_TRUE(views.selection.pinned() != nullptr);
    views.key(ImGuiKey_Escape);
    EXPECT_FALSE(views.selection.pinned());
}

TEST(Dialogs, ASentenceIsTyped) {
    HeadlessViews views(draw_panels);
    views.click({140, 628}); // "New sentence…"
    ASSERT_EQ(views.ui.sentence_dialog, "Your journey starts with one step");
    views.frame(3);
    views.type("To be or not to be");
    views.key(ImGuiKey_Enter);
    const auto command = only_command<SetSentence>(views);
    ASSERT_TRUE(command);
    EXPECT_EQ(command->text, "To be or not to be");
    EXPECT_EQ(command->width, 3);
    EXPECT_EQ(command->seed, 123u);
    EXPECT_FALSE(command->starts_anew);
}

void paste(HeadlessViews& views, const std::string& text) {
    ImGui::SetClipboardText(text.c_str());
    views.key(ImGuiMod_Ctrl | ImGuiKey_V);
}

TEST(Dialogs, TabsAndLineBreaksThatArePastedPartWords) {
    HeadlessViews views(draw_panels);
    views.ui.open_sentence_dialog("", false);
    views.frame(3);
    paste(views, "one\ttwo\nthree\r\nfour\rfive\vsix");
    EXPECT_EQ(views.ui.sentence_dialog, "one two three four five six");
    EXPECT_STREQ(ImGui::GetClipboardText(), "one\ttwo\nthree\r\nfour\rfive\vsix") << "where it is told is as it was";
}

TEST(Dialogs, ThatOfTheSentenceStaysWhereItIsWhateverIsWrittenIntoIt) {
    HeadlessViews views(draw_panels);
    views.ui.open_sentence_dialog("", false);
    views.frame(3);
    const ImGuiWindow* dialog = ImGui::FindWindowByName("sentence dialog");
    ASSERT_NE(dialog, nullptr);
    const ImVec2 place = dialog->Pos, size = dialog->Size;
    EXPECT_NEAR(place.y + size.y / 2, 400, 1) << "it opens in the middle";
    std::string words;
    for (int i = 0; i < 100; ++i) words += "considerable ";
    paste(views, words);
    views.frame(3);
    EXPECT_GT(dialog->Size.y, size.y + 50);
    EXPECT_EQ(dialog->Pos.y, place.y);
    EXPECT_EQ(dialog->Pos.x, place.x);
    ImGui::GetIO().DisplaySize.y = place.y + dialog->Size.y - 100;
    views.frame(4);
    EXPECT_LE(dialog->Pos.y + dialog->Size.y, ImGui::GetIO().DisplaySize.y) << "it does not leave a lower window";
    views.key(ImGuiKey_Escape);
    ImGui::GetIO().DisplaySize.y = 800;
    views.ui.open_sentence_dialog("", false);
    views.frame(4);
    EXPECT_NEAR(dialog->Pos.y + dialog->Size.y / 2, 400, 1) << "when it opens again, in the middle";
}

TEST(Dialogs, EnterFillsTheMatrixAsChosen) {
    HeadlessViews views(draw_panels);
    views.click({150, 362}); // "Fill a matrix…"
    ASSERT_EQ(views.ui.fill_dialog, "W_query");
    views.ui.fill_form.made_by = {"randn", 42, 6, {}, {}};
    views.frame(3);
    views.key(ImGuiKey_Enter);
    const auto command = only_command<FillTensor>(views);
    ASSERT_TRUE(command);
    EXPECT_EQ(command->tensor, "W_query");
    EXPECT_EQ(command->made_by, (MadeBy{"randn", 42, 6, {}, {}}));
    EXPECT_FALSE(views.ui.fill_dialog.has_value());
}

TEST(Dialogs, ASeedHasAllItsDigitsAndALimit) {
    HeadlessViews views(draw_panels);
    views.ui.fill_dialog = "W_key";
    views.frame(3);
    constexpr ImVec2 kSeed{510, 472};
    views.click(kSeed);
    views.type("99999999999");
    views.key(ImGuiKey_Enter);
    EXPECT_EQ(views.ui.error, "the seed is at most 4294967295");
    EXPECT_EQ(views.ui.fill_form.made_by.seed, 123u);
    views.click(kSeed);
    views.type("4294967294");
    views.key(ImGuiKey_Enter);
    EXPECT_EQ(views.ui.fill_form.made_by.seed, 4294967294u);
    views.click(kSeed);
    views.key(ImGuiKey_End);
    views.key(ImGuiKey_Backspace);
    views.type("0");
    views.key(ImGuiKey_Enter);
    EXPECT_EQ(views.ui.fill_form.made_by.seed, 4294967290u) << "what stood there was the whole number";
}

TEST(Dialogs, EscapeClosesAListBeforeTheDialogThatHoldsIt) {
    HeadlessViews views(draw_panels);
    views.ui.fill_dialog = "W_key";
    views.frame(3);
    const ImVec2 matrix_select{640, 341};
    views.click(matrix_select);
    views.key(ImGuiKey_DownArrow);
    views.key(ImGuiKey_Enter);
    EXPECT_EQ(views.ui.fill_dialog, "W_value") << "the list was open";
    views.click(matrix_select);
    views.key(ImGuiKey_Escape);
    EXPECT_TRUE(views.ui.fill_dialog.has_value());
    views.key(ImGuiKey_Escape);
    EXPECT_FALSE(views.ui.fill_dialog.has_value());
}

TEST(Dialogs, APathIsTyped) {
    HeadlessViews views(draw_panels);
    views.ui.path_dialog = "";
    views.frame(3);
    views.type("/home/me/session.json");
    views.key(ImGuiKey_Enter);
    EXPECT_EQ(views.ui.path_to_open, "/home/me/session.json");
    EXPECT_FALSE(views.ui.path_to_save.has_value());
    EXPECT_FALSE(views.ui.path_dialog.has_value());
}

TEST(Hints, StandWhereNothingElseStands) {
    const Rect lower_left{197, 500, 500, 772};
    std::vector<Rect> taken{lower_left};
    HeadlessViews views([&](ViewContext& context) { draw_hints(context, {197, 48, 1008, 772}, taken); });
    views.frame(2);
    const ImGuiWindow* card = ImGui::FindWindowByName("##hint");
    ASSERT_NE(card, nullptr);
    EXPECT_FALSE(lower_left.overlaps(Rect::at(card->Pos, card->Size)));
    const ImVec2 before = card->Pos;
    views.ui.camera.is_fitted = false;
    taken.clear();
    views.frame(2);
    EXPECT_FLOAT_EQ(card->Pos.y, before.y) << "stays while one looks around";
    taken = {Rect::at(card->Pos, card->Size)};
    views.frame(2);
    EXPECT_FALSE(card->Active) << "but covers nothing";
    taken.clear();
    views.frame(2);
    EXPECT_TRUE(card->Active) << "and is there again";
    EXPECT_FLOAT_EQ(card->Pos.y, before.y);
}

TEST(Hints, AllOfASentenceStandsOnItsCard) {
    HeadlessViews views([&](ViewContext& context) { draw_hints(context, {197, 48, 1008, 772}, {}); });
    int n_cards = 0;
    for (const char* preset : {"trainable", "simplified-softmax", "gpt2-block", "induction"}) {
        views.open_preset(preset);
        for (int section = 0; section < n_sections(views.lab.program()); ++section) {
            SCOPED_TRACE(preset + std::to_string(section));
            views.selection.section = section;
            views.frame(2);
            const ImGuiWindow* card = window_with("##hint");
            if (card == nullptr) continue;
            ++n_cards;
            float lowest = 0;
            for (const test::Letter& letter : test::letters("##hint")) lowest = std::max(lowest, letter.box.bottom);
            const float bottom = card->Pos.y + card->Size.y;
            EXPECT_LT(lowest, bottom - 8);
            EXPECT_GT(lowest, bottom - 24) << "no line is left out, and none is empty";
        }
    }
    EXPECT_GT(n_cards, 5);
}

TEST(Hints, SpeakOfWhatCanBeEditedHere) {
    test::Canvas canvas;
    const auto said = [&](const std::string& title) {
        const Program& program = canvas.views.lab.program();
        for (int section = 0; section < n_sections(program); ++section)
            if (section_title(program, section) == title) canvas.views.selection.section = section;
        canvas.views.ui.n_hints_dismissed = 0;
        const std::string sentence = hint_sentence(canvas.context({kDarkPalette, {}}));
        return sentence.substr(0, sentence.find('.'));
    };
    EXPECT_EQ(said(""), "Drag any number in inputs or W_query");
    ASSERT_TRUE(canvas.views.lab.perform(SetGradient{"sum(queries)"}));
    canvas.views.selection.shows_gradient = true;
    canvas.views.frame();
    EXPECT_EQ(said(""), "") << "no slope can be dragged";
    canvas.open("simplified-softmax");
    EXPECT_EQ(said(""), "Drag any number in inputs");
    canvas.open("gpt2-block");
    EXPECT_EQ(said("Block 0: attention"), "Drag any number in W_query");
    EXPECT_EQ(said("Block 0: MLP"), "Drag any number in W_up");
    EXPECT_EQ(said("Embedding"), "Drag any number in token_ids or W_embedding");
}

TEST(Hints, OneThatHasNothingToSpeakOfIsPassedOver) {
    test::Canvas canvas;
    UiState& ui = canvas.views.ui;
    Document document = test::document_of({.n_tokens = 4, .has_projections = false, .n_blocks = 1});
    document.attention.position = Position::relative_bias;
    document.attention.blocks.norm = Norm::rms_norm;
    document.attention.blocks.final_norm = true;
    document.tensors["blocks.0.relative_bias"] = Tensor(Shape::matrix(1, 7));
    document.tensors["blocks.0.attention_norm_gain"] = Tensor(Shape::vector(3), 1);
    document.tensors["final_norm_gain"] = Tensor(Shape::vector(3), 1);
    canvas.open(document);
    const auto said = [&](int section) {
        canvas.views.selection.section = section;
        return hint_sentence(canvas.context({kDarkPalette, {}}));
    };
    ui.n_hints_dismissed = 0;
    EXPECT_TRUE(said(1).starts_with("Drag any number in inputs or relative_bias. ")) << "no W matrix: " << said(1);
    EXPECT_EQ(said(2), "Point at any number to see the sum that made it.") << "its norm's gain alone is given";
    canvas.views.frame(2);
    canvas.views.move_to(canvas.middle_of({"final_norm", {0, 2, 1}}));
    EXPECT_EQ(ui.n_hints_dismissed, 2) << "both";
    EXPECT_EQ(said(1), "");
}

TEST(Hints, GoAwayByDoingWhatTheySay) {
    HeadlessViews views([](ViewContext& context) { draw_hints(context, {197, 48, 1008, 772}, {}); });
    views.commands.push_back({SetCell{"inputs", {}, 1}});
    views.frame();
    EXPECT_EQ(views.ui.n_hints_dismissed, 1);
    EXPECT_EQ(views.platform.preferences["hints"], "1");
    views.selection.hovered = TensorCell{"inputs", {}};
    views.frame();
    EXPECT_EQ(views.ui.n_hints_dismissed, 1) << "a given number has no sum";
    views.selection.hovered = TensorCell{"attention_scores", {}};
    views.frame(2);
    EXPECT_EQ(views.ui.n_hints_dismissed, 2);
}

TEST(Panels, DrawAtEverySizeAndInEveryPreset) {
    for (const PresetInfo& preset : presets()) {
        for (ImVec2 size : {ImVec2{720, 480}, ImVec2{1280, 640}, ImVec2{2000, 1200}, ImVec2{390, 844}}) {
            HeadlessViews views(
                [size](ViewContext& context) {
                    draw_top_bar(context, {0, 0, size.x, 48});
                    draw_left_panel(context, {0, 48, 197, size.y - 28});
                    draw_status_bar(context, {0, size.y - 28, size.x, size.y});
                    draw_dialogs(context);
                },
                size);
            ASSERT_TRUE(views.lab.open_preset(preset.name));
            views.ui.is_dark = !views.ui.is_dark;
            views.ui.error =
                "a sentence that is far too long for the bar, so that it has to be cut at its end somewhere";
            views.ui.help_open = true;
            views.frame(3);
            views.click(kEmpty);
        }
    }
}

} // namespace
} // namespace lab
