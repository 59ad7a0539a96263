#include "app/platform_native_glyphs.h"

#include <cmath>
#include <fstream>
#include <iterator>
#include <vector>

#include <fontconfig/fontconfig.h>

// Dear ImGui's own copy of stb_truetype is private to it; this is a second, just as private.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#define STBTT_STATIC
#define STB_TRUETYPE_IMPLEMENTATION
#include <imstb_truetype.h>
#pragma GCC diagnostic pop

namespace lab {

struct LoadedFont {
    std::vector<unsigned char> bytes;
    stbtt_fontinfo info = {};
};

namespace {

struct FontFile {
    std::string path;
    int index = 0; // within a collection
};

FontFile find_font_file(uint32_t codepoint) {
    FcCharSet* wanted = FcCharSetCreate();
    FcCharSetAddChar(wanted, codepoint);
    FcPattern* pattern = FcPatternCreate();
    FcPatternAddCharSet(pattern, FC_CHARSET, wanted);
    FcPatternAddString(pattern, FC_FAMILY, reinterpret_cast<const FcChar8*>("sans-serif"));
    FcPatternAddBool(pattern, FC_OUTLINE, FcTrue);
    FcPatternAddBool(pattern, FC_COLOR, FcFalse);
    FcConfigSubstitute(nullptr, pattern, FcMatchPattern);
    FcDefaultSubstitute(pattern);
    FcResult result = FcResultNoMatch;
    FcPattern* match = FcFontMatch(nullptr, pattern, &result);
    FontFile file;
    FcChar8* path = nullptr;
    FcCharSet* has = nullptr;
    if (match && FcPatternGetCharSet(match, FC_CHARSET, 0, &has) == FcResultMatch && FcCharSetHasChar(has, codepoint) &&
        FcPatternGetString(match, FC_FILE, 0, &path) == FcResultMatch) {
        file.path = reinterpret_cast<const char*>(path);
        FcPatternGetInteger(match, FC_INDEX, 0, &file.index);
    }
    if (match) FcPatternDestroy(match);
    FcPatternDestroy(pattern);
    FcCharSetDestroy(wanted);
    return file;
}

std::unique_ptr<LoadedFont> load_font(const FontFile& file) {
    auto font = std::make_unique<LoadedFont>();
    std::ifstream stream(file.path, std::ios::binary);
    font->bytes.assign(std::istreambuf_iterator<char>(stream), {});
    if (font->bytes.empty()) return nullptr;
    const int offset = stbtt_GetFontOffsetForIndex(font->bytes.data(), file.index & 0xFFFF);
    if (offset < 0 || !stbtt_InitFont(&font->info, font->bytes.data(), offset)) return nullptr;
    return font;
}

} // namespace

SystemFonts::SystemFonts() = default;
SystemFonts::~SystemFonts() = default;

const LoadedFont* SystemFonts::font_with(uint32_t codepoint) {
    const auto known = fonts_by_codepoint_.find(codepoint);
    if (known != fonts_by_codepoint_.end()) return known->second;
    const LoadedFont* font = nullptr;
    const FontFile file = find_font_file(codepoint);
    if (!file.path.empty()) {
        const std::string key = file.path + "#" + std::to_string(file.index);
        if (!fonts_by_file_.contains(key)) fonts_by_file_[key] = load_font(file);
        font = fonts_by_file_[key].get();
    }
    if (font && stbtt_FindGlyphIndex(&font->info, int(codepoint)) == 0) font = nullptr;
    fonts_by_codepoint_[codepoint] = font;
    return font;
}

bool SystemFonts::rasterize(uint32_t codepoint, float size_px, GlyphBitmap& glyph) {
    const LoadedFont* font = font_with(codepoint);
    if (!font) return false;
    const float scale = stbtt_ScaleForMappingEmToPixels(&font->info, size_px);
    int advance = 0, bearing = 0;
    stbtt_GetCodepointHMetrics(&font->info, int(codepoint), &advance, &bearing);
    glyph.advance_px = float(advance) * scale;
    unsigned char* coverage = stbtt_GetCodepointBitmap(&font->info, scale, scale, int(codepoint), &glyph.width_px,
                                                       &glyph.height_px, &glyph.left_px, &glyph.top_px);
    const size_t n_pixels = coverage ? size_t(glyph.width_px) * size_t(glyph.height_px) : 0;
    glyph.rgba.assign(4 * n_pixels, 255);
    for (size_t i = 0; i < n_pixels; ++i) glyph.rgba[4 * i + 3] = coverage[i];
    stbtt_FreeBitmap(coverage, nullptr);
    return true;
}

} // namespace lab
