#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "app/app.h"
#include "engine/formats/presets.h"
#include "engine/formats/session.h"
#include "tests/views/canvas_support.h"
#include "tests/views/headless.h"

// Someone who presses everything. Under the debug preset every access is checked, too.
namespace lab {
namespace {

class Monkey {
  public:
    explicit Monkey(unsigned seed) : random_(seed) {
        const auto& all = presets();
        if (seed < all.size())
            app_.open_preset(all[seed].name);
        else
            app_.open_bytes(write_session(documents_of_heads()[seed - all.size()]));
    }

    static std::vector<Document> documents_of_heads() {
        return {test::document_of({.n_tokens = 5, .mask = MaskKind::causal, .n_heads = 4, .n_kv_heads = 2}),
                test::document_of({.n_tokens = 4, .d_in = 4, .n_heads = 2, .n_blocks = 2})};
    }

    void act() {
        static constexpr void (Monkey::*kDeeds[])() = {&Monkey::move,  &Monkey::move,    &Monkey::click, &Monkey::click,
                                                       &Monkey::press, &Monkey::release, &Monkey::wheel, &Monkey::key,
                                                       &Monkey::type,  &Monkey::resize,  &Monkey::pinch, &Monkey::wait};
        (this->*kDeeds[below(static_cast<int>(std::size(kDeeds)))])();
        frame();
    }

    const Lab& lab() { return app_.lab(); }

  private:
    int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
    bool happens(int percent) { return below(100) < percent; }

    // Anywhere, most often where a cell stands.
    ImVec2 place() {
        const ImVec2 size = ImGui::GetIO().DisplaySize;
        const auto& nodes = lab().program().nodes;
        const Node& node = nodes[static_cast<std::size_t>(below(static_cast<int>(nodes.size())))];
        const auto area =
            app_.cell_area({node.name, {below(node.shape.planes), below(node.shape.rows), below(node.shape.cols)}});
        if (area && happens(60)) return area->center();
        return {static_cast<float>(below(static_cast<int>(size.x) + 20)) - 10,
                static_cast<float>(below(static_cast<int>(size.y) + 20)) - 10};
    }

    void frame() {
        app_.refresh_trace();
        imgui_.frame([&] { app_.draw(); });
        app_.apply_commands();
    }

    void move() {
        const ImVec2 to = place();
        ImGui::GetIO().AddMousePosEvent(to.x, to.y);
    }
    void press() {
        move();
        ImGui::GetIO().AddMouseButtonEvent(happens(90) ? 0 : 2, true);
    }
    void release() {
        for (const int button : {0, 2}) ImGui::GetIO().AddMouseButtonEvent(button, false);
    }
    void click() {
        press();
        frame();
        release();
    }
    void wheel() {
        ImGui::GetIO().AddMouseWheelEvent(static_cast<float>(below(3) - 1), static_cast<float>(below(9) - 4));
    }
    void wait() {
        for (int i = below(30); i > 0; --i) frame();
    }

    void key() {
        static constexpr ImGuiKey kKeys[] = {
            ImGuiKey_Enter,     ImGuiKey_Tab,        ImGuiKey_Escape, ImGuiKey_UpArrow, ImGuiKey_DownArrow,
            ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_Delete, ImGuiKey_F2,      ImGuiKey_Backspace,
            ImGuiKey_Q,         ImGuiKey_F,          ImGuiKey_T,      ImGuiKey_Z,       ImGuiKey_Y,
            ImGuiKey_N,         ImGuiKey_A,          ImGuiKey_V,      ImGuiKey_C,       ImGuiKey_S,
            ImGuiKey_H,         ImGuiKey_G,          ImGuiKey_PageUp, ImGuiKey_PageDown};
        static constexpr ImGuiKey kModifiers[] = {ImGuiMod_Ctrl, ImGuiMod_Shift, ImGuiMod_Alt};
        const ImGuiKey pressed = kKeys[below(static_cast<int>(std::size(kKeys)))];
        const ImGuiKey modifier = kModifiers[below(3)];
        const bool modifies = happens(40);
        ImGuiIO& io = ImGui::GetIO();
        for (const bool down : {true, false}) {
            if (modifies) io.AddKeyEvent(modifier, down);
            io.AddKeyEvent(pressed, down);
            frame();
        }
    }

    void type() {
        static constexpr const char* kTexts[] = {"1",    "-2.5", "0,3", "1e39", "−7", "x", "[", "]", "?",
                                                 "🙂", "中文", "nan", "9e37", "",   " ", "5", "Q", "\xff\xfe"};
        ImGui::GetIO().AddInputCharactersUTF8(kTexts[below(static_cast<int>(std::size(kTexts)))]);
    }

    void resize() {
        static constexpr ImVec2 kSizes[] = {{1280, 800}, {1280, 800}, {390, 844}, {844, 390},
                                            {701, 300},  {320, 480},  {200, 120}};
        ImGui::GetIO().DisplaySize = kSizes[below(static_cast<int>(std::size(kSizes)))];
    }

    void pinch() {
        const ImVec2 center = place();
        app_.pinch({.center_x = center.x,
                    .center_y = center.y,
                    .dx = static_cast<float>(below(41) - 20),
                    .dy = static_cast<float>(below(41) - 20),
                    .scale = 0.5f + 0.01f * static_cast<float>(below(150))});
    }

    std::mt19937 random_;
    FakePlatform platform_;
    HeadlessImGui imgui_{platform_};
    App app_{platform_};
};

TEST(Monkey, PressesEverythingAndTheDocumentStaysWhole) {
    constexpr int kDeeds = 3000;
    const std::size_t n_documents = presets().size() + Monkey::documents_of_heads().size();
    const int n_each = kDeeds / static_cast<int>(n_documents);
    for (unsigned seed = 0; seed < n_documents; ++seed) {
        Monkey monkey(seed);
        for (int i = 0; i < n_each; ++i) {
            SCOPED_TRACE("seed " + std::to_string(seed) + ", deed " + std::to_string(i));
            monkey.act();
            const Result<Done> whole = check_document(monkey.lab().document());
            ASSERT_TRUE(whole.has_value()) << whole.error();
        }
        const Result<SessionFile> again = read_session(monkey.lab().session_text());
        ASSERT_TRUE(again.has_value()) << again.error();
        EXPECT_TRUE(bit_equal(again->document, monkey.lab().document())) << "seed " << seed;
    }
}

} // namespace
} // namespace lab
