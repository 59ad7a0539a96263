#include "engine/model.h"
#include "engine/model_parts.h"
#include "engine/one_attention.h"
#include "engine/projections.h"
#include "engine/steps/steps.h"
#include "engine/tensor_name.h"

namespace lab {

namespace {

// One block after the other, each in two halves: attention and MLP.
class BlockBuilder {
  public:
    BlockBuilder(ProgramBuilder& builder, const AttentionSettings& settings) : builder_(builder), settings_(settings) {}

    int build(int x, int index) {
        const std::string name = "Block " + std::to_string(index);
        builder_.begin_names(prefix_of_block(index));
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
        return build_norm(builder_, settings_, {name, column}, x);
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

int n_past_of(ProgramBuilder& builder, int block) {
    builder.begin_names(prefix_of_block(block));
    const int n = n_past(builder);
    builder.begin_names("");
    return n;
}

// Places are those of the first block's past, so that all have to be as long.
void check_pasts(ProgramBuilder& builder, int n_blocks) {
    for (int block = 1; block < n_blocks; ++block) {
        const int first = n_past_of(builder, 0), own = n_past_of(builder, block);
        if (first == own) continue;
        return builder.fail(prefix_of_block(0) + "past_keys has " + std::to_string(first) + " rows but " +
                            prefix_of_block(block) + "past_keys has " + std::to_string(own));
    }
}

} // namespace

int build_blocks(ProgramBuilder& builder, const AttentionSettings& settings, int x) {
    check_pasts(builder, settings.blocks.n);
    BlockBuilder blocks(builder, settings);
    for (int index = 0; index < settings.blocks.n && !builder.failed(); ++index) x = blocks.build(x, index);
    return x;
}

} // namespace lab
