#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/program.h"
#include "engine/result.h"
#include "engine/running_scores.h"
#include "engine/running_sums.h"
#include "engine/source.h"
#include "engine/tensor.h"
#include "engine/workspace.h"

namespace lab {

using Tensors = std::map<std::string, Tensor>;

// What a run or an update did.
struct UpdateReport {
    std::size_t n_cells_computed = 0;
    std::vector<Region>
        changed; // per node: the cells whose bits differ from before, with some beside them; all cells where there was none
};

// Every step's tensor, as left by a run. After an edit only the steps and cells that it reaches are computed again, and
// a change that leaves no bit different goes no further.
class Trace {
  public:
    // Runs on these threads, which outlive it; without on the caller's. What it stores: make_plan.
    explicit Trace(ThreadPool* threads = nullptr, const MostStored& most_stored = kStoresAll)
        : threads_(threads), most_stored_(most_stored) {}

    // Brings the trace up to date with a program (as built for these tensors) and the tensors: computes what differs
    // from the program and tensors of the last update, everything the first time.
    UpdateReport update(const Program& program, const Tensors& tensors);

    // The same where the program has stayed: tensors of the shapes of the last update.
    UpdateReport update(const Tensors& tensors);

    // The next update computes everything, as the first: what it leaves are the bits of a fresh run, whatever was there before.
    void forget_all();

    // The same in slices, for a caller who holds the clock: `begin_update` does what is quick, and every `advance` some
    // milliseconds' worth of the rest. Until the update is complete, what is left of it is as it was before. Another update may
    // begin before: it goes on from what is there.
    void begin_update(const Program& program, const Tensors& tensors);
    void begin_update(const Tensors& tensors);
    void advance();
    bool is_complete() const { return is_refreshing_ || has_run_all(); }
    double progress() const;         // 0 to 1, by operations
    bool is_pending(int node) const; // whether its cells may still be those of before the update
    // Whether a node is still to be computed for the first time, or made of what is, which nothing is once an update is complete:
    // until all of it is there it reads as 0 throughout.
    bool is_missing(int node) const { return !is_complete() && workspace_.is_missing(node); }
    // Whether how its cells came about can be told: it is there and all that it is made of.
    bool can_derive(int node) const;
    bool is_stored(int node) const { return workspace_.is_stored(node); }
    // Whether to run all of it takes longer than a frame may, so that what is looked at is estimated meanwhile.
    bool is_long() const { return is_long_; }
    // Whether a node is stored and made of rows of what is not, as contexts of a long text are of weights.
    bool is_made_of_unstored(int node) const { return workspace_.is_stored(node) && !workspace_.reads_whole(node); }
    // Of such a node that an update has not come by: whether all that its rows are made of is up to date. Then any of them can be
    // computed by themselves, in about the time that it takes to read a row of each.
    bool can_read_ahead(int node) const;
    // Writes these different rows of one plane, one behind the other, as they will be when the update is complete.
    void read_ahead(int node, int plane, std::span<const int> rows, float* cells) const;
    // Weights and contexts of long texts are brought up to date term by term (RunningSums), their scores by what a column of queries
    // or keys adds to them (RunningScores). Both leave rounding behind. When nothing else is to be done: runs some milliseconds' worth
    // of them afresh. False: there is nothing of the kind left. Meanwhile the update stays complete, for what is there is as good as it
    // was; another update that begins then leaves the rest for later.
    bool refresh_some();
    bool has_drifted() const;

    // What the updates since the last report did.
    UpdateReport take_report();

    // Computes every step again from the leaves as they are: what a benchmark times.
    void run_again();

    const Program& program() const { return workspace_.program(); }

    // Reads from this trace: not to be kept beyond its next update.
    std::unique_ptr<Source> source(int node) const;
    float at(int node, Cell cell) const;

    // Least and greatest finite cell of a node (0, 0 where there is none); of one that is not stored of the rows that were seen.
    using Extent = lab::Extent;
    Extent extent(int node) const;
    bool has_seen_finite(int node) const; // whether there is one
    // How large a number of a signed node typically is: the median of what the rows have as greatest magnitude, of those that are
    // known and not all 0 (lab::typical_magnitude). 0 where there is none, and for what is not negative.
    float typical_magnitude(int node) const;

    // Of what is not stored: from now on these rows count for its extent, as those do of which texels were asked for.
    void survey(int node, int plane, Range rows) const;
    // Whether texels are made of what is kept of the node's rows as these come by; else of their cells.
    bool has_maxima(int node, const Seen& seen) const { return workspace_.has_maxima(node, seen); }
    // Whether reducing these rows of texels reads only what is kept of the node. What is asked for here is kept from then on, as
    // far as the rows come by; edits that are followed term by term keep it up while it is asked for.
    bool is_surveyed(int node, const Block& texels, const Seen& seen) const {
        return workspace_.is_surveyed(node, texels, seen);
    }

    // How the cell came about, its sources being nodes and cells of the program. A leaf's is the cell itself; where it cannot be told
    // yet it is the cell's number as given.
    Expression derive(int node, Cell cell) const;

    // The cells that this cell feeds, in the next steps only: pairs of node and region.
    struct Feed {
        int node;
        Region cells;
    };
    std::vector<Feed> feeds(int node, Cell cell) const;
    // Whether a change of this cell may change that one of another, later node, by what the steps between them read; a key that a mask
    // takes away is read all the same. No cell reaches itself.
    bool reaches(int node, Cell cell, int other, Cell other_cell) const;

    // What is worth a remark about this row: worked out once per update that reaches it, when first asked for.
    std::optional<Notice> notice(int node, int plane, int row) const;
    // Of weights: whether that remark is that all keys are masked. Asked of every row that is drawn: where what is known of it
    // or its first weight says that a key is allowed, the rest of the row is not read.
    bool has_all_keys_masked(int node, int plane, int row) const;
    // Whether that is known at once to hold of none of these rows.
    bool have_keys(int node, int plane, Range rows) const { return workspace_.have_keys(node, plane, rows); }

  private:
    struct RowNotice {
        bool is_known = false;
        bool has_key = false; // known before the remark is
        std::optional<Notice> notice;
    };
    RowNotice& notice_of_row(int node, int plane, int row) const;

    static constexpr double kSliceOperations = 1.6e7; // some milliseconds' worth
    // A pass of which more is reached, and not too small a share, is run in slices with what is not reached. A program of more is long.
    static constexpr double kMostAtOnce = 4 * kSliceOperations;
    static constexpr double kLeastShareInSlices = 1.0 / 32;
    bool has_pending_operand(int node) const;
    double n_operations_from(int first_pass) const;
    double n_operations_left() const;
    double cost(const Plan::Pass& pass) const;

    // Which nodes still compute what they did: their cells are those of before but for what the operands' changes reach.
    using Reusable = std::vector<bool>;
    Reusable adopt(Workspace next);
    void begin(Reusable reusable, const Tensors& tensors);
    UpdateReport finish();
    bool has_run_all() const { return next_pass_ == n_passes(); }
    int n_passes() const { return static_cast<int>(workspace_.plan().passes.size()); }
    const Plan::Pass& pass_at(int index) const { return workspace_.plan().passes[static_cast<std::size_t>(index)]; }
    bool is_run_whole(const Plan::Pass& pass) const;
    // A run that goes on in slices: its tasks once it has begun, until the last of them has run.
    struct Slices {
        std::optional<Workspace::Tasks> tasks;
        int next = 0;
    };
    Range next_slice(Slices& slices, const Plan::Pass& pass, double n_operations);
    bool run_slice(Slices& slices, Range which);
    void run_slice(const Plan::Pass& pass);
    void note_whole_run(const Plan::Pass& pass);
    void update_leaf(int node, const Tensors& before);
    void update_node(int node);
    void note_change(int node, const Region& changed);
    int pass_of(int node) const;
    void prepare_to_follow(const Tensors& tensors);
    std::vector<Region> cells_that_may_change(const Tensors& tensors) const;
    RunningSums* prepared_sums(int product) const;
    RunningScores* prepared_scores(int node) const;
    bool follows(int node) const;
    bool note_drift(int weights);
    bool follow_terms(RunningSums& sums);
    bool follow_columns(RunningScores& scores);
    void begin_refreshing(int first_pass);
    void begin_refreshing(const RunningScores& scores);
    void go_on_refreshing();
    void refresh_rows(RunningSums& sums);
    void leave_refreshing();
    bool update_step_by_step(const Plan::Pass& pass);
    bool follow_or_update(int node);
    std::vector<Extent> row_extents(int node) const;
    const ExtentSum& known_extent(int node) const;
    std::optional<float> constant(int node) const; // as Step says, and 0 of what is missing
    ExtentSum extent_of_rows(int node, std::vector<std::optional<ExtentSum>>& rows) const;
    void forget(int node, const Region& changed);
    const Node& node(int index) const { return program().node(index); }
    Region reached_cells(int node, const std::vector<Region>& changed) const;
    Region refresh(int node, const Region& region);
    void compute(int node, const Block& block);
    class DifferingRows;
    // The same of a block, which adds what differs; by parts of so many rows that what was before is still near then.
    void refresh_by_parts(int node, const Block& block, DifferingRows& differing);
    void refresh_part(int node, const Block& block, DifferingRows& differing);

    ThreadPool* threads_;
    MostStored most_stored_;
    Workspace workspace_;
    Tensors tensors_;

    // The update that goes on.
    int next_pass_ = 0;           // those before are up to date; leaves always are
    bool is_refreshing_ = false;  // those from there on are up to date, too, but for rounding
    Reusable reusable_;           // per node
    std::vector<Region> changed_; // per node: in this update
    Slices slices_;               // of next_pass_
    double n_operations_ = 0;     // that the update left for slices
    UpdateReport report_;

    mutable std::vector<RunningSums> running_sums_;
    mutable std::vector<RunningScores> running_scores_;
    Slices refresh_slices_; // of the first sums that have drifted

    struct KnownExtent {
        std::optional<ExtentSum> value; // once asked for
        std::optional<float> typical;   // of the same rows
        unsigned n_surveys = 0;         // Workspace::n_surveys then, where it is that of the rows that are known
        std::vector<std::optional<ExtentSum>> rows; // of all planes: none, or what was looked at since it changed
    };
    mutable std::vector<KnownExtent> extents_;            // per node
    mutable std::vector<std::vector<RowNotice>> notices_; // per node and row of all planes: none, or those asked for
    bool is_long_ = false;
    std::vector<float> scratch_; // a block as it was before
    RowBuffers buffers_;
};

// The whole program in float64, from the same lines as the float32 run: the slow reference. Per node all cells.
std::vector<std::vector<double>> run_reference(const Program& program, const Tensors& tensors);

} // namespace lab
