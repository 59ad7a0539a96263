#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

#include <GLES3/gl3.h>

#include "app/platform_web_gl_state.h"

// Every frame Dear ImGui's backend asks OpenGL what is set, so as to put it back for others who draw, and sets anew all that it
// needs. Here nobody else draws but the shader of values, which leaves everything as it was (app/graphics_values.h). In a browser a
// question waits until all that was asked for before is drawn, nineteen twentieths of a frame's time, and every call takes
// microseconds. So the backend's calls come here (cmake/third_party.cmake): it is told that what it sets is set already, only limits
// are really asked for, and what is no news is not said.
namespace {

struct State {
    GLint row_length = 0; // that the backend wants
    GLint alignment = 4;
    bool is_blending = false;
    std::array<GLenum, 4> blending{};
    std::array<GLint, 4> scissor{-1, -1, -1, -1};
    std::array<GLfloat, 16> projection{};
    GLuint texture = 0, program = 0, vertex_array = 0;
    std::map<GLenum, GLuint> buffers;
    std::map<GLuint, std::tuple<GLint, GLenum, GLboolean, GLsizei, const void*>>
        attributes; // of the buffer of vertices
};
State state;

template <class T> bool is_news(T& now, const T& value) { return std::exchange(now, value) != value; }

} // namespace

extern "C" {

void attention_glGetIntegerv(GLenum name, GLint* answer) {
    switch (name) {
    case GL_ACTIVE_TEXTURE: *answer = GL_TEXTURE0; return;
    case GL_BLEND_EQUATION_RGB:
    case GL_BLEND_EQUATION_ALPHA: *answer = GL_FUNC_ADD; return;
    case GL_BLEND_SRC_RGB: *answer = GL_SRC_ALPHA; return;
    case GL_BLEND_SRC_ALPHA: *answer = GL_ONE; return;
    case GL_BLEND_DST_RGB:
    case GL_BLEND_DST_ALPHA: *answer = GL_ONE_MINUS_SRC_ALPHA; return;
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

// The scissor test alone is really put back: a surface is cleared without. Of what else it switches only blending is ever on.
GLboolean attention_glIsEnabled(GLenum name) { return name == GL_BLEND ? GL_TRUE : GL_FALSE; }
void attention_glEnable(GLenum name) {
    if (name != GL_BLEND || is_news(state.is_blending, true)) glEnable(name);
}
void attention_glDisable(GLenum name) {
    if (name == GL_SCISSOR_TEST) glDisable(name);
}

// As a context has them from its beginning: sums, the first unit of textures, no sampler, the backend's texture in that unit.
void attention_glBlendEquation(GLenum) {}
void attention_glBlendEquationSeparate(GLenum, GLenum) {}
void attention_glActiveTexture(GLenum) {}
void attention_glBindSampler(GLuint, GLuint) {}
void attention_glUniform1i(GLint, GLint) {}

void attention_glBlendFuncSeparate(GLenum source, GLenum target, GLenum source_alpha, GLenum target_alpha) {
    if (is_news(state.blending, {source, target, source_alpha, target_alpha}))
        glBlendFuncSeparate(source, target, source_alpha, target_alpha);
}
void attention_glUniformMatrix4fv(GLint place, GLsizei n, GLboolean transposed, const GLfloat* values) {
    std::array<GLfloat, 16> matrix;
    std::copy_n(values, matrix.size(), matrix.begin());
    if (is_news(state.projection, matrix)) glUniformMatrix4fv(place, n, transposed, values);
}

// What is put back at the end is nothing (0), and is not: who draws or uploads next sets its own first. (The name of what was
// deleted is never given to another.)
void attention_glViewport(GLint x, GLint y, GLsizei width, GLsizei height) {
    if (width > 0) glViewport(x, y, width, height);
}
void attention_glScissor(GLint x, GLint y, GLsizei width, GLsizei height) {
    const std::array<GLint, 4> place{x, y, width, height};
    if (place != std::array<GLint, 4>{} && is_news(state.scissor, place)) glScissor(x, y, width, height);
}
void attention_glUseProgram(GLuint program) {
    if (program == 0 || !is_news(state.program, program)) return;
    state.projection = {}; // another program's
    glUseProgram(program);
}
void attention_glBindTexture(GLenum target, GLuint texture) {
    if (texture != 0 && is_news(state.texture, texture)) glBindTexture(target, texture);
}
void attention_glBindBuffer(GLenum target, GLuint buffer) {
    if (buffer == 0 || !is_news(state.buffers[target], buffer)) return;
    if (target == GL_ARRAY_BUFFER) state.attributes.clear();
    glBindBuffer(target, buffer);
}

// One array of attributes for all frames, which keeps what is said of them.
void attention_glGenVertexArrays(GLsizei n, GLuint* arrays) {
    if (state.vertex_array == 0) {
        glGenVertexArrays(1, &state.vertex_array);
        glBindVertexArray(state.vertex_array);
    }
    std::fill_n(arrays, n, state.vertex_array);
}
void attention_glBindVertexArray(GLuint) {}
void attention_glDeleteVertexArrays(GLsizei, const GLuint*) {}
void attention_glEnableVertexAttribArray(GLuint place) {
    if (!state.attributes.contains(place)) glEnableVertexAttribArray(place);
}
void attention_glVertexAttribPointer(GLuint place, GLint n, GLenum type, GLboolean is_normalized, GLsizei stride,
                                     const void* first) {
    if (is_news(state.attributes[place], {n, type, is_normalized, stride, first}))
        glVertexAttribPointer(place, n, type, is_normalized, stride, first);
}

// A length of rows is said only for the upload of a part of them: otherwise it is what is uploaded.
void attention_glPixelStorei(GLenum name, GLint value) {
    if (name == GL_UNPACK_ROW_LENGTH)
        state.row_length = value;
    else if (name != GL_UNPACK_ALIGNMENT || is_news(state.alignment, value))
        glPixelStorei(name, value);
}
void attention_glTexSubImage2D(GLenum target, GLint level, GLint x, GLint y, GLsizei width, GLsizei height,
                               GLenum format, GLenum type, const void* pixels) {
    const bool is_part = state.row_length != 0 && state.row_length != width;
    if (is_part) glPixelStorei(GL_UNPACK_ROW_LENGTH, state.row_length);
    glTexSubImage2D(target, level, x, y, width, height, format, type, pixels);
    if (is_part) glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
}

} // extern "C"

namespace lab {

void forget_gl_state() { state = {}; }

} // namespace lab
