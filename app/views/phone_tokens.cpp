#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/session/labels.h"
#include "app/views/phone_parts.h"
#include "app/views/query_choice.h"

namespace lab {

// Where every token's pill begins, from the first on, and where one more would; kept until the words are others, since a long
// text has many thousands.
struct TokenPills {
    Words given;                // the document's tokens
    std::uint64_t revision = 0; // in which they were compared
    std::vector<float> lefts;

    int n() const { return static_cast<int>(lefts.size()) - 1; }
    float left(int token) const { return lefts[static_cast<std::size_t>(token)]; }
    float right(int token) const { return left(token + 1) - kPillGap; }
    // Of all pills the first that ends beyond this place.
    int first_beyond(float x) const {
        const auto found = std::partition_point(lefts.begin() + 1, lefts.end(), [&](float next) { return next <= x; });
        return static_cast<int>(found - lefts.begin()) - 1;
    }
};

namespace {

const TokenPills& token_pills(ViewContext& context) {
    std::shared_ptr<TokenPills>& kept = context.ui.token_pills;
    const Document& document = context.lab.document();
    const std::uint64_t revision = context.lab.revision();
    const int n = n_queries(context.lab.program());
    if (kept != nullptr && kept->n() == n && kept->revision == revision) return *kept;
    if (kept != nullptr && kept->n() == n && kept->given == document.tokens) {
        kept->revision = revision;
        return *kept;
    }
    auto pills = std::make_shared<TokenPills>();
    pills->given = document.tokens;
    pills->revision = revision;
    pills->lefts.push_back(0);
    for (int i = 0; i < n; ++i) {
        const float width = pill_width(context.theme, axis_label(document, Axis::queries, i));
        pills->lefts.push_back(pills->lefts.back() + width + kPillGap);
    }
    context.ui.revealed_token = -1;
    return *(kept = std::move(pills));
}

// The chosen one to the middle, once it is another than before and not in sight.
void reveal_chosen(ViewContext& context, const TokenPills& pills, const Rect& area) {
    const int chosen = context.selection.query;
    if (std::exchange(context.ui.revealed_token, chosen) == chosen || chosen < 0 || chosen >= pills.n()) return;
    const float left = kBeforePills + pills.left(chosen), right = kBeforePills + pills.right(chosen);
    const float from = ImGui::GetScrollX();
    const bool is_in_sight = left >= from + (from > kBeforePills + 1 ? kScrollSign : 0) &&
                             right <= from + area.width() - (chosen + 1 < pills.n() ? kScrollSign : 0);
    if (is_in_sight) return;
    ImGui::SetScrollX(std::max(0.0f, (left + right - area.width()) / 2));
    context.ui.wants_frame = true;
}

} // namespace

// Only those in sight are made.
void draw_token_chips(ViewContext& context, const Rect& area) {
    const TokenPills& pills = token_pills(context);
    const ImVec2 corner = begin_pills("##tokens", area);
    reveal_chosen(context, pills, area);
    for (int i = pills.first_beyond(area.left - corner.x); i < pills.n() && corner.x + pills.left(i) < area.right;
         ++i) {
        const std::string word = axis_label(context.lab.document(), Axis::queries, i);
        const Pill pill = draw_pill(context, {corner.x + pills.left(i), corner.y}, word, "token" + std::to_string(i),
                                    i == context.selection.query);
        if (pill.clicked) choose_query(context, i);
    }
    end_pills(context, area, corner.x + pills.left(pills.n()));
}

} // namespace lab
