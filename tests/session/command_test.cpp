#include <cmath>
#include <limits>

#include "engine/initialisers.h"
#include "tests/session/support.h"

namespace lab::test {

namespace {

// Drawn as a notebook draws: 123, one after the other.
Document drawn_trainable() { return after(trainable(), FillProjections{{"rand", 123, 0, {}, {}}}); }

TEST(SetCell, ChangesOneCellAndForgetsHowTheTensorWasMade) {
    const Document before = drawn_trainable();
    ASSERT_EQ(before.made_by.count("W_key"), 1u);
    const Document changed = after(before, SetCell{"W_key", {0, 2, 1}, 5.0f});
    EXPECT_EQ(changed.tensors.at("W_key").at({0, 2, 1}), 5.0f);
    EXPECT_EQ(changed.tensors.at("W_key").at({0, 2, 0}), before.tensors.at("W_key").at({0, 2, 0}));
    EXPECT_EQ(changed.made_by.count("W_key"), 0u);
    EXPECT_EQ(changed.made_by.count("W_value"), 1u);
}

TEST(SetCell, TheSameNumberChangesNothing) {
    const Document before = drawn_trainable();
    EXPECT_TRUE(bit_equal(before, after(before, SetCell{"W_key", {0, 0, 0}, before.tensors.at("W_key").at({})})));
}

TEST(SetCell, SaysWhyItCannot) {
    const Document document = trainable();
    EXPECT_EQ(refusal(document, SetCell{"inputs", {0, 6, 0}, 1}), "inputs is 6 × 3 but the cell is at 7, 1");
    EXPECT_EQ(refusal(document, SetCell{"inputs", {0, 0, -1}, 1}), "inputs is 6 × 3 but the cell is at 1, 0");
    EXPECT_EQ(refusal(document, SetCell{"queries", {}, 1}), "queries is computed; change what it is made from instead");
    EXPECT_EQ(refusal(document, SetCell{"nonsense", {}, 1}),
              "the document has no tensor \"nonsense\" but W_key, W_query, W_value, inputs");
}

TEST(SetCells, PutsABlockIn) {
    const Document before = trainable();
    const Document pasted = after(before, SetCells{"inputs", {0, 4, 1}, {{1, 2}, {3, 4}}});
    EXPECT_EQ(row(pasted, "inputs", 4), (Floats{before.tensors.at("inputs").at({0, 4, 0}), 1, 2}));
    EXPECT_EQ(row(pasted, "inputs", 5), (Floats{before.tensors.at("inputs").at({0, 5, 0}), 3, 4}));
    EXPECT_EQ(row(pasted, "inputs", 3), row(before, "inputs", 3));
    EXPECT_EQ(refusal(before, SetCells{"inputs", {0, 5, 1}, {{1, 2}, {3, 4}}}),
              "inputs is 6 × 3 but the cell is at 7, 3");
    EXPECT_EQ(refusal(before, SetCells{"inputs", {}, {{1, 2}, {3}}}), "row 1 has 2 numbers but row 2 has 1");
    EXPECT_NE(refusal(before, SetCells{"inputs", {}, {}}), "");
}

TEST(Fill, OneSeedOneAfterTheOtherGivesTheNotebooksMatrices) {
    const Document before = trainable();
    const Document filled = drawn_trainable();
    for (const char* name : {"W_query", "W_key", "W_value"}) {
        EXPECT_TRUE(bit_equal(filled.tensors.at(name), before.tensors.at(name))) << name;
    }
    EXPECT_EQ(filled.made_by.at("W_value").skip, 12);
    EXPECT_EQ(filled.made_by.at("W_query").skip, 0);
}

TEST(Fill, LinearLayersWithTheSeedsSeed) {
    const Document linear = opened_preset("linear");
    const Document filled = after(linear, FillProjections{{"linear", 789, 0, {}, {}}});
    for (const char* name : {"W_query", "W_key", "W_value"}) {
        EXPECT_TRUE(bit_equal(filled.tensors.at(name), linear.tensors.at(name))) << name;
    }
}

TEST(Fill, IdentityAndItsErrors) {
    const Document filled = after(trainable(), FillTensor{"W_query", {"identity", 0, 0, {}, {}}});
    EXPECT_EQ(row(filled, "W_query", 1), (Floats{0, 1}));
    EXPECT_EQ(filled.made_by.at("W_query").init, "identity");
    EXPECT_EQ(refusal(filled, FillTensor{"W_query", {"magic", 0, 0, {}, {}}}),
              "W_query: 'magic' is no way to fill a tensor but zeros, constant, identity, rand, randn, linear, "
              "embedding, xavier_uniform, xavier_normal, kaiming_uniform, "
              "kaiming_normal are");
    EXPECT_NE(refusal(opened_preset("simplified-softmax"), FillProjections{{"rand", 1, 0, {}, {}}}), "");
}

TEST(Fill, AnEmbeddingGivesEveryWordItsRow) {
    const Document filled = after(trainable(), FillTensor{"inputs", {"embedding", 123, 0, {}, {}}});
    EXPECT_EQ(filled.vocabulary, (Words{"Your", "journey", "one", "starts", "step", "with"}));
    const Document sentence = opened_preset("sentence");
    for (std::size_t d = 0; d < 3; ++d) { // "Your" and "The" both have id 0
        EXPECT_NEAR(row(filled, "inputs", 0)[d], row(sentence, "inputs", 0)[d], 2e-6);
    }
}

TEST(ResizeWidth, WhatWasTypedStaysAndGainsZeros) {
    const Document before = typed_trainable();
    const Document wider = after(before, ResizeWidth{Width::d_k, 3});
    EXPECT_EQ(shape(wider, "W_query"), Shape::matrix(3, 3));
    EXPECT_EQ(shape(wider, "W_key"), Shape::matrix(3, 3));
    EXPECT_EQ(shape(wider, "W_value"), Shape::matrix(3, 2));
    const Floats old = row(before, "W_key", 1);
    EXPECT_EQ(row(wider, "W_key", 1), (Floats{old[0], old[1], 0}));
    EXPECT_TRUE(bit_equal(after(wider, ResizeWidth{Width::d_k, 2}), before));
}

TEST(ResizeWidth, WhatWasDrawnKeepsItsNumbersToo) {
    const Document before = drawn_trainable();
    for (const Width width : {Width::d_in, Width::d_k, Width::d_v}) {
        const Document wider = after(before, ResizeWidth{width, 4});
        for (const auto& [name, tensor] : before.tensors) {
            const Tensor& now = wider.tensors.at(name);
            for (int row = 0; row < now.shape().rows; ++row) {
                for (int col = 0; col < now.shape().cols; ++col) {
                    const Cell cell{0, row, col};
                    const bool is_old = Block::all(tensor.shape()).contains(cell);
                    const bool is_new_of_drawn = !is_old && before.made_by.count(name) > 0;
                    if (is_new_of_drawn)
                        EXPECT_NE(now.at(cell), 0) << name;
                    else
                        EXPECT_EQ(now.at(cell), is_old ? tensor.at(cell) : 0) << name;
                }
            }
            EXPECT_EQ(wider.made_by.count(name), now.shape() == tensor.shape() ? before.made_by.count(name) : 0)
                << name;
        }
    }
}

TEST(ResizeWidth, WhatIsMadeTheSameAtAnySizeKeepsItsOrigin) {
    const Document zeros = after(trainable(), FillTensor{"W_value", {"zeros", 0, 0, {}, {}}});
    EXPECT_EQ(after(zeros, ResizeWidth{Width::d_v, 5}).made_by.at("W_value").init, "zeros");
}

TEST(ResizeWidth, ClaimsAboutOtherNumbersAreDropped) {
    Document claimed = typed_trainable();
    claimed.made_by["W_value"] = {"rand", 77, 0, {}, {}}; // as a file may say that was edited by hand
    const Document wider = after(claimed, ResizeWidth{Width::d_v, 3});
    EXPECT_EQ(wider.tensors.at("W_value").at({0, 0, 0}), claimed.tensors.at("W_value").at({0, 0, 0}));
    EXPECT_EQ(wider.made_by.count("W_value"), 0u);
}

TEST(ResizeWidth, WidthOfInputsReachesAllThatReadThem) {
    const Document wider = after(trainable(), ResizeWidth{Width::d_in, 5});
    EXPECT_EQ(shape(wider, "inputs"), Shape::matrix(6, 5));
    EXPECT_EQ(shape(wider, "W_value"), Shape::matrix(5, 2));
    EXPECT_EQ(refusal(wider, ResizeWidth{Width::d_in, 0}), "d_in can be 1 to 4096 but is to be 0");
    EXPECT_EQ(refusal(opened_preset("simplified-sum"), ResizeWidth{Width::d_k, 2}),
              "there are no projections, so d_k is d_in");
}

TEST(SetAttention, ProjectionsAreMadeWhereTheyAreMissing) {
    const Document simple = opened_preset("simplified-softmax");
    AttentionSettings on = simple.attention;
    on.projections = true;
    const Document projected = after(simple, SetAttention{on});
    const Document trained = trainable();
    for (const char* name : {"W_query", "W_key", "W_value"}) {
        EXPECT_TRUE(bit_equal(projected.tensors.at(name), trained.tensors.at(name))) << name;
    }
    const Document off = after(projected, SetAttention{simple.attention});
    EXPECT_EQ(off.tensors.count("W_query"), 1u); // kept for the next time
    EXPECT_TRUE(build_program(off).has_value());
    EXPECT_TRUE(bit_equal(after(off, SetAttention{on}), projected));
}

TEST(SetAttention, AMaskOfItsOwnBeginsWithZeros) {
    AttentionSettings settings = trainable().attention;
    settings.mask = MaskKind::tensor;
    const Document masked = after(trainable(), SetAttention{settings});
    EXPECT_EQ(shape(masked, "mask"), Shape::matrix(6, 6));
    const float forbid = -std::numeric_limits<float>::infinity();
    EXPECT_EQ(after(masked, SetCell{"mask", {0, 1, 2}, forbid}).tensors.at("mask").at({0, 1, 2}), forbid);
}

TEST(SetAttention, WhatCannotBeComputedIsRefused) {
    AttentionSettings settings = trainable().attention;
    settings.mask = MaskKind::sliding_window;
    EXPECT_NE(refusal(trainable(), SetAttention{settings}), "");
    settings = {};
    settings.n_heads = 0;
    EXPECT_NE(refusal(trainable(), SetAttention{settings}), "");
}

TEST(Describe, SaysWhatUndoWouldTakeBack) {
    const Document document = trainable();
    EXPECT_EQ(describe(SetCell{"inputs", {0, 1, 0}, 1}, document, document), "change inputs[journey, d₁]");
    EXPECT_EQ(describe(SetCell{"W_query", {0, 2, 1}, 1}, document, document), "change W_query[d₃, d₂]");
    EXPECT_EQ(describe(RemoveToken{2}, document, document), "remove “starts”");
    EXPECT_EQ(describe(RenameToken{0, "My"}, document, document), "rename “Your” to “My”");
    EXPECT_EQ(describe(ResizeWidth{Width::d_v, 4}, document, document), "set d_v to 4");
    EXPECT_EQ(describe(FillTensor{"W_key", {"rand", 1, 0, {}, {}}}, document, document), "fill W_key: Uniform, 0 to 1");
}

TEST(Describe, ASettingIsNamedWithWhatItWasSetTo) {
    const Document document = trainable();
    const auto described = [&](auto change) {
        SetAttention edit{document.attention};
        change(edit.attention);
        const Result<Document> after = apply(document, edit);
        return after ? describe(edit, document, *after) : after.error();
    };
    const auto sliding = [](int window) {
        return [window](AttentionSettings& to) {
            to.mask = MaskKind::sliding_window;
            to.window = window;
        };
    };
    EXPECT_EQ(described([](auto& to) { to.normalization = Normalization::naive_softmax; }),
              "change Normalise (naive softmax)");
    EXPECT_EQ(described([](auto& to) { to.projections = false; }), "change Projections (none)");
    EXPECT_EQ(described([](auto& to) { to.n_heads = 2; }), "change Side by side (heads: 2)");
    EXPECT_EQ(described(sliding(4)), "change Mask (sliding window)");
    SetAttention edit{document.attention};
    sliding(3)(edit.attention);
    const Document windowed = *apply(document, edit);
    sliding(4)(edit.attention);
    EXPECT_EQ(describe(edit, windowed, *apply(windowed, edit)), "change Mask (tokens, itself included: 4)");
}

} // namespace

} // namespace lab::test
