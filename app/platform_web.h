#pragma once

#include <string>

#include "app/graphics_values.h"
#include "app/platform.h"

namespace lab {

// The page. What a browser does is done in web/lab.js, behind `Module.host`; here is only the way there.
class WebPlatform final : public Platform {
  public:
    bool has_file_dialog() const override { return true; }
    void set_file_dialog_area(ScreenArea area) override { file_dialog_area_ = area; }
    std::string read_file(const std::string& path, std::string& bytes) override;
    std::string save_file(const std::string& name, const std::string& bytes) override;
    std::string load_preference(const std::string& key) override;
    void store_preference(const std::string& key, const std::string& value) override;
    bool has_coarse_pointer() const override;
    bool prefers_dark() const override;
    double now_s() const override;
    void set_title(const std::string& title) override;
    void begin_values(ImDrawList& list, const ValueColoring& coloring) override { values_.begin(list, coloring); }
    void end_values(ImDrawList& list) override { values_.end(list); }
    bool rasterize_glyph(uint32_t codepoint, float size_px, GlyphBitmap& glyph) override;

    ScreenArea file_dialog_area() const { return file_dialog_area_; }
    void prepare_graphics(); // for what the first picture did without
    void forget_graphics();  // the browser has taken them away

  private:
    ScreenArea file_dialog_area_;
    ValueShader values_;
};

} // namespace lab
