#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include "app/views/legend_numbers.h"
#include "app/views/matrix_labels.h"
#include "app/views/matrix_metrics.h"
#include "app/views/matrix_picture.h"
#include "app/views/ongoing.h"
#include "app/views/reduction_choice.h"
#include "app/widgets/controls.h"
#include "app/widgets/text.h"

namespace lab {

namespace {

constexpr float kBeyondBar = 10; // how far the second number stands out
constexpr float kBetween = 5;    // numbers, or a number and the bar
constexpr float kBeforeSubject = 10;
constexpr float kLeastBar = 16;
constexpr float kLeastTightBar = 9; // of two, between three numbers of two figures

// Of the colours that values have those from one part of the way to another.
void draw_ramp(const ColorScale& colors, ImDrawList& draw_list, const Rect& bar, float from = 0, float to = 1) {
    constexpr int kPieces = 24;
    const float begin = colors.first_place(), whole = colors.last_place() - begin;
    const auto color = [&](int i) {
        const float part = from + (to - from) * static_cast<float>(i) / kPieces;
        return colors.ramp.at(begin + part * whole).u32();
    };
    const float piece = bar.width() / kPieces;
    for (int i = 0; i < kPieces; ++i) {
        const float x = bar.left + piece * static_cast<float>(i);
        draw_list.AddRectFilledMultiColor({x, bar.top}, {x + piece, bar.bottom}, color(i), color(i + 1), color(i + 1),
                                          color(i));
    }
}

TextStyle legend_style(const MatrixFrame& frame, Align align) {
    const Theme& theme = frame.context.theme;
    return {theme.fonts.numbers, type_size::kCaption * frame.view.text_scale, theme.palette.faint, align};
}

float number_baseline(const MatrixFrame& frame, const Rect& area) {
    return area.bottom + (frame.view.is_compact ? 0 : frame.view.text_scale);
}

// Lines between matrices pass behind a legend.
void draw_backing(const MatrixFrame& frame, ImDrawList& draw_list, const Rect& around) {
    draw_list.AddRectFilled(around.min(), around.max(), frame.context.theme.palette.background.u32());
}

float width_of(const LegendNumbers& numbers, const TextStyle& style, float between) {
    float wide = between * static_cast<float>(2 * numbers.n_bars());
    for (const std::string* number : {&numbers.least, &numbers.middle, &numbers.greatest})
        wide += text_width(style, *number);
    return wide;
}

// Numbers and bars on one line.
struct LegendLine {
    LegendNumbers numbers;
    float of_text = 0;     // its width
    float least_width = 0; // with bars that are just long enough
};

// As much as there is room for: with fewer figures, then without the number in the middle, of which the tip tells. Its least width is
// more than the room where that is too narrow even so.
LegendLine line_within(const MatrixFrame& frame, const ColorScale& colors, float room) {
    const TextStyle style = legend_style(frame, Align::left);
    const float scale = frame.view.text_scale;
    const auto line = [&](Figures figures, bool has_middle) {
        LegendNumbers numbers(colors, figures);
        if (!has_middle) numbers.middle.clear();
        const bool is_tight = figures == Figures::two && numbers.n_bars() > 1;
        const float bars = (is_tight ? kLeastTightBar : kLeastBar) * scale * static_cast<float>(numbers.n_bars());
        const float of_text = width_of(numbers, style, kBetween * scale);
        return LegendLine{std::move(numbers), of_text, of_text + bars};
    };
    const LegendLine lines[] = {line(Figures::three, true), line(Figures::two, true), line(Figures::three, false)};
    const auto fitting =
        std::find_if(std::begin(lines), std::end(lines), [&](const auto& each) { return each.least_width <= room; });
    return fitting != std::end(lines) ? *fitting : line(Figures::two, false);
}

// Signed colours have 0 in the middle: there the middle number is that of two places, which are marked.
void draw_tick(const MatrixFrame& frame, ImDrawList& draw_list, const Rect& bar, float part) {
    const float scale = frame.view.text_scale, x = bar.left + part * bar.width();
    draw_list.AddRectFilled({x - 0.5f * scale, bar.top - scale}, {x + 0.5f * scale, bar.bottom + scale},
                            frame.context.theme.palette.text.u32());
}

// On a whole bar, or on the half of one that goes on beside the number in the middle.
void draw_ticks(const MatrixFrame& frame, ImDrawList& draw_list, const ColorScale& colors, const Rect& bar,
                bool is_half = false) {
    if (!has_ticks(colors)) return;
    if (is_half) return draw_tick(frame, draw_list, bar, 0.5f);
    for (const float part : {0.25f, 0.75f}) draw_tick(frame, draw_list, bar, part);
}

// The numbers beside the bar, the one in the middle between its halves; returns where they end.
float draw_on_one_line(const MatrixFrame& frame, ImDrawList& draw_list, const ColorScale& colors, const Rect& area,
                       const LegendLine& line) {
    const TextStyle style = legend_style(frame, Align::left);
    const float scale = frame.view.text_scale, between = kBetween * scale, center = area.center().y;
    const LegendNumbers& numbers = line.numbers;
    const int n_bars = numbers.n_bars();
    const float wide = std::max(area.width(), line.least_width);
    const float bar = (wide - line.of_text) / static_cast<float>(n_bars);
    draw_backing(frame, draw_list, {area.left, area.top, area.left + wide, area.bottom + 3 * scale});
    float x = area.left + draw_text(draw_list, style, {area.left, area.bottom}, numbers.least) + between;
    for (int i = 0; i < n_bars; ++i) {
        const float from = static_cast<float>(i) / static_cast<float>(n_bars),
                    to = static_cast<float>(i + 1) / static_cast<float>(n_bars);
        const Rect place{x, center - 2 * scale, x + bar, center + 3 * scale};
        draw_ramp(colors, draw_list, place, from, to);
        draw_ticks(frame, draw_list, colors, place, n_bars > 1);
        x += bar + between;
        x += draw_text(draw_list, style, {x, area.bottom}, i + 1 < n_bars ? numbers.middle : numbers.greatest) +
             (i + 1 < n_bars ? between : 0);
    }
    return x;
}

// The numbers below it.
float draw_on_two_lines(const MatrixFrame& frame, ImDrawList& draw_list, const ColorScale& colors, const Rect& area) {
    const float scale = frame.view.text_scale, baseline = number_baseline(frame, area);
    const TextStyle style = legend_style(frame, Align::right);
    const auto& [least, middle, greatest] = LegendNumbers(colors, Figures::three);
    const float least_right = area.left + text_width(style, least);
    const float between = kBetween * scale, middle_width = middle.empty() ? 0 : text_width(style, middle) + between;
    const float right = std::max(area.right, least_right + middle_width + between + text_width(style, greatest));
    draw_backing(frame, draw_list, {area.left, area.top, right, area.bottom + 3 * scale});
    const Rect bar{area.left, area.top + scale, area.right - kBeyondBar * scale, area.top + 6 * scale};
    draw_ramp(colors, draw_list, bar);
    draw_ticks(frame, draw_list, colors, bar);
    draw_text(draw_list, legend_style(frame, Align::left), {area.left, baseline}, least);
    draw_text(draw_list, style, {right, baseline}, greatest);
    if (!middle.empty()) {
        const float center = (bar.left + bar.right + middle_width - between) / 2;
        const float most = right - text_width(style, greatest) - between;
        draw_text(draw_list, style, {std::max(least_right + middle_width, std::min(center, most)), baseline}, middle);
    }
    return right;
}

// Along a matrix whose left edge is out of sight, as far as that goes.
Rect in_sight_across(const Rect& area, const MatrixFrame& frame, const Rect& clip) {
    constexpr float kMargin = 8;
    const float most = std::max(frame.cells().right - area.right, 0.0f);
    const float shift = std::clamp(clip.left + kMargin - area.left, 0.0f, most);
    return {area.left + shift, area.top, area.right + shift, area.bottom};
}

bool is_all_0(const ColorScale& colors) { return colors.least == 0 && colors.greatest == 0; }

// In place of colours from 0 to 0.
void draw_none(const MatrixFrame& frame, ImDrawList& draw_list, const Rect& area) {
    const ImVec2 baseline{area.left, area.top + type_size::kCaption * frame.view.text_scale};
    const bool is_mask = frame.node.presentation.role == Role::mask;
    draw_text(draw_list, legend_style(frame, Align::left), baseline, is_mask ? "0, or masked" : "all are 0");
}

// Absent where there are no colours to be explained: no number is known yet.
std::optional<ColorScale> explained_scale(const MatrixFrame& frame, const Rect& clip) {
    if (frame.context.lab.trace().is_missing(frame.index)) return std::nullopt;
    const std::optional<ColorScale> colors = shown_scale(frame, clip);
    const bool is_explained = !colors || !is_all_0(*colors) || frame.context.lab.trace().has_seen_finite(frame.index);
    return is_explained ? colors : std::nullopt;
}

struct SubjectPlaces {
    ImVec2 beside; // baselines
    float end = 0; // of the room beside
    std::optional<ImVec2> below;
};

// What the colours stand for where that is no single cell: beside the numbers, in as many words as there is room for, or in one word
// below them.
void draw_subject(const MatrixFrame& frame, ImDrawList& draw_list, const SubjectPlaces& places) {
    if (!shows_several_cells(frame.view.pitch, frame.extent, least_texel())) return;
    const PictureLevel level = picture_level(frame);
    const bool is_estimated = frame.context.ui.pictures.shows_estimates(picture_name(frame));
    const Reduction reduction = reduction_of(frame.context, frame.node);
    const bool is_as_before = !is_estimated && stays_as_before(frame.context, frame.index);
    const std::string word =
        is_as_before ? "as before" : (is_estimated ? "estimated " : "") + reduction_name(reduction);
    const std::string whole = is_as_before ? "still as before the edit" : word + " of " + cells_text(level);
    TextStyle style = legend_style(frame, Align::left);
    style.font = frame.context.theme.fonts.text;
    const auto draw = [&](ImVec2 baseline, const std::string& text) {
        const float wide = text_width(style, text);
        draw_backing(frame, draw_list,
                     {baseline.x, baseline.y - style.size, baseline.x + wide, baseline.y + style.size / 3});
        draw_text(draw_list, style, baseline, text);
    };
    for (const std::string& text : {whole, word}) {
        if (text_width(style, text) <= places.end - places.beside.x) return draw(places.beside, text);
    }
    // The view's edge cuts no word.
    const Rect clip = clip_of(draw_list);
    if (places.below && places.below->y + style.size / 3 <= clip.bottom)
        draw(*places.below, word);
    else if (places.beside.x + text_width(style, word) <= clip.right)
        draw(places.beside, word);
}

// What a pointer resting on the legend is told, where the colours do not simply run from 0.
void show_scale_tip(const MatrixFrame& frame, const ColorScale& colors, const Rect& legend) {
    const std::string sentence = legend_sentence(colors);
    if (sentence.empty()) return;
    ImGui::SetCursorScreenPos(legend.min());
    ImGui::Dummy(legend.size()); // takes no press: the canvas is moved from there too
    show_tip(frame.context.theme, {.title = "Colour scale", .sentence = sentence});
}

// On one line that ends at `right`, of a matrix whose lower edge is out of sight. False where it has no room there.
bool draw_in_sight(const MatrixFrame& frame, ImDrawList& draw_list, const ColorScale& colors, const Rect& area,
                   float right) {
    const LegendLine line = line_within(frame, colors, right - area.left);
    if (area.left + line.least_width > right) return false;
    const Rect fitted{area.left, area.top, std::min(area.right, right), area.bottom};
    const float end = draw_on_one_line(frame, draw_list, colors, fitted, line);
    show_scale_tip(frame, colors, {area.left, area.top, end, area.bottom});
    draw_subject(frame, draw_list, {{end + kBeforeSubject * frame.view.text_scale, area.bottom}, right, {}});
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
    if (left + line_within(frame, colors, right - left).least_width > right) return;
    const Palette& palette = frame.context.theme.palette;
    const Rect cover{std::max(frame.edges.beside.left, clip.left), foot.top, end, foot.bottom};
    frame.context.ui.legends_at_foot.push_back(cover);
    draw_list.AddRectFilled(cover.min(), cover.max(), palette.background.u32());
    draw_list.AddLine({begin, foot.top}, {std::min(cells.right, end), foot.top}, palette.line.u32());
    const float baseline = centered_baseline(foot.center().y, type_size::kCaption * scale);
    const ImVec2 size = legend_area(foot, scale, true).size();
    draw_in_sight(frame, draw_list, colors, {left, baseline - size.y, left + size.x, baseline}, right);
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

// Shorter below narrow cells, but never so short that its numbers touch. A compact one has them beside the bar.
Rect legend_area(const Rect& cells, float text_scale, bool is_compact) {
    constexpr float kLongest = 70, kShortest = 66, kOfCells = 0.38f, kCompactWidth = 104;
    const float bar = std::clamp(kOfCells * cells.width(), kShortest * text_scale, kLongest * text_scale);
    const float width = is_compact ? kCompactWidth * text_scale : bar + kBeyondBar * text_scale;
    return Rect::at({cells.left, cells.bottom + 5 * text_scale}, {width, (is_compact ? 9 : 16) * text_scale});
}

void draw_legend(const MatrixFrame& frame, ImDrawList& draw_list, float title_end) {
    constexpr float kLeastReadable = 6, kOfView = 0.3f;
    const float scale = frame.view.text_scale;
    if (scale * type_size::kCaption < kLeastReadable) return;
    const Rect clip = clip_of(draw_list);
    const Rect area = in_sight_across(legend_area(frame.edges.cells, scale, frame.view.is_compact), frame, clip);
    const std::optional<ColorScale> colors = explained_scale(frame, clip);
    if (!colors) return;
    if (is_all_0(*colors)) return draw_none(frame, draw_list, area);
    const bool stays_in_sight = frame.view.sticks && frame.edges.cells.height() > kOfView * clip.height();
    const bool is_out_of_sight = stays_in_sight && area.bottom > clip.bottom;
    if (is_out_of_sight && frame.view.has_legend_below) return draw_below(frame, draw_list, *colors, frame.edges.below);
    if (is_out_of_sight) return draw_out_of_sight(frame, draw_list, *colors, title_end);
    const float width = frame.view.title_room > 0 ? frame.view.title_room : frame.cells().width();
    const float of_matrix = frame.view.origin.x + width;
    const float right = frame.edges.is_wide ? std::min(of_matrix, clip.right) : of_matrix;
    const float end = frame.view.is_compact
                          ? draw_on_one_line(frame, draw_list, *colors, area,
                                             line_within(frame, *colors, std::max(area.right, right) - area.left))
                          : draw_on_two_lines(frame, draw_list, *colors, area);
    show_scale_tip(frame, *colors, {area.left, area.top, end, area.bottom});
    const float baseline = number_baseline(frame, area);
    draw_subject(frame, draw_list,
                 {{end + kBeforeSubject * scale, baseline},
                  right,
                  ImVec2{area.left, baseline + matrix_metrics::kLegendSubject * scale}});
}

void draw_shared_legend(const MatrixFrame& frame, ImDrawList& draw_list, const Rect& line) {
    const Rect area = Rect::at(line.min(), legend_area(line, frame.view.text_scale, true).size());
    const std::optional<ColorScale> colors = explained_scale(frame, clip_of(draw_list));
    if (!colors) return;
    if (is_all_0(*colors)) return draw_none(frame, draw_list, area);
    draw_in_sight(frame, draw_list, *colors, area, line.right);
}

} // namespace lab
