#include "app/session/completing.h"

#include <algorithm>
#include <numeric>

#include "app/session/drawing.h"
#include "app/session/needs.h"
#include "app/session/resizing.h"
#include "app/session/vocabulary.h"
#include "engine/initialisers.h"

namespace lab {

namespace {

void fit_lengths(std::vector<int>& lengths, int n_keys) {
    if (lengths.empty()) return;
    int missing = n_keys - std::accumulate(lengths.begin(), lengths.end(), 0);
    if (missing > 0) lengths.back() += missing;
    while (missing < 0) {
        const int taken = std::min(-missing, lengths.back());
        lengths.back() -= taken;
        missing += taken;
        if (lengths.back() == 0) lengths.pop_back();
    }
}

void fit_lengths_to_keys(Document& document) {
    AttentionSettings& settings = document.attention;
    fit_lengths(settings.document_lengths, n_keys(document));
    if (settings.nonpad_keys) settings.nonpad_keys = std::min(*settings.nonpad_keys, n_keys(document));
}

// As many rotated dimensions as there is room for.
void fit_rope(Document& document) {
    AttentionSettings& settings = document.attention;
    if (settings.position != Position::rope) return;
    const int d_k =
        key_width(document, block_prefixes(settings).front()).value_or(usual_projection_width(input_width(document)));
    const bool is_odd = !settings.rope.dims && d_k % 2 == 1;
    const bool sticks_out = settings.rope.dims && *settings.rope.dims > d_k;
    if ((is_odd || sticks_out) && d_k > 1) settings.rope.dims = d_k / 2 * 2;
}

// The mask's shape with as many rows and columns as there are queries and keys; nothing where there is none.
std::optional<Places> mask_places(const Document& document) {
    const auto mask = document.tensors.find("mask");
    const bool is_there = mask != document.tensors.end();
    if (!is_there && document.attention.mask != MaskKind::tensor) return {};
    const Shape before = is_there ? mask->second.shape() : Shape::matrix(0, 0);
    return Places{counted(before.planes), counted_up_to(n_queries(document), before.rows),
                  counted_up_to(n_keys(document), before.cols), before.rank};
}

void fit_mask(Document& document, const Places& places) {
    const bool is_there = has_tensor(document, "mask");
    if (is_there && places.shape() == document.tensors.at("mask").shape()) return;
    document.tensors["mask"] = is_there ? rearranged(document.tensors.at("mask"), places) : Tensor(places.shape());
    forget_untrue_made_by(document, "mask");
}

// How it is drawn, after the numbers that other parameters were drawn from with the same seed.
MadeBy beside_other_streams(const Document& document, const Need& need) {
    MadeBy how = need.how;
    if (!find_initialiser(how.init)->needs_seed) return how;
    const auto n = static_cast<std::int64_t>(draws(how, need.shape));
    for (bool has_moved = true; has_moved;) {
        has_moved = false;
        for (const auto& [name, other] : document.made_by) {
            const DocumentTensor* known = find_document_tensor(name);
            const auto tensor = document.tensors.find(name);
            const bool is_parameter = known != nullptr && known->is_parameter() && known->rows != Axis::vocabulary;
            if (!is_parameter || tensor == document.tensors.end() || other.seed != how.seed) continue;
            const std::int64_t end = other.skip + static_cast<std::int64_t>(draws(other, tensor->second.shape()));
            if (end <= how.skip || other.skip >= how.skip + n) continue;
            how.skip = end;
            has_moved = true;
        }
    }
    return how;
}

Result<Done> make(Document& document, const Need& need) {
    const auto found = document.tensors.find(need.name);
    if (found != document.tensors.end() && found->second.shape() == need.shape) return Done{};
    if (found == document.tensors.end()) {
        const MadeBy how = beside_other_streams(document, need);
        const Result<Tensor> made = drawn(document, need.name, how, need.shape);
        if (!made) return Error{need.name + ": " + made.error()};
        document.tensors[need.name] = *made;
        document.made_by[need.name] = how;
        return Done{};
    }
    // Positions go on in the stream that they alone have; others would run into the next tensor's.
    const bool has_own_stream = find_document_tensor(need.name)->rows == Axis::positions;
    const Result<Tensor> made = has_own_stream ? drawn(document, need.name, need.how, need.shape)
                                               : fresh_numbers(document, need.name, need.how, need.shape);
    if (!made) return Error{need.name + ": " + made.error()};
    const Shape before = found->second.shape();
    const Places places{counted_up_to(need.shape.planes, before.planes), counted_up_to(need.shape.rows, before.rows),
                        counted_up_to(need.shape.cols, before.cols), need.shape.rank};
    found->second = rearranged(found->second, places, &*made);
    forget_untrue_made_by(document, need.name);
    return Done{};
}

void prepare_vocabulary(Document& document) {
    const bool has_ids = has_tensor(document, "token_ids");
    const bool is_looked_at = document.attention.blocks.unembedding != Unembedding::none;
    if (!is_looked_at || has_ids || has_tensor(document, "W_unembedding") || n_tokens(document) == 0) return;
    if (document.tokens.empty()) number_tokens(document);
    if (document.vocabulary.empty()) add_to_vocabulary(document, document.tokens);
}

} // namespace

Result<Done> complete(Document& document) {
    if (document.tensors.empty()) return Done{};
    const bool is_tied = document.attention.blocks.unembedding == Unembedding::tied;
    if (is_tied && has_tensor(document, "inputs")) look_inputs_up(document);
    prepare_vocabulary(document);
    fit_lengths_to_keys(document);
    fit_rope(document);
    const std::vector<Need> needs = needs_of(document);
    const std::optional<Places> mask = mask_places(document);
    TensorShapes shapes = document.shapes();
    for (const Need& need : needs) shapes[need.name] = need.shape;
    if (mask) shapes["mask"] = mask->shape();
    if (Result<Done> fits = check_shapes(document.attention, shapes); !fits) return fits;
    for (const Need& need : needs) {
        if (Result<Done> made = make(document, need); !made) return made;
    }
    if (mask) fit_mask(document, *mask);
    return Done{};
}

} // namespace lab
