#include "app/icon_font.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "app/packed_glyph.h"
#include "app/widgets/icon_strokes.h"

namespace lab {
namespace {

bool is_icon(ImWchar codepoint) {
    return codepoint >= kFirstIconCharacter && codepoint < kFirstIconCharacter + kIconCharacters;
}

float distance_to_line(ImVec2 point, ImVec2 from, ImVec2 to) {
    const float x = to.x - from.x, y = to.y - from.y, length2 = x * x + y * y;
    const float along = length2 > 0 ? ((point.x - from.x) * x + (point.y - from.y) * y) / length2 : 0;
    const float t = std::clamp(along, 0.0f, 1.0f);
    return std::hypot(point.x - from.x - t * x, point.y - from.y - t * y);
}

// White on nothing; a pixel's alpha is the share of it that a stroke covers.
class IconPicture {
  public:
    IconPicture(float size_px, IconPhase phase)
        : scale_(size_px / kIconGrid), moved_{phase.half_x ? 0.5f : 0.0f, phase.half_y ? 0.5f : 0.0f} {
        glyph_.width_px = glyph_.height_px =
            static_cast<int>(std::ceil(size_px)) + 1; // which may be half a pixel further
        glyph_.rgba.assign(4 * static_cast<std::size_t>(glyph_.width_px * glyph_.height_px), 255);
        for (std::size_t i = 3; i < glyph_.rgba.size(); i += 4) glyph_.rgba[i] = 0;
    }

    void add(const IconStroke& stroke) {
        const auto placed = [&](ImVec2 point) {
            return ImVec2{scale_ * point.x + moved_.x, scale_ * point.y + moved_.y};
        };
        const float radius = std::max(scale_ * stroke.width, 1.0f) / 2; // a thinner one would be pale
        for (std::size_t i = 1; i < stroke.points.size(); ++i)
            add_line(placed(stroke.points[i - 1]), placed(stroke.points[i]), radius);
    }

    const GlyphBitmap& glyph() const { return glyph_; }

  private:
    void add_line(ImVec2 from, ImVec2 to, float radius) {
        const float reach = radius + 1;
        const auto first = [&](float a, float b) { return std::max(0, static_cast<int>(std::min(a, b) - reach)); };
        const auto end = [&](float a, float b) {
            return std::min(glyph_.width_px, static_cast<int>(std::max(a, b) + reach) + 1);
        };
        for (int y = first(from.y, to.y); y < end(from.y, to.y); ++y) {
            for (int x = first(from.x, to.x); x < end(from.x, to.x); ++x) {
                const ImVec2 middle{static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f};
                cover(x, y, radius + 0.5f - distance_to_line(middle, from, to));
            }
        }
    }

    void cover(int x, int y, float share) {
        std::uint8_t& alpha = glyph_.rgba[4 * static_cast<std::size_t>(y * glyph_.width_px + x) + 3];
        alpha = std::max(alpha, static_cast<std::uint8_t>(std::lround(255 * std::clamp(share, 0.0f, 1.0f))));
    }

    GlyphBitmap glyph_;
    float scale_; // pixels for one of the grid
    ImVec2 moved_;
};

bool has_icon(ImFontAtlas*, ImFontConfig*, ImWchar codepoint) { return is_icon(codepoint); }

bool load_icon(ImFontAtlas* atlas, ImFontConfig* source, ImFontBaked* baked, void*, ImWchar codepoint,
               ImFontGlyph* glyph, float* advance_only) {
    if (!is_icon(codepoint)) return false;
    if (advance_only) {
        *advance_only = baked->Size;
        return true;
    }
    IconPicture picture(baked->Size * baked->RasterizerDensity, phase_of(codepoint));
    for (const IconStroke& stroke : icon_strokes(icon_of(codepoint))) picture.add(stroke);
    glyph->Codepoint = codepoint;
    glyph->AdvanceX = baked->Size;
    return pack_glyph({atlas, source, baked}, picture.glyph(), *glyph);
}

const ImFontLoader& icon_loader() {
    static const ImFontLoader loader = glyph_loader("icons", has_icon, load_icon);
    return loader;
}

} // namespace

ImFont* add_icon_font(ImFontAtlas& atlas) {
    ImFontConfig config;
    config.FontLoader = &icon_loader();
    return atlas.AddFont(&config);
}

} // namespace lab
