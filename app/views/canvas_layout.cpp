#include "app/views/canvas_layout.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "app/views/camera.h"
#include "app/views/matrix_view.h"

namespace lab {

namespace {

// Around a matrix, in points at text scale 1, as the design draws it.
constexpr float kTitleAbove = 36;        // name, formula
constexpr float kColumnLabelsAbove = 12; // more where columns are labelled
constexpr float kLegendBelow = 22;
constexpr float kGap = 10;            // between matrices of a column
constexpr float kBetweenColumns = 42; // for the lines between them
constexpr float kAfterTitle = 12;     // of that, what a wide title leaves free
constexpr float kMostSpread = 28;     // more between branches where other columns are taller
constexpr float kFoldedWidth = 150, kFoldedHeight = 20;
constexpr float kRowLabelGap = 8;

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

int last_column(const Program& program) {
    int last = 0;
    for (const Node& each : program.nodes) last = std::max(last, each.presentation.column);
    return last;
}

class Layout {
  public:
    Layout(const LayoutRequest& request, float text_scale)
        : request_(request), scale_(text_scale), pitch_(cell_pitch(request.program)),
          last_column_(last_column(request.program)) {}

    CanvasLayout make() {
        for (int i = 0; i < static_cast<int>(request_.program.nodes.size()); ++i) {
            placed_.push_back(measured(i));
            columns_[node(i).presentation.column].push_back(i);
        }
        place_columns();
        const Rect all = bounds();
        return {std::move(placed_), all, scale_};
    }

  private:
    using Column = std::vector<int>; // nodes from top to bottom

    const Node& node(int i) const { return request_.program.nodes[static_cast<std::size_t>(i)]; }
    PlacedNode& placed(int i) { return placed_[static_cast<std::size_t>(i)]; }
    float scaled(float points) const { return points * scale_; }
    float above(int i) { return scaled(placed(i).room.above); }
    float height(int i) { return placed(i).cells.height(); }
    float total_height(int i) { return placed(i).room.around(placed(i).cells, scale_).height(); }

    // A node with its size, at the origin.
    PlacedNode measured(int i) const {
        const Presentation& shown = node(i).presentation;
        PlacedNode item;
        item.node = i;
        item.pitch = pitch_;
        if (!request_.selection.unfolds(node(i))) {
            item.is_folded = true;
            item.cells = {0, 0, scaled(kFoldedWidth), scaled(kFoldedHeight)};
            return item;
        }
        constexpr float kNarrowerByToken = 40.0f / 44.0f; // cells between tokens, as the design has them
        if (shown.cols == Axis::keys && pitch_.x != pitch_.y) item.pitch.x *= kNarrowerByToken;
        const MatrixExtent extent = shown_extent(node(i));
        const ImVec2 size{item.pitch.x * static_cast<float>(extent.n_cols),
                          item.pitch.y * static_cast<float>(extent.n_rows)};
        item.cells = Rect::at({0, 0}, size);
        item.has_row_labels = shown.role == Role::embedding || shown.column == last_column_;
        item.has_col_labels = shown.role == Role::embedding || shown.cols == Axis::keys;
        item.has_legend = shown.column == last_column_ && shown.cols == Axis::keys;
        item.room.above = kTitleAbove + (item.has_col_labels ? kColumnLabelsAbove : 0);
        item.room.below = item.has_legend ? kLegendBelow : 0;
        item.room.left = item.has_row_labels ? request_.row_label_width + kRowLabelGap : 0;
        item.room.right = std::max(0.0f, request_.title_widths[static_cast<std::size_t>(i)] - size.x / scale_);
        return item;
    }

    // Columns stand side by side, each centred on the middle line. What is on one branch (query, key, value) stands on
    // one line across columns, a bias below its weight matrix.
    void place_columns() {
        measure_lanes();
        float tallest = lanes_height();
        for (const auto& [index, column] : columns_) {
            if (!has_lanes(column)) tallest = std::max(tallest, stack_height(column));
        }
        const float spread = std::min(scaled(kMostSpread), (tallest - lanes_height()) / 3);
        float x = 0;
        for (const auto& [index, column] : columns_) {
            float left = 0, width = 0;
            for (int i : column) {
                left = std::max(left, scaled(placed(i).room.left));
                width = std::max(width, placed(i).cells.width());
            }
            const float center = x + left + width / 2;
            has_lanes(column) ? place_in_lanes(column, center, spread) : place_in_stack(column, center);
            x += left + width + scaled(kBetweenColumns) + title_beyond(column, x + left + width);
        }
    }

    // How far titles stick out beyond the right end of the column's cells and what the next column leaves free anyway.
    float title_beyond(const Column& column, float right) {
        float beyond = 0;
        for (int i : column) {
            const float title_right = placed(i).room.around(placed(i).cells, scale_).right;
            beyond = std::max(beyond, title_right - right - scaled(kBetweenColumns - kAfterTitle));
        }
        return beyond;
    }

    // Above, at and below the cells of the tallest matrix of a branch.
    struct Lane {
        float above = 0, cells = 0, below = 0;
        float height() const { return above + cells + below; }
    };

    bool has_lanes(const Column& column) const {
        return std::any_of(column.begin(), column.end(), [&](int i) { return lane_of(i) >= 0; });
    }
    int lane_of(int i) const { return node(i).presentation.lane; }
    bool is_bias(int i) const { return node(i).presentation.role == Role::bias; }

    void measure_lanes() {
        for (int i = 0; i < static_cast<int>(placed_.size()); ++i) {
            if (lane_of(i) < 0 || is_bias(i)) continue;
            Lane& lane = lanes_[lane_of(i)];
            lane.cells = std::max(lane.cells, height(i));
            lane.above = std::max(lane.above, above(i));
        }
        for (const auto& [index, column] : columns_) {
            for (auto& [line, lane] : lanes_) {
                lane.below = std::max(lane.below, place_on_lane(column, line, 0, 0) - lane.above - lane.cells);
            }
        }
    }

    // Places what the column has on a branch that begins at `top`; returns where that ends.
    float place_on_lane(const Column& column, int line, float center, float top) {
        const Lane& lane = lanes_.at(line);
        float bottom = top + lane.above + lane.cells;
        for (int i : column) {
            if (lane_of(i) != line) continue;
            const float y = is_bias(i) ? bottom + above(i) : top + lane.above + (lane.cells - height(i)) / 2;
            move_to(i, center, y);
            bottom = placed(i).cells.bottom;
        }
        return bottom;
    }

    float lanes_height() const {
        float height = 0;
        for (const auto& [line, lane] : lanes_) height += lane.height() + scaled(kGap);
        return std::max(0.0f, height - scaled(kGap));
    }

    float stack_height(const Column& column) {
        float height = 0;
        for (int i : column) height += total_height(i) + scaled(kGap);
        return height - scaled(kGap);
    }

    void place_in_lanes(const Column& column, float center, float spread) {
        const auto n_between = static_cast<float>(lanes_.size() - 1);
        float y = -(lanes_height() + n_between * spread) / 2;
        for (const auto& [line, lane] : lanes_) {
            place_on_lane(column, line, center, y);
            y += lane.height() + scaled(kGap) + spread;
        }
    }

    void place_in_stack(const Column& column, float center) {
        float y = -stack_height(column) / 2;
        for (int i : column) {
            const float total = total_height(i);
            move_to(i, center, y + above(i));
            y += total + scaled(kGap);
        }
    }

    void move_to(int i, float center, float top) {
        const ImVec2 size = placed(i).cells.size();
        placed(i).cells = Rect::at({center - size.x / 2, top}, size);
    }

    Rect bounds() const {
        Rect all;
        for (const PlacedNode& each : placed_) {
            const Rect whole = each.room.around(each.cells, scale_);
            all = &each == placed_.data() ? whole : all.joined(whole);
        }
        return all;
    }

    const LayoutRequest& request_;
    float scale_;
    ImVec2 pitch_;
    int last_column_;
    std::map<int, Column> columns_; // from left to right
    std::map<int, Lane> lanes_;
    std::vector<PlacedNode> placed_;
};

// How large texts must be in the world to be read when the layout is fitted.
float wanted_text_scale(const CanvasLayout& layout, ImVec2 view) {
    constexpr float kReadable = 0.9f; // of their full size
    return std::max(1.0f, kReadable / fitting_zoom(layout.bounds.size(), view));
}

} // namespace

// Larger titles need more room, which makes the fit smaller still. What is wanted grows by an almost constant share of
// what is given, so the secant through the last two attempts leads in two or three steps to where they are the same,
// or to where cells have kLeastCells of the size that they have with texts at scale 1.
CanvasLayout lay_out(const LayoutRequest& request) {
    constexpr int kMostRounds = 8;
    constexpr float kCloseEnough = 0.02f, kLeastCells = 0.4f;
    CanvasLayout layout = Layout(request, 1).make();
    float wanted = wanted_text_scale(layout, request.view);
    const float most_wanted = wanted / kLeastCells;
    float next = wanted;
    for (int round = 0; round < kMostRounds; ++round) {
        const float scale = layout.text_scale, wanted_before = wanted;
        if (std::fabs(next - scale) <= kCloseEnough * scale) break;
        layout = Layout(request, next).make();
        wanted = wanted_text_scale(layout, request.view);
        const float share = std::max(1e-3f, (wanted - wanted_before) / (next - scale));
        const float least_cells = next + (most_wanted - wanted) / share;
        next = share < 1 ? std::min(least_cells, (wanted - share * next) / (1 - share)) : least_cells;
        next = std::max(1.0f, next);
    }
    return layout;
}

} // namespace lab
