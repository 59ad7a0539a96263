#include <algorithm>

#include "app/session/decoding.h"
#include "app/session/optional_tensors.h"
#include "app/session/setting_builder.h"
#include "app/session/sizes.h"
#include "engine/count_text.h"

namespace lab {

namespace {

using To = AttentionSettings&;

constexpr float kUsualCap = 30, kUsualDropout = 0.1f;

std::string count(int n, const char* thing) { return count_text(static_cast<std::size_t>(n), thing); }

// "4 heads, gate": the words that are not empty; "off" without any.
std::string state_of(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) {
        if (!word.empty()) text += (text.empty() ? "" : ", ") + word;
    }
    return text.empty() ? "off" : text;
}

template <class Change>
Setting on_or_off(const char* title, const AttentionSettings& now, std::pair<const char*, const char*> sentences,
                  Change change) {
    return SettingBuilder(title, now)
        .choice("off", sentences.first, [&](To to) { change(to, false); })
        .choice("on", sentences.second, [&](To to) { change(to, true); })
        .finish();
}

// Tensors that may be there or not, all at once.
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
    if (now.n_kv_heads && *now.n_kv_heads > 1)
        builder.whole("groups", *now.n_kv_heads, {1, now.n_heads}, [](To to, int n) { to.n_kv_heads = n; }).stepped();
    return builder.finish();
}

SettingGroup heads(const Document& document) {
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
    const bool may_share = now.projections || is_given_directly(document);
    if (now.n_heads > 1 && may_share) group.settings.push_back(key_value_heads(now));
    add(group.settings, given_or_not(document, "Biases", {"b_query", "b_key", "b_value"}));
    add(group.settings, given_or_not(document, "Output projection", {"W_output"}));
    add(group.settings, given_or_not(document, "Bias of the outputs", {"b_output"}));
    return group;
}

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

SettingGroup masks(const Document& document) {
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

SettingGroup scores(const Document& document) {
    const AttentionSettings& now = document.attention;
    SettingGroup group{"Scores and weights", "", {}};
    SettingBuilder cap("Soft cap", now);
    cap.choice("off", "Scores may grow without end.", [](To to) { to.softcap.reset(); })
        .choice("on", "A score bends and never grows beyond a cap.", [](To to) { to.softcap = kUsualCap; })
        .chosen(now.softcap ? 1 : 0);
    if (now.softcap) cap.real("the cap", *now.softcap, {0.01, 10000}, [](To to, float number) { to.softcap = number; });
    group.settings.push_back(cap.finish());
    const bool can_sink =
        now.normalization == Normalization::softmax || now.normalization == Normalization::naive_softmax;
    if (can_sink || now.sink) {
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
    group.state = state_of({now.softcap ? "cap" : "", now.sink ? "sink" : "", now.dropout > 0 ? "dropout" : ""});
    return group;
}

void add_rope(std::vector<Setting>& settings, const Document& document) {
    const AttentionSettings& now = document.attention;
    const int d_k = key_width(document, block_prefixes(now).front()).value_or(2);
    SettingBuilder pairs("Rotated pairs", now);
    pairs
        .choice("halves", "Dimension m turns with dimension m + d/2, as in Llama.",
                [](To to) { to.rope.pairs = Rope::Pairs::half; })
        .choice("neighbours", "Dimension 2m turns with dimension 2m + 1, as in RoFormer.",
                [](To to) { to.rope.pairs = Rope::Pairs::interleaved; });
    pairs.whole("rotated dimensions", now.rope.dims.value_or(d_k), {2, std::max(2, d_k)}, [d_k](To to, int n) {
        to.rope.dims = n / 2 * 2 == d_k ? std::nullopt : std::optional<int>(n / 2 * 2);
    });
    pairs.real("base", now.rope.base, {1, 10000000}, [](To to, float number) { to.rope.base = number; });
    pairs.real("places divided by", now.rope.scaling, {0.01, 1000},
               [](To to, float number) { to.rope.scaling = number; });
    settings.push_back(pairs.finish());
}

SettingGroup positions(const Document& document) {
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
    group.state = state_of({kStates[static_cast<std::size_t>(now.position)],
                            now.context_length ? "first " + std::to_string(*now.context_length) : ""});
    return group;
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
    if (now.blocks.norm != Norm::none)
        builder.real("epsilon", now.blocks.norm_epsilon, {0, 1},
                     [](To to, float number) { to.blocks.norm_epsilon = number; });
    return builder.finish();
}

SettingGroup blocks(const Document& document) {
    constexpr int kMostByHand = 12;
    const AttentionSettings& now = document.attention;
    SettingGroup group{"Blocks", "", {}};
    group.settings.push_back(SettingBuilder("One after the other", now)
                                 .whole("blocks", now.blocks.n, {0, std::max(kMostByHand, now.blocks.n)},
                                        [](To to, int n) { to.blocks.n = n; })
                                 .stepped()
                                 .finish());
    if (now.blocks.n > 0) add_parts_of_blocks(group.settings, now);
    group.settings.push_back(norm(now));
    const std::vector<std::string> biases = {"attention_norm_bias", "mlp_norm_bias", "b_up", "b_gate", "b_down"};
    add(group.settings, given_or_not(document, "Biases of the blocks", biases));
    group.state = state_of({now.blocks.n > 0 ? count(now.blocks.n, "block") : ""});
    return group;
}

SettingGroup words(const Document& document) {
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

SettingGroup cache(const Document& document) {
    SettingGroup group{"Cache and context", "", {}};
    add(group.settings, given_or_not(document, "Past", {"past_keys"}));
    if (!group.settings.empty()) {
        group.settings.back().text = n_past(document) > 0 ? cache_text(document) : "";
        group.settings.back().takes_word = true;
    }
    add(group.settings, given_or_not(document, "Context", {"context_inputs"}));
    group.state = state_of({n_past(document) > 0 ? count(n_past(document), "token") + " kept" : "",
                            has_any(document, {"context_inputs"}) ? "cross-attention" : ""});
    return group;
}

} // namespace

std::vector<SettingGroup> setting_groups(const Document& document) {
    return {heads(document),  masks(document), scores(document), positions(document),
            blocks(document), words(document), cache(document)};
}

std::string groups_state(const std::vector<SettingGroup>& groups) {
    std::vector<std::string> states;
    for (const SettingGroup& group : groups) {
        if (group.state != "off" && group.state != "1 head") states.push_back(group.state);
    }
    return state_of(states);
}

} // namespace lab
