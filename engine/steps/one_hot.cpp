#include <algorithm>

#include "engine/steps/steps.h"
#include "engine/steps/token_number.h"

namespace lab {

namespace {

// y[i, v] = 1 where token i has the number v, else 0.
class OneHot final : public StepKind<OneHot> {
  public:
    explicit OneHot(int n_vocabulary) : n_vocabulary_(n_vocabulary) {}

    std::string_view kind() const override { return "one_hot"; }
    std::string key() const override { return std::to_string(n_vocabulary_); }

    Result<Shape> shape(std::span<const Shape> operands, std::span<const std::string> names) const override {
        const Shape& ids = operands[0];
        if (ids.rank != 1) return Error{names[0] + " is " + ids.to_text() + " but must be one number per token"};
        return Shape::matrix(ids.cols, n_vocabulary_);
    }

    template <class T> void run(Operands<T> operands, const Block& block, OutputView<T> result) const {
        for_each_row(block, [&](int plane, int i) {
            T* y = result.row(plane, i);
            std::fill(y + block.cols.begin, y + block.cols.end, T(0));
            const T id = operands[0].data[i];
            if (is_word(id, n_vocabulary_) && block.cols.contains(static_cast<int>(id))) y[static_cast<int>(id)] = T(1);
        });
    }

    Expression derive(Operands<float> operands, Cell cell) const override {
        return token_is_word(operands, cell.row, cell.col, n_vocabulary_);
    }

    Region reach(std::span<const Shape>, const Shape& result, int, const Block& changed) const override {
        return Block{{0, 1}, changed.cols, {0, result.cols}};
    }

    void backward(Backward& at) const override {
        at.add_step(0, zeros(at.shape(at.operand(0)), "a token's number has no slope"), {});
    }

    std::string formula(std::span<const std::string> names) const override { return "one-hot " + names[0]; }

    std::optional<Notice> notice(Operands<float> operands, int, int i) const override {
        return is_word(operands[0].data[i], n_vocabulary_) ? std::nullopt : std::optional(Notice::unknown_token);
    }

  private:
    int n_vocabulary_;
};

} // namespace

StepPtr one_hot(int n_vocabulary) { return std::make_shared<OneHot>(n_vocabulary); }

} // namespace lab
