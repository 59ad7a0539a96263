#include "engine/document.h"

#include <algorithm>
#include <utility>

#include "engine/gradient.h"

namespace lab {

namespace {

// The same tensors.
bool have_equal_shapes(const Document& a, const Document& b) {
    return std::equal(
        a.tensors.begin(), a.tensors.end(), b.tensors.begin(), b.tensors.end(),
        [](const auto& x, const auto& y) { return x.first == y.first && x.second.shape() == y.second.shape(); });
}

} // namespace

Result<Program> build_program(const ProgramSource& source) {
    Result<Program> program = build_program(source.attention, source.shapes);
    if (!program || source.gradient.empty()) return program;
    const Result<GradientTarget> target = read_gradient_target(source.gradient, source.vocabulary);
    if (!target) return Error{target.error()};
    return with_gradients(std::move(program).value(), *target, source.shapes);
}

bool have_equal_programs(const Document& a, const Document& b) {
    const bool same_target = a.gradient == b.gradient && (a.gradient.empty() || a.vocabulary == b.vocabulary);
    return a.attention == b.attention && same_target && have_equal_shapes(a, b);
}

bool have_equal_forms(const Document& a, const Document& b) {
    return a.title == b.title && a.source == b.source && a.tokens == b.tokens && a.context_tokens == b.context_tokens &&
           a.vocabulary == b.vocabulary && a.attention == b.attention && a.made_by == b.made_by &&
           a.gradient == b.gradient && a.unknown_keys == b.unknown_keys && have_equal_shapes(a, b);
}

bool bit_equal(const Document& a, const Document& b) {
    return have_equal_forms(a, b) &&
           std::equal(a.tensors.begin(), a.tensors.end(), b.tensors.begin(),
                      [](const auto& x, const auto& y) { return bit_equal(x.second, y.second); });
}

} // namespace lab
