#include "app/widgets/value_texture.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <imgui_internal.h>

namespace lab {

std::uint32_t texel_of(float value) {
    constexpr std::uint32_t kNoNumber = 0x7fc00000;
    if (std::isnan(value)) return kNoNumber;
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

// The last frame's list of textures, too: the backend walks it when it shuts down.
RetiredTextures::~RetiredTextures() {
    if (ImGui::GetCurrentContext() == nullptr) return;
    for (auto& texture : textures_) {
        if (texture->RefCount > 0) ImGui::UnregisterUserTexture(texture.get());
        ImGui::GetPlatformIO().Textures.find_erase(texture.get());
    }
}

void RetiredTextures::add(std::unique_ptr<ImTextureData> texture) {
    const bool is_uploaded = texture->Status == ImTextureStatus_OK || texture->Status == ImTextureStatus_WantUpdates;
    texture->UnusedFrames = 1; // the backend destroys only what it is told has not been used
    texture->SetStatus(is_uploaded ? ImTextureStatus_WantDestroy : ImTextureStatus_Destroyed);
    textures_.push_back(std::move(texture));
}

void RetiredTextures::bury() {
    std::erase_if(textures_, [](const auto& texture) {
        if (texture->Status != ImTextureStatus_Destroyed) return false;
        ImGui::UnregisterUserTexture(texture.get());
        return true;
    });
}

ValueTexture::ValueTexture(int n_rows, int n_cols, RetiredTextures& retired)
    : texture_(std::make_unique<ImTextureData>()), retired_(retired) {
    texture_->Create(ImTextureFormat_RGBA32, n_cols, n_rows);
    auto* texels = reinterpret_cast<std::uint32_t*>(texture_->GetPixels());
    std::fill_n(texels, static_cast<std::size_t>(n_rows) * static_cast<std::size_t>(n_cols), kMissingTexel);
    texture_->SetStatus(ImTextureStatus_WantCreate);
    ImGui::RegisterUserTexture(texture_.get());
}

ValueTexture::~ValueTexture() { retired_.add(std::move(texture_)); }

std::vector<RowSpan> ValueTexture::write(const Box& box, const float* values) {
    std::vector<RowSpan> spans;
    spans.reserve(static_cast<std::size_t>(box.n_rows));
    for (int row = box.row; row < box.row + box.n_rows; ++row, values += box.n_cols) {
        auto* const texels = reinterpret_cast<std::uint32_t*>(texture_->GetPixelsAt(box.col, row));
        spans.push_back(row_span(values, box.n_cols));
        if (spans.back().has_nan)
            std::transform(values, values + box.n_cols, texels, texel_of);
        else
            std::memcpy(texels, values, static_cast<std::size_t>(box.n_cols) * sizeof *values);
    }
    upload(box);
    return spans;
}

// Rows that follow one another go together. What is yet to be created is uploaded whole.
void ValueTexture::upload(const Box& box) {
    if (texture_->Status == ImTextureStatus_OK) texture_->Updates.resize(0);
    if (texture_->Status != ImTextureStatus_OK && texture_->Status != ImTextureStatus_WantUpdates) return;
    ImVector<ImTextureRect>& updates = texture_->Updates;
    const auto x = static_cast<unsigned short>(box.col), y = static_cast<unsigned short>(box.row);
    const auto width = static_cast<unsigned short>(box.n_cols), height = static_cast<unsigned short>(box.n_rows);
    ImTextureRect* last = updates.empty() ? nullptr : &updates.back();
    if (last != nullptr && last->x == x && last->w == width && last->y + last->h == y)
        last->h = static_cast<unsigned short>(last->h + height);
    else
        updates.push_back({x, y, width, height});
    texture_->UpdateRect = {0, 0, static_cast<unsigned short>(n_cols()), static_cast<unsigned short>(n_rows())};
    texture_->SetStatus(ImTextureStatus_WantUpdates);
}

std::uint32_t ValueTexture::bits_at(int row, int col) const {
    return *reinterpret_cast<const std::uint32_t*>(texture_->GetPixelsAt(col, row));
}

void ValueTexture::read_row(int row, float* values) const {
    std::memcpy(values, texture_->GetPixelsAt(0, row), static_cast<std::size_t>(n_cols()) * sizeof *values);
}

ImTextureData& ValueTexture::to_draw() {
    if (texture_->Status == ImTextureStatus_Destroyed) texture_->SetStatus(ImTextureStatus_WantCreate);
    return *texture_;
}

} // namespace lab
