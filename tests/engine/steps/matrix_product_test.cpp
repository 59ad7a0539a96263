#include <gtest/gtest.h>

#include "engine/kernels/product.h"
#include "engine/steps/steps.h"
#include "tests/engine/step_facets.h"

namespace {

using namespace lab;
using namespace lab::test;

// C[i, j] = Σ_k A[i, k] · B[k, j], as one says it, in float64.
std::vector<double> slow_product(const Tensor& a, const Tensor& b, bool transposed, const std::vector<float>& bias) {
    std::vector<double> c;
    const int n_cols = transposed ? b.shape().rows : b.shape().cols;
    for (int i = 0; i < a.shape().rows; ++i) {
        for (int j = 0; j < n_cols; ++j) {
            double sum = bias.empty() ? 0.0 : static_cast<double>(bias[static_cast<std::size_t>(j)]);
            for (int k = 0; k < a.shape().cols; ++k) {
                const float partner = transposed ? b.at({0, j, k}) : b.at({0, k, j});
                sum += static_cast<double>(a.at({0, i, k})) * static_cast<double>(partner);
            }
            c.push_back(sum);
        }
    }
    return c;
}

void expect_product(const Tensor& actual, const std::vector<double>& expected) {
    const std::vector<float> values = actual.values();
    ASSERT_EQ(values.size(), expected.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        EXPECT_TRUE(close(static_cast<double>(values[i]), expected[i])) << i;
}

TEST(MatrixProduct, ByHand) {
    const Tensor a = matrix({{1, 2, 3}, {4, 5, 6}});
    const Tensor b = matrix({{1, 0}, {0, 1}, {2, 2}});
    EXPECT_EQ(run(*matrix_product(), {a, b}).values(), (std::vector<float>{7, 8, 16, 17}));
    const Tensor queries = matrix({{1, 2}});
    const Tensor keys = matrix({{3, 4}, {5, 6}, {0, -1}});
    const Tensor scores = run(*matrix_product({.second_transposed = true}), {queries, keys});
    EXPECT_EQ(scores.shape(), Shape::matrix(1, 3));
    EXPECT_EQ(scores.values(), (std::vector<float>{11, 17, -2}));
}

TEST(MatrixProduct, AddsTheBiasOfEveryColumn) {
    const Tensor a = matrix({{1, 2}, {3, 4}});
    const Tensor b = matrix({{1, 0}, {0, 1}});
    EXPECT_EQ(run(*matrix_product(), {a, b, vector({10, -20})}).values(), (std::vector<float>{11, -18, 13, -16}));
}

TEST(MatrixProduct, EqualsTheSlowTwin) {
    Dice dice(1);
    for (int round = 0; round < 40; ++round) {
        const int n = 1 + dice.below(9), d = 1 + dice.below(9), m = 1 + dice.below(9);
        const Tensor a = dice.tensor(Shape::matrix(n, d));
        const Tensor b = dice.tensor(Shape::matrix(d, m));
        const Tensor b_rows = dice.tensor(Shape::matrix(m, d));
        const Tensor bias = dice.tensor(Shape::vector(m));
        expect_product(run(*matrix_product(), {a, b}), slow_product(a, b, false, {}));
        expect_product(run(*matrix_product({.second_transposed = true}), {a, b_rows}),
                       slow_product(a, b_rows, true, {}));
        expect_product(run(*matrix_product(), {a, b, bias}), slow_product(a, b, false, bias.values()));
        check_float64_twin(*matrix_product(), {a, b, bias});
    }
}

Tensor columns_of(const Tensor& tensor, Range cols) {
    std::vector<float> cells;
    for (int i = 0; i < tensor.shape().rows; ++i) {
        for (int j = cols.begin; j < cols.end; ++j) cells.push_back(tensor.at({0, i, j}));
    }
    return Tensor(Shape::matrix(tensor.shape().rows, cols.size()), cells);
}

// Heads as wide as the kernel's panels are laid out together, others apart.
TEST(MatrixProduct, OfLargeHeadsSideBySideIsEachHeadsOwn) {
    Dice dice(6);
    for (int width : {64, 48, 128}) {
        const int n_heads = 3;
        const Tensor a = dice.tensor(Shape::matrix(23, 40)), b = dice.tensor(Shape::matrix(40, n_heads * width));
        const Tensor all = run(*matrix_product({.n_second = n_heads}), {a, b});
        ASSERT_EQ(all.shape(), Shape::stack(n_heads, 23, width));
        for (int head = 0; head < n_heads; ++head) {
            const Tensor own = columns_of(b, {head * width, (head + 1) * width});
            const std::vector<double> expected = slow_product(a, own, false, {});
            for (int i = 0; i < 23; ++i) {
                for (int j = 0; j < width; ++j)
                    ASSERT_TRUE(close(static_cast<double>(all.at({head, i, j})),
                                      expected[static_cast<std::size_t>(i * width + j)]))
                        << width << ", head " << head << ", " << i << ", " << j;
            }
        }
    }
}

// However few rows and whichever columns are asked for, of one head of several and with a bias. The bits of all.
std::vector<float> expect_the_bits_of_all(const ProductForm& form, int n_all_rows, int n_keys) {
    Dice dice(7);
    const StepPtr step = matrix_product(form);
    const std::vector<Tensor> operands{dice.tensor(Shape::stack(4, n_all_rows, 70)),
                                       dice.tensor(Shape::stack(2, n_keys, 70)),
                                       dice.tensor(Shape::vector(2 * n_keys))};
    std::vector<std::vector<float>> cells;
    for (const Tensor& operand : operands) cells.push_back(operand.values());
    std::vector<ConstView<float>> views;
    for (std::size_t i = 0; i < operands.size(); ++i) views.push_back({cells[i].data(), operands[i].shape()});
    const Tensor all = run(*step, operands);
    for (int n_rows : {1, 2, 4, 5}) {
        for (const Range cols : {Range{0, n_keys}, Range{0, 65}, Range{n_keys - 65, n_keys}, Range{3, 7}}) {
            const Block block{{1, 4}, {n_all_rows - n_rows, n_all_rows}, cols};
            std::vector<float> part(block.size());
            step->forward(views, block, {part.data(), block});
            auto cell = part.begin();
            for_each_row(block, [&](int plane, int row) {
                for (int col = cols.begin; col < cols.end; ++col, ++cell)
                    EXPECT_EQ(*cell, all.at({plane, row, col})) << n_keys << ", " << n_rows << ", " << col;
            });
        }
    }
    return all.values();
}

TEST(MatrixProduct, OfSomeRowsHasTheBitsOfAll) {
    for (int n_keys : {65, 128, 200}) expect_the_bits_of_all({.second_transposed = true}, 40, n_keys);
}

// Only those are summed by pairs, and only where that is the faster: on other processors than AMD's with AVX-512 both are in order.
TEST(MatrixProduct, OfScoresHasTheBitsOfAll) {
    ProductForm form{.second_transposed = true};
    const std::vector<float> in_order = expect_the_bits_of_all(form, 130, 300);
    form.is_of_scores = true;
    const std::vector<float> scores = expect_the_bits_of_all(form, 130, 300);
    EXPECT_EQ(scores != in_order, faster_summing(130, 70, 300) == Summing::by_pairs);
    for (std::size_t i = 0; i < scores.size(); ++i) ASSERT_NEAR(scores[i], in_order[i], 2e-5);
}

TEST(MatrixProduct, OverNoDimensionsIsZero) {
    const Tensor scores =
        run(*matrix_product({.second_transposed = true}), {Tensor(Shape::matrix(2, 0)), Tensor(Shape::matrix(3, 0))});
    EXPECT_EQ(scores.values(), std::vector<float>(6, 0.0f));
    EXPECT_EQ(run(*matrix_product(), {Tensor(Shape::matrix(0, 2)), Tensor(Shape::matrix(2, 3))}).shape(),
              Shape::matrix(0, 3));
}

// An embedding with its head count: planes of the second operand are shared by groups of planes of the first.
TEST(MatrixProduct, SharesPlanesByGroups) {
    const Tensor queries(Shape::stack(4, 1, 1), std::vector<float>{1, 2, 3, 4});
    const Tensor keys(Shape::stack(2, 2, 1), std::vector<float>{1, 10, 100, 1000});
    const Tensor scores = run(*matrix_product({.second_transposed = true}), {queries, keys});
    EXPECT_EQ(scores.shape(), Shape::stack(4, 1, 2));
    EXPECT_EQ(scores.values(), (std::vector<float>{1, 10, 2, 20, 300, 3000, 400, 4000}));
}

TEST(MatrixProduct, FacetsAgree) {
    Dice dice(2);
    const auto random = [&](Shape shape) { return dice.tensor(shape); };
    check_facets(*matrix_product(), {random(Shape::matrix(3, 4)), random(Shape::matrix(4, 2))});
    check_facets(*matrix_product(),
                 {random(Shape::matrix(3, 4)), random(Shape::matrix(4, 2)), random(Shape::vector(2))});
    check_facets(*matrix_product({.second_transposed = true}),
                 {random(Shape::matrix(3, 2)), random(Shape::matrix(4, 2))});
    check_facets(*matrix_product({.second_transposed = true}),
                 {random(Shape::stack(4, 2, 3)), random(Shape::stack(2, 3, 3))});
    check_facets(*matrix_product(), {random(Shape::matrix(2, 3)), random(Shape::stack(2, 3, 2))});
    check_facets(*matrix_product(), {matrix({{0, 1}, {2, 0}}), matrix({{0, 3}, {4, 0}})});
}

// The same order of additions: what float32 loses, its derivation loses too.
TEST(MatrixProduct, DerivesCancellationAndOverflowAsTheyHappened) {
    const StepPtr step = matrix_product();
    check_facets(*step, {matrix({{1e8f, 1, -1e8f}}), matrix({{1}, {1}, {1}})});
    check_facets(*step, {matrix({{3e38f, 3e38f, -3e38f}}), matrix({{1}, {1}, {1}})});
    check_facets(*step, {matrix({{3e38f, 3e38f}}), matrix({{1, -3}, {1, 3}})});
}

TEST(MatrixProduct, SaysWhichShapesDoNotFit) {
    const StepPtr product = matrix_product();
    EXPECT_EQ(refusal(*product, {Shape::matrix(6, 3), Shape::matrix(4, 2)}, {"inputs", "W_query"}),
              "inputs have 3 columns but W_query has 4 rows");
    EXPECT_EQ(refusal(*product, {Shape::matrix(6, 3), Shape::matrix(3, 2), Shape::vector(3)},
                      {"inputs", "W_query", "b_query"}),
              "b_query has 3 numbers but W_query has 2 columns");
    EXPECT_EQ(refusal(*product, {Shape::matrix(6, 3), Shape::matrix(3, 2), Shape::matrix(5, 2)},
                      {"inputs", "W_query", "b_query"}),
              "b_query is 5 × 2 but W_query has 2 columns");
    EXPECT_EQ(refusal(*product, {Shape::matrix(6, 3), Shape::matrix(4, 2)}, {"attention_weights", "values"}),
              "attention_weights have 3 columns but values have 4 rows");
    EXPECT_EQ(refusal(*matrix_product({.second_transposed = true}), {Shape::matrix(6, 3), Shape::matrix(6, 2)},
                      {"queries", "keys"}),
              "queries have 3 columns but keys have 2 columns");
    EXPECT_EQ(refusal(*matrix_product({.second_transposed = true}), {Shape::stack(4, 6, 3), Shape::stack(3, 6, 3)},
                      {"queries", "keys"}),
              "queries have 4 heads but keys have 3 heads");
}

// Four heads of queries, two of keys, each 3 wide and beside the others or in a plane of its own.
TEST(MatrixProduct, NamesTheColumnsThatScoresAreMadeOf) {
    constexpr int kHeads = 4, kGroups = 2, kWidth = 3;
    Dice dice(8);
    for (const bool are_beside : {true, false}) {
        const auto drawn = [&](int n_rows, int n) {
            return dice.tensor(are_beside ? Shape::matrix(n_rows, n * kWidth) : Shape::stack(n, n_rows, kWidth));
        };
        const Tensor queries = drawn(2, kHeads), keys = drawn(5, kGroups);
        ProductForm form{.second_transposed = true, .has_planes = true, .is_of_scores = true};
        if (are_beside) form.n_first = kHeads, form.n_second = kGroups;
        const StepPtr step = matrix_product(form);
        const Tensor scores = run(*step, {queries, keys});
        for (int head = 0; head < kHeads; ++head) {
            const auto columns = step->factor_columns(std::vector{queries.shape(), keys.shape()}, head);
            ASSERT_EQ(columns.size(), std::size_t{kWidth});
            for (int i = 0; i < 2; ++i) {
                for (int j = 0; j < 5; ++j) {
                    float sum = 0;
                    for (const Step::FactorColumns& pair : columns) {
                        const auto& [query, key] = pair.of_operand;
                        sum += queries.at({query.plane, i, query.col}) * keys.at({key.plane, j, key.col});
                    }
                    EXPECT_EQ(scores.at({head, i, j}), sum) << head << ", " << i << ", " << j;
                }
            }
        }
    }
}

TEST(MatrixProduct, HasNoColumnsToFollowButOfScores) {
    const std::vector shapes{Shape::matrix(4, 3), Shape::matrix(5, 3)};
    EXPECT_TRUE(matrix_product({.second_transposed = true})->factor_columns(shapes, 0).empty());
    EXPECT_EQ(matrix_product({.second_transposed = true, .is_of_scores = true})->factor_columns(shapes, 0).size(), 3u);
}

TEST(MatrixProduct, WritesItselfDown) {
    const std::vector<std::string> names = {"inputs", "W_query", "b_query"};
    EXPECT_EQ(matrix_product()->formula(names), "inputs · W_query + b_query");
    EXPECT_EQ(matrix_product({.second_transposed = true})->formula(std::vector<std::string>{"queries", "keys"}),
              "queries · keysᵀ");
    EXPECT_NE(matrix_product({.second_transposed = true})->key(), matrix_product()->key());
    EXPECT_NE(matrix_product({.second_transposed = true, .is_of_scores = true})->key(),
              matrix_product({.second_transposed = true})->key());
}

} // namespace
