#include "engine/document.h"

#include <algorithm>

namespace lab {

bool have_equal_programs(const Document& a, const Document& b) {
    return a.attention == b.attention &&
           std::equal(
               a.tensors.begin(), a.tensors.end(), b.tensors.begin(), b.tensors.end(),
               [](const auto& x, const auto& y) { return x.first == y.first && x.second.shape() == y.second.shape(); });
}

bool bit_equal(const Document& a, const Document& b) {
    const bool same_text = a.title == b.title && a.source == b.source && a.tokens == b.tokens &&
                           a.context_tokens == b.context_tokens && a.vocabulary == b.vocabulary &&
                           a.attention == b.attention && a.made_by == b.made_by && a.gradient == b.gradient &&
                           a.unknown_keys == b.unknown_keys;
    return same_text &&
           std::equal(a.tensors.begin(), a.tensors.end(), b.tensors.begin(), b.tensors.end(),
                      [](const auto& x, const auto& y) { return x.first == y.first && bit_equal(x.second, y.second); });
}

} // namespace lab
