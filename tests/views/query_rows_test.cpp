#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "app/session/query_rows.h"
#include "app/views/views.h"
#include "tests/session/support.h"
#include "tests/views/canvas_support.h"

// A row is a query's own where its words are the queries', and nowhere else.
namespace lab {
namespace {

using test::Canvas;

// Beside the row, where its word stands.
ImVec2 word_beside(Canvas& canvas, const std::string& tensor, int row) {
    constexpr float kIntoTheWord = 16;
    const ImVec2 first = canvas.middle_of({tensor, {0, row, 0}}), second = canvas.middle_of({tensor, {0, row, 1}});
    return {first.x - (second.x - first.x) / 2 - kIntoTheWord, first.y};
}

TEST(WordsBesideRows, OfTheContextChooseNoQuery) {
    Canvas canvas;
    canvas.open("cross-attention");
    HeadlessViews& views = canvas.views;
    views.click(word_beside(canvas, "inputs", 2));
    EXPECT_EQ(views.selection.query, 2);
    EXPECT_EQ(views.ui.status_hint, "click to choose this query");
    views.ui.status_hint.clear();
    views.click(word_beside(canvas, "context_inputs", 1));
    EXPECT_EQ(views.selection.query, 2);
    EXPECT_NE(views.ui.status_hint, "click to choose this query");
}

// What can be clicked in the list of a query's path, from the top down.
std::vector<TensorCell> path_of(HeadlessViews& views, int query) {
    std::vector<TensorCell> path;
    for (float y = 190; y < 760; y += 10) {
        views.selection.unpin();
        views.selection.query = query;
        views.click({1100, y});
        const TensorCell* pinned = views.selection.pinned();
        if (pinned != nullptr && (path.empty() || path.back() != *pinned)) path.push_back(*pinned);
    }
    return path;
}

std::vector<std::string> tensors(const std::vector<TensorCell>& cells) {
    std::vector<std::string> names;
    for (const TensorCell& cell : cells) names.push_back(cell.tensor);
    return names;
}

class Path : public testing::Test {
  protected:
    HeadlessViews views{[](ViewContext& context) { draw_inspector(context, {1008, 49, 1280, 772}); }};

    void open(const std::string& preset) { views.open_preset(preset); }
};

TEST_F(Path, OfAQueryThatAttendsToAContextHasNoKeysOfItsOwn) {
    open("cross-attention");
    EXPECT_EQ(tensors(path_of(views, 1)), (std::vector<std::string>{"inputs", "queries", "attention_scores",
                                                                    "attention_weights", "context_vectors"}));
}

TEST_F(Path, AfterAPastRunsBelowIt) {
    open("trainable");
    ASSERT_TRUE(test::decode_word(views.lab, "step").has_value());
    views.lab.refresh();
    views.selection.fit(views.lab.program());
    const std::vector<TensorCell> path = path_of(views, 0);
    const std::vector<std::string> names = tensors(path);
    EXPECT_EQ(std::count(names.begin(), names.end(), "past_keys"), 0);
    for (const TensorCell& cell : path) EXPECT_EQ(cell.cell.row, cell.tensor.starts_with("present_") ? 6 : 0);
    EXPECT_EQ(std::count(names.begin(), names.end(), "present_keys"), 1);
    EXPECT_EQ(std::count(names.begin(), names.end(), "keys"), 1);
}

} // namespace
} // namespace lab
