#include "app/session/drawing.h"
#include "app/session/edits.h"
#include "app/session/resizing.h"

namespace lab {

namespace {

enum class Side { rows, cols };

// A tensor and which of its sides has a width.
struct WidthPlace {
    const char* tensor;
    Side side;
};

std::vector<WidthPlace> places_of(Width width) {
    switch (width) {
    case Width::d_in:
        return {{"inputs", Side::cols},
                {"context_inputs", Side::cols},
                {"W_query", Side::rows},
                {"W_key", Side::rows},
                {"W_value", Side::rows}};
    case Width::d_k:
        return {{"queries", Side::cols}, {"keys", Side::cols},    {"past_keys", Side::cols}, {"W_query", Side::cols},
                {"W_key", Side::cols},   {"b_query", Side::cols}, {"b_key", Side::cols}};
    case Width::d_v:
        return {{"values", Side::cols}, {"past_values", Side::cols}, {"W_value", Side::cols}, {"b_value", Side::cols}};
    }
    return {};
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
    std::map<std::string, Shape> new_shapes;
    for (const WidthPlace& place : places_of(command.which)) {
        if (!has_tensor(document, place.tensor)) continue;
        Shape& shape = new_shapes[place.tensor] = document.tensors.at(place.tensor).shape();
        (place.side == Side::rows ? shape.rows : shape.cols) = command.n;
    }
    resize_tensors(document, new_shapes);
    return document;
}

Result<Document> edited(Document document, const SetAttention& command) {
    document.attention = command.attention;
    const Result<Done> done = add_missing_projections(document);
    if (!done) return Error{done.error()};
    if (document.attention.mask == MaskKind::tensor && !has_tensor(document, "mask")) {
        document.tensors["mask"] = Tensor(Shape::matrix(n_tokens(document), n_key_tokens(document)), 0.0f);
    }
    return document;
}

} // namespace lab
