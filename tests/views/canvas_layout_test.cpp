#include "app/views/canvas_layout.h"

#include <gtest/gtest.h>

#include "app/session/sections.h"
#include "app/theme.h"
#include "app/views/matrix_cells.h"
#include "app/views/matrix_labels.h"
#include "engine/formats/presets.h"
#include "tests/views/canvas_support.h"

namespace lab {
namespace {

using test::Canvas;

constexpr float kSmallestText = 10.5f;

// Checks on the layout that the canvas shows now. Failures name the document.
class Shown {
  public:
    explicit Shown(const Canvas& canvas)
        : program_(canvas.views.lab.program()), selection_(canvas.views.selection), camera_(canvas.views.ui.camera),
          layout_(canvas.views.ui.canvas.layout) {}

    void check() const {
        ASSERT_EQ(layout_.placed.size(), nodes_of_section(program_, selection_.section).size());
        nothing_overlaps();
        operands_come_first();
        weights_stand_on_the_line_of_what_they_make();
        bounds_contain_everything();
        fits_into_the_view();
        texts_can_be_read();
    }

  private:
    const Node& node(const PlacedNode& placed) const { return program_.node(placed.node); }
    const PlacedNode& placed(int i) const { return *layout_.find(i); }
    bool is_there(int i) const { return layout_.find(i) != nullptr; } // what a guest was made from is not

    void nothing_overlaps() const {
        for (const PlacedNode& a : layout_.placed) {
            for (const PlacedNode& b : layout_.placed) {
                if (a.node >= b.node) continue;
                EXPECT_FALSE(a.around().grown(-0.1f).overlaps(b.around())) << node(a).name << " and " << node(b).name;
            }
        }
    }

    void operands_come_first() const {
        for (const PlacedNode& to : layout_.placed) {
            for (int operand : node(to).operands) {
                if (!is_there(operand)) continue;
                const Rect from = placed(operand).cells;
                EXPECT_TRUE(from.right <= to.cells.left || from.bottom <= to.cells.top)
                    << node(placed(operand)).name << " → " << node(to).name;
            }
        }
    }

    void weights_stand_on_the_line_of_what_they_make() const {
        for (const PlacedNode& to : layout_.placed) {
            for (int operand : node(to).operands) {
                if (!is_there(operand)) continue;
                const PlacedNode& from = placed(operand);
                const Presentation& shown = node(from).presentation;
                if (shown.role != Role::weight_matrix || shown.branch == Branch::none) continue;
                if (to.shelf > from.shelf) { // lines, one below the other
                    EXPECT_NEAR(from.cells.center().x, to.cells.center().x, 0.1f) << node(from).name;
                    EXPECT_LT(from.cells.bottom, to.cells.top);
                } else {
                    EXPECT_NEAR(from.cells.center().y, to.cells.center().y, 0.1f) << node(from).name;
                    EXPECT_LT(from.cells.right, to.cells.left);
                }
            }
        }
    }

    void bounds_contain_everything() const {
        for (const PlacedNode& each : layout_.placed) {
            const Rect whole = each.around();
            EXPECT_GE(whole.left, layout_.bounds.left) << node(each).name;
            EXPECT_GE(whole.top, layout_.bounds.top) << node(each).name;
            EXPECT_LE(whole.right, layout_.bounds.right) << node(each).name;
            EXPECT_LE(whole.bottom, layout_.bounds.bottom) << node(each).name;
        }
    }

    // A long section from its beginning to its end, as one scrolls through it.
    void fits_into_the_view() const {
        Camera camera = camera_;
        const float most = greatest_scroll(camera, layout_.bounds);
        EXPECT_TRUE(most == 0 || layout_.least_zoom > 0) << most;
        for (const float scrolled : {0.0f, most}) {
            camera.scrolled = scrolled;
            fit(camera, layout_.bounds);
            const Rect shown = camera.to_screen(layout_.bounds);
            EXPECT_GE(shown.left, camera.area.left + 8);
            EXPECT_LE(shown.right, camera.area.right - 8);
            if (scrolled == 0) {
                EXPECT_GE(shown.top, camera.area.top + 8);
            }
            if (scrolled == most) {
                EXPECT_LE(shown.bottom, camera.area.bottom - 8);
            }
        }
    }

    void texts_can_be_read() const { EXPECT_GE(type_size::kText * camera_.zoom, kSmallestText); }

    const Program& program_;
    const Selection& selection_;
    const Camera& camera_;
    const CanvasLayout& layout_;
};

void unfold_everything(Canvas& canvas) {
    for (const Node& node : canvas.views.lab.program().nodes) {
        if (node.presentation.folded) canvas.views.selection.unfolded.insert(node.name);
    }
    canvas.views.frame(2);
}

void check_every_section(Canvas& canvas) {
    for (int section = 0; section < n_sections(canvas.views.lab.program()); ++section) {
        SCOPED_TRACE(section_title(canvas.views.lab.program(), section));
        canvas.views.selection.section = section;
        canvas.views.frame(2);
        Shown(canvas).check();
    }
}

TEST(CanvasLayout, EveryPresetFoldedAndUnfolded) {
    Canvas canvas;
    for (const PresetInfo& preset : presets()) {
        SCOPED_TRACE(preset.name);
        canvas.open(preset.name);
        check_every_section(canvas);
        SCOPED_TRACE("unfolded");
        unfold_everything(canvas);
        check_every_section(canvas);
    }
}

TEST(CanvasLayout, EverySizeFoldedAndUnfolded) {
    for (const ImVec2 view : {ImVec2{812, 724}, ImVec2{1500, 900}}) {
        Canvas canvas(view);
        for (const test::Sizes& sizes : test::many_sizes()) {
            SCOPED_TRACE(sizes.text());
            canvas.open(document_of(sizes));
            Shown(canvas).check();
            SCOPED_TRACE("unfolded");
            unfold_everything(canvas);
            Shown(canvas).check();
        }
    }
}

TEST(CanvasLayout, TheFirstScreenIsAlmostAtFullSize) {
    Canvas canvas;
    canvas.open("trainable");
    EXPECT_GE(canvas.views.ui.camera.zoom, 0.97f);
    EXPECT_GE(type_size::kCell * canvas.views.ui.camera.zoom, kSmallestText);
}

// Whether the cells of a tensor are large enough for numbers, as the fit shows them.
bool has_numbers(const Canvas& canvas, const std::string& tensor) {
    const ImVec2 pitch = canvas.placed(tensor).pitch;
    const float zoom = canvas.views.ui.camera.zoom;
    MatrixView view;
    view.pitch = {pitch.x * zoom, pitch.y * zoom};
    return number_size(view) > 0;
}

TEST(CanvasLayout, AnUnfoldedMatrixLeavesAllNumbersReadable) {
    Canvas canvas;
    canvas.open("trainable");
    canvas.views.selection.toggle_fold("scaled_scores");
    canvas.views.frame(2);
    for (const char* tensor : {"inputs", "W_key", "keys", "attention_scores", "scaled_scores", "context_vectors"}) {
        EXPECT_TRUE(has_numbers(canvas, tensor)) << tensor;
    }
}

// After what was done just now, every matrix that stands open has its numbers.
void expect_all_readable(Canvas& canvas, const std::string& what) {
    canvas.views.lab.refresh();
    canvas.views.frame(3);
    for (const PlacedNode& placed : canvas.views.ui.canvas.layout.placed) {
        const std::string& name = canvas.views.lab.program().node(placed.node).name;
        EXPECT_TRUE(placed.is_folded || has_numbers(canvas, name)) << name << " with " << what;
    }
}

TEST(CanvasLayout, WhatSettingsAddLeavesNumbersReadable) {
    Canvas canvas;
    canvas.open("trainable");
    AttentionSettings settings = canvas.views.lab.document().attention;
    settings.round_weights = 1;
    ASSERT_TRUE(canvas.views.lab.perform(SetAttention{settings}).has_value());
    expect_all_readable(canvas, "rounding");
    settings.mask = MaskKind::causal;
    ASSERT_TRUE(canvas.views.lab.perform(SetAttention{settings}).has_value());
    expect_all_readable(canvas, "rounding and a mask");
    canvas.open(test::document_of({.n_tokens = 6, .d_in = 4, .d_k = 4, .d_v = 3}));
    expect_all_readable(canvas, "widths of 4");
    canvas.open(test::document_of({.n_tokens = 6, .d_in = 9, .d_k = 2, .d_v = 2}));
    expect_all_readable(canvas, "a width of 9");
}

// With what the line above the canvas takes: 6 tokens, their own mask and a gradient.
TEST(CanvasLayout, TheLineAboveLeavesNumbersReadable) {
    Canvas canvas;
    for (const char* preset : {"trainable", "causal", "linear", "simplified-softmax"}) {
        SCOPED_TRACE(preset);
        canvas.open(preset);
        ASSERT_TRUE(canvas.views.lab.perform(PaintMask{{{0, 1, 2}}, false}).has_value());
        expect_all_readable(canvas, "an own mask");
        ASSERT_TRUE(canvas.views.lab.perform(SetGradient{"sum(context_vectors)"}).has_value());
        expect_all_readable(canvas, "an own mask and a gradient");
        canvas.open(preset);
        ASSERT_TRUE(canvas.views.lab.perform(SetGradient{"sum(context_vectors)"}).has_value());
        expect_all_readable(canvas, "a gradient");
    }
}

// Every number of the worked examples with blocks, which are made to be read.
TEST(CanvasLayout, EverySectionOfAPresetKeepsItsNumbers) {
    for (const ImVec2 view : {ImVec2{812, 724}, ImVec2{972, 824}}) { // windows of 1280 × 800 and 1440 × 900
        Canvas canvas(view);
        for (const char* preset : {"gpt2-block", "llama-block", "induction"}) {
            canvas.open(preset);
            for (int section = 0; section < n_sections(canvas.views.lab.program()); ++section) {
                canvas.views.selection.section = section;
                canvas.views.frame(2);
                for (const PlacedNode& placed : canvas.views.ui.canvas.layout.placed) {
                    const std::string& name = canvas.views.lab.program().node(placed.node).name;
                    EXPECT_TRUE(placed.is_folded || has_numbers(canvas, name)) << preset << ": " << name;
                }
            }
        }
    }
}

TEST(CanvasLayout, WhatIsUnfoldedIsSeen) {
    Canvas canvas;
    canvas.open("gpt2-block");
    for (const char* tensor : {"blocks.0.scaled_scores", "blocks.0.masked_scores", "blocks.0.combined_mask"}) {
        canvas.views.ui.camera.scrolled = 0;
        canvas.views.selection.toggle_fold(tensor);
        canvas.views.frame(2);
        EXPECT_TRUE(canvas.is_seen({tensor, {0, 0, 0}}) && canvas.is_seen({tensor, {0, 5, 5}})) << tensor;
    }
}

TEST(CanvasLayout, TitlesOfGradientsLeaveTheirBlockOut) {
    Canvas canvas;
    canvas.open("gpt2-block");
    ASSERT_TRUE(canvas.views.lab.perform(SetGradient{"sum(blocks.0.outputs)"}).has_value());
    canvas.views.lab.refresh();
    const Program& program = canvas.views.lab.program();
    int n_seen = 0;
    for (int section = 0; section < n_sections(program); ++section) {
        canvas.views.selection.section = section;
        canvas.views.frame(2);
        for (const PlacedNode& placed : canvas.views.ui.canvas.layout.placed) {
            const int gradient = program.gradient(placed.node);
            if (gradient < 0 || placed.is_folded || placed.is_compact) continue;
            ++n_seen;
            const std::string title = title_name(program.node(gradient));
            EXPECT_EQ(title.find("blocks."), std::string::npos) << title;
        }
    }
    EXPECT_GT(n_seen, 5);
}

TEST(CanvasLayout, ATitleSaysWhichHeadIsShown) {
    Canvas canvas;
    canvas.open("grouped-query");
    const Program& program = canvas.views.lab.program();
    const auto head = [&](const char* tensor, int chosen) { return shown_head(program, program.find(tensor), chosen); };
    EXPECT_EQ(head("queries", 2), "head 3");
    EXPECT_EQ(head("attention_weights", 0), "head 1");
    EXPECT_EQ(head("keys", 3), "group 2") << "two heads share it";
    EXPECT_EQ(head("W_query", 1), "") << "all of them";
    canvas.open("trainable");
    EXPECT_EQ(shown_head(canvas.views.lab.program(), canvas.views.lab.program().find("queries"), 0), "");
}

// Above a title that was cut the whole name is told.
TEST(CanvasLayout, PointingAtATitleTellsTheWholeName) {
    Canvas canvas;
    canvas.open("gpt2-block");
    canvas.views.ui.camera.scrolled = 0; // above what is explained
    canvas.views.frame();
    const PlacedNode& placed = canvas.placed("blocks.0.attention_norm");
    const Rect cells = canvas.views.ui.camera.to_screen(placed.cells);
    canvas.views.ui.status.clear();
    canvas.views.move_to({cells.left + 20, cells.top - 20});
    canvas.views.frame();
    EXPECT_EQ(canvas.views.ui.status.find("blocks.0.attention_norm 6 × 4 = "), 0u) << canvas.views.ui.status;
}

TEST(CanvasLayout, NumbersTooLargeForACellAreShort) {
    EXPECT_EQ(short_exponent_text(-141291141291.0f), "−1.4e11");
    EXPECT_EQ(short_exponent_text(1e30f), "1.0e30");
}

TEST(CanvasLayout, WhatIsReadByHandKeepsItsNumbersBesideWideMatrices) {
    Canvas canvas;
    canvas.open(test::document_of({.n_tokens = 6, .d_in = 3, .d_k = 64, .d_v = 64}));
    EXPECT_TRUE(has_numbers(canvas, "inputs"));
    EXPECT_TRUE(has_numbers(canvas, "attention_weights"));
    EXPECT_FALSE(has_numbers(canvas, "queries"));
}

TEST(CanvasLayout, ATallColumnIsSplitWhereTheViewIsWide) {
    Canvas canvas({1600, 500});
    canvas.open("trainable");
    unfold_everything(canvas);
    Shown(canvas).check();
    const int first = canvas.placed("attention_scores").column, last = canvas.placed("context_vectors").column;
    EXPECT_GT(last, first);
    EXPECT_TRUE(has_numbers(canvas, "attention_weights"));
}

// Of long texts the attention map is what one looks at.
TEST(CanvasLayout, BesideTheAttentionMapOtherPicturesMakeWay) {
    for (const ImVec2 view : {ImVec2{812, 724}, ImVec2{1452, 1004}}) { // windows of 1280 × 800 and 1920 × 1080
        for (const int n : {1024, 4096}) {
            Canvas canvas(view);
            canvas.open(test::document_of(
                {.n_tokens = n, .d_in = 64, .d_k = 64, .d_v = 64, .mask = MaskKind::causal, .word = "token "}));
            const Rect map = canvas.placed("attention_weights").cells;
            for (const char* tensor : {"W_query", "W_key", "W_value"}) {
                const PlacedNode& weights = canvas.placed(tensor);
                EXPECT_LT(2 * weights.cells.width() * weights.cells.height(), map.width() * map.height()) << tensor;
                EXPECT_NEAR(weights.pitch.x / weights.pitch.y, 1, 0.15f) << tensor;
            }
            EXPECT_GE(map.width() * map.height() * canvas.views.ui.camera.zoom, 0.07f * view.x * view.y) << n;
            Shown(canvas).check();
        }
    }
}

// Only pictures make way, not what can be read.
TEST(CanvasLayout, BesideTheAttentionMapMatricesKeepTheDesignsSize) {
    Canvas canvas({3000, 2000});
    for (const int n : {15, 16, 20}) {
        canvas.open(test::document_of({.n_tokens = n, .d_in = 16, .d_k = 16, .d_v = 16}));
        for (const char* tensor : {"inputs", "W_query", "queries", "keys", "attention_weights", "context_vectors"})
            EXPECT_FLOAT_EQ(canvas.placed(tensor).pitch.y, matrix_metrics::kPitch.y) << tensor << ", " << n;
        EXPECT_FLOAT_EQ(canvas.placed("queries").pitch.x, matrix_metrics::kPitch.x) << n;
    }
}

TEST(CanvasLayout, BesideTheAttentionMapNumbersAreKept) {
    Canvas canvas({1452, 1004});
    for (const int n : {15, 16, 20}) {
        canvas.open(test::document_of({.n_tokens = n, .d_in = 3, .d_k = 3, .d_v = 3}));
        EXPECT_TRUE(has_numbers(canvas, "attention_weights")) << n;
        if (n > 16) continue; // three times 20 rows have no room one below the other
        for (const char* tensor : {"inputs", "queries", "keys", "values", "context_vectors"})
            EXPECT_TRUE(has_numbers(canvas, tensor)) << tensor << ", " << n;
    }
    canvas.open(test::document_of({.n_tokens = 16, .d_in = 32, .d_k = 8, .d_v = 8, .n_heads = 4, .n_kv_heads = 4}));
    for (const char* tensor : {"queries", "keys", "values", "attention_weights"})
        EXPECT_TRUE(has_numbers(canvas, tensor)) << tensor << " of 4 heads";
    Shown(canvas).check();
}

TEST(CanvasLayout, ASmallDocumentIsNotBlownUpWithoutEnd) {
    Canvas canvas({3000, 2000});
    canvas.open(test::document_of({.n_tokens = 1, .d_in = 1, .d_k = 1, .d_v = 1}));
    EXPECT_FLOAT_EQ(canvas.views.ui.camera.zoom, kGreatestFittedZoom);
}

TEST(CanvasLayout, IsKeptUntilSomethingChanges) {
    Canvas canvas;
    const auto first_cells = [&] { return canvas.views.ui.canvas.layout.placed.data(); };
    const auto* before = first_cells();
    canvas.views.frame(3);
    EXPECT_EQ(first_cells(), before);
    canvas.views.selection.toggle_fold("scaled_scores");
    canvas.views.frame();
    EXPECT_FALSE(canvas.placed("scaled_scores").is_folded);
    ASSERT_TRUE(canvas.views.lab.perform(AddToken{0, "A"}).has_value());
    canvas.views.frame();
    EXPECT_FLOAT_EQ(canvas.placed("inputs").cells.height(), 7 * canvas.placed("inputs").pitch.y);
}

TEST(CanvasLayout, AViewTooSmallForItsTextsStillShowsCells) {
    Canvas canvas({400, 404}); // beside the panels of the smallest window that is no phone's
    canvas.open("trainable");
    for (const PlacedNode& placed : canvas.views.ui.canvas.layout.placed) {
        EXPECT_TRUE(placed.is_folded || placed.pitch.x * canvas.views.ui.camera.zoom >= 4);
    }
}

// In views of these widths, from the narrowest on, the map is about as wide as before or wider.
template <class Open> void expect_maps_grow(float narrowest, float widest, float step, float height, const Open& open) {
    float before = 0;
    for (float width = narrowest; width <= widest; width += step) {
        Canvas canvas({width, height});
        open(canvas);
        const float now = canvas.placed("attention_weights").cells.width() * canvas.views.ui.camera.zoom;
        EXPECT_GE(now, 0.97f * before) << width; // the largest is found to a hundredth
        before = std::max(before, now);
    }
}

TEST(CanvasLayout, InAWiderViewNothingBetweenTokensIsNarrower) {
    expect_maps_grow(420, 470, 2, 524, [](Canvas& canvas) { canvas.open("trainable"); });
}

// More columns are read number by number only where all can be: else scores and weights would have to make way.
TEST(CanvasLayout, NumbersOfTwelveColumnsTakeNoRoomFromLargerMaps) {
    expect_maps_grow(1050, 1250, 50, 724, [](Canvas& canvas) {
        canvas.open(test::document_of({.n_tokens = 16, .d_in = 9, .d_k = 10, .d_v = 10}));
    });
}

// Wider than the view even with all as narrow as can be, so that it is seen from farther.
TEST(CanvasLayout, AWidePictureUsesTheHeightOfTheView) {
    Canvas canvas({480, 484});
    canvas.open(test::document_of({.n_tokens = 300, .d_in = 64, .d_k = 16, .d_v = 16, .n_heads = 4, .n_kv_heads = 4}));
    ASSERT_LT(canvas.views.ui.camera.zoom, 0.8f);
    const float height = canvas.views.ui.canvas.layout.bounds.height() * canvas.views.ui.camera.zoom;
    EXPECT_GT(height, 0.9f * canvas.views.ui.camera.area.height() - 24);
}

// Titles leave more room there than cells that are as wide together as those of keys.
TEST(CanvasLayout, WhatIsBetweenTokensTakesTheRoomBelowItsTitle) {
    Canvas canvas({432, 524}); // beside both panels of a window of 900 × 600
    canvas.open("trainable");
    for (const char* name : {"attention_scores", "attention_weights"}) {
        EXPECT_GT(canvas.placed(name).cells.width(), 2 * canvas.placed("keys").cells.width()) << name;
    }
}

} // namespace
} // namespace lab
