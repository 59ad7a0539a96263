#include <algorithm>
#include <vector>

#include "engine/kernels/transcendental.h"
#include "engine/steps/steps.h"

namespace lab {

namespace {

// With (a, b) a pair of dimensions and φ its angle: a cos φ − b sin φ and b cos φ + a sin φ (Su et al. 2021); the inverse turns
// by −φ.
class RotaryPositions final : public StepKind<RotaryPositions> {
  public:
    explicit RotaryPositions(const RopeForm& form) : form_(form) { assert(form.first_place >= 0); }

    std::string_view kind() const override { return "rope"; }
    std::string key() const override {
        const std::string dims = form_.dims ? std::to_string(*form_.dims) : "all";
        return std::string(is_half() ? "half" : "interleaved") + " of " + dims + ", base " +
               digits_text(static_cast<double>(form_.base), 9) + ", scaling " +
               digits_text(static_cast<double>(form_.scaling), 9) + ", from " + std::to_string(form_.first_place) +
               (form_.inverse ? ", inverse" : "");
    }

    Result<Shape> shape(std::span<const Shape> operands, std::span<const std::string> names) const override {
        const Shape& x = operands[0];
        const int d = x.cols;
        const std::string of_head = count_of(names[0], d, "column") + " per head";
        if (!form_.dims && d % 2 != 0) return Error{of_head + " but pairs of them are rotated"};
        if (n_dims(d) % 2 != 0 || n_dims(d) < 0)
            return Error{"rope_dims is " + std::to_string(n_dims(d)) + " but pairs of dimensions are rotated"};
        if (n_dims(d) > d) return Error{"rope_dims is " + std::to_string(n_dims(d)) + " but " + of_head};
        return x;
    }

    template <class T> void run(Operands<T> operands, const Block& block, OutputView<T> result) const {
        const int d = operands[0].shape.cols;
        const std::vector<double> rates = rates_of(d);
        std::vector<T> cosines(rates.size()), sines(rates.size());
        for (int i = block.rows.begin; i < block.rows.end; ++i) {
            for (std::size_t m = 0; m < rates.size(); ++m) {
                cosines[m] = static_cast<T>(cosine(angle(i, rates[m])));
                sines[m] = static_cast<T>(sine(angle(i, rates[m])));
            }
            for (int plane = block.planes.begin; plane < block.planes.end; ++plane) {
                const T* x = operands[0].row(plane, i);
                T* y = result.row(plane, i);
                for (int col = block.cols.begin; col < block.cols.end; ++col) {
                    const Turned turned = turned_at(col, d);
                    const auto m = static_cast<std::size_t>(turned.pair);
                    y[col] = turned.partner == col ? x[col]
                             : is_minus(turned)    ? x[col] * cosines[m] - x[turned.partner] * sines[m]
                                                   : x[col] * cosines[m] + x[turned.partner] * sines[m];
                }
            }
        }
    }

    Expression derive(Operands<float> operands, Cell cell) const override {
        const int d = operands[0].shape.cols;
        const Turned turned = turned_at(cell.col, d);
        Expression own = Expression::cell({0, cell}, operands[0].at(cell));
        if (turned.partner == cell.col) return own;
        const Cell at{cell.plane, cell.row, turned.partner};
        const Expression partner = Expression::cell({0, at}, operands[0].at(at));
        const double by = angle(cell.row, rates_of(d)[static_cast<std::size_t>(turned.pair)]);
        const auto product = [&](const Expression& x, const char* name, double factor) {
            Expression number = Expression::number(static_cast<double>(static_cast<float>(factor)));
            number.label = name + ("(" + number_text(by) + ")");
            return Expression::make(Expression::Kind::product, {x, number});
        };
        return Expression::make(is_minus(turned) ? Expression::Kind::difference : Expression::Kind::sum,
                                {product(own, "cos", cosine(by)), product(partner, "sin", sine(by))});
    }

    Region reach(std::span<const Shape> operands, const Shape&, int, const Block& changed) const override {
        const int d = operands[0].cols;
        Region region = changed;
        for (int col = changed.cols.begin; col < changed.cols.end; ++col)
            region.add(Block{changed.planes, changed.rows, Range::at(turned_at(col, d).partner)});
        return region;
    }

    void backward(Backward& at) const override {
        RopeForm back = form_;
        back.inverse = !form_.inverse;
        at.add_step(0, rope(back), {at.gradient()});
    }

    std::string formula(std::span<const std::string> names) const override {
        const std::string place = form_.first_place == 0 ? "i" : "(i + " + std::to_string(form_.first_place) + ")";
        const std::string scaled =
            form_.scaling == 1 ? place : place + " / " + digits_text(static_cast<double>(form_.scaling), 9);
        const std::string dims = form_.dims ? std::to_string(*form_.dims) : "d";
        return names[0] + " rotated " + (form_.inverse ? "back " : "") + "by " + scaled + " · " +
               digits_text(static_cast<double>(form_.base), 9) + "^(−2m/" + dims + ")";
    }

  private:
    // What a column is turned with: another one, or itself where it is not turned.
    struct Turned {
        int partner;
        int pair;
        bool is_first;
    };

    bool is_half() const { return form_.pairs == RopePairs::half; }
    int n_dims(int d) const { return form_.dims.value_or(d); }
    bool is_minus(const Turned& turned) const { return turned.is_first != form_.inverse; }

    Turned turned_at(int col, int d) const {
        const int r = n_dims(d);
        if (col >= r) return {col, 0, true};
        if (!is_half()) return {col % 2 == 0 ? col + 1 : col - 1, col / 2, col % 2 == 0};
        return {col < r / 2 ? col + r / 2 : col - r / 2, col % (r / 2), col < r / 2};
    }

    // By how much each pair turns from place to place: base^(−2m/r), in float64.
    std::vector<double> rates_of(int d) const {
        const int r = n_dims(d);
        std::vector<double> rates;
        for (int m = 0; m < r / 2; ++m) rates.push_back(power(static_cast<double>(form_.base), -2.0 * m / r));
        return rates;
    }
    double angle(int row, double rate) const {
        return (row + form_.first_place) / static_cast<double>(form_.scaling) * rate;
    }

    RopeForm form_;
};

} // namespace

StepPtr rope(const RopeForm& form) { return std::make_shared<RotaryPositions>(form); }

} // namespace lab
