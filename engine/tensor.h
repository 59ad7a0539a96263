#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/shape.h"

namespace lab {

// An immutable float32 tensor, cheap to copy: rows lie in shared tiles, and a changed tensor shares every tile that
// did not change with the one that it came from. So a history of edits stores what changed.
//
// Rows are numbered through all planes: flat row = plane · rows + row. A row is contiguous and lies in one tile.
class Tensor {
  public:
    Tensor() = default;
    explicit Tensor(const Shape& shape, float fill = 0.0f);

    // values: row after row, plane after plane; as many as the shape has cells.
    Tensor(const Shape& shape, const std::vector<float>& values);

    const Shape& shape() const { return shape_; }
    float at(Cell cell) const { return row(cell.plane * shape_.rows + cell.row)[static_cast<std::size_t>(cell.col)]; }
    std::span<const float> row(int flat_row) const;
    std::vector<float> values() const;

    // The same tensor with one cell changed; copies one tile.
    Tensor with(Cell cell, float value) const;

    // Which rows differ in any bit. Tensors of equal shape; tiles that are shared are not looked at.
    friend Region difference(const Tensor& before, const Tensor& after);

    // Equal shape and equal bits (so NaN equals NaN, and 0 differs from −0).
    friend bool bit_equal(const Tensor& a, const Tensor& b);

    // Bytes held by tiles that `other` does not share.
    std::size_t bytes_not_shared_with(const Tensor& other) const;

  private:
    using Tile = std::shared_ptr<const std::vector<float>>;

    int n_flat_rows() const { return shape_.planes * shape_.rows; }

    Shape shape_;
    int rows_per_tile_ = 1;
    std::vector<Tile> tiles_;
};

Region difference(const Tensor& before, const Tensor& after);
bool bit_equal(const Tensor& a, const Tensor& b);

} // namespace lab
