#include "engine/gradient_memory.h"

#include "engine/attention.h"
#include "engine/count_text.h"

namespace lab {

namespace {

// Whether what has so many rows or columns has them by its tokens: no width of what is given is the same number.
bool is_told_from_widths(ProgramBuilder& builder, int n_tokens) {
    for (int i = 0; i < builder.n_nodes(); ++i) {
        const Node& node = builder.node(i);
        if (!node.is_leaf()) continue;
        if (node.shape.rows == n_tokens && !counts_tokens(node.presentation.rows)) return false;
        if (node.shape.cols == n_tokens && !counts_tokens(node.presentation.cols)) return false;
    }
    return true;
}

// The longest text, to two digits, whose gradient memory holds; shorter than this one.
int most_tokens_held(const ProgramBuilder& builder, int n_tokens) {
    int fits = 0, too_many = n_tokens;
    while (too_many - fits > 1) {
        const int n = fits + (too_many - fits) / 2;
        (builder.n_cells_held(n, n_tokens) <= kMostCells ? fits : too_many) = n;
    }
    int unit = 1;
    while (fits / unit >= 100) unit *= 10;
    return fits / unit * unit;
}

} // namespace

std::string error_if_too_large(ProgramBuilder& builder) {
    const std::uint64_t n_cells = builder.n_cells_held();
    if (n_cells <= kMostCells) return {};
    int largest = 0;
    for (int i = 1; i < builder.n_nodes(); ++i) {
        if (builder.shape(i).n_cells() > builder.shape(largest).n_cells()) largest = i;
    }
    const Presentation& shown = builder.node(largest).presentation;
    const int n_tokens = builder.shape(largest).cols;
    // With a past there are more keys than tokens.
    const bool is_of_one_text =
        shown.rows == Axis::queries && shown.cols == Axis::keys && builder.shape(largest).rows == n_tokens;
    const bool is_known = is_of_one_text && is_told_from_widths(builder, n_tokens);
    if (const int n = is_known ? most_tokens_held(builder, n_tokens) : 0; n > 0)
        return "the gradient of " + grouped(n_tokens) + " tokens does not fit into memory, but that of about " +
               grouped(n) + " does";
    return "the gradient brings the tensors to " + grouped(n_cells) + " numbers, but memory is for " +
           grouped(kMostCells);
}

} // namespace lab
