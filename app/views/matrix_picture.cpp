#include "app/views/matrix_picture.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/session/trace_text.h"
#include "app/views/reduction_choice.h"
#include "app/widgets/cell_colors.h"
#include "app/widgets/pixels.h"

namespace lab {

namespace {

using Place = TiledPicture::Place;

// Where points stand for several cells, of signed numbers the greatest are above 0 nearly everywhere, of many weights far above an
// equal share, and means are near to it.
bool spans_points(const MatrixFrame& frame) {
    const Reduction reduction = reduction_of(frame.context, frame.node);
    const bool is_far = !frame.node.presentation.non_negative || has_many_weights(frame.node);
    const bool is_far_greatest = reduction == Reduction::maximum && is_far;
    return !picture_level(frame).is_finest() && (reduction == Reduction::mean || is_far_greatest);
}

TexelSource source_of(const MatrixFrame& frame) {
    TexelSource source{&frame.context.lab.trace(), frame.index, frame.plane};
    if (frame.node.presentation.slice_by_query) source.query = frame.query;
    if (frame.view.combined != nullptr) source.combined = *frame.view.combined;
    source.n_rows = frame.extent.n_rows;
    source.n_cols = frame.extent.n_cols;
    source.has_colors_of_points = spans_points(frame);
    return source;
}

TiledPicture::Content content_of(const MatrixFrame& frame) {
    TiledPicture::Content content;
    content.opening = frame.context.lab.opening();
    if (frame.node.presentation.slice_by_query) content.query = frame.query;
    if (frame.view.combined != nullptr) {
        content.heads = frame.view.combined->heads;
        content.is_maximum = frame.view.combined->is_maximum;
    }
    content.n_rows = frame.extent.n_rows;
    content.n_cols = frame.extent.n_cols;
    content.reduction = reduction_of(frame.context, frame.node);
    return content;
}

void change_cells(TiledPicture& picture, const MatrixFrame& frame, const Region& cells) {
    for (const Block& block : cells.blocks()) {
        const bool is_combined = frame.view.combined != nullptr;
        picture.change(is_combined ? block.rows : frame.rows_of(block), block.cols);
    }
}

// Cells that an edit has reached since the picture was drawn last; of weights also where the mask is another.
void follow_edits(TiledPicture& picture, const MatrixFrame& frame) {
    const Lab& lab = frame.context.lab;
    const int seen = std::exchange(picture.seen_update, lab.n_updates());
    if (seen == picture.seen_update) return;
    // Still as it was, but what it will be can be estimated.
    if (source_of(frame).is_read_ahead(picture.level) && lab.trace().can_read_ahead(frame.index))
        return picture.change_all();
    const int scores = scores_behind(lab.program(), frame.index);
    for (const int node : {frame.index, scores}) {
        if (node < 0) continue;
        const std::optional<Region> changed = lab.changes_since(seen, lab.program().node(node).name);
        if (!changed) return picture.change_all();
        change_cells(picture, frame, *changed);
    }
}

// Tiles of a level that are seen.
struct TileRange {
    Range rows, cols;
};
TileRange visible_tiles(const MatrixFrame& frame, const Rect& clip, PictureLevel level) {
    const auto tiles = [](Range cells, int level_along) {
        const int side = PictureTile::kSide << level_along;
        return Range{cells.begin / side, (cells.end + side - 1) / side};
    };
    return {tiles(frame.visible_rows(clip), level.rows), tiles(frame.visible_cols(clip), level.cols)};
}

bool is_seen(const Place& place, const TileRange& seen) {
    return seen.rows.contains(place.row) && seen.cols.contains(place.col);
}

// Where a tile stands: what hangs over the matrix' edges is cut off.
struct TilePlace {
    Rect rect;
    ImVec2 end; // of the texture
};
TilePlace place_of(const MatrixFrame& frame, const Place& place, const PictureTile& tile) {
    const auto along = [&](float origin, float pitch, int first, std::array<int, 3> n) {
        const auto [n_texels, n_cells, level] = n;
        const int begin = (first * PictureTile::kSide) << level, whole = n_texels << level;
        const int shown = std::min(whole, n_cells - begin);
        const double low = static_cast<double>(origin) + static_cast<double>(pitch) * begin;
        return std::array{static_cast<float>(low), static_cast<float>(low + static_cast<double>(pitch) * shown),
                          static_cast<float>(shown) / static_cast<float>(whole)};
    };
    const MatrixView& view = frame.view;
    const auto x =
        along(view.origin.x, view.pitch.x, place.col, {tile.texture.n_cols(), frame.extent.n_cols, place.level.cols});
    const auto y =
        along(view.origin.y, view.pitch.y, place.row, {tile.texture.n_rows(), frame.extent.n_rows, place.level.rows});
    return {{x[0], y[0], x[1], y[1]}, {x[2], y[2]}};
}

void draw_tile(const MatrixFrame& frame, ImDrawList& draw_list, const Place& place, PictureTile& tile) {
    tile.used_in_frame = ImGui::GetFrameCount();
    const TilePlace at = place_of(frame, place, tile);
    draw_list.AddImage(tile.texture.to_draw().GetTexRef(), at.rect.min(), at.rect.max(), {0, 0}, at.end);
}

// In the place of tiles that are not there yet what there is of other levels, the nearest level above the others.
void draw_stand_ins(const MatrixFrame& frame, ImDrawList& draw_list, TiledPicture& picture, PictureLevel level) {
    const Rect clip = clip_of(draw_list);
    std::vector<PictureLevel> levels;
    for (const auto& [place, tile] : picture.tiles()) {
        if (place.level != level && (levels.empty() || levels.back() != place.level)) levels.push_back(place.level);
    }
    const auto distance = [&](const PictureLevel& other) {
        return std::abs(other.rows - level.rows) + std::abs(other.cols - level.cols);
    };
    std::stable_sort(levels.begin(), levels.end(),
                     [&](const PictureLevel& a, const PictureLevel& b) { return distance(a) > distance(b); });
    for (const PictureLevel& each : levels) {
        const TileRange seen = visible_tiles(frame, clip, each);
        for (auto& [place, tile] : picture.tiles()) {
            if (place.level == each && is_seen(place, seen)) draw_tile(frame, draw_list, place, *tile);
        }
    }
}

// Heads side by side have the same colours; several taken together their own, since they may be seen from nearer.
const std::string& span_name(const MatrixFrame& frame, const std::string& picture) {
    return frame.view.combined != nullptr ? picture : frame.node.name;
}

const PictureSpan* span_of_points(const MatrixFrame& frame) {
    const PictureSpan* span = frame.context.ui.pictures.span(span_name(frame, picture_name(frame)));
    const bool is_of_these = span != nullptr && span->reduction == reduction_of(frame.context, frame.node);
    return is_of_these ? span : nullptr;
}

// Of the greatest of many weights nearly all are at least what is usually the least of a row of points; where a mask leaves that at 0,
// colours end at what is usually the greatest.
float typical_point(const Node& node, const PictureSpan& span) {
    if (!node.presentation.non_negative) return span.typical;
    if (span.reduction == Reduction::mean) return 0;
    return std::max(span.usual.least, span.usual.greatest / static_cast<float>(kMostTypical));
}

ColorScale picture_scale(const MatrixFrame& frame) {
    const PictureSpan* span = spans_points(frame) ? span_of_points(frame) : nullptr;
    if (span == nullptr) return frame.scale();
    const Extent shown = span->extent.extent();
    const ColorScale colors = frame.scale(shown, typical_point(frame.node, *span));
    // The side of 0 says which way a number is to be changed: of a gradient 0 stays in the middle, be all on one side of it.
    if (frame.node.is_of_gradient()) return colors;
    if (!colors.is_signed()) return with_near_told_apart(colors, shown.least, shown.greatest);
    // A few points on the other side of 0 would leave all others half of the colours, and of these the middle.
    const bool is_about_0 = shown.least <= 0 && shown.greatest >= 0;
    if (is_about_0) return with_usual_side(colors, span->usual.least, span->usual.greatest);
    const double typical = may_bend_colors(frame.node) ? static_cast<double>(span->typical) : 0;
    return with_one_side(colors, shown.least, shown.greatest, typical);
}

bool is_at_hand(const MatrixFrame& frame) {
    const ViewContext& context = frame.context;
    const auto explained = explained_cell(context);
    const bool is_head = frame.view.head && *frame.view.head == context.selection.head;
    const bool is_edited = context.ui.drag && context.ui.drag->where.tensor == frame.node.name;
    return is_head || is_edited || (explained && explained->tensor == frame.node.name);
}

// The tiles of this level that are seen; true if all of them can be shown.
bool ask_for_tiles(const MatrixFrame& frame, TiledPicture& picture, const Rect& clip) {
    PictureStore& store = frame.context.ui.pictures;
    const TileRange seen = visible_tiles(frame, clip, picture.level);
    bool is_whole = true;
    for (int row = seen.rows.begin; row < seen.rows.end; ++row) {
        for (int col = seen.cols.begin; col < seen.cols.end; ++col) {
            const Place place{picture.level, row, col};
            PictureTile* tile = picture.find(place);
            if (tile == nullptr && store.may_make_tile()) tile = &store.make_tile(picture, place);
            is_whole = is_whole && tile != nullptr && tile->is_whole();
            if (tile == nullptr || tile->is_fresh()) continue;
            const ImVec2 center = place_of(frame, place, *tile).rect.intersection(clip).center();
            const float distance = std::hypot(center.x - clip.center().x, center.y - clip.center().y);
            store.ask_for(
                {&picture, tile, place, source_of(frame), picture.content().reduction, is_at_hand(frame), distance});
        }
    }
    return is_whole;
}

// How often cells are taken together by two along one side, until a texel of them is wide enough.
int level_along(float pitch, int n, float texel) {
    constexpr float kRounding = 1e-3f;
    int found = 0;
    while (pitch * static_cast<float>(1 << found) < texel * (1 - kRounding) && n >> found > 1) ++found;
    return found;
}

} // namespace

std::string picture_name(const MatrixGeometry& matrix) {
    if (matrix.view.combined != nullptr) return matrix.node.name + " " + matrix.view.combined->title();
    return matrix.node.name + (matrix.plane > 0 ? " " + std::to_string(matrix.plane) : "");
}

float least_texel() {
    constexpr float kMostTexels = 5e6f; // in sight
    const ImGuiIO& io = ImGui::GetIO();
    const float ratio = pixels_per_point();
    const float n_points = io.DisplaySize.x * io.DisplaySize.y * ratio * ratio;
    return std::max(1.0f, std::sqrt(n_points / kMostTexels)) / ratio;
}

bool shows_several_cells(ImVec2 pitch, MatrixExtent extent, float texel) {
    return level_along(pitch.x, extent.n_cols, texel) > 0 || level_along(pitch.y, extent.n_rows, texel) > 0;
}

PictureLevel picture_level(const MatrixGeometry& matrix) {
    const MatrixExtent& extent = matrix.extent;
    const float texel = least_texel();
    const PictureLevel own{level_along(matrix.view.pitch.y, extent.n_rows, texel),
                           level_along(matrix.view.pitch.x, extent.n_cols, texel)};
    // Of what is not stored, and not next to what is, a source knows squares without computing all of their cells.
    const int greater = std::max(own.rows, own.cols);
    const double n_cells = static_cast<double>(extent.n_rows) * extent.n_cols;
    constexpr double kManyCells = 1 << 17; // fewer are computed within a frame
    const bool is_far = !matrix.is_stored && n_cells > kManyCells;
    return is_far ? PictureLevel{greater, greater} : own;
}

std::optional<ColorScale> shown_scale(const MatrixFrame& frame, const Rect& clip) {
    if (is_picture(frame, clip) && spans_points(frame))
        return span_of_points(frame) == nullptr ? std::nullopt : std::optional(picture_scale(frame));
    const ColorScale colors = frame.scale();
    const bool is_known = !colors.is_all_0() || frame.context.lab.trace().has_seen_finite(frame.index);
    return is_known ? std::optional(colors) : std::nullopt;
}

void draw_picture(const MatrixFrame& frame, ImDrawList& draw_list) {
    ViewContext& context = frame.context;
    const Rect clip = clip_of(draw_list);
    const std::string name = picture_name(frame);
    TiledPicture& picture = context.ui.pictures.picture(name, content_of(frame));
    picture.span = span_name(frame, name);
    picture.spans_points = spans_points(frame);
    picture.drawn_in_frame = ImGui::GetFrameCount();
    picture.level = picture_level(frame);
    follow_edits(picture, frame);
    context.platform.begin_values(draw_list, value_coloring(picture_scale(frame), context.theme.palette));
    if (!ask_for_tiles(frame, picture, clip)) draw_stand_ins(frame, draw_list, picture, picture.level);
    const TileRange seen = visible_tiles(frame, clip, picture.level);
    for (auto& [place, tile] : picture.tiles()) {
        if (place.level == picture.level && is_seen(place, seen)) draw_tile(frame, draw_list, place, *tile);
    }
    context.platform.end_values(draw_list);
}

void refresh_pictures(ViewContext& context) {
    PictureStore& pictures = context.ui.pictures;
    pictures.keep_only(context.lab.opening());
    const double start_s = context.platform.now_s();
    const auto has_time = [&] { return context.platform.now_s() - start_s < context.ui.reading_s; };
    std::optional<double>& since_s = context.ui.reads_pictures_since_s;
    const bool is_left = pictures.work(has_time);
    context.ui.wants_frame = context.ui.wants_frame || pictures.has_other_spans();
    if (!is_left) { // what this frame said of it was said before
        context.ui.wants_frame = context.ui.wants_frame || since_s.has_value();
        return since_s.reset();
    }
    if (!since_s) since_s = start_s;
    context.ui.wants_frame = true;
}

} // namespace lab
