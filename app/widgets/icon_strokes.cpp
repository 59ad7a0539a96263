#include "app/widgets/icon_strokes.h"

#include <cmath>
#include <initializer_list>
#include <numbers>
#include <utility>

namespace lab {

namespace {

// Collects strokes: of lines, arcs and curves each begins where the one before ends, until they are stroked.
class Pen {
  public:
    Pen& line(std::initializer_list<ImVec2> points) {
        path_.insert(path_.end(), points);
        return *this;
    }

    // Degrees, clockwise from the right, as the screen shows it.
    Pen& arc(ImVec2 center, float radius, float from, float to) {
        constexpr int kSteps = 24;
        constexpr float kRadians = std::numbers::pi_v<float> / 180;
        for (int i = 0; i <= kSteps; ++i) {
            const float angle = kRadians * (from + (to - from) * static_cast<float>(i) / kSteps);
            path_.push_back({center.x + radius * std::cos(angle), center.y + radius * std::sin(angle)});
        }
        return *this;
    }

    // A cubic Bézier curve from where the line is.
    Pen& curve(ImVec2 control_a, ImVec2 control_b, ImVec2 end) {
        constexpr int kSteps = 12;
        const ImVec2 begin = path_.back();
        for (int i = 1; i <= kSteps; ++i) {
            const float t = static_cast<float>(i) / kSteps, u = 1 - t;
            const float of_begin = u * u * u, of_a = 3 * u * u * t, of_b = 3 * u * t * t, of_end = t * t * t;
            path_.push_back({of_begin * begin.x + of_a * control_a.x + of_b * control_b.x + of_end * end.x,
                             of_begin * begin.y + of_a * control_a.y + of_b * control_b.y + of_end * end.y});
        }
        return *this;
    }

    void stroke(bool closed = false) {
        if (closed) path_.push_back(path_.front());
        strokes_.push_back({std::exchange(path_, {}), kIconStroke});
    }

    void dot(ImVec2 center) { strokes_.push_back({{center, center}, 1.2f * kIconStroke}); }

    const std::vector<IconStroke>& strokes() const { return strokes_; }

  private:
    std::vector<ImVec2> path_;
    std::vector<IconStroke> strokes_;
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

void draw(Pen& pen, Icon icon) {
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

} // namespace

std::vector<IconStroke> icon_strokes(Icon icon) {
    Pen pen;
    draw(pen, icon);
    return pen.strokes();
}

} // namespace lab
