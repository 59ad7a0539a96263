// What is kept of tensors that are not stored so that pictures of them can be drawn, and the texels that are made of it.
#include "engine/kernels/rows.h"
#include "engine/row_parts.h"
#include "engine/workspace.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lab {

bool Workspace::has_overview(int i) const {
    const Node& node = program_.node(i);
    return !is_stored(i) && node.stored && node.shape.n_cells() >= kLargeTensor && !node.step->constant();
}

// Weights grow with the scores that they are made of, whose overview says what there is to know of both.
bool Workspace::is_seen_through_scores(int i) const {
    const Node& node = program_.node(i);
    return node.step->has_row_sums() && !is_stored(node.operands[0]);
}

Overview& Workspace::overview(int i) const {
    if (is_seen_through_scores(i)) return overview(program_.node(i).operands[0]);
    std::unique_ptr<Overview>& kept = unstored(i).overview;
    if (!kept) kept = std::make_unique<Overview>(program_.node(i).shape);
    return *kept;
}

namespace {

// Of a known row of weights: of scores any that is a number.
bool has_key(const Overview::Row& known, bool is_seen_through_scores) {
    return known.has_finite && (is_seen_through_scores || known.extent.greatest > 0);
}

} // namespace

std::optional<bool> Workspace::has_key(int i, int plane, int row) const {
    if (!has_overview(i)) return std::nullopt;
    const Overview::Row& known = overview(i).row(plane, row);
    if (!known.is_known) return std::nullopt;
    return lab::has_key(known, is_seen_through_scores(i));
}

bool Workspace::have_keys(int i, int plane, Range rows) const {
    if (!has_overview(i)) return false;
    const Overview& of_weights = overview(i);
    const bool through_scores = is_seen_through_scores(i);
    for (int row = rows.begin; row < rows.end; ++row) {
        const Overview::Row& known = of_weights.row(plane, row);
        if (!known.is_known || !lab::has_key(known, through_scores)) return false;
    }
    return true;
}

ExtentSum Workspace::extent(int i) const {
    return is_seen_through_scores(i) ? extent_of_weights(i) : overview(i).extent();
}

// The weights of each row's least and greatest score.
ExtentSum Workspace::extent_of_weights(int i) const {
    const Shape& shape = program_.node(i).shape;
    const Overview& overview = this->overview(i);
    const Unstored& kept = unstored(i);
    if (kept.has_row_sum.empty()) return {};
    ExtentSum all;
    std::vector<float> least(at_index(shape.rows)), greatest(least.size());
    for (int plane = 0; plane < shape.planes; ++plane) {
        const std::size_t first = flat_row(shape, plane, 0);
        for (int row = 0; row < shape.rows; ++row) {
            const Extent scores = overview.row(plane, row).extent;
            least[at_index(row)] = scores.least;
            greatest[at_index(row)] = scores.greatest;
        }
        for (std::vector<float>* ends : {&least, &greatest})
            powers_in_rows(ends->data(), kept.row_sums.data() + first, shape.rows, shape.cols, ends->data());
        for (int row = 0; row < shape.rows; ++row) {
            const Overview::Row& scores = overview.row(plane, row);
            if (!kept.has_row_sum[first + at_index(row)] || !scores.is_known || !scores.has_finite) continue;
            const float factor = 1 / kept.row_sums[first + at_index(row)].sum;
            const float weight = greatest[at_index(row)] * factor;
            if (std::isfinite(weight)) all.add({scores.has_masked ? 0 : least[at_index(row)] * factor, weight});
        }
    }
    return all;
}

void Workspace::survey(int i, int plane, Range rows) const {
    ++n_surveys_;
    RowBuffers buffers;
    survey(i, plane, rows, buffers);
}

void Workspace::survey(int i, int plane, Range rows, RowBuffers& buffers) const {
    const Node& node = program_.node(i);
    prepare(i);
    if (node.step->has_row_sums()) {
        for_each_part(rows, node.shape.cols, [&](Range part) {
            buffers.release_all();
            know_row_sums(i, plane, part, buffers);
        });
    }
    if (is_seen_through_scores(i)) return survey(node.operands[0], plane, rows, buffers);
    const Overview& overview = this->overview(i);
    for_each_part(rows, node.shape.cols, [&](Range part) {
        part = without_ends(part, [&](int row) { return overview.row(plane, row).has_maxima; });
        if (part.empty()) return;
        buffers.release_all();
        float* cells = buffers.take(at_index(part.size()) * at_index(node.shape.cols));
        fill(i, {Range::at(plane), part, {0, node.shape.cols}}, cells, buffers);
    });
}

bool Workspace::has_maxima(int i, const Seen& seen) const {
    return has_overview(i) && seen.reduction == Reduction::maximum && overview(i).level() <= seen.level;
}

bool Workspace::knows_rows(int i, int plane, Range rows) const {
    const Shape& shape = program_.node(i).shape;
    const Overview& overview = this->overview(i);
    const std::vector<char>& has_row_sum = unstored(i).has_row_sum;
    const bool needs_sum = is_seen_through_scores(i);
    const auto is_known = [&](int row) {
        const bool has_sum = !needs_sum || (!has_row_sum.empty() && has_row_sum[flat_row(shape, plane, row)] != 0);
        return has_sum && overview.row(plane, row).has_maxima;
    };
    return without_ends(rows, is_known).empty();
}

bool Workspace::is_surveyed(int i, const Block& texels, const Seen& seen) const {
    if (!has_maxima(i, seen)) return true;
    const int n_rows = program_.node(i).shape.rows;
    bool is_all_seen = true;
    for_each_row(texels, [&](int plane, int texel_row) {
        is_all_seen = is_all_seen && knows_rows(i, plane, seen.rows_of(texel_row, n_rows));
    });
    return is_all_seen;
}

void Workspace::reduce(int i, const Block& texels, const Seen& seen, float* result) const {
    ++n_surveys_;
    if (!has_maxima(i, seen)) return reduce_cells(i, texels, seen, result);
    if (seen.is_sampled && !is_surveyed(i, texels, seen)) survey_samples(i, texels, seen);
    reduce_maxima(i, texels, seen, result);
}

// Rows of one plane after another, so that what is kept of a row, its sum and what an overview knows of it, is written by one thread.
// Not to be asked for from within a task.
void Workspace::share_out_rows(const Block& texels, const RowOfTexels& row) const {
    for (int plane = texels.planes.begin; plane < texels.planes.end; ++plane) {
        share_out(texels.rows.size(),
                  [&](int index, int thread) { row(plane, texels.rows.begin + index, buffers_[at_index(thread)]); });
    }
}

void Workspace::survey_samples(int i, const Block& texels, const Seen& seen) const {
    prepare(i);
    const int n_rows = program_.node(i).shape.rows;
    share_out_rows(texels, [&](int plane, int texel_row, RowBuffers& buffers) {
        survey(i, plane, seen.rows_of(texel_row, n_rows), buffers);
    });
}

// From the maxima of blocks of columns: of weights, which grow with the scores, by the scores' maxima.
void Workspace::reduce_maxima(int i, const Block& texels, const Seen& seen, float* result) const {
    const Node& node = program_.node(i);
    Overview& overview = this->overview(i);
    for (int plane = texels.planes.begin; plane < texels.planes.end; ++plane) overview.note_look(plane);
    const int kept = overview.kept_level(seen.level), up = seen.level - kept;
    RowBuffers buffers;
    const Range blocks = cells_of_texels(texels.cols, up, overview.n_blocks(kept));
    std::vector<float> of_row(at_index(blocks.size()));
    const auto n_texels = at_index(texels.cols.size());
    const bool are_weights = is_seen_through_scores(i);
    for_each_row(texels, [&](int plane, int texel_row) {
        const Range rows = seen.rows_of(texel_row, node.shape.rows);
        if (!knows_rows(i, plane, rows)) survey(i, plane, rows, buffers);
        std::fill(result, result + n_texels, -std::numeric_limits<float>::infinity());
        for (int row = rows.begin; row < rows.end; ++row) {
            reduce_row_to_maxima(overview.maxima(plane, row, kept) + blocks.begin, blocks.size(), up,
                                 overview.row(plane, row).has_nan, of_row.data());
            if (are_weights) {
                const RowSum sum = unstored(i).row_sums[flat_row(node.shape, plane, row)];
                weights_in_row(of_row.data(), texels.cols.size(), sum, node.shape.cols, of_row.data());
            }
            keep_greater(of_row.data(), texels.cols.size(), result);
        }
        result += n_texels;
    });
}

// Samples are shared out to the threads, as those of maxima are; else all rows are read by the caller's.
void Workspace::reduce_cells(int i, const Block& texels, const Seen& seen, float* result) const {
    prepare(i);
    const auto reduce_row = [&](int plane, int texel_row, RowBuffers& buffers) {
        const std::size_t row = at_index(plane - texels.planes.begin) * at_index(texels.rows.size()) +
                                at_index(texel_row - texels.rows.begin);
        const Block of_row{Range::at(plane), Range::at(texel_row), texels.cols};
        reduce_row_of_cells(i, of_row, seen, result + row * at_index(texels.cols.size()), buffers);
    };
    if (seen.is_sampled) return share_out_rows(texels, reduce_row);
    RowBuffers buffers;
    for_each_row(texels, [&](int plane, int texel_row) { reduce_row(plane, texel_row, buffers); });
}

// One row of texels.
void Workspace::reduce_row_of_cells(int i, const Block& texels, const Seen& seen, float* result,
                                    RowBuffers& buffers) const {
    const Shape& shape = program_.node(i).shape;
    const Range cols = cells_of_texels(texels.cols, seen.level, shape.cols);
    TexelRow row_of_texels(texels.cols, seen.level, shape.cols, seen.reduction);
    for_each_part(seen.rows_of(texels.rows.begin, shape.rows), shape.cols, [&](Range rows) {
        buffers.release_all();
        float* cells = buffers.take(at_index(rows.size()) * at_index(shape.cols));
        fill(i, {texels.planes, rows, cols}, cells, buffers);
        for (int row = 0; row < rows.size(); ++row)
            row_of_texels.add(cells + at_index(row) * at_index(shape.cols) + at_index(cols.begin));
    });
    row_of_texels.finish(result);
}

} // namespace lab
