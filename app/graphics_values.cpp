#define GL_GLEXT_PROTOTYPES
#include "app/graphics_values.h"

#include <cmath>
#include <cstdio>
#include <span>
#include <string>

#include <imgui.h>

#include <GL/gl.h>

#include "app/graphics.h"

namespace lab {

namespace {

constexpr const char* kVertexShader = R"(
precision highp float;
uniform mat4 projection;
in vec2 position;
in vec2 place;
out vec2 place_in_texture;
void main() {
    place_in_texture = place;
    gl_Position = projection * vec4(position, 0, 1);
}
)";

// The four bytes of a texel are a float32; its exponent alone tells whether it is a finite number. No texel is ever mixed
// with another.
constexpr const char* kFragmentShader = R"(
precision highp float;
precision highp int;
uniform highp sampler2D values;
uniform highp sampler2D ramp;
uniform vec4 scale; // two factors, what is added, a power
uniform float zero; // about whose place the power acts
uniform vec4 masked;
uniform vec4 no_number;
in vec2 place_in_texture;
out vec4 color;
const uint missing = 0x7fc0deadu;
const uint exponent = 0x7f800000u;
const uint minus_infinity = 0xff800000u;
void main() {
    ivec2 size = textureSize(values, 0);
    ivec2 texel = clamp(ivec2(floor(place_in_texture * vec2(size))), ivec2(0), size - 1);
    uvec4 bytes = uvec4(texelFetch(values, texel, 0) * 255.0 + 0.5);
    uint bits = bytes.r | (bytes.g << 8u) | (bytes.b << 16u) | (bytes.a << 24u);
    if (bits == missing) discard;
    if ((bits & exponent) != exponent) {
        float along = clamp(uintBitsToFloat(bits) * scale.x * scale.y + scale.z, 0.0, 1.0);
        float side = along < zero ? -zero : 1.0 - zero;
        if (scale.w != 1.0 && along != zero) along = zero + side * pow((along - zero) / side, scale.w);
        color = texelFetch(ramp, ivec2(int(along * 256.0 + 0.5), 0), 0);
    } else if (bits == minus_infinity) {
        color = masked;
    } else {
        color = no_number;
    }
}
)";

struct CallbackData {
    ValueShader* shader;
    ValueColoring coloring;
};

void leave_value_shader(const ImDrawList*, const ImDrawCmd* command) {
    static_cast<const ValueShader*>(command->UserCallbackData)->leave();
}

void use_value_shader(const ImDrawList*, const ImDrawCmd* command) {
    const auto& data = *static_cast<const CallbackData*>(command->UserCallbackData);
    data.shader->use(data.coloring);
}

// Asks nothing: an answer would wait until it is compiled.
GLuint begin_shader(GLenum kind, const char* source) {
    const std::string text = std::string(kShaderVersion) + "\n" + source;
    const char* start = text.c_str();
    const GLuint shader = glCreateShader(kind);
    glShaderSource(shader, 1, &start, nullptr);
    glCompileShader(shader);
    return shader;
}

// Says why, where a program cannot be linked: the reasons of shaders that cannot be compiled, and its own.
void report_unless_linked(GLuint program, std::span<const unsigned> shaders) {
    GLint is_linked = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &is_linked);
    if (is_linked != 0) return;
    char log[1024] = {};
    for (const unsigned shader : shaders) {
        GLint is_compiled = 0;
        glGetShaderiv(shader, GL_COMPILE_STATUS, &is_compiled);
        if (is_compiled != 0) continue;
        glGetShaderInfoLog(shader, sizeof log, nullptr, log);
        std::fprintf(stderr, "the shader of matrices cannot be compiled: %s\n", log);
    }
    glGetProgramInfoLog(program, sizeof log, nullptr, log);
    std::fprintf(stderr, "the shader of matrices cannot be linked: %s\n", log);
}

void set_color(GLint uniform, std::uint32_t packed) {
    const ImVec4 color = ImGui::ColorConvertU32ToFloat4(packed);
    glUniform4f(uniform, color.x, color.y, color.z, color.w);
}

// value · first · second + offset, and its power: two factors, since their product may be less than a graphics card holds.
void set_scale(GLint uniform, const ValueColoring& coloring) {
    int exponent = 0;
    const double mantissa = std::frexp(coloring.per_unit, &exponent);
    const double first = std::ldexp(1.0, exponent / 2), second = std::ldexp(mantissa, exponent - exponent / 2);
    const double offset = coloring.at_least - coloring.least * coloring.per_unit;
    glUniform4f(uniform, float(first), float(second), float(offset), float(coloring.exponent));
}

// Where values have just been drawn, the shader need not be left in between: the command that does becomes one that may be used.
void take_back_end(ImDrawList& draw_list, const ValueShader* shader) {
    ImVector<ImDrawCmd>& commands = draw_list.CmdBuffer;
    const bool is_next_unused = commands.back().ElemCount == 0 && commands.back().UserCallback == nullptr;
    if (!is_next_unused || commands.Size < 2) return;
    const ImDrawCmd& last = commands[commands.Size - 2];
    if (last.UserCallback != leave_value_shader || last.UserCallbackData != shader) return;
    commands.pop_back();
    commands.back().UserCallback = nullptr;
    commands.back().UserCallbackData = nullptr;
}

} // namespace

void ValueShader::begin(ImDrawList& draw_list, const ValueColoring& coloring) {
    take_back_end(draw_list, this);
    CallbackData data{this, coloring};
    draw_list.AddCallback(use_value_shader, &data, sizeof data);
}

// Of what the backend has set, only the program was another: setting all of it again would be two dozen calls.
void ValueShader::end(ImDrawList& draw_list) { draw_list.AddCallback(leave_value_shader, this); }

void ValueShader::forget() {
    program_ = 0;
    uniforms_.reset();
    ramps_.clear();
    told_.reset();
}

// The backend has set where a vertex's parts are found: its own program, which is in use, says at which places.
void ValueShader::prepare() {
    if (program_ != 0) return;
    GLint backend = 0;
    glGetIntegerv(GL_CURRENT_PROGRAM, &backend);
    if (backend == 0) return; // nothing was drawn yet, or the graphics card is lost
    backend_ = GLuint(backend);
    const auto place = [&](const char* name) { return GLuint(glGetAttribLocation(backend_, name)); };
    program_ = glCreateProgram();
    glBindAttribLocation(program_, place("Position"), "position");
    glBindAttribLocation(program_, place("UV"), "place");
    shaders_ = {begin_shader(GL_VERTEX_SHADER, kVertexShader), begin_shader(GL_FRAGMENT_SHADER, kFragmentShader)};
    for (const unsigned shader : shaders_) glAttachShader(program_, shader);
    glLinkProgram(program_);
}

bool ValueShader::make() {
    prepare();
    if (program_ == 0) return false;
    report_unless_linked(program_, shaders_);
    for (const unsigned shader : shaders_) glDeleteShader(shader);
    const auto uniform = [&](const char* name) { return glGetUniformLocation(program_, name); };
    uniforms_ = {uniform("projection"), uniform("scale"), uniform("zero"), uniform("masked"), uniform("no_number")};
    glUseProgram(program_);
    glUniform1i(uniform("values"), 0);
    glUniform1i(uniform("ramp"), 1);
    return true;
}

unsigned ValueShader::ramp_texture(const std::uint32_t* ramp) {
    unsigned& texture = ramps_[ramp];
    if (texture != 0) return texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
        glTexParameteri(GL_TEXTURE_2D, filter, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, ValueColoring::kSteps + 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, ramp);
    return texture;
}

// As Dear ImGui's backend projects: points of the window, y downwards.
void ValueShader::set_projection() {
    const ImDrawData& data = *ImGui::GetDrawData();
    const std::array<float, 4> screen{data.DisplayPos.x, data.DisplayPos.y, data.DisplaySize.x, data.DisplaySize.y};
    if (told_ && screen == told_screen_) return;
    told_screen_ = screen;
    const float left = data.DisplayPos.x, top = data.DisplayPos.y;
    const float x = 2 / data.DisplaySize.x, y = -2 / data.DisplaySize.y;
    const float matrix[16] = {x, 0, 0, 0, 0, y, 0, 0, 0, 0, -1, 0, -1 - left * x, 1 - top * y, 0, 1};
    glUniformMatrix4fv(uniforms_->projection, 1, GL_FALSE, matrix);
}

void ValueShader::use(const ValueColoring& coloring) {
    if (!uniforms_ && !make()) return;
    glUseProgram(program_);
    if (is_news(coloring, &ValueColoring::ramp)) {
        glActiveTexture(GL_TEXTURE1);
        glBindTexture(GL_TEXTURE_2D, ramp_texture(coloring.ramp));
        glActiveTexture(GL_TEXTURE0);
    }
    set_projection();
    set_scale(uniforms_->scale, coloring);
    if (is_news(coloring, &ValueColoring::zero)) glUniform1f(uniforms_->zero, float(coloring.zero));
    if (is_news(coloring, &ValueColoring::masked)) set_color(uniforms_->masked, coloring.masked);
    if (is_news(coloring, &ValueColoring::no_number)) set_color(uniforms_->no_number, coloring.no_number);
    told_ = coloring;
}

void ValueShader::leave() const { glUseProgram(backend_); }

} // namespace lab
