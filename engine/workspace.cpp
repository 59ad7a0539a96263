#include "engine/workspace.h"

#include <algorithm>
#include <cassert>

#include "engine/row_parts.h"

namespace lab {

namespace {

// Numbers of a row block. More of them than the second cache holds are worth it: the longer the text, the more it costs to read
// the other factor anew for every block.
constexpr int kNumbersOfBlock = 800 * 1024;
// The kernels' tiles are this many rows high or a divisor of it; a block has at most so many of them: more are not worth more. At
// least two, for every row of the other factor is fetched from afar then; but one where a task would take so many operations
// that input waits for it.
constexpr int kTileRows = 12, kLeastTiles = 2, kMostTiles = 4;
constexpr double kMostOperationsOfTask = 6.4e7;
// Of a step by itself, which keeps nothing in the cache but its first operand's rows.
constexpr int kMostTilesAlone = 8;

// Scores and as many weights stay in the third cache, which products reach without asking ahead: 16 MiB of each.
constexpr std::size_t kMostCellsNear = 1 << 22;

// Of what is laid out for the next tasks, 16 MiB: of the matrices of weights of a layer, and as much again where only the memory stays.
constexpr std::uint64_t kMostCellsLaidOut = 1 << 22;

int parts_of(int n, int n_each) { return (n + n_each - 1) / n_each; }

} // namespace

float* RowBuffers::take(std::size_t n_cells) {
    if (n_taken_ == buffers_.size()) buffers_.emplace_back();
    ScratchCells& buffer = buffers_[n_taken_++];
    if (buffer.size() < n_cells) buffer = ScratchCells(n_cells);
    return buffer.data();
}

Workspace::Workspace(Program program, ThreadPool* threads, const MostStored& most_stored, const NearPass& near)
    : program_(std::move(program)), plan_(make_plan(program_, most_stored)), threads_(threads), near_(near) {
    cells_.resize(program_.nodes.size());
    is_computed_.resize(program_.nodes.size());
    unstored_.resize(program_.nodes.size());
    calls_.resize(program_.nodes.size());
    laid_out_.resize(program_.nodes.size());
    buffers_.resize(at_index(threads ? threads->n_threads() : 1));
}

std::vector<ConstView<float>> Workspace::views_of_operands(int node) const {
    std::vector<ConstView<float>> views;
    for (int operand : program_.node(node).operands) views.push_back(view(operand));
    return views;
}

void Workspace::take_cells_from(Workspace& other, int node_there, int node) {
    cells(node) = std::move(other.cells(node_there));
    is_computed_[at_index(node)] = other.is_computed_[at_index(node_there)];
}

void Workspace::take_unstored_from(Workspace& other, int node_there, int node) {
    assert(!is_stored(node) && !other.is_stored(node_there));
    unstored(node) = std::move(other.unstored(node_there));
}

bool Workspace::is_missing(int node) const { return is_stored(node) ? !is_computed(node) : has_missing_operand(node); }

bool Workspace::has_missing_operand(int node) const {
    const std::vector<int>& operands = program_.node(node).operands;
    return std::any_of(operands.begin(), operands.end(), [&](int operand) { return is_missing(operand); });
}

bool Workspace::reads_whole(int node) const {
    const std::vector<int>& operands = program_.node(node).operands;
    return std::all_of(operands.begin(), operands.end(), [&](int operand) { return is_stored(operand); });
}

void Workspace::run_part(const Tasks::Part& part, Operands<float> read, const Block& block,
                         const OutputView<float>& result) const {
    if (part.runner)
        part.runner->run(read, block, result);
    else
        program_.node(part.node).step->forward(read, block, result);
}

void Workspace::run_rows(const Tasks& tasks, Range planes, Range rows, RowBuffers& buffers) {
    for (std::size_t k = 0; k < tasks.parts.size(); ++k) {
        if (tasks.first_near == k) {
            const Range cols{0, program_.node(tasks.parts[k].node).shape.cols};
            run_near(NearParts(&tasks.parts[k], kNearParts), {planes, rows, cols}, buffers);
            k += kNearParts - 1;
            continue;
        }
        const Tasks::Part& part = tasks.parts[k];
        const Node& node = program_.node(part.node);
        OutputView<float> result{cells(part.node).data(), Block::all(node.shape)};
        const int next = k + 1 < tasks.parts.size() ? tasks.parts[k + 1].node : -1;
        if (next >= 0 && program_.node(next).shape == node.shape && node.shape.n_cells() > kMostCellsNear)
            result.next = cells(next).data();
        if (part.whole) {
            run_part(part, *part.whole, {planes, rows, {0, node.shape.cols}}, result);
            continue;
        }
        // Operands that are computed where they are read are read from the first cache.
        const int n_near = part.runner ? rows.size() : n_rows_at_once(part.node, rows.size());
        for_each_rows(rows, n_near, [&](Range near_rows) {
            buffers.release_all();
            const Block block{planes, near_rows, {0, node.shape.cols}};
            run_part(part, operands(part.node, block, buffers), block, result);
        });
    }
}

// Neighbours together.
void Workspace::run_rows(const Tasks& tasks, const std::vector<Cell>& rows) {
    ++n_surveys_;
    for (std::size_t k = 0; k < rows.size();) {
        std::size_t end = k + 1;
        const auto goes_on = [&] {
            return end < rows.size() && rows[end].plane == rows[k].plane && rows[end].row == rows[end - 1].row + 1 &&
                   static_cast<int>(end - k) < tasks.n_rows;
        };
        while (goes_on()) ++end;
        run_rows(tasks, Range::at(rows[k].plane), {rows[k].row, rows[end - 1].row + 1}, buffers_[0]);
        k = end;
    }
}

// A few one by one: what their step reads as a whole it would otherwise lay out, which takes longer than some rows.
void Workspace::run_rows(int i, const std::vector<Cell>& rows) {
    constexpr int kMostAlone = 4; // of a plane, on average
    const Shape& shape = program_.node(i).shape;
    if (rows.empty()) return;
    if (rows.size() > at_index(kMostAlone * shape.planes)) return run_rows(tasks_of({i}), rows);
    ++n_surveys_;
    const OutputView<float> result{cells(i).data(), Block::all(shape)};
    for (const Cell& row : rows)
        compute(i, {Range::at(row.plane), Range::at(row.row), {0, shape.cols}}, result, buffers_[0]);
}

// Of the operands that a step reads as a whole.
Workspace::ToLayOut Workspace::to_lay_out(int i) const {
    const Node& node = program_.node(i);
    ToLayOut all;
    for (std::size_t k = 0; k < node.operands.size(); ++k) {
        if (node.step->reads_same_row(static_cast<int>(k))) continue;
        const Node& operand = program_.node(node.operands[k]);
        all.is_given = all.is_given && operand.is_leaf();
        all.n_cells += operand.shape.n_cells();
    }
    return all;
}

// The memory that something was laid out in stays for the next tasks, where that is not too much: in a page, whose memory never shrinks,
// what is given back between the steps of a drag is soon in pieces. What was laid out of matrices of weights stays with it.
std::shared_ptr<Runner> Workspace::runner_of(int i) {
    LaidOut& kept = laid_out_[at_index(i)];
    if (kept.is_current) return kept.runner;
    const Node& node = program_.node(i);
    const std::vector<ConstView<float>> read = views_of_operands(i);
    std::shared_ptr<Runner> runner = kept.runner;
    if (!runner) runner = node.step->runner(read, {0, node.shape.planes}, {0, node.shape.cols});
    if (!runner) return nullptr;
    if (threads_)
        threads_->run(runner->n_parts(), [&](int part, int) { runner->lay_out(read, part); });
    else
        runner->lay_out_all(read);
    const ToLayOut laid_out = to_lay_out(i);
    if (!kept.runner) {
        std::uint64_t& n_cells = laid_out.is_given ? n_cells_laid_out_ : n_cells_of_memory_;
        if (n_cells + laid_out.n_cells > kMostCellsLaidOut) return runner;
        n_cells += laid_out.n_cells;
    }
    kept = {runner, laid_out.is_given};
    return runner;
}

void Workspace::note_change_of_leaf(int leaf) {
    for (int i = 0; i < static_cast<int>(laid_out_.size()); ++i) {
        const std::vector<int>& operands = program_.node(i).operands;
        if (std::find(operands.begin(), operands.end(), leaf) != operands.end())
            laid_out_[at_index(i)].is_current = false;
    }
}

// Whether several planes are computed from the same rows, which are then read once for all.
bool Workspace::shares_rows(int i) const {
    const Node& node = program_.node(i);
    return node.shape.planes > 1 && reads_whole(i) && program_.node(node.operands[0]).shape.planes == 1;
}

int Workspace::n_rows_of_task(const std::vector<Tasks::Part>& parts) const {
    const bool is_alone = parts.size() == 1 && parts.front().whole.has_value();
    int n_widest = 1;
    double n = 0;
    for (const Tasks::Part& part : parts) {
        const Node& node = program_.node(part.node);
        n += n_operations_of(part.node);
        n_widest = std::max(n_widest, node.shape.cols);
        for (int operand : node.operands) {
            if (is_alone || !is_stored(operand)) n_widest = std::max(n_widest, program_.node(operand).shape.cols);
        }
    }
    const double per_row = n / static_cast<double>(n_flat_rows(program_.node(parts.front().node).shape));
    const int n_allowed = static_cast<int>(kMostOperationsOfTask / std::max(per_row, 1.0) / kTileRows);
    const int n_most = std::clamp(n_allowed, 1, is_alone ? kMostTilesAlone : kMostTiles);
    return std::min(std::max(kNumbersOfBlock / n_widest / kTileRows, kLeastTiles), n_most) * kTileRows;
}

// A factor that what it reads is multiplied by may be left to its own step: then nothing is written to be read once.
std::optional<Workspace::WithFactor> Workspace::with_factor(int i) const {
    const Node& node = program_.node(i);
    const int multiplied = node.operands[0];
    const Node& read = program_.node(multiplied);
    const std::optional<float> factor = is_stored(multiplied) ? std::nullopt : read.step->factor();
    if (!factor || !reads_whole(multiplied)) return std::nullopt;
    const auto is_other_stored = [&](int operand) { return operand == multiplied || is_stored(operand); };
    if (!std::all_of(node.operands.begin(), node.operands.end(), is_other_stored)) return std::nullopt;
    WithFactor step{views_of_operands(i), node.step->runner_with_factor(*factor)};
    if (!step.runner) return std::nullopt;
    step.read.front() = view(read.operands[0]);
    return step;
}

Workspace::Tasks::Part Workspace::make_part(int i) {
    prepare(i);
    Tasks::Part part{i, {}, runner_of(i)};
    if (reads_whole(i)) {
        part.whole = views_of_operands(i);
        return part;
    }
    if (part.runner) return part;
    if (std::optional<WithFactor> step = with_factor(i)) {
        part.whole = std::move(step->read);
        part.runner = std::move(step->runner);
    }
    return part;
}

// How many blocks of rows each of so many groups of planes is cut into, at least `n_blocks`: more where threads would otherwise wait
// for the last one, as far as each still has rows for a tile.
int Workspace::n_blocks_for_threads(int n_blocks, int n_groups, int n_rows) const {
    const int n_most = parts_of(n_rows, kTileRows);
    for (int n = n_blocks; n <= std::min(n_blocks + n_threads(), n_most); ++n) {
        if (n * n_groups % n_threads() == 0) return n;
    }
    return n_blocks;
}

Workspace::Tasks Workspace::tasks_of(const Plan::Pass& pass) {
    Tasks tasks;
    for (int i : pass) {
        if (is_stored(i)) take_cells(i);
    }
    for (int i : pass) {
        if (is_stored(i)) tasks.parts.push_back(make_part(i));
    }
    if (tasks.parts.empty()) return tasks;
    const Shape& shape = program_.node(pass.back()).shape;
    const Tasks::Part& first = tasks.parts.front();
    const bool takes_all_planes = tasks.parts.size() == 1 && first.runner && shares_rows(first.node);
    tasks.n_planes = takes_all_planes ? shape.planes : 1;
    tasks.n_rows = n_rows_of_task(tasks.parts);
    for (std::size_t k = 0; k + kNearParts <= tasks.parts.size() && !tasks.first_near; ++k) {
        const NearParts parts(&tasks.parts[k], kNearParts);
        if (is_worth_near(parts, tasks.n_rows) && can_run_near(parts)) tasks.first_near = k;
    }
    tasks.n_rows_of_node = shape.rows;
    tasks.n_blocks =
        n_blocks_for_threads(parts_of(shape.rows, tasks.n_rows), shape.planes / tasks.n_planes, shape.rows);
    tasks.n = shape.planes / tasks.n_planes * tasks.n_blocks;
    return tasks;
}

Range Workspace::Tasks::planes(int task) const {
    const int first = task / n_blocks * n_planes;
    return {first, first + n_planes};
}

// As many tiles as another task, or one more.
Range Workspace::Tasks::rows(int task) const {
    const int block = task % n_blocks, n_tiles = parts_of(n_rows_of_node, kTileRows);
    const auto first_row = [&](int of) {
        const auto tile = static_cast<int>(std::int64_t{of} * n_tiles / n_blocks);
        return std::min(tile * kTileRows, n_rows_of_node);
    };
    return {first_row(block), first_row(block + 1)};
}

void Workspace::run_task(const Tasks& tasks, int task, int thread) {
    run_rows(tasks, tasks.planes(task), tasks.rows(task), buffers_[at_index(thread)]);
}

void Workspace::share_out(int n, const ThreadPool::Task& task) const {
    ++n_surveys_;
    if (threads_) return threads_->run(n, task);
    for (int index = 0; index < n; ++index) task(index, 0);
}

void Workspace::run(const Tasks& tasks, Range which) {
    share_out(which.size(), [&](int index, int thread) { run_task(tasks, which.begin + index, thread); });
}

double Workspace::n_operations(const Plan::Pass& pass) const {
    double n = 0;
    for (int i : pass) {
        if (!program_.node(i).is_leaf() && is_stored(i)) n += n_operations_of(i);
    }
    return n;
}

// With what it reads that is not stored.
double Workspace::n_operations_of(int i) const {
    const Node& node = program_.node(i);
    double n = node.step->n_operations(program_.operand_shapes(i), node.shape);
    for (int operand : node.operands) {
        if (!is_stored(operand)) n += n_operations_of(operand);
    }
    return n;
}

} // namespace lab
