#pragma once

#include <map>
#include <memory>
#include <string>

#include <SDL.h>

#include "app/app_loop.h"
#include "app/graphics_values.h"
#include "app/platform.h"

namespace lab {

class SystemFonts; // platform_native_glyphs.cpp

// The desktop: files by path, preferences in a small file, fonts by fontconfig.
class NativePlatform final : public Platform {
  public:
    NativePlatform();
    ~NativePlatform() override;

    void set_window(SDL_Window* window) { window_ = window; }

    bool has_file_dialog() const override { return false; }
    void set_file_dialog_area(ScreenArea) override {}
    std::string read_file(const std::string& path, std::string& bytes) override;
    std::string save_file(const std::string& name, const std::string& bytes) override;
    std::string load_preference(const std::string& key) override;
    void store_preference(const std::string& key, const std::string& value) override;
    bool has_coarse_pointer() const override { return false; }
    bool prefers_dark() const override { return true; }
    double now_s() const override;
    void set_title(const std::string& title) override;
    void begin_values(ImDrawList& list, const ValueColoring& coloring) override { values_.begin(list, coloring); }
    void end_values(ImDrawList& list) override { values_.end(list); }
    bool rasterize_glyph(uint32_t codepoint, float size_px, GlyphBitmap& glyph) override;

  private:
    SDL_Window* window_ = nullptr;
    std::map<std::string, std::string> preferences_;
    std::unique_ptr<SystemFonts> fonts_;
    ValueShader values_;
};

// The window's size in points and pixels. Where the system does not scale windows itself (X11), GDK_SCALE does.
SurfaceSize measure_surface(SDL_Window* window);

} // namespace lab
