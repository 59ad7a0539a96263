#include "app/views/hints.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/session/labels.h"
#include "app/session/sections.h"
#include "app/views/gradient_choice.h"
#include "app/widgets/controls.h"
#include "app/widgets/window_flags.h"

namespace lab {

namespace {

bool has_changed_a_number(const ViewContext& context) {
    return std::any_of(context.commands.begin(), context.commands.end(),
                       [](const CommandRequest& request) { return std::holds_alternative<SetCell>(request.command); });
}

bool has_pointed_at_a_sum(const ViewContext& context) {
    const auto& hovered = context.selection.hovered;
    const int node = hovered && !context.ui.drag ? context.lab.program().find(hovered->tensor) : -1;
    return node >= 0 && !context.lab.program().node(node).is_leaf();
}

// "inputs or W_query": of what can be edited in the section that is shown the first of each kind; empty where nothing can.
std::string what_can_be_dragged(const ViewContext& context) {
    const Program& program = context.lab.program();
    std::string rows, weights;
    for (const int i : nodes_of_section(program, context.selection.section)) {
        const Node& node = program.node(i);
        if (!node.is_leaf() || !context.selection.unfolds(node)) continue;
        const Role role = node.presentation.role;
        if (weights.empty() && role == Role::weight_matrix) weights = short_name(node);
        if (rows.empty() && (role == Role::embedding || role == Role::projection)) rows = short_name(node);
    }
    return rows + (rows.empty() || weights.empty() ? "" : " or ") + weights;
}

constexpr const char* kAllFollows = "Everything that follows changes with it.";

std::string drag_sentence(const ViewContext& context) {
    const std::string what = what_can_be_dragged(context);
    return what.empty() ? what : "Drag any number in " + what + ". " + kAllFollows;
}

std::string point_sentence(const ViewContext&) { return "Point at any number to see the sum that made it."; }

struct Hint {
    std::string (*sentence)(const ViewContext& context); // empty: there is nothing that it speaks of
    bool (*is_done)(const ViewContext& context);
};

constexpr int kDragHint = 0;
constexpr Hint kHints[] = {{drag_sentence, has_changed_a_number}, {point_sentence, has_pointed_at_a_sum}};

struct NextHint {
    int index = 0;
    std::string sentence;
};

// The first of those that are left that has something to speak of; none of slopes, which cannot be dragged.
std::optional<NextHint> next_hint(const ViewContext& context) {
    if (shows_slopes(context)) return std::nullopt;
    for (int i = std::max(0, context.ui.n_hints_dismissed); i < static_cast<int>(std::size(kHints)); ++i) {
        std::string sentence = kHints[i].sentence(context);
        if (!sentence.empty()) return NextHint{i, std::move(sentence)};
    }
    return std::nullopt;
}

// With those that were passed over for it.
void dismiss(ViewContext& context, int hint) {
    const int n = context.ui.n_hints_dismissed = hint + 1;
    context.platform.store_preference("hints", std::to_string(n));
}

constexpr float kCanvasMargin = 16; // of the canvas
// Of a card.
constexpr float kAbove = 11, kBefore = 16, kAroundText = kBefore + 44; // the cross stands behind it

TextStyle style_of(const Theme& theme) { return plain_text(theme, type_size::kList, theme.palette.text); }

bool covers_nothing(const Rect& card, const std::vector<Rect>& taken) {
    return std::none_of(taken.begin(), taken.end(), [&](const Rect& each) { return each.overlaps(card); });
}

// Where the card covers nothing: lower left, where the canvas is empty as long as a document is small; upper left; lower
// right; else anywhere, from the bottom upwards. Relative to the canvas; absent where there is no such place.
std::optional<ImVec2> free_place(const Rect& canvas_area, ImVec2 size, const std::vector<Rect>& taken) {
    constexpr float kStep = 8;
    const Rect inner = canvas_area.grown(-kCanvasMargin);
    const float right = inner.right - size.x, bottom = inner.bottom - size.y;
    const auto is_free = [&](ImVec2 corner) {
        return corner.x >= inner.left && corner.y >= inner.top && covers_nothing(Rect::at(corner, size), taken);
    };
    const auto in_canvas = [&](ImVec2 corner) {
        return ImVec2{corner.x - canvas_area.left, corner.y - canvas_area.top};
    };
    for (const ImVec2 corner : {ImVec2{inner.left, bottom}, ImVec2{inner.left, inner.top}, ImVec2{right, bottom}}) {
        if (is_free(corner)) return in_canvas(corner);
    }
    for (float y = bottom; y >= inner.top; y -= kStep) {
        for (float x = inner.left; x <= right; x += kStep) {
            if (is_free({x, y})) return in_canvas({x, y});
        }
    }
    return std::nullopt;
}

struct CardMetrics {
    float text_width;
    float reach = 12; // around the middle of its cross
};
constexpr CardMetrics kOnCanvas{148};

ImVec2 size_of_card(const Theme& theme, const std::string& sentence, const CardMetrics& metrics) {
    const TextStyle style = style_of(theme);
    const float width = std::min(std::ceil(text_width(style, sentence)), metrics.text_width);
    return {width + kAroundText, paragraph_height(style, sentence, width) + 2 * kAbove};
}

// Returns whether its cross was clicked.
bool draw_card(ViewContext& context, const Rect& area, const std::string& sentence, const CardMetrics& metrics) {
    const Theme& theme = context.theme;
    ImGui::SetNextWindowPos(area.min());
    ImGui::SetNextWindowSize(area.size());
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 10);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::Begin("##hint", nullptr, kFloating | ImGuiWindowFlags_NoScrollWithMouse);
    draw_paragraph(*ImGui::GetWindowDrawList(), style_of(theme), {area.left + kBefore, area.top + kAbove}, sentence,
                   area.width() - kAroundText);
    const ImVec2 cross{area.right - 20, area.top + 20};
    const bool is_dismissed = icon_button(theme, {.id = "dismiss",
                                                  .icon = Icon::close,
                                                  .center = cross,
                                                  .tip = {.title = "Dismiss"},
                                                  .icon_size = 13,
                                                  .reach = metrics.reach});
    ImGui::End();
    ImGui::PopStyleVar(2);
    return is_dismissed;
}

} // namespace

std::string hint_sentence(const ViewContext& context) {
    const std::optional<NextHint> hint = next_hint(context);
    return hint ? hint->sentence : std::string();
}

void draw_hints(ViewContext& context, const Rect& canvas_area, const std::vector<Rect>& taken) {
    const std::optional<NextHint> hint = next_hint(context);
    if (!hint) return;
    if (kHints[hint->index].is_done(context)) return dismiss(context, hint->index);
    const ImVec2 size = size_of_card(context.theme, hint->sentence, kOnCanvas);
    const Camera& camera = context.ui.camera;
    if (camera.is_fitted && camera.scrolled > 0) return; // it stands at the beginning of what is scrolled through
    std::optional<ImVec2>& place = context.ui.hint_place;
    if (camera.is_fitted || !place) place = free_place(canvas_area, size, taken);
    if (!place) return;
    // What stands beside or above the canvas may leave it less room since.
    const ImVec2 last{canvas_area.right - kCanvasMargin - size.x, canvas_area.bottom - kCanvasMargin - size.y};
    const Rect card =
        Rect::at({std::min(canvas_area.left + place->x, last.x), std::min(canvas_area.top + place->y, last.y)}, size);
    if (card.left < canvas_area.left || card.top < canvas_area.top) return;
    // While one looks around it keeps its place, and is not seen where numbers come to lie below it.
    if (covers_nothing(card, taken) && draw_card(context, card, hint->sentence, kOnCanvas))
        dismiss(context, hint->index);
}

bool is_sideways_hint_due(ViewContext& context) {
    if (context.ui.n_hints_dismissed > kDragHint) return false;
    if (kHints[kDragHint].is_done(context)) dismiss(context, kDragHint);
    return context.ui.n_hints_dismissed <= kDragHint && !shows_slopes(context);
}

void draw_sideways_hint(ViewContext& context, const Rect& area, const std::vector<Rect>& taken,
                        const std::string& matrix) {
    const std::string sentence = "Drag any number in " + matrix + " sideways. " + kAllFollows;
    const CardMetrics on_phone{std::min(280.0f, area.width() - 2 * kCanvasMargin - kAroundText), 20};
    const ImVec2 size = size_of_card(context.theme, sentence, on_phone);
    const std::optional<ImVec2> place = free_place(area, size, taken);
    if (!place) return;
    const Rect card = Rect::at({area.left + place->x, area.top + place->y}, size);
    if (draw_card(context, card, sentence, on_phone)) dismiss(context, kDragHint);
}

std::string second_tap_sentence(ViewContext& context) {
    constexpr int kLast = static_cast<int>(std::size(kHints)); // after those that have a card
    if (context.ui.n_hints_dismissed > kLast) return {};
    if (!context.ui.editor) return "Tap it again to type another number, or drag it.";
    dismiss(context, kLast);
    return {};
}

} // namespace lab
