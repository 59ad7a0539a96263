#include "app/fonts.h"

#include <cassert>
#include <cfloat>
#include <string_view>

#include <imgui.h>

#include "app/embedded_fonts.h"
#include "app/fallback_glyphs.h"
#include "app/icon_font.h"

namespace lab {
namespace {

// With `merge`, the characters go to the font added before. Null if no file of that name is embedded.
ImFont* add_file(std::string_view file_name, bool merge) {
    for (const EmbeddedFile& file : embedded_fonts()) {
        if (file_name != file.name) continue;
        ImFontConfig config;
        config.FontDataOwnedByAtlas = false;
        config.MergeMode = merge;
        // Only a reference, since text is drawn at any size. Negative: sizes are those of the em square, as in CSS and in
        // the design, rather than from the highest ascender to the lowest descender, which is a fifth smaller. The
        // widest advance is compared after division by this size.
        config.SizePixels = -13;
        config.GlyphMaxAdvanceX = -FLT_MAX;
        // Dear ImGui takes the bytes as void* but copies what it does not own.
        return ImGui::GetIO().Fonts->AddFontFromMemoryTTF(const_cast<char*>(file.data), int(file.size), 0, &config);
    }
    return nullptr;
}

ImFont* add_font(Platform& platform, std::string_view file_name) {
    ImFont* font = add_file(file_name, false);
    assert(font && "cmake/fonts.cmake embeds it");
    add_file("DejaVuSans.ttf", true);
    add_fallback_glyphs(*ImGui::GetIO().Fonts, platform);
    font->FallbackChar = 0x25A1; // □, for what no font on the machine has
    return font;
}

} // namespace

Fonts load_fonts(Platform& platform) {
    Fonts fonts;
    fonts.text = add_font(platform, "Inter-Regular.otf");
    fonts.text_semibold = add_font(platform, "Inter-SemiBold.otf");
    fonts.text_bold = add_font(platform, "Inter-Bold.otf");
    fonts.text_italic = add_font(platform, "Inter-Italic.otf");
    fonts.numbers = add_font(platform, "JetBrainsMono-Regular.ttf");
    fonts.numbers_bold = add_font(platform, "JetBrainsMono-Bold.ttf");
    fonts.icons = add_icon_font(*ImGui::GetIO().Fonts);
    ImGui::GetIO().FontDefault = fonts.text;
    return fonts;
}

} // namespace lab
