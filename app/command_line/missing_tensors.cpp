#include "app/command_line/missing_tensors.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/tensor_name.h"

namespace lab {

namespace {

constexpr std::size_t kMostNamed = 6;

// The name in "the tensor NAME is missing but …", as the engine says it.
std::optional<std::string> missing_name(const std::string& sentence) {
    constexpr std::string_view kBefore = "the tensor ", kAfter = " is missing but ";
    const std::size_t end = sentence.find(kAfter);
    if (!sentence.starts_with(kBefore) || end == std::string::npos) return std::nullopt;
    return sentence.substr(kBefore.size(), end - kBefore.size());
}

// The shape that a block's tensor would have: as outside of blocks, or as in the first.
std::optional<Shape> likely_shape(const TensorShapes& shapes, const std::string& name) {
    const std::string own(name_in_block(name));
    for (const std::string& like : {own, prefix_of_block(0) + own}) {
        if (const auto found = shapes.find(like); like != name && found != shapes.end()) return found->second;
    }
    return std::nullopt;
}

// A few, one after the other, each taken to be there once it is known to be missing.
std::vector<std::string> missing_names(const Document& document) {
    std::vector<std::string> names;
    ProgramSource source(document);
    while (names.size() <= kMostNamed) {
        const Result<Program> program = build_program(source);
        const std::optional<std::string> name = program ? std::nullopt : missing_name(program.error());
        if (!name) return names;
        names.push_back(*name);
        const std::optional<Shape> shape = likely_shape(source.shapes, *name);
        if (!shape) return names;
        source.shapes[*name] = *shape;
    }
    return names;
}

} // namespace

std::string how_to_give_what_is_missing(const Document& document, bool has_settings) {
    const std::vector<std::string> names = missing_names(document);
    if (names.empty()) return {};
    if (names[0] == "target") return "; distance(NAME,FILE.npz) gives it";
    std::string text;
    for (std::size_t i = 1; i < std::min(names.size(), kMostNamed); ++i)
        text += (i > 1 ? ", " : i + 1 == names.size() ? ", as is " : ", as are ") + names[i];
    if (names.size() > kMostNamed) text += " and more";
    const std::string them = names.size() == 1 ? "it" : "them";
    text += "; give " + them + " with --tensors";
    if (!has_settings) return text;
    return text + ", or choose the setting in the window, which makes " + them + ", and save the session";
}

} // namespace lab
