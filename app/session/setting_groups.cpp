#include "app/session/setting_groups.h"

#include <algorithm>
#include <cstdint>

#include "app/session/setting_parts.h"
#include "engine/count_text.h"

namespace lab {

namespace {

std::vector<SettingNumber> numbers_of(const Setting& setting) {
    std::vector<SettingNumber> numbers = setting.more_numbers;
    if (setting.number) numbers.insert(numbers.begin(), *setting.number);
    return numbers;
}

// "none" of "none: inputs serve as all three"
std::string short_choice(const std::string& title) { return title.substr(0, title.find(':')); }

// "tokens, itself included: 4"
std::string title_and_number(const SettingNumber& number) {
    const std::string value =
        number.is_whole ? std::to_string(static_cast<std::int64_t>(number.value)) : digits_text(number.value, 6);
    return number.title + ": " + value;
}

// How `after` stands where it is another than `before`; empty where it is not.
std::string change_of(const Setting& before, const Setting& after) {
    const auto chosen = static_cast<std::size_t>(after.chosen);
    const auto change = [&](const std::string& to) { return "change " + after.title + " (" + to + ")"; };
    if (before.chosen != after.chosen && chosen < after.choices.size())
        return change(short_choice(after.choices[chosen].title));
    const std::vector<SettingNumber> were = numbers_of(before), are = numbers_of(after);
    for (std::size_t i = 0; i < std::min(were.size(), are.size()); ++i)
        if (were[i].title == are[i].title && were[i].value != are[i].value) return change(title_and_number(are[i]));
    return {};
}

// Of the first that differs.
std::string change_among(const std::vector<Setting>& before, const std::vector<Setting>& after) {
    for (const Setting& now : after) {
        const auto was =
            std::find_if(before.begin(), before.end(), [&](const Setting& each) { return each.title == now.title; });
        std::string change = was != before.end() ? change_of(*was, now) : std::string();
        if (!change.empty()) return change;
    }
    return {};
}

} // namespace

std::vector<SettingGroup> setting_groups(const Document& document) {
    return {settings_of_heads(document),     settings_of_masks(document),    settings_of_scores(document),
            settings_of_positions(document), settings_of_blocks(document),   settings_of_words(document),
            settings_of_cache(document),     settings_of_gradients(document)};
}

std::string groups_state(const std::vector<SettingGroup>& groups) {
    std::vector<std::string> states;
    for (const SettingGroup& group : groups) {
        if (group.state != "off" && group.state != "1 head") states.push_back(group.state);
    }
    return state_of(states);
}

std::string change_text(const Document& before, const Document& after) {
    std::string change = change_among(all_settings(before.attention), all_settings(after.attention));
    if (!change.empty()) return change;
    const std::vector<SettingGroup> were = setting_groups(before), are = setting_groups(after);
    for (std::size_t i = 0; i < are.size(); ++i) {
        std::string of_group = change_among(were[i].settings, are[i].settings);
        if (!of_group.empty()) return of_group;
    }
    return "change settings";
}

bool KeptSettingGroups::are_of(const Document& document, const std::string& gradient) const {
    if (document.tensors.size() != shapes_.size()) return false;
    auto shape = shapes_.begin();
    for (const auto& [name, tensor] : document.tensors) {
        if (name != shape->first || tensor.shape() != shape->second) return false;
        ++shape;
    }
    return document.attention == attention_ && gradient == gradient_ && document.tokens == tokens_ &&
           document.context_tokens == context_tokens_ && document.vocabulary == vocabulary_;
}

const std::vector<SettingGroup>& KeptSettingGroups::of(const Document& document, bool shows_gradient) {
    const std::string gradient = shows_gradient ? document.gradient : std::string();
    if (!groups_.empty() && are_of(document, gradient)) return groups_;
    Document shown = document;
    shown.gradient = gradient;
    attention_ = document.attention;
    shapes_ = document.shapes();
    gradient_ = gradient;
    tokens_ = document.tokens;
    context_tokens_ = document.context_tokens;
    vocabulary_ = document.vocabulary;
    groups_ = setting_groups(shown);
    ++n_made_;
    return groups_;
}

} // namespace lab
