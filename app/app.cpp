#include "app/app.h"

#include <imgui.h>
#include <imgui_stdlib.h>

namespace lab {

App::App(Platform& platform) : platform_(platform), fonts_(load_fonts(platform)) { ImGui::StyleColorsDark(); }

void App::refresh_trace() { lab_.refresh(); }
bool App::apply_commands() { return false; }
bool App::wants_frame() const { return false; }
void App::pinch(const PinchGesture&) {}

void App::open_bytes(const std::string& name, const std::string& bytes) {
    const Result<Done> opened = lab_.open_text(bytes);
    message_ = opened ? name : opened.error();
}

void App::show_error(const std::string& sentence) { message_ = sentence; }

void App::draw() {
    const ImVec2 size_pt = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(size_pt);
    ImGui::Begin("Attention Lab", nullptr, ImGuiWindowFlags_NoDecoration);
    ImGui::TextUnformatted("Attention Lab  √d_k · keysᵀ  journey 旅 é 🙂 −0.5");
    ImGui::InputText("text", &message_);
    ImGui::End();
}

} // namespace lab
