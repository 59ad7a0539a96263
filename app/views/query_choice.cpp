#include "app/views/query_choice.h"

namespace lab {

void choose_query(ViewContext& context, int query) {
    Selection& selection = context.selection;
    const Program& program = context.lab.program();
    selection.query = query;
    selection.points_at_query = true;
    const TensorCell* pinned = selection.pinned();
    const int node = pinned ? program.find(pinned->tensor) : -1;
    if (node < 0) return;
    const Presentation& shown = program.node(node).presentation;
    if (!shown.row_of_query && !shown.slice_by_query) return;
    TensorCell moved = *pinned;
    moved.cell.row = query;
    selection.visit(moved, program);
}

} // namespace lab
