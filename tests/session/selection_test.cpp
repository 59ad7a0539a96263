#include "app/session/selection.h"

#include "app/session/trace_text.h"
#include "tests/session/model_program.h"
#include "tests/session/support.h"

namespace lab::test {

namespace {

TEST(Selection, BeginsAsThePictureShows) {
    const Lab lab;
    const Selection selection = default_selection(lab.trace());
    EXPECT_EQ(selection.query, 1);
    ASSERT_NE(selection.pinned(), nullptr);
    EXPECT_EQ(*selection.pinned(), (TensorCell{"attention_weights", {0, 1, 2}}));
    EXPECT_FALSE(selection.can_go_back());
}

TEST(Selection, BeginsWithinASmallDocument) {
    Lab lab;
    perform(lab, SetSentence{"alone", 1, 2});
    const Selection selection = default_selection(lab.trace());
    EXPECT_EQ(*selection.pinned(), (TensorCell{"attention_weights", {0, 0, 0}}));
    EXPECT_EQ(default_selection(Trace{}).pinned(), nullptr);
}

TEST(Selection, BeginsWithAnAllowedWeightUnderAMask) {
    for (const char* preset : {"causal", "sliding-window", "alibi", "induction"}) {
        Lab lab;
        ASSERT_TRUE(lab.open_preset(preset).has_value()) << preset;
        lab.refresh();
        const TensorCell pinned = *default_selection(lab.trace()).pinned();
        const int node = lab.program().find(pinned.tensor);
        const std::vector<float> row = row_without_masked(lab.trace(), node, 0, pinned.cell.row);
        EXPECT_EQ(pinned.cell.row, lab.program().node(node).shape.rows - 1) << preset;
        EXPECT_EQ(pinned.cell.col, extremes(row).highest) << preset;
        EXPECT_FALSE(is_masked(row[static_cast<std::size_t>(pinned.cell.col)])) << preset;
    }
}

TEST(Selection, BeginsWithAWeightThatACausalMaskAllowsWhileALongTextIsComputed) {
    Document document;
    document.attention.mask = MaskKind::causal;
    document.tensors["inputs"] = Tensor(Shape::matrix(2000, 8), 0.5f);
    for (const char* name : {"W_query", "W_key", "W_value"})
        document.tensors[name] = Tensor(Shape::matrix(8, 8), 0.25f);
    const Result<Program> program = build_program(document.attention, document.shapes());
    ASSERT_TRUE(program.has_value());
    Trace trace;
    trace.begin_update(*program, document.tensors);
    ASSERT_TRUE(trace.is_missing(program->find("attention_weights")));
    EXPECT_EQ(*default_selection(trace).pinned(), (TensorCell{"attention_weights", {0, 1, 0}}));
}

TEST(Selection, BeginsWhereABlockBegins) {
    for (const char* preset : {"gpt2-block", "llama-block"}) {
        Lab lab;
        ASSERT_TRUE(lab.open_preset(preset).has_value()) << preset;
        lab.refresh();
        const Selection selection = default_selection(lab.trace());
        const int last = n_queries(lab.program()) - 1;
        EXPECT_EQ(*selection.pinned(), (TensorCell{"blocks.0.attention_norm", {0, last, 0}})) << preset;
        EXPECT_EQ(selection.query, last) << preset;
    }
}

// Every key of the last query is masked, too: then of the one before.
TEST(Selection, BeginsWhereAQuerySeesAnyKey) {
    Lab lab;
    perform(lab, PaintMask{{{0, 1, 2}}, false});
    std::vector<Cell> last_row;
    for (int key = 0; key < 6; ++key) last_row.push_back({0, 5, key});
    perform(lab, PaintMask{last_row, false});
    const Selection selection = default_selection(lab.trace());
    EXPECT_EQ(selection.query, 4);
    EXPECT_GT(lab.trace().at(lab.program().find("attention_weights"), selection.pinned()->cell), 1.0f / 6);
}

TEST(Selection, TheTrailGoesBackAndForth) {
    const Lab lab;
    const Program& program = lab.program();
    Selection selection = default_selection(lab.trace());
    const TensorCell first = *selection.pinned(), query{"queries", {0, 3, 1}}, input{"inputs", {0, 2, 1}};
    selection.visit(query, program);
    EXPECT_EQ(selection.query, 3);
    selection.visit(input, program);
    EXPECT_EQ(selection.query, 3); // a row of inputs belongs to no query in particular
    selection.go_back(program);
    EXPECT_EQ(*selection.pinned(), query);
    selection.go_back(program);
    EXPECT_EQ(*selection.pinned(), first);
    EXPECT_EQ(selection.query, 1);
    selection.go_back(program);
    EXPECT_EQ(*selection.pinned(), first);
    selection.go_forward(program);
    EXPECT_EQ(*selection.pinned(), query);
    selection.visit({"keys", {}}, program);
    EXPECT_FALSE(selection.can_go_forward());
    selection.visit({"keys", {}}, program);
    EXPECT_EQ(selection.trail().size(), 3u);
    selection.unpin();
    EXPECT_EQ(selection.pinned(), nullptr);
    EXPECT_FALSE(selection.can_go_back());
}

TEST(Selection, StaysWithItsWordsWhenTokensMove) {
    const Lab lab;
    Selection selection = default_selection(lab.trace());
    selection.visit({"attention_weights", {0, 3, 2}}, lab.program());
    selection.follow_tokens([](int place) { return place_after(RemoveToken{0}, place); }, lab.program());
    EXPECT_EQ(selection.query, 2);
    EXPECT_EQ(*selection.pinned(), (TensorCell{"attention_weights", {0, 2, 1}}));
    selection.follow_tokens([](int place) { return place_after(MoveToken{0, 2}, place); }, lab.program());
    EXPECT_EQ(selection.query, 1);
    EXPECT_EQ(*selection.pinned(), (TensorCell{"attention_weights", {0, 1, 0}}));
    selection.follow_tokens([](int place) { return place_after(AddToken{1, "new"}, place); }, lab.program());
    EXPECT_EQ(selection.query, 2);
    selection.visit({"W_query", {0, 1, 1}}, lab.program());
    selection.follow_tokens([](int place) { return place_after(RemoveToken{0}, place); }, lab.program());
    EXPECT_EQ(*selection.pinned(), (TensorCell{"W_query", {0, 1, 1}})) << "its rows are no tokens";
}

TEST(Selection, KeysOfAContextOrAPastStayWhereTheyAre) {
    const auto after_removing_the_first = [](const Lab& lab, const TensorCell& cell) {
        Selection selection = default_selection(lab.trace());
        selection.visit(cell, lab.program());
        selection.follow_tokens([](int place) { return place_after(RemoveToken{0}, place); }, lab.program());
        return selection.pinned()->cell;
    };
    const Lab context = lab_with("cross-attention");
    EXPECT_EQ(after_removing_the_first(context, {"attention_weights", {0, 3, 2}}), (Cell{0, 2, 2}));
    EXPECT_EQ(after_removing_the_first(context, {"keys", {0, 2, 0}}), (Cell{0, 2, 0}));
    EXPECT_EQ(after_removing_the_first(context, {"queries", {0, 2, 0}}), (Cell{0, 1, 0}));
    Lab past;
    perform(past, AddTensor{"past_keys"});
    const int n_past = past.document().tensors.at("past_keys").shape().rows;
    EXPECT_EQ(after_removing_the_first(past, {"attention_weights", {0, 3, n_past - 1}}), (Cell{0, 2, n_past - 1}));
    EXPECT_EQ(after_removing_the_first(past, {"attention_weights", {0, 3, n_past + 2}}), (Cell{0, 2, n_past + 1}));
    EXPECT_EQ(after_removing_the_first(past, {"past_keys", {0, 1, 0}}), (Cell{0, 1, 0}));
    EXPECT_EQ(after_removing_the_first(past, {"keys", {0, 2, 0}}), (Cell{0, 1, 0}));
}

TEST(Selection, WhatTheLastStepComputesStandsOpen) {
    const Lab lab;
    Selection selection;
    const Node& scaled = lab.program().node(lab.program().find("scaled_scores"));
    EXPECT_FALSE(selection.unfolds(scaled));
    EXPECT_TRUE(selection.can_toggle(scaled));
    const FoldState before(selection);
    EXPECT_TRUE(before.holds_for(selection));
    selection.shown_stage = scaled.stage;
    EXPECT_TRUE(selection.unfolds(scaled));
    EXPECT_FALSE(selection.can_toggle(scaled));
    EXPECT_FALSE(before.holds_for(selection));
    selection.shown_stage = scaled.stage + 1;
    EXPECT_FALSE(selection.unfolds(scaled));
}

TEST(Selection, TheTrailIsBounded) {
    const Lab lab;
    Selection selection;
    for (int i = 0; i < 1000; ++i) selection.visit({"inputs", {0, i % 6, i % 3}}, lab.program());
    EXPECT_LE(selection.trail().size(), 200u);
    EXPECT_EQ(*selection.pinned(), (TensorCell{"inputs", {0, 999 % 6, 999 % 3}}));
}

TEST(Selection, FitsASmallerProgram) {
    Lab lab;
    Selection selection;
    selection.visit({"attention_weights", {0, 5, 5}}, lab.program());
    selection.hovered = TensorCell{"W_query", {0, 2, 1}};
    selection.shown_stage = 6;
    perform(lab, RemoveToken{5});
    selection.fit(lab.program());
    EXPECT_EQ(*selection.pinned(), (TensorCell{"attention_weights", {0, 4, 4}}));
    EXPECT_EQ(selection.query, 4);
    EXPECT_TRUE(selection.hovered.has_value());
    perform(lab, OpenDocument{opened_preset("simplified-sum")});
    selection.fit(lab.program());
    EXPECT_FALSE(selection.hovered.has_value());
    EXPECT_EQ(selection.shown_stage, 5);
}

// What is taken is seen, be it by undoing that it was switched off or in a session that was opened; until one hides it.
TEST(Selection, AGradientIsShownUntilItIsHiddenAlsoWhereItGoesAndComesBack) {
    Lab lab;
    Selection selection = default_selection(lab.trace());
    perform(lab, SetGradient{"sum(keys)"});
    selection.fit(lab.program());
    EXPECT_TRUE(selection.shows_gradient);
    EXPECT_TRUE(default_selection(lab.trace()).shows_gradient);
    selection.shows_gradient = false;
    perform(lab, SetCell{"inputs", {0, 0, 0}, 7});
    selection.fit(lab.program());
    EXPECT_FALSE(selection.shows_gradient);
    AttentionSettings without_keys = lab.document().attention;
    without_keys.projections = false;
    perform(lab, SetAttention{without_keys});
    selection.fit(lab.program());
    ASSERT_LT(lab.program().target, 0) << "an edit takes what it was taken of away";
    ASSERT_TRUE(lab.undo());
    lab.refresh();
    selection.fit(lab.program());
    ASSERT_GE(lab.program().target, 0);
    EXPECT_FALSE(selection.shows_gradient);
}

TEST(Selection, ATensorThatIsGoneLeavesTheTrail) {
    Lab lab;
    Selection selection;
    selection.visit({"inputs", {}}, lab.program());
    selection.visit({"queries", {}}, lab.program());
    selection.visit({"attention_scores", {}}, lab.program());
    perform(lab, OpenDocument{opened_preset("simplified-sum")});
    selection.fit(lab.program());
    EXPECT_EQ(selection.trail().size(), 2u);
    EXPECT_EQ(*selection.pinned(), (TensorCell{"attention_scores", {}}));
    Selection gone;
    gone.visit({"inputs", {}}, Lab().program());
    gone.visit({"queries", {}}, Lab().program());
    gone.fit(lab.program());
    EXPECT_EQ(gone.pinned(), nullptr);
    EXPECT_TRUE(gone.trail().empty());
}

TEST(Selection, StagesAndFolds) {
    const Lab lab;
    const auto node = [&](const char* name) { return lab.program().node(lab.program().find(name)); };
    Selection selection;
    EXPECT_TRUE(selection.shows(node("context_vectors")));
    selection.shown_stage = node("attention_scores").stage;
    EXPECT_TRUE(selection.shows(node("attention_scores")));
    EXPECT_FALSE(selection.shows(node("attention_weights")));
    EXPECT_FALSE(selection.unfolds(node("scaled_scores")));
    selection.toggle_fold("scaled_scores");
    EXPECT_TRUE(selection.unfolds(node("scaled_scores")));
    selection.toggle_fold("scaled_scores");
    EXPECT_FALSE(selection.unfolds(node("scaled_scores")));
    EXPECT_TRUE(selection.unfolds(node("attention_scores")));
}

TEST(Selection, ACellOfAnotherHeadChoosesThatHead) {
    const ModelProgram model;
    Selection selection;
    selection.visit({"attention_weights", {2, 0, 1}}, model.program);
    EXPECT_EQ(selection.head, 2);
    selection.visit({"keys", {1, 0, 0}}, model.program);
    EXPECT_EQ(selection.head, 2) << "heads 3 and 4 share these keys";
    selection.visit({"keys", {0, 0, 0}}, model.program);
    EXPECT_EQ(selection.head, 0);
    selection.visit({"W_output", {0, 7, 0}}, model.program);
    EXPECT_EQ(selection.head, 3);
    selection.visit({"inputs", {0, 0, 0}}, model.program);
    EXPECT_EQ(selection.head, 3);
    selection.fit(Lab().program());
    EXPECT_EQ(selection.head, 0);
}

TEST(Selection, ACellThatStandsElsewhereShowsItsSection) {
    const ModelProgram model;
    Selection selection;
    selection.visit({"mlp_up", {0, 0, 1}}, model.program);
    EXPECT_EQ(selection.section, 2);
    selection.visit({"outputs", {0, 0, 1}}, model.program);
    EXPECT_EQ(selection.section, 2) << "a guest is there already";
    selection.visit({"joined_contexts", {0, 0, 1}}, model.program);
    EXPECT_EQ(selection.section, 1);
    selection.go_back(model.program);
    selection.go_back(model.program);
    EXPECT_EQ(selection.section, 2);
    selection.fit(Lab().program());
    EXPECT_EQ(selection.section, 0);
}

} // namespace

} // namespace lab::test
