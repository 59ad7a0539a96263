#include "app/views/canvas_measuring.h"

#include <algorithm>

#include "app/views/legend_line.h"
#include "app/views/matrix_masked.h"
#include "app/views/matrix_metrics.h"
#include "app/views/matrix_picture.h"

namespace lab {

namespace {

using namespace matrix_metrics;

constexpr float kFoldedWidth = 124, kFoldedHeight = 20;

} // namespace

PlacedNode measured(const LayoutItem& item, ImVec2 pitch, bool is_compact, SeenAt seen) {
    PlacedNode result;
    result.node = item.node;
    result.is_guest = item.is_guest;
    if (item.is_folded) {
        result.is_folded = true;
        result.cells = {0, 0, kFoldedWidth, kFoldedHeight};
        return result;
    }
    result.pitch = pitch;
    const ImVec2 size{pitch.x * static_cast<float>(item.n_cols), pitch.y * static_cast<float>(item.n_rows)};
    result.cells = Rect::at({0, 0}, size);
    result.has_col_labels = item.role == Role::embedding || item.is_between_tokens || item.has_word_columns;
    result.has_legend = item.wants_legend && !item.is_guest;
    result.is_compact = is_compact;
    const ImVec2 wider = beyond_sides(size, 1);
    result.room.left = wider.x;
    result.room.above = wider.y + (is_compact ? kCompactTitle : kTitle) + (result.has_col_labels ? kColumnLabels : 0);
    result.room.below = wider.y + (!result.has_legend ? 0 : is_compact ? kCompactLegend : kLegend);
    const float title = is_compact ? item.compact_title_width : item.title_width;
    const float legend = result.has_legend ? legend_area(result.cells, 1, is_compact).width() : 0;
    const MatrixExtent extent{item.n_rows, item.n_cols};
    const ImVec2 drawn{seen.zoom * (size.x + 2 * wider.x) / static_cast<float>(item.n_cols),
                       seen.zoom * (size.y + 2 * wider.y) / static_cast<float>(item.n_rows)};
    // Words behind the legend's numbers, each with its gap no wider than these; of a narrow matrix they stand below.
    int n_words = shows_several_cells(drawn, extent, seen.texel) ? 1 : 0;
    if (item.has_masked_keys && shows_masked_alike(drawn)) ++n_words;
    const bool has_line_more = n_words > 0 && size.x < static_cast<float>(1 + n_words) * legend;
    if (result.has_legend && has_line_more) result.room.below += kLegendSubject;
    result.room.right = std::max(wider.x, std::max(title, legend) - size.x - wider.x);
    return result;
}

void add_row_labels(PlacedNode& placed, const LayoutRequest& request) {
    placed.has_row_labels = true;
    placed.room.left += request.row_label_width + kRowLabelGap;
}

ImVec2 not_too_thin(ImVec2 pitch, const LayoutItem& item) {
    constexpr float kBetweenTokens = 2.2f, kOthers = 5, kWeights = 1.1f;
    const auto [fewer, more] = std::minmax(item.n_rows, item.n_cols);
    const float as_long = static_cast<float>(more) / static_cast<float>(2 * fewer);
    const bool are_weights = is_picture_of_weights(item.role, {item.n_rows, item.n_cols});
    const float longish = item.is_between_tokens ? kBetweenTokens
                          : are_weights          ? std::clamp(as_long, kWeights, kOthers)
                                                 : kOthers;
    return {std::min(pitch.x, longish * pitch.y), std::min(pitch.y, longish * pitch.x)};
}

Rect bounds_of(const std::vector<PlacedNode>& placed) {
    Rect all;
    for (const PlacedNode& each : placed) {
        const Rect whole = each.around();
        all = &each == placed.data() ? whole : all.joined(whole);
    }
    return all;
}

} // namespace lab
