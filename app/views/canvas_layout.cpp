#include "app/views/canvas_layout.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "app/views/camera.h"
#include "app/views/canvas_placing.h"
#include "app/views/canvas_shelves.h"
#include "app/views/matrix_metrics.h"

namespace lab {

namespace {

// One way of using the view: at which zoom it is to be fitted, and how.
struct Way {
    float zoom = 1;
    int n_stacks = 1;
    bool is_compact = false;
};

// In the order in which they are preferred where numbers can be read.
constexpr Way kWays[] = {{1, 1, false},    {1, 2, false},    {0.9f, 1, false}, {1, 1, true},
                         {1, 2, true},     {0.9f, 1, true},  {0.9f, 2, true},  {0.82f, 1, false},
                         {0.82f, 1, true}, {0.82f, 2, true}, {0.82f, 3, true}};

// The largest of `least` … `most` at which `fits` holds, to a hundredth; `least` if it holds nowhere.
template <typename Fits> float largest(float least, float most, const Fits& fits) {
    if (fits(most)) return most;
    while (most - least > 0.01f * most) {
        const float middle = std::sqrt(least * most);
        (fits(middle) ? least : most) = middle;
    }
    return least;
}

// The most rows and the most columns that a matrix which stands open has.
MatrixExtent greatest_extent(const LayoutRequest& request) {
    MatrixExtent greatest{1, 1};
    for (const LayoutItem& item : request.items) {
        if (item.is_folded) continue;
        greatest = {std::max(greatest.n_rows, item.n_rows), std::max(greatest.n_cols, item.n_cols)};
    }
    return greatest;
}

// With cells as in the design.
ImVec2 size_in_design(MatrixExtent extent) {
    return {matrix_metrics::kPitch.x * static_cast<float>(extent.n_cols),
            matrix_metrics::kPitch.y * static_cast<float>(extent.n_rows)};
}

// The largest sizing that fits: first in height, with cells as wide as can be, then in width. Of narrower ones a legend may take a line
// more, and pictures may make way that would not if they were wider: so in height again.
Sizing fitted_sizing(const LayoutRequest& request, const Way& way) {
    constexpr float kLeast = 60; // of a matrix, in points: smaller ones could not be pointed at
    const ImVec2 room = fitted_area(request.view);
    const MatrixExtent greatest = greatest_extent(request);
    const ImVec2 design = size_in_design(greatest);
    const ImVec2 most{std::max(kLeast, design.x), std::max(kLeast, design.y)};
    Sizing sizing{.most = {kLeast, kLeast},
                  .n_stacks = way.n_stacks,
                  .is_compact = way.is_compact,
                  .least_by_hand = std::min(1.0f, kReadableCells / way.zoom),
                  .zoom = way.zoom};
    const auto size = [&](ImVec2 of_matrices) {
        sizing.most = of_matrices;
        return placed(request, sizing).bounds.size();
    };
    // As many as all have; beside larger ones, which would have to make way for them, fewer.
    constexpr int kMostByHand = 12, kByHand = 8;
    const bool may_all_be_read = std::max(greatest.n_rows, greatest.n_cols) <= kMostByHand;
    for (const int n_by_hand : {kMostByHand, kByHand, 0}) {
        if (n_by_hand == kMostByHand && !may_all_be_read) continue;
        sizing.n_by_hand = n_by_hand;
        const ImVec2 least = size({kLeast, kLeast});
        if (least.x * way.zoom <= room.x && least.y * way.zoom <= room.y) break;
    }
    const float height = largest(kLeast, most.y, [&](float y) { return size({most.x, y}).y * way.zoom <= room.y; });
    const float width = largest(kLeast, most.x, [&](float x) { return size({x, height}).x * way.zoom <= room.x; });
    // What is wider even so is seen from farther, and leaves room in height.
    const float wide = std::max(room.x / way.zoom, size({width, height}).x), tall = room.y * wide / room.x;
    const float fitted_height = largest(kLeast, most.y, [&](float y) {
        const ImVec2 taken = size({width, y});
        return taken.x <= wide && taken.y <= tall;
    });
    sizing.most = {width, fitted_height};
    return sizing;
}

// What is between tokens as wide as leaves the rest at its zoom: beside wide titles there is room. Ways are compared without it.
Sizing widened_between_tokens(const LayoutRequest& request, Sizing sizing) {
    const auto zoom = [&] { return std::min(1.0f, fitting_zoom(placed(request, sizing).bounds.size(), request.view)); };
    constexpr float kRounding = 1 - 1e-4f;
    const float before = zoom();
    const float most = std::max(sizing.most.x, size_in_design(greatest_extent(request)).x);
    sizing.most_between = largest(sizing.most.x, most, [&](float x) {
        sizing.most_between = x;
        return zoom() >= before * kRounding;
    });
    return sizing;
}

// How large cells are, seen at the zoom that fits: 1 as in the design. `readable` goes by the narrower side, since that
// is what numbers go by; `worth` compares pictures without numbers: by the area of their cells, where there are any between tokens of
// those, by how nearly square these cells are, and by how large words are.
struct CellSizes {
    float readable = 1;
    float worth = 1;
};
CellSizes cell_sizes(const CanvasLayout& layout, const LayoutRequest& request) {
    const float zoom = std::min(1.0f, fitting_zoom(layout.bounds.size(), request.view));
    CellSizes sizes;
    float all = 1, between_tokens = 1;
    bool has_any_between_tokens = false;
    assert(layout.placed.size() == request.items.size());
    for (std::size_t i = 0; i < layout.placed.size(); ++i) {
        const PlacedNode& each = layout.placed[i];
        assert(each.node == request.items[i].node);
        if (each.is_folded) continue;
        const ImVec2 share{each.pitch.x * zoom / matrix_metrics::kPitch.x,
                           each.pitch.y * zoom / matrix_metrics::kPitch.y};
        sizes.readable = std::min({sizes.readable, share.x * kNarrowCellsShare, share.y});
        all = std::min(all, share.x * share.y);
        if (!request.items[i].is_between_tokens) continue;
        has_any_between_tokens = true;
        const float square = std::min(each.pitch.x / each.pitch.y, each.pitch.y / each.pitch.x);
        between_tokens = std::min(between_tokens, share.x * share.y * std::sqrt(square));
    }
    sizes.worth = zoom * (has_any_between_tokens ? between_tokens : all);
    return sizes;
}

// In lines, with cells as large as the view allows; where it allows none, with comfortable ones, to be scrolled through.
CanvasLayout in_lines(const LayoutRequest& request) {
    constexpr ShelfSizing kSizings[] = {{1, false}, {0.9f, false}, {0.9f, true}, {0.82f, true}};
    constexpr ShelfSizing kScrolled{0.9f, false};
    for (const ShelfSizing& sizing : kSizings) {
        CanvasLayout layout = placed_on_shelves(request, sizing);
        if (fitting_zoom(layout.bounds.size(), request.view) >= layout.least_zoom) return layout;
    }
    return placed_on_shelves(request, kScrolled);
}

// Whether what the ways aim for can be read where it is fitted into the view.
bool can_be_read(const CanvasLayout& layout, const LayoutRequest& request) {
    constexpr float kLeastWords = 0.81f;
    return cell_sizes(layout, request).readable >= kReadableCells &&
           fitting_zoom(layout.bounds.size(), request.view) >= kLeastWords;
}

} // namespace

const PlacedNode* CanvasLayout::find(int node) const {
    const auto found =
        std::find_if(placed.begin(), placed.end(), [&](const PlacedNode& each) { return each.node == node; });
    return found == placed.end() ? nullptr : &*found;
}

CanvasLayout lay_out(const LayoutRequest& request) {
    constexpr float kBetterBy = 1.1f;
    Sizing best;
    float best_worth = 0;
    for (const Way& way : kWays) {
        const Sizing sizing = fitted_sizing(request, way);
        CanvasLayout layout = placed(request, sizing);
        const CellSizes sizes = cell_sizes(layout, request);
        if (request.may_scroll ? can_be_read(layout, request) : sizes.readable >= kReadableCells) return layout;
        if (request.may_scroll || sizes.worth <= kBetterBy * best_worth) continue;
        best_worth = sizes.worth;
        best = sizing;
    }
    return request.may_scroll ? in_lines(request) : placed(request, widened_between_tokens(request, best));
}

} // namespace lab
