#include "app/session/stacking.h"

#include "app/session/drawing.h"
#include "app/session/sizes.h"

namespace lab {

namespace {

void rename_tensor(Document& document, const std::string& from, const std::string& to) {
    if (auto tensor = document.tensors.extract(from)) {
        tensor.key() = to;
        document.tensors.erase(to);
        document.tensors.insert(std::move(tensor));
    }
    if (auto how = document.made_by.extract(from)) {
        how.key() = to;
        document.made_by.erase(to);
        document.made_by.insert(std::move(how));
    }
}

bool is_of_block(const std::string& name, int block) { return block_prefix(name) == prefix_of_block(block); }

void drop_blocks(Document& document, int first, int end) {
    for (const std::string& name : tensors_in_order(document)) {
        for (int block = first; block < end; ++block) {
            if (!is_of_block(name, block)) continue;
            document.tensors.erase(name);
            document.made_by.erase(name);
        }
    }
}

void copy_what_is_optional(Document& document, int first, int end) {
    for (const std::string& name : tensors_in_order(document)) {
        const DocumentTensor& known = *find_document_tensor(name);
        const bool is_past = known.rows == Axis::past_keys;
        const bool is_optional =
            is_past || (known.role == Role::bias && !std::string_view(known.name).ends_with("gain"));
        if (!is_of_block(name, 0) || !is_optional) continue;
        const Tensor& model = document.tensors.at(name);
        for (int block = first; block < end; ++block) {
            const std::string copy = prefix_of_block(block) + known.name;
            document.tensors[copy] = is_past ? model : Tensor(model.shape());
        }
    }
}

} // namespace

void restack(Document& document, int n_blocks) {
    const int n_before = document.attention.blocks.n;
    document.attention.blocks.n = n_blocks;
    if (n_blocks == n_before) return;
    drop_blocks(document, std::max(1, n_blocks), n_before);
    for (const std::string& name : tensors_in_order(document)) {
        const std::string own(name_in_block(name));
        const bool is_bare = own == name && find_document_tensor(name)->is_in_block();
        if (n_before == 0 && is_bare) rename_tensor(document, name, prefix_of_block(0) + own);
        if (n_blocks == 0 && is_of_block(name, 0)) rename_tensor(document, name, own);
    }
    if (n_blocks > 0) copy_what_is_optional(document, std::max(1, n_before), n_blocks);
}

} // namespace lab
