#include "engine/attention.h"

#include <cmath>
#include <cstdio>

#include "engine/program_builder.h"
#include "engine/steps/steps.h"

namespace lab {

namespace {

std::string tidy_number(float value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", static_cast<double>(value));
    return text;
}

// What one branch of the projections is called.
struct BranchTerms {
    const char* singular; // "query"
    const char* plural;   // "queries"
    Branch branch;
    Axis rows;
    Axis cols;
};
constexpr BranchTerms kQuery{"query", "queries", Branch::query, Axis::queries, Axis::key_dimensions};
constexpr BranchTerms kKey{"key", "keys", Branch::key, Axis::keys, Axis::key_dimensions};
constexpr BranchTerms kValue{"value", "values", Branch::value, Axis::keys, Axis::value_dimensions};

Presentation of_branch(const BranchTerms& terms, Role role, Axis rows, std::string meaning, int column) {
    Presentation shown = presentation(role, rows, terms.cols, std::move(meaning));
    shown.column = column;
    shown.branch = terms.branch;
    shown.row_of_query = role == Role::projection && terms.branch == Branch::query;
    return shown;
}

struct Projections {
    int queries = -1;
    int keys = -1;
    int values = -1;
};

// inputs · W (+ b)
int project(ProgramBuilder& builder, int inputs, const BranchTerms& terms) {
    const std::string name = terms.singular;
    std::vector<int> operands{inputs};
    operands.push_back(builder.leaf("W_" + name, "projections is true",
                                    of_branch(terms, Role::weight_matrix, Axis::input_dimensions,
                                              "how much input {row} adds to " + name + " {col}", 1)));
    if (builder.has("b_" + name)) {
        operands.push_back(
            builder.leaf("b_" + name, "projections is true",
                         of_branch(terms, Role::bias, Axis::none, "what is added to " + name + " {col}", 1)));
    }
    const std::string meaning = "{col} of the " + name + " of {row}";
    return builder.step(terms.plural, matrix_product(), operands,
                        of_branch(terms, Role::projection, terms.rows, meaning, 2));
}

int given_projection(ProgramBuilder& builder, const BranchTerms& terms) {
    const std::string meaning = "{col} of the " + std::string(terms.singular) + " of {row}";
    Presentation shown = of_branch(terms, Role::projection, terms.rows, meaning, 2);
    shown.label = "given";
    return builder.leaf(terms.plural, "queries, keys and values are given together", shown);
}

Projections given_projections(ProgramBuilder& builder) {
    for (const char* other : {"inputs", "W_query", "W_key", "W_value"}) {
        if (builder.has(other))
            builder.fail("queries, keys and values are given directly, but so is " + std::string(other));
    }
    builder.stage("Queries, keys, values", "They are given directly here, one row per token.");
    Projections found;
    found.queries = given_projection(builder, kQuery);
    found.keys = given_projection(builder, kKey);
    found.values = given_projection(builder, kValue);
    return found;
}

Projections computed_projections(ProgramBuilder& builder, const AttentionSettings& settings) {
    builder.stage("Embed the tokens", "Every token is a row of numbers, its embedding.");
    Presentation shown =
        presentation(Role::embedding, Axis::queries, Axis::input_dimensions, "{col} of the embedding of {row}");
    shown.label = "X, one row per token";
    const int inputs = builder.leaf("inputs", "queries, keys and values are not given either", shown);
    if (!settings.projections) return {inputs, inputs, inputs};
    builder.stage("Queries, keys, values",
                  "Three matrices turn every embedding into a query (what it looks for), a key (what it offers) and a "
                  "value (what it passes on).");
    Projections found;
    found.queries = project(builder, inputs, kQuery);
    found.keys = project(builder, inputs, kKey);
    found.values = project(builder, inputs, kValue);
    return found;
}

int scaled(ProgramBuilder& builder, const AttentionSettings& settings, int scores, int d_k) {
    const float factor = settings.scale.value_or(1.0f / std::sqrt(static_cast<float>(d_k)));
    const std::string text = settings.scale ? tidy_number(factor) : "1/√" + std::to_string(d_k);
    if (factor == 1.0f)
        builder.stage("Do not scale", "The scale is 1, so the scores stay as they are.");
    else
        builder.stage("Scale by " + text, "Scaling keeps the scores from growing with the number of dimensions.");
    Presentation shown = between_tokens(Role::scores, "how well the query of {row} fits the key of {col}, scaled");
    shown.folded = true;
    return builder.step("scaled_scores", scale(factor, text), {scores}, shown);
}

int masked(ProgramBuilder& builder, const AttentionSettings& settings, int scores) {
    if (settings.mask == MaskKind::none || builder.failed()) return scores;
    const bool causal = settings.mask == MaskKind::causal || settings.mask == MaskKind::sliding_window;
    builder.stage("Mask", causal ? "A token may not look at tokens that come after it."
                                 : "The document's own mask is added to the scores.");
    if (settings.mask == MaskKind::sliding_window && !settings.window) {
        builder.fail("mask is \"sliding_window\" but window is missing");
        return scores;
    }
    std::vector<int> own;
    if (settings.mask == MaskKind::tensor || builder.has("mask")) {
        own.push_back(builder.leaf("mask", "mask is \"tensor\"",
                                   between_tokens(Role::mask, "added to the score of {row} for {col}")));
    }
    const std::optional<int> n_seen = settings.mask == MaskKind::sliding_window ? settings.window
                                      : causal                                  ? std::optional(kAllBefore)
                                                                                : std::nullopt;
    Presentation shown = between_tokens(Role::mask, "whether {row} may attend to {col}");
    shown.folded = true;
    const Shape shape = builder.shape(scores);
    const int mask = builder.step("combined_mask", combined_mask({n_seen, shape.rows, shape.cols}), own, shown);
    shown = between_tokens(Role::scores, "how well the query of {row} fits the key of {col}, if allowed");
    shown.folded = true;
    return builder.step("masked_scores", add_mask(), {scores, mask}, shown);
}

int weighted(ProgramBuilder& builder, const AttentionSettings& settings, int scores) {
    builder.stage("Scores to weights",
                  settings.normalization == Normalization::sum
                      ? "Every row is divided by its sum, so that it adds up to 1."
                      : "Softmax turns every row of scores into positive weights that add up to 1.");
    Presentation shown = between_tokens(Role::weights, "how much {row} attends to {col}");
    shown.non_negative = settings.normalization != Normalization::sum;
    const StepPtr normalise = settings.normalization == Normalization::softmax         ? softmax()
                              : settings.normalization == Normalization::naive_softmax ? naive_softmax()
                                                                                       : divide_by_sum();
    const int weights = builder.step("attention_weights", normalise, {scores}, shown);
    if (!settings.round_weights) return weights;
    builder.stage("Round the weights",
                  "Rounded for reading, as one does by hand, so that a row still adds up to 1; the "
                  "context vectors use these.");
    shown.meaning = "how much {row} attends to {col}, rounded";
    return builder.step("rounded_weights", round_rows(*settings.round_weights), {weights}, shown);
}

// Contract: while it has at most a million cells.
bool has_weighted_values(const Shape& weights, const Shape& values) {
    const bool is_one_head = weights.planes == 1 && values.planes == 1;
    return is_one_head && Shape::stack(values.rows, weights.rows, values.cols).n_cells() <= 1000000;
}

void contexts(ProgramBuilder& builder, int weights, int values) {
    builder.stage("Weigh the values", "Every key's value is multiplied by the weight that the query gives it.");
    Presentation shown = presentation(Role::weighted_values, Axis::queries, Axis::value_dimensions,
                                      "{col} of what {plane} gives to {row}");
    shown.planes = Axis::keys;
    shown.column = 3;
    shown.slice_by_query = true;
    shown.folded = true;
    if (!builder.failed() && has_weighted_values(builder.shape(weights), builder.shape(values))) {
        const int node = builder.step("weighted_values", weigh_values(), {weights, values}, shown);
        if (node >= 0) builder.node(node).stored = false;
    }
    builder.stage("Add up: context vectors", "The weighted values of each query add up to its context vector.");
    shown = presentation(Role::context, Axis::queries, Axis::value_dimensions, "{col} of what {row} has gathered");
    shown.column = 3;
    shown.row_of_query = true;
    builder.step("context_vectors", matrix_product(), {weights, values}, shown);
}

// Settings that mean nothing, whoever set them.
void reject_what_has_no_meaning(ProgramBuilder& builder, const AttentionSettings& settings) {
    if (settings.window && *settings.window < 1) {
        builder.fail("window is " + std::to_string(*settings.window) + " but a query sees at least 1 key, its own");
    }
    const int decimals = settings.round_weights.value_or(0);
    if (decimals < 0 || decimals > kMostDecimals) {
        builder.fail("round_weights is " + std::to_string(decimals) + " but must be from 0 to " +
                     std::to_string(kMostDecimals) + " decimals");
    }
}

// Settings that the contract knows and this version does not compute.
void reject_what_is_not_computed(ProgramBuilder& builder, const AttentionSettings& settings) {
    if (settings.n_heads != 1) {
        builder.fail("n_heads is " + std::to_string(settings.n_heads) + " but this version computes 1");
    }
    if (settings.n_kv_heads.value_or(1) != 1) {
        builder.fail("n_kv_heads is " + std::to_string(*settings.n_kv_heads) + " but this version computes 1");
    }
    if (settings.softcap)
        builder.fail("softcap is " + tidy_number(*settings.softcap) + " but this version computes null only");
    if (settings.position != Position::none) builder.fail("position is given but this version computes \"none\" only");
    for (const char* name : {"context_inputs", "past_keys", "past_values", "W_output", "b_output"}) {
        if (builder.has(name))
            builder.fail("the tensor " + std::string(name) + " is given but this version does not compute with it");
    }
}

} // namespace

Result<Program> build_program(const AttentionSettings& settings, const TensorShapes& shapes) {
    ProgramBuilder builder(shapes);
    reject_what_has_no_meaning(builder, settings);
    reject_what_is_not_computed(builder, settings);
    const bool given = builder.has("queries") || builder.has("keys") || builder.has("values");
    const Projections found = given ? given_projections(builder) : computed_projections(builder, settings);
    builder.stage("Score every pair", "The dot product of a query and a key says how well they fit.");
    const int scores =
        builder.step("attention_scores", matrix_product({.second_transposed = true}), {found.queries, found.keys},
                     between_tokens(Role::scores, "how well the query of {row} fits the key of {col}"));
    const int d_k = builder.failed() ? 1 : builder.shape(found.queries).cols;
    const int weights = weighted(builder, settings, masked(builder, settings, scaled(builder, settings, scores, d_k)));
    contexts(builder, weights, found.values);
    return std::move(builder).finish();
}

} // namespace lab
