#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/command.h"
#include "app/session/history.h"
#include "app/session/selection.h"
#include "engine/formats/presets.h"
#include "engine/trace.h"

namespace lab {

// Whether what is computed is what the worked example of the document's preset says.
enum class Badge {
    none,    // the document does not come from a preset, or is still being computed
    matches, // every number, to 4 digits
    differs, // edited
};

// What the lab opens first.
constexpr const char* kFirstPreset = "trainable";

// The open document and all that follows from it: what the window, the page's JavaScript and tests talk to. No
// drawing, files or clock. An error leaves everything as it was.
//
// Commands do not compute; refresh() does, once a frame. Until then program(), trace() and badge() show the state of
// the last refresh and is_stale() is true. The selection is held beside the lab: call Selection::fit after a refresh.
class Lab {
  public:
    // With kFirstPreset, refreshed. It computes on these threads, which outlive it; without on the caller's.
    explicit Lab(ThreadPool* threads = nullptr);

    const Document& document() const { return history_.present().document; }
    std::uint64_t revision() const { return revision_; } // goes up whenever the document changes
    const Program& program() const { return trace_.program(); }
    const Trace& trace() const { return trace_; }

    // gesture: edits with one nonzero number are one step of undo (see History::commit).
    Result<Done> perform(const Command& command, std::uint64_t gesture = 0);
    bool undo();
    bool redo();
    bool can_undo() const { return history_.can_undo(); }
    bool can_redo() const { return history_.can_redo(); }
    std::string undo_label() const { return history_.undo_label(); } // "change inputs[journey, d₁]"
    std::string redo_label() const { return history_.redo_label(); }

    // Each is a step of undo too, so that nothing is lost.
    Result<Done> open_text(std::string_view session_json);
    Result<Done> open_preset(const std::string& name); // a name of presets.h
    // Another number whenever another document lies open, also by undo: time for a new selection and view.
    int opening() const { return history_.present().opening; }
    const std::vector<std::string>& notes() const { return notes_; } // on the last opened text: unknown keys, …

    // What the last edit has to say of itself, as padding_note has it; or empty.
    const std::string& edit_note() const { return edit_note_; }

    std::string session_text() const; // as a session file
    void mark_saved();                // the document as it stands is safe
    bool has_unsaved_changes() const; // against the document as it was opened or last marked

    const std::string& preset_name() const { return history_.present().preset; } // or empty
    const std::string& title() const { return document().title; }
    Badge badge() const { return badge_; }

    // Brings program, trace and badge up to date with the document; false if they were.
    bool refresh();
    bool is_stale() const { return computed_revision_ != revision_; }

    // The same for a caller who holds the clock: the program and what is quick at once, the rest by `work`, which does some
    // milliseconds' worth of it. What is not computed yet is as it was before (Trace::is_pending).
    bool begin_refresh();
    void work();
    bool is_computing() const { return !trace_.is_complete(); }
    double progress() const { return trace_.progress(); }
    int n_completed() const { return n_completed_; } // how many refreshes have come to their end
    // When nothing else is to be done: clears away what rounding has left in a long text, by and by; false if there is nothing. What it
    // changes is to be drawn, but not to be marked. Not while the document is stale.
    bool tidy_up();
    bool is_tidy() const { return !trace_.has_drifted(); }
    std::size_t n_cells_computed() const { return n_cells_computed_; } // by the last refresh that did something

    // Goes up whenever the document or a number that follows from it changes.
    std::uint64_t state() const { return revision_ + static_cast<std::uint64_t>(n_updates_); }
    // Goes up whenever a refresh finds another document open, or this one other in more than numbers of its tensors
    // (have_equal_forms): what is made of words, shapes and settings alone is good for as long as it stays.
    std::uint64_t form() const { return form_; }
    // How often the trace was brought up to date, and which cells of a tensor differ from what they were after an earlier
    // time; absent where that is too long ago to be known.
    int n_updates() const { return n_updates_; }
    std::optional<Region> changes_since(int update, const std::string& tensor) const;

    // Which cells edits have changed since the last call, by tensor: what to mark. Empty after another document was opened.
    std::map<std::string, Region> take_changes();

  private:
    void open(Document document, std::string preset, std::string label);
    void begin_update();
    enum class Marks { none, all };
    void take_report(Marks marks = Marks::all);
    Badge compute_badge();

    History history_;
    std::map<int, Document> saved_; // by opening, those that the history holds
    std::vector<std::string> notes_;
    std::string edit_note_;
    std::uint64_t revision_ = 1;
    std::uint64_t computed_revision_ = 0;
    int n_opened_ = 0;
    int computed_opening_ = -1;
    Document refreshed_; // as the last refresh found it: what the trace's program was built from
    std::uint64_t form_ = 0;
    Trace trace_;
    std::size_t n_cells_computed_ = 0;
    std::map<std::string, Region> changes_;
    int n_updates_ = 0;
    int n_completed_ = 0;
    std::deque<std::map<std::string, Region>> last_changes_; // of the last updates, the latest last
    Badge badge_ = Badge::none;
    std::string example_name_; // whose worked example is held
    std::optional<WorkedExample> example_;
};

} // namespace lab
