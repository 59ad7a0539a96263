#include "app/views/canvas_placing.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>

#include "app/views/canvas_measuring.h"
#include "app/views/matrix_cells.h"
#include "app/views/matrix_metrics.h"

namespace lab {

namespace {

using namespace matrix_metrics;

constexpr float kGapInColumn = 10;     // between matrices of a column
constexpr float kBetweenColumns = 42;  // for the lines between them
constexpr float kAfterTitle = 20;      // of that, what a wide title or legend leaves free
constexpr float kMostSpread = 28;      // more between branches where other columns are taller
constexpr float kBesideWeights = 0.6f; // of the most that scores and weights may take, what other pictures may

class Placing {
  public:
    Placing(const LayoutRequest& request, const Sizing& sizing) : request_(request), sizing_(sizing) {
        for (const LayoutItem& item : request.items) {
            if (item.is_guest) continue;
            first_column_ = std::min(first_column_, item.column);
            last_column_ = std::max(last_column_, item.column);
            if (item.is_between_tokens) labelled_column_ = item.column;
        }
    }

    CanvasLayout make() {
        std::map<int, Column> columns;
        for (int i = 0; i < static_cast<int>(request_.items.size()); ++i) {
            placed_.push_back(placed_at_origin(item(i)));
            columns[column_of(item(i))].push_back(i);
        }
        for (const auto& [index, column] : columns) {
            if (has_lanes(column))
                columns_.push_back(column);
            else
                split_into_stacks(column);
        }
        place_columns();
        const Rect all = bounds_of(placed_);
        return {std::move(placed_), all};
    }

  private:
    using Column = std::vector<int>; // items from top to bottom

    int column_of(const LayoutItem& shown) const { return shown.is_guest ? first_column_ - 1 : shown.column; }

    const LayoutItem& item(int i) const { return request_.items[static_cast<std::size_t>(i)]; }
    PlacedNode& placed(int i) { return placed_[static_cast<std::size_t>(i)]; }
    float above(int i) { return placed(i).room.above; }
    float height(int i) { return placed(i).cells.height(); }
    float total_height(int i) { return placed(i).around().height(); }

    // As the design has it, narrower between tokens; smaller where there are many cells.
    ImVec2 pitch_within(ImVec2 most, const LayoutItem& shown) const {
        const float design_x = kPitch.x * (shown.is_between_tokens ? kNarrowerBetweenTokens : 1);
        ImVec2 size{std::min(design_x, most.x / static_cast<float>(shown.n_cols)),
                    std::min(kPitch.y, most.y / static_cast<float>(shown.n_rows))};
        const float least_x = std::min(design_x, sizing_.least_by_hand * kPitch.x / kNarrowCellsShare);
        if (shown.n_cols <= sizing_.n_by_hand) size.x = std::max(size.x, least_x);
        if (shown.n_rows <= sizing_.n_by_hand) size.y = std::max(size.y, sizing_.least_by_hand * kPitch.y);
        return not_too_thin(size, shown);
    }

    // Beside scores and weights other pictures make way: what has no numbers even where it takes all that it may.
    ImVec2 pitch(const LayoutItem& shown) const {
        const float most_x = shown.is_between_tokens ? std::max(sizing_.most.x, sizing_.most_between) : sizing_.most.x;
        const ImVec2 whole = pitch_within({most_x, sizing_.most.y}, shown);
        const MatrixView seen{.pitch = {whole.x * sizing_.zoom, whole.y * sizing_.zoom}};
        if (shown.is_between_tokens || labelled_column_ < 0 || number_size(seen) > 0) return whole;
        const auto side = [](float most, int n) { return n > kMostNumbers ? kBesideWeights * most : most; };
        return pitch_within({side(sizing_.most.x, shown.n_cols), side(sizing_.most.y, shown.n_rows)}, shown);
    }

    PlacedNode placed_at_origin(const LayoutItem& shown) const {
        PlacedNode result = measured(shown, pitch(shown), sizing_.is_compact, {request_.texel, sizing_.zoom});
        const bool is_last = shown.column == last_column_ || shown.column == labelled_column_;
        const bool is_labelled = shown.role == Role::embedding || shown.is_guest || is_last || shown.is_table_of_words;
        if (shown.has_words && is_labelled && !shown.is_folded) add_row_labels(result, request_);
        return result;
    }

    // A column without branches stands as several, each about as tall as the others, where the sizing says so.
    void split_into_stacks(const Column& column) {
        const float share = stack_height(column) / static_cast<float>(sizing_.n_stacks);
        float y = 0;
        int stack = -1;
        for (int i : column) {
            const float total = total_height(i) + kGapInColumn;
            const int fitting = std::min(sizing_.n_stacks - 1, static_cast<int>((y + total / 2) / share));
            if (stack < 0 || fitting > stack) {
                columns_.emplace_back();
                stack = std::max(fitting, stack + 1);
            }
            columns_.back().push_back(i);
            y += total;
        }
    }

    // Columns stand side by side, each centred on the middle line. What is on one branch (query, key, value) stands on
    // one line across columns, a bias below its weight matrix.
    void place_columns() {
        measure_lanes();
        float tallest = lanes_height();
        for (const Column& column : columns_) {
            tallest = std::max(tallest, stack_height(outside_lanes(column)));
        }
        const float spread = std::min(kMostSpread, (tallest - lanes_height()) / 3);
        float x = 0;
        int index = 0;
        for (const Column& column : columns_) {
            float left = 0, width = 0;
            for (int i : column) {
                placed(i).column = index;
                left = std::max(left, placed(i).room.left);
                width = std::max(width, placed(i).cells.width());
            }
            const float center = x + left + width / 2;
            has_lanes(column) ? place_in_lanes(column, center, spread) : place_in_stack(column, center);
            x += left + width + kBetweenColumns + title_beyond(column, x + left + width);
            ++index;
        }
    }

    // How far titles stick out beyond the right end of the column's cells and what the next column leaves free anyway.
    float title_beyond(const Column& column, float right) {
        float beyond = 0;
        for (int i : column) {
            const float title_right = placed(i).around().right;
            beyond = std::max(beyond, title_right - right - (kBetweenColumns - kAfterTitle));
        }
        return beyond;
    }

    // What a branch takes above and below the line on which its matrices stand.
    struct Lane {
        float up = 0, down = 0;
        float height() const { return up + down; }
    };

    bool has_lanes(const Column& column) const {
        return std::any_of(column.begin(), column.end(), [&](int i) { return item(i).branch != Branch::none; });
    }
    bool is_bias(int i) const { return item(i).role == Role::bias; }

    void measure_lanes() {
        for (const Column& column : columns_) {
            for (int i : column) {
                if (item(i).branch == Branch::none) continue;
                const Lane here = place_on_lane(column, item(i).branch, 0, 0);
                Lane& lane = lanes_[item(i).branch];
                lane = {std::max(lane.up, here.up), std::max(lane.down, here.down)};
            }
        }
    }

    // What stands on the line itself: the first matrix that is not added to it.
    int main_on_lane(const Column& column, Branch branch) const {
        int main = -1;
        for (int i : column) {
            if (item(i).branch != branch) continue;
            const bool is_main = !is_bias(i) && !item(i).is_folded;
            if (is_main) return i;
            if (main < 0) main = i;
        }
        return main;
    }

    // Places what the column has on a branch around the line at `middle`: a bias, or what is kept from before, below what
    // stands there. Returns what it takes; nothing where there is nothing.
    Lane place_on_lane(const Column& column, Branch branch, float center, float middle) {
        const int main = main_on_lane(column, branch);
        if (main < 0) return {};
        Column before, after;
        for (int i : column) {
            if (i == main || item(i).branch != branch) continue;
            (i < main ? before : after).push_back(i);
        }
        move_to(main, center, middle - height(main) / 2);
        const float top = placed(main).cells.top - above(main);
        const float before_height = before.empty() ? 0 : stack_height(before) + kGapInColumn;
        place_from(before, center, top - before_height);
        float bottom = placed(main).cells.bottom + placed(main).room.below;
        for (int i : after) {
            move_to(i, center, bottom + above(i));
            bottom = placed(i).cells.bottom + placed(i).room.below;
        }
        return {middle - top + before_height, bottom - middle};
    }

    float lanes_height() const {
        float height = 0;
        for (const auto& [branch, lane] : lanes_) height += lane.height() + kGapInColumn;
        return std::max(0.0f, height - kGapInColumn);
    }

    float stack_height(const Column& column) {
        float height = 0;
        for (int i : column) height += total_height(i) + kGapInColumn;
        return std::max(0.0f, height - kGapInColumn);
    }

    // What is on no branch, yet in a column that has branches.
    Column outside_lanes(const Column& column) const {
        Column found;
        std::copy_if(column.begin(), column.end(), std::back_inserter(found),
                     [&](int i) { return item(i).branch == Branch::none; });
        return found;
    }

    // What is on no branch stands above all branches where something there is made from it, else below them.
    void place_in_lanes(const Column& column, float center, float spread) {
        const auto n_between = static_cast<float>(lanes_.size() - 1);
        const float top = -(lanes_height() + n_between * spread) / 2;
        float y = top;
        for (const auto& [branch, lane] : lanes_) {
            place_on_lane(column, branch, center, y + lane.up);
            y += lane.height() + kGapInColumn + spread;
        }
        const auto first =
            std::find_if(column.begin(), column.end(), [&](int i) { return item(i).branch != Branch::none; });
        Column above(column.begin(), first);
        place_from(above, center, top - stack_height(above) - kGapInColumn);
        place_from(outside_lanes({first, column.end()}), center, y);
    }

    void place_in_stack(const Column& column, float center) { place_from(column, center, -stack_height(column) / 2); }

    void place_from(const Column& column, float center, float y) {
        for (int i : column) {
            const float total = total_height(i);
            move_to(i, center, y + above(i));
            y += total + kGapInColumn;
        }
    }

    void move_to(int i, float center, float top) {
        const ImVec2 size = placed(i).cells.size();
        placed(i).cells = Rect::at({center - size.x / 2, top}, size);
    }

    const LayoutRequest& request_;
    const Sizing& sizing_;
    int first_column_ = std::numeric_limits<int>::max(), last_column_ = 0; // but for guests
    int labelled_column_ = -1;                                             // with what is between tokens
    std::vector<Column> columns_;                                          // from left to right
    std::map<Branch, Lane> lanes_;
    std::vector<PlacedNode> placed_;
};

} // namespace

CanvasLayout placed(const LayoutRequest& request, const Sizing& sizing) { return Placing(request, sizing).make(); }

} // namespace lab
