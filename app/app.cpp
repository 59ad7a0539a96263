#include "app/app.h"

#include <algorithm>
#include <utility>

#include <imgui.h>
#include <imgui_internal.h>

#include "app/file_words.h"
#include "app/session/sizes.h"
#include "app/views/canvas_camera.h"
#include "app/views/explanation_text.h"
#include "app/views/explanation_widgets.h"
#include "app/views/gradient_choice.h"
#include "app/views/mask_painting.h"
#include "app/views/matrix_picture.h"
#include "app/views/phone_camera.h"
#include "app/views/shortcuts.h"
#include "app/views/views.h"
#include "app/widgets/controls.h"

namespace lab {

namespace {

constexpr float kNarrow = 700;                         // points; a narrower window is laid out as a phone
constexpr float kUprightTablet = 900, kUpright = 1.2f; // so is a tablet's that stands upright
// Of a frame: on what follows from an edit, the rest being done between frames; and on reading for pictures, of which there may
// be more while no hand moves.
constexpr double kWorkPerFrame_s = 0.008, kReadingPerFrame_s = 0.006, kAloneFactor = 3;
constexpr double kHandRests_s = 0.3;
constexpr double kRestBeforeTidying_s = 0.5; // after the last edit
constexpr float kLow = 480;                  // so is a lower one that is not wide

bool has_input(const ImGuiIO& io) {
    return mouse_acts() || io.InputQueueCharacters.Size > 0 || io.KeyCtrl || io.KeyShift;
}

bool is_phone(ImVec2 size) {
    const bool is_upright = size.y > kUpright * size.x && size.x < kUprightTablet;
    return size.x < kNarrow || is_upright || (size.y < kLow && size.x < 2 * kNarrow);
}

} // namespace

App::App(Platform& platform, ThreadPool* threads)
    : platform_(platform), lab_(threads),
      fonts_(load_fonts(platform)), dark_{kDarkPalette, fonts_}, light_{kLightPalette, fonts_} {
    const std::string stored = platform_.load_preference("theme");
    ui_.is_dark = stored.empty() ? platform_.prefers_dark() : stored == "dark";
    const std::string hints = platform_.load_preference("hints");
    ui_.n_hints_dismissed = hints.empty() ? 0 : std::atoi(hints.c_str());
    if (platform_.load_preference("reduction") == "mean") ui_.reduction = Reduction::mean;
    apply_to_imgui_style(theme());
    show_opened_document();
    show_title();
}

void App::refresh_trace() {
    const double start_s = platform_.now_s();
    const bool is_alone = start_s - input_s_ > kHandRests_s;
    ui_.reading_s = kReadingPerFrame_s * (is_alone ? kAloneFactor : 1);
    const bool had_gradient = lab_.program().target >= 0;
    if (lab_.begin_refresh()) {
        edited_s_ = start_s;
        selection_.fit(lab_.program());
        if (!had_gradient && lab_.program().target >= 0) {
            ViewContext context = view_context();
            pin_what_is_shown(context);
        }
        ui_.drawn_matrices.clear();
        ui_.lit_by_list.reset();
        // What was opened is drawn first: then it is known which pictures are wanted of what is computed.
        const bool goes_on = lab_.opening() == shown_opening_;
        while (goes_on && lab_.is_computing() && platform_.now_s() - start_s < kWorkPerFrame_s) lab_.work();
        ui_.engine_us = 1e6 * (platform_.now_s() - start_s);
    }
    if (lab_.opening() != shown_opening_) show_opened_document();
    show_title();
    const double done_s = platform_.now_s();
    for (auto& [tensor, cells] : lab_.take_changes()) ui_.glows[tensor] = {cells, done_s};
}

bool App::has_work() const {
    const bool is_at_rest = platform_.now_s() - edited_s_ > kRestBeforeTidying_s;
    return !lab_.is_stale() && (lab_.is_computing() || (is_at_rest && !lab_.is_tidy()));
}

void App::work(double seconds) {
    const double start_s = platform_.now_s();
    while (has_work() && platform_.now_s() - start_s < seconds) {
        if (!lab_.is_computing()) {
            lab_.tidy_up();
            continue;
        }
        const double begin_s = platform_.now_s();
        lab_.work();
        ui_.engine_us += 1e6 * (platform_.now_s() - begin_s);
    }
}

// Another document lies open: what was selected and where one looked belonged to the one before.
void App::show_opened_document() {
    ui_.note = lab_.opening() > shown_opening_ ? joined_notes(lab_.notes()) : std::string(); // undoing opens without
    shown_opening_ = lab_.opening();
    selection_ = default_selection(lab_.trace());
    look_from_afar();
    ui_.error.clear();
    ui_.key_note.clear();
    ui_.done_note.clear();
    ui_.phone_menu_open = false;
    ui_.phone_queries.clear();
    ui_.opened_query = selection_.query;
    ui_.token_pills.reset();
    ui_.editor.reset();
    ui_.drag.reset();
    ui_.touched.reset();
    ui_.held.reset();
    ui_.typing_target.reset();
    ui_.glows.clear();
    ui_.color_spans.clear();
    ui_.head_grid = {};
    ui_.go_to_open = false;
    ui_.go_to_form = {};
    ui_.paints_mask = false;
    ui_.mask_stroke.reset();
    lab_.take_changes();
}

// What is shown has another size: it is seen as a whole.
void App::look_from_afar() {
    ui_.camera.is_fitted = true;
    ui_.phone_cameras.clear();
    ui_.zooms_to_numbers = false;
    ui_.approach = Approach::none;
}

// Of the browser's tab, or the window.
void App::show_title() {
    if (shown_title_ == lab_.title()) return;
    shown_title_ = lab_.title();
    platform_.set_title(lab_.title().empty() ? "Attention Lab" : lab_.title() + " – Attention Lab");
}

ViewContext App::view_context() { return {lab_, selection_, ui_, theme(), platform_, commands_, actions_}; }

void App::draw() {
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    if (has_input(ImGui::GetIO())) input_s_ = platform_.now_s();
    for (ImFont* font : ImGui::GetIO().Fonts->Fonts) font->CurrentRasterizerDensity = ImGui::GetFontRasterizerDensity();
    ui_.wants_frame = false;
    ui_.status.clear();
    ui_.status_hint.clear();
    ui_.drawn_matrices.clear();
    ui_.camera.area = {};
    for (auto& [tab, camera] : ui_.phone_cameras) camera.area = {};
    selection_.hovered.reset();
    ViewContext context = view_context();
    const bool is_on_phone = ui_.notes_wait_for_tap = is_phone(size);
    handle_keys(context);
    settle_mask_stroke(context);
    if (is_on_phone)
        draw_phone(context, {0, 0, size.x, size.y});
    else
        draw_wide(context, {0, 0, size.x, size.y});
    refresh_pictures(context);
    draw_dialogs(context);
}

// In a tight window the panel of steps and settings is folded away until one asks for it.
void App::fold_where_tight(float width) {
    constexpr float kTight = 1100;
    const bool is_tight = width < kTight;
    if (is_tight == ui_.is_tight) return;
    ui_.is_tight = is_tight;
    if (is_tight) ui_.left_panel_open_in_room = ui_.left_panel_open;
    ui_.left_panel_open = !is_tight && ui_.left_panel_open_in_room;
}

// The canvas comes first, so that the panels see what is hovered on it in the same frame.
void App::draw_wide(ViewContext& context, const Rect& window) {
    fold_where_tight(window.width());
    const float top = spacing::kTopBar, bottom = window.bottom - spacing::kStatusBar;
    const float left = ui_.left_panel_open ? spacing::kLeftPanel : spacing::kFoldedPanel;
    const float right = window.right - (ui_.inspector_open ? spacing::kInspector : spacing::kFoldedPanel);
    draw_canvas(context, {left, top, right, bottom});
    draw_left_panel(context, {0, top, left, bottom});
    draw_inspector(context, {right, top, window.right, bottom});
    draw_top_bar(context, {0, 0, window.right, top});
    draw_status_bar(context, {0, bottom, window.right, window.bottom});
}

bool App::apply_commands() {
    const bool had_any = !commands_.empty() || !actions_.empty();
    for (const CommandRequest& request : std::exchange(commands_, {})) {
        const int n_before = n_tokens(lab_.document());
        const std::uint64_t revision_before = lab_.revision();
        const Result<Done> done = lab_.perform(request.command, request.gesture);
        report(done);
        if (std::holds_alternative<SetGradient>(request.command)) ui_.passing_error = ui_.error;
        if (std::holds_alternative<SetSentence>(request.command)) {
            answer_sentence_dialog();
            if (n_tokens(lab_.document()) != n_before) look_from_afar();
        }
        if (done) follow(request.command);
        // A number set by hand leaves the note: so is filled what it speaks of.
        const bool has_changed = lab_.revision() != revision_before;
        if (has_changed && !std::holds_alternative<SetCell>(request.command)) note_edit();
    }
    for (Action action : std::exchange(actions_, {})) carry_out(action);
    carry_out_dialogs();
    return had_any || lab_.is_stale();
}

// A sentence that can't be taken stays where it was typed. What comes of one that is taken is seen at once.
void App::answer_sentence_dialog() {
    if (ui_.error.empty()) {
        ui_.sentence_dialog.reset();
        ui_.phone_menu_open = false;
    }
    ui_.sentence_form.error = ui_.error;
}

// Stands until it is taken away, or another edit or undo makes it untrue.
void App::note_edit() {
    const std::string note = lab_.edit_note().empty() ? std::string() : joined_notes({lab_.edit_note()});
    if (!note.empty() || ui_.note == edit_note_) ui_.note = note;
    edit_note_ = note;
}

// What is chosen stays with its word, and a gradient that is asked for is shown. The program is still the one from before the
// command.
void App::follow(const Command& command) {
    if (const auto* gradient = std::get_if<SetGradient>(&command); gradient != nullptr && !gradient->target.empty())
        selection_.shows_gradient = true;
    std::visit(
        [&](const auto& edit) {
            if constexpr (requires { place_after(edit, 0); })
                selection_.follow_tokens([&](int place) { return place_after(edit, place); }, lab_.program());
        },
        command);
}

// Says what it was, which may be out of sight: a gradient that is hidden, a number beside the view.
void App::go_through_history(const char* how, const std::string& label, bool (Lab::*step)()) {
    if ((lab_.*step)()) {
        refresh_trace(); // where another document comes back, notes of this one go
        ui_.error.clear();
        ui_.tell_done(std::string(how) + ": " + label);
    } else {
        ui_.tell_done(std::string("nothing is left to be ") + how);
    }
    note_edit();
}

void App::carry_out(Action action) {
    switch (action) {
    case Action::undo: go_through_history("undone", lab_.undo_label(), &Lab::undo); break;
    case Action::redo: go_through_history("done again", lab_.redo_label(), &Lab::redo); break;
    case Action::open:
        ui_.path_dialog = "";
        ui_.path_dialog_saves = false;
        break;
    case Action::save:
        if (platform_.has_file_dialog())
            save_to(file_name_for(lab_.title()));
        else {
            ui_.path_dialog = file_name_for(lab_.title());
            ui_.path_dialog_saves = true;
        }
        break;
    case Action::new_document:
        ui_.open_sentence_dialog("", true); // its hint is a sentence
        break;
    case Action::toggle_theme:
        ui_.is_dark = !ui_.is_dark;
        apply_to_imgui_style(theme());
        platform_.store_preference("theme", ui_.is_dark ? "dark" : "light");
        break;
    case Action::show_help: ui_.help_open = true; break;
    case Action::fit_view:
        ui_.camera.is_fitted = true;
        fit_tabs(ui_);
        break;
    }
}

// What menus and dialogs settled.
void App::carry_out_dialogs() {
    if (const auto name = std::exchange(ui_.preset_to_open, {})) open_preset(*name);
    if (const auto path = std::exchange(ui_.path_to_open, {})) open_path(*path);
    if (const auto path = std::exchange(ui_.path_to_save, {})) save_to(*path);
}

void App::open_path(const std::string& path, int n_together) {
    std::string bytes;
    const OpenedFile file{name_of_path(path), n_together};
    const std::string error = platform_.read_file(path, bytes);
    if (error.empty())
        open_file(file, bytes);
    else
        show_unread(file, error);
}

void App::save_to(const std::string& path) {
    const std::string error = platform_.save_file(path, lab_.session_text());
    ui_.error = error;
    if (!error.empty()) return;
    lab_.mark_saved();
    const char* how = platform_.has_file_dialog() ? "downloading " : "saved as "; // where the browser puts it
    ui_.tell_done(how + name_of_path(path));
}

void App::report(const Result<Done>& result) { ui_.error = result ? std::string() : result.error(); }

void App::open_bytes(const std::string& bytes) {
    report(lab_.open_text(bytes));
    refresh_trace();
}

void App::open_file(const OpenedFile& file, const std::string& bytes) {
    open_bytes(bytes);
    if (!ui_.error.empty()) return show_error(error_in(file, ui_.error));
    ui_.note = joined_notes(lab_.notes()); // also where it was open already
    if (!ui_.notes_wait_for_tap) ui_.tell_done("opened " + file.name);
    const std::string left = left_files_text(file);
    ui_.note += (ui_.note.empty() || left.empty() ? "" : "; ") + left;
}

void App::open_preset(const std::string& name) {
    report(lab_.open_preset(name));
    refresh_trace();
}

void App::show_error(const std::string& sentence) { ui_.error = sentence; }

void App::show_unread(const OpenedFile& file, const std::string& sentence) {
    show_error(file.n_together < 2 ? sentence : error_in(file, sentence));
}

bool App::wants_frame() const { return ui_.wants_frame || lab_.is_stale() || lab_.is_computing() || !lab_.is_tidy(); }

bool App::wants_text() const { return ImGui::GetIO().WantTextInput || ui_.editor.has_value(); }

double App::texture_bytes() const {
    double n_bytes = 0;
    for (const ImTextureData* texture : ImGui::GetPlatformIO().Textures) n_bytes += texture->GetSizeInBytes();
    return n_bytes;
}

std::string App::status_text() {
    const std::string& message = ui_.message();
    return message.empty() ? ui_.shown_status() : message;
}

std::string App::explanation_text() {
    const auto cell = explained_cell(view_context());
    if (!cell || lab_.program().find(cell->tensor) < 0) return {};
    if (!is_reached(view_context(), *cell)) return not_yet_text(*cell, lab_.program());
    return to_text(explain(lab_, *cell, Viewpoint(selection_)), lab_.document(), lab_.program());
}

std::optional<Rect> App::cell_area(const TensorCell& cell) {
    ViewContext context = view_context();
    return drawn_area(context, cell);
}

// Where neither canvas nor a phone's matrices are drawn, two fingers do nothing.
void App::pinch(const PinchGesture& gesture) {
    const ImVec2 center{gesture.center_x, gesture.center_y};
    const ImVec2 by{gesture.dx, gesture.dy}, before{center.x - by.x, center.y - by.y};
    if (pinch_tab(ui_, before, by, gesture.scale)) return ui_.drag.reset();
    if (!ui_.camera.area.contains(center)) return;
    ui_.drag.reset();
    ViewContext context = view_context();
    zoom_canvas_about(context, before, gesture.scale);
    pan(ui_.camera, by);
}

} // namespace lab
