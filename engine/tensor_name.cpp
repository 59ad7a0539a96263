#include "engine/tensor_name.h"

#include <cstddef>

namespace lab {

namespace {

constexpr std::string_view kBlocks = "blocks.";
constexpr std::string_view kGradient = "grad.";

} // namespace

std::string_view block_prefix(std::string_view name) {
    if (!name.starts_with(kBlocks)) return {};
    std::size_t end = kBlocks.size();
    while (end < name.size() && name[end] >= '0' && name[end] <= '9') ++end;
    const bool is_number = end > kBlocks.size() && (name[kBlocks.size()] != '0' || end == kBlocks.size() + 1);
    return is_number && end < name.size() && name[end] == '.' ? name.substr(0, end + 1) : std::string_view();
}

std::string_view name_in_block(std::string_view name) { return name.substr(block_prefix(name).size()); }

std::string prefix_of_block(int block) { return std::string(kBlocks) + std::to_string(block) + "."; }

std::string gradient_name(std::string_view of) { return std::string(kGradient) + std::string(of); }

std::string_view name_without_gradient(std::string_view name) {
    return name.starts_with(kGradient) ? name.substr(kGradient.size()) : name;
}

} // namespace lab
