#include "app/session/lab.h"

#include "engine/formats/presets.h"
#include "engine/formats/session.h"
#include "tests/session/support.h"

namespace lab::test {

namespace {

TEST(Lab, StartsWithTheTrainableExample) {
    const Lab lab;
    EXPECT_EQ(lab.preset_name(), "trainable");
    EXPECT_EQ(lab.title(), "Self-attention with trainable weights");
    EXPECT_EQ(lab.badge(), Badge::matches);
    EXPECT_FALSE(lab.has_unsaved_changes());
    EXPECT_FALSE(lab.can_undo());
    EXPECT_FALSE(lab.is_stale());
    EXPECT_NEAR(computed(lab, "attention_weights", {0, 1, 2}), 0.2199, 5e-5);
}

TEST(Lab, EveryPresetOpensAndComputes) {
    for (const PresetInfo& preset : presets()) {
        const Lab lab = lab_with(preset.name);
        EXPECT_EQ(lab.title(), preset.title);
        EXPECT_EQ(lab.badge(), Badge::matches) << preset.name;
        const auto& nodes = lab.program().nodes;
        EXPECT_TRUE(std::any_of(nodes.begin(), nodes.end(), [](const Node& node) {
            return node.presentation.role == Role::context;
        })) << preset.name;
    }
}

TEST(Lab, PerformDoesNotComputeAndRefreshDoes) {
    Lab lab;
    const float before = computed(lab, "queries", {});
    const std::uint64_t revision = lab.revision();
    ASSERT_TRUE(lab.perform(SetCell{"inputs", {}, 2.0f}).has_value());
    EXPECT_GT(lab.revision(), revision);
    EXPECT_TRUE(lab.is_stale());
    EXPECT_EQ(computed(lab, "queries", {}), before);
    EXPECT_TRUE(lab.refresh());
    EXPECT_NE(computed(lab, "queries", {}), before);
    EXPECT_FALSE(lab.refresh());
}

TEST(Lab, TheProgramStaysUntilShapesOrSettingsChange) {
    Lab lab;
    const auto step = [&] { return lab.program().node(lab.program().find("attention_weights")).step; };
    const auto first = step();
    perform(lab, SetCell{"inputs", {}, 2.0f});
    EXPECT_EQ(step(), first);
    EXPECT_TRUE(lab.undo());
    lab.refresh();
    EXPECT_EQ(step(), first);
    AttentionSettings attention = lab.document().attention;
    attention.scale = 2.0f;
    perform(lab, SetAttention{attention});
    EXPECT_NE(step(), first);
    const auto scaled = step();
    perform(lab, RemoveToken{0});
    EXPECT_NE(step(), scaled);
    EXPECT_EQ(lab.program().node(lab.program().find("inputs")).shape, Shape::matrix(5, 3));
}

TEST(Lab, TheFormStaysUntilMoreThanNumbersChange) {
    Lab lab;
    const auto form_after = [&](const Command& command) {
        EXPECT_TRUE(lab.perform(command).has_value());
        lab.refresh();
        return lab.form();
    };
    const std::uint64_t filled =
        form_after(SetCell{"inputs", {0, 0, 0}, 0.5f}); // no longer as it was drawn from a seed
    EXPECT_EQ(form_after(SetCell{"inputs", {0, 0, 0}, 2.0f}), filled);
    AttentionSettings causal = lab.document().attention;
    causal.mask = MaskKind::causal;
    const std::uint64_t masked = form_after(SetAttention{causal});
    EXPECT_GT(masked, filled);
    const std::uint64_t named = form_after(RenameToken{1, "word"});
    EXPECT_GT(named, masked);
    ASSERT_TRUE(lab.undo());
    EXPECT_EQ(lab.form(), named) << "before a refresh nothing is shown";
    lab.refresh();
    EXPECT_GT(lab.form(), named);
    const std::uint64_t before = lab.form();
    EXPECT_GT(form_after(OpenDocument{lab.document()}), before) << "another, though it looks the same";
}

TEST(Lab, AnEditThatChangesNothingIsNoEdit) {
    Lab lab;
    const std::uint64_t revision = lab.revision();
    perform(lab, SetCell{"inputs", {}, lab.document().tensors.at("inputs").at({})});
    EXPECT_EQ(lab.revision(), revision);
    EXPECT_FALSE(lab.can_undo());
}

TEST(Lab, ARefusedEditLeavesEverything) {
    Lab lab;
    const Document before = lab.document();
    const std::uint64_t revision = lab.revision();
    EXPECT_FALSE(lab.perform(SetCell{"inputs", {0, 9, 9}, 1.0f}).has_value());
    EXPECT_TRUE(bit_equal(lab.document(), before));
    EXPECT_EQ(lab.revision(), revision);
}

TEST(Lab, TheBadgeFollowsEditsAndUndo) {
    Lab lab;
    perform(lab, SetCell{"W_value", {0, 1, 1}, 0.5f});
    EXPECT_EQ(lab.badge(), Badge::differs);
    lab.undo();
    lab.refresh();
    EXPECT_EQ(lab.badge(), Badge::matches);
    AttentionSettings causal = lab.document().attention;
    causal.mask = MaskKind::causal;
    perform(lab, SetAttention{causal});
    EXPECT_EQ(lab.badge(), Badge::differs);
    perform(lab, RemoveToken{0});
    EXPECT_EQ(lab.badge(), Badge::differs);
}

TEST(Lab, ADocumentOfOnesOwnHasNoBadge) {
    Lab lab;
    ASSERT_TRUE(lab.open_text(lab.session_text()).has_value());
    lab.refresh();
    EXPECT_EQ(lab.badge(), Badge::none);
    EXPECT_EQ(lab.preset_name(), "");
    lab.undo();
    lab.refresh();
    EXPECT_EQ(lab.badge(), Badge::matches);
    perform(lab, SetSentence{"To be or not", 123, 3, true});
    lab.refresh();
    EXPECT_EQ(lab.badge(), Badge::none);
    EXPECT_EQ(lab.title(), "To be or not");
}

TEST(Lab, ASentenceOfOnesOwnIsNoLongerCalledTheExample) {
    Lab lab;
    const std::string example = lab.title();
    perform(lab, SetSentence{"My own words", 123, 3});
    lab.refresh();
    EXPECT_EQ(lab.title(), "My own words");
    EXPECT_NE(lab.session_text().find("\"title\": \"My own words\""), std::string::npos);
    EXPECT_EQ(lab.preset_name(), "");
    EXPECT_EQ(lab.badge(), Badge::none);
    lab.undo();
    lab.refresh();
    EXPECT_EQ(lab.title(), example);
    EXPECT_EQ(lab.badge(), Badge::matches);
}

TEST(Lab, ASentenceOfOnesOwnIsNotFromWhereTheExampleCame) {
    Lab lab;
    EXPECT_NE(lab.session_text().find("\"source\""), std::string::npos);
    perform(lab, SetSentence{"My own words", 123, 3});
    EXPECT_EQ(lab.session_text().find("\"source\""), std::string::npos);
    lab.undo();
    EXPECT_NE(lab.session_text().find("\"source\""), std::string::npos);
}

TEST(Lab, ABadFileLeavesTheOpenDocument) {
    Lab lab;
    perform(lab, SetCell{"inputs", {}, 2.0f});
    const Document before = lab.document();
    const std::uint64_t revision = lab.revision();
    for (const char* text :
         {"", "{", "[]", "{\"format\": \"attention-lab/session\", \"version\": 99}",
          "{\"format\": \"attention-lab/session\", \"version\": 1, \"tensors\": {\"inputs\": [[1, 2], [3]]}}"}) {
        const Result<Done> opened = lab.open_text(text);
        ASSERT_FALSE(opened.has_value()) << text;
        EXPECT_NE(opened.error(), "") << text;
    }
    EXPECT_FALSE(lab.open_preset("nonsense").has_value());
    EXPECT_TRUE(bit_equal(lab.document(), before));
    EXPECT_EQ(lab.revision(), revision);
    EXPECT_EQ(lab.preset_name(), "trainable");
    EXPECT_TRUE(lab.can_undo());
}

TEST(Lab, WhatIsSavedOpensToTheBit) {
    Lab lab = lab_with("sentence");
    perform(lab, SetCell{"inputs", {}, 0.1f});
    perform(lab, FillTensor{"W_key", {"randn", 4, 0, {}, {}}});
    const Document before = lab.document();
    ASSERT_TRUE(lab.open_text(lab.session_text()).has_value());
    EXPECT_TRUE(bit_equal(lab.document(), before));
}

TEST(Lab, OpeningIsUndoneLikeAnyEdit) {
    Lab lab;
    perform(lab, SetCell{"inputs", {}, 2.0f});
    const Document mine = lab.document();
    const int opening = lab.opening();
    ASSERT_TRUE(lab.open_preset("sentence").has_value());
    EXPECT_NE(lab.opening(), opening);
    EXPECT_EQ(lab.undo_label(), "open “A sentence, its embeddings and d_v ≠ d_k”");
    ASSERT_TRUE(lab.undo());
    EXPECT_TRUE(bit_equal(lab.document(), mine));
    EXPECT_EQ(lab.preset_name(), "trainable");
    EXPECT_EQ(lab.opening(), opening);
}

TEST(Lab, NotesSayWhatIsNotKnown) {
    Lab lab;
    std::string text = lab.session_text();
    text.insert(text.find('{') + 1, "\"mystery\": 1,");
    ASSERT_TRUE(lab.open_text(text).has_value());
    EXPECT_EQ(lab.notes().size(), 1u);
    EXPECT_NE(lab.session_text().find("mystery"), std::string::npos);
    ASSERT_TRUE(lab.open_preset("trainable").has_value());
    EXPECT_TRUE(lab.notes().empty());
}

// Matrices that nobody touched are drawn on; what was set by hand gains zeros.
TEST(Lab, AWiderSentenceSaysWhichTensorsGainZeros) {
    Lab lab;
    perform(lab, SetSentence{"So be it then", 123, 6});
    EXPECT_EQ(lab.edit_note(), "") << "all are drawn";
    lab.undo();
    perform(lab, SetCell{"W_query", {0, 1, 0}, 2.0f});
    perform(lab, SetSentence{"So be it then", 123, 6});
    ASSERT_EQ(row(lab.document(), "W_query", 5), (Floats{0, 0}));
    EXPECT_EQ(lab.edit_note(), "the new cells of W_query are 0, since its numbers are not those of a seed; fill it to "
                               "draw all anew");
    perform(lab, SetSentence{"So be it", 123, 6});
    EXPECT_EQ(lab.edit_note(), "") << "no wider than before";
    perform(lab, SetCell{"W_key", {}, 2.0f});
    perform(lab, ResizeWidth{Width::d_in, 7});
    for (const char* name : {"W_query", "W_key", "W_value"}) // the last has been drawn on once, and is no seed's since
        EXPECT_EQ(row(lab.document(), name, 6), (Floats{0, 0})) << name;
    EXPECT_NE(lab.edit_note().find("W_query, W_key and W_value are 0, since their numbers"), std::string::npos)
        << lab.edit_note();
    lab.undo();
    EXPECT_EQ(lab.edit_note(), "");
}

// Ids are looked up, and rows of a table or of positions are drawn, whatever was done to the others.
TEST(Lab, OfTensorsThatGrowByOtherNumbersThanZerosNothingIsSaid) {
    for (const char* preset : {"induction", "gpt2-block"}) {
        Lab lab = lab_with(preset);
        perform(lab, SetCell{"W_embedding", {}, 2.0f});
        const std::size_t n_before = lab.document().tokens.size();
        perform(lab, SetSentence{"some ten words that nobody has written down here before", 123, 6});
        EXPECT_NE(lab.document().tokens.size(), n_before) << preset;
        EXPECT_EQ(lab.edit_note().find("token_ids"), std::string::npos) << preset << ": " << lab.edit_note();
        EXPECT_EQ(lab.edit_note().find("W_embedding"), std::string::npos) << preset << ": " << lab.edit_note();
    }
}

TEST(Lab, UnsavedChangesAreThoseSinceOpeningOrSaving) {
    Lab lab;
    perform(lab, SetCell{"inputs", {}, 2.0f});
    EXPECT_TRUE(lab.has_unsaved_changes());
    lab.mark_saved();
    EXPECT_FALSE(lab.has_unsaved_changes());
    lab.undo();
    EXPECT_TRUE(lab.has_unsaved_changes());
    lab.redo();
    EXPECT_FALSE(lab.has_unsaved_changes());
    ASSERT_TRUE(lab.open_preset("sentence").has_value());
    EXPECT_FALSE(lab.has_unsaved_changes());
}

TEST(Lab, UndoingAnOpeningIsNoUnsavedChange) {
    Lab lab;
    ASSERT_TRUE(lab.open_preset("sentence").has_value());
    lab.undo();
    EXPECT_FALSE(lab.has_unsaved_changes());
    ASSERT_TRUE(lab.open_preset("trainable").has_value()) << "which is open, so that redo stays";
    lab.redo();
    EXPECT_EQ(lab.preset_name(), "sentence");
    EXPECT_FALSE(lab.has_unsaved_changes());
    perform(lab, SetCell{"inputs", {}, 2.0f});
    ASSERT_TRUE(lab.open_preset("linear").has_value());
    EXPECT_FALSE(lab.has_unsaved_changes());
    lab.undo();
    EXPECT_TRUE(lab.has_unsaved_changes()) << "the edits before opening were never saved";
}

TEST(Lab, ChangesGatherUntilTaken) {
    Lab lab;
    EXPECT_TRUE(lab.take_changes().empty());
    perform(lab, SetCell{"inputs", {0, 1, 0}, 2.0f});
    perform(lab, SetCell{"W_value", {0, 0, 0}, 2.0f});
    const std::map<std::string, Region> changes = lab.take_changes();
    EXPECT_TRUE(changes.at("inputs").contains({0, 1, 0}));
    EXPECT_FALSE(changes.at("inputs").contains({0, 2, 0}));
    EXPECT_TRUE(changes.at("queries").contains({0, 1, 1}));
    EXPECT_FALSE(changes.at("queries").contains({0, 0, 0}));
    EXPECT_TRUE(changes.at("values").contains({0, 5, 0}));
    EXPECT_EQ(changes.count("W_key"), 0u);
    EXPECT_TRUE(lab.take_changes().empty());
    perform(lab, SetCell{"inputs", {0, 1, 0}, 3.0f});
    ASSERT_TRUE(lab.open_preset("sentence").has_value());
    lab.refresh();
    EXPECT_TRUE(lab.take_changes().empty());
}

// Of so many tokens that to tidy up takes several slices.
Lab lab_with_long_text() {
    Document document;
    const auto filled = [](Shape shape) {
        std::vector<float> numbers;
        for (std::size_t i = 0; i < shape.size(); ++i) numbers.push_back(0.125f * static_cast<float>(i * i % 17) - 1);
        return Tensor(shape, std::move(numbers));
    };
    document.tensors["inputs"] = filled(Shape::matrix(700, 9));
    for (const char* name : {"W_query", "W_key", "W_value"}) document.tensors[name] = filled(Shape::matrix(9, 48));
    Lab lab;
    EXPECT_TRUE(lab.open_text(write_session(document)).has_value());
    lab.refresh();
    return lab;
}

// Tidying up changes last bits, which pictures are to show, but nothing that somebody did.
TEST(Lab, TidyingUpIsNoChangeToBeMarked) {
    Lab lab = lab_with_long_text();
    for (const char* tensor : {"W_query", "inputs"}) {
        perform(lab, SetCell{tensor, {0, 1, 3}, 0.3f});
        EXPECT_FALSE(lab.take_changes().empty());
        EXPECT_FALSE(lab.is_tidy());
        const std::size_t n_computed = lab.n_cells_computed();
        const int n_updates = lab.n_updates(), n_completed = lab.n_completed();
        int n_slices = 0;
        for (; lab.tidy_up(); ++n_slices) EXPECT_FALSE(lab.is_computing());
        EXPECT_GT(n_slices, 1) << tensor;
        EXPECT_TRUE(lab.is_tidy());
        EXPECT_GT(lab.n_updates(), n_updates) << "pictures are to be drawn again";
        EXPECT_TRUE(lab.take_changes().empty()) << tensor;
        EXPECT_EQ(lab.n_cells_computed(), n_computed) << tensor;
        EXPECT_EQ(lab.n_completed(), n_completed) << tensor;
    }
}

// However little the one differs from the other, and however that was come by.
TEST(Lab, WhatIsOpenedOverAnotherTextHasTheBitsOfAFreshRun) {
    Lab lab = lab_with_long_text();
    for (const char* tensor : {"W_query", "inputs"}) {
        Lab other = lab_with_long_text();
        perform(other, SetCell{tensor, {0, 1, 3}, 0.3f});
        perform(lab, SetCell{"W_key", {0, 2, 5}, 0.7f});
        const std::string text = other.session_text();
        ASSERT_TRUE(lab.open_text(text).has_value());
        lab.refresh();
        Lab fresh;
        ASSERT_TRUE(fresh.open_text(text).has_value());
        fresh.refresh();
        for (const char* name : {"attention_scores", "attention_weights", "context_vectors"}) {
            for (const Cell cell : {Cell{0, 0, 0}, {0, 350, 47}, {0, 699, 3}, {0, 12, 31}})
                EXPECT_EQ(computed(lab, name, cell), computed(fresh, name, cell)) << tensor << ", " << name;
        }
        EXPECT_TRUE(lab.is_tidy()) << tensor;
    }
}

TEST(Lab, WhatBeginsWhileItTidiesUpMarksWhatItChanges) {
    Lab lab = lab_with_long_text();
    perform(lab, SetCell{"W_query", {0, 1, 3}, 0.3f});
    ASSERT_TRUE(lab.tidy_up());
    ASSERT_FALSE(lab.is_tidy());
    lab.take_changes();
    const int n_completed = lab.n_completed();
    perform(lab, SetTitle{"Monday"});
    EXPECT_TRUE(lab.take_changes().empty());
    perform(lab, SetCell{"W_value", {0, 1, 3}, 0.3f});
    const std::map<std::string, Region> changes = lab.take_changes();
    EXPECT_EQ(changes.count("attention_scores"), 0u);
    EXPECT_EQ(changes.count("values"), 1u);
    EXPECT_EQ(lab.n_completed(), n_completed + 2);
    ASSERT_TRUE(lab.tidy_up());
    ASSERT_TRUE(lab.open_preset("sentence").has_value());
    lab.refresh();
    EXPECT_TRUE(lab.take_changes().empty());
    EXPECT_TRUE(lab.is_tidy());
    EXPECT_EQ(lab.badge(), Badge::matches);
}

TEST(Lab, ALaterCellIsComputedAlone) {
    Lab lab;
    const std::size_t everything = lab.n_cells_computed();
    perform(lab, SetCell{"W_value", {0, 0, 1}, 2.0f});
    EXPECT_GT(lab.n_cells_computed(), 0u);
    EXPECT_LT(lab.n_cells_computed(), everything / 4);
}

TEST(Lab, ANewSessionTakesNothingOfTheOldOneAndOneUndoBringsThatBack) {
    Lab lab;
    perform(lab, SetTitle{"Monday"});
    lab.mark_saved();
    const Document before = lab.document();
    const int opening = lab.opening();
    perform(lab, SetSentence{"To be or not", 123, 3, true});
    lab.refresh();
    EXPECT_EQ(lab.document().tokens, (Words{"To", "be", "or", "not"}));
    EXPECT_EQ(lab.document().made_by.at("inputs").init, "embedding");
    EXPECT_TRUE(bit_equal(lab.document(), *apply(Document{}, SetSentence{"To be or not", 123, 3})));
    EXPECT_NE(lab.opening(), opening);
    EXPECT_TRUE(lab.has_unsaved_changes()) << "its words are in no file";
    EXPECT_EQ(lab.undo_label(), "start anew");
    EXPECT_TRUE(lab.undo());
    EXPECT_TRUE(bit_equal(lab.document(), before));
    EXPECT_FALSE(lab.has_unsaved_changes());
}

} // namespace

} // namespace lab::test
