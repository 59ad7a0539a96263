// A lab on several threads: the same bits as on one, whatever is edited.
#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "app/session/lab.h"
#include "tests/session/random_commands.h"
#include "tests/session/support.h"

namespace lab::test {
namespace {

constexpr int kTokens = 256;
constexpr int kWidth = 32;
constexpr int kHeads = 2;

Tensor drawn(Dice& dice, const Shape& shape) {
    std::vector<float> numbers(shape.size());
    for (float& number : numbers) number = static_cast<float>(dice.below(2001) - 1000) / 1000.0f;
    return Tensor(shape, numbers);
}

// Large enough that every pass over scores is shared out.
Document large_document() {
    Dice dice(11);
    Document document;
    document.title = "Large";
    for (int i = 0; i < kTokens; ++i) document.tokens.push_back("token " + std::to_string(i));
    document.tensors["inputs"] = drawn(dice, Shape::matrix(kTokens, kWidth));
    for (const char* name : {"W_query", "W_key", "W_value"})
        document.tensors[name] = drawn(dice, Shape::matrix(kWidth, kWidth));
    document.attention.n_heads = kHeads;
    return document;
}

void expect_same_bits(const Lab& one, const Lab& many, int n_edits) {
    ASSERT_EQ(one.program().nodes.size(), many.program().nodes.size());
    for (std::size_t i = 0; i < one.program().nodes.size(); ++i) {
        const int node = static_cast<int>(i);
        const Shape& shape = one.program().node(node).shape;
        EXPECT_TRUE(bit_equal(Tensor(shape, read_all(*one.trace().source(node))),
                              Tensor(shape, read_all(*many.trace().source(node)))))
            << one.program().node(node).name << " after " << n_edits << " edits";
    }
}

TEST(LabThreads, TheSameBitsAfterEveryEditAsOnOneThread) {
    ThreadPool threads(3);
    threads.start();
    while (threads.n_running() < threads.n_threads()) std::this_thread::yield();
    Lab one, many(&threads);
    Dice dice(12);
    for (Lab* lab : {&one, &many}) perform(*lab, OpenDocument{large_document()});
    expect_same_bits(one, many, 0);
    const char* const names[] = {"inputs", "W_query", "W_key", "W_value"};
    for (int edit = 1; edit <= 8; ++edit) {
        const std::string name = names[dice.below(4)];
        const Cell cell{0, dice.below(kWidth), dice.below(kWidth)};
        const float value = static_cast<float>(dice.below(100)) / 50.0f;
        for (Lab* lab : {&one, &many}) perform(*lab, SetCell{name, cell, value});
        expect_same_bits(one, many, edit);
    }
}

} // namespace
} // namespace lab::test
