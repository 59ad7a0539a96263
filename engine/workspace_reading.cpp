// How tensors that are not stored are read.
#include "engine/kernels/rows.h"
#include "engine/workspace.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace lab {

namespace {

std::size_t at_index(int index) { return static_cast<std::size_t>(index); }

constexpr std::size_t kMostBuffered = 1 << 18; // numbers of rows that are read together

// A view of rows of one plane, as if the whole tensor were there.
ConstView<float> rows_as_whole(const float* cells, const Shape& shape, int plane, int first_row) {
    return {cells - flat_row(shape, plane, first_row) * at_index(shape.cols), shape};
}

// As many rows as are read together, one such part after another.
template <class Function> void for_each_part(Range rows, int n_cols, Function f) {
    const int n = std::max(1, static_cast<int>(kMostBuffered / at_index(std::max(n_cols, 1))));
    for (int row = rows.begin; row < rows.end; row += n) f(Range{row, std::min(row + n, rows.end)});
}

// Without the rows at either end that are known.
template <class IsKnown> Range unknown_part(Range rows, IsKnown is_known) {
    while (rows.begin < rows.end && is_known(rows.begin)) ++rows.begin;
    while (rows.begin < rows.end && is_known(rows.end - 1)) --rows.end;
    return rows;
}

// Columns of a runner that hold these.
Range aligned(Range cols, int n_cols) {
    constexpr int k = Runner::kRunnerColumns;
    return {cols.begin / k * k, std::min((cols.end + k - 1) / k * k, n_cols)};
}

} // namespace

std::vector<ConstView<float>> Workspace::operands(int i, const Block& block, RowBuffers& buffers) const {
    const Node& node = program_.node(i);
    std::vector<ConstView<float>> views;
    for (std::size_t k = 0; k < node.operands.size(); ++k) {
        const int operand = node.operands[k];
        if (is_stored(operand)) {
            views.push_back(view(operand));
            continue;
        }
        assert(node.step->reads_same_row(static_cast<int>(k)));
        const Shape& shape = program_.node(operand).shape;
        Block read{Range::at(shared_plane(block.planes.begin, shape.planes, node.shape.planes)), block.rows,
                   block.cols};
        if (!node.step->reads_same_cell(static_cast<int>(k))) read.cols = {0, shape.cols};
        float* cells = buffers.take(at_index(read.rows.size()) * at_index(shape.cols));
        fill(operand, read, cells, buffers);
        views.push_back(rows_as_whole(cells, shape, read.planes.begin, read.rows.begin));
    }
    return views;
}

// Writes a block, of one plane, of a tensor that is not stored into rows as wide as the tensor; more columns of them may be written.
void Workspace::fill(int i, const Block& block, float* cells, RowBuffers& buffers) const {
    const Node& node = program_.node(i);
    const OutputView<float> result{cells, {block.planes, block.rows, {0, node.shape.cols}}};
    if (node.step->has_row_sums()) return fill_weights(i, block, result, buffers);
    Block filled = block;
    Runner* const runner = block.cols.size() < Runner::kRunnerColumns ? nullptr : kept_runner(i);
    if (runner) filled.cols = aligned(block.cols, node.shape.cols);
    const std::vector<ConstView<float>> read = operands(i, filled, buffers);
    if (runner)
        runner->run(read, filled, result);
    else
        node.step->forward(read, filled, result);
    Overview* const overview = unstored(i).overview.get();
    if (!overview || filled.cols.size() < node.shape.cols) return;
    for_each_row(block, [&](int plane, int row) { overview->record(plane, row, result.row(plane, row)); });
}

// Weights from the scores' own columns where the row's sum is known, else whole rows.
void Workspace::fill_weights(int i, const Block& block, OutputView<float> result, RowBuffers& buffers) const {
    const Node& node = program_.node(i);
    Unstored& kept = unstored(i);
    prepare(i);
    const int plane = block.planes.begin;
    const auto index = [&](int row) { return flat_row(node.shape, plane, row); };
    const int scores = node.operands[0];
    bool all_known = true;
    for (int row = block.rows.begin; row < block.rows.end; ++row) all_known = all_known && kept.has_row_sum[index(row)];
    Block read_block = block;
    if (!all_known) read_block.cols = {0, node.shape.cols};
    std::vector<ConstView<float>> read = views_of_operands(i);
    if (!is_stored(scores)) {
        float* cells = buffers.take(at_index(block.rows.size()) * at_index(node.shape.cols));
        fill(scores, read_block, cells, buffers);
        read[0] = rows_as_whole(cells, node.shape, plane, block.rows.begin);
    }
    for (int row = block.rows.begin; row < block.rows.end; ++row) {
        float* weights = result.row(plane, row);
        RowSum& sum = kept.row_sums[index(row)];
        if (kept.has_row_sum[index(row)]) {
            weights_of_row(read[0].row(plane, row) + block.cols.begin, block.cols.size(), sum.shift, sum.sum,
                           weights + block.cols.begin);
        } else {
            sum = node.step->row_with_sum(read, plane, row, weights);
            kept.has_row_sum[index(row)] = 1;
        }
        if (kept.overview && read_block.cols.size() == block.cols.size() && block.cols.size() == node.shape.cols)
            kept.overview->record(plane, row, weights);
    }
}

// None: the step works without.
Runner* Workspace::kept_runner(int i) const {
    std::unique_ptr<Runner>& kept = unstored(i).runner;
    if (kept) return kept.get();
    const Node& node = program_.node(i);
    for (std::size_t k = 0; k < node.operands.size(); ++k) {
        if (node.step->reads_same_row(static_cast<int>(k))) continue;
        const std::vector<ConstView<float>> read = views_of_operands(i);
        if (auto runner = node.step->runner(read, {0, node.shape.planes}, {0, node.shape.cols})) {
            runner->lay_out_all(read);
            kept = std::move(runner);
        }
        break;
    }
    return kept.get();
}

void Workspace::prepare(int i) const {
    const Node& node = program_.node(i);
    if (!is_stored(i)) {
        Unstored& kept = unstored(i);
        if (node.step->has_row_sums() && kept.row_sums.empty()) {
            kept.row_sums.resize(n_flat_rows(node.shape));
            kept.has_row_sum.assign(kept.row_sums.size(), 0);
        }
        kept_runner(i);
    }
    for (int operand : node.operands) {
        if (!is_stored(operand)) prepare(operand);
    }
}

void Workspace::compute(int i, const Block& block, OutputView<float> result, RowBuffers& buffers) const {
    const Step& step = *program_.node(i).step;
    const bool is_narrow = block.cols.size() < Runner::kRunnerColumns;
    const bool is_plain = is_stored(i) || (!step.has_row_sums() && (is_narrow || !kept_runner(i)));
    if (is_plain && reads_whole(i)) return step.forward(views_of_operands(i), block, result);
    const int n_cols = program_.node(i).shape.cols;
    for (int plane = block.planes.begin; plane < block.planes.end; ++plane) {
        for_each_part(block.rows, widest_read(i), [&](Range rows) {
            buffers.release_all();
            const Block part{Range::at(plane), rows, block.cols};
            if (is_stored(i)) return step.forward(operands(i, part, buffers), part, result);
            float* cells = buffers.take(at_index(rows.size()) * at_index(n_cols));
            fill(i, part, cells, buffers);
            const OutputView<float> filled{cells, {part.planes, rows, {0, n_cols}}};
            for (int row = rows.begin; row < rows.end; ++row) {
                const float* from = filled.row(plane, row);
                std::copy(from + block.cols.begin, from + block.cols.end, result.row(plane, row) + block.cols.begin);
            }
        });
    }
}

// Columns of the widest rows that are computed on the way to a row of this node.
int Workspace::widest_read(int i) const {
    const Node& node = program_.node(i);
    int n = is_stored(i) ? 1 : node.shape.cols;
    for (int operand : node.operands) {
        if (!is_stored(operand)) n = std::max(n, widest_read(operand));
    }
    return n;
}

void Workspace::know_row_sums(int i, int plane, Range rows, RowBuffers& buffers) const {
    const Node& node = program_.node(i);
    rows = unknown_part(rows, [&](int row) { return unstored(i).has_row_sum[flat_row(node.shape, plane, row)] != 0; });
    if (rows.empty()) return;
    float* cells = buffers.take(at_index(rows.size()) * at_index(node.shape.cols));
    fill(i, {Range::at(plane), rows, {0, node.shape.cols}}, cells, buffers);
}

bool Workspace::has_overview(int i) const {
    const Node& node = program_.node(i);
    return !is_stored(i) && node.stored && node.shape.n_cells() >= kLargeTensor;
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
            const float shift = kept.row_sums[first + at_index(row)].shift;
            const Extent scores = overview.row(plane, row).extent;
            least[at_index(row)] = scores.least - shift;
            greatest[at_index(row)] = scores.greatest - shift;
        }
        for (std::vector<float>* ends : {&least, &greatest})
            exponentials_of_row(ends->data(), shape.rows, 0, ends->data());
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
        part = unknown_part(part, [&](int row) { return overview.row(plane, row).has_maxima; });
        if (part.empty()) return;
        buffers.release_all();
        float* cells = buffers.take(at_index(part.size()) * at_index(node.shape.cols));
        fill(i, {Range::at(plane), part, {0, node.shape.cols}}, cells, buffers);
    });
}

bool Workspace::has_maxima(int i, const Seen& seen) const {
    return seen.reduction == Reduction::maximum && overview(i).level() <= seen.level;
}

bool Workspace::is_surveyed(int i, const Block& texels, const Seen& seen) const {
    if (!has_overview(i) || !has_maxima(i, seen)) return true;
    const Shape& shape = program_.node(i).shape;
    const Overview& overview = this->overview(i);
    const std::vector<char>& has_row_sum = unstored(i).has_row_sum;
    const bool needs_sum = is_seen_through_scores(i);
    const Range rows = cells_of_texels(texels.rows, seen.level, shape.rows);
    for (int plane = texels.planes.begin; plane < texels.planes.end; ++plane) {
        const auto is_seen = [&](int row) {
            const bool has_sum = !needs_sum || (!has_row_sum.empty() && has_row_sum[flat_row(shape, plane, row)] != 0);
            return has_sum && overview.row(plane, row).has_maxima;
        };
        if (!unknown_part(rows, is_seen).empty()) return false;
    }
    return true;
}

void Workspace::forget_sum(int i, int plane, int row) const {
    std::vector<char>& has_row_sum = unstored(i).has_row_sum;
    if (!has_row_sum.empty()) has_row_sum[flat_row(program_.node(i).shape, plane, row)] = 0;
}

void Workspace::invalidate(int i, const Region& changed, bool follows_columns) {
    const Node& node = program_.node(i);
    Unstored& kept = unstored(i);
    for (const Block& block : changed.blocks()) {
        const bool is_whole_row = block.cols.size() == node.shape.cols;
        if (kept.runner && is_whole_row && block.rows.size() == node.shape.rows) kept.runner.reset();
        if (kept.runner && !is_whole_row) kept.runner->renew(views_of_operands(i), block.planes, block.cols);
        const bool is_followed = !is_whole_row || node.step->has_row_sums();
        if (follows_columns && is_followed) continue;
        for_each_row(block, [&](int plane, int row) {
            if (kept.overview) kept.overview->forget_row(plane, row);
            forget_sum(i, plane, row);
        });
    }
}

void Workspace::reduce(int i, const Block& texels, const Seen& seen, float* result) const {
    ++n_surveys_;
    has_maxima(i, seen) ? reduce_maxima(i, texels, seen.level, result) : reduce_cells(i, texels, seen, result);
}

// From the maxima of blocks of columns: of weights, which grow with the scores, by the scores' maxima.
void Workspace::reduce_maxima(int i, const Block& texels, int level, float* result) const {
    const Node& node = program_.node(i);
    Overview& overview = this->overview(i);
    for (int plane = texels.planes.begin; plane < texels.planes.end; ++plane) overview.note_look(plane);
    const int kept = overview.kept_level(level), up = level - kept;
    RowBuffers buffers;
    const Range blocks = cells_of_texels(texels.cols, up, overview.n_blocks(kept));
    std::vector<float> of_row(at_index(blocks.size()));
    const auto n_texels = at_index(texels.cols.size());
    for_each_row(texels, [&](int plane, int texel_row) {
        const Range rows = cells_of_texels(Range::at(texel_row), level, node.shape.rows);
        survey(i, plane, rows, buffers);
        std::fill(result, result + n_texels, -std::numeric_limits<float>::infinity());
        for (int row = rows.begin; row < rows.end; ++row) {
            reduce_row_to_maxima(overview.maxima(plane, row, kept) + blocks.begin, blocks.size(), up,
                                 overview.row(plane, row).has_nan, of_row.data());
            if (is_seen_through_scores(i)) {
                const RowSum sum = unstored(i).row_sums[flat_row(node.shape, plane, row)];
                weights_of_row(of_row.data(), texels.cols.size(), sum.shift, sum.sum, of_row.data());
            }
            // Once it is no number, it stays so.
            for (std::size_t k = 0; k < n_texels; ++k)
                result[k] = of_row[k] > result[k] || std::isnan(of_row[k]) ? of_row[k] : result[k];
        }
        result += n_texels;
    });
}

void Workspace::reduce_cells(int i, const Block& texels, const Seen& seen, float* result) const {
    const Node& node = program_.node(i);
    const Range cols = cells_of_texels(texels.cols, seen.level, node.shape.cols);
    RowBuffers buffers;
    for_each_row(texels, [&](int plane, int texel_row) {
        TexelRow row_of_texels(texels.cols, seen.level, node.shape.cols, seen.reduction);
        const Range all_rows = cells_of_texels(Range::at(texel_row), seen.level, node.shape.rows);
        for_each_part(all_rows, node.shape.cols, [&](Range rows) {
            buffers.release_all();
            const Block part{Range::at(plane), rows, cols};
            float* cells = buffers.take(at_index(rows.size()) * at_index(node.shape.cols));
            fill(i, part, cells, buffers);
            const OutputView<float> filled{cells, {part.planes, rows, {0, node.shape.cols}}};
            for (int row = rows.begin; row < rows.end; ++row) row_of_texels.add(filled.row(plane, row) + cols.begin);
        });
        row_of_texels.write(result);
        result += texels.cols.size();
    });
}

} // namespace lab
