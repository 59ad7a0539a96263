#pragma once

#include <array>
#include <map>
#include <optional>

#include "app/widgets/value_coloring.h"

struct ImDrawList;

namespace lab {

// Colours textures of numbers on the graphics card.
class ValueShader {
  public:
    // What the draw list shows from here on are textures of numbers.
    void begin(ImDrawList& draw_list, const ValueColoring& coloring);
    void end(ImDrawList& draw_list); // from here on pictures and text again

    // After a frame was drawn: the graphics card may compile while nobody waits for it. Who draws first waits otherwise.
    void prepare();

    void forget(); // the graphics card has lost everything

    // Within a draw list's callback.
    void use(const ValueColoring& coloring);
    void leave() const;

  private:
    struct Uniforms {
        int projection, scale, zero, masked, no_number;
    };

    bool make(); // false: the graphics card is lost
    void set_projection();
    template <class T> bool is_news(const ValueColoring& coloring, T ValueColoring::*part) const {
        return !told_ || *told_.*part != coloring.*part;
    }
    unsigned ramp_texture(const std::uint32_t* ramp);

    unsigned program_ = 0;
    std::array<unsigned, 2> shaders_{}; // until the program is made
    unsigned backend_ = 0;              // Dear ImGui's own program
    std::optional<Uniforms> uniforms_;  // once the program is made
    // What the program was told last and still holds: telling a browser costs as much as a hundred numbers of the draw list.
    std::optional<ValueColoring> told_;
    std::array<float, 4> told_screen_{};
    std::map<const std::uint32_t*, unsigned> ramps_; // textures, by the colours they were made from
};

} // namespace lab
