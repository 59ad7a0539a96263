#include <algorithm>
#include <optional>
#include <string>

#include "app/session/trace_text.h"
#include "app/views/legend_line.h"
#include "app/views/legend_numbers.h"
#include "app/views/matrix_labels.h"
#include "app/views/matrix_masked.h"
#include "app/views/matrix_metrics.h"
#include "app/views/matrix_picture.h"
#include "app/views/ongoing.h"
#include "app/views/reduction_choice.h"
#include "app/widgets/cell_colors.h"
#include "app/widgets/controls.h"
#include "app/widgets/text.h"

namespace lab {

namespace {

constexpr float kBeforeSubject = 10;

// Along a matrix whose left edge is out of sight, as far as that goes.
Rect in_sight_across(const Rect& area, const MatrixFrame& frame, const Rect& clip) {
    constexpr float kMargin = 8;
    const float most = std::max(frame.cells().right - area.right, 0.0f);
    const float shift = std::clamp(clip.left + kMargin - area.left, 0.0f, most);
    return {area.left + shift, area.top, area.right + shift, area.bottom};
}

// Absent where there are no colours to be explained: no number is known yet.
std::optional<ColorScale> explained_scale(const MatrixFrame& frame, const Rect& clip) {
    if (frame.context.lab.trace().is_missing(frame.index)) return std::nullopt;
    return shown_scale(frame, clip);
}

TextStyle word_style(const MatrixFrame& frame) {
    TextStyle style = legend_style(frame, Align::left);
    style.font = frame.context.theme.fonts.text;
    return style;
}

void back_word(const MatrixFrame& frame, ImDrawList& draw_list, ImVec2 baseline, float width) {
    const float size = type_size::kCaption * frame.view.text_scale;
    draw_legend_backing(frame, draw_list, {baseline.x, baseline.y - size, baseline.x + width, baseline.y + size / 3});
}

// Where words go that stand behind a legend's numbers: beside them, or, where there is no room, below.
struct WordPlaces {
    ImVec2 beside; // baselines
    float end = 0; // of the room beside
    std::optional<ImVec2> below;

    bool has_room_beside(float width) const { return width <= end - beside.x; }
    // The baseline of a word that is so wide, with room for another behind it; absent where there is none.
    std::optional<ImVec2> take(float width, const MatrixFrame& frame, const Rect& clip) {
        const float scale = frame.view.text_scale, deep = type_size::kCaption * scale / 3;
        const bool fits_below = below && below->y + deep <= clip.bottom && below->x + width <= clip.right;
        if (!has_room_beside(width) && !fits_below) return std::nullopt;
        ImVec2& place = has_room_beside(width) ? beside : *below;
        const ImVec2 taken = place;
        place.x += width + kBeforeSubject * scale;
        return taken;
    }
};

constexpr const char* kMasked = "masked";
constexpr float kSwatch = 0.72f, kBehindSwatch = 0.4f; // of the size: a capital's height

// That grey cells are masked, where these are too small to be hatched.
bool says_masked(const MatrixFrame& frame) {
    return has_masked_alike(frame.context.lab.program(), frame.index, frame.view.pitch);
}

float masked_width(const TextStyle& style) {
    return (kSwatch + kBehindSwatch) * style.size + text_width(style, kMasked);
}

void draw_masked(const MatrixFrame& frame, ImDrawList& draw_list, WordPlaces& places) {
    if (!says_masked(frame)) return;
    const TextStyle style = word_style(frame);
    const float width = masked_width(style), side = kSwatch * style.size;
    const std::optional<ImVec2> place = places.take(width, frame, clip_of(draw_list));
    if (!place) return;
    back_word(frame, draw_list, *place, width);
    draw_list.AddRectFilled({place->x, place->y - side}, {place->x + side, place->y},
                            masked_color(frame.context.theme.palette).u32());
    draw_text(draw_list, style, {place->x + side + kBehindSwatch * style.size, place->y}, kMasked);
}

// What the colours stand for where that is no single cell, in as many words as leave room for that some are masked.
void draw_subject(const MatrixFrame& frame, ImDrawList& draw_list, WordPlaces& places) {
    if (!shows_several_cells(frame.view.pitch, frame.extent, least_texel())) return;
    const PictureLevel level = picture_level(frame);
    const bool is_estimated = frame.context.ui.pictures.shows_estimates(picture_name(frame));
    const Reduction reduction = reduction_of(frame.context, frame.node);
    const bool is_as_before = !is_estimated && stays_as_before(frame.context, frame.index);
    const std::string word =
        is_as_before ? "as before" : (is_estimated ? "estimated " : "") + reduction_name(reduction);
    const std::string whole = is_as_before ? "still as before the edit" : word + " of " + cells_text(level);
    const TextStyle style = word_style(frame);
    const float apart = kBeforeSubject * frame.view.text_scale;
    const float of_masked = says_masked(frame) ? apart + masked_width(style) : 0;
    const std::string& text = places.has_room_beside(text_width(style, whole) + of_masked) ? whole : word;
    const float width = text_width(style, text);
    const Rect clip = clip_of(draw_list);
    std::optional<ImVec2> place = places.take(width, frame, clip);
    if (!place && places.beside.x + width <= clip.right) { // rather over what stands beside than not at all
        place = places.beside;
        places.beside.x += width + apart;
    }
    if (!place) return;
    back_word(frame, draw_list, *place, width);
    draw_text(draw_list, style, *place, text);
}

void draw_words(const MatrixFrame& frame, ImDrawList& draw_list, WordPlaces places) {
    draw_subject(frame, draw_list, places);
    draw_masked(frame, draw_list, places);
}

// In place of colours from 0 to 0.
void draw_none(const MatrixFrame& frame, ImDrawList& draw_list, const Rect& area) {
    const bool has_masked = may_have_masked_keys(frame.context.lab.program(), frame.index);
    const char* const text = !has_masked ? "all are 0" : says_masked(frame) ? "0" : "0, or masked";
    const float scale = frame.view.text_scale;
    ImVec2 baseline{area.left, area.top + type_size::kCaption * scale};
    baseline.x += draw_text(draw_list, legend_style(frame, Align::left), baseline, text);
    baseline.x += kBeforeSubject * scale;
    WordPlaces places{baseline, clip_of(draw_list).right, {}};
    draw_masked(frame, draw_list, places);
}

// What a pointer resting on the legend is told, where the colours do not simply run from 0.
void show_scale_tip(const MatrixFrame& frame, const ColorScale& colors, const Rect& legend) {
    if (!legend.contains(ImGui::GetMousePos()) || frame.context.ui.pointing.is_by_chance) return;
    const std::string sentence = legend_sentence(colors);
    if (sentence.empty()) return;
    ImGui::SetCursorScreenPos(legend.min());
    ImGui::Dummy(legend.size()); // takes no press: the canvas is moved from there too
    show_tip(frame.context.theme, {.title = "Colour scale", .sentence = sentence});
}

// The line, which has room up to `right`, with its tip and its subject.
void draw_whole_line(const MatrixFrame& frame, ImDrawList& draw_list, const ColorScale& colors, const Rect& area,
                     float right, const LegendLine& line) {
    const Rect fitted{area.left, area.top, std::min(area.right, right), area.bottom};
    const float end = draw_legend_line(frame, draw_list, colors, fitted, line);
    show_scale_tip(frame, colors, {area.left, area.top, end, area.bottom});
    draw_words(frame, draw_list, {{end + kBeforeSubject * frame.view.text_scale, area.bottom}, right, {}});
}

// On one line that ends at `right`, of a matrix whose lower edge is out of sight. False where it has no room there.
bool draw_in_sight(const MatrixFrame& frame, ImDrawList& draw_list, const ColorScale& colors, const Rect& area,
                   float right) {
    const LegendLine line = legend_line_within(frame, colors, right - area.left);
    if (area.left + line.least_width > right) return false;
    draw_whole_line(frame, draw_list, colors, area, right, line);
    return true;
}

// At the view's lower edge.
void draw_below(const MatrixFrame& frame, ImDrawList& draw_list, const ColorScale& colors, const Rect& below) {
    constexpr float kMargin = 8, kOfView = 0.6f; // the rest is for what the colours stand for
    if (below.height() <= 0) return;
    const float baseline = centered_baseline(below.center().y, type_size::kCaption * frame.view.text_scale);
    const float left = std::max(frame.edges.cells.left, below.left),
                height = legend_area(below, frame.view.text_scale, true).height();
    const Rect area{left, baseline - height, left + kOfView * (below.right - left), baseline};
    draw_in_sight(frame, draw_list, colors, area, below.right - kMargin);
}

// The same among other matrices: within its own width, over its last rows that are seen. None where it has no room.
void draw_at_foot(const MatrixFrame& frame, ImDrawList& draw_list, const ColorScale& colors) {
    constexpr float kMargin = 8;
    const Rect clip = clip_of(draw_list), cells = frame.edges.cells;
    const float scale = frame.view.text_scale;
    const float begin = std::max(cells.left, clip.left);
    const float end = std::min(std::max(cells.right, cells.left + frame.view.title_room), clip.right);
    const Rect foot = lower_edge(cells, scale, clip);
    const float left = cells.left < clip.left ? begin + kMargin : begin, right = end - kMargin;
    if (foot.height() <= 0 || cells.right < clip.left + matrix_metrics::kLeastSeen) return;
    const LegendLine line = legend_line_within(frame, colors, right - left);
    if (left + line.least_width > right) return;
    const Palette& palette = frame.context.theme.palette;
    const Rect cover{std::max(frame.edges.beside.left, clip.left), foot.top, end, foot.bottom};
    frame.context.ui.legends_at_foot.push_back(cover);
    draw_list.AddRectFilled(cover.min(), cover.max(), palette.background.u32());
    draw_list.AddLine({begin, foot.top}, {std::min(cells.right, end), foot.top}, palette.line.u32());
    const float baseline = centered_baseline(foot.center().y, type_size::kCaption * scale);
    const ImVec2 size = legend_area(foot, scale, true).size();
    draw_whole_line(frame, draw_list, colors, {left, baseline - size.y, left + size.x, baseline}, right, line);
}

// Beside the title, which stays in sight; where that leaves no room, at the view's lower edge.
void draw_out_of_sight(const MatrixFrame& frame, ImDrawList& draw_list, const ColorScale& colors, float title_end) {
    constexpr float kBehindTitle = 18;
    const float scale = frame.view.text_scale;
    const ImVec2 size = legend_area(frame.edges.cells, scale, true).size();
    const ImVec2 corner{title_end + kBehindTitle * scale, title_baseline(frame) - size.y};
    if (draw_in_sight(frame, draw_list, colors, Rect::at(corner, size), frame.edges.above.right)) return;
    draw_at_foot(frame, draw_list, colors);
}

} // namespace

void draw_legend(const MatrixFrame& frame, ImDrawList& draw_list, float title_end) {
    constexpr float kLeastReadable = 6, kOfView = 0.3f;
    const float scale = frame.view.text_scale;
    if (scale * type_size::kCaption < kLeastReadable) return;
    const Rect clip = clip_of(draw_list);
    const Rect area = in_sight_across(legend_area(frame.edges.cells, scale, frame.view.is_compact), frame, clip);
    const std::optional<ColorScale> colors = explained_scale(frame, clip);
    if (!colors) return;
    if (colors->is_all_0()) return draw_none(frame, draw_list, area);
    const bool stays_in_sight = frame.view.sticks && frame.edges.cells.height() > kOfView * clip.height();
    const bool is_out_of_sight = stays_in_sight && area.bottom > clip.bottom;
    if (is_out_of_sight && frame.view.has_legend_below) return draw_below(frame, draw_list, *colors, frame.edges.below);
    if (is_out_of_sight) return draw_out_of_sight(frame, draw_list, *colors, title_end);
    const float width = frame.view.title_room > 0 ? frame.view.title_room : frame.cells().width();
    const float of_matrix = frame.view.origin.x + width;
    const float right = frame.edges.is_wide ? std::min(of_matrix, clip.right) : of_matrix;
    const float end =
        frame.view.is_compact
            ? draw_legend_line(frame, draw_list, *colors, area,
                               legend_line_within(frame, *colors, std::max(area.right, right) - area.left))
            : draw_legend_on_two_lines(frame, draw_list, *colors, area);
    show_scale_tip(frame, *colors, {area.left, area.top, end, area.bottom});
    const float baseline = legend_baseline(frame, area);
    draw_words(frame, draw_list,
               {{end + kBeforeSubject * scale, baseline},
                right,
                ImVec2{area.left, baseline + matrix_metrics::kLegendSubject * scale}});
}

void draw_shared_legend(const MatrixFrame& frame, ImDrawList& draw_list, const Rect& line) {
    const Rect area = Rect::at(line.min(), legend_area(line, frame.view.text_scale, true).size());
    const std::optional<ColorScale> colors = explained_scale(frame, clip_of(draw_list));
    if (!colors) return;
    if (colors->is_all_0()) return draw_none(frame, draw_list, area);
    draw_in_sight(frame, draw_list, *colors, area, line.right);
}

} // namespace lab
