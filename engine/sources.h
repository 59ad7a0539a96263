#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "engine/trace.h"

namespace lab {

// The kinds of Source that a trace gives. They read its memory: not to be kept beyond its next update.

// An array in memory.
class StoredSource final : public Source {
  public:
    StoredSource(ConstView<float> view) : Source(view.shape), view_(view) {}

    void read(const Block& block, float* cells) const override {
        for_each_row(block, [&](int plane, int row) {
            const float* from = view_.row(plane, row) + block.cols.begin;
            cells = std::copy(from, from + block.cols.size(), cells);
        });
    }
    float at(Cell cell) const override { return view_.at(cell); }

  private:
    ConstView<float> view_;
};

// One number in every cell.
class ConstantSource final : public Source {
  public:
    ConstantSource(const Shape& shape, float value) : Source(shape), value_(value) {}

    void read(const Block& block, float* cells) const override { std::fill_n(cells, block.size(), value_); }
    float at(Cell) const override { return value_; }
    void reduce(const Block& texels, const Seen&, float* result) const override { read(texels, result); }

  private:
    float value_;
};

// A step that is computed where it is looked at.
class ComputedSource final : public Source {
  public:
    ComputedSource(const Workspace& workspace, int node)
        : Source(workspace.program().node(node).shape), workspace_(workspace), node_(node) {}

    void read(const Block& block, float* cells) const override {
        workspace_.compute(node_, block, {cells, block}, buffers_);
    }
    float at(Cell cell) const override {
        float value = 0;
        read(Block::at(cell), &value);
        return value;
    }
    void reduce(const Block& texels, const Seen& seen, float* result) const override {
        workspace_.has_overview(node_) ? workspace_.reduce(node_, texels, seen, result)
                                       : Source::reduce(texels, seen, result);
    }

  private:
    const Workspace& workspace_;
    int node_;
    mutable RowBuffers buffers_;
};

} // namespace lab
