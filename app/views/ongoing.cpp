#include "app/views/ongoing.h"

#include <algorithm>

namespace lab {

namespace {

// All of it is never there: what could be read may be, while more is to come.
Ongoing ongoing_part(const std::string& what, double done) {
    const double part = std::min(done, 0.99);
    return {what + ", " + std::to_string(static_cast<int>(100 * part)) + " %", part};
}

} // namespace

std::optional<Ongoing> ongoing(const ViewContext& context) {
    constexpr double kLong_s = 0.5;
    if (context.lab.is_computing()) return ongoing_part("computing", context.lab.progress());
    const std::optional<double> since_s = context.ui.reads_pictures_since_s;
    if (since_s && context.platform.now_s() - *since_s > kLong_s)
        return ongoing_part("drawing", context.ui.pictures.progress());
    return std::nullopt;
}

} // namespace lab
