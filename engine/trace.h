#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/program.h"
#include "engine/result.h"
#include "engine/source.h"
#include "engine/tensor.h"
#include "engine/workspace.h"

namespace lab {

using Tensors = std::map<std::string, Tensor>;

// What a run or an update did.
struct UpdateReport {
    std::size_t n_cells_computed = 0;
    std::vector<Region> changed; // per node: the cells whose bits differ from before; all cells where there was none
};

// Every step's tensor, as left by a run. After an edit only the steps and cells that it reaches are computed again, and
// a change that leaves no bit different goes no further.
class Trace {
  public:
    // Runs on these threads, which outlive it; without on the caller's.
    explicit Trace(ThreadPool* threads = nullptr) : threads_(threads) {}

    // Brings the trace up to date with a program (as built for these tensors) and the tensors: computes what differs
    // from the program and tensors of the last update, everything the first time.
    UpdateReport update(const Program& program, const Tensors& tensors);

    // The same where the program has stayed: tensors of the shapes of the last update.
    UpdateReport update(const Tensors& tensors);

    // Computes every step again from the leaves as they are: what a benchmark times.
    void run_again();

    const Program& program() const { return workspace_.program(); }

    // Reads from this trace: not to be kept beyond its next update.
    std::unique_ptr<Source> source(int node) const;
    float at(int node, Cell cell) const;

    // Least and greatest finite cell of a node (0, 0 where there is none).
    struct Extent {
        float least = 0;
        float greatest = 0;
    };
    Extent extent(int node) const;

    // How the cell came about, its sources being nodes and cells of the program. A leaf's is the cell itself.
    Expression derive(int node, Cell cell) const;

    // The cells that this cell feeds, in the next steps only: pairs of node and region.
    struct Feed {
        int node;
        Region cells;
    };
    std::vector<Feed> feeds(int node, Cell cell) const;

    // What is worth a remark about this row: worked out once per update that reaches it, when first asked for.
    std::optional<Notice> notice(int node, int plane, int row) const;

  private:
    struct RowNotice {
        bool is_known = false;
        std::optional<Notice> notice;
    };

    // Which nodes still compute what they did: their cells are those of before but for what the operands' changes reach.
    using Reusable = std::vector<bool>;
    Reusable adopt(Workspace next);
    UpdateReport bring_up_to_date(const Reusable& reusable, const Tensors& tensors);
    void update_pass(const Plan::Pass& pass, const Reusable& reusable, const Tensors& before, UpdateReport& report);
    void run_whole(const Plan::Pass& pass, UpdateReport& report);
    void update_node(int node, bool is_reusable, const Tensors& before, UpdateReport& report);
    void forget(int node);
    const Node& node(int index) const { return program().node(index); }
    Region reached_cells(int node, const std::vector<Region>& changed) const;
    Region refresh(int node, const Region& region, UpdateReport& report);
    void compute(int node, const Block& block);
    void remember(int node, const Block& block);
    Region differing_cells(int node, const Block& block) const;

    ThreadPool* threads_;
    Workspace workspace_;
    Tensors tensors_;
    mutable std::vector<std::optional<Extent>> extents_;  // per node: once asked for
    mutable std::vector<std::vector<RowNotice>> notices_; // per node and row of all planes: none, or those asked for
    std::vector<float> scratch_;                          // a block as it was before
};

// The whole program in float64, from the same lines as the float32 run: the slow reference. Per node all cells.
std::vector<std::vector<double>> run_reference(const Program& program, const Tensors& tensors);

} // namespace lab
