#include "app/views/ongoing.h"

namespace lab {

std::optional<Ongoing> ongoing(const ViewContext& context) {
    constexpr double kLong_s = 0.5;
    if (context.lab.is_computing()) {
        const double part = context.lab.progress();
        return Ongoing{"computing, " + std::to_string(static_cast<int>(100 * part)) + " %", part};
    }
    const std::optional<double> since_s = context.ui.reads_pictures_since_s;
    if (since_s && context.platform.now_s() - *since_s > kLong_s) return Ongoing{"drawing", std::nullopt};
    return std::nullopt;
}

} // namespace lab
