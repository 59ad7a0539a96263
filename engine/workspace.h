#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/cells.h"
#include "engine/kernels/thread_pool.h"
#include "engine/plan.h"

namespace lab {

// Rows of tensors that are not stored, computed for whoever reads them next. Used again and again, one per thread.
class RowBuffers {
  public:
    float* take(std::size_t n_cells);
    void release_all() { n_taken_ = 0; }

  private:
    std::vector<Cells> buffers_;
    std::size_t n_taken_ = 0;
};

// The cells of a program's tensors: what its plan stores, and how steps run over it.
class Workspace {
  public:
    Workspace() = default;
    Workspace(Program program, ThreadPool* threads);

    const Program& program() const { return program_; }
    const Plan& plan() const { return plan_; }
    bool is_stored(int node) const { return plan_.is_stored[static_cast<std::size_t>(node)]; }

    // All cells of a stored node; empty until it was computed. Once it was, they stay where they are.
    Cells& cells(int node) { return cells_[static_cast<std::size_t>(node)]; }
    ConstView<float> view(int node) const {
        return {cells_[static_cast<std::size_t>(node)].data(), program_.node(node).shape};
    }

    // Of all operands, those that are not stored without cells: for Step::reach.
    std::vector<ConstView<float>> views_of_operands(int node) const;

    // The operands of a node as far as these rows of a plane of it read them: whole, or of those that are not stored these
    // rows only, which stay until the buffers are released.
    std::vector<ConstView<float>> operands(int node, int plane, Range rows, RowBuffers& buffers) const;

    // Writes a block of a node that is not a leaf, from the stored cells of others.
    void compute(int node, const Block& block, OutputView<float> result, RowBuffers& buffers) const;

    // Computes all cells of a pass's nodes.
    void run(const Plan::Pass& pass);

  private:
    // A step whose operands are all stored, bound to its memory.
    struct Call {
        std::vector<ConstView<float>> operands;
        Block block;
        OutputView<float> result;
    };
    void forward(int node, const Call& call);
    void run_small(int node);

    struct Bound;
    std::vector<Bound> bind(const Plan::Pass& pass, Range planes) const;
    void run_rows(const std::vector<Bound>& steps, int plane, Range rows, RowBuffers& buffers);
    bool reads_whole(int node) const;

    Program program_;
    Plan plan_;
    ThreadPool* threads_ = nullptr; // none: the caller's alone
    std::vector<Cells> cells_;
    std::vector<Call> calls_;         // per node: bound when it first runs
    std::vector<RowBuffers> buffers_; // per thread
};

} // namespace lab
