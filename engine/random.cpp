#include "engine/random.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>

namespace lab {

namespace {

constexpr std::size_t kBlock = 16; // PyTorch's normal_fill works on blocks of 16 numbers
constexpr double kTwoPi = 6.283185307179586476925286766559;

using NormalBlock = std::array<float, kBlock>;

// Logarithm and circle functions are taken in double and rounded once, so that different mathematical
// libraries give the same float but for one number in many millions. θ is rounded to float first, because
// PyTorch does so.
NormalBlock normal_block(Generator& generator) {
    NormalBlock block;
    for (float& u : block) u = generator.uniform();
    for (std::size_t j = 0; j < kBlock / 2; ++j) {
        const double radius = std::sqrt(-2.0 * std::log(1.0 - static_cast<double>(block[j])));
        const float theta = static_cast<float>(kTwoPi * static_cast<double>(block[j + 8]));
        block[j] = static_cast<float>(radius * std::cos(static_cast<double>(theta)));
        block[j + 8] = static_cast<float>(radius * std::sin(static_cast<double>(theta)));
    }
    return block;
}

// The block of 16 numbers that element `index` of n comes from, named by the first element that it fills.
std::size_t block_begin(std::size_t index, std::size_t n) {
    const bool in_redrawn_tail = n % kBlock != 0 && index + kBlock >= n;
    return in_redrawn_tail ? n - kBlock : index / kBlock * kBlock;
}

} // namespace

Generator::Generator(std::uint64_t seed) {
    state_[0] = static_cast<std::uint32_t>(seed);
    for (std::uint32_t i = 1; i < kStateSize; ++i) {
        const std::uint32_t before = state_[i - 1];
        state_[i] = 1812433253u * (before ^ (before >> 30)) + i;
    }
}

void Generator::refill() {
    constexpr std::size_t n = kStateSize, middle = 397;
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint32_t joined = (state_[i] & 0x80000000u) | (state_[(i + 1) % n] & 0x7fffffffu);
        state_[i] = state_[(i + middle) % n] ^ (joined >> 1) ^ ((joined & 1u) != 0 ? 0x9908b0dfu : 0u);
    }
    position_ = 0;
}

std::uint32_t Generator::next() {
    if (position_ == kStateSize) refill();
    std::uint32_t y = state_[static_cast<std::size_t>(position_++)];
    y ^= y >> 11;
    y ^= (y << 7) & 0x9d2c5680u;
    y ^= (y << 15) & 0xefc60000u;
    return y ^ (y >> 18);
}

void Generator::skip(std::uint64_t draws) {
    while (draws > 0) {
        if (position_ == kStateSize) refill();
        const std::uint64_t step = std::min<std::uint64_t>(draws, static_cast<std::uint64_t>(kStateSize - position_));
        position_ += static_cast<int>(step);
        draws -= step;
    }
}

float Generator::uniform() { return static_cast<float>(next() & 0xffffffu) * 0x1p-24f; }

double Generator::uniform_double() {
    const std::uint64_t high = next();
    const std::uint64_t both = (high << 32) | next();
    return static_cast<double>(both & ((std::uint64_t{1} << 53) - 1)) * 0x1p-53;
}

double Generator::normal_double() {
    if (kept_normal_) {
        const double kept = *kept_normal_;
        kept_normal_.reset();
        return kept;
    }
    const double theta = kTwoPi * uniform_double();
    const double radius = std::sqrt(-2.0 * std::log1p(-uniform_double()));
    kept_normal_ = radius * std::sin(theta);
    return radius * std::cos(theta);
}

std::vector<float> rand(Generator& generator, std::size_t n) { return rand_between(generator, n, 0.0f, 1.0f); }

std::vector<float> rand_between(Generator& generator, std::size_t n, float low, float high) {
    std::vector<float> numbers(n);
    // PyTorch's kernel fuses product and sum into one rounding. In double both are exact (48 bits at most),
    // so that rounding the sum to float is that one rounding, on every platform.
    const double width = static_cast<double>(high - low);
    for (float& number : numbers) {
        number = static_cast<float>(static_cast<double>(generator.uniform()) * width + static_cast<double>(low));
    }
    return numbers;
}

std::vector<float> randn(Generator& generator, std::size_t n) {
    std::vector<float> numbers(n);
    if (n < kBlock) {
        for (float& number : numbers) number = static_cast<float>(generator.normal_double());
        return numbers;
    }
    for (std::size_t begin = 0; begin + kBlock <= n; begin += kBlock) {
        const NormalBlock block = normal_block(generator);
        std::copy(block.begin(), block.end(), numbers.begin() + static_cast<std::ptrdiff_t>(begin));
    }
    if (n % kBlock == 0) return numbers;
    // PyTorch first fills the whole tensor with uniform numbers, the incomplete block too: they are drawn and
    // lost.
    generator.skip(n % kBlock);
    const NormalBlock tail = normal_block(generator);
    std::copy(tail.begin(), tail.end(), numbers.end() - static_cast<std::ptrdiff_t>(kBlock));
    return numbers;
}

std::vector<float> randn_rows(Generator& generator, int n_rows, int n_cols, std::span<const int> rows) {
    assert(n_rows > 0 && n_cols > 0);
    const std::size_t width = static_cast<std::size_t>(n_cols);
    const std::size_t n = static_cast<std::size_t>(n_rows) * width;
    std::map<std::size_t, NormalBlock> blocks; // by block_begin, in the order of drawing
    std::vector<float> small_table;
    if (n < kBlock) small_table = randn(generator, n);

    std::uint64_t n_drawn = 0;
    if (n >= kBlock) {
        for (int row : rows) {
            assert(row >= 0 && row < n_rows);
            const std::size_t first = static_cast<std::size_t>(row) * width;
            for (std::size_t i = first; i < first + width; ++i) blocks[block_begin(i, n)] = {};
        }
        for (auto& [begin, block] : blocks) {
            const bool is_tail = begin % kBlock != 0;
            const std::uint64_t position = is_tail ? n : begin; // the tail is drawn after all the others
            generator.skip(position - n_drawn);
            block = normal_block(generator);
            n_drawn = position + kBlock;
        }
        generator.skip(randn_draws(n) - n_drawn);
    }

    std::vector<float> picked;
    picked.reserve(rows.size() * width);
    for (int row : rows) {
        const std::size_t first = static_cast<std::size_t>(row) * width;
        for (std::size_t i = first; i < first + width; ++i) {
            const std::size_t begin = block_begin(i, n);
            picked.push_back(n < kBlock ? small_table[i] : blocks[begin][i - begin]);
        }
    }
    return picked;
}

std::uint64_t randn_draws(std::uint64_t n) {
    if (n < kBlock) return (n + 1) / 2 * 4;
    return n % kBlock == 0 ? n : n + kBlock;
}

} // namespace lab
