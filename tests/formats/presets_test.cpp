#include "engine/formats/presets.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "engine/formats/session.h"
#include "engine/initialisers.h"
#include "engine/tokenizer.h"

namespace {

lab::Document document_of(const std::string& name) {
    auto file = lab::read_session(lab::preset_session_text(name));
    EXPECT_TRUE(file) << name << ": " << file.error();
    EXPECT_TRUE(file->notes.empty());
    return file->document;
}

std::vector<lab::Mismatch> mismatches_of(const lab::Document& document, const std::string& name) {
    const auto program = lab::build_program(document);
    const auto example = lab::worked_example(name);
    EXPECT_TRUE(program && example);
    lab::Trace trace;
    trace.update(*program, document.tensors);
    return lab::mismatches(*example, trace);
}

TEST(Presets, AreTheEightWorkedExamplesInTeachingOrder) {
    std::vector<std::string> names;
    for (const auto& preset : lab::presets()) {
        names.push_back(preset.name);
        EXPECT_FALSE(preset.title.empty());
    }
    const std::vector<std::string> expected = {"simplified-sum",
                                               "simplified-naive-softmax",
                                               "simplified-softmax",
                                               "integers",
                                               "integers-rounded",
                                               "trainable",
                                               "linear",
                                               "sentence"};
    EXPECT_EQ(names, expected);
}

TEST(Presets, StandInOurOwnWritersForm) {
    for (const auto& preset : lab::presets()) {
        EXPECT_EQ(lab::write_session(document_of(preset.name)), lab::preset_session_text(preset.name)) << preset.name;
    }
}

TEST(Presets, ComeToTheWorkedExample) {
    for (const auto& preset : lab::presets()) {
        for (const auto& mismatch : mismatches_of(document_of(preset.name), preset.name)) {
            ADD_FAILURE() << preset.name << ": " << mismatch.tensor << "[" << mismatch.cell.row << "]["
                          << mismatch.cell.col << "] is " << mismatch.computed.value_or(0.0f) << " but "
                          << mismatch.expected << " was expected";
        }
    }
}

TEST(Presets, AnythingElseIsNotTheWorkedExample) {
    for (const auto& preset : lab::presets()) {
        lab::Document edited = document_of(preset.name);
        lab::Tensor& inputs = edited.tensors["inputs"];
        inputs = inputs.with({0, 1, 1}, inputs.at({0, 1, 1}) + 0.01f);
        EXPECT_FALSE(mismatches_of(edited, preset.name).empty()) << preset.name;
        lab::Document masked = document_of(preset.name);
        masked.attention.mask = lab::MaskKind::causal;
        EXPECT_FALSE(mismatches_of(masked, preset.name).empty()) << preset.name;
    }
}

TEST(Presets, ATensorThatIsNotThereDoesNotMatch) {
    const auto mismatches = mismatches_of(document_of("simplified-sum"), "trainable");
    const bool has_absent = std::any_of(mismatches.begin(), mismatches.end(), [](const lab::Mismatch& mismatch) {
        return mismatch.tensor == "queries" && !mismatch.computed;
    });
    EXPECT_TRUE(has_absent) << "without projections there are no queries of their own";
    EXPECT_FALSE(mismatches_of(document_of("integers"), "trainable").empty()) << "another shape";
}

TEST(Presets, MadeByMakesTheirTensors) {
    int n_tensors = 0;
    for (const auto& preset : lab::presets()) {
        const lab::Document document = document_of(preset.name);
        for (const auto& [name, made_by] : document.made_by) {
            const lab::Tensor& given = document.tensors.at(name);
            lab::FillContext context;
            const auto ids = lab::token_ids(document.tokens, document.vocabulary);
            if (made_by.init == "embedding") context.token_ids = *ids;
            const auto made = lab::make_tensor(made_by, given.shape(), context);
            ASSERT_TRUE(made) << made.error();
            const auto numbers = made->values(), wanted = given.values();
            for (std::size_t i = 0; i < numbers.size(); ++i) {
                EXPECT_NEAR(numbers[i], wanted[i], made_by.init == "embedding" ? 2e-6f : 0.0f)
                    << preset.name << " " << name;
            }
            ++n_tensors;
        }
    }
    EXPECT_EQ(n_tensors, 3 + 3 + 4);
}

TEST(Presets, AnotherNameIsNone) {
    EXPECT_TRUE(lab::preset_session_text("nothing").empty());
    EXPECT_EQ(lab::worked_example("nothing").error(), lab::unknown_preset_error("nothing"));
}

TEST(Presets, TheFirstMismatchIsTheFirstOfAll) {
    lab::Document edited = document_of("trainable");
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
    trace.update(lab::build_program(document_of("trainable")).value(), document_of("trainable").tensors);
    EXPECT_FALSE(lab::first_mismatch(*example, trace));
}

} // namespace
