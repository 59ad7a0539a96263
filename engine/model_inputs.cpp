#include "engine/model.h"
#include "engine/projections.h"
#include "engine/steps/steps.h"
#include "engine/tensor_name.h"

namespace lab {

namespace {

// The rows of the table that the tokens' numbers name: as a product with one-hot rows, so that one can read what feeds what, or,
// where those would be long, taken at once.
int looked_up(ProgramBuilder& builder, int ids, int table) {
    Presentation inputs =
        presentation(Role::embedding, Axis::queries, Axis::input_dimensions, "{col} of the embedding of {row}");
    const int n_words = builder.shape(table).rows;
    if (Shape::matrix(builder.shape(ids).cols, n_words).n_cells() > kMostOneHotCells) {
        inputs.column = 1;
        return builder.step("inputs", gather_rows(), {ids, table}, inputs);
    }
    Presentation shown =
        presentation(Role::embedding, Axis::queries, Axis::vocabulary, "whether {row} is the word {col}");
    shown.folded = true;
    shown.column = 1;
    const int one_hot_tokens = builder.step("one_hot_tokens", one_hot(n_words), {ids}, shown);
    inputs.column = 2;
    return builder.step("inputs", matrix_product(), {one_hot_tokens, table}, inputs);
}

int embedded(ProgramBuilder& builder) {
    Presentation shown = presentation(Role::embedding, Axis::none, Axis::queries, "the number of the token {col}");
    shown.label = "a number per token";
    const int ids = builder.leaf("token_ids", "W_embedding is given", shown);
    shown = presentation(Role::weight_matrix, Axis::vocabulary, Axis::input_dimensions, "{col} of the word {row}");
    shown.label = "a row per word";
    const int table = builder.leaf("W_embedding", "token_ids are given", shown);
    if (builder.failed()) return -1;
    return looked_up(builder, ids, table);
}

int given_inputs(ProgramBuilder& builder) {
    Presentation shown =
        presentation(Role::embedding, Axis::queries, Axis::input_dimensions, "{col} of the embedding of {row}");
    shown.label = "X, one row per token";
    return builder.leaf("inputs", "queries, keys and values are not given either", shown);
}

int truncated(ProgramBuilder& builder, const AttentionSettings& settings, int x) {
    if (!settings.context_length || builder.failed() || builder.shape(x).rows <= *settings.context_length) return x;
    const std::string n_kept = std::to_string(*settings.context_length);
    builder.stage("Cut to the context length", n_kept + " of " + std::to_string(builder.shape(x).rows) +
                                                   " tokens: context_length keeps the first " + n_kept + ".");
    return builder.step(
        "truncated_inputs", take_rows({0, *settings.context_length}), {x},
        presentation(Role::embedding, Axis::queries, Axis::input_dimensions, "{col} of the embedding of {row}"));
}

int positioned(ProgramBuilder& builder, const AttentionSettings& settings, int x, int n_past) {
    const bool is_learned = settings.position == Position::learned;
    if ((!is_learned && settings.position != Position::sinusoidal) || builder.failed()) return x;
    builder.stage("Add positions", "A row for every place is added to the embeddings, so that order can be seen.");
    const Shape shape = builder.shape(x);
    Presentation shown = presentation(Role::embedding, Axis::positions, Axis::input_dimensions, "{col} of place {row}");
    int table = -1;
    if (is_learned) {
        shown.role = Role::weight_matrix;
        shown.label = "a row per place";
        table = builder.leaf("W_position", "position is \"learned\"", shown);
    } else {
        table = builder.step("position_table", position_table(n_past + shape.rows, shape.cols), {}, shown);
    }
    return builder.step("positioned_inputs", add_rows(n_past), {x, table},
                        presentation(Role::embedding, Axis::queries, Axis::input_dimensions,
                                     "{col} of the embedding of {row} at its place"));
}

// The rows that stand before those of the first attention.
int n_past_of_first(ProgramBuilder& builder, const AttentionSettings& settings) {
    builder.begin_names(settings.blocks.n > 0 ? prefix_of_block(0) : "");
    const int n = n_past(builder);
    builder.begin_names("");
    return n;
}

} // namespace

int build_inputs(ProgramBuilder& builder, const AttentionSettings& settings) {
    const bool is_stacked = settings.blocks.n > 0;
    if (is_stacked) builder.section("Embedding");
    const bool looks_up = !builder.has("inputs") && (builder.has("token_ids") || builder.has("W_embedding"));
    if (builder.has("inputs") && builder.has("token_ids"))
        builder.fail("inputs are given directly, but so are token_ids");
    builder.stage("Embed the tokens", "Every token is a row of numbers, its embedding.");
    int x = looks_up ? embedded(builder) : given_inputs(builder);
    x = truncated(builder, settings, x);
    return positioned(builder, settings, x, n_past_of_first(builder, settings));
}

} // namespace lab
