#include <algorithm>

#include "app/session/needs.h"
#include "app/session/setting_parts.h"
#include "app/session/sizes.h"

namespace lab {

namespace {

Setting key_value_heads(const AttentionSettings& now) {
    const int shared = now.n_kv_heads && *now.n_kv_heads > 1 ? *now.n_kv_heads : std::max(1, now.n_heads / 2);
    SettingBuilder builder("Keys and values", now);
    builder.choice("for every head", "Every head has keys and values of its own.", [](To to) { to.n_kv_heads.reset(); })
        .choice("for groups of heads", "Some heads share keys and values: grouped-query attention.",
                [shared](To to) { to.n_kv_heads = shared; })
        .choice("one for all heads", "All heads share one set of keys and values: multi-query attention.",
                [](To to) { to.n_kv_heads = 1; })
        .chosen(!now.n_kv_heads        ? 0
                : *now.n_kv_heads == 1 ? 2
                                       : 1);
    const bool has_groups = now.n_kv_heads && *now.n_kv_heads > 1;
    if (has_groups)
        builder.whole("groups", *now.n_kv_heads, {1, now.n_heads}, [](To to, int n) { to.n_kv_heads = n; }).stepped();
    Setting setting = builder.finish();
    if (has_groups) setting.text = "The heads of a group read the same keys and values.";
    return setting;
}

} // namespace

SettingGroup settings_of_heads(const Document& document) {
    constexpr int kMostByHand = 64;
    const AttentionSettings& now = document.attention;
    SettingGroup group{"Heads", "1 head", {}};
    if (now.n_heads > 1) group.state = count(now.n_heads, "head");
    if (now.n_heads > 1 && n_groups(now) != now.n_heads) group.state += ", " + count(n_groups(now), "group");
    group.settings.push_back(
        SettingBuilder("Side by side", now)
            .whole("heads", now.n_heads, {1, std::max(kMostByHand, now.n_heads)}, [](To to, int n) { to.n_heads = n; })
            .stepped()
            .finish());
    group.settings.back().text = "Heads attend independently of one another; a new one begins with random numbers.";
    const bool may_share = now.projections || is_given_directly(document);
    if (now.n_heads > 1 && may_share) group.settings.push_back(key_value_heads(now));
    add(group.settings, given_or_not(document, "Biases", {"b_query", "b_key", "b_value"}));
    if (!needs_output_projection(document))
        add(group.settings, given_or_not(document, "Output projection", {"W_output"}));
    add(group.settings, given_or_not(document, "Bias of the outputs", {"b_output"}));
    return group;
}

} // namespace lab
