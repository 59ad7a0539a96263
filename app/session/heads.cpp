#include "app/session/heads.h"

#include "engine/step.h"

namespace lab {

namespace {

Range part_of(int extent, int n_parts, int part) { return {extent / n_parts * part, extent / n_parts * (part + 1)}; }

} // namespace

int n_heads(const Program& program) { return program.n_heads; }

HeadLayout head_layout(const Program& program, int node) { return program.node(node).heads; }

Block block_of_head(const Program& program, int index, int head) {
    const Shape& shape = program.node(index).shape;
    const HeadLayout layout = head_layout(program, index);
    const int part = shared_plane(head, layout.n_parts, n_heads(program));
    Block block = Block::all(shape);
    switch (layout.along) {
    case HeadsAlong::planes: block.planes = part_of(shape.planes, layout.n_parts, part); break;
    case HeadsAlong::rows: block.rows = part_of(shape.rows, layout.n_parts, part); break;
    case HeadsAlong::cols: block.cols = part_of(shape.cols, layout.n_parts, part); break;
    case HeadsAlong::nothing: break;
    }
    return block;
}

Range heads_of(const Program& program, int index, Cell cell) {
    const Shape& shape = program.node(index).shape;
    const HeadLayout layout = head_layout(program, index);
    const int n = n_heads(program);
    const auto part = [&] {
        switch (layout.along) {
        case HeadsAlong::planes: return cell.plane / (shape.planes / layout.n_parts);
        case HeadsAlong::rows: return cell.row / (shape.rows / layout.n_parts);
        case HeadsAlong::cols: return cell.col / (shape.cols / layout.n_parts);
        case HeadsAlong::nothing: break;
        }
        return 0;
    }();
    return reading_planes(Range::at(part), layout.n_parts, n);
}

Cell cell_of_head(const Program& program, int index, Cell cell, int head) {
    const Range now = heads_of(program, index, cell);
    if (now.contains(head)) return cell;
    const Block from = block_of_head(program, index, now.begin), to = block_of_head(program, index, head);
    return {cell.plane + to.planes.begin - from.planes.begin, cell.row + to.rows.begin - from.rows.begin,
            cell.col + to.cols.begin - from.cols.begin};
}

} // namespace lab
