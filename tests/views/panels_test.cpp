// Steps, settings and tips, clicked through without a window. Places are those of the design's picture at 1280 × 800.
#include <algorithm>
#include <string>
#include <utility>

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include "app/views/left_panel.h"
#include "app/widgets/controls.h"
#include "app/widgets/fields.h"
#include "engine/formats/session.h"
#include "tests/views/canvas_support.h"
#include "tests/views/panels.h"

namespace lab {
namespace {

constexpr ImVec2 kMaskSelect{100, 541};

ImVec2 step(int index) { return {100, 107.0f + 23.0f * static_cast<float>(index)}; }

TEST(Steps, ShowWhatIsComputedUpToTheClickedOne) {
    HeadlessViews views(draw_panels);
    views.click(step(2));
    EXPECT_EQ(views.selection.shown_stage, 2);
    views.click(step(2));
    EXPECT_FALSE(views.selection.shown_stage.has_value());
    views.type("]");
    EXPECT_EQ(views.selection.shown_stage, 0);
    views.type("]");
    EXPECT_EQ(views.selection.shown_stage, 1);
    views.type("[");
    EXPECT_EQ(views.selection.shown_stage, 0);
    views.type("[");
    EXPECT_EQ(views.selection.shown_stage, 0);
}

TEST(Steps, PinANumberThatTheyMake) {
    HeadlessViews views(draw_panels);
    views.click(step(3));
    EXPECT_EQ(*views.selection.pinned(), (TensorCell{"scaled_scores", {0, 1, 2}})); // as the weight before
    const std::vector<TensorCell> made = {
        {"inputs", {0, 1, 0}},         {"queries", {0, 1, 0}},           {"attention_scores", {0, 1, 2}},
        {"scaled_scores", {0, 1, 2}},  {"attention_weights", {0, 1, 2}}, {"weighted_values", {2, 1, 0}},
        {"context_vectors", {0, 1, 0}}};
    views.selection.shown_stage.reset();
    for (const TensorCell& cell : made) {
        views.type("]");
        EXPECT_EQ(*views.selection.pinned(), cell) << cell.tensor;
    }
    views.type("]");
    EXPECT_EQ(*views.selection.pinned(), made.back()) << "everything is shown";
}

TEST(Steps, LeaveThePinnedNumberThatTheyMake) {
    HeadlessViews views(draw_panels);
    const TensorCell weight{"W_key", {0, 2, 1}};
    views.selection.visit(weight, views.lab.program());
    views.click(step(1));
    EXPECT_EQ(*views.selection.pinned(), weight);
    views.type("]");
    EXPECT_EQ(*views.selection.pinned(), (TensorCell{"attention_scores", {0, 1, 2}})) << "of the key before";
}

TEST(Steps, TheStepAfterTheLastIsEverything) {
    HeadlessViews views(draw_panels);
    views.selection.shown_stage = static_cast<int>(views.lab.program().stages.size()) - 1;
    views.type("]");
    EXPECT_FALSE(views.selection.shown_stage.has_value());
}

TEST(Settings, ChooseAMask) {
    HeadlessViews views(draw_panels);
    views.click(kMaskSelect);
    // The list opens on the chosen entry, "none"; the next one is "causal".
    views.key(ImGuiKey_DownArrow);
    views.key(ImGuiKey_Enter);
    const auto command = only_command<SetAttention>(views);
    ASSERT_TRUE(command);
    EXPECT_EQ(command->attention.mask, MaskKind::causal);
}

TEST(Settings, EscapeClosesTheListAndNothingElse) {
    HeadlessViews views(draw_panels);
    views.selection.shown_stage = 3;
    views.selection.let_go();
    views.click(kMaskSelect);
    views.key(ImGuiKey_Escape);
    EXPECT_TRUE(views.take_commands().empty());
    EXPECT_EQ(views.selection.shown_stage, 3);
    views.key(ImGuiKey_Escape);
    EXPECT_FALSE(views.selection.shown_stage.has_value());
}

TEST(Shortcuts, WhatDoesNotApplySaysWhy) {
    HeadlessViews views(draw_panels);
    for (const auto& [key, word] :
         {std::pair(ImGuiKey_G, "no choice of heads"), std::pair(ImGuiKey_H, "no choice of heads")}) {
        views.key(key);
        EXPECT_NE(views.ui.key_note.find(word), std::string::npos) << views.ui.key_note;
        EXPECT_FALSE(views.ui.head_grid.is_open);
        views.key(ImGuiKey_F);
        EXPECT_EQ(views.ui.key_note, "") << "until the next key";
    }
    views.key(ImGuiKey_M);
    EXPECT_TRUE(views.ui.paints_mask) << "scores and weights stand here";
}

TEST(Shortcuts, EscapePutsTheBrushDownBeforeItLetsGoOfANumber) {
    HeadlessViews views(draw_panels);
    views.key(ImGuiKey_M);
    ASSERT_TRUE(views.ui.paints_mask && views.selection.pinned());
    views.key(ImGuiKey_Escape);
    EXPECT_FALSE(views.ui.paints_mask);
    EXPECT_NE(views.selection.pinned(), nullptr);
    views.key(ImGuiKey_Escape);
    EXPECT_EQ(views.selection.pinned(), nullptr);
}

void set_scale(HeadlessViews& views, float scale) {
    AttentionSettings attention = views.lab.document().attention;
    attention.scale = scale;
    ASSERT_TRUE(views.lab.perform(SetAttention{attention}));
}

TEST(Settings, DraggingTheNumberIsOneStepOfUndo) {
    HeadlessViews views(draw_panels);
    views.performs = true;
    set_scale(views, 0.5f);
    views.frame(2);
    views.drag({61, 457}, {91, 457});
    const std::vector<CommandRequest> commands = views.take_commands();
    ASSERT_GE(commands.size(), 2u);
    for (const CommandRequest& request : commands) {
        EXPECT_NE(request.gesture, 0u);
        EXPECT_EQ(request.gesture, commands[0].gesture);
    }
    EXPECT_GT(*views.lab.document().attention.scale, 0.6f);
    views.lab.undo();
    EXPECT_EQ(views.lab.document().attention.scale, 0.5f);
}

TEST(Settings, ADragThroughScale1KeepsItsHandle) {
    HeadlessViews views(draw_panels);
    views.performs = true;
    set_scale(views, 0.98f);
    views.frame(3);
    views.press({61, 457});
    views.move_to({63, 457});
    for (float x = 63; x < 120 && *views.lab.document().attention.scale < 1.2f; ++x) views.move_to({x, 457});
    EXPECT_GE(*views.lab.document().attention.scale, 1.2f);
    views.release();
    set_scale(views, 1.0f);
    views.frame(3);
    views.take_commands();
    views.drag({61, 457}, {91, 457});
    EXPECT_TRUE(views.take_commands().empty()) << "with scale \"none\" there is no number";
}

// Where a click chooses one of them: the first and the last such place.
std::pair<float, float> place_of_steps(HeadlessViews& views) {
    float first = 1000, last = 0;
    for (float y = 90; y < 340; ++y) {
        views.selection.shown_stage.reset();
        views.click({100, y});
        if (!views.selection.shown_stage) continue;
        first = std::min(first, y);
        last = y;
    }
    views.selection.shown_stage.reset();
    views.selection.let_go(); // no sentence
    return {first, last};
}

TEST(Steps, AreNotSqueezedWhereThePanelScrollsAnyway) {
    HeadlessViews views(draw_panels);
    ASSERT_TRUE(views.lab.open_text(write_session(test::document_of({.n_tokens = 40}))));
    views.frame(3);
    const auto [first, last] = place_of_steps(views);
    EXPECT_GE((last - first) / static_cast<float>(views.lab.program().stages.size()), 21.0f);
}

TEST(Steps, HaveTheRoomThatIsEmptyBelowTheirSentence) {
    HeadlessViews views(draw_panels);
    const std::pair<float, float> place = place_of_steps(views);
    const float first = place.first, last = place.second;
    constexpr int kSteps = 7;
    ASSERT_EQ(views.lab.program().stages.size(), kSteps);
    EXPECT_GE((last - first) / kSteps, 24.5f);

    const auto letters_below = [&](float end) {
        views.frame(2);
        std::vector<Rect> found;
        for (const test::Letter& letter : test::letters("##left panel"))
            if (letter.box.top > last && letter.box.bottom < end) found.push_back(letter.box);
        return found;
    };
    const auto by_top = [](const Rect& a, const Rect& b) { return a.top < b.top; };
    views.move_to({640, 400});
    const std::vector<Rect> untold = letters_below(800);
    const float settings = std::min_element(untold.begin(), untold.end(), by_top)->top;
    views.move_to({100, first + 1.5f * (last - first) / kSteps}); // the longest sentence
    const std::string& sentence = views.lab.program().stages[1].sentence;
    const auto n_letters =
        sentence.size() - static_cast<std::size_t>(std::count(sentence.begin(), sentence.end(), ' '));
    EXPECT_EQ(letters_below(settings - 3).size(), n_letters) << "all of it stands above what follows";
}

TEST(Steps, LeaveRoomForTheWidthsHoweverManyThereAre) {
    HeadlessViews views(draw_panels);
    ASSERT_TRUE(views.lab.open_preset("integers-rounded"));
    AttentionSettings attention = views.lab.document().attention;
    attention.mask = MaskKind::causal;
    ASSERT_TRUE(views.lab.perform(SetAttention{attention}));
    views.frame(3);
    ASSERT_GE(views.lab.program().stages.size(), 8u);
    for (int stage = 0; stage < static_cast<int>(views.lab.program().stages.size()); ++stage) {
        views.selection.shown_stage = stage;
        views.frame(3);
        const ImGuiWindow* sections = window_with("##sections");
        ASSERT_NE(sections, nullptr);
        EXPECT_EQ(sections->ScrollMax.y, 0) << views.lab.program().stages[static_cast<std::size_t>(stage)].title;
    }
}

constexpr ImVec2 kMore{60, 753};

// Where a line of the groups stands once they are open and the panel is scrolled to its end.
ImVec2 group_line(int from_the_last) { return {60, 755 - static_cast<float>(from_the_last) * kMoreSettingsLine}; }

// Else thousands of lines of tokens would stand before them.
TEST(MoreSettings, AreInSightHoweverManyTokensThereAre) {
    HeadlessViews views(draw_panels);
    EXPECT_TRUE(views.lab.open_text(write_session(test::document_of({.n_tokens = 3000}))));
    views.frame(3);
    for (float y = 300; y < 770 && !views.ui.more_settings_open; y += 8) views.click({kMore.x, y});
    EXPECT_TRUE(views.ui.more_settings_open);
}

TEST(MoreSettings, StandBehindOneLineUntilItIsOpened) {
    HeadlessViews views(draw_panels);
    views.click(kMore);
    views.frame(3);
    EXPECT_TRUE(views.ui.more_settings_open);
    EXPECT_TRUE(views.take_commands().empty());
    views.click(group_line(7)); // "Heads"
    views.frame(3);
    EXPECT_EQ(views.ui.open_groups, std::set<std::string>{"Heads"});
}

// Opens the settings of heads, scrolls to the panel's end, and says where the stepper's + is: above its sentence, two more
// settings, the lines of seven groups, and the end.
ImVec2 more_heads(HeadlessViews& views) {
    views.performs = true;
    views.ui.more_settings_open = true;
    views.ui.open_groups = {"Heads"};
    views.frame(3);
    ImGuiWindow* sections = window_with("##sections");
    EXPECT_NE(sections, nullptr);
    if (sections == nullptr) return {};
    EXPECT_GT(sections->ScrollMax.y, 0) << "what is open is scrolled to";
    sections->Scroll.y = sections->ScrollMax.y;
    views.frame(3);
    return {92, 772 - 7 - 7 * kMoreSettingsLine - 4 - 2 * 44 - 3 * 15 - 6 - 19};
}

TEST(MoreSettings, HeadsAreSteppedAndOneStepOfUndo) {
    HeadlessViews views(draw_panels);
    const ImVec2 more = more_heads(views);
    const Document before = views.lab.document();
    views.click(more);
    const auto command = only_command<SetAttention>(views);
    ASSERT_TRUE(command);
    EXPECT_EQ(command->attention.n_heads, 2);
    EXPECT_EQ(views.lab.document().attention.n_heads, 2);
    views.lab.undo();
    EXPECT_TRUE(bit_equal(views.lab.document(), before));
}

// Tokens that go make the steps stand farther apart, which makes the panel as high as it is: only then is it seen that nothing is left
// to be scrolled.
TEST(LeftPanel, HasNoBarToScrollWithWhereAllIsInSight) {
    HeadlessViews views(draw_panels);
    const auto rest = [&] {
        views.frame();
        for (int i = 0; i < 20 && views.ui.wants_frame; ++i) {
            views.ui.wants_frame = false;
            views.frame();
        }
    };
    const auto has_bar = [] {
        const auto& windows = ImGui::GetCurrentContext()->Windows;
        return std::any_of(windows.begin(), windows.end(), [](const ImGuiWindow* window) {
            return std::string(window->Name).find("##sections") != std::string::npos && window->ScrollbarY;
        });
    };
    rest();
    ASSERT_FALSE(has_bar());
    std::string sentence;
    for (int i = 0; i < 30; ++i) sentence += "comfortable" + std::to_string(i) + " ";
    ASSERT_TRUE(views.lab.perform(SetSentence{sentence, 123, 3}));
    rest();
    ASSERT_TRUE(has_bar());
    ASSERT_TRUE(views.lab.undo());
    rest();
    EXPECT_FALSE(has_bar());
}

// Clicked again and again at the same place, though heads bring a setting and a step with them and take them away again.
TEST(MoreSettings, AStepperKeepsItsPlaceUnderThePointer) {
    HeadlessViews views(draw_panels);
    const ImVec2 more = more_heads(views);
    for (int n = 2; n <= 5; ++n) {
        views.click(more);
        EXPECT_EQ(views.lab.document().attention.n_heads, n);
    }
    const ImVec2 less{more.x - 64, more.y};
    for (int n = 4; n >= 1; --n) {
        views.click(less);
        EXPECT_EQ(views.lab.document().attention.n_heads, n);
    }
    EXPECT_NE(views.ui.held_setting.id, 0u);
    views.move_to(kEmpty);
    views.frame(3);
    EXPECT_EQ(views.ui.held_setting.id, 0u) << "once the pointer has left the panel everything has its usual place";
    EXPECT_EQ(views.ui.held_setting.gap, 0.0f);
}

TEST(Settings, WidthsAreSteppedAndTyped) {
    HeadlessViews views(draw_panels);
    views.click({61, 727});
    auto command = only_command<ResizeWidth>(views);
    ASSERT_TRUE(command);
    EXPECT_EQ(command->which, Width::d_in);
    EXPECT_EQ(command->n, 4);
    views.click({99, 727});
    views.type("12");
    EXPECT_TRUE(views.take_commands().empty()) << "a width of 1 on the way to 12 would cut numbers off";
    views.key(ImGuiKey_Enter);
    command = only_command<ResizeWidth>(views);
    ASSERT_TRUE(command);
    EXPECT_EQ(command->which, Width::d_k);
    EXPECT_EQ(command->n, 12);
}

TEST(Settings, AWidthShowsAllItsDigits) {
    HeadlessViews views([](ViewContext& context) {
        const float digit = text_width(lab::number_text(context.theme, type_size::kControl, {}), "0");
        EXPECT_GE(stepper_width(context.theme, 4096), 4 * digit + 2 * 14) << "beside − and +";
        draw_panels(context);
    });
    for (const Width which : {Width::d_in, Width::d_k, Width::d_v})
        ASSERT_TRUE(views.lab.perform(ResizeWidth{which, 1024}));
    views.frame(3);
    views.click({71, 727 - 44}); // "+" further to the right, and a line for d_v below it
    const auto command = only_command<ResizeWidth>(views);
    ASSERT_TRUE(command);
    EXPECT_EQ(command->which, Width::d_in);
    EXPECT_EQ(command->n, 1025);
}

TEST(Settings, ThreeWidthsOfUpToThreeDigitsStandInOneLine) {
    HeadlessViews views(draw_panels);
    for (const int width : {6, 64, 768}) {
        views.open(test::document_of({.n_tokens = 6, .d_in = width, .d_k = width, .d_v = width}));
        views.frame(3);
        views.click({173, 734}); // the last "+" of the line
        const auto command = only_command<ResizeWidth>(views);
        ASSERT_TRUE(command);
        EXPECT_EQ(command->which, Width::d_v);
        EXPECT_EQ(command->n, width + 1);
    }
}

TEST(Settings, ALongWidthIsSeenWholeWhileItIsTyped) {
    HeadlessViews views(draw_panels);
    const Rect d_in{20, 724, 71, 744};
    const auto n_digits = [&] { return test::n_letters("", d_in, kDarkPalette.text.u32()); };
    ASSERT_EQ(n_digits(), 1);
    views.click(d_in.center());
    std::string typed;
    for (const char* digit : {"4", "0", "9", "6"}) {
        views.type(digit);
        typed += digit;
        EXPECT_EQ(n_digits(), static_cast<int>(typed.size())) << typed;
    }
    views.key(ImGuiKey_Enter);
    const auto command = only_command<ResizeWidth>(views);
    ASSERT_TRUE(command);
    EXPECT_EQ(command->n, 4096);
    EXPECT_EQ(n_digits(), 1) << "it was not carried out here";
    views.click(d_in.center());
    views.type("4096");
    EXPECT_EQ(n_digits(), 4) << "at once, as what is pasted";
}

TEST(Settings, ShortWidthsMakeRoomForALongOne) {
    HeadlessViews views(draw_panels);
    views.open(test::document_of({.n_tokens = 6, .d_in = 3, .d_k = 128, .d_v = 1000}));
    views.frame(3);
    views.click({173, 734}); // the last "+" of the line
    const auto command = only_command<ResizeWidth>(views);
    ASSERT_TRUE(command);
    EXPECT_EQ(command->which, Width::d_v);
    EXPECT_EQ(command->n, 1001);
}

TEST(Settings, AFieldThatIsClickedKeepsItsButtons) {
    HeadlessViews views(draw_panels);
    for (const int width : {64, 768}) {
        views.open(test::document_of({.n_tokens = 6, .d_in = width, .d_k = width, .d_v = width}));
        views.frame(3);
        views.click({45, 734});
        EXPECT_TRUE(views.take_commands().empty());
        views.click({64, 734});
        const auto command = only_command<ResizeWidth>(views);
        ASSERT_TRUE(command) << width;
        EXPECT_EQ(command->n, width + 1);
    }
}

TEST(Settings, AWidthBeyondItsLimitIsRefusedWithTheLimit) {
    HeadlessViews views(draw_panels);
    views.click({45, 734});
    views.type("9999");
    views.key(ImGuiKey_Enter);
    EXPECT_TRUE(views.take_commands().empty());
    EXPECT_EQ(views.ui.error, "d_in is at most 4096");
    views.click({45, 734});
    views.type("0");
    views.key(ImGuiKey_Enter);
    EXPECT_TRUE(views.take_commands().empty());
    EXPECT_EQ(views.ui.error, "d_in is at least 1");
}

// Where the tip stands that is shown now.
Rect tip_area() {
    const ImGuiWindow* tip = shown_tip();
    return tip ? Rect::at(tip->Pos, tip->Size) : Rect{};
}

TEST(Tips, StandBelowWhatTheyDescribeOrAboveIt) {
    HeadlessViews views(draw_panels);
    constexpr ImVec2 kPlaces[] = {kOpenIcon, {1229, 24}, {150, 362}, kMaskSelect, {155, 628}, {45, 734}};
    for (const ImVec2 place : kPlaces) {
        views.move_to(kEmpty);
        views.move_to(place);
        views.wait(1);
        const Rect tip = tip_area();
        ASSERT_GT(tip.width(), 0) << place.x << " " << place.y;
        const bool is_beside = tip.left > place.x + 5 || tip.top > place.y + 5 || tip.bottom < place.y - 5;
        EXPECT_TRUE(is_beside) << place.x << " " << place.y;
        EXPECT_TRUE((Rect{0, 0, 1280, 800}.contains(tip.min()))) << place.x << " " << place.y;
        EXPECT_LE(tip.right, 1280);
        EXPECT_LE(tip.bottom, 800);
    }
}

// The cross of a token whose word is cut lies on it, and both have something to say.
TEST(Tips, OfACrossOnAWordThatIsCutSaysWhatTheCrossDoes) {
    HeadlessViews views(draw_panels);
    Document document = test::document_of({.n_tokens = 6});
    document.tokens.set(0, "Donaudampfschifffahrtsgesellschaftskapitänsmütze");
    views.open(document);
    views.frame(3);
    const ImVec2 chip{100, 600}; // a line of its own
    views.move_to(chip);
    views.wait(1);
    const Rect of_word = tip_area();
    ASSERT_GT(of_word.width(), 0);
    views.move_to({181, chip.y - 6});
    views.wait(1);
    const Rect of_cross = tip_area();
    ASSERT_GT(of_cross.width(), 0);
    EXPECT_LT(of_cross.width(), of_word.width()) << "Remove";
}

} // namespace
} // namespace lab
