#include <algorithm>

#include "engine/steps/steps.h"

namespace lab {

namespace {

class Zeros final : public SlopeKind<Zeros> {
  public:
    Zeros(const Shape& shape, std::string reason) : shape_(shape), reason_(std::move(reason)) {}

    std::string_view kind() const override { return "zeros"; }
    std::string key() const override { return reason_ + " " + shape_.to_text(); }
    Result<Shape> shape(std::span<const Shape>, std::span<const std::string>) const override { return shape_; }

    template <class T> void run(Operands<T>, const Block& block, OutputView<T> result) const {
        for_each_row(block, [&](int plane, int i) {
            std::fill(result.row(plane, i) + block.cols.begin, result.row(plane, i) + block.cols.end, T(0));
        });
    }

    std::optional<float> constant() const override { return 0.0f; }

    Expression derive(Operands<float>, Cell) const override { return Expression::given(0, reason_, {}); }
    Region reach(std::span<const Shape>, const Shape&, int, const Block&) const override { return {}; }
    std::string formula(std::span<const std::string>) const override { return "0: " + reason_; }

  private:
    Shape shape_;
    std::string reason_;
};

class TargetCells final : public SlopeKind<TargetCells> {
  public:
    TargetCells(const Shape& shape, const Block& cells) : shape_(shape), cells_(cells) {}

    std::string_view kind() const override { return "target_cells"; }
    std::string key() const override {
        std::string text = shape_.to_text();
        for (Range range : {cells_.planes, cells_.rows, cells_.cols})
            text += " " + std::to_string(range.begin) + "…" + std::to_string(range.end);
        return text;
    }
    Result<Shape> shape(std::span<const Shape>, std::span<const std::string>) const override { return shape_; }

    template <class T> void run(Operands<T>, const Block& block, OutputView<T> result) const {
        for_each_row(block, [&](int plane, int i) {
            T* y = result.row(plane, i);
            std::fill(y + block.cols.begin, y + block.cols.end, T(0));
            if (!cells_.planes.contains(plane) || !cells_.rows.contains(i)) return;
            const int end = std::min(cells_.cols.end, block.cols.end);
            for (int j = std::max(cells_.cols.begin, block.cols.begin); j < end; ++j) y[j] = T(1);
        });
    }

    bool is_light() const override { return true; }

    Expression derive(Operands<float>, Cell cell) const override {
        return cells_.contains(cell) ? Expression::given(1, "part of the target", {})
                                     : Expression::given(0, "not part of the target", {});
    }
    Region reach(std::span<const Shape>, const Shape&, int, const Block&) const override { return {}; }
    std::string formula(std::span<const std::string>) const override { return "1 for the target, else 0"; }

  private:
    Shape shape_;
    Block cells_;
};

} // namespace

StepPtr zeros(const Shape& shape, std::string reason) { return std::make_shared<Zeros>(shape, std::move(reason)); }

StepPtr target_cells(const Shape& shape, const Block& cells) { return std::make_shared<TargetCells>(shape, cells); }

} // namespace lab
