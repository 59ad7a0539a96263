#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

#include "engine/sources.h"
#include "engine/trace.h"

namespace lab {

namespace {

std::size_t at_index(int index) { return static_cast<std::size_t>(index); }

// Whether two nodes hold cells that can be compared one by one.
bool are_comparable(const Workspace& a, int node, const Workspace& b, int other) {
    return a.program().node(node).shape == b.program().node(other).shape && a.is_stored(node) == b.is_stored(other);
}

// Whether `node` of one program computes what `other` of another did, given equal operands.
bool same_computation(const Workspace& of_a, int node, const Workspace& of_b, int other) {
    const Program &a = of_a.program(), &b = of_b.program();
    const Node &x = a.node(node), &y = b.node(other);
    if (!are_comparable(of_a, node, of_b, other) || x.is_leaf() != y.is_leaf()) return false;
    if (x.is_leaf()) return true;
    return x.step->kind() == y.step->kind() && x.step->key() == y.step->key() &&
           a.operand_names(node) == b.operand_names(other) && a.operand_shapes(node) == b.operand_shapes(other);
}

// The columns from the first to the last that differ between two rows of a block; empty if none does.
Range differing_columns(const float* before, const float* after, Range cols) {
    const auto same = [&](int i) { return std::memcmp(before + i, after + i, sizeof(float)) == 0; };
    int first = 0;
    int last = cols.size() - 1;
    if (std::memcmp(before, after, sizeof(float) * at_index(cols.size())) == 0) return {};
    while (same(first)) ++first;
    while (same(last)) --last;
    return {cols.begin + first, cols.begin + last + 1};
}

} // namespace

UpdateReport Trace::update(const Program& program, const Tensors& tensors) {
    Workspace next(program, threads_); // the program may be this trace's own
    return bring_up_to_date(adopt(std::move(next)), tensors);
}

UpdateReport Trace::update(const Tensors& tensors) {
    return bring_up_to_date(Reusable(workspace_.program().nodes.size(), true), tensors);
}

// Goes over to another program and plan. Cells that it goes on from come along, whatever else was stored is freed first.
Trace::Reusable Trace::adopt(Workspace next) {
    Workspace old = std::exchange(workspace_, std::move(next));
    const std::size_t n_nodes = program().nodes.size();
    const auto old_extents = std::exchange(extents_, std::vector<std::optional<Extent>>(n_nodes));
    auto old_notices = std::exchange(notices_, std::vector<std::vector<RowNotice>>(n_nodes));
    Reusable reusable(n_nodes, false);
    for (int i = 0; i < static_cast<int>(n_nodes); ++i) {
        const int before = old.program().find(node(i).name);
        if (before < 0 || !are_comparable(workspace_, i, old, before)) continue;
        workspace_.cells(i) = std::move(old.cells(before));
        if (!same_computation(workspace_, i, old, before)) continue;
        reusable[at_index(i)] = true;
        extents_[at_index(i)] = old_extents[at_index(before)];
        notices_[at_index(i)] = std::move(old_notices[at_index(before)]);
    }
    return reusable;
}

UpdateReport Trace::bring_up_to_date(const Reusable& reusable, const Tensors& tensors) {
    const Tensors before = std::exchange(tensors_, tensors);
    UpdateReport report;
    report.changed.resize(program().nodes.size());
    for (const Plan::Pass& pass : workspace_.plan().passes) update_pass(pass, reusable, before, report);
    return report;
}

void Trace::run_again() {
    for (const Plan::Pass& pass : workspace_.plan().passes) {
        if (!node(pass.front()).is_leaf()) workspace_.run(pass);
    }
}

// Steps that are computed wholly run together, and what differs is not looked for; else one after another, where reached.
void Trace::update_pass(const Plan::Pass& pass, const Reusable& reusable, const Tensors& before, UpdateReport& report) {
    const int first = pass.front();
    const auto reached_wholly = [&] {
        const std::vector<Block> reached = reached_cells(first, report.changed).blocks();
        return reached.size() == 1 && reached[0] == Block::all(node(first).shape);
    };
    if (pass.size() > 1 && (!reusable[at_index(first)] || reached_wholly())) return run_whole(pass, report);
    for (int i : pass) update_node(i, reusable[at_index(i)], before, report);
}

void Trace::run_whole(const Plan::Pass& pass, UpdateReport& report) {
    workspace_.run(pass);
    for (int i : pass) {
        forget(i);
        report.changed[at_index(i)] = Block::all(node(i).shape);
        if (workspace_.is_stored(i)) report.n_cells_computed += node(i).shape.size();
    }
}

void Trace::update_node(int i, bool is_reusable, const Tensors& before, UpdateReport& report) {
    const Node& node = this->node(i);
    const bool is_large = node.shape.size() >= kLargeTensor;
    if (workspace_.cells(i).empty() && workspace_.is_stored(i) && !node.is_leaf() && is_large)
        return run_whole({i}, report);
    Region region = Block::all(node.shape);
    if (is_reusable)
        region = node.is_leaf() ? difference(before.at(node.name), tensors_.at(node.name))
                                : reached_cells(i, report.changed);
    if (region.empty()) return;
    report.changed[at_index(i)] = refresh(i, region, report);
    forget(i);
}

// What was worked out from cells that are others now.
void Trace::forget(int i) {
    extents_[at_index(i)].reset();
    notices_[at_index(i)].clear();
}

// The cells of a node that the changes of its operands reach.
Region Trace::reached_cells(int i, const std::vector<Region>& changed) const {
    const Node& node = this->node(i);
    const std::vector<ConstView<float>> operands = workspace_.views_of_operands(i);
    Region region;
    for (std::size_t operand = 0; operand < node.operands.size(); ++operand) {
        for (const Block& block : changed[at_index(node.operands[operand])].blocks()) {
            region.add(node.step->reach_in(operands, node.shape, static_cast<int>(operand), block));
        }
    }
    return region;
}

// Computes these cells of a node anew, or copies them from the document; returns those that differ from before.
Region Trace::refresh(int i, const Region& region, UpdateReport& report) {
    const Node& node = this->node(i);
    if (!workspace_.is_stored(i)) return region;
    Cells& cells = workspace_.cells(i);
    const bool is_new = cells.empty();
    cells.resize(node.shape.size());
    Region changed;
    for (const Block& block : region.blocks()) {
        if (!is_new) remember(i, block);
        compute(i, block);
        if (!node.is_leaf()) report.n_cells_computed += block.size();
        changed.add(is_new ? Region(block) : differing_cells(i, block));
    }
    return changed;
}

void Trace::compute(int i, const Block& block) {
    const Node& node = this->node(i);
    const OutputView<float> result{workspace_.cells(i).data(), Block::all(node.shape)};
    if (!node.is_leaf()) {
        RowBuffers buffers;
        return workspace_.compute(i, block, result, buffers);
    }
    const Tensor& tensor = tensors_.at(node.name);
    for_each_row(block, [&](int plane, int row) {
        const auto from = tensor.row(plane * node.shape.rows + row);
        for (int col = block.cols.begin; col < block.cols.end; ++col) result.row(plane, row)[col] = from[at_index(col)];
    });
}

// Keeps a copy of a block in `scratch_`, for differing_cells.
void Trace::remember(int i, const Block& block) {
    scratch_.resize(block.size());
    StoredSource(workspace_.view(i)).read(block, scratch_.data());
}

// The cells of the block whose bits differ from the copy: per run of rows one box of columns.
Region Trace::differing_cells(int i, const Block& block) const {
    const ConstView<float> after = workspace_.view(i);
    const float* before = scratch_.data();
    Region changed;
    Block run;
    for_each_row(block, [&](int plane, int row) {
        const Range cols = differing_columns(before, after.row(plane, row) + block.cols.begin, block.cols);
        before += block.cols.size();
        if (cols.empty()) return;
        const Block here{Range::at(plane), Range::at(row), cols};
        const bool continues = !run.empty() && run.planes == here.planes && run.rows.end == row;
        if (!continues) changed.add(run);
        run = continues ? bounding_block(run, here) : here;
    });
    changed.add(run);
    return changed;
}

} // namespace lab
