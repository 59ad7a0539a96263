#include "app/widgets/text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "app/views/explanation_widgets.h"
#include "tests/views/headless.h"

namespace lab {
namespace {

TEST(Text, IsCutInTheMiddleWhereTheEndTellsLabelsApart) {
    bool was_drawn = false;
    HeadlessViews views([&](ViewContext& context) {
        const TextStyle style = plain_text(context.theme, 12, {});
        const auto cut = [&](std::string_view text, std::string_view as) {
            return cut_in_the_middle(style, text, text_width(style, as));
        };
        EXPECT_EQ(cut("token 12048", "token 12048"), "token 12048");
        EXPECT_EQ(cut("token 12048", "tok…12048"), "tok…12048");
        EXPECT_EQ(cut("token 12048", "t…12048"), "t…12048");
        for (const std::string as : {"tok…1276", "t…1276", "…1276"}) EXPECT_EQ(cut("token1276", as), as);
        EXPECT_EQ(cut("my token12048", "m…12048"), "m…12048");
        const std::string word = cut("überempfindlichkeitsüberprüfungen", "überemp…üfungen");
        EXPECT_TRUE(word.starts_with("über") && word.ends_with("ungen")) << word;
        EXPECT_NE(word.find("…"), std::string::npos);
        for (float width = 0; width < 90; width += 1) {
            for (const std::string_view text :
                 {"token 12048", "token12048", "12048", "überprüfungen", "日本語の長い言葉です"}) {
                const float least = text_width(style, "…");
                EXPECT_LE(text_width(style, cut_in_the_middle(style, text, width)), std::max(width, least) + 0.01f);
            }
        }
        was_drawn = true;
    });
    views.frame();
    EXPECT_TRUE(was_drawn);
}

TEST(Text, IsNotBrokenWithinANumber) {
    const std::string_view number = "2.438e−4", text = "from 2.438e−4 to 1,024.5. Fine";
    int n_broken = 0; // lines that end before the number's
    HeadlessViews views([&](ViewContext& context) {
        const TextStyle style = plain_text(context.theme, 12, {});
        for (float width = text_width(style, number) + 1; width < text_width(style, text) + 1; ++width) {
            std::string joined;
            for (std::string_view left = text; !left.empty();) {
                const std::string_view line = first_line(style.font, style.size, left, width);
                ASSERT_FALSE(line.empty());
                EXPECT_LE(text_width(style, line), width);
                left.remove_prefix(line.size());
                const bool is_in_number =
                    (line.ends_with('.') || line.ends_with(',')) && !left.empty() && left[0] != ' ';
                EXPECT_FALSE(is_in_number) << line << "|" << left;
                n_broken += left.empty() ? 0 : 1;
                joined += line;
                if (left.starts_with(' ')) joined += ' ', left.remove_prefix(1);
            }
            EXPECT_EQ(joined, text);
        }
    });
    views.frame();
    EXPECT_GT(n_broken, 0);
}

TEST(Text, IsBrokenAfterMarksAndAtItsOwnBreaks) {
    bool was_drawn = false;
    HeadlessViews views([&](ViewContext& context) {
        const TextStyle style = plain_text(context.theme, 12, {});
        const auto first = [&](std::string_view text, std::string_view as) {
            return first_line(style.font, style.size, text, text_width(style, as) + 0.5f);
        };
        EXPECT_EQ(first("ab cd\nefgh 1.25", "ab cd efgh 1.25"), "ab cd");
        EXPECT_EQ(first("ab cd\n11.25", "ab cd 11."), "ab cd");
        EXPECT_EQ(first("one two,three", "one two,th"), "one two,") << "no number goes on";
        EXPECT_EQ(first(" 11.25", " 11."), " 11.") << "there is nothing before it";
        was_drawn = true;
    });
    views.frame();
    EXPECT_TRUE(was_drawn);
}

TEST(Text, IsBrokenWithinANumberOnlyWhereThatIsTooLong) {
    bool was_drawn = false;
    HeadlessViews views([&](ViewContext& context) {
        const TextStyle style = plain_text(context.theme, 12, {});
        const std::string_view text = "日本語";
        EXPECT_EQ(first_line(style.font, style.size, "", 50), "");
        EXPECT_EQ(first_line(style.font, style.size, text, 1), "日");
        EXPECT_EQ(first_line(style.font, style.size, "1.25", text_width(style, "1.2")), "1.");
        was_drawn = true;
    });
    views.frame();
    EXPECT_TRUE(was_drawn);
}

} // namespace
} // namespace lab
