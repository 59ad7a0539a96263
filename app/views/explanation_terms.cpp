#include <algorithm>
#include <cmath>
#include <string>

#include "app/views/explanation_widgets.h"
#include "app/widgets/rounded.h"

namespace lab {

namespace {

constexpr float kShareRow = 22;
constexpr float kProductRow = 28;
constexpr float kFactors = 12; // points, or smaller where they do not fit
constexpr float kBesideFactors = 8;
constexpr float kPartRow = 24, kSecondLine = 16;
constexpr float kAfterLabel = 6;
constexpr float kOverhang = 6; // of what is lit under the pointer, beyond the text

// The part of the column that a line of a list stands in.
Rect row_area(const Column& column, float top, float height) { return {column.left, top, column.right, top + height}; }

Rect lit_area(const Rect& row) { return {row.left - kOverhang, row.top, row.right + kOverhang, row.bottom}; }

std::string row_id(const ExplanationTerm& term) { return "term" + std::to_string(term.place); }

WrittenTerm written(const Column& column, const Explanation& told, int term) {
    return written_term(column.context.lab, told, static_cast<std::size_t>(term));
}

TextStyle label_style(const Column& column, bool is_chosen) {
    const Theme& theme = column.context.theme;
    return is_chosen ? semibold_text(theme, 12, theme.palette.accent) : plain_text(theme, 12, theme.palette.text);
}

void draw_bar(Column& column, const Explanation& told, const ExplanationTerm& term, const Rect& track) {
    const float rounding = std::min(3.0f, track.height() / 2);
    fill_rounded(column.draw_list, track, mix(column.palette().raised, column.palette().line, 0.25f).u32(), rounding);
    const Rect bar = bar_of(told, term.part, track);
    if (bar.width() < 0.25f) return;
    fill_rounded(column.draw_list, bar, bar_color(column.palette(), told, term).u32(), rounding);
}

// "starts   1.2806   ▬▬▬▬   22.0%"
void draw_share(Column& column, const Explanation& told, const WrittenTerm& term, const Rect& row,
                const ShareColumns& columns) {
    constexpr float kBarHeight = 11;
    const Theme& theme = column.context.theme;
    const float baseline = row.top + 16;
    const TextStyle value = number_text(theme, 12, theme.palette.dim, Align::right);
    const float width = draw_text(column.draw_list, value, {row.left + columns.value_end, baseline}, term.text);
    const float room = columns.value_end - width - kAfterLabel;
    TextStyle label = label_style(column, term.is_own);
    if (text_width(label, term.label) > room) label.font = theme.fonts.text;
    draw_label_within(column.draw_list, label, {row.left, baseline}, term.label, room);
    const float top = row.top + 7;
    draw_bar(column, told, term, {row.left + columns.bar_begin, top, row.left + columns.bar_end, top + kBarHeight});
    draw_text(column.draw_list, number_text(theme, 12, theme.palette.text, Align::right), {row.right, baseline},
              term.part_text);
}

// The factor of a product under the pointer: 0 or 1.
int factor_at(const WrittenTerm& term, float dot_x) {
    return term.sources.size() > 1 && ImGui::GetIO().MousePos.x > dot_x ? 1 : 0;
}

// What a product's line is made of, from left to right: a label, "0.4306·0.4433" and "0.1909".
struct ProductLine {
    TextStyle label, factors, part;
    float part_begin = 0;
    bool fits = false; // side by side, if need be with small factors
};
ProductLine product_line(const Column& column, const WrittenTerm& term) {
    constexpr float kPartWidth = 62, kLongLabel = 72; // a longer one is cut
    const Theme& theme = column.context.theme;
    ProductLine line{label_style(column, term.is_own), number_text(theme, kFactors, theme.palette.dim),
                     number_text(theme, 12, theme.palette.text, Align::right)};
    line.part_begin = column.right - std::max(kPartWidth, text_width(line.part, term.part_text) + kBesideFactors);
    const float label = std::min(text_width(line.label, term.label), kLongLabel) + kBesideFactors;
    const auto fits = [&] { return label + text_width(line.factors, term.text) <= line.part_begin - column.left; };
    if (line.fits = fits(); line.fits) return line;
    line.factors.size = type_size::kCaption; // numbers with an exponent
    line.fits = fits();
    return line;
}

// "d₁   0.4306·0.4433   0.1909" over a thin bar; both factors lead to their cells. In a higher row they stand below the label.
void draw_product(Column& column, const Explanation& told, const WrittenTerm& term, const Rect& row, const Link& hit) {
    constexpr float kBarHeight = 3, kAboveBar = 7;
    ProductLine line = product_line(column, term);
    const float baseline = row.top + 15;
    const bool is_below = row.height() > kProductRow;
    if (is_below) line.factors.size = kFactors;
    const std::size_t dot = term.text.find("·");
    const std::string left = term.text.substr(0, dot);
    const std::string right = dot == std::string::npos ? "" : term.text.substr(dot);
    float x = is_below ? row.left : line.part_begin - text_width(line.factors, term.text);
    const float label_end = is_below ? line.part_begin : x - kBesideFactors;
    draw_label_within(column.draw_list, line.label, {row.left, baseline}, term.label, label_end - row.left);
    const float dot_x = x + text_width(line.factors, left);
    const int factor = factor_at(term, dot_x);
    for (const std::string* piece : {&left, &right}) {
        TextStyle style = line.factors;
        if (hit.hovered && (piece == &left) == (factor == 0)) style.color = column.palette().accent;
        x += draw_text(column.draw_list, style, {x, is_below ? baseline + kSecondLine : baseline}, *piece);
    }
    draw_text(column.draw_list, line.part, {row.right, baseline}, term.part_text);
    const float bar = row.bottom - kAboveBar;
    draw_bar(column, told, term, {row.left, bar, row.right, bar + kBarHeight});
    const auto source = term.sources[static_cast<std::size_t>(factor)];
    lead_to(column.context, hit, tensor_cell(column.context.lab.program(), source));
}

float part_end(const Column& column, const WrittenTerm& term) {
    return column.right - text_width(number_text(column.context.theme, 12, {}), term.part_text) - 8;
}

// "attention_scores [journey, starts]   1.8111"; whether the place fits beside the name.
constexpr float kBeforePlace = 6;
bool fits_on_one_line(const Column& column, const WrittenTerm& term) {
    const Theme& theme = column.context.theme;
    const float name = text_width(semibold_text(theme, 12, {}), term.label);
    const float place = text_width(plain_text(theme, type_size::kCell, {}), term.text);
    return term.text.empty() || column.left + name + kBeforePlace + place <= part_end(column, term);
}

// The place stands below the name where it does not fit beside it.
void draw_part(Column& column, const WrittenTerm& term, const Rect& row) {
    const Theme& theme = column.context.theme;
    const float baseline = row.top + 16;
    const TextStyle value = number_text(theme, 12, theme.palette.text, Align::right);
    draw_text(column.draw_list, value, {row.right, baseline}, term.part_text);
    const float end = part_end(column, term);
    const TextStyle name = semibold_text(theme, 12, term.is_own ? theme.palette.accent : theme.palette.text);
    draw_text_within(column.draw_list, name, {row.left, baseline}, term.label, end - row.left);
    const bool is_beside = fits_on_one_line(column, term);
    const ImVec2 at = is_beside ? ImVec2{row.left + text_width(name, term.label) + kBeforePlace, baseline}
                                : ImVec2{row.left, baseline + kSecondLine};
    const TextStyle place = plain_text(theme, type_size::kCell, theme.palette.dim);
    draw_text_within(column.draw_list, place, at, term.text, (is_beside ? end : row.right) - at.x);
}

void draw_term(Column& column, const Explanation& told, const WrittenTerm& term, const Rect& row,
               const ShareColumns& columns) {
    const Link hit = link(column.context, lit_area(row), row_id(term));
    if (told.terms_kind == TermsKind::products) return draw_product(column, told, term, row, hit);
    lead_to(column.context, hit, tensor_cell(column.context.lab.program(), term.source));
    if (told.terms_kind == TermsKind::shares)
        draw_share(column, told, term, row, columns);
    else
        draw_part(column, term, row);
}

// Of every row of the list.
float row_height(const Column& column, const Explanation& told) {
    if (told.terms_kind == TermsKind::shares) return kShareRow;
    const int n = static_cast<int>(told.terms.size());
    bool fit = true;
    if (told.terms_kind == TermsKind::products) {
        constexpr int kMostLookedAt = 16; // of thousands the greatest, which are alike
        for (int i = 0; i < std::min(n, kMostLookedAt); ++i)
            fit = fit && product_line(column, written(column, told, i)).fits;
        return fit ? kProductRow : kProductRow + kSecondLine;
    }
    for (int i = 0; !told.is_row_of_one_tensor && i < n; ++i) // the parts of a row say no place
        fit = fit && fits_on_one_line(column, written(column, told, i));
    return fit ? kPartRow : kPartRow + kSecondLine;
}

// A piece of a feed's text, one line each.
struct FeedLine {
    TextStyle style;
    std::string text;
};

// "context_vectors[journey, d₁]", what the number is there, and what else it feeds; what is too wide for one line is
// broken before the place, and before the result.
std::vector<FeedLine> lines_of(const Column& column, const ExplanationFeed& feed) {
    const Theme& theme = column.context.theme;
    std::vector<FeedLine> lines;
    const auto add = [&](const TextStyle& style, const std::string& text, std::size_t where) {
        const bool is_too_wide = where != std::string::npos && text_width(style, text) > column.width();
        lines.push_back({style, is_too_wide ? text.substr(0, where) : text});
        if (is_too_wide) lines.push_back({style, text.substr(where)});
    };
    const std::string& name = feed.name;
    add(semibold_text(theme, type_size::kList, theme.palette.text), name + feed.place, name.size());
    add(number_text(theme, 12, theme.palette.dim), feed.how, feed.how.rfind("= "));
    if (!feed.more.empty()) lines.push_back({plain_text(theme, 12, theme.palette.dim), feed.more});
    return lines;
}

void draw_feed(Column& column, const ExplanationFeed& feed, int index) {
    constexpr float kLine = 17;
    const std::vector<FeedLine> lines = lines_of(column, feed);
    const Rect area = row_area(column, column.y, kLine * static_cast<float>(lines.size()) + 8);
    lead_to(column.context, link(column.context, lit_area(area), "feed" + std::to_string(index)), feed.target);
    float baseline = area.top;
    for (const FeedLine& line : lines) {
        draw_text_within(column.draw_list, line.style, {area.left, baseline += kLine}, line.text, area.width());
    }
    column.y = area.bottom;
}

ShareWidths widths_of(const Column& column, const std::vector<WrittenTerm>& terms) {
    const TextStyle number = number_text(column.context.theme, 12, {});
    ShareWidths widths;
    for (const WrittenTerm& term : terms) {
        widths.label = std::max(widths.label, text_width(label_style(column, term.is_own), term.label));
        widths.value = std::max(widths.value, text_width(number, term.text));
        widths.part = std::max(widths.part, text_width(number, term.part_text));
    }
    return widths;
}

} // namespace

ShareColumns share_columns(const ShareWidths& widths, float width) {
    constexpr float kUsualEnd = 98, kUsualValue = 60, kUsualPart = 40, kBetween = 12, kBeforePart = 8, kLeastBar = 28;
    const float bar_end = width - kBeforePart - std::max(kUsualPart, widths.part);
    const float for_values = kUsualEnd + std::max(0.0f, widths.value - kUsualValue);
    const float for_labels =
        std::min(std::ceil(widths.label + 0.5f) + kAfterLabel + widths.value, bar_end - kLeastBar - kBetween);
    const float value_end = std::max(for_values, for_labels);
    return {value_end, value_end + kBetween, bar_end};
}

Rect bar_of(const Explanation& told, double part, const Rect& track) {
    const double span = told.greatest_part - told.least_part;
    if (span <= 0 || !std::isfinite(part)) return {track.left, track.top, track.left, track.bottom};
    const auto x_of = [&](double value) {
        return track.left + track.width() * static_cast<float>((value - told.least_part) / span);
    };
    return {x_of(std::min(part, 0.0)), track.top, x_of(std::max(part, 0.0)), track.bottom};
}

Color bar_color(const Palette& palette, const Explanation& told, const ExplanationTerm& term) {
    if (term.is_own) return palette.accent;
    if (term.part < 0) return palette.cold;
    return told.terms_kind == TermsKind::shares ? palette.sequence_high : palette.hot;
}

void draw_terms(Column& column, const Explanation& told) {
    const int n = static_cast<int>(told.terms.size());
    const float height = row_height(column, told);
    const ImVec2 clip_min = column.draw_list.GetClipRectMin();
    const ImVec2 clip_max = column.draw_list.GetClipRectMax();
    // One more at either end, so that the keyboard can go there.
    const int first = std::clamp(static_cast<int>((clip_min.y - column.y) / height) - 1, 0, n);
    const int last = std::clamp(static_cast<int>((clip_max.y - column.y) / height) + 2, 0, n);
    std::vector<WrittenTerm> seen;
    for (int i = first; i < last; ++i) seen.push_back(written(column, told, i));
    const ShareColumns columns = share_columns(widths_of(column, seen), column.width());
    float top = column.y + static_cast<float>(first) * height;
    for (const WrittenTerm& term : seen) {
        draw_term(column, told, term, row_area(column, top, height), columns);
        top += height;
    }
    column.y += static_cast<float>(n) * height;
    if (told.terms_total.empty()) return;
    const Theme& theme = column.context.theme;
    const TextStyle total = number_text(theme, type_size::kCell, theme.palette.faint, Align::right);
    draw_text(column.draw_list, total, {column.right, column.y + 18}, told.terms_total);
    column.y += 20;
}

std::string fitting_numbers(const TextStyle& style, std::string numbers, float width) {
    constexpr std::string_view kMore = ", …]";
    while (text_width(style, numbers) > width) {
        const bool is_cut = numbers.ends_with(kMore);
        const std::size_t last = numbers.rfind(", ", is_cut ? numbers.size() - kMore.size() - 1 : std::string::npos);
        if (last == std::string::npos) break;
        numbers = numbers.substr(0, last) + std::string(kMore);
    }
    return numbers;
}

void draw_feeds(Column& column, const Explanation& told) {
    for (std::size_t i = 0; i < told.feeds.size(); ++i) draw_feed(column, told.feeds[i], static_cast<int>(i));
}

} // namespace lab
