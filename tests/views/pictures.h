#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "app/views/matrix_picture.h"
#include "tests/views/canvas_support.h"

namespace lab::test {

// What a texture holds as the bits of a number.
inline float value_of(std::uint32_t bits) {
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

class Pictures : public ::testing::Test {
  protected:
    void open(int n, int d, MaskKind mask = MaskKind::none) {
        canvas.open(document_of({.n_tokens = n, .d_in = d, .d_k = d, .d_v = d, .mask = mask}));
        views.frame(2);
    }

    TiledPicture& picture(const std::string& name) {
        TiledPicture* found = views.ui.pictures.find(name);
        EXPECT_NE(found, nullptr) << name;
        return *found;
    }
    PictureTile* tile(const std::string& name, int row = 0, int col = 0) {
        return picture(name).find({picture(name).level, row, col});
    }
    float texel(const std::string& name, int row, int col) { return value_of(tile(name)->texture.bits_at(row, col)); }
    bool is_all_there() {
        for (const char* name : {"attention_weights", "attention_scores", "queries"}) {
            for (const auto& [place, each] : picture(name).tiles()) {
                if (each->used_in_frame == ImGui::GetFrameCount() && !each->is_fresh()) return false;
            }
        }
        return true;
    }
    int node(const std::string& name) { return views.lab.program().find(name); }
    Extent span(const std::string& name) {
        const PictureSpan* found = views.ui.pictures.span(name);
        EXPECT_NE(found, nullptr) << name;
        return found == nullptr ? Extent{} : found->extent.extent();
    }
    // All texels of the level that is drawn.
    std::vector<float> texels(const std::string& name) {
        std::vector<float> all;
        for (const auto& [place, each] : picture(name).tiles()) {
            if (place.level != picture(name).level) continue;
            for (int row = 0; row < each->texture.n_rows(); ++row) {
                for (int col = 0; col < each->texture.n_cols(); ++col)
                    all.push_back(value_of(each->texture.bits_at(row, col)));
            }
        }
        return all;
    }
    void expect_span_of_texels(const std::string& name) {
        ExtentSum extent;
        for (const float texel : texels(name)) extent.add_finite(&texel, 1);
        EXPECT_EQ(span(name), extent.extent()) << name;
    }
    // Where a cell takes so many points of the screen.
    std::optional<ColorScale> colors_of(const std::string& name, float pitch) {
        const Fonts fonts;
        const Theme theme{kDarkPalette, fonts};
        ViewContext context = canvas.context(theme);
        const MatrixView view{.node = node(name), .pitch = {pitch, pitch}};
        return shown_scale(matrix_frame(context, view), {0, 0, 800, 800});
    }
    void multiply_queries(float factor) {
        const Tensor& before = views.lab.document().tensors.at("W_query");
        SetCells edit{"W_query", {0, 0, 0}, {}};
        for (int row = 0; row < before.shape().rows; ++row) {
            std::vector<float>& cells = edit.rows.emplace_back();
            for (int col = 0; col < before.shape().cols; ++col) cells.push_back(factor * before.at({0, row, col}));
        }
        ASSERT_TRUE(views.lab.perform(edit).has_value());
    }
    // The greatest of a square of cells, as read one by one.
    float greatest(const std::string& name, Range rows, Range cols) {
        float result = -INFINITY;
        for (int row = rows.begin; row < rows.end; ++row) {
            for (int col = cols.begin; col < cols.end; ++col)
                result = std::max(result, canvas.value({name, {0, row, col}}));
        }
        return result;
    }
    void zoom_into(const TensorCell& cell, int n_notches) {
        for (int i = 0; i < n_notches; ++i) views.wheel(canvas.middle_of(cell), 1);
    }

    Canvas canvas;
    HeadlessViews& views = canvas.views;
};

} // namespace lab::test
