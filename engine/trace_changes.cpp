// What of a node an update computes again, and which of its cells are others then.
#include <cassert>
#include <utility>

#include "engine/bits.h"
#include "engine/row_parts.h"
#include "engine/sources.h"
#include "engine/trace.h"

namespace lab {

// Of rows that are looked at in their order, the cells that differ: per run of rows one box of columns.
class Trace::DifferingRows {
  public:
    void add(const Block& row) {
        const bool continues = !run_.empty() && run_.planes == row.planes && run_.rows.end == row.rows.begin;
        if (!continues) end_run();
        run_ = continues ? bounding_block(run_, row) : row;
    }
    void end_run() { cells_.add(std::exchange(run_, {})); }
    const Region& cells() const { return cells_; }

  private:
    Region cells_; // of the runs that have ended
    Block run_;
};

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

// Computes these cells of a node anew, or copies them from the document; returns those whose bits differ from before.
Region Trace::refresh(int i, const Region& region) {
    const Node& node = this->node(i);
    if (!workspace_.is_stored(i)) {
        workspace_.invalidate(i, region, follows(i));
        return region;
    }
    const bool is_new = !workspace_.is_computed(i);
    const bool is_all = region.blocks() == Region(Block::all(node.shape)).blocks();
    assert(!is_new || is_all);
    workspace_.take_cells(i);
    DifferingRows differing;
    for (const Block& block : region.blocks()) {
        if (!node.is_leaf()) report_.n_cells_computed += block.size();
        if (is_new)
            compute(i, block);
        else
            refresh_by_parts(i, block, differing);
    }
    workspace_.note_computed(i);
    RunningScores* const scores = RunningScores::find(running_scores_, i);
    if (scores && is_all) scores->note_all_run();
    return is_new ? region : differing.cells();
}

void Trace::refresh_by_parts(int i, const Block& block, DifferingRows& differing) {
    const int n_rows = block.rows.size(), n_each = workspace_.n_rows_at_once(i, n_rows);
    if (n_each >= n_rows) {
        refresh_part(i, block, differing);
        return differing.end_run();
    }
    for (int plane = block.planes.begin; plane < block.planes.end; ++plane) {
        for_each_rows(block.rows, n_each, [&](Range rows) {
            refresh_part(i, {Range::at(plane), rows, block.cols}, differing);
        });
    }
    differing.end_run();
}

// Beside a copy of the part as it was.
void Trace::refresh_part(int i, const Block& block, DifferingRows& differing) {
    scratch_.resize(block.size());
    StoredSource(workspace_.view(i)).read(block, scratch_.data());
    compute(i, block);
    const ConstView<float> after = workspace_.view(i);
    const float* before = scratch_.data();
    for_each_row(block, [&](int plane, int row) {
        const int first = block.cols.begin;
        const Range cells = differing_cells(before, after.row(plane, row) + first, block.cols.size());
        before += block.cols.size();
        if (!cells.empty()) differing.add({Range::at(plane), Range::at(row), {first + cells.begin, first + cells.end}});
    });
}

void Trace::compute(int i, const Block& block) {
    const Node& node = this->node(i);
    const OutputView<float> result{workspace_.cells(i).data(), Block::all(node.shape)};
    if (!node.is_leaf()) return workspace_.compute(i, block, result, buffers_);
    const Tensor& tensor = tensors_.at(node.name);
    for_each_row(block, [&](int plane, int row) {
        const auto from = tensor.row(plane * node.shape.rows + row);
        for (int col = block.cols.begin; col < block.cols.end; ++col) result.row(plane, row)[col] = from[at_index(col)];
    });
}

} // namespace lab
