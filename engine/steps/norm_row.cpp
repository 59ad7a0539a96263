#include "engine/steps/norm_row.h"

namespace lab {

namespace {

using Kind = Expression::Kind;

Expression labelled_number(double value, const char* label) {
    Expression number = Expression::number(value);
    number.label = label;
    return number;
}

} // namespace

NormedRow::NormedRow(Operands<float> operands, Cell cell, const NormRule& rule)
    : operand_(operands[0]), cell_(cell), rule_(rule) {
    const int d = operand_.shape.cols;
    const Moments<float> moments = moments_of(operand_.row(cell.plane, cell.row), d, rule);
    mean_number_ = labelled_number(static_cast<double>(moments.mean), "mean");
    const char* divisor = rule.is_centred ? "deviation" : "root mean square";
    deviation_number_ = labelled_number(static_cast<double>(moments.deviation), divisor);
    Expression sum = Expression::make(Kind::sum, {}), squares = Expression::make(Kind::sum, {});
    for (int k = 0; k < d; ++k) {
        sum.parts.push_back(x(k));
        const Expression centred_x = centred(k, mean_number_);
        squares.parts.push_back(Expression::make(Kind::product, {centred_x, centred_x}));
    }
    const Expression count = Expression::number(d);
    mean_ = Expression::make(Kind::quotient, {std::move(sum), count}, "mean");
    const Expression variance = Expression::make(Kind::quotient, {std::move(squares), count});
    const Expression epsilon = Expression::number(rule.epsilon);
    deviation_ = Expression::call(Function::square_root, Expression::make(Kind::sum, {variance, epsilon}), divisor);
}

Expression NormedRow::written_out(int col) const {
    return Expression::make(Kind::quotient, {centred(col, mean_), deviation_});
}

Expression NormedRow::in_short(int col) const {
    return Expression::make(Kind::quotient, {centred(col, mean_number_), deviation_number_});
}

Expression NormedRow::x(int col) const {
    const Cell at{cell_.plane, cell_.row, col};
    return Expression::cell({0, at}, operand_.at(at));
}

Expression NormedRow::centred(int col, const Expression& mean) const {
    return rule_.is_centred ? Expression::make(Kind::difference, {x(col), mean}) : x(col);
}

std::string norm_key(const NormRule& rule) { return digits_text(static_cast<double>(rule.epsilon), 9); }

} // namespace lab
