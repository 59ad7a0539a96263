#include "app/session/resizing.h"

#include <algorithm>
#include <optional>
#include <set>

#include "app/session/drawing.h"
#include "engine/document_tensors.h"
#include "engine/initialisers.h"

namespace lab {

namespace {

std::set<std::string> tensors_as_drawn(const Document& document) {
    std::set<std::string> names;
    for (const auto& [name, how] : document.made_by) {
        if (is_as_drawn(document, name)) names.insert(name);
    }
    return names;
}

Shape new_shape(const Document& document, const std::string& name, const std::map<std::string, Shape>& new_shapes) {
    const auto found = new_shapes.find(name);
    return found == new_shapes.end() ? document.tensors.at(name).shape() : found->second;
}

// How drawn tensors are drawn at their new sizes: those that followed one another still do.
std::map<std::string, MadeBy> how_to_redraw(const Document& document, const std::set<std::string>& as_drawn,
                                            const std::map<std::string, Shape>& new_shapes) {
    std::map<std::string, MadeBy> how_by_name;
    for (const std::string& name : as_drawn) how_by_name[name] = document.made_by.at(name);
    std::optional<MadeBy> after, after_now; // where the one before ended, and where it ends at its new size
    for (const DocumentTensor& known : kDocumentTensors) {
        const std::string name = known.name;
        if (!known.is_parameter() || as_drawn.count(name) == 0) continue;
        const MadeBy before = how_by_name[name];
        MadeBy& now = how_by_name[name];
        if (after && after->seed == before.seed && after->skip == before.skip) now.skip = after_now->skip;
        after = before;
        after_now = now;
        after->skip += static_cast<std::int64_t>(draws(before, document.tensors.at(name).shape()));
        after_now->skip += static_cast<std::int64_t>(draws(now, new_shape(document, name, new_shapes)));
    }
    return how_by_name;
}

// A tensor of zeros, and over its first rows and columns what of `kept` fits.
Tensor fitted(const Shape& shape, const Tensor& kept) {
    return gathered(kept, counted_up_to(shape.rows, kept.shape().rows), counted_up_to(shape.cols, kept.shape().cols));
}

} // namespace

std::map<std::string, Shape> shapes_with(const Document& document, const std::map<Axis, int>& lengths) {
    std::map<std::string, Shape> changed;
    for (const DocumentTensor& known : kDocumentTensors) {
        const auto found = document.tensors.find(known.name);
        if (found == document.tensors.end()) continue;
        Shape shape = found->second.shape();
        if (const auto rows = lengths.find(known.rows); rows != lengths.end()) shape.rows = rows->second;
        if (const auto cols = lengths.find(known.cols); cols != lengths.end()) shape.cols = cols->second;
        if (shape != found->second.shape()) changed[known.name] = shape;
    }
    return changed;
}

void keep_what_fits(Document& document, const std::map<std::string, Shape>& new_shapes) {
    for (const auto& [name, shape] : new_shapes) {
        if (has_tensor(document, name)) document.tensors[name] = fitted(shape, document.tensors.at(name));
    }
    // A bias is drawn by the rows of its matrix, so that its own may be the truth no longer.
    for (const DocumentTensor& known : kDocumentTensors) {
        if (new_shapes.count(known.name) > 0 || known.role == Role::bias) forget_untrue_made_by(document, known.name);
    }
}

void resize_tensors(Document& document, const std::map<std::string, Shape>& new_shapes) {
    const std::set<std::string> as_drawn = tensors_as_drawn(document);
    const std::map<std::string, MadeBy> how_by_name = how_to_redraw(document, as_drawn, new_shapes);
    for (const auto& [name, shape] : new_shapes) {
        if (!has_tensor(document, name) || document.tensors.at(name).shape() == shape) continue;
        document.tensors[name] = fitted(shape, document.tensors.at(name));
        if (as_drawn.count(name) == 0) document.made_by.erase(name);
    }
    for (const auto& [name, how] : how_by_name) {
        const DocumentTensor* known = find_document_tensor(name);
        const bool is_bias = known != nullptr && known->role == Role::bias; // its bound follows the rows of its matrix
        const bool has_changed = is_bias || new_shapes.count(name) > 0 || how != document.made_by.at(name);
        if (!has_changed) continue;
        const Result<Tensor> redrawn = drawn(document, name, how, document.tensors.at(name).shape());
        if (redrawn) document.tensors[name] = *redrawn;
        if (redrawn)
            document.made_by[name] = how;
        else
            document.made_by.erase(name);
    }
}

} // namespace lab
