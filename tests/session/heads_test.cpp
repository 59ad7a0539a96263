#include "app/session/heads.h"

#include <gtest/gtest.h>

#include "app/session/lab.h"
#include "tests/session/model_program.h"

namespace lab::test {

namespace {

class Heads : public testing::Test {
  protected:
    const ModelProgram model;
    const Program& program = model.program;

    HeadsAlong along(const char* name) { return head_layout(program, model.find(name)).along; }
    int n_parts(const char* name) { return head_layout(program, model.find(name)).n_parts; }
    Block block(const char* name, int head) { return block_of_head(program, model.find(name), head); }
    Range heads(const char* name, Cell cell) { return heads_of(program, model.find(name), cell); }
};

TEST_F(Heads, AreCountedByTheWeights) {
    EXPECT_EQ(n_heads(program), 4);
    EXPECT_EQ(n_heads(Program{}), 1);
    EXPECT_EQ(n_heads(Lab().program()), 1);
}

TEST_F(Heads, StandPlaneByPlaneOrSideBySide) {
    for (const char* name : {"queries", "keys", "attention_weights", "context_vectors"}) {
        EXPECT_EQ(along(name), HeadsAlong::planes) << name;
    }
    for (const char* name : {"W_query", "b_query", "W_key", "values", "rotated_values", "joined_contexts"}) {
        EXPECT_EQ(along(name), HeadsAlong::cols) << name;
    }
    EXPECT_EQ(along("W_output"), HeadsAlong::rows);
    for (const char* name : {"inputs", "outputs", "W_up", "mlp_up"}) {
        EXPECT_EQ(along(name), HeadsAlong::nothing) << name;
    }
    EXPECT_EQ(n_parts("W_query"), 4);
    EXPECT_EQ(n_parts("W_key"), 2);
    EXPECT_EQ(n_parts("values"), 2); // as many as d_v = 2 of 4 columns leaves
}

TEST_F(Heads, ShowTheirOwnPartOrTheirGroups) {
    EXPECT_EQ(block("attention_weights", 3), (Block{{3, 4}, {0, 3}, {0, 3}}));
    EXPECT_EQ(block("keys", 3), (Block{{1, 2}, {0, 3}, {0, 1}}));
    EXPECT_EQ(block("keys", 1), (Block{{0, 1}, {0, 3}, {0, 1}}));
    EXPECT_EQ(block("W_query", 2), (Block{{0, 1}, {0, 4}, {2, 3}}));
    EXPECT_EQ(block("W_output", 1), (Block{{0, 1}, {2, 4}, {0, 4}}));
    EXPECT_EQ(block("values", 1), (Block{{0, 1}, {0, 3}, {0, 2}}));
    EXPECT_EQ(block("inputs", 3), Block::all(Shape::matrix(3, 4)));
}

TEST_F(Heads, AreTheOnesThatACellIsOf) {
    EXPECT_EQ(heads("attention_scores", {2, 0, 0}), (Range{2, 3}));
    EXPECT_EQ(heads("keys", {1, 0, 0}), (Range{2, 4}));
    EXPECT_EQ(heads("joined_contexts", {0, 0, 5}), (Range{2, 3}));
    EXPECT_EQ(heads("W_output", {0, 7, 0}), (Range{3, 4}));
    EXPECT_EQ(heads("inputs", {0, 0, 3}), (Range{0, 4}));
}

TEST_F(Heads, ACellMovesToTheSamePlaceOfAnotherHead) {
    const auto moved = [&](const char* name, Cell cell, int head) {
        return cell_of_head(program, model.find(name), cell, head);
    };
    EXPECT_EQ(moved("attention_weights", {0, 2, 1}, 3), (Cell{3, 2, 1}));
    EXPECT_EQ(moved("joined_contexts", {0, 1, 1}, 2), (Cell{0, 1, 5}));
    EXPECT_EQ(moved("W_output", {0, 0, 3}, 1), (Cell{0, 2, 3}));
    EXPECT_EQ(moved("keys", {0, 2, 0}, 1), (Cell{0, 2, 0})); // head 2 shares what head 1 reads
    EXPECT_EQ(moved("inputs", {0, 2, 1}, 3), (Cell{0, 2, 1}));
}

TEST_F(Heads, AGradientStandsInThePlaceOfItsTensor) {
    EXPECT_EQ(placed_node(program, model.find("grad.W_up")), model.find("W_up"));
    EXPECT_EQ(placed_node(program, model.find("inputs")), model.find("inputs"));
}

} // namespace

} // namespace lab::test
