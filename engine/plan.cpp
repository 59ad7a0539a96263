#include "engine/plan.h"

#include <algorithm>

namespace lab {

namespace {

bool is_of_pairs(const Node& node) {
    const Axis cols = node.presentation.cols;
    return node.presentation.rows == Axis::queries &&
           (cols == Axis::keys || cols == Axis::new_keys || cols == Axis::past_keys);
}

bool are_scores(const Program& program, int i) {
    const Node& node = program.node(i);
    return !node.is_leaf() && !node.step->factor_columns(program.operand_shapes(i), 0).empty();
}

class Planner {
  public:
    Planner(const Program& program, const MostStored& most_stored)
        : program_(program), most_stored_(most_stored), is_placed_(program.nodes.size(), false) {
        for (int i = 0; i < n_nodes(); ++i)
            n_heads_ += are_scores(program, i) ? at_index(program.node(i).shape.planes) : 0;
    }

    Plan make() && {
        for (int i = 0; i < n_nodes(); ++i) plan_.is_stored.push_back(is_stored(i));
        for (int i = 0; i < n_nodes(); ++i) {
            if (program_.node(i).is_leaf()) place({i});
        }
        for (int i = 0; i < n_nodes(); ++i) {
            if (!is_placed(i)) place(pass_from(i));
        }
        return std::move(plan_);
    }

  private:
    int n_nodes() const { return static_cast<int>(program_.nodes.size()); }
    bool is_placed(int node) const { return is_placed_[static_cast<std::size_t>(node)]; }
    bool is_kept(int node) const { return plan_.is_stored[static_cast<std::size_t>(node)]; }

    void place(Plan::Pass pass) {
        for (int node : pass) is_placed_[static_cast<std::size_t>(node)] = true;
        plan_.passes.push_back(std::move(pass));
    }

    // What is light or too large is not stored if all that read it ask for the row that they compute.
    bool is_stored(int i) const {
        const Node& node = program_.node(i);
        if (!node.stored || node.is_leaf()) return node.stored;
        const bool is_too_large = is_left_out(i);
        const bool is_light = node.step->is_light() && node.shape.n_cells() >= kLargeTensor;
        if (!is_too_large && !is_light) return true;
        const std::vector<int> consumers = program_.consumers(i);
        if (consumers.empty()) return !is_too_large;
        return !std::all_of(consumers.begin(), consumers.end(),
                            [&](int consumer) { return reads_rows_of(consumer, {i}); });
    }

    // Weights whose scores are computed where they are read, a factor and a mask away from those that are kept longer.
    bool comes_of_kept_scores(int i) const {
        const Node& node = program_.node(i);
        return node.step->has_row_sums() && !is_kept(node.operands[0]);
    }

    bool is_small_enough(int i) const {
        const std::uint64_t n_cells = program_.node(i).shape.n_cells();
        if (comes_of_kept_scores(i)) return n_cells <= most_stored_.weights;
        return n_cells <= most_stored_.pairs || (are_scores(program_, i) && n_cells * n_heads_ <= most_stored_.scores);
    }

    // What grows with the square of a text: numbers of pairs of tokens.
    bool is_left_out(int i) const {
        constexpr double kMostOperationsPerCell = 1024;
        const Node& node = program_.node(i);
        if (is_small_enough(i) || !is_of_pairs(node)) return false;
        const auto n_cells = static_cast<double>(node.shape.n_cells());
        return node.step->n_operations(program_.operand_shapes(i), node.shape) <= kMostOperationsPerCell * n_cells;
    }

    // Whether a node reads of these at least one, and of each the row that it computes and no other.
    bool reads_rows_of(int i, const Plan::Pass& nodes) const {
        const std::vector<int>& operands = program_.node(i).operands;
        const auto is_among = [&](int operand) {
            return std::find(nodes.begin(), nodes.end(), operand) != nodes.end();
        };
        return std::any_of(operands.begin(), operands.end(), is_among) && reads_same_rows(program_, i, nodes);
    }

    bool has_operands_placed(int i, const Plan::Pass& or_in) const {
        const std::vector<int>& operands = program_.node(i).operands;
        return std::all_of(operands.begin(), operands.end(), [&](int operand) {
            return is_placed(operand) || std::find(or_in.begin(), or_in.end(), operand) != or_in.end();
        });
    }

    bool fits(int i, const Plan::Pass& pass) const {
        const Shape &shape = program_.node(i).shape, &first = program_.node(pass.front()).shape;
        return shape.planes == first.planes && shape.rows == first.rows && reads_rows_of(i, pass) &&
               has_operands_placed(i, pass);
    }

    // Whether several planes are computed from rows that they share: then all planes of a row go together, not all rows of a
    // plane.
    bool shares_rows(int i) const {
        const Node& node = program_.node(i);
        return node.shape.planes > 1 && !node.operands.empty() &&
               program_.node(node.operands[0]).shape.planes < node.shape.planes;
    }

    // Scores that are followed are the last that a pass stores.
    bool goes_with(int i, const Plan::Pass& pass) const {
        const bool is_read_alone = !is_kept(i) && is_left_out(i);
        if (!fits(i, pass) || !program_.node(i).stored || is_read_alone) return false;
        const auto is_followed = [&](int of_pass) { return are_scores_to_follow(program_, of_pass, most_stored_); };
        return !is_kept(i) || std::none_of(pass.begin(), pass.end(), is_followed);
    }

    // The node, and what can go with it. What it waits for on the way (a mask, say) is placed before.
    Plan::Pass pass_from(int first) {
        Plan::Pass pass{first};
        if (!is_kept(first) || program_.node(first).shape.n_cells() < kLargeTensor || shares_rows(first)) return pass;
        for (int i = first + 1; i < n_nodes(); ++i) {
            if (is_placed(i)) continue;
            if (goes_with(i, pass))
                pass.push_back(i);
            else if (has_operands_placed(i, {}))
                place({i});
        }
        return pass;
    }

    const Program& program_;
    MostStored most_stored_;
    std::uint64_t n_heads_ = 0; // of all attentions
    std::vector<bool> is_placed_;
    Plan plan_;
};

} // namespace

bool reads_same_rows(const Program& program, int i, const Plan::Pass& of) {
    const Node& node = program.node(i);
    for (std::size_t k = 0; k < node.operands.size(); ++k) {
        if (std::find(of.begin(), of.end(), node.operands[k]) == of.end()) continue;
        const bool has_same_rows = program.node(node.operands[k]).shape.rows == node.shape.rows;
        if (!has_same_rows || !node.step->reads_same_row(static_cast<int>(k))) return false;
    }
    return true;
}

bool are_scores_to_follow(const Program& program, int i, const MostStored& most_stored) {
    constexpr std::uint64_t kMostCellsAtOnce = 1 << 22; // more take longer than a frame, and are run in slices
    const std::uint64_t n_cells = program.node(i).shape.n_cells();
    return n_cells > most_stored.weights && n_cells <= kMostCellsAtOnce && are_scores(program, i);
}

Plan make_plan(const Program& program, const MostStored& most_stored) { return Planner(program, most_stored).make(); }

} // namespace lab
