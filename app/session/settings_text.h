#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/session/command.h"
#include "engine/attention.h"

namespace lab {

// One option of a setting: what it is called, what it does in one plain sentence, and the settings with it chosen; or the
// edit that chooses it, where it is no setting.
struct SettingChoice {
    std::string title;    // "softmax"
    std::string sentence; // "e to the power of each score, divided by the row's sum, …"
    AttentionSettings attention;
    std::vector<Command> edits; // in place of SetAttention
};

// A number that belongs to the chosen option and can be edited.
struct SettingNumber {
    std::string title; // "window"
    double value = 0;
    double least = 0;
    double greatest = 0;
    bool is_whole = false;
    bool is_stepped = false; // every change costs something, such as a head's numbers: not to be dragged
    bool is_passing = false; // belongs to an option that is not chosen now: to be shown only while it is being dragged
    std::function<AttentionSettings(double)> with; // the settings with another number
    std::function<Command(double)> edit = {};      // in place of SetAttention, where it is no setting
};

// A setting as a panel shows it. A panel walks over them and knows none by name.
struct Setting {
    std::string title;                  // "Normalise"
    std::vector<SettingChoice> choices; // none: it is numbers alone
    int chosen = 0;                     // place in choices
    std::optional<SettingNumber> number;
    std::vector<SettingNumber> more_numbers; // after it
    std::string text;                        // a sentence on what stands there now; or empty
    bool takes_word = false;                 // a word to be decoded next (DecodeStep) can be typed

    const std::string& sentence() const { return choices[static_cast<std::size_t>(chosen)].sentence; }
};

// Settings that stand together behind one line, which says in a few words how they stand.
struct SettingGroup {
    std::string title; // "Heads"
    std::string state; // "4 heads"; "off" while nothing of it is used
    std::vector<Setting> settings;
};

// The settings that everyone sees, in the order of the steps, with the choices as they stand.
std::vector<Setting> all_settings(const AttentionSettings& attention);

// They as they were made last; made anew where a setting has changed.
class KeptSettings {
  public:
    const std::vector<Setting>& of(const AttentionSettings& attention);

  private:
    AttentionSettings attention_;
    std::vector<Setting> settings_;
};

} // namespace lab
