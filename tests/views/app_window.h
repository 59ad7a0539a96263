#pragma once

#include <gtest/gtest.h>

#include "app/app.h"
#include "tests/views/headless.h"

namespace lab::test {

inline constexpr ImVec2 kWide{1280, 800}, kUpright{390, 844};

// The application in a window that is not there, frame by frame as the loop runs it.
class AppWindow {
  public:
    // Returns whether the next frame is wanted at once.
    bool frame() {
        app.refresh_trace();
        imgui_.frame([&] { app.draw(); });
        const bool had_any = app.apply_commands();
        app.work(0.01);
        return had_any || app.wants_frame();
    }
    void frames(int n) {
        for (; n > 0; --n) frame();
    }

    void press_key(ImGuiKeyChord chord) {
        ImGuiIO& io = ImGui::GetIO();
        for (const bool down : {true, false}) {
            if (chord & ImGuiMod_Ctrl) io.AddKeyEvent(ImGuiMod_Ctrl, down);
            if (chord & ImGuiMod_Shift) io.AddKeyEvent(ImGuiMod_Shift, down);
            if (chord & ImGuiMod_Alt) io.AddKeyEvent(ImGuiMod_Alt, down);
            io.AddKeyEvent(static_cast<ImGuiKey>(chord & ~ImGuiMod_Mask_), down);
            frames(2);
        }
    }
    void move_to(ImVec2 point) {
        ImGui::GetIO().AddMousePosEvent(point.x, point.y);
        frames(2);
    }
    void click(ImVec2 point) {
        move_to(point);
        for (const bool down : {true, false}) {
            ImGui::GetIO().AddMouseButtonEvent(0, down);
            frames(3);
        }
    }
    void resize(ImVec2 size) { ImGui::GetIO().DisplaySize = size; }

    FakePlatform platform;

  private:
    HeadlessImGui imgui_{platform, kWide};

  public:
    App app{platform}; // made after Dear ImGui, gone before it
};

class WholeApp : public testing::Test {
  protected:
    WholeApp() { window.frames(3); }

    AppWindow window;
    App& app = window.app;

    float input() { return app.lab().document().tensors.at("inputs").at({0, 0, 0}); }
};

} // namespace lab::test
