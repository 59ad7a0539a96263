#pragma once

#include <string>
#include <vector>

#include <SDL.h>
#include <imgui.h>

#include "app/app.h"
#include "app/joined_draw_list.h"
#include "app/touch_input.h"

namespace lab {

// The window's drawing surface.
struct SurfaceSize {
    float width_pt = 0, height_pt = 0; // as Dear ImGui counts
    int width_px = 0, height_px = 0;

    bool operator==(const SurfaceSize&) const = default;
};

// SDL's window with a WebGL 2 or OpenGL 3 context, and Dear ImGui's context on it; the same natively and in the page.
class AppWindow {
  public:
    // Null window: SDL says why (SDL_GetError).
    AppWindow(int width, int height, Uint32 flags);
    ~AppWindow();
    AppWindow(const AppWindow&) = delete;
    AppWindow& operator=(const AppWindow&) = delete;

    SDL_Window* sdl() const { return window_; }
    bool is_open() const { return context_ != nullptr; }

  private:
    SDL_Window* window_ = nullptr;
    SDL_GLContext context_ = nullptr;
};

// Draws frames, one per call. Nothing is drawn between calls, so that an idle window costs nothing.
class AppLoop {
  public:
    AppLoop(AppWindow& window, App& app, Platform& platform) : window_(window), app_(app), platform_(platform) {}

    // One frame; true if another should follow at once, because input is pending or something moves.
    bool frame(const SurfaceSize& surface);

    // Takes what SDL has gathered: before input that comes another way, or the order would turn round.
    void poll_events();
    void pinch(const PinchGesture& gesture);
    // Between frames: some milliseconds' worth of what did not fit into them. True if there is more.
    bool work();
    void ask_for_frames() { n_frames_to_settle_ = kFramesToSettle; }

    long n_frames() const { return n_frames_; }
    // Time spent in the last frame that was drawn, without waiting for the screen.
    double last_frame_us() const { return last_frame_us_; }
    bool is_closing() const { return is_closing_; }

  private:
    // Dear ImGui lays out by the sizes of the frame before, and opens a popup a frame after the click.
    static constexpr int kFramesToSettle = 3;

    void handle(const SDL_Event& event);
    void begin_frame();
    void lay_out_frame();
    void render();
    bool wants_next_frame() const;

    AppWindow& window_;
    App& app_;
    Platform& platform_;
    TouchInput touch_;
    std::vector<std::string> dropped_; // paths, until it is known that there are no more
    SurfaceSize surface_;
    JoinedDrawLists joined_lists_;
    double last_frame_s_ = 0;
    double last_frame_us_ = 0;
    long n_frames_ = 0;
    int n_frames_to_settle_ = kFramesToSettle;
    bool is_closing_ = false;
};

} // namespace lab
