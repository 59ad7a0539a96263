#include "engine/formats/npz.h"

#include <vector>

#include "engine/formats/json_lines.h"
#include "engine/formats/json_tensor.h"
#include "engine/formats/zip.h"

namespace lab {

static constexpr std::string_view kSuffix = ".npy";

static std::string without_suffix(const std::string& name) {
    const bool has_suffix =
        name.size() >= kSuffix.size() && name.compare(name.size() - kSuffix.size(), kSuffix.size(), kSuffix) == 0;
    return has_suffix ? name.substr(0, name.size() - kSuffix.size()) : name;
}

Result<std::map<std::string, Tensor>> read_npz(std::string_view bytes) {
    const Result<std::vector<ZipEntry>> entries = read_zip(bytes);
    if (!entries) return Error{entries.error()};
    std::map<std::string, Tensor> tensors;
    for (const ZipEntry& entry : *entries) {
        const std::string name = without_suffix(entry.name);
        if (tensors.count(name) > 0)
            return Error{"the array " + path_of("", name) + " stands twice in the archive but can be one tensor only"};
        const Result<Tensor> tensor = read_npy(entry.data, name == "mask");
        if (!tensor) return Error{"the array " + path_of("", name) + " " + tensor.error()};
        tensors.emplace(name, *tensor);
    }
    return tensors;
}

std::string write_npz(const std::map<std::string, Tensor>& tensors) {
    std::vector<ZipEntry> entries;
    for (const auto& [name, tensor] : tensors) entries.push_back({name + std::string(kSuffix), write_npy(tensor)});
    return write_zip(entries);
}

std::string write_json_tensors(const std::map<std::string, Tensor>& tensors) {
    std::string text;
    text.reserve(json_size(tensors));
    JsonLines lines(text, "");
    for (const auto& [name, tensor] : tensors) append_json(lines.begin(name), tensor, "  ");
    lines.end();
    text += "\n";
    return text;
}

} // namespace lab
