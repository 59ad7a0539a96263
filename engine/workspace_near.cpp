// Scores and weights of long texts, which are computed where they are read next and kept far from there.
#include <cassert>

#include "engine/kernels/product.h"
#include "engine/row_parts.h"
#include "engine/workspace.h"

namespace lab {

// Scores, weights and contexts of a block one after another, the weights in the scores' place.
void Workspace::run_near(NearParts parts, const Block& block, RowBuffers& buffers) {
    assert(block.planes.size() == 1);
    const auto whole = [&](const Tasks::Part& part) {
        return OutputView<float>{cells(part.node).data(), Block::all(program_.node(part.node).shape)};
    };
    const Tasks::Part &scores = parts[0], &weights = parts[1], &contexts = parts[2];
    const Shape& shape = program_.node(scores.node).shape;
    buffers.release_all();
    const OutputView<float> near{buffers.take(at_index(block.rows.size()) * at_index(shape.cols)), block};
    const auto reading_near = [&](const Tasks::Part& part) {
        std::vector<ConstView<float>> read = *part.whole;
        read.front() = rows_as_whole(near.data, shape, block.planes.begin, block.rows.begin);
        return read;
    };
    scores.runner->run(*scores.whole, block, near, {.of_result = whole(scores), .of_first = {}});
    run_part(weights, reading_near(weights), block, near);
    const Block of_contexts{block.planes, block.rows, {0, program_.node(contexts.node).shape.cols}};
    contexts.runner->run(reading_near(contexts), of_contexts, whole(contexts),
                         {.of_result = {}, .of_first = whole(weights)});
}

// Whether it is a product that can copy, and adds nothing.
bool Workspace::makes_copies(const Tasks::Part& part) const {
    return part.whole && part.whole->size() == 2 && part.runner && part.runner->makes_copies();
}

// Whether these are a product, weights of its rows and a product of theirs.
bool Workspace::can_run_near(NearParts parts) const {
    const Tasks::Part &scores = parts[0], &weights = parts[1], &contexts = parts[2];
    const auto is_of_panels = [&](int node) { return program_.node(node).shape.cols % kPanelColumns == 0; };
    if (!is_of_panels(scores.node) || !is_of_panels(contexts.node)) return false;
    const Shape& shape = program_.node(scores.node).shape;
    if (program_.node(weights.node).shape != shape || program_.node(contexts.node).shape.planes != shape.planes)
        return false;
    if (!makes_copies(scores) || !weights.whole || !makes_copies(contexts)) return false;
    const auto reads = [&](const Tasks::Part& part, int node) {
        return part.whole->front().data == cells_[at_index(node)].data();
    };
    return reads(weights, scores.node) && program_.node(weights.node).step->has_row_sums() &&
           reads(contexts, weights.node);
}

// So large that neither scores nor weights fit into a cache while a block of them does.
bool Workspace::is_worth_near(NearParts parts, int n_rows) const {
    constexpr std::size_t kShareOfSecondCache = 2;
    const Shape& shape = program_.node(parts[0].node).shape;
    const std::size_t n_bytes = at_index(n_rows) * at_index(shape.cols) * sizeof(float);
    return shape.n_cells() >= near_.least_cells && shape.cols >= near_.least_columns && n_rows >= near_.least_rows &&
           n_bytes <= near_.second_cache / kShareOfSecondCache;
}

} // namespace lab
