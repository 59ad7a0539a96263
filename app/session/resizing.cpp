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

// How drawn tensors are drawn at their new sizes: those that followed one another still do.
std::map<std::string, MadeBy> how_to_redraw(const Document& document, const std::set<std::string>& as_drawn,
                                            const TensorShapes& new_shapes) {
    std::map<std::string, MadeBy> how_by_name;
    for (const std::string& name : as_drawn) how_by_name[name] = document.made_by.at(name);
    std::optional<MadeBy> after, after_now; // where the one before ended, and where it ends at its new size
    for (const std::string& name : tensors_in_order(document)) {
        if (!find_document_tensor(name)->is_parameter() || as_drawn.count(name) == 0) continue;
        const MadeBy before = how_by_name[name];
        MadeBy& now = how_by_name[name];
        if (after && after->seed == before.seed && after->skip == before.skip) now.skip = after_now->skip;
        after = before;
        after_now = now;
        after->skip += static_cast<std::int64_t>(draws(before, document.tensors.at(name).shape()));
        after_now->skip += static_cast<std::int64_t>(draws(now, new_shapes.at(name)));
    }
    return how_by_name;
}

// The columns (of W_output: rows) of heads side by side, each `now` wide and before `before`.
std::vector<int> side_by_side(int n_heads, int now, int n_heads_before, int before) {
    std::vector<int> places;
    for (int head = 0; head < n_heads; ++head) {
        for (int i = 0; i < now; ++i) places.push_back(head < n_heads_before && i < before ? head * before + i : -1);
    }
    return places;
}

// One axis at a new length, which for widths of heads is one head's.
void stretch(std::vector<int>& places, Axis axis, int length, int n_heads) {
    const int before = static_cast<int>(places.size());
    const bool is_of_heads = axis == Axis::key_dimensions || axis == Axis::value_dimensions;
    if (is_of_heads && before % n_heads == 0)
        places = side_by_side(n_heads, length, n_heads, before / n_heads);
    else
        places = counted_up_to(length, before);
}

// Numbers that no other tensor of the document has in this place: torch.rand, where those of the tensors before end.
std::map<std::string, Tensor> fresh_numbers(const Document& document, const Rearrangement& changed,
                                            const TensorShapes& new_shapes) {
    std::map<std::string, Tensor> fresh;
    MadeBy how{"rand", 123, 0, {}, {}};
    for (const std::string& name : tensors_in_order(document)) {
        const DocumentTensor& known = *find_document_tensor(name);
        const bool is_drawn = known.role == Role::weight_matrix || known.role == Role::projection;
        if (!is_drawn || !known.is_in_block()) continue;
        const Shape& shape = new_shapes.at(name);
        if (changed.count(name) > 0) {
            if (const Result<Tensor> made = make_tensor(how, shape)) fresh[name] = *made;
        }
        how.skip += static_cast<std::int64_t>(draws(how, shape));
    }
    return fresh;
}

void redraw(Document& document, const std::map<std::string, MadeBy>& how_by_name, const Rearrangement& changed) {
    for (const auto& [name, how] : how_by_name) {
        const DocumentTensor* known = find_document_tensor(name);
        const bool is_bias = known != nullptr && known->role == Role::bias; // its bound follows the rows of its matrix
        const bool has_changed = is_bias || changed.count(name) > 0 || how != document.made_by.at(name);
        if (!has_changed) continue;
        const Result<Tensor> redrawn = drawn(document, name, how, document.tensors.at(name).shape());
        if (redrawn) document.tensors[name] = *redrawn;
        if (redrawn)
            document.made_by[name] = how;
        else
            document.made_by.erase(name);
    }
}

} // namespace

Places Places::all_of(const Shape& shape) {
    return {counted(shape.planes), counted(shape.rows), counted(shape.cols), shape.rank};
}

Shape Places::shape() const {
    return {static_cast<int>(planes.size()), static_cast<int>(rows.size()), static_cast<int>(cols.size()), rank};
}

Tensor rearranged(const Tensor& from, const Places& places, const Tensor* fresh) {
    const Shape shape = places.shape();
    std::vector<float> values = fresh != nullptr ? fresh->values() : std::vector<float>(shape.size(), 0.0f);
    float* cell = values.data();
    for (int plane : places.planes) {
        for (int row : places.rows) {
            const bool is_new = plane < 0 || row < 0;
            const auto source = is_new ? std::span<const float>() : from.row(plane * from.shape().rows + row);
            for (int col : places.cols) {
                if (!is_new && col >= 0) *cell = source[static_cast<std::size_t>(col)];
                ++cell;
            }
        }
    }
    return Tensor(shape, values);
}

Rearrangement with_lengths(const Document& document, const std::map<Axis, int>& lengths) {
    Rearrangement changed;
    for (const auto& [name, tensor] : document.tensors) {
        const DocumentTensor* known = find_document_tensor(name);
        if (known == nullptr || known->role == Role::mask) continue;
        const Shape& shape = tensor.shape();
        const int n_heads = shape.rank == 3 ? 1 : n_heads_in(*known, document.attention);
        Places places = Places::all_of(shape);
        const auto rows = lengths.find(known->rows), cols = lengths.find(known->cols);
        if (rows != lengths.end()) stretch(places.rows, known->rows, rows->second, n_heads);
        if (cols != lengths.end()) stretch(places.cols, known->cols, cols->second, n_heads);
        if (places.shape() != shape) changed[name] = std::move(places);
    }
    return changed;
}

Rearrangement with_heads(const Document& document, int n_heads, int n_groups) {
    AttentionSettings after = document.attention;
    after.n_heads = n_heads;
    after.n_kv_heads = n_groups;
    Rearrangement changed;
    for (const auto& [name, tensor] : document.tensors) {
        const DocumentTensor* known = find_document_tensor(name);
        if (known == nullptr) continue;
        const Shape& shape = tensor.shape();
        const bool is_mask = known->role == Role::mask;
        const int before = is_mask ? document.attention.n_heads : n_heads_in(*known, document.attention);
        const int now = is_mask ? n_heads : n_heads_in(*known, after);
        Places places = Places::all_of(shape);
        const auto regroup = [&](std::vector<int>& along, Axis axis) {
            const int length = static_cast<int>(along.size());
            const bool is_of_heads = axis == Axis::key_dimensions || axis == Axis::value_dimensions;
            if (axis == Axis::heads) along = counted_up_to(n_heads, length);
            if (is_of_heads && length % before == 0)
                along = side_by_side(now, length / before, before, length / before);
        };
        const bool gains_planes = known->rows == Axis::past_keys && before == 1 && document.attention.projections;
        if (gains_planes) places.rank = 3;
        if (places.rank == 3 && (is_mask || has_heads(*known))) {
            if (!is_mask || shape.planes > 1) places.planes = counted_up_to(now, shape.planes);
        } else {
            regroup(places.rows, known->rows);
            regroup(places.cols, known->cols);
        }
        if (n_heads == 1 && places.rank == 3 && (is_mask || has_heads(*known))) places.rank = 2;
        if (places.shape() != shape) changed[name] = std::move(places);
    }
    return changed;
}

TensorShapes shapes_after(const Document& document, const Rearrangement& changed) {
    TensorShapes shapes = document.shapes();
    for (const auto& [name, places] : changed) shapes[name] = places.shape();
    return shapes;
}

void keep_what_fits(Document& document, const Rearrangement& changed) {
    for (const auto& [name, places] : changed) {
        document.tensors[name] = rearranged(document.tensors.at(name), places);
    }
    // A bias is drawn by the rows of its matrix, so that its own may be the truth no longer.
    for (const std::string& name : tensors_in_order(document)) {
        const bool is_bias = find_document_tensor(name)->role == Role::bias;
        if (changed.count(name) > 0 || is_bias) forget_untrue_made_by(document, name);
    }
}

void resize_tensors(Document& document, const Rearrangement& changed, NewCells new_cells) {
    const std::set<std::string> as_drawn = tensors_as_drawn(document);
    const TensorShapes new_shapes = shapes_after(document, changed);
    const std::map<std::string, MadeBy> how_by_name = how_to_redraw(document, as_drawn, new_shapes);
    std::map<std::string, Tensor> fresh;
    if (new_cells == NewCells::drawn) fresh = fresh_numbers(document, changed, new_shapes);
    for (const auto& [name, places] : changed) {
        const auto numbers = fresh.find(name);
        const Tensor* drawn_numbers = numbers == fresh.end() ? nullptr : &numbers->second;
        document.tensors[name] = rearranged(document.tensors.at(name), places, drawn_numbers);
        if (as_drawn.count(name) == 0) document.made_by.erase(name);
    }
    redraw(document, how_by_name, changed);
}

} // namespace lab
