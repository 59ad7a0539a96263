#include "app/views/head_combination.h"

#include <algorithm>
#include <limits>

#include "app/session/trace_text.h"

namespace lab {

std::string HeadCombination::title() const {
    std::string numbers;
    for (std::size_t i = 0; i < heads.size(); ++i) {
        std::size_t end = i;
        while (end + 1 < heads.size() && heads[end + 1] == heads[end] + 1) ++end;
        numbers += (numbers.empty() ? "" : ", ") + std::to_string(heads[i] + 1);
        if (end > i + 1) numbers += "–" + std::to_string(heads[end] + 1);
        if (end > i + 1) i = end;
    }
    return (is_maximum ? "maximum over " : "average over ") + std::string(heads.size() == 1 ? "head " : "heads ") +
           numbers;
}

std::vector<float> read_combined(const Trace& trace, int node, const HeadCombination& combination, Range rows,
                                 Range cols) {
    const auto n = static_cast<float>(combination.heads.size());
    const std::size_t n_cells = Block{Range::at(0), rows, cols}.size();
    std::vector<float> combined(n_cells, combination.is_maximum ? -std::numeric_limits<float>::infinity() : 0.0f);
    std::vector<int> n_masked(n_cells);
    for (int head : combination.heads) {
        const Block block{Range::at(head), rows, cols};
        std::vector<float> cells(n_cells);
        trace.source(node)->read(block, cells.data());
        std::vector<float> marked = cells;
        mark_masked(trace, node, block, marked);
        for (std::size_t i = 0; i < n_cells; ++i) {
            combined[i] = combination.is_maximum ? std::max(combined[i], cells[i]) : combined[i] + cells[i] / n;
            n_masked[i] += marked[i] != cells[i] ? 1 : 0;
        }
    }
    for (std::size_t i = 0; i < n_cells; ++i) {
        if (n_masked[i] == static_cast<int>(combination.heads.size()))
            combined[i] = -std::numeric_limits<float>::infinity();
    }
    return combined;
}

} // namespace lab
