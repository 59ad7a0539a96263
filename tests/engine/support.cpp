#include "tests/engine/support.h"

#include <cmath>

#include <gtest/gtest.h>

namespace lab::test {

namespace {

// Operands as a step reads them: whole tensors in memory.
template <class T> struct InMemory {
    std::vector<std::vector<T>> cells;
    std::vector<ConstView<T>> views;

    explicit InMemory(const std::vector<Tensor>& operands) {
        for (const Tensor& operand : operands) {
            const std::vector<float> values = operand.values();
            cells.emplace_back(values.begin(), values.end());
        }
        for (std::size_t i = 0; i < operands.size(); ++i) views.push_back({cells[i].data(), operands[i].shape()});
    }
};

std::vector<Shape> shapes_of(const std::vector<Tensor>& operands) {
    std::vector<Shape> shapes;
    for (const Tensor& operand : operands) shapes.push_back(operand.shape());
    return shapes;
}

Shape result_shape(const Step& step, const std::vector<Tensor>& operands) {
    const std::vector<std::string> names(operands.size(), "operand");
    return step.shape(shapes_of(operands), names).value();
}

template <class T> std::vector<T> run_as(const Step& step, const std::vector<Tensor>& operands, const Shape& shape) {
    const InMemory<T> memory(operands);
    std::vector<T> cells(shape.size());
    step.forward(memory.views, Block::all(shape), {cells.data(), Block::all(shape)});
    return cells;
}

} // namespace

bool alike(float a, float b) { return bits_of(a) == bits_of(b) || (std::isnan(a) && std::isnan(b)); }

bool close(double actual, double expected) {
    if (std::isnan(expected)) return std::isnan(actual);
    if (std::isinf(expected)) return actual == expected;
    return std::fabs(actual - expected) <= 1e-5 * (1 + std::fabs(expected));
}

void expect_near(const Tensor& actual, const std::vector<double>& expected, double tolerance) {
    const std::vector<float> values = actual.values();
    ASSERT_EQ(values.size(), expected.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        EXPECT_NEAR(static_cast<double>(values[i]), expected[i], tolerance) << i;
}

int Dice::below(int n) {
    state_ = state_ * 1664525u + 1013904223u;
    return static_cast<int>((state_ >> 8) % static_cast<std::uint32_t>(n));
}

float Dice::number() { return static_cast<float>(below(4096) - 2048) / 1024.0f; }

Tensor Dice::tensor(const Shape& shape) {
    std::vector<float> values(shape.size());
    for (float& value : values) value = number();
    return {shape, values};
}

Tensor matrix(const std::vector<std::vector<float>>& rows) {
    std::vector<float> values;
    for (const auto& row : rows) values.insert(values.end(), row.begin(), row.end());
    const int n_cols = rows.empty() ? 0 : static_cast<int>(rows[0].size());
    return {Shape::matrix(static_cast<int>(rows.size()), n_cols), values};
}

Tensor vector(const std::vector<float>& numbers) { return {Shape::vector(static_cast<int>(numbers.size())), numbers}; }

Tensor run(const Step& step, const std::vector<Tensor>& operands) {
    const Shape shape = result_shape(step, operands);
    return {shape, run_as<float>(step, operands, shape)};
}

std::vector<double> run_float64(const Step& step, const std::vector<Tensor>& operands) {
    return run_as<double>(step, operands, result_shape(step, operands));
}

std::string refusal(const Step& step, const std::vector<Shape>& shapes, const std::vector<std::string>& names) {
    const Result<Shape> shape = step.shape(shapes, names);
    return shape ? std::string() : shape.error();
}

Expression derive(const Step& step, const std::vector<Tensor>& operands, Cell cell) {
    return step.derive(InMemory<float>(operands).views, cell);
}

Region reach(const Step& step, const std::vector<Tensor>& operands, int operand, const Block& changed) {
    return step.reach_in(InMemory<float>(operands).views, result_shape(step, operands), operand, changed);
}

std::optional<Notice> notice(const Step& step, const std::vector<Tensor>& operands, int row) {
    return step.notice(InMemory<float>(operands).views, 0, row);
}

void for_each_cell(const Shape& shape, const std::function<void(Cell)>& f) {
    for (int plane = 0; plane < shape.planes; ++plane) {
        for (int row = 0; row < shape.rows; ++row) {
            for (int col = 0; col < shape.cols; ++col) f({plane, row, col});
        }
    }
}

std::string to_text(Cell cell) {
    return "(" + std::to_string(cell.plane) + ", " + std::to_string(cell.row) + ", " + std::to_string(cell.col) + ")";
}

} // namespace lab::test
