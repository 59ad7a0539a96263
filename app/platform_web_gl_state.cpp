#include <algorithm>
#include <array>
#include <utility>

#include <GLES3/gl3.h>

#include "app/platform_web_gl_state.h"

// Every frame Dear ImGui's backend asks OpenGL what is set, so as to put it back for others who draw. Here nobody else
// does, and in a browser each question waits until all that was asked for before is drawn: nineteen twentieths of a
// frame's time. So the backend's questions come here (cmake/third_party.cmake); of what it sets anew before it draws,
// they are told what is harmless to put back, and only limits are really asked for.
extern "C" void attention_glGetIntegerv(GLenum name, GLint* answer) {
    switch (name) {
    case GL_ACTIVE_TEXTURE: *answer = GL_TEXTURE0; return;
    case GL_BLEND_EQUATION_RGB:
    case GL_BLEND_EQUATION_ALPHA: *answer = GL_FUNC_ADD; return;
    case GL_BLEND_SRC_RGB:
    case GL_BLEND_SRC_ALPHA:
    case GL_BLEND_DST_RGB:
    case GL_BLEND_DST_ALPHA: *answer = GL_ONE; return;
    case GL_VIEWPORT:
    case GL_SCISSOR_BOX: std::fill_n(answer, 4, 0); return;
    case GL_CURRENT_PROGRAM:
    case GL_TEXTURE_BINDING_2D:
    case GL_SAMPLER_BINDING:
    case GL_ARRAY_BUFFER_BINDING:
    case GL_ELEMENT_ARRAY_BUFFER_BINDING:
    case GL_PIXEL_UNPACK_BUFFER_BINDING:
    case GL_VERTEX_ARRAY_BINDING: *answer = 0; return;
    default: glGetIntegerv(name, answer);
    }
}

// What the backend sets again as it was need not be said again: every call into WebGL takes microseconds. The texture is that of the
// first unit, which nobody else binds one to; to bind none is not said at all, since a draw or an upload binds one first. (The name
// of a deleted texture is never given to another.)
namespace {

struct State {
    GLint row_length = 0, alignment = 4;
    std::array<GLint, 4> scissor{-1, -1, -1, -1};
    GLuint texture = 0;
};
State state;

template <class T> bool is_news(T& now, const T& value) { return std::exchange(now, value) != value; }

} // namespace

extern "C" void attention_glPixelStorei(GLenum name, GLint value) {
    GLint* const now = name == GL_UNPACK_ROW_LENGTH  ? &state.row_length
                       : name == GL_UNPACK_ALIGNMENT ? &state.alignment
                                                     : nullptr;
    if (!now || is_news(*now, value)) glPixelStorei(name, value);
}

extern "C" void attention_glScissor(GLint x, GLint y, GLsizei width, GLsizei height) {
    if (is_news(state.scissor, {x, y, width, height})) glScissor(x, y, width, height);
}

extern "C" void attention_glBindTexture(GLenum target, GLuint texture) {
    if (texture != 0 && is_news(state.texture, texture)) glBindTexture(target, texture);
}

namespace lab {

void forget_gl_state() { state = {}; }

} // namespace lab
