#include "engine/trace.h"

#include <algorithm>
#include <cmath>

#include "engine/sources.h"

namespace lab {

namespace {

std::size_t at_index(int index) { return static_cast<std::size_t>(index); }

} // namespace

std::unique_ptr<Source> Trace::source(int i) const {
    if (workspace_.is_stored(i)) return std::make_unique<StoredSource>(workspace_.view(i));
    return std::make_unique<ComputedSource>(workspace_, i);
}

float Trace::at(int node, Cell cell) const { return source(node)->at(cell); }

Trace::Extent Trace::extent(int i) const {
    if (workspace_.has_overview(i)) return workspace_.extent(i);
    std::optional<Extent>& known = extents_[at_index(i)];
    if (known) return *known;
    bool any = false;
    Extent extent;
    const std::unique_ptr<Source> source = this->source(i);
    std::vector<float> row(at_index(source->shape().cols));
    for_each_row(Block::all(source->shape()), [&](int plane, int at) {
        source->read({Range::at(plane), Range::at(at), {0, source->shape().cols}}, row.data());
        for (float value : row) {
            if (!std::isfinite(value)) continue;
            extent =
                any ? Extent{std::min(extent.least, value), std::max(extent.greatest, value)} : Extent{value, value};
            any = true;
        }
    });
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
    const auto read =
        workspace_.operands(i, {Range::at(cell.plane), Range::at(cell.row), Range::at(cell.col)}, buffers);
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
        const auto read = workspace_.operands(i, {Range::at(plane), Range::at(row), {0, node.shape.cols}}, buffers);
        of_row = {true, node.step->notice(read, plane, row)};
    }
    return of_row.notice;
}

} // namespace lab
