#include "app/session/query_rows.h"

#include <algorithm>

#include "app/session/labels.h"
#include "app/session/narration.h"
#include "tests/session/support.h"

namespace lab::test {

namespace {

std::optional<int> row_of(const Lab& lab, const std::string& tensor, int query) {
    const int node = lab.program().find(tensor);
    EXPECT_GE(node, 0) << tensor;
    return row_of_query(lab.document(), lab.program().node(node), query);
}

std::optional<int> query_of(const Lab& lab, const std::string& tensor, int row) {
    return query_of_row(lab.document(), lab.program().node(lab.program().find(tensor)), row);
}

std::string row_word(const Lab& lab, const std::string& tensor, int row) {
    return axis_label(lab.document(), lab.program().node(lab.program().find(tensor)).presentation.rows, row);
}

Lab decoded(const std::string& preset, const Words& words) {
    Lab lab = lab_with(preset);
    for (const std::string& word : words) {
        EXPECT_TRUE(decode_word(lab, word).has_value()) << word;
        lab.refresh();
    }
    return lab;
}

TEST(QueryRows, OfSelfAttentionAreTheTokensOwn) {
    const Lab lab;
    for (const char* tensor : {"inputs", "queries", "keys", "values", "attention_scores", "context_vectors"}) {
        EXPECT_EQ(row_of(lab, tensor, 3), 3) << tensor;
        EXPECT_EQ(query_of(lab, tensor, 3), 3) << tensor;
    }
    EXPECT_EQ(row_of(lab, "W_query", 1), std::nullopt) << "its rows are dimensions";
    EXPECT_EQ(row_of(lab, "weighted_values", 1), std::nullopt) << "a slice is its own";
    EXPECT_EQ(key_of_query(lab.document(), 2), 2);
}

TEST(QueryRows, AreNotTheContextsRows) {
    const Lab lab = lab_with("cross-attention");
    EXPECT_EQ(row_of(lab, "inputs", 1), 1);
    EXPECT_EQ(row_of(lab, "queries", 1), 1);
    for (const char* tensor : {"context_inputs", "keys", "values"}) {
        EXPECT_EQ(row_of(lab, tensor, 1), std::nullopt) << tensor;
        EXPECT_EQ(query_of(lab, tensor, 1), std::nullopt) << tensor;
    }
    EXPECT_EQ(key_of_query(lab.document(), 1), std::nullopt);
}

TEST(QueryRows, AfterAPastStandBelowIt) {
    const Lab lab = decoded("gpt2-block", {"sat", "on", "blue"});
    const int n = n_past(lab.document());
    ASSERT_GT(n, 2);
    EXPECT_EQ(row_of(lab, "blocks.0.past_keys", 0), std::nullopt);
    EXPECT_EQ(row_of(lab, "blocks.0.past_values", 0), std::nullopt);
    EXPECT_EQ(row_of(lab, "blocks.0.keys", 0), 0);
    EXPECT_EQ(row_of(lab, "blocks.0.present_keys", 0), n);
    EXPECT_EQ(row_of(lab, "blocks.0.present_values", 0), n);
    EXPECT_EQ(query_of(lab, "blocks.0.present_keys", 0), std::nullopt);
    EXPECT_EQ(query_of(lab, "blocks.0.present_keys", n), 0);
    EXPECT_EQ(key_of_query(lab.document(), 0), n);
}

TEST(QueryRows, AfterAPastHaveTheirOwnWords) {
    const Lab lab = decoded("gpt2-block", {"sat", "on", "blue"});
    EXPECT_EQ(row_word(lab, "blocks.0.keys", 0), "blue");
    EXPECT_EQ(row_word(lab, "blocks.0.values", 0), "blue");
    EXPECT_EQ(row_word(lab, "blocks.0.past_keys", 0), "The");
    EXPECT_EQ(row_word(lab, "blocks.0.present_keys", 0), "The");
    EXPECT_EQ(row_word(lab, "blocks.0.present_keys", n_past(lab.document())), "blue");
}

TEST(QueryRows, AreWhatTheNarrationTellsOf) {
    const auto lines_about = [](const Lab& lab, const std::string& tensor) {
        return answers(lab, lab.program().node(lab.program().find(tensor)).stage, 0);
    };
    const auto tells_of = [](const Words& lines, const std::string& begin) {
        return std::any_of(lines.begin(), lines.end(),
                           [&](const std::string& line) { return line.starts_with(begin); });
    };
    const Lab after_past = decoded("gpt2-block", {"sat", "on", "blue"});
    const Words past = lines_about(after_past, "blocks.0.present_keys");
    EXPECT_TRUE(tells_of(past, "present_keys[head 1, blue] = "));
    EXPECT_FALSE(tells_of(past, "past_keys["));
    const Words cross = lines_about(lab_with("cross-attention"), "keys");
    EXPECT_TRUE(tells_of(cross, "queries["));
    EXPECT_FALSE(tells_of(cross, "keys["));
}

} // namespace

} // namespace lab::test
