#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "engine/kernels/product.h"
#include "engine/kernels/sum_units.h"
#include "tests/engine/kernels/instruction_sets.h"
#include "tests/engine/support.h"

namespace lab {
namespace {

using namespace lab::test;

// Rows of numbers: of A, and of Bᵀ.
struct Rows {
    int n, n_inner;
    std::vector<float> numbers;

    float* row(int i) { return &numbers[static_cast<std::size_t>(i) * static_cast<std::size_t>(n_inner)]; }
    const float* row(int i) const { return const_cast<Rows*>(this)->row(i); }
    double length(int i) const {
        double squares = 0;
        for (int k = 0; k < n_inner; ++k) squares += std::pow(static_cast<double>(row(i)[k]), 2);
        return std::sqrt(squares);
    }
};
Rows drawn(Dice& dice, int n, int n_inner) {
    Rows rows{n, n_inner, {}};
    for (int i = 0; i < n * n_inner; ++i) rows.numbers.push_back(dice.number() / 3);
    return rows;
}

PanelMatrix panels_by_pairs(const Rows& b) {
    PanelMatrix panels;
    pack_transposed(b.numbers.data(), b.n_inner, b.n_inner, b.n, panels, Summing::by_pairs);
    return panels;
}

std::vector<float> product(const Rows& a, const PanelMatrix& panels) {
    std::vector<float> c(static_cast<std::size_t>(a.n) * static_cast<std::size_t>(panels.n_cols), 7.0f);
    multiply_packed({a.numbers.data(), a.n_inner, a.n, &panels, {0, panels.n_cols}, c.data(), panels.n_cols});
    return c;
}
std::vector<float> product(const Rows& a, const Rows& b) { return product(a, panels_by_pairs(b)); }

double exact_cell(const float* a, const float* b, int n_inner) {
    double sum = 0;
    for (int k = 0; k < n_inner; ++k) sum += static_cast<double>(a[k]) * b[k];
    return sum;
}

// Cell by cell, and number by number, what the header says. A line is divided by a power of two, and has its pairs added.
struct SlowLine {
    std::vector<float> numbers;
    float scale = 1, first_half = 0, second_half = 0;

    SlowLine(const float* line, int n_inner) : numbers(line, line + n_inner) {
        double mean = 0;
        for (const float x : numbers) mean += static_cast<double>(x) * x / n_inner;
        if (mean == 0) {
            scale = 0;
            return;
        }
        scale = std::exp2(std::floor(std::log2(2 * mean) / 2));
        for (float& x : numbers) x /= scale; // exact, unless it is a denormal number
        const int half = (n_inner / 3 + 1) / 2 * 3;
        for (int k = 0; k + 1 < n_inner; k += 3) {
            float& sum = k < half ? first_half : second_half;
            sum = std::fma(numbers[static_cast<std::size_t>(k)], numbers[static_cast<std::size_t>(k) + 1], sum);
        }
    }
};
float slow_cell(const SlowLine& a, const SlowLine& b) {
    const std::vector<float>&x = a.numbers, &y = b.numbers;
    float sum = -a.first_half - b.first_half;
    for (std::size_t k = 0; k < x.size(); ++k) {
        const bool is_paired = k % 3 == 0 && k + 1 < x.size();
        sum = is_paired ? std::fma(x[k] + y[k + 1], x[k + 1] + y[k], sum) : std::fma(x[k], y[k], sum);
        if (is_paired) ++k;
    }
    const bool is_usual = a.scale >= 0x1p-60f && a.scale <= 0x1p60f;
    const float first = is_usual ? a.scale : std::min(a.scale, b.scale);
    const float second = is_usual ? b.scale : std::max(a.scale, b.scale);
    return (sum - (a.second_half + b.second_half)) * first * second + 0.0f;
}

void for_each_set_with_pairs(const std::function<void(const char* name)>& f) {
    for_each_instruction_set([&](const char* name) {
        if (can_sum_by_pairs()) f(name);
    });
}

// Around the sizes of vectors, tiles, panels and strips, and so large that memory is asked for ahead.
const struct {
    int n_rows, n_inner, n_cols;
} kPairedSizes[] = {{1, 1, 1},     {2, 2, 5},       {5, 3, 66},    {4, 4, 64},     {7, 5, 63},
                    {3, 32, 16},   {48, 64, 128},   {49, 65, 70},  {50, 66, 17},   {100, 67, 64},
                    {51, 127, 81}, {13, 128, 1030}, {9, 64, 2048}, {54, 64, 2070}, {6, 100, 130}};

TEST(PairProduct, HasTheBitsThatTheHeaderPromises) {
    for_each_set_with_pairs([](const char* name) {
        Dice dice(1);
        for (const auto& [n_rows, n_inner, n_cols] : kPairedSizes) {
            SCOPED_TRACE(std::string(name) + ": " + std::to_string(n_rows) + " × " + std::to_string(n_inner) + " × " +
                         std::to_string(n_cols));
            Rows a = drawn(dice, n_rows, n_inner), b = drawn(dice, n_cols, n_inner);
            for (int k = 0; k < n_inner; ++k) {
                a.row(n_rows / 2)[k] *= 0x1p-9f;
                b.row(n_cols / 3)[k] *= 0x1p7f;
                a.row(n_rows / 4)[k] *= 0x1p80f;
                b.row(n_cols / 4)[k] *= 0x1p-85f;
            }
            std::vector<SlowLine> rows, columns;
            for (int i = 0; i < n_rows; ++i) rows.emplace_back(a.row(i), n_inner);
            for (int j = 0; j < n_cols; ++j) columns.emplace_back(b.row(j), n_inner);
            const PanelMatrix panels = panels_by_pairs(b);
            std::vector<float> next(static_cast<std::size_t>(n_rows * n_cols), 7.0f), asking = next;
            const std::vector<float> c = product(a, panels);
            std::vector<float> otherwise = next;
            PackedProduct again{a.numbers.data(), n_inner,       n_rows, &panels,
                                {0, n_cols},      asking.data(), n_cols, next.data()};
            multiply_by_pairs(again, Spread::once);
            again.c = otherwise.data();
            multiply_by_pairs(again, Spread::by_every_addition);
            for (int i = 0; i < n_rows; ++i) {
                for (int j = 0; j < n_cols; ++j)
                    ASSERT_EQ(c[static_cast<std::size_t>(i * n_cols + j)],
                              slow_cell(rows[static_cast<std::size_t>(i)], columns[static_cast<std::size_t>(j)]))
                        << "at " << i << ", " << j;
            }
            EXPECT_EQ(asking, c);
            EXPECT_EQ(otherwise, c);
        }
    });
}

// Numbers of one size: the error of a sum in order. Of any sizes: by the lengths of row and column.
TEST(PairProduct, IsAsCloseAsInOrder) {
    for_each_set_with_pairs([](const char* name) {
        Dice dice(2);
        for (const int n_inner : {32, 64, 128}) {
            SCOPED_TRACE(name + std::string(", ") + std::to_string(n_inner));
            Rows a = drawn(dice, 300, n_inner), b = drawn(dice, 300, n_inner);
            const auto root_mean_square = [&](const std::vector<float>& c) {
                double squares = 0;
                for (std::size_t i = 0; i < c.size(); ++i) {
                    const int row = static_cast<int>(i) / b.n, col = static_cast<int>(i) % b.n;
                    squares += std::pow(c[i] - exact_cell(a.row(row), b.row(col), n_inner), 2);
                }
                return std::sqrt(squares / static_cast<double>(c.size()));
            };
            PanelMatrix in_order;
            pack_transposed(b.numbers.data(), n_inner, n_inner, b.n, in_order);
            EXPECT_LE(root_mean_square(product(a, b)), 1.3 * root_mean_square(product(a, in_order)));

            for (Rows* rows : {&a, &b}) {
                for (int i = 0; i < rows->n; ++i) {
                    const float size = std::exp2(static_cast<float>(dice.below(81) - 40));
                    for (int k = 0; k < n_inner; ++k) rows->row(i)[k] *= dice.below(3) == 0 ? size : size / 64;
                }
            }
            const std::vector<float> c = product(a, b);
            for (int i = 0; i < a.n; ++i) {
                for (int j = 0; j < b.n; ++j) {
                    const double exact = exact_cell(a.row(i), b.row(j), n_inner);
                    ASSERT_NEAR(c[static_cast<std::size_t>(i * b.n + j)], exact, 1e-6 * a.length(i) * b.length(j));
                }
            }
        }
    });
}

// Squares that overflow, or vanish; zeros; what is not finite, beside which all is as without it.
TEST(PairProduct, TakesAnyNumbers) {
    constexpr double kGreatest = std::numeric_limits<float>::max();
    for_each_set_with_pairs([](const char* name) {
        Dice dice(3);
        const int n_inner = 64;
        Rows a = drawn(dice, 20, n_inner), b = drawn(dice, 70, n_inner);
        for (int k = 0; k < n_inner; ++k) {
            a.row(3)[k] *= 1e38f;
            b.row(65)[k] *= 1e-32f;
            b.row(10)[k] *= 1e-36f;
            b.row(12)[k] *= 1e-42f;
            a.row(5)[k] = 0;
            b.row(7)[k] = 0;
        }
        const std::vector<float> finite = product(a, b);
        a.row(8)[20] = kNaN;
        b.row(9)[40] = kInfinity;
        b.row(11)[41] = -kInfinity;
        a.row(12)[3] = kInfinity;
        a.row(12)[9] = -kInfinity;
        const std::vector<float> c = product(a, b);
        for (int i = 0; i < a.n; ++i) {
            for (int j = 0; j < b.n; ++j) {
                SCOPED_TRACE(name + std::string(" at ") + std::to_string(i) + ", " + std::to_string(j));
                const std::size_t at = static_cast<std::size_t>(i * b.n + j);
                const double exact = exact_cell(a.row(i), b.row(j), n_inner);
                if (i == 8) {
                    EXPECT_TRUE(std::isnan(c[at]));
                } else if (i == 12 || j == 9 || j == 11) {
                    EXPECT_TRUE(std::isnan(c[at]) || c[at] == exact);
                } else if (i == 5 || j == 7) {
                    EXPECT_EQ(c[at], 0);
                    EXPECT_FALSE(std::signbit(c[at]));
                } else {
                    const double bound = 1e-6 * a.length(i) * std::max(b.length(j), 1e-37) + 1e-44;
                    if (std::fabs(exact) > kGreatest)
                        EXPECT_TRUE(std::isinf(c[at]) && std::signbit(c[at]) == (exact < 0));
                    else
                        EXPECT_NEAR(c[at], exact, bound);
                    EXPECT_EQ(c[at], finite[at]);
                }
            }
        }
    });
}

TEST(PairProduct, OfSmallWholeNumbersIsExact) {
    for_each_set_with_pairs([](const char* name) {
        Dice dice(4);
        Rows a = drawn(dice, 60, 64), b = drawn(dice, 300, 64);
        for (Rows* rows : {&a, &b}) {
            for (float& x : rows->numbers) x = static_cast<float>(dice.below(41) - 20);
        }
        const std::vector<float> c = product(a, b);
        for (int i = 0; i < a.n; ++i) {
            for (int j = 0; j < b.n; ++j)
                ASSERT_EQ(c[static_cast<std::size_t>(i * b.n + j)], exact_cell(a.row(i), b.row(j), 64)) << name;
        }
    });
}

TEST(PairProduct, RenewedColumnsAreThoseThatAreLaidOutAnew) {
    for_each_set_with_pairs([](const char* name) {
        Dice dice(5);
        const int n_inner = 64, n_cols = 150;
        const Range cols{20, 70};
        Rows b = drawn(dice, n_cols, n_inner);
        for (float& x : b.numbers) x *= 16; // all are divided
        b.row(19)[3] = 1e30f;
        b.row(40)[5] = kInfinity;
        PanelMatrix panels = panels_by_pairs(b);
        for (int j = cols.begin; j < cols.end; ++j) {
            for (int k = 0; k < n_inner; ++k) b.row(j)[k] = j == 30 ? 0.0f : dice.number() * 4;
        }
        renew_transposed(b.numbers.data(), n_inner, cols, panels);
        const PanelMatrix expected = panels_by_pairs(b);
        EXPECT_EQ(panels.cells, expected.cells) << name;
        EXPECT_EQ(panels.of_pairs, expected.of_pairs) << name;
    });
}

// Some columns, from the second panel on; rows that lie side by side with others, in A and in C; room that stays as it is.
TEST(PairProduct, OfSomeColumnsIsWhereTheyGo) {
    for_each_set_with_pairs([](const char* name) {
        Dice dice(6);
        for (const int n_inner : {64, 128}) {
            const int n_rows = 51, n_cols = 256, a_stride = n_inner + 32, c_stride = 144;
            const Range cols{64, 192};
            const Rows a = drawn(dice, n_rows, n_inner);
            const PanelMatrix panels = panels_by_pairs(drawn(dice, n_cols, n_inner));
            const std::vector<float> all = product(a, panels);
            const auto untouched = [&](int stride) {
                ScratchCells cells(static_cast<std::size_t>(n_rows * stride));
                std::fill(cells.begin(), cells.end(), 7.0f);
                return cells;
            };
            ScratchCells apart = untouched(a_stride), expected = untouched(c_stride);
            for (int i = 0; i < n_rows; ++i) {
                std::copy_n(a.row(i), n_inner, apart.data() + i * a_stride);
                std::copy_n(all.data() + i * n_cols + cols.begin, cols.size(), expected.data() + i * c_stride);
            }
            for (const bool copies : {false, true}) {
                ScratchCells c = untouched(c_stride), copy_of_c = c, copy_of_a = untouched(a_stride);
                multiply_packed({.a = apart.data(),
                                 .a_stride = a_stride,
                                 .n_rows = n_rows,
                                 .b = &panels,
                                 .cols = cols,
                                 .c = c.data(),
                                 .c_stride = c_stride,
                                 .copy_of_c = copies ? copy_of_c.data() : nullptr,
                                 .copy_of_a = copies ? copy_of_a.data() : nullptr});
                EXPECT_EQ(c, expected) << name;
                EXPECT_EQ(copy_of_c, copies ? expected : untouched(c_stride)) << name;
                EXPECT_EQ(copy_of_a, copies ? apart : untouched(a_stride)) << name;
            }
        }
    });
}

// By what the system says of it, where it says something.
TEST(SumUnits, AreThoseOfTheProcessor) {
    std::ifstream processor("/proc/cpuinfo");
    const auto value_of = [&](const std::string& key) {
        processor.clear();
        processor.seekg(0);
        for (std::string line; std::getline(processor, line);) {
            if (line.rfind(key, 0) == 0) return line.substr(line.find(": ") + 2);
        }
        return std::string();
    };
    const std::string vendor = value_of("vendor_id"), family = value_of("cpu family");
    if (vendor.empty()) return;
    if (vendor != "AuthenticAMD")
        EXPECT_EQ(sum_units(), SumUnits::none);
    else if (family == "25")
        EXPECT_EQ(sum_units(), SumUnits::of_half_vectors);
    else
        EXPECT_EQ(sum_units(), SumUnits::of_vectors);
}

TEST(PairProduct, IsFasterOnlyWhereItIsThereAndLarge) {
    for_each_instruction_set([](const char* name) {
        SCOPED_TRACE(name);
        const Summing of_large =
            can_sum_by_pairs() && sum_units() != SumUnits::none ? Summing::by_pairs : Summing::in_order;
        EXPECT_EQ(faster_summing(1024, 64, 1024), of_large);
        EXPECT_EQ(faster_summing(128, 32, 256), of_large);
        EXPECT_EQ(faster_summing(1024, kMostPairedSteps, 1024), of_large);
        EXPECT_EQ(faster_summing(1024, kMostPairedSteps + 1, 1024), Summing::in_order);
        EXPECT_EQ(faster_summing(127, 64, 1024), Summing::in_order);
        EXPECT_EQ(faster_summing(1024, 31, 1024), Summing::in_order);
        EXPECT_EQ(faster_summing(1024, 64, 255), Summing::in_order);
    });
}

} // namespace
} // namespace lab
