#include "app/views/explanation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "engine/formats/presets.h"

namespace lab {
namespace {

Lab lab_with(const std::string& preset) {
    Lab lab;
    EXPECT_TRUE(lab.open_preset(preset).has_value()) << preset;
    lab.refresh();
    return lab;
}

// With a causal mask and rounded weights, so that every kind of step is there.
Lab lab_with_everything() {
    Lab lab = lab_with("trainable");
    AttentionSettings settings = lab.document().attention;
    settings.mask = MaskKind::causal;
    settings.round_weights = 2;
    EXPECT_TRUE(lab.perform(SetAttention{settings}).has_value());
    lab.refresh();
    return lab;
}

void for_each_cell(const Lab& lab, const std::function<void(int, const TensorCell&)>& visit) {
    const Program& program = lab.program();
    for (int i = 0; i < static_cast<int>(program.nodes.size()); ++i) {
        const Node& node = program.node(i);
        for (int plane = 0; plane < node.shape.planes; ++plane) {
            for (int row = 0; row < node.shape.rows; ++row) {
                for (int col = 0; col < node.shape.cols; ++col) visit(i, {node.name, {plane, row, col}});
            }
        }
    }
}

std::vector<TensorCell> source_cells(const Lab& lab, const WrittenTerm& term) {
    std::vector<TensorCell> cells;
    for (const CellRef& source : term.sources) cells.push_back(tensor_cell(lab.program(), source));
    return cells;
}

// What holds for every explanation: it adds up, and all that it names exists.
void expect_sound(const Lab& lab, int node, const TensorCell& cell) {
    SCOPED_TRACE(cell_text(lab.document(), lab.program().node(node), cell.cell));
    const Explanation told = explain(lab, cell, 1);
    const double value = lab.trace().at(node, cell.cell);
    EXPECT_EQ(told.value, number_text(value));
    EXPECT_FALSE(told.meaning.empty());
    EXPECT_EQ(told.is_given, told.formula.empty() && told.reason.empty());
    double total = 0;
    int n_own = 0;
    for (std::size_t i = 0; i < told.terms.size(); ++i) {
        const WrittenTerm term = written_term(lab, told, i);
        total += term.part;
        n_own += term.is_own ? 1 : 0;
        EXPECT_FALSE(term.label.empty());
        EXPECT_FALSE(term.part_text.empty());
        ASSERT_FALSE(term.sources.empty());
        EXPECT_EQ(term.sources.front(), term.source);
        if (term.is_own && told.terms_kind == TermsKind::shares && std::isfinite(value)) {
            EXPECT_NEAR(term.part, value, 1e-6);
        }
        if (std::isfinite(term.part)) {
            EXPECT_LE(told.least_part, term.part);
            EXPECT_GE(told.greatest_part, term.part);
        }
    }
    if (told.terms_kind == TermsKind::products) {
        EXPECT_NEAR(total, value, 1e-5 * (1 + std::fabs(value)));
    }
    if (told.terms_kind == TermsKind::shares) {
        EXPECT_EQ(n_own, 1);
    }
    for (const ExplanationFeed& feed : told.feeds) {
        const int target = lab.program().find(feed.target.tensor);
        ASSERT_GE(target, 0);
        EXPECT_TRUE(Block::all(lab.program().node(target).shape).contains(feed.target.cell));
        EXPECT_FALSE(feed.how.empty());
        EXPECT_FALSE(feed.place.empty());
        EXPECT_TRUE(feed.how.ends_with(" = " + number_text(lab.trace().at(target, feed.target.cell)))) << feed.how;
    }
}

TEST(Explanation, OfAWeightIsTheDesign) {
    const Lab lab = lab_with("trainable");
    const Explanation told = explain(lab, {"attention_weights", {0, 1, 2}}, 1);
    const std::vector<TextPart> meaning = {
        {"how much ", false}, {"journey", true}, {" attends to ", false}, {"starts", true}};
    EXPECT_EQ(told.meaning, meaning);
    EXPECT_EQ(told.value, "0.2199");
    EXPECT_EQ(told.formula, std::vector<std::string>{"e^(1.2806 − 1.3098) / Σ"});
    EXPECT_EQ(told.evaluated, "0.9712 / 4.4173");
    EXPECT_EQ(told.terms_kind, TermsKind::shares);
    EXPECT_EQ(told.terms_heading, "from this row of scaled scores");
    EXPECT_EQ(told.terms_total, "row sum 1.0000");
    const std::vector<std::vector<std::string>> rows = {{"Your", "0.8984", "15.0%"},   {"journey", "1.3098", "22.6%"},
                                                        {"starts", "1.2806", "22.0%"}, {"with", "0.7633", "13.1%"},
                                                        {"one", "0.3944", "9.1%"},     {"step", "1.0918", "18.2%"}};
    ASSERT_EQ(told.terms.size(), rows.size());
    for (std::size_t j = 0; j < rows.size(); ++j) {
        const WrittenTerm term = written_term(lab, told, j);
        EXPECT_EQ((std::vector<std::string>{term.label, term.text, term.part_text}), rows[j]);
        EXPECT_EQ(term.is_own, j == 2);
        EXPECT_EQ(source_cells(lab, term), (std::vector<TensorCell>{{"scaled_scores", {0, 1, static_cast<int>(j)}}}));
    }
    ASSERT_EQ(told.feeds.size(), 2u);
    EXPECT_EQ(told.feeds[0].target, (TensorCell{"context_vectors", {0, 1, 0}})); // weighted values are folded
    EXPECT_EQ(told.feeds[0].place, "[journey, d₁]");
    EXPECT_EQ(told.feeds[0].how, "0.2199·0.3879 + … = 0.3061");
    EXPECT_EQ(told.feeds[0].more, "and all of row journey");
    EXPECT_EQ(told.feeds[1].place, "[starts, journey, d₁]");
    EXPECT_EQ(told.feeds[1].more, "and all of what starts gives to journey");
    ASSERT_GE(told.answers.size(), 2u);
    EXPECT_EQ(told.answers[0], "Highest: journey 0.2264, itself.");
    EXPECT_EQ(told.answers[1], "Lowest: one 0.0906.");
}

TEST(Explanation, WhatAWeightFeedsIsOfTheTokenThatIsToldOfBesideIt) {
    Lab lab;
    for (const char* branch : {"query", "key", "value"}) {
        const Explanation told = explain(lab, {std::string("W_") + branch, {0, 0, 0}}, 4);
        ASSERT_FALSE(told.feeds.empty());
        EXPECT_EQ(told.feeds[0].place, "[one, d₁]") << branch;
        EXPECT_EQ(told.feeds[0].target.cell.row, 4) << branch;
        EXPECT_EQ(told.feeds[0].more, "and all of column d₁") << branch;
        const bool is_told = std::any_of(told.answers.begin(), told.answers.end(), [&](const std::string& line) {
            return line.starts_with(told.feeds[0].target.tensor + "[one] = ");
        });
        EXPECT_TRUE(is_told) << branch;
    }
    // Keys of another sentence are no query's.
    ASSERT_TRUE(lab.perform(AddTensor{"context_inputs"}));
    lab.refresh();
    EXPECT_EQ(explain(lab, {"W_key", {0, 0, 0}}, 1).feeds[0].target.cell.row, 0);
    EXPECT_EQ(explain(lab, {"W_query", {0, 0, 0}}, 1).feeds[0].target.cell.row, 1);
}

TEST(Explanation, WhatIsToldBesideANumberIsOfItsOwnRow) {
    const Lab lab;
    for (const char* tensor : {"inputs", "queries", "keys"}) {
        const Explanation told = explain(lab, {tensor, {0, 3, 0}}, 1);
        const std::string name = std::string(tensor) + "[" + lab.document().tokens[3] + "]";
        const bool is_own = std::any_of(told.answers.begin(), told.answers.end(),
                                        [&](const std::string& line) { return line.find(name) == 0; });
        EXPECT_TRUE(is_own) << tensor;
    }
    const Explanation of_none = explain(lab, {"W_query", {0, 0, 0}}, 1);
    EXPECT_NE(of_none.answers[1].find("[journey]"), std::string::npos) << "no token's: the chosen one's";
}

TEST(Explanation, OfASumHasALinePerProduct) {
    const Lab lab = lab_with("trainable");
    const Explanation told = explain(lab, {"attention_scores", {0, 1, 2}}, 1);
    EXPECT_EQ(told.formula, (std::vector<std::string>{"0.4306·0.4361", "+ 1.4551·1.1156"}));
    EXPECT_EQ(told.terms_kind, TermsKind::products);
    EXPECT_EQ(told.terms_heading, "made from queries and keys");
    EXPECT_EQ(told.terms_total, "sum 1.8111");
    ASSERT_EQ(told.terms.size(), 2u);
    EXPECT_EQ(written_term(lab, told, 1).label, "d₂");
    EXPECT_EQ(written_term(lab, told, 1).part_text, "1.6233");
    EXPECT_EQ(source_cells(lab, written_term(lab, told, 1)),
              (std::vector<TensorCell>{{"queries", {0, 1, 1}}, {"keys", {0, 2, 1}}}));
    const Explanation context = explain(lab, {"context_vectors", {0, 1, 1}}, 1);
    EXPECT_EQ(context.formula.back(), "+ … 3 more");
    EXPECT_EQ(written_term(lab, context, 0).label, "Your");
    EXPECT_EQ(context.terms.size(), 6u);
    EXPECT_TRUE(context.feeds.empty());
}

TEST(Explanation, OfAGivenNumberSaysHowItWasMadeAndWhereItGoes) {
    const Lab lab = lab_with("trainable");
    const Explanation told = explain(lab, {"W_query", {0, 1, 1}}, 1);
    EXPECT_TRUE(told.is_given);
    EXPECT_EQ(told.made_by, "Uniform, 0 to 1 (rand), seed 123");
    EXPECT_TRUE(told.terms.empty());
    ASSERT_EQ(told.feeds.size(), 1u);
    EXPECT_EQ(told.feeds[0].target, (TensorCell{"queries", {0, 1, 1}})); // of the chosen query
    EXPECT_EQ(told.feeds[0].how, "0.8700·0.6886 + … = 1.4551");
    EXPECT_EQ(told.feeds[0].more, "and all of column d₂");
    const Explanation input = explain(lab, {"inputs", {0, 1, 1}}, 1);
    EXPECT_EQ(input.made_by, "");
    EXPECT_EQ(input.feeds.size(), 3u);
}

TEST(Explanation, LeadsOnToTheSamePlace) {
    const Lab lab = lab_with_everything();
    const auto first_feed = [&](const TensorCell& cell) { return explain(lab, cell, 1).feeds.at(0); };
    EXPECT_EQ(first_feed({"attention_weights", {0, 2, 1}}).target, (TensorCell{"rounded_weights", {0, 2, 1}}));
    const ExplanationFeed weight = first_feed({"masked_scores", {0, 3, 2}});
    EXPECT_EQ(weight.target, (TensorCell{"attention_weights", {0, 3, 2}}));
    EXPECT_EQ(weight.how, "softmax(masked_scores) = " + explain(lab, weight.target, 1).value);
    EXPECT_EQ(weight.more, "and all of row with");
    EXPECT_EQ(first_feed({"attention_scores", {0, 3, 2}}).more, "");
}

TEST(Explanation, BracketsANegativeFactor) {
    Lab lab = lab_with("trainable");
    ASSERT_TRUE(lab.perform(SetCell{"W_query", {0, 1, 0}, -0.25f}).has_value());
    lab.refresh();
    const Explanation told = explain(lab, {"queries", {0, 1, 0}}, 1);
    ASSERT_EQ(told.formula.size(), 3u);
    EXPECT_EQ(told.formula[1], "+ 0.8700·(−0.2500)");
    EXPECT_EQ(written_term(lab, told, 1).text, "0.8700·(−0.2500)");
}

TEST(Explanation, SaysWhatItsLettersStandFor) {
    const Lab lab = lab_with_everything();
    const auto letters = [&](const char* tensor) { return explain(lab, {tensor, {0, 1, 0}}, 1).letters; };
    EXPECT_EQ(letters("context_vectors"), "P′ · V, where P′: rounded_weights, V: values");
    EXPECT_EQ(letters("attention_scores"), "Q · Kᵀ, where Q: queries, K: keys");
    EXPECT_EQ(letters("rounded_weights"), "round(P, 2), where P: attention_weights");
    EXPECT_EQ(letters("attention_weights"), "") << "softmax(masked_scores) has none";
    EXPECT_EQ(letters("inputs"), "");
    const Lab simple = lab_with("simplified-softmax");
    EXPECT_EQ(explain(simple, {"attention_scores", {0, 1, 0}}, 1).letters, "X · Xᵀ, where X: inputs");
}

TEST(Explanation, WithoutProjectionsInputsFeedRowAndColumn) {
    const Lab lab = lab_with("simplified-softmax");
    const Explanation told = explain(lab, {"inputs", {0, 1, 1}}, 1);
    ASSERT_FALSE(told.feeds.empty());
    EXPECT_EQ(told.feeds[0].target.tensor, "attention_scores");
    EXPECT_EQ(told.feeds[0].more, "and all of row journey and of column journey");
    EXPECT_EQ(explain(lab, {"attention_scores", {0, 1, 2}}, 1).terms_heading, "made from inputs");
}

TEST(Explanation, OfMaskedKeys) {
    const Lab lab = lab_with_everything();
    const Explanation mask = explain(lab, {"combined_mask", {0, 1, 2}}, 1);
    EXPECT_EQ(mask.value, "−∞");
    EXPECT_EQ(mask.reason, "by definition: the key comes after the query");
    EXPECT_EQ(mask.terms_kind, TermsKind::none);
    const Explanation weight = explain(lab, {"attention_weights", {0, 1, 2}}, 1);
    EXPECT_EQ(weight.value, "0.0000");
    EXPECT_EQ(written_term(lab, weight, 2).text, "−∞");
    EXPECT_EQ(written_term(lab, weight, 2).part_text, "0.0%");
    EXPECT_EQ(weight.terms_total, "row sum 1.0000");
    EXPECT_EQ(weight.masked, "starts is masked for journey: it may not be attended to, so its weight is 0.");
    EXPECT_EQ(weight.formula[0].substr(0, 9), "e^(−∞"); // the sum stands beside it
    EXPECT_EQ(weight.evaluated.substr(0, 6), "0.0000");
    for (const char* tensor : {"attention_weights", "masked_scores", "inputs"})
        EXPECT_EQ(explain(lab, {tensor, {0, 1, 0}}, 1).masked, "") << tensor;
    EXPECT_EQ(explain(lab, {"masked_scores", {0, 1, 2}}, 1).masked, "") << "a score, no weight";
    EXPECT_EQ(explain(lab, {"rounded_weights", {0, 1, 2}}, 1).masked, weight.masked);
    const Explanation rounded = explain(lab, {"rounded_weights", {0, 1, 0}}, 1);
    EXPECT_EQ(rounded.terms_kind, TermsKind::parts);
    EXPECT_EQ(source_cells(lab, written_term(lab, rounded, 0)),
              (std::vector<TensorCell>{{"attention_weights", {0, 1, 0}}}));
}

TEST(Explanation, OfASinkIsNoKeysAndTheSumIsTrue) {
    Lab lab = lab_with("trainable");
    AttentionSettings settings = lab.document().attention;
    settings.sink = true;
    ASSERT_TRUE(lab.perform(SetAttention{settings}).has_value());
    lab.refresh();
    const Explanation told = explain(lab, {"attention_weights", {0, 1, 0}}, 1);
    ASSERT_EQ(told.terms.size(), 7u);
    EXPECT_EQ(written_term(lab, told, 6).label, "the sink (no key)");
    EXPECT_FALSE(told.terms[6].is_own);
    EXPECT_TRUE(told.terms[0].is_own);
    double of_keys = 0;
    for (int j = 0; j < 6; ++j) of_keys += told.terms[static_cast<std::size_t>(j)].part;
    EXPECT_LT(of_keys, 0.99);
    EXPECT_EQ(told.terms_total, "row sum " + number_text(of_keys) + ", with the sink 1.0000");
}

// The numbers that a norm divides by can be checked by hand.
TEST(Explanation, OfANormGivesItsMeanAndWhatItDividesBy) {
    const auto told_of = [](const Lab& lab) { return explain(lab, {"blocks.0.attention_norm", {0, 1, 2}}, 1); };
    const auto row_of = [](const Lab& lab, const std::string& tensor) {
        std::vector<double> row;
        const int node = lab.program().find(tensor);
        for (int col = 0; col < lab.program().node(node).shape.cols; ++col)
            row.push_back(static_cast<double>(lab.trace().at(node, {0, 1, col})));
        return row;
    };
    const auto mean_of = [](const std::vector<double>& row, double centre, int power) {
        double sum = 0;
        for (double x : row) sum += std::pow(x - centre, power);
        return sum / static_cast<double>(row.size());
    };
    const auto operand = [](const Lab& lab) {
        const Node& norm = lab.program().node(lab.program().find("blocks.0.attention_norm"));
        return lab.program().node(norm.operands[0]).name;
    };
    const Lab gpt2 = lab_with("gpt2-block");
    const std::vector<double> row = row_of(gpt2, operand(gpt2));
    const double mean = mean_of(row, 0, 1);
    const double deviation = std::sqrt(mean_of(row, mean, 2) + static_cast<double>(1e-5f));
    const Explanation layer = told_of(gpt2);
    ASSERT_EQ(layer.named.size(), 2u);
    EXPECT_TRUE(layer.named[0].starts_with("mean = (" + number_text(row[0]) + " + ")) << layer.named[0];
    EXPECT_TRUE(
        layer.named[0].ends_with(" / " + number_text(static_cast<double>(row.size())) + " = " + number_text(mean)))
        << layer.named[0];
    EXPECT_TRUE(layer.named[1].starts_with("deviation = √(")) << layer.named[1];
    EXPECT_TRUE(layer.named[1].ends_with(" = " + number_text(deviation))) << layer.named[1];
    EXPECT_NE(layer.evaluated.find(") / " + number_text(deviation) + ")·"), std::string::npos) << layer.evaluated;
    EXPECT_EQ(layer.terms_kind, TermsKind::parts) << "a normalised number is no sum of products";
    const Lab llama = lab_with("llama-block");
    const double root = std::sqrt(mean_of(row_of(llama, operand(llama)), 0, 2) + static_cast<double>(1e-5f));
    const Explanation rms = told_of(llama);
    ASSERT_EQ(rms.named.size(), 1u);
    EXPECT_TRUE(rms.named[0].starts_with("root mean square = √(")) << rms.named[0];
    EXPECT_TRUE(rms.named[0].ends_with(" = " + number_text(root))) << rms.named[0];
    EXPECT_NE(rms.formula[0].find(" / root mean square"), std::string::npos) << rms.formula[0];
}

TEST(Explanation, OfAGradientHasAnswersOfItsOwn) {
    Lab lab = lab_with("trainable");
    ASSERT_TRUE(lab.perform(SetGradient{"attention_weights[1,2]"}).has_value());
    lab.refresh();
    const Explanation told = explain(lab, {"grad.W_query", {0, 1, 0}}, 1);
    ASSERT_FALSE(told.answers.empty());
    EXPECT_EQ(told.answers[0], "The target is attention_weights[journey, starts].");
    for (const std::string& line : told.answers) EXPECT_EQ(line.find("context_vectors"), std::string::npos) << line;
}

TEST(Explanation, OfEveryCellOfEveryPresetIsSound) {
    for (const PresetInfo& preset : presets()) {
        SCOPED_TRACE(preset.name);
        const Lab lab = lab_with(preset.name);
        for_each_cell(lab, [&](int node, const TensorCell& cell) { expect_sound(lab, node, cell); });
    }
}

TEST(Explanation, OfEveryCellWithMaskAndRoundingIsSound) {
    const Lab lab = lab_with_everything();
    for_each_cell(lab, [&](int node, const TensorCell& cell) { expect_sound(lab, node, cell); });
}

} // namespace
} // namespace lab
