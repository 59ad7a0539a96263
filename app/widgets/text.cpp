#include "app/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <imgui_internal.h>

#include "app/widgets/pixels.h"

namespace lab {

namespace {

constexpr float kLineHeight = 1.5f; // of the size

// Distance from the top of a line, as Dear ImGui places text, to its baseline.
float ascent(const TextStyle& style) { return style.font->GetFontBaked(style.size)->Ascent; }

// Glyphs whose pixels are the screen's own. Dear ImGui keeps glyphs of whole sizes and stretches them to others, where a
// thin line may fall between two pixels; so a whole size is asked for at the density that makes up for the difference.
struct Face {
    ImFontBaked* baked;
    float scale; // from the baked size to the one wanted
};

Face face_of(const TextStyle& style) {
    const float whole = std::max(1.0f, std::nearbyint(style.size));
    const float height_px =
        std::max(1.0f, std::nearbyint(style.size * pixels_per_point() * 2) / 2); // few enough sizes to keep
    return {style.font->GetFontBaked(whole, height_px / whole), style.size / whole};
}

// Most characters are one byte, which need not be decoded.
ImWchar next_character(const char*& at, const char* end) {
    auto character = static_cast<unsigned int>(static_cast<unsigned char>(*at));
    at += character < 0x80 ? 1 : ImTextCharFromUtf8(&character, at, end);
    return static_cast<ImWchar>(character);
}

// As FindGlyph, which is no inline function.
const ImFontGlyph& glyph_of(ImFontBaked& baked, ImWchar character) {
    const int i = character < static_cast<unsigned>(baked.IndexLookup.Size) ? baked.IndexLookup[character] : -1;
    return i >= 0 && i < baked.Glyphs.Size ? baked.Glyphs[i] : *baked.FindGlyph(character);
}

// Calls visit(glyph, pen, at) for the characters, pen being the distance from the left end, until it returns false; returns
// where it ended.
template <class Visit> float walk(const Face& face, std::string_view text, Visit visit) {
    const char* next = text.data();
    const char* end = next + text.size();
    float pen = 0;
    while (next < end) {
        const char* at = next;
        const ImFontGlyph& glyph = glyph_of(*face.baked, next_character(next, end));
        if (!visit(glyph, pen, at)) break;
        pen += glyph.AdvanceX * face.scale;
    }
    return pen;
}

// As `walk`, by the widths alone: there are hundreds of words in a frame. They stand for glyphs that are loaded.
float width_of(const Face& face, std::string_view text) {
    const ImVector<float>& widths = face.baked->IndexAdvanceX;
    const char* next = text.data();
    const char* end = next + text.size();
    float width = 0;
    while (next < end) {
        const ImWchar character = next_character(next, end);
        const float known = character < static_cast<unsigned>(widths.Size) ? widths[character] : -1;
        width += (known >= 0 ? known : face.baked->FindGlyph(character)->AdvanceX) * face.scale;
    }
    return width;
}

// Two triangles for each glyph. Where they go stands in variables of its own: behind the draw list's it would be read anew after
// every number that is written.
class GlyphWriter {
  public:
    GlyphWriter(ImDrawList& draw_list, int n_most, ImU32 color)
        : draw_list_(draw_list), n_left_(n_most), color_(color) {
        draw_list.PrimReserve(6 * n_most, 4 * n_most);
        vertex_ = draw_list._VtxWritePtr;
        index_ = draw_list._IdxWritePtr;
        next_ = draw_list._VtxCurrentIdx;
    }
    GlyphWriter(const GlyphWriter&) = delete;
    GlyphWriter& operator=(const GlyphWriter&) = delete;
    ~GlyphWriter() {
        draw_list_._VtxWritePtr = vertex_;
        draw_list_._IdxWritePtr = index_;
        draw_list_._VtxCurrentIdx = next_;
        draw_list_.PrimUnreserve(6 * n_left_, 4 * n_left_);
    }

    // From the left end and the top of a line.
    void add(const ImFontGlyph& glyph, float scale, ImVec2 pen) {
        const float left = pen.x + glyph.X0 * scale, right = pen.x + glyph.X1 * scale;
        const float top = pen.y + glyph.Y0 * scale, bottom = pen.y + glyph.Y1 * scale;
        const ImU32 color = glyph.Colored ? color_ | ~IM_COL32_A_MASK : color_;
        vertex_[0] = {{left, top}, {glyph.U0, glyph.V0}, color};
        vertex_[1] = {{right, top}, {glyph.U1, glyph.V0}, color};
        vertex_[2] = {{right, bottom}, {glyph.U1, glyph.V1}, color};
        vertex_[3] = {{left, bottom}, {glyph.U0, glyph.V1}, color};
        index_[0] = index_[3] = next_;
        index_[1] = next_ + 1;
        index_[2] = index_[4] = next_ + 2;
        index_[5] = next_ + 3;
        vertex_ += 4;
        index_ += 6;
        next_ += 4;
        --n_left_;
    }

  private:
    ImDrawList& draw_list_;
    int n_left_;
    ImU32 color_;
    ImDrawVert* vertex_;
    ImDrawIdx* index_;
    unsigned next_;
};

struct Measured {
    std::string_view text;
    float width = 0;
};

// Measuring has loaded every glyph, so that the texture does not grow while its corners are written down.
void draw_measured(ImDrawList& draw_list, const TextStyle& style, const Face& face, ImVec2 baseline,
                   const Measured& measured) {
    const auto [text, width] = measured;
    const float share = style.align == Align::left ? 0.0f : style.align == Align::center ? 0.5f : 1.0f;
    const ImVec2 start{snapped_to_pixel(baseline.x - width * share), snapped_to_pixel(baseline.y)};
    const ImVec2 clip_min = draw_list.GetClipRectMin();
    const ImVec2 clip_max = draw_list.GetClipRectMax();
    const bool is_in_sight = start.y + style.size > clip_min.y && start.y - 2 * style.size < clip_max.y &&
                             start.x + width > clip_min.x && start.x < clip_max.x;
    if (!is_in_sight) return;
    const float top = start.y - std::nearbyint(face.baked->Ascent) * face.scale;
    GlyphWriter writer(draw_list, static_cast<int>(text.size()), style.color.u32()); // no more characters than bytes
    walk(face, text, [&](const ImFontGlyph& glyph, float pen, const char*) {
        if (glyph.Visible) writer.add(glyph, face.scale, {start.x + pen, top});
        return true;
    });
}

std::string_view cut_to_width(const Face& face, std::string_view text, float width) {
    const char* cut = text.data() + text.size();
    walk(face, text, [&](const ImFontGlyph& glyph, float pen, const char* at) {
        const bool fits = pen + glyph.AdvanceX * face.scale <= width;
        if (!fits) cut = at;
        return fits;
    });
    return text.substr(0, static_cast<std::size_t>(cut - text.data()));
}

// The longest end that is no wider and does not begin within a character.
std::string_view end_within(const Face& face, std::string_view text, float width) {
    const char* cut = text.data() + text.size();
    const float whole = width_of(face, text);
    walk(face, text, [&](const ImFontGlyph&, float pen, const char* at) {
        cut = at;
        return whole - pen > width;
    });
    const std::string_view end = text.substr(static_cast<std::size_t>(cut - text.data()));
    return width_of(face, end) <= width ? end : std::string_view();
}

// What tells labels apart that begin alike: the last of several words, or the number that a word ends with. Either may be nothing.
std::string_view last_word(std::string_view text) {
    const std::size_t blank = text.rfind(' ');
    return text.substr(blank == std::string_view::npos ? text.size() : blank + 1);
}
std::string_view number_at_end(std::string_view text) {
    return text.substr(text.find_last_not_of("0123456789") + 1); // npos + 1 is 0
}

} // namespace

void append_character(std::string& text, ImWchar character) {
    char bytes[5] = {};
    ImTextCharToUtf8(bytes, character);
    text += bytes;
}

std::string on_one_line(std::string_view text) {
    std::string line;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool parts = text[i] >= '\t' && text[i] <= '\r';
        const bool is_counted = text[i] == '\n' && i > 0 && text[i - 1] == '\r'; // the two are one line break
        if (!is_counted) line += parts ? ' ' : text[i];
    }
    return line;
}

float text_width(const TextStyle& style, std::string_view text) { return width_of(face_of(style), text); }

float draw_text(ImDrawList& draw_list, const TextStyle& style, ImVec2 baseline, std::string_view text) {
    return draw_text_within(draw_list, style, baseline, text, std::numeric_limits<float>::infinity());
}

float draw_text_within(ImDrawList& draw_list, const TextStyle& style, ImVec2 baseline, std::string_view text,
                       float max_width) {
    const Face face = face_of(style);
    const float width = width_of(face, text);
    if (width > max_width) return draw_text(draw_list, style, baseline, cut_at_the_end(style, text, max_width));
    draw_measured(draw_list, style, face, baseline, {text, width});
    return width;
}

std::string cut_at_the_end(const TextStyle& style, std::string_view text, float max_width) {
    const Face face = face_of(style);
    if (width_of(face, text) <= max_width) return std::string(text);
    return std::string(cut_to_width(face, text, max_width - width_of(face, "…"))) + "…";
}

std::string cut_in_the_middle(const TextStyle& style, std::string_view text, float max_width) {
    const Face face = face_of(style);
    if (width_of(face, text) <= max_width) return std::string(text);
    const float room = max_width - width_of(face, "…");
    const auto fits = [&](std::string_view end) { return !end.empty() && width_of(face, end) <= room; };
    std::string_view end = last_word(text);
    if (!fits(end)) end = number_at_end(text);
    if (!fits(end)) end = end_within(face, text, room / 2);
    std::string_view begin = cut_to_width(face, text, room - width_of(face, end));
    while (begin.ends_with(' ')) begin.remove_suffix(1);
    return std::string(begin) + "…" + std::string(end);
}

float draw_label_within(ImDrawList& draw_list, const TextStyle& style, ImVec2 baseline, std::string_view text,
                        float max_width) {
    const Face face = face_of(style);
    const float width = width_of(face, text);
    if (width > max_width) return draw_text(draw_list, style, baseline, cut_in_the_middle(style, text, max_width));
    draw_measured(draw_list, style, face, baseline, {text, width});
    return width;
}

std::string_view first_line(ImFont* font, float size, std::string_view text, float width) {
    text = text.substr(0, text.find('\n'));
    if (text.empty()) return text;
    const char* end = text.data() + text.size();
    const char* line_end = font->CalcWordWrapPosition(size, text.data(), end, width);
    if (line_end == text.data()) next_character(line_end, end); // not even one fits
    const std::string_view line = text.substr(0, static_cast<std::size_t>(line_end - text.data()));
    // Dear ImGui breaks after a full stop, also after that of "2.45".
    const bool is_in_number =
        (line.ends_with('.') || line.ends_with(',')) && line_end < end && *line_end >= '0' && *line_end <= '9';
    const std::size_t blank = line.rfind(' ');
    return is_in_number && blank != std::string_view::npos && blank > 0 ? line.substr(0, blank) : line;
}

namespace {

// `take` is given each line and how far below the first one's top it begins. Returns the height of all.
template <class Take> float for_each_line(const TextStyle& style, std::string_view text, float width, Take take) {
    float height = 0;
    while (!text.empty()) {
        const std::string_view line = first_line(style.font, style.size, text, width);
        take(line, height);
        height += style.size * kLineHeight;
        text.remove_prefix(line.size());
        while (text.starts_with(' ') || text.starts_with('\n')) text.remove_prefix(1);
    }
    return height;
}

} // namespace

float draw_paragraph(ImDrawList& draw_list, const TextStyle& style, ImVec2 top, std::string_view text, float width) {
    return for_each_line(style, text, width, [&](std::string_view line, float below) {
        draw_text(draw_list, style, {top.x, top.y + below + ascent(style)}, line);
    });
}

float paragraph_height(const TextStyle& style, std::string_view text, float width) {
    return for_each_line(style, text, width, [](std::string_view, float) {});
}

} // namespace lab
