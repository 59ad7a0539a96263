#include "app/views/canvas_layout.h"

#include <algorithm>
#include <map>

#include "app/theme.h"

namespace lab {

namespace {

// Around a matrix, in points at text scale 1, as the design draws it.
constexpr float kTitleAbove = 36;             // name, formula
constexpr float kColumnLabelsAbove = 12;      // more where columns are labelled
constexpr float kLegendBelow = 22;
constexpr float kGap = 10;                    // between matrices of a column
constexpr float kBetweenColumns = 42;         // for the lines between them
constexpr float kMostSpread = 28;             // more between branches where other columns are taller
constexpr float kFoldedLine = 20;
constexpr float kRowLabelGap = 8;
constexpr float kMarginX = 16, kMarginY = 10;  // around everything

// How large a cell is: by hand 44 × 24, smaller and square where there are many.
ImVec2 cell_pitch(const Program& program) {
    int most = 0;
    for (const Node& node : program.nodes) {
        const MatrixExtent extent = shown_extent(node);
        most = std::max({most, extent.n_rows, extent.n_cols});
    }
    if (most <= 12) return {44, 24};
    if (most <= 24) return {40, 22};
    return {20, 20};
}

// One matrix with what stands around it.
struct Item {
    PlacedNode placed;
    float above = 0, left = 0, width = 0, height = 0, below = 0;
    float total_height() const { return above + height + below; }
};

class Layout {
  public:
    Layout(const LayoutRequest& request, float text_scale)
        : request_(request), scale_(text_scale), pitch_(cell_pitch(request.program)) {}

    CanvasLayout make() {
        for (int i = 0; i < static_cast<int>(request_.program.nodes.size()); ++i) {
            columns_[node(i).presentation.column].push_back(item(i));
        }
        place_columns();
        CanvasLayout layout{std::move(placed_), bounds_, scale_};
        std::sort(layout.placed.begin(), layout.placed.end(),
                  [](const auto& a, const auto& b) { return a.node < b.node; });
        return layout;
    }

  private:
    const Node& node(int i) const { return request_.program.nodes[static_cast<std::size_t>(i)]; }

    Item item(int i) const {
        const Presentation& shown = node(i).presentation;
        Item item;
        item.placed.node = i;
        item.placed.pitch = pitch_;
        if (!request_.selection.unfolds(node(i))) {
            item.placed.is_folded = true;
            item.width = 150 * scale_;
            item.height = kFoldedLine * scale_;
            return item;
        }
        const MatrixExtent extent = shown_extent(node(i));
        constexpr float kNarrowerByToken = 40.0f / 44.0f; // cells between tokens, as the design has them
        if (shown.cols == Axis::keys && pitch_.x != pitch_.y) item.placed.pitch.x *= kNarrowerByToken;
        item.placed.has_row_labels = shown.role == Role::embedding || shown.column == last_column();
        item.placed.has_col_labels = shown.role == Role::embedding || shown.cols == Axis::keys;
        item.placed.has_legend = shown.column == last_column() && shown.cols == Axis::keys;
        item.width = item.placed.pitch.x * static_cast<float>(extent.n_cols);
        item.height = item.placed.pitch.y * static_cast<float>(extent.n_rows);
        item.above = (kTitleAbove + (item.placed.has_col_labels ? kColumnLabelsAbove : 0)) * scale_;
        item.below = item.placed.has_legend ? kLegendBelow * scale_ : 0;
        item.left = item.placed.has_row_labels ? (request_.row_label_width + kRowLabelGap) * scale_ : 0;
        return item;
    }

    int last_column() const {
        int last = 0;
        for (const Node& each : request_.program.nodes) last = std::max(last, each.presentation.column);
        return last;
    }

    // Columns stand side by side, each centred on the middle line. What is on one branch (query, key, value) stands on
    // one line across columns, a bias below its weight matrix.
    void place_columns() {
        measure_lanes();
        float tallest = lanes_height();
        for (const auto& [column, items] : columns_) {
            if (!has_lanes(items)) tallest = std::max(tallest, stack_height(items));
        }
        const float spread = std::min(kMostSpread * scale_, (tallest - lanes_height()) / 3);
        float x = 0;
        for (auto& [column, items] : columns_) {
            float left = 0, width = 0;
            for (const Item& each : items) {
                left = std::max(left, each.left);
                width = std::max(width, each.width);
            }
            if (has_lanes(items)) place_in_lanes(items, {x + left, x + left + width}, spread);
            else place_in_stack(items, {x + left, x + left + width});
            x += left + width + kBetweenColumns * scale_;
        }
        find_bounds();
    }

    // From left to right.
    struct Span {
        float left, right;
        float center() const { return (left + right) / 2; }
    };
    // Above, at and below the cells of the tallest item of a branch.
    struct Lane {
        float above = 0, cells = 0, below = 0;
        float height() const { return above + cells + below; }
    };

    bool has_lanes(const std::vector<Item>& items) const {
        return std::any_of(items.begin(), items.end(), [&](const Item& each) { return lane_of(each) >= 0; });
    }
    int lane_of(const Item& item) const { return node(item.placed.node).presentation.lane; }
    bool is_bias(const Item& item) const { return node(item.placed.node).presentation.role == Role::bias; }

    void measure_lanes() {
        for (const auto& [column, items] : columns_) {
            for (const Item& each : items) {
                if (lane_of(each) < 0) continue;
                Lane& lane = lanes_[lane_of(each)];
                if (is_bias(each)) lane.below = std::max(lane.below, each.total_height() * 2);
                else lane.cells = std::max(lane.cells, each.height);
                lane.above = std::max(lane.above, each.above);
            }
        }
    }

    float lanes_height() const {
        float height = 0;
        for (const auto& [index, lane] : lanes_) height += lane.height() + kGap * scale_;
        return std::max(0.0f, height - kGap * scale_);
    }

    float stack_height(const std::vector<Item>& items) const {
        float height = 0;
        for (const Item& each : items) height += each.total_height() + kGap * scale_;
        return height - kGap * scale_;
    }

    void place_in_lanes(std::vector<Item>& items, Span span, float spread) {
        float y = -(lanes_height() + 2 * spread) / 2;
        for (const auto& [index, lane] : lanes_) {
            float bottom = 0;
            for (Item& each : items) {
                if (lane_of(each) != index) continue;
                const float top = is_bias(each) ? bottom + each.above : y + lane.above + (lane.cells - each.height) / 2;
                each.placed.cells = Rect::at({span.center() - each.width / 2, top}, {each.width, each.height});
                bottom = each.placed.cells.bottom;
            }
            y += lane.height() + kGap * scale_ + spread;
        }
    }

    void place_in_stack(std::vector<Item>& items, Span span) {
        float y = -stack_height(items) / 2;
        for (Item& each : items) {
            each.placed.cells = Rect::at({span.center() - each.width / 2, y + each.above}, {each.width, each.height});
            y += each.total_height() + kGap * scale_;
        }
    }

    void find_bounds() {
        bool is_first = true;
        for (const auto& [column, items] : columns_) {
            for (const Item& each : items) {
                const Rect& cells = each.placed.cells;
                const Rect whole{cells.left - each.left, cells.top - each.above, cells.right, cells.bottom + each.below};
                bounds_ = is_first ? whole
                                   : Rect{std::min(bounds_.left, whole.left), std::min(bounds_.top, whole.top),
                                          std::max(bounds_.right, whole.right), std::max(bounds_.bottom, whole.bottom)};
                is_first = false;
                placed_.push_back(each.placed);
            }
        }
    }

    const LayoutRequest& request_;
    float scale_;
    ImVec2 pitch_;
    std::map<int, std::vector<Item>> columns_;
    std::map<int, Lane> lanes_;
    std::vector<PlacedNode> placed_;
    Rect bounds_;
};

} // namespace

const PlacedNode* CanvasLayout::find(int node) const {
    const auto found = std::find_if(placed.begin(), placed.end(), [&](const PlacedNode& p) { return p.node == node; });
    return found == placed.end() ? nullptr : &*found;
}

float fitting_zoom(const CanvasLayout& layout, ImVec2 view) {
    const float width = std::max(1.0f, view.x - 2 * kMarginX);
    const float height = std::max(1.0f, view.y - 2 * kMarginY);
    const float zoom = std::min(width / std::max(1.0f, layout.bounds.width()),
                                height / std::max(1.0f, layout.bounds.height()));
    // A little too large at full size is shown at full size: numbers stay as crisp as the design's.
    return std::min(zoom, kLargestFit);
}

CanvasLayout lay_out(const LayoutRequest& request) {
    float text_scale = 1;
    CanvasLayout layout = Layout(request, text_scale).make();
    // Larger titles need more room, which makes the fit smaller still; a few rounds settle it.
    constexpr int kRounds = 6;
    for (int round = 0; round < kRounds; ++round) {
        const float zoom = fitting_zoom(layout, request.view);
        const float wanted = std::max(1.0f, 0.9f / zoom);
        if (wanted < text_scale * 1.02f) break;
        text_scale = wanted;
        layout = Layout(request, text_scale).make();
    }
    return layout;
}

} // namespace lab
