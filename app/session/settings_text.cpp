#include "app/session/settings_text.h"

#include "app/session/setting_builder.h"

namespace lab {

namespace {

Setting projections(const AttentionSettings& now) {
    return SettingBuilder("Projections", now)
        .choice("three matrices", "Learned matrices make a query, a key and a value of every embedding.",
                [](AttentionSettings& to) { to.projections = true; })
        .choice("none: inputs serve as all three",
                "Every embedding is its own query, key and value; nothing is learned.",
                [](AttentionSettings& to) { to.projections = false; })
        .finish();
}

Setting scale(const AttentionSettings& now) {
    const bool is_number = now.scale && *now.scale != 1.0f;
    const float number = is_number ? *now.scale : 0.5f;
    SettingBuilder builder("Scale", now);
    builder
        .choice("1/√d_k", "Scores are divided by √d_k, so that wider keys do not make softmax sharper.",
                [](AttentionSettings& to) { to.scale.reset(); })
        .choice("none", "Scores stay as they are; the wider the keys, the further apart they get.",
                [](AttentionSettings& to) { to.scale = 1.0f; })
        .choice("a number", "Scores are multiplied by it: above 1 the weights get sharper, towards 0 more even.",
                [number](AttentionSettings& to) { to.scale = number; });
    if (now.scale) {
        // 1 means "none": a drag that passes through it must not lose its handle.
        builder.number({"times the scores", *now.scale, -1000, 1000, false, false, !is_number, [now](double value) {
                            AttentionSettings to = now;
                            to.scale = static_cast<float>(value);
                            return to;
                        }});
    }
    return builder.finish();
}

Setting normalisation(const AttentionSettings& now) {
    constexpr int kFirstTop = 2;
    const int top = now.top_k.value_or(kFirstTop);
    const auto to_kind = [top](Normalization kind) {
        return [kind, top](AttentionSettings& to) {
            to.normalization = kind;
            to.sink = to.sink && takes_sink(kind);
            to.top_k = kind == Normalization::top_k_softmax ? std::optional<int>(top) : std::nullopt;
        };
    };
    SettingBuilder builder("Normalise", now);
    builder
        .choice("softmax",
                "e to the power of each score, divided by the row's sum; the row's maximum is subtracted first.",
                to_kind(Normalization::softmax))
        .choice("naive softmax", "The same without subtracting the maximum: scores above 88 overflow.",
                to_kind(Normalization::naive_softmax))
        .choice("divide by the sum", "Each score divided by the row's sum; negative scores make negative weights.",
                to_kind(Normalization::sum))
        .choice("sparsemax", "One number is taken off all scores of a row so that what stays above 0 adds up to 1.",
                to_kind(Normalization::sparsemax))
        .choice("softmax of the top", "Softmax over the greatest scores of each row; the others get no weight.",
                to_kind(Normalization::top_k_softmax))
        .chosen(static_cast<int>(now.normalization));
    if (now.normalization == Normalization::top_k_softmax)
        builder.whole("greatest scores", top, {1, kMostTokens}, [](AttentionSettings& to, int n) { to.top_k = n; });
    return builder.finish();
}

// A mask of this kind; a window or a prefix only where there is one to have.
auto masked(MaskKind kind, int window, int prefix) {
    return [=](AttentionSettings& to) {
        to.mask = kind;
        to.window = kind == MaskKind::sliding_window ? std::optional<int>(window) : std::nullopt;
        to.prefix = kind == MaskKind::prefix ? std::optional<int>(prefix) : std::nullopt;
    };
}

Setting mask(const AttentionSettings& now) {
    constexpr int kFirstWindow = 3, kFirstPrefix = 2;
    const int window = now.window.value_or(kFirstWindow), prefix = now.prefix.value_or(kFirstPrefix);
    const auto to_kind = [&](MaskKind kind) { return masked(kind, window, prefix); };
    SettingBuilder builder("Mask", now);
    builder.choice("none", "Every token may look at every token.", to_kind(MaskKind::none))
        .choice("causal", "A token may look at itself and at those before it, as when text is being written.",
                to_kind(MaskKind::causal))
        .choice("sliding window", "A token may look at itself and only so many tokens back.",
                to_kind(MaskKind::sliding_window))
        .choice("a matrix of its own", "A matrix that you can edit is added to the scores; −∞ forbids.",
                to_kind(MaskKind::tensor))
        .choice("causal with a prefix", "As causal, but every token may look at the first few too.",
                to_kind(MaskKind::prefix))
        .chosen(static_cast<int>(now.mask));
    if (now.mask == MaskKind::sliding_window)
        builder.whole("tokens, itself included", window, {1, kMostTokens},
                      [](AttentionSettings& to, int n) { to.window = n; });
    if (now.mask == MaskKind::prefix)
        builder.whole("tokens seen by all", prefix, {0, kMostTokens},
                      [](AttentionSettings& to, int n) { to.prefix = n; });
    return builder.finish();
}

Setting rounding(const AttentionSettings& now) {
    constexpr int kUsualDecimals = 4;
    SettingBuilder builder("Round weights", now);
    builder.choice("off", "The context vectors use the weights as they are.",
                   [](AttentionSettings& to) { to.round_weights.reset(); });
    const auto to_decimals = [&](int decimals) {
        builder.choice(std::to_string(decimals) + (decimals == 1 ? " decimal" : " decimals"),
                       "The context vectors use rounded weights, as one does by hand; a row still sums to 1.",
                       [decimals](AttentionSettings& to) { to.round_weights = decimals; });
    };
    for (int decimals = 1; decimals <= kUsualDecimals; ++decimals) to_decimals(decimals);
    const int present = now.round_weights.value_or(1);
    if (present < 1 || present > kUsualDecimals) to_decimals(present);
    return builder.finish();
}

} // namespace

std::vector<Setting> all_settings(const AttentionSettings& attention) {
    return {projections(attention), scale(attention), normalisation(attention), mask(attention), rounding(attention)};
}

const std::vector<Setting>& KeptSettings::of(const AttentionSettings& attention) {
    if (settings_.empty() || attention != attention_) {
        attention_ = attention;
        settings_ = all_settings(attention);
    }
    return settings_;
}

} // namespace lab
