#pragma once

#include <map>

#include "app/widgets/value_coloring.h"

struct ImDrawList;

namespace lab {

// Colours textures of numbers on the graphics card.
class ValueShader {
  public:
    // What the draw list shows from here on are textures of numbers, each with the number of columns that its hatching is
    // shifted by (0, 1 or 2) as the red of its tint.
    void begin(ImDrawList& draw_list, const ValueColoring& coloring);
    static void end(ImDrawList& draw_list); // from here on pictures and text again

    void forget(); // the graphics card has lost everything

    void use(const ValueColoring& coloring); // within a draw list's callback

  private:
    void make();
    unsigned ramp_texture(const std::uint32_t* ramp);

    unsigned program_ = 0;
    std::map<const std::uint32_t*, unsigned> ramps_; // textures, by the colours they were made from
};

} // namespace lab
