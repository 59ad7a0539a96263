#include "engine/words.h"

#include <gtest/gtest.h>

namespace {

using lab::Words;

TEST(Words, CopiesShareTheirListUntilOneIsChanged) {
    const Words words{"Your", "journey", "starts"};
    Words copy = words;
    EXPECT_EQ(&copy.all(), &words.all());
    EXPECT_EQ(copy.bytes_not_shared_with(words), 0u);
    copy.set(1, "trip");
    EXPECT_EQ(copy, (Words{"Your", "trip", "starts"}));
    EXPECT_EQ(words, (Words{"Your", "journey", "starts"})) << "the other stays as it was";
    EXPECT_GT(copy.bytes_not_shared_with(words), 3 * sizeof(std::string));
    copy.set(1, "journey");
    EXPECT_EQ(copy, words) << "equal without being shared";
}

TEST(Words, AreCountedAsTheyStandNow) {
    Words words{"the", "cat", "the"};
    EXPECT_EQ(words.n_alike("the"), 2);
    EXPECT_EQ(words.n_alike("dog"), 0);
    EXPECT_EQ(words.n_alike_before(2), 1);
    Words longer = words;
    longer.push_back("the");
    EXPECT_EQ(longer.n_alike("the"), 3);
    EXPECT_EQ(words.n_alike("the"), 2);
    words.set(0, "a");
    EXPECT_EQ(words.n_alike("the"), 1);
    EXPECT_EQ(words.n_alike_before(2), 0);
    EXPECT_EQ(Words().n_alike("the"), 0);
    words.insert(0, "the");
    EXPECT_EQ(words.n_alike_before(3), 1);
    words.erase(0);
    EXPECT_EQ(words.n_alike_before(2), 0);
    const Words copy = words;
    words.set(2, "cat");
    EXPECT_EQ(words.n_alike("cat"), 2) << "changed while a copy shares what was counted";
    EXPECT_EQ(copy.n_alike("cat"), 1);
    EXPECT_EQ(copy.n_alike("the"), 1);
}

TEST(Words, WhatIsCountedTakesBytesOfItsOwn) {
    const Words words{"the", "cat", "the"};
    const std::size_t before = words.bytes_not_shared_with(Words());
    EXPECT_EQ(words.n_alike("the"), 2);
    EXPECT_GT(words.bytes_not_shared_with(Words()), before);
}

TEST(Words, AreInsertedAndErasedInTheirPlaces) {
    Words words;
    EXPECT_TRUE(words.empty());
    words.push_back("b");
    const Words before = words;
    words.insert(0, "a");
    words.push_back("c");
    EXPECT_EQ(words, (Words{"a", "b", "c"}));
    words.erase(1);
    EXPECT_EQ(words, (Words{"a", "c"}));
    EXPECT_EQ(before, Words{"b"});
    words.clear();
    EXPECT_EQ(words, Words());
    EXPECT_EQ(Words(std::vector<std::string>()), Words()) << "no words are no words";
}

} // namespace
