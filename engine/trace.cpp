#include "engine/trace.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "engine/sources.h"

namespace lab {

std::unique_ptr<Source> Trace::source(int i) const {
    if (const std::optional<float> value = constant(i)) return std::make_unique<ConstantSource>(node(i).shape, *value);
    if (workspace_.is_stored(i)) return std::make_unique<StoredSource>(workspace_.view(i));
    return std::make_unique<ComputedSource>(workspace_, i);
}

// An operand that the update has come by vouches for all that it is made of, since passes are in the order of operands.
bool Trace::has_pending_operand(int i) const {
    const std::vector<int>& operands = node(i).operands;
    return std::any_of(operands.begin(), operands.end(), [&](int operand) { return is_pending(operand); });
}

bool Trace::can_read_ahead(int i) const {
    return is_pending(i) && is_made_of_unstored(i) && !is_missing(i) && !has_pending_operand(i);
}

void Trace::read_ahead(int i, int plane, std::span<const int> rows, float* cells) const {
    assert(can_read_ahead(i));
    workspace_.compute_rows(i, plane, rows, cells);
}

float Trace::at(int node, Cell cell) const { return source(node)->at(cell); }

Trace::Extent Trace::extent(int i) const { return known_extent(i).extent(); }

bool Trace::has_seen_finite(int i) const { return !known_extent(i).is_empty(); }

const ExtentSum& Trace::known_extent(int i) const {
    KnownExtent& known = extents_[at_index(i)];
    const bool is_seen_in_rows = workspace_.has_overview(i);
    const unsigned n_surveys = is_seen_in_rows ? workspace_.n_surveys() : 0;
    if (known.value && known.n_surveys == n_surveys) return *known.value;
    known.n_surveys = n_surveys;
    known.typical.reset();
    known.value = is_seen_in_rows ? workspace_.extent(i) : extent_of_rows(i, known.rows);
    return *known.value;
}

void Trace::survey(int i, int plane, Range rows) const {
    if (workspace_.has_overview(i) && !is_missing(i)) workspace_.survey(i, plane, rows);
}

bool Trace::can_derive(int i) const {
    return is_complete() || !(workspace_.is_missing(i) || workspace_.has_missing_operand(i));
}

std::optional<float> Trace::constant(int i) const {
    if (node(i).is_leaf()) return std::nullopt;
    return is_missing(i) ? 0.0f : node(i).step->constant();
}

// Looks only at rows that are not known, and at none of what is one number everywhere.
ExtentSum Trace::extent_of_rows(int i, std::vector<std::optional<ExtentSum>>& rows) const {
    if (const std::optional<float> value = constant(i)) {
        ExtentSum everywhere;
        everywhere.add_finite(&*value, node(i).shape.n_cells() > 0 ? 1 : 0);
        return everywhere;
    }
    const Shape& shape = node(i).shape;
    const std::unique_ptr<Source> computed = workspace_.is_stored(i) ? nullptr : source(i);
    std::vector<float> of_row(computed ? at_index(shape.cols) : 0);
    const auto cells_of = [&](int plane, int row) {
        if (!computed) return workspace_.view(i).row(plane, row);
        computed->read({Range::at(plane), Range::at(row), {0, shape.cols}}, of_row.data());
        return static_cast<const float*>(of_row.data());
    };
    rows.resize(n_flat_rows(shape));
    ExtentSum all;
    for_each_row(Block::all(shape), [&](int plane, int row) {
        std::optional<ExtentSum>& known = rows[flat_row(shape, plane, row)];
        if (!known) known.emplace().add_finite(cells_of(plane, row), shape.cols);
        all.add(*known);
    });
    return all;
}

// Of every row that is known and has a finite number.
std::vector<Extent> Trace::row_extents(int i) const {
    if (workspace_.has_overview(i)) return workspace_.overview(i).row_extents();
    if (constant(i)) return {extent(i)};
    const std::vector<std::optional<ExtentSum>>& rows = extents_[at_index(i)].rows;
    std::vector<Extent> extents;
    extents.reserve(rows.size());
    for (const std::optional<ExtentSum>& row : rows)
        if (row && !row->is_empty()) extents.push_back(row->extent());
    return extents;
}

float Trace::typical_magnitude(int i) const {
    if (node(i).presentation.non_negative) return 0;
    extent(i); // so that rows are known
    std::optional<float>& typical = extents_[at_index(i)].typical;
    if (!typical) typical = lab::typical_magnitude(row_extents(i));
    return *typical;
}

Expression Trace::derive(int i, Cell cell) const {
    const Node& node = this->node(i);
    if (node.is_leaf()) return Expression::cell({i, cell}, at(i, cell));
    if (!can_derive(i)) return Expression::given(static_cast<double>(at(i, cell)), "still to be computed", {});
    RowBuffers buffers;
    const auto read =
        workspace_.operands(i, {Range::at(cell.plane), Range::at(cell.row), Range::at(cell.col)}, buffers);
    Expression expression = node.step->derive(read, cell);
    rename_sources(expression, node.operands);
    return expression;
}

std::vector<Trace::Feed> Trace::feeds(int i, Cell cell) const {
    std::vector<Region> changed(program().nodes.size());
    changed[at_index(i)] = Block::at(cell);
    std::vector<Feed> found;
    for (int consumer : program().consumers(i)) found.push_back({consumer, reached_cells(consumer, changed)});
    return found;
}

bool Trace::reaches(int i, Cell cell, int other, Cell other_cell) const {
    assert(i >= 0 && other >= 0);
    if (other <= i) return false;
    std::vector<Region> reached(at_index(other) + 1);
    reached[at_index(i)] = Block::at(cell);
    for (int k = i + 1; k <= other; ++k) reached[at_index(k)] = reached_cells(k, reached);
    return reached[at_index(other)].contains(other_cell);
}

Trace::RowNotice& Trace::notice_of_row(int i, int plane, int row) const {
    const Shape& shape = node(i).shape;
    std::vector<RowNotice>& known = notices_[at_index(i)];
    known.resize(at_index(shape.planes) * at_index(shape.rows));
    return known[at_index(plane * shape.rows + row)];
}

std::optional<Notice> Trace::notice(int i, int plane, int row) const {
    const Node& node = this->node(i);
    if (node.is_leaf() || !can_derive(i)) return std::nullopt;
    RowNotice& of_row = notice_of_row(i, plane, row);
    if (!of_row.is_known) {
        RowBuffers buffers;
        const auto read = workspace_.operands(i, {Range::at(plane), Range::at(row), {0, node.shape.cols}}, buffers);
        of_row.notice = node.step->notice(read, plane, row);
        of_row.is_known = true;
    }
    return of_row.notice;
}

bool Trace::has_all_keys_masked(int i, int plane, int row) const {
    RowNotice& of_row = notice_of_row(i, plane, row);
    if (!of_row.is_known && !of_row.has_key) {
        const std::optional<bool> known = workspace_.has_key(i, plane, row);
        of_row.has_key = known ? *known : at(i, {plane, row, 0}) > 0;
    }
    return !of_row.has_key && notice(i, plane, row) == Notice::all_keys_masked;
}

} // namespace lab
