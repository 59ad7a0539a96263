#include <cstdlib>

#include <emscripten.h>

#include "app/platform_web.h"

// Fills eight numbers (found, advance, left, top, width, height, colored, address of the pixels) and leaves the pixels in
// memory of malloc's. The browser's own 2D canvas knows every script, without a download.
// clang-format off
EM_JS(void, host_rasterize_glyph, (unsigned codepoint, float size_px, double* numbers), {
    const glyph = Module.host.rasterizeGlyph(String.fromCodePoint(codepoint), size_px);
    let pixels = 0;
    if (glyph && glyph.rgba.length) {
        pixels = _malloc(glyph.rgba.length);
        HEAPU8.set(glyph.rgba, pixels);
    }
    HEAPF64.set(glyph ? [1, glyph.advance, glyph.left, glyph.top, glyph.width, glyph.height, glyph.colored, pixels]
                      : [0, 0, 0, 0, 0, 0, 0, 0], numbers >> 3);
});
// clang-format on

namespace lab {

bool WebPlatform::rasterize_glyph(uint32_t codepoint, float size_px, GlyphBitmap& glyph) {
    double numbers[8];
    host_rasterize_glyph(codepoint, size_px, numbers);
    if (numbers[0] == 0) return false;
    glyph.advance_px = float(numbers[1]);
    glyph.left_px = int(numbers[2]);
    glyph.top_px = int(numbers[3]);
    glyph.width_px = int(numbers[4]);
    glyph.height_px = int(numbers[5]);
    glyph.colored = numbers[6] != 0;
    auto* pixels = reinterpret_cast<uint8_t*>(uintptr_t(numbers[7]));
    if (pixels) glyph.rgba.assign(pixels, pixels + 4 * size_t(glyph.width_px) * size_t(glyph.height_px));
    std::free(pixels);
    return true;
}

} // namespace lab
