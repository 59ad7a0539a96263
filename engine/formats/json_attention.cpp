#include "engine/formats/json_attention.h"

#include <algorithm>

#include "engine/formats/attention_settings.h"
#include "engine/formats/json_setting.h"
#include "engine/nearest_names.h"

namespace lab {

namespace {

constexpr std::size_t kAlwaysWritten = 4; // the first so many, which every session states

// Every setting, in the order in which a session is written: how it is read and written is this one line.
std::vector<SettingKey> make_settings() {
    using S = AttentionSettings;
    return {
        setting("projections", &S::projections, flag()),
        setting("scale", &S::scale, number_or("rsqrt_d_k")),
        setting("normalization", &S::normalization,
                word_of<Normalization>({"softmax", "naive_softmax", "sum", "sparsemax", "top_k_softmax"})),
        setting("mask", &S::mask, word_of<MaskKind>({"none", "causal", "sliding_window", "tensor", "prefix"})),
        setting("window", &S::window, whole_or_null(1)),
        setting("round_weights", &S::round_weights, whole_or_null(0, kMostDecimals)),
        setting("n_heads", &S::n_heads, whole(1)),
        setting("n_kv_heads", &S::n_kv_heads, whole_or_null(1)),
        setting("softcap", &S::softcap, number_or(nullptr)),
        setting("position", &S::position,
                word_of<Position>({"none", "sinusoidal", "rope", "alibi", "learned", "relative_bias"})),
        setting("top_k", &S::top_k, whole_or_null(1)),
        setting("prefix", &S::prefix, whole_or_null(0)),
        setting("document_lengths", &S::document_lengths, counts_or_null()),
        setting("nonpad_keys", &S::nonpad_keys, whole_or_null(0)),
        setting("sink", &S::sink, flag()),
        setting("dropout", &S::dropout, number()),
        setting("dropout_seed", &S::dropout_seed, seed()),
        setting("rope_base", &S::rope, &Rope::base, number()),
        setting("rope_pairs", &S::rope, &Rope::pairs, word_of<RopePairs>({"half", "interleaved"})),
        setting("rope_dims", &S::rope, &Rope::dims, whole_or_null(1)),
        setting("rope_scaling", &S::rope, &Rope::scaling, number()),
        setting("context_length", &S::context_length, whole_or_null(1)),
        setting("n_blocks", &S::blocks, &Blocks::n, whole(0)),
        setting("residual", &S::blocks, &Blocks::residual, flag()),
        setting("norm", &S::blocks, &Blocks::norm, word_of<Norm>({"none", "layer_norm", "rms_norm"})),
        setting("norm_position", &S::blocks, &Blocks::norm_position, word_of<NormPosition>({"pre", "post"})),
        setting("norm_epsilon", &S::blocks, &Blocks::norm_epsilon, number()),
        setting("final_norm", &S::blocks, &Blocks::final_norm, flag()),
        setting("mlp", &S::blocks, &Blocks::mlp, word_of<Mlp>({"none", "relu", "gelu", "gelu_tanh", "silu_gated"})),
        setting("unembedding", &S::blocks, &Blocks::unembedding, word_of<Unembedding>({"none", "own", "tied"})),
    };
}

const std::vector<SettingKey>& all_keys() {
    static const std::vector<SettingKey> keys = make_settings();
    return keys;
}

// "mask, window, norm, scale, sink, mlp and 24 more": those that are written like it.
std::string known_keys_like(const std::string& key) {
    std::vector<std::string> keys;
    for (const SettingKey& known : all_keys()) keys.emplace_back(known.key);
    return nearest_names_text(key, keys);
}

} // namespace

bool read_attention_key(Reading& reading, const std::string& key, const Json& value, AttentionSettings& settings) {
    const auto known = std::find_if(all_keys().begin(), all_keys().end(),
                                    [&](const SettingKey& candidate) { return candidate.key == key; });
    return known != all_keys().end() && known->read(reading, value, path_of("attention", key), settings);
}

std::vector<std::pair<std::string, std::string>> attention_fields(const AttentionSettings& settings) {
    std::vector<std::pair<std::string, std::string>> fields;
    for (std::size_t i = 0; i < all_keys().size(); ++i) {
        const SettingKey& known = all_keys()[i];
        if (i < kAlwaysWritten || !known.is_default(settings)) fields.emplace_back(known.key, known.write(settings));
    }
    return fields;
}

Result<Done> set_attention_key(AttentionSettings& settings, const std::string& key, std::string_view value) {
    const Result<Json> parsed = parse_json(value);
    const Json json = parsed ? *parsed : Json(std::string(value));
    Reading reading;
    AttentionSettings changed = settings;
    if (!read_attention_key(reading, key, json, changed)) {
        if (reading.error) return *reading.error;
        return Error{"there is no setting '" + key + "' but " + known_keys_like(key)};
    }
    settings = changed;
    return Done{};
}

} // namespace lab
