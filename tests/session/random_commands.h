#pragma once

#include <cstdint>

#include "app/session/lab.h"

namespace lab::test {

// Numbers from 0 to n − 1, the same on every platform.
class Dice {
  public:
    explicit Dice(std::uint32_t seed) : state_(seed * 2654435761u + 1u) {}
    int below(int n) {
        state_ = state_ * 1664525u + 1013904223u;
        return static_cast<int>((state_ >> 8) % static_cast<std::uint32_t>(n));
    }
    bool one_in(int n) { return below(n) == 0; }

  private:
    std::uint32_t state_;
};

// Any edit. Some do not fit the document and are refused.
Command random_command(Dice& dice, const Document& document);

} // namespace lab::test
