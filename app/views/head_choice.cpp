#include "app/views/head_choice.h"

#include <algorithm>

#include "app/session/heads.h"
#include "app/session/sections.h"

namespace lab {

void choose_head(ViewContext& context, int head) {
    Selection& selection = context.selection;
    const Program& program = context.lab.program();
    selection.head = head;
    const TensorCell* pinned = selection.pinned();
    const int node = pinned ? program.find(pinned->tensor) : -1;
    if (node < 0 || heads_of(program, node, pinned->cell).contains(head)) return;
    selection.visit({pinned->tensor, cell_of_head(program, node, pinned->cell, head)}, program);
}

void choose_head_by(ViewContext& context, int by) {
    const int n = n_heads(context.lab.program());
    if (has_head_choice(context)) choose_head(context, (context.selection.head + by + n) % n);
}

void choose_section(ViewContext& context, int section) { context.selection.section = section; }

void choose_section_by(ViewContext& context, int by) {
    const int last = n_sections(context.lab.program()) - 1;
    choose_section(context, std::clamp(context.selection.section + by, 0, last));
}

void turn_page(ViewContext& context, int by) {
    constexpr float kOverlap = 48;                      // what is still seen of the page before
    const ImVec2 view = context.ui.canvas.request.view; // the last frame's: the camera has no area before it is drawn
    Camera seen = context.ui.camera;
    seen.area = Rect::at({0, 0}, view);
    const float most = greatest_scroll(seen, context.ui.canvas.layout.bounds);
    const bool can_scroll = seen.is_fitted && (by > 0 ? seen.scrolled < most - 1 : seen.scrolled > 1);
    if (can_scroll)
        context.ui.camera.scrolled += static_cast<float>(by) * std::max(1.0f, view.y - kOverlap);
    else
        choose_section_by(context, by);
}

bool has_head_choice(const ViewContext& context) {
    const Program& program = context.lab.program();
    if (n_heads(program) < 2) return false;
    const std::vector<int> nodes = nodes_of_section(program, context.selection.section);
    return std::any_of(nodes.begin(), nodes.end(),
                       [&](int node) { return head_layout(program, node).along != HeadsAlong::nothing; });
}

void toggle_head_grid(ViewContext& context) {
    if (has_head_choice(context)) context.ui.head_grid.is_open = !context.ui.head_grid.is_open;
}

void toggle_combined_head(ViewContext& context, int head) {
    std::set<int>& combined = context.ui.head_grid.combined;
    if (combined.erase(head) == 0) combined.insert(head);
}

} // namespace lab
