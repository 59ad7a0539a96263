#include <algorithm>

#include "app/session/decoding.h"
#include "app/session/setting_parts.h"
#include "app/session/sizes.h"

namespace lab {

namespace {

void add_rope(std::vector<Setting>& settings, const Document& document) {
    const AttentionSettings& now = document.attention;
    const int d_k = key_width(document, block_prefixes(now).front()).value_or(2);
    SettingBuilder pairs("Rotated pairs", now);
    pairs
        .choice("halves", "Dimension m turns with dimension m + d/2, as in Llama.",
                [](To to) { to.rope.pairs = RopePairs::half; })
        .choice("neighbours", "Dimension 2m turns with dimension 2m + 1, as in RoFormer.",
                [](To to) { to.rope.pairs = RopePairs::interleaved; });
    pairs.whole("rotated dimensions", now.rope.dims.value_or(d_k), {2, std::max(2, d_k)}, [d_k](To to, int n) {
        to.rope.dims = n / 2 * 2 == d_k ? std::nullopt : std::optional<int>(n / 2 * 2);
    });
    pairs.real("base", now.rope.base, {1, 10000000}, [](To to, float number) { to.rope.base = number; });
    pairs.real("places divided by", now.rope.scaling, {0.01, 1000},
               [](To to, float number) { to.rope.scaling = number; });
    settings.push_back(pairs.finish());
}

void add_parts_of_blocks(std::vector<Setting>& settings, const AttentionSettings& now) {
    settings.push_back(
        on_or_off("Residual", now,
                  {"A block passes on what it computes alone.", "What a block reads is added to what it computes."},
                  [](To to, bool on) { to.blocks.residual = on; }));
    if (now.blocks.norm != Norm::none) {
        settings.push_back(SettingBuilder("Where norms stand", now)
                               .choice("before", "Rows are normalised before attention and MLP read them, as in GPT-2.",
                                       [](To to) { to.blocks.norm_position = NormPosition::pre; })
                               .choice("after", "Rows are normalised after the residual, as in the first transformer.",
                                       [](To to) { to.blocks.norm_position = NormPosition::post; })
                               .finish());
    }
    const auto to_mlp = [](Mlp kind) { return [kind](To to) { to.blocks.mlp = kind; }; };
    settings.push_back(
        SettingBuilder("MLP", now)
            .choice("none", "A block is attention alone.", to_mlp(Mlp::none))
            .choice("ReLU", "Two matrices, and between them what is negative becomes 0.", to_mlp(Mlp::relu))
            .choice("GELU", "Two matrices, and between them a bend that is smooth.", to_mlp(Mlp::gelu))
            .choice("GELU, by tanh", "The same bend by the formula of GPT-2.", to_mlp(Mlp::gelu_tanh))
            .choice("SwiGLU", "A third matrix opens and closes gates, as in Llama.", to_mlp(Mlp::silu_gated))
            .finish());
}

Setting norm(const AttentionSettings& now) {
    const auto to_norm = [](Norm kind) {
        return [kind](To to) {
            to.blocks.norm = kind;
            to.blocks.final_norm = to.blocks.final_norm && kind != Norm::none;
        };
    };
    SettingBuilder builder("Norm", now);
    builder.choice("none", "Rows stay as long as they are.", to_norm(Norm::none))
        .choice("layer norm", "Each row gets mean 0 and variance 1, then a gain per column.", to_norm(Norm::layer_norm))
        .choice("RMS norm", "Each row is divided by its root mean square, then gets a gain per column.",
                to_norm(Norm::rms_norm))
        .chosen(static_cast<int>(now.blocks.norm));
    const bool has_norm = now.blocks.norm != Norm::none;
    if (has_norm)
        builder.real("epsilon", now.blocks.norm_epsilon, {1e-12, 1},
                     [](To to, float number) { to.blocks.norm_epsilon = number; });
    Setting setting = builder.finish();
    if (has_norm) setting.text = "Epsilon is added before dividing, so that a row of zeros can be divided too.";
    return setting;
}

} // namespace

SettingGroup settings_of_positions(const Document& document) {
    constexpr const char* kStates[] = {"", "sinusoidal", "rope", "ALiBi", "learned", "relative"};
    const AttentionSettings& now = document.attention;
    const auto to_kind = [](Position kind) { return [kind](To to) { to.position = kind; }; };
    SettingGroup group{"Positions", "", {}};
    group.settings.push_back(
        SettingBuilder("Position", now)
            .choice("none", "Attention does not know in which order the tokens stand.", to_kind(Position::none))
            .choice("sinusoidal", "Waves of many lengths are added to the embeddings, another row for every place.",
                    to_kind(Position::sinusoidal))
            .choice("rotary (RoPE)", "Queries and keys are turned by an angle that grows with their place.",
                    to_kind(Position::rope))
            .choice("ALiBi", "The further away a key, the lower its score, in a straight line.",
                    to_kind(Position::alibi))
            .choice("learned", "A learned row for every place is added to the embeddings.", to_kind(Position::learned))
            .choice("relative bias", "A learned number for every distance is added to the score.",
                    to_kind(Position::relative_bias))
            .finish());
    if (now.position == Position::rope) add_rope(group.settings, document);
    SettingBuilder length("Context length", now);
    const int n = std::max(1, n_tokens(document));
    length.choice("all tokens", "Every token is used.", [](To to) { to.context_length.reset(); })
        .choice("the first tokens", "Only the first tokens are used, as in a model that reads no more.",
                [n](To to) { to.context_length = n; })
        .chosen(now.context_length ? 1 : 0);
    if (now.context_length)
        length.whole("tokens", *now.context_length, {1, kMostTokens},
                     [](To to, int tokens) { to.context_length = tokens; });
    group.settings.push_back(length.finish());
    group.settings.back().text = cut_tokens_text(document);
    group.state = state_of({kStates[static_cast<std::size_t>(now.position)],
                            now.context_length ? "first " + std::to_string(*now.context_length) : ""});
    return group;
}

SettingGroup settings_of_blocks(const Document& document) {
    constexpr int kMostByHand = 12;
    const AttentionSettings& now = document.attention;
    SettingGroup group{"Blocks", "", {}};
    group.settings.push_back(SettingBuilder("One after the other", now)
                                 .whole("blocks", now.blocks.n, {0, std::max(kMostByHand, now.blocks.n)},
                                        [](To to, int n) { to.blocks.n = n; })
                                 .stepped()
                                 .finish());
    group.settings.back().text = "Each block reads what the one before it gives; with 0 there is attention alone.";
    group.settings.push_back(norm(now));
    if (now.blocks.n > 0) add_parts_of_blocks(group.settings, now);
    const std::vector<std::string> biases = {"attention_norm_bias", "mlp_norm_bias", "b_up", "b_gate", "b_down"};
    add(group.settings, given_or_not(document, "Biases of the blocks", biases));
    group.state = state_of({now.blocks.n > 0 ? count(now.blocks.n, "block") : ""});
    return group;
}

SettingGroup settings_of_words(const Document& document) {
    const AttentionSettings& now = document.attention;
    SettingGroup group{"Words", "", {}};
    add(group.settings, given_or_not(document, "Embedding table", {"token_ids"}));
    const auto to_kind = [](Unembedding kind) { return [kind](To to) { to.blocks.unembedding = kind; }; };
    group.settings.push_back(SettingBuilder("Next word", now)
                                 .choice("not predicted", "The rows stay rows.", to_kind(Unembedding::none))
                                 .choice("by a matrix of its own",
                                         "Every row is compared with every word by one more matrix.",
                                         to_kind(Unembedding::own))
                                 .choice("by the embedding table", "Every row is compared with the words' embeddings.",
                                         to_kind(Unembedding::tied))
                                 .finish());
    if (now.blocks.norm != Norm::none) {
        group.settings.push_back(
            on_or_off("Last norm", now,
                      {"Rows are used as the last block leaves them.", "Rows are normalised once more at the end."},
                      [](To to, bool on) { to.blocks.final_norm = on; }));
    }
    const std::vector<std::string> biases = {"final_norm_bias", "b_unembedding"};
    add(group.settings, given_or_not(document, "Biases at the end", biases));
    group.state = state_of({now.blocks.unembedding != Unembedding::none ? "next word" : "",
                            has_tensor(document, "token_ids") ? "table" : ""});
    return group;
}

SettingGroup settings_of_cache(const Document& document) {
    SettingGroup group{"Cache and context", "", {}};
    add(group.settings, given_or_not(document, "Past", {"past_keys"}));
    if (!group.settings.empty()) {
        const std::string cached = n_past(document) > 0 ? cache_text(document) + " " : "";
        group.settings.back().text =
            cached + "A next word is computed alone, with the keys and values kept of those before it.";
        group.settings.back().takes_word = true;
    }
    add(group.settings, given_or_not(document, "Context", {"context_inputs"}));
    group.state = state_of({n_past(document) > 0 ? count(n_past(document), "token") + " kept" : "",
                            has_any(document, {"context_inputs"}) ? "cross-attention" : ""});
    return group;
}

} // namespace lab
