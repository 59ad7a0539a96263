#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/cells.h"
#include "engine/kernels/second_cache.h"
#include "engine/kernels/thread_pool.h"
#include "engine/overview.h"
#include "engine/plan.h"

namespace lab {

// Rows of tensors that are not stored, computed for whoever reads them next. Used again and again, one per thread.
class RowBuffers {
  public:
    float* take(std::size_t n_cells);
    void release_all() { n_taken_ = 0; }

  private:
    std::vector<ScratchCells> buffers_;
    std::size_t n_taken_ = 0;
};

// What is kept of a tensor that is not stored, so that reading it is quick. Worked out when first asked for; whoever changes what
// the tensor is made of says so by Workspace::invalidate.
struct Unstored {
    std::unique_ptr<Runner> runner;     // of a product: its second factor laid out,
    bool is_laid_out = false;           // as it is now; else there is only the memory for it
    std::vector<RowSum> row_sums;       // of weights: per row of all planes
    std::vector<char> has_row_sum;      // whether they are known: bytes, so that threads may write them side by side
    std::unique_ptr<Overview> overview; // once something of it was asked for that it knows
};

// From which size on scores and weights are computed in memory that stays in the second cache and are written past the caches beside
// the products that read them (workspace_near.cpp). Below, the third cache holds a part of them, and narrower or lower blocks read keys
// and values too often: docs/performance.md.
struct NearPass {
    std::size_t second_cache = second_cache_bytes(); // of which a block of rows takes half at most
    std::uint64_t least_cells = 1 << 24;             // of all heads
    int least_columns = 4096;
    int least_rows = 48; // of a block
};

// The cells of a program's tensors: what its plan stores, and how steps run over it.
//
// What is const may be called by several threads at once for different rows, after `prepare`.
class Workspace {
  public:
    Workspace() = default;
    Workspace(Program program, ThreadPool* threads, const MostStored& most_stored = kStoresAll,
              const NearPass& near = {});

    const Program& program() const { return program_; }
    const Plan& plan() const { return plan_; }
    int n_threads() const { return threads_ ? threads_->n_threads() : 1; }
    // Does n tasks, in any order, on all threads. What they compute counts as seen anew (n_surveys).
    void share_out(int n, const ThreadPool::Task& task) const;
    bool is_stored(int node) const { return plan_.is_stored[static_cast<std::size_t>(node)]; }

    // Memory for all cells of a stored node. It is not set to anything: who has written every cell notes it, and until then nobody
    // else reads one. Once taken it stays where it is.
    ScratchCells& cells(int node) { return cells_[static_cast<std::size_t>(node)]; }
    void take_cells(int node) { cells(node).resize(program_.node(node).shape.size()); }
    void take_cells_from(Workspace& other, int node_there, int node); // of as many, with what is known of them
    // What the other kept of a node that is stored in neither and computes the same here: its operands' cells are to come along, and
    // where they are others now, `invalidate` is to follow.
    void take_unstored_from(Workspace& other, int node_there, int node);
    void count_surveys_from(const Workspace& other) { n_surveys_ = other.n_surveys_ + 1; }
    void note_computed(int node) { is_computed_[static_cast<std::size_t>(node)] = 1; }
    bool is_computed(int node) const { return is_computed_[static_cast<std::size_t>(node)] != 0; }
    // Whether all operands are stored, so that a block of any size costs what it holds.
    bool reads_whole(int node) const;
    // Whether it is still to be computed for the first time, or made of what is: there is nothing of it to be read.
    bool is_missing(int node) const;
    bool has_missing_operand(int node) const;
    ConstView<float> view(int node) const {
        return {cells_[static_cast<std::size_t>(node)].data(), program_.node(node).shape};
    }

    // Of all operands, those that are not stored or missing without cells: for Step::reach.
    std::vector<ConstView<float>> views_of_operands(int node) const;

    // The operands of a node as far as this block of it, of one plane, reads them: whole, or of those that are not stored these
    // rows only, which stay until the buffers are released.
    std::vector<ConstView<float>> operands(int node, const Block& block, RowBuffers& buffers) const;

    // As many of a block's rows as are computed at once: so few that what is read and written stays in the first cache, or all of them
    // where the node reads as a whole, and may have to lay out, at least as much as a row of its own.
    int n_rows_at_once(int node, int n_rows) const;

    // Writes a block of a node that is not a leaf, from the stored cells of others.
    void compute(int node, const Block& block, OutputView<float> result, RowBuffers& buffers) const;
    // Whether its first operand is not stored, has its shape and is read cell by cell.
    bool reads_column(int node) const;
    // Writes a column of all rows of a node that is not a leaf. `of_first`: that of its first operand, where it reads columns; or null.
    void compute_column(int node, int col, const float* of_first, float* cells, RowBuffers& buffers) const;
    // Writes different rows of one plane, one behind the other, shared out to the threads: not from within a task.
    void compute_rows(int node, int plane, std::span<const int> rows, float* cells) const;

    // A pass cut into tasks, which may be done in any order, by any thread.
    struct Tasks {
        // A node that is stored.
        struct Part {
            int node;
            std::optional<std::vector<ConstView<float>>>
                whole;                      // what it reads, where all of that is stored; else block by block
            std::shared_ptr<Runner> runner; // none: the step's own forward
        };
        std::vector<Part> parts;
        std::optional<std::size_t> first_near =
            {};                 // scores, of whose kNearParts the cells between them are computed near
        int n_planes = 1;       // of a task
        int n_rows = 0;         // of a task at most
        int n_rows_of_node = 0; // of each plane
        int n_blocks = 0;       // of rows, per plane
        int n = 0;

        Range planes(int task) const;
        Range rows(int task) const;
    };
    Tasks tasks_of(const Plan::Pass& pass);
    void run(const Tasks& tasks, Range which);

    // To be said of a leaf whose cells are others than when tasks were last made.
    void note_change_of_leaf(int node);

    // Computes all cells of all stored nodes but leaves, phase by phase.
    void run_all();

    // What is computed before threads wait for each other: passes that are cut into tasks, none of which reads of another, or steps
    // too small for that, of which each reads of those before it, if anything, the row that it computes and no other.
    struct Phase {
        std::vector<Plan::Pass> passes;
        Plan::Pass small_steps;
        bool is_shared_out = false; // of small steps: to the threads
    };
    std::vector<Phase> make_phases() const;

    // Computes single rows of a stored node.
    void run_rows(int node, const std::vector<Cell>& rows);

    // Multiplications and additions of a pass.
    double n_operations(const Plan::Pass& pass) const;

    // Lays out what reading a node's operands needs: before several threads do.
    void prepare(int node) const;

    // What is not stored.
    Unstored& unstored(int node) const { return unstored_[static_cast<std::size_t>(node)]; }
    // `follows_columns`: somebody brings up to date what is known of rows that changed in few columns (RunningSums).
    void invalidate(int node, const Region& changed, bool follows_columns = false);
    void forget_sum(int node, int plane, int row) const; // of weights
    bool has_overview(int node) const;                   // whether it may be asked for one
    Overview& overview(int node) const;
    // Makes rows known to the overview, with their maxima.
    void survey(int node, int plane, Range rows) const;
    void survey(int node, int plane, Range rows, RowBuffers& buffers) const;
    // Whether a row of weights is known to have a key that counts; empty where no overview knows the row.
    std::optional<bool> has_key(int node, int plane, int row) const;
    bool have_keys(int node, int plane, Range rows) const; // all of them, as far as an overview knows
    bool has_maxima(int node, const Seen& seen) const;     // both as Trace says
    bool is_surveyed(int node, const Block& texels, const Seen& seen) const;
    ExtentSum extent(int node) const; // of the rows that are known
    // Goes up whenever rows may have become known.
    unsigned n_surveys() const { return n_surveys_; }
    void reduce(int node, const Block& texels, const Seen& seen, float* result) const;

  private:
    // A step whose operands are all stored, bound to its memory.
    struct Call {
        std::vector<ConstView<float>> operands;
        Block block;
        OutputView<float> result;
    };
    void bind(int node);
    void forward(int node, const Block& block) const;
    bool is_small(const Plan::Pass& pass) const;
    bool reads_any(int node, const std::vector<Plan::Pass>& of) const;
    bool goes_with(const Plan::Pass& pass, const Phase& phase) const;
    bool is_worth_sharing(const Plan::Pass& small_steps) const;
    void run_small(const Phase& phase);
    void run_passes(const Phase& phase);
    void run_task(const Tasks& tasks, int task, int thread);
    void run_rows(const Tasks& tasks, Range planes, Range rows, RowBuffers& buffers);
    void run_rows(const Tasks& tasks, const std::vector<Cell>& rows);
    void run_part(const Tasks::Part& part, Operands<float> read, const Block& block,
                  const OutputView<float>& result) const;
    static constexpr std::size_t kNearParts = 3; // scores, weights, contexts
    using NearParts = std::span<const Tasks::Part, kNearParts>;
    bool makes_copies(const Tasks::Part& part) const;
    bool can_run_near(NearParts parts) const;
    bool is_worth_near(NearParts parts, int n_rows) const;
    void run_near(NearParts parts, const Block& block, RowBuffers& buffers);
    // What a step made of operands that it reads as a whole, for the next tasks: its memory and, where these are leaves that have
    // stayed, what lies in it.
    struct LaidOut {
        std::shared_ptr<Runner> runner;
        bool is_current = false;
    };
    struct ToLayOut {
        std::uint64_t n_cells = 0;
        bool is_given = true; // all of it is leaves
    };
    ToLayOut to_lay_out(int node) const;
    std::shared_ptr<Runner> runner_of(int node);
    Tasks::Part make_part(int node);
    // A step that takes the factor of what it reads, which is not stored, itself: it reads what is to be multiplied.
    struct WithFactor {
        std::vector<ConstView<float>> read;
        std::unique_ptr<Runner> runner;
    };
    std::optional<WithFactor> with_factor(int node) const;
    bool shares_rows(int node) const;
    int n_blocks_for_threads(int n_blocks, int n_groups, int n_rows) const;
    int n_rows_of_task(const std::vector<Tasks::Part>& parts) const;
    double n_operations_of(int node) const;

    ConstView<float> operand(int node, std::size_t k, const Block& block, RowBuffers& buffers) const;
    bool is_seen_through_scores(int node) const;
    ExtentSum extent_of_weights(int node) const;
    int widest_read(int node) const;
    void know_row_sums(int node, int plane, Range rows, RowBuffers& buffers) const;
    void fill(int node, const Block& block, float* cells, RowBuffers& buffers) const;
    void fill_weights(int node, const Block& block, OutputView<float> result, RowBuffers& buffers) const;
    Runner* kept_runner(int node) const;
    using RowOfTexels = std::function<void(int plane, int texel_row, RowBuffers& buffers)>;
    void share_out_rows(const Block& texels, const RowOfTexels& row) const;
    void survey_samples(int node, const Block& texels, const Seen& seen) const;
    bool knows_rows(int node, int plane,
                    Range rows) const; // of a node that has an overview: what `survey` would find out
    void reduce_maxima(int node, const Block& texels, const Seen& seen, float* result) const;
    void reduce_cells(int node, const Block& texels, const Seen& seen, float* result) const;
    void reduce_row_of_cells(int node, const Block& texels, const Seen& seen, float* result, RowBuffers& buffers) const;

    Program program_;
    Plan plan_;
    ThreadPool* threads_ = nullptr; // none: the caller's alone
    NearPass near_;
    std::vector<ScratchCells> cells_;
    std::vector<char> is_computed_; // per node that is stored
    std::vector<Call> calls_;       // per node: bound when it first runs
    std::vector<Phase> phases_;     // made when all is first run
    std::vector<LaidOut> laid_out_;
    std::uint64_t n_cells_laid_out_ = 0;      // of those that stay as they are
    std::uint64_t n_cells_of_memory_ = 0;     // of those of which the memory stays
    mutable std::vector<RowBuffers> buffers_; // per thread
    mutable std::vector<Unstored> unstored_;
    mutable unsigned n_surveys_ = 0;
};

} // namespace lab
