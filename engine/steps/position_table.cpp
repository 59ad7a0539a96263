#include <vector>

#include "engine/kernels/transcendental.h"
#include "engine/steps/steps.h"

namespace lab {

namespace {

// y[i, 2m] = sin((first + i) / 10000^(2m/d)), y[i, 2m + 1] = cos of the same, in float64 and then rounded.
class PositionTable final : public StepKind<PositionTable> {
  public:
    PositionTable(int n_rows, int d, int first) : shape_(Shape::matrix(n_rows, d)), first_(first) {}

    std::string_view kind() const override { return "position_table"; }
    std::string key() const override { return shape_.to_text() + " from " + std::to_string(first_); }
    Result<Shape> shape(std::span<const Shape>, std::span<const std::string>) const override { return shape_; }

    template <class T> void run(Operands<T>, const Block& block, OutputView<T> result) const {
        std::vector<double> divisors;
        for (int j = block.cols.begin; j < block.cols.end; ++j) divisors.push_back(divisor(j));
        for_each_row(block, [&](int plane, int i) {
            T* y = result.row(plane, i);
            for (int j = block.cols.begin; j < block.cols.end; ++j) {
                const double angle = (first_ + i) / divisors[static_cast<std::size_t>(j - block.cols.begin)];
                y[j] = static_cast<T>(value(angle, j));
            }
        });
    }

    // As a definition: with the angle rounded to float32, the sine of a late place would be another.
    Expression derive(Operands<float>, Cell cell) const override {
        const int place = first_ + cell.row;
        const std::string exponent = std::to_string(cell.col / 2 * 2) + "/" + std::to_string(shape_.cols);
        const std::string angle = std::to_string(place) + " / 10000^(" + exponent + ")";
        const float y = static_cast<float>(value(place / divisor(cell.col), cell.col));
        return Expression::given(static_cast<double>(y), (is_sine(cell.col) ? "sin(" : "cos(") + angle + ")", {});
    }

    Region reach(std::span<const Shape>, const Shape&, int, const Block&) const override { return {}; }
    void backward(Backward&) const override {} // it has no operands

    std::string formula(std::span<const std::string>) const override {
        return "sin, cos of place / 10000^(2m/" + std::to_string(shape_.cols) + ")";
    }

  private:
    static bool is_sine(int col) { return col % 2 == 0; }
    static double value(double angle, int col) { return is_sine(col) ? sine(angle) : cosine(angle); }
    double divisor(int col) const {
        const int even = col - col % 2;
        return power(10000, static_cast<double>(even) / shape_.cols);
    }

    Shape shape_;
    int first_;
};

} // namespace

StepPtr position_table(int n_rows, int d, int first) { return std::make_shared<PositionTable>(n_rows, d, first); }

} // namespace lab
