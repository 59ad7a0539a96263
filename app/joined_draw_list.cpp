#include "app/joined_draw_list.h"

#include <algorithm>

namespace lab {

static_assert(sizeof(ImDrawIdx) == 4);

void join_draw_lists(ImDrawData& frame, ImVector<ImDrawCmd>& commands) {
    if (frame.CmdLists.Size < 2) return;
    const auto has_fewer = [](const ImDrawList* a, const ImDrawList* b) {
        return a->VtxBuffer.Size < b->VtxBuffer.Size;
    };
    ImDrawList& joined = **std::max_element(frame.CmdLists.begin(), frame.CmdLists.end(), has_fewer);
    int n_vertices = joined.VtxBuffer.Size, n_indices = joined.IdxBuffer.Size;
    joined.VtxBuffer.resize(frame.TotalVtxCount);
    joined.IdxBuffer.resize(frame.TotalIdxCount);
    commands.resize(0);
    for (const ImDrawList* list : frame.CmdLists) {
        const bool stays = list == &joined;
        for (ImDrawCmd command : list->CmdBuffer) {
            command.IdxOffset += stays ? 0 : static_cast<unsigned>(n_indices);
            commands.push_back(command);
        }
        if (stays) continue;
        std::copy(list->VtxBuffer.begin(), list->VtxBuffer.end(), joined.VtxBuffer.Data + n_vertices);
        const auto first_vertex = static_cast<ImDrawIdx>(n_vertices);
        std::transform(list->IdxBuffer.begin(), list->IdxBuffer.end(), joined.IdxBuffer.Data + n_indices,
                       [&](ImDrawIdx index) { return index + first_vertex; });
        n_vertices += list->VtxBuffer.Size;
        n_indices += list->IdxBuffer.Size;
    }
    joined.CmdBuffer.swap(commands);
    frame.CmdLists.resize(1);
    frame.CmdLists[0] = &joined;
    frame.CmdListsCount = 1;
}

} // namespace lab
