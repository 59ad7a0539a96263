#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/file_words.h"
#include "app/fonts.h"
#include "app/platform.h"
#include "app/session/lab.h"
#include "app/theme.h"
#include "app/views/view.h"

namespace lab {

// Two fingers moving together, between one frame and the next, in points.
struct PinchGesture {
    float center_x = 0, center_y = 0; // between the fingers
    float dx = 0, dy = 0;             // how far that centre moved
    float scale = 1;                  // above 1: the fingers moved apart
};

// The application without a window: draws itself with Dear ImGui, whose context must exist first.
// The order within a frame: refresh_trace, draw, (rendering), apply_commands.
class App {
  public:
    explicit App(Platform& platform, ThreadPool* threads = nullptr); // what it computes on, as of Lab

    Lab& lab() { return lab_; } // for the page's JavaScript; call refresh_trace after a change

    // Brings what follows from the document up to date, as far as a frame leaves time for it.
    void refresh_trace();
    // The rest, between frames: for about so long, or until nothing is left. Who drives the frames asks again and again, and
    // lets input and the next frame in between.
    bool has_work() const;
    void work(double seconds);
    void draw();
    bool apply_commands();    // true if there were any, so that the next frame is drawn at once
    bool wants_frame() const; // while something moves by itself
    bool wants_text() const;  // so that a phone brings up its keyboard
    double engine_us() const { return ui_.engine_us; } // the last refresh that computed something
    double texture_bytes() const;                      // of the graphics card: letters and pictures

    // What the window shows, for who cannot see it: texts and, in points, where a cell stands as far as it can be seen.
    std::string status_text();      // what went wrong or is to be noted, else what is under the pointer
    std::string explanation_text(); // of the hovered or pinned cell; empty if there is none
    std::optional<Rect> cell_area(const TensorCell& cell);

    void open_bytes(const std::string& bytes);
    void open_file(const OpenedFile& file, const std::string& bytes); // the same; what is said names the file
    void open_path(const std::string& path, int n_together = 1);
    void open_preset(const std::string& name);
    void show_error(const std::string& sentence);
    // A file that could not be read, which the sentence says by name; added is only that others came along.
    void show_unread(const OpenedFile& file, const std::string& sentence);
    void pinch(const PinchGesture& gesture);

  private:
    ViewContext view_context();
    void fold_where_tight(float width);
    void draw_wide(ViewContext& context, const Rect& window);
    void answer_sentence_dialog();
    void note_edit();
    void follow(const Command& command);
    void go_through_history(const char* how, const std::string& label, bool (Lab::*step)());
    void carry_out(Action action);
    void carry_out_dialogs();
    void save_to(const std::string& path);
    void report(const Result<Done>& result);
    void show_opened_document();
    void look_from_afar();
    void show_title();
    const Theme& theme() const { return ui_.is_dark ? dark_ : light_; }

    Platform& platform_;
    Lab lab_;
    Fonts fonts_;
    Theme dark_;
    Theme light_;
    Selection selection_;
    UiState ui_;
    std::vector<CommandRequest> commands_;
    std::vector<Action> actions_;
    double input_s_ = 0;                     // when a hand last did something
    double edited_s_ = 0;                    // when the document last changed
    std::string edit_note_;                  // of those that are shown the one on the last edit that had one
    std::optional<std::string> shown_title_; // of the tab or window
    int shown_opening_ = 0;                  // the Lab::opening that selection and camera belong to
};

} // namespace lab
