// Where the words beside rows and above columns stand.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include <imgui_internal.h>

#include "app/views/matrix_cells.h"
#include "tests/views/canvas_support.h"

namespace lab {
namespace {

class Labels : public testing::Test {
  protected:
    void open(int n, const std::string& word = "word") {
        canvas.open(test::document_of({.n_tokens = n, .word = word}));
        views.frame(2);
    }

    void zoom_into(const TensorCell& cell, int n_notches) {
        for (int i = 0; i < n_notches; ++i) views.wheel(canvas.middle_of(cell), 1);
        views.move_to({-1, -1});
    }

    // Of the weights' labels, as they stood in the last frame: those in two bands, beside the rows and above the columns.
    void look() {
        const auto weights =
            std::find_if(views.ui.drawn_matrices.begin(), views.ui.drawn_matrices.end(), [&](const DrawnMatrix& each) {
                return views.lab.program().node(each.node).name == "attention_weights";
            });
        ASSERT_NE(weights, views.ui.drawn_matrices.end());
        drawn = *weights;
        const float scale = views.ui.camera.text_scale();
        const Shape shape = views.lab.program().node(drawn.node).shape;
        const Rect cells = Rect::at(drawn.origin, {drawn.pitch.x * static_cast<float>(shape.cols),
                                                   drawn.pitch.y * static_cast<float>(shape.rows)});
        const ImVec2 corner{std::max(cells.left, drawn.clip.left), std::max(cells.top, drawn.clip.top)};
        const Rect beside{corner.x - 90 * scale, corner.y, corner.x, std::min(cells.bottom, kView.bottom)};
        const Rect above{corner.x, corner.y - 18 * scale, std::min(cells.right, kView.right), corner.y};
        rows = within(beside);
        cols = within(above);
        std::sort(rows.begin(), rows.end(), [](const Rect& a, const Rect& b) { return a.top < b.top; });
    }

    static Color dimmed() { return mix(kDarkPalette.background, kDarkPalette.dim, 0.5f); }

    // From the first letter of a word to its last, from left to right.
    static std::vector<Rect> words(const std::vector<Rect>& letters) {
        constexpr float kApart = 3.5f;
        std::vector<Rect> found;
        for (const Rect& letter : letters) {
            if (found.empty() || letter.left - found.back().right > kApart)
                found.push_back(letter);
            else
                found.back() = {found.back().left, std::min(found.back().top, letter.top), letter.right,
                                std::max(found.back().bottom, letter.bottom)};
        }
        return found;
    }

    // Letters of the labels' colours whose middles are there, from left to right.
    static std::vector<Rect> within(const Rect& part) {
        std::vector<Rect> found;
        for (const test::Letter& letter : test::letters("Canvas")) {
            const bool is_label = letter.color == kDarkPalette.dim.u32() || letter.color == kDarkPalette.accent.u32() ||
                                  letter.color == dimmed().u32();
            if (is_label && part.contains(letter.box.center())) found.push_back(letter.box);
        }
        return found;
    }

    // Rows from the top, or columns from the left.
    struct Lines {
        float first, pitch;
        float Rect::*begin;
        float Rect::*end;

        float begin_of(int line) const { return first + pitch * static_cast<float>(line); }
        int at(float place) const { return static_cast<int>(std::floor((place - first) / pitch)); }
    };
    Lines row_lines() const { return {drawn.origin.y, drawn.pitch.y, &Rect::top, &Rect::bottom}; }
    Lines col_lines() const { return {drawn.origin.x, drawn.pitch.x, &Rect::left, &Rect::right}; }

    // Holds each letter to the line that its middle is in; says of which lines there are any.
    static std::vector<bool> lines_with(const std::vector<Rect>& letters, const Lines& lines, int n) {
        constexpr float kRounding = 1;
        std::vector<bool> found(static_cast<std::size_t>(n));
        for (const Rect& letter : letters) {
            const int line = lines.at((letter.*lines.begin + letter.*lines.end) / 2);
            found[static_cast<std::size_t>(line)] = true;
            EXPECT_GE(letter.*lines.begin, lines.begin_of(line) - kRounding);
            EXPECT_LE(letter.*lines.end, lines.begin_of(line + 1) + kRounding);
        }
        return found;
    }

    // The same of rows whose words may reach into others.
    std::vector<bool> lines_with_any(const std::vector<Rect>& letters, int n) const {
        std::vector<bool> found(static_cast<std::size_t>(n));
        for (const Rect& letter : letters) found[static_cast<std::size_t>(row_lines().at(letter.center().y))] = true;
        return found;
    }

    static float tallest(const std::vector<Rect>& letters) {
        float most = 0;
        for (const Rect& each : letters) most = std::max(most, each.height());
        return most;
    }

    // Above columns, while no cell is pinned or hovered.
    std::vector<Rect> words_with_none_chosen() {
        views.frame(2);
        views.selection.unpin();
        views.frame(2);
        look();
        return words(cols);
    }

    static constexpr Rect kView{0, 0, 812, 724};
    test::Canvas canvas;
    HeadlessViews& views = canvas.views;
    DrawnMatrix drawn;
    std::vector<Rect> rows, cols;
};

TEST_F(Labels, OfFewTokensStandInTheirRowsAndColumns) {
    open(6);
    for (const int n_notches : {0, 3, 3, 3}) {
        zoom_into({"attention_weights", {0, 0, 0}}, n_notches);
        look();
        const std::vector<bool> has_row = lines_with(rows, row_lines(), 6), has_col = lines_with(cols, col_lines(), 6);
        for (const Rect& letter : rows) EXPECT_LE(letter.right, drawn.origin.x);
        for (const Rect& letter : cols) EXPECT_LE(letter.bottom, drawn.origin.y);
        for (int i = 0; i < 6; ++i) {
            const float right = col_lines().begin_of(i + 1), bottom = row_lines().begin_of(i + 1);
            EXPECT_TRUE(has_row[static_cast<std::size_t>(i)] || bottom > kView.bottom) << "row " << i;
            EXPECT_TRUE(has_col[static_cast<std::size_t>(i)] || right > kView.right) << "column " << i;
        }
    }
}

TEST_F(Labels, OfRowsAreWholeAtEveryZoom) {
    Document document = test::document_of({.n_tokens = 3, .d_in = 3, .d_k = 2, .d_v = 2});
    document.tokens = {"Your", "journey", "starts"};
    canvas.open(std::move(document));
    for (int n_notches = 0; n_notches < 8; ++n_notches) {
        zoom_into({"attention_weights", {0, 1, 0}}, n_notches == 0 ? 0 : 1);
        look();
        const auto is_of_journey = [&](const Rect& letter) { return row_lines().at(letter.center().y) == 1; };
        EXPECT_EQ(std::count_if(rows.begin(), rows.end(), is_of_journey), 7) << views.ui.camera.zoom;
    }
}

TEST_F(Labels, OfRowsAndColumnsAreOfOneSizeAtEveryZoom) {
    open(6);
    for (const int n_notches : {0, 2, 2, 2, 4}) {
        zoom_into({"attention_weights", {0, 0, 0}}, n_notches);
        look();
        ASSERT_FALSE(rows.empty() || cols.empty());
        EXPECT_NEAR(tallest(rows), tallest(cols), 0.5f) << views.ui.camera.zoom;
    }
}

// Of many tokens every so many is labelled.
TEST_F(Labels, OfManyTokensDoNotTouch) {
    open(256);
    for (const int n_notches : {0, 4, 4, 4, 4, 4}) {
        zoom_into({"attention_weights", {0, 128, 128}}, n_notches);
        look();
        ASSERT_GT(rows.size(), 4u * 5);
        ASSERT_GT(cols.size(), 3u * 5);
        const float height = tallest(rows);
        float line = rows.front().bottom; // of the label before
        int n_lines = 1;
        for (const Rect& letter : rows) {
            if (letter.bottom < line + height / 2) continue;
            EXPECT_GE(letter.top, line) << "a label begins below the one before";
            line = letter.bottom;
            ++n_lines;
        }
        EXPECT_GE(n_lines, 5);
        int n_words = 1;
        for (std::size_t i = 1; i < cols.size(); ++i) {
            EXPECT_LT(cols[i - 1].right - cols[i].left, 1.5f) << "letter " << i;
            n_words += cols[i].left - cols[i - 1].right > 0.5f * height ? 1 : 0;
        }
        EXPECT_GE(n_words, 3);
        for (const Rect& letter : cols) EXPECT_LE(letter.right, kView.right);
    }
}

// Its word begins where the cells do, farther to the right than its column.
TEST_F(Labels, OfManyColumnsTheFirstKeepsApartFromTheNext) {
    int n_times = 0;
    for (int n = 104; n < 290; n = n == 124 ? 270 : n + 1) {
        open(n, "token ");
        views.move_to({-1, -1});
        const std::vector<Rect> found = words_with_none_chosen();
        if (found.size() < 4) continue;
        ++n_times;
        float widest = 0;
        for (std::size_t i = found.size() / 2; i < found.size(); ++i) widest = std::max(widest, found[i].width());
        EXPECT_LT(found.front().width(), 1.2f * widest) << n << ": two that touch";
    }
    EXPECT_GT(n_times, 20);
}

// A sentence's first word above all.
TEST_F(Labels, OfEveryOtherOneTheFirstIsWritten) {
    int n_times = 0;
    for (int n = 16; n <= 60; ++n) {
        open(n);
        views.move_to({-1, -1});
        views.selection.let_go();
        views.frame(2);
        look();
        const int n_words = static_cast<int>(rows.size()) / 5;                 // of about five letters each
        if (n_words == 0 || n_words * 3 < n || n_words * 10 > 9 * n) continue; // another share of them
        ++n_times;
        EXPECT_LT(rows.front().center().y, drawn.origin.y + drawn.pitch.y) << n;
    }
    EXPECT_GT(n_times, 3);
}

// Of a word that leaves the view its end is no word.
TEST_F(Labels, BesideRowsThatLeaveTheViewBeginInSight) {
    open(6, "journey");
    for (const float left : {70.0f, 50.0f, 40.0f, 25.0f, 10.0f}) {
        pan(views.ui.camera, {left - views.ui.camera.to_screen(canvas.placed("inputs").cells).left, 0});
        views.move_to({-1, -1});
        const auto letters = within({-100, 0, left, 724});
        for (const Rect& letter : letters) EXPECT_GE(letter.left, 0) << left;
    }
}

// Wider ones are cut and take nothing of their neighbours.
TEST_F(Labels, LongWordsStayBesideTheirRowsAndAboveTheirColumns) {
    Document document = test::document_of({.n_tokens = 6});
    document.tokens = {"Achtundvierzigpfünder", "Donaudampfschifffahrt", "Eisenbahnknotenpunkt",
                       "Feuerwehrhauptmann",    "Generalversammlung",    "Hochgeschwindigkeitszug"};
    canvas.open(std::move(document));
    views.frame(2);
    look();
    ASSERT_FALSE(rows.empty() || cols.empty());
    for (const Rect& letter : rows) EXPECT_LE(letter.right, drawn.origin.x);
    for (std::size_t i = 1; i < cols.size(); ++i) {
        EXPECT_LT(cols[i - 1].right - cols[i].left, 1.5f);
        EXPECT_EQ(col_lines().at(cols[i].left + 1), col_lines().at(cols[i].right - 1)) << "within its column";
    }
}

TEST_F(Labels, AboveColumnsDoNotAllBeginAlike) {
    open(6, "Donaudampfschifffahrtsgesellschaft");
    look();
    ASSERT_FALSE(cols.empty());
    const bool has_longer_than_a_column = std::any_of(cols.begin() + 1, cols.end(), [&](const Rect& letter) {
        return col_lines().at(letter.left + 1) != col_lines().at(letter.right - 1);
    });
    EXPECT_TRUE(has_longer_than_a_column) << "rather than Donau… six times";
}

// One long word among short ones takes nothing of those that it does not cover, nor do short ones that are hovered.
TEST_F(Labels, AboveColumnsStayWhereTheyAreBesideAHoveredOne) {
    Document document = test::document_of({.n_tokens = 20, .word = "a"});
    document.tokens.set(16, "Donaudampfschifffahrt");
    canvas.open(document);
    const std::vector<Rect> before = words_with_none_chosen();
    ASSERT_GE(before.size(), 2u);
    for (const int col : {1, 3, 8, 13, 16}) {
        views.move_to(canvas.middle_of({"attention_weights", {0, 10, col}}));
        look();
        const std::vector<Rect> now = words(cols);
        const float center = drawn.origin.x + drawn.pitch.x * (static_cast<float>(col) + 0.5f);
        const auto chosen = std::find_if(now.begin(), now.end(), [&](const Rect& word) {
            return std::max(word.left - center, center - word.right) < drawn.pitch.x;
        });
        ASSERT_NE(chosen, now.end()) << col;
        for (const Rect& word : before) {
            constexpr float kBeside = 10;
            if (word.right > chosen->left - kBeside && word.left < chosen->right + kBeside) continue;
            EXPECT_TRUE(std::any_of(now.begin(), now.end(),
                                    [&](const Rect& each) {
                                        return std::fabs(each.left - word.left) < 0.5f &&
                                               std::fabs(each.right - word.right) < 0.5f;
                                    }))
                << "at " << word.left << " while " << col << " is hovered";
        }
    }
}

// Of every so many one is written: what the hovered one would cover is left out rather than cut.
TEST_F(Labels, AboveManyColumnsAreWholeBesideAHoveredOne) {
    open(256);
    const std::vector<Rect> before = words_with_none_chosen();
    ASSERT_GE(before.size(), 3u);
    for (const int col : {60, 85, 95, 103, 110, 130, 190, 205}) {
        views.move_to(canvas.middle_of({"attention_weights", {0, 10, col}}));
        look();
        const auto is_as_before = [&](const Rect& word) {
            return std::any_of(before.begin(), before.end(), [&](const Rect& each) {
                return std::fabs(each.left - word.left) < 0.5f && std::fabs(each.right - word.right) < 0.5f;
            });
        };
        const std::vector<Rect> now = words(cols);
        EXPECT_LE(std::count_if(now.begin(), now.end(), std::not_fn(is_as_before)), 1) << col << " is hovered";
        EXPECT_GE(now.size() + 2, before.size()) << "no more than two make way";
    }
}

TEST_F(Labels, AboveAHoveredLastColumnKeepApartFromTheViewsEdge) {
    constexpr float kApart = 5;
    for (const int n : {40, 100, 256}) {
        open(n, "Donaudampfschifffahrt");
        views.move_to(canvas.middle_of({"attention_weights", {0, n / 2, n - 1}}));
        look();
        float right = 0;
        for (const test::Letter& letter : test::letters("Canvas")) {
            const bool is_above = std::fabs(letter.box.center().y - drawn.origin.y + 9) < 9;
            if (is_above && letter.color == kDarkPalette.accent.u32()) right = std::max(right, letter.box.right);
        }
        EXPECT_LT(right, kView.right - kApart) << n;
        EXPECT_GT(right, drawn.origin.x + drawn.pitch.x * static_cast<float>(n)) << n << ", beyond the cells";
    }
}

TEST_F(Labels, BesideRowsAreDimmedWhereAHoveredOneTouchesThem) {
    int n_tried = 0;
    for (int n = 12; n < 40; ++n) {
        views.move_to({-1, -1});
        open(n);
        look();
        const float apart = drawn.pitch.y / (type_size::kLabel * views.ui.camera.text_scale());
        if (apart < 0.76f || apart > 0.98f) continue; // from row to row, of the size
        const std::vector<bool> before = lines_with_any(rows, n);
        for (const int row : {4, 5, 6}) {
            views.move_to(canvas.middle_of({"attention_weights", {0, row, 3}}));
            look();
            std::vector<bool> expected = before;
            expected[static_cast<std::size_t>(row)] = true;
            EXPECT_EQ(lines_with_any(rows, n), expected) << n << " rows, of which " << row << " is hovered";
        }
        ++n_tried;
    }
    EXPECT_GT(n_tried, 0);
}

// Few of the words are too long: these are cut, rather than that two of five are written.
TEST_F(Labels, OfCrossAttentionAllKeysAreNamed) {
    canvas.open("cross-attention");
    views.frame(2);
    look();
    const std::vector<bool> has_word = lines_with(cols, col_lines(), 5);
    EXPECT_EQ(has_word, std::vector<bool>(5, true));
}

TEST_F(Labels, AboveColumnsEqualWordsThatFitAreAllWritten) {
    Document document = test::document_of({.n_tokens = 5, .d_in = 3, .d_k = 2, .d_v = 2});
    document.tokens = {"ha", "ha", "ha", "ha", "Supercalifragilistic"};
    canvas.open(std::move(document));
    zoom_into({"attention_weights", {0, 2, 2}}, 5);
    look();
    const std::vector<bool> has_word = lines_with(cols, col_lines(), 5);
    for (std::size_t col = 0; col < 4; ++col) EXPECT_TRUE(has_word[col]) << col;
}

// Half of them are, beside one that takes more room than a column.
TEST_F(Labels, OneLongWordLeavesTheOthersTheirNames) {
    Document document = test::document_of({.n_tokens = 6, .d_in = 3, .d_k = 2, .d_v = 2});
    document.tokens = {"Supercalifragilistic", "journey", "starts", "with", "one", "step"};
    canvas.open(std::move(document));
    views.move_to({-1, -1});
    look();
    EXPECT_EQ(lines_with(cols, col_lines(), 6), std::vector<bool>(6, true));
}

// It is cut, and all else is as large as with a word of the usual length.
TEST_F(Labels, OneVeryLongWordTakesNoRoomFromNumbersAndOtherWords) {
    const auto open_with = [&](const std::string& word) {
        Document document = test::document_of({.n_tokens = 6, .d_in = 3, .d_k = 2, .d_v = 2});
        document.tokens = {"the", "captain", word, "sails", "on", "Sunday"};
        canvas.open(std::move(document));
        views.move_to({-1, -1});
        look();
    };
    open_with("steamers");
    const ImVec2 usual = drawn.pitch;
    open_with("Donaudampfschifffahrtsgesellschaftskapitän");
    EXPECT_GT(drawn.pitch.x, 0.9f * usual.x);
    EXPECT_GT(drawn.pitch.y, 0.9f * usual.y);
    EXPECT_EQ(lines_with(cols, col_lines(), 6), std::vector<bool>(6, true));
    EXPECT_EQ(lines_with(rows, row_lines(), 6), std::vector<bool>(6, true));
}

TEST_F(Labels, AWordThatIsCutIsWholeInATip) {
    Document document = test::document_of({.n_tokens = 5, .d_in = 3, .d_k = 2, .d_v = 2});
    document.tokens = {"the", "Donaudampfschifffahrtsgesellschaftskapitän", "sails", "on", "Sunday"};
    canvas.open(std::move(document));
    look();
    const auto has_tip_at = [&](ImVec2 point) {
        views.move_to({-1, -1});
        views.frame(2);
        views.move_to(point);
        views.frame(60);
        return shown_tip() != nullptr;
    };
    const auto beside = [&](int row) {
        return ImVec2{drawn.origin.x - 20, drawn.origin.y + (static_cast<float>(row) + 0.5f) * drawn.pitch.y};
    };
    const auto above = [&](int col) {
        return ImVec2{drawn.origin.x + (static_cast<float>(col) + 0.5f) * drawn.pitch.x, drawn.origin.y - 8};
    };
    EXPECT_TRUE(has_tip_at(beside(1)));
    EXPECT_FALSE(has_tip_at(beside(0)));
    EXPECT_TRUE(has_tip_at(above(1)));
    EXPECT_FALSE(has_tip_at(above(0)));
}

TEST_F(Labels, AWordThatTheViewCutsIsWholeInATip) {
    canvas.open("trainable");
    const auto has_tip = [&](float shift) {
        views.move_to({-1, -1});
        pan(views.ui.camera, {shift, 0});
        views.frame(2);
        const Rect cells = views.ui.camera.to_screen(canvas.placed("inputs").cells);
        views.move_to({cells.left - 12, cells.top + cells.height() / 4}); // beside "journey"
        views.frame(60);
        return shown_tip() != nullptr;
    };
    EXPECT_FALSE(has_tip(0));
    const Rect cells = views.ui.camera.to_screen(canvas.placed("inputs").cells);
    EXPECT_TRUE(has_tip(40 - cells.left));
}

// "inputs · W_value" would have room, beside "X · W_query".
TEST_F(Labels, ProjectionsNameTheirInputsAlike) {
    canvas.open(test::document_of({.n_tokens = 4, .d_in = 3, .d_k = 2, .d_v = 8}));
    views.move_to({-1, -1});
    const auto n_letters = [&](const std::string& tensor) {
        const Rect cells = views.ui.camera.to_screen(canvas.placed(tensor).cells);
        const Rect formula{cells.left - 2, cells.top - 20, cells.left + 80, cells.top - 2};
        return within(formula).size();
    };
    EXPECT_EQ(n_letters("queries"), std::string("X·W_query").size() - 1) << "of which one has two bytes";
    EXPECT_EQ(n_letters("values"), n_letters("queries"));
}

TEST_F(Labels, OfShortWordsAreAllWrittenOverNarrowColumns) {
    Document document = test::document_of({.n_tokens = 11, .d_in = 3, .d_k = 2, .d_v = 2});
    document.tokens = {"the", "old", "cat", "sat", "on", "the", "red", "mat", "by", "the", "door"};
    canvas.open(std::move(document));
    views.move_to({-1, -1});
    look();
    ASSERT_LT(drawn.pitch.x, 26);
    EXPECT_EQ(lines_with(cols, col_lines(), 11), std::vector<bool>(11, true));
}

} // namespace
} // namespace lab
