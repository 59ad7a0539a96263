#include "engine/tokenizer.h"

#include <gtest/gtest.h>

namespace {

using Words = std::vector<std::string>;

TEST(Tokenizer, SplitsTheSeedsSentence) {
    const Words words = lab::split_words("The sun rises in the east");
    EXPECT_EQ(words, (Words{"The", "sun", "rises", "in", "the", "east"}));
    const Words vocabulary = lab::sorted_vocabulary(words);
    EXPECT_EQ(vocabulary, (Words{"The", "east", "in", "rises", "sun", "the"}));
    EXPECT_EQ(*lab::token_ids(words, vocabulary), (std::vector<int>{0, 4, 3, 2, 5, 1}));
}

TEST(Tokenizer, AnyRunOfAnyWhiteSpaceSeparates) {
    EXPECT_EQ(lab::split_words("  a\t\nb\r\n \x1f\x63 "), (Words{"a", "b", "c"}));
    EXPECT_EQ(lab::split_words("日出\u3000东方\u00a0é\u2028x"), (Words{"日出", "东方", "é", "x"}));
    EXPECT_EQ(lab::split_words("a\u200bb"), (Words{"a\u200bb"})) << "a zero-width space is no space in Python either";
    EXPECT_EQ(lab::split_words(""), Words{});
    EXPECT_EQ(lab::split_words(" \u3000 "), Words{});
}

TEST(Tokenizer, BytesThatAreNotUtf8AreKept) {
    EXPECT_EQ(lab::split_words("\xff\xe2 \xe2\x80"), (Words{"\xff\xe2", "\xe2\x80"}));
}

TEST(Tokenizer, AVocabularyHoldsEachWordOnce) {
    EXPECT_EQ(lab::sorted_vocabulary({"b", "a", "b", "", "É", "Z"}), (Words{"", "Z", "a", "b", "É"}));
}

TEST(Tokenizer, AnUnknownWordIsSaid) {
    EXPECT_EQ(lab::token_ids({"a", "c"}, {"a", "b", "d"}).error(), "the vocabulary has 3 words but not 'c'");
}

} // namespace
