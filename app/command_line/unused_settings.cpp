#include "app/command_line/unused_settings.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace lab {

namespace {

// Why the key changes nothing, or nothing.
std::string why_unused(const AttentionSettings& settings, const std::string& key) {
    const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
        return std::find(names.begin(), names.end(), key) != names.end();
    };
    const Blocks& blocks = settings.blocks;
    if (is_one_of({"mlp", "residual", "norm_position"}) && blocks.n == 0) return "n_blocks is 0";
    if (key == "norm" && blocks.n == 0 && !blocks.final_norm) return "n_blocks is 0 and final_norm is false";
    if (is_one_of({"norm_epsilon", "final_norm"}) && blocks.norm == Norm::none) return "norm is \"none\"";
    if (key == "prefix" && settings.mask != MaskKind::prefix) return "mask is not \"prefix\"";
    if (key == "window" && settings.mask != MaskKind::sliding_window) return "mask is not \"sliding_window\"";
    if (key == "top_k" && settings.normalization != Normalization::top_k_softmax)
        return "normalization is not \"top_k_softmax\"";
    if (key.starts_with("rope_") && settings.position != Position::rope) return "position is not \"rope\"";
    if (key == "dropout_seed" && settings.dropout == 0) return "dropout is 0";
    return {};
}

} // namespace

std::vector<std::string> unused_settings(const Document& document, const std::vector<std::string>& keys) {
    std::vector<std::string> sentences;
    for (const std::string& key : keys) {
        const std::string why = why_unused(document.attention, key);
        if (!why.empty()) sentences.push_back(key + " has no effect, since " + why);
    }
    if (document.tensors.count("mask") > 0 && document.attention.mask == MaskKind::none)
        sentences.push_back("the tensor mask has no effect, since mask is \"none\"");
    return sentences;
}

} // namespace lab
