// A whole program, run in phases: steps too small to be cut into tasks one by one go together, so that threads that share them out
// need not wait in between.
#include <algorithm>

#include "engine/workspace.h"

namespace lab {

namespace {

std::size_t at_index(int index) { return static_cast<std::size_t>(index); }

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

std::vector<Workspace::Phase> Workspace::make_phases() const {
    std::vector<Phase> phases;
    for (const Plan::Pass& pass : plan_.passes) {
        const int first = pass.front();
        const bool is_computed = pass.size() > 1 || is_stored(first);
        if (program_.node(first).is_leaf() || !is_computed) continue;
        const bool is_small = this->is_small(pass);
        if (is_small && !phases.empty() && phases.back().is_small &&
            reads_same_rows(program_, first, phases.back().nodes))
            phases.back().nodes.push_back(first);
        else
            phases.push_back({pass, is_small, false});
    }
    for (Phase& phase : phases) phase.is_shared_out = phase.is_small && is_worth_sharing(phase.nodes);
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
    for (int i : phase.nodes) bind(i);
    if (!phase.is_shared_out) {
        for (int i : phase.nodes) forward(i, calls_[at_index(i)].block);
        return;
    }
    threads_->run(n_threads(), [&](int part, int) {
        for (int i : phase.nodes) {
            Block block = calls_[at_index(i)].block;
            const int n_rows = block.rows.size();
            block.rows = {n_rows * part / n_threads(), n_rows * (part + 1) / n_threads()};
            forward(i, block);
        }
    });
}

void Workspace::run_all() {
    if (phases_.empty()) phases_ = make_phases();
    for (const Phase& phase : phases_) {
        if (phase.is_small) {
            run_small(phase);
            continue;
        }
        const Tasks tasks = tasks_of(phase.nodes);
        run(tasks, {0, tasks.n});
    }
}

} // namespace lab
