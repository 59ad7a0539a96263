#include <string>

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include "app/session/sections.h"
#include "app/views/phone_layout.h"
#include "app/views/views.h"
#include "tests/views/headless.h"

// The menu over a narrow screen, and the grid of heads there: reached with fingers, which are 36 points wide.
namespace lab {
namespace {

class PhoneMenu : public testing::Test {
  protected:
    PhoneMenu() {
        views.platform.coarse_pointer = true;
        views.performs = true;
    }

    void open(const std::string& preset) {
        views.open_preset(preset);
        views.ui.phone_menu_open = true;
        views.frame(3);
    }

    HeadlessViews views{[](ViewContext& context) { draw_phone(context, {0, 0, 390, 844}); }, {390, 844}};
    static constexpr float kBelowSession = 126; // with the badge of a worked example
};

TEST_F(PhoneMenu, TheGradientIsTakenAndLeftThere) {
    open("trainable");
    const ImVec2 chip{48, kBelowSession + 38 + 18};
    views.click(chip);
    views.frame(2);
    ASSERT_GE(views.lab.program().target, 0);
    EXPECT_TRUE(views.selection.shows_gradient);
    views.click({chip.x, chip.y + 14}); // at its lower edge: as high as a finger is wide
    EXPECT_FALSE(views.selection.shows_gradient);
}

TEST_F(PhoneMenu, AFingerPullsItAlongAndNothingBehindIt) {
    open("trainable");
    const auto scrolled = [] { return window_with("##sections") ? window_with("##sections")->Scroll.y : -1; };
    const auto pull = [&](ImVec2 from, ImVec2 by) {
        views.press(from);
        for (int step = 1; step <= 10; ++step)
            views.move_to(
                {from.x + 0.1f * static_cast<float>(step) * by.x, from.y + 0.1f * static_cast<float>(step) * by.y});
        views.release();
        views.frame(2);
    };
    const auto step_before = views.selection.shown_stage;
    ASSERT_EQ(scrolled(), 0);
    pull({100, 500}, {0, -100});
    EXPECT_NEAR(scrolled(), 100, 20);
    pull({100, 300}, {0, 60}); // from a step
    EXPECT_NEAR(scrolled(), 40, 20);
    EXPECT_EQ(views.selection.shown_stage, step_before) << "what the finger set out from is not pressed";
    const float before = scrolled();
    pull({100, 500}, {80, 3});
    EXPECT_EQ(scrolled(), before) << "sideways";
    for (const auto& [tab, camera] : views.ui.phone_cameras) {
        EXPECT_EQ(camera.origin.x, 0) << tab;
        EXPECT_EQ(camera.origin.y, 0) << tab;
    }
}

TEST_F(PhoneMenu, ChevronsOfSectionsAreAsWideAsFingers) {
    open("gpt2-block");
    const int section = views.selection.section;
    views.click({266 + 8, kBelowSession + 38 + 18 + 15}); // off its middle by nearly half a finger
    EXPECT_EQ(views.selection.section, section + 1);
}

TEST_F(PhoneMenu, StepsAreAFingerApartThoughThereAreMany) {
    open("llama-block");
    const auto stages = stages_of_section(views.lab.program(), views.selection.section);
    ASSERT_EQ(stages.size(), 10u);
    const float first = kBelowSession + 2 * 74 + 48 + 11; // below the section's and the gradient's line
    for (const int step : {0, 2, 5}) {
        open("llama-block"); // as it was: no sentence above these steps
        views.click({100, first + 34 * static_cast<float>(step)});
        EXPECT_EQ(views.selection.shown_stage, stages[static_cast<std::size_t>(step)]);
    }
}

} // namespace
} // namespace lab
