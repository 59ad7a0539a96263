// What of a node an update computes again, and which of its cells are others then.
#include <cassert>
#include <cstring>

#include "engine/sources.h"
#include "engine/trace.h"

namespace lab {

namespace {

std::size_t at_index(int index) { return static_cast<std::size_t>(index); }

// The columns from the first to the last that differ between two rows of a block; empty if none does.
Range differing_columns(const float* before, const float* after, Range cols) {
    const auto same = [&](int i) { return std::memcmp(before + i, after + i, sizeof(float)) == 0; };
    int first = 0;
    int last = cols.size() - 1;
    if (std::memcmp(before, after, sizeof(float) * at_index(cols.size())) == 0) return {};
    while (same(first)) ++first;
    while (same(last)) --last;
    return {cols.begin + first, cols.begin + last + 1};
}

} // namespace

void Trace::update_leaf(int i, const Tensors& before) {
    const Node& node = this->node(i);
    const Region region = reusable_[at_index(i)] ? difference(before.at(node.name), tensors_.at(node.name))
                                                 : Region(Block::all(node.shape));
    if (region.empty()) return;
    note_change(i, refresh(i, region));
    workspace_.note_change_of_leaf(i);
}

void Trace::update_node(int i) {
    const Region region = reusable_[at_index(i)] ? reached_cells(i, changed_) : Region(Block::all(node(i).shape));
    if (!region.empty()) note_change(i, refresh(i, region));
}

// What was worked out from cells that are others now.
void Trace::forget(int i, const Region& changed) {
    KnownExtent& extent = extents_[at_index(i)];
    extent.value.reset();
    if (!extent.rows.empty()) { // else nobody has asked
        for (const Block& block : changed.blocks())
            for_each_row(block, [&](int plane, int row) { extent.rows[flat_row(node(i).shape, plane, row)].reset(); });
    }
    notices_[at_index(i)].clear();
}

// The cells of a node that the changes of its operands reach.
Region Trace::reached_cells(int i, const std::vector<Region>& changed) const {
    const Node& node = this->node(i);
    const std::vector<ConstView<float>> operands = workspace_.views_of_operands(i);
    Region region;
    for (std::size_t operand = 0; operand < node.operands.size(); ++operand) {
        for (const Block& block : changed[at_index(node.operands[operand])].blocks()) {
            region.add(node.step->reach_in(operands, node.shape, static_cast<int>(operand), block));
        }
    }
    return region;
}

// Computes these cells of a node anew, or copies them from the document; returns those that differ from before.
Region Trace::refresh(int i, const Region& region) {
    const Node& node = this->node(i);
    if (!workspace_.is_stored(i)) {
        workspace_.invalidate(i, region, follows(i));
        return region;
    }
    const bool is_new = !workspace_.is_computed(i);
    assert(!is_new || region.blocks() == Region(Block::all(node.shape)).blocks());
    workspace_.take_cells(i);
    Region changed;
    for (const Block& block : region.blocks()) {
        if (!is_new) remember(i, block);
        compute(i, block);
        if (!node.is_leaf()) report_.n_cells_computed += block.size();
        changed.add(is_new ? Region(block) : differing_cells(i, block));
    }
    workspace_.note_computed(i);
    return changed;
}

void Trace::compute(int i, const Block& block) {
    const Node& node = this->node(i);
    const OutputView<float> result{workspace_.cells(i).data(), Block::all(node.shape)};
    if (!node.is_leaf()) {
        RowBuffers buffers;
        return workspace_.compute(i, block, result, buffers);
    }
    const Tensor& tensor = tensors_.at(node.name);
    for_each_row(block, [&](int plane, int row) {
        const auto from = tensor.row(plane * node.shape.rows + row);
        for (int col = block.cols.begin; col < block.cols.end; ++col) result.row(plane, row)[col] = from[at_index(col)];
    });
}

// Keeps a copy of a block in `scratch_`, for differing_cells.
void Trace::remember(int i, const Block& block) {
    scratch_.resize(block.size());
    StoredSource(workspace_.view(i)).read(block, scratch_.data());
}

// The cells of the block whose bits differ from the copy: per run of rows one box of columns.
Region Trace::differing_cells(int i, const Block& block) const {
    const ConstView<float> after = workspace_.view(i);
    const float* before = scratch_.data();
    Region changed;
    Block run;
    for_each_row(block, [&](int plane, int row) {
        const Range cols = differing_columns(before, after.row(plane, row) + block.cols.begin, block.cols);
        before += block.cols.size();
        if (cols.empty()) return;
        const Block here{Range::at(plane), Range::at(row), cols};
        const bool continues = !run.empty() && run.planes == here.planes && run.rows.end == row;
        if (!continues) changed.add(run);
        run = continues ? bounding_block(run, here) : here;
    });
    changed.add(run);
    return changed;
}

} // namespace lab
