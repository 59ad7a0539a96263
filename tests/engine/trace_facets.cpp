#include "tests/engine/trace_facets.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "tests/engine/labs.h"
#include "tests/engine/step_facets.h"

namespace lab::test {

namespace {

int n_nodes(const Trace& trace) { return static_cast<int>(trace.program().nodes.size()); }

const Node& node_of(const Trace& trace, int i) { return trace.program().node(i); }

void check_sources(const Trace& trace, const Expression& expression, int node) {
    for_each_source(expression, [&](const CellRef& source, double value) {
        EXPECT_TRUE(source.tensor < node || node_of(trace, node).is_leaf());
        EXPECT_TRUE(alike(static_cast<float>(value), trace.at(source.tensor, source.cell)))
            << node_of(trace, node).name << " names " << node_of(trace, source.tensor).name << " "
            << to_text(source.cell);
    });
}

using Key = std::tuple<int, int, int, int>;
Key key_of(int node, Cell cell) { return {node, cell.plane, cell.row, cell.col}; }

} // namespace

void check_derivations(const Trace& trace) {
    for (int i = 0; i < n_nodes(trace); ++i) {
        for_each_cell(node_of(trace, i).shape, [&](Cell cell) {
            const Expression derivation = trace.derive(i, cell);
            EXPECT_TRUE(close(evaluate(derivation), static_cast<double>(trace.at(i, cell))))
                << node_of(trace, i).name << to_text(cell) << " is " << trace.at(i, cell)
                << " but its derivation gives " << evaluate(derivation) << " = " << expression_text(derivation);
            check_sources(trace, derivation, i);
        });
    }
}

void check_steps(const Trace& trace) {
    for (int i = 0; i < n_nodes(trace); ++i) {
        if (node_of(trace, i).is_leaf()) continue;
        SCOPED_TRACE(node_of(trace, i).name);
        std::vector<Tensor> operands;
        for (int operand : node_of(trace, i).operands) operands.push_back(tensor_of(trace, operand));
        check_facets(*node_of(trace, i).step, operands);
    }
}

void check_feeds(const Trace& trace) {
    std::set<std::pair<Key, Key>> fed; // (source, cell)
    for (int i = 0; i < n_nodes(trace); ++i) {
        if (node_of(trace, i).is_leaf()) continue;
        for_each_cell(node_of(trace, i).shape, [&](Cell cell) {
            for (const CellRef& source : sources(trace.derive(i, cell)))
                fed.insert({key_of(source.tensor, source.cell), key_of(i, cell)});
        });
    }
    for (int i = 0; i < n_nodes(trace); ++i) {
        for_each_cell(node_of(trace, i).shape, [&](Cell from) {
            std::size_t n_fed = 0;
            for (const Trace::Feed& feed : trace.feeds(i, from)) {
                for_each_cell(node_of(trace, feed.node).shape, [&](Cell cell) {
                    if (!feed.cells.contains(cell)) return;
                    ++n_fed;
                    EXPECT_EQ(fed.count({key_of(i, from), key_of(feed.node, cell)}), 1u)
                        << node_of(trace, i).name << to_text(from) << " is no source of "
                        << node_of(trace, feed.node).name << to_text(cell);
                });
            }
            const auto first = fed.lower_bound({key_of(i, from), {}});
            const auto last = fed.upper_bound({key_of(i, from), key_of(n_nodes(trace), {})});
            EXPECT_EQ(n_fed, static_cast<std::size_t>(std::distance(first, last)))
                << node_of(trace, i).name << to_text(from);
        });
    }
}

std::set<std::string> leaves_below(const Trace& trace, const CellRef& start) {
    std::set<std::string> leaves;
    std::set<Key> seen;
    std::vector<CellRef> open = {start};
    while (!open.empty()) {
        const CellRef ref = open.back();
        open.pop_back();
        if (!seen.insert(key_of(ref.tensor, ref.cell)).second) continue;
        if (node_of(trace, ref.tensor).is_leaf()) {
            leaves.insert(node_of(trace, ref.tensor).name);
            continue;
        }
        for (const CellRef& source : sources(trace.derive(ref.tensor, ref.cell))) open.push_back(source);
    }
    return leaves;
}

} // namespace lab::test
