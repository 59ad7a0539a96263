#include <algorithm>

#include "app/session/labels.h"
#include "app/session/narration.h"
#include "app/session/query_rows.h"
#include "app/views/cell_drag.h"
#include "app/views/cell_editor.h"
#include "app/views/explanation_widgets.h"
#include "app/views/mask_painting.h"
#include "app/views/matrix_cells.h"
#include "app/views/matrix_labels.h"
#include "app/views/matrix_metrics.h"
#include "app/views/query_choice.h"
#include "app/views/reduction_choice.h"
#include "app/widgets/controls.h"
#include "app/widgets/text.h"

namespace lab {

namespace {

constexpr const char* kReadHint = "double-click or Z to read it";

// A number that can be dragged is chosen once it is clear what the press was to be.
void press(ViewContext& context, const TensorCell& here, bool is_leaf, ImVec2 mouse) {
    if (context.ui.editor && context.ui.editor->where == here) return;
    if (context.ui.editor && !commit_cell_editor(context)) return;
    if (is_leaf && context.selection.is_pinned(here) && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left))
        return open_cell_editor(context, here);
    if (is_leaf) begin_cell_drag(context, here, mouse);
    if (!context.ui.drag) context.selection.visit(here, context.lab.program());
}

// What is told is what is pressed, also where it was zoomed into and the mouse lies beside it.
void press_held(ViewContext& context, ImVec2 mouse) {
    const HeldCell held = *context.ui.held;
    tell_of_cell(context, held.where);
    if (held.was_dragged) return;
    const bool is_leaf = is_given(context, held.where);
    if (!(is_leaf ? ImGui::IsMouseClicked(ImGuiMouseButton_Left) : ImGui::IsMouseReleased(ImGuiMouseButton_Left)))
        return;
    if (is_leaf) context.ui.held.reset(); // it is dragged from now on, or clicked
    press(context, held.where, is_leaf, mouse);
}

bool is_mean_of(const ViewContext& context, const MatrixGeometry& matrix, const std::optional<Point>& point) {
    return point && reduction_of(context, matrix.node) == Reduction::mean;
}

// Of many cells that share a point: the one that is told or, where that is their mean, the one that is pointed at.
std::string drag_hint(const ViewContext& context, const MatrixGeometry& matrix, Cell cell,
                      const std::optional<Point>& point) {
    const bool is_told = !is_mean_of(context, matrix, point);
    const std::string which = is_told ? "this number" : cell_text(context.lab.document(), matrix.node, cell);
    return " · a drag changes " + which + " alone";
}

// What stands in the status bar of one cell, or of all cells of a point.
void say_value(ViewContext& context, const MatrixGeometry& matrix, Cell cell, const std::optional<Point>& point) {
    std::string& status = context.ui.status;
    const Trace& trace = context.lab.trace();
    if (trace.is_missing(matrix.index)) return void(status = matrix.node.name + " is still to be computed");
    if (point && !point->value) return void(status = matrix.node.name + ", " + point->place);
    if (!point && trace.is_pending(matrix.index)) {
        const Explanation& told = explanation_of(context, {matrix.node.name, cell});
        return void(status = cell_text(context.lab.document(), matrix.node, cell) + " = " + told.value);
    }
    const double value = static_cast<double>(point ? *point->value : trace.at(matrix.index, cell));
    const bool is_mean = is_mean_of(context, matrix, point);
    status = (is_mean ? matrix.node.name : cell_text(context.lab.document(), matrix.node, cell)) + " = " +
             number_text(value) + (point ? ", " + point->what : "");
}

void say_what_is_here(ViewContext& context, const MatrixGeometry& matrix, Cell cell,
                      const std::optional<Point>& point = {}) {
    const Node& node = matrix.node;
    say_value(context, matrix, cell, point);
    if (context.ui.editor) return; // its keys are told, wherever the mouse rests
    const std::string row_name = told_label(context.lab.document(), node.presentation.rows, cell.row);
    const auto notice = context.lab.trace().notice(matrix.index, cell.plane, cell.row);
    const bool is_without_keys = notice == Notice::all_keys_masked;
    const bool is_unread = is_read_nearer(matrix.view); // who drags it cannot see what becomes of it
    context.ui.status_hint = is_without_keys ? notice_sentence(*notice, row_name)
                             : is_unread ? kReadHint + (node.is_leaf() ? drag_hint(context, matrix, cell, point) : "")
                             : node.is_leaf() ? "drag to change · Enter to type · Esc to restore"
                             : context.selection.is_pinned({node.name, cell}) ? "kept · Esc lets go of it"
                                                                              : "click to keep it";
    const bool is_slope_of_given = node.is_of_gradient() && context.lab.program().node(node.gradient_of).is_leaf();
    if (is_slope_of_given) context.ui.status_hint += " · D leads back to the number, which can be changed";
    if (point && point->value) context.ui.status_hint += " · " + point->place; // else it was said
}

// Of a word that has no room to be written whole.
void show_whole_word(const ViewContext& context, const std::string& word, const Rect& place, float room) {
    const TextStyle style = plain_text(context.theme, type_size::kLabel, {});
    if (text_width(style, word) <= room) return;
    ImGui::SetCursorScreenPos(place.min());
    ImGui::Dummy(place.size()); // takes no press
    show_tip(context.theme, {.title = word});
}

// What is pointed at, of many cells that share a point the one that its colour shows.
TensorCell hover(ViewContext& context, const MatrixGeometry& matrix, Cell cell, const std::optional<Point>& point) {
    const TensorCell here{matrix.node.name, point ? point->cell : cell};
    context.selection.hovered = here;
    if (!is_read_nearer(matrix.view)) context.ui.typing_target = here;
    say_what_is_here(context, matrix, here.cell, point);
    return here;
}

// Whether the mouse went to the words, or title, that it lies on: else they came to stand under it at the view's edge, by zooming in.
bool means_words(ViewContext& context, ImVec2 mouse) {
    const ImGuiIO& io = ImGui::GetIO();
    std::optional<ImVec2>& meant = context.ui.words_meant;
    if (io.MouseDelta.x != 0 || io.MouseDelta.y != 0) meant = mouse;
    if (io.MouseWheel != 0) meant.reset();
    return meant && meant->x == mouse.x && meant->y == mouse.y;
}

// Whether words, or a title, have come to stand at the view's edge: `their` and `view` are their and its beginning.
bool are_at_edge(const MatrixEdges& edges, float their, float view) {
    return (edges.is_tall || edges.is_wide) && their < view + 2 * matrix_metrics::kAtEdge;
}

// The first number beside words at the view's edge, or below them, of which most is seen: the one that was zoomed into stands there.
bool point_at_edge(ViewContext& context, const MatrixGeometry& matrix, ImVec2 place) {
    const std::optional<Cell> cell = cell_at(context, matrix.view, place);
    if (cell) hover(context, matrix, *cell, point_of(context, matrix, *cell));
    return cell.has_value();
}

// The words beside the rows choose the query, where they are those of queries.
bool handle_row_labels(ViewContext& context, const MatrixGeometry& matrix, const MatrixEdges& edges, ImVec2 mouse) {
    const MatrixView& view = matrix.view;
    if (!view.has_row_labels) return false;
    const Rect clip = clip_of(*ImGui::GetWindowDrawList());
    const Rect& cells = edges.cells;
    const Rect words{cells.left - words_width(view), cells.top, cells.left, cells.bottom};
    if (!words.contains(mouse)) return false;
    const int row = std::min(static_cast<int>((mouse.y - view.origin.y) / view.pitch.y), matrix.extent.n_rows - 1);
    const float top = matrix.cell_rect(row, 0).top;
    const float first = std::min(cells.left + view.pitch.x / 2, cells.right - 1);
    const bool tells_number = are_at_edge(edges, edges.beside.left, clip.left) && !means_words(context, mouse) &&
                              point_at_edge(context, matrix, {first, mouse.y});
    const std::string word = axis_label(context.lab.document(), row_axis(matrix.node), row);
    if (!tells_number) context.ui.status = told_label(context.lab.document(), row_axis(matrix.node), row);
    show_whole_word(context, word, {words.left, top, words.right, top + view.pitch.y},
                    row_word_room(view, edges, clip) / view.text_scale);
    if (!words_choose_query(matrix.node)) return tells_number;
    const std::optional<int> query = query_of_row(context.lab.document(), matrix.node, row);
    if (!query) return tells_number;
    context.ui.status_hint = "click to choose this query";
    if (was_clicked(words)) choose_query(context, *query);
    return true;
}

// True where a number below them is told.
bool handle_col_labels(ViewContext& context, const MatrixGeometry& matrix, const MatrixEdges& edges, ImVec2 mouse) {
    const MatrixView& view = matrix.view;
    const Axis axis = matrix.node.presentation.cols;
    const Rect clip = clip_of(*ImGui::GetWindowDrawList());
    const Rect& cells = edges.cells;
    const Rect above{cells.left, edges.above.top, cells.right, cells.top};
    if (are_at_edge(edges, edges.above.top, clip.top) && above.contains(mouse) && !means_words(context, mouse)) {
        const float first = std::min(cells.top + view.pitch.y / 2, cells.bottom - 1);
        return point_at_edge(context, matrix, {mouse.x, first});
    }
    const Rect words{cells.left, cells.top - 1.5f * matrix_metrics::kColumnLabels * view.text_scale, cells.right,
                     cells.top};
    if (!view.has_col_labels || !are_words(axis) || !words.contains(mouse)) return false;
    const int col = std::min(static_cast<int>((mouse.x - view.origin.x) / view.pitch.x), matrix.extent.n_cols - 1);
    const float left = matrix.cell_rect(0, col).left;
    const std::string word = axis_label(context.lab.document(), axis, col);
    context.ui.status = told_label(context.lab.document(), axis, col);
    show_whole_word(context, word, {left, words.top, left + view.pitch.x, words.bottom},
                    view.pitch.x / view.text_scale - matrix_metrics::kColumnsApart);
    return false;
}

} // namespace

bool is_read_nearer(const MatrixView& view) { return view.sticks && number_size(view) == 0; }

std::optional<Cell> cell_at(const ViewContext& context, const MatrixView& view, ImVec2 point) {
    const MatrixGeometry matrix = matrix_geometry(context, view);
    if (view.combined != nullptr || !matrix.cells().contains(point)) return std::nullopt;
    const int row = std::min(static_cast<int>((point.y - view.origin.y) / view.pitch.y), matrix.extent.n_rows - 1);
    const int col = std::min(static_cast<int>((point.x - view.origin.x) / view.pitch.x), matrix.extent.n_cols - 1);
    return matrix.to_cell(row, col);
}

void tell_of_cell(ViewContext& context, const TensorCell& where) {
    context.selection.hovered = context.ui.typing_target = where;
    const MatrixView view{.node = context.lab.program().find(where.tensor), .pitch = matrix_metrics::kPitch};
    say_what_is_here(context, matrix_geometry(context, view), where.cell);
}

bool handle_matrix_mouse(ViewContext& context, const MatrixView& view, ImVec2 mouse) {
    if (context.ui.drag) return false;
    if (context.ui.held) {
        press_held(context, mouse);
        return true;
    }
    const MatrixGeometry matrix = matrix_geometry(context, view);
    const MatrixEdges edges = matrix_edges(matrix, clip_of(*ImGui::GetWindowDrawList()));
    if (handle_row_labels(context, matrix, edges, mouse) || handle_col_labels(context, matrix, edges, mouse))
        return true;
    const std::optional<Cell> cell = cell_at(context, view, mouse);
    const Rect& cells = edges.cells;
    if (!cell || !cells.contains(mouse) || edges.below.contains(mouse)) return false;
    const bool is_leaf = matrix.node.is_leaf();
    const std::optional<Point> point = context.ui.paints_mask
                                           ? std::nullopt
                                           : point_of(context, matrix, *cell); // what is painted lies under the pointer
    const TensorCell here = hover(context, matrix, *cell, point);
    if (paint_mask(context, matrix, *cell)) return true;
    if (is_read_nearer(view) && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left))
        context.ui.zooms_to_numbers = true;
    else if (is_leaf ? ImGui::IsMouseClicked(ImGuiMouseButton_Left) : was_clicked(cells)) // else the canvas is moved
        press(context, here, is_leaf, mouse);
    return true;
}

} // namespace lab
