#pragma once

#include <optional>
#include <string>

#include "app/views/matrix_cells.h"

namespace lab {

// Matrices whose cells are many or small are drawn as pictures of tiles: numbers as textures, coloured on the graphics
// card. No more is read than there are points on the screen.

// The side of the smallest texel, in points of the window: one of the screen's own points, or a little more.
float least_texel();

// Whether a texel stands for several cells, so that the legend says which of their numbers it shows. `pitch` as it is seen.
bool shows_several_cells(ImVec2 pitch, MatrixExtent extent, float texel);

// At which level a texel is at least one of the screen's own points high and wide, and less than two where it stands for
// several cells. Of a very large matrix it stands for a square of them. A screen of very many points has texels that are a
// little larger, so that they fit into PictureStore::kMostBytes.
PictureLevel picture_level(const MatrixGeometry& matrix);

// The cells of a matrix as a picture. What is not there yet is shown coarser or finer, and asked for.
void draw_picture(const MatrixFrame& frame, ImDrawList& draw_list);

// The colours of what is seen: of single cells or of what points of many cells show; absent while none of these is known.
std::optional<ColorScale> shown_scale(const MatrixFrame& frame, const Rect& clip);

// Each head has a picture of its own: in the grid all stand side by side.
std::string picture_name(const MatrixGeometry& matrix);

// Reads what the pictures of this frame ask for, as far as there is time, and gives up what is no longer of use. At the
// end of a frame.
void refresh_pictures(ViewContext& context);

} // namespace lab
