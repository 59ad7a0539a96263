#pragma once

#include <string_view>

#include "app/widgets/icons.h"
#include "app/widgets/text.h"

// Controls drawn by hand on Dear ImGui's input. Each stands where it is told to, in points of the window, inside the
// current Dear ImGui window; ids are unique within it. All can be reached and worked by keyboard.
namespace lab {

// Text in the theme's faces.
TextStyle plain_text(const Theme& theme, float size, Color color, Align align = Align::left);
TextStyle semibold_text(const Theme& theme, float size, Color color, Align align = Align::left);
TextStyle number_text(const Theme& theme, float size, Color color, Align align = Align::left);

// Where text of this size has its baseline so that it stands in the middle of a line around `center_y`.
float centered_baseline(float center_y, float size);

// What is being done with an area this frame.
struct Press {
    bool hovered = false;
    bool held = false;
    bool clicked = false;
};

// The area as a control: takes mouse and keyboard, draws nothing but the keyboard's cursor. A disabled one is passed over.
Press press_area(const char* id, const Rect& area, bool is_enabled = true);

// Something that is no control was pressed and let go on it, without moving in between.
constexpr float kDragThreshold = 4; // points; less is a click
bool was_clicked(const Rect& area);

// Whether the mouse moves, is pressed or its wheel turns in this frame.
bool mouse_acts();

// Whether a key goes down in this frame, of those that do something by themselves; of one that is held down it did before.
bool is_key_pressed();

// Whether something is typed in this frame, not by a key that is held down since an earlier one.
bool types_anew();

// A raised or hovered control's background.
Color control_color(const Palette& palette, const Press& press);

// What a pointer resting on the last control is told; empty parts are left out.
struct Tip {
    std::string_view title{};
    std::string_view sentence{};
    std::string_view keys{}; // "Ctrl+Z"
};
void show_tip(const Theme& theme, const Tip& tip);

struct IconButton {
    const char* id = nullptr;
    Icon icon = Icon::plus;
    ImVec2 center{};
    Tip tip{};
    bool is_enabled = true;
    float icon_size = 18;
    float reach = 16;   // half the side of the square that takes the click
    float reach_up = 0; // half its height, where it is taller
};
bool icon_button(const Theme& theme, const IconButton& button);

// A word or two to click, without a frame: "show all". `baseline` is the left or right end, as `align` says.
struct TextButton {
    const char* id = nullptr;
    std::string_view text;
    ImVec2 baseline;
    Align align = Align::left;
    Tip tip{};
    bool is_enabled = true;
};
bool text_button(const Theme& theme, const TextButton& button);

// A framed button of a dialog. The main one is the one that Enter means.
struct FramedButton {
    const char* id = nullptr;
    std::string_view text;
    Rect area;
    bool is_main = false;
    bool is_enabled = true;
};
bool framed_button(const Theme& theme, const FramedButton& button);

// A rounded label that is chosen by a click. Text wider than the chip is cut.
struct Chip {
    const char* id = nullptr;
    std::string_view text;
    Rect area;
    bool is_chosen = false;
};
float chip_width(const Theme& theme, std::string_view text, float most_width);
Press chip(const Theme& theme, const Chip& chip);

// On or off, with its label to the right; true when it was clicked.
struct Switch {
    const char* id = nullptr;
    std::string_view text;
    Rect area;
    bool is_on = false;
};
bool switch_control(const Theme& theme, const Switch& control);

// "STEPS": already in capitals. Returns its width.
float section_label(const Theme& theme, ImVec2 baseline, std::string_view text);

// A line across, one point thick.
void divider(const Theme& theme, ImVec2 from, float width);

} // namespace lab
