// In which order an update goes through the passes, and how far it is.
#include <algorithm>
#include <utility>

#include "engine/trace.h"

namespace lab {

namespace {

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

bool drifted_in(const std::vector<RunningSums>& all, int weights) {
    return std::any_of(all.begin(), all.end(),
                       [&](const RunningSums& sums) { return sums.weights() == weights && sums.has_drifted(); });
}

// False: scores that are not followed now hold rounding, so that nothing would run them afresh.
bool take_drift(RunningScores* before, RunningScores* now) {
    if (before && now) now->take_drift_from(*before);
    return now || !before || !before->has_drifted();
}

} // namespace

UpdateReport Trace::update(const Program& program, const Tensors& tensors) {
    begin_update(program, tensors);
    return finish();
}

UpdateReport Trace::update(const Tensors& tensors) {
    begin_update(tensors);
    return finish();
}

void Trace::forget_all() {
    is_refreshing_ = false;
    next_pass_ = 0;
}

UpdateReport Trace::finish() {
    while (!is_complete()) advance();
    return take_report();
}

UpdateReport Trace::take_report() {
    UpdateReport none;
    none.changed.resize(program().nodes.size());
    return std::exchange(report_, std::move(none));
}

void Trace::begin_update(const Program& program, const Tensors& tensors) {
    leave_refreshing();
    Workspace next(program, threads_, most_stored_); // the program may be this trace's own
    Reusable reusable = adopt(std::move(next));
    take_report();
    begin(std::move(reusable), tensors);
}

void Trace::begin_update(const Tensors& tensors) {
    leave_refreshing();
    const std::size_t n_nodes = program().nodes.size();
    Reusable reusable(n_nodes, true);
    for (std::size_t i = 0; i < n_nodes; ++i) reusable[i] = !is_pending(static_cast<int>(i));
    begin(std::move(reusable), tensors);
}

// Goes over to another program and plan. Cells that it goes on from come along, whatever else was stored is freed first.
Trace::Reusable Trace::adopt(Workspace next) {
    std::vector<bool> was_pending;
    for (int i = 0; i < static_cast<int>(program().nodes.size()); ++i) was_pending.push_back(is_pending(i));
    Workspace old = std::exchange(workspace_, std::move(next));
    workspace_.count_surveys_from(old);
    is_long_ = n_operations_from(0) > kMostAtOnce;
    const std::size_t n_nodes = program().nodes.size();
    auto old_extents = std::exchange(extents_, std::vector<KnownExtent>(n_nodes));
    auto old_notices = std::exchange(notices_, std::vector<std::vector<RowNotice>>(n_nodes));
    const std::vector<RunningSums> old_sums = std::exchange(running_sums_, RunningSums::of(workspace_));
    std::vector<RunningScores> old_scores = std::exchange(running_scores_, RunningScores::of(workspace_, most_stored_));
    Reusable reusable(n_nodes, false);
    for (int i = 0; i < static_cast<int>(n_nodes); ++i) {
        const int before = old.program().find(node(i).name);
        if (before < 0 || !are_comparable(workspace_, i, old, before)) continue;
        workspace_.take_cells_from(old, before, i);
        if (was_pending[at_index(before)]) continue;
        if (!same_computation(workspace_, i, old, before)) continue;
        if (drifted_in(old_sums, before) && !note_drift(i)) continue;
        if (!take_drift(RunningScores::find(old_scores, before), RunningScores::find(running_scores_, i))) continue;
        reusable[at_index(i)] = true;
        extents_[at_index(i)] = std::move(old_extents[at_index(before)]);
        notices_[at_index(i)] = std::move(old_notices[at_index(before)]);
        if (!workspace_.is_stored(i)) workspace_.take_unstored_from(old, before, i);
    }
    return reusable;
}

// Leaves, and then what is quick.
void Trace::begin(Reusable reusable, const Tensors& tensors) {
    reusable_ = std::move(reusable);
    refresh_slices_.tasks.reset();
    prepare_to_follow(tensors);
    const Tensors before = std::exchange(tensors_, tensors);
    changed_.assign(program().nodes.size(), {});
    slices_.tasks.reset();
    for (next_pass_ = 0; !has_run_all() && node(pass_at(next_pass_).front()).is_leaf(); ++next_pass_)
        update_leaf(pass_at(next_pass_).front(), before);
    advance();
    n_operations_ = n_operations_left();
}

void Trace::advance() {
    bool ran_slice = false;
    while (!has_run_all() && !ran_slice) {
        const Plan::Pass& pass = pass_at(next_pass_);
        if (slices_.tasks || is_run_whole(pass)) {
            ran_slice = cost(pass) > kSliceOperations;
            run_slice(pass);
            continue;
        }
        if (update_step_by_step(pass)) ++next_pass_;
    }
}

// Only what is reached. False: it turned out to be so much that the pass is to be run as a whole.
bool Trace::update_step_by_step(const Plan::Pass& pass) {
    for (int i : pass) {
        if (follow_or_update(i)) continue;
        for (int each : pass) reusable_[at_index(each)] = false;
        return false;
    }
    return true;
}

bool Trace::follow_or_update(int i) {
    if (RunningSums* const sums = prepared_sums(i)) return follow_terms(*sums);
    if (RunningScores* const scores = prepared_scores(i)) return follow_columns(*scores);
    update_node(i);
    return true;
}

double Trace::n_operations_from(int first_pass) const {
    double n = 0;
    for (int pass = first_pass; pass < n_passes(); ++pass) n += workspace_.n_operations(pass_at(pass));
    return n;
}

double Trace::n_operations_left() const {
    double n = n_operations_from(next_pass_);
    if (slices_.tasks) n -= workspace_.n_operations(pass_at(next_pass_)) * slices_.next / slices_.tasks->n;
    return n;
}

double Trace::progress() const { return is_complete() ? 1 : 1 - n_operations_left() / n_operations_; }

bool Trace::is_pending(int i) const { return !is_complete() && pass_of(i) >= next_pass_; }

void Trace::run_again() { workspace_.run_all(); }

// Steps that are computed wholly run together, and what differs is not looked for; else one after another, where reached.
bool Trace::is_run_whole(const Plan::Pass& pass) const {
    const int first = pass.front();
    const Node& node = this->node(first);
    if (std::any_of(pass.begin(), pass.end(), [&](int i) { return prepared_sums(i) || prepared_scores(i); }))
        return false;
    const bool is_long = workspace_.n_operations(pass) >= kSliceOperations;
    const bool is_short = !is_long && node.shape.n_cells() < kLargeTensor;
    if (pass.size() == 1 && (!workspace_.is_stored(first) || is_short)) return false;
    const bool is_new = std::any_of(pass.begin(), pass.end(),
                                    [&](int i) { return workspace_.is_stored(i) && !workspace_.is_computed(i); });
    if (is_new || !reusable_[at_index(first)]) return true;
    if (pass.size() == 1 && !is_long) return false;
    const std::vector<Block> reached = reached_cells(first, changed_).blocks();
    if (!is_long) return reached.size() == 1 && reached[0] == Block::all(node.shape);
    // Weights that are computed where they are read are so for all columns: some take as long as all.
    const bool takes_whole_rows = !workspace_.reads_whole(first);
    double n_reached = 0;
    for (Block block : reached) {
        if (takes_whole_rows) block.cols = {0, node.shape.cols};
        n_reached += static_cast<double>(block.size());
    }
    const double share = n_reached / static_cast<double>(node.shape.n_cells());
    return share >= 0.5 || (share >= kLeastShareInSlices && share * workspace_.n_operations(pass) >= kMostAtOnce);
}

// Of a run as a whole, in operations: memory takes longer to be written, above all for the first time, than a light step to be computed.
double Trace::cost(const Plan::Pass& pass) const {
    constexpr double kOperationsPerCell = 8;
    double n_cells = 0;
    for (int i : pass) n_cells += workspace_.is_stored(i) ? static_cast<double>(node(i).shape.n_cells()) : 0;
    return workspace_.n_operations(pass) + kOperationsPerCell * n_cells;
}

// The next tasks of a pass: for each thread some milliseconds' worth, at least one. n_operations: of all.
Range Trace::next_slice(Slices& slices, const Plan::Pass& pass, double n_operations) {
    if (!slices.tasks) slices = {workspace_.tasks_of(pass), 0};
    const double share = std::min(1.0, kSliceOperations / std::max(n_operations, 1.0));
    const int n = slices.tasks->n, n_each = std::max(1, static_cast<int>(share * n));
    return {slices.next, std::min(slices.next + n_each * workspace_.n_threads(), n)};
}

// Whether it was the last.
bool Trace::run_slice(Slices& slices, Range which) {
    workspace_.run(*slices.tasks, which);
    slices.next = which.end;
    if (slices.next < slices.tasks->n) return false;
    slices.tasks.reset();
    return true;
}

// Some of a pass's tasks, or all of a small pass.
void Trace::run_slice(const Plan::Pass& pass) {
    if (!run_slice(slices_, next_slice(slices_, pass, cost(pass)))) return;
    note_whole_run(pass);
    ++next_pass_;
}

void Trace::note_whole_run(const Plan::Pass& pass) {
    for (int i : pass) {
        const bool is_stored = workspace_.is_stored(i);
        const bool is_known = reusable_[at_index(i)] && (!is_stored || workspace_.is_computed(i));
        note_change(i, is_known ? reached_cells(i, changed_) : Region(Block::all(node(i).shape)));
        if (!is_stored) {
            workspace_.invalidate(i, changed_[at_index(i)]);
            continue;
        }
        report_.n_cells_computed += node(i).shape.size();
        workspace_.note_computed(i);
    }
    for (RunningScores& scores : running_scores_) {
        if (std::find(pass.begin(), pass.end(), scores.scores()) != pass.end()) scores.note_all_run();
    }
    for (RunningSums& sums : running_sums_) {
        if (std::find(pass.begin(), pass.end(), sums.product()) == pass.end()) continue;
        const int weights = sums.weights();
        const std::vector<Block> renewed = changed_[at_index(weights)].blocks();
        const bool are_all_renewed = renewed.size() == 1 && renewed[0] == Block::all(node(weights).shape);
        are_all_renewed ? sums.note_all_run() : sums.forget_all();
    }
}

void Trace::note_change(int i, const Region& changed) {
    changed_[at_index(i)] = changed;
    report_.changed[at_index(i)].add(changed);
    forget(i, changed);
}

} // namespace lab
