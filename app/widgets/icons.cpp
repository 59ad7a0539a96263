#include "app/widgets/icons.h"

#include <initializer_list>
#include <numbers>

namespace lab {

namespace {

constexpr float kGrid = 18; // icons are drawn on a square of 18 × 18
constexpr float kStroke = 1.5f;

// Draws strokes whose ends and corners are round, which Dear ImGui's own are not.
class Pen {
  public:
    Pen(ImDrawList& draw_list, ImVec2 center, Color color, float size)
        : draw_list_(draw_list), scale_(size / kGrid),
          color_(color.u32()), corner_{center.x - size / 2, center.y - size / 2} {}

    Pen& line(std::initializer_list<ImVec2> points) {
        for (ImVec2 point : points) to(point);
        return *this;
    }

    // Degrees, clockwise from the right, as the screen shows it.
    Pen& arc(ImVec2 center, float radius, float from, float to) {
        constexpr float kRadians = std::numbers::pi_v<float> / 180;
        draw_list_.PathArcTo(placed(center), radius * scale_, from * kRadians, to * kRadians, 24);
        return *this;
    }

    Pen& curve(ImVec2 control_a, ImVec2 control_b, ImVec2 end) {
        draw_list_.PathBezierCubicCurveTo(placed(control_a), placed(control_b), placed(end), 12);
        return *this;
    }

    void stroke(bool closed = false) {
        const float width = kStroke * scale_;
        const ImVec2 ends[] = {draw_list_._Path.front(), draw_list_._Path.back()};
        draw_list_.PathStroke(color_, closed ? ImDrawFlags_Closed : ImDrawFlags_None, width);
        for (ImVec2 end : ends) draw_list_.AddCircleFilled(end, width / 2, color_, 8);
        for (int i = 0; i < n_corners_; ++i) draw_list_.AddCircleFilled(corners_[i], width / 2, color_, 8);
        n_corners_ = 0;
    }

    void dot(ImVec2 center) { draw_list_.AddCircleFilled(placed(center), kStroke * scale_ * 0.6f, color_, 8); }

  private:
    static constexpr int kMostCorners = 8;

    ImVec2 placed(ImVec2 point) const { return {corner_.x + point.x * scale_, corner_.y + point.y * scale_}; }

    void to(ImVec2 point) {
        const ImVec2 at = placed(point);
        draw_list_.PathLineTo(at);
        if (n_corners_ < kMostCorners) corners_[n_corners_++] = at;
    }

    ImDrawList& draw_list_;
    float scale_;
    ImU32 color_;
    ImVec2 corner_;
    ImVec2 corners_[kMostCorners];
    int n_corners_ = 0;
};

void draw_undo(Pen& pen) {
    pen.line({{4, 7}, {11, 7}}).arc({11, 11}, 4, -90, 90).line({{6, 15}}).stroke();
    pen.line({{7, 4}, {4, 7}, {7, 10}}).stroke();
}

void draw_redo(Pen& pen) {
    pen.line({{14, 7}, {7, 7}}).arc({7, 11}, 4, 270, 90).line({{12, 15}}).stroke();
    pen.line({{11, 4}, {14, 7}, {11, 10}}).stroke();
}

void draw_save(Pen& pen) {
    pen.line({{9, 3}, {9, 11}}).stroke();
    pen.line({{6, 8}, {9, 11}, {12, 8}}).stroke();
    pen.line({{3, 14.5f}, {15, 14.5f}}).stroke();
}

// Two arcs between (9, 3) and (15, 9): the large one of a circle around the middle, and the bite.
void draw_moon(Pen& pen) { pen.arc({9, 9}, 6, -90, -360).arc({13.06f, 4.94f}, 4.5f, 64.5f, 205.5f).stroke(); }

void draw_sun(Pen& pen) {
    pen.arc({9, 9}, 3, 0, 360).stroke();
    constexpr ImVec2 kWays[] = {{0, -1}, {0.707f, -0.707f}, {1, 0},  {0.707f, 0.707f},
                                {0, 1},  {-0.707f, 0.707f}, {-1, 0}, {-0.707f, -0.707f}};
    for (ImVec2 way : kWays)
        pen.line({{9 + 5.4f * way.x, 9 + 5.4f * way.y}, {9 + 6.8f * way.x, 9 + 6.8f * way.y}}).stroke();
}

void draw_help(Pen& pen) {
    pen.arc({9, 7}, 2.5f, 180, 426.5f).curve({9.3f, 9.6f}, {9, 10.1f}, {9, 11}).stroke();
    pen.dot({9, 14.1f});
}

void draw_menu(Pen& pen) {
    for (float y : {5.0f, 9.0f, 13.0f}) pen.line({{3, y}, {15, y}}).stroke();
}

void draw_pencil(Pen& pen) {
    pen.line({{3.5f, 14.5f}, {4.2f, 11.3f}, {12, 3.5f}, {14.5f, 6}, {6.7f, 13.8f}}).stroke(true);
    pen.line({{10.2f, 5.3f}, {12.7f, 7.8f}}).stroke();
}

void draw_fit(Pen& pen) {
    pen.line({{3, 6.5f}, {3, 3}, {6.5f, 3}}).stroke();
    pen.line({{11.5f, 3}, {15, 3}, {15, 6.5f}}).stroke();
    pen.line({{15, 11.5f}, {15, 15}, {11.5f, 15}}).stroke();
    pen.line({{6.5f, 15}, {3, 15}, {3, 11.5f}}).stroke();
}

void draw_search(Pen& pen) {
    pen.arc({8, 8}, 4.5f, 0, 360).stroke();
    pen.line({{11.3f, 11.3f}, {15, 15}}).stroke();
}

void draw_plus(Pen& pen) {
    pen.line({{9, 4}, {9, 14}}).stroke();
    pen.line({{4, 9}, {14, 9}}).stroke();
}

void draw_cross(Pen& pen) {
    pen.line({{5, 5}, {13, 13}}).stroke();
    pen.line({{13, 5}, {5, 13}}).stroke();
}

} // namespace

void draw_icon(ImDrawList& draw_list, Icon icon, ImVec2 center, Color color, float size) {
    Pen pen(draw_list, center, color, size);
    switch (icon) {
    case Icon::undo: return draw_undo(pen);
    case Icon::redo: return draw_redo(pen);
    case Icon::open: return pen.line({{3, 15}, {3, 4}, {8, 4}, {10, 6}, {15, 6}, {15, 15}}).stroke(true);
    case Icon::save: return draw_save(pen);
    case Icon::moon: return draw_moon(pen);
    case Icon::sun: return draw_sun(pen);
    case Icon::help: return draw_help(pen);
    case Icon::menu: return draw_menu(pen);
    case Icon::plus: return draw_plus(pen);
    case Icon::minus: return pen.line({{4, 9}, {14, 9}}).stroke();
    case Icon::close: return draw_cross(pen);
    case Icon::check: return pen.line({{3.5f, 9.5f}, {7, 13}, {14.5f, 5}}).stroke();
    case Icon::pencil: return draw_pencil(pen);
    case Icon::fit: return draw_fit(pen);
    case Icon::search: return draw_search(pen);
    case Icon::chevron_left: return pen.line({{11, 4.5f}, {6.5f, 9}, {11, 13.5f}}).stroke();
    case Icon::chevron_right: return pen.line({{7, 4.5f}, {11.5f, 9}, {7, 13.5f}}).stroke();
    case Icon::chevron_up: return pen.line({{4.5f, 11}, {9, 6.5f}, {13.5f, 11}}).stroke();
    case Icon::chevron_down: return pen.line({{4.5f, 7}, {9, 11.5f}, {13.5f, 7}}).stroke();
    }
}

void draw_caret(ImDrawList& draw_list, ImVec2 center, Color color) {
    draw_list.AddTriangleFilled({center.x - 3.5f, center.y - 2}, {center.x + 3.5f, center.y - 2},
                                {center.x, center.y + 2.8f}, color.u32());
}

} // namespace lab
