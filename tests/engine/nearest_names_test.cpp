#include "engine/nearest_names.h"

#include <gtest/gtest.h>

namespace lab {
namespace {

TEST(NearestNames, AFewAreAllNamedInTheirOwnOrder) {
    EXPECT_EQ(nearest_names_text("x", {"softmax", "sum"}), "softmax, sum");
    EXPECT_EQ(nearest_names_text("x", {"g", "f", "e", "d", "c", "b", "a"}), "g, f, e, d, c, b, a");
    EXPECT_EQ(nearest_names_text("x", {}), "");
}

TEST(NearestNames, OfManyThoseWrittenAlikeAndTheNumberOfTheOthers) {
    EXPECT_EQ(nearest_names_text("cat", {"elephant", "dog", "bat", "CAT", "cart", "mouse", "cats", "at", "ox", "c"}),
              "bat, CAT, cart, cats, at and 5 more");
    EXPECT_EQ(nearest_names_text("axis", {"axis0", "axis1", "axis2", "axis3", "axis4", "axis5", "axis6", "axis7"}),
              "axis0, axis1, axis2, axis3, axis4, axis5 and 2 more");
}

TEST(NearestNames, WhereNoneIsAlikeTheFirstFew) {
    EXPECT_EQ(nearest_names_text("foo", {"elephant", "dog", "bat", "CAT", "cart", "mouse", "cats", "at"}),
              "elephant, dog, bat and 5 more");
}

TEST(NearestNames, APartOfANameIsNear) {
    const std::vector<std::string> names = {"a", "b", "c", "d", "e", "f", "a-very-long-name-with-heads-in-it", "g"};
    EXPECT_EQ(nearest_names_text("heads", names).substr(0, 33), "a-very-long-name-with-heads-in-it");
}

} // namespace
} // namespace lab
