#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "app/session/settings_text.h"

namespace lab {

// Puts a setting together: each choice is the present settings with `change` applied. The first that leaves them as they are
// is the chosen one.
class SettingBuilder {
  public:
    SettingBuilder(std::string title, const AttentionSettings& attention) : attention_(attention) {
        setting_.title = std::move(title);
        setting_.chosen = -1;
    }

    template <class Change> SettingBuilder& choice(std::string title, std::string sentence, Change change) {
        AttentionSettings with = attention_;
        change(with);
        if (setting_.chosen < 0 && with == attention_) setting_.chosen = static_cast<int>(setting_.choices.size());
        setting_.choices.push_back({std::move(title), std::move(sentence), with, {}});
        return *this;
    }

    SettingBuilder& number(SettingNumber number) {
        if (setting_.number)
            setting_.more_numbers.push_back(std::move(number));
        else
            setting_.number = std::move(number);
        return *this;
    }

    // A whole number that `change` puts in.
    template <class Change>
    SettingBuilder& whole(const char* title, int value, std::pair<int, int> range, Change change) {
        const AttentionSettings now = attention_;
        return number({title, static_cast<double>(value), static_cast<double>(range.first),
                       static_cast<double>(range.second), true, false, false, [now, change](double number) {
                           AttentionSettings to = now;
                           change(to, static_cast<int>(std::lround(number)));
                           return to;
                       }});
    }

    template <class Change>
    SettingBuilder& real(const char* title, float value, std::pair<double, double> range, Change change) {
        const AttentionSettings now = attention_;
        return number({title, static_cast<double>(value), range.first, range.second, false, false, false,
                       [now, change](double number) {
                           AttentionSettings to = now;
                           change(to, static_cast<float>(number));
                           return to;
                       }});
    }

    // The last number is stepped, not dragged.
    SettingBuilder& stepped() {
        (setting_.more_numbers.empty() ? *setting_.number : setting_.more_numbers.back()).is_stepped = true;
        return *this;
    }

    SettingBuilder& chosen(int place) {
        setting_.chosen = place;
        return *this;
    }

    Setting finish() {
        setting_.chosen = std::max(0, setting_.chosen);
        return std::move(setting_);
    }

  private:
    const AttentionSettings& attention_;
    Setting setting_;
};

} // namespace lab
