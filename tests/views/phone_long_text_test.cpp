#include <gtest/gtest.h>
#include <imgui_internal.h>

#include "app/views/views.h"
#include "tests/views/headless.h"

namespace lab {
namespace {

// A phone that shows a text of any length.
class PhoneWithLongText : public testing::Test {
  protected:
    HeadlessViews views{[](ViewContext& context) { draw_phone(context, {0, 0, 390, 844}); }, {390, 844}};

    void open(int n_tokens) {
        Document document = views.lab.document();
        document.tokens.clear();
        for (int i = 0; i < n_tokens; ++i) document.tokens.push_back("token " + std::to_string(10001 + i));
        document.tensors["inputs"] = Tensor(Shape::matrix(n_tokens, 3), 0.5f);
        ASSERT_TRUE(views.lab.perform(OpenDocument{document}).has_value());
        views.lab.refresh();
        views.selection = default_selection(views.lab.trace());
        views.frame(3);
    }

    void choose(int query) {
        views.selection.query = query;
        views.frame(3);
    }

    static ImGuiWindow* strip() {
        for (ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
            if (std::string(window->Name).find("##tokens") != std::string::npos) return window;
        return nullptr;
    }

    static int n_vertices(const std::string& window) {
        int n = 0;
        for (const ImDrawList* list : ImGui::GetDrawData()->CmdLists)
            n += std::string(list->_OwnerName).find(window) != std::string::npos ? list->VtxBuffer.Size : 0;
        return n;
    }
};

TEST_F(PhoneWithLongText, TheStripOfTokensDrawsThoseInSightAlone) {
    open(50);
    choose(25);
    const int of_few = n_vertices("##tokens");
    EXPECT_GT(of_few, 0);
    open(5000);
    choose(2500);
    EXPECT_EQ(n_vertices("##tokens"), of_few);
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

TEST_F(PhoneWithLongText, AnotherTextIsShownFromItsChosenQuery) {
    open(5000);
    choose(3000);
    open(400);
    EXPECT_LT(views.selection.query, 5);
    EXPECT_EQ(strip()->Scroll.x, 0);
}

} // namespace
} // namespace lab
