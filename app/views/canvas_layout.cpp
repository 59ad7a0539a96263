#include "app/views/canvas_layout.h"

#include <algorithm>
#include <map>

#include "app/theme.h"

namespace lab {

namespace {

// Around a matrix, in points at text scale 1, as the design draws it.
constexpr float kTitleAbove = 36;             // name, formula
constexpr float kColumnLabelsAbove = 12;      // more where columns are labelled
constexpr float kLegendBelow = 24;
constexpr float kGap = 16;                    // between matrices of a column
constexpr float kBetweenColumns = 42;         // for the lines between them
constexpr float kFoldedLine = 22;
constexpr float kRowLabelGap = 8;
constexpr float kMargin = 24;                 // around everything

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
        item.placed.has_row_labels = shown.role == Role::embedding || shown.column == last_column();
        item.placed.has_col_labels = shown.role != Role::weight_matrix && shown.role != Role::bias && shown.role != Role::projection;
        item.placed.has_legend = shown.column == last_column() && shown.cols == Axis::keys;
        item.width = pitch_.x * static_cast<float>(extent.n_cols);
        item.height = pitch_.y * static_cast<float>(extent.n_rows);
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

    // Columns stand side by side, each centred on the middle line. A weight matrix stands beside what it makes.
    void place_columns() {
        float x = 0;
        for (auto& [column, items] : columns_) {
            float left = 0, width = 0;
            for (const Item& each : items) {
                left = std::max(left, each.left);
                width = std::max(width, each.width);
            }
            place_column(items, x + left, width);
            x += left + width + kBetweenColumns * std::max(1.0f, scale_ * 0.6f);
        }
        for (auto& [column, items] : columns_) align_with_results(items);
        find_bounds();
    }

    void place_column(std::vector<Item>& items, float x, float width) {
        float height = 0;
        for (const Item& each : items) height += each.total_height() + kGap * scale_;
        float y = -(height - kGap * scale_) / 2;
        for (Item& each : items) {
            const float left = x + (width - each.width) / 2;
            each.placed.cells = Rect::at({left, y + each.above}, {each.width, each.height});
            y += each.total_height() + kGap * scale_;
        }
    }

    void align_with_results(std::vector<Item>& items) {
        for (Item& each : items) {
            const Presentation& shown = node(each.placed.node).presentation;
            if (shown.role != Role::weight_matrix) continue;
            const Item* result = find_lane(shown.column + 1, shown.lane);
            if (result == nullptr) continue;
            const float shift = result->placed.cells.center().y - each.placed.cells.center().y;
            each.placed.cells.top += shift;
            each.placed.cells.bottom += shift;
            place_biases_below(items, each);
        }
    }

    void place_biases_below(std::vector<Item>& items, const Item& weight) const {
        for (Item& each : items) {
            const Presentation& shown = node(each.placed.node).presentation;
            if (shown.role != Role::bias || shown.lane != node(weight.placed.node).presentation.lane) continue;
            const float top = weight.placed.cells.bottom + each.above + kGap * scale_;
            each.placed.cells = Rect::at({each.placed.cells.left, top}, {each.width, each.height});
        }
    }

    const Item* find_lane(int column, int lane) {
        const auto found = columns_.find(column);
        if (found == columns_.end()) return nullptr;
        for (const Item& each : found->second) {
            if (node(each.placed.node).presentation.lane == lane) return &each;
        }
        return nullptr;
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
    std::vector<PlacedNode> placed_;
    Rect bounds_;
};

} // namespace

const PlacedNode* CanvasLayout::find(int node) const {
    const auto found = std::find_if(placed.begin(), placed.end(), [&](const PlacedNode& p) { return p.node == node; });
    return found == placed.end() ? nullptr : &*found;
}

float fitting_zoom(const CanvasLayout& layout, ImVec2 view) {
    const float width = std::max(1.0f, view.x - 2 * kMargin);
    const float height = std::max(1.0f, view.y - 2 * kMargin);
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
