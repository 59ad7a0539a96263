#include "engine/tokenizer.h"

#include <gtest/gtest.h>

namespace {

using WordList = std::vector<std::string>;

TEST(Tokenizer, SplitsTheSeedsSentence) {
    const WordList words = lab::split_words("The sun rises in the east");
    EXPECT_EQ(words, (WordList{"The", "sun", "rises", "in", "the", "east"}));
    const WordList vocabulary = lab::sorted_vocabulary(words);
    EXPECT_EQ(vocabulary, (WordList{"The", "east", "in", "rises", "sun", "the"}));
    EXPECT_EQ(*lab::token_ids(words, vocabulary), (std::vector<int>{0, 4, 3, 2, 5, 1}));
}

TEST(Tokenizer, AnyRunOfAnyWhiteSpaceSeparates) {
    EXPECT_EQ(lab::split_words("  a\t\nb\r\n \x1f\x63 "), (WordList{"a", "b", "c"}));
    EXPECT_EQ(lab::split_words("日出\u3000东方\u00a0é\u2028x"), (WordList{"日出", "东方", "é", "x"}));
    EXPECT_EQ(lab::split_words("a\u200bb"), (WordList{"a\u200bb"}))
        << "a zero-width space is no space in Python either";
    EXPECT_EQ(lab::split_words(""), WordList{});
    EXPECT_EQ(lab::split_words(" \u3000 "), WordList{});
}

TEST(Tokenizer, BytesThatAreNotUtf8AreKept) {
    EXPECT_EQ(lab::split_words("\xff\xe2 \xe2\x80"), (WordList{"\xff\xe2", "\xe2\x80"}));
}

TEST(Tokenizer, AVocabularyHoldsEachWordOnce) {
    EXPECT_EQ(lab::sorted_vocabulary({"b", "a", "b", "", "É", "Z"}), (WordList{"", "Z", "a", "b", "É"}));
}

TEST(Tokenizer, AnUnknownWordIsSaid) {
    EXPECT_EQ(lab::token_ids({"a", "c"}, {"a", "b", "d"}).error(), "the vocabulary has 3 words but not 'c'");
}

} // namespace
