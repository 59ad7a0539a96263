#include "app/session/lab.h"

#include <cassert>

#include "app/session/resizing.h"
#include "app/session/title.h"
#include "engine/formats/session.h"

namespace lab {

namespace {

// Where there is no example: a sentence with seeded embeddings and projections.
Document first_draft() {
    Document draft;
    const Result<Document> made = apply(Document{}, SetSentence{"Write your own sentence", 123, 3});
    assert(made);
    draft = *made;
    draft.title = kUntitled;
    return draft;
}

Document preset_document(const std::string& name) {
    const Result<SessionFile> file = read_session(preset_session_text(name));
    return file ? file->document : first_draft();
}

bool has_preset(const std::string& name) { return !preset_session_text(name).empty(); }

} // namespace

Lab::Lab(ThreadPool* threads)
    : history_({preset_document(kFirstPreset), has_preset(kFirstPreset) ? kFirstPreset : "", 0}),
      trace_(threads, kMostStoredInteractively) {
    mark_saved();
    refresh();
}

Result<Done> Lab::perform(const Command& command, std::uint64_t gesture) {
    const Result<Document> changed = apply(document(), command);
    if (!changed) return Error{changed.error()};
    if (const auto* opened = std::get_if<OpenDocument>(&command)) {
        open(opened->document, {}, describe(command, document(), opened->document));
        return Done{};
    }
    const auto* sentence = std::get_if<SetSentence>(&command);
    if (sentence != nullptr && sentence->starts_anew) {
        open(*changed, {}, describe(command, document(), *changed));
        saved_[opening()] = {}; // its words were typed, and are in no file
        return Done{};
    }
    if (bit_equal(*changed, document())) return Done{};
    const bool lets_grow = sentence != nullptr || std::holds_alternative<ResizeWidth>(command);
    edit_note_ = lets_grow ? padding_note(document(), *changed) : std::string();
    // Another sentence is none of the example's edits: title and badge no longer speak of it.
    const std::string preset = sentence != nullptr ? std::string() : preset_name();
    history_.commit({*changed, preset, opening()}, describe(command, document(), *changed), gesture);
    ++revision_;
    return Done{};
}

bool Lab::undo() {
    const bool did = history_.undo();
    if (did) edit_note_.clear();
    revision_ += did ? 1 : 0;
    return did;
}

bool Lab::redo() {
    const bool did = history_.redo();
    if (did) edit_note_.clear();
    revision_ += did ? 1 : 0;
    return did;
}

void Lab::open(Document opened, std::string preset, std::string label) {
    notes_.clear();
    edit_note_.clear();
    const int before = opening();
    history_.commit({std::move(opened), std::move(preset), ++n_opened_}, std::move(label));
    // What had been undone is gone from the history, and what is too old.
    if (opening() != before) saved_.erase(saved_.upper_bound(before), saved_.end());
    saved_.erase(saved_.begin(), saved_.lower_bound(history_.oldest().opening));
    saved_[opening()] = document();
    ++revision_;
}

Result<Done> Lab::open_text(std::string_view session_json) {
    const Result<SessionFile> file = read_session(session_json);
    if (!file) return Error{file.error()};
    const OpenDocument command{file->document};
    open(command.document, {}, describe(command, document(), command.document));
    notes_ = file->notes;
    return Done{};
}

Result<Done> Lab::open_preset(const std::string& name) {
    if (!has_preset(name)) return Error{unknown_preset_error(name)};
    const Result<SessionFile> file = read_session(preset_session_text(name));
    if (!file) return Error{file.error()};
    const OpenDocument command{file->document};
    open(command.document, name, describe(command, document(), command.document));
    return Done{};
}

std::string Lab::session_text() const { return write_session(document()); }

void Lab::mark_saved() { saved_[opening()] = document(); }

bool Lab::has_unsaved_changes() const { return !bit_equal(document(), saved_.at(opening())); }

bool Lab::refresh() {
    const bool is_new = begin_refresh() || is_computing();
    while (is_computing()) work();
    return is_new;
}

bool Lab::begin_refresh() {
    if (!is_stale()) return false;
    begin_update();
    computed_revision_ = revision_;
    n_cells_computed_ = 0;
    take_report();
    if (!is_computing()) ++n_completed_;
    return true;
}

void Lab::work() {
    trace_.advance();
    take_report();
    if (!is_computing()) ++n_completed_;
}

bool Lab::tidy_up() {
    assert(!is_stale());
    if (!trace_.refresh_some()) return false;
    take_report(Marks::none);
    return true;
}

// A program is built from settings, shapes and the gradient's target alone, which most edits leave as they are.
void Lab::begin_update() {
    const bool has_same_form = computed_opening_ == opening() && have_equal_forms(document(), refreshed_);
    const bool has_same_program = have_equal_programs(document(), refreshed_);
    refreshed_ = document();
    form_ += has_same_form ? 0 : 1;
    if (computed_opening_ != opening()) trace_.forget_all();
    if (has_same_program) return trace_.begin_update(document().tensors);
    const Result<Program> program = build_program(document());
    assert(program); // apply() and read_session() let nothing else through
    trace_.begin_update(*program, document().tensors);
}

void Lab::take_report(Marks marks) {
    constexpr std::size_t kMostRemembered = 32;
    const UpdateReport report = trace_.take_report();
    if (marks == Marks::all) n_cells_computed_ += report.n_cells_computed;
    badge_ = is_computing() ? Badge::none : compute_badge(); // what is not computed yet is compared with nothing
    std::map<std::string, Region> changed;
    for (std::size_t node = 0; node < report.changed.size(); ++node) {
        if (!report.changed[node].empty()) changed[program().nodes[node].name] = report.changed[node];
    }
    if (computed_opening_ != opening()) changes_.clear();
    for (const auto& [tensor, cells] : changed) {
        if (computed_opening_ == opening() && marks == Marks::all) changes_[tensor].add(cells);
    }
    computed_opening_ = opening();
    if (changed.empty()) return;
    ++n_updates_;
    last_changes_.push_back(std::move(changed));
    if (last_changes_.size() > kMostRemembered) last_changes_.pop_front();
}

std::optional<Region> Lab::changes_since(int update, const std::string& tensor) const {
    const int n_missed = n_updates_ - update;
    if (n_missed > static_cast<int>(last_changes_.size())) return std::nullopt;
    Region all;
    for (auto each = last_changes_.end() - n_missed; each != last_changes_.end(); ++each) {
        const auto found = each->find(tensor);
        if (found != each->end()) all.add(found->second);
    }
    return all;
}

std::map<std::string, Region> Lab::take_changes() { return std::exchange(changes_, {}); }

Badge Lab::compute_badge() {
    if (preset_name().empty()) return Badge::none;
    if (!example_ || example_name_ != preset_name()) {
        const Result<WorkedExample> example = worked_example(preset_name());
        if (!example) return Badge::none;
        example_ = *example;
        example_name_ = preset_name();
    }
    return first_mismatch(*example_, trace_) ? Badge::differs : Badge::matches;
}

} // namespace lab
