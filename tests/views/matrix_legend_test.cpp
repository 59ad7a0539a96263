// What tells which numbers a matrix's colours stand for.
#include <gtest/gtest.h>

#include "app/widgets/color_scale.h"
#include "tests/views/canvas_support.h"

namespace lab {
namespace {

// Corners of a bar of signed colours below a matrix.
int n_below(const test::Canvas& canvas, const std::string& tensor) {
    constexpr float kHeight = 20;
    const Camera& camera = canvas.views.ui.camera;
    const Rect cells = camera.to_screen(canvas.placed(tensor).cells);
    return test::n_vertices({cells.left, cells.bottom + 1, cells.right, cells.bottom + kHeight},
                            color_ramp(kDarkPalette, false).at(1).u32());
}

TEST(MatrixLegend, LargeWeightMatricesHaveOneAsWhatIsMadeFromThem) {
    test::Canvas canvas;
    for (const int d : {16, 32, 64}) {
        canvas.open(test::document_of({.n_tokens = 100, .d_in = d, .d_k = d, .d_v = d}));
        for (const char* tensor : {"W_query", "W_key", "W_value", "queries", "keys", "values"})
            EXPECT_GT(n_below(canvas, tensor), 0) << tensor << ", " << d;
    }
    canvas.open("trainable");
    for (const char* tensor : {"W_query", "queries"}) {
        EXPECT_FALSE(canvas.placed(tensor).has_legend) << tensor << ", all of whose numbers can be read";
        EXPECT_EQ(n_below(canvas, tensor), 0) << tensor;
    }
}

// Corners of what stands below its numbers, of the matrix that is the lowest of its column.
TEST(MatrixLegend, OfAWeightMatrixWithFewerPointsThanCellsSaysWhatAPointShows) {
    test::Canvas canvas;
    const auto n_words = [&](int d_in) {
        canvas.open(test::document_of({.n_tokens = 100, .d_in = d_in, .d_k = 64, .d_v = 64}));
        canvas.views.frame(4);
        const Rect cells = canvas.views.ui.camera.to_screen(canvas.placed("W_value").cells);
        return test::n_vertices({cells.left - 5, cells.bottom + 16, cells.right + 100, cells.bottom + 40},
                                kDarkPalette.faint.u32());
    };
    EXPECT_EQ(n_words(64), 0);
    EXPECT_EQ(n_words(1024), 4 * 9) << "strongest";
}

} // namespace
} // namespace lab
