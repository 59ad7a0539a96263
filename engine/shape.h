#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lab {

// The extent of a tensor of rank 1, 2 or 3, as planes × rows × columns: a vector has one row, a matrix one plane.
struct Shape {
    int planes = 1;
    int rows = 0;
    int cols = 0;
    int rank = 2;

    static Shape vector(int n) { return {1, 1, n, 1}; }
    static Shape matrix(int n_rows, int n_cols) { return {1, n_rows, n_cols, 2}; }
    static Shape stack(int n_planes, int n_rows, int n_cols) { return {n_planes, n_rows, n_cols, 3}; }

    // The number of cells, of a shape that is held in memory; and of one that may be too large for it, where the 32 bits of
    // WebAssembly's size_t would wrap round.
    std::size_t size() const {
        const std::size_t n = static_cast<std::size_t>(planes) * rows * cols;
        assert(n == n_cells());
        return n;
    }
    std::uint64_t n_cells() const { return static_cast<std::uint64_t>(planes) * rows * cols; }
    std::vector<int> dims() const; // as many numbers as the rank
    std::string to_text() const;   // "6 × 3"
    bool operator==(const Shape&) const = default;
};

// One cell by its full index: (plane, row, column). Planes are heads, or keys in weighted_values.
struct Cell {
    int plane = 0;
    int row = 0;
    int col = 0;
    bool operator==(const Cell&) const = default;
};

// Half-open: begin ≤ x < end.
struct Range {
    int begin = 0;
    int end = 0;

    static Range at(int index) { return {index, index + 1}; }
    int size() const { return end - begin; }
    bool empty() const { return end <= begin; }
    bool contains(int index) const { return index >= begin && index < end; }
    bool contains(Range other) const { return other.begin >= begin && other.end <= end; }
    bool operator==(const Range&) const = default;
};

// A box of cells.
struct Block {
    Range planes;
    Range rows;
    Range cols;

    static Block all(const Shape& shape) { return {{0, shape.planes}, {0, shape.rows}, {0, shape.cols}}; }
    static Block at(Cell cell) { return {Range::at(cell.plane), Range::at(cell.row), Range::at(cell.col)}; }
    std::size_t size() const { return static_cast<std::size_t>(planes.size()) * rows.size() * cols.size(); }
    Cell first() const { return {planes.begin, rows.begin, cols.begin}; }
    bool empty() const { return planes.empty() || rows.empty() || cols.empty(); }
    bool contains(Cell cell) const {
        return planes.contains(cell.plane) && rows.contains(cell.row) && cols.contains(cell.col);
    }
    bool contains(const Block& other) const {
        return planes.contains(other.planes) && rows.contains(other.rows) && cols.contains(other.cols);
    }
    bool operator==(const Block&) const = default;
};

// Calls f(plane, row) for every row of the block.
template <class Function> void for_each_row(const Block& block, Function f) {
    for (int plane = block.planes.begin; plane < block.planes.end; ++plane) {
        for (int row = block.rows.begin; row < block.rows.end; ++row) f(plane, row);
    }
}

// A number of cells, rows or planes, which is never negative, where memory is counted.
inline std::size_t at_index(int index) { return static_cast<std::size_t>(index); }

// Rows counted through all planes.
inline std::size_t n_flat_rows(const Shape& shape) {
    return static_cast<std::size_t>(shape.planes) * static_cast<std::size_t>(shape.rows);
}
inline std::size_t flat_row(const Shape& shape, int plane, int row) {
    return static_cast<std::size_t>(plane) * static_cast<std::size_t>(shape.rows) + static_cast<std::size_t>(row);
}

// The smallest box that holds both.
Block bounding_block(const Block& a, const Block& b);

// A set of cells as a few boxes, which may overlap: how a change travels from step to step.
class Region {
  public:
    Region() = default;
    Region(const Block& block) { add(block); }

    // Adds a box. Beyond kMaxBlocks the region becomes its bounding box: it may grow, never shrink.
    void add(const Block& block);
    void add(const Region& other);

    const std::vector<Block>& blocks() const { return blocks_; }
    bool empty() const { return blocks_.empty(); }
    bool contains(Cell cell) const;

    static constexpr std::size_t kMaxBlocks = 64;

  private:
    std::vector<Block> blocks_;
};

} // namespace lab
