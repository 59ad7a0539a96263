#include "engine/trace.h"

#include <cmath>
#include <gtest/gtest.h>

#include "engine/steps/steps.h"
#include "tests/engine/labs.h"

namespace {

using namespace lab;
using namespace lab::test;

const Region& changed(const UpdateReport& report, const Trace& trace, const std::string& name) {
    return report.changed[static_cast<std::size_t>(trace.program().find(name))];
}

// 6 tokens × 3 dimensions, d_k = d_v = 2.
Lab six_tokens() {
    Dice dice(5);
    Lab lab{"six tokens", {}, {}};
    lab.tensors["inputs"] = dice.tensor(Shape::matrix(6, 3));
    for (const char* name : {"W_query", "W_key", "W_value"}) lab.tensors[name] = dice.tensor(Shape::matrix(3, 2));
    return lab;
}

void edit(Lab& lab, const std::string& name, Cell cell, float value) {
    lab.tensors[name] = lab.tensors.at(name).with(cell, value);
}

TEST(Trace, AFirstRunComputesEveryCellOnce) {
    Trace trace;
    const UpdateReport report = update(trace, six_tokens());
    EXPECT_EQ(report.n_cells_computed, 3u * 12 + 3 * 36 + 12) << "projections; scores, scaled, weights; contexts";
    EXPECT_EQ(changed(report, trace, "inputs").blocks(), std::vector<Block>{Block::all(Shape::matrix(6, 3))});
    EXPECT_EQ(changed(report, trace, "context_vectors").blocks(), std::vector<Block>{Block::all(Shape::matrix(6, 2))});
}

TEST(Trace, NothingChangedComputesNothing) {
    const Lab lab = six_tokens();
    Trace trace = run(lab);
    const UpdateReport report = update(trace, lab);
    EXPECT_EQ(report.n_cells_computed, 0u);
    for (const Region& region : report.changed) EXPECT_TRUE(region.empty());
}

TEST(Trace, AnInputCellReachesOneRowAndOneColumnOfTheScores) {
    Lab lab = six_tokens();
    Trace trace = run(lab);
    edit(lab, "inputs", {0, 2, 1}, 7.0f);
    const UpdateReport report = update(trace, lab);
    const Region& scores = changed(report, trace, "attention_scores");
    for_each_cell(Shape::matrix(6, 6),
                  [&](Cell cell) { EXPECT_EQ(scores.contains(cell), cell.row == 2 || cell.col == 2); });
    const std::size_t projections = 3 * 2, row_and_column = 6 + 6, once_each = 11, weights = 36, contexts = 12;
    EXPECT_EQ(report.n_cells_computed, projections + row_and_column + once_each + weights + contexts);
}

TEST(Trace, AValueWeightReachesNoScores) {
    Lab lab = six_tokens();
    Trace trace = run(lab);
    edit(lab, "W_value", {0, 1, 1}, 7.0f);
    const UpdateReport report = update(trace, lab);
    EXPECT_EQ(report.n_cells_computed, 6u + 6u) << "one column of values, one of context vectors";
    EXPECT_TRUE(changed(report, trace, "attention_scores").empty());
    const std::vector<Block> column = {{{0, 1}, {0, 6}, {1, 2}}};
    EXPECT_EQ(changed(report, trace, "context_vectors").blocks(), column);
}

TEST(Trace, ALaterTokenChangesNoEarlierContextUnderACausalMask) {
    Lab lab = six_tokens();
    lab.settings.mask = MaskKind::causal;
    Trace trace = run(lab);
    edit(lab, "inputs", {0, 5, 0}, 7.0f);
    const UpdateReport report = update(trace, lab);
    const std::vector<Block> last_row = {{{0, 1}, {5, 6}, {0, 6}}};
    EXPECT_EQ(changed(report, trace, "masked_scores").blocks(), last_row);
    EXPECT_EQ(changed(report, trace, "context_vectors").blocks(), (std::vector<Block>{{{0, 1}, {5, 6}, {0, 2}}}));
}

TEST(Trace, RoundingThatHidesAChangeStopsIt) {
    Lab lab = given_lab();
    lab.settings.round_weights = 1;
    Trace trace = run(lab);
    const Tensor before = tensor_of(trace, "context_vectors");
    edit(lab, "queries", {0, 0, 0}, lab.tensors["queries"].at({0, 0, 0}) + 1e-4f);
    const UpdateReport report = update(trace, lab);
    EXPECT_FALSE(changed(report, trace, "attention_weights").empty());
    EXPECT_TRUE(changed(report, trace, "rounded_weights").empty());
    EXPECT_TRUE(changed(report, trace, "context_vectors").empty());
    EXPECT_EQ(report.n_cells_computed, 4u * 5) << "one row each of scores, scaled, weights and rounded weights";
    EXPECT_TRUE(bit_equal(tensor_of(trace, "context_vectors"), before));
}

TEST(Trace, UndoingAnEditRestoresTheBits) {
    const Lab lab = six_tokens();
    Trace trace = run(lab);
    const Trace untouched = run(lab);
    Lab edited = lab;
    edit(edited, "inputs", {0, 0, 0}, kNaN);
    update(trace, edited);
    EXPECT_TRUE(std::isnan(trace.at(trace.program().find("context_vectors"), {0, 0, 0})));
    update(trace, lab);
    for (const Node& node : trace.program().nodes) {
        EXPECT_TRUE(bit_equal(tensor_of(trace, node.name), tensor_of(untouched, node.name))) << node.name;
    }
}

TEST(Trace, ASettingThatChangesNoBitGoesNoFurther) {
    Lab lab = given_lab();
    lab.settings.scale = 1.0f;
    lab.tensors["queries"] = Tensor(Shape::matrix(4, 2));
    Trace trace = run(lab);
    lab.settings.scale = 2.0f;
    const UpdateReport report = update(trace, lab);
    EXPECT_EQ(report.n_cells_computed, 4u * 5) << "scaled scores, all zero as before";
    EXPECT_TRUE(changed(report, trace, "scaled_scores").empty());
}

TEST(Trace, TheSameScaleWrittenAnotherWayComputesNothing) {
    Lab lab = six_tokens();
    Trace trace = run(lab);
    lab.settings.scale = 1.0f / std::sqrt(2.0f);
    EXPECT_EQ(update(trace, lab).n_cells_computed, 0u);
    EXPECT_EQ(trace.program().formula(trace.program().find("scaled_scores")), "attention_scores · 0.707107");
}

TEST(Trace, ASettingReportsTheCellsWhoseBitsDiffer) {
    Lab lab = six_tokens();
    lab.settings.mask = MaskKind::causal;
    Trace trace = run(lab);
    lab.settings.mask = MaskKind::sliding_window;
    lab.settings.window = 5;
    const UpdateReport report = update(trace, lab);
    EXPECT_EQ(changed(report, trace, "combined_mask").blocks(), std::vector<Block>{Block::at({0, 5, 0})});
    EXPECT_EQ(changed(report, trace, "context_vectors").blocks(), (std::vector<Block>{{{0, 1}, {5, 6}, {0, 2}}}));
}

TEST(Trace, DimensionsMayShrinkToNothingAndGrowAgain) {
    const Lab wide = given_lab();
    Lab empty = wide;
    empty.tensors["queries"] = Tensor(Shape::matrix(4, 0));
    empty.tensors["keys"] = Tensor(Shape::matrix(5, 0));
    empty.settings.scale = 1.0f;
    Lab wide_again = wide;
    wide_again.settings.scale = 1.0f;
    Trace trace = run(wide_again);
    update(trace, empty);
    EXPECT_EQ(tensor_of(trace, "attention_scores").values(), std::vector<float>(20, 0.0f));
    update(trace, wide_again);
    EXPECT_TRUE(bit_equal(tensor_of(trace, "context_vectors"), tensor_of(run(wide_again), "context_vectors")));
}

TEST(Trace, WeightedValuesReadAsIfTheyWereStored) {
    for (const Lab& lab : many_labs()) {
        const Trace trace = run(lab);
        const int node = trace.program().find("weighted_values");
        ASSERT_GE(node, 0);
        EXPECT_FALSE(trace.program().node(node).stored);
        const std::string weights = lab.settings.round_weights ? "rounded_weights" : "attention_weights";
        const std::string values = lab.tensors.count("queries") > 0 || lab.settings.projections ? "values" : "inputs";
        const Tensor stored = lab::test::run(*weigh_values(), {tensor_of(trace, weights), tensor_of(trace, values)});
        const Tensor read = tensor_of(trace, node);
        for_each_cell(stored.shape(), [&](Cell cell) {
            EXPECT_TRUE(alike(stored.at(cell), read.at(cell)) && alike(stored.at(cell), trace.at(node, cell)))
                << lab.name;
        });
    }
}

TEST(Trace, ASourceReadsAnyBlock) {
    const Trace trace = run(six_tokens());
    for (const char* name : {"inputs", "attention_scores", "weighted_values"}) {
        const int node = trace.program().find(name);
        const auto source = trace.source(node);
        Dice dice(1);
        for (int round = 0; round < 20; ++round) {
            const Cell cell{dice.below(source->shape().planes), dice.below(source->shape().rows),
                            dice.below(source->shape().cols)};
            const Block block{{cell.plane, source->shape().planes},
                              {cell.row, source->shape().rows},
                              {cell.col, source->shape().cols}};
            std::vector<float> cells(block.size(), kNaN);
            source->read(block, cells.data());
            std::size_t i = 0;
            for_each_cell(source->shape(), [&](Cell at) {
                if (!block.contains(at)) return;
                EXPECT_TRUE(alike(cells[i++], source->at(at))) << name << to_text(at);
            });
        }
    }
}

TEST(Trace, ExtentIsOfTheFiniteCells) {
    Lab lab = given_lab();
    lab.tensors["values"] = matrix({{1, -3}, {kNaN, kInfinity}, {2, -kInfinity}, {0, 0}, {0, 0}});
    Trace trace = run(lab);
    const auto extent = [&](const std::string& name) { return trace.extent(trace.program().find(name)); };
    EXPECT_EQ(extent("values").least, -3.0f);
    EXPECT_EQ(extent("values").greatest, 2.0f);
    edit(lab, "values", {0, 0, 1}, 5.0f);
    update(trace, lab);
    EXPECT_EQ(extent("values").least, 0.0f) << "forgotten after an edit";
    EXPECT_EQ(extent("values").greatest, 5.0f);
    lab.tensors["values"] = Tensor(Shape::matrix(5, 2), kNaN);
    update(trace, lab);
    EXPECT_EQ(extent("values").least, 0.0f);
    EXPECT_EQ(extent("values").greatest, 0.0f);
    edit(lab, "queries", {0, 0, 0}, 100.0f);
    update(trace, lab);
    EXPECT_EQ(extent("queries").greatest, 100.0f);
}

TEST(Trace, ATypicalMagnitudeIsThatOfTheMiddleRow) {
    Lab lab = given_lab();
    lab.tensors["values"] = matrix({{1, -3}, {kNaN, kInfinity}, {2, -kInfinity}, {0, 0}, {0.5f, 0}});
    Trace trace = run(lab);
    const auto typical = [&](const std::string& name) { return trace.typical_magnitude(trace.program().find(name)); };
    EXPECT_EQ(typical("values"), 2.0f) << "of 3, 2 and 0.5";
    edit(lab, "values", {0, 4, 0}, -2.5f);
    update(trace, lab);
    EXPECT_EQ(typical("values"), 2.5f) << "forgotten after an edit";
    edit(lab, "values", {0, 0, 1}, -300.0f);
    update(trace, lab);
    EXPECT_EQ(typical("values"), 2.5f) << "whatever the greatest is";
    lab.tensors["values"] = Tensor(Shape::matrix(5, 2), 0.0f);
    update(trace, lab);
    EXPECT_EQ(typical("values"), 0.0f);
    EXPECT_EQ(typical("attention_weights"), 0.0f) << "not signed";
}

TEST(TypicalMagnitude, OfManyRowsAboutAThousandSayIt) {
    constexpr std::size_t kRows = 6000, kStep = 5;
    std::vector<Extent> rows(kRows);
    for (std::size_t i = 0; i < kRows; ++i) rows[i] = {0, i % kStep == 0 ? 1 + static_cast<float>(i) : 1e6f};
    EXPECT_NEAR(typical_magnitude(rows), kRows / 2, 10) << "the others are not looked at";
    for (std::size_t i = 0; i < kRows; ++i) rows[i] = {0, i % 2 == 0 ? 1 + static_cast<float>(i) : 1e-3f};
    EXPECT_LT(typical_magnitude(rows), 20) << "of rows that take turns half are of either kind";
    rows.assign(kRows, Extent{});
    rows[1] = {-3, 0};
    EXPECT_EQ(typical_magnitude(rows), 3) << "of those that are not 0";
    rows.resize(1000);
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = {0, i % kStep == 0 ? 1.0f : 2.0f};
    EXPECT_EQ(typical_magnitude(rows), 2) << "of a thousand all";
}

TEST(TypicalMagnitude, IsTheMiddleOneInOrder) {
    Dice dice(9);
    for (int n : {1, 2, 3, 7, 64, 255, 1000}) {
        for (float spread : {0.0f, 1e-6f, 1.0f, 1e6f}) {
            std::vector<Extent> rows;
            std::vector<float> magnitudes;
            for (int i = 0; i < n; ++i) {
                magnitudes.push_back(3 + spread * std::fabs(dice.number()));
                rows.push_back(dice.below(2) == 0 ? Extent{-magnitudes.back(), 1} : Extent{0, magnitudes.back()});
            }
            std::sort(magnitudes.begin(), magnitudes.end());
            EXPECT_EQ(typical_magnitude(rows), magnitudes[magnitudes.size() / 2]) << n << ", " << spread;
        }
    }
}

TEST(Trace, NoticesComeFromTheSteps) {
    Lab lab = given_lab();
    lab.settings.mask = MaskKind::tensor;
    lab.tensors["mask"] = Tensor(Shape::matrix(4, 5)).with({0, 0, 0}, 1.0f);
    for (int j = 0; j < 5; ++j) edit(lab, "mask", {0, 2, j}, -kInfinity);
    const Trace trace = run(lab);
    const int weights = trace.program().find("attention_weights");
    EXPECT_EQ(trace.notice(weights, 0, 2), Notice::all_keys_masked);
    EXPECT_EQ(trace.notice(weights, 0, 1), std::nullopt);
    EXPECT_EQ(trace.notice(trace.program().find("queries"), 0, 2), std::nullopt);
    EXPECT_EQ(trace.notice(trace.program().find("attention_scores"), 0, 2), std::nullopt);
}

// Softmax that counts how often its notices are asked for.
class CountingStep final : public Step {
  public:
    std::string_view kind() const override { return "counting"; }
    Result<Shape> shape(std::span<const Shape> operands, std::span<const std::string> names) const override {
        return softmax_->shape(operands, names);
    }
    void forward(Operands<float> operands, const Block& block, OutputView<float> result) const override {
        softmax_->forward(operands, block, result);
    }
    void forward(Operands<double> operands, const Block& block, OutputView<double> result) const override {
        softmax_->forward(operands, block, result);
    }
    Expression derive(Operands<float> operands, Cell cell) const override { return softmax_->derive(operands, cell); }
    Region reach(std::span<const Shape> operands, const Shape& result, int operand,
                 const Block& changed) const override {
        return softmax_->reach(operands, result, operand, changed);
    }
    void backward(Backward&) const override {}
    std::string formula(std::span<const std::string> names) const override { return softmax_->formula(names); }
    std::optional<Notice> notice(Operands<float> operands, int plane, int row) const override {
        ++n_asked;
        return softmax_->notice(operands, plane, row);
    }
    mutable int n_asked = 0;

  private:
    StepPtr softmax_ = softmax();
};

TEST(Trace, ANoticeIsWorkedOutOncePerUpdateThatReachesIt) {
    const auto step = std::make_shared<CountingStep>();
    Program program;
    program.nodes.push_back({"x", nullptr, {}, Shape::stack(2, 3, 2), {}});
    program.nodes.push_back({"other", nullptr, {}, Shape::matrix(1, 1), {}});
    program.nodes.push_back({"y", step, {0}, Shape::stack(2, 3, 2), {}});
    Tensors tensors = {{"x", Tensor(Shape::stack(2, 3, 2))}, {"other", Tensor(Shape::matrix(1, 1))}};
    Trace trace;
    trace.update(program, tensors);
    for (int again = 0; again < 3; ++again) EXPECT_EQ(trace.notice(2, 1, 2), std::nullopt);
    EXPECT_EQ(step->n_asked, 1) << "and no other row's";
    tensors["other"] = Tensor(Shape::matrix(1, 1), 1.0f);
    trace.update(tensors);
    trace.notice(2, 1, 2);
    EXPECT_EQ(step->n_asked, 1);
    tensors["x"] = tensors["x"].with({1, 2, 0}, 100.0f);
    trace.update(tensors);
    EXPECT_EQ(trace.notice(2, 1, 2), Notice::saturated);
    EXPECT_EQ(trace.notice(2, 0, 2), std::nullopt);
    EXPECT_EQ(step->n_asked, 3);
}

TEST(Trace, EqualsTheFloat64ReferenceOfTheSameLines) {
    for (const Lab& lab : many_labs()) {
        const bool is_smooth = lab.settings.normalization == Normalization::softmax && !lab.settings.round_weights;
        if (!is_smooth || lab.name == "NaN and infinities") continue;
        const Trace trace = run(lab);
        const auto reference = run_reference(trace.program(), lab.tensors);
        for (std::size_t node = 0; node < reference.size(); ++node) {
            const std::vector<float> cells = tensor_of(trace, static_cast<int>(node)).values();
            ASSERT_EQ(cells.size(), reference[node].size());
            for (std::size_t i = 0; i < cells.size(); ++i) {
                EXPECT_TRUE(close(static_cast<double>(cells[i]), reference[node][i]))
                    << lab.name << " " << trace.program().nodes[node].name;
            }
        }
    }
}

} // namespace
