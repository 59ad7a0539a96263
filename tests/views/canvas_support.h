#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/views/view.h"
#include "engine/document.h"
#include "tests/views/headless.h"

namespace lab::test {

// A document to draw: how many tokens, how wide, which settings.
struct Sizes {
    int n_tokens = 6, d_in = 3, d_k = 2, d_v = 2;
    MaskKind mask = MaskKind::none;
    bool has_biases = false;
    bool has_projections = true;
    int n_heads = 1, n_kv_heads = 1, n_blocks = 0;
    std::string word = "word";

    std::string text() const;
};
Document document_of(const Sizes& sizes);

// Sizes from one token by hand to two hundred tokens, square and not, with masks and biases.
std::vector<Sizes> many_sizes();

// Corners of what is drawn within a part of the window, of one colour or of any.
int n_vertices(const Rect& part, std::optional<ImU32> color = {});

// Letters and lines of the windows whose names begin so, from left to right: quads that have a picture of their own.
struct Letter {
    Rect box;
    ImU32 color = 0;
};
std::vector<Letter> letters(std::string_view window);
// How many of them have their middle there, of one colour or of any.
int n_letters(std::string_view window, const Rect& part, std::optional<ImU32> color = {});

// What a draw list draws, in its order: a line for every command and for every corner of its triangles.
std::vector<std::string> drawn(const ImDrawList& list);

// draw_canvas alone in a window, with the keys that its cells listen to, commands being carried out.
class Canvas {
  public:
    explicit Canvas(ImVec2 size = {812, 724});

    void open(const std::string& preset);
    void open(const Document& document);

    ImVec2 middle_of(const TensorCell& cell); // of what can be seen of it; fails the test if nothing can
    bool is_seen(const TensorCell& cell);
    const PlacedNode& placed(const std::string& tensor) const;
    float value(const TensorCell& cell) const; // of the trace
    ViewContext context(const Theme& theme);   // what a view is given, outside a frame
    // Cells that the explained one was made from: of this tensor, or all.
    std::size_t n_lit(std::optional<std::string> tensor = {}) const;
    int n_vertices() const { return ImGui::GetDrawData()->TotalVtxCount; }

    std::optional<Rect> bar; // where the status bar is drawn too
    HeadlessViews views;
};

} // namespace lab::test
