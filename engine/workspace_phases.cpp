// How threads share out steps that are too small to be cut into tasks one by one: several go together, so that nobody waits
// in between.
#include "engine/workspace.h"

namespace lab {

namespace {

std::size_t at_index(int index) { return static_cast<std::size_t>(index); }

// Below so many multiplications and additions of a phase one thread is done before the others have begun.
constexpr double kLeastOperationsShared = 5e5;

} // namespace

// One step that is run by itself, at once.
bool Workspace::is_small(const Plan::Pass& pass) const {
    const int first = pass.front();
    return pass.size() == 1 && !program_.node(first).is_leaf() && is_stored(first) &&
           program_.node(first).shape.n_cells() < kLargeTensor && reads_whole(first);
}

// Whether a small step reads, of those before it in the phase, the row that it computes and no other.
bool Workspace::joins(int pass, Range phase) const {
    const auto step_of = [&](int index) { return plan_.passes[at_index(index)].front(); };
    if (!is_small(plan_.passes[at_index(pass)]) || !is_small(plan_.passes[at_index(phase.begin)])) return false;
    const Node& node = program_.node(step_of(pass));
    for (int before = phase.begin; before < phase.end; ++before) {
        for (std::size_t k = 0; k < node.operands.size(); ++k) {
            if (node.operands[k] == step_of(before) && !node.step->reads_same_row(static_cast<int>(k))) return false;
        }
    }
    return true;
}

// Small steps that go together, and every other pass by itself; no leaves.
std::vector<Workspace::Phase> Workspace::phases() const {
    std::vector<Phase> phases;
    for (int pass = 0; pass < static_cast<int>(plan_.passes.size()); ++pass) {
        if (program_.node(plan_.passes[at_index(pass)].front()).is_leaf()) continue;
        if (!phases.empty() && phases.back().passes.end == pass && joins(pass, phases.back().passes))
            phases.back().passes.end = pass + 1;
        else
            phases.push_back({Range::at(pass)});
    }
    for (Phase& phase : phases) {
        double n = 0;
        for (int pass = phase.passes.begin; pass < phase.passes.end; ++pass)
            n += n_operations(plan_.passes[at_index(pass)]);
        phase.is_shared_out = n_threads() > 1 && phase.passes.size() > 1 && n >= kLeastOperationsShared;
    }
    return phases;
}

// Every thread computes some rows of each step.
void Workspace::share_out(Range passes) {
    threads_->run(n_threads(), [&](int part, int) {
        for (int pass = passes.begin; pass < passes.end; ++pass) {
            const int i = plan_.passes[at_index(pass)].front();
            const Call& call = calls_[at_index(i)];
            Block block = call.block;
            const int n_rows = block.rows.size();
            block.rows = {n_rows * part / n_threads(), n_rows * (part + 1) / n_threads()};
            program_.node(i).step->forward(call.operands, block, call.result);
        }
    });
}

void Workspace::run_all() {
    const bool is_first = phases_.empty();
    if (is_first) phases_ = phases();
    for (const Phase& phase : phases_) {
        if (!is_first && phase.is_shared_out) {
            share_out(phase.passes);
            continue;
        }
        for (int pass = phase.passes.begin; pass < phase.passes.end; ++pass) run(plan_.passes[at_index(pass)]);
    }
}

} // namespace lab
