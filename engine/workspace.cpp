#include "engine/workspace.h"

#include <algorithm>
#include <cassert>

namespace lab {

namespace {

std::size_t at_index(int index) { return static_cast<std::size_t>(index); }

// Numbers of a row block that stay in the second cache from step to step.
constexpr int kCachedNumbers = 200 * 1024;
// The kernels' tiles are this many rows high or a divisor of it; a block has at most so many of them: more are not worth more.
constexpr int kTileRows = 12, kMostTiles = 4;
// Of operands that are computed where they are read, so many numbers at once, which stay in the first cache.
constexpr int kNearNumbers = 4 * 1024;

// A view of rows of one plane, as if the whole tensor were there.
ConstView<float> rows_as_whole(const float* cells, const Shape& shape, int plane, int first_row) {
    const std::ptrdiff_t before = (static_cast<std::ptrdiff_t>(plane) * shape.rows + first_row) * shape.cols;
    return {cells - before, shape};
}

} // namespace

float* RowBuffers::take(std::size_t n_cells) {
    if (n_taken_ == buffers_.size()) buffers_.emplace_back();
    Cells& buffer = buffers_[n_taken_++];
    if (buffer.size() < n_cells) buffer.resize(n_cells);
    return buffer.data();
}

// A step of a pass and what is shared by all its blocks.
struct Workspace::Bound {
    int node;
    std::unique_ptr<const Runner> runner; // none: the step's own forward
};

Workspace::Workspace(Program program, ThreadPool* threads)
    : program_(std::move(program)), plan_(make_plan(program_)), threads_(threads) {
    cells_.resize(program_.nodes.size());
    calls_.resize(program_.nodes.size());
    buffers_.resize(at_index(threads ? threads->n_threads() : 1));
}

std::vector<ConstView<float>> Workspace::views_of_operands(int node) const {
    std::vector<ConstView<float>> views;
    for (int operand : program_.node(node).operands) views.push_back(view(operand));
    return views;
}

std::vector<ConstView<float>> Workspace::operands(int i, int plane, Range rows, RowBuffers& buffers) const {
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
        const int of_plane = shared_plane(plane, shape.planes, node.shape.planes);
        const Block block{Range::at(of_plane), rows, {0, shape.cols}};
        float* cells = buffers.take(block.size());
        const std::vector<ConstView<float>> read = operands(operand, of_plane, rows, buffers);
        program_.node(operand).step->forward(read, block, {cells, block});
        views.push_back(rows_as_whole(cells, shape, of_plane, rows.begin));
    }
    return views;
}

// Whether all operands are stored, so that a block of any size can be computed at once.
bool Workspace::reads_whole(int node) const {
    const std::vector<int>& operands = program_.node(node).operands;
    return std::all_of(operands.begin(), operands.end(), [&](int operand) { return is_stored(operand); });
}

void Workspace::compute(int i, const Block& block, OutputView<float> result, RowBuffers& buffers) const {
    const Step& step = *program_.node(i).step;
    if (reads_whole(i)) return step.forward(views_of_operands(i), block, result);
    for_each_row(block, [&](int plane, int row) {
        buffers.release_all();
        const Block one_row{Range::at(plane), Range::at(row), block.cols};
        step.forward(operands(i, plane, one_row.rows, buffers), one_row, result);
    });
}

std::vector<Workspace::Bound> Workspace::bind(const Plan::Pass& pass, Range planes) const {
    std::vector<Bound> steps;
    for (int i : pass) {
        if (!is_stored(i)) continue;
        const Node& node = program_.node(i);
        steps.push_back({i, node.step->runner(views_of_operands(i), planes, {0, node.shape.cols})});
    }
    return steps;
}

void Workspace::run_rows(const std::vector<Bound>& steps, int plane, Range rows, RowBuffers& buffers) {
    for (const Bound& step : steps) {
        const Node& node = program_.node(step.node);
        const int n_near = reads_whole(step.node) ? rows.size() : std::max(1, kNearNumbers / node.shape.cols);
        for (int row = rows.begin; row < rows.end; row += n_near) {
            const Range near{row, std::min(row + n_near, rows.end)};
            buffers.release_all();
            const std::vector<ConstView<float>> read = operands(step.node, plane, near, buffers);
            const Block block{Range::at(plane), near, {0, node.shape.cols}};
            const OutputView<float> result{cells(step.node).data(), Block::all(node.shape)};
            if (step.runner)
                step.runner->run(read, block, result);
            else
                node.step->forward(read, block, result);
        }
    }
}

void Workspace::forward(int i, const Call& call) {
    program_.node(i).step->forward(call.operands, call.block, call.result);
}

// What takes less time than preparing it is prepared once.
void Workspace::run_small(int i) {
    const Shape& shape = program_.node(i).shape;
    cells(i).resize(shape.size());
    Call& call = calls_[at_index(i)];
    call = {views_of_operands(i), Block::all(shape), {cells(i).data(), Block::all(shape)}};
    forward(i, call);
}

void Workspace::run(const Plan::Pass& pass) {
    const int first = pass.front();
    if (const Call& call = calls_[at_index(first)]; call.result.data) return forward(first, call);
    if (pass.size() == 1 && !is_stored(first)) return;
    if (pass.size() == 1 && program_.node(first).shape.size() < kLargeTensor && reads_whole(first))
        return run_small(first);
    for (int i : pass) {
        if (is_stored(i)) cells(i).resize(program_.node(i).shape.size());
    }
    const Shape& shape = program_.node(pass.back()).shape;
    int n_widest = 1;
    for (int i : pass) n_widest = std::max(n_widest, program_.node(i).shape.cols);
    const int n_rows = std::clamp(kCachedNumbers / n_widest / kTileRows, 1, kMostTiles) * kTileRows;
    const int n_blocks = (shape.rows + n_rows - 1) / n_rows;
    const std::vector<Bound> steps = bind(pass, {0, shape.planes});
    const auto task = [&](int index, int thread) {
        const int plane = index / n_blocks, row = index % n_blocks * n_rows;
        run_rows(steps, plane, {row, std::min(row + n_rows, shape.rows)}, buffers_[at_index(thread)]);
    };
    if (threads_) return threads_->run(shape.planes * n_blocks, task);
    for (int index = 0; index < shape.planes * n_blocks; ++index) task(index, 0);
}

} // namespace lab
