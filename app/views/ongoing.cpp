#include "app/views/ongoing.h"

#include <algorithm>
#include <utility>

namespace lab {

namespace {

constexpr double kLong_s = 0.5;

// All of it is never there: what could be read may be, while more is to come.
Ongoing ongoing_part(const std::string& what, double done) {
    const double part = std::min(done, 0.99);
    return {what + ", " + std::to_string(static_cast<int>(100 * part)) + " %", part};
}

} // namespace

std::optional<Ongoing> ongoing(const ViewContext& context) {
    if (context.lab.is_computing()) return ongoing_part("computing", context.lab.progress());
    const std::optional<double> since_s = context.ui.reads_pictures_since_s;
    if (since_s && context.frame_s - *since_s > kLong_s) return ongoing_part("drawing", context.ui.pictures.progress());
    return std::nullopt;
}

bool stays_as_before(ViewContext& context, int node) {
    const Trace& trace = context.lab.trace();
    if (!trace.is_stored(node) || !trace.is_pending(node)) return false;
    // A hand that drags may begin many refreshes before one comes to its end.
    const int n_completed = context.lab.n_completed();
    if (std::exchange(context.ui.awaits_refresh, n_completed) != n_completed)
        context.ui.awaits_since_s = context.frame_s;
    return context.frame_s - context.ui.awaits_since_s > kLong_s;
}

} // namespace lab
