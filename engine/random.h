#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/shape.h"

namespace lab {

// PyTorch's CPU generator after torch.manual_seed(seed): MT19937 (Matsumoto and Nishimura 1998), seeded the
// classic way (`init_genrand`) with the low 32 bits of the seed. The same on every platform; checked against
// PyTorch 1.13.
//
// A *draw* is one 32-bit number of the generator: the unit in which `skip` counts. One uniform float takes
// one draw.
class Generator {
  public:
    explicit Generator(std::uint64_t seed);

    std::uint32_t next();           // one draw
    void skip(std::uint64_t draws); // as that many calls of next(); about a nanosecond each

    float uniform();         // one draw: its low 24 bits · 2⁻²⁴, in [0, 1); equal to torch.rand to the bit
    double uniform_double(); // two draws: the low 53 bits of both · 2⁻⁵³, in [0, 1)

    // One standard normal number in double, by Box and Muller: four draws give two numbers, the second is
    // kept for the next call. So torch.randn makes fewer than 16 numbers; torch.rand leaves the kept number
    // where it is.
    double normal_double();

  private:
    void refill();

    static constexpr int kStateSize = 624;
    std::array<std::uint32_t, kStateSize> state_;
    int position_ = kStateSize;
    std::optional<double> kept_normal_;
};

// torch.rand(n), to the bit: n draws.
std::vector<float> rand(Generator& generator, std::size_t n);

// torch.empty(n).uniform_(low, high), to the bit: u · (high − low) + low, rounded to float32 once; n draws.
std::vector<float> rand_between(Generator& generator, std::size_t n, float low, float high);

// torch.randn(n) within 2e-6 (which is how far PyTorch's own scalar and AVX2 paths differ).
//
// From 16 numbers on: blocks of 16 uniform floats u; for j < 8, r = √(−2 ln(1 − u[j])), θ = 2π u[j+8], and
// element j is r cos θ, element j + 8 is r sin θ; where 16 does not divide n, the last 16 elements are drawn
// afresh at the end. Below 16 numbers: Generator::normal_double, one after the other.
std::vector<float> randn(Generator& generator, std::size_t n);

// Some rows of torch.randn(n_rows, n_cols), without holding the whole table; leaves the generator where the
// whole table would. rows: each in [0, n_rows), in any order, also repeated. Result: [rows × n_cols], row
// after row.
std::vector<float> randn_rows(Generator& generator, int n_rows, int n_cols, std::span<const int> rows);

// How many draws randn(n) takes from a generator that keeps no normal number.
std::uint64_t randn_draws(std::uint64_t n);

} // namespace lab
