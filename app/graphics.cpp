#include "app/graphics.h"

#include <GL/gl.h>
#include <SDL.h>

// What both dialects of OpenGL have in common.
namespace lab {

// In the page the context is there already: web/lab.js asks for the same.
void choose_graphics_version() {
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, kGraphicsVersion.profile);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, kGraphicsVersion.major);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, kGraphicsVersion.minor);
    SDL_GL_SetAttribute(SDL_GL_DOUBLEBUFFER, 1);
    SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 0);
    SDL_GL_SetAttribute(SDL_GL_STENCIL_SIZE, 0);
    SDL_GL_SetAttribute(SDL_GL_ALPHA_SIZE, 0);
}

void clear_surface(int width_px, int height_px) {
    glViewport(0, 0, width_px, height_px);
    glClearColor(0, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
}

} // namespace lab
