#include <limits>

#include "app/session/optional_tensors.h"
#include "tests/session/support.h"

namespace lab::test {

namespace {

Document with_blocks(const Document& document, int n) {
    return with_settings(document, [n](AttentionSettings& to) { to.blocks.n = n; });
}

bool has(const Document& document, const std::string& name) { return document.tensors.count(name) > 0; }

TEST(Blocks, TheFirstTakesTheTensorsOverAndGivesThemBack) {
    const Document before = trainable(), two = with_blocks(before, 2), back = with_blocks(two, 0);
    EXPECT_FALSE(has(two, "W_query"));
    for (const char* name : {"W_query", "W_key", "W_value"}) {
        EXPECT_TRUE(bit_equal(two.tensors.at("blocks.0." + std::string(name)), before.tensors.at(name))) << name;
        EXPECT_EQ(shape(two, "blocks.1." + std::string(name)), shape(before, name));
        EXPECT_FALSE(bit_equal(two.tensors.at("blocks.1." + std::string(name)), before.tensors.at(name))) << name;
        EXPECT_TRUE(bit_equal(back.tensors.at(name), before.tensors.at(name))) << name;
    }
    EXPECT_EQ(shape(two, "blocks.1.W_output"), Shape::matrix(2, 3)) << "as wide as what it is added to";
    EXPECT_FALSE(has(back, "blocks.0.W_query") || has(back, "blocks.1.W_query"));
    EXPECT_EQ(two.made_by.count("blocks.0.W_query"), before.made_by.count("W_query"));
    EXPECT_FALSE(has(with_blocks(two, 1), "blocks.1.W_query"));
}

TEST(Blocks, BiasesStandInAllOfThem) {
    const Document two = with_blocks(after(trainable(), AddTensor{"b_query"}), 2);
    EXPECT_EQ(shape(two, "blocks.1.b_query"), Shape::vector(2));
    const Document without = after(two, RemoveTensor{"b_query"});
    EXPECT_FALSE(has(without, "blocks.0.b_query") || has(without, "blocks.1.b_query"));
    EXPECT_TRUE(has(after(two, RemoveTensor{"blocks.1.b_query"}), "blocks.0.b_query"));
}

TEST(Blocks, HeadsAndWidthsReachEveryBlock) {
    Document document = with_settings(with_blocks(trainable(), 2), [](AttentionSettings& to) { to.n_heads = 2; });
    for (const std::string prefix : {"blocks.0.", "blocks.1."}) {
        EXPECT_EQ(shape(document, prefix + "W_key"), Shape::matrix(3, 4));
        EXPECT_EQ(shape(document, prefix + "W_output"), Shape::matrix(4, 3));
    }
    document = after(document, ResizeWidth{Width::d_in, 5});
    EXPECT_EQ(shape(document, "blocks.1.W_key"), Shape::matrix(5, 4));
    EXPECT_EQ(shape(document, "blocks.1.W_output"), Shape::matrix(4, 5));
    document = after(document, ResizeWidth{Width::d_v, 1});
    EXPECT_EQ(shape(document, "blocks.0.W_output"), Shape::matrix(2, 5));
}

TEST(Blocks, ANewOneHasAPastAsWideAsItsKeys) {
    Lab lab = lab_with("trainable");
    perform(lab, ResizeWidth{Width::d_v, 1});
    AttentionSettings settings = lab.document().attention;
    settings.blocks.n = 1;
    settings.n_heads = 2;
    perform(lab, SetAttention{settings});
    ASSERT_TRUE(decode_word(lab, "step"));
    const Document three = with_blocks(lab.document(), 3);
    EXPECT_EQ(shape(three, "blocks.2.past_keys"), Shape::stack(2, 6, 2));
    EXPECT_EQ(shape(three, "blocks.2.past_values"), Shape::stack(2, 6, 1));
}

TEST(Blocks, PastsThatDifferInLengthAreRefused) {
    Document document = after(with_blocks(trainable(), 2), AddTensor{"past_keys"});
    EXPECT_TRUE(build_program(document));
    for (const char* name : {"blocks.1.past_keys", "blocks.1.past_values"})
        document.tensors[name] = Tensor(Shape::matrix(3, document.tensors.at(name).shape().cols));
    EXPECT_EQ(build_program(document).error(), "blocks.0.past_keys has 2 rows but blocks.1.past_keys has 3");
}

TEST(Blocks, AnOutputProjectionThatTheyNeedStays) {
    EXPECT_EQ(refusal(with_blocks(trainable(), 1), RemoveTensor{"W_output"}),
              "the heads side by side have 2 columns but what reads them is 3 wide, so blocks.0.W_output is needed");
    const Document square = after(with_blocks(trainable(), 1), ResizeWidth{Width::d_v, 3});
    EXPECT_FALSE(has(after(square, RemoveTensor{"W_output"}), "blocks.0.W_output"));
}

TEST(AddTensor, EveryOneThatIsOfferedCanBeAddedAndRemoved) {
    for (const char* preset : {"trainable", "simplified-softmax", "sentence"}) {
        const Document document = opened_preset(preset);
        ASSERT_FALSE(optional_tensors(document).empty());
        for (const OptionalTensor& one : optional_tensors(document)) {
            EXPECT_FALSE(one.is_there) << one.name;
            const Document added = after(document, AddTensor{one.name});
            EXPECT_TRUE(has(added, one.name)) << one.name;
            EXPECT_NE(refusal(added, AddTensor{one.name}), "") << one.name;
            const Document removed = after(added, RemoveTensor{one.name});
            EXPECT_EQ(removed.shapes(), document.shapes()) << preset << " " << one.name;
        }
    }
}

TEST(AddTensor, SaysWhyItCannot) {
    const Document document = trainable();
    EXPECT_EQ(refusal(document, AddTensor{"W_query"}),
              "W_query is no tensor that can be added; settings bring along what they need");
    EXPECT_EQ(refusal(document, AddTensor{"b_up"}), "b_up is to be added but there is no W_up");
    EXPECT_EQ(refusal(document, AddTensor{"nonsense"}),
              "nonsense is no tensor that can be added; settings bring along what they need");
    EXPECT_EQ(refusal(document, RemoveTensor{"mask"}), "mask is to be removed but is not there");
    EXPECT_EQ(refusal(document, RemoveTensor{"W_key"}), "the tensor W_key is missing but projections is true");
}

TEST(AddTensor, AnotherSentenceHasItsWordsAndItsOwnNumberOfKeys) {
    const Document masked = after(trainable(), PaintMask{{{0, 5, 5}}, false});
    const Document crossed = after(masked, AddTensor{"context_inputs"});
    EXPECT_EQ(crossed.context_tokens.size(), 3u);
    EXPECT_EQ(shape(crossed, "mask"), Shape::matrix(6, 3));
    EXPECT_EQ(shape(after(crossed, AddToken{0, "x"}), "context_inputs"), Shape::matrix(3, 3));
    const Document wider = after(crossed, ResizeWidth{Width::d_in, 4});
    EXPECT_EQ(shape(wider, "context_inputs"), Shape::matrix(3, 4));
    EXPECT_TRUE(after(crossed, RemoveTensor{"context_inputs"}).context_tokens.empty());
}

TEST(AddTensor, ATableOfWordsGivesTheSameInputs) {
    Lab lab = lab_with("sentence");
    const Tensor inputs = lab.document().tensors.at("inputs");
    perform(lab, AddTensor{"token_ids"});
    ASSERT_FALSE(has(lab.document(), "inputs"));
    for (int token = 0; token < 6; ++token)
        EXPECT_EQ(computed(lab, "inputs", {0, token, 1}), inputs.at({0, token, 1})) << token;
    perform(lab, MoveToken{0, 5});
    EXPECT_EQ(computed(lab, "inputs", {0, 5, 2}), inputs.at({0, 0, 2}));
    perform(lab, RenameToken{5, "sun"});
    EXPECT_EQ(computed(lab, "inputs", {0, 5, 0}), computed(lab, "inputs", {0, 0, 0})) << "the row of its word";
    perform(lab, AddToken{0, "apple"});
    EXPECT_EQ(shape(lab.document(), "W_embedding").rows, static_cast<int>(lab.document().vocabulary.size()));
    EXPECT_EQ(computed(lab, "inputs", {0, 1, 1}), inputs.at({0, 1, 1})) << "ids stay with their words";
    perform(lab, RemoveTensor{"W_embedding"});
    EXPECT_EQ(lab.document().tensors.at("inputs").at({0, 1, 1}), inputs.at({0, 1, 1}));
}

TEST(PaintMask, ForbidsAndAllowsAndMakesTheMaskItNeeds) {
    constexpr float kNever = -std::numeric_limits<float>::infinity();
    const Document before = trainable();
    const Document painted = after(before, PaintMask{{{0, 1, 2}, {0, 1, 3}}, false});
    EXPECT_EQ(painted.attention.mask, MaskKind::tensor);
    EXPECT_EQ(row(painted, "mask", 1), (Floats{0, 0, kNever, kNever, 0, 0}));
    const Document allowed = after(painted, PaintMask{{{0, 1, 3}}, true});
    EXPECT_EQ(row(allowed, "mask", 1), (Floats{0, 0, kNever, 0, 0, 0}));
    const Document added = after(painted, SetCell{"mask", {0, 0, 0}, -2});
    EXPECT_EQ(row(after(added, PaintMask{{{0, 0, 0}}, true}), "mask", 0)[0], -2) << "allowed already";
    const Document causal = with_settings(before, [](AttentionSettings& to) { to.mask = MaskKind::causal; });
    EXPECT_EQ(after(causal, PaintMask{{{0, 3, 0}}, false}).attention.mask, MaskKind::causal) << "beside it";
    EXPECT_EQ(refusal(before, PaintMask{{{0, 6, 0}}, false}), "mask is 6 × 6 but the cell is at 7, 1");
    Document long_text;
    long_text.attention.projections = false;
    long_text.tensors["inputs"] = Tensor(Shape::matrix(16384, 2));
    const std::string too_large =
        "mask is 16384 × 16384, which brings the tensors to 268468224 numbers, but 134217728 is the most";
    EXPECT_EQ(refusal(long_text, PaintMask{{{0, 6, 0}}, false}), too_large);
    EXPECT_EQ(refusal(long_text, AddTensor{"mask"}), too_large);
    Lab lab = lab_with("trainable");
    for (int key = 0; key < 4; ++key) perform(lab, PaintMask{{{0, 0, key}}, false}, 9);
    EXPECT_EQ(lab.undo_label(), "forbid in the mask");
    ASSERT_TRUE(lab.undo());
    EXPECT_TRUE(bit_equal(lab.document(), before)) << "one gesture is one step";
}

} // namespace

} // namespace lab::test
