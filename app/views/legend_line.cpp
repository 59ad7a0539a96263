#include "app/views/legend_line.h"

#include <algorithm>
#include <string>
#include <utility>

#include "app/views/matrix_metrics.h"
#include "app/widgets/text.h"

namespace lab {

namespace {

constexpr float kBeyondBar = 10;     // how far the second number stands out
constexpr float kBetweenNumbers = 5; // numbers, or a number and the bar
constexpr float kThreeApart = 12;    // numbers side by side below a bar, so that they do not read as one
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
    const ImVec2 white = ImGui::GetFontTexUvWhitePixel();
    draw_list.PrimReserve(6 * kPieces, 2 * (kPieces + 1));
    const auto first = static_cast<ImDrawIdx>(draw_list._VtxCurrentIdx);
    for (int i = 0; i <= kPieces; ++i) {
        const float x = bar.left + bar.width() * static_cast<float>(i) / kPieces;
        draw_list.PrimWriteVtx({x, bar.top}, white, color(i));
        draw_list.PrimWriteVtx({x, bar.bottom}, white, color(i));
    }
    for (ImDrawIdx i = 0; i < kPieces; ++i) {
        for (ImDrawIdx corner : {0, 2, 3, 0, 3, 1}) draw_list.PrimWriteIdx(first + 2 * i + corner);
    }
}

float width_of(const LegendNumbers& numbers, const TextStyle& style, float between) {
    float wide = between * static_cast<float>(2 * numbers.n_bars());
    for (const std::string* number : {&numbers.least, &numbers.middle, &numbers.greatest})
        wide += text_width(style, *number);
    return wide;
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

} // namespace

TextStyle legend_style(const MatrixFrame& frame, Align align) {
    const Theme& theme = frame.context.theme;
    return {theme.fonts.numbers, type_size::kCaption * frame.view.text_scale, theme.palette.faint, align};
}

float legend_baseline(const MatrixFrame& frame, const Rect& area) {
    return area.bottom + (frame.view.is_compact ? 0 : frame.view.text_scale);
}

void draw_legend_backing(const MatrixFrame& frame, ImDrawList& draw_list, const Rect& around) {
    draw_list.AddRectFilled(around.min(), around.max(), frame.context.theme.palette.background.u32());
}

Rect legend_area(const Rect& cells, float text_scale, bool is_compact) {
    constexpr float kLongest = 70, kShortest = 66, kOfCells = 0.38f, kCompactWidth = 104;
    const float bar = std::clamp(kOfCells * cells.width(), kShortest * text_scale, kLongest * text_scale);
    const float width = is_compact ? kCompactWidth * text_scale : bar + kBeyondBar * text_scale;
    return Rect::at({cells.left, cells.bottom + 5 * text_scale}, {width, (is_compact ? 9 : 16) * text_scale});
}

LegendLine legend_line_within(const MatrixFrame& frame, const ColorScale& colors, float room) {
    const TextStyle style = legend_style(frame, Align::left);
    const float scale = frame.view.text_scale;
    const auto line = [&](Figures figures, bool has_middle) {
        LegendNumbers numbers(colors, figures);
        if (!has_middle) numbers.middle.clear();
        const bool is_tight = figures == Figures::two && numbers.n_bars() > 1;
        const float bars = (is_tight ? kLeastTightBar : kLeastBar) * scale * static_cast<float>(numbers.n_bars());
        const float of_text = width_of(numbers, style, kBetweenNumbers * scale);
        return LegendLine{std::move(numbers), of_text, of_text + bars};
    };
    const std::pair<Figures, bool> forms[] = {{Figures::three, true}, {Figures::two, true}, {Figures::three, false}};
    for (const auto& [figures, has_middle] : forms) {
        LegendLine fitting = line(figures, has_middle);
        if (fitting.least_width <= room) return fitting;
    }
    return line(Figures::two, false);
}

float draw_legend_line(const MatrixFrame& frame, ImDrawList& draw_list, const ColorScale& colors, const Rect& area,
                       const LegendLine& line) {
    const TextStyle style = legend_style(frame, Align::left);
    const float scale = frame.view.text_scale, between = kBetweenNumbers * scale, center = area.center().y;
    const LegendNumbers& numbers = line.numbers;
    const int n_bars = numbers.n_bars();
    const float wide = std::max(area.width(), line.least_width);
    const float bar = (wide - line.of_text) / static_cast<float>(n_bars);
    draw_legend_backing(frame, draw_list, {area.left, area.top, area.left + wide, area.bottom + 3 * scale});
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

float draw_legend_on_two_lines(const MatrixFrame& frame, ImDrawList& draw_list, const ColorScale& colors,
                               const Rect& area) {
    const float scale = frame.view.text_scale, baseline = legend_baseline(frame, area);
    const TextStyle style = legend_style(frame, Align::right);
    const auto& [least, middle, greatest] = LegendNumbers(colors, Figures::three);
    const float least_right = area.left + text_width(style, least);
    const float between = (middle.empty() ? kBetweenNumbers : kThreeApart) * scale;
    const float middle_width = middle.empty() ? 0 : text_width(style, middle) + between;
    const float right = std::max(area.right, least_right + middle_width + between + text_width(style, greatest));
    draw_legend_backing(frame, draw_list, {area.left, area.top, right, area.bottom + 3 * scale});
    const Rect bar{area.left, area.top + scale, right - kBeyondBar * scale, area.top + 6 * scale};
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

} // namespace lab
