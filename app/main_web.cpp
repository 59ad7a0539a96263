// The page's program: a window that draws when web/lab.js says so. Everything marked WEB_EXPORT is called from there.
#include <memory>
#include <string>
#include <string_view>

#include <SDL.h>
#include <emscripten.h>
#include <emscripten/html5.h>
#include <imgui.h>
#include <imgui_impl_opengl3.h>
#include <imgui_internal.h>

#include "app/app.h"
#include "app/app_loop.h"
#include "app/platform_web.h"
#include "app/web_page.h"
#include "app/widgets/text.h"
#include "engine/kernels/relaxed_kernels.h"

#define WEB_EXPORT extern "C" EMSCRIPTEN_KEEPALIVE

EM_JS(void, host_write_clipboard, (const char* text), { Module.host.writeClipboard(UTF8ToString(text)); });
EM_JS(void, host_keep_canvas_size, (bool is_kept), { Module.host.keepCanvasSize(is_kept); });

namespace lab {
namespace {

// The one page there is. Made from top to bottom, since each part refers to those above it.
struct Page {
    Page(int n_threads, int width_pt, int height_pt) : threads(n_threads), window(width_pt, height_pt, 0) {}

    ThreadPool threads;
    WebPlatform platform;
    AppWindow window;
    std::unique_ptr<App> app;
    std::unique_ptr<AppLoop> loop;
    SurfaceSize surface;
    std::string clipboard;
};
std::unique_ptr<Page> page;

// The system's clipboard is out of C++'s reach: lab.js fills ours before a paste and reads it after a copy.
const char* read_clipboard(ImGuiContext*) { return page->clipboard.c_str(); }
void write_clipboard(ImGuiContext*, const char* text) {
    page->clipboard = text;
    host_write_clipboard(text);
}

// Canvas, SDL's window and Dear ImGui change their sizes together, or the mouse and the picture come apart.
void resize(const SurfaceSize& surface) {
    if (page->surface == surface) return;
    page->surface = surface;
    host_keep_canvas_size(true);
    SDL_SetWindowSize(page->window.sdl(), int(surface.width_pt + 0.5f), int(surface.height_pt + 0.5f));
    host_keep_canvas_size(false);
    emscripten_set_canvas_element_size("#canvas", surface.width_px, surface.height_px);
}

void press_and_release(ImGuiKey key) {
    ImGui::GetIO().AddKeyEvent(key, true);
    ImGui::GetIO().AddKeyEvent(key, false);
}

void press_shortcut(ImGuiKey key) {
    ImGuiIO& io = ImGui::GetIO();
    const ImGuiKey modifier = io.ConfigMacOSXBehaviors ? ImGuiMod_Super : ImGuiMod_Ctrl;
    const bool was_held = io.KeyCtrl;
    io.AddKeyEvent(modifier, true);
    press_and_release(key);
    if (!was_held) io.AddKeyEvent(modifier, false);
}

} // namespace

App& page_app() { return *page->app; }
ThreadPool& page_threads() { return page->threads; }
void ask_page_for_frames() { page->loop->ask_for_frames(); }

} // namespace lab

using lab::page;

// False where there is no WebGL 2. The program that is built without threads has one, whatever is asked for. The canvas is as large
// as it will be: a context whose canvas changes its size waits for the graphics processor.
WEB_EXPORT bool lab_start(bool is_mac, int n_threads, int width_pt, int height_pt) {
    lab::relaxed_kernels(); // this thread decides whether there are any
    host_keep_canvas_size(true);
    page = std::make_unique<lab::Page>(n_threads, width_pt, height_pt);
    host_keep_canvas_size(false);
    if (!page->window.is_open()) return false;
    ImGui::GetIO().ConfigMacOSXBehaviors = is_mac;
    ImGuiPlatformIO& platform_io = ImGui::GetPlatformIO();
    platform_io.Platform_GetClipboardTextFn = lab::read_clipboard;
    platform_io.Platform_SetClipboardTextFn = lab::write_clipboard;
    page->app = std::make_unique<lab::App>(page->platform, &page->threads);
    page->loop = std::make_unique<lab::AppLoop>(page->window, *page->app, page->platform);
    return true;
}

// Draws a frame of this size; true if another should follow.
WEB_EXPORT bool lab_frame(float width_pt, float height_pt, int width_px, int height_px) {
    const lab::SurfaceSize surface{width_pt, height_pt, width_px, height_px};
    lab::resize(surface);
    return page->loop->frame(surface);
}

// What is to be done between frames; and some of it, true if there is more.
WEB_EXPORT bool lab_has_work() { return page->app->has_work(); }
WEB_EXPORT bool lab_work() { return page->loop->work(); }

WEB_EXPORT void lab_ask_for_frames() { page->loop->ask_for_frames(); }
WEB_EXPORT int lab_n_frames() { return int(page->loop->n_frames()); }
WEB_EXPORT void lab_prepare_graphics() { page->platform.prepare_graphics(); }
WEB_EXPORT void lab_forget_graphics() {
    page->platform.forget_graphics();
    ImGui_ImplOpenGL3_DestroyDeviceObjects();
}
WEB_EXPORT double lab_frame_us() { return page->loop->last_frame_us(); }

WEB_EXPORT void lab_open(const char* name, int n_together, const char* bytes, int size) {
    page->app->open_file({name, n_together}, std::string(bytes, size_t(size)));
}
WEB_EXPORT void lab_show_unread(const char* name, int n_together, const char* sentence) {
    page->app->show_unread({name, n_together}, sentence);
}

WEB_EXPORT bool lab_has_unsaved_changes() { return page->app->lab().has_unsaved_changes(); }

WEB_EXPORT bool lab_is_in_file_dialog_area(float x, float y) {
    const lab::ScreenArea area = page->platform.file_dialog_area();
    return x >= area.left && x < area.right && y >= area.top && y < area.bottom;
}

// While a button is held outside of the canvas, where SDL hears nothing of the mouse.
WEB_EXPORT void lab_move_mouse(float x, float y) {
    page->loop->poll_events(); // what came before
    ImGui::GetIO().AddMousePosEvent(x, y);
}

WEB_EXPORT void lab_pinch(float center_x, float center_y, float scale) {
    page->loop->pinch({center_x, center_y, 0, 0, scale});
}

// --- Typing and clipboard -----------------------------------------------------------------------------------------

WEB_EXPORT bool lab_wants_text() { return page->app->wants_text(); }
WEB_EXPORT void lab_type_text(const char* text) {
    page->loop->poll_events();
    ImGui::GetIO().AddInputCharactersUTF8(lab::on_one_line(text).c_str()); // a screen keyboard's paste has tabs
}

// Keys by their DOM names, for keyboards that send no key codes.
WEB_EXPORT void lab_press_key(const char* name) {
    const std::string_view key = name;
    page->loop->poll_events();
    if (key == "Backspace") lab::press_and_release(ImGuiKey_Backspace);
    if (key == "Enter") lab::press_and_release(ImGuiKey_Enter);
    if (key == "Tab") lab::press_and_release(ImGuiKey_Tab);
    if (key == "Escape") lab::press_and_release(ImGuiKey_Escape);
    if (key == "copy") lab::press_shortcut(ImGuiKey_C);
    if (key == "cut") lab::press_shortcut(ImGuiKey_X);
    if (key == "paste") lab::press_shortcut(ImGuiKey_V);
}

WEB_EXPORT void lab_set_clipboard(const char* text) { page->clipboard = text; }

int main() { return 0; }
