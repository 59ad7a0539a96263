#include "app/joined_draw_list.h"

#include <algorithm>

namespace lab {

static_assert(sizeof(ImDrawIdx) == 4);

void JoinedDrawLists::join(ImDrawData& frame) {
    joined_ = nullptr;
    if (frame.CmdLists.Size < 2) return;
    const auto has_fewer = [](const ImDrawList* a, const ImDrawList* b) {
        return a->VtxBuffer.Size < b->VtxBuffer.Size;
    };
    joined_ = *std::max_element(frame.CmdLists.begin(), frame.CmdLists.end(), has_fewer);
    ImDrawList& joined = *joined_;
    n_vertices_ = joined.VtxBuffer.Size;
    n_indices_ = joined.IdxBuffer.Size;
    int n_vertices = n_vertices_, n_indices = n_indices_;
    joined.VtxBuffer.resize(frame.TotalVtxCount);
    joined.IdxBuffer.resize(frame.TotalIdxCount);
    commands_.resize(0);
    for (const ImDrawList* list : frame.CmdLists) {
        const bool stays = list == &joined;
        for (ImDrawCmd command : list->CmdBuffer) {
            command.IdxOffset += stays ? 0 : static_cast<unsigned>(n_indices);
            commands_.push_back(command);
        }
        if (stays) continue;
        std::copy(list->VtxBuffer.begin(), list->VtxBuffer.end(), joined.VtxBuffer.Data + n_vertices);
        const auto first_vertex = static_cast<ImDrawIdx>(n_vertices);
        std::transform(list->IdxBuffer.begin(), list->IdxBuffer.end(), joined.IdxBuffer.Data + n_indices,
                       [&](ImDrawIdx index) { return index + first_vertex; });
        n_vertices += list->VtxBuffer.Size;
        n_indices += list->IdxBuffer.Size;
    }
    joined.CmdBuffer.swap(commands_);
    frame.CmdLists.resize(1);
    frame.CmdLists[0] = &joined;
    frame.CmdListsCount = 1;
}

void JoinedDrawLists::part() {
    if (joined_ == nullptr) return;
    joined_->CmdBuffer.swap(commands_);
    joined_->VtxBuffer.resize(n_vertices_);
    joined_->IdxBuffer.resize(n_indices_);
    // Where it is written on, which Dear ImGui looks at again: its memory may be another by now.
    joined_->_VtxWritePtr = joined_->VtxBuffer.Data + n_vertices_;
    joined_->_IdxWritePtr = joined_->IdxBuffer.Data + n_indices_;
    joined_ = nullptr;
}

} // namespace lab
