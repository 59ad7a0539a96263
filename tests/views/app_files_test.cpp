// Sessions that come in and go out, and what is said of it.
#include <string>

#include <gtest/gtest.h>

#include "engine/formats/session.h"
#include "tests/views/app_window.h"
#include "tests/views/canvas_support.h"

namespace lab {
namespace {

using test::WholeApp;

TEST_F(WholeApp, OpensASession) {
    Document document = app.lab().document();
    document.title = "Mine";
    app.open_bytes(write_session(document));
    EXPECT_EQ(app.lab().title(), "Mine");
    EXPECT_EQ(app.status_text(), "");
    EXPECT_EQ(window.platform.title, "Mine – Attention Lab");
    EXPECT_FALSE(app.lab().is_stale());
    window.frames(3);
}

TEST_F(WholeApp, ABadSessionIsSaidAndLeavesTheDocument) {
    const std::string before = app.lab().session_text();
    for (const std::string bytes : {"", "{", "[1, 2]", R"({"tensors": {"inputs": [[1, 2], [3]]}})"}) {
        app.open_bytes(bytes);
        EXPECT_NE(app.status_text(), "") << bytes;
        EXPECT_EQ(app.lab().session_text(), before);
        window.frames(3);
        EXPECT_NE(app.status_text(), "") << "stays until the next success";
    }
    app.open_preset("simplified-softmax");
    EXPECT_EQ(app.status_text(), "");
}

TEST_F(WholeApp, AnErrorNamesTheFileThatItIsIn) {
    const std::string bad = R"({"tensors": {"inputs": [[1, 2], [3]]}})";
    app.open_bytes(bad);
    const std::string sentence = app.status_text();
    app.open_file({"mine.json"}, bad);
    EXPECT_EQ(app.status_text(), "mine.json: " + sentence);
    window.platform.files = {{"/home/me/mine.json", bad}, {"/home/me/good.json", app.lab().session_text()}};
    app.open_path("/home/me/mine.json", 2);
    EXPECT_EQ(app.status_text(), "mine.json, the first of 2 files: " + sentence);
    app.open_path("/home/me/good.json", 2);
    EXPECT_EQ(app.status_text(), "good.json, the first of 2 files, is open: drop the others one by one");
    app.open_path("/home/me/good.json");
    EXPECT_EQ(app.status_text(), "opened good.json") << "which may look as what was open before";
    app.open_path("/home/me/none.json");
    const std::string unread = app.status_text();
    EXPECT_NE(unread.find("/home/me/none.json"), std::string::npos) << unread;
    app.open_path("/home/me/none.json", 2);
    EXPECT_EQ(app.status_text(), "none.json, the first of 2 files: " + unread);
}

TEST_F(WholeApp, AnErrorGoesWithTheNextSuccessUndoIncluded) {
    ASSERT_TRUE(app.lab().perform(SetCell{"inputs", {0, 0, 0}, 5}).has_value());
    app.show_error("it does not fit");
    window.press_key(ImGuiMod_Ctrl | ImGuiKey_Z);
    EXPECT_NE(input(), 5);
    EXPECT_EQ(app.status_text(), "undone: change inputs[Your, d₁]");
    app.show_error("it does not fit");
    window.press_key(ImGuiKey_Escape);
    EXPECT_EQ(app.status_text(), "");
    app.show_error("it does not fit");
    ASSERT_TRUE(app.lab().open_text(write_session(test::document_of({.n_tokens = 2}))).has_value());
    app.refresh_trace();
    EXPECT_EQ(app.status_text(), "") << "a page's script opened another";
}

TEST_F(WholeApp, WhatASessionHasThatIsUnknownIsANote) {
    std::string text = app.lab().session_text();
    text.insert(text.find('{') + 1, "\"colour\": \"red\",");
    app.open_bytes(text);
    EXPECT_EQ(app.status_text().rfind("Note: ", 0), 0U) << app.status_text();
    EXPECT_NE(app.lab().session_text().find("colour"), std::string::npos);
    window.press_key(ImGuiMod_Ctrl | ImGuiKey_Z);
    window.press_key(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Z);
    EXPECT_EQ(app.status_text().rfind("Note: ", 0), 0U) << "an edit's success does not take it away";
    app.open_preset("integers");
    EXPECT_EQ(app.status_text(), "") << "another document does";
}

TEST_F(WholeApp, EveryNoteIsSaidHoweverTheSessionCameIn) {
    std::string text = app.lab().session_text();
    text.insert(text.find('{') + 1, R"("colour": "red", "flavour": 1,)");
    ASSERT_TRUE(app.lab().open_text(text).has_value());
    app.refresh_trace();
    EXPECT_NE(app.status_text().find("colour"), std::string::npos) << app.status_text();
    EXPECT_NE(app.status_text().find("flavour"), std::string::npos) << app.status_text();
}

// In the page a save is a download of the document's name.
TEST_F(WholeApp, SavesByADownloadWhereTheBrowserHasADialog) {
    window.platform.file_dialog = true;
    window.press_key(ImGuiMod_Ctrl | ImGuiKey_S);
    ASSERT_EQ(window.platform.files.size(), 1U);
    EXPECT_EQ(window.platform.files.begin()->second, app.lab().session_text());
    EXPECT_FALSE(app.lab().has_unsaved_changes());
    EXPECT_EQ(app.status_text(), "downloading " + window.platform.files.begin()->first);
}

TEST_F(WholeApp, SavesByPathOnTheDesktop) {
    window.press_key(ImGuiMod_Ctrl | ImGuiKey_S);
    window.frames(3);
    window.press_key(ImGuiKey_Enter); // the name that the dialog gives
    ASSERT_EQ(window.platform.files.size(), 1U);
    EXPECT_FALSE(app.lab().has_unsaved_changes());
    EXPECT_EQ(app.status_text(), "saved as " + window.platform.files.begin()->first);
}

TEST_F(WholeApp, UndoOfAnOpeningSaysSo) {
    app.open_preset("integers");
    window.frames(2);
    window.press_key(ImGuiMod_Ctrl | ImGuiKey_Z);
    EXPECT_EQ(app.status_text(), "undone: open “Self-attention with small integers”");
}

} // namespace
} // namespace lab
