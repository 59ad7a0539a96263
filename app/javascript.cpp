// window.attentionLab: what web/interface.js calls. Texts and numbers that are returned stay until the next call of the
// same function; an empty text means success.
#include <algorithm>
#include <memory>
#include <optional>
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

// The program as it is now: a key may have changed the document, and the next frame be still to come.
Lab& lab_with_program() {
    if (page_app().lab().is_stale()) page_app().refresh_trace();
    return page_app().lab();
}

// Cells of a tensor of the trace, or of one that only the document has.
class CopiedTensor {
  public:
    explicit CopiedTensor(const std::string& name) {
        Lab& lab = lab_with_program();
        const int node = lab.program().find(name);
        const auto given = lab.document().tensors.find(name);
        if (node >= 0) {
            while (lab.trace().is_pending(node)) lab.work();
            source_ = lab.trace().source(node);
            shape_ = source_->shape();
        } else if (given != lab.document().tensors.end()) {
            given_ = given->second;
            shape_ = given_->shape();
        }
    }

    bool is_there() const { return source_ || given_; }
    const Shape& shape() const { return shape_; }

    // n rows from the first, counted through all planes.
    void read_rows(int first, int n, float* cells) const {
        for (int row = first, end = first + n; row < end;) {
            const Range rows{row % shape_.rows, std::min(row % shape_.rows + end - row, shape_.rows)};
            read({Range::at(row / shape_.rows), rows, {0, shape_.cols}}, cells);
            cells += size_t(rows.size()) * size_t(shape_.cols);
            row += rows.size();
        }
    }

  private:
    void read(const Block& block, float* cells) const {
        if (source_) return source_->read(block, cells);
        for_each_row(block, [&](int plane, int row) {
            const auto from = given_->row(plane * shape_.rows + row);
            cells = std::copy(from.begin(), from.end(), cells);
        });
    }

    std::unique_ptr<Source> source_;
    std::optional<Tensor> given_;
    Shape shape_;
};

} // namespace
} // namespace lab

using lab::page_app;

// Many megabytes of a long text: given back once it is read.
static std::string session_text;
WEB_EXPORT const char* lab_session() {
    session_text = page_app().lab().session_text();
    return session_text.c_str();
}
WEB_EXPORT void lab_forget_session() { std::string().swap(session_text); }

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
    const lab::Lab& refreshed = lab::lab_with_program();
    const lab::Program& program = refreshed.program();
    for (const lab::Node& node : program.nodes) {
        if (!node.is_auxiliary) names.push_back(node.name);
    }
    for (const auto& [name, tensor] : refreshed.document().tensors)
        if (program.find(name) < 0) names.push_back(name);
    text = lab::json_list(names);
    return text.c_str();
}

// Writes the rank and up to three extents to `shape`; false if there is no such tensor.
WEB_EXPORT bool lab_tensor_shape(const char* name, int* shape) {
    const lab::CopiedTensor tensor(name);
    if (!tensor.is_there()) return false;
    const std::vector<int> dims = tensor.shape().dims();
    *shape++ = int(dims.size());
    for (const int n : dims) *shape++ = n;
    return true;
}

// Some rows' cells, so that memory need not hold those of all: n from the first, counted through all planes.
WEB_EXPORT const float* lab_tensor_rows(const char* name, int first, int n) {
    static std::vector<float> cells;
    const lab::CopiedTensor tensor(name);
    cells.resize(size_t(n) * size_t(tensor.shape().cols));
    tensor.read_rows(first, n, cells.data());
    return cells.data();
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

WEB_EXPORT double lab_texture_bytes() { return page_app().texture_bytes(); }

// Of what follows from the last change, by operations: 1 when it is complete.
WEB_EXPORT double lab_progress() { return lab::lab_with_program().progress(); }

WEB_EXPORT double lab_engine_us() { return page_app().engine_us(); }
