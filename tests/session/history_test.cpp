#include "app/session/history.h"

#include "engine/formats/session.h"
#include "tests/session/random_commands.h"
#include "tests/session/support.h"

namespace lab::test {

namespace {

TEST(Undo, IsTheIdentityForEveryCommand) {
    const Document other = opened_preset("sentence");
    const Command commands[] = {SetCell{"inputs", {0, 1, 0}, 3.0f},
                                SetCells{"inputs", {}, {{1, 2}}},
                                SetAttention{opened_preset("integers").attention},
                                FillTensor{"W_key", {"randn", 5, 0, {}, {}}},
                                FillProjections{{"rand", 5, 0, {}, {}}},
                                ResizeWidth{Width::d_in, 2},
                                ResizeWidth{Width::d_k, 5},
                                ResizeWidth{Width::d_v, 1},
                                AddToken{0, "x"},
                                RemoveToken{2},
                                RenameToken{1, "x"},
                                MoveToken{0, 3},
                                SetSentence{"so be it", 9, 4},
                                SetTitle{"x"},
                                OpenDocument{other},
                                AddTensor{"b_query"},
                                PaintMask{{{0, 1, 2}}, false},
                                SetGradient{"context_vectors[1,0]"}};
    static_assert(std::variant_size_v<Command> == 18, "a new command belongs into this list");
    for (const Command& command : commands) {
        Lab lab = lab_with("trainable");
        const Document before = lab.document();
        perform(lab, command);
        const Document done = lab.document();
        EXPECT_FALSE(bit_equal(before, done)) << describe(command, before, done);
        ASSERT_TRUE(lab.undo());
        EXPECT_TRUE(bit_equal(before, lab.document())) << describe(command, before, done);
        ASSERT_TRUE(lab.redo());
        EXPECT_TRUE(bit_equal(done, lab.document())) << describe(command, before, done);
    }
}

TEST(Undo, RandomEditsAllTheWayBackAndForth) {
    for (std::uint32_t seed = 1; seed <= 8; ++seed) {
        Dice dice(seed);
        Lab lab = lab_with("trainable");
        std::vector<Document> states{lab.document()};
        for (int i = 0; i < 300; ++i) {
            const Command command = random_command(dice, lab.document());
            if (!lab.perform(command)) {
                ASSERT_TRUE(bit_equal(lab.document(), states.back()))
                    << describe(command, states.back(), lab.document());
                continue;
            }
            const Result<Done> fits = check_document(lab.document());
            ASSERT_TRUE(fits) << describe(command, states.back(), lab.document()) << ": " << fits.error();
            if (!bit_equal(lab.document(), states.back())) states.push_back(lab.document());
        }
        ASSERT_GT(states.size(), 100u);
        for (std::size_t i = states.size(); i-- > 1;) {
            ASSERT_TRUE(bit_equal(lab.document(), states[i])) << i;
            ASSERT_TRUE(lab.undo());
        }
        EXPECT_FALSE(lab.can_undo());
        for (const Document& state : states) {
            ASSERT_TRUE(bit_equal(lab.document(), state));
            lab.redo();
        }
        EXPECT_FALSE(lab.can_redo());
    }
}

TEST(Undo, ADragIsOneStep) {
    Lab lab;
    const Document before = lab.document();
    for (int i = 1; i <= 100; ++i) perform(lab, SetCell{"inputs", {0, 1, 0}, static_cast<float>(i)}, 17);
    EXPECT_EQ(lab.undo_label(), "change inputs[journey, d₁]");
    ASSERT_TRUE(lab.undo());
    EXPECT_TRUE(bit_equal(lab.document(), before));
    EXPECT_FALSE(lab.can_undo());
    ASSERT_TRUE(lab.redo());
    EXPECT_EQ(lab.document().tensors.at("inputs").at({0, 1, 0}), 100.0f);
}

TEST(Undo, AnotherDragAndASingleEditAreStepsOfTheirOwn) {
    Lab lab;
    for (float value : {1.0f, 2.0f}) perform(lab, SetCell{"inputs", {}, value}, 1);
    for (float value : {3.0f, 4.0f}) perform(lab, SetCell{"inputs", {}, value}, 2);
    for (float value : {5.0f, 6.0f}) perform(lab, SetCell{"inputs", {}, value});
    const float expected[] = {5.0f, 4.0f, 2.0f};
    for (float value : expected) {
        ASSERT_TRUE(lab.undo());
        EXPECT_EQ(lab.document().tensors.at("inputs").at({}), value);
    }
    ASSERT_TRUE(lab.undo());
    EXPECT_FALSE(lab.can_undo());
}

TEST(Undo, ADragThatComesBackLeavesNoStep) {
    Lab lab;
    const float start = lab.document().tensors.at("inputs").at({});
    perform(lab, SetCell{"inputs", {}, 2.0f}, 1);
    perform(lab, SetCell{"inputs", {}, start}, 1);
    EXPECT_FALSE(lab.can_undo());
}

TEST(Undo, ADragThatComesBackLeavesWhatWasUndoneToBeDoneAgain) {
    Lab lab;
    for (float value : {1.0f, 2.0f, 3.0f}) perform(lab, SetCell{"inputs", {}, value});
    ASSERT_TRUE(lab.undo());
    ASSERT_TRUE(lab.undo());
    for (float value : {8.0f, 1.0f, 9.0f}) perform(lab, SetCell{"inputs", {}, value}, 1);
    EXPECT_FALSE(lab.can_redo()); // as long as the drag is elsewhere
    perform(lab, SetCell{"inputs", {}, 1.0f}, 1);
    for (float expected : {2.0f, 3.0f}) {
        ASSERT_TRUE(lab.redo());
        EXPECT_EQ(lab.document().tensors.at("inputs").at({}), expected);
    }
    EXPECT_FALSE(lab.can_redo());
    for (float expected : {2.0f, 1.0f}) {
        ASSERT_TRUE(lab.undo());
        EXPECT_EQ(lab.document().tensors.at("inputs").at({}), expected);
    }
}

TEST(Undo, ADragAfterADragThatEndedDropsWhatWasUndoneBeforeIt) {
    Lab lab;
    for (float value : {1.0f, 2.0f}) perform(lab, SetCell{"inputs", {}, value});
    ASSERT_TRUE(lab.undo());
    perform(lab, SetCell{"inputs", {}, 8.0f}, 1);
    for (float value : {9.0f, 8.0f}) perform(lab, SetCell{"inputs", {}, value}, 2);
    EXPECT_FALSE(lab.can_redo());
    ASSERT_TRUE(lab.undo());
    EXPECT_EQ(lab.document().tensors.at("inputs").at({}), 1.0f);
}

TEST(Undo, AnEditAfterUndoDropsWhatWasUndone) {
    Lab lab;
    perform(lab, SetCell{"inputs", {}, 1.0f}, 1);
    perform(lab, SetCell{"inputs", {}, 2.0f}, 2);
    ASSERT_TRUE(lab.undo());
    perform(lab, SetTitle{"x"});
    EXPECT_FALSE(lab.can_redo());
    ASSERT_TRUE(lab.undo());
    EXPECT_EQ(lab.document().tensors.at("inputs").at({}), 1.0f);
}

// How often undo takes something back; afterwards all of it is.
int undone(History& history) {
    int n = 0;
    while (history.undo()) ++n;
    return n;
}

TEST(History, AHundredEditsOfALargeMatrixStoreTheTilesTheyTouch) {
    Document large;
    large.attention.projections = false;
    large.tensors["inputs"] = Tensor(Shape::matrix(2048, 256), 0.5f);
    large.tokens.assign(2048, "a word of the text"); // 100 KB that are shared
    History history({large, "", 0});
    for (int i = 0; i < 100; ++i) {
        history.commit({after(history.present().document, SetCell{"inputs", {0, i * 20, i}, 1.0f}), "", 0}, "edit");
    }
    constexpr std::size_t kTile = 4096 * sizeof(float);
    EXPECT_GE(history.bytes_held(), 100 * kTile);
    EXPECT_LE(history.bytes_held(), 100 * (kTile + 2 * sizeof(Document)));
    EXPECT_EQ(undone(history), 100);
}

TEST(History, TheOldestStepsMakeWay) {
    Document document;
    document.attention.projections = false;
    document.tensors["inputs"] = Tensor(Shape::matrix(64, 64), 0.0f); // one tile of 16 KiB
    History history({document, "", 0}, 100 * 1024);
    for (int i = 1; i <= 50; ++i) {
        history.commit({after(history.present().document, SetCell{"inputs", {}, static_cast<float>(i)}), "", 0},
                       "edit");
        EXPECT_LE(history.bytes_held(), 100u * 1024);
    }
    const int n_kept = undone(history);
    EXPECT_GE(n_kept, 4);
    EXPECT_LE(n_kept, 6);
    EXPECT_EQ(history.present().document.tensors.at("inputs").at({}), static_cast<float>(50 - n_kept));
    History tight({document, "", 0}, 1);
    tight.commit({after(document, SetCell{"inputs", {}, 1}), "", 0}, "edit");
    EXPECT_TRUE(tight.can_undo());
}

} // namespace

} // namespace lab::test
