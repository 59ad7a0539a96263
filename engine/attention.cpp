#include "engine/attention.h"

#include <algorithm>

#include "engine/count_text.h"
#include "engine/model.h"
#include "engine/one_attention.h"
#include "engine/program_builder.h"
#include "engine/projections.h"

namespace lab {

namespace {

void reject_numbers_out_of_range(ProgramBuilder& builder, const AttentionSettings& settings) {
    const Rope& rope = settings.rope;
    if (settings.softcap && !(*settings.softcap > 0))
        builder.fail("softcap is " + digits_text(static_cast<double>(*settings.softcap), 6) + " but must be above 0");
    if (!(settings.dropout >= 0 && settings.dropout < 1))
        builder.fail("dropout is " + digits_text(static_cast<double>(settings.dropout), 6) +
                     " but must be from 0 to below 1");
    if (!(rope.base > 0))
        builder.fail("rope_base is " + digits_text(static_cast<double>(rope.base), 6) + " but must be above 0");
    if (!(rope.scaling > 0))
        builder.fail("rope_scaling is " + digits_text(static_cast<double>(rope.scaling), 6) + " but must be above 0");
    if (!(settings.blocks.norm_epsilon >= 0))
        builder.fail("norm_epsilon is " + digits_text(static_cast<double>(settings.blocks.norm_epsilon), 6) +
                     " but must be 0 or more");
    if (settings.blocks.n < 0)
        builder.fail("n_blocks is " + std::to_string(settings.blocks.n) + " but must be 0 or more");
}

// Settings that need another one.
void reject_what_is_missing(ProgramBuilder& builder, const AttentionSettings& settings) {
    if (settings.mask == MaskKind::sliding_window && !settings.window)
        builder.fail("mask is \"sliding_window\" but window is missing");
    if (settings.mask == MaskKind::prefix && !settings.prefix) builder.fail("mask is \"prefix\" but prefix is missing");
    if (settings.normalization == Normalization::top_k_softmax && !settings.top_k)
        builder.fail("normalization is \"top_k_softmax\" but top_k is missing");
    if (settings.sink && !takes_sink(settings.normalization))
        builder.fail("sink is true but normalization is \"" +
                     std::string(settings.normalization == Normalization::sum ? "sum" : "sparsemax") +
                     "\", which adds up no exponentials");
}

bool has_given_projections(const ProgramBuilder& builder) {
    return builder.has("queries") || builder.has("keys") || builder.has("values");
}

// What is out of its range; each sentence names the setting and what it may be.
void reject_what_has_no_meaning(ProgramBuilder& builder, const AttentionSettings& settings) {
    const auto at_least = [&](const char* name, const std::optional<int>& value, int least, const char* because) {
        if (value && *value < least)
            builder.fail(std::string(name) + " is " + std::to_string(*value) + " but " + because);
    };
    at_least("window", settings.window, 1, "a query sees at least 1 key, its own");
    at_least("prefix", settings.prefix, 0, "must be 0 or more keys");
    at_least("nonpad_keys", settings.nonpad_keys, 0, "must be 0 or more keys");
    at_least("top_k", settings.top_k, 1, "must be at least 1 score");
    at_least("context_length", settings.context_length, 1, "must be at least 1 token");
    at_least("n_heads", settings.n_heads, 1, "must be at least 1");
    at_least("n_kv_heads", settings.n_kv_heads, 1, "must be at least 1");
    const int decimals = settings.round_weights.value_or(0);
    if (decimals < 0 || decimals > kMostDecimals) {
        builder.fail("round_weights is " + std::to_string(decimals) + " but must be from 0 to " +
                     std::to_string(kMostDecimals) + " decimals");
    }
    if (settings.n_kv_heads && settings.n_heads % std::max(1, *settings.n_kv_heads) != 0) {
        builder.fail("n_heads is " + std::to_string(settings.n_heads) + " but n_kv_heads is " +
                     std::to_string(*settings.n_kv_heads) + ", which does not divide it");
    }
    reject_numbers_out_of_range(builder, settings);
    reject_what_is_missing(builder, settings);
}

// What cannot stand beside one another, whoever gave it.
void reject_what_does_not_agree(ProgramBuilder& builder, const AttentionSettings& settings) {
    const bool given = has_given_projections(builder);
    if (given && settings.blocks.n > 0)
        builder.fail("queries, keys and values are given directly but n_blocks is " +
                     std::to_string(settings.blocks.n));
    if (settings.blocks.n > 0 && builder.has("context_inputs"))
        builder.fail("context_inputs are given but n_blocks is " + std::to_string(settings.blocks.n));
    if (!given) return;
    for (const char* other : {"inputs", "token_ids", "context_inputs", "W_query", "W_key", "W_value"}) {
        if (builder.has(other))
            builder.fail("queries, keys and values are given directly, but so is " + std::string(other));
    }
}

// The rows from which keys and values are made in cross-attention, or −1.
int context_inputs(ProgramBuilder& builder) {
    if (!builder.has("context_inputs")) return -1;
    const Axis rows = n_past(builder) > 0 ? Axis::new_keys : Axis::keys;
    Presentation shown = presentation(Role::embedding, rows, Axis::input_dimensions, "{col} of the embedding of {row}");
    shown.label = "one row per token of the context";
    return builder.leaf("context_inputs", "", shown);
}

} // namespace

Result<Program> build_program(const AttentionSettings& settings, const TensorShapes& shapes) {
    ProgramBuilder builder(shapes);
    reject_what_has_no_meaning(builder, settings);
    reject_what_does_not_agree(builder, settings);
    AttentionReads reads;
    if (!has_given_projections(builder)) {
        reads.inputs = build_inputs(builder, settings);
        reads.context_inputs = context_inputs(builder);
    }
    const bool predicts = settings.blocks.final_norm || settings.blocks.unembedding != Unembedding::none;
    const int last = settings.blocks.n > 0 ? build_blocks(builder, settings, reads.inputs)
                                           : build_one_attention(builder, settings, reads, predicts);
    build_prediction(builder, settings, last);
    return std::move(builder).finish();
}

} // namespace lab
