#include "engine/gradient_memory.h"

#include "engine/attention.h"
#include "engine/count_text.h"

namespace lab {

namespace {

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
    const bool is_between_tokens = shown.rows == Axis::queries && shown.cols == Axis::keys;
    const int n_tokens = builder.shape(largest).cols;
    if (const int n = is_between_tokens ? most_tokens_held(builder, n_tokens) : 0; n > 0)
        return "the gradient of " + grouped(n_tokens) + " tokens does not fit into memory, but that of about " +
               grouped(n) + " does";
    return "the gradient brings the tensors to " + grouped(n_cells) + " numbers, but memory is for " +
           grouped(kMostCells);
}

} // namespace lab
