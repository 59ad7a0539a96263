#include "app/graphics.h"

#include <SDL.h>

namespace lab {

const char* const kShaderVersion = "#version 300 es";
const GraphicsVersion kGraphicsVersion{SDL_GL_CONTEXT_PROFILE_ES, 3, 0};

} // namespace lab
