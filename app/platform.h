#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/widgets/value_coloring.h"

struct ImDrawList;

namespace lab {

// A rectangle of the window in points, as Dear ImGui counts them.
struct ScreenArea {
    float left = 0, top = 0, right = 0, bottom = 0;
};

// A character drawn by the machine's own fonts. Lengths in pixels; y grows downwards from the baseline.
struct GlyphBitmap {
    float advance_px = 0;
    int left_px = 0, top_px = 0; // of the picture's corner, from the pen's place on the baseline
    int width_px = 0, height_px = 0;
    bool colored = false;      // an emoji; otherwise white whose alpha is the coverage
    std::vector<uint8_t> rgba; // 4 · width · height, not premultiplied; empty for a blank
};

// What the application asks of the outer world. One implementation per platform, chosen by CMake.
class Platform {
  public:
    virtual ~Platform() = default;

    // True in the page. On the desktop files are opened by path: there, ask for one and call read_file.
    virtual bool has_file_dialog() const = 0;

    // A browser opens its dialog only inside an input event, before the next frame is drawn. So the application says in
    // every frame where its Open button stands (an empty area: nowhere), and the platform opens the dialog itself
    // when that area is clicked, or on Ctrl+O. What was chosen arrives by App::open_file.
    virtual void set_file_dialog_area(ScreenArea area) = 0;

    // Reads a file by its path. The result is empty on success, else one sentence. In the page: always an error.
    virtual std::string read_file(const std::string& path, std::string& bytes) = 0;

    // Writes a file (desktop: by its path; page: a download of that name). Empty on success, else one sentence.
    virtual std::string save_file(const std::string& name, const std::string& bytes) = 0;

    // Small texts that outlive the program, such as the theme. Empty where nothing was stored.
    virtual std::string load_preference(const std::string& key) = 0;
    virtual void store_preference(const std::string& key, const std::string& value) = 0;

    virtual bool has_coarse_pointer() const = 0; // a finger rather than a mouse
    virtual bool prefers_dark() const = 0;       // what the system's own theme is
    virtual double now_s() const = 0;            // seconds since some start, never falling

    // The title of the window or the tab.
    virtual void set_title(const std::string& title) = 0;

    // What a draw list shows between the two are textures of numbers, coloured so; without a graphics card nothing happens.
    virtual void begin_values(ImDrawList&, const ValueColoring&) {}
    virtual void end_values(ImDrawList&) {}

    // Draws a character that the embedded fonts lack, `size_px` high; false where no font on the machine has it.
    virtual bool rasterize_glyph(uint32_t codepoint, float size_px, GlyphBitmap& glyph) = 0;
};

} // namespace lab
