#pragma once

#include <optional>

#include "engine/document.h"
#include "engine/program.h"

// Which rows are a query's own. A row number alone says nothing: row 1 of the context is another word than query 1, and row 0
// of a past an earlier token.
namespace lab {

// The row of this tensor that is the query's: of rows that count queries, and of keys and values that are made from the same
// tokens, below those of a past. Absent where it has none.
std::optional<int> row_of_query(const Document& document, const Node& node, int query);

// The query that the row is of; absent for rows of the context, of earlier tokens, and where rows count something else.
std::optional<int> query_of_row(const Document& document, const Node& node, int row);

// The key that is the query's own token.
std::optional<int> key_of_query(const Document& document, int query);

} // namespace lab
