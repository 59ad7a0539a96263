#include "app/views/texel_source.h"

#include <algorithm>
#include <vector>

#include "app/session/trace_text.h"

namespace lab {

void TexelSource::read(Range texel_rows, Range texel_cols, PictureLevel level, Reduction reduction,
                       float* texels) const {
    if (level.is_finest()) {
        survey(texel_rows);
        return read_cells(texel_rows, texel_cols, texels);
    }
    if (!is_reduced_by_source(level)) {
        if (!has_colors_of_points) survey(cells_of_texels(texel_rows, level.rows, n_rows));
        return reduce_cells(texel_rows, texel_cols, level, reduction, texels);
    }
    const Block block{Range::at(plane), texel_rows, texel_cols};
    trace->source(node)->reduce(block, {level.rows, reduction}, texels);
    mark_masked_texels(*trace, node, {block, level.rows}, texels);
}

// The trace knows an extent, and so colours, of rows that came by whole. A matrix seen from farther away first has come by; of one that
// is seen cell by cell from the beginning, or by points that are not square, only these cells are read.
void TexelSource::survey(Range rows) const {
    constexpr std::uint64_t kMostSurveyed = 1 << 22; // as many as a screen has points
    if (!combined && !query && trace->program().node(node).shape.n_cells() <= kMostSurveyed)
        trace->survey(node, plane, rows);
}

bool TexelSource::is_computed(Range texel_rows, PictureLevel level, Reduction reduction) const {
    if (trace->is_complete() || level.is_finest()) return true;
    if (is_read_ahead(level)) return !trace->is_pending(node);
    if (!is_reduced_by_source(level)) return true;
    return trace->is_surveyed(node, {Range::at(plane), texel_rows, {}}, {level.rows, reduction});
}

bool TexelSource::is_long_to_read(PictureLevel level, Reduction reduction) const {
    return !level.is_finest() && is_reduced_by_source(level) && !trace->is_stored(node) &&
           !trace->has_maxima(node, {level.rows, reduction});
}

bool TexelSource::is_read_ahead(PictureLevel level) const {
    return level.rows > 0 && !query && !combined && trace->is_made_of_unstored(node);
}

bool TexelSource::can_sample(PictureLevel level, Reduction reduction) const {
    if (level.is_finest() || !trace->is_long() || trace->is_missing(node)) return false;
    if (is_read_ahead(level)) return !trace->is_pending(node) || trace->can_read_ahead(node);
    const bool is_known_by_rows = is_reduced_by_source(level) && trace->has_maxima(node, {level.rows, reduction});
    return is_known_by_rows || is_long_to_read(level, reduction);
}

void TexelSource::sample(Range texel_rows, Range texel_cols, PictureLevel level, Reduction reduction,
                         float* texels) const {
    const Seen seen{level.rows, reduction, true};
    if (!is_read_ahead(level)) {
        const Block block{Range::at(plane), texel_rows, texel_cols};
        trace->source(node)->reduce(block, seen, texels);
        return mark_masked_texels(*trace, node, {block, level.rows, true}, texels);
    }
    const Range cols = cells_of_texels(texel_cols, level.cols, n_cols);
    std::vector<int> rows;
    for (int texel_row = texel_rows.begin; texel_row < texel_rows.end; ++texel_row)
        rows.push_back(seen.rows_of(texel_row, n_rows).begin);
    std::vector<float> cells(rows.size() * static_cast<std::size_t>(n_cols));
    read_rows(rows, cells.data());
    TexelRow row_of_texels(texel_cols, level.cols, n_cols, reduction);
    for (std::size_t k = 0; k < rows.size(); ++k) {
        row_of_texels.add(cells.data() + k * static_cast<std::size_t>(n_cols) + cols.begin);
        row_of_texels.finish(texels);
        texels += texel_cols.size();
    }
}

// Whole rows, one behind the other: as they are, or as they will be when the update has come by them.
void TexelSource::read_rows(std::span<const int> rows, float* cells) const {
    if (trace->is_pending(node)) return trace->read_ahead(node, plane, rows, cells);
    const std::unique_ptr<Source> source = trace->source(node);
    for (int row : rows) {
        source->read({Range::at(plane), Range::at(row), {0, n_cols}}, cells);
        cells += n_cols;
    }
}

void TexelSource::read_cells(Range rows, Range cols, float* cells) const {
    if (combined) {
        const std::vector<float> read = read_combined(*trace, node, *combined, rows, cols);
        std::copy(read.begin(), read.end(), cells);
        return;
    }
    const Block block = query ? Block{{plane + rows.begin, plane + rows.end}, Range::at(*query), cols}
                              : Block{Range::at(plane), rows, cols};
    trace->source(node)->read(block, cells);
    mark_masked(*trace, node, block, {cells, block.size()});
}

// What no source knows by itself, from its cells: some rows of them at a time.
void TexelSource::reduce_cells(Range texel_rows, Range texel_cols, PictureLevel level, Reduction reduction,
                               float* texels) const {
    const Range cols = cells_of_texels(texel_cols, level.cols, n_cols);
    const int n_together = std::clamp(kNearNumbers / std::max(cols.size(), 1), 1, 1 << level.rows);
    std::vector<float> cells(static_cast<std::size_t>(n_together) * static_cast<std::size_t>(cols.size()));
    TexelRow row_of_texels(texel_cols, level.cols, n_cols, reduction);
    for (int texel_row = texel_rows.begin; texel_row < texel_rows.end; ++texel_row) {
        const Range rows = cells_of_texels(Range::at(texel_row), level.rows, n_rows);
        for (int first = rows.begin; first < rows.end; first += n_together) {
            const Range some{first, std::min(first + n_together, rows.end)};
            read_cells(some, cols, cells.data());
            for (int row = 0; row < some.size(); ++row) row_of_texels.add(cells.data() + row * cols.size());
        }
        row_of_texels.finish(texels);
        texels += texel_cols.size();
    }
}

} // namespace lab
