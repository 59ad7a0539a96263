#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <imgui.h>

#include "app/session/selection.h"
#include "app/session/setting_groups.h"
#include "app/session/settings_text.h"
#include "app/views/camera.h"
#include "app/views/canvas_layout.h"
#include "app/views/color_spans.h"
#include "app/views/kept_height.h"
#include "app/views/picture_store.h"
#include "app/widgets/geometry.h"
#include "app/widgets/kept_window.h"
#include "engine/derivation.h"
#include "engine/document.h"
#include "engine/shape.h"

namespace lab {

struct Explanation;
struct TokenChips;
struct TokenPills;

// A number being typed into a cell.
struct CellEditor {
    TensorCell where;
    std::string text;
    bool replaces_all = false; // the next character replaces the whole text
    std::string error;         // why the text is no number, or empty
    Rect field;                // where it stood in the last frame
    TensorCell pinned;         // when it was opened
};

// A cell's number being dragged.
struct CellDrag {
    TensorCell where;
    float value_before = 0;
    float start_value = 0;    // what it was at start_mouse
    ImVec2 start_mouse{0, 0}; // where it began, or where Shift last changed
    std::uint64_t gesture = 0;
    bool is_sideways = false; // and never a click
    bool has_moved = false;
    bool tells_kept = false; // the kept number stays explained, which this one reaches
    bool is_fine = false;    // with Shift
};

// What is told wherever the mouse lies, until it goes on: a number that was dragged, or zoomed into and has moved from under it.
struct HeldCell {
    TensorCell where;
    ImVec2 mouse{0, 0};
    int n_layouts = 0;
    float zoom = 1;
    bool is_in_grid = false;
    bool was_dragged = false;
    bool tells_kept = false; // as CellDrag does
};

// The mask being painted, from press to release.
struct MaskStroke {
    bool allows = false;
    std::uint64_t gesture = 0;
    std::string tensor = {};     // that it paints on
    std::vector<Cell> held = {}; // painted on release: while no mask is in place yet
    int n_painted = 0;           // so many that are to be undone, if the stroke is taken back
    Cell last = {};              // where the mouse was when it was looked at last
};

// The setting in the left panel that was clicked last keeps its place, so that the next click hits it again, until the mouse
// leaves the panel.
struct HeldSetting {
    unsigned id = 0;  // of the setting; 0: none
    float top = 0;    // where it stood when it was clicked
    float moved = 0;  // how far it stands from there now
    float scroll = 0; // of the panel, which brings it back
    float gap = 0;    // above the settings, where scrolling alone does not
    float height = 0; // of all that the panel holds: it does not shrink meanwhile
};

// Cells that changed a moment ago.
struct Glow {
    Region cells;
    double start_s = 0;
};

// What the explained cell was made from.
struct LitSources {
    TensorCell of;
    std::uint64_t revision = 0;
    FoldState folds;
    std::map<int, std::vector<Block>> runs; // by node, cells that follow one another as one
};

// A matrix as it stood in the last frame, where it is to stay: see keep_canvas_place.
struct HeldPlace {
    std::string tensor;      // empty: none
    ImVec2 point;            // of the window
    ImVec2 part;             // of the matrix's width and height that lies left of and above it
    float pitch = 0;         // of its columns, in points
    Rect cells;              // in the layout
    ImVec2 window;           // its size then
    bool is_painted = false; // held while a mask is painted
};

// The last layout, and what it was made for. Other words or settings are another form, but often the same request.
struct KeptLayout {
    std::optional<HeldPlace> held;
    std::uint64_t form = 0; // as Lab has it
    int opening = -1;       // of the document, as Lab counts them
    FoldState folds;
    int section = 0;
    bool shows_gradient = false;
    LayoutRequest request;
    CanvasLayout layout;
    int n_layouts = 0;                  // so far
    std::optional<TensorCell> revealed; // the pinned cell that was last scrolled to
    std::optional<int> revealed_stage;  // and the step
};

// What the mouse points at on the canvas. What comes to lie under it by chance while it rests, since all was laid out anew (as where a
// line above the canvas leaves it less room), is not hovered until the mouse acts or what was pointed at is there again. (Where keys
// choose a number UiState::keyboard_leads sees to that.)
struct Pointing {
    std::string tensor;     // in whose place it is; empty: of none
    int row = -1, col = -1; // of its cells, as shown; −1: a title, words or a folded line
    int n_layouts = 0;      // when it was looked for last, as KeptLayout has it
    bool is_by_chance = false;

    bool is_at_same_place(const Pointing& other) const {
        return tensor == other.tensor && row == other.row && col == other.col;
    }
};

// A matrix as it stood in the last frame.
struct DrawnMatrix {
    int node = 0;
    std::optional<int> head; // as in MatrixView
    ImVec2 origin, pitch;
    Rect clip; // what lies outside could not be seen
};

// What a filled matrix would begin with, and of what that was said.
struct FillPreview {
    MadeBy of;
    std::string tensor;
    std::uint64_t revision = 0;
    std::string text;
};

// What is chosen so far in the dialog that fills a matrix.
struct FillForm {
    MadeBy made_by{"rand", 123, 0, {}, {}};
    bool fills_projections = false; // W_query, W_key and W_value one after the other
    FillPreview preview;
};

// What is chosen so far in the dialog for a sentence, beside its text.
struct SentenceForm {
    std::uint64_t seed = 123;
    int width = 3;
    bool starts_anew = false; // else it takes the place of the session's sentence
    std::string error;        // why it was not taken
};

// What the canvas is to do about the pinned cell.
enum class Approach {
    none,
    into_view, // keys or a list chose it
    to_number, // it was asked for, and is to be read
};

// Where the dialog that goes to a number would go, and for what that was found.
struct Destination {
    std::uint64_t revision = 0; // of the lab
    TensorCell from;
    std::string row, col; // as typed
    bool is_next = false; // of several of the same name the one behind
    TensorCell cell;
    std::string said; // what the number there is
    std::string error;
};

// What is typed so far in that dialog.
struct GoToForm {
    std::string tensor; // chosen there; empty: of the pinned cell, or the first weights
    std::string row, col;
    bool takes_focus = false;          // another was chosen: the first field is to have the keyboard
    bool is_kept = false;              // typed when it was open last: goes on to the next of the same name
    std::optional<TensorCell> went_to; // then
    std::optional<Destination> destination;
};

// All heads side by side in place of the canvas.
struct HeadGrid {
    bool is_open = false;
    std::string tensor;      // by its name within a block; of another section the tensor of the same name
    std::set<int> combined;  // heads that are taken together as one more matrix
    bool is_maximum = false; // of them, else their average
};

// Which part of a wide window the keyboard works on, in the order of F6.
enum class KeyboardPlace { canvas, canvas_strip, left_panel, inspector, top_bar };

// What the left panel shows.
struct LeftPanelContents {
    std::uint64_t form = 0; // of the document, as Lab has it
    std::optional<TensorCell> explained;
    int query = 0, section = 0;
    std::optional<int> shown_stage;
    bool shows_gradient = false;
    Rect area;
    bool is_dark = true;
    float pixels_per_point = 1;
    int glyphs = 0; // which texture they are in: another whenever it grows
    bool is_open = true, has_more_settings = false, paints_mask = false;
    std::set<std::string> open_groups;
    std::optional<int> renamed_token;
    bool operator==(const LeftPanelContents&) const = default;
};

struct KeptLeftPanel {
    std::optional<LeftPanelContents> drawn;
    KeptWindow window;
};

// Words that are laid out by the widest of them.
struct MeasuredWords {
    std::vector<Words> lists;
    float width = 0; // in points
};

// What a person sees that is neither document nor selection: where panels and camera stand, what is being typed.
struct UiState {
    bool is_dark = true;
    Camera camera;
    KeptLayout canvas;
    Pointing pointing;
    LitSources lit_sources;
    MeasuredWords row_labels;
    std::optional<CellEditor> editor;
    std::optional<CellDrag> drag;
    std::optional<TensorCell> touched; // by a press that may turn out to drag it or to move a phone's page
    std::optional<HeldCell> held;
    // A number that can be read, under the mouse on the canvas of the last frame; or dragged.
    std::optional<TensorCell> typing_target;
    std::map<std::string, Glow> glows; // by tensor
    PictureStore pictures;             // of matrices
    ColorSpans color_spans;
    Reduction reduction = Reduction::maximum; // what a point that stands for several cells says: extremes or the mean
    std::vector<DrawnMatrix> drawn_matrices;  // of the last frame; none before a new program has been drawn
    std::vector<Rect> legends_at_foot;        // of the last frame, over cells of matrices that go on below the canvas

    HeadGrid head_grid;

    bool is_tight = false;               // the window leaves little room beside the panels
    bool left_panel_open_in_room = true; // what it is to be again in a wider one
    bool left_panel_open = true;
    bool inspector_open = true;
    bool more_settings_open = false;
    KeptLeftPanel kept_left_panel;
    HeldSetting held_setting;
    KeptSettings settings;
    KeptSettingGroups setting_groups;
    KeptHeight steps_sentence;
    std::set<std::string> open_groups;              // of those settings, by title
    std::string next_word;                          // to be decoded
    std::shared_ptr<const TokenChips> token_chips;  // where they stood in the last frame
    std::shared_ptr<const Explanation> explanation; // the last one drawn; kept until document, cell or query change
    bool help_open = false;
    std::optional<std::string> fill_dialog;     // the tensor to fill
    std::optional<std::string> sentence_dialog; // the text so far
    std::optional<std::string> path_dialog;     // desktop: the path so far
    bool path_dialog_saves = false;
    bool go_to_open = false;
    FillForm fill_form;
    SentenceForm sentence_form;
    GoToForm go_to_form;
    std::optional<int> renamed_token; // one past the last: a token that is being added
    std::string renamed_text;
    std::optional<std::string> renamed_title; // the session's title while it is being edited
    bool keys_on_tokens = false;              // the last click was on a token
    bool drags_token = false;                 // in the frame before
    bool takes_focus = false;                 // the field that is being edited has yet to get the keyboard
    bool keys_were_taken = false;             // in the frame before, by a menu, a dialog or a cell
    KeyboardPlace keyboard_at = KeyboardPlace::canvas;
    bool keyboard_leads = false; // it chose the pinned cell last: what lies under the resting mouse is not hovered
    std::optional<ImVec2> words_meant; // where the mouse came to lie on words or a title by being moved there
    // What is told of a key, or the wheel, that does nothing, until the next key or move; and what undo, saving and opening did, until the
    // next key or until the mouse goes on. On a phone both stay until the next tap.
    std::string key_note, done_note;
    std::optional<ImVec2> done_note_mouse; // where it was in the window when that was told first
    bool notes_wait_for_tap = false;

    // Settled in a view, carried out and cleared by the application at the end of the frame.
    std::optional<std::string> preset_to_open; // its name
    std::optional<std::string> path_to_open;
    std::optional<std::string> path_to_save;

    // By the row of the panel or sheet under pointer or keyboard, until that is drawn again.
    std::optional<TensorCell> lit_by_list;

    // On a narrow screen.
    std::shared_ptr<TokenPills> token_pills;     // where they stand
    int revealed_token = -1;                     // the query that they were last scrolled to
    std::map<std::string, Camera> phone_cameras; // how each tab is looked at, by title
    std::map<std::string, int> phone_queries;    // the query that was chosen when a tab was last seen
    int opened_query = -1;                       // the one that the document was opened with
    int phone_tab = -1;                          // which group of stages is shown; −1: the one with the pinned cell
    bool phone_menu_open = false;
    bool sheet_open = true;
    float sheet_pulled = 0; // by the finger on its handle: how much larger it is now, in points

    std::string error;                // what went wrong last, until the next success
    std::string passing_error;        // an error that goes with the next key or press as well: nothing is to be mended
    std::string note;                 // what the open session has that is not known here, until it is taken away
    std::string status;               // what is under the cursor, set anew each frame
    std::string status_hint;          // what can be done there
    int n_hints_dismissed = 0;        // of the new-user hints
    std::optional<ImVec2> hint_place; // where they stand on the canvas, if there is room for them
    double reading_s = 0.006;         // a frame's time for reading what pictures ask for
    std::optional<double> reads_pictures_since_s; // while pictures are not all there
    int awaits_refresh = -1;                      // the number of the one that numbers of before were last seen in,
    double awaits_since_s = 0;                    // and for how long now
    double engine_us = 0;                         // the last refresh of the trace
    bool wants_frame = false;                     // something moves by itself
    bool zooms_to_numbers = false;                // asked for, until the canvas is drawn
    Approach approach = Approach::none;           // the same
    bool paints_mask = false;                     // a press on a score or weight forbids its key
    std::optional<MaskStroke> mask_stroke;
    bool press_is_over = false; // the button is still down, but what it held was taken back: it moves nothing else
    std::uint64_t last_gesture = 0;

    void open_sentence_dialog(std::string text, bool starts_anew) {
        sentence_dialog = std::move(text);
        sentence_form.starts_anew = starts_anew;
        sentence_form.error.clear();
    }
    // Keys chose the pinned cell, wherever the mouse rests.
    void let_keyboard_lead(Approach to_it = Approach::into_view) {
        keyboard_leads = true;
        approach = to_it;
    }
    bool has_dialog() const { return help_open || fill_dialog || sentence_dialog || path_dialog || go_to_open; }
    // Whether a press is of a number, or was: it moves no canvas.
    bool holds_press() const { return drag || mask_stroke || press_is_over; }
    void take_back_press() {
        drag.reset();
        touched.reset();
        mask_stroke.reset();
        press_is_over = true;
    }
    void tell_done(std::string what) {
        key_note.clear();
        done_note = std::move(what);
        done_note_mouse.reset();
    }
    std::string& told_note() { return key_note.empty() ? done_note : key_note; }
    const std::string& shown_status() { return told_note().empty() ? status : told_note(); }
    // Beside what a key is told stands nothing: of keys that alone speaks.
    std::string shown_hint() { return told_note().empty() ? status_hint : std::string(); }
    std::string& message() { return error.empty() ? note : error; } // what is to be said until it is taken away
    std::uint64_t new_gesture() { return ++last_gesture; }
};

} // namespace lab
