#pragma once

#include <vector>

#include "engine/workspace.h"

namespace lab {

// Weights that are not stored, and the rows that they weigh, kept up to date term by term: an edit that changes few columns of the
// scores and few of the weighed rows costs as much as these, not as all pairs.
//
// With Z_i = Σ_j e^(x_ij − m_i) and A_i = Σ_j e^(x_ij − m_i) · v_j the weights are e^(x_ij − m_i) / Z_i and their product with v is
// A_i / Z_i. When column j of x and row j of v change, both lose a term and gain another; m_i stays. Sums are float64, powers
// those of the kernel in float32, so that what is taken away is what had been added.
//
// How far it drifts: the error of a row's last whole run, relative to Z_i then, stays in the sums. A row is run again where Z_i has
// fallen below kLeastShare of that, or a term e^(x_ij − m_i) grew beyond kGreatestTerm. So an edited row is within 1 / kLeastShare times
// a fresh run's error, and 2^−52 for every edit. Where an edit that is not followed, or another program, leaves the weights as they are, the
// next edit counts from these, until all are run again.
class RunningSums {
  public:
    static constexpr double kLeastShare = 0.125;
    static constexpr float kGreatestTerm = 4.85e8f; // e^20
    static constexpr std::size_t kMostTerms = 8;

    explicit RunningSums(int weights, int product) : weights_(weights), product_(product) {}

    // The nodes of a program that can be kept so: weights and the one product that reads them.
    static std::vector<RunningSums> of(const Workspace& workspace);

    int weights() const { return weights_; }
    int product() const { return product_; }

    // Before an update that may change these cells of every node (by Step::reach): remembers what will be lost. False: the update
    // reaches more than a few terms, and what is known is forgotten.
    bool prepare(const Workspace& workspace, const std::vector<Region>& reached);
    bool is_prepared() const { return is_prepared_; }
    // Whether a node's change is followed: what is known of rows that change in few columns is not to be forgotten.
    bool follows(int node) const;

    // When scores and weighed rows are new: sums, weights and product. Returns the rows of the product that have to be run again.
    std::vector<Cell> apply(Workspace& workspace);
    // After a row of the product was run: what its terms were added to is as new.
    void forget_row(const Workspace& workspace, Cell row);
    // Where the product was run, or is about to be, with weights that may still be those of followed terms.
    void forget_all();
    // After a run of all rows' weights.
    void note_all_run();
    // Whether weights hold the rounding of terms.
    bool has_drifted() const { return has_drifted_; }

    // Weights that hold such rounding came along from another program.
    void note_drift() { has_drifted_ = true; }

  private:
    struct Column { // of a node that is followed: a number per row of all planes
        int node = 0;
        int col = 0;
        std::vector<float> cells;
    };
    struct Term { // as it was and is: of every row e^(x_ij − m_i), of the plane the row that is weighed
        std::vector<float> lost;
        std::vector<float> gained;
        const float* weighed_before = nullptr;
        const float* weighed_now = nullptr;
    };
    struct Sum {
        double z = 0;
        double z_of_run = 0; // 0: to be taken from the last run
    };
    bool collect_terms(const Workspace& workspace, const std::vector<Region>& reached);
    std::vector<int> nodes_to_follow(const Workspace& workspace) const;
    void take_up_row(const Workspace& workspace, std::size_t row);
    std::vector<float> powers_of(const Workspace& workspace, const Column& scores) const;
    std::vector<Term> exchanged_terms(const Workspace& workspace) const;
    void find_weighed_rows(const Workspace& workspace, int plane, std::vector<Term>& terms) const;
    bool move_row(Workspace& workspace, std::size_t row, const std::vector<Term>& terms);
    std::vector<Column> with_cells(const Workspace& workspace, std::vector<Column> columns, std::vector<Column> known);
    void collect_columns_after(const Workspace& workspace);
    void follow_overview(const Workspace& workspace, const Column& before, const Column& after);
    void record_blocks(const Workspace& workspace, int node, int block, const std::vector<Cell>& rows);

    int weights_;
    int product_;
    bool is_prepared_ = false;
    bool has_drifted_ = false;
    std::vector<char> is_run_again_;    // per row
    std::vector<int> terms_;            // columns of the scores, rows of what is weighed
    std::vector<Column> before_;        // per followed node and term; the scores first
    std::vector<Column> after_;         // the same when the update is done, as the next one may find them
    std::vector<float> weighed_before_; // per plane and term a row
    std::vector<Sum> sums_;             // per row of all planes, once there was an edit
    std::vector<double> products_;      // A, per row of all planes
    RowBuffers buffers_;
};

} // namespace lab
