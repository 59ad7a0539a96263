#pragma once

#include "app/views/view.h"

namespace lab {

// Chooses the query; what is pinned in another query's row moves along to its row.
void choose_query(ViewContext& context, int query);

} // namespace lab
