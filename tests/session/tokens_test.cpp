#include "engine/initialisers.h"
#include "tests/session/support.h"

namespace lab::test {

namespace {

Document with_mask(const Document& document) {
    return with_settings(document, [](AttentionSettings& to) { to.mask = MaskKind::tensor; });
}

TEST(AddToken, ANewWordHasZerosAndAKnownOneItsNumbers) {
    const Document before = trainable();
    const Document added = after(before, AddToken{2, "tree"});
    EXPECT_EQ(added.tokens, (Words{"Your", "journey", "tree", "starts", "with", "one", "step"}));
    EXPECT_EQ(row(added, "inputs", 2), (Floats{0, 0, 0}));
    EXPECT_EQ(row(added, "inputs", 3), row(before, "inputs", 2));
    const Document twice = after(before, AddToken{6, "journey"});
    EXPECT_EQ(row(twice, "inputs", 6), row(before, "inputs", 1));
}

TEST(AddToken, AnEmbeddingHasARowForEveryWord) {
    const Document before = after(Document{}, SetSentence{"one two three", 7, 4});
    const Document known = after(before, AddToken{0, "two"});
    EXPECT_EQ(row(known, "inputs", 0), row(before, "inputs", 1));
    EXPECT_EQ(known.made_by.count("inputs"), 1u);              // still the rows of the words' ids
    const Document fresh = after(before, AddToken{1, "zero"}); // sorts last, so that no id moves
    EXPECT_EQ(fresh.vocabulary, (Words{"one", "three", "two", "zero"}));
    EXPECT_EQ(fresh.made_by.count("inputs"), 1u);
    const Document moved = after(before, AddToken{1, "apple"}); // sorts first: all ids move, the numbers stay
    EXPECT_EQ(row(moved, "inputs", 0), row(before, "inputs", 0));
    EXPECT_EQ(row(moved, "inputs", 1), row(fresh, "inputs", 1));
    EXPECT_EQ(moved.made_by.count("inputs"), 0u);
}

TEST(AddToken, TheMaskGainsZerosInRowAndColumn) {
    const Document masked = after(with_mask(trainable()), SetCell{"mask", {0, 2, 2}, -1.0f});
    const Document added = after(masked, AddToken{1, "tree"});
    EXPECT_EQ(shape(added, "mask"), Shape::matrix(7, 7));
    EXPECT_EQ(added.tensors.at("mask").at({0, 3, 3}), -1.0f);
    EXPECT_EQ(added.tensors.at("mask").at({0, 2, 2}), 0.0f);
}

TEST(RemoveToken, TakesItsRowAndLeavesTheOthers) {
    const Document before = trainable();
    const Document removed = after(before, RemoveToken{1});
    EXPECT_EQ(removed.tokens, (Words{"Your", "starts", "with", "one", "step"}));
    EXPECT_EQ(row(removed, "inputs", 1), row(before, "inputs", 2));
    EXPECT_EQ(refusal(before, RemoveToken{6}), "there are 6 tokens but number 7 is meant");
    Document single = before;
    for (int i = 0; i < 5; ++i) single = after(single, RemoveToken{0});
    EXPECT_NE(refusal(single, RemoveToken{0}), "");
}

TEST(MoveToken, TakesWordRowAndMaskAlong) {
    const Document before = after(with_mask(trainable()), SetCell{"mask", {0, 0, 5}, -2.0f});
    const Document moved = after(before, MoveToken{0, 4});
    EXPECT_EQ(moved.tokens, (Words{"journey", "starts", "with", "one", "Your", "step"}));
    EXPECT_EQ(row(moved, "inputs", 4), row(before, "inputs", 0));
    EXPECT_EQ(moved.tensors.at("mask").at({0, 4, 5}), -2.0f);
    EXPECT_TRUE(bit_equal(after(moved, MoveToken{4, 0}), before));
}

TEST(MoveToken, PermutesWhatIsComputed) {
    Lab lab = lab_with("trainable");
    const float weight = computed(lab, "attention_weights", {0, 1, 2});
    perform(lab, MoveToken{1, 5});
    EXPECT_NEAR(computed(lab, "attention_weights", {0, 5, 1}), weight, 1e-6);
}

TEST(RenameToken, ChangesTheWordAlone) {
    const Document renamed = after(trainable(), RenameToken{1, "path"});
    EXPECT_EQ(renamed.tokens[1], "path");
    EXPECT_TRUE(bit_equal(renamed.tensors.at("inputs"), trainable().tensors.at("inputs")));
}

TEST(Tokens, RowsWithoutWordsKeepTheirNumbersAsWords) {
    Document nameless = trainable();
    nameless.tokens.clear();
    EXPECT_EQ(after(nameless, RenameToken{1, "path"}).tokens, (Words{"1", "path", "3", "4", "5", "6"}));
    EXPECT_EQ(after(nameless, AddToken{0, "new"}).tokens, (Words{"new", "1", "2", "3", "4", "5", "6"}));
    const Document removed = after(nameless, RemoveToken{0});
    EXPECT_TRUE(removed.tokens.empty());
    EXPECT_EQ(shape(removed, "inputs").rows, 5);
}

TEST(Tokens, GivenQueriesKeysAndValuesFollow) {
    Document given;
    given.tokens = {"a", "b"};
    for (const char* name : {"queries", "keys", "values"})
        given.tensors[name] = Tensor(Shape::matrix(2, 2), {1, 2, 3, 4});
    const Document moved = after(given, MoveToken{0, 1});
    for (const char* name : {"queries", "keys", "values"}) EXPECT_EQ(row(moved, name, 0), (Floats{3, 4})) << name;
    const Document added = after(given, AddToken{2, "c"});
    EXPECT_EQ(shape(added, "keys").rows, 3);
}

TEST(SetSentence, IsTheSeedsSentence) {
    const Document expected = opened_preset("sentence");
    const Document typed = after(trainable(), SetSentence{"The sun rises in the east", 123, 3});
    EXPECT_EQ(typed.tokens, expected.tokens);
    EXPECT_EQ(typed.vocabulary, (Words{"The", "east", "in", "rises", "sun", "the"}));
    for (int token = 0; token < 6; ++token) {
        const Floats numbers = row(typed, "inputs", token);
        for (std::size_t d = 0; d < 3; ++d) EXPECT_NEAR(numbers[d], row(expected, "inputs", token)[d], 2e-6);
    }
    EXPECT_TRUE(bit_equal(typed.tensors.at("W_query"), trainable().tensors.at("W_query")));
}

// As many as a page computes within its memory.
TEST(SetSentence, TakesSixteenThousandWordsAndRefusesMore) {
    std::string words;
    for (int i = 0; i < kMostTokens; ++i) words += "word ";
    const Document typed = after(trainable(), SetSentence{words, 123, 3});
    EXPECT_EQ(typed.tokens.size(), 16384u);
    EXPECT_EQ(typed.tensors.at("inputs").shape(), Shape::matrix(16384, 3));
    EXPECT_EQ(refusal(typed, SetSentence{words + "more", 123, 3}),
              "there can be 16384 tokens but the sentence has 16385 words");
}

TEST(SetSentence, MatricesKeepWhatFitsAndAreDrawnOn) {
    const Document drawn = after(trainable(), FillProjections{{"rand", 123, 0, {}, {}}});
    const Document typed = after(drawn, SetSentence{"just two", 1, 8});
    for (const char* name : {"W_query", "W_key", "W_value"}) {
        for (int i = 0; i < 3; ++i) EXPECT_EQ(row(typed, name, i), row(drawn, name, i)) << name;
        for (int i = 3; i < 8; ++i) EXPECT_NE(row(typed, name, i), (Floats{0, 0})) << name;
        EXPECT_EQ(typed.made_by.count(name), 0u) << name;
    }
}

TEST(SetSentence, FitsMatricesAndMask) {
    const Document typed = after(with_mask(trainable()), SetSentence{"just two", 1, 8});
    EXPECT_EQ(shape(typed, "W_key"), Shape::matrix(8, 2));
    EXPECT_EQ(shape(typed, "mask"), Shape::matrix(2, 2));
    EXPECT_EQ(refusal(typed, SetSentence{" \n ", 1, 8}), "the sentence has 0 words but attention needs 1 token");
    EXPECT_NE(refusal(typed, SetSentence{"word", 1, 0}), "");
}

} // namespace

} // namespace lab::test
