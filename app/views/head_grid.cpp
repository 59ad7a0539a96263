#include "app/views/head_grid.h"

#include <algorithm>

#include "app/session/heads.h"
#include "app/session/sections.h"
#include "app/views/matrix_metrics.h"
#include "app/widgets/menu.h"
#include "engine/document_tensors.h"

namespace lab {

namespace {

constexpr float kTileTitle = 26, kGapX = 24, kGapY = 16;
constexpr float kLeastCells = 44; // of a tile, in points: the page scrolls before tiles become smaller
// Larger than on the canvas, where there is room: a few heads are read from the back of a class.
constexpr ImVec2 kPanePitch{2.4f * matrix_metrics::kPitch.x, 2.6f * matrix_metrics::kPitch.y};

// One way to arrange them.
struct Arrangement {
    int n_columns = 1;
    bool has_words = false;
    bool scrolls = false; // may be higher than the area
};

int n_lines_of(int n_heads, int n_columns) { return (n_heads + n_columns - 1) / n_columns; }

// The largest cells of tiles so arranged; no pitch where they would become too small.
HeadTiles arranged(const HeadTilesRequest& request, const Arrangement& arrangement) {
    const auto [n_columns, has_words, scrolls] = arrangement;
    constexpr float kMostLongish = 2.2f;
    HeadTiles tiles{.n_columns = n_columns, .has_words = has_words};
    const int n_lines = n_lines_of(request.n_heads, n_columns);
    const auto extent = [](float whole, int n, float gap) {
        return (whole - gap * static_cast<float>(n - 1)) / static_cast<float>(n);
    };
    tiles.left = has_words ? request.row_label_width + matrix_metrics::kRowLabelGap : 0;
    tiles.above = kTileTitle + (has_words ? matrix_metrics::kColumnLabels : 0);
    const float width = extent(request.area.x, n_columns, kGapX) - tiles.left;
    float height = extent(request.area.y, n_lines, kGapY) - tiles.above;
    if (width < kLeastCells || (height < kLeastCells && !scrolls)) return {};
    height = std::max(height, kLeastCells);
    const float x = std::min(kPanePitch.x, width / static_cast<float>(request.n_cols));
    const float y = std::min(kPanePitch.y, height / static_cast<float>(request.n_rows));
    tiles.pitch = {std::min(x, kMostLongish * y), std::min(y, kMostLongish * x)};
    tiles.step = {tiles.left + tiles.pitch.x * static_cast<float>(request.n_cols) + kGapX,
                  tiles.above + tiles.pitch.y * static_cast<float>(request.n_rows) + kGapY};
    tiles.size = {tiles.step.x * static_cast<float>(n_columns) - kGapX,
                  tiles.step.y * static_cast<float>(n_lines) - kGapY};
    tiles.scrolls = scrolls && tiles.size.y > request.area.y;
    return tiles;
}

} // namespace

ImVec2 HeadTiles::cells_at(int tile) const {
    return {left + static_cast<float>(tile % n_columns) * step.x,
            above + static_cast<float>(tile / n_columns) * step.y};
}

// Words only where they leave the cells large enough for numbers, or nearly so, or the matrices for some of the words of many
// cells. Where nothing fits, as many columns as can be stand in a page that scrolls.
HeadTiles lay_out_heads(const HeadTilesRequest& request) {
    constexpr float kLeastWithWords = 20, kLeastWithSome = 140;
    const auto has_room = [&](ImVec2 pitch) {
        return pitch.x >= kLeastWithWords || std::min(pitch.x * static_cast<float>(request.n_cols),
                                                      pitch.y * static_cast<float>(request.n_rows)) >= kLeastWithSome;
    };
    constexpr float kNoticed = 1.1f; // cells so much larger are worth that heads stand below each other
    const auto n_lines = [&](int n_columns) { return n_lines_of(request.n_heads, n_columns); };
    for (bool has_words : {true, false}) {
        HeadTiles best;
        for (int n = request.n_heads; n >= 1; --n) {
            if (n > 1 && n_lines(n - 1) == n_lines(n)) continue; // with one less in a line the last one has more
            const HeadTiles tiles = arranged(request, {n, has_words, false});
            if (has_words && !has_room(tiles.pitch)) continue;
            if (tiles.pitch.x * tiles.pitch.y > kNoticed * best.pitch.x * best.pitch.y) best = tiles;
        }
        if (best.pitch.x > 0) return best;
    }
    for (int n = request.n_heads; n > 1; --n) {
        const HeadTiles tiles = arranged(request, {n, false, true});
        if (tiles.pitch.x > 0) return tiles;
    }
    HeadTilesRequest least = request;
    least.area.x = std::max(least.area.x, kLeastCells);
    return arranged(least, {1, false, true});
}

std::vector<int> grid_tensors(const ViewContext& context) {
    const Program& program = context.lab.program();
    std::vector<int> found;
    for (int node : nodes_of_section(program, context.selection.section)) {
        const Role role = program.node(node).presentation.role;
        const bool is_for_grid =
            role == Role::scores || role == Role::weights || role == Role::context || role == Role::mask;
        if (is_for_grid && head_layout(program, node).n_parts == n_heads(program) &&
            head_layout(program, node).along == HeadsAlong::planes)
            found.push_back(node);
    }
    return found;
}

int grid_tensor(const ViewContext& context) {
    const Program& program = context.lab.program();
    const std::vector<int> all = grid_tensors(context);
    const auto named = std::find_if(all.begin(), all.end(), [&](int node) {
        return name_in_block(program.node(node).name) == context.ui.head_grid.tensor;
    });
    if (named != all.end()) return *named;
    const auto weights = std::find_if(all.begin(), all.end(),
                                      [&](int node) { return program.node(node).presentation.role == Role::weights; });
    return weights != all.end() ? *weights : all.empty() ? -1 : all.front();
}

void draw_grid_tensor_choice(ViewContext& context, const Rect& area) {
    const Program& program = context.lab.program();
    const int shown = grid_tensor(context);
    if (shown < 0) return;
    const std::string title(name_in_block(program.node(shown).name));
    constexpr float kMenu = 156;
    if (!begin_select(context.theme, {.id = "grid tensor", .area = area, .shown = title, .menu_width = kMenu})) return;
    for (int node : grid_tensors(context)) {
        const std::string entry(name_in_block(program.node(node).name));
        if (menu_entry(context.theme, {.title = entry, .is_chosen = node == shown}))
            context.ui.head_grid.tensor = entry;
    }
    end_select();
}

} // namespace lab
