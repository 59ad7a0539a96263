#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/kernels/elementary.h"
#include "engine/steps/row_by_row.h"

namespace lab {

namespace {

constexpr double kSumTolerance = 1e-4; // so near to 1 a row sums to 1

// y = x to d decimals, ties to even, as torch.round; a row that sums to 1 goes on doing so (see steps.h).
// Below, a unit is one of the last decimal: u = nearbyint(x · 10^d), y = u / 10^d.
class RoundRows final : public RowByRow<RoundRows> {
  public:
    explicit RoundRows(int decimals) : decimals_(decimals) {}

    std::string_view kind() const override { return "round_rows"; }
    std::string key() const override { return std::to_string(decimals_); }

    template <class T> void row(const T* x, int n, T* y) const {
        // 1. to nearest
        for (int j = 0; j < n; ++j) y[j] = round_to_decimals(x[j], decimals_);
        if (decimals_ < 0 || !sums_to_one(x, n)) return;
        // 2. how many units the row is now too much or too little
        const T power = power_of_ten<T>(decimals_);
        const double excess = units_above_one(x, n, power);
        const double n_needed = least_units_to_move(excess, static_cast<double>(power));
        if (!(n_needed > 0 && n_needed <= n)) return; // nor for ∞ − ∞, where numbers are huge and cancel
        // 3. so many cells the other way
        const T back = excess > 0 ? T(-1) : T(1);
        for (int j : moved_furthest(x, n, static_cast<std::size_t>(n_needed), {power, back})) {
            y[j] = (std::nearbyint(x[j] * power) + back) / power;
        }
    }

    // The rest of the row stands behind the decimals: it says nothing of the number, but might have turned it.
    Expression derive(Operands<float> operands, Cell cell) const override {
        std::vector<Expression> cells = row_cells(operands, cell);
        std::vector<float> rounded(cells.size());
        row(operands[0].row(cell.plane, cell.row), static_cast<int>(cells.size()), rounded.data());
        const auto own = cells.begin() + cell.col;
        const float nearest = round_to_decimals(static_cast<float>(own->value), decimals_);
        std::vector<Expression> parts = {*own, Expression::number(decimals_)};
        parts.insert(parts.end(), cells.begin(), own);
        parts.insert(parts.end(), own + 1, cells.end());
        Expression to_nearest = Expression::make(Expression::Kind::round, std::move(parts));
        const float y = rounded[static_cast<std::size_t>(cell.col)];
        if (y < nearest) return Expression::given(y, "rounded down so that the row still sums to 1", {to_nearest});
        if (y > nearest) return Expression::given(y, "rounded up so that the row still sums to 1", {to_nearest});
        return to_nearest;
    }

    // A step function: flat wherever it has a slope.
    void backward(Backward& at) const override {
        at.add_step(0, zeros(at.shape(at.operand(0)), "rounding has no slope"), {});
    }

    std::string formula(std::span<const std::string> names) const override {
        return "round(" + names[0] + ", " + std::to_string(decimals_) + ")";
    }

  private:
    template <class T> static bool sums_to_one(const T* x, int n) {
        double sum = 0;
        for (int j = 0; j < n; ++j) sum += static_cast<double>(x[j]);
        return std::fabs(sum - 1) <= kSumTolerance; // not so for NaN
    }

    // Σ u − 10^d
    template <class T> static double units_above_one(const T* x, int n, T power) {
        double sum = 0;
        for (int j = 0; j < n; ++j) sum += static_cast<double>(std::nearbyint(x[j] * power));
        return sum - static_cast<double>(power);
    }

    // The least whole m for which |excess| − m is less than the tolerance, in units (with up to 4 decimals: all of them).
    // Dividing by 10^4 is exact where multiplying by 1e-4 is not.
    static double least_units_to_move(double excess, double power) {
        const double tolerance = power / 1e4;
        const double too_many = std::fabs(excess) - tolerance;
        return too_many < 0 ? 0 : std::floor(too_many) + 1;
    }

    template <class T> struct Correction {
        T power; // 10^d
        T back;  // −1 or 1 unit
    };

    // The n_needed cells that rounding moved furthest against `back`, of equals the later first; none that would go below
    // 0. Empty if there are not so many.
    template <class T>
    static std::vector<int> moved_furthest(const T* x, int n, std::size_t n_needed, Correction<T> by) {
        const auto units = [&](int j) { return std::nearbyint(x[j] * by.power); };
        const auto distance = [&](int j) { return (x[j] * by.power - units(j)) * by.back; };
        std::vector<int> found;
        for (int j = 0; j < n; ++j) {
            if (distance(j) > 0 && (by.back > 0 || units(j) >= 1)) found.push_back(j);
        }
        if (found.size() < n_needed) return {};
        const auto last = found.begin() + static_cast<std::ptrdiff_t>(n_needed) - 1;
        std::nth_element(found.begin(), last, found.end(), [&](int a, int b) {
            const T to_a = distance(a), to_b = distance(b);
            return to_a != to_b ? to_a > to_b : a > b;
        });
        found.resize(n_needed);
        return found;
    }

    int decimals_;
};

} // namespace

StepPtr round_rows(int decimals) { return std::make_shared<RoundRows>(decimals); }

} // namespace lab
