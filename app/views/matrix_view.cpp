#include "app/views/matrix_view.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "app/views/cell_drag.h"
#include "app/views/cell_editor.h"
#include "app/views/explanation_widgets.h"
#include "app/views/joined_lines.h"
#include "app/views/matrix_cells.h"
#include "app/views/matrix_emphasis.h"
#include "app/views/matrix_labels.h"
#include "engine/derivation.h"

namespace lab {

namespace {

constexpr double kGlowSeconds = 0.7;

Range common(Range a, Range b) { return {std::max(a.begin, b.begin), std::min(a.end, b.end)}; }

// What changed a moment ago shines and settles.
void draw_glow(const MatrixFrame& frame, ImDrawList& draw_list) {
    const auto found = frame.context.ui.glows.find(frame.node.name);
    if (found == frame.context.ui.glows.end()) return;
    const double age = frame.context.frame_s - found->second.start_s;
    if (age > kGlowSeconds) {
        frame.context.ui.glows.erase(found);
        return;
    }
    frame.context.ui.wants_frame = true;
    const float strength = static_cast<float>(1 - age / kGlowSeconds);
    const ImU32 color = frame.context.theme.palette.text.u32(0.55f * strength * strength);
    for (const Block& block : found->second.cells.blocks()) {
        const Range rows = frame.rows_of(block);
        if (rows.empty()) continue;
        const Rect first = frame.cell_rect(rows.begin, block.cols.begin);
        const Rect last = frame.cell_rect(rows.end - 1, block.cols.end - 1);
        draw_list.AddRect(first.min(), last.max(), color, 3, 0, 2.0f);
    }
}

// The same cells of what they were made from, which may be shared by several heads.
void add_same_cells(const Program& program, const BlockRef& cells, int operand, std::vector<BlockRef>& lines) {
    const int n_planes = program.node(operand).shape.planes, n_planes_here = program.node(cells.tensor).shape.planes;
    for (int plane = cells.block.planes.begin; plane < cells.block.planes.end; ++plane) {
        const Range shared = Range::at(shared_plane(plane, n_planes, n_planes_here));
        lines.push_back({operand, {shared, cells.block.rows, cells.block.cols}});
    }
}

// How the cells of a node are followed to what they were made from.
struct Following {
    bool is_seen = true;                // and so not followed
    std::vector<int> same_cell_of = {}; // these tensors, as a scaled score is of a score: it need not be derived
};

Following following(const ViewContext& context, int i) {
    const Program& program = context.lab.program();
    const Node& node = program.node(i);
    if (node.is_leaf() || (!node.is_auxiliary && context.selection.unfolds(node))) return {};
    for (std::size_t k = 0; k < node.operands.size(); ++k) {
        const Node& read = program.node(node.operands[k]);
        const bool is_same = node.step->reads_same_cell(static_cast<int>(k)) && read.shape.rows == node.shape.rows &&
                             read.shape.cols == node.shape.cols && !read.is_leaf(); // a mask's may be by definition
        if (!is_same) return {false, {}};
    }
    return {false, node.operands};
}

void outline_cell(const MatrixFrame& frame, ImDrawList& draw_list, Cell cell, float width = 2.5f,
                  std::optional<Color> color = {}) {
    outline_cells(frame, draw_list, Range::at(frame.row_of(cell)), Range::at(cell.col), width, 1.5f, color);
}

// What is marked beside the explained cell: the one that is dragged, or that the panel's list points at. Of a folded tensor that holds the
// same cells as another, where they can be seen.
std::vector<BlockRef> cells_beside(const ViewContext& context) {
    const Program& program = context.lab.program();
    const TensorCell* dragged = dragged_cell(context.ui);
    std::optional<TensorCell> cell = context.selection.hovered ? std::nullopt : context.ui.lit_by_list;
    if (dragged != nullptr) cell = *dragged;
    const int node = cell ? program.find(cell->tensor) : -1;
    if (node < 0) return {};
    std::vector<BlockRef> found, left{{node, Block::at(cell->cell)}};
    while (!left.empty()) {
        const BlockRef each = left.back();
        left.pop_back();
        const auto [is_seen, same_cell_of] = following(context, each.tensor);
        if (is_seen) found.push_back(each);
        for (int behind : same_cell_of) add_same_cells(program, each, behind, left);
    }
    return found;
}

// The explained cell, the one beside it, and the cells that it was made from: one by one where numbers can be read, else as runs.
void draw_marks(const MatrixFrame& frame, ImDrawList& draw_list) {
    const auto explained = explained_cell(frame.context);
    if (!explained) return;
    if (frame.explained) outline_cell(frame, draw_list, *frame.explained);
    const TensorCell* pinned = frame.context.selection.pinned();
    const bool is_quiet = pinned != nullptr && *pinned != *explained; // it will be explained again
    if (is_quiet && pinned->tensor == frame.node.name && frame.shows(pinned->cell))
        outline_cell(frame, draw_list, pinned->cell, 1.5f, frame.context.theme.palette.text);
    for (const BlockRef& beside : cells_beside(frame.context)) {
        const Cell cell = beside.block.first();
        if (beside.tensor == frame.index && frame.shows(cell) && cell != frame.explained)
            outline_cell(frame, draw_list, cell);
    }
    if (frame.explained) return;
    const LitSources& lit = lit_sources(frame.context, *explained);
    const auto found = lit.runs.find(frame.index);
    if (found == lit.runs.end()) return;
    const Rect clip = clip_of(draw_list);
    const bool joins = is_picture(frame, clip);
    const Range seen_rows = frame.visible_rows(clip), seen_cols = frame.visible_cols(clip);
    for (const Block& run : found->second) {
        const Range rows = common(frame.rows_of(run), seen_rows), cols = common(run.cols, seen_cols);
        if (rows.empty() || cols.empty()) continue;
        if (joins) {
            outline_cells(frame, draw_list, frame.rows_of(run), run.cols, 1.5f, 0.75f);
            continue;
        }
        for (int row = rows.begin; row < rows.end; ++row) {
            for (int col = cols.begin; col < cols.end; ++col)
                outline_cells(frame, draw_list, Range::at(row), Range::at(col), 1.5f, 0.75f);
        }
    }
}

} // namespace

// Derived anew when the cell, the document or what is unfolded change. The cells of a folded tensor cannot be seen:
// what they were made from is lit as well.
const LitSources& lit_sources(ViewContext& context, const TensorCell& explained) {
    constexpr std::size_t kMostDerived = 512; // the rest would take longer than a frame
    LitSources& lit = context.ui.lit_sources;
    if (lit.of == explained && lit.revision == context.lab.state() && lit.folds.holds_for(context.selection))
        return lit;
    const Program& program = context.lab.program();
    const int node = program.find(explained.tensor);
    std::vector<BlockRef> lines;
    // The inspector tells of the same cell, so that it is derived once.
    if (node >= 0) lines = lines_of_sources(explanation_of(context, explained).derivation);
    std::map<int, Following> of_nodes; // asked once of each: there may be thousands of cells
    // Each once: a softmax names the cell's own score and the greatest besides its row.
    std::set<std::tuple<int, int, int, int>> derived;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const BlockRef line = lines[i];
        const auto [known, is_new] = of_nodes.try_emplace(line.tensor);
        if (is_new) known->second = following(context, line.tensor);
        const auto& [is_seen, same_cell_of] = known->second;
        if (is_seen) continue;
        for (int behind : same_cell_of) add_same_cells(program, line, behind, lines);
        if (!same_cell_of.empty()) continue;
        for_each_row(line.block, [&](int plane, int row) {
            for (int col = line.block.cols.begin; col < line.block.cols.end && derived.size() < kMostDerived; ++col) {
                if (!derived.insert({line.tensor, plane, row, col}).second) continue;
                const Expression made_of = context.lab.trace().derive(line.tensor, {plane, row, col});
                const std::vector<BlockRef> behind = lines_of_sources(made_of);
                lines.insert(lines.end(), behind.begin(), behind.end());
            }
        });
    }
    lit = {explained, context.lab.state(), FoldState(context.selection), {}};
    for (const BlockRef& box : joined_lines(std::move(lines))) lit.runs[box.tensor].push_back(box.block);
    return lit;
}

std::optional<TensorCell> explained_cell(const ViewContext& context) {
    const TensorCell* pinned = context.selection.pinned();
    const std::optional<CellDrag>& drag = context.ui.drag;
    const bool tells_kept = drag ? drag->tells_kept : context.ui.held && context.ui.held->tells_kept;
    if (context.selection.hovered && !(tells_kept && pinned != nullptr)) return context.selection.hovered;
    return pinned != nullptr ? std::optional(*pinned) : context.ui.lit_by_list;
}

void draw_matrix(ViewContext& context, ImDrawList& draw_list, const MatrixView& view,
                 const std::optional<MatrixChannels>& channels) {
    MatrixFrame frame = matrix_frame(context, view);
    const Rect clip = clip_of(draw_list);
    const MatrixEdges& edges = frame.edges = matrix_edges(frame, clip);
    const Rect seen{edges.covers_left ? edges.cells.left : clip.left, edges.covers_top ? edges.cells.top : clip.top,
                    clip.right, clip.bottom};
    if (view.combined == nullptr)
        context.ui.drawn_matrices.push_back({view.node, view.head, view.origin, view.pitch, seen});
    if (channels) draw_list.ChannelsSetCurrent(channels->cells);
    draw_cells(frame, draw_list);
    if (channels) draw_list.ChannelsSetCurrent(channels->above);
    draw_head_frame(frame, draw_list);
    draw_query_row(frame, draw_list);
    draw_glow(frame, draw_list);
    draw_marks(frame, draw_list);
    draw_covers(edges, context.theme.palette, draw_list);
    const float title_end = draw_title(frame, draw_list);
    if (view.has_row_labels) draw_row_labels(frame, draw_list);
    if (view.has_col_labels) {
        draw_list.PushClipRect({seen.left, clip.top}, clip.max());
        draw_col_labels(frame, draw_list);
        draw_list.PopClipRect();
    }
    if (view.has_legend) draw_legend(frame, draw_list, title_end);
    draw_cell_editor(frame, draw_list);
}

} // namespace lab
