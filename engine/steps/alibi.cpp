#include <cmath>
#include <vector>

#include "engine/steps/steps.h"

namespace lab {

namespace {

int power_of_two_up_to(int n) {
    int power = 1;
    while (2 * power <= n) power *= 2;
    return power;
}

// 2^(−8/n), 2^(−16/n), …, 2^−8. Square roots and products alone: the same bits on every platform.
std::vector<double> slopes_of_power_of_two(int n) {
    double ratio = 1.0 / 256;
    for (int m = 1; m < n; m *= 2) ratio = std::sqrt(ratio);
    std::vector<double> slopes = {ratio};
    while (static_cast<int>(slopes.size()) < n) slopes.push_back(slopes.back() * ratio);
    return slopes;
}

std::vector<double> slopes_of(int n_heads) {
    const int lower = power_of_two_up_to(n_heads);
    std::vector<double> slopes = slopes_of_power_of_two(lower);
    if (lower == n_heads) return slopes;
    const std::vector<double> higher = slopes_of_power_of_two(2 * lower);
    for (std::size_t h = 0; slopes.size() < static_cast<std::size_t>(n_heads); h += 2) slopes.push_back(higher[h]);
    return slopes;
}

// y[h, i, j] = −slope[h] · |i + n_past − j|
class Alibi final : public StepKind<Alibi> {
  public:
    Alibi(const Shape& shape, int n_past) : shape_(shape), n_past_(n_past), slopes_(slopes_of(shape.planes)) {}

    std::string_view kind() const override { return "alibi"; }
    std::string key() const override { return shape_.to_text() + " past " + std::to_string(n_past_); }

    Result<Shape> shape(std::span<const Shape>, std::span<const std::string>) const override { return shape_; }

    template <class T> void run(Operands<T>, const Block& block, OutputView<T> result) const {
        for_each_row(block, [&](int h, int i) {
            T* y = result.row(h, i);
            for (int j = block.cols.begin; j < block.cols.end; ++j)
                y[j] = static_cast<T>(slope(h)) * static_cast<T>(-distance(i, j));
        });
    }

    Expression derive(Operands<float>, Cell cell) const override {
        const auto slope_of_head = static_cast<double>(static_cast<float>(slope(cell.plane)));
        return Expression::make(Expression::Kind::product,
                                {Expression::number(slope_of_head), Expression::number(-distance(cell.row, cell.col))});
    }

    Region reach(std::span<const Shape>, const Shape&, int, const Block&) const override { return {}; }

    void backward(Backward&) const override {}

    std::string formula(std::span<const std::string>) const override {
        const std::string place = n_past_ == 0 ? "i" : "i + " + std::to_string(n_past_);
        return "−slope · |" + place + " − j|";
    }

  private:
    double slope(int head) const { return slopes_[static_cast<std::size_t>(head)]; }
    int distance(int i, int j) const { return std::abs(i + n_past_ - j); }

    Shape shape_;
    int n_past_;
    std::vector<double> slopes_; // per head
};

} // namespace

StepPtr alibi(int n_heads, int n_queries, int n_keys, int n_past) {
    assert(n_heads > 0);
    const Shape shape = n_heads == 1 ? Shape::matrix(n_queries, n_keys) : Shape::stack(n_heads, n_queries, n_keys);
    return std::make_shared<Alibi>(shape, n_past);
}

} // namespace lab
