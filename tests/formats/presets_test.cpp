#include "engine/formats/presets.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "engine/document_tensors.h"
#include "engine/formats/session.h"
#include "engine/initialisers.h"
#include "engine/tokenizer.h"
#include "tests/formats/preset_documents.h"

namespace {

using lab::test::preset_document;

std::vector<lab::Mismatch> mismatches_of(const lab::Document& document, const std::string& name) {
    const auto program = lab::build_program(document);
    const auto example = lab::worked_example(name);
    EXPECT_TRUE(program && example);
    lab::Trace trace;
    trace.update(*program, document.tensors);
    return lab::mismatches(*example, trace);
}

// Group by group, as a menu lists them.
TEST(Presets, StandInTeachingOrder) {
    std::vector<std::string> listed;
    std::string group;
    for (const auto& preset : lab::presets()) {
        if (preset.group != group) listed.push_back(preset.group + ":");
        group = preset.group;
        listed.push_back(preset.name);
        EXPECT_FALSE(preset.title.empty());
        EXPECT_FALSE(preset_document(preset.name).source.empty()) << preset.name;
    }
    const std::vector<std::string> expected = {"Worked examples:",
                                               "simplified-sum",
                                               "simplified-naive-softmax",
                                               "simplified-softmax",
                                               "integers",
                                               "integers-rounded",
                                               "trainable",
                                               "linear",
                                               "sentence",
                                               "Heads:",
                                               "causal",
                                               "two-heads-split",
                                               "two-heads-separate",
                                               "multi-head",
                                               "grouped-query",
                                               "cross-attention",
                                               "Masks and positions:",
                                               "sliding-window",
                                               "rotary",
                                               "alibi",
                                               "Blocks:",
                                               "gpt2-block",
                                               "llama-block",
                                               "induction"};
    EXPECT_EQ(listed, expected);
}

TEST(Presets, StandInOurOwnWritersForm) {
    for (const auto& preset : lab::presets()) {
        EXPECT_EQ(lab::write_session(preset_document(preset.name)), lab::preset_session_text(preset.name))
            << preset.name;
    }
}

TEST(Presets, ComeToTheWorkedExample) {
    for (const auto& preset : lab::presets()) {
        for (const auto& mismatch : mismatches_of(preset_document(preset.name), preset.name)) {
            ADD_FAILURE() << preset.name << ": " << mismatch.tensor << "[" << mismatch.cell.row << "]["
                          << mismatch.cell.col << "] is " << mismatch.computed.value_or(0.0f) << " but "
                          << mismatch.expected << " was expected";
        }
    }
}

TEST(Presets, AnythingElseIsNotTheWorkedExample) {
    for (const auto& preset : lab::presets()) {
        lab::Document edited = preset_document(preset.name);
        lab::Tensor& inputs = edited.tensors[edited.tensors.contains("inputs") ? "inputs" : "W_embedding"];
        inputs = inputs.with({0, 1, 1}, inputs.at({0, 1, 1}) + 0.01f);
        EXPECT_FALSE(mismatches_of(edited, preset.name).empty()) << preset.name;
        lab::Document masked = preset_document(preset.name);
        lab::MaskKind& mask = masked.attention.mask;
        mask = mask == lab::MaskKind::none ? lab::MaskKind::causal : lab::MaskKind::none;
        EXPECT_FALSE(mismatches_of(masked, preset.name).empty()) << preset.name;
    }
}

TEST(Presets, ATensorThatIsNotThereDoesNotMatch) {
    const auto mismatches = mismatches_of(preset_document("simplified-sum"), "trainable");
    const bool has_absent = std::any_of(mismatches.begin(), mismatches.end(), [](const lab::Mismatch& mismatch) {
        return mismatch.tensor == "queries" && !mismatch.computed;
    });
    EXPECT_TRUE(has_absent) << "without projections there are no queries of their own";
    EXPECT_FALSE(mismatches_of(preset_document("integers"), "trainable").empty()) << "another shape";
}

// What the initialisers have to know: the ids of the rows of an embedding, the rows of the matrix that a bias belongs to.
lab::FillContext fill_context(const lab::Document& document, const std::string& name, const std::vector<int>& ids) {
    lab::FillContext context;
    if (document.made_by.at(name).init == "embedding") context.token_ids = ids;
    const std::string matrix = lab::find_document_tensor(name)->matrix;
    if (!matrix.empty()) {
        context.fan_in = document.tensors.at(std::string(lab::block_prefix(name)) + matrix).shape().rows;
    }
    return context;
}

TEST(Presets, MadeByMakesTheirTensors) {
    int n_tensors = 0;
    for (const auto& preset : lab::presets()) {
        const lab::Document document = preset_document(preset.name);
        for (const auto& [name, made_by] : document.made_by) {
            const lab::Tensor& given = document.tensors.at(name);
            const auto ids = lab::token_ids(document.tokens, document.vocabulary);
            const auto made =
                lab::make_tensor(made_by, given.shape(), fill_context(document, name, ids ? *ids : std::vector<int>()));
            ASSERT_TRUE(made) << made.error();
            const bool is_normal = made_by.init == "embedding" || made_by.init == "randn";
            const auto numbers = made->values(), wanted = given.values();
            for (std::size_t i = 0; i < numbers.size(); ++i) {
                EXPECT_NEAR(numbers[i], wanted[i], is_normal ? 2e-6f : 0.0f) << preset.name << " " << name;
            }
            ++n_tensors;
        }
    }
    constexpr int kWorkedExamples = 3 + 3 + 4, kHeads = 3 + 5 + 3, kMasksAndPositions = 3 + 3 + 3;
    constexpr int kGpt2 = 2 + 2 * 6 + 2 * 3, kLlama = 1 + 7 + 3 + 1;
    EXPECT_EQ(n_tensors, kWorkedExamples + kHeads + kMasksAndPositions + kGpt2 + kLlama);
}

TEST(Presets, AnotherNameIsNone) {
    EXPECT_TRUE(lab::preset_session_text("nothing").empty());
    EXPECT_EQ(lab::worked_example("nothing").error(), lab::unknown_preset_error("nothing"));
}

TEST(Presets, TheFirstMismatchIsTheFirstOfAll) {
    lab::Document edited = preset_document("trainable");
    edited.tensors["W_value"] = edited.tensors["W_value"].with({0, 1, 1}, 9.0f);
    const auto example = lab::worked_example("trainable");
    ASSERT_TRUE(example);
    lab::Trace trace;
    trace.update(lab::build_program(edited).value(), edited.tensors);
    const auto all = lab::mismatches(*example, trace);
    const auto first = lab::first_mismatch(*example, trace);
    ASSERT_TRUE(first && all.size() > 1);
    EXPECT_EQ(first->tensor, all[0].tensor);
    EXPECT_EQ(first->cell, all[0].cell);
    EXPECT_EQ(first->computed, trace.at(trace.program().find(first->tensor), first->cell));
    trace.update(lab::build_program(preset_document("trainable")).value(), preset_document("trainable").tensors);
    EXPECT_FALSE(lab::first_mismatch(*example, trace));
}

} // namespace
