// How a trace follows small edits of long texts.
#include <algorithm>
#include <utility>

#include "engine/trace.h"

namespace lab {

namespace {

constexpr std::size_t kMostRowsRunAgain = 64; // beyond it the whole is run, in slices

// The first that has drifted, or null.
template <class All> auto* first_drifted(All& all) {
    const auto found = std::find_if(all.begin(), all.end(), [](const auto& each) { return each.has_drifted(); });
    return found == all.end() ? nullptr : &*found;
}

} // namespace

// By the steps' reach alone, before anything is computed.
std::vector<Region> Trace::cells_that_may_change(const Tensors& tensors) const {
    std::vector<Region> reached(program().nodes.size());
    for (int i = 0; i < static_cast<int>(reached.size()); ++i) {
        const Node& node = this->node(i);
        if (!node.is_leaf())
            reached[at_index(i)] = reached_cells(i, reached);
        else if (reusable_[at_index(i)])
            reached[at_index(i)] = difference(tensors_.at(node.name), tensors.at(node.name));
        else // of another program, it may be new or of another shape
            reached[at_index(i)] = Block::all(node.shape);
    }
    return reached;
}

void Trace::prepare_to_follow(const Tensors& tensors) {
    std::optional<std::vector<Region>> known;
    const auto reached = [&]() -> const std::vector<Region>& {
        return known ? *known : known.emplace(cells_that_may_change(tensors));
    };
    const auto are_up_to_date = [&](int last) { // these and all that they are made of
        return std::all_of(reusable_.begin(), reusable_.begin() + last + 1,
                           [](bool is_reusable) { return is_reusable; });
    };
    for (RunningSums& sums : running_sums_) {
        if (are_up_to_date(sums.product()))
            sums.prepare(workspace_, reached());
        else
            sums.forget_all();
    }
    for (RunningScores& scores : running_scores_) {
        if (are_up_to_date(scores.scores()))
            scores.prepare(workspace_, reached());
        else
            scores.forget_terms();
    }
}

RunningSums* Trace::prepared_sums(int product) const {
    for (RunningSums& sums : running_sums_) {
        if (sums.product() == product && sums.is_prepared()) return &sums;
    }
    return nullptr;
}

RunningScores* Trace::prepared_scores(int i) const {
    RunningScores* const scores = RunningScores::find(running_scores_, i);
    return scores && scores->is_prepared() ? scores : nullptr;
}

bool Trace::follows(int i) const {
    return std::any_of(running_sums_.begin(), running_sums_.end(),
                       [&](const RunningSums& sums) { return sums.follows(i); });
}

// False: these weights are not followed, so that nothing would run them afresh.
bool Trace::note_drift(int weights) {
    const auto of_them = std::find_if(running_sums_.begin(), running_sums_.end(),
                                      [&](const RunningSums& sums) { return sums.weights() == weights; });
    if (of_them == running_sums_.end()) return false;
    of_them->note_drift();
    return true;
}

// Terms of all rows, and whole rows where terms do not do. False: there are so many that the pass is to be run.
bool Trace::follow_terms(RunningSums& sums) {
    const std::vector<Cell> rows = sums.apply(workspace_);
    if (rows.size() > kMostRowsRunAgain) return false;
    workspace_.run_rows(sums.product(), rows);
    report_.n_cells_computed += node(sums.product()).shape.size();
    note_change(sums.product(), Block::all(node(sums.product()).shape));
    return true;
}

// Terms of few columns, and whole rows where they do not do. False: these are so many that the pass is to be run, in slices.
bool Trace::follow_columns(RunningScores& scores) {
    const int node = scores.scores();
    const RunningScores::Applied applied = scores.apply(workspace_);
    const double per_row = workspace_.n_operations({node}) / static_cast<double>(n_flat_rows(this->node(node).shape));
    if (per_row * static_cast<double>(applied.run_again.size()) > kSliceOperations / 4) return false;
    workspace_.run_rows(node, applied.run_again);
    for (const Block& block : applied.changed.blocks()) report_.n_cells_computed += block.size();
    note_change(node, applied.changed);
    return true;
}

bool Trace::has_drifted() const {
    return is_refreshing_ || first_drifted(running_scores_) || first_drifted(running_sums_);
}

// What follows from this pass on.
void Trace::begin_refreshing(int first_pass) {
    changed_.assign(program().nodes.size(), {});
    reusable_.assign(program().nodes.size(), true);
    next_pass_ = first_pass;
    is_refreshing_ = true;
}

void Trace::begin_refreshing(const RunningScores& scores) {
    for (RunningSums& sums : running_sums_) sums.forget_all(); // they were taken from what is run again
    begin_refreshing(pass_of(scores.scores()));
    for (int i : pass_at(next_pass_)) reusable_[at_index(i)] = false;
}

void Trace::go_on_refreshing() {
    advance();
    is_refreshing_ = !has_run_all();
}

// Some of what is there is fresh, and some not.
void Trace::leave_refreshing() {
    if (!std::exchange(is_refreshing_, false)) return;
    for (; !has_run_all(); ++next_pass_) {
        for (int i : pass_at(next_pass_)) {
            const Block all = Block::all(node(i).shape);
            if (!workspace_.is_stored(i)) workspace_.invalidate(i, all);
            forget(i, all);
        }
    }
    for (RunningSums& sums : running_sums_) {
        sums.forget_all();
        sums.note_drift();
    }
    for (RunningScores& scores : running_scores_) scores.note_drift(workspace_);
}

bool Trace::refresh_some() {
    if (!is_complete()) return false;
    const RunningScores* const scores = first_drifted(running_scores_);
    if (!is_refreshing_ && scores) begin_refreshing(*scores);
    if (is_refreshing_) {
        go_on_refreshing();
        return true;
    }
    RunningSums* const sums = first_drifted(running_sums_);
    if (sums) refresh_rows(*sums);
    return sums != nullptr;
}

// Some tasks of the product; when all its rows are fresh, what follows from them is still to be run.
void Trace::refresh_rows(RunningSums& sums) {
    const int product = sums.product();
    const Range which = next_slice(refresh_slices_, {product}, workspace_.n_operations({product}));
    const Workspace::Tasks& tasks = *refresh_slices_.tasks;
    for (int task = which.begin; task < which.end; ++task) {
        for_each_row({tasks.planes(task), tasks.rows(task), {}}, [&](int plane, int row) {
            sums.forget_row(workspace_, {plane, row, 0});
        });
    }
    if (!run_slice(refresh_slices_, which)) return;
    sums.note_all_run();
    begin_refreshing(pass_of(product));
    note_change(product, Block::all(node(product).shape));
    for (int i : pass_at(next_pass_)) {
        if (i > product) update_node(i);
    }
    ++next_pass_;
    is_refreshing_ = !has_run_all();
}

int Trace::pass_of(int i) const {
    int pass = 0;
    while (std::find(pass_at(pass).begin(), pass_at(pass).end(), i) == pass_at(pass).end()) ++pass;
    return pass;
}

} // namespace lab
