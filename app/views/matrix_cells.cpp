#include "app/views/matrix_cells.h"

#include <algorithm>
#include <cmath>

#include "app/session/trace_text.h"
#include "app/views/cell_numbers.h"
#include "app/views/matrix_masked.h"
#include "app/views/matrix_metrics.h"
#include "app/views/matrix_picture.h"
#include "app/widgets/cell_colors.h"
#include "app/widgets/rounded.h"
#include "app/widgets/text.h"
#include "engine/derivation.h"

namespace lab {

namespace {

constexpr ImVec2 kUsualPitch = matrix_metrics::kPitch; // at which numbers have the size kCell
constexpr float kLeastNumber = 8.5f;                   // smaller numbers are not drawn
constexpr float kGreatestNumber = 22;
constexpr float kOfHeight = 0.62f;            // of a cell, that the smallest numbers take
constexpr float kLeastCell = 9;               // of smaller cells a picture is drawn
constexpr std::size_t kMostDrawnCells = 4000; // of more, too
constexpr std::size_t kMostRoundedCells = 1200;
constexpr const char* kANumber = "…"; // in place of one that has no room

float size_of_long(float size) { return std::max(kOfLong * size, kLeastNumber); }

FigureRoom figures_of(const MatrixFrame& frame, float size) {
    constexpr float kBeside = 4, kBesideLong = 5; // what keeps numbers apart
    const auto n_figures = [&](float of_size, float beside) {
        const float figure = text_width({frame.context.theme.fonts.numbers, of_size, {}, Align::left}, "0");
        return static_cast<int>((frame.view.pitch.x - beside) / figure);
    };
    return {n_figures(size, kBeside), size >= type_size::kCell, n_figures(size_of_long(size), kBesideLong)};
}

// One large number does not take the others' decimals away, nor does it cover them: where it has no room it has fewer decimals, or
// an exponent, or in the end there stands a sign for "a number".
std::string fitting_number(float value, NumberForm form, float max_width, const TextStyle& style) {
    std::string text = cell_number(value, form);
    const auto fits = [&] { return text_width(style, text) <= max_width; };
    for (int decimals = form.decimals - 1; decimals >= 0 && !fits(); --decimals)
        text = cell_number(value, {decimals, form.has_zero});
    for (const auto shorter : {short_exponent_text, whole_exponent_text}) {
        if (!fits() && std::isfinite(value)) text = shorter(value);
    }
    return fits() ? text : kANumber;
}

// Of a cell that the view's edge cuts a number is whole or not there: with fewer figures it would be another one.
std::string whole_or_sign(const std::string& number, float max_width, const TextStyle& style) {
    for (const std::string& text : {number, std::string(kANumber)}) {
        if (text_width(style, text) <= max_width) return text;
    }
    return {};
}

// The magnitude from which on a number has another colour than 0.
float least_seen(const ColorScale& scale) {
    constexpr float kSeen = 0.03f; // of the way from 0 to an end
    const float zero = static_cast<float>(scale.zero());
    return std::fabs(scale.value_at(zero + kSeen * (1 - zero)));
}

// Where a number stands: in the middle of its cell, or of what the edges of the view leave of that; not beyond the cell.
struct NumberPlace {
    ImVec2 baseline; // its middle
    float width = 0; // that it may take
};
NumberPlace number_place(const Rect& cell, const Rect& seen, float size) {
    const Rect part = cell.intersection(seen);
    return {{part.center().x, middle_of_row(cell, seen, size) + size * 0.35f}, part.width() - 2};
}

// How a matrix's numbers are written, and how large; size 0: they have no room.
struct WrittenNumbers {
    NumberForm form = 0;
    float size = 0;
};
WrittenNumbers written_numbers(const MatrixFrame& frame, const std::vector<float>& cells, const ColorScale& scale) {
    if (const float size = number_size(frame.view); size > 0) {
        const NumberForm form = form_that_fits(cells, figures_of(frame, size), least_seen(scale));
        return {form, form.is_long() ? size_of_long(size) : size};
    }
    if (kOfHeight * frame.view.pitch.y < kLeastNumber) return {};
    const std::optional<NumberForm> form = short_form_that_fits(cells, figures_of(frame, kLeastNumber).n_figures);
    return form ? WrittenNumbers{*form, kLeastNumber} : WrittenNumbers{};
}

void draw_numbered_cells(const MatrixFrame& frame, ImDrawList& draw_list, Range rows, Range cols) {
    const Palette& palette = frame.context.theme.palette;
    const std::vector<float> cells = frame.read(rows, cols);
    const ColorScale scale = frame.scale();
    const auto [form, size] = written_numbers(frame, cells, scale);
    const float rounding = cells.size() <= kMostRoundedCells ? std::min(3.0f, 0.12f * frame.view.pitch.y) : 0;
    TextStyle style{frame.context.theme.fonts.numbers, size, {}, Align::center};
    const Rect seen = seen_cells(frame, clip_of(draw_list));
    std::size_t i = 0;
    for (int row = rows.begin; row < rows.end; ++row) {
        for (int col = cols.begin; col < cols.end; ++col, ++i) {
            const Rect rect = frame.cell_rect(row, col);
            if (is_masked_key(frame, cells[i])) {
                draw_masked_cell(frame, draw_list, rect);
                continue;
            }
            const Color fill = cell_color(cells[i], scale, palette);
            fill_rounded(draw_list, rect, fill.u32(), rounding);
            if (size == 0) continue;
            const NumberPlace place = number_place(rect, seen, size);
            const std::string number = fitting_number(cells[i], form, rect.width() - 2, style);
            style.color = ink_of_number(number, fill, scale, palette);
            draw_text(draw_list, style, place.baseline,
                      place.width < rect.width() - 2 ? whole_or_sign(number, place.width, style) : number);
        }
    }
}

} // namespace

float number_size(const MatrixView& view) {
    constexpr float kOfFigure = 0.6f, kBeside = 4;
    const float size = type_size::kCell * std::min(view.pitch.x / kUsualPitch.x, view.pitch.y / kUsualPitch.y);
    // The scores' cells are a little narrower in the design and carry the same figures.
    const float lenient = view.pitch.x < kUsualPitch.x ? size * 1.1f : size;
    if (lenient >= kLeastNumber) return std::min(lenient, kGreatestNumber);
    // The smallest stay as long as four figures, "0.08", have room in the cell.
    const float within = std::min(kOfHeight * view.pitch.y, (view.pitch.x - kBeside) / (4 * kOfFigure));
    return within < kLeastNumber ? 0 : kLeastNumber;
}

Color ink_of_number(const std::string& number, Color fill, const ColorScale& scale, const Palette& palette) {
    if (!takes_either_ink(fill)) return ink_on(fill);
    const std::optional<float> said = number_said(number);
    return said ? ink_on(cell_color(*said, scale, palette)) : ink_on(fill);
}

Rect clip_of(const ImDrawList& draw_list) {
    const ImVec2 min = draw_list.GetClipRectMin(), max = draw_list.GetClipRectMax();
    return {min.x, min.y, max.x, max.y};
}

Rect seen_cells(const MatrixFrame& frame, const Rect& clip) {
    Rect seen = frame.edges.cells.intersection(clip);
    if (frame.edges.below.height() > 0) seen.bottom = std::min(seen.bottom, frame.edges.below.top);
    return seen;
}

float middle_of_row(const Rect& cell, const Rect& seen, float size) {
    if (cell.height() <= size) return cell.center().y;
    return std::clamp(cell.intersection(seen).center().y, cell.top + size / 2, cell.bottom - size / 2);
}

bool is_picture(const MatrixGeometry& matrix, const Rect& clip) {
    const Range rows = matrix.visible_rows(clip), cols = matrix.visible_cols(clip);
    const std::size_t n = static_cast<std::size_t>(rows.size()) * static_cast<std::size_t>(cols.size());
    return std::min(matrix.view.pitch.x, matrix.view.pitch.y) < kLeastCell || n > kMostDrawnCells;
}

void draw_cells(const MatrixFrame& frame, ImDrawList& draw_list) {
    const Rect clip = clip_of(draw_list);
    const Range rows = frame.visible_rows(clip), cols = frame.visible_cols(clip);
    if (rows.empty() || cols.empty()) return;
    if (is_picture(frame, clip))
        draw_picture(frame, draw_list);
    else
        draw_numbered_cells(frame, draw_list, rows, cols);
    draw_rows_without_keys(frame, draw_list);
}

} // namespace lab
