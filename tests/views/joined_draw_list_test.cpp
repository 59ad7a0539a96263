#include "app/joined_draw_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <imgui_internal.h>

#include "app/app.h"
#include "tests/views/canvas_support.h"
#include "tests/views/headless.h"

namespace lab {
namespace {

// Of all lists in their order.
std::vector<std::string> drawn(const ImDrawData& frame) {
    std::vector<std::string> lines;
    for (const ImDrawList* list : frame.CmdLists) {
        for (std::string& line : test::drawn(*list)) lines.push_back(std::move(line));
    }
    return lines;
}

TEST(JoinedDrawList, DrawsWhatTheListsOfTheFrameDid) {
    FakePlatform platform;
    HeadlessImGui imgui(platform, {1280, 800});
    App app{platform};
    JoinedDrawLists lists;
    for (int frame = 0; frame < 3; ++frame) {
        app.refresh_trace();
        imgui.frame([&] { app.draw(); });
        ImDrawData& data = *ImGui::GetDrawData();
        ASSERT_GT(data.CmdLists.Size, 1);
        const std::vector<std::string> before = drawn(data);
        lists.join(data);
        EXPECT_EQ(data.CmdLists.Size, 1);
        EXPECT_EQ(data.CmdLists.Size, data.CmdListsCount);
        EXPECT_EQ(data.CmdLists[0]->VtxBuffer.Size, data.TotalVtxCount);
        EXPECT_EQ(data.CmdLists[0]->IdxBuffer.Size, data.TotalIdxCount);
        EXPECT_EQ(drawn(data), before);
        lists.part();
    }
}

// Also where it has moved, so that the next frame writes on and keeps it.
TEST(JoinedDrawList, GivesBackTheListThatTheOthersWereJoinedTo) {
    FakePlatform platform;
    HeadlessImGui imgui(platform, {1280, 800});
    App app{platform};
    app.refresh_trace();
    imgui.frame([&] { app.draw(); });
    ImDrawData& data = *ImGui::GetDrawData();
    ASSERT_GT(data.CmdLists.Size, 1);
    const ImVector<ImDrawList*> windows = data.CmdLists;
    const std::vector<std::string> before = drawn(data);
    ImDrawList& longest = **std::max_element(windows.begin(), windows.end(), [](const auto* a, const auto* b) {
        return a->VtxBuffer.Size < b->VtxBuffer.Size;
    });
    ImVector<ImDrawVert> exact; // no room to grow in
    exact.reserve(longest.VtxBuffer.Size);
    exact.resize(longest.VtxBuffer.Size);
    std::copy(longest.VtxBuffer.begin(), longest.VtxBuffer.end(), exact.begin());
    longest.VtxBuffer.swap(exact);
    longest._VtxWritePtr = longest.VtxBuffer.end();
    const ImDrawVert* was_at = longest.VtxBuffer.Data;
    JoinedDrawLists lists;
    lists.join(data);
    lists.part();
    data.CmdLists = windows;
    EXPECT_NE(longest.VtxBuffer.Data, was_at);
    EXPECT_EQ(drawn(data), before);
    for (const ImDrawList* list : windows) {
        EXPECT_EQ(list->_VtxWritePtr, list->VtxBuffer.end());
        EXPECT_EQ(list->_IdxWritePtr, list->IdxBuffer.end());
    }
}

// Of windows that keep their picture while numbers change, every frame is joined and parted.
TEST(JoinedDrawList, OfKeptWindowsDrawsThemFrameAfterFrame) {
    FakePlatform platform;
    HeadlessImGui imgui(platform, {1280, 800});
    App app{platform};
    JoinedDrawLists lists;
    std::vector<std::string> first;
    for (int frame = 0; frame < 12; ++frame) {
        app.refresh_trace();
        imgui.frame([&] { app.draw(); });
        ImDrawData& data = *ImGui::GetDrawData();
        const std::vector<std::string> before = drawn(data);
        lists.join(data);
        EXPECT_EQ(drawn(data), before);
        lists.part();
        if (frame == 4) first = before;
        if (frame > 4) {
            EXPECT_EQ(before, first);
        }
    }
    EXPECT_TRUE(ImGui::FindWindowByName("##left panel")->SkipRefresh);
}

} // namespace
} // namespace lab
