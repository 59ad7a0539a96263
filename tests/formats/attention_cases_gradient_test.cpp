// Gradients of every reference session's whole program, in float64, against central differences: of cells of its last tensors, of
// a tensor in between, and of the session's own target.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "engine/gradient.h"
#include "tests/formats/case_documents.h"

namespace {

using namespace lab;
using namespace lab::test;

constexpr double kStep = 1e-6;
constexpr double kSlopeTolerance = 1e-5;
constexpr std::size_t kCellsPerTensor = 2; // of a target, and of a leaf

// Where the slopes to both sides may differ.
bool has_kinks(const AttentionSettings& settings) {
    return settings.blocks.mlp == Mlp::relu || settings.normalization == Normalization::top_k_softmax ||
           settings.normalization == Normalization::sparsemax || settings.normalization == Normalization::sum ||
           settings.round_weights;
}

bool is_part_of(const GradientTarget& target, const Shape& shape, Cell cell) {
    const int index[] = {cell.plane, cell.row, cell.col};
    const std::size_t first = 3 - static_cast<std::size_t>(shape.rank);
    for (std::size_t i = 0; i < target.index.size(); ++i) {
        if (target.index[i] != GradientTarget::kWholeRow && target.index[i] != index[first + i]) return false;
    }
    return true;
}

// A document with a target, its gradient, and the target as a function of its leaves.
class Slopes {
  public:
    explicit Slopes(const Document& document)
        : settings_(document.attention), target_(*read_gradient_target(document.gradient, document.vocabulary)),
          program_(program_of(document)), gradient_(run_reference(program_, document.tensors)),
          cells_(leaves_of(program_, document.tensors)), value_(value()) {}

    void check(Dice& dice) {
        for (int leaf = 0; leaf <= program_.target; ++leaf) {
            if (!program_.node(leaf).is_leaf()) continue;
            for (Cell cell : sampled_cells(program_.node(leaf).shape, kCellsPerTensor, dice)) check_cell(leaf, cell);
        }
    }

    // A number that is none stands in the way of every gradient, as in PyTorch; a masked score has none.
    bool has_slopes() const {
        for (int i = 0; i <= program_.target; ++i) {
            const std::vector<double>& x = cells_[static_cast<std::size_t>(i)];
            if (std::any_of(x.begin(), x.end(), [](double cell) { return std::isnan(cell); })) return false;
        }
        return std::isfinite(value_);
    }
    int n_compared() const { return n_compared_; }
    int n_kinks() const { return n_kinks_; }

  private:
    double value() {
        run_float64(program_, program_.target, cells_);
        const Shape& shape = program_.node(program_.target).shape;
        const std::vector<double>& x = cells_[static_cast<std::size_t>(program_.target)];
        const bool is_distance = target_.kind == GradientTarget::Kind::distance;
        const int to = program_.find("target");
        double sum = 0;
        std::size_t i = 0;
        for_each_cell(shape, [&](Cell cell) {
            if (is_distance)
                sum += std::pow(x[i] - cells_[static_cast<std::size_t>(to)][i], 2);
            else if (is_part_of(target_, shape, cell))
                sum += x[i];
            ++i;
        });
        return is_distance ? std::sqrt(sum) : sum;
    }

    double value_at(double& cell, double x) {
        const double old = cell;
        cell = x;
        const double moved = value();
        cell = old;
        return moved;
    }

    void check_cell(int leaf, Cell at) {
        const Shape& shape = program_.node(leaf).shape;
        const auto i = (static_cast<std::size_t>(at.plane) * shape.rows + at.row) * shape.cols + at.col;
        const double actual = gradient_[static_cast<std::size_t>(program_.gradient(leaf))][i];
        if (program_.node(leaf).name == "token_ids") {
            EXPECT_EQ(actual, 0) << "a number of a token has no slope";
            return;
        }
        double& cell = cells_[static_cast<std::size_t>(leaf)][i];
        if (!std::isfinite(cell)) return; // a mask's −∞
        const double above = (value_at(cell, cell + kStep) - value_) / kStep;
        const double below = (value_ - value_at(cell, cell - kStep)) / kStep;
        ++n_compared_;
        const bool is_jump = std::max(std::fabs(above), std::fabs(below)) > 1e5;
        if (is_jump || std::fabs(above - below) > 1e-3 * (1 + std::fabs(above))) {
            ++n_kinks_;
            EXPECT_TRUE(has_kinks(settings_)) << program_.node(leaf).name << to_text(at) << " has a kink";
            if (is_jump) return;
        }
        const double within = kSlopeTolerance * (1 + std::fabs(above));
        EXPECT_TRUE(actual >= std::min(above, below) - within && actual <= std::max(above, below) + within)
            << "grad." << program_.node(leaf).name << to_text(at) << " is " << actual << " but " << below << " to "
            << above << " by differences";
    }

    AttentionSettings settings_;
    GradientTarget target_;
    Program program_;
    Cells64 gradient_;
    Cells64 cells_;
    double value_;
    int n_compared_ = 0;
    int n_kinks_ = 0;
};

std::string cell_text(const Node& node, Cell cell) {
    const std::string within = std::to_string(cell.row) + "," + std::to_string(cell.col) + "]";
    return node.name + "[" + (node.shape.rank == 3 ? std::to_string(cell.plane) + "," : "") + within;
}

// The session's own target; cells of what nothing else is made from, and of any computed tensor.
std::vector<std::string> targets_of(const Document& document, Dice& dice) {
    if (!document.gradient.empty()) return {document.gradient};
    std::vector<std::string> targets;
    const Program program = program_of(document);
    const int any = dice.below(static_cast<int>(program.nodes.size()));
    for (int i = 0; i < static_cast<int>(program.nodes.size()); ++i) {
        const Node& node = program.node(i);
        if (node.is_leaf() || (i != any && !program.consumers(i).empty())) continue;
        for (Cell cell : sampled_cells(node.shape, kCellsPerTensor, dice)) targets.push_back(cell_text(node, cell));
    }
    return targets;
}

TEST(AttentionCasesGradient, IsTheSlopeByDifferences) {
    Dice dice(41);
    int n_compared = 0, n_kinks = 0;
    for (const CaseDocument& one : case_documents()) {
        for (const std::string& target : targets_of(one.document, dice)) {
            SCOPED_TRACE(one.name + ": " + target);
            Document document = one.document;
            document.gradient = target;
            Slopes slopes(document);
            if (!slopes.has_slopes()) continue;
            slopes.check(dice);
            n_compared += slopes.n_compared();
            n_kinks += slopes.n_kinks();
        }
    }
    EXPECT_GT(n_compared, 10000);
    EXPECT_LT(n_kinks, n_compared / 100);
}

TEST(AttentionCasesGradient, NothingPassesThroughRounding) {
    int n_rounded = 0;
    for (const CaseDocument& one : case_documents()) {
        const Program forward = program_of(one.document);
        if (forward.find("rounded_weights") < 0 || forward.find("queries") < 0) continue;
        SCOPED_TRACE(one.name);
        ++n_rounded;
        Document document = one.document;
        document.gradient = "sum(context_vectors)";
        const Trace trace = run(document);
        for (const char* name : {"attention_weights", "scaled_scores", "queries", "keys"}) {
            const int gradient = trace.program().find("grad." + std::string(name));
            ASSERT_GE(gradient, 0) << name;
            for (float slope : read_all(*trace.source(gradient))) EXPECT_EQ(slope, 0.0f) << name;
        }
        const Trace::Extent values = trace.extent(trace.program().find("grad.values"));
        EXPECT_TRUE(values.least != 0 || values.greatest != 0) << "what is rounded is still a weight of the values";
    }
    EXPECT_GE(n_rounded, 5);
}

} // namespace
