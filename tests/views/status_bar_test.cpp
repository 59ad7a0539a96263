// The line at the bottom: what went wrong, what is under the pointer.
#include <gtest/gtest.h>

#include "app/views/views.h"
#include "tests/views/headless.h"

namespace lab {
namespace {

constexpr Rect kBar{0, 772, 1280, 800};

class StatusBar : public testing::Test {
  protected:
    HeadlessViews views{[](ViewContext& context) { draw_status_bar(context, kBar); }};

    int n_vertices() {
        views.frame(2);
        return ImGui::GetDrawData()->TotalVtxCount;
    }
};

TEST_F(StatusBar, AClickOnAnErrorTakesItAway) {
    for (const float x : {40.0f, 104.0f}) { // the sentence, its cross
        views.ui.error = "it does not fit";
        views.click({x, 786});
        EXPECT_EQ(views.ui.error, "") << x;
    }
    views.ui.error = "it does not fit";
    views.click({600, 786});
    EXPECT_NE(views.ui.error, "");
}

TEST_F(StatusBar, BesideAnErrorStandsWhatIsUnderThePointer) {
    views.ui.error = std::string(300, 'w'); // far wider than the bar
    const int without = n_vertices();
    views.ui.status = "inputs[journey, d₁] = 0.5500";
    EXPECT_GT(n_vertices(), without + 4 * 20);
}

} // namespace
} // namespace lab
