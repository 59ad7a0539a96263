#include "app/session/decoding.h"

#include "app/session/labels.h"
#include "tests/session/support.h"

namespace lab::test {

namespace {

void decode(Lab& lab, const std::string& word) {
    const Result<Done> done = decode_word(lab, word);
    ASSERT_TRUE(done.has_value()) << done.error();
}

void set(Lab& lab, void (*change)(AttentionSettings&)) {
    AttentionSettings settings = lab.document().attention;
    change(settings);
    perform(lab, SetAttention{settings});
}

// The last row of the context vectors of a sentence computed at once, and token by token.
void expect_the_same(const Lab& start, const std::vector<std::string>& words) {
    Lab at_once, step_by_step;
    for (Lab* lab : {&at_once, &step_by_step}) perform(*lab, OpenDocument{start.document()});
    for (const std::string& word : words) {
        perform(at_once, AddToken{n_tokens(at_once.document()), word});
        decode(step_by_step, word);
        const int last = n_tokens(at_once.document()) - 1;
        const int node = at_once.program().find("context_vectors");
        const Shape shape = at_once.program().node(node).shape;
        for (int plane = 0; plane < shape.planes; ++plane) {
            for (int col = 0; col < shape.cols; ++col) {
                EXPECT_NEAR(computed(step_by_step, "context_vectors", {plane, 0, col}),
                            computed(at_once, "context_vectors", {plane, last, col}), 1e-6)
                    << word << " " << plane;
            }
        }
    }
}

TEST(Decode, StepByStepIsWhatTheWholeSentenceGives) {
    Lab lab = lab_with("sentence");
    perform(lab, SetSentence{"the sun rises in The east", 123, 3});
    set(lab, [](AttentionSettings& to) { to.mask = MaskKind::causal; });
    expect_the_same(lab, {"the", "sun", "The"});
}

TEST(Decode, WithHeadsThatShareKeysAndAMaskOfTheDocument) {
    Lab lab = lab_with("sentence");
    perform(lab, SetSentence{"the sun rises in The east", 123, 3});
    set(lab, [](AttentionSettings& to) {
        to.n_heads = 4;
        to.n_kv_heads = 2;
        to.mask = MaskKind::causal;
        to.document_lengths = {2, 4};
    });
    perform(lab, PaintMask{{{0, 5, 3}}, false});
    expect_the_same(lab, {"sun", "in"});
}

TEST(Decode, AWordThatIsNewGetsNumbersOfItsOwnAndAKnownOneItsRow) {
    Lab lab = lab_with("causal");
    Lab known = lab_with("causal");
    const Floats journey = row(known.document(), "inputs", 1);
    decode(known, known.document().tokens[1]);
    EXPECT_EQ(row(known.document(), "inputs", 0), journey);
    decode(lab, "now");
    const Floats now = row(lab.document(), "inputs", 0);
    EXPECT_NE(now, Floats(now.size(), 0.0f));
    decode(lab, "then");
    EXPECT_NE(row(lab.document(), "inputs", 0), now);
    decode(lab, "now");
    EXPECT_EQ(row(lab.document(), "inputs", 0), now) << "a word has one embedding";
}

TEST(Decode, ATableThatIsGivenHasToHaveTheWordAndItsPlace) {
    Lab lab;
    Document document = after(opened_preset("trainable"), AddToken{0, "step"});
    AttentionSettings settings = document.attention;
    settings.position = Position::learned;
    document = after(document, SetAttention{settings});
    document.made_by.clear();
    perform(lab, OpenDocument{document});
    EXPECT_EQ(decode_word(lab, "step").error(), "W_position has 7 rows but with the next word there are 8 places");
    document = opened_preset("trainable");
    document = after(document, AddTensor{"token_ids"});
    document.vocabulary.push_back("zebra");
    perform(lab, OpenDocument{document});
    EXPECT_EQ(decode_word(lab, "now").error(),
              "\"now\" is no word of the vocabulary, so that W_embedding with 6 rows has none for it");
}

TEST(Decode, KeepsTheWordsOfThePast) {
    Lab lab = lab_with("trainable");
    const Document before = lab.document();
    decode(lab, "step");
    EXPECT_EQ(lab.document().tokens, (Words{"step"}));
    EXPECT_EQ(lab.document().context_tokens, before.tokens);
    EXPECT_EQ(row(lab.document(), "inputs", 0), row(before, "inputs", 5)) << "the numbers of the same word";
    EXPECT_EQ(axis_label(lab.document(), Axis::keys, 1), "journey");
    EXPECT_EQ(axis_label(lab.document(), Axis::keys, 6), "step");
    decode(lab, "by");
    EXPECT_EQ(axis_label(lab.document(), Axis::keys, 6), "step");
    EXPECT_EQ(axis_label(lab.document(), Axis::keys, 7), "by");
    EXPECT_EQ(lab.undo_label(), "decode “by”");
    lab.undo();
    lab.undo();
    EXPECT_TRUE(bit_equal(lab.document(), before));
    const Document kept = [&] {
        lab.redo();
        return lab.document();
    }();
    const Document removed = after(kept, RemoveTensor{"past_keys"});
    EXPECT_EQ(removed.tensors.count("past_values"), 0u);
    EXPECT_TRUE(removed.context_tokens.empty());
}

TEST(Decode, IsRefusedWhereNothingCanBeKept) {
    Lab lab = lab_with("simplified-softmax");
    EXPECT_EQ(decode_word(lab, "x").has_value(), false);
    Lab crossed = lab_with("trainable");
    perform(crossed, AddTensor{"context_inputs"});
    EXPECT_FALSE(decode_word(crossed, "x"));
}

TEST(Decode, TellsWhatTheCacheHolds) {
    Lab lab = lab_with("trainable");
    EXPECT_EQ(cache_text(lab.document()), "Nothing is cached yet.");
    decode(lab, "step");
    EXPECT_EQ(cache_text(lab.document()), "The cache holds 1 head · 6 tokens · (2 + 2) numbers · 4 bytes = 96 bytes.");
    lab.undo();
    set(lab, [](AttentionSettings& to) {
        to.n_heads = 4;
        to.n_kv_heads = 2;
    });
    decode(lab, "step");
    EXPECT_EQ(cache_text(lab.document()), "The cache holds 2 heads · 6 tokens · (2 + 2) numbers · 4 bytes = 192 bytes. "
                                          "With keys and values for each of 4 heads: 384 bytes.");
}

} // namespace

} // namespace lab::test
