#include "app/session/setting_parts.h"

#include <algorithm>

#include "app/session/optional_tensors.h"
#include "app/session/sizes.h"
#include "engine/count_text.h"

namespace lab {

std::string count(int n, const char* thing) { return count_text(static_cast<std::size_t>(n), thing); }

std::string state_of(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) {
        if (!word.empty()) text += (text.empty() ? "" : ", ") + word;
    }
    return text.empty() ? "off" : text;
}

std::optional<Setting> given_or_not(const Document& document, const char* title,
                                    const std::vector<std::string>& names) {
    Setting setting;
    setting.title = title;
    SettingChoice absent{"off", "Left out.", document.attention, {}}, given{"on", "", document.attention, {}};
    for (const OptionalTensor& one : optional_tensors(document)) {
        if (std::find(names.begin(), names.end(), one.name) == names.end()) continue;
        given.sentence = one.sentence;
        if (one.is_there)
            absent.edits.push_back(RemoveTensor{one.name});
        else
            given.edits.push_back(AddTensor{one.name});
    }
    if (given.sentence.empty()) return {};
    setting.chosen = given.edits.empty() ? 1 : 0;
    if (names.size() > 1) given.sentence = "A number per column is added to what each of the matrices gives.";
    setting.choices = {absent, given};
    return setting;
}

void add(std::vector<Setting>& settings, std::optional<Setting> setting) {
    if (setting) settings.push_back(*std::move(setting));
}

bool has_any(const Document& document, const std::vector<std::string>& names) {
    const std::string prefix = block_prefixes(document.attention).front();
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
        return has_tensor(document, name) || has_tensor(document, prefix + name);
    });
}

} // namespace lab
