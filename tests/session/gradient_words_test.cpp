#include "app/session/gradient_words.h"

#include <algorithm>
#include <cmath>

#include "app/session/labels.h"
#include "tests/session/support.h"

namespace lab::test {

namespace {

Lab with_gradient(const std::string& preset, const std::string& target) {
    Lab lab = lab_with(preset);
    perform(lab, SetGradient{target});
    return lab;
}

Words lines_at(const Lab& lab, const std::string& tensor, Cell cell) {
    return answers_about_gradient(lab.document(), lab.trace(), {lab.program().find(tensor), cell});
}

TEST(GradientWords, ATargetIsCountedAsPeopleDo) {
    const Lab heads = with_gradient("multi-head", "sum(context_vectors)");
    const auto text = [](const Lab& lab, const std::string& target) {
        return target_text(lab.document(), lab.program(), target);
    };
    const Words& words = heads.document().tokens;
    EXPECT_EQ(text(heads, "attention_weights[0,1,2]"), "attention_weights[head 1, " + words[1] + ", " + words[2] + "]");
    EXPECT_EQ(text(heads, "attention_weights[1,0,:]"), "the sum of attention_weights[head 2, " + words[0] + "]");
    const Lab one;
    EXPECT_EQ(text(one, "queries[1,0]"), "queries[journey, d₁]");
    EXPECT_EQ(text(one, "sum(queries)"), "sum(queries)");
    EXPECT_EQ(text(one, "nothing"), "nothing");
}

TEST(GradientWords, AShortTargetIsTheWholeTargetStill) {
    const auto texts = [](const Lab& lab, const std::string& target) {
        return short_target_texts(lab.document(), lab.program(), target);
    };
    const Lab heads = with_gradient("multi-head", "sum(context_vectors)");
    const Words& words = heads.document().tokens;
    EXPECT_EQ(texts(heads, "attention_weights[0,1,2]").front(),
              "attention_weights[head 1, " + words[1] + ", " + words[2] + "]");
    EXPECT_EQ(texts(heads, "attention_weights[1,0,:]").front(),
              "the sum of attention_weights[head 2, " + words[0] + "]");
    EXPECT_EQ(texts(heads, "sum(context_vectors)").front(), "sum(context_vectors)");
    const Lab block = with_gradient("gpt2-block", "");
    const auto cell = texts(block, "blocks.0.attention_scores[0,3,1]");
    ASSERT_EQ(cell.size(), 3u);
    EXPECT_EQ(cell[0], "blocks.0." + cell[1]) << "without the block";
    EXPECT_TRUE(cell[2].starts_with("[head 1, ")) << cell[2];
    for (const std::string& each : cell) EXPECT_EQ(each.find("0,3,1"), std::string::npos) << "counted from 0: " << each;
    EXPECT_EQ(texts(block, "nothing"), Words{"nothing"});
}

TEST(GradientWords, TellWhatASmallStepDoes) {
    Lab lab = with_gradient("trainable", "attention_weights[1,2]");
    const Words lines = lines_at(lab, "grad.W_query", {0, 1, 0});
    ASSERT_EQ(lines.size(), 3u);
    EXPECT_EQ(lines[0], "The target is attention_weights[journey, starts].");
    const float before = computed(lab, "attention_weights", {0, 1, 2});
    const float weight = computed(lab, "W_query", {0, 1, 0});
    const float slope = computed(lab, "grad.W_query", {0, 1, 0});
    perform(lab, SetCell{"W_query", {0, 1, 0}, weight + 0.01f});
    EXPECT_NEAR(computed(lab, "attention_weights", {0, 1, 2}) - before, 0.01f * slope, 1e-5);
    EXPECT_EQ(lines[1], "If W_query[d₂, d₁] grows by 0.01, the target " + std::string(slope > 0 ? "grows" : "falls") +
                            " by about " + number_text(std::fabs(static_cast<double>(slope)) * 0.01, 6) + ".");
    EXPECT_TRUE(lines[2].starts_with("Steepest in grad.W_query: [d")) << lines[2];
    EXPECT_EQ(lines_at(lab, "grad.values", {0, 1, 0})[2], "grad.values is 0 throughout.");
}

TEST(GradientWords, AGradientBelongsToTheStepOfItsTensor) {
    const Lab lab = with_gradient("gpt2-block", "logprob(1,0)");
    const Program& program = lab.program();
    for (const Node& node : program.nodes) {
        if (!node.is_of_gradient() || node.is_auxiliary) continue;
        EXPECT_EQ(node.stage, program.node(node.gradient_of).stage) << node.name;
        EXPECT_EQ(node.section, program.node(node.gradient_of).section) << node.name;
    }
}

// Every name and meaning that a derivation of a gradient can show.
TEST(GradientWords, PartsHaveNamesThatCanBeRead) {
    for (const char* preset : {"trainable", "multi-head", "grouped-query", "gpt2-block", "llama-block",
                               "simplified-softmax", "cross-attention", "rotary", "alibi"}) {
        const Lab lab = with_gradient(preset, "sum(" + lab_with(preset).program().nodes.back().name + ")");
        const Program& program = lab.program();
        std::vector<std::string> names;
        for (int i = 0; i < static_cast<int>(program.nodes.size()); ++i) {
            const Node& node = program.node(i);
            names.push_back(node.name);
            EXPECT_EQ(program.formula(i).find(".part"), std::string::npos) << preset << ": " << program.formula(i);
            if (!node.is_auxiliary) continue;
            EXPECT_TRUE(short_name(node).starts_with("what ")) << preset << ": " << node.name;
            EXPECT_NE(node.presentation.meaning.find("adds to how much the target grows with "), std::string::npos)
                << preset << ": " << node.name << ": " << node.presentation.meaning;
        }
        std::sort(names.begin(), names.end());
        EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end()) << preset;
    }
}

TEST(GradientWords, APartIsNamedBrieflyBesideItsGradient) {
    const Lab lab = with_gradient("simplified-softmax", "sum(context_vectors)");
    const Program& program = lab.program();
    const Node& inputs = program.node(program.find("grad.inputs"));
    const int part = program.find("what context_vectors adds to the gradient of inputs");
    ASSERT_GE(part, 0);
    EXPECT_EQ(name_beside(program.node(part), inputs), "what context_vectors adds");
    EXPECT_EQ(meaning_text(lab.document(), program.node(part), {0, 1, 1}),
              "what context_vectors adds to how much the target grows with inputs of journey, d₂");
}

} // namespace

} // namespace lab::test
