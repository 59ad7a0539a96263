// A whole program, run in phases, between which threads wait for each other: passes that read nothing of each other go together, and
// so do steps too small to be cut into tasks one by one.
#include <algorithm>

#include "engine/workspace.h"

namespace lab {

namespace {

// With fewer multiplications and additions, or fewer rows for each thread, one thread is done before the others have begun.
constexpr double kLeastOperationsShared = 5e5;
constexpr int kLeastRowsOfThread = 8;

} // namespace

// One step, of stored operands.
bool Workspace::is_small(const Plan::Pass& pass) const {
    return pass.size() == 1 && program_.node(pass.front()).shape.n_cells() < kLargeTensor && reads_whole(pass.front());
}

bool Workspace::is_worth_sharing(const Plan::Pass& small_steps) const {
    const auto has_rows = [&](int i) { return program_.node(i).shape.rows >= n_threads() * kLeastRowsOfThread; };
    return n_threads() > 1 && n_operations(small_steps) >= kLeastOperationsShared &&
           std::all_of(small_steps.begin(), small_steps.end(), has_rows);
}

// Whether the node may be made of what one of these passes computes: what is not stored may be made of anything.
bool Workspace::reads_any(int i, const std::vector<Plan::Pass>& of) const {
    const std::vector<int>& operands = program_.node(i).operands;
    return std::any_of(operands.begin(), operands.end(), [&](int operand) {
        const auto computes = [&](const Plan::Pass& pass) {
            return std::find(pass.begin(), pass.end(), operand) != pass.end();
        };
        return !is_stored(operand) || std::any_of(of.begin(), of.end(), computes);
    });
}

bool Workspace::goes_with(const Plan::Pass& pass, const Phase& phase) const {
    if (is_small(pass)) return phase.passes.empty() && reads_same_rows(program_, pass.front(), phase.small_steps);
    return phase.small_steps.empty() &&
           std::none_of(pass.begin(), pass.end(), [&](int i) { return reads_any(i, phase.passes); });
}

std::vector<Workspace::Phase> Workspace::make_phases() const {
    std::vector<Phase> phases;
    for (const Plan::Pass& pass : plan_.passes) {
        const int first = pass.front();
        const bool is_computed = pass.size() > 1 || is_stored(first);
        if (program_.node(first).is_leaf() || !is_computed) continue;
        if (phases.empty() || !goes_with(pass, phases.back())) phases.emplace_back();
        if (is_small(pass))
            phases.back().small_steps.push_back(first);
        else
            phases.back().passes.push_back(pass);
    }
    for (Phase& phase : phases) phase.is_shared_out = is_worth_sharing(phase.small_steps);
    return phases;
}

// What takes less time than preparing it is prepared once.
void Workspace::bind(int i) {
    Call& call = calls_[at_index(i)];
    if (call.result.data) return;
    const Shape& shape = program_.node(i).shape;
    take_cells(i);
    call = {views_of_operands(i), Block::all(shape), {cells(i).data(), Block::all(shape)}};
}

void Workspace::forward(int i, const Block& block) const {
    const Call& call = calls_[at_index(i)];
    program_.node(i).step->forward(call.operands, block, call.result);
}

// Every thread computes some rows of each step.
void Workspace::run_small(const Phase& phase) {
    for (int i : phase.small_steps) bind(i);
    if (!phase.is_shared_out) {
        for (int i : phase.small_steps) forward(i, calls_[at_index(i)].block);
        return;
    }
    threads_->run(n_threads(), [&](int part, int) {
        for (int i : phase.small_steps) {
            Block block = calls_[at_index(i)].block;
            const int n_rows = block.rows.size();
            block.rows = {n_rows * part / n_threads(), n_rows * (part + 1) / n_threads()};
            forward(i, block);
        }
    });
}

// The tasks of one pass behind those of the one before, so that no thread waits until all of a pass is done.
void Workspace::run_passes(const Phase& phase) {
    std::vector<Tasks> all;
    int n = 0;
    for (const Plan::Pass& pass : phase.passes) n += all.emplace_back(tasks_of(pass)).n;
    share_out(n, [&](int index, int thread) {
        auto of = all.begin();
        for (; index >= of->n; ++of) index -= of->n;
        run_task(*of, index, thread);
    });
}

void Workspace::run_all() {
    if (phases_.empty()) phases_ = make_phases();
    for (const Phase& phase : phases_) phase.passes.empty() ? run_small(phase) : run_passes(phase);
}

} // namespace lab
