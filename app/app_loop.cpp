#include "app/app_loop.h"

#include <algorithm>

#include <imgui.h>
#include <imgui_impl_opengl3.h>
#include <imgui_impl_sdl2.h>
#include <imgui_internal.h>

#include "app/graphics.h"
#include "app/widgets/pixels.h"

namespace lab {

AppWindow::AppWindow(int width, int height, Uint32 flags) {
    // Fingers are ours (touch_input.h): SDL would turn every one of them into the mouse.
    SDL_SetHint(SDL_HINT_TOUCH_MOUSE_EVENTS, "0");
    SDL_SetHint(SDL_HINT_MOUSE_TOUCH_EVENTS, "0");
    if (SDL_Init(SDL_INIT_VIDEO) != 0) return;
    choose_graphics_version();
    window_ = SDL_CreateWindow("Attention Lab", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, width, height,
                               flags | SDL_WINDOW_OPENGL);
    if (!window_) return;
    context_ = SDL_GL_CreateContext(window_);
    if (!context_) return;
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    io.ConfigInputTextCursorBlink = false; // a blinking cursor would draw frames for ever
    io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    ImGui_ImplSDL2_InitForOpenGL(window_, context_);
    ImGui_ImplOpenGL3_Init(kShaderVersion);
    SDL_StartTextInput();
}

AppWindow::~AppWindow() {
    if (context_) {
        ImGui_ImplOpenGL3_Shutdown();
        ImGui_ImplSDL2_Shutdown();
        ImGui::DestroyContext();
        SDL_GL_DeleteContext(context_);
    }
    if (window_) SDL_DestroyWindow(window_);
    SDL_Quit();
}

namespace {

bool is_input_pending() { return !ImGui::GetCurrentContext()->InputEventsQueue.empty(); }

// Whether a button is held on what goes on by itself: a scrollbar goes page by page, a text's end is pulled into sight.
bool is_held_on(const ImGuiContext& context) {
    ImGuiWindow* window = context.ActiveIdWindow;
    if (!context.IO.MouseDown[0] || context.ActiveId == 0 || window == nullptr) return false;
    return context.ActiveId == context.InputTextState.ID ||
           context.ActiveId == ImGui::GetWindowScrollbarID(window, ImGuiAxis_X) ||
           context.ActiveId == ImGui::GetWindowScrollbarID(window, ImGuiAxis_Y);
}

} // namespace

bool AppLoop::frame(const SurfaceSize& surface) {
    constexpr double kMost_s = 0.02; // before it is drawn
    const double start_s = platform_.now_s();
    surface_ = surface;
    poll_events();
    lay_out_frame();
    // Dear ImGui takes a press, a letter and a release in frames of their own. Where the screen takes longer than somebody types or clicks
    // these are not shown one by one.
    double now_s = platform_.now_s(), last_s = now_s - start_s;
    while (is_input_pending() && now_s - start_s + last_s < kMost_s) {
        ImGui::EndFrame();
        if (app_.apply_commands()) ask_for_frames();
        lay_out_frame();
        last_s = platform_.now_s() - now_s;
        now_s += last_s;
    }
    render();
    last_frame_us_ = 1e6 * (platform_.now_s() - start_s);
    SDL_GL_SwapWindow(window_.sdl());
    ++n_frames_;
    n_frames_to_settle_ = std::max(n_frames_to_settle_ - 1, 0);
    if (app_.apply_commands()) ask_for_frames();
    return wants_next_frame();
}

bool AppLoop::work() {
    constexpr double kAtOnce_s = 0.006; // for so long input may wait
    app_.work(kAtOnce_s);
    return app_.has_work();
}

void AppLoop::poll_events() {
    SDL_Event event;
    while (SDL_PollEvent(&event)) handle(event);
    if (const auto gesture = touch_.take_pinch()) app_.pinch(*gesture);
}

void AppLoop::handle(const SDL_Event& event) {
    ask_for_frames();
    switch (event.type) {
    case SDL_QUIT: is_closing_ = true; break;
    case SDL_FINGERDOWN:
    case SDL_FINGERMOTION:
    case SDL_FINGERUP: touch_.handle(event.tfinger, surface_.width_pt, surface_.height_pt); break;
    case SDL_DROPFILE:
        dropped_.emplace_back(event.drop.file);
        SDL_free(event.drop.file);
        break;
    case SDL_DROPCOMPLETE:
        if (!dropped_.empty()) app_.open_path(dropped_.front(), static_cast<int>(dropped_.size()));
        dropped_.clear();
        break;
    case SDL_MOUSEBUTTONUP: {
        // Let go outside of a page it is of no window, and the backend would take it for another's.
        SDL_Event of_window = event;
        of_window.button.windowID = SDL_GetWindowID(window_.sdl());
        ImGui_ImplSDL2_ProcessEvent(&of_window);
        break;
    }
    default:
        if (event.type == SDL_MOUSEBUTTONDOWN) touch_.note_mouse();
        ImGui_ImplSDL2_ProcessEvent(&event);
    }
}

void AppLoop::pinch(const PinchGesture& gesture) {
    ask_for_frames();
    app_.pinch(gesture);
}

// The backend's own idea of size and time is overruled: it knows whole points and the pixel ratio of the start only.
void AppLoop::begin_frame() {
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplSDL2_NewFrame();
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {surface_.width_pt, surface_.height_pt};
    io.DisplayFramebufferScale = {float(surface_.width_px) / surface_.width_pt,
                                  float(surface_.height_px) / surface_.height_pt};
    // After a pause, time goes on as if there had been none: animations start where they are.
    const double now_s = platform_.now_s();
    io.DeltaTime = float(std::clamp(now_s - last_frame_s_, 0.001, 0.05));
    // For a double click it counts nevertheless.
    for (double& clicked_s : io.MouseClickedTime) clicked_s -= now_s - last_frame_s_ - double(io.DeltaTime);
    last_frame_s_ = now_s;
    // Edges are softened over one pixel of the screen, and curves have their corners closer than that.
    const float ratio = pixels_per_point();
    ImGui::GetStyle().CircleTessellationMaxError = 0.3f / ratio;
    ImGui::NewFrame();
    ImGui::GetDrawListSharedData()->InitialFringeScale = 1.0f / ratio;
}

void AppLoop::lay_out_frame() {
    begin_frame();
    app_.refresh_trace();
    app_.draw();
}

void AppLoop::render() {
    ImGui::Render();
    clear_surface(surface_.width_px, surface_.height_px);
    ImDrawData& frame = *ImGui::GetDrawData();
    joined_lists_.join(frame);
    ImGui_ImplOpenGL3_RenderDrawData(&frame);
    joined_lists_.part();
}

bool AppLoop::wants_next_frame() const {
    const ImGuiContext& context = *ImGui::GetCurrentContext();
    constexpr float kToLayOut_s = 0.15f; // a tooltip measures itself for some frames before it shows
    const float tooltip_shows_s = context.Style.HoverDelayNormal + kToLayOut_s;
    const bool tooltip_is_due = context.HoverItemDelayId != 0 && context.HoverItemDelayTimer < tooltip_shows_s;
    return n_frames_to_settle_ > 0 || is_input_pending() || is_held_on(context) || tooltip_is_due || app_.wants_frame();
}

} // namespace lab
