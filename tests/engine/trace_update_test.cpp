// After any edits an updated trace is, bit for bit, the trace of a fresh run; and what it says of the change is true.
#include <gtest/gtest.h>

#include "tests/engine/labs.h"

namespace {

using namespace lab;
using namespace lab::test;

using Values = std::map<std::string, Tensor>; // per node

Values values_of(const Trace& trace) {
    Values values;
    for (const Node& node : trace.program().nodes) values[node.name] = tensor_of(trace, node.name);
    return values;
}

// NaN may have any bits.
bool all_alike(const Tensor& a, const Tensor& b) {
    const std::vector<float> x = a.values(), y = b.values();
    return a.shape() == b.shape() && std::equal(x.begin(), x.end(), y.begin(), y.end(), alike);
}

// Of what is not stored an extent is that of the rows that were seen.
Trace::Extent extent_of_all(const Trace& trace, const std::string& name) {
    const int node = trace.program().find(name);
    const Shape& shape = trace.program().node(node).shape;
    for (int plane = 0; plane < shape.planes; ++plane) trace.survey(node, plane, {0, shape.rows});
    return trace.extent(node);
}

void expect_same_as_fresh(const Trace& trace, const Lab& lab) {
    const Trace fresh = run(lab);
    ASSERT_EQ(trace.program().nodes.size(), fresh.program().nodes.size());
    for (const Node& node : fresh.program().nodes) {
        EXPECT_TRUE(all_alike(tensor_of(trace, node.name), tensor_of(fresh, node.name))) << node.name;
        const auto extent = extent_of_all(trace, node.name), expected = extent_of_all(fresh, node.name);
        EXPECT_TRUE(extent.least == expected.least && extent.greatest == expected.greatest) << node.name;
    }
}

// Whether every side of the block touches a cell that differs.
bool is_tight(const Block& block, const Tensor& before, const Tensor& after) {
    std::optional<Block> box;
    for_each_cell(after.shape(), [&](Cell cell) {
        if (!block.contains(cell) || bits_of(before.at(cell)) == bits_of(after.at(cell))) return;
        box = box ? bounding_block(*box, Block::at(cell)) : Block::at(cell);
    });
    return box && *box == block;
}

// Every cell that differs is in the changed region, whose boxes are no larger than they must be.
void expect_true_report(const UpdateReport& report, const Values& before, const Trace& trace) {
    for (std::size_t i = 0; i < report.changed.size(); ++i) {
        const Node& node = trace.program().nodes[i];
        const Tensor after = tensor_of(trace, static_cast<int>(i));
        const auto old = before.find(node.name);
        const bool is_comparable = old != before.end() && old->second.shape() == node.shape;
        for_each_cell(node.shape, [&](Cell cell) {
            const bool differs = !is_comparable || bits_of(old->second.at(cell)) != bits_of(after.at(cell));
            EXPECT_TRUE(!differs || report.changed[i].contains(cell))
                << node.name << to_text(cell) << " changed unsaid";
        });
        if (!is_comparable || !node.stored) continue;
        for (const Block& block : report.changed[i].blocks())
            EXPECT_TRUE(is_tight(block, old->second, after)) << node.name;
    }
}

float any_number(Dice& dice) {
    const float special[] = {0.0f, -0.0f, kNaN, kInfinity, -kInfinity, 1e30f};
    return dice.below(12) == 0 ? special[dice.below(6)] : dice.number();
}

void edit_a_tensor(Lab& lab, Dice& dice) {
    auto chosen = lab.tensors.begin();
    std::advance(chosen, dice.below(static_cast<int>(lab.tensors.size())));
    Tensor& tensor = chosen->second;
    const Shape& shape = tensor.shape();
    const int n_cells = dice.below(4) == 0 ? dice.below(8) : 1;
    for (int i = 0; i < n_cells; ++i) {
        tensor = tensor.with({0, dice.below(shape.rows), dice.below(shape.cols)}, any_number(dice));
    }
    if (dice.below(10) == 0) tensor = dice.tensor(shape);
}

void edit_a_setting(Lab& lab, Dice& dice) {
    AttentionSettings& settings = lab.settings;
    switch (dice.below(6)) {
    case 0: settings.normalization = static_cast<Normalization>(dice.below(3)); break;
    case 1:
        settings.mask = lab.tensors.count("mask") > 0 ? static_cast<MaskKind>(dice.below(4)) : MaskKind::causal;
        break;
    case 2: settings.window = 1 + dice.below(4); break;
    case 3: settings.round_weights = dice.below(2) == 0 ? std::nullopt : std::optional(dice.below(3)); break;
    case 4: settings.scale = dice.below(2) == 0 ? std::nullopt : std::optional(dice.number()); break;
    default: settings.projections = !settings.projections || lab.tensors.count("W_query") == 0; break;
    }
    if (settings.mask == MaskKind::sliding_window && !settings.window) settings.window = 2;
}

// One token or one dimension more or fewer; where that does not fit, the edit is not made.
void edit_a_shape(Lab& lab, Dice& dice) {
    for (auto& [name, tensor] : lab.tensors) {
        if (dice.below(3) == 0)
            tensor = dice.tensor(
                {1, std::max(1, tensor.shape().rows + dice.below(2)), tensor.shape().cols, tensor.shape().rank});
    }
    if (lab.tensors.count("values") > 0)
        lab.tensors["values"] = dice.tensor(Shape::matrix(lab.tensors["keys"].shape().rows, 1 + dice.below(4)));
    if (lab.tensors.count("W_value") > 0) lab.tensors["W_value"] = dice.tensor(Shape::matrix(3, 1 + dice.below(4)));
    if (dice.below(2) == 0) lab.tensors.erase("b_value");
}

Lab edited(const Lab& lab, Dice& dice) {
    Lab next = lab;
    const int kind = dice.below(10);
    if (kind < 7)
        edit_a_tensor(next, dice);
    else if (kind < 9)
        edit_a_setting(next, dice);
    else
        edit_a_shape(next, dice);
    return try_program(next) ? next : lab;
}

TEST(TraceUpdate, EqualsAFreshRunAfterAnyEdits) {
    Dice dice(1);
    for (const Lab& start : many_labs()) {
        SCOPED_TRACE(start.name);
        Trace trace = run(start);
        std::vector<Lab> history = {start};
        for (int step = 0; step < 12; ++step) {
            const bool undoes = history.size() > 1 && dice.below(5) == 0;
            if (undoes)
                history.pop_back();
            else
                history.push_back(edited(history.back(), dice));
            const Values before = values_of(trace);
            const UpdateReport report = update(trace, history.back());
            expect_same_as_fresh(trace, history.back());
            expect_true_report(report, before, trace);
        }
    }
}

// From any document to any other, as on opening a session: nothing of the one is left in the other.
TEST(TraceUpdate, EqualsAFreshRunAfterAnotherDocument) {
    const std::vector<Lab> labs = many_labs();
    Trace trace;
    Dice dice(2);
    for (int step = 0; step < 150; ++step) {
        const Lab& lab = labs[static_cast<std::size_t>(dice.below(static_cast<int>(labs.size())))];
        SCOPED_TRACE(lab.name);
        const Values before = values_of(trace);
        const UpdateReport report = update(trace, lab);
        expect_same_as_fresh(trace, lab);
        expect_true_report(report, before, trace);
    }
}

// More rows than a region has boxes, and tensors of many tiles; scores that are summed by pairs where that is the faster.
TEST(TraceUpdate, EqualsAFreshRunAtLargerSizes) {
    Dice dice(3);
    Lab lab{"300 tokens", {}, {}};
    lab.settings.mask = MaskKind::causal;
    lab.settings.round_weights = 1;
    lab.tensors["inputs"] = dice.tensor(Shape::matrix(300, 20));
    for (const char* name : {"W_query", "W_key"}) lab.tensors[name] = dice.tensor(Shape::matrix(20, 36));
    lab.tensors["W_value"] = dice.tensor(Shape::matrix(20, 4));
    Trace trace = run(lab);
    for (int step = 0; step < 4; ++step) {
        const int n_edits = step == 3 ? 200 : 1;
        for (int i = 0; i < n_edits; ++i)
            lab.tensors["inputs"] = lab.tensors["inputs"].with({0, dice.below(300), dice.below(20)}, dice.number());
        const UpdateReport report = update(trace, lab);
        EXPECT_GT(report.n_cells_computed, 0u);
        expect_same_as_fresh(trace, lab);
    }
}

} // namespace
