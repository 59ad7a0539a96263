#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "app/widgets/controls.h"

namespace lab {

// A list that drops from a control: below it, or above where there is more room, never outside the window.
struct Menu {
    const char* id = nullptr;
    Rect anchor;
    float width = 240;
};

void open_menu(const char* id);

// True while the list is open: then its entries and end_menu() follow.
bool begin_menu(const Theme& theme, const Menu& menu);
void end_menu();

struct MenuEntry {
    std::string_view title{};
    std::string_view sentence{}; // a plain sentence below the title, broken into lines; or empty
    std::string_view keys{};     // "Del"
    bool is_chosen = false;
};

// True when it was chosen; the list closes then. Titles are unique within a list.
bool menu_entry(const Theme& theme, const MenuEntry& entry);
void menu_divider(const Theme& theme);

// What the entries below it have in common, with a line above it.
void menu_heading(const Theme& theme, std::string_view title);

// A control that shows the chosen entry and opens the list of all.
struct Select {
    const char* id = nullptr;
    Rect area;
    std::string_view shown; // what the closed control says
    Tip tip{};
    float text_size = type_size::kControl;
    float menu_width = 250; // at least as wide as the control
};

// The control; true while its list is open: then entries and end_select() follow.
bool begin_select(const Theme& theme, const Select& select);
void end_select();

// The place of the entry that was chosen just now.
std::optional<int> select(const Theme& theme, const Select& select, std::span<const MenuEntry> entries);

} // namespace lab
