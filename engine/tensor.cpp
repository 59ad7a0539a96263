#include "engine/tensor.h"

#include <algorithm>
#include <cassert>

#include "engine/bits.h"

namespace lab {

namespace {

constexpr int kCellsPerTile = 4096; // 16 KiB: one drag frame copies this much

int rows_per_tile(const Shape& shape) { return std::max(1, kCellsPerTile / std::max(1, shape.cols)); }

} // namespace

Tensor::Tensor(const Shape& shape, float fill) : Tensor(shape, std::vector<float>(shape.size(), fill)) {}

Tensor::Tensor(const Shape& shape, const std::vector<float>& values)
    : shape_(shape), rows_per_tile_(rows_per_tile(shape)) {
    assert(values.size() == shape.size());
    const std::size_t tile_cells = static_cast<std::size_t>(rows_per_tile_) * std::max(1, shape.cols);
    for (std::size_t begin = 0; begin < values.size(); begin += tile_cells) {
        const std::size_t end = std::min(values.size(), begin + tile_cells);
        tiles_.push_back(std::make_shared<const std::vector<float>>(values.begin() + static_cast<std::ptrdiff_t>(begin),
                                                                    values.begin() + static_cast<std::ptrdiff_t>(end)));
    }
}

std::span<const float> Tensor::row(int flat_row) const {
    assert(flat_row >= 0 && flat_row < n_flat_rows());
    if (shape_.cols == 0) return {};
    const std::vector<float>& tile = *tiles_[static_cast<std::size_t>(flat_row / rows_per_tile_)];
    const std::size_t n_cols = static_cast<std::size_t>(shape_.cols);
    return std::span<const float>(tile).subspan(static_cast<std::size_t>(flat_row % rows_per_tile_) * n_cols, n_cols);
}

std::vector<float> Tensor::values() const {
    std::vector<float> all;
    all.reserve(shape_.size());
    for (const Tile& tile : tiles_) all.insert(all.end(), tile->begin(), tile->end());
    return all;
}

Tensor Tensor::with(Cell cell, float value) const {
    const int flat_row = cell.plane * shape_.rows + cell.row;
    assert(flat_row >= 0 && flat_row < n_flat_rows() && cell.col >= 0 && cell.col < shape_.cols);
    Tensor changed = *this;
    Tile& tile = changed.tiles_[static_cast<std::size_t>(flat_row / rows_per_tile_)];
    auto copy = std::make_shared<std::vector<float>>(*tile);
    (*copy)[static_cast<std::size_t>(flat_row % rows_per_tile_) * static_cast<std::size_t>(shape_.cols) +
            static_cast<std::size_t>(cell.col)] = value;
    tile = std::move(copy);
    return changed;
}

Region difference(const Tensor& before, const Tensor& after) {
    assert(before.shape_ == after.shape_);
    Region region;
    if (after.shape_.size() == 0) return region;
    const int n_rows = after.shape_.rows;
    for (int flat_row = 0; flat_row < after.n_flat_rows(); ++flat_row) {
        const std::size_t tile = static_cast<std::size_t>(flat_row / after.rows_per_tile_);
        if (before.tiles_[tile] == after.tiles_[tile]) {
            flat_row = (static_cast<int>(tile) + 1) * after.rows_per_tile_ - 1;
            continue;
        }
        const Range cols = differing_cells(before.row(flat_row).data(), after.row(flat_row).data(), after.shape_.cols);
        if (!cols.empty()) region.add(Block{Range::at(flat_row / n_rows), Range::at(flat_row % n_rows), cols});
    }
    return region;
}

bool bit_equal(const Tensor& a, const Tensor& b) {
    const auto is_equal = [](const Tensor::Tile& x, const Tensor::Tile& y) {
        return x == y || have_equal_bits(x->data(), y->data(), static_cast<int>(x->size()));
    };
    return a.shape_ == b.shape_ && std::equal(a.tiles_.begin(), a.tiles_.end(), b.tiles_.begin(), is_equal);
}

std::size_t Tensor::bytes_not_shared_with(const Tensor& other) const {
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < tiles_.size(); ++i) {
        const bool shared = i < other.tiles_.size() && tiles_[i] == other.tiles_[i];
        if (!shared) bytes += tiles_[i]->size() * sizeof(float);
    }
    return bytes;
}

} // namespace lab
