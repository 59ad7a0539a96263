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
constexpr float kIconGrid = 18, kIconStroke = 1.5f;

std::vector<IconStroke> icon_strokes(Icon icon);

// Where an icon's middle may lie: on a corner of pixels or half a pixel further, so that its strokes stay as sharp as they are drawn.
struct IconPhase {
    bool half_x = false, half_y = false;
};

// In the font of icons. Low ones: Dear ImGui keeps tables of all characters up to the last.
constexpr ImWchar kFirstIconCharacter = 0x100;
constexpr int kIconCharacters = 4 * kIconCount;
constexpr ImWchar icon_character(Icon icon, IconPhase phase = {}) {
    const int which = (phase.half_x ? 1 : 0) + (phase.half_y ? 2 : 0);
    return static_cast<ImWchar>(kFirstIconCharacter + kIconCount * which + static_cast<int>(icon));
}
constexpr Icon icon_of(ImWchar character) { return static_cast<Icon>((character - kFirstIconCharacter) % kIconCount); }
constexpr IconPhase phase_of(ImWchar character) {
    const int which = static_cast<int>(character - kFirstIconCharacter) / kIconCount;
    return {which % 2 == 1, which / 2 == 1};
}

} // namespace lab
