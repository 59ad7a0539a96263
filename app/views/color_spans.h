#pragma once

#include <map>
#include <string>

#include "engine/trace.h"

namespace lab {

// What the colours of matrices run over: the extent of their cells. Of what is not stored only the rows are known that an update has
// come by, with which the colours of a long text would swing under a hand that drags: until it is complete they run over what they
// ran over before and what is known by then.
class ColorSpans {
  public:
    struct Span {
        Extent extent;
        float typical = 0; // as Trace::typical_magnitude has it
    };
    Span of(const Trace& trace, int node, bool has_typical); // else that is 0
    void clear() { kept_.clear(); }                          // another document lies open

  private:
    struct Kept {
        Shape shape;
        Span span;
    };
    std::map<std::string, Kept> kept_; // by the names of nodes
};

} // namespace lab
