#include "engine/model.h"
#include "engine/model_parts.h"
#include "engine/steps/steps.h"

namespace lab {

void build_prediction(ProgramBuilder& builder, const AttentionSettings& settings, int x) {
    const Blocks& blocks = settings.blocks;
    const bool has_norm = blocks.final_norm && blocks.norm != Norm::none;
    if (!has_norm && blocks.unembedding == Unembedding::none) return;
    if (blocks.n > 0) builder.section("Prediction");
    if (has_norm) {
        builder.stage("Normalise the rows", "As in the blocks, once more before the prediction.");
        x = build_norm(builder, settings, {"final_norm", 0}, x);
    }
    if (blocks.unembedding == Unembedding::none) return;
    builder.stage("Predict the next token",
                  "Every row is compared with every word; softmax makes probabilities of it.");
    const bool is_tied = blocks.unembedding == Unembedding::tied;
    std::vector<int> operands{x};
    operands.push_back(is_tied
                           ? builder.leaf("W_embedding", "unembedding is \"tied\"",
                                          of_parameter(Role::weight_matrix, Axis::vocabulary, Axis::input_dimensions,
                                                       "{col} of the word {row}", 1))
                           : builder.leaf("W_unembedding", "unembedding is \"own\"",
                                          of_parameter(Role::weight_matrix, Axis::model_dimensions, Axis::vocabulary,
                                                       "how much {row} speaks for the word {col}", 1)));
    if (builder.has("b_unembedding")) {
        operands.push_back(builder.leaf(
            "b_unembedding", "",
            of_parameter(Role::bias, Axis::none, Axis::vocabulary, "what is added for the word {col}", 1)));
    }
    const auto shown = [](const char* meaning, int column) {
        return of_rows(Role::hidden, Axis::vocabulary, meaning, column);
    };
    const int logits = builder.step("logits", matrix_product({.second_transposed = is_tied}), operands,
                                    shown("how much {row} speaks for the word {col}", 2));
    Presentation log_shown = shown("the log-probability of {col} after {row}", 3);
    log_shown.folded = true;
    builder.step("log_probabilities", log_softmax(), {logits}, log_shown);
    Presentation probabilities = shown("the probability of {col} after {row}", 3);
    probabilities.non_negative = true;
    builder.step("next_token_probabilities", softmax(), {logits}, probabilities);
}

} // namespace lab
