#include "app/joined_draw_list.h"

#include <algorithm>

namespace lab {

static_assert(sizeof(ImDrawIdx) == 4);

void join_draw_lists(ImDrawData& frame, ImDrawList& joined) {
    if (frame.CmdLists.Size < 2) return;
    joined.VtxBuffer.resize(frame.TotalVtxCount);
    joined.IdxBuffer.resize(frame.TotalIdxCount);
    joined.CmdBuffer.resize(0);
    ImDrawVert* vertices = joined.VtxBuffer.Data;
    ImDrawIdx* indices = joined.IdxBuffer.Data;
    for (const ImDrawList* list : frame.CmdLists) {
        const auto first_vertex = static_cast<ImDrawIdx>(vertices - joined.VtxBuffer.Data);
        const auto first_index = static_cast<unsigned>(indices - joined.IdxBuffer.Data);
        for (ImDrawCmd command : list->CmdBuffer) {
            command.IdxOffset += first_index;
            joined.CmdBuffer.push_back(command);
        }
        vertices = std::copy(list->VtxBuffer.begin(), list->VtxBuffer.end(), vertices);
        indices = std::transform(list->IdxBuffer.begin(), list->IdxBuffer.end(), indices,
                                 [&](ImDrawIdx index) { return index + first_vertex; });
    }
    frame.CmdLists.resize(1);
    frame.CmdLists[0] = &joined;
    frame.CmdListsCount = 1;
}

} // namespace lab
