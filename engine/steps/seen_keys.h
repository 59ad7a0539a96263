#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/steps/steps.h"

namespace lab {

// Which keys each query sees under a rule.
class SeenKeys {
  public:
    explicit SeenKeys(const MaskRule& rule);

    const MaskRule& rule() const { return rule_; }
    std::string key() const;

    // Why the rule does not fit its numbers of queries and keys.
    std::optional<std::string> what_is_wrong() const;

    bool sees_all() const;

    // The keys that query i sees, as two ranges without a key in common; either may be empty.
    std::array<Range, 2> keys_of(int i) const;

    // Why query i does not see key j; null if it does.
    const char* why_unseen(int i, int j) const;

    // The cells of the block that are seen.
    Region part_of(const Block& block) const;

    // "0 where j ≤ i, else −∞"; empty where every key is seen.
    std::string formula() const;

  private:
    int place(int i) const { return i + rule_.n_past; }
    int first_in_window(int i) const { return rule_.n_seen ? place(i) + 1 - *rule_.n_seen : 0; }
    bool has_window() const { return rule_.n_seen && *rule_.n_seen != kAllBefore; }
    bool has_documents() const { return !rule_.document_lengths.empty(); }
    int n_visible() const; // keys before the padding
    Range document_of(int place) const;
    std::string order_text() const; // "j ≤ i < j + 2 or j < 3"

    MaskRule rule_;
    std::vector<std::int64_t> document_ends_;
};

} // namespace lab
