#include "engine/running_scores.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/kernels/rows.h"
#include "engine/row_parts.h"

namespace lab {

namespace {

constexpr std::size_t kLeastColumnsOfTerm = 4; // a product of fewer for each term is run as soon as it is followed
constexpr int kRowsOfTask = 32;

std::vector<float> read_column(const ConstView<float>& view, const Step::FactorColumns::Column& column) {
    std::vector<float> cells;
    cells.reserve(at_index(view.shape.rows));
    for (int row = 0; row < view.shape.rows; ++row) cells.push_back(view.row(column.plane, row)[column.col]);
    return cells;
}

// Whether what is reached of a factor are columns, be it part by part, and not single rows.
bool are_columns(const Region& region, const Shape& shape) {
    int n_rows = 0;
    for (const Block& block : region.blocks()) n_rows += block.rows.size();
    return 2 * n_rows >= shape.rows;
}

bool reaches(const Region& region, const Step::FactorColumns::Column& column) {
    return std::any_of(region.blocks().begin(), region.blocks().end(), [&](const Block& block) {
        return block.planes.contains(column.plane) && block.cols.contains(column.col);
    });
}

// NaN where one of them is.
float greatest_magnitude(const std::vector<float>& numbers) {
    float greatest = 0;
    for (const float number : numbers) {
        if (!(std::fabs(number) <= greatest || std::isnan(greatest))) greatest = std::fabs(number);
    }
    return greatest;
}

} // namespace

std::vector<RunningScores> RunningScores::of(const Workspace& workspace, const MostStored& most_stored) {
    std::vector<RunningScores> found;
    const Program& program = workspace.program();
    for (int i = 0; i < static_cast<int>(program.nodes.size()); ++i) {
        const bool is_at_hand = workspace.is_stored(i) && workspace.reads_whole(i);
        if (is_at_hand && are_scores_to_follow(program, i, most_stored)) found.emplace_back(i);
    }
    return found;
}

RunningScores* RunningScores::find(std::vector<RunningScores>& among, int scores) {
    const auto found =
        std::find_if(among.begin(), among.end(), [&](const RunningScores& each) { return each.scores_ == scores; });
    return found == among.end() ? nullptr : &*found;
}

void RunningScores::prepare(const Workspace& workspace, const std::vector<Region>& reached) {
    terms_.clear();
    const Program& program = workspace.program();
    const Node& node = program.node(scores_);
    const auto reached_of = [&](std::size_t k) -> const Region& { return reached[at_index(node.operands[k])]; };
    if (!workspace.is_computed(scores_) || reached_of(0).empty() == reached_of(1).empty()) return;
    const std::size_t operand = reached_of(0).empty() ? 1 : 0;
    const ConstView<float> view = workspace.view(node.operands[operand]);
    if (!are_columns(reached_of(operand), view.shape)) return;
    for (int plane = 0; plane < node.shape.planes; ++plane) {
        const auto columns = node.step->factor_columns(program.operand_shapes(scores_), plane);
        const std::size_t n_most = std::min(kMostTerms, columns.size() / kLeastColumnsOfTerm), n_before = terms_.size();
        for (const Step::FactorColumns& pair : columns) {
            const auto& column = pair.of_operand[operand];
            if (!reaches(reached_of(operand), column)) continue;
            if (terms_.size() - n_before == n_most) return forget_terms();
            terms_.push_back({plane, operand, pair, read_column(view, column)});
        }
    }
}

RunningScores::Outer RunningScores::outer_product(const Workspace& workspace, const Term& term) const {
    const std::vector<ConstView<float>> read = workspace.views_of_operands(scores_);
    const auto column = [&](std::size_t k) { return read_column(read[k], term.columns.of_operand[k]); };
    Outer outer{column(0), column(1)};
    std::vector<float>& difference = term.operand == 0 ? outer.u : outer.v;
    for (std::size_t i = 0; i < difference.size(); ++i) difference[i] -= term.before[i];
    return outer;
}

// Returns which rows a term has changed.
Range RunningScores::add(Workspace& workspace, const Term& term) {
    const Shape& shape = workspace.program().node(scores_).shape;
    const Outer outer = outer_product(workspace, term);
    const float greatest_of_v = greatest_magnitude(outer.v);
    if (greatest_magnitude(outer.u) * greatest_of_v == 0) return {};
    note_drift(workspace);
    const auto changes = [&](int row) { return outer.u[at_index(row)] != 0 || !std::isfinite(greatest_of_v); };
    const auto add_to_row = [&](int row) {
        const float u = outer.u[at_index(row)];
        const std::size_t index = flat_row(shape, term.plane, row);
        float* const cells = workspace.cells(scores_).data() + index * at_index(shape.cols);
        greatest_[index] = add_multiple(u, outer.v.data(), shape.cols, cells);
        magnitudes_[index] += greatest_[index] + std::fabs(u) * greatest_of_v;
    };
    const Range rows = without_ends({0, shape.rows}, [&](int row) { return !changes(row); });
    workspace.share_out((rows.size() + kRowsOfTask - 1) / kRowsOfTask, [&](int task, int) {
        const int first = rows.begin + task * kRowsOfTask;
        for (int row = first; row < std::min(first + kRowsOfTask, rows.end); ++row) {
            if (changes(row)) add_to_row(row);
        }
    });
    return rows;
}

RunningScores::Applied RunningScores::apply(Workspace& workspace) {
    const Shape& shape = workspace.program().node(scores_).shape;
    Applied applied;
    for (const Term& term : std::exchange(terms_, {})) {
        const Range rows = add(workspace, term);
        if (!rows.empty()) applied.changed.add({Range::at(term.plane), rows, {0, shape.cols}});
    }
    for (int plane = 0; plane < shape.planes && has_drifted(); ++plane) {
        for (int row = 0; row < shape.rows; ++row) {
            const std::size_t index = flat_row(shape, plane, row);
            if (magnitudes_[index] <= kMostOfGreatest * greatest_[index] && std::isfinite(greatest_[index])) continue;
            magnitudes_[index] = greatest_[index] = 0;
            applied.run_again.push_back({plane, row, 0});
        }
    }
    if (applied.run_again.size() == n_flat_rows(shape)) note_all_run();
    return applied;
}

void RunningScores::take_drift_from(RunningScores& other) {
    magnitudes_ = std::move(other.magnitudes_);
    greatest_ = std::move(other.greatest_);
}

void RunningScores::note_drift(const Workspace& workspace) {
    const std::size_t n_rows = n_flat_rows(workspace.program().node(scores_).shape);
    magnitudes_.resize(n_rows);
    greatest_.resize(n_rows);
}

void RunningScores::note_all_run() {
    terms_.clear();
    magnitudes_.clear();
    greatest_.clear();
}

} // namespace lab
