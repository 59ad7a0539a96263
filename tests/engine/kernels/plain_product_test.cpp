#include "engine/kernels/plain_product.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "tests/engine/support.h"

namespace {

using namespace lab;
using namespace lab::test;

// Thirds, so that sums are rounded and their order can be told.
std::vector<float> numbers(Dice& dice, int n) {
    std::vector<float> thirds = dice.tensor(Shape::vector(n)).values();
    for (float& x : thirds) x /= 3;
    return thirds;
}

// Each cell from zero in the order of k, whatever is known of the inner dimension and however B lies.
void expect_chains(int n_inner, int n_cols, bool b_is_transposed) {
    constexpr int kRows = 3, kPadding = 2; // what lies beside A's rows is another's
    Dice dice(7);
    const int b_stride = (b_is_transposed ? n_inner : n_cols) + kPadding;
    const std::vector<float> a = numbers(dice, kRows * (n_inner + kPadding));
    const std::vector<float> b = numbers(dice, (b_is_transposed ? n_cols : n_inner) * b_stride + 1);
    std::vector<float> c(static_cast<std::size_t>(kRows * n_cols), 7.0f);
    PlainProduct<float> product{a.data(), n_inner + kPadding, kRows, b.data(), b_stride, 1, n_inner,
                                n_cols,   c.data(),           n_cols};
    if (b_is_transposed) std::swap(product.b_stride_k, product.b_stride_j);
    multiply_plain(product);
    for (int i = 0; i < kRows; ++i) {
        for (int j = 0; j < n_cols; ++j) {
            float sum = 0;
            for (int k = 0; k < n_inner; ++k) {
                const int at = b_is_transposed ? j * b_stride + k : k * b_stride + j;
                sum += a[static_cast<std::size_t>(i * (n_inner + kPadding) + k)] * b[static_cast<std::size_t>(at)];
            }
            EXPECT_EQ(c[static_cast<std::size_t>(i * n_cols + j)], sum)
                << n_inner << " × " << n_cols << (b_is_transposed ? " transposed" : "") << " at " << i << ", " << j;
        }
    }
}

TEST(PlainProduct, AddsEveryCellInTheOrderOfTheInnerDimension) {
    for (int n_inner = 0; n_inner <= 10; ++n_inner) {
        for (int n_cols : {1, 2, 7, 8, 9, 33, 65}) {
            expect_chains(n_inner, n_cols, false);
            expect_chains(n_inner, n_cols, true);
        }
    }
}

} // namespace
