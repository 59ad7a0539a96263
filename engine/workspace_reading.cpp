// How tensors that are not stored are read.
#include "engine/kernels/rows.h"
#include "engine/row_parts.h"
#include "engine/workspace.h"

#include <algorithm>
#include <cassert>

namespace lab {

namespace {

// Columns of a runner that hold these.
Range aligned(Range cols, int n_cols) {
    constexpr int k = Runner::kRunnerColumns;
    return {cols.begin / k * k, std::min((cols.end + k - 1) / k * k, n_cols)};
}

} // namespace

std::vector<ConstView<float>> Workspace::operands(int i, const Block& block, RowBuffers& buffers) const {
    std::vector<ConstView<float>> views;
    for (std::size_t k = 0; k < program_.node(i).operands.size(); ++k) views.push_back(operand(i, k, block, buffers));
    return views;
}

// One of them.
ConstView<float> Workspace::operand(int i, std::size_t k, const Block& block, RowBuffers& buffers) const {
    const Node& node = program_.node(i);
    const int operand = node.operands[k];
    if (is_stored(operand)) return view(operand);
    assert(node.step->reads_same_row(static_cast<int>(k)));
    const Shape& shape = program_.node(operand).shape;
    Block read{Range::at(shared_plane(block.planes.begin, shape.planes, node.shape.planes)), block.rows, block.cols};
    if (!node.step->reads_same_cell(static_cast<int>(k))) read.cols = {0, shape.cols};
    float* cells = buffers.take(at_index(read.rows.size()) * at_index(shape.cols));
    fill(operand, read, cells, buffers);
    return rows_as_whole(cells, shape, read.planes.begin, read.rows.begin);
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
            weights_in_row(read[0].row(plane, row) + block.cols.begin, block.cols.size(), sum, node.shape.cols,
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
    Unstored& kept = unstored(i);
    if (kept.is_laid_out) return kept.runner.get();
    const Node& node = program_.node(i);
    for (std::size_t k = 0; k < node.operands.size(); ++k) {
        if (node.step->reads_same_row(static_cast<int>(k))) continue;
        const std::vector<ConstView<float>> read = views_of_operands(i);
        if (!kept.runner) {
            auto runner = node.step->runner(read, {0, node.shape.planes}, {0, node.shape.cols});
            if (!runner) break; // nothing is written then: several threads may ask
            kept.runner = std::move(runner);
        }
        kept.runner->lay_out_all(read);
        kept.is_laid_out = true;
        break;
    }
    return kept.runner.get();
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

int Workspace::n_rows_at_once(int i, int n_rows) const {
    const int n_cols = program_.node(i).shape.cols;
    if (to_lay_out(i).n_cells >= at_index(n_cols)) return n_rows;
    return std::clamp(kNearNumbers / n_cols, 1, std::max(n_rows, 1));
}

void Workspace::compute(int i, const Block& block, OutputView<float> result, RowBuffers& buffers) const {
    const Step& step = *program_.node(i).step;
    const bool is_narrow = block.cols.size() < Runner::kRunnerColumns;
    const bool is_plain = is_stored(i) || (!step.has_row_sums() && (is_narrow || !kept_runner(i)));
    if (is_plain && reads_whole(i)) return step.forward(views_of_operands(i), block, result);
    const int n_cols = program_.node(i).shape.cols;
    if (is_stored(i) && block.cols == Range{0, n_cols}) {
        if (const std::optional<WithFactor> other = with_factor(i))
            return other->runner->run(other->read, block, result);
    }
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

bool Workspace::reads_column(int i) const {
    const Node& node = program_.node(i);
    if (node.operands.empty() || is_stored(node.operands[0]) || node.step->has_row_sums()) return false;
    return node.step->reads_same_cell(0) && program_.node(node.operands[0]).shape == node.shape;
}

void Workspace::compute_column(int i, int col, const float* of_first, float* cells, RowBuffers& buffers) const {
    const Node& node = program_.node(i);
    const Shape& shape = node.shape;
    const OutputView<float> result{cells, {{0, shape.planes}, {0, shape.rows}, Range::at(col)}};
    if (!of_first) return compute(i, result.held, result, buffers);
    assert(reads_column(i));
    for (int plane = 0; plane < shape.planes; ++plane) {
        for_each_part({0, shape.rows}, shape.cols, [&](Range rows) {
            buffers.release_all();
            float* const first = buffers.take(at_index(rows.size()) * at_index(shape.cols));
            const float* from = of_first + flat_row(shape, plane, rows.begin);
            for (int k = 0; k < rows.size(); ++k) first[k * std::ptrdiff_t{shape.cols} + col] = from[k];
            const Block part{Range::at(plane), rows, Range::at(col)};
            std::vector<ConstView<float>> read{rows_as_whole(first, shape, plane, rows.begin)};
            for (std::size_t k = 1; k < node.operands.size(); ++k) read.push_back(operand(i, k, part, buffers));
            node.step->forward(read, part, result);
        });
    }
}

// What is kept of rows is kept row by row.
void Workspace::compute_rows(int i, int plane, std::span<const int> rows, float* cells) const {
    prepare(i);
    const int n_cols = program_.node(i).shape.cols;
    share_out(static_cast<int>(rows.size()), [&](int index, int thread) {
        const Block row{Range::at(plane), Range::at(rows[at_index(index)]), {0, n_cols}};
        compute(i, row, {cells + at_index(index) * at_index(n_cols), row}, buffers_[at_index(thread)]);
    });
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
    rows = without_ends(rows, [&](int row) { return unstored(i).has_row_sum[flat_row(node.shape, plane, row)] != 0; });
    if (rows.empty()) return;
    float* cells = buffers.take(at_index(rows.size()) * at_index(node.shape.cols));
    fill(i, {Range::at(plane), rows, {0, node.shape.cols}}, cells, buffers);
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
        if (is_whole_row && block.rows.size() == node.shape.rows) kept.is_laid_out = false;
        if (kept.is_laid_out && !is_whole_row) kept.runner->renew(views_of_operands(i), block.planes, block.cols);
        const bool is_followed = !is_whole_row || node.step->has_row_sums();
        if (follows_columns && is_followed) continue;
        for_each_row(block, [&](int plane, int row) {
            if (kept.overview) kept.overview->forget_row(plane, row);
            forget_sum(i, plane, row);
        });
    }
}

} // namespace lab
