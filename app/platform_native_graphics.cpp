#include "app/graphics.h"

#include <SDL.h>

namespace lab {

const char* const kShaderVersion = "#version 330 core";
const GraphicsVersion kGraphicsVersion{SDL_GL_CONTEXT_PROFILE_CORE, 3, 3};

} // namespace lab
