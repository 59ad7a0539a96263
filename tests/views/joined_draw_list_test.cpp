#include "app/joined_draw_list.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "app/app.h"
#include "tests/views/headless.h"

namespace lab {
namespace {

// A callback draws nothing.
std::uintptr_t texture_of(const ImDrawCmd& command) {
    return command.UserCallback ? 0 : reinterpret_cast<std::uintptr_t>(command.TexRef._TexData);
}

// What is drawn, in its order: a line for every command and for every corner of its triangles.
std::vector<std::string> drawn(const ImDrawData& frame) {
    std::vector<std::string> lines;
    for (const ImDrawList* list : frame.CmdLists) {
        for (const ImDrawCmd& command : list->CmdBuffer) {
            const ImVec4& clip = command.ClipRect;
            lines.push_back("within " + std::to_string(clip.x) + " " + std::to_string(clip.y) + " " +
                            std::to_string(clip.z) + " " + std::to_string(clip.w) + ", texture " +
                            std::to_string(texture_of(command)) + ", called " +
                            std::to_string(reinterpret_cast<std::uintptr_t>(command.UserCallback)) + " " +
                            std::to_string(reinterpret_cast<std::uintptr_t>(command.UserCallbackData)));
            for (unsigned i = 0; i < command.ElemCount; ++i) {
                const auto index = static_cast<int>(list->IdxBuffer[static_cast<int>(command.IdxOffset + i)]);
                const ImDrawVert& corner = list->VtxBuffer[index];
                lines.push_back(std::to_string(corner.pos.x) + " " + std::to_string(corner.pos.y) + " " +
                                std::to_string(corner.uv.x) + " " + std::to_string(corner.uv.y) + " " +
                                std::to_string(corner.col));
            }
        }
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

TEST(JoinedDrawList, GivesBackTheListThatTheOthersWereJoinedTo) {
    FakePlatform platform;
    HeadlessImGui imgui(platform, {1280, 800});
    App app{platform};
    app.refresh_trace();
    imgui.frame([&] { app.draw(); });
    ImDrawData& data = *ImGui::GetDrawData();
    const ImVector<ImDrawList*> windows = data.CmdLists;
    const std::vector<std::string> before = drawn(data);
    JoinedDrawLists lists;
    lists.join(data);
    lists.part();
    data.CmdLists = windows;
    EXPECT_EQ(drawn(data), before);
    for (const ImDrawList* list : windows) {
        EXPECT_EQ(list->_VtxWritePtr, list->VtxBuffer.end());
        EXPECT_EQ(list->_IdxWritePtr, list->IdxBuffer.end());
    }
}

} // namespace
} // namespace lab
