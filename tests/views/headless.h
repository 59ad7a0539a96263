#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <imgui.h>

#include "app/fonts.h"
#include "app/platform.h"
#include "app/session/lab.h"
#include "app/theme.h"
#include "app/views/view.h"

struct ImGuiWindow;

namespace lab {

// A platform without a machine behind it: files and preferences are maps, and what was asked of it can be read.
class FakePlatform final : public Platform {
  public:
    bool has_file_dialog() const override { return file_dialog; }
    void set_file_dialog_area(ScreenArea area) override { file_dialog_area = area; }
    std::string read_file(const std::string& path, std::string& bytes) override;
    std::string save_file(const std::string& name, const std::string& bytes) override;
    std::string load_preference(const std::string& key) override { return preferences[key]; }
    void store_preference(const std::string& key, const std::string& value) override { preferences[key] = value; }
    bool has_coarse_pointer() const override { return coarse_pointer; }
    bool prefers_dark() const override { return true; }
    double now_s() const override { return time_s += tick_s; }
    void set_title(const std::string& text) override { title = text; }
    bool rasterize_glyph(uint32_t, float, GlyphBitmap&) override { return false; }

    bool file_dialog = false;
    bool coarse_pointer = false;
    mutable double time_s = 0;
    double tick_s = 0; // that every look at the clock takes
    ScreenArea file_dialog_area;
    std::map<std::string, std::string> files;
    std::map<std::string, std::string> preferences;
    std::string title;
};

// Dear ImGui without a window, as its example_null: frames of 1/60 s, mouse and keyboard fed as events.
class HeadlessImGui {
  public:
    explicit HeadlessImGui(FakePlatform& platform, ImVec2 size = {1280, 800});
    ~HeadlessImGui();
    HeadlessImGui(const HeadlessImGui&) = delete;
    HeadlessImGui& operator=(const HeadlessImGui&) = delete;

    void frame(const std::function<void()>& draw); // one whole frame, NewFrame to Render

  private:
    FakePlatform& platform_;
};

// Of the windows that are drawn now and whose names hold this the last; null: there is none.
ImGuiWindow* window_with(std::string_view part_of_name);

// The tip that stands there now, or null.
const ImGuiWindow* shown_tip();

// Views on a lab of their own. `draw` is called within every frame; what the views ask for is kept until it is taken.
// Commands are also carried out when `performs` is set, as the application does at the end of a frame.
//
//     HeadlessViews views([](ViewContext& context) { draw_top_bar(context, {0, 0, 1280, 48}); });
//     views.click({200, 24});
//     EXPECT_EQ(views.take_actions(), std::vector{Action::undo});
class HeadlessViews {
  public:
    explicit HeadlessViews(std::function<void(ViewContext&)> draw, ImVec2 size = {1280, 800});

    // Another document, computed, with what the application chooses in it; to be drawn by frames.
    void open(const Document& document);
    void open_preset(const std::string& name);
    ViewContext context(const Theme& theme) { return {lab, selection, ui, theme, platform, commands, actions}; }

    void frame(int n = 1);
    void wait(double seconds); // frames that last as long

    // Mouse: each moves there first, and lets frames pass so that popups open and lay themselves out.
    void move_to(ImVec2 point);
    void click(ImVec2 point, ImGuiMouseButton button = ImGuiMouseButton_Left);
    void double_click(ImVec2 point);
    void press(ImVec2 point); // holds the left button down
    void release();
    void drag(ImVec2 from, ImVec2 to);
    void wheel(ImVec2 point, float lines);

    // Keys: a chord such as ImGuiMod_Ctrl | ImGuiKey_Z, or what a keyboard types.
    void key(ImGuiKeyChord chord);
    void type(const std::string& text);

    std::vector<CommandRequest> take_commands() { return std::exchange(commands, {}); }
    std::vector<Action> take_actions() { return std::exchange(actions, {}); }

    TensorCell pinned() const { return selection.pinned() ? *selection.pinned() : TensorCell{}; }

    FakePlatform platform;
    Lab lab;
    Selection selection;
    UiState ui;
    bool performs = false;
    bool computes = true; // false: what takes longer than a frame stays to be computed
    std::vector<CommandRequest> commands;
    std::vector<Action> actions;

  private:
    HeadlessImGui imgui_;
    Fonts fonts_;
    std::function<void(ViewContext&)> draw_;
};

} // namespace lab
