#include "engine/trace.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>

#include "engine/sources.h"

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

std::vector<float> read_all(const Source& source) {
    std::vector<float> cells(source.shape().size());
    source.read(Block::all(source.shape()), cells.data());
    return cells;
}

// Memory that the next program has no use for is freed before more is asked for.
Trace::Before Trace::take_before(const Workspace& next) {
    Before before{std::move(workspace_), std::move(tensors_), std::move(extents_), std::move(notices_)};
    Workspace& old = before.workspace;
    for (int i = 0; i < static_cast<int>(old.program().nodes.size()); ++i) {
        const int now = next.program().find(old.program().node(i).name);
        const bool goes_on = now >= 0 && are_comparable(next, now, old, i);
        if (!goes_on) std::vector<float>().swap(old.cells(i));
    }
    return before;
}

UpdateReport Trace::update(const Program& program, const Tensors& tensors) {
    Workspace next(program, threads_); // the program may be this trace's own
    Before before = take_before(next);
    workspace_ = std::move(next);
    tensors_ = tensors;
    const std::size_t n_nodes = workspace_.program().nodes.size();
    extents_.assign(n_nodes, {});
    notices_.assign(n_nodes, {});
    UpdateReport report;
    report.changed.resize(n_nodes);
    for (const Plan::Pass& pass : workspace_.plan().passes) update_pass(pass, before, report);
    return report;
}

UpdateReport Trace::update(const Tensors& tensors) { return update(program(), tensors); }

void Trace::run_again() {
    for (const Plan::Pass& pass : workspace_.plan().passes) {
        if (!node(pass.front()).is_leaf()) workspace_.run(pass);
    }
}

// Whether the cells of before are those of now but for what the operands' changes reach.
bool Trace::is_reusable(int i, const Before& before) const {
    const int old = before.workspace.program().find(node(i).name);
    return old >= 0 && same_computation(workspace_, i, before.workspace, old);
}

// Steps that are computed wholly run together, and what differs is not looked for; else one after another, where reached.
void Trace::update_pass(const Plan::Pass& pass, Before& before, UpdateReport& report) {
    const int first = pass.front();
    const auto reached_wholly = [&] {
        const std::vector<Block> reached = reached_cells(first, report.changed).blocks();
        return reached.size() == 1 && reached[0] == Block::all(node(first).shape);
    };
    if (pass.size() > 1 && (!is_reusable(first, before) || reached_wholly())) {
        for (int i : pass) {
            const int old = before.workspace.program().find(node(i).name);
            if (old >= 0) workspace_.cells(i) = std::move(before.workspace.cells(old));
        }
        return run_whole(pass, report);
    }
    for (int i : pass) update_node(i, before, report);
}

void Trace::run_whole(const Plan::Pass& pass, UpdateReport& report) {
    workspace_.run(pass);
    for (int i : pass) {
        report.changed[at_index(i)] = Block::all(node(i).shape);
        if (workspace_.is_stored(i)) report.n_cells_computed += node(i).shape.size();
    }
}

void Trace::update_node(int i, Before& before, UpdateReport& report) {
    const int old = before.workspace.program().find(node(i).name);
    const bool reusable = is_reusable(i, before);
    if (old >= 0) workspace_.cells(i) = std::move(before.workspace.cells(old));
    const bool is_large = node(i).shape.size() >= kLargeTensor;
    if (workspace_.cells(i).empty() && workspace_.is_stored(i) && !node(i).is_leaf() && is_large)
        return run_whole({i}, report);
    Region region = Block::all(node(i).shape);
    if (reusable) {
        region = node(i).is_leaf() ? difference(before.tensors.at(node(i).name), tensors_.at(node(i).name))
                                   : reached_cells(i, report.changed);
    }
    if (reusable && region.empty()) notices_[at_index(i)] = std::move(before.notices[at_index(old)]);
    Region& changed = report.changed[at_index(i)];
    changed = refresh(i, region, report);
    if (reusable && changed.empty()) extents_[at_index(i)] = before.extents[at_index(old)];
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
    std::vector<float>& cells = workspace_.cells(i);
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

std::unique_ptr<Source> Trace::source(int i) const {
    if (workspace_.is_stored(i)) return std::make_unique<StoredSource>(workspace_.view(i));
    return std::make_unique<ComputedSource>(workspace_, i);
}

float Trace::at(int node, Cell cell) const { return source(node)->at(cell); }

Trace::Extent Trace::extent(int i) const {
    std::optional<Extent>& known = extents_[at_index(i)];
    if (known) return *known;
    bool any = false;
    Extent extent;
    for (float value : read_all(*source(i))) {
        if (!std::isfinite(value)) continue;
        extent = any ? Extent{std::min(extent.least, value), std::max(extent.greatest, value)} : Extent{value, value};
        any = true;
    }
    known = extent;
    return extent;
}

namespace {

void rename_sources(Expression& expression, const std::vector<int>& operands) {
    if (expression.kind == Expression::Kind::cell) {
        expression.source.tensor = operands[at_index(expression.source.tensor)];
    }
    for (Expression& part : expression.parts) rename_sources(part, operands);
}

} // namespace

Expression Trace::derive(int i, Cell cell) const {
    const Node& node = this->node(i);
    if (node.is_leaf()) return Expression::cell({i, cell}, at(i, cell));
    RowBuffers buffers;
    const auto read = workspace_.operands(i, cell.plane, Range::at(cell.row), buffers);
    Expression expression = node.step->derive(read, cell);
    rename_sources(expression, node.operands);
    return expression;
}

std::vector<Trace::Feed> Trace::feeds(int i, Cell cell) const {
    std::vector<Feed> found;
    for (int consumer : program().consumers(i)) {
        const Node& node = this->node(consumer);
        const std::vector<ConstView<float>> operands = workspace_.views_of_operands(consumer);
        Region cells;
        for (std::size_t operand = 0; operand < node.operands.size(); ++operand) {
            if (node.operands[operand] != i) continue;
            cells.add(node.step->reach_in(operands, node.shape, static_cast<int>(operand), Block::at(cell)));
        }
        found.push_back({consumer, cells});
    }
    return found;
}

std::optional<Notice> Trace::notice(int i, int plane, int row) const {
    const Node& node = this->node(i);
    if (node.is_leaf()) return std::nullopt;
    std::vector<RowNotice>& known = notices_[at_index(i)];
    known.resize(at_index(node.shape.planes) * at_index(node.shape.rows));
    RowNotice& of_row = known[at_index(plane * node.shape.rows + row)];
    if (!of_row.is_known) {
        RowBuffers buffers;
        const auto read = workspace_.operands(i, plane, Range::at(row), buffers);
        of_row = {true, node.step->notice(read, plane, row)};
    }
    return of_row.notice;
}

} // namespace lab
