// Where the words beside rows and above columns stand.
#include <gtest/gtest.h>

#include <algorithm>

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
        const auto n = static_cast<float>(views.lab.document().tokens.size());
        const Rect cells = Rect::at(drawn.origin, {drawn.pitch.x * n, drawn.pitch.y * n});
        const ImVec2 corner{std::max(cells.left, drawn.clip.left), std::max(cells.top, drawn.clip.top)};
        const Rect beside{corner.x - 90 * scale, corner.y, corner.x, std::min(cells.bottom, kView.bottom)};
        const Rect above{corner.x, corner.y - 18 * scale, std::min(cells.right, kView.right), corner.y};
        rows = within(beside);
        cols = within(above);
        std::sort(rows.begin(), rows.end(), [](const Rect& a, const Rect& b) { return a.top < b.top; });
    }

    // Letters of the labels' colours whose middles are there, from left to right.
    static std::vector<Rect> within(const Rect& part) {
        std::vector<Rect> found;
        for (const test::Letter& letter : test::letters("Canvas")) {
            const bool is_label = letter.color == kDarkPalette.dim.u32() || letter.color == kDarkPalette.accent.u32();
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

    static float tallest(const std::vector<Rect>& letters) {
        float most = 0;
        for (const Rect& each : letters) most = std::max(most, each.height());
        return most;
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

// Wider ones are cut and take nothing of their neighbours.
TEST_F(Labels, LongWordsStayBesideTheirRowsAndAboveTheirColumns) {
    open(6, "Donaudampfschifffahrtsgesellschaft");
    look();
    ASSERT_FALSE(rows.empty() || cols.empty());
    for (const Rect& letter : rows) EXPECT_LE(letter.right, drawn.origin.x);
    for (std::size_t i = 1; i < cols.size(); ++i) {
        EXPECT_LT(cols[i - 1].right - cols[i].left, 1.5f);
        EXPECT_EQ(col_lines().at(cols[i].left + 1), col_lines().at(cols[i].right - 1)) << "within its column";
    }
}

} // namespace
} // namespace lab
