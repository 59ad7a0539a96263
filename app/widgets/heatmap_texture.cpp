#include "app/widgets/heatmap_texture.h"

#include <algorithm>
#include <cmath>

#include <imgui_internal.h>

namespace lab {

namespace {

Color no_number_color(float value, const Palette& palette) {
    return std::isnan(value) || value > 0 ? mix(palette.panel, palette.error, 0.45f) : hatch_color(palette);
}

} // namespace

Color cell_color(float value, const ColorScale& scale, const Palette& palette) {
    return std::isfinite(value) ? scale.at(value) : no_number_color(value, palette);
}

// Between the strokes a trace of them: where there are fewer pixels than cells, strokes may fall between pixels.
Color masked_texel(int row, int col, const Palette& palette) {
    constexpr int kPeriod = 3;
    const Color stroke = hatch_color(palette);
    return (row + col) % kPeriod == 0 ? stroke : mix(palette.background, stroke, 0.2f);
}

Color dimmed(Color cell, const Palette& palette) { return mix(cell, palette.background, kDimming); }

// The last frame's list of textures, too: the backend walks it when it shuts down.
HeatmapTexture::~HeatmapTexture() {
    if (ImGui::GetCurrentContext() == nullptr) return;
    retire();
    for (auto& texture : retired_) {
        if (texture->RefCount > 0) ImGui::UnregisterUserTexture(texture.get());
        ImGui::GetPlatformIO().Textures.find_erase(texture.get());
    }
}

void HeatmapTexture::retire() {
    if (texture_ == nullptr) return;
    const bool is_uploaded = texture_->Status == ImTextureStatus_OK || texture_->Status == ImTextureStatus_WantUpdates;
    texture_->UnusedFrames = 1; // the backend destroys only what it is told has not been used
    texture_->SetStatus(is_uploaded ? ImTextureStatus_WantDestroy : ImTextureStatus_Destroyed);
    retired_.push_back(std::move(texture_));
}

void HeatmapTexture::bury() {
    for (auto& texture : retired_) {
        if (texture->Status == ImTextureStatus_Destroyed) ImGui::UnregisterUserTexture(texture.get());
    }
    retired_.erase(std::remove_if(retired_.begin(), retired_.end(),
                                  [](const auto& texture) { return texture->Status == ImTextureStatus_Destroyed; }),
                   retired_.end());
}

void HeatmapTexture::release() { retire(); }

bool HeatmapTexture::is_gone() {
    bury();
    return texture_ == nullptr && retired_.empty();
}

void HeatmapTexture::set(const Key& key, const std::vector<float>& cells, const ColorScale& scale,
                         const Palette& palette) {
    bury();
    const bool fits = texture_ != nullptr && texture_->Width == key.n_cols && texture_->Height == key.n_rows;
    if (!fits) {
        retire();
        texture_ = std::make_unique<ImTextureData>();
        texture_->Create(ImTextureFormat_RGBA32, key.n_cols, key.n_rows);
        texture_->SetStatus(ImTextureStatus_WantCreate);
        ImGui::RegisterUserTexture(texture_.get());
    }
    key_ = key;
    auto* texels = reinterpret_cast<ImU32*>(texture_->GetPixels());
    const auto color = [&](std::size_t i) {
        if (std::isfinite(cells[i])) return scale.u32_at(cells[i]);
        const int place = static_cast<int>(i);
        const bool is_masked = !std::isnan(cells[i]) && cells[i] < 0;
        return (is_masked ? masked_texel(place / key.n_cols, place % key.n_cols, palette)
                          : no_number_color(cells[i], palette))
            .u32();
    };
    for (std::size_t i = 0; i < cells.size(); ++i) texels[i] = color(i);
    if (texture_->Status != ImTextureStatus_OK) return; // is uploaded whole when it is created
    const ImTextureRect all{0, 0, static_cast<unsigned short>(key.n_cols), static_cast<unsigned short>(key.n_rows)};
    texture_->UpdateRect = all;
    texture_->Updates.resize(0);
    texture_->Updates.push_back(all);
    texture_->SetStatus(ImTextureStatus_WantUpdates);
}

} // namespace lab
