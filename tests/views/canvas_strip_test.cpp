#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <map>

#include "app/session/sections.h"
#include "app/views/canvas_strip.h"
#include "app/views/canvas_strip_parts.h"
#include "app/views/gradient_choice.h"
#include "engine/formats/presets.h"
#include "tests/views/canvas_support.h"

// The strip above the canvas: no control of it stands on another, however many there are.
namespace lab {
namespace {

// Of canvases in windows from 900 points, with and without the panels beside them.
constexpr float kWidths[] = {432, 602, 703, 812, 1132, 1452};

class CanvasStrip : public testing::Test {
  protected:
    std::vector<StripPart> parts;
    float width = 812, height = 0;
    bool draws = false;
    HeadlessViews views{[this](ViewContext& context) {
                            parts = strip_parts(context, {0, 0}, width);
                            height = canvas_strip_height(context, width);
                            if (draws && height > 0) draw_canvas_strip(context, {0, 0, width, height});
                        },
                        {1500, 300}};

    void open(const std::string& preset) { views.open_preset(preset); }

    void take_gradient() {
        const TensorCell pinned = *views.selection.pinned();
        ASSERT_TRUE(views.lab.perform(SetGradient{cell_target(views.lab.program(), pinned)}).has_value());
        views.lab.refresh();
        views.selection.shows_gradient = true;
    }

    void check_parts() {
        views.frame();
        const Rect strip{0, 0, width, height};
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const Rect& area = parts[i].area;
            EXPECT_TRUE(strip.contains(area.min()) && strip.contains({area.right - 1, area.bottom - 1}));
            EXPECT_GE(area.width(), parts[i].least - 0.01f);
            for (std::size_t k = 0; k < i; ++k)
                EXPECT_FALSE(area.overlaps(parts[k].area))
                    << static_cast<int>(parts[k].item) << " and " << static_cast<int>(parts[i].item);
        }
    }

    void check_all_ways() {
        for (const bool paints : {false, true}) {
            for (const bool has_grid : {false, true}) {
                views.ui.paints_mask = paints;
                views.ui.head_grid.is_open = has_grid;
                for (const float each : kWidths) {
                    width = each;
                    SCOPED_TRACE(std::to_string(width) + (paints ? ", mask" : "") + (has_grid ? ", grid" : ""));
                    check_parts();
                }
            }
        }
    }

    // How wide each control is under the mouse along the middle of a part.
    std::map<ImGuiID, float> widths_in(const StripPart& part) {
        std::map<ImGuiID, float> found;
        for (float x = part.area.left + 0.5f; x < part.area.right; ++x) {
            views.move_to({x, part.area.center().y});
            if (ImGui::GetCurrentContext()->HoveredId != 0) ++found[ImGui::GetCurrentContext()->HoveredId];
        }
        return found;
    }
};

TEST_F(CanvasStrip, NoControlsOverlapInAnyPreset) {
    for (const PresetInfo& preset : presets()) {
        for (const bool has_gradient : {false, true}) {
            open(preset.name);
            if (has_gradient && views.selection.pinned() != nullptr) take_gradient();
            for (int section = 0; section < n_sections(views.lab.program()); ++section) {
                views.selection.section = section;
                SCOPED_TRACE(preset.name + (has_gradient ? ", gradient, " : ", ") + std::to_string(section));
                check_all_ways();
            }
        }
    }
}

// Drawn, each control can be pressed over all of its part and within no other.
TEST_F(CanvasStrip, EveryControlCanBePressedOverItsWholeWidth) {
    draws = true;
    open("llama-block");
    take_gradient();
    views.ui.head_grid.is_open = true;
    for (const float each : {432.0f, 602.0f, 812.0f}) {
        SCOPED_TRACE(each);
        width = each;
        views.frame(2);
        ASSERT_EQ(parts.size(), 4u) << "sections, gradient, heads, grid";
        const std::vector<StripPart> drawn = parts;
        std::map<ImGuiID, int> n_parts_of;
        for (const StripPart& part : drawn) {
            const auto widths = widths_in(part);
            const bool has_arrows = part.item == StripItem::sections || part.item == StripItem::heads;
            const std::size_t n_chips = part.area.width() < 100 ? 0 : 4; // of the heads, where there is room for all
            ASSERT_TRUE(widths.size() == (has_arrows ? 3u : 2u) ||
                        (part.item == StripItem::heads && widths.size() == n_chips))
                << static_cast<int>(part.item) << ": " << widths.size();
            for (const auto& [id, seen] : widths) {
                EXPECT_EQ(++n_parts_of[id], 1);
                EXPECT_GE(seen, 21);
            }
        }
    }
}

TEST_F(CanvasStrip, OneLineIsEnoughWhereAllOfItFits) {
    open("llama-block");
    take_gradient();
    views.ui.head_grid.is_open = true;
    for (const auto& [each, n_lines] : {std::pair{1452.0f, 1}, {812.0f, 1}, {602.0f, 2}}) {
        width = each;
        views.frame();
        EXPECT_EQ(height, strip_metrics::kLine * static_cast<float>(n_lines)) << each;
    }
}

} // namespace
} // namespace lab
