#pragma once

#include <vector>

#include "engine/workspace.h"

namespace lab {

// Scores that are stored, kept up to date column by column of what they are made of: an edit that changes few columns of the queries,
// or of the keys, costs as much as there are scores, not as much as their product. A number of W_query or W_key does so.
//
// With S = Q · Kᵀ and column k of Q changed by u, S changes by the outer product of u and column k of K (of K likewise), which is added
// to it in float32.
//
// How far it drifts: a term u · v rounds a row's scores by no more than 2^−23 · M, M being the greatest |u · v| of the row plus the
// greatest magnitude that its scores have then. A row is run again where the sum of its M since its last run exceeds kMostOfGreatest
// times that magnitude: after as many terms that are small beside it, sooner of larger ones, and at once where what was large has
// cancelled out. So after a term a row's scores are within 2^−23 · kMostOfGreatest times the greatest of them of what they would be
// without rounding since the row's last run; what that rounded stays. An edit of a token runs its own scores only: where one of them was by far
// a row's greatest, what is said of the others holds of what it was.
class RunningScores {
  public:
    static constexpr float kMostOfGreatest = 32;
    static constexpr std::size_t kMostTerms = 4; // of a plane

    explicit RunningScores(int scores) : scores_(scores) {}

    // The nodes of a program that can be kept so.
    static std::vector<RunningScores> of(const Workspace& workspace, const MostStored& most_stored);

    static RunningScores* find(std::vector<RunningScores>& among, int scores); // or null

    int scores() const { return scores_; }

    // Before an update that may change these cells of every node (by Step::reach): remembers the columns that will change, where these are few,
    // of one operand, and of most of its rows: what changes in few rows is sooner run.
    void prepare(const Workspace& workspace, const std::vector<Region>& reached);
    void forget_terms() { terms_.clear(); }
    bool is_prepared() const { return !terms_.empty(); }

    // When queries and keys are new: brings the scores up to date, but for rows that have to be run again.
    struct Applied {
        Region changed; // a box around the rows that a term has changed
        std::vector<Cell> run_again;
    };
    Applied apply(Workspace& workspace);

    // After a run of all rows.
    void note_all_run();
    // Whether scores hold the rounding of terms.
    bool has_drifted() const { return !magnitudes_.empty(); }
    // Some of them may, whatever is known.
    void note_drift(const Workspace& workspace);
    // Scores that hold such rounding came along from another program.
    void take_drift_from(RunningScores& other);

  private:
    struct Term {
        int plane = 0;
        std::size_t operand = 0; // that changes: 0 queries, 1 keys
        Step::FactorColumns columns;
        std::vector<float> before;
    };
    struct Outer { // what a term adds: u[i] · v[j]
        std::vector<float> u, v;
    };
    Outer outer_product(const Workspace& workspace, const Term& term) const;
    Range add(Workspace& workspace, const Term& term);

    int scores_;
    std::vector<Term> terms_;       // of the update that goes on
    std::vector<float> magnitudes_; // per row of all planes the sum of M, once there was a term
    std::vector<float> greatest_;   // likewise its greatest magnitude after the last term
};

} // namespace lab
