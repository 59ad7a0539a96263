#include <algorithm>
#include <cstdio>
#include <iostream>
#include <string>

#include <SDL.h>

#include "app/app.h"
#include "app/app_loop.h"
#include "app/command_line/command_line.h"
#include "app/platform_native.h"

namespace lab {
namespace {

// Sizes are remembered as "1280x800".
void restore_size(Platform& platform, int& width, int& height) {
    int stored_width = 0, stored_height = 0;
    const std::string size = platform.load_preference("window");
    if (std::sscanf(size.c_str(), "%dx%d", &stored_width, &stored_height) != 2) return;
    width = std::clamp(stored_width, 320, 16384);
    height = std::clamp(stored_height, 240, 16384);
}

void remember_size(Platform& platform, SDL_Window* window) {
    int width = 0, height = 0;
    if (SDL_GetWindowFlags(window) & (SDL_WINDOW_MAXIMIZED | SDL_WINDOW_FULLSCREEN)) return;
    SDL_GetWindowSize(window, &width, &height);
    platform.store_preference("window", std::to_string(width) + "x" + std::to_string(height));
}

int run_window(const WindowSession& session) {
    NativePlatform platform;
    int width = 1280, height = 800;
    restore_size(platform, width, height);
    AppWindow window(width, height, SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI);
    if (!window.is_open()) {
        std::fprintf(stderr, "attention-lab: cannot open a window with OpenGL 3.3: %s\n", SDL_GetError());
        return 1;
    }
    SDL_GL_SetSwapInterval(1);
    platform.set_window(window.sdl());
    ThreadPool threads(ThreadPool::sensible_n_threads());
    App app(platform, &threads);
    AppLoop loop(window, app, platform);
    if (!session.preset.empty())
        app.open_preset(session.preset);
    else if (!session.text.empty())
        app.open_bytes(session.text);
    // Between frames runs only what did not fit into them, and no longer than until the next; else the program sleeps until
    // there is an event.
    constexpr Uint32 kBetweenFrames_ms = 16;
    while (!loop.is_closing()) {
        const bool wants_frame = loop.frame(measure_surface(window.sdl()));
        const Uint32 drawn_ms = SDL_GetTicks();
        while (SDL_GetTicks() - drawn_ms < kBetweenFrames_ms && !SDL_PollEvent(nullptr) && loop.work()) {
        }
        if (!wants_frame && !loop.is_closing()) SDL_WaitEvent(nullptr);
    }
    remember_size(platform, window.sdl());
    return 0;
}

} // namespace
} // namespace lab

int main(int argc, char** argv) {
    return lab::run_program({argv + 1, argv + argc}, {std::cin, std::cout, std::cerr}, lab::run_window);
}
