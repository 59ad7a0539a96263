#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/widgets/controls.h"

namespace lab {

// A line of text to edit.
struct TextField {
    const char* id = nullptr;
    Rect area;
    const char* hint = "";    // shown while the field is empty
    bool takes_focus = false; // this frame: the keyboard goes there, all text selected
    bool is_mono = false;
    bool keeps_keyboard = false; // on Enter, since what is entered may not be taken; all text is selected then
};

struct TextEntry {
    bool edited = false;  // this frame
    bool entered = false; // by Enter
    bool left = false;    // the keyboard went elsewhere, by whatever way: Enter, Escape, a click
};
// What is pasted has blanks in place of tabs and line breaks.
TextEntry text_field(const Theme& theme, const TextField& field, std::string& text);

// A number to choose: − and + beside it.
struct NumberField {
    const char* id = nullptr;
    Rect area;
    double value = 0;
    double least = 0;
    double greatest = 0;
    bool is_whole = true;
    Tip tip{};
    std::string_view name{};          // as a sentence about its limits says it: "d_in"
    std::string* complaint = nullptr; // receives that sentence
};

// For numbers whose every change costs something, such as a width: − and + are steps of 1, what is typed counts on Enter
// or on leaving. The new number; one outside the bounds is not taken, and said to be so: "d_in is at most 4096".
float stepper_width(const Theme& theme, double value); // that shows all its digits
std::optional<double> stepper(const Theme& theme, const NumberField& field);

// For numbers that may pass through all between: can also be dragged, and counts while it is typed.
struct NumberEdit {
    double value = 0;
    bool begins = false;     // a drag or typing; the number may be as it was
    bool is_gesture = false; // part of that drag or typing; otherwise a step of its own
};
// − and + are steps of 1 or 0.1; of a tiny number that cannot be 0, by factors of 10.
double stepped_number(const NumberField& field, int steps);
std::optional<NumberEdit> number_field(const Theme& theme, const NumberField& field);

// "0.35", "12": as many digits as the number needs, six at most, with a true minus sign.
std::string short_number(double value);

} // namespace lab
