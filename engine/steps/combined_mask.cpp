#include <algorithm>
#include <limits>

#include "engine/steps/steps.h"

namespace lab {

namespace {

// m[i, j] = −∞ where the rule forbids key j to query i, else the document's own mask, else 0.
// Of n keys up to its own a query sees those with i − n < j ≤ i. (ONNX Attention, opset 25; n = left_window_size + 1.)
class CombinedMask final : public StepKind<CombinedMask> {
  public:
    explicit CombinedMask(const MaskRule& rule) : rule_(rule) {}

    std::string_view kind() const override { return "combined_mask"; }
    std::string key() const override {
        const std::string rule = !rule_.n_seen ? "free" : has_window() ? "window " + window_text() : "causal";
        return rule + " " + std::to_string(rule_.n_queries) + "×" + std::to_string(rule_.n_keys);
    }

    Result<Shape> shape(std::span<const Shape> operands, std::span<const std::string> names) const override {
        const Shape expected = Shape::matrix(rule_.n_queries, rule_.n_keys);
        if (operands.empty() || operands[0] == expected) return expected;
        return Error{names[0] + " is " + operands[0].to_text() + " but the scores are " + expected.to_text()};
    }

    template <class T> void run(Operands<T> operands, const Block& block, OutputView<T> result) const {
        for_each_row(block, [&](int plane, int i) {
            for (int j = block.cols.begin; j < block.cols.end; ++j) {
                const T own = operands.empty() ? T(0) : operands[0].row(plane, i)[j];
                result.row(plane, i)[j] = forbidden(i, j) ? -std::numeric_limits<T>::infinity() : own;
            }
        });
    }

    Expression derive(Operands<float> operands, Cell cell) const override {
        const bool forbidden_here = forbidden(cell.row, cell.col);
        if (!operands.empty() && !forbidden_here) return Expression::cell({0, cell}, operands[0].at(cell));
        if (!forbidden_here) return Expression::given(0, "this key may be attended to", {});
        return Expression::given(
            -std::numeric_limits<double>::infinity(),
            cell.col > cell.row ? "the key comes after the query" : "the key is outside the window", {});
    }

    // Where the rule forbids the key, the document's own mask does not count.
    Region reach(std::span<const Shape>, const Shape&, int, const Block& changed) const override {
        if (!rule_.n_seen) return changed;
        Region region;
        for (int i = changed.rows.begin; i < changed.rows.end; ++i) {
            const int first = std::max(changed.cols.begin, i - *rule_.n_seen + 1);
            const int end = std::min(changed.cols.end, i + 1);
            region.add(Block{changed.planes, Range::at(i), {first, end}});
        }
        return region;
    }

    // Where the rule forbids a key the mask does not count, and there the scores' gradient is 0 already.
    void backward(Backward& at) const override {
        for (int i = 0; i < at.n_operands(); ++i) add_shared(at, i);
    }

    std::string formula(std::span<const std::string> names) const override {
        const std::string window = has_window() ? " < j + " + window_text() : std::string();
        std::string rule = rule_.n_seen ? "0 where j ≤ i" + window + ", else −∞" : std::string();
        if (names.empty()) return rule;
        return rule.empty() ? names[0] : names[0] + " + (" + rule + ")";
    }

  private:
    bool forbidden(int i, int j) const { return rule_.n_seen && (j > i || j <= i - *rule_.n_seen); }
    bool has_window() const { return rule_.n_seen && *rule_.n_seen != kAllBefore; }
    std::string window_text() const { return std::to_string(*rule_.n_seen); }

    MaskRule rule_;
};

} // namespace

StepPtr combined_mask(const MaskRule& rule) { return std::make_shared<CombinedMask>(rule); }

} // namespace lab
