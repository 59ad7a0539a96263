#pragma once

#include <vector>

#include <imgui.h>

namespace lab {

enum class Icon {
    undo,
    redo,
    open,
    save,
    moon,
    sun,
    help,
    menu,
    plus,
    minus,
    close,
    check,
    pencil,
    fit,
    search,
    chevron_left,
    chevron_right,
    chevron_up,
    chevron_down,
};
constexpr int kIconCount = static_cast<int>(Icon::chevron_down) + 1;

// Straight lines from point to point with round ends and corners; a dot's two points are one.
struct IconStroke {
    std::vector<ImVec2> points; // on a square of 18 × 18, from its upper left corner
    float width = 0;
};
constexpr float kIconGrid = 18;

std::vector<IconStroke> icon_strokes(Icon icon);

// In the font of icons. Low ones: Dear ImGui keeps tables of all characters up to the last.
constexpr ImWchar kFirstIconCharacter = 'A';
constexpr ImWchar icon_character(Icon icon) {
    return static_cast<ImWchar>(kFirstIconCharacter + static_cast<int>(icon));
}

} // namespace lab
