#include "app/session/resizing.h"

#include <algorithm>
#include <optional>

#include "app/session/drawing.h"
#include "app/session/narration_text.h"
#include "engine/document_tensors.h"
#include "engine/initialisers.h"

namespace lab {

namespace {

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

// Whether all numbers could be torch.rand's; else they are taken for a linear layer's.
bool lies_between_0_and_1(const Tensor& tensor) {
    const std::vector<float> values = tensor.values();
    return std::all_of(values.begin(), values.end(), [](float x) { return x >= 0 && x <= 1; });
}

// How the new cells of a tensor are filled: as its own were, or as its numbers look; nothing where with zeros.
std::optional<MadeBy> how_new_cells_are_made(const Document& document, const std::string& name, NewCells new_cells) {
    if (is_as_drawn(document, name)) return document.made_by.at(name);
    const DocumentTensor& known = *find_document_tensor(name);
    const bool is_drawn = known.role == Role::weight_matrix || known.role == Role::projection;
    if (new_cells == NewCells::zeros || !is_drawn || !known.is_in_block()) return {};
    if (known.rows == Axis::heads) return MadeBy{"randn", 0, 0, {}, {}};
    return MadeBy{lies_between_0_and_1(document.tensors.at(name)) ? "rand" : "linear", 0, 0, {}, {}};
}

// Another seed for every tensor and size (FNV-1a), so that no two tensors share a stream and no two heads are alike.
std::uint64_t seed_for(const std::string& name, const Shape& shape) {
    std::uint32_t hash = 2166136261u;
    for (const char letter : name + " " + shape.to_text()) {
        hash ^= static_cast<unsigned char>(letter);
        hash *= 16777619u;
    }
    return hash;
}

// Whether there are more cells than before, and as many more that are 0: some grow by ids, or by rows of their own that are drawn.
bool has_gained_zeros(const Tensor& before, const Tensor& after) {
    const auto n_zeros = [](const Tensor& tensor) {
        const std::vector<float> values = tensor.values();
        return static_cast<std::size_t>(std::count(values.begin(), values.end(), 0.0f));
    };
    const std::size_t n_before = before.shape().size(), n_after = after.shape().size();
    return n_after > n_before && n_zeros(after) >= n_zeros(before) + (n_after - n_before);
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

Result<Tensor> fresh_numbers(const Document& document, const std::string& name, MadeBy how, const Shape& shape) {
    how.seed = seed_for(name, shape);
    how.skip = 0;
    return drawn(document, name, how, shape);
}

void resize_tensors(Document& document, const Rearrangement& changed, NewCells new_cells) {
    std::map<std::string, Tensor> fresh;
    for (const auto& [name, places] : changed) {
        const std::optional<MadeBy> how = how_new_cells_are_made(document, name, new_cells);
        if (!how) continue;
        if (const Result<Tensor> made = fresh_numbers(document, name, *how, places.shape())) fresh[name] = *made;
    }
    for (const auto& [name, places] : changed) {
        const auto numbers = fresh.find(name);
        const Tensor* fresh_cells = numbers == fresh.end() ? nullptr : &numbers->second;
        document.tensors[name] = rearranged(document.tensors.at(name), places, fresh_cells);
    }
    // A bias is drawn by the rows of its matrix, so that its own may be the truth no longer.
    for (const std::string& name : tensors_in_order(document)) {
        const bool is_bias = find_document_tensor(name)->role == Role::bias;
        if (changed.count(name) > 0 || is_bias) forget_untrue_made_by(document, name);
    }
}

std::string padding_note(const Document& before, const Document& after) {
    std::vector<std::string> padded;
    for (const std::string& name : tensors_in_order(after)) {
        const auto old = before.tensors.find(name);
        const bool is_mask = find_document_tensor(name)->role == Role::mask; // whose 0 allows
        if (is_mask || old == before.tensors.end()) continue;
        if (!has_gained_zeros(old->second, after.tensors.at(name))) continue;
        if (!is_as_drawn(before, name) && !is_as_drawn(after, name)) padded.push_back(name);
    }
    if (padded.empty()) return {};
    const bool is_one = padded.size() == 1;
    return "the new cells of " + tied_text(padded) + " are 0, since " + (is_one ? "its" : "their") +
           " numbers are not those of a seed; fill " + (is_one ? "it" : "them") + " to draw all anew";
}

} // namespace lab
