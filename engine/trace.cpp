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
bool are_comparable(const Node& x, const Node& y) { return x.shape == y.shape && x.stored == y.stored; }

// Whether `node` of one program computes what `other` of another did, given equal operands.
bool same_computation(const Program& a, int node, const Program& b, int other) {
    const Node& x = a.node(node);
    const Node& y = b.node(other);
    if (!are_comparable(x, y) || x.is_leaf() != y.is_leaf()) return false;
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
Trace::Before Trace::take_before(const Program& next) {
    Before before{std::move(program_), std::move(tensors_), std::move(cells_), std::move(extents_),
                  std::move(notices_)};
    for (int i = 0; i < static_cast<int>(before.cells.size()); ++i) {
        const int now = next.find(before.program.node(i).name);
        const bool goes_on = now >= 0 && are_comparable(next.node(now), before.program.node(i));
        if (!goes_on) std::vector<float>().swap(before.cells[at_index(i)]);
    }
    return before;
}

UpdateReport Trace::update(const Program& program, const Tensors& tensors) {
    Program next = program; // it may be this trace's own
    Before before = take_before(next);
    program_ = std::move(next);
    tensors_ = tensors;
    cells_.assign(program_.nodes.size(), {});
    extents_.assign(program_.nodes.size(), {});
    notices_.assign(program_.nodes.size(), {});
    UpdateReport report;
    for (int i = 0; i < static_cast<int>(program_.nodes.size()); ++i) update_node(i, before, report);
    return report;
}

UpdateReport Trace::update(const Tensors& tensors) { return update(program_, tensors); }

void Trace::update_node(int i, Before& before, UpdateReport& report) {
    const Node& node = program_.node(i);
    const int old = before.program.find(node.name);
    const bool reusable = old >= 0 && same_computation(program_, i, before.program, old);
    Region region = Block::all(node.shape);
    if (old >= 0) cells_[at_index(i)] = std::move(before.cells[at_index(old)]);
    if (reusable) {
        region = node.is_leaf() ? difference(before.tensors.at(node.name), tensors_.at(node.name))
                                : reached_cells(i, report.changed);
    }
    if (reusable && region.empty()) notices_[at_index(i)] = std::move(before.notices[at_index(old)]);
    report.changed.push_back(refresh(i, region, report));
    if (reusable && report.changed.back().empty()) extents_[at_index(i)] = before.extents[at_index(old)];
}

// The cells of a node that the changes of its operands reach.
Region Trace::reached_cells(int i, const std::vector<Region>& changed) const {
    const Node& node = program_.node(i);
    const std::vector<ConstView<float>> operands = operand_views(node);
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
    const Node& node = program_.node(i);
    if (!node.stored) return region;
    std::vector<float>& cells = cells_[at_index(i)];
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
    const Node& node = program_.node(i);
    const OutputView<float> result{cells_[at_index(i)].data(), Block::all(node.shape)};
    if (!node.is_leaf()) {
        node.step->forward(operand_views(node), block, result);
        return;
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
    StoredSource(view(i)).read(block, scratch_.data());
}

// The cells of the block whose bits differ from the copy: per run of rows one box of columns.
Region Trace::differing_cells(int i, const Block& block) const {
    const ConstView<float> after = view(i);
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

ConstView<float> Trace::view(int node) const { return {cells_[at_index(node)].data(), program_.node(node).shape}; }

std::vector<ConstView<float>> Trace::operand_views(const Node& node) const {
    std::vector<ConstView<float>> views;
    for (int operand : node.operands) {
        assert(program_.node(operand).stored);
        views.push_back(view(operand));
    }
    return views;
}

std::unique_ptr<Source> Trace::source(int i) const {
    const Node& node = program_.node(i);
    if (node.stored) return std::make_unique<StoredSource>(view(i));
    return std::make_unique<ComputedSource>(node, operand_views(node));
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
    const Node& node = program_.node(i);
    if (node.is_leaf()) return Expression::cell({i, cell}, at(i, cell));
    Expression expression = node.step->derive(operand_views(node), cell);
    rename_sources(expression, node.operands);
    return expression;
}

std::vector<Trace::Feed> Trace::feeds(int i, Cell cell) const {
    std::vector<Feed> found;
    for (int consumer : program_.consumers(i)) {
        const Node& node = program_.node(consumer);
        const std::vector<ConstView<float>> operands = operand_views(node);
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
    const Node& node = program_.node(i);
    if (node.is_leaf()) return std::nullopt;
    std::vector<RowNotice>& known = notices_[at_index(i)];
    known.resize(at_index(node.shape.planes) * at_index(node.shape.rows));
    RowNotice& of_row = known[at_index(plane * node.shape.rows + row)];
    if (!of_row.is_known) of_row = {true, node.step->notice(operand_views(node), plane, row)};
    return of_row.notice;
}

} // namespace lab
