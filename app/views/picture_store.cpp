#include "app/views/picture_store.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include <imgui.h>

namespace lab {

namespace {

Range moved(Range range, int by) { return {range.begin + by, range.end + by}; }
Range rows_in_picture(const PictureJob& job, Range rows) { return moved(rows, job.place.row * PictureTile::kSide); }
Range cols_in_picture(const PictureJob& job, Range cols) { return moved(cols, job.place.col * PictureTile::kSide); }

// Weights change by factors, where their row's sum does.
PointEstimates::By related_by(const PictureJob& job) {
    const Role role = job.source.trace->program().node(job.source.node).presentation.role;
    return role == Role::weights ? PointEstimates::By::factor : PointEstimates::By::difference;
}

bool is_long_to_read(const PictureJob& job) { return job.source.is_long_to_read(job.place.level, job.reduction); }

// What PictureTile asks for samples.
auto sampler(const PictureJob& job) {
    return [&job](Range rows, Range cols, float* texels) {
        job.source.sample(rows_in_picture(job, rows), cols_in_picture(job, cols), job.place.level, job.reduction,
                          texels);
    };
}

Extent usual_extent(const std::vector<Extent>& rows) {
    const auto median = [&](float Extent::*end) {
        std::vector<float> ends;
        for (const Extent& row : rows) ends.push_back(row.*end);
        const auto middle = ends.begin() + static_cast<std::ptrdiff_t>(ends.size() / 2);
        if (!ends.empty()) std::nth_element(ends.begin(), middle, ends.end());
        return ends.empty() ? 0 : *middle;
    };
    return {median(&Extent::least), median(&Extent::greatest)};
}

bool draws_estimates(const TiledPicture& picture, int since_frame) {
    return std::any_of(picture.tiles().begin(), picture.tiles().end(), [&](const auto& each) {
        return each.second->used_in_frame >= since_frame && each.second->shows_estimates();
    });
}

} // namespace

void PictureSpan::follow(const PictureSpan& drawn) {
    if (drawn.extent.is_empty()) return;
    const bool is_of_others = !is_seen_as(drawn);
    is_settled = holds_for(drawn);
    level = drawn.level;
    reduction = drawn.reduction;
    if (!is_settled) {
        typical = drawn.typical;
        usual = drawn.usual;
    }
    if (is_of_others || (drawn.is_settled && !is_settled))
        extent = drawn.extent;
    else
        extent.add(drawn.extent);
    is_settled = is_settled || drawn.is_settled;
}

TiledPicture& PictureStore::picture(const std::string& name, const TiledPicture::Content& content) {
    TiledPicture& found = pictures_[name];
    if (found.content() != content) std::erase_if(jobs_, [&](const PictureJob& job) { return job.picture == &found; });
    found.show(content);
    return found;
}

TiledPicture* PictureStore::find(const std::string& name) {
    const auto found = pictures_.find(name);
    return found == pictures_.end() ? nullptr : &found->second;
}

PictureTile& PictureStore::make_tile(TiledPicture& picture, TiledPicture::Place place) {
    ++n_new_tiles_;
    return picture.make(place, retired_);
}

// While a long text is computed its pictures follow: to read ahead would be to compute it twice. What is stored and still as it was is
// read where nothing is shown yet.
bool PictureStore::is_computed(const PictureJob& job) {
    if (!job.tile->is_whole() && job.source.trace->is_stored(job.source.node)) return true;
    // What is shown of it is estimated meanwhile, all over.
    if (job.tile->is_whole() && is_long_to_read(job)) return job.source.trace->is_complete();
    return job.source.is_computed(rows_in_picture(job, job.tile->next_rows(job.place.level)), job.place.level,
                                  job.reduction);
}

// Of what is not stored a cell may take its whole row.
bool PictureStore::is_quick_to_read(const PictureJob& job) {
    return !job.source.combined && job.source.trace->is_stored(job.source.node);
}

double PictureStore::refresh(const PictureJob& job) {
    job.tile->waits_since = ImGui::GetFrameCount();
    const PictureTile::Part part = job.tile->refresh(job.place.level, [&](Range rows, Range cols, float* texels) {
        job.source.read(rows_in_picture(job, rows), cols_in_picture(job, cols), job.place.level, job.reduction, texels);
    });
    const Trace& trace = *job.source.trace;
    const bool is_as_before = trace.is_stored(job.source.node) && trace.is_pending(job.source.node);
    if (!is_as_before && job.source.can_sample(job.place.level, job.reduction))
        job.tile->note_samples(part, related_by(job), sampler(job));
    else
        job.tile->forget_samples();
    return static_cast<double>(part.rows.size()) * part.cols.size() * job.place.level.cells();
}

// Means of what is not stored would fill a picture from above for seconds. Not in place of what was read from farther away: the greatest
// of a sample is far below that of all, and would have colours of its own beside it.
bool PictureStore::may_begin_with_samples(const PictureJob& job) {
    return job.tile->may_begin_with_samples() && job.source.trace->is_complete() && is_long_to_read(job) &&
           job.source.can_sample(job.place.level, job.reduction) && !job.picture->is_shown_from_afar(job.place);
}

void PictureStore::begin_with_samples(const PictureJob& job) { job.tile->begin_with_samples(sampler(job)); }

bool PictureStore::may_estimate(const PictureJob& job) {
    return job.tile->may_estimate() && (!job.source.trace->is_complete() || is_long_to_read(job)) &&
           job.source.can_sample(job.place.level, job.reduction);
}

// Tiles take turns, strip by strip, so that all of them follow a hand that is faster than one is done.
PictureJob* PictureStore::next_to_estimate() {
    PictureJob* found = nullptr;
    for (PictureJob& job : jobs_) {
        const bool is_earlier = found == nullptr || job.tile->n_th_estimated < found->tile->n_th_estimated;
        if (is_earlier && may_estimate(job)) found = &job;
    }
    return found;
}

void PictureStore::estimate(const PictureJob& job) {
    job.tile->n_th_estimated = ++n_estimates_;
    job.tile->estimate(related_by(job), sampler(job));
}

bool PictureStore::shows_estimates() const {
    return std::any_of(pictures_.begin(), pictures_.end(),
                       [](const auto& each) { return draws_estimates(each.second, ImGui::GetFrameCount()); });
}

bool PictureStore::shows_estimates(const std::string& name) const {
    const auto found = pictures_.find(name);
    return found != pictures_.end() && draws_estimates(found->second, ImGui::GetFrameCount() - 1);
}

// What has waited long, so that nothing waits for ever; what takes no time; what is at hand; what shows nothing yet; then from
// the centre outwards.
void PictureStore::put_in_order() {
    constexpr int kLong = 12; // frames
    const int now = ImGui::GetFrameCount();
    const auto has_many_cells = [](const PictureJob& job) {
        const ValueTexture& texture = job.tile->texture;
        const double n_cells = static_cast<double>(texture.n_rows()) * texture.n_cols() * job.place.level.cells();
        return n_cells > 4 * PictureTile::kMostCellsAtOnce;
    };
    const auto urgency = [&](const PictureJob& job) {
        return std::tuple(now - job.tile->waits_since < kLong, has_many_cells(job), !job.is_at_hand,
                          job.tile->is_whole(), job.distance);
    };
    std::stable_sort(jobs_.begin(), jobs_.end(),
                     [&](const PictureJob& a, const PictureJob& b) { return urgency(a) < urgency(b); });
}

bool PictureStore::note_what_is_left() {
    const auto before = std::exchange(cells_left_, {});
    n_cells_left_ = 0;
    for (const PictureJob& job : jobs_) {
        const double n = job.tile->n_cells_left(job.place.level);
        if (n > 0) cells_left_[{job.picture, job.place}] = n;
        n_cells_left_ += n;
    }
    return cells_left_ != before;
}

void PictureStore::measure_spans() {
    const bool is_all_there = may_make_tile() && std::all_of(jobs_.begin(), jobs_.end(), [](const PictureJob& job) {
                                  return job.tile->is_fresh();
                              });
    std::map<std::string, PictureSpan> drawn;
    std::map<std::string, std::vector<Extent>> rows;
    for (auto& [name, picture] : pictures_) {
        if (picture.drawn_in_frame != ImGui::GetFrameCount()) continue;
        const bool has_other_numbers = std::exchange(picture.has_other_numbers, false);
        if (has_other_numbers) spans_[picture.span].is_settled = false;
        if (!picture.spans_points) {
            spans_.erase(picture.span);
            continue;
        }
        PictureSpan& span = drawn[picture.span];
        span.level = picture.level;
        span.reduction = picture.content().reduction;
        span.is_settled = is_all_there;
        std::vector<Extent>& rows_of_span = rows[picture.span];
        for (const Extent& row : picture.row_extents(picture.level)) {
            span.extent.add(row);
            rows_of_span.push_back(row);
        }
    }
    has_other_spans_ = false;
    for (auto& [name, now] : drawn) {
        PictureSpan& span = spans_[name];
        const Extent before = span.extent.extent();
        now.typical = typical_magnitude(rows[name]);
        if (!span.holds_for(now)) now.usual = usual_extent(rows[name]);
        span.follow(now);
        has_other_spans_ = has_other_spans_ || span.extent.extent() != before;
    }
}

const PictureSpan* PictureStore::span(const std::string& name) const {
    const auto found = spans_.find(name);
    return found == spans_.end() || found->second.extent.is_empty() ? nullptr : &found->second;
}

void PictureStore::end_frame() {
    jobs_.clear();
    n_new_tiles_ = 0;
    give_up_least_used();
    retired_.bury();
}

std::vector<PictureLevel> PictureStore::levels_drawn() const {
    std::vector<PictureLevel> levels;
    for (const auto& [name, picture] : pictures_) {
        if (picture.drawn_in_frame == ImGui::GetFrameCount() && !picture.level.is_finest())
            levels.push_back(picture.level);
    }
    std::sort(levels.begin(), levels.end(), [](const PictureLevel& a, const PictureLevel& b) {
        return std::tuple(a.cells(), a) < std::tuple(b.cells(), b);
    });
    levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
    return levels;
}

void PictureStore::keep_only(int opening) {
    const auto is_other = [&](const auto& each) { return each.second.content().opening != opening; };
    if (std::erase_if(pictures_, is_other) > 0) spans_.clear();
}

std::size_t PictureStore::n_bytes() const {
    std::size_t sum = 0;
    for (const auto& [name, picture] : pictures_) {
        for (const auto& [place, tile] : picture.tiles()) sum += tile->n_bytes();
    }
    return sum;
}

void PictureStore::give_up_least_used() {
    std::size_t total = n_bytes();
    if (total <= kMostBytes) return;
    struct Tile {
        int used_in_frame;
        TiledPicture* picture;
        TiledPicture::Place place;
        std::size_t n_bytes;
    };
    std::vector<Tile> unused;
    for (auto& [name, picture] : pictures_) {
        for (auto& [place, tile] : picture.tiles()) {
            if (tile->used_in_frame != ImGui::GetFrameCount())
                unused.push_back({tile->used_in_frame, &picture, place, tile->n_bytes()});
        }
    }
    std::stable_sort(unused.begin(), unused.end(),
                     [](const Tile& a, const Tile& b) { return a.used_in_frame < b.used_in_frame; });
    for (const Tile& tile : unused) {
        if (total <= kMostBytes) return;
        tile.picture->tiles().erase(tile.place);
        total -= tile.n_bytes;
    }
}

} // namespace lab
