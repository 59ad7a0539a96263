#pragma once

#include <string>
#include <vector>

#include "app/session/settings_text.h"
#include "engine/document.h"

namespace lab {

// The others, group by group, with what the document has or could have.
std::vector<SettingGroup> setting_groups(const Document& document);

// What of them is used: "4 heads, rope"; "off" where nothing is.
std::string groups_state(const std::vector<SettingGroup>& groups);

// How the first setting that differs stands now, as an edit of it is called: "change Normalise (naive softmax)", "change Mask (tokens,
// itself included: 4)"; "change settings" where none differs that a panel shows.
std::string change_text(const Document& before, const Document& after);

// The groups as they were made last. They are made anew where something changes that they tell of: settings, the shapes of
// tensors, words, the gradient's target; not where a number changes. A gradient that is taken but not shown is off here, too.
class KeptSettingGroups {
  public:
    const std::vector<SettingGroup>& of(const Document& document, bool shows_gradient);
    int n_made() const { return n_made_; } // how often so far

  private:
    bool are_of(const Document& document, const std::string& gradient) const;

    AttentionSettings attention_;
    TensorShapes shapes_;
    std::string gradient_;
    Words tokens_, context_tokens_, vocabulary_;
    std::vector<SettingGroup> groups_;
    int n_made_ = 0;
};

} // namespace lab
