#pragma once

namespace lab {

// OpenGL's dialect, which differs between the desktop (3.3) and the page (ES 3.0):
// platform_native_graphics.cpp, platform_web_graphics.cpp; the rest is the same for both.
struct GraphicsVersion {
    int profile; // one of SDL's
    int major;
    int minor;
};
extern const GraphicsVersion kGraphicsVersion;
extern const char* const kShaderVersion;

void choose_graphics_version(); // before the window is made

// Clears the whole surface to black, transparent nowhere.
void clear_surface(int width_px, int height_px);

} // namespace lab
