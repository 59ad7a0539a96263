#pragma once

#include <vector>

#include "app/widgets/geometry.h"

namespace lab {

// Where a line may leave what it comes from, or enter what it leads to.
struct RoutePort {
    ImVec2 end;             // of the line
    ImVec2 outside;         // the first point beside the obstacle, straight before the end
    bool is_upright = true; // from one to the other
    float detour = 0;       // by so much the way seems longer
};

struct RouteRequest {
    int source = 0; // lines of one source may share their way
    std::vector<RoutePort> begins, ends;
};

// Lines of upright and level pieces that pass between the obstacles and cross none, as short and with as few corners as
// can be, those of different sources beside one another where there is room. One per request; empty where there is no
// way.
std::vector<std::vector<ImVec2>> route_lines(const std::vector<Rect>& obstacles,
                                             const std::vector<RouteRequest>& requests);

// How far beside an obstacle its ports lie.
constexpr float kRouteClearance = 6;

} // namespace lab
