#include "tests/views/headless.h"

#include <utility>

#include <gtest/gtest.h>
#include <imgui_internal.h>

namespace lab {

namespace {

constexpr float kFrame_s = 1.0f / 60.0f;

// Stands for the renderer: every texture that Dear ImGui asks for is there at once.
void grant_textures() {
    for (ImTextureData* texture : ImGui::GetPlatformIO().Textures) {
        if (texture->Status == ImTextureStatus_WantDestroy) {
            texture->SetTexID(ImTextureID_Invalid);
            texture->SetStatus(ImTextureStatus_Destroyed);
        } else if (texture->Status != ImTextureStatus_OK && texture->Status != ImTextureStatus_Destroyed) {
            texture->SetTexID(1);
            texture->SetStatus(ImTextureStatus_OK);
        }
    }
}

} // namespace

std::string FakePlatform::read_file(const std::string& path, std::string& bytes) {
    const auto found = files.find(path);
    if (found == files.end()) return "cannot open " + path + ": No such file or directory";
    bytes = found->second;
    return {};
}

std::string FakePlatform::save_file(const std::string& name, const std::string& bytes) {
    files[name] = bytes;
    return {};
}

HeadlessImGui::HeadlessImGui(FakePlatform& platform, ImVec2 size) : platform_(platform) {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    io.DisplaySize = size;
    io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
    io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    io.ConfigInputTextCursorBlink = false;
    io.ConfigInputTrickleEventQueue = false; // what is fed before a frame is there in that frame
}

HeadlessImGui::~HeadlessImGui() {
    for (ImTextureData* texture : ImGui::GetPlatformIO().Textures) {
        texture->SetTexID(ImTextureID_Invalid);
        texture->SetStatus(ImTextureStatus_Destroyed);
    }
    ImGui::DestroyContext();
}

void HeadlessImGui::frame(const std::function<void()>& draw) {
    ImGui::GetIO().DeltaTime = kFrame_s;
    platform_.time_s += kFrame_s;
    ImGui::NewFrame();
    draw();
    ImGui::Render();
    grant_textures();
}

ImGuiWindow* window_with(std::string_view part_of_name) {
    ImGuiWindow* found = nullptr;
    for (ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
        if (window->Active && std::string_view(window->Name).find(part_of_name) != std::string_view::npos)
            found = window;
    }
    return found;
}

const ImGuiWindow* shown_tip() {
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
        if ((window->Flags & ImGuiWindowFlags_Tooltip) && window->Active && !window->Hidden) return window;
    }
    return nullptr;
}

HeadlessViews::HeadlessViews(std::function<void(ViewContext&)> draw, ImVec2 size)
    : imgui_(platform, size), fonts_(load_fonts(platform)), draw_(std::move(draw)) {
    selection = default_selection(lab.trace());
    frame(3);
}

void HeadlessViews::open(const Document& document) {
    const Result<Done> done = lab.perform(OpenDocument{document});
    ASSERT_TRUE(done.has_value()) << done.error();
    lab.refresh();
    selection = default_selection(lab.trace());
}

void HeadlessViews::open_preset(const std::string& name) {
    ASSERT_TRUE(lab.open_preset(name).has_value()) << name;
    lab.refresh();
    selection = default_selection(lab.trace());
}

void HeadlessViews::frame(int n) {
    for (; n > 0; --n) {
        if (computes ? lab.refresh() : lab.begin_refresh()) selection.fit(lab.program());
        const Theme theme{ui.is_dark ? kDarkPalette : kLightPalette, fonts_};
        const std::size_t n_before = commands.size();
        imgui_.frame([&] {
            apply_to_imgui_style(theme);
            ViewContext given = context(theme);
            draw_(given);
        });
        for (std::size_t i = n_before; performs && i < commands.size(); ++i) {
            const Result<Done> done = lab.perform(commands[i].command, commands[i].gesture);
            ui.error = done ? "" : done.error();
        }
    }
}

void HeadlessViews::wait(double seconds) { frame(static_cast<int>(seconds / kFrame_s) + 1); }

void HeadlessViews::move_to(ImVec2 point) {
    ImGui::GetIO().AddMousePosEvent(point.x, point.y);
    frame(2);
}

void HeadlessViews::click(ImVec2 point, ImGuiMouseButton button) {
    move_to(point);
    wait(ImGui::GetIO().MouseDoubleClickTime); // two clicks here are never one double click
    ImGui::GetIO().AddMouseButtonEvent(button, true);
    frame();
    ImGui::GetIO().AddMouseButtonEvent(button, false);
    frame(3);
}

void HeadlessViews::double_click(ImVec2 point) {
    click(point);
    ImGui::GetIO().AddMouseButtonEvent(0, true);
    frame();
    ImGui::GetIO().AddMouseButtonEvent(0, false);
    frame(3);
}

void HeadlessViews::press(ImVec2 point) {
    move_to(point);
    ImGui::GetIO().AddMouseButtonEvent(0, true);
    frame();
}

void HeadlessViews::release() {
    ImGui::GetIO().AddMouseButtonEvent(0, false);
    frame(3);
}

void HeadlessViews::drag(ImVec2 from, ImVec2 to) {
    press(from);
    move_to({(from.x + to.x) / 2, (from.y + to.y) / 2});
    move_to(to);
    release();
}

void HeadlessViews::wheel(ImVec2 point, float lines) {
    move_to(point);
    ImGui::GetIO().AddMouseWheelEvent(0, lines);
    frame(2);
}

void HeadlessViews::key(ImGuiKeyChord chord) {
    constexpr std::pair<ImGuiKeyChord, ImGuiKey> kModifiers[] = {
        {ImGuiMod_Ctrl, ImGuiKey_LeftCtrl}, {ImGuiMod_Shift, ImGuiKey_LeftShift}, {ImGuiMod_Alt, ImGuiKey_LeftAlt}};
    ImGuiIO& io = ImGui::GetIO();
    const auto set_all = [&](bool down) {
        for (const auto& [modifier, modifier_key] : kModifiers) {
            if ((chord & modifier) == 0) continue;
            io.AddKeyEvent(static_cast<ImGuiKey>(modifier), down);
            io.AddKeyEvent(modifier_key, down);
        }
        io.AddKeyEvent(static_cast<ImGuiKey>(chord & ~ImGuiMod_Mask_), down);
    };
    set_all(true);
    frame();
    set_all(false);
    frame(2);
}

void HeadlessViews::type(const std::string& text) {
    ImGui::GetIO().AddInputCharactersUTF8(text.c_str());
    frame(2);
}

} // namespace lab
