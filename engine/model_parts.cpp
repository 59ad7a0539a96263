#include "engine/model_parts.h"

#include "engine/steps/steps.h"

namespace lab {

namespace {

Axis gain_axis(const std::string& name) {
    return name == "attention_norm" ? Axis::input_dimensions : Axis::model_dimensions;
}

} // namespace

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

int build_norm(ProgramBuilder& builder, const AttentionSettings& settings, const NormPlace& place, int x) {
    const auto& [name, column] = place;
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
    return builder.step(name, step, operands,
                        of_rows(Role::hidden, Axis::model_dimensions, "{col} of the normalised row of {row}", column));
}

} // namespace lab
