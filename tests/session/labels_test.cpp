#include "app/session/labels.h"

#include <algorithm>

#include "app/session/narration_text.h"
#include "app/session/sizes.h"
#include "tests/session/support.h"

namespace lab::test {

namespace {

const Node& node(const Lab& lab, const std::string& name) { return lab.program().node(lab.program().find(name)); }

TEST(Labels, SubscriptsOfAnyLength) {
    EXPECT_EQ(subscript(1), "₁");
    EXPECT_EQ(subscript(10), "₁₀");
    EXPECT_EQ(subscript(768), "₇₆₈");
}

TEST(Labels, AxesOfADocument) {
    const Document document = opened_preset("trainable");
    EXPECT_EQ(axis_label(document, Axis::queries, 1), "journey");
    EXPECT_EQ(axis_label(document, Axis::keys, 2), "starts");
    EXPECT_EQ(axis_label(document, Axis::input_dimensions, 0), "d₁");
    EXPECT_EQ(axis_label(document, Axis::value_dimensions, 11), "d₁₂");
    EXPECT_EQ(axis_label(document, Axis::heads, 0), "head 1");
    EXPECT_EQ(axis_label(document, Axis::none, 0), "");
}

TEST(Labels, CountsSayKeysWhereTheyAreNotTheTokens) {
    const auto counts = [](const std::string& preset) {
        return counts_text(opened_preset(preset), n_queries(opened_preset(preset)));
    };
    EXPECT_EQ(counts("trainable"), "6 tokens");
    EXPECT_EQ(counts("gpt2-block"), "6 tokens");
    EXPECT_EQ(counts("cross-attention"), "4 queries, 5 keys");
    Document document = opened_preset("trainable");
    document.tensors["past_keys"] = document.tensors["past_values"] = Tensor(Shape::matrix(1200, 2));
    EXPECT_EQ(counts_text(document, 1), "1 query, 1,206 keys");
}

TEST(Labels, CountsInSentencesAreGroupedToo) {
    EXPECT_EQ(counted_text(1, "token", "tokens"), "1 token");
    EXPECT_EQ(counted_text(50257, "word", "words"), "50,257 words");
    EXPECT_EQ(tied_text(std::vector<std::string>(1203, "a")), "a, a, a and 1,200 more");
    const std::vector<float> before(2000, 0.5f);
    std::vector<float> after(2000, 1.0f);
    std::fill_n(after.begin(), 1500, 0.0f);
    EXPECT_TRUE(dropped_sentence(dropped_row(before, after), 0.5, "a").starts_with("1,500 of 2,000 weights of a were"));
}

TEST(Labels, WithoutTokensRowsAreNumbered) {
    Document document = opened_preset("trainable");
    document.tokens.clear();
    EXPECT_EQ(axis_label(document, Axis::queries, 0), "1");
    EXPECT_EQ(axis_label(document, Axis::keys, 5), "6");
}

TEST(Labels, AnEmptyWordIsNumberedWhereverItStands) {
    Document document = opened_preset("trainable");
    document.tokens = {"Your", "journey", "starts", "with", "one", ""};
    document.vocabulary = {"a", ""};
    EXPECT_EQ(axis_label(document, Axis::queries, 5), "6");
    EXPECT_EQ(axis_label(document, Axis::keys, 5), "6");
    EXPECT_EQ(axis_label(document, Axis::queries, 4), "one");
    EXPECT_EQ(axis_label(document, Axis::vocabulary, 1), "1"); // ids count from 0
}

TEST(Labels, KeysHaveWordsOfTheirOwnWhereTheyAreOthers) {
    Document given;
    given.tokens = {"q"};
    given.tensors["queries"] = Tensor(Shape::matrix(1, 2));
    given.tensors["keys"] = Tensor(Shape::matrix(3, 2));
    given.tensors["values"] = Tensor(Shape::matrix(3, 2));
    EXPECT_EQ(axis_label(given, Axis::keys, 0), "1");
    given.context_tokens = {"a", "b", "c"};
    EXPECT_EQ(axis_label(given, Axis::keys, 2), "c");
    EXPECT_EQ(axis_label(given, Axis::queries, 0), "q");
}

TEST(Labels, OfRepeatedWordsSentencesTellWhich) {
    const Lab lab;
    Document document = lab.document();
    document.tokens = {"A", "B", "A", "B", "C", "B"};
    const Node& weights = node(lab, "attention_weights");
    EXPECT_EQ(meaning_text(document, weights, {0, 3, 2}), "how much B₂ attends to A₂");
    EXPECT_EQ(cell_text(document, weights, {0, 5, 4}), "attention_weights[B₃, C]");
    EXPECT_EQ(cell_text(document, node(lab, "keys"), {0, 0, 0}), "keys[A₁, d₁]");
    EXPECT_EQ(axis_label(document, Axis::keys, 3), "B") << "whose place is seen beside its row";
}

TEST(Labels, AWordWithMarksOfItsOwnIsNoPartOfTheSentence) {
    const Lab lab;
    Document document = lab.document();
    document.tokens = {"The", "cat,", "that", "can't", "sleep.", "cat,"};
    const Node& weights = node(lab, "attention_weights");
    EXPECT_EQ(cell_text(document, weights, {0, 1, 4}), "attention_weights[“cat,”₁, “sleep.”]");
    EXPECT_EQ(cell_text(document, weights, {0, 0, 3}), "attention_weights[The, can't]");
    EXPECT_EQ(axis_label(document, Axis::keys, 4), "sleep.") << "beside its row";
    EXPECT_EQ(describe(RemoveToken{4}, document, document), "remove “sleep.”");
    EXPECT_EQ(describe(RemoveToken{5}, document, document), "remove “cat,”₂");
}

TEST(Labels, AQueryIsToldAsTheKeyThatItIs) {
    Document document = opened_preset("trainable");
    document.tokens = {"the", "cat"};
    document.context_tokens = {"the", "dog", "the"};
    document.tensors["past_keys"] = document.tensors["past_values"] = Tensor(Shape::matrix(3, 2));
    document.tensors["inputs"] = Tensor(Shape::matrix(2, 3));
    EXPECT_EQ(told_label(document, Axis::queries, 0), "the₃");
    EXPECT_EQ(told_label(document, Axis::new_keys, 0), "the₃");
    EXPECT_EQ(told_label(document, Axis::keys, 3), "the₃");
    EXPECT_EQ(told_label(document, Axis::past_keys, 2), "the₂");
    EXPECT_EQ(told_label(document, Axis::queries, 1), "cat");
    Document other = opened_preset("cross-attention");
    other.tokens = {"the", "cat", "the", "dog"};
    other.context_tokens = {"the", "a", "b", "c", "d"};
    EXPECT_EQ(told_label(other, Axis::queries, 2), "the₂");
    EXPECT_EQ(told_label(other, Axis::keys, 0), "the") << "the only one of its kind";
}

TEST(Labels, WordsOfALongTextAreCountedToo) {
    Document document = opened_preset("trainable");
    std::vector<std::string> words(3000, "the");
    for (std::size_t i = 0; i < words.size(); i += 2) words[i] = "word " + std::to_string(i);
    document.tokens = words;
    EXPECT_EQ(told_label(document, Axis::queries, 1001), "the₅₀₁");
    EXPECT_EQ(told_label(document, Axis::queries, 1000), "word 1000");
    document.tokens.set(3, "a");
    EXPECT_EQ(told_label(document, Axis::queries, 1001), "the₅₀₀") << "counted anew";
}

TEST(Labels, AMeaningSaysWhichHeadItIsOf) {
    Document document = opened_preset("multi-head");
    document.gradient = "sum(context_vectors)";
    const Program program = build_program(document).value();
    const auto meaning_of = [&](const char* tensor, Cell cell) {
        return meaning_text(document, program.node(program.find(tensor)), cell);
    };
    EXPECT_EQ(meaning_of("attention_weights", {1, 1, 2}), "how much journey attends to starts in head 2");
    EXPECT_TRUE(meaning_of("grad.attention_weights", {1, 1, 2}).ends_with("journey, starts in head 2"))
        << meaning_of("grad.attention_weights", {1, 1, 2});
    EXPECT_EQ(meaning_of("scaled_scores", {1, 1, 2}),
              "how well the query of journey fits the key of starts in head 2, scaled");
    EXPECT_EQ(meaning_of("inputs", {0, 1, 2}).find("head"), std::string::npos);
    const int n_keys = program.node(program.find("attention_weights")).shape.cols;
    EXPECT_EQ(meaning_of("softmax_jacobian", {n_keys, 1, 2}).substr(0, 33), "how much the weight that journey ");
    EXPECT_TRUE(meaning_of("softmax_jacobian", {n_keys, 1, 2}).ends_with("the score of starts in head 2"));
}

TEST(Labels, Cells) {
    const Lab lab;
    const Document& document = lab.document();
    EXPECT_EQ(cell_text(document, node(lab, "inputs"), {0, 1, 0}), "inputs[journey, d₁]");
    EXPECT_EQ(cell_text(document, node(lab, "attention_weights"), {0, 1, 2}), "attention_weights[journey, starts]");
    EXPECT_EQ(cell_text(document, node(lab, "weighted_values"), {2, 1, 0}), "weighted_values[starts, journey, d₁]");
}

TEST(Labels, CellsOfABias) {
    Document document = opened_preset("trainable");
    document.tensors["b_query"] = Tensor(Shape::vector(2), 1.0f);
    const Program program = build_program(document).value();
    const Node& bias = program.node(program.find("b_query"));
    EXPECT_EQ(cell_text(document, bias, {0, 0, 1}), "b_query[d₂]");
    EXPECT_EQ(meaning_text(document, bias, {0, 0, 1}), "what is added to query d₂");
}

TEST(Labels, MeaningHasItsLabelsMarked) {
    const Lab lab;
    const std::vector<TextPart> expected = {
        {"how much ", false}, {"journey", true}, {" attends to ", false}, {"starts", true}};
    EXPECT_EQ(meaning(lab.document(), node(lab, "attention_weights"), {0, 1, 2}), expected);
    EXPECT_EQ(meaning_text(lab.document(), node(lab, "weighted_values"), {2, 1, 0}),
              "d₁ of what starts gives to journey");
}

TEST(Labels, EveryMeaningOfEveryPresetIsFilledIn) {
    for (const PresetInfo& preset : presets()) {
        const Lab lab = lab_with(preset.name);
        for (const Node& each : lab.program().nodes) {
            const std::string text = meaning_text(lab.document(), each, {});
            EXPECT_FALSE(text.empty()) << each.name;
            EXPECT_EQ(text.find('{'), std::string::npos) << text;
        }
    }
}

} // namespace

} // namespace lab::test
