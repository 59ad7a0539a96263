// Tokens that are looked up in a table: by one-hot rows where words are few, by taking rows where they are many.
#include <gtest/gtest.h>

#include "engine/program_builder.h"
#include "tests/engine/labs.h"

namespace {

using namespace lab;
using namespace lab::test;

constexpr int kManyWords = 40000;
constexpr int kLastWord = kManyWords - 1;

// Three tokens, the second of which is another word, that are queries, keys and values themselves.
Lab tokens_of(const Tensor& ids, const Tensor& table) {
    Lab lab{"tokens by ids", {}, {}};
    lab.settings.projections = false;
    lab.tensors = {{"token_ids", ids}, {"W_embedding", table}};
    return lab;
}

const Tensor kTwoWords = matrix({{0.5f, -1}, {2, 0.25f}});

Lab of_few_words() { return tokens_of(vector({0, 1, 0}), kTwoWords); }

// The same tokens, whose words are the sixth and the last of a long list of zeros.
Lab of_many_words() {
    Tensor table(Shape::matrix(kManyWords, 2));
    for (int j = 0; j < 2; ++j)
        table = table.with({0, 5, j}, kTwoWords.at({0, 0, j})).with({0, kLastWord, j}, kTwoWords.at({0, 1, j}));
    return tokens_of(vector({5, kLastWord, 5}), table);
}

Trace with_target(const Lab& lab, const char* target) {
    const auto program = try_gradients(lab, target);
    EXPECT_TRUE(program) << program.error();
    Trace trace;
    trace.update(*program, lab.tensors);
    return trace;
}

Program looked_up(int n_tokens, int n_words, int d) {
    AttentionSettings settings;
    settings.projections = false;
    const TensorShapes shapes = {{"token_ids", Shape::vector(n_tokens)}, {"W_embedding", Shape::matrix(n_words, d)}};
    const Result<Program> program = build_program(settings, shapes);
    EXPECT_TRUE(program) << program.error();
    return *program;
}

TEST(Embedding, OfManyWordsIsThatOfFew) {
    const Trace few = run(of_few_words()), many = run(of_many_words());
    EXPECT_GE(few.program().find("one_hot_tokens"), 0);
    EXPECT_LT(many.program().find("one_hot_tokens"), 0);
    for (const Node& node : many.program().nodes) {
        if (node.is_leaf()) continue;
        EXPECT_TRUE(bit_equal(tensor_of(many, node.name), tensor_of(few, node.name))) << node.name;
    }
    EXPECT_TRUE(bit_equal(tensor_of(many, "inputs"), matrix({{0.5f, -1}, {2, 0.25f}, {0.5f, -1}})));
}

TEST(Embedding, OfManyWordsHasTheGradientsOfFew) {
    const Trace few = with_target(of_few_words(), "context_vectors[2,0]");
    const Trace many = with_target(of_many_words(), "context_vectors[2,0]");
    EXPECT_TRUE(bit_equal(tensor_of(many, "grad.inputs"), tensor_of(few, "grad.inputs")));
    const Tensor expected = tensor_of(few, "grad.W_embedding"), slopes = tensor_of(many, "grad.W_embedding");
    for_each_cell(slopes.shape(), [&](Cell cell) {
        const bool is_first = cell.row == 5, is_last = cell.row == kLastWord;
        EXPECT_EQ(slopes.at(cell), is_first || is_last ? expected.at({0, is_last ? 1 : 0, cell.col}) : 0)
            << to_text(cell);
    });
    EXPECT_NE(expected.at({0, 0, 0}), 0);
    for (float slope : tensor_of(many, "grad.token_ids").values()) EXPECT_EQ(slope, 0);
}

// 50 257 words of 768 dimensions, as GPT-2 has them: nothing but the rows that are taken is computed.
TEST(Embedding, OfARealVocabularyComputesItsRowsAlone) {
    const Program program = looked_up(100, 50257, 768);
    const Node& inputs = program.node(program.find("inputs"));
    EXPECT_EQ(inputs.step->kind(), "gather_rows");
    EXPECT_EQ(inputs.shape, Shape::matrix(100, 768));
    for (const Node& node : program.nodes) {
        if (node.is_leaf() || !node.stored) continue;
        EXPECT_LE(node.shape.size(), inputs.shape.size()) << node.name;
    }
}

TEST(Embedding, IsReadAsOneHotRowsWhileTheseAreFewCells) {
    const int n_words = static_cast<int>(kMostOneHotCells) / 4;
    EXPECT_GE(looked_up(4, n_words, 2).find("one_hot_tokens"), 0);
    EXPECT_LT(looked_up(5, n_words, 2).find("one_hot_tokens"), 0);
    EXPECT_LT(looked_up(4, n_words + 1, 2).find("one_hot_tokens"), 0);
}

TEST(Embedding, AnEditOfAWordReachesItsTokensAlone) {
    Lab lab = of_many_words();
    Trace trace = run(lab);
    const auto edit = [&](const char* name, Cell cell, float value) {
        lab.tensors[name] = lab.tensors.at(name).with(cell, value);
        const UpdateReport report = update(trace, lab);
        const Trace fresh = run(lab);
        EXPECT_TRUE(bit_equal(tensor_of(trace, "context_vectors"), tensor_of(fresh, "context_vectors"))) << name;
        return std::pair(report.changed[static_cast<std::size_t>(trace.program().find("inputs"))],
                         report.n_cells_computed);
    };
    EXPECT_EQ(edit("W_embedding", {0, 6, 1}, 3).second, 0u) << "no token is this word";
    const auto last = edit("W_embedding", {0, kLastWord, 1}, 3);
    EXPECT_EQ(last.first.blocks(), (std::vector<Block>{{{0, 1}, {1, 2}, {1, 2}}})) << "the second token's";
    EXPECT_EQ(edit("W_embedding", {0, 5, 0}, 7).first.blocks().size(), 2u) << "the first token and the third";
    const auto other = edit("token_ids", {0, 0, 0}, 6);
    EXPECT_EQ(other.first.blocks(), (std::vector<Block>{{{0, 1}, {0, 1}, {0, 2}}}));
    const std::vector<Trace::Feed> feeds = trace.feeds(trace.program().find("W_embedding"), {0, 5, 1});
    ASSERT_EQ(feeds.size(), 1u);
    EXPECT_EQ(feeds[0].cells.blocks(), (std::vector<Block>{{{0, 1}, {2, 3}, {1, 2}}}))
        << "the third token alone is left";
}

} // namespace
