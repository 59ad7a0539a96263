#include <gtest/gtest.h>

#include "engine/formats/presets.h"
#include "engine/formats/session.h"
#include "tests/formats/mutation.h"

namespace {

// Longer runs: tests/fuzz/session_fuzz.
TEST(SessionFuzz, NoTextBreaksAPromise) {
    std::mt19937 random(42);
    int n_read = 0, n_refused = 0;
    for (const auto& preset : lab::presets()) {
        const std::string original(lab::preset_session_text(preset.name));
        for (int round = 0; round < 500; ++round) {
            const std::string text = lab_tests::mutated(original, random);
            ASSERT_EQ(lab_tests::broken_promise(text), "") << text;
            (lab::read_session(text) ? n_read : n_refused) += 1;
        }
    }
    EXPECT_GT(n_read, 200) << "mutations that only change a number or a word";
    EXPECT_GT(n_refused, 1000);
}

TEST(SessionFuzz, EveryPrefixOfASessionIsRefused) {
    const std::string text(lab::preset_session_text("sentence"));
    const std::size_t end = text.find_last_of('}');
    for (std::size_t length = 0; length <= end; ++length) {
        const auto file = lab::read_session(std::string_view(text).substr(0, length));
        ASSERT_FALSE(file) << length;
        const bool is_cut = file.error().find("the text ends in the middle of") != std::string::npos;
        EXPECT_TRUE(is_cut || length == 0) << length << ": " << file.error();
    }
}

} // namespace
