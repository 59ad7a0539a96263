#include <algorithm>

#include "app/session/completing.h"
#include "app/session/drawing.h"
#include "app/session/edits.h"
#include "app/session/resizing.h"
#include "app/session/stacking.h"

namespace lab {

namespace {

// The axes that are as long as the width.
std::map<Axis, int> lengths_of(const Document& document, const ResizeWidth& command) {
    switch (command.which) {
    case Width::d_in:
        if (is_one_stream(document.attention))
            return {{Axis::input_dimensions, command.n}, {Axis::model_dimensions, command.n}};
        return {{Axis::input_dimensions, command.n}};
    case Width::d_k: return {{Axis::key_dimensions, command.n}};
    case Width::d_v: return {{Axis::value_dimensions, command.n}};
    case Width::d_model: return {{Axis::model_dimensions, command.n}};
    case Width::d_ff: return {{Axis::hidden_dimensions, command.n}};
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
    const bool is_projected = command.which == Width::d_k || command.which == Width::d_v;
    if (!given && !document.attention.projections && is_projected) {
        return "there are no projections, so " + name + " is d_in";
    }
    if (command.which == Width::d_model && is_one_stream(document.attention))
        return "what is read and what is passed on are as wide, so d_model is d_in";
    return {};
}

std::string count_error(const char* name, int n, int least, int most) {
    if (n >= least && n <= most) return {};
    return std::string(name) + " can be " + std::to_string(least) + " to " + std::to_string(most) + " but is to be " +
           std::to_string(n);
}

// Groups are as large as one another: fewer of them where n_heads is not divisible.
AttentionSettings with_heads_shared_evenly(AttentionSettings settings) {
    if (!settings.n_kv_heads) return settings;
    int n = std::clamp(*settings.n_kv_heads, 1, settings.n_heads);
    while (settings.n_heads % n != 0) --n;
    if (n != *settings.n_kv_heads) settings.n_kv_heads = n == settings.n_heads ? std::nullopt : std::optional<int>(n);
    return settings;
}

Result<Done> set_heads(Document& document, const AttentionSettings& wanted) {
    const AttentionSettings& now = document.attention;
    if (wanted.n_heads == now.n_heads && n_groups(wanted) == n_groups(now)) return Done{};
    const Rearrangement changed = with_heads(document, wanted.n_heads, n_groups(wanted));
    if (Result<Done> fits = check_size(shapes_after(document, changed)); !fits) return fits;
    resize_tensors(document, changed, NewCells::drawn);
    document.attention.n_heads = wanted.n_heads;
    document.attention.n_kv_heads = wanted.n_kv_heads;
    return Done{};
}

} // namespace

Result<Document> edited(Document document, const ResizeWidth& command) {
    std::string error = width_error(document, command);
    if (!error.empty()) return Error{std::move(error)};
    const Rearrangement changed = with_lengths(document, lengths_of(document, command));
    if (const Result<Done> fits = check_size(shapes_after(document, changed)); !fits) return Error{fits.error()};
    resize_tensors(document, changed, NewCells::zeros);
    if (const Result<Done> done = complete(document); !done) return Error{done.error()};
    return document;
}

Result<Document> edited(Document document, const SetAttention& command) {
    for (const std::string& error : {count_error("n_heads", command.attention.n_heads, 1, kMostHeads),
                                     count_error("n_blocks", command.attention.blocks.n, 0, kMostBlocks)}) {
        if (!error.empty()) return Error{error};
    }
    AttentionSettings wanted = with_heads_shared_evenly(command.attention);
    // Inputs that serve as queries, keys and values are all split alike.
    if (!wanted.projections && !is_given_directly(document)) wanted.n_kv_heads.reset();
    restack(document, wanted.blocks.n);
    if (const Result<Done> done = set_heads(document, wanted); !done) return Error{done.error()};
    document.attention = wanted;
    if (const Result<Done> done = complete(document); !done) return Error{done.error()};
    return document;
}

} // namespace lab
