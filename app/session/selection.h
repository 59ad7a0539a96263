#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/program.h"
#include "engine/shape.h"
#include "engine/trace.h"

namespace lab {

// A cell of a tensor by its contract name, so that it survives a rebuilt program.
struct TensorCell {
    std::string tensor;
    Cell cell;
    bool operator==(const TensorCell&) const = default;
};

// What a person looks at: held beside the document, never saved with it, not undone. One for all views.
class Selection {
  public:
    std::optional<TensorCell> hovered;
    int query = 0;                  // the chosen query's row
    bool points_at_query = true;    // that row is marked, and the lines that lead to it
    int head = 0;                   // the chosen head, which tensors of several show
    int section = 0;                // what stands on the canvas: one of the program's sections
    bool shows_gradient = true;     // matrices show the gradient, where one is taken; also when it is taken again
    std::optional<int> shown_stage; // the canvas shows what has been computed up to it; absent: everything
    std::set<std::string> unfolded; // names of tensors that fold but are open now; kept while a tensor is away

    // The cell being explained. Visiting another (a click on the canvas, a step to a source) adds it to the trail;
    // back and forward walk the trail as in a browser. A cell that belongs to a query chooses that query and points at it,
    // one of another head that head; where it stands in none of what is shown, its section is shown, or the gradient.
    const TensorCell* pinned() const;
    bool is_pinned(const TensorCell& cell) const { return pinned() != nullptr && *pinned() == cell; }
    void visit(const TensorCell& cell, const Program& program);
    void unpin();  // forgets the trail
    void let_go(); // and points at no query; it stays chosen
    bool can_go_back() const { return place_ > 0; }
    bool can_go_forward() const { return place_ + 1 < static_cast<int>(trail_.size()); }
    // Gradients are shown or hidden, so that the number is seen: not a slope in its place, nor the number in that of a slope.
    void go_back(const Program& program);
    void go_forward(const Program& program);
    const std::vector<TensorCell>& trail() const { return trail_; }
    int place() const { return place_; } // of the pinned cell in the trail; −1: nothing is pinned

    bool shows(const Node& node) const { return !shown_stage || node.stage <= *shown_stage; }
    // What the step that is shown last computes stands open, else one would not see what it did.
    bool unfolds(const Node& node) const {
        return !node.presentation.folded || unfolded.count(node.name) > 0 || opens_by_step(node);
    }
    bool can_toggle(const Node& node) const { return node.presentation.folded && !opens_by_step(node); }
    void toggle_fold(const std::string& tensor);

    // After tokens were added, removed or moved: the query and the pinned cells stay with their words. `place_of` tells
    // where the token of a place stands now.
    void follow_tokens(const std::function<int(int)>& place_of, const Program& before);

    // After the program changed: cells of tensors that are gone are dropped, others and the query, head, section and
    // stage are moved to the nearest that exists.
    void fit(const Program& program);

  private:
    bool opens_by_step(const Node& node) const { return shown_stage == node.stage; }

    static constexpr std::size_t kLongestTrail = 200;

    void follow_pinned(const Program& program);
    void go_to_pinned(const Program& program);

    std::vector<TensorCell> trail_;
    int place_ = -1;
};

// Which query and head a text tells about, and how much of the program is shown beside it.
struct Viewpoint {
    int query = 0;
    int head = 0;
    bool shows_gradient = true;
    std::optional<int> shown_stage;

    Viewpoint(int query_row = 0, int head_number = 0) : query(query_row), head(head_number) {}
    explicit Viewpoint(const Selection& selection);
    bool operator==(const Viewpoint&) const = default;

    // Whether the node is spoken of: it is computed yet, and no gradient, nor what is only there for them, while these are
    // not shown.
    bool tells_of(const Program& program, int node) const;
};

// Whether a node has a place on the canvas of its section, be it folded: gradients' own steps only where gradients are shown.
bool is_on_canvas(const Selection& selection, const Program& program, int node);
// Those of the chosen section.
std::vector<int> nodes_on_canvas(const Selection& selection, const Program& program);

// The node whose cells are shown in the place of this one: where gradients are shown its gradient, but of what is there for them only.
int shown_node(const Selection& selection, const Program& program, int node);

// All that Selection::unfolds goes by: what was made of it is good for as long as this holds.
struct FoldState {
    std::set<std::string> unfolded;
    std::optional<int> shown_stage;

    FoldState() = default;
    explicit FoldState(const Selection& selection) : unfolded(selection.unfolded), shown_stage(selection.shown_stage) {}
    bool holds_for(const Selection& selection) const {
        return unfolded == selection.unfolded && shown_stage == selection.shown_stage;
    }
};

// Rows that belong to queries: how many there are to choose from. 0 for an empty program.
int n_queries(const Program& program);

// What a new document shows: query 1 and the weight that it gives key 2, where there are as many; else the last ones.
// Where a mask forbids that, the strongest weight of the last query that sees any key. Of a block that normalises first that query's
// first normalised number, with which the picture begins. If a gradient is taken, that is shown.
Selection default_selection(const Trace& trace);

} // namespace lab
