// Two steps of one kind and key are taken to compute the same, and what they computed is not computed again: so every parameter
// has a part in the key.
#include <gtest/gtest.h>

#include "engine/steps/steps.h"

namespace {

using namespace lab;

void expect_different(const std::vector<StepPtr>& steps) {
    for (std::size_t a = 0; a < steps.size(); ++a) {
        for (std::size_t b = 0; b < a; ++b) {
            EXPECT_EQ(steps[a]->kind(), steps[b]->kind());
            EXPECT_NE(steps[a]->key(), steps[b]->key()) << steps[a]->kind() << ", steps " << a << " and " << b;
        }
    }
}

TEST(Keys, SayEveryParameterOfAProduct) {
    expect_different({matrix_product(), matrix_product({.first_transposed = true}),
                      matrix_product({.second_transposed = true}), matrix_product({.n_first = 2}),
                      matrix_product({.n_second = 2}), matrix_product({.has_planes = true}),
                      matrix_product({.n_first = 2, .n_second = 2}),
                      matrix_product({.first_transposed = true, .second_transposed = true})});
}

TEST(Keys, SayEveryParameterOfRotation) {
    expect_different({rope(), rope({.base = 500}), rope({.pairs = RopePairs::interleaved}), rope({.dims = 2}),
                      rope({.scaling = 2}), rope({.first_place = 1}), rope({.inverse = true})});
}

TEST(Keys, SayEveryParameterOfAMask) {
    const auto rule = [](const auto& change) {
        MaskRule changed{.n_seen = 2, .n_queries = 4, .n_keys = 4};
        change(changed);
        return changed;
    };
    std::vector<StepPtr> masks, seen;
    for (const MaskRule& one :
         {rule([](MaskRule&) {}), rule([](MaskRule& r) { r.n_seen.reset(); }), rule([](MaskRule& r) { r.n_seen = 3; }),
          rule([](MaskRule& r) { r.n_seen = kAllBefore; }), rule([](MaskRule& r) { r.n_queries = 3; }),
          rule([](MaskRule& r) { r.n_keys = 5; }), rule([](MaskRule& r) { r.n_past = 1; }),
          rule([](MaskRule& r) { r.prefix = 1; }), rule([](MaskRule& r) {
              r.document_lengths = {1, 3};
          }),
          rule([](MaskRule& r) {
              r.document_lengths = {3, 1};
          }),
          rule([](MaskRule& r) { r.nonpad_keys = 0; }), rule([](MaskRule& r) { r.nonpad_keys = 3; }),
          rule([](MaskRule& r) { r.n_heads = 2; })}) {
        masks.push_back(combined_mask(one));
        seen.push_back(seen_cells(one));
    }
    expect_different(masks);
    expect_different(seen);
}

TEST(Keys, SayEveryParameterOfWhatIsShorter) {
    const Shape shape = Shape::matrix(3, 4), other = Shape::matrix(4, 3);
    expect_different({add_rows(0), add_rows(1)});
    expect_different({one_hot(3), one_hot(4)});
    expect_different({split_heads(2), split_heads(3)});
    expect_different({sum_planes(1, 3), sum_planes(2, 3)});
    expect_different({take_rows({0, 2}), take_rows({0, 3}), take_rows({1, 3})});
    expect_different({place_rows(4, 0), place_rows(4, 1), place_rows(5, 0)});
    expect_different({relative_bias(2, 3, 0), relative_bias(3, 3, 0), relative_bias(2, 4, 0), relative_bias(2, 3, 1)});
    expect_different({relative_bias_slope(shape, 0), relative_bias_slope(other, 0), relative_bias_slope(shape, 1)});
    expect_different({alibi(2, 3, 3, 0), alibi(4, 3, 3, 0), alibi(2, 2, 3, 0), alibi(2, 3, 4, 0), alibi(2, 3, 3, 1)});
    expect_different({position_table(3, 4), position_table(4, 4), position_table(3, 6)});
    expect_different({zeros(shape, "so"), zeros(other, "so"), zeros(shape, "otherwise")});
    expect_different({target_cells(shape, Block::at({0, 0, 1})), target_cells(shape, Block::at({0, 1, 0})),
                      target_cells(shape, Block::all(shape)), target_cells(other, Block::at({0, 0, 1}))});
    expect_different({weigh_values_slope(WeighedOperand::weights), weigh_values_slope(WeighedOperand::values)});
    expect_different({soft_cap_slope(2), soft_cap_slope(3)});
    expect_different({norm_slope({true, 1e-5f}), norm_slope({true, 2e-5f})});
    expect_different({norm_slope({false, 1e-5f}), norm_slope({false, 2e-5f})});
    expect_different({rms_norm(1e-5f), rms_norm(2e-5f)});
    expect_different({activation_slope(Function::relu), activation_slope(Function::silu)});
}

TEST(Keys, SayEveryParameterOfDropout) {
    const Shape shape = Shape::matrix(3, 4);
    expect_different({dropout({0.5f, 1, 0}, shape), dropout({0.25f, 1, 0}, shape), dropout({0.5f, 2, 0}, shape),
                      dropout({0.5f, 1, 12}, shape), dropout({0.5f, 1, 0}, Shape::matrix(4, 3))});
}

} // namespace
