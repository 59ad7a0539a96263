#include "engine/source.h"

namespace lab {

std::vector<float> read_all(const Source& source) {
    std::vector<float> cells(source.shape().size());
    source.read(Block::all(source.shape()), cells.data());
    return cells;
}

void Source::reduce(const Block& texels, const Seen& seen, float* result) const {
    const Range cols = cells_of_texels(texels.cols, seen.level, shape().cols);
    std::vector<float> cells(static_cast<std::size_t>(cols.size()));
    TexelRow row_of_texels(texels.cols, seen.level, shape().cols, seen.reduction);
    for_each_row(texels, [&](int plane, int texel_row) {
        const Range rows = seen.rows_of(texel_row, shape().rows);
        for (int row = rows.begin; row < rows.end; ++row) {
            read({Range::at(plane), Range::at(row), cols}, cells.data());
            row_of_texels.add(cells.data());
        }
        row_of_texels.finish(result);
        result += texels.cols.size();
    });
}

} // namespace lab
