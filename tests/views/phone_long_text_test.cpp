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
        views.frame(3);
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
    const int of_few = n_vertices("##tokens");
    EXPECT_GT(of_few, 0);
    open(5000);
    EXPECT_EQ(n_vertices("##tokens"), of_few);
}

TEST_F(PhoneWithLongText, TheStripOfTokensScrollsToItsEnd) {
    open(5000);
    ImGuiWindow* strip = nullptr;
    for (ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
        if (std::string(window->Name).find("##tokens") != std::string::npos) strip = window;
    ASSERT_NE(strip, nullptr);
    ImGui::SetScrollX(strip, strip->ScrollMax.x);
    views.frame(3);
    views.click({340, 80});
    EXPECT_EQ(views.selection.query, 4999);
}

} // namespace
} // namespace lab
