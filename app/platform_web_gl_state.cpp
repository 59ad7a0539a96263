#include <algorithm>

#include <GLES3/gl3.h>

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
