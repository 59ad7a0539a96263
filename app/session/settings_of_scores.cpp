#include <algorithm>

#include "app/session/setting_parts.h"
#include "app/session/sizes.h"

namespace lab {

namespace {

constexpr float kUsualCap = 30, kUsualDropout = 0.1f;

// So many documents one after the other, as equal as can be.
std::vector<int> equal_lengths(int n_documents, int n_keys) {
    std::vector<int> lengths;
    for (int i = 0; i < n_documents; ++i) {
        const int length = (n_keys - 1 - i) / n_documents + 1;
        if (i < n_keys) lengths.push_back(length);
    }
    return lengths;
}

Setting documents(const Document& document) {
    const AttentionSettings& now = document.attention;
    const int n = n_keys(document), n_documents = static_cast<int>(now.document_lengths.size());
    SettingBuilder builder("Documents", now);
    builder.choice("one", "All tokens belong to one text.", [](To to) { to.document_lengths.clear(); })
        .choice("several, packed", "Several texts stand one after the other; a token looks at its own only.",
                [n](To to) { to.document_lengths = equal_lengths(2, n); })
        .chosen(n_documents > 0 ? 1 : 0);
    if (n_documents == 0) return builder.finish();
    builder
        .whole("texts", n_documents, {1, std::max(1, n)},
               [n, n_documents](To to, int documents) {
                   if (documents != n_documents) to.document_lengths = equal_lengths(documents, n);
               })
        .stepped();
    constexpr int kMostShown = 6;
    for (int i = 0; i + 1 < std::min(n_documents, kMostShown); ++i) {
        const auto at = static_cast<std::size_t>(i);
        const int room = now.document_lengths[at] + now.document_lengths[at + 1];
        builder.whole(i == 0 ? "tokens in the first" : "tokens in the next", now.document_lengths[at], {1, room - 1},
                      [at, room](To to, int length) {
                          to.document_lengths[at] = length;
                          to.document_lengths[at + 1] = room - length;
                      });
    }
    return builder.finish();
}

} // namespace

SettingGroup settings_of_masks(const Document& document) {
    const AttentionSettings& now = document.attention;
    const int n = n_keys(document);
    SettingGroup group{"Masks", "", {}};
    group.settings.push_back(documents(document));
    SettingBuilder padding("Padding", now);
    padding.choice("none", "Every key is a token.", [](To to) { to.nonpad_keys.reset(); })
        .choice("at the end", "Keys from a place on are padding, at which no token looks.",
                [n](To to) { to.nonpad_keys = std::max(1, n - 1); })
        .chosen(now.nonpad_keys ? 1 : 0);
    if (now.nonpad_keys)
        padding.whole("keys before it", *now.nonpad_keys, {0, n}, [](To to, int keys) { to.nonpad_keys = keys; });
    group.settings.push_back(padding.finish());
    const bool is_beside = now.mask != MaskKind::none && now.mask != MaskKind::tensor;
    if (is_beside) add(group.settings, given_or_not(document, "A matrix beside it", {"mask"}));
    group.state =
        state_of({now.document_lengths.empty() ? "" : count(static_cast<int>(now.document_lengths.size()), "text"),
                  now.nonpad_keys ? "padding" : "", is_beside && has_tensor(document, "mask") ? "a matrix" : ""});
    return group;
}

SettingGroup settings_of_scores(const Document& document) {
    const AttentionSettings& now = document.attention;
    SettingGroup group{"Scores and weights", "", {}};
    SettingBuilder cap("Soft cap", now);
    cap.choice("off", "Scores may grow without end.", [](To to) { to.softcap.reset(); })
        .choice("on", "A score bends and never grows beyond a cap.", [](To to) { to.softcap = kUsualCap; })
        .chosen(now.softcap ? 1 : 0);
    if (now.softcap) cap.real("the cap", *now.softcap, {0.01, 10000}, [](To to, float number) { to.softcap = number; });
    group.settings.push_back(cap.finish());
    if (takes_sink(now.normalization) || now.sink) {
        group.settings.push_back(
            on_or_off("Sink", now,
                      {"All of a row's weight goes to its keys.",
                       "One more score per head takes a share of the weight and gives it to no key."},
                      [](To to, bool on) { to.sink = on; }));
    }
    SettingBuilder dropout("Dropout", now);
    dropout.choice("off", "Every weight counts.", [](To to) { to.dropout = 0; })
        .choice("on", "Some weights are set to 0 by chance, and the others grow, as in training.",
                [](To to) { to.dropout = kUsualDropout; })
        .chosen(now.dropout > 0 ? 1 : 0);
    if (now.dropout > 0) {
        constexpr double kMost = 0.99;
        constexpr int kMostSeed = 1000000;
        dropout.real("are dropped", now.dropout, {0, kMost}, [](To to, float number) { to.dropout = number; });
        dropout.whole("seed", static_cast<int>(std::min<std::uint64_t>(now.dropout_seed, kMostSeed)), {0, kMostSeed},
                      [](To to, int seed) { to.dropout_seed = static_cast<std::uint64_t>(seed); });
    }
    group.settings.push_back(dropout.finish());
    if (now.dropout > 0)
        group.settings.back().text = "The seed drops the weights that PyTorch drops on a CPU; builds with MKL and GPUs "
                                     "draw others.";
    group.state = state_of({now.softcap ? "cap" : "", now.sink ? "sink" : "", now.dropout > 0 ? "dropout" : ""});
    return group;
}

} // namespace lab
