#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "engine/cells.h"
#include "engine/reduction.h"
#include "engine/shape.h"

namespace lab {

struct RowSpan;

// Least and greatest finite cell; 0 and 0 where there is none.
struct Extent {
    float least = 0;
    float greatest = 0;
    bool operator==(const Extent&) const = default;
};

inline float magnitude_of(const Extent& extent) {
    return std::max(std::fabs(extent.least), std::fabs(extent.greatest));
}

// The median of the rows' magnitudes that are not 0; 0 where there is none. Of more than 2,047 such rows about a thousand
// are looked at, evenly apart.
float typical_magnitude(const std::vector<Extent>& rows);

// The extent of all that is added.
class ExtentSum {
  public:
    void add(const Extent& extent);
    void add(const ExtentSum& other) {
        if (!other.is_empty()) add(other.extent());
    }
    void add_finite(const float* cells, int n);
    void add_finite(const float* cells, int n, const RowSpan& span); // of these cells, for who knows it
    bool is_empty() const { return is_empty_; }
    const Extent& extent() const { return extent_; }

  private:
    Extent extent_;
    bool is_empty_ = true;
};

// What is kept of a large tensor in place of its cells, row by row as they come by: the greatest of every 2^level columns, and the
// row's extent. The level is the lowest at which a row has no more blocks than a screen has points for it and all of them together
// no more than kMostMaxima, so that memory and the time to look at them grow with the rows, not with their square.
class Overview {
  public:
    struct Row {
        Extent extent;
        bool is_known = false;   // what stands here is that of the row as it is
        bool has_maxima = false; // and so are its maxima
        bool has_finite = false;
        bool has_masked = false;
        bool has_nan = false;
    };

    explicit Overview(const Shape& shape);

    const Shape& shape() const { return shape_; }
    int level() const { return level_; }
    Range cells_of_block(int block) const { return cells_of_texels(Range::at(block), level_, shape_.cols); }

    const Row& row(int plane, int row) const { return rows_[index_of(plane, row)]; }
    // The higher of the two levels at which maxima are kept that does not exceed `level` (≥ level()): who looks from afar need not
    // read all of them.
    int kept_level(int level) const { return level < level_ + kLevelsToCoarse ? level_ : level_ + kLevelsToCoarse; }
    int n_blocks(int level) const { return n_texels(shape_.cols, level); }
    // Per block of 2^level columns, a level that is kept, the greatest cell, as Reduction::maximum has it. Of a row that has them.
    const float* maxima(int plane, int row, int level) const {
        return level == level_ ? fine_.data() + index_of(plane, row) * n_fine_
                               : coarse_.data() + index_of(plane, row) * n_coarse_;
    }

    // A whole row.
    void record(int plane, int row, const float* cells);
    void forget_row(int plane, int row) {
        Row& known = rows_[index_of(plane, row)];
        known.is_known = known.has_maxima = false;
    }

    // A cell of a known row has changed.
    // keeps_maxima  false: the row's maxima are given up
    enum class Replaced {
        whole,
        without_block, // it was the greatest of its block of columns: `record_block` is to follow
        lost,          // it was the row's least or greatest, so that the row is to be looked at again (`record`)
    };
    Replaced replace(Cell cell, float before, float after, bool keeps_maxima);
    // The cells of a row's block as they are now.
    void record_block(int plane, int row, int block, std::span<const float> cells);

    // Maxima of one column lie far apart, so that keeping them up costs more than all else: it is done for the planes that
    // somebody has looked at (`note_look`) within the last changes (`note_change`).
    bool keeps_maxima(int plane) const { return n_changes_left_[static_cast<std::size_t>(plane)] > 0; }
    void note_look(int plane) { n_changes_left_[static_cast<std::size_t>(plane)] = kChangesAfterLook; }
    void note_change();

    // Of the rows that are known and have a finite number: of all together, and of each.
    ExtentSum extent() const;
    std::vector<Extent> row_extents() const;

  private:
    static constexpr int kChangesAfterLook = 8; // a fast hand makes several between frames
    static constexpr int kLevelsToCoarse = 2;
    std::size_t index_of(int plane, int row) const { return flat_row(shape_, plane, row); }
    void set_maximum(std::size_t row, std::size_t block, float greatest);

    Shape shape_;
    int level_ = 0;
    std::size_t n_fine_ = 0, n_coarse_ = 0; // blocks of a row
    std::vector<Row> rows_;
    ScratchCells fine_, coarse_;      // maxima, of rows that have them: the rest is memory that nobody has touched
    std::vector<int> n_changes_left_; // per plane: for which its maxima are still kept up
};

// Numbers kept of a tensor: 32 MB where memory is small, else 128 MB, and a fourth of them once more.
inline constexpr std::uint64_t kMostMaxima = std::uint64_t{1} << (sizeof(void*) == 4 ? 23 : 25);

} // namespace lab
