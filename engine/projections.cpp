#include "engine/projections.h"

#include "engine/steps/steps.h"

namespace lab {

namespace {

// What one branch of the projections is called.
struct BranchTerms {
    const char* singular; // "query"
    const char* plural;   // "queries"
    Branch branch;
    Axis rows;
    Axis cols;
};
constexpr BranchTerms kQuery{"query", "queries", Branch::query, Axis::queries, Axis::key_dimensions};
constexpr BranchTerms kKey{"key", "keys", Branch::key, Axis::keys, Axis::key_dimensions};
constexpr BranchTerms kValue{"value", "values", Branch::value, Axis::keys, Axis::value_dimensions};

class ProjectionsBuilder {
  public:
    ProjectionsBuilder(ProgramBuilder& builder, const AttentionSettings& settings, const AttentionReads& reads)
        : builder_(builder), settings_(settings), reads_(reads), n_heads_(settings.n_heads),
          n_kv_heads_(settings.n_kv_heads.value_or(settings.n_heads)) {}

    Projections build() {
        if (reads_.inputs < 0)
            give_projections();
        else if (settings_.projections)
            compute_projections();
        else
            use_inputs();
        rotate();
        join_past();
        return {queries_, keys_, values_, column_};
    }

  private:
    Presentation of_branch(const BranchTerms& terms, Role role, Axis rows, std::string meaning) const {
        Presentation shown = presentation(role, rows, terms.cols, std::move(meaning));
        shown.planes = Axis::heads;
        shown.column = column_;
        shown.branch = terms.branch;
        shown.row_of_query = role == Role::projection && terms.branch == Branch::query;
        return shown;
    }
    std::string meaning_of(const BranchTerms& terms) const {
        return "{col} of the " + std::string(terms.singular) + " of {row}";
    }

    // What counts the rows that a branch makes from this document's rows: above keys and values may stand a past.
    Axis new_rows(const BranchTerms& terms) const {
        const bool has_past = builder_.has("past_keys") || builder_.has("past_values");
        return terms.rows == Axis::keys && has_past ? Axis::new_keys : terms.rows;
    }

    // How many heads the tensors of a branch have.
    int n_heads_of(const BranchTerms& terms) const { return terms.branch == Branch::query ? n_heads_ : n_kv_heads_; }

    // A tensor that the document gives for every head: by planes, or as a matrix in which they lie side by side.
    ByHead by_head(int node, const BranchTerms& terms) {
        if (builder_.failed()) return {node, 1};
        const int n = n_heads_of(terms);
        const Shape& shape = builder_.shape(node);
        if (shape.rank == 3 && shape.planes != n) {
            builder_.fail(builder_.node(node).name + " is " + shape.to_text() + " but " +
                          (terms.branch == Branch::query ? "n_heads" : "n_kv_heads") + " is " + std::to_string(n));
        }
        return {node, shape.rank == 3 ? 1 : n};
    }

    // inputs · W (+ b)
    ByHead project(int inputs, const BranchTerms& terms) {
        const std::string name = terms.singular;
        column_ = 1;
        const ByHead weights = by_head(builder_.leaf("W_" + name, "projections is true",
                                                     of_branch(terms, Role::weight_matrix, Axis::input_dimensions,
                                                               "how much input {row} adds to " + name + " {col}")),
                                       terms);
        std::vector<int> operands{inputs, weights.node};
        if (builder_.has("b_" + name)) {
            operands.push_back(builder_.leaf(
                "b_" + name, "", of_branch(terms, Role::bias, Axis::none, "what is added to " + name + " {col}")));
        }
        column_ = 2;
        return {builder_.step(terms.plural, matrix_product({.n_second = weights.n_beside, .has_planes = n_heads_ > 1}),
                              operands, of_branch(terms, Role::projection, new_rows(terms), meaning_of(terms))),
                1};
    }

    void compute_projections() {
        builder_.stage(
            "Queries, keys, values",
            "Three matrices turn every embedding into a query (what it looks for), a key (what it offers) and a "
            "value (what it passes on).");
        const int context = reads_.context_inputs < 0 ? reads_.inputs : reads_.context_inputs;
        queries_ = project(reads_.inputs, kQuery);
        keys_ = project(context, kKey);
        check_widths_of_groups();
        values_ = project(context, kValue);
    }

    // Where groups are not as wide as heads it is n_kv_heads that does not fit W_key.
    void check_widths_of_groups() {
        if (builder_.failed() || n_kv_heads_ == n_heads_) return;
        const int of_queries = builder_.shape(queries_.node).cols, of_keys = builder_.shape(keys_.node).cols;
        if (of_queries == of_keys) return;
        builder_.fail("with n_kv_heads " + std::to_string(n_kv_heads_) + " W_key gives keys " +
                      std::to_string(of_keys) + " columns but queries have " + std::to_string(of_queries));
    }

    // The inputs serve as all three, their columns head by head.
    void use_inputs() {
        const int context = reads_.context_inputs < 0 ? reads_.inputs : reads_.context_inputs;
        queries_ = {reads_.inputs, n_heads_};
        keys_ = {context, n_kv_heads_};
        values_ = {context, n_kv_heads_};
        column_ = 2;
    }

    ByHead give(const BranchTerms& terms) {
        Presentation shown = of_branch(terms, Role::projection, new_rows(terms), meaning_of(terms));
        shown.label = "given";
        return by_head(builder_.leaf(terms.plural, "queries, keys and values are given together", shown), terms);
    }

    void give_projections() {
        builder_.stage("Queries, keys, values", "They are given directly here, one row per token.");
        column_ = 2;
        queries_ = give(kQuery);
        keys_ = give(kKey);
        values_ = give(kValue);
    }

    // What several heads have side by side, a plane for each: places and the past count by head. Named by the branch, since
    // the same inputs may serve as queries, keys and values.
    ByHead split(const ByHead& beside, const BranchTerms& terms, const std::string& name) {
        if (builder_.failed() || n_heads_ == 1 || builder_.shape(beside.node).rank == 3) return beside;
        const Axis rows = builder_.node(beside.node).presentation.rows;
        Presentation shown = of_branch(terms, Role::projection, rows, meaning_of(terms));
        shown.folded = true;
        return {builder_.step(name + "_by_head", split_heads(beside.n_beside), {beside.node}, shown), 1};
    }

    void rotate() {
        if (settings_.position != Position::rope || builder_.failed()) return;
        builder_.stage("Rotate by place",
                       "Queries and keys turn by an angle that grows with their place, so that a score "
                       "depends on how far apart they stand.");
        ++column_;
        queries_ = rotated(queries_, kQuery);
        keys_ = rotated(keys_, kKey);
    }

    ByHead rotated(const ByHead& still, const BranchTerms& terms) {
        const ByHead by_head = split(still, terms, terms.plural);
        RopeForm form;
        form.base = settings_.rope.base;
        form.pairs = settings_.rope.pairs;
        form.dims = settings_.rope.dims;
        form.scaling = settings_.rope.scaling;
        form.first_place = n_past(builder_);
        Presentation shown = of_branch(terms, Role::projection, new_rows(terms), meaning_of(terms) + ", rotated");
        return {builder_.step("rotated_" + std::string(terms.plural), rope(form), {by_head.node}, shown), 1};
    }

    void join_past() {
        if (!builder_.has("past_keys") && !builder_.has("past_values")) return;
        builder_.stage("Join the past",
                       "Keys and values of earlier tokens are kept, and the new ones stand below them.");
        keys_ = joined_with_past(keys_, kKey);
        values_ = joined_with_past(values_, kValue);
        ++column_;
    }

    ByHead joined_with_past(const ByHead& new_rows, const BranchTerms& terms) {
        const std::string plural = terms.plural;
        const ByHead now = split(new_rows, terms, plural);
        Presentation shown = of_branch(terms, Role::projection, Axis::past_keys, meaning_of(terms) + ", from before");
        shown.label = "kept from before";
        const int given = builder_.leaf("past_" + plural, "past_keys and past_values belong together", shown);
        const int past = split(by_head(given, terms), terms, "past_" + plural).node;
        shown = of_branch(terms, Role::projection, terms.rows, meaning_of(terms));
        ++shown.column;
        return {builder_.step("present_" + plural, append_rows(), {past, now.node}, shown), 1};
    }

    ProgramBuilder& builder_;
    const AttentionSettings& settings_;
    AttentionReads reads_;
    int n_heads_;
    int n_kv_heads_;
    ByHead queries_, keys_, values_;
    int column_ = 2; // where what is written next stands
};

} // namespace

int n_past(const ProgramBuilder& builder) {
    return builder.has("past_keys") ? builder.given_shape("past_keys").rows : 0;
}

Projections build_projections(ProgramBuilder& builder, const AttentionSettings& settings, const AttentionReads& reads) {
    return ProjectionsBuilder(builder, settings, reads).build();
}

} // namespace lab
