#include "app/views/reduction_choice.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/session/trace_text.h"
#include "app/views/matrix_picture.h"
#include "app/widgets/controls.h"
#include "engine/count_text.h"

namespace lab {

namespace {

std::string cells_text(int n_rows, int n_cols) { return grouped(n_rows) + " × " + grouped(n_cols) + " cells"; }

// "rows 1,033–1,064", "row 3"
std::string places_text(const std::string& line, Range cells) {
    const std::string first = grouped(cells.begin + 1);
    return cells.size() == 1 ? line + " " + first : line + "s " + first + "–" + grouped(cells.end);
}

const char* choice_name(Reduction choice) { return choice == Reduction::mean ? "mean" : "extremes"; }

} // namespace

Reduction reduction_of(const ViewContext& context, const Node& node) {
    if (context.ui.reduction == Reduction::mean) return Reduction::mean;
    const Role role = node.presentation.role;
    const bool grows_with_weights = (role == Role::scores || role == Role::mask) && !node.is_of_gradient();
    return node.presentation.non_negative || grows_with_weights ? Reduction::maximum : Reduction::magnitude;
}

std::string reduction_name(Reduction reduction) {
    switch (reduction) {
    case Reduction::maximum: return "greatest";
    case Reduction::magnitude: return "strongest";
    case Reduction::mean: return "mean";
    }
    return {};
}

std::string cells_text(const PictureLevel& level) { return cells_text(1 << level.rows, 1 << level.cols); }

std::optional<Point> point_of(const ViewContext& context, const MatrixGeometry& matrix, Cell cell) {
    const PictureLevel level = picture_level(matrix);
    if (level.is_finest()) return std::nullopt;
    const Reduction reduction = reduction_of(context, matrix.node);
    const Range rows = cells_of_texels(Range::at(matrix.row_of(cell) >> level.rows), level.rows, matrix.extent.n_rows);
    const Range cols = cells_of_texels(Range::at(cell.col >> level.cols), level.cols, matrix.extent.n_cols);
    Point point{{}, cell, places_text("row", rows) + " × " + places_text("column", cols), {}};
    point.what = reduction_name(reduction) + " of the " + cells_text(rows.size(), cols.size()) + " here";
    if (context.lab.is_computing()) return point;
    const std::vector<float> cells = matrix.read_cells(context.lab.trace(), rows, cols);
    Reducer reducer(reduction);
    reducer.add(cells.data(), static_cast<int>(cells.size()));
    const float value = reducer.result();
    point.value = value;
    const auto found = std::find_if(cells.begin(), cells.end(),
                                    [&](float x) { return x == value || (std::isnan(x) && std::isnan(value)); });
    if (reduction != Reduction::mean && found != cells.end()) {
        const int place = static_cast<int>(found - cells.begin());
        point.cell = matrix.to_cell(rows.begin + place / cols.size(), cols.begin + place % cols.size());
    }
    if (std::isinf(value)) point.value = context.lab.trace().at(matrix.index, point.cell); // of a masked weight it is 0
    return point;
}

void choose_reduction(ViewContext& context, Reduction reduction) {
    context.ui.reduction = reduction;
    context.platform.store_preference("reduction", reduction == Reduction::mean ? "mean" : "maximum");
}

std::string reduction_said(const ViewContext& context) {
    const std::vector<PictureLevel> levels = context.ui.pictures.levels_drawn();
    if (levels.empty()) return {};
    PictureLevel most = levels.back(); // a narrow matrix stands for more rows than columns
    for (const PictureLevel& level : levels) most = {std::max(most.rows, level.rows), std::max(most.cols, level.cols)};
    return std::string(context.ui.pictures.shows_estimates() ? "estimated " : "") + choice_name(context.ui.reduction) +
           " of " + (levels.size() > 1 ? "up to " : "") + cells_text(most);
}

void draw_reduction_choice(ViewContext& context, ImVec2 end, const std::string& said) {
    const bool is_mean = context.ui.reduction == Reduction::mean;
    const TextButton button{.id = "reduction",
                            .text = said,
                            .baseline = end,
                            .align = Align::right,
                            .tip = {.title = "What each point shows of the cells that it stands for",
                                    .sentence = is_mean ? "Click for the greatest, or of signed numbers the one "
                                                          "farthest from 0: the strongest."
                                                        : "The greatest; of signed numbers the one farthest from 0, "
                                                          "the strongest. Click for their mean."}};
    if (text_button(context.theme, button)) choose_reduction(context, is_mean ? Reduction::maximum : Reduction::mean);
}

} // namespace lab
