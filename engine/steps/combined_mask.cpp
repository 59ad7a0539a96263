#include <algorithm>
#include <limits>

#include "engine/steps/seen_keys.h"

namespace lab {

namespace {

// m[h, i, j] = −∞ where the rule forbids key j to query i, else the sum of the operands (the document's own mask, a position
// bias), else 0. (ONNX Attention, opset 25, for causal, n_past and padding; window n = left_window_size + 1.)
class CombinedMask final : public StepKind<CombinedMask> {
  public:
    explicit CombinedMask(const MaskRule& rule) : seen_(rule) {}

    std::string_view kind() const override { return "combined_mask"; }
    std::string key() const override { return seen_.key(); }

    Result<Shape> shape(std::span<const Shape> operands, std::span<const std::string> names) const override {
        if (const std::optional<std::string> wrong = seen_.what_is_wrong()) return Error{*wrong};
        Shape shape = Shape::matrix(seen_.rule().n_queries, seen_.rule().n_keys);
        if (seen_.rule().n_heads > 1) shape = Shape::stack(seen_.rule().n_heads, shape.rows, shape.cols);
        std::string name_of_planes = "scores";
        for (std::size_t i = 0; i < operands.size(); ++i) {
            const Shape& own = operands[i];
            if (own.rows != shape.rows || own.cols != shape.cols)
                return Error{names[i] + " is " + own.to_text() + " but the scores are " +
                             Shape::matrix(shape.rows, shape.cols).to_text()};
            if (own.planes > 1 && shape.planes > 1 && own.planes != shape.planes)
                return Error{name_of_planes + (name_of_planes == "scores" ? " are " : " is ") + shape.to_text() +
                             " but " + names[i] + " is " + own.to_text()};
            if (own.planes > 1) name_of_planes = names[i];
            shape.planes = std::max(shape.planes, own.planes);
            shape.rank = std::max(shape.rank, own.rank);
        }
        return shape;
    }

    template <class T> void run(Operands<T> operands, const Block& block, OutputView<T> result) const {
        for_each_row(block, [&](int plane, int i) {
            T* y = result.row(plane, i);
            std::fill(y + block.cols.begin, y + block.cols.end, -std::numeric_limits<T>::infinity());
            for (const Range keys : seen_.keys_of(i)) {
                const int end = std::min(keys.end, block.cols.end);
                for (int j = std::max(keys.begin, block.cols.begin); j < end; ++j) y[j] = own(operands, plane, i, j);
            }
        });
    }

    bool reads_same_row(int) const override { return true; }
    bool is_light() const override { return true; }
    bool forbids_keys() const override { return !seen_.sees_all(); }

    Expression derive(Operands<float> operands, Cell cell) const override {
        if (const char* reason = seen_.why_unseen(cell.row, cell.col))
            return Expression::given(-std::numeric_limits<double>::infinity(), reason, {});
        if (operands.empty()) return Expression::given(0, "this key may be attended to", {});
        Expression sum = Expression::make(Expression::Kind::sum, {});
        for (std::size_t k = 0; k < operands.size(); ++k) {
            const Cell at{plane_of(operands[k], cell.plane), cell.row, cell.col};
            sum.parts.push_back(Expression::cell({static_cast<int>(k), at}, operands[k].at(at)));
        }
        return sum.parts.size() == 1 ? sum.parts[0] : sum;
    }

    // Where the rule forbids the key, the operands do not count.
    Region reach(std::span<const Shape> operands, const Shape& result, int operand,
                 const Block& changed) const override {
        const int n_operand_planes = operands[static_cast<std::size_t>(operand)].planes;
        return seen_.part_of(
            {reading_planes(changed.planes, n_operand_planes, result.planes), changed.rows, changed.cols});
    }

    void backward(Backward& at) const override {
        if (at.n_operands() == 0) return;
        const int seen = seen_.sees_all() ? at.gradient() : at.step(seen_cells(seen_.rule()), {at.gradient()});
        for (int i = 0; i < at.n_operands(); ++i) add_shared(at, i, seen);
    }

    std::string formula(std::span<const std::string> names) const override {
        std::string text;
        for (const std::string& name : names) text += (text.empty() ? "" : " + ") + name;
        if (text.empty()) return seen_.formula();
        return seen_.sees_all() ? text : text + " + (" + seen_.formula() + ")";
    }

  private:
    template <class T> static int plane_of(const ConstView<T>& operand, int plane) {
        return operand.shape.planes == 1 ? 0 : plane;
    }
    template <class T> static T own(Operands<T> operands, int plane, int i, int j) {
        if (operands.empty()) return T(0);
        T sum = operands[0].row(plane_of(operands[0], plane), i)[j];
        for (std::size_t k = 1; k < operands.size(); ++k) sum += operands[k].row(plane_of(operands[k], plane), i)[j];
        return sum;
    }

    SeenKeys seen_;
};

// The gradient with respect to what was added: the mask's own where the key is seen, else 0.
class SeenCells final : public SlopeKind<SeenCells> {
  public:
    explicit SeenCells(const MaskRule& rule) : seen_(rule) {}

    std::string_view kind() const override { return "seen_cells"; }
    std::string key() const override { return seen_.key(); }
    Result<Shape> shape(std::span<const Shape> operands, std::span<const std::string>) const override {
        return operands[0];
    }

    template <class T> void run(Operands<T> operands, const Block& block, OutputView<T> result) const {
        for_each_row(block, [&](int plane, int i) {
            T* y = result.row(plane, i);
            std::fill(y + block.cols.begin, y + block.cols.end, T(0));
            for (const Range keys : seen_.keys_of(i)) {
                const int end = std::min(keys.end, block.cols.end);
                for (int j = std::max(keys.begin, block.cols.begin); j < end; ++j) y[j] = operands[0].row(plane, i)[j];
            }
        });
    }

    Expression derive(Operands<float> operands, Cell cell) const override {
        if (const char* reason = seen_.why_unseen(cell.row, cell.col)) return Expression::given(0, reason, {});
        return Expression::cell({0, cell}, operands[0].at(cell));
    }

    Region reach(std::span<const Shape>, const Shape&, int, const Block& changed) const override {
        return seen_.part_of(changed);
    }

    std::string formula(std::span<const std::string> names) const override {
        return names[0] + " where the key is seen, else 0";
    }

  private:
    SeenKeys seen_;
};

} // namespace

StepPtr combined_mask(const MaskRule& rule) { return std::make_shared<CombinedMask>(rule); }

StepPtr seen_cells(const MaskRule& rule) { return std::make_shared<SeenCells>(rule); }

} // namespace lab
