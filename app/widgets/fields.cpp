#include "app/widgets/fields.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include "app/widgets/rounded.h"

namespace lab {

namespace {

constexpr const char* kNumber = "##number"; // within the field's own ID
constexpr float kButtonWidth = 14.5f; // of − and +: three fields of three digits stand in a line of the left panel

// Dear ImGui's own field, without its background, fills the area; it is moved so that the middle of capitals, not of the
// font's whole line, stands in the middle.
void push_field_style(const Theme& theme, const Rect& area, ImFont* font, float side_padding) {
    const float size = std::round(type_size::kControl); // as Dear ImGui rounds it
    const float ascent = std::round(font->GetFontBaked(size)->Ascent);
    const float raise = std::max(0.0f, std::floor(ascent - (centered_baseline(0, size) + size / 2)));
    ImGui::SetCursorScreenPos({area.left, area.top - raise});
    ImGui::PushFont(font, size);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {side_padding, (area.height() - size) / 2});
    ImGui::PushStyleColor(ImGuiCol_Text, theme.palette.text.u32());
    for (ImGuiCol background : {ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive}) {
        ImGui::PushStyleColor(background, 0u);
    }
    ImGui::SetNextItemWidth(area.width());
}

void pop_field_style() {
    ImGui::PopStyleColor(4);
    ImGui::PopStyleVar();
    ImGui::PopFont();
}

std::optional<double> parsed(std::string text) {
    for (std::size_t at; (at = text.find("−")) != std::string::npos;) text.replace(at, 3, "-");
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    const bool is_number = end != text.c_str() && *end == '\0' && std::isfinite(value);
    return is_number ? std::optional(value) : std::nullopt;
}

double fitted(const NumberField& field, double value) {
    const double within = std::clamp(value, field.least, field.greatest);
    return field.is_whole ? std::round(within) : within;
}

// A whole number has all its digits: a seed is not known from six of them.
std::string field_number(const NumberField& field, double value) {
    if (!field.is_whole) return short_number(value);
    char text[32];
    std::snprintf(text, sizeof text, "%.0f", value);
    return text;
}

// Whether a number that was asked for lies outside the bounds, which is then said.
bool complains(const NumberField& field, double value) {
    const bool is_below = value<field.least, is_above = value> field.greatest;
    if (!is_below && !is_above) return false;
    if (field.complaint) {
        *field.complaint = std::string(field.name) + (is_above ? " is at most " : " is at least ") +
                           field_number(field, is_above ? field.greatest : field.least);
    }
    return true;
}

// − at the left end, + at the right: by how many steps it is changed.
int step_buttons(const Theme& theme, const NumberField& field) {
    int steps = 0;
    const float y = field.area.center().y;
    const auto button = [&](const char* id, Icon icon, float x, bool is_enabled) {
        return icon_button(theme, {.id = id,
                                   .icon = icon,
                                   .center = {x, y},
                                   .is_enabled = is_enabled,
                                   .icon_size = 10,
                                   .reach = kButtonWidth / 2,
                                   .reach_up = field.area.height() / 2});
    };
    if (button("less", Icon::minus, field.area.left + kButtonWidth / 2, field.value > field.least)) --steps;
    if (button("more", Icon::plus, field.area.right - kButtonWidth / 2, field.value < field.greatest)) ++steps;
    return steps;
}

Rect between_buttons(const NumberField& field) {
    return {field.area.left + kButtonWidth, field.area.top, field.area.right - kButtonWidth, field.area.bottom};
}

void draw_field_background(const Theme& theme, const Rect& area) {
    fill_rounded(*ImGui::GetWindowDrawList(), area, theme.palette.raised.u32(), 5);
}

// While a number is typed what Dear ImGui keeps of it, with the text so far; else null.
ImGuiInputTextState* typing() {
    const ImGuiID id = ImGui::GetID(kNumber);
    return ImGui::GetActiveID() == id ? ImGui::GetInputTextState(id) : nullptr;
}

struct TypedNumber {
    std::optional<double> number;
    bool has_buttons = true;
};

// The middle, between the buttons, is text to edit. While it is typed it reaches up to their signs or, where that is too narrow, takes
// their place.
TypedNumber typed_number(const Theme& theme, const NumberField& field) {
    constexpr float kCaret = 4, kBesideSign = 2.25f;
    std::string text = field_number(field, field.value);
    ImGuiInputTextState* const state = typing();
    const float width = text_width(number_text(theme, type_size::kControl, {}), state ? state->TextA.Data : text);
    Rect area = between_buttons(field);
    if (state != nullptr) area.left -= kBesideSign, area.right += kBesideSign;
    const auto fits = [&] { return width + kCaret <= area.width(); };
    const bool has_buttons = state == nullptr || fits();
    if (!has_buttons) area = field.area;
    // Dear ImGui scrolls in the frame in which the text outgrows the area, and does not go back in a wider one.
    if (state != nullptr && fits()) state->Scroll.x = 0;
    push_field_style(theme, area, theme.fonts.numbers, std::max(0.0f, (area.width() - width) / 2));
    ImGui::InputText(kNumber, &text, ImGuiInputTextFlags_AutoSelectAll);
    const bool is_done = ImGui::IsItemDeactivatedAfterEdit();
    pop_field_style();
    show_tip(theme, field.tip);
    return {is_done ? parsed(text) : std::nullopt, has_buttons};
}

// Activates the next field in this frame; SetKeyboardFocusHere would in the next, and would scroll the panel around it.
void take_keyboard(ImGuiID id) {
    ImGuiContext& imgui = *ImGui::GetCurrentContext();
    imgui.NavActivateId = id;
    imgui.NavActivateFlags = ImGuiActivateFlags_PreferInput;
}

bool is_tabbed_to(ImGuiID id) {
    const ImGuiContext& imgui = *ImGui::GetCurrentContext();
    return imgui.NavActivateId == id && (imgui.NavActivateFlags & ImGuiActivateFlags_FromTabbing) != 0;
}

std::string typed_now() {
    std::string typed;
    for (ImWchar character : ImGui::GetIO().InputQueueCharacters) {
        if (character >= ' ') append_character(typed, character);
    }
    return typed;
}

// What was typed in the frame that activated the field replaces its text; Dear ImGui would drop it.
void type_early(ImGuiID id, std::string& text, const std::string& typed) {
    ImGuiInputTextState* state = ImGui::GetInputTextState(id);
    if (typed.empty() || state == nullptr || ImGui::GetActiveID() != id) return;
    text = typed;
    state->ReloadUserBufAndMoveToEnd();
}

// While it lives, what Dear ImGui pastes stands on one line: of itself it drops tabs, and two words would become one.
class OneLineClipboard {
  public:
    OneLineClipboard()
        : platform_(ImGui::GetPlatformIO()), read_(platform_.Platform_GetClipboardTextFn),
          user_data_(platform_.Platform_ClipboardUserData) {
        if (read_ == nullptr) return;
        platform_.Platform_GetClipboardTextFn = read_on_one_line;
        platform_.Platform_ClipboardUserData = this;
    }
    ~OneLineClipboard() { put_back(); }
    OneLineClipboard(const OneLineClipboard&) = delete;
    OneLineClipboard& operator=(const OneLineClipboard&) = delete;

  private:
    static const char* read_on_one_line(ImGuiContext* imgui) {
        auto* self = static_cast<OneLineClipboard*>(ImGui::GetPlatformIO().Platform_ClipboardUserData);
        self->put_back(); // reading may need the user data; there is one paste in a frame
        const char* text = self->read_(imgui);
        if (text == nullptr) return nullptr;
        self->text_ = on_one_line(text);
        return self->text_.c_str();
    }
    void put_back() {
        platform_.Platform_GetClipboardTextFn = read_;
        platform_.Platform_ClipboardUserData = user_data_;
    }

    ImGuiPlatformIO& platform_;
    const char* (*read_)(ImGuiContext*);
    void* user_data_;
    std::string text_;
};

// Dear ImGui's line of text, whether Enter was pressed in it.
bool edit_line(const TextField& field, std::string& text) {
    constexpr ImGuiInputTextFlags kFlags = ImGuiInputTextFlags_AutoSelectAll | ImGuiInputTextFlags_EnterReturnsTrue;
    OneLineClipboard clipboard;
    bool& keeps_keyboard = ImGui::GetIO().ConfigInputTextEnterKeepActive;
    const bool before = std::exchange(keeps_keyboard, field.keeps_keyboard);
    const bool is_entered = ImGui::InputTextWithHint(field.id, field.hint, &text, kFlags);
    keeps_keyboard = before;
    return is_entered;
}

} // namespace

std::string short_number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    std::string shown = text;
    if (shown[0] == '-') shown.replace(0, 1, "−");
    return shown;
}

TextEntry text_field(const Theme& theme, const TextField& field, std::string& text) {
    ImFont* font = field.is_mono ? theme.fonts.numbers : theme.fonts.text;
    draw_field_background(theme, field.area);
    push_field_style(theme, field.area, font, 9);
    ImGui::PushStyleColor(ImGuiCol_TextDisabled, theme.palette.faint.u32());
    const ImGuiID id = ImGui::GetID(field.id);
    const std::string typed = field.takes_focus || is_tabbed_to(id) ? typed_now() : std::string();
    if (field.takes_focus) take_keyboard(id);
    TextEntry entry;
    // Its border says that it has the keyboard: no ring around it as well.
    const bool was_active = ImGui::GetActiveID() == id;
    if (was_active) ImGui::PushStyleColor(ImGuiCol_NavCursor, 0u);
    entry.entered = edit_line(field, text);
    if (was_active) ImGui::PopStyleColor();
    if (field.takes_focus) ImGui::SetItemDefaultFocus(); // of a dialog that opens: Tab goes on from here
    type_early(id, text, typed);
    entry.edited = ImGui::IsItemEdited();
    if (field.takes_focus) ImGui::ScrollToItem(ImGuiScrollFlags_KeepVisibleEdgeY);
    entry.left = ImGui::IsItemDeactivated();
    if (ImGui::IsItemActive()) {
        ImGui::GetWindowDrawList()->AddRect(field.area.min(), field.area.max(), theme.palette.text.u32(), 5, 0, 1.5f);
    }
    ImGui::PopStyleColor();
    pop_field_style();
    return entry;
}

float stepper_width(const Theme& theme, double value) {
    return text_width(number_text(theme, type_size::kControl, {}), field_number({}, value)) + 2 * kButtonWidth;
}

std::optional<double> stepper(const Theme& theme, const NumberField& field) {
    ImGui::PushID(field.id);
    draw_field_background(theme, field.area);
    auto [number, has_buttons] = typed_number(theme, field);
    const int steps = has_buttons ? step_buttons(theme, field) : 0;
    if (steps != 0) number = field.value + steps;
    ImGui::PopID();
    if (!number || complains(field, *number)) return {};
    number = fitted(field, *number);
    return *number != field.value ? number : std::nullopt;
}

namespace {

// An epsilon such as 0.00001 goes up and down by its zeros, since 0.1 would be thousands of times as much.
bool is_stepped_by_tens(const NumberField& field) {
    constexpr double kTiny = 0.05;
    return !field.is_whole && field.value > 0 && field.value < kTiny && field.least > 0;
}

} // namespace

double stepped_number(const NumberField& field, int steps) {
    if (is_stepped_by_tens(field)) return field.value * std::pow(10.0, steps);
    return field.value + steps * (field.is_whole ? 1 : 0.1);
}

std::optional<NumberEdit> number_field(const Theme& theme, const NumberField& field) {
    ImGui::PushID(field.id);
    draw_field_background(theme, field.area);
    const Rect middle = between_buttons(field);
    push_field_style(theme, middle, theme.fonts.numbers, 2);
    const bool is_tiny = is_stepped_by_tens(field);
    const float speed = field.is_whole ? 0.1f : is_tiny ? static_cast<float>(field.value * 0.05) : 0.01f; // per point
    NumberEdit edit{.value = field.value};
    const bool click_types = std::exchange(ImGui::GetIO().ConfigDragClickToInputText, true);
    const bool edited =
        ImGui::DragScalar(kNumber, ImGuiDataType_Double, &edit.value, speed, &field.least, &field.greatest,
                          field.is_whole ? "%.0f" : "%.6g", ImGuiSliderFlags_AlwaysClamp);
    ImGui::GetIO().ConfigDragClickToInputText = click_types;
    edit.begins = ImGui::IsItemActivated();
    edit.is_gesture = edited;
    pop_field_style();
    show_tip(theme, field.tip);
    const int steps = step_buttons(theme, field);
    if (steps != 0) edit.value = stepped_number(field, steps);
    ImGui::PopID();
    edit.value = fitted(field, edit.value);
    const bool changes = edit.value != field.value;
    return changes || edit.begins ? std::optional(edit) : std::nullopt;
}

} // namespace lab
