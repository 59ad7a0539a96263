#pragma once

#include <vector>

#include "engine/reduction.h"
#include "engine/shape.h"

namespace lab {

// A readable tensor, wherever its cells come from: an array in memory is one kind of source, a step computed on
// reading another. Views and exporters ask for what they show.
class Source {
  public:
    virtual ~Source() = default;
    const Shape& shape() const { return shape_; }

    // Writes the block's cells row after row: block.size() numbers.
    virtual void read(const Block& block, float* cells) const = 0;
    virtual float at(Cell cell) const = 0;

    // The same of the matrix as seen at a level: one number for each of these texels, what the cells below have in common. Takes
    // as long as the cells take to read: a caller with a clock asks for a row of texels at a time.
    virtual void reduce(const Block& texels, const Seen& seen, float* result) const;

  protected:
    explicit Source(const Shape& shape) : shape_(shape) {}

  private:
    Shape shape_;
};

std::vector<float> read_all(const Source& source);

} // namespace lab
