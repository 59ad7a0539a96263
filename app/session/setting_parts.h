#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/session/setting_builder.h"
#include "engine/document.h"

// What the groups of settings are put together from.
namespace lab {

using To = AttentionSettings&; // what a choice changes

std::string count(int n, const char* thing); // "4 heads"

// "4 heads, gate": the words that are not empty; "off" without any.
std::string state_of(const std::vector<std::string>& words);

template <class Change>
Setting on_or_off(const char* title, const AttentionSettings& now, std::pair<const char*, const char*> sentences,
                  Change change) {
    return SettingBuilder(title, now)
        .choice("off", sentences.first, [&](To to) { change(to, false); })
        .choice("on", sentences.second, [&](To to) { change(to, true); })
        .finish();
}

// Tensors that may be there or not, all at once; nothing where the document could use none of them.
std::optional<Setting> given_or_not(const Document& document, const char* title, const std::vector<std::string>& names);

void add(std::vector<Setting>& settings, std::optional<Setting> setting);

// Whether the document, or its first block, has one of them.
bool has_any(const Document& document, const std::vector<std::string>& names);

// The groups, in the order of setting_groups.
SettingGroup settings_of_heads(const Document& document);
SettingGroup settings_of_masks(const Document& document);
SettingGroup settings_of_scores(const Document& document);
SettingGroup settings_of_positions(const Document& document);
SettingGroup settings_of_blocks(const Document& document);
SettingGroup settings_of_words(const Document& document);
SettingGroup settings_of_cache(const Document& document);
SettingGroup settings_of_gradients(const Document& document);

} // namespace lab
