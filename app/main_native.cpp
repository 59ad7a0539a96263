#include <algorithm>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>

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

// SESSION is a file, "-" for standard input or "preset:NAME".
void open_session(App& app, Platform& platform, const std::string& session) {
    const std::string preset = "preset:";
    if (session.starts_with(preset)) return app.open_preset(session.substr(preset.size()));
    std::string bytes, error;
    if (session == "-")
        bytes.assign(std::istreambuf_iterator<char>(std::cin), {});
    else
        error = platform.read_file(session, bytes);
    error.empty() ? app.open_bytes(session, bytes) : app.show_error(error);
}

int run_window(const std::string& session) {
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
    App app(platform);
    AppLoop loop(window, app, platform);
    if (!session.empty()) open_session(app, platform, session);
    // Between frames nothing runs: the program sleeps until there is an event.
    while (!loop.is_closing())
        if (!loop.frame(measure_surface(window.sdl())) && !loop.is_closing()) SDL_WaitEvent(nullptr);
    remember_size(platform, window.sdl());
    return 0;
}

// Any other first word is a session to open in the window.
bool is_command(std::string_view word) {
    return word == "eval" || word == "presets" || word == "bench" || (word.size() > 1 && word[0] == '-');
}

} // namespace
} // namespace lab

int main(int argc, char** argv) {
    if (argc > 1 && lab::is_command(argv[1])) return lab::run_command_line(argc, argv);
    return lab::run_window(argc > 1 ? argv[1] : "");
}
