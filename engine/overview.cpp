#include "engine/overview.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "engine/bits.h"
#include "engine/kernels/rows.h"

namespace lab {

namespace {

constexpr int kMostBlocks = 1024; // of a row: about as many as the screen has points for it
constexpr float kGreatest = std::numeric_limits<float>::max();

int lowest_level(const Shape& shape) {
    int level = 0;
    while (n_texels(shape.cols, level) > kMostBlocks) ++level;
    const auto n_maxima = [&] {
        return std::uint64_t{n_flat_rows(shape)} * static_cast<std::uint64_t>(n_texels(shape.cols, level));
    };
    while (n_maxima() > kMostMaxima && n_texels(shape.cols, level) > 1) ++level;
    return level;
}

// Whether its ends are those of the row's finite numbers, of which there are some.
bool spans_finite(const RowSpan& span) {
    return !span.has_nan && span.least <= span.greatest && span.greatest <= kGreatest;
}

// Number n / 2 in order, of n positive numbers; they are left in another order. Their bits are in the order of the numbers: by these
// they are counted in classes, and only the class that holds the middle one is put in order.
float middle_of(std::vector<float>& numbers) {
    constexpr int kClasses = 256;
    const auto [least, greatest] = std::minmax_element(numbers.begin(), numbers.end());
    const std::uint32_t first = bits_of(*least), span = bits_of(*greatest) - first;
    int shift = 0;
    while (span >> shift >= kClasses) ++shift;
    const auto class_of = [&](float number) { return (bits_of(number) - first) >> shift; };
    std::array<std::size_t, kClasses> counts{};
    for (float number : numbers) ++counts[class_of(number)];
    std::size_t n_left = numbers.size() / 2;
    std::uint32_t middle = 0;
    while (n_left >= counts[middle]) n_left -= counts[middle++];
    const auto end = std::partition(numbers.begin(), numbers.end(), [&](float x) { return class_of(x) == middle; });
    const auto found = numbers.begin() + static_cast<std::ptrdiff_t>(n_left);
    std::nth_element(numbers.begin(), found, end);
    return *found;
}

} // namespace

float typical_magnitude(const std::vector<Extent>& rows) {
    constexpr std::size_t kEnough = 1024;
    std::vector<float> magnitudes;
    magnitudes.reserve(rows.size());
    for (const Extent& row : rows) {
        if (magnitude_of(row) > 0) magnitudes.push_back(magnitude_of(row));
    }
    if (magnitudes.empty()) return 0;
    const std::size_t step = magnitudes.size() / kEnough | 1; // odd: of rows that take turns by twos, each counts
    std::size_t n = 0;
    for (std::size_t i = 0; i < magnitudes.size(); i += step) magnitudes[n++] = magnitudes[i];
    magnitudes.resize(n);
    return middle_of(magnitudes);
}

void ExtentSum::add(const Extent& extent) {
    extent_ =
        is_empty_ ? extent : Extent{std::min(extent_.least, extent.least), std::max(extent_.greatest, extent.greatest)};
    is_empty_ = false;
}

void ExtentSum::add_finite(const float* cells, int n) { add_finite(cells, n, row_span(cells, n)); }

void ExtentSum::add_finite(const float* cells, int n, const RowSpan& span) {
    if (spans_finite(span)) return add({span.least, span.greatest});
    for (int j = 0; j < n; ++j) {
        if (std::isfinite(cells[j])) add({cells[j], cells[j]});
    }
}

Overview::Overview(const Shape& shape) : shape_(shape), level_(lowest_level(shape)) {
    n_fine_ = static_cast<std::size_t>(n_blocks(level_));
    n_coarse_ = static_cast<std::size_t>(n_blocks(level_ + kLevelsToCoarse));
    rows_.resize(n_flat_rows(shape));
    fine_.resize(rows_.size() * n_fine_);
    coarse_.resize(rows_.size() * n_coarse_);
    n_changes_left_.resize(static_cast<std::size_t>(shape.planes));
}

void Overview::record(int plane, int row, const float* cells) {
    const int n = shape_.cols;
    const std::size_t index = index_of(plane, row);
    float* const fine = fine_.data() + index * n_fine_;
    const RowSpan span = row_span(cells, n);
    reduce_row_to_maxima(cells, n, level_, span.has_nan, fine);
    reduce_row_to_maxima(fine, static_cast<int>(n_fine_), kLevelsToCoarse, span.has_nan,
                         coarse_.data() + index * n_coarse_);
    Row& known = rows_[index];
    known = {{span.least, span.greatest}, true, true, true, span.has_masked, span.has_nan};
    if (spans_finite(span)) return;
    ExtentSum finite;
    finite.add_finite(cells, n, span);
    known.extent = finite.extent();
    known.has_finite = !finite.is_empty();
}

Overview::Replaced Overview::replace(Cell cell, float before, float after, bool keeps_maxima) {
    if (bits_of(before) == bits_of(after))
        return Replaced::whole; // masked before and after, as half of a causal mask is
    const std::size_t index = index_of(cell.plane, cell.row);
    Row& known = rows_[index];
    const bool are_plain = std::isfinite(before) && std::isfinite(after) && known.has_finite && !known.has_nan;
    const bool was_least = before == known.extent.least && after > before;
    const bool was_greatest = before == known.extent.greatest && after < before;
    if (!are_plain || was_least || was_greatest) return Replaced::lost;
    known.extent = {std::min(known.extent.least, after), std::max(known.extent.greatest, after)};
    known.has_maxima = known.has_maxima && keeps_maxima;
    if (!known.has_maxima) return Replaced::whole;
    const auto block = static_cast<std::size_t>(cell.col >> level_);
    const float greatest = fine_[index * n_fine_ + block];
    if (after < greatest && before == greatest && level_ > 0) return Replaced::without_block;
    if (after > greatest || level_ == 0) set_maximum(index, block, after);
    return Replaced::whole;
}

void Overview::record_block(int plane, int row, int block, std::span<const float> cells) {
    set_maximum(index_of(plane, row), static_cast<std::size_t>(block), *std::max_element(cells.begin(), cells.end()));
}

// Of a row without NaN.
void Overview::set_maximum(std::size_t row, std::size_t block, float greatest) {
    float* const fine = fine_.data() + row * n_fine_;
    fine[block] = greatest;
    const std::size_t coarse = block >> kLevelsToCoarse, first = coarse << kLevelsToCoarse;
    const std::size_t end = std::min(first + (std::size_t{1} << kLevelsToCoarse), n_fine_);
    coarse_[row * n_coarse_ + coarse] = *std::max_element(fine + first, fine + end);
}

void Overview::note_change() {
    for (int& n : n_changes_left_) n = std::max(n - 1, 0);
}

ExtentSum Overview::extent() const {
    ExtentSum all;
    for (const Row& row : rows_) {
        if (row.is_known && row.has_finite) all.add(row.extent);
    }
    return all;
}

std::vector<Extent> Overview::row_extents() const {
    std::vector<Extent> extents;
    extents.reserve(rows_.size());
    for (const Row& row : rows_) {
        if (row.is_known && row.has_finite) extents.push_back(row.extent);
    }
    return extents;
}

} // namespace lab
