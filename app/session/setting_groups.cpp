#include "app/session/setting_groups.h"

#include "app/session/setting_parts.h"

namespace lab {

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
