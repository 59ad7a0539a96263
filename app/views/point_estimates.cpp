#include "app/views/point_estimates.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/kernels/elementary.h"

namespace lab {

namespace {

// A point that is more times its sample is that of other rows.
constexpr float kGreatestFactor = 1000;

// −∞ where all of the point is masked; NaN where the sample says nothing of it.
float relation(float point, float sample, PointEstimates::By by) {
    if (is_masked(sample) && is_masked(point)) return point;
    if (!std::isfinite(sample)) return std::numeric_limits<float>::quiet_NaN();
    const float found = by == PointEstimates::By::factor ? point / sample : point - sample;
    const bool is_related = std::isfinite(found) && (by == PointEstimates::By::difference || found <= kGreatestFactor);
    return is_related ? found : std::numeric_limits<float>::quiet_NaN();
}

} // namespace

void PointEstimates::note(std::size_t n_points, std::size_t first, std::vector<float> points, const float* samples,
                          By by) {
    relations_.resize(n_points, std::numeric_limits<float>::quiet_NaN());
    std::transform(points.begin(), points.end(), samples, points.begin(),
                   [&](float point, float sample) { return relation(point, sample, by); });
    std::copy(points.begin(), points.end(), relations_.begin() + static_cast<std::ptrdiff_t>(first));
}

float PointEstimates::estimate(std::size_t point, float sample, float shown, By by) const {
    const float related = relations_[point];
    const float estimated = by == By::factor ? sample * related : sample + related;
    if (is_masked(sample)) return std::isnan(related) ? shown : sample; // the mask is another
    if (is_masked(related)) return std::isfinite(sample) ? sample : shown;
    if (is_masked(shown) && std::isfinite(sample)) return std::isfinite(estimated) ? estimated : sample;
    if (!std::isfinite(shown) || (by == By::factor && sample == 0)) return shown;
    return std::isfinite(estimated) ? estimated : shown;
}

} // namespace lab
