#pragma once

#include "app/platform.h"

struct ImFontAtlas;

namespace lab {

// Characters that the font added last lacks are drawn by the platform's own fonts, one by one when first shown (中文, emoji).
// `platform` must outlive the atlas. Not modelled: scripts whose letters join, right-to-left text.
void add_fallback_glyphs(ImFontAtlas& atlas, Platform& platform);

} // namespace lab
