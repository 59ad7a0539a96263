#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "app/platform.h"

namespace lab {

struct LoadedFont; // a font file in memory

// The fonts of this machine, found by fontconfig, drawn as outlines by stb_truetype. Colour fonts have no outlines, so an
// emoji is a silhouette where some font has one.
class SystemFonts {
  public:
    SystemFonts();
    ~SystemFonts();

    bool rasterize(uint32_t codepoint, float size_px, GlyphBitmap& glyph);

  private:
    const LoadedFont* font_with(uint32_t codepoint);

    std::map<std::string, std::unique_ptr<LoadedFont>> fonts_by_file_;
    std::map<uint32_t, const LoadedFont*> fonts_by_codepoint_; // null: no font has it
};

} // namespace lab
