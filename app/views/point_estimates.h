#pragma once

#include <cstddef>
#include <vector>

namespace lab {

// What points of a picture are likely to say while the rows that they stand for are computed for seconds.
//
// A point says what some cells have in common, as their greatest, and its sample the same of one row of them. When a point is
// read, its sample is too, and how they relate is kept; when the sample is another, the point is taken to relate to it as before.
// Estimates do not build on each other: with the sample that was read a point is what was read, but for rounding.
class PointEstimates {
  public:
    // How a point relates to its sample: by what is between them, or by a factor (of what is never negative).
    enum class By { difference, factor };

    bool empty() const { return relations_.empty(); }
    void clear() { relations_.clear(); }
    std::size_t n_bytes() const { return relations_.size() * sizeof(float); }

    // Of n_points in all these, from `first` on, which were read.
    void note(std::size_t n_points, std::size_t first, std::vector<float> points, const float* samples, By by);
    // `shown` where nothing is known: of samples that are 0 or no number, or that say nothing of their point. A sample that is masked
    // where it was not, or the other way round, tells that the mask is another.
    float estimate(std::size_t point, float sample, float shown, By by) const;

  private:
    std::vector<float> relations_; // per point; NaN: none
};

} // namespace lab
