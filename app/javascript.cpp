// window.attentionLab: what web/interface.js calls. Texts and numbers that are returned stay until the next call of the
// same function; an empty text means success.
#include <string>
#include <vector>

#include <emscripten.h>

#include "app/app.h"
#include "app/web_page.h"
#include "engine/formats/json_list.h"
#include "engine/formats/presets.h"

#define WEB_EXPORT extern "C" EMSCRIPTEN_KEEPALIVE

namespace lab {
namespace {

// Has what was asked for take effect before the call returns, drawn or not; the sentence of an error, or empty.
const char* finish(const Result<Done>& result) {
    static std::string error;
    error = result ? "" : result.error();
    if (result) {
        page_app().refresh_trace();
        ask_page_for_frames();
    }
    return error.c_str();
}

struct TensorCopy {
    std::vector<int> dims;
    std::vector<float> cells;
};

// What follows from the document as it is now: a key may have changed it, and the next frame be still to come.
Lab& refreshed_lab() {
    page_app().finish_trace();
    return page_app().lab();
}

// A tensor of the trace, or one that only the document has; without dims if there is none.
TensorCopy copy_tensor(const std::string& name) {
    Lab& lab = refreshed_lab();
    const int node = lab.program().find(name);
    if (node >= 0) {
        const auto source = lab.trace().source(node);
        return {source->shape().dims(), read_all(*source)};
    }
    const auto found = lab.document().tensors.find(name);
    if (found == lab.document().tensors.end()) return {};
    return {found->second.shape().dims(), found->second.values()};
}

} // namespace
} // namespace lab

using lab::page_app;

WEB_EXPORT const char* lab_session() {
    static std::string text;
    text = page_app().lab().session_text();
    return text.c_str();
}

WEB_EXPORT const char* lab_load(const char* json_text) { return lab::finish(page_app().lab().open_text(json_text)); }
WEB_EXPORT const char* lab_load_preset(const char* name) { return lab::finish(page_app().lab().open_preset(name)); }

WEB_EXPORT const char* lab_presets() {
    static std::string text;
    std::vector<std::string> names;
    for (const lab::PresetInfo& preset : lab::presets()) names.push_back(preset.name);
    text = lab::json_list(names);
    return text.c_str();
}

WEB_EXPORT const char* lab_tensor_names() {
    static std::string text;
    std::vector<std::string> names;
    const lab::Lab& refreshed = lab::refreshed_lab();
    const lab::Program& program = refreshed.program();
    for (const lab::Node& node : program.nodes) {
        if (!node.is_auxiliary) names.push_back(node.name);
    }
    for (const auto& [name, tensor] : refreshed.document().tensors)
        if (program.find(name) < 0) names.push_back(name);
    text = lab::json_list(names);
    return text.c_str();
}

// Writes the rank and up to three extents to `shape`; the cells, or null if there is no such tensor.
WEB_EXPORT const float* lab_tensor(const char* name, int* shape) {
    static lab::TensorCopy tensor;
    tensor = lab::copy_tensor(name);
    if (tensor.dims.empty()) return nullptr;
    *shape++ = int(tensor.dims.size());
    for (const int n : tensor.dims) *shape++ = n;
    return tensor.cells.data();
}

WEB_EXPORT const char* lab_set(const char* name, int row, int col, float value, int head) {
    return lab::finish(page_app().lab().perform(lab::SetCell{name, {head, row, col}, value}));
}

WEB_EXPORT bool lab_undo() {
    const bool undone = page_app().lab().undo();
    lab::finish(lab::Done{});
    return undone;
}

WEB_EXPORT bool lab_redo() {
    const bool redone = page_app().lab().redo();
    lab::finish(lab::Done{});
    return redone;
}

// --- What the window shows ---------------------------------------------------------------------------------------

// Writes left, top, width and height in points of the canvas; false if nothing of the cell can be seen.
WEB_EXPORT bool lab_cell_area(const char* name, int row, int col, int head, float* area) {
    const auto rect = page_app().cell_area({name, {head, row, col}});
    if (!rect) return false;
    area[0] = rect->left;
    area[1] = rect->top;
    area[2] = rect->width();
    area[3] = rect->height();
    return true;
}

WEB_EXPORT const char* lab_status() {
    static std::string text;
    text = page_app().status_text();
    return text.c_str();
}

WEB_EXPORT const char* lab_explanation() {
    static std::string text;
    text = page_app().explanation_text();
    return text.c_str();
}

WEB_EXPORT double lab_engine_us() { return page_app().engine_us(); }
