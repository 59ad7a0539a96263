#include "engine/model.h"

#include "engine/one_attention.h"
#include "engine/steps/steps.h"

namespace lab {

namespace {

Presentation of_rows(Role role, Axis cols, std::string meaning, int column) {
    Presentation shown = presentation(role, Axis::queries, cols, std::move(meaning));
    shown.column = column;
    shown.row_of_query = true;
    return shown;
}

Presentation of_parameter(Role role, Axis rows, Axis cols, std::string meaning, int column) {
    Presentation shown = presentation(role, rows, cols, std::move(meaning));
    shown.column = column;
    return shown;
}

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
    builder.stage("Cut to the context length", "Only the first tokens are used.");
    return builder.step(
        "truncated_inputs", take_rows({0, *settings.context_length}), {x},
        presentation(Role::embedding, Axis::queries, Axis::input_dimensions, "{col} of the embedding of {row}"));
}

int positioned(ProgramBuilder& builder, const AttentionSettings& settings, int x) {
    const bool is_learned = settings.position == Position::learned;
    if ((!is_learned && settings.position != Position::sinusoidal) || builder.failed()) return x;
    builder.stage("Add positions", "A row for every place is added to the embeddings, so that order can be seen.");
    const std::string first_past = builder.has("past_keys") ? "past_keys" : "blocks.0.past_keys";
    const int n_past = builder.has(first_past) ? builder.given_shape(first_past).rows : 0;
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

// One block after the other, each in two halves: attention and MLP.
class BlockBuilder {
  public:
    BlockBuilder(ProgramBuilder& builder, const AttentionSettings& settings) : builder_(builder), settings_(settings) {}

    int build(int x, int index) {
        const std::string name = "Block " + std::to_string(index);
        builder_.begin_names("blocks." + std::to_string(index) + ".");
        builder_.section(settings_.blocks.mlp == Mlp::none ? name : name + ": attention");
        x = half("attention", x, [&](int read) {
            return build_one_attention(builder_, settings_, {read, -1, index}, true);
        });
        if (settings_.blocks.mlp != Mlp::none) {
            builder_.section(name + ": MLP");
            x = half("mlp", x, [&](int read) { return mlp(read); });
        }
        builder_.begin_names("");
        return x;
    }

  private:
    bool is_pre() const { return settings_.blocks.norm_position == NormPosition::pre; }
    bool has_norm() const { return settings_.blocks.norm != Norm::none; }

    // pre: x + compute(norm(x)); post: norm(x + compute(x))
    template <class Compute> int half(const std::string& name, int x, Compute compute) {
        const int read = has_norm() && is_pre() ? norm(name + "_norm", x, 0) : x;
        int y = compute(read);
        if (settings_.blocks.residual) {
            builder_.stage("Add what came in", "What was computed is added to what was read: the residual stream.");
            y = builder_.step(
                name + "_residual", sum(), {x, y},
                of_rows(Role::hidden, Axis::model_dimensions, "{col} of the residual stream of {row}", kLast));
        }
        return has_norm() && !is_pre() ? norm(name + "_norm", y, kLast) : y;
    }

    int norm(const std::string& name, int x, int column) {
        builder_.stage("Normalise the rows",
                       settings_.blocks.norm == Norm::layer_norm
                           ? "Every row gets mean 0 and variance 1, then a gain and a bias."
                           : "Every row is divided by the root of its mean square, then gets a gain.");
        return normed(builder_, settings_, name, x, column);
    }

  public:
    static int normed(ProgramBuilder& builder, const AttentionSettings& settings, const std::string& name, int x,
                      int column) {
        const Blocks& blocks = settings.blocks;
        std::vector<int> operands{x};
        operands.push_back(
            builder.leaf(name + "_gain", "norm is not \"none\"",
                         of_parameter(Role::bias, Axis::none, gain_axis(name), "what {col} is multiplied by", column)));
        if (builder.has(name + "_bias")) {
            operands.push_back(
                builder.leaf(name + "_bias", "",
                             of_parameter(Role::bias, Axis::none, gain_axis(name), "what is added to {col}", column)));
        }
        const StepPtr step =
            blocks.norm == Norm::layer_norm ? layer_norm(blocks.norm_epsilon) : rms_norm(blocks.norm_epsilon);
        return builder.step(
            name, step, operands,
            of_rows(Role::hidden, Axis::model_dimensions, "{col} of the normalised row of {row}", column));
    }

  private:
    static Axis gain_axis(const std::string& name) {
        return name == "attention_norm" ? Axis::input_dimensions : Axis::model_dimensions;
    }

    // x · W_name (+ b_name)
    int linear(const std::string& name, int x, const Presentation& result, int column) {
        const bool is_down = name == "down";
        std::vector<int> operands{x};
        operands.push_back(
            builder_.leaf("W_" + name, "mlp is not \"none\"",
                          of_parameter(Role::weight_matrix, is_down ? Axis::hidden_dimensions : Axis::model_dimensions,
                                       is_down ? Axis::model_dimensions : Axis::hidden_dimensions,
                                       "how much {row} adds to {col}", column)));
        if (builder_.has("b_" + name)) {
            operands.push_back(builder_.leaf("b_" + name, "",
                                             of_parameter(Role::bias, Axis::none,
                                                          is_down ? Axis::model_dimensions : Axis::hidden_dimensions,
                                                          "what is added to {col}", column)));
        }
        const std::string computed = is_down ? "mlp_outputs" : "mlp_" + name;
        return builder_.step(computed, matrix_product(), operands, result);
    }

    int mlp(int x) {
        builder_.stage("Think it over: the MLP", "Each row by itself goes through a wider layer that bends, and back.");
        const auto hidden = [&](const char* meaning, int column) {
            return of_rows(Role::hidden, Axis::hidden_dimensions, meaning, column);
        };
        const int up = linear("up", x, hidden("hidden unit {col} of {row}, before it bends", 2), 1);
        int activations = -1;
        if (settings_.blocks.mlp == Mlp::silu_gated) {
            const int gate = linear("gate", x, hidden("how far the gate of {col} is open for {row}", 2), 1);
            Presentation shown = hidden("the gate of {col} for {row}, bent", 2);
            shown.folded = true;
            const int bent = builder_.step("mlp_bent_gate", activation(Function::silu), {gate}, shown);
            activations =
                builder_.step("mlp_activations", multiply(), {bent, up}, hidden("hidden unit {col} of {row}", 3));
        } else {
            activations =
                builder_.step("mlp_activations", activation(bend()), {up}, hidden("hidden unit {col} of {row}", 3));
        }
        return linear("down", activations,
                      of_rows(Role::hidden, Axis::model_dimensions, "{col} of what the MLP says of {row}", kLast),
                      kLast - 1);
    }

    Function bend() const {
        switch (settings_.blocks.mlp) {
        case Mlp::relu: return Function::relu;
        case Mlp::gelu: return Function::gelu;
        case Mlp::gelu_tanh: return Function::gelu_tanh;
        default: return Function::silu;
        }
    }

    static constexpr int kLast = 5; // column of what a half gives on

    ProgramBuilder& builder_;
    const AttentionSettings& settings_;
};

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
    return positioned(builder, settings, x);
}

int build_blocks(ProgramBuilder& builder, const AttentionSettings& settings, int x) {
    BlockBuilder blocks(builder, settings);
    for (int index = 0; index < settings.blocks.n && !builder.failed(); ++index) x = blocks.build(x, index);
    return x;
}

void build_prediction(ProgramBuilder& builder, const AttentionSettings& settings, int x) {
    const Blocks& blocks = settings.blocks;
    const bool has_norm = blocks.final_norm && blocks.norm != Norm::none;
    if (!has_norm && blocks.unembedding == Unembedding::none) return;
    if (blocks.n > 0) builder.section("Prediction");
    if (has_norm) {
        builder.stage("Normalise the rows", "As in the blocks, once more before the prediction.");
        x = BlockBuilder::normed(builder, settings, "final_norm", x, 0);
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
