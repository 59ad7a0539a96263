#include "tests/views/canvas_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>

#include "app/views/matrix_picture.h"
#include "app/views/shortcuts.h"
#include "app/views/views.h"

namespace lab::test {

namespace {

Tensor numbers(int n_rows, int n_cols) {
    std::vector<float> cells(static_cast<std::size_t>(n_rows) * static_cast<std::size_t>(n_cols));
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = std::sin(1.7f * static_cast<float>(i)) * 1.3f;
    return {Shape::matrix(n_rows, n_cols), cells};
}

void add_projections(Document& document, const Sizes& sizes, const std::string& prefix) {
    for (const std::string branch : {"query", "key", "value"}) {
        const int n = branch == "query" ? sizes.n_heads : sizes.n_kv_heads;
        const int width = n * (branch == "value" ? sizes.d_v : sizes.d_k);
        document.tensors[prefix + "W_" + branch] = numbers(sizes.d_in, width);
        if (sizes.has_biases) document.tensors[prefix + "b_" + branch] = Tensor(Shape::vector(width), 0.5f);
    }
    if (sizes.n_blocks > 0) document.tensors[prefix + "W_output"] = numbers(sizes.n_heads * sizes.d_v, sizes.d_in);
}

} // namespace

std::string Sizes::text() const {
    return std::to_string(n_tokens) + " tokens, d_in " + std::to_string(d_in) + ", d_k " + std::to_string(d_k) +
           ", d_v " + std::to_string(d_v) + (mask == MaskKind::causal ? ", causal" : "") +
           (mask == MaskKind::tensor ? ", masked" : "") + (has_biases ? ", biases" : "") +
           (has_projections ? "" : ", no projections") +
           (n_heads > 1 ? ", " + std::to_string(n_heads) + " heads" : "") +
           (n_blocks > 0 ? ", " + std::to_string(n_blocks) + " blocks" : "");
}

Document document_of(const Sizes& sizes) {
    Document document;
    for (int i = 0; i < sizes.n_tokens; ++i) document.tokens.push_back(sizes.word + std::to_string(i));
    document.attention.projections = sizes.has_projections;
    document.attention.mask = sizes.mask;
    document.tensors["inputs"] = numbers(sizes.n_tokens, sizes.d_in);
    if (sizes.mask == MaskKind::tensor) document.tensors["mask"] = numbers(sizes.n_tokens, sizes.n_tokens);
    document.attention.n_heads = sizes.n_heads;
    if (sizes.n_heads > 1) document.attention.n_kv_heads = sizes.n_kv_heads;
    document.attention.blocks.n = sizes.n_blocks;
    if (!sizes.has_projections) return document;
    for (int block = 0; block < std::max(1, sizes.n_blocks); ++block) {
        add_projections(document, sizes, sizes.n_blocks > 0 ? "blocks." + std::to_string(block) + "." : "");
    }
    return document;
}

std::vector<Sizes> many_sizes() {
    return {{.n_tokens = 3, .d_in = 4},
            {.n_tokens = 1, .d_in = 1, .d_k = 1, .d_v = 1},
            {.n_tokens = 1, .d_in = 3, .has_projections = false},
            {.n_tokens = 200, .d_in = 3},
            {.n_tokens = 6, .d_in = 3, .d_k = 2, .d_v = 9},
            {.n_tokens = 4, .d_in = 30, .d_k = 5, .d_v = 2, .has_biases = true},
            {.n_tokens = 12, .d_in = 8, .d_k = 8, .d_v = 8, .mask = MaskKind::causal, .has_biases = true},
            {.n_tokens = 5, .d_in = 3, .mask = MaskKind::tensor, .word = "Donaudampfschifffahrtsgesellschaft"},
            {.n_tokens = 24, .d_in = 16, .has_projections = false},
            {.n_tokens = 64, .d_in = 64, .d_k = 64, .d_v = 64, .mask = MaskKind::causal, .has_biases = true},
            {.n_tokens = 6, .d_in = 4, .mask = MaskKind::causal, .n_heads = 4, .n_kv_heads = 2},
            {.n_tokens = 6, .d_in = 4, .n_heads = 2, .n_kv_heads = 1, .n_blocks = 2}};
}

std::vector<std::string> drawn(const ImDrawList& list) {
    std::vector<std::string> lines;
    const auto add = [&](std::initializer_list<double> numbers) {
        std::string& line = lines.emplace_back();
        for (const double number : numbers) line += std::to_string(number) + " ";
    };
    for (const ImDrawCmd& command : list.CmdBuffer) {
        const ImVec4& clip = command.ClipRect;
        add({clip.x, clip.y, clip.z, clip.w});
        // A callback draws nothing.
        const void* texture = command.UserCallback ? nullptr : command.TexRef._TexData;
        for (const std::uintptr_t what :
             {reinterpret_cast<std::uintptr_t>(texture), reinterpret_cast<std::uintptr_t>(command.UserCallback),
              reinterpret_cast<std::uintptr_t>(command.UserCallbackData)})
            lines.back() += std::to_string(what) + " ";
        for (unsigned i = 0; i < command.ElemCount; ++i) {
            const ImDrawVert& corner =
                list.VtxBuffer[static_cast<int>(list.IdxBuffer[static_cast<int>(command.IdxOffset + i)])];
            add({corner.pos.x, corner.pos.y, corner.uv.x, corner.uv.y, double(corner.col)});
        }
    }
    return lines;
}

Canvas::Canvas(ImVec2 size)
    : views(
          [this, size](ViewContext& context) {
              context.ui.drawn_matrices.clear();
              context.selection.hovered.reset();
              handle_keys(context);
              draw_canvas(context, {0, 0, size.x, size.y});
              if (bar) draw_status_bar(context, *bar);
              refresh_pictures(context);
          },
          size) {
    views.performs = true;
    views.ui.n_hints_dismissed = 100;
    views.frame(2);
}

void Canvas::open(const std::string& preset) {
    views.open_preset(preset);
    views.ui.camera.is_fitted = true;
    views.frame(2);
}

void Canvas::open(const Document& document) {
    views.open(document);
    views.ui.camera.is_fitted = true;
    views.frame(2);
}

ViewContext Canvas::context(const Theme& theme) { return views.context(theme); }

int n_vertices(const Rect& part, std::optional<ImU32> color) {
    int n = 0;
    for (const ImDrawList* list : ImGui::GetDrawData()->CmdLists) {
        for (const ImDrawVert& vertex : list->VtxBuffer)
            n += part.contains(vertex.pos) && vertex.col == color.value_or(vertex.col) ? 1 : 0;
    }
    return n;
}

std::vector<Letter> letters(std::string_view window) {
    std::vector<Letter> found;
    for (const ImDrawList* list : ImGui::GetDrawData()->CmdLists) {
        if (!std::string_view(list->_OwnerName).starts_with(window)) continue;
        for (int i = 0; i + 5 < list->IdxBuffer.Size; ++i) {
            const auto* index = &list->IdxBuffer[i];
            const bool is_quad = index[1] == index[0] + 1 && index[2] == index[0] + 2 && index[3] == index[0] &&
                                 index[4] == index[2] && index[5] == index[0] + 3;
            const ImDrawVert &a = list->VtxBuffer[index[0]], &b = list->VtxBuffer[index[2]];
            if (is_quad && a.uv.x != b.uv.x) found.push_back({{a.pos.x, a.pos.y, b.pos.x, b.pos.y}, a.col});
        }
    }
    std::sort(found.begin(), found.end(), [](const Letter& a, const Letter& b) { return a.box.left < b.box.left; });
    return found;
}

int n_letters(std::string_view window, const Rect& part, std::optional<ImU32> color) {
    const std::vector<Letter> all = letters(window);
    return static_cast<int>(std::count_if(all.begin(), all.end(), [&](const Letter& letter) {
        return letter.color == color.value_or(letter.color) && part.contains(letter.box.center());
    }));
}

bool Canvas::is_seen(const TensorCell& cell) {
    const Fonts fonts;
    return drawn_area(context({kDarkPalette, fonts}), cell).has_value();
}

ImVec2 Canvas::middle_of(const TensorCell& cell) {
    const Fonts fonts;
    const auto area = drawn_area(context({kDarkPalette, fonts}), cell);
    EXPECT_TRUE(area.has_value()) << cell.tensor;
    return area ? area->center() : ImVec2{0, 0};
}

std::size_t Canvas::n_lit(std::optional<std::string> tensor) const {
    std::size_t n = 0;
    for (const auto& [node, runs] : views.ui.lit_sources.runs) {
        if (tensor && views.lab.program().node(node).name != *tensor) continue;
        for (const Block& run : runs) n += run.size();
    }
    return n;
}

const PlacedNode& Canvas::placed(const std::string& tensor) const {
    const int node = views.lab.program().find(tensor);
    const PlacedNode* found = views.ui.canvas.layout.find(node);
    EXPECT_NE(found, nullptr) << tensor;
    return found != nullptr ? *found : views.ui.canvas.layout.placed.front();
}

float Canvas::value(const TensorCell& cell) const {
    return views.lab.trace().at(views.lab.program().find(cell.tensor), cell.cell);
}

} // namespace lab::test
