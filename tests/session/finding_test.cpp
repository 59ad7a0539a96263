#include "app/session/finding.h"

#include "tests/session/support.h"

namespace lab::test {

namespace {

Document with_tokens(const Words& tokens) {
    Document document = trainable();
    document.tokens = tokens;
    return document;
}

std::optional<FoundPlace> found(const Document& document, const std::string& text, int after = -1) {
    const int n = static_cast<int>(document.tokens.size());
    const Result<FoundPlace> place = find_place(document, Axis::queries, n, text, after);
    return place ? std::optional(*place) : std::nullopt;
}

TEST(FindPlace, ByWordByItsBeginningAndByNumber) {
    const Document document = trainable(); // Your journey starts with one step
    EXPECT_EQ(found(document, "starts"), (FoundPlace{2, 1, 1}));
    EXPECT_EQ(found(document, "your"), (FoundPlace{0, 1, 1}));
    EXPECT_EQ(found(document, "  jour "), (FoundPlace{1, 1, 1, true}));
    EXPECT_EQ(found(document, "s"), (FoundPlace{2, 2, 1, true}));
    EXPECT_EQ(found(document, "6"), (FoundPlace{5, 1, 1}));
    EXPECT_FALSE(found(document, "7"));
    EXPECT_FALSE(found(document, "0"));
    EXPECT_FALSE(found(document, "yacht"));
}

TEST(FindPlace, AWordThatIsANumberIsTheWord) {
    const Document document = with_tokens({"3", "1", "2", "x", "y", "z"});
    EXPECT_EQ(found(document, "1"), (FoundPlace{1, 1, 1}));
    EXPECT_EQ(found(document, "4"), (FoundPlace{3, 1, 1}));
}

TEST(FindPlace, OfSeveralAlikeTheNextAfterTheChosenOne) {
    const Document document = with_tokens({"the", "cat", "the", "The", "mat", "the"});
    EXPECT_EQ(found(document, "the"), (FoundPlace{0, 3, 1}));
    EXPECT_EQ(found(document, "the", 0), (FoundPlace{2, 3, 2}));
    EXPECT_EQ(found(document, "the", 2), (FoundPlace{5, 3, 3}));
    EXPECT_EQ(found(document, "the", 5), (FoundPlace{0, 3, 1}));
    EXPECT_EQ(found(document, "The", 5), (FoundPlace{3, 1, 1}));
    EXPECT_EQ(found(document, "THE", 2), (FoundPlace{3, 4, 3})) << "letters aside none is the same";
}

TEST(FindPlace, DimensionsByNumberOrAsTheyAreLabelled) {
    const auto dimension = [](const std::string& text) { return find_place({}, Axis::key_dimensions, 64, text); };
    for (const char* text : {"12", "d12", "D12", "d₁₂"}) EXPECT_EQ(dimension(text)->index, 11) << text;
    EXPECT_EQ(dimension("d65").error(), "no dimension begins with d65, and it is no number from 1 to 64");
}

// "journey|step"
std::string taken_apart(const Document& document, const std::string& text) {
    const SoughtAxis rows{Axis::queries, static_cast<int>(document.tokens.size())}, cols{Axis::keys, rows.n};
    const std::optional<TextPair> pair = split_pair(document, rows, cols, text);
    return pair ? pair->row + "|" + pair->col : std::string();
}

TEST(SplitPair, AQueryAndAKeyInOneText) {
    EXPECT_EQ(taken_apart(trainable(), "journey step"), "journey|step");
    EXPECT_EQ(taken_apart(trainable(), "journey, step"), "journey|step");
    EXPECT_EQ(taken_apart(trainable(), " journey  ,step "), "journey|step");
    EXPECT_EQ(taken_apart(trainable(), "2, 6"), "2,|6") << "a comma within a number counts for nothing";
    EXPECT_EQ(taken_apart(trainable(), "2 6"), "2|6");
    EXPECT_EQ(taken_apart(trainable(), "2,6"), "2|6");
    EXPECT_EQ(taken_apart(trainable(), "jour ste"), "jour|ste");
    for (const char* text : {"journey", "journey,", "journey yacht", "yacht step", "", ",", "7, 1", "1,024"})
        EXPECT_EQ(taken_apart(trainable(), text), "") << text;
}

TEST(SplitPair, OfWordsWithBlanksTheLongestRow) {
    const Document document = with_tokens({"token 1", "token 12", "token", "1", "12", "token 1 b"});
    EXPECT_EQ(taken_apart(document, "token 1, token 12"), "token 1|token 12");
    EXPECT_EQ(taken_apart(document, "token 12 token"), "token 12|token");
    EXPECT_EQ(taken_apart(document, "token 1 1"), "token 1|1");
}

TEST(FindPlace, AsSentencesCallThem) {
    const Document document = with_tokens({"The", "cat,", "the", "cat,", "the", "end."});
    EXPECT_EQ(found(document, "the₂"), (FoundPlace{4, 1, 1}));
    EXPECT_EQ(found(document, "“cat,”₂"), (FoundPlace{3, 1, 1}));
    EXPECT_EQ(found(document, "“the”₂"), (FoundPlace{4, 1, 1})) << "as the history calls it";
    EXPECT_EQ(found(document, "“end.”"), (FoundPlace{5, 1, 1}));
    EXPECT_FALSE(found(document, "the₃"));
    Words many(70, "a");
    many[7] = many[30] = "cat,";
    EXPECT_EQ(found(with_tokens(many), "“cat,”", 7), (FoundPlace{30, 2, 2})) << "whichever";
    EXPECT_EQ(found(with_tokens(many), "a₆₈"), (FoundPlace{69, 1, 1}));
    EXPECT_EQ(taken_apart(document, "“cat,”₂, the₂"), "“cat,”₂|the₂");
}

TEST(FindPlace, AsNumbersAndWordsAreWrittenElsewhere) {
    EXPECT_EQ(find_place({}, Axis::queries, 16384, "16,384")->index, 16383);
    EXPECT_EQ(found(with_tokens({" the", " cat", "2024-25", "x", "y", "z"}), "cat"), (FoundPlace{1, 1, 1}));
    EXPECT_EQ(found(with_tokens({"the", "cat", "2024-25", "x", "y", "z"}), "2024"), (FoundPlace{2, 1, 1, true}));
}

TEST(FindPlace, SaysWhatThereIs) {
    const Result<FoundPlace> none = find_place(Document{}, Axis::keys, 16384, "yacht");
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error(), "no key begins with yacht, and it is no number from 1 to 16,384");
}

} // namespace
} // namespace lab::test
