#include "tests/session/support.h"

namespace lab::test {

namespace {

// One number per token, so many per query and key that scores take too long to be left out, causal and rounded: as many
// tokens as memory holds. 4096 are too many.
Document full_document() {
    constexpr int kTokens = 4095, kDimensions = 14335;
    Document document;
    document.attention.mask = MaskKind::causal;
    document.attention.round_weights = 2;
    document.tensors["inputs"] = Tensor(Shape::matrix(kTokens, 1), 1.0f);
    document.tensors["W_query"] = Tensor(Shape::matrix(1, kDimensions), 1.0f);
    document.tensors["W_key"] = Tensor(Shape::matrix(1, kDimensions), 1.0f);
    document.tensors["W_value"] = Tensor(Shape::matrix(1, 1), 1.0f);
    return document;
}

TEST(Memory, SizeEditsBeyondItAreRefused) {
    const Document document = full_document();
    ASSERT_TRUE(build_program(document)) << build_program(document).error();
    EXPECT_EQ(
        refusal(document, AddToken{0, "one"}),
        "attention_scores is 4096 × 4096, which brings the tensors to 134246399 numbers, but 134217728 is the most");
    EXPECT_EQ(
        refusal(document, ResizeWidth{Width::d_v, 100}),
        "attention_scores is 4095 × 4095, which brings the tensors to 134615040 numbers, but 134217728 is the most");
    std::string words;
    for (int i = 0; i < 4096; ++i) words += "word ";
    EXPECT_EQ(
        refusal(document, SetSentence{words, 123, 3}),
        "attention_scores is 4096 × 4096, which brings the tensors to 134311933 numbers, but 134217728 is the most");
}

// Before anything is made: these matrices alone have 10¹⁰ cells.
TEST(Memory, WhatSettingsNeedIsRefusedBeforeItIsMade) {
    Document wide;
    wide.attention.projections = false;
    wide.tensors["inputs"] = Tensor(Shape::matrix(1, 100000), 1.0f);
    AttentionSettings with_projections = wide.attention;
    with_projections.projections = true;
    EXPECT_EQ(refusal(wide, SetAttention{with_projections}),
              "W_query is 100000 × 100000, which brings the tensors to 10000100000 numbers, but 134217728 is the most");
    Document long_one = wide;
    long_one.tensors = {{"queries", Tensor(Shape::matrix(1, 1))},
                        {"keys", Tensor(Shape::matrix(5000000, 1))},
                        {"values", Tensor(Shape::matrix(5000000, 1))}};
    EXPECT_EQ(refusal(long_one, ResizeWidth{Width::d_k, 4096}),
              "keys is 5000000 × 4096, which brings the tensors to 20480004096 numbers, but 134217728 is the most");
}

TEST(Memory, ARefusedEditChangesNothing) {
    Lab lab;
    for (Width width : {Width::d_k, Width::d_v}) perform(lab, ResizeWidth{width, 4096});
    const Document before = lab.document();
    const std::uint64_t revision = lab.revision();
    std::string words;
    for (int i = 0; i < 4096; ++i) words += "word ";
    const Result<Done> done = lab.perform(SetSentence{words, 123, 4096});
    ASSERT_FALSE(done);
    EXPECT_NE(done.error().find("134217728 is the most"), std::string::npos) << done.error();
    EXPECT_EQ(lab.revision(), revision);
    EXPECT_TRUE(bit_equal(lab.document(), before));
}

} // namespace

} // namespace lab::test
