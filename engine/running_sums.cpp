#include "engine/running_sums.h"

#include <algorithm>
#include <utility>

#include "engine/kernels/rows.h"

namespace lab {

namespace {

constexpr int kMostRowsOfABlock = 8; // a change of more rows is one of columns
constexpr int kMostRowsApart = 8;    // to compute some of one of them takes as long as of so many more

} // namespace

std::vector<RunningSums> RunningSums::of(const Workspace& workspace) {
    std::vector<RunningSums> found;
    const Program& program = workspace.program();
    for (int i = 0; i < static_cast<int>(program.nodes.size()); ++i) {
        const Node& node = program.node(i);
        if (node.is_leaf() || workspace.is_stored(i) || !node.step->has_row_sums()) continue;
        const std::vector<int> consumers = program.consumers(i);
        if (consumers.size() != 1 || !workspace.is_stored(consumers[0])) continue;
        const Node& product = program.node(consumers[0]);
        const bool reads_first = product.operands.size() == 2 && product.operands[0] == i && product.operands[1] != i;
        const bool are_rows_stored = reads_first && workspace.is_stored(product.operands[1]);
        if (!are_rows_stored || product.shape.planes != node.shape.planes) continue;
        if (product.step->term_row(workspace.views_of_operands(consumers[0]), 0, 0).empty()) continue;
        found.emplace_back(i, consumers[0]);
    }
    return found;
}

// The scores, and what they are made of row by row, as far as somebody looks at it or columns of others are made of its own.
std::vector<int> RunningSums::nodes_to_follow(const Workspace& workspace) const {
    const Program& program = workspace.program();
    std::vector<int> nodes{program.node(weights_).operands[0]};
    for (std::size_t k = 0; k < nodes.size(); ++k) {
        if (workspace.is_stored(nodes[k])) continue;
        for (int operand : program.node(nodes[k]).operands) {
            if (!workspace.is_stored(operand)) nodes.push_back(operand);
        }
    }
    std::vector<int> followed;
    for (int node : nodes) {
        const bool is_column_of_reader = std::any_of(followed.begin(), followed.end(), [&](int reader) {
            return workspace.reads_column(reader) && program.node(reader).operands[0] == node;
        });
        if (node == nodes[0] || workspace.unstored(node).overview || is_column_of_reader) followed.push_back(node);
    }
    return followed;
}

bool RunningSums::follows(int node) const {
    if (is_prepared_ && node == weights_) return true;
    return is_prepared_ && std::any_of(before_.begin(), before_.end(), [&](const Column& c) { return c.node == node; });
}

// Which rows and which terms an update reaches.
bool RunningSums::collect_terms(const Workspace& workspace, const std::vector<Region>& reached) {
    const Program& program = workspace.program();
    const Node& node = program.node(weights_);
    const int scores = node.operands[0], weighed = program.node(product_).operands[1];
    is_run_again_.assign(n_flat_rows(node.shape), 0);
    terms_.clear();
    const auto add_terms = [&](Range some) {
        for (int j = some.begin; j < some.end && terms_.size() <= kMostTerms; ++j) {
            if (std::find(terms_.begin(), terms_.end(), j) == terms_.end()) terms_.push_back(j);
        }
    };
    for (const Block& block : reached[at_index(scores)].blocks()) {
        if (block.rows.size() > kMostRowsOfABlock) {
            add_terms(block.cols);
            continue;
        }
        for_each_row(block, [&](int plane, int row) { is_run_again_[flat_row(node.shape, plane, row)] = 1; });
    }
    for (const Block& block : reached[at_index(weighed)].blocks()) add_terms(block.rows);
    for (std::size_t k = 1; k < node.operands.size(); ++k) {
        if (!reached[at_index(node.operands[k])].empty()) return false; // a sink
    }
    return terms_.size() <= kMostTerms;
}

bool RunningSums::prepare(const Workspace& workspace, const std::vector<Region>& reached) {
    is_prepared_ = false;
    before_.clear();
    const Program& program = workspace.program();
    const Node &weights = program.node(weights_), &product = program.node(product_);
    const bool is_reached =
        !reached[at_index(weights.operands[0])].empty() || !reached[at_index(product.operands[1])].empty();
    if (!is_reached) {
        after_.clear();
        return false;
    }
    // After another program was taken up there may be rows of the product, but no sums of theirs.
    const bool has_run = workspace.is_computed(product_) && !workspace.unstored(weights_).row_sums.empty();
    if (!has_run || !collect_terms(workspace, reached)) {
        forget_all();
        return false;
    }
    std::vector<Column> columns;
    for (int node : nodes_to_follow(workspace)) {
        for (int term : terms_) columns.push_back({node, term, {}});
    }
    before_ = with_cells(workspace, std::move(columns), std::exchange(after_, {}));
    weighed_before_.clear();
    const std::vector<ConstView<float>> read = workspace.views_of_operands(product_);
    for (int plane = 0; plane < product.shape.planes; ++plane) {
        for (int term : terms_) {
            const std::span<const float> row = product.step->term_row(read, plane, term);
            weighed_before_.insert(weighed_before_.end(), row.begin(), row.end());
        }
    }
    return is_prepared_ = true;
}

// Takes the sums of a row up from what its last run left.
void RunningSums::take_up_row(const Workspace& workspace, std::size_t row) {
    const Shape& shape = workspace.program().node(product_).shape;
    const double z = static_cast<double>(workspace.unstored(weights_).row_sums[row].sum);
    sums_[row] = {z, z};
    const float* from = workspace.view(product_).data + row * at_index(shape.cols);
    double* to = products_.data() + row * at_index(shape.cols);
    for (int d = 0; d < shape.cols; ++d) to[d] = static_cast<double>(from[d]) * z;
}

// Of every row; what it says of one whose sum is not known is not used.
std::vector<float> RunningSums::powers_of(const Workspace& workspace, const Column& scores) const {
    std::vector<float> powers(scores.cells.size());
    powers_in_rows(scores.cells.data(), workspace.unstored(weights_).row_sums.data(), static_cast<int>(powers.size()),
                   workspace.program().node(weights_).shape.cols, powers.data());
    return powers;
}

// False: the row is to be run again.
bool RunningSums::move_row(Workspace& workspace, std::size_t row, const std::vector<Term>& terms) {
    const Node& product = workspace.program().node(product_);
    const int n = product.shape.cols;
    Unstored& kept = workspace.unstored(weights_);
    if (!kept.has_row_sum[row] || !(kept.row_sums[row].sum > 0)) return false;
    if (sums_[row].z_of_run == 0) take_up_row(workspace, row);
    double* const a = products_.data() + row * at_index(n);
    double z = sums_[row].z;
    for (const Term& term : terms) {
        if (!(term.gained[row] < kGreatestTerm)) return false; // a NaN, too
        const auto gained = static_cast<double>(term.gained[row]), lost = static_cast<double>(term.lost[row]);
        z += gained - lost;
        exchange_term(a, n, gained, term.weighed_now, lost, term.weighed_before);
    }
    if (!(z > kLeastShare * sums_[row].z_of_run)) return false;
    has_drifted_ = true;
    sums_[row].z = z;
    kept.row_sums[row].sum = static_cast<float>(z);
    return scale_sums(a, n, 1 / z, workspace.cells(product_).data() + row * at_index(n));
}

// Columns that are known, or computed: from the last on, since of what others are made comes behind them.
std::vector<RunningSums::Column> RunningSums::with_cells(const Workspace& workspace, std::vector<Column> columns,
                                                         std::vector<Column> known) {
    const auto find = [](std::vector<Column>& among, int node, int col) -> Column* {
        const auto found = std::find_if(among.begin(), among.end(), [&](const Column& column) {
            return column.node == node && column.col == col && !column.cells.empty();
        });
        return found == among.end() ? nullptr : &*found;
    };
    for (auto column = columns.rbegin(); column != columns.rend(); ++column) {
        if (Column* const before = find(known, column->node, column->col)) {
            column->cells = std::move(before->cells);
            continue;
        }
        const Node& node = workspace.program().node(column->node);
        const Column* const first =
            workspace.reads_column(column->node) ? find(columns, node.operands[0], column->col) : nullptr;
        column->cells.resize(n_flat_rows(node.shape));
        workspace.compute_column(column->node, column->col, first ? first->cells.data() : nullptr, column->cells.data(),
                                 buffers_);
    }
    return columns;
}

void RunningSums::collect_columns_after(const Workspace& workspace) {
    after_.clear();
    for (const Column& before : before_) after_.push_back({before.node, before.col, {}});
    after_ = with_cells(workspace, std::move(after_), {});
    int last_noted = -1;
    for (std::size_t k = 0; k < before_.size(); ++k) {
        const int node = before_[k].node;
        Overview* const overview = workspace.unstored(node).overview.get();
        if (!overview) continue;
        follow_overview(workspace, before_[k], after_[k]);
        if (node != last_noted) overview->note_change();
        last_noted = node;
    }
}

void RunningSums::follow_overview(const Workspace& workspace, const Column& before, const Column& after) {
    Overview& overview = *workspace.unstored(before.node).overview;
    const Shape& shape = overview.shape();
    std::vector<Cell> without_block;
    for (int plane = 0; plane < shape.planes; ++plane) {
        const bool keeps_maxima = overview.keeps_maxima(plane);
        for (int row = 0; row < shape.rows; ++row) {
            if (!overview.row(plane, row).is_known) continue;
            const std::size_t index = flat_row(shape, plane, row);
            const Cell cell{plane, row, before.col};
            const auto replaced = overview.replace(cell, before.cells[index], after.cells[index], keeps_maxima);
            if (replaced == Overview::Replaced::lost) overview.forget_row(plane, row);
            if (replaced == Overview::Replaced::without_block) without_block.push_back(cell);
        }
    }
    record_blocks(workspace, before.node, before.col >> overview.level(), without_block);
}

// Rows close to each other together with those between them.
void RunningSums::record_blocks(const Workspace& workspace, int node, int block, const std::vector<Cell>& rows) {
    Overview& overview = *workspace.unstored(node).overview;
    const Range cols = overview.cells_of_block(block);
    std::vector<float> cells;
    for (std::size_t first = 0, end = 0; first < rows.size(); first = end) {
        const auto is_close = [&] {
            return rows[end].plane == rows[first].plane && rows[end].row - rows[end - 1].row <= kMostRowsApart;
        };
        for (end = first + 1; end < rows.size() && is_close();) ++end;
        const Block together{Range::at(rows[first].plane), {rows[first].row, rows[end - 1].row + 1}, cols};
        cells.resize(together.size());
        workspace.compute(node, together, {cells.data(), together}, buffers_);
        for (std::size_t i = first; i < end; ++i) {
            const std::size_t at = at_index(rows[i].row - rows[first].row) * at_index(cols.size());
            overview.record_block(rows[i].plane, rows[i].row, block, {cells.data() + at, at_index(cols.size())});
        }
    }
}

// The scores' columns are the first of all columns that are followed.
std::vector<RunningSums::Term> RunningSums::exchanged_terms(const Workspace& workspace) const {
    std::vector<Term> terms;
    for (std::size_t t = 0; t < terms_.size(); ++t)
        terms.push_back({powers_of(workspace, before_[t]), powers_of(workspace, after_[t])});
    return terms;
}

void RunningSums::find_weighed_rows(const Workspace& workspace, int plane, std::vector<Term>& terms) const {
    const Node& product = workspace.program().node(product_);
    const std::vector<ConstView<float>> read = workspace.views_of_operands(product_);
    for (std::size_t t = 0; t < terms.size(); ++t) {
        terms[t].weighed_before =
            weighed_before_.data() + (at_index(plane) * terms.size() + t) * at_index(product.shape.cols);
        terms[t].weighed_now = product.step->term_row(read, plane, terms_[t]).data();
    }
}

std::vector<Cell> RunningSums::apply(Workspace& workspace) {
    const Shape& shape = workspace.program().node(product_).shape;
    if (sums_.empty()) {
        sums_.resize(n_flat_rows(shape));
        products_.resize(shape.size());
    }
    collect_columns_after(workspace);
    std::vector<Term> terms = exchanged_terms(workspace);
    std::vector<Cell> run_again;
    for (int plane = 0; plane < shape.planes; ++plane) {
        find_weighed_rows(workspace, plane, terms);
        for (int row = 0; row < shape.rows; ++row) {
            const std::size_t index = flat_row(shape, plane, row);
            if (!is_run_again_[index] && move_row(workspace, index, terms)) continue;
            run_again.push_back({plane, row, 0});
            forget_row(workspace, run_again.back());
        }
    }
    is_prepared_ = false;
    return run_again;
}

void RunningSums::forget_all() {
    sums_.clear();
    after_.clear();
    is_prepared_ = false;
}

void RunningSums::note_all_run() {
    forget_all();
    has_drifted_ = false;
}

void RunningSums::forget_row(const Workspace& workspace, Cell row) {
    if (!sums_.empty()) sums_[flat_row(workspace.program().node(product_).shape, row.plane, row.row)] = {};
    workspace.forget_sum(weights_, row.plane, row.row);
}

} // namespace lab
