#include "app/session/trace_text.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "engine/kernels/rows.h"

namespace lab {

bool is_all_numbers(const std::vector<float>& row) {
    return std::all_of(row.begin(), row.end(), [](float number) { return std::isfinite(number) || is_masked(number); });
}

std::vector<float> row_of(const Trace& trace, int node, int plane, int row) {
    const std::unique_ptr<Source> source = trace.source(node);
    std::vector<float> cells(static_cast<std::size_t>(source->shape().cols));
    source->read({Range::at(plane), Range::at(row), {0, source->shape().cols}}, cells.data());
    return cells;
}

int scores_behind(const Program& program, int i) {
    while (i >= 0 && program.node(i).presentation.role == Role::weights) {
        const std::vector<int>& operands = program.node(i).operands;
        const int from = operands.empty() || program.node(i).is_of_gradient() ? -1 : operands[0];
        if (from >= 0 && program.node(from).presentation.role == Role::scores) return from;
        i = from;
    }
    return -1;
}

bool may_have_masked_keys(const Program& program, int i) {
    const Role role = program.node(i).presentation.role;
    if (role == Role::weights) i = scores_behind(program, i);
    if (i < 0 || (role != Role::mask && role != Role::scores && role != Role::weights)) return false;
    const Node& node = program.node(i);
    if (node.is_of_gradient()) return false;
    if (node.is_leaf()) return role == Role::mask;
    const auto is_masked_by = [&](int operand) {
        return program.node(operand).presentation.role == Role::mask && may_have_masked_keys(program, operand);
    };
    return node.step->forbids_keys() || std::any_of(node.operands.begin(), node.operands.end(), is_masked_by);
}

std::vector<float> row_without_masked(const Trace& trace, int node, int plane, int row) {
    std::vector<float> numbers = row_of(trace, node, plane, row);
    mark_masked(trace, node, {Range::at(plane), Range::at(row), {0, static_cast<int>(numbers.size())}}, numbers);
    return numbers;
}

namespace {

// A weight of a masked key is 0, or no number where all of them are.
bool may_have_masked(const float* weights, int n) {
    const RowSpan span = row_span(weights, n);
    return span.least <= 0 || span.has_nan;
}

} // namespace

void mark_masked(const Trace& trace, int node, const Block& block, std::span<float> cells) {
    const int scores = scores_behind(trace.program(), node);
    if (scores < 0 || trace.program().node(scores).shape != trace.program().node(node).shape) return;
    const auto may_be_masked = [](float weight) { return weight == 0 || std::isnan(weight); };
    if (!may_have_masked(cells.data(), static_cast<int>(cells.size()))) return;
    std::vector<float> scored(cells.size());
    trace.source(scores)->read(block, scored.data());
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (may_be_masked(cells[i]) && is_masked(scored[i])) cells[i] = scored[i];
    }
}

// A weight of a masked key is 0: only texels that are need a look at the scores, and only at the box that holds them.
void mark_masked_texels(const Trace& trace, int node, const TexelBlock& block, float* texels) {
    const int scores = scores_behind(trace.program(), node);
    if (scores < 0 || trace.program().node(scores).shape != trace.program().node(node).shape) return;
    const Range rows = block.texels.rows, cols = block.texels.cols;
    const auto texel = [&](int row, int col) -> float& {
        return texels[static_cast<std::ptrdiff_t>(row - rows.begin) * cols.size() + (col - cols.begin)];
    };
    Block zeros{block.texels.planes, {rows.end, rows.begin}, {cols.end, cols.begin}};
    for_each_row(block.texels, [&](int, int row) {
        if (!may_have_masked(&texel(row, cols.begin), cols.size())) return;
        for (int col = cols.begin; col < cols.end; ++col) {
            if (texel(row, col) != 0) continue;
            zeros.rows = {std::min(zeros.rows.begin, row), row + 1};
            zeros.cols = {std::min(zeros.cols.begin, col), std::max(zeros.cols.end, col + 1)};
        }
    });
    if (zeros.empty()) return;
    std::vector<float> scored(zeros.size());
    trace.source(scores)->reduce(zeros, {block.level, Reduction::maximum, block.is_sampled}, scored.data());
    auto score = scored.begin();
    for_each_row(zeros, [&](int, int row) {
        for (int col = zeros.cols.begin; col < zeros.cols.end; ++col, ++score) {
            if (is_masked(*score)) texel(row, col) = *score;
        }
    });
}

Extremes extremes(const std::vector<float>& row) {
    Extremes found;
    const auto value = [&](int place) { return row[static_cast<std::size_t>(place)]; };
    for (int j = 0; j < static_cast<int>(row.size()); ++j) {
        if (!std::isfinite(value(j))) continue;
        if (found.highest < 0 || value(j) > value(found.highest)) found.highest = j;
        if (found.lowest < 0 || value(j) < value(found.lowest)) found.lowest = j;
    }
    return found;
}

std::vector<int> greatest_places(const std::vector<float>& row, int n) {
    std::vector<int> places;
    for (int j = 0; j < static_cast<int>(row.size()); ++j) {
        if (std::isfinite(row[static_cast<std::size_t>(j)])) places.push_back(j);
    }
    std::stable_sort(places.begin(), places.end(),
                     [&](int a, int b) { return row[static_cast<std::size_t>(a)] > row[static_cast<std::size_t>(b)]; });
    if (places.size() > static_cast<std::size_t>(n)) places.resize(static_cast<std::size_t>(n));
    return places;
}

Sums sums(const Trace& trace, int node, int plane) {
    const Shape shape = trace.program().node(node).shape;
    Sums total;
    total.of_cols.assign(static_cast<std::size_t>(shape.cols), 0.0);
    for (int row = 0; row < shape.rows; ++row) {
        double of_row = 0;
        std::size_t col = 0;
        for (float value : row_of(trace, node, plane, row)) {
            of_row += static_cast<double>(value);
            total.of_cols[col++] += static_cast<double>(value);
        }
        total.of_rows.push_back(of_row);
    }
    return total;
}

std::string row_text(const std::vector<float>& row, int most) {
    std::string text;
    int n_written = 0;
    for (float value : row) {
        if (n_written > 0) text += ", ";
        if (n_written++ == most) return "[" + text + "…]";
        text += number_text(static_cast<double>(value));
    }
    return "[" + text + "]";
}

} // namespace lab
