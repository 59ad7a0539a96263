#include "app/views/reduction_choice.h"

#include <algorithm>

#include "app/views/matrix_picture.h"
#include "app/widgets/controls.h"

namespace lab {

namespace {

std::string cells_text(const PictureLevel& level) {
    return std::to_string(1 << level.rows) + " × " + std::to_string(1 << level.cols) + " cells";
}

// "33–64"
std::string places_text(int cell, int level, int n_cells) {
    const Range cells = cells_of_texels(Range::at(cell >> level), level, n_cells);
    const std::string first = std::to_string(cells.begin + 1);
    return cells.size() == 1 ? first : first + "–" + std::to_string(cells.end);
}

} // namespace

std::string reduction_name(Reduction reduction) { return reduction == Reduction::maximum ? "greatest" : "mean"; }

std::string reduction_text(Reduction reduction, const PictureLevel& level) {
    return reduction_name(reduction) + " of " + cells_text(level);
}

std::string point_text(const ViewContext& context, const MatrixGeometry& matrix, Cell cell) {
    const PictureLevel level = picture_level(matrix);
    if (level.is_finest()) return {};
    return "this point: the " + reduction_name(context.ui.reduction) + " of rows " +
           places_text(matrix.row_of(cell), level.rows, matrix.extent.n_rows) + " × columns " +
           places_text(cell.col, level.cols, matrix.extent.n_cols);
}

void choose_reduction(ViewContext& context, Reduction reduction) {
    context.ui.reduction = reduction;
    context.platform.store_preference("reduction", reduction == Reduction::mean ? "mean" : "maximum");
}

std::string reduction_said(const ViewContext& context) {
    const std::vector<PictureLevel> levels = context.ui.pictures.levels_drawn();
    if (levels.empty()) return {};
    return reduction_name(context.ui.reduction) + " of " + (levels.size() > 1 ? "up to " : "") +
           cells_text(levels.back());
}

float draw_reduction_choice(ViewContext& context, ImVec2 end) {
    const std::string text = reduction_said(context);
    if (text.empty()) return 0;
    const bool is_maximum = context.ui.reduction == Reduction::maximum;
    const TextButton button{.id = "reduction",
                            .text = text,
                            .baseline = end,
                            .align = Align::right,
                            .tip = {.title = "What each point shows of the cells that it stands for",
                                    .sentence = is_maximum ? "Click for their mean." : "Click for the greatest."}};
    if (text_button(context.theme, button))
        choose_reduction(context, is_maximum ? Reduction::mean : Reduction::maximum);
    return text_width(plain_text(context.theme, type_size::kControl, context.theme.palette.dim), text);
}

} // namespace lab
