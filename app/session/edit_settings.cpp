#include "app/session/drawing.h"
#include "app/session/edits.h"
#include "app/session/resizing.h"

namespace lab {

namespace {

Axis axis_of(Width width) {
    switch (width) {
    case Width::d_in: return Axis::input_dimensions;
    case Width::d_k: return Axis::key_dimensions;
    case Width::d_v: return Axis::value_dimensions;
    }
    return Axis::none;
}

// Why the document has no such width of its own, or nothing.
std::string width_error(const Document& document, const ResizeWidth& command) {
    const std::string name = width_name(command.which);
    if (command.n < 1 || command.n > kMostWidth) {
        return name + " can be 1 to " + std::to_string(kMostWidth) + " but is to be " + std::to_string(command.n);
    }
    const bool given = is_given_directly(document);
    if (given && command.which == Width::d_in)
        return "queries, keys and values are given directly, so there is no d_in";
    if (!given && !document.attention.projections && command.which != Width::d_in) {
        return "there are no projections, so " + name + " is d_in";
    }
    return {};
}

} // namespace

Result<Document> edited(Document document, const ResizeWidth& command) {
    std::string error = width_error(document, command);
    if (!error.empty()) return Error{std::move(error)};
    const std::map<std::string, Shape> changed = shapes_with(document, {{axis_of(command.which), command.n}});
    TensorShapes shapes = changed;
    shapes.merge(document.shapes());
    if (const Result<Done> fits = check_shapes(document.attention, shapes); !fits) return Error{fits.error()};
    keep_what_fits(document, changed);
    return document;
}

Result<Document> edited(Document document, const SetAttention& command) {
    document.attention = command.attention;
    if (document.attention.mask == MaskKind::tensor && !has_tensor(document, "mask")) {
        document.tensors["mask"] = Tensor(Shape::matrix(n_tokens(document), n_key_tokens(document)), 0.0f);
    }
    const Result<Done> done = add_missing_projections(document);
    if (!done) return Error{done.error()};
    return document;
}

} // namespace lab
