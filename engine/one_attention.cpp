#include "engine/one_attention.h"

#include <cmath>

#include "engine/attention_mask.h"
#include "engine/count_text.h"
#include "engine/projections.h"
#include "engine/steps/steps.h"

namespace lab {

namespace {

class OneAttention {
  public:
    OneAttention(ProgramBuilder& builder, const AttentionSettings& settings, const Projections& projections, int block)
        : builder_(builder), settings_(settings), queries_(projections.queries), keys_(projections.keys),
          values_(projections.values), n_heads_(settings.n_heads), block_(block), column_(projections.column + 1) {}

    int build(bool joins_heads) {
        const int scores = capped(scaled(scored()));
        const int weights = dropped(rounded(weighted(masked(scores))));
        return output(contexts(weights), joins_heads);
    }

  private:
    Presentation of_scores(Role role, std::string meaning, bool folded = true) const {
        return between_queries_and_keys(role, std::move(meaning), column_, folded);
    }

    int scored() {
        builder_.stage("Score every pair", "The dot product of a query and a key says how well they fit.");
        const ProductForm form{.second_transposed = true,
                               .n_first = queries_.n_beside,
                               .n_second = keys_.n_beside,
                               .has_planes = n_heads_ > 1,
                               .is_of_scores = true};
        return builder_.step("attention_scores", matrix_product(form), {queries_.node, keys_.node},
                             of_scores(Role::scores, "how well the query of {row} fits the key of {col}", false));
    }

    int scaled(int scores) {
        if (builder_.failed()) return scores;
        const int d_k = builder_.shape(queries_.node).cols / queries_.n_beside;
        const float factor = settings_.scale.value_or(1.0f / std::sqrt(static_cast<float>(d_k)));
        const std::string text =
            settings_.scale ? digits_text(static_cast<double>(factor), 6) : "1/√" + std::to_string(d_k);
        if (factor == 1.0f && settings_.scale)
            builder_.stage("Do not scale", "The scale is 1, so the scores stay as they are.");
        else if (factor == 1.0f)
            builder_.stage("Scale by " + text, "With one dimension that is 1, so the scores stay as they are.");
        else
            builder_.stage("Scale by " + text, "Scaling keeps the scores from growing with the number of dimensions.");
        return builder_.step("scaled_scores", scale(factor, text), {scores},
                             of_scores(Role::scores, "how well the query of {row} fits the key of {col}, scaled"));
    }

    int capped(int scores) {
        if (!settings_.softcap) return scores;
        const std::string cap = digits_text(static_cast<double>(*settings_.softcap), 6);
        builder_.stage("Cap at " + cap, "A score grows no further than to the cap, and bends smoothly before it.");
        return builder_.step("capped_scores", soft_cap(*settings_.softcap), {scores},
                             of_scores(Role::scores, "how well the query of {row} fits the key of {col}, capped"));
    }

    int masked(int scores) {
        if (builder_.failed()) return scores;
        const MaskReads reads{builder_.shape(scores), column_};
        const int mask = build_mask(builder_, settings_, reads);
        if (mask < 0) return scores;
        return builder_.step("masked_scores", add_mask(), {scores, mask},
                             of_scores(Role::scores, "how well the query of {row} fits the key of {col}, if allowed"));
    }

    StepPtr normaliser() const {
        switch (settings_.normalization) {
        case Normalization::softmax: return settings_.sink ? softmax_with_sink() : softmax();
        case Normalization::naive_softmax: return settings_.sink ? naive_softmax_with_sink() : naive_softmax();
        case Normalization::sum: return divide_by_sum();
        case Normalization::sparsemax: return sparsemax();
        case Normalization::top_k_softmax: return top_k_softmax(settings_.top_k.value_or(1), settings_.sink);
        }
        return softmax();
    }

    const char* normaliser_sentence() const {
        switch (settings_.normalization) {
        case Normalization::sum: return "Every row is divided by its sum, so that it adds up to 1.";
        case Normalization::sparsemax:
            return "Sparsemax takes one number off every score of a row, so that what stays above 0 adds up to 1.";
        case Normalization::top_k_softmax:
            return "Softmax over the greatest scores of every row; the others get no weight.";
        default: return "Softmax turns every row of scores into positive weights that add up to 1.";
        }
    }

    int weighted(int scores) {
        builder_.stage("Scores to weights", normaliser_sentence());
        Presentation shown = of_scores(Role::weights, "how much {row} attends to {col}", false);
        shown.non_negative = settings_.normalization != Normalization::sum;
        std::vector<int> operands{scores};
        if (settings_.sink) {
            Presentation as_sink = presentation(Role::bias, Axis::none, Axis::heads, "the score of no key, in {col}");
            as_sink.column = column_;
            operands.push_back(builder_.leaf("sink", "sink is true", as_sink));
        }
        return builder_.step("attention_weights", normaliser(), operands, shown);
    }

    int rounded(int weights) {
        if (!settings_.round_weights) return weights;
        builder_.stage("Round the weights",
                       "Rounded for reading, as one does by hand, so that a row still adds up to 1; the "
                       "context vectors use these.");
        Presentation shown = of_scores(Role::weights, "how much {row} attends to {col}, rounded", false);
        shown.non_negative = settings_.normalization != Normalization::sum;
        return builder_.step("rounded_weights", round_rows(*settings_.round_weights), {weights}, shown);
    }

    // The draws go on from block to block, as those of a model that is seeded once.
    DropoutForm dropout_form(const Shape& weights) const {
        return {settings_.dropout, settings_.dropout_seed, static_cast<std::uint64_t>(block_) * weights.size()};
    }

    int dropped(int weights) {
        if (settings_.dropout == 0 || builder_.failed()) return weights;
        builder_.stage("Drop weights", "Some weights are set to 0 by chance, and the others grow by as much.");
        Presentation shown = of_scores(Role::weights, "how much {row} attends to {col}, after dropout", false);
        shown.non_negative = settings_.normalization != Normalization::sum;
        return builder_.step("dropped_weights", dropout(dropout_form(builder_.shape(weights)), builder_.shape(weights)),
                             {weights}, shown);
    }

    // Contract: while it has at most a million cells.
    bool has_weighted_values(const Shape& weights, const Shape& values) const {
        const bool is_one_head = n_heads_ == 1 && values.planes == 1;
        return is_one_head && Shape::stack(values.rows, weights.rows, values.cols).n_cells() <= kMostShownCells;
    }

    Presentation of_contexts(Role role, Axis cols, std::string meaning) const {
        Presentation shown = presentation(role, Axis::queries, cols, std::move(meaning));
        shown.column = column_;
        return shown;
    }

    void weigh(int weights) {
        if (builder_.failed() || !has_weighted_values(builder_.shape(weights), builder_.shape(values_.node))) return;
        builder_.stage("Weigh the values", "Every key's value is multiplied by the weight that the query gives it.");
        Presentation shown =
            of_contexts(Role::weighted_values, Axis::value_dimensions, "{col} of what {plane} gives to {row}");
        shown.planes = Axis::keys;
        shown.slice_by_query = true;
        shown.folded = true;
        const int node = builder_.step("weighted_values", weigh_values(), {weights, values_.node}, shown);
        if (node >= 0) builder_.node(node).stored = false;
    }

    int contexts(int weights) {
        weigh(weights);
        builder_.stage("Add up: context vectors", "The weighted values of each query add up to its context vector.");
        Presentation shown = of_contexts(Role::context, Axis::value_dimensions, "{col} of what {row} has gathered");
        shown.planes = Axis::heads;
        shown.row_of_query = true;
        return builder_.step("context_vectors",
                             matrix_product({.n_second = values_.n_beside, .has_planes = n_heads_ > 1}),
                             {weights, values_.node}, shown);
    }

    int output(int contexts, bool joins_heads) {
        const bool has_output = builder_.has("W_output") || builder_.has("b_output");
        if (!has_output && !joins_heads) return contexts;
        builder_.stage(has_output ? "Project the outputs" : "Join the heads",
                       has_output ? "The heads' contexts stand side by side, and one more matrix mixes them."
                                  : "The heads' contexts stand side by side.");
        ++column_;
        if (n_heads_ > 1) {
            Presentation shown = of_contexts(Role::context, Axis::value_dimensions, "{col} of what {row} has gathered");
            shown.row_of_query = true;
            contexts = builder_.step("joined_contexts", join_heads(), {contexts}, shown);
        }
        return has_output ? projected_outputs(contexts) : contexts;
    }

    int projected_outputs(int contexts) {
        std::vector<int> operands{contexts};
        Presentation shown = presentation(Role::weight_matrix, Axis::value_dimensions, Axis::model_dimensions,
                                          "how much context {row} adds to output {col}");
        shown.column = column_;
        operands.push_back(builder_.leaf("W_output", "b_output is given", shown));
        if (builder_.has("b_output")) {
            shown = presentation(Role::bias, Axis::none, Axis::model_dimensions, "what is added to output {col}");
            shown.column = column_;
            operands.push_back(builder_.leaf("b_output", "", shown));
        }
        shown = of_contexts(Role::hidden, Axis::model_dimensions, "{col} of the output of {row}");
        shown.row_of_query = true;
        return builder_.step("outputs", matrix_product(), operands, shown);
    }

    ProgramBuilder& builder_;
    const AttentionSettings& settings_;
    ByHead queries_, keys_, values_;
    int n_heads_;
    int block_;
    int column_; // where what is written next stands
};

} // namespace

int build_one_attention(ProgramBuilder& builder, const AttentionSettings& settings, const AttentionReads& reads,
                        bool joins_heads) {
    return OneAttention(builder, settings, build_projections(builder, settings, reads), reads.block).build(joins_heads);
}

} // namespace lab
