#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <imgui.h>

#include "app/widgets/color_scale.h"

namespace lab {

// A matrix as a picture with one texel per cell, kept on the graphics card and made anew only when its key changes.
// Dear ImGui's backend uploads it; without a backend nothing happens.
class HeatmapTexture {
  public:
    HeatmapTexture() = default;
    ~HeatmapTexture();
    HeatmapTexture(const HeatmapTexture&) = delete;
    HeatmapTexture& operator=(const HeatmapTexture&) = delete;

    // What the picture shows: equal keys, equal picture.
    struct Key {
        std::uint64_t revision = 0;
        int query = 0;
        int n_rows = 0;
        int n_cols = 0;
        bool is_dark = false;
        bool operator==(const Key&) const = default;
    };
    bool shows(const Key& key) const { return texture_ != nullptr && key_ == key; }

    // cells: key.n_rows × key.n_cols, row after row.
    void set(const Key& key, const std::vector<float>& cells, const ColorScale& scale, const Palette& palette);

    void mark_drawn() { drawn_in_frame_ = ImGui::GetFrameCount(); }
    bool is_drawn() const { return drawn_in_frame_ == ImGui::GetFrameCount(); } // in this frame

    // Gives the picture up. The graphics card lets go of it within the next frames; then all of it is gone.
    void release();
    bool is_gone();

    ImTextureData* texture() const { return texture_.get(); }

  private:
    void retire();
    void bury();

    Key key_;
    int drawn_in_frame_ = -1;
    std::unique_ptr<ImTextureData> texture_;
    std::vector<std::unique_ptr<ImTextureData>> retired_; // until the backend has let go of them
};

// The colour of any cell: a number by the scale; what is not a finite number by the palette, as no number is.
Color cell_color(float value, const ColorScale& scale, const Palette& palette);

// A masked cell in a picture: strokes that rise to the right, as those in larger cells do, here of one texel each.
Color masked_texel(int row, int col, const Palette& palette);

// A cell in a row of a query that is not chosen: so far towards the background.
constexpr float kDimming = 0.35f;
Color dimmed(Color cell, const Palette& palette);

} // namespace lab
