#include <gtest/gtest.h>

#include <algorithm>

#include "app/session/sections.h"
#include "app/views/canvas_frame.h"
#include "app/views/canvas_routes.h"
#include "engine/formats/presets.h"
#include "tests/views/canvas_support.h"

// Lines from what a tensor is made from: around everything that stands between.
namespace lab {
namespace {

using test::Canvas;

Rect box_of(ImVec2 a, ImVec2 b) {
    return Rect{std::min(a.x, b.x), std::min(a.y, b.y), std::max(a.x, b.x), std::max(a.y, b.y)}.grown(0.1f);
}

// Returns how many lines go around something.
int check_lines(const Canvas& canvas) {
    const CanvasLayout& layout = canvas.views.ui.canvas.layout;
    const Program& program = canvas.views.lab.program();
    int n_around = 0;
    EXPECT_EQ(layout.lines.size(), layout.edges.size());
    for (std::size_t i = 0; i < layout.edges.size(); ++i) {
        const auto& [node, from, to] = layout.edges[i];
        const std::vector<ImVec2>& line = layout.lines[i];
        const std::string edge = program.node(from).name + " → " + program.node(to).name;
        EXPECT_TRUE(!line.empty() || layout.find(from)->shelf == layout.find(to)->shelf) << edge;
        if (line.empty()) continue;
        ++n_around;
        EXPECT_TRUE(layout.find(from)->around().grown(5).contains(line.front())) << edge;
        EXPECT_TRUE(layout.find(to)->around().grown(5).contains(line.back())) << edge;
        for (std::size_t k = 1; k < line.size(); ++k) {
            EXPECT_TRUE(line[k].x == line[k - 1].x || line[k].y == line[k - 1].y) << edge;
            for (const PlacedNode& placed : layout.placed) {
                const bool is_its_end = (k == 1 && placed.node == from) || (k + 1 == line.size() && placed.node == to);
                EXPECT_TRUE(is_its_end || !placed.around().overlaps(box_of(line[k - 1], line[k])))
                    << edge << " over " << program.node(placed.node).name;
            }
        }
    }
    return n_around;
}

TEST(CanvasLines, GoAroundWhatStandsBetween) {
    for (const ImVec2 view : {ImVec2{812, 724}, ImVec2{1452, 1004}}) { // windows of 1280 × 800 and 1920 × 1080
        Canvas canvas(view);
        for (const PresetInfo& preset : presets()) {
            SCOPED_TRACE(preset.name);
            canvas.open(preset.name);
            int n_around = 0;
            for (int section = 0; section < n_sections(canvas.views.lab.program()); ++section) {
                canvas.views.selection.section = section;
                canvas.views.frame(2);
                n_around += check_lines(canvas);
            }
            const bool has_blocks = canvas.views.lab.document().attention.blocks.n > 0;
            EXPECT_TRUE(n_around > 0 || !has_blocks) << "a block adds what it read to what it computed";
        }
    }
}

TEST(CanvasLines, OfTheFirstScreenAreStraightOrBent) {
    Canvas canvas;
    canvas.open("trainable");
    EXPECT_EQ(check_lines(canvas), 0);
    EXPECT_GT(canvas.views.ui.canvas.layout.edges.size(), 8u);
}

// Of few tokens a legend is wider than what stands below it.
TEST(CanvasLines, DownAColumnAreOneStraightLineThatBeginsBelowWords) {
    for (const int n : {2, 3, 6, 12}) {
        Canvas canvas;
        canvas.open(test::document_of({.n_tokens = n, .d_in = 3, .mask = MaskKind::causal}));
        canvas.views.selection.points_at_query = false; // so that all lines have one colour
        canvas.views.frame(2);
        const CanvasFrame frame{canvas.views.ui.canvas.layout, canvas.views.ui.camera};
        const Rect scores = frame.cells(canvas.placed("attention_scores"));
        const Rect legend = frame.legend(canvas.placed("attention_scores"));
        const float x = scores.center().x, bottom = frame.cells(canvas.placed("scaled_scores")).top - 1;
        const ImU32 line = kDarkPalette.line.u32();
        const auto n_of_lines = [&](float beside, float top) {
            return test::n_vertices({x - beside, top, x + beside, bottom}, line);
        };
        EXPECT_GT(n_of_lines(2, scores.bottom + 1), 0) << n;
        EXPECT_EQ(n_of_lines(2, scores.bottom + 1), n_of_lines(80, scores.bottom + 1)) << n << ": where all others run";
        EXPECT_TRUE(legend.right < x || n_of_lines(2, scores.bottom + 1) == n_of_lines(2, legend.bottom)) << n;
    }
}

TEST(CanvasLines, FollowAProgramWhoseMatricesStay) {
    Canvas canvas;
    canvas.open("gpt2-block");
    const auto before = canvas.views.ui.canvas.layout.edges;
    AttentionSettings settings = canvas.views.lab.document().attention;
    settings.blocks.norm_position = NormPosition::post;
    ASSERT_TRUE(canvas.views.lab.perform(SetAttention{settings}).has_value());
    canvas.views.lab.refresh();
    canvas.views.frame(2);
    EXPECT_FALSE(before == canvas.views.ui.canvas.layout.edges);
    check_lines(canvas);
}

std::vector<RouteRequest> one_request(ImVec2 from, ImVec2 to) { return {{0, {{from, from}}, {{to, to}}}}; }

TEST(RouteLines, TakeTheShorterWay) {
    const std::vector<Rect> wall{{-100, 40, 20, 60}};
    const auto lines = route_lines(wall, one_request({0, 0}, {0, 100}));
    ASSERT_EQ(lines.size(), 1u);
    ASSERT_EQ(lines[0].size(), 6u);
    EXPECT_FLOAT_EQ(lines[0][2].x, 26) << "just beside the near end";
}

TEST(RouteLines, StandBesideThoseOfOthers) {
    const std::vector<Rect> wall{{-100, 40, 20, 60}};
    std::vector<RouteRequest> two{one_request({0, 0}, {0, 100})[0], one_request({10, 0}, {10, 100})[0]};
    two[1].source = 1;
    const auto lines = route_lines(wall, two);
    EXPECT_NE(lines[0][2].x, lines[1][2].x);
    two[1].source = 0;
    const auto shared = route_lines(wall, two);
    EXPECT_EQ(shared[0][2].x, shared[1][2].x) << "of one source they share it";
}

TEST(RouteLines, EndWhereThereIsNoWay) {
    const std::vector<Rect> box{{-20, -20, 20, -10}, {-20, 10, 20, 20}, {-20, -20, -10, 20}, {10, -20, 20, 20}};
    EXPECT_TRUE(route_lines(box, one_request({0, 0}, {0, 100}))[0].empty());
}

} // namespace
} // namespace lab
