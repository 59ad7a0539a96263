#include "app/session/title.h"

#include "tests/session/support.h"

namespace lab::test {
namespace {

TEST(Title, OfASentenceAreItsFirstWords) {
    EXPECT_EQ(title_of_sentence({"Your", "journey"}), "Your journey");
    EXPECT_EQ(title_of_sentence({"It", "begins", "with", "one", "step", "and", "goes", "on", "and", "on"}),
              "It begins with one step and goes on …");
    EXPECT_EQ(title_of_sentence({"The", "Donaudampfschifffahrtsgesellschaftskapitän", "sails"}),
              "The Donaudampfschifffahrtsgesellscha…");
    EXPECT_EQ(title_of_sentence({}), kUntitled);
    const std::string most(35, 'w');
    EXPECT_EQ(title_of_sentence(Words(1, most + "ä")), most + "…") << "at a letter's end";
}

TEST(Title, FollowsTheSentenceUnlessAPersonGaveIt) {
    const Document first = after(opened_preset("trainable"), SetSentence{"one two", 123, 3});
    EXPECT_EQ(first.title, "one two");
    const Document second = after(first, SetSentence{"three four", 123, 3});
    EXPECT_EQ(second.title, "three four");
    const Document named = after(second, SetTitle{"For Monday's class"});
    EXPECT_EQ(after(named, SetSentence{"five six", 123, 3}).title, "For Monday's class");
}

TEST(Title, FollowsEditsOfTheSentence) {
    Document document = after(opened_preset("trainable"), SetSentence{"Dogs chase cats", 123, 3});
    document = after(document, RenameToken{1, "like"});
    EXPECT_EQ(document.title, "Dogs like cats");
    document = after(document, RemoveToken{0});
    EXPECT_EQ(document.title, "like cats");
    EXPECT_EQ(after(document, SetSentence{"It rains today", 123, 3}).title, "It rains today");
    EXPECT_EQ(after(opened_preset("trainable"), RenameToken{1, "trip"}).title, opened_preset("trainable").title);
}

} // namespace
} // namespace lab::test
