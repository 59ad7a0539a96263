#include "app/views/canvas_shelves.h"

#include <algorithm>
#include <limits>
#include <map>

#include "app/views/camera.h"
#include "app/views/canvas_measuring.h"
#include "app/views/matrix_metrics.h"

namespace lab {

namespace {

using namespace matrix_metrics;

constexpr float kBetweenStacks = 30;                // stacks of a shelf
constexpr float kBelow = 10;                        // what stands above in a stack
constexpr float kShelves = 24;                      // from shelf to shelf, for the lines between them
constexpr int kReadByHand = 16;                     // rows or columns: of such a matrix every number can be read
constexpr float kMostWide = 0.3f, kMostHigh = 0.3f; // a larger one takes so much of the view

using Stack = std::vector<int>; // items below one another
using Shelf = std::vector<Stack>;

class Shelves {
  public:
    Shelves(const LayoutRequest& request, const ShelfSizing& sizing)
        : request_(request), sizing_(sizing), room_(fitted_area(request.view)) {
        for (const LayoutItem& shown : request.items)
            placed_.push_back(measured(shown, pitch(shown), sizing.is_compact, {request.texel, 1}));
    }

    CanvasLayout make() {
        const std::map<int, Stack> columns = items_by_column();
        has_lanes_ = lanes_fit(columns);
        for (const auto& [index, column] : columns) {
            if (has_lanes_ && is_of_branches(column))
                add_lanes(column);
            else
                add_in_line(column);
        }
        place_shelves();
        const Rect all = bounds_of(placed_);
        return {std::move(placed_), all, std::min(1.0f, room_.x / all.width())};
    }

  private:
    const LayoutItem& item(int i) const { return request_.items[static_cast<std::size_t>(i)]; }
    PlacedNode& placed(int i) { return placed_[static_cast<std::size_t>(i)]; }
    const PlacedNode& placed(int i) const { return placed_[static_cast<std::size_t>(i)]; }
    Rect whole(int i) const { return placed(i).around(); }

    ImVec2 pitch(const LayoutItem& shown) const {
        const auto side = [&](float design, int n, float most) {
            const float of_design = sizing_.cells * design;
            return n <= kReadByHand ? of_design : std::min(of_design, most / static_cast<float>(n));
        };
        const float design_x = kPitch.x * (shown.is_between_tokens ? kNarrowerBetweenTokens : 1);
        const ImVec2 size{side(design_x, shown.n_cols, kMostWide * room_.x),
                          side(kPitch.y, shown.n_rows, kMostHigh * room_.y)};
        return not_too_thin(size, shown);
    }

    // Guests, which may be read anywhere, stand first.
    std::map<int, Stack> items_by_column() const {
        std::map<int, Stack> columns;
        for (int i = 0; i < static_cast<int>(placed_.size()); ++i) {
            columns[item(i).is_guest ? std::numeric_limits<int>::min() : item(i).column].push_back(i);
        }
        return columns;
    }

    bool is_of_branches(const Stack& column) const {
        return std::any_of(column.begin(), column.end(), [&](int i) { return item(i).branch != Branch::none; });
    }

    // Whether query, key and value can stand side by side, with words beside the first.
    bool lanes_fit(const std::map<int, Stack>& columns) {
        for (const auto& [index, column] : columns) {
            for (int i : column) {
                if (item(i).branch == Branch::none) continue;
                float& width = lane_widths_[item(i).branch];
                width = std::max(width, whole(i).width());
            }
        }
        float total = words();
        for (const auto& [branch, width] : lane_widths_) total += width + kBetweenStacks;
        return total - kBetweenStacks <= room_.x;
    }

    float words() const { return request_.row_label_width + kRowLabelGap; }

    // A shelf of its own: a stack for each branch, and before or after it what is on none.
    void add_lanes(const Stack& column) {
        std::map<Branch, Stack> lanes;
        Stack before, after;
        for (int i : column) {
            if (item(i).branch != Branch::none)
                lanes[item(i).branch].push_back(i);
            else
                (lanes.empty() ? before : after).push_back(i);
        }
        if (!before.empty()) add_in_line(before);
        Shelf shelf;
        for (const auto& [branch, stack] : lanes) shelf.push_back(stack);
        shelves_.push_back(shelf);
        if (!after.empty()) add_in_line(after);
        is_closed_ = true;
    }

    // On the last shelf where there is room, else on one more.
    void add_in_line(const Stack& column) {
        for (const Stack& stack : stacks(column)) {
            if (shelves_.empty() || is_closed_ || is_lane(shelves_.back()) ||
                shelf_width(shelves_.back()) + kBetweenStacks + width(stack) > room_.x)
                shelves_.emplace_back();
            is_closed_ = false;
            shelves_.back().push_back(stack);
        }
    }

    bool is_lane(const Shelf& shelf) const { return has_lanes_ && item(shelf.front().front()).branch != Branch::none; }

    // What is low (a bias, a folded line) stands with others of its column in a stack no higher than the highest.
    std::vector<Stack> stacks(const Stack& column) const {
        float highest = 0;
        for (int i : column) highest = std::max(highest, whole(i).height());
        std::vector<Stack> found;
        for (int i : column) {
            if (!found.empty() && height(found.back()) + kBelow + whole(i).height() <= highest)
                found.back().push_back(i);
            else
                found.push_back({i});
        }
        return found;
    }

    float width(const Stack& stack) const {
        float widest = 0;
        for (int i : stack) widest = std::max(widest, whole(i).width());
        return widest;
    }
    float height(const Stack& stack) const {
        float total = -kBelow;
        for (int i : stack) total += whole(i).height() + kBelow;
        return total;
    }
    float shelf_width(const Shelf& shelf) const {
        float total = words() - kBetweenStacks;
        for (const Stack& stack : shelf) total += width(stack) + kBetweenStacks;
        return total;
    }

    // Words stand beside the first stack of a shelf; all first stacks begin where words end.
    void place_shelves() {
        float y = 0;
        int column = 0, line = 0;
        for (const Shelf& shelf : shelves_) {
            float x = 0, shelf_height = 0;
            for (const Stack& stack : shelf) {
                const Branch branch = item(stack.front()).branch;
                const float room = is_lane(shelf) ? lane_widths_.at(branch) : width(stack);
                place_stack(stack, {x, y}, is_lane(shelf) ? room : 0);
                for (int i : stack) {
                    placed(i).column = column;
                    placed(i).shelf = line;
                    if (x == 0 && item(i).has_words && !item(i).is_folded) add_row_labels(placed(i), request_);
                }
                shelf_height = std::max(shelf_height, height(stack));
                x += room + kBetweenStacks;
                ++column;
            }
            y += shelf_height + kShelves;
            ++line;
        }
    }

    // In a lane in its middle, else at its left end.
    void place_stack(const Stack& stack, ImVec2 corner, float lane_width) {
        float y = corner.y;
        for (int i : stack) {
            const float total = whole(i).height();
            const ImVec2 size = placed(i).cells.size();
            const float x = corner.x + std::max(0.0f, (lane_width - size.x) / 2);
            placed(i).cells = Rect::at({x, y + placed(i).room.above}, size);
            y += total + kBelow;
        }
    }

    const LayoutRequest& request_;
    const ShelfSizing& sizing_;
    ImVec2 room_;
    std::vector<PlacedNode> placed_;
    std::map<Branch, float> lane_widths_;
    bool has_lanes_ = false, is_closed_ = false; // closed: what follows begins a shelf
    std::vector<Shelf> shelves_;
};

} // namespace

CanvasLayout placed_on_shelves(const LayoutRequest& request, const ShelfSizing& sizing) {
    return Shelves(request, sizing).make();
}

} // namespace lab
