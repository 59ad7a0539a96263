#include "app/views/canvas_routes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

namespace lab {

namespace {

constexpr float kTrack = 5;             // from a line to one beside it
constexpr float kLeastApart = 3;        // of two tracks
constexpr float kOfObstacles = 2;       // what is kept free around them
constexpr float kCorner = 24;           // as much longer a way is taken to save one
constexpr float kBesideOthers = 2.5f;   // times as long seems what runs on another source's line
constexpr float kWithItsOwnKind = 0.7f; // and what runs on one of the same source

// Sorted, without those that lie too close to the one before; `kept` ones stay.
std::vector<float> tracks(std::vector<float> places, const std::vector<float>& kept) {
    std::sort(places.begin(), places.end());
    std::vector<float> found;
    const auto is_near_a_kept = [&](float place) {
        return std::any_of(kept.begin(), kept.end(), [&](float k) { return std::fabs(k - place) < kLeastApart; });
    };
    for (float place : places) {
        if (!is_near_a_kept(place) && (found.empty() || place - found.back() >= kLeastApart)) found.push_back(place);
    }
    found.insert(found.end(), kept.begin(), kept.end());
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

// The shortest way on the grid of all tracks (A*): a state is a crossing of two tracks and how one came there.
class Router {
  public:
    Router(const std::vector<Rect>& obstacles, const std::vector<RouteRequest>& requests) {
        for (const Rect& each : obstacles) obstacles_.push_back(each.grown(kOfObstacles));
        make_tracks(obstacles, requests);
        find_free_pieces();
    }

    std::vector<ImVec2> line(const RouteRequest& request) {
        states_.assign(2 * n_crossings(), {});
        open_ = {};
        for (const RoutePort& port : request.begins) {
            const int crossing = crossing_at(port.outside);
            const float length = std::fabs(port.end.x - port.outside.x) + std::fabs(port.end.y - port.outside.y);
            if (is_outside(port)) reach(state(crossing, port.is_upright), port.detour + length, -1, request);
        }
        const int last = search(request);
        return last < 0 ? std::vector<ImVec2>() : traced(last, request);
    }

  private:
    struct State {
        float length = std::numeric_limits<float>::max();
        int before = -1;
        bool is_done = false;
    };
    struct Candidate {
        float at_least = 0; // the whole way's length
        int state = 0;
        bool operator<(const Candidate& other) const { return at_least > other.at_least; } // the shortest first
    };
    // From a crossing to the next on its right, or below.
    struct Piece {
        bool is_free = true;
        int source = -1; // whose line runs there
    };

    std::size_t n_crossings() const { return xs_.size() * ys_.size(); }
    int n_x() const { return static_cast<int>(xs_.size()); }
    int n_y() const { return static_cast<int>(ys_.size()); }
    ImVec2 point(int crossing) const {
        return {xs_[static_cast<std::size_t>(crossing % n_x())], ys_[static_cast<std::size_t>(crossing / n_x())]};
    }
    static int state(int crossing, bool is_upright) { return 2 * crossing + (is_upright ? 1 : 0); }

    static int index_of(const std::vector<float>& places, float place) {
        const auto found = std::lower_bound(places.begin(), places.end(), place);
        return static_cast<int>(std::min(found, places.end() - 1) - places.begin());
    }
    int crossing_at(ImVec2 at) const { return index_of(ys_, at.y) * n_x() + index_of(xs_, at.x); }

    bool is_taken(ImVec2 at) const {
        return std::any_of(obstacles_.begin(), obstacles_.end(), [&](const Rect& each) { return each.contains(at); });
    }
    bool is_outside(const RoutePort& port) const { return !is_taken(port.outside); }

    void make_tracks(const std::vector<Rect>& obstacles, const std::vector<RouteRequest>& requests) {
        std::vector<float> xs, ys, kept_xs, kept_ys;
        for (const Rect& each : obstacles) {
            for (const float beside : {kRouteClearance, kRouteClearance + kTrack}) {
                xs.insert(xs.end(), {each.left - beside, each.right + beside});
                ys.insert(ys.end(), {each.top - beside, each.bottom + beside});
            }
        }
        for (const RouteRequest& request : requests) {
            for (const auto* ports : {&request.begins, &request.ends}) {
                for (const RoutePort& port : *ports) {
                    kept_xs.push_back(port.outside.x);
                    kept_ys.push_back(port.outside.y);
                }
            }
        }
        xs_ = tracks(std::move(xs), kept_xs);
        ys_ = tracks(std::move(ys), kept_ys);
    }

    void find_free_pieces() {
        level_.assign(n_crossings(), {});
        upright_.assign(n_crossings(), {});
        for (int y = 0; y < n_y(); ++y) {
            for (int x = 0; x < n_x(); ++x) {
                const auto crossing = static_cast<std::size_t>(y * n_x() + x);
                level_[crossing].is_free = x + 1 < n_x() && is_free(y * n_x() + x, y * n_x() + x + 1);
                upright_[crossing].is_free = y + 1 < n_y() && is_free(y * n_x() + x, (y + 1) * n_x() + x);
            }
        }
    }
    bool is_free(int from, int to) const {
        const ImVec2 a = point(from), b = point(to);
        const Rect piece = Rect{a.x, a.y, b.x, b.y}.grown(0.01f);
        return std::none_of(obstacles_.begin(), obstacles_.end(),
                            [&](const Rect& each) { return each.overlaps(piece); });
    }

    // The piece between two crossings that are neighbours.
    Piece& piece(int a, int b) {
        const bool is_level = a / n_x() == b / n_x();
        return (is_level ? level_ : upright_)[static_cast<std::size_t>(std::min(a, b))];
    }

    // No way from there is shorter.
    float least_left(ImVec2 from, const RouteRequest& request) const {
        float least = std::numeric_limits<float>::max();
        for (const RoutePort& port : request.ends) {
            const float length = std::fabs(port.outside.x - from.x) + std::fabs(port.outside.y - from.y);
            least = std::min(least, kWithItsOwnKind * length);
        }
        return least;
    }

    void reach(int where, float length, int before, const RouteRequest& request) {
        State& here = states_[static_cast<std::size_t>(where)];
        if (here.is_done || length >= here.length) return;
        here.length = length;
        here.before = before;
        open_.push({length + least_left(point(where / 2), request), where});
    }

    bool is_end(int where, const RouteRequest& request) const {
        return std::any_of(request.ends.begin(), request.ends.end(), [&](const RoutePort& port) {
            return is_outside(port) && state(crossing_at(port.outside), port.is_upright) == where;
        });
    }

    // The state at an end, or −1.
    int search(const RouteRequest& request) {
        while (!open_.empty()) {
            const int where = open_.top().state;
            open_.pop();
            if (states_[static_cast<std::size_t>(where)].is_done) continue;
            states_[static_cast<std::size_t>(where)].is_done = true;
            if (is_end(where, request)) return where;
            go_on(where, request);
        }
        return -1;
    }

    void go_on(int where, const RouteRequest& request) {
        const int crossing = where / 2, x = crossing % n_x(), y = crossing / n_x();
        const bool is_upright = where % 2 == 1;
        const float length = states_[static_cast<std::size_t>(where)].length;
        reach(state(crossing, !is_upright), length + kCorner, where, request);
        const int step = is_upright ? n_x() : 1;
        if (is_upright ? y > 0 : x > 0) go(where, crossing - step, request);
        if (is_upright ? y + 1 < n_y() : x + 1 < n_x()) go(where, crossing + step, request);
    }

    void go(int where, int to, const RouteRequest& request) {
        const int crossing = where / 2;
        const Piece& between = piece(crossing, to);
        if (!between.is_free) return;
        const ImVec2 a = point(crossing), b = point(to);
        const float factor = between.source < 0                 ? 1
                             : between.source == request.source ? kWithItsOwnKind
                                                                : kBesideOthers;
        const float length = factor * (std::fabs(b.x - a.x) + std::fabs(b.y - a.y));
        reach(state(to, where % 2 == 1), states_[static_cast<std::size_t>(where)].length + length, where, request);
    }

    const RoutePort& port_at(const std::vector<RoutePort>& ports, int where) const {
        return *std::find_if(ports.begin(), ports.end(), [&](const RoutePort& port) {
            return state(crossing_at(port.outside), port.is_upright) == where;
        });
    }

    // Back from the end, without points between which there is no corner.
    std::vector<ImVec2> traced(int last, const RouteRequest& request) {
        std::vector<ImVec2> points{port_at(request.ends, last).end};
        int where = last;
        for (int before = states_[static_cast<std::size_t>(where)].before; before >= 0;
             before = states_[static_cast<std::size_t>(where)].before) {
            if (before / 2 == where / 2)
                points.push_back(point(where / 2));
            else
                piece(before / 2, where / 2).source = request.source;
            where = before;
        }
        points.push_back(port_at(request.begins, where).end);
        std::reverse(points.begin(), points.end());
        return points;
    }

    std::vector<Rect> obstacles_;
    std::vector<float> xs_, ys_;
    std::vector<Piece> level_, upright_; // by crossing
    std::vector<State> states_;
    std::priority_queue<Candidate> open_;
};

} // namespace

std::vector<std::vector<ImVec2>> route_lines(const std::vector<Rect>& obstacles,
                                             const std::vector<RouteRequest>& requests) {
    std::vector<std::vector<ImVec2>> lines;
    if (requests.empty()) return lines;
    Router router(obstacles, requests);
    for (const RouteRequest& request : requests) lines.push_back(router.line(request));
    return lines;
}

} // namespace lab
