#include <set>

#include "app/session/drawing.h"
#include "engine/initialisers.h"
#include "tests/session/support.h"

namespace lab::test {

namespace {

Document with_heads(const Document& document, int n_heads, std::optional<int> n_kv_heads = {}) {
    return with_settings(document, [&](AttentionSettings& to) {
        to.n_heads = n_heads;
        to.n_kv_heads = n_kv_heads;
    });
}

// Columns [begin, begin + n) of a matrix, row after row.
Floats columns(const Document& document, const std::string& name, int begin, int n) {
    Floats cells;
    const Tensor& tensor = document.tensors.at(name);
    for (int i = 0; i < tensor.shape().rows; ++i) {
        for (int col = begin; col < begin + n; ++col) cells.push_back(tensor.at({0, i, col}));
    }
    return cells;
}

TEST(NHeads, EveryHeadKeepsItsWidthAndTheFirstItsNumbers) {
    const Document before = typed_trainable(), four = with_heads(before, 4);
    for (const char* name : {"W_query", "W_key", "W_value"}) {
        EXPECT_EQ(shape(four, name), Shape::matrix(3, 8)) << name;
        EXPECT_EQ(columns(four, name, 0, 2), columns(before, name, 0, 2)) << name;
        for (int head = 1; head < 4; ++head) {
            for (int other = 0; other < head; ++other)
                EXPECT_NE(columns(four, name, 2 * head, 2), columns(four, name, 2 * other, 2)) << name;
        }
    }
    EXPECT_NE(columns(four, "W_query", 2, 2), columns(four, "W_key", 2, 2));
    EXPECT_TRUE(bit_equal(with_heads(four, 1), before));
}

TEST(NHeads, OneMoreAtATimeIsNeverLikeAnother) {
    Document document = typed_trainable();
    for (int n = 2; n <= 4; ++n) document = with_heads(document, n);
    for (int head = 1; head < 4; ++head) {
        for (int other = 0; other < head; ++other)
            EXPECT_NE(columns(document, "W_query", 2 * head, 2), columns(document, "W_query", 2 * other, 2));
    }
}

TEST(NHeads, WhatWasDrawnKeepsItsNumbersToo) {
    const Document before = after(trainable(), FillProjections{{"rand", 123, 0, {}, {}}});
    const Document two = with_heads(before, 2), one_cell_typed = after(before, SetCell{"W_query", {0, 0, 0}, 0.5f});
    for (const char* name : {"W_query", "W_key", "W_value"}) {
        EXPECT_EQ(columns(two, name, 0, 2), columns(before, name, 0, 2)) << name;
        EXPECT_NE(columns(two, name, 2, 2), columns(two, name, 0, 2)) << name;
        EXPECT_NE(columns(two, name, 2, 2), (Floats{0, 0, 0, 0, 0, 0})) << name;
        EXPECT_EQ(two.made_by.count(name), 0u) << name << " is no longer what one draw gives";
        EXPECT_EQ(columns(with_heads(one_cell_typed, 2), name, 0, 2), columns(one_cell_typed, name, 0, 2)) << name;
    }
    EXPECT_NE(columns(two, "W_query", 2, 2), columns(two, "W_key", 2, 2));
    const Document grouped = with_heads(with_heads(before, 4), 4, 2);
    EXPECT_EQ(columns(grouped, "W_key", 0, 2), columns(before, "W_key", 0, 2));
    EXPECT_EQ(columns(with_heads(two, 1), "W_key", 0, 2), columns(before, "W_key", 0, 2));
}

// The tensors of which any number changed that has its place in both.
std::set<std::string> changed_names(const Document& before, const Document& after) {
    std::set<std::string> names;
    for (const auto& [name, tensor] : before.tensors) {
        if (after.tensors.at(name).shape() == tensor.shape() && !bit_equal(after.tensors.at(name), tensor))
            names.insert(name);
    }
    return names;
}

TEST(NHeads, InBlocksWhatKeepsItsShapeStaysAndNoTwoAreDrawnFromTheSameNumbers) {
    const Document before = opened_preset("gpt2-block"), three = with_heads(before, 3);
    EXPECT_EQ(changed_names(before, three), std::set<std::string>{});
    const Tensor &values = before.tensors.at("blocks.0.W_value"), &now = three.tensors.at("blocks.0.W_value");
    for (int i = 0; i < values.shape().rows; ++i) {
        for (int j = 0; j < values.shape().cols; ++j) EXPECT_EQ(now.at({0, i, j}), values.at({0, i, j}));
    }
    EXPECT_EQ(row(three, "blocks.0.W_output", 0), row(before, "blocks.0.W_output", 0));
    const Document gated = with_settings(three, [](AttentionSettings& to) { to.blocks.mlp = Mlp::silu_gated; });
    for (const auto& [name, how] : gated.made_by) {
        if (block_prefix(name).empty()) continue;
        EXPECT_TRUE(is_as_drawn(gated, name)) << name;
        for (const auto& [other, its] : gated.made_by) {
            const bool is_drawn = find_initialiser(how.init)->needs_seed && find_initialiser(its.init)->needs_seed;
            if (name >= other || !is_drawn || its.seed != how.seed) continue;
            if (block_prefix(other).empty()) continue;
            const auto end = how.skip + static_cast<std::int64_t>(draws(how, shape(gated, name)));
            const auto its_end = its.skip + static_cast<std::int64_t>(draws(its, shape(gated, other)));
            EXPECT_TRUE(end <= its.skip || its_end <= how.skip) << name << " and " << other;
        }
    }
}

TEST(NHeads, GroupsAreTheFirstOnesAndDivideTheHeads) {
    const Document four = with_heads(typed_trainable(), 4), two = with_heads(four, 4, 2);
    EXPECT_EQ(shape(two, "W_query"), Shape::matrix(3, 8));
    EXPECT_EQ(shape(two, "W_key"), Shape::matrix(3, 4));
    EXPECT_EQ(columns(two, "W_value", 0, 4), columns(four, "W_value", 0, 4));
    EXPECT_EQ(with_heads(four, 4, 3).attention.n_kv_heads, 2);
    EXPECT_EQ(with_heads(two, 3, 2).attention.n_kv_heads, 1);
    EXPECT_EQ(with_heads(two, 1, 2).attention.n_kv_heads, std::nullopt);
    EXPECT_EQ(refusal(two, SetAttention{[] {
                          AttentionSettings none;
                          none.n_heads = 0;
                          return none;
                      }()}),
              "n_heads can be 1 to 256 but is to be 0");
}

TEST(NHeads, BiasesOutputsSinkAndMaskFollow) {
    Document document = typed_trainable();
    document = after(document, AddTensor{"b_key"});
    document = after(document, AddTensor{"W_output"});
    document = with_settings(document, [](AttentionSettings& to) {
        to.sink = true;
        to.mask = MaskKind::tensor;
    });
    const Tensor output = document.tensors.at("W_output");
    EXPECT_EQ(output.shape(), Shape::matrix(2, 3));
    const Document three = with_heads(document, 3);
    EXPECT_EQ(shape(three, "b_key"), Shape::vector(6));
    EXPECT_EQ(shape(three, "sink"), Shape::vector(3));
    EXPECT_EQ(shape(three, "W_output"), Shape::matrix(6, 3));
    Document typed = document;
    typed.made_by.clear();
    for (int i = 0; i < 2; ++i) EXPECT_EQ(row(with_heads(typed, 3), "W_output", i), row(typed, "W_output", i));
    EXPECT_EQ(shape(three, "mask"), Shape::matrix(6, 6)) << "shared by all heads";
    Document own = three;
    own.tensors["mask"] = Tensor(Shape::stack(3, 6, 6), 1.0f);
    EXPECT_EQ(shape(with_heads(own, 2), "mask"), Shape::stack(2, 6, 6));
    EXPECT_EQ(shape(with_heads(own, 1), "mask"), Shape::matrix(6, 6));
}

TEST(NHeads, GivenByPlanesTheyFollowByPlanes) {
    Document given;
    given.attention.n_heads = 2;
    for (const char* name : {"queries", "keys", "values"})
        given.tensors[name] = Tensor(Shape::stack(2, 3, 1), {1, 2, 3, 4, 5, 6});
    const Document three = with_heads(given, 3), one = with_heads(given, 1);
    EXPECT_EQ(shape(three, "keys"), Shape::stack(3, 3, 1));
    EXPECT_EQ(row(three, "keys", 5), (Floats{6}));
    EXPECT_EQ(shape(one, "values"), Shape::matrix(3, 1));
}

TEST(NHeads, AWidthIsOneHeads) {
    const Document two = with_heads(typed_trainable(), 2), wider = after(two, ResizeWidth{Width::d_k, 3});
    EXPECT_EQ(width_of(two, Width::d_k), 2);
    EXPECT_EQ(width_of(wider, Width::d_k), 3);
    EXPECT_EQ(shape(wider, "W_query"), Shape::matrix(3, 6));
    EXPECT_EQ(columns(wider, "W_query", 0, 2), columns(two, "W_query", 0, 2));
    EXPECT_EQ(columns(wider, "W_query", 3, 2), columns(two, "W_query", 2, 2));
    EXPECT_EQ(columns(wider, "W_query", 2, 1), (Floats{0, 0, 0}));
    EXPECT_TRUE(bit_equal(after(wider, ResizeWidth{Width::d_k, 2}), two));
}

TEST(NHeads, WithoutProjectionsTheInputsAreSplit) {
    const Document simple = after(opened_preset("simplified-softmax"), ResizeWidth{Width::d_in, 4});
    EXPECT_TRUE(build_program(with_heads(simple, 2)));
    EXPECT_EQ(with_heads(simple, 2, 1).attention.n_kv_heads, std::nullopt) << "all three are the same inputs";
    AttentionSettings three = simple.attention;
    three.n_heads = 3;
    EXPECT_NE(refusal(simple, SetAttention{three}), "");
}

} // namespace

} // namespace lab::test
