#include "app/views/picture_tiles.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <tuple>

#include <imgui.h>

namespace lab {

namespace {

constexpr std::size_t kMostParts = 12; // of a tile that is not fresh

// The texels of a tile that stand for some of these cells.
Range texels_of(Range cells, int level, int tile, int n_texels) {
    const int first = tile * PictureTile::kSide;
    const int begin = (cells.begin >> level) - first, end = ((cells.end - 1) >> level) + 1 - first;
    return {std::clamp(begin, 0, n_texels), std::clamp(end, 0, n_texels)};
}

} // namespace

PictureTile::PictureTile(int n_rows, int n_cols, RetiredTextures& retired)
    : texture(n_rows, n_cols, retired), stale_{{{0, n_rows}, {0, n_cols}}}, extents_(static_cast<std::size_t>(n_rows)) {
}

void PictureTile::mark(Range rows, Range cols) {
    if (rows.empty() || cols.empty()) return;
    n_strips_estimated_ = 0;
    if (stale_.empty()) waits_since = ImGui::GetFrameCount();
    const auto is_within = [](const Part& inner, const Part& outer) {
        return outer.rows.contains(inner.rows) && outer.cols.contains(inner.cols);
    };
    Part added{rows, cols};
    // The parts are few: of one that grows by every edit of a drag only one is left.
    if (std::any_of(stale_.begin(), stale_.end(), [&](const Part& part) { return is_within(added, part); })) return;
    if (stale_.size() >= kMostParts) added = whole();
    if (is_within(whole(), added)) return mark_all();
    std::erase_if(stale_, [&](const Part& part) { return is_within(part, added); });
    stale_.push_back(added);
}

double PictureTile::n_cells_left(PictureLevel level) const {
    double n_texels = 0;
    for (const Part& part : stale_) n_texels += static_cast<double>(part.rows.size()) * part.cols.size();
    return n_texels * level.cells();
}

// Reading goes on where it was: while every frame brings an edit and has time for a part, each part has its turn.
void PictureTile::mark_all() {
    const bool goes_on = !stale_.empty() && stale_.front().cols == whole().cols;
    const int begin = goes_on ? stale_.front().rows.begin : 0;
    stale_ = {{{begin, texture.n_rows()}, whole().cols}};
    if (begin > 0) stale_.push_back({{0, begin}, whole().cols});
}

PictureTile::Part PictureTile::next_part(PictureLevel level) const {
    const Part& first = stale_.front();
    const int n_cols = std::clamp(4 * kMostCellsAtOnce / level.cells(), 1, first.cols.size());
    const int n_rows = std::clamp(kMostCellsAtOnce / (n_cols * level.cells()), 1, first.rows.size());
    return {{first.rows.begin, first.rows.begin + n_rows}, {first.cols.begin, first.cols.begin + n_cols}};
}

PictureTile::Part PictureTile::take_part(PictureLevel level) {
    Part& first = stale_.front();
    const Part part = next_part(level);
    if (part.cols.size() < first.cols.size()) { // of one row a piece; the rest of the row and the rows below are left
        const Part rest{part.rows, {part.cols.end, first.cols.end}};
        first.rows.begin += 1;
        if (first.rows.empty())
            first = rest;
        else
            stale_.insert(stale_.begin(), rest);
        return part;
    }
    first.rows.begin = part.rows.end;
    if (first.rows.empty()) stale_.erase(stale_.begin());
    is_whole_ = is_whole_ || stale_.empty();
    shows_estimates_ = shows_estimates_ && !stale_.empty();
    return part;
}

bool PictureTile::is_stale(int row) const {
    return std::any_of(stale_.begin(), stale_.end(), [&](const Part& part) { return part.rows.contains(row); });
}

// Strips all over the tile, each far from the one before, without those that are fresh. It goes on where it was when numbers became
// others, so that under a hand that drags each strip has its turn.
PictureTile::Part PictureTile::take_strip() {
    constexpr double kGolden = 0.618;
    const int n = n_strips();
    int step = std::max(1, static_cast<int>(kGolden * n));
    while (std::gcd(step, n) != 1) ++step;
    Range rows;
    while (rows.empty() && n_strips_estimated_ < n) {
        next_strip_ = (next_strip_ + step) % n;
        ++n_strips_estimated_;
        rows = rows_of_strip(next_strip_);
        while (!rows.empty() && !is_stale(rows.begin)) ++rows.begin;
        while (!rows.empty() && !is_stale(rows.end - 1)) --rows.end;
    }
    return {rows, whole().cols};
}

void PictureTile::keep_samples(const Part& part, PointEstimates::By by, const float* samples) {
    const auto n_cols = static_cast<std::size_t>(texture.n_cols());
    std::vector<float> row_of_texels(n_cols);
    for (int row = part.rows.begin; row < part.rows.end; ++row, samples += part.cols.size()) {
        texture.read_row(row, row_of_texels.data());
        const std::vector<float> read(row_of_texels.begin() + part.cols.begin, row_of_texels.begin() + part.cols.end);
        const auto first = static_cast<std::size_t>(row) * n_cols + static_cast<std::size_t>(part.cols.begin);
        estimates_.note(static_cast<std::size_t>(texture.n_rows()) * n_cols, first, read, samples, by);
    }
}

void PictureTile::follow_samples(const Part& strip, PointEstimates::By by, const float* samples) {
    change_stale(strip, samples, [&](std::size_t point, float sample, float shown) {
        return estimates_.estimate(point, sample, shown, by);
    });
}

// What is not fresh, to what it is estimated to be.
void PictureTile::change_stale(const Part& strip, const float* samples, const Change& change) {
    const int n_cols = texture.n_cols();
    std::vector<float> texels(static_cast<std::size_t>(n_cols));
    for (int row = strip.rows.begin; row < strip.rows.end; ++row, samples += n_cols) {
        texture.read_row(row, texels.data());
        for (const Part& part : stale_) {
            if (!part.rows.contains(row)) continue;
            for (int col = part.cols.begin; col < part.cols.end; ++col) {
                const std::size_t point = static_cast<std::size_t>(row) * texels.size() + static_cast<std::size_t>(col);
                float& texel = texels[static_cast<std::size_t>(col)];
                texel = change(point, samples[col], texel);
            }
        }
        texture.write({row, 0, 1, n_cols}, texels.data());
    }
    shows_estimates_ = true;
}

// Over what was read: samples and estimates that still stand beside it are farther apart than what takes their place.
void PictureTile::measure(Range rows) {
    std::array<float, kSide> texels{};
    for (int row = rows.begin; row < rows.end; ++row) {
        texture.read_row(row, texels.data());
        for (const Part& part : stale_) {
            if (!part.rows.contains(row)) continue;
            std::fill(texels.begin() + part.cols.begin, texels.begin() + part.cols.end,
                      std::numeric_limits<float>::quiet_NaN());
        }
        ExtentSum& of_row = extents_[static_cast<std::size_t>(row)];
        of_row = {};
        of_row.add_finite(texels.data(), texture.n_cols());
    }
}

void PictureTile::measure_whole(Range rows, const float* values, const std::vector<RowSpan>& spans) {
    const int n_cols = texture.n_cols();
    for (int row = rows.begin; row < rows.end; ++row, values += n_cols) {
        ExtentSum& of_row = extents_[static_cast<std::size_t>(row)];
        of_row = {};
        of_row.add_finite(values, n_cols, spans[static_cast<std::size_t>(row - rows.begin)]);
    }
}

void TiledPicture::show(const Content& content) {
    if (content == content_) return;
    has_other_numbers = true;
    Content as_before = content;
    as_before.query = content_.query;
    as_before.reduction = content_.reduction;
    const bool keeps_tiles = as_before == content_;
    const bool is_of_other_query = content.query != content_.query;
    const bool is_reduced_otherwise = content.reduction != content_.reduction;
    content_ = content;
    if (!keeps_tiles) return tiles_.clear();
    if (is_of_other_query) change_all();
    if (is_reduced_otherwise) std::erase_if(tiles_, [](const auto& each) { return !each.first.level.is_finest(); });
}

void TiledPicture::change(Range rows, Range cols) {
    if (rows.empty() || cols.empty()) return;
    has_other_numbers = true;
    for (auto& [place, tile] : tiles_) {
        tile->mark(texels_of(rows, place.level.rows, place.row, tile->texture.n_rows()),
                   texels_of(cols, place.level.cols, place.col, tile->texture.n_cols()));
    }
}

PictureTile* TiledPicture::find(Place place) {
    const auto found = tiles_.find(place);
    return found == tiles_.end() ? nullptr : found->second.get();
}

std::vector<Extent> TiledPicture::row_extents(PictureLevel of) const {
    std::vector<Extent> all;
    for (const auto& [place, tile] : tiles_) {
        const bool is_drawn = tile->used_in_frame == ImGui::GetFrameCount();
        if (place.level != of || (!is_drawn && !tile->is_fresh())) continue;
        for (const ExtentSum& row : tile->row_extents())
            if (!row.is_empty()) all.push_back(row.extent());
    }
    return all;
}

bool TiledPicture::is_shown_from_afar(Place place) const {
    return std::any_of(tiles_.begin(), tiles_.end(), [&](const auto& each) {
        const auto& [other, tile] = each;
        const int rows = other.level.rows - place.level.rows, cols = other.level.cols - place.level.cols;
        if (rows < 0 || cols < 0 || rows + cols == 0) return false;
        return place.row >> rows == other.row && place.col >> cols == other.col && tile->is_whole() && tile->is_fresh();
    });
}

PictureTile& TiledPicture::make(Place place, RetiredTextures& retired) {
    const int n_rows = n_texels(content_.n_rows, place.level.rows) - place.row * PictureTile::kSide;
    const int n_cols = n_texels(content_.n_cols, place.level.cols) - place.col * PictureTile::kSide;
    auto& tile = tiles_[place];
    tile = std::make_unique<PictureTile>(std::min(n_rows, PictureTile::kSide), std::min(n_cols, PictureTile::kSide),
                                         retired);
    tile->waits_since = ImGui::GetFrameCount();
    return *tile;
}

} // namespace lab
