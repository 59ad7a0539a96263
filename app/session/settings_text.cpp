#include "app/session/settings_text.h"

#include <algorithm>
#include <cmath>

namespace lab {

namespace {

// Adds one choice: the present settings with `change` applied. The first that leaves them as they are is the chosen one.
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
        setting_.choices.push_back({std::move(title), std::move(sentence), with});
        return *this;
    }

    SettingBuilder& number(SettingNumber number) {
        setting_.number = std::move(number);
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
        builder.number({"times the scores", *now.scale, -1000, 1000, false, !is_number, [now](double value) {
                            AttentionSettings to = now;
                            to.scale = static_cast<float>(value);
                            return to;
                        }});
    }
    return builder.finish();
}

Setting normalisation(const AttentionSettings& now) {
    const auto to_kind = [](Normalization kind) { return [kind](AttentionSettings& to) { to.normalization = kind; }; };
    return SettingBuilder("Normalise", now)
        .choice("softmax",
                "e to the power of each score, divided by the row's sum; the row's maximum is subtracted first.",
                to_kind(Normalization::softmax))
        .choice("naive softmax", "The same without subtracting the maximum: scores above 88 overflow.",
                to_kind(Normalization::naive_softmax))
        .choice("divide by the sum", "Each score divided by the row's sum; negative scores make negative weights.",
                to_kind(Normalization::sum))
        .finish();
}

// A mask of this kind; a window only where there is one to have.
auto masked(MaskKind kind, int window) {
    return [kind, window](AttentionSettings& to) {
        to.mask = kind;
        if (kind == MaskKind::sliding_window)
            to.window = window;
        else
            to.window.reset();
    };
}

Setting mask(const AttentionSettings& now) {
    constexpr int kFirstWindow = 3;
    const int window = now.window.value_or(kFirstWindow);
    SettingBuilder builder("Mask", now);
    builder.choice("none", "Every token may look at every token.", masked(MaskKind::none, window))
        .choice("causal", "A token may look at itself and at those before it, as when text is being written.",
                masked(MaskKind::causal, window))
        .choice("sliding window", "A token may look at itself and only so many tokens back.",
                masked(MaskKind::sliding_window, window))
        .choice("a matrix of its own", "A matrix that you can edit is added to the scores; −∞ forbids.",
                masked(MaskKind::tensor, window));
    if (now.mask == MaskKind::sliding_window) {
        builder.number(
            {"tokens, itself included", static_cast<double>(window), 1, 4096, true, false, [now](double value) {
                 AttentionSettings to = now;
                 to.window = static_cast<int>(std::lround(value));
                 return to;
             }});
    }
    Setting setting = builder.finish();
    setting.chosen = static_cast<int>(now.mask);
    return setting;
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

} // namespace lab
