#include "app/views/phone_layout.h"

#include <algorithm>
#include <initializer_list>

#include "app/session/labels.h"
#include "app/session/query_rows.h"
#include "app/session/sections.h"
#include "app/views/explanation_widgets.h"
#include "app/views/matrix_cells.h"
#include "app/views/matrix_labels.h"
#include "app/views/matrix_metrics.h"

namespace lab {

namespace {

// Parameters stand with what they make: those of a branch with its projection, others with the outputs.
enum class Parameters { none, of_branches, others };

struct Group {
    const char* title;
    std::vector<Role> needs; // one of them must be there, or one of the other parameters
    std::vector<Role> shows;
    Parameters parameters = Parameters::none;
};

const std::vector<Group>& groups() {
    static const std::vector<Group> all = {
        {"Inputs", {Role::embedding}, {Role::embedding}},
        {"Q K V", {Role::projection}, {Role::projection}, Parameters::of_branches},
        {"Scores", {Role::scores}, {Role::scores, Role::mask}},
        {"Weights", {Role::weights}, {Role::weights, Role::context}}, // and what they come to
        {"Context", {Role::weighted_values, Role::context}, {Role::weighted_values, Role::context}},
        {"Outputs", {Role::hidden}, {Role::hidden}, Parameters::others},
    };
    return all;
}

bool is_one_of(const Node& node, const std::vector<Role>& roles) {
    return std::find(roles.begin(), roles.end(), node.presentation.role) != roles.end();
}

bool has_parameter(const Group& group, const Node& node) {
    if (!is_one_of(node, {Role::weight_matrix, Role::bias})) return false;
    const bool is_of_branch = node.presentation.branch != Branch::none;
    return group.parameters == (is_of_branch ? Parameters::of_branches : Parameters::others);
}

bool needs_group(const Group& group, const Node& node) {
    return is_one_of(node, group.needs) || (group.parameters == Parameters::others && has_parameter(group, node));
}

bool shows_in(const Group& group, const Node& node) {
    return is_one_of(node, group.shows) || has_parameter(group, node);
}

// What is normalised before queries, keys and values are made stands with the inputs.
bool leads_to_projections(const Program& program, const std::vector<int>& nodes, int node) {
    const auto first = std::find_if(nodes.begin(), nodes.end(),
                                    [&](int i) { return program.node(i).presentation.branch != Branch::none; });
    return first != nodes.end() && node < *first &&
           is_one_of(program.node(node), {Role::hidden, Role::weight_matrix, Role::bias});
}

constexpr float kLargestWidth = 46, kLargestHeight = kTouchTarget, kFollowingHeight = 25, kLeastFollowingHeight = 22;
constexpr float kSmallestWithNumbers = 22; // below, a cell is as tall as wide
constexpr float kScreenMargin = 16, kMostRowLabels = 118, kUsualRowLabels = 76, kFewestRowLabels = 20;
constexpr float kBetweenMatrices = 24, kLeastBetweenMatrices = 16;
constexpr std::size_t kMostWithTallRows = 4; // matrices of a tab

// How wide the words beside the rows are. Of many rows the first are measured, the last, whose number is the longest, and the
// widest word that there is.
float row_labels_width(const ViewContext& context, const Node& node, int n_rows) {
    constexpr int kMostMeasured = 64;
    constexpr float kGap = matrix_metrics::kRowLabelGap;
    const Axis axis = row_axis(node);
    const TextStyle style = plain_text(context.theme, type_size::kLabel, {});
    const auto width = [&](int row) { return text_width(style, axis_label(context.lab.document(), axis, row)) + kGap; };
    float widest = kFewestRowLabels;
    for (int row = 0; row < std::min(n_rows, kMostMeasured); ++row) widest = std::max(widest, width(row));
    if (n_rows > kMostMeasured) {
        const bool are_words = axis == Axis::queries || axis == Axis::keys || axis == Axis::new_keys;
        widest = std::max({widest, width(n_rows - 1), are_words ? row_label_width(context) + kGap : 0});
    }
    return std::min(widest, kMostRowLabels);
}

// How far apart matrices and the rows of all but the first stand.
struct Gaps {
    float between = kBetweenMatrices, following_height = kFollowingHeight;
};

ImVec2 cell_pitch(MatrixExtent extent, float width, float tallest) {
    const float x = std::min(kLargestWidth, width / static_cast<float>(std::max(1, extent.n_cols)));
    return {x, x < kSmallestWithNumbers ? x : std::min(tallest, x * kLargestHeight / kLargestWidth)};
}

// What the rows of a map come to, below it: of many rows those around the chosen query's, as many as there is room for, it among
// the upper ones, which the sheet leaves in sight. While another row near it is chosen they stay.
void show_rows_of_query(const ViewContext& context, const std::vector<MatrixView>& above, const Rect& content,
                        MatrixView& view) {
    constexpr float kLeastHeight = 72;
    const Program& program = context.lab.program();
    const Node& node = program.node(view.node);
    const bool is_below_map = !above.empty() && program.node(above.front().node).presentation.cols == Axis::keys &&
                              node.presentation.cols != Axis::keys;
    const auto row = is_below_map ? row_of_query(context.lab.document(), node, context.selection.query) : std::nullopt;
    const float below = view.has_legend ? matrix_metrics::kLegend : 0;
    const float top =
        view.origin.y - matrix_metrics::kTitle - (view.has_col_labels ? matrix_metrics::kColumnLabels : 0);
    const float first_row = view.origin.y + matrix_metrics::kAtEdge; // below the title, which stands at an edge then
    // What goes beyond the view is reached by scrolling, but not the chosen row's.
    const auto n_rows_of = [&](float height) { return std::max(1, static_cast<int>(height / view.pitch.y)); };
    const int n_rows = shown_extent(node).n_rows, n_in_sight = n_rows_of(content.bottom - first_row - below);
    const int n_most = std::max(n_in_sight, n_rows_of(kLeastHeight));
    const bool has_numbers = view.pitch.x >= kSmallestWithNumbers; // then the title would be cut
    if (!row || n_most >= n_rows || has_numbers) return;
    const int quarter = std::max(1, n_most / 4);
    const int first = std::clamp(*row / quarter * quarter - quarter / 2, 0, n_rows - n_in_sight);
    const int n_seen = std::min(n_most, n_rows - first);
    view.part = Rect{content.left, top, content.right, first_row + static_cast<float>(n_seen) * view.pitch.y + below};
    view.origin.y = first_row - static_cast<float>(first) * view.pitch.y;
}

std::vector<MatrixView> place_with(const Gaps& gaps, const ViewContext& context, const PhoneTab& tab,
                                   const Rect& content, float& bottom) {
    std::vector<MatrixView> views;
    float x = content.left + kScreenMargin; // where the next one may begin
    float line_top = content.top, line_bottom = content.top;
    for (int node : tab.nodes) {
        const Node& subject = context.lab.program().node(node);
        const MatrixExtent extent = shown_extent(subject);
        MatrixView view;
        view.node = node;
        view.has_row_labels = subject.presentation.rows != Axis::none;
        view.has_col_labels = subject.presentation.cols != Axis::none;
        // One column of words down the whole page; a matrix beside another takes what its own words need.
        const float labels = view.has_row_labels ? row_labels_width(context, subject, extent.n_rows) : 0;
        const float most = content.right - kScreenMargin - (content.left + kScreenMargin) - labels;
        if (view.has_row_labels) view.row_label_width = labels - matrix_metrics::kRowLabelGap;
        const bool has_tall_rows = views.empty() && tab.nodes.size() <= kMostWithTallRows;
        view.pitch = cell_pitch(extent, most, has_tall_rows ? kLargestHeight : gaps.following_height);
        const bool are_keys = subject.presentation.cols == Axis::keys; // of many some are written
        view.has_col_labels = view.has_col_labels && (are_keys || view.pitch.x >= kSmallestWithNumbers);
        const float title = text_width(semibold_text(context.theme, type_size::kText, {}), short_name(subject));
        const float width = labels + std::max(view.pitch.x * static_cast<float>(extent.n_cols), title);
        if (x + width > content.right - kScreenMargin + 0.5f && x > content.left + kScreenMargin) {
            x = content.left + kScreenMargin;
            line_top = line_bottom + gaps.between;
        }
        const bool begins_line = x == content.left + kScreenMargin;
        const float own_labels = begins_line && labels > kUsualRowLabels * 0.5f ? kUsualRowLabels : labels;
        const float shift =
            std::min(own_labels, content.right - kScreenMargin - x - view.pitch.x * static_cast<float>(extent.n_cols));
        view.origin = {x + std::max(labels, shift),
                       line_top + matrix_metrics::kTitle + (view.has_col_labels ? matrix_metrics::kColumnLabels : 0)};
        // As far as the next one's in its line, or the screen's edge.
        constexpr float kTitlesApart = 12, kAtScreensEdge = 4;
        view.title_room = content.right - kAtScreensEdge - view.origin.x;
        if (!begins_line) views.back().title_room = view.origin.x - kTitlesApart - views.back().origin.x;
        x = view.origin.x + width - labels + kBetweenMatrices;
        view.has_legend = view.has_legend_below = has_explained_colors(subject);
        const float below = view.has_legend ? matrix_metrics::kLegend : 0;
        show_rows_of_query(context, views, content, view);
        const float end = view.origin.y + view.pitch.y * static_cast<float>(extent.n_rows) + below;
        line_bottom = std::max(line_bottom, view.part ? view.part->bottom : end);
        views.push_back(view);
    }
    bottom = line_bottom;
    return views;
}

} // namespace

std::vector<PhoneTab> phone_tabs(const Selection& selection, const Program& program) {
    const std::vector<int> nodes = nodes_on_canvas(selection, program);
    std::vector<PhoneTab> tabs;
    for (const Group& group : groups()) {
        PhoneTab tab{group.title, {}};
        bool is_there = false;
        for (int i : nodes) {
            const Node& node = program.node(i);
            const bool is_for_inputs = leads_to_projections(program, nodes, i);
            if (is_for_inputs && &group != &groups().front()) continue;
            is_there = is_there || is_for_inputs || needs_group(group, node);
            if (is_for_inputs || shows_in(group, node)) tab.nodes.push_back(i);
        }
        if (is_there) tabs.push_back(std::move(tab));
    }
    return tabs;
}

int tab_of(const std::vector<PhoneTab>& tabs, int node, int chosen) {
    const auto shows = [&](int tab) {
        if (tab < 0 || tab >= static_cast<int>(tabs.size())) return false;
        const auto& nodes = tabs[static_cast<std::size_t>(tab)].nodes;
        return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
    };
    if (shows(chosen)) return chosen;
    for (int tab = 0; tab < static_cast<int>(tabs.size()); ++tab) {
        if (shows(tab)) return tab;
    }
    return -1;
}

PhoneFrame phone_frame(const Rect& area, const PhoneSheet& sheet, bool has_heads) {
    constexpr float kTopBar = 52, kChips = 54, kHeads = 40, kTabs = 46, kHandle = 20, kSideSheet = 340;
    const auto extent = [&](float most) {
        return std::clamp((sheet.is_open ? most : kHandle) + sheet.pulled, kHandle, std::max(kHandle, most));
    };
    PhoneFrame frame;
    frame.is_upright = area.height() >= area.width() * 0.8f;
    const float top_bar = frame.is_upright ? kTopBar : 44;
    const float chips = frame.is_upright ? kChips : 44;
    frame.top_bar = {area.left, area.top, area.right, area.top + top_bar};
    frame.tabs = {area.left, area.bottom - kTabs, area.right, area.bottom};
    if (frame.is_upright) {
        const float height = extent(std::min(sheet.height, area.height() * 0.5f));
        frame.sheet = {area.left, frame.tabs.top - height, area.right, frame.tabs.top};
        frame.content = {area.left, frame.top_bar.bottom + chips, area.right, frame.sheet.top};
    } else {
        const float width = extent(std::min(kSideSheet, area.width() * 0.45f));
        frame.sheet = {area.right - width, frame.top_bar.bottom, area.right, frame.tabs.top};
        frame.content = {area.left, frame.top_bar.bottom + chips, frame.sheet.left, frame.tabs.top};
    }
    frame.chips = {area.left, frame.top_bar.bottom, frame.content.right, frame.content.top};
    if (!has_heads) return frame;
    frame.heads = {area.left, frame.chips.bottom, frame.content.right, frame.chips.bottom + kHeads};
    frame.content.top = frame.heads.bottom;
    return frame;
}

// What goes a little beyond the view is moved together, so that no row stands half behind the sheet; what goes far beyond it is
// scrolled.
std::vector<MatrixView> place_matrices(const ViewContext& context, const PhoneTab& tab, const Rect& content,
                                       float& bottom) {
    constexpr float kAboveEdge = 4;
    auto views = place_with({}, context, tab, content, bottom);
    if (bottom + kAboveEdge <= content.bottom) return views;
    float closer = 0;
    auto moved = place_with({kLeastBetweenMatrices, kLeastFollowingHeight}, context, tab, content, closer);
    if (closer + kAboveEdge > content.bottom) return views;
    bottom = closer;
    return moved;
}

} // namespace lab
