#include <algorithm>
#include <cmath>
#include <string>

#include "app/views/dialogs.h"
#include "app/views/explanation_text.h"
#include "app/views/explanation_widgets.h"
#include "app/views/hints.h"
#include "app/views/phone_layout.h"
#include "app/views/phone_parts.h"
#include "app/widgets/rounded.h"
#include "engine/count_text.h"

namespace lab {

namespace {

constexpr float kSheetPadding = 20;
constexpr float kMeaningSize = 14, kNumberSize = 24, kFormulaSize = 12.5f;
constexpr float kHandle = 20, kAboveNumber = 10, kFormulaLine = 20, kAboveStrip = 10, kStrip = 92, kLinks = 48;
constexpr float kBarHeight = 56, kBarStep = 59, kNarrowestBar = 50, kBarGap = 6;
constexpr const char* kInvitation = "Tap any number to see the sum that made it.";

TextStyle formula_style(const Theme& theme) { return number_text(theme, kFormulaSize, theme.palette.dim); }

// "e^(1.2806 − 1.3098) / Σ = 0.9712 / 4.4173" on one line where there is room, else on two. Of a masked weight that it
// is one, which says it all.
std::vector<std::string> formula_rows(const ViewContext& context, const Explanation& told, float width) {
    if (!told.reason.empty()) return {told.reason};
    if (!told.masked.empty()) return {told.masked};
    std::string text;
    for (const std::string& line : told.formula) text += (text.empty() ? "" : " ") + line;
    if (told.evaluated.empty()) return {text};
    const std::string whole = text + " = " + told.evaluated;
    const bool fits = text_width(formula_style(context.theme), whole) <= width;
    std::vector<std::string> rows = fits ? std::vector{whole} : std::vector{text, "= " + told.evaluated};
    rows.insert(rows.end(), told.named.begin(), told.named.end());
    return rows;
}

float formula_height(const ViewContext& context, const Explanation& told, float width) {
    float height = 0;
    for (const std::string& row : formula_rows(context, told, width)) {
        height += wrapped_height(formula_style(context.theme), row, kFormulaLine, width);
    }
    return height;
}

TextStyle sentence_style(const Theme& theme) { return plain_text(theme, type_size::kControl, theme.palette.dim); }

// What can be done with a given number, which has no formula.
std::string hint(ViewContext& context, const Explanation& told) {
    return told.is_given ? second_tap_sentence(context) : std::string();
}

float hint_height(ViewContext& context, const Explanation& told, float width) {
    const std::string sentence = hint(context, told);
    return sentence.empty() ? 0 : wrapped_height(sentence_style(context.theme), sentence, kFormulaLine, width);
}

float number_width(const ViewContext& context, const Explanation& told) {
    return text_width(number_text(context.theme, kNumberSize, {}), told.value);
}

float meaning_width(const ViewContext& context, const Explanation& told, float width) {
    return width - 2 * kSheetPadding - number_width(context, told) - 16;
}

// How far the sheet is pulled out since the press, upwards or, lying, from the right end; in where it is negative.
float pulled_out() {
    const ImVec2 now = ImGui::GetIO().MousePos, start = ImGui::GetIO().MouseClickedPos[0];
    const float x = now.x - start.x, y = now.y - start.y;
    return -(std::fabs(y) >= std::fabs(x) ? y : x);
}

// The handle that folds the sheet; beside it the way back where there is one, and at the right end what finds another number.
void draw_handle(ViewContext& context, const Rect& area) {
    UiState& ui = context.ui;
    const Palette& palette = context.theme.palette;
    ImDrawList& draw_list = *ImGui::GetWindowDrawList();
    const float middle = (area.left + area.right) / 2;
    ImGui::SetCursorScreenPos({middle - 60, area.top - 8});
    const bool is_tapped = ImGui::InvisibleButton("##handle", {120, kTouchTarget}) && !ends_drag();
    if (is_tapped) ui.sheet_open = !ui.sheet_open;
    if (ImGui::IsItemDeactivated() && ends_drag()) ui.sheet_open = pulled_out() > 0;
    ui.sheet_pulled = ImGui::IsItemActive() && ImGui::IsMouseDragging(0) ? pulled_out() : 0;
    fill_rounded(draw_list, {middle - 20, area.top + 8, middle + 20, area.top + 12},
                 (ImGui::IsItemHovered() ? palette.faint : palette.line).u32(), 2);
    Selection& selection = context.selection;
    if (!ui.sheet_open) return;
    const float y = area.top + 12;
    const auto button = [&](const char* id, Icon icon, float x, bool is_enabled) {
        return icon_button(context.theme, {id, icon, {area.left + x, y}, {}, is_enabled, 16, kTouchTarget / 2});
    };
    if (button("go to", Icon::search, area.width() - 24, true)) ask_where_to(context);
    if (selection.trail().size() < 2) return;
    if (button("back", Icon::chevron_left, 24, selection.can_go_back())) selection.go_back(context.lab.program());
    if (button("forward", Icon::chevron_right, 64, selection.can_go_forward()))
        selection.go_forward(context.lab.program());
}

// The bar of a term from below; from the line of zero down where it is negative.
void draw_upright_bar(ViewContext& context, const Explanation& told, const ExplanationTerm& term, const Rect& track) {
    constexpr float kHeadroom = 0.29f, kRounding = 6; // the greatest leaves room, as in a glass
    const Palette& palette = context.theme.palette;
    ImDrawList& draw_list = *ImGui::GetWindowDrawList();
    fill_rounded(draw_list, track, palette.raised.u32(), kRounding);
    const Rect lying = bar_of(told, term.part, {0, 0, track.height() * (1 - kHeadroom), 1});
    const Rect bar{track.left, track.bottom - lying.right, track.right, track.bottom - lying.left};
    if (bar.height() < 0.5f) return;
    fill_rounded(draw_list, bar, bar_color(palette, told, term).u32(), std::min(kRounding, bar.height() / 2));
}

bool has_bars(const Explanation& told) {
    constexpr std::size_t kMostPills = 2;
    const bool is_list = told.terms_kind == TermsKind::shares || told.terms_kind == TermsKind::products;
    return is_list || told.terms.size() > kMostPills;
}

// Wide enough for the longest number below a bar.
float bar_step(const Lab& lab, const Explanation& told, float width) {
    constexpr float kDigit = 0.61f * type_size::kCaption;
    constexpr std::size_t kMostRead = 64; // terms; of more the numbers may be the longest that there are
    std::size_t longest = told.terms.size() > kMostRead ? std::string_view("−1.00e-10").size() : 0;
    // In bytes, of which signs other than digits have more: a little too wide does no harm.
    for (std::size_t i = 0; i < std::min(told.terms.size(), kMostRead); ++i)
        longest = std::max(longest, written_term(lab, told, i).part_text.size());
    const float least = std::max(kNarrowestBar, kDigit * static_cast<float>(longest)) + kBarGap;
    const float n = static_cast<float>(std::max<std::size_t>(1, told.terms.size()));
    return std::clamp((width + kBarGap) / n, least, std::max(least, kBarStep));
}

// Where bars stand: one for each term that is told, and among them a place for those that are left out.
struct BarPlaces {
    float step = 0;
    int gap = 0; // the term that it stands before
    int n_gaps = 0;

    float left_of_gap() const { return step * static_cast<float>(gap); }
    float left_of(int term) const { return step * static_cast<float>(term >= gap ? term + n_gaps : term); }
};
BarPlaces bar_places(const Lab& lab, const Explanation& told, float width) {
    return {bar_step(lab, told, width), static_cast<int>(told.n_before_gap), told.n_left_out > 0 ? 1 : 0};
}

// How far to scroll so that the explained term's bar stands in the middle; 0 where there is none.
float place_of_own_bar(const Lab& lab, const Explanation& told, float width) {
    const auto own = std::find_if(told.terms.begin(), told.terms.end(), [](const auto& term) { return term.is_own; });
    if (own == told.terms.end()) return 0;
    const BarPlaces places = bar_places(lab, told, width - 2 * kSheetPadding);
    const float left = places.left_of(static_cast<int>(own - told.terms.begin()));
    return std::max(0.0f, left - width / 2);
}

// "…" and how many terms there are that have no bar.
void draw_left_out(const Theme& theme, const Rect& track, const Explanation& told) {
    ImDrawList& draw_list = *ImGui::GetWindowDrawList();
    const float middle = track.center().x;
    const TextStyle dots = plain_text(theme, type_size::kText, theme.palette.dim, Align::center);
    const TextStyle text = plain_text(theme, type_size::kCaption, theme.palette.dim, Align::center);
    draw_text(draw_list, dots, {middle, track.center().y + 4}, "…");
    const bool is_masked = told.n_masked == told.n_left_out; // all of it
    draw_text(draw_list, text, {middle, track.bottom + 15},
              grouped(std::uint64_t{is_masked ? told.n_masked : told.n_left_out - told.n_masked}));
    draw_text(draw_list, text, {middle, track.bottom + 30}, is_masked ? "masked" : "left out");
}

// One bar per term with its word and number.
void draw_bars(ViewContext& context, const Explanation& told, ImVec2 corner, const BarPlaces& places) {
    const Theme& theme = context.theme;
    ImDrawList& draw_list = *ImGui::GetWindowDrawList();
    const float step = places.step;
    const int n = static_cast<int>(told.terms.size());
    const int first =
        std::clamp(static_cast<int>((draw_list.GetClipRectMin().x - corner.x) / step) - places.n_gaps, 0, n);
    const int last = std::clamp(static_cast<int>((draw_list.GetClipRectMax().x - corner.x) / step) + 1, 0, n);
    for (int i = first; i < last; ++i) {
        const WrittenTerm term = written_term(context.lab, told, static_cast<std::size_t>(i));
        const Rect track = Rect::at({corner.x + places.left_of(i), corner.y}, {step - kBarGap, kBarHeight});
        const Link hit =
            link(context, {track.left, track.top, track.right, corner.y + kStrip - 4}, "bar" + std::to_string(i));
        lead_to(context, hit, tensor_cell(context.lab.program(), term.source));
        draw_upright_bar(context, told, term, track);
        const float middle = track.center().x;
        const TextStyle label = term.is_own ? semibold_text(theme, type_size::kCaption, theme.palette.accent)
                                            : plain_text(theme, type_size::kCaption, theme.palette.dim);
        const bool is_cell = told.terms_kind == TermsKind::parts; // "inputs[mat, d₁]", of which the end is kept
        const std::string word = is_cell ? term.label + term.text : term.label;
        const float label_width = std::min(text_width(label, word), track.width());
        draw_label_within(draw_list, label, {middle - label_width / 2, track.bottom + 15}, word, track.width());
        draw_text(draw_list, number_text(theme, type_size::kCaption, theme.palette.dim, Align::center),
                  {middle, track.bottom + 30}, term.part_text);
    }
    const ImVec2 gap{corner.x + places.left_of_gap(), corner.y};
    if (told.n_left_out > 0) draw_left_out(theme, Rect::at(gap, {step - kBarGap, kBarHeight}), told);
}

// What can be stepped to or done, as pills one after the other; returns the right end of what is there.
float draw_links(ViewContext& context, const Explanation& told, ImVec2 corner) {
    const Program& program = context.lab.program();
    float right = 0;
    const auto pill = [&](const std::string& text, const std::string& id) {
        const Pill drawn = draw_pill(context, corner, text, id);
        right = drawn.right;
        corner.x = right + 8;
        return drawn.clicked;
    };
    if (told.is_given && pill("Fill…", "fill")) context.ui.fill_dialog = told.cell.tensor;
    for (std::size_t i = 0; !has_bars(told) && i < told.terms.size(); ++i) {
        const WrittenTerm term = written_term(context.lab, told, i);
        if (!pill(term.label + "  " + term.part_text, "part" + std::to_string(i))) continue;
        context.selection.visit(tensor_cell(program, term.source), program);
    }
    for (std::size_t i = 0; i < told.feeds.size(); ++i) {
        if (!pill("feeds " + told.feeds[i].name, "feed" + std::to_string(i))) continue;
        context.selection.visit(told.feeds[i].target, program);
    }
    return right;
}

void draw_strip(ViewContext& context, const Explanation& told, const Rect& area) {
    ImGui::SetCursorScreenPos(area.min());
    constexpr ImGuiWindowFlags kStripFlags = ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoScrollbar;
    ImGui::BeginChild("##strip", area.size(), ImGuiChildFlags_None, kStripFlags);
    scroll_by_drag();
    if (tells_of_another_cell(told)) ImGui::SetScrollX(place_of_own_bar(context.lab, told, area.width()));
    ImVec2 corner = ImGui::GetCursorScreenPos();
    corner.x += kSheetPadding;
    const BarPlaces places = bar_places(context.lab, told, area.width() - 2 * kSheetPadding);
    const float end_of_bars = corner.x + places.left_of(static_cast<int>(told.terms.size()));
    const float bars_right = has_bars(told) ? end_of_bars - kBarGap : 0;
    const ScrollSigns signs = scroll_signs(area, kSheetPadding, bars_right);
    scroll_by_signs(area, signs);
    if (has_bars(told)) {
        draw_bars(context, told, corner, places);
        corner.x = end_of_bars + kSheetPadding;
    }
    const float links_right = draw_links(context, told, {corner.x, corner.y + (has_bars(told) ? 10 : 4)});
    ImGui::SetCursorScreenPos({std::max(bars_right, links_right), corner.y});
    ImGui::Dummy({kSheetPadding, 1});
    draw_scroll_signs(context.theme, signs, context.theme.palette.panel);
    ImGui::EndChild();
}

float meaning_lines_height(ViewContext& context, const Explanation& told, float width) {
    return meaning_height(context.theme, told.meaning, kMeaningSize, meaning_width(context, told, width));
}

float strip_height(const Explanation& told) { return has_bars(told) ? kStrip : kLinks; }

} // namespace

float phone_sheet_height(ViewContext& context, float width, const std::optional<TensorCell>& cell) {
    if (!cell || !is_reached(context, *cell)) return 72;
    const Explanation& told = explanation_of(context, *cell);
    return kHandle + kAboveNumber + std::max(30.0f, meaning_lines_height(context, told, width)) +
           formula_height(context, told, width - 2 * kSheetPadding) +
           hint_height(context, told, width - 2 * kSheetPadding) + kAboveStrip + strip_height(told);
}

void draw_phone_sheet(ViewContext& context, const Rect& area, const std::optional<TensorCell>& cell) {
    const Theme& theme = context.theme;
    context.ui.lit_by_list.reset();
    draw_handle(context, area);
    if (!context.ui.sheet_open && context.ui.sheet_pulled <= 0) return;
    ImDrawList& draw_list = *ImGui::GetWindowDrawList();
    const float left = area.left + kSheetPadding, right = area.right - kSheetPadding;
    if (!cell || !is_reached(context, *cell)) {
        const std::string sentence =
            cell ? "Not computed yet. " + not_yet_text(*cell, context.lab.program()) : kInvitation;
        draw_paragraph(draw_list, plain_text(theme, kMeaningSize, theme.palette.dim), {left, area.top + 28}, sentence,
                       right - left);
        return;
    }
    const Explanation& told = explanation_of(context, *cell);
    Column column{context, draw_list, left, left + meaning_width(context, told, area.width()),
                  area.top + kHandle + kAboveNumber};
    const float top = column.y;
    TextStyle number = number_text(theme, kNumberSize, theme.palette.text, Align::right);
    number.font = theme.fonts.numbers_bold;
    draw_text(draw_list, number, {right, top + 18}, told.value);
    draw_meaning(column, told.meaning, kMeaningSize);
    column.y = std::max(column.y, top + 30);
    column.right = right;
    for (const std::string& row : formula_rows(context, told, column.width())) {
        draw_wrapped(column, formula_style(theme), row, kFormulaLine);
    }
    const std::string sentence = hint(context, told);
    if (!sentence.empty()) draw_wrapped(column, sentence_style(theme), sentence, kFormulaLine);
    column.y += kAboveStrip;
    if (column.y + 1 < area.bottom) // else it is being pulled
        draw_strip(context, told,
                   {area.left, column.y, area.right, std::min(area.bottom, column.y + strip_height(told))});
}

} // namespace lab
