// Of every reference session: after edits of cells of every tensor, after changes of settings and after another session, the
// updated trace is, bit for bit, that of a fresh run; and what an update says of the change is true.
#include <algorithm>
#include <functional>
#include <optional>
#include <set>

#include <gtest/gtest.h>

#include "tests/formats/case_documents.h"

namespace {

using namespace lab;
using namespace lab::test;

constexpr int kEditsPerTensor = 2;

std::vector<Tensor> tensors_of(const Trace& trace) {
    std::vector<Tensor> all;
    for (int i = 0; i < static_cast<int>(trace.program().nodes.size()); ++i)
        all.emplace_back(trace.program().node(i).shape, read_all(*trace.source(i)));
    return all;
}

std::size_t n_cells(const Program& program) {
    std::size_t n = 0;
    for (const Node& node : program.nodes) n += node.stored && !node.is_leaf() ? node.shape.size() : 0;
    return n;
}

void expect_same_as_fresh(const Trace& trace, const Document& document) {
    const Trace fresh = run(document);
    std::set<std::string> names;
    for (const Node& node : fresh.program().nodes) EXPECT_TRUE(names.insert(node.name).second) << node.name << " twice";
    ASSERT_EQ(trace.program().nodes.size(), fresh.program().nodes.size());
    const std::vector<Tensor> updated = tensors_of(trace), expected = tensors_of(fresh);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const std::vector<float> x = updated[i].values(), y = expected[i].values();
        EXPECT_TRUE(std::equal(x.begin(), x.end(), y.begin(), y.end(), alike)) << fresh.program().nodes[i].name;
    }
}

// Every cell that differs is said to have changed; and of stored tensors the boxes are no larger than they must be.
void expect_true_report(const UpdateReport& report, const std::vector<Tensor>& before, const Trace& trace) {
    const std::vector<Tensor> after = tensors_of(trace);
    for (std::size_t i = 0; i < after.size(); ++i) {
        const Node& node = trace.program().nodes[i];
        std::vector<std::optional<Block>> boxes(report.changed[i].blocks().size()); // of what differs in each block
        for_each_cell(node.shape, [&](Cell cell) {
            if (bits_of(before[i].at(cell)) == bits_of(after[i].at(cell))) return;
            EXPECT_TRUE(report.changed[i].contains(cell)) << node.name << to_text(cell) << " changed unsaid";
            for (std::size_t b = 0; b < boxes.size(); ++b) {
                if (!report.changed[i].blocks()[b].contains(cell)) continue;
                boxes[b] = boxes[b] ? bounding_block(*boxes[b], Block::at(cell)) : Block::at(cell);
            }
        });
        for (std::size_t b = 0; b < boxes.size() && node.stored; ++b)
            EXPECT_TRUE(boxes[b] == report.changed[i].blocks()[b]) << node.name << " is said to have changed more";
    }
}

// A number for a cell: tokens' of the vocabulary, masks' also −∞, now and then one that overflows or is none.
float number_for(const std::string& name, const Tensor& tensor, Dice& dice) {
    const float special[] = {0.0f, -0.0f, kNaN, kInfinity, 1e30f};
    if (name == "token_ids") return tensor.at({0, 0, dice.below(tensor.shape().cols)});
    if (name == "mask" && dice.below(2) == 0) return dice.below(2) == 0 ? -kInfinity : 0.0f;
    return dice.below(20) == 0 ? special[dice.below(5)] : dice.number();
}

TEST(AttentionCasesUpdate, EqualsAFreshRunAfterEditsOfEveryTensor) {
    Dice dice(51);
    for (const CaseDocument& one : case_documents()) {
        Document document = one.document;
        Trace trace = run(document);
        for (auto& [name, tensor] : document.tensors) {
            for (int edit = 0; edit < kEditsPerTensor; ++edit) {
                SCOPED_TRACE(one.name + ": " + name);
                const Cell cell = sampled_cells(tensor.shape(), 1, dice)[0];
                tensor = tensor.with(cell, number_for(name, tensor, dice));
                const std::vector<Tensor> before = tensors_of(trace);
                const UpdateReport report = trace.update(document.tensors);
                expect_same_as_fresh(trace, document);
                expect_true_report(report, before, trace);
                EXPECT_LE(report.n_cells_computed, n_cells(trace.program()));
                const bool is_read = trace.program().find(name) >= 0;
                EXPECT_TRUE(is_read || report.n_cells_computed == 0u) << "nothing reads it";
            }
        }
    }
}

struct SettingEdit {
    const char* name;
    std::function<void(Document&)> apply;
};

// Those that a document does not take (a sink that is not there, heads that do not divide) are left out where they are made.
const std::vector<SettingEdit>& setting_edits() {
    static const std::vector<SettingEdit> all = {
        {"scale", [](Document& d) { d.attention.scale = 0.37f; }},
        {"naive softmax", [](Document& d) { d.attention.normalization = Normalization::naive_softmax; }},
        {"sum", [](Document& d) { d.attention.normalization = Normalization::sum; }},
        {"sparsemax", [](Document& d) { d.attention.normalization = Normalization::sparsemax; }},
        {"top 1", [](Document& d) { d.attention.normalization = Normalization::top_k_softmax, d.attention.top_k = 1; }},
        {"top 2", [](Document& d) { d.attention.normalization = Normalization::top_k_softmax, d.attention.top_k = 2; }},
        {"softmax", [](Document& d) { d.attention.normalization = Normalization::softmax; }},
        {"causal", [](Document& d) { d.attention.mask = MaskKind::causal; }},
        {"window 1", [](Document& d) { d.attention.mask = MaskKind::sliding_window, d.attention.window = 1; }},
        {"window 2", [](Document& d) { d.attention.mask = MaskKind::sliding_window, d.attention.window = 2; }},
        {"prefix 1", [](Document& d) { d.attention.mask = MaskKind::prefix, d.attention.prefix = 1; }},
        {"prefix 2", [](Document& d) { d.attention.mask = MaskKind::prefix, d.attention.prefix = 2; }},
        {"own mask", [](Document& d) { d.attention.mask = MaskKind::tensor; }},
        {"no mask", [](Document& d) { d.attention.mask = MaskKind::none; }},
        {"documents",
         [](Document& d) {
             d.attention.document_lengths = {1, 2};
         }},
        {"other documents",
         [](Document& d) {
             d.attention.document_lengths = {2, 1};
         }},
        {"one document", [](Document& d) { d.attention.document_lengths.clear(); }},
        {"padding from 2", [](Document& d) { d.attention.nonpad_keys = 2; }},
        {"padding from 1", [](Document& d) { d.attention.nonpad_keys = 1; }},
        {"no padding", [](Document& d) { d.attention.nonpad_keys.reset(); }},
        {"sink", [](Document& d) { d.attention.sink = !d.attention.sink; }},
        {"dropout", [](Document& d) { d.attention.dropout = 0.4f; }},
        {"dropout of more", [](Document& d) { d.attention.dropout = 0.6f; }},
        {"dropout seed", [](Document& d) { d.attention.dropout_seed = 7; }},
        {"rounding to 1", [](Document& d) { d.attention.round_weights = 1; }},
        {"rounding to 2", [](Document& d) { d.attention.round_weights = 2; }},
        {"1 head", [](Document& d) { d.attention.n_heads = 1, d.attention.n_kv_heads.reset(); }},
        {"2 heads", [](Document& d) { d.attention.n_heads = 2, d.attention.n_kv_heads.reset(); }},
        {"1 group", [](Document& d) { d.attention.n_kv_heads = 1; }},
        {"cap 2", [](Document& d) { d.attention.softcap = 2.0f; }},
        {"cap 1", [](Document& d) { d.attention.softcap = 1.0f; }},
        {"sinusoidal", [](Document& d) { d.attention.position = Position::sinusoidal; }},
        {"rope", [](Document& d) { d.attention.position = Position::rope; }},
        {"rope base", [](Document& d) { d.attention.rope.base = 50.0f; }},
        {"rope pairs", [](Document& d) { d.attention.rope.pairs = RopePairs::interleaved; }},
        {"rope dims", [](Document& d) { d.attention.rope.dims = 2; }},
        {"rope scaling", [](Document& d) { d.attention.rope.scaling = 3.0f; }},
        {"alibi", [](Document& d) { d.attention.position = Position::alibi; }},
        {"learned", [](Document& d) { d.attention.position = Position::learned; }},
        {"relative bias", [](Document& d) { d.attention.position = Position::relative_bias; }},
        {"context 2", [](Document& d) { d.attention.context_length = 2; }},
        {"context 1", [](Document& d) { d.attention.context_length = 1; }},
        {"fewer blocks", [](Document& d) { d.attention.blocks.n = std::max(0, d.attention.blocks.n - 1); }},
        {"no residual", [](Document& d) { d.attention.blocks.residual = false; }},
        {"layer norm", [](Document& d) { d.attention.blocks.norm = Norm::layer_norm; }},
        {"rms norm", [](Document& d) { d.attention.blocks.norm = Norm::rms_norm; }},
        {"post", [](Document& d) { d.attention.blocks.norm_position = NormPosition::post; }},
        {"epsilon", [](Document& d) { d.attention.blocks.norm_epsilon = 0.5f; }},
        {"final norm", [](Document& d) { d.attention.blocks.final_norm = !d.attention.blocks.final_norm; }},
        {"relu", [](Document& d) { d.attention.blocks.mlp = Mlp::relu; }},
        {"gelu", [](Document& d) { d.attention.blocks.mlp = Mlp::gelu; }},
        {"gelu, tanh", [](Document& d) { d.attention.blocks.mlp = Mlp::gelu_tanh; }},
        {"gated", [](Document& d) { d.attention.blocks.mlp = Mlp::silu_gated; }},
        {"no MLP", [](Document& d) { d.attention.blocks.mlp = Mlp::none; }},
        {"own unembedding", [](Document& d) { d.attention.blocks.unembedding = Unembedding::own; }},
        {"tied unembedding", [](Document& d) { d.attention.blocks.unembedding = Unembedding::tied; }},
        {"no projections", [](Document& d) { d.attention.projections = !d.attention.projections; }},
        {"gradient of a cell", [](Document& d) { d.gradient = "attention_weights[0,0]"; }},
        {"gradient of a sum", [](Document& d) { d.gradient = "sum(context_vectors)"; }},
        {"gradient of another sum", [](Document& d) { d.gradient = "sum(attention_scores)"; }},
        {"gradient of the first block", [](Document& d) { d.gradient = "sum(blocks.0.outputs)"; }},
        {"no gradient", [](Document& d) { d.gradient.clear(); }},
    };
    return all;
}

// One setting after the other, in an order of each session's own: what fits stays.
TEST(AttentionCasesUpdate, EqualsAFreshRunAfterChangesOfSettings) {
    constexpr int kSettingsPerCase = 25;
    Dice dice(52);
    std::vector<int> n_made(setting_edits().size(), 0);
    for (const CaseDocument& one : case_documents()) {
        Document document = one.document;
        Trace trace = run(document);
        for (int turn = 0; turn < kSettingsPerCase; ++turn) {
            const auto which = static_cast<std::size_t>(dice.below(static_cast<int>(setting_edits().size())));
            Document edited = document;
            setting_edits()[which].apply(edited);
            const Result<Program> program = build_program(edited);
            if (!program) continue;
            SCOPED_TRACE(one.name + ": " + setting_edits()[which].name);
            ++n_made[which];
            document = edited;
            trace.update(*program, document.tensors);
            expect_same_as_fresh(trace, document);
        }
    }
    for (std::size_t i = 0; i < n_made.size(); ++i)
        EXPECT_GT(n_made[i], 0) << setting_edits()[i].name << " fits no session";
}

TEST(AttentionCasesUpdate, EqualsAFreshRunAfterAnotherSession) {
    Dice dice(53);
    Trace trace;
    for (std::size_t turn = 0; turn < case_documents().size(); ++turn) {
        const int which = dice.below(static_cast<int>(case_documents().size()));
        const CaseDocument& one = case_documents()[static_cast<std::size_t>(which)];
        SCOPED_TRACE(one.name);
        trace.update(program_of(one.document), one.document.tensors);
        expect_same_as_fresh(trace, one.document);
    }
}

} // namespace
