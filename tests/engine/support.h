#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "engine/bits.h"
#include "engine/step.h"
#include "engine/tensor.h"

namespace lab::test {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kMasked = -kInfinity; // what a mask adds where it forbids
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

// Equal bits; any NaN equals any other, for their bits are the processor's choice.
bool alike(float a, float b);

// Within the tolerance that a derivation and a golden value are held to: 1e-5 · (1 + |expected|). Infinities
// and NaN alike.
bool close(double actual, double expected);

// Every cell within the tolerance of what is expected, row after row.
void expect_near(const Tensor& actual, const std::vector<double>& expected, double tolerance = 1e-6);

// Numbers for tests, the same on every platform.
class Dice {
  public:
    explicit Dice(std::uint32_t seed) : state_(seed * 2654435761u + 1u) {}

    int below(int n); // 0 … n − 1
    float number();   // −2 … 2 in steps of 1/1024: sums of few products are exact
    Tensor tensor(const Shape& shape);

  private:
    std::uint32_t state_;
};

Tensor matrix(const std::vector<std::vector<float>>& rows);
Tensor vector(const std::vector<float>& numbers);

// The whole result of one step; the second float64, from the same lines.
Tensor run(const Step& step, const std::vector<Tensor>& operands);
std::vector<double> run_float64(const Step& step, const std::vector<Tensor>& operands);

// The sentence with which a step refuses operands of these shapes; empty if it accepts them.
std::string refusal(const Step& step, const std::vector<Shape>& shapes, const std::vector<std::string>& names);

Expression derive(const Step& step, const std::vector<Tensor>& operands, Cell cell);
Region reach(const Step& step, const std::vector<Tensor>& operands, int operand, const Block& changed);
std::optional<Notice> notice(const Step& step, const std::vector<Tensor>& operands, int row);

void for_each_cell(const Shape& shape, const std::function<void(Cell)>& f);

std::string to_text(Cell cell); // "(0, 1, 2)"

} // namespace lab::test
