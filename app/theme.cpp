#include "app/theme.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lab {

const Palette kDarkPalette{
    .background = {0x15, 0x17, 0x1c},
    .panel = {0x1c, 0x1f, 0x26},
    .raised = {0x25, 0x29, 0x32},
    .line = {0x32, 0x38, 0x45},
    .text = {0xe8, 0xea, 0xef},
    .dim = {0xa7, 0xb0, 0xc1},
    .faint = {0x8a, 0x94, 0xa8},
    .accent = {0xff, 0xb4, 0x54},
    .cold = {63, 139, 232},
    .zero = {37, 41, 50},
    .hot = {240, 124, 66},
    .sequence_low = {37, 41, 50},
    .sequence_high = {52, 190, 165},
    .error = {0xff, 0x8a, 0x80},
    .is_dark = true,
};

const Palette kLightPalette{
    .background = {0xf6, 0xf7, 0xf9},
    .panel = {0xff, 0xff, 0xff},
    .raised = {0xee, 0xf0, 0xf4},
    .line = {0xd5, 0xda, 0xe3},
    .text = {0x1a, 0x1f, 0x2b},
    .dim = {0x50, 0x5a, 0x6d},
    .faint = {0x5f, 0x69, 0x7d},
    .accent = {0xa6, 0x54, 0x00},
    .cold = {53, 118, 206},
    .zero = {250, 250, 251},
    .hot = {217, 92, 34},
    .sequence_low = {250, 250, 251},
    .sequence_high = {10, 133, 112},
    .error = {0xb3, 0x26, 0x1e},
    .is_dark = false,
};

Color mix(Color a, Color b, float t) {
    const auto channel = [t](std::uint8_t x, std::uint8_t y) {
        return static_cast<std::uint8_t>(static_cast<float>(x) + static_cast<float>(y - x) * t + 0.5f);
    };
    return {channel(a.r, b.r), channel(a.g, b.g), channel(a.b, b.b)};
}

namespace {

// Relative luminance (WCAG 2).
float luminance(Color color) {
    static const std::array<float, 256> kLinear = [] {
        std::array<float, 256> linear{};
        for (std::size_t i = 0; i < linear.size(); ++i) {
            const float v = static_cast<float>(i) / 255.0f;
            linear[i] = v <= 0.03928f ? v / 12.92f : std::pow((v + 0.055f) / 1.055f, 2.4f);
        }
        return linear;
    }();
    return 0.2126f * kLinear[color.r] + 0.7152f * kLinear[color.g] + 0.0722f * kLinear[color.b];
}

} // namespace

// Above that luminance black contrasts more.
Color ink_on(Color background) { return luminance(background) > 0.179f ? Color{0, 0, 0} : Color{255, 255, 255}; }

bool takes_either_ink(Color background) {
    constexpr float kLeast = 4.25f, kFlare = 0.05f; // contrast is the ratio of luminances with a screen's flare
    const float here = luminance(background) + kFlare;
    return std::min(here / kFlare, (1 + kFlare) / here) >= kLeast;
}

Color hatch_color(const Palette& palette) { return mix(palette.background, palette.faint, 0.75f); }

void apply_to_imgui_style(const Theme& theme) {
    const Palette& palette = theme.palette;
    ImGuiStyle& style = ImGui::GetStyle();
    style.WindowPadding = {0, 0};
    style.WindowMinSize = {1, 1}; // folded panels are narrow
    style.WindowBorderSize = 0;
    style.WindowRounding = 0;
    style.PopupRounding = 8;
    style.PopupBorderSize = 1;
    style.FrameRounding = 5;
    style.FramePadding = {9, 4};
    style.ItemSpacing = {8, 4};
    style.ScrollbarSize = 10;
    style.FontSizeBase = type_size::kText;
    style.HoverDelayNormal = 0.35f;
    const auto set = [&](ImGuiCol index, Color color, float alpha = 1.0f) {
        style.Colors[index] = ImGui::ColorConvertU32ToFloat4(color.u32(alpha));
    };
    set(ImGuiCol_Text, palette.text);
    set(ImGuiCol_TextDisabled, palette.faint);
    set(ImGuiCol_WindowBg, palette.panel);
    set(ImGuiCol_ChildBg, palette.panel, 0);
    set(ImGuiCol_PopupBg, palette.panel);
    set(ImGuiCol_Border, palette.line);
    set(ImGuiCol_FrameBg, palette.raised);
    set(ImGuiCol_FrameBgHovered, mix(palette.raised, palette.line, 0.5f));
    set(ImGuiCol_FrameBgActive, mix(palette.raised, palette.line, 0.5f));
    set(ImGuiCol_Button, palette.raised);
    set(ImGuiCol_ButtonHovered, mix(palette.raised, palette.line, 0.6f));
    set(ImGuiCol_ButtonActive, palette.line);
    set(ImGuiCol_Header, palette.raised);
    set(ImGuiCol_HeaderHovered, palette.raised);
    set(ImGuiCol_HeaderActive, palette.line);
    set(ImGuiCol_Separator, palette.line);
    set(ImGuiCol_ScrollbarBg, palette.panel, 0);
    set(ImGuiCol_ScrollbarGrab, palette.line);
    set(ImGuiCol_ScrollbarGrabHovered, palette.faint);
    set(ImGuiCol_ScrollbarGrabActive, palette.faint);
    set(ImGuiCol_TextSelectedBg, palette.accent, 0.35f);
    set(ImGuiCol_InputTextCursor, palette.text);
    set(ImGuiCol_NavCursor, palette.accent);
    set(ImGuiCol_ModalWindowDimBg, Color{0, 0, 0}, 0.45f);
}

} // namespace lab
