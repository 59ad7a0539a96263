#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/attention.h"

namespace lab {

// One option of a setting: what it is called, what it does in one plain sentence, and the settings with it chosen.
struct SettingChoice {
    std::string title;    // "softmax"
    std::string sentence; // "e to the power of each score, divided by the row's sum, …"
    AttentionSettings attention;
};

// A number that belongs to the chosen option and can be edited.
struct SettingNumber {
    std::string title; // "window"
    double value = 0;
    double least = 0;
    double greatest = 0;
    bool is_whole = false;
    bool is_passing = false; // belongs to an option that is not chosen now: to be shown only while it is being dragged
    std::function<AttentionSettings(double)> with; // the settings with another number
};

// A setting as a panel shows it. A panel walks over them and knows none by name.
struct Setting {
    std::string title; // "Normalise"
    std::vector<SettingChoice> choices;
    int chosen = 0; // place in choices
    std::optional<SettingNumber> number;

    const std::string& sentence() const { return choices[static_cast<std::size_t>(chosen)].sentence; }
};

// All settings that this version computes, in the order of the steps, with the choices as they stand.
std::vector<Setting> all_settings(const AttentionSettings& attention);

} // namespace lab
