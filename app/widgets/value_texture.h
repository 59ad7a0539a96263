#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <imgui.h>

#include "engine/kernels/rows.h"

namespace lab {

// What a texel holds that has not been written yet: a NaN with bits of its own. Where it stands nothing is drawn.
constexpr std::uint32_t kMissingTexel = 0x7fc0dead;

// A float32 as the four bytes of a texel; every number that is none has the same bits.
std::uint32_t texel_of(float value);

// Textures that are in use no more, until the graphics card has let go of them.
class RetiredTextures {
  public:
    RetiredTextures() = default;
    ~RetiredTextures();
    RetiredTextures(const RetiredTextures&) = delete;
    RetiredTextures& operator=(const RetiredTextures&) = delete;

    void add(std::unique_ptr<ImTextureData> texture);
    void bury(); // those that are gone. Once a frame
    bool empty() const { return textures_.empty(); }

  private:
    std::vector<std::unique_ptr<ImTextureData>> textures_;
};

// Numbers as a texture, a float32 in each texel: what colours it (app/widgets/value_coloring.h) takes them apart. Dear ImGui's
// backend uploads what was written; without a backend nothing happens.
class ValueTexture {
  public:
    ValueTexture(int n_rows, int n_cols, RetiredTextures& retired); // of missing texels
    ~ValueTexture();
    ValueTexture(const ValueTexture&) = delete;
    ValueTexture& operator=(const ValueTexture&) = delete;

    int n_rows() const { return texture_->Height; }
    int n_cols() const { return texture_->Width; }
    std::size_t n_bytes() const { return 2 * static_cast<std::size_t>(texture_->GetSizeInBytes()); } // with the card's

    // Texels of rows from `row` and columns from `col` on, row after row.
    struct Box {
        int row = 0, col = 0, n_rows = 0, n_cols = 0;
    };
    // Returns what each of these rows spans.
    std::vector<RowSpan> write(const Box& box, const float* values);

    std::uint32_t bits_at(int row, int col) const;
    void read_row(int row, float* values) const; // missing ones are NaN
    ImTextureData& to_draw();                    // brings it back where the graphics card has lost it

  private:
    void upload(const Box& box);

    std::unique_ptr<ImTextureData> texture_;
    RetiredTextures& retired_;
};

} // namespace lab
