#include "app/command_line/gradient_option.h"

#include <algorithm>
#include <map>

#include "app/files.h"
#include "engine/formats/npz.h"
#include "engine/gradient.h"

namespace lab {

namespace {

Result<Tensor> array_called(const std::map<std::string, Tensor>& arrays, const std::string& name,
                            const std::string& path) {
    for (const std::string& wanted : {name, std::string("target")}) {
        if (const auto found = arrays.find(wanted); found != arrays.end()) return found->second;
    }
    if (arrays.size() == 1) return arrays.begin()->second;
    std::string names;
    for (const auto& [present, tensor] : arrays) names += (names.empty() ? "" : ", ") + present;
    return Error{path + " has no array '" + name + "' or 'target' but " + (names.empty() ? "none at all" : names)};
}

// In a session the tensor `target` is what a distance is measured to; an option names a file.
Error as_options_have_it(std::string sentence) {
    constexpr std::string_view kInSession = "distance(NAME)";
    const std::size_t begin = sentence.find(kInSession);
    return Error{begin == std::string::npos ? sentence
                                            : sentence.replace(begin, kInSession.size(), "distance(NAME,FILE.npz)")};
}

} // namespace

Result<Done> take_gradient(Document& document, const std::string& target) {
    constexpr std::string_view kDistance = "distance(";
    const std::size_t comma = target.find(',');
    const bool has_file = target.starts_with(kDistance) && target.ends_with(")") && comma != std::string::npos;
    if (!has_file) {
        if (const auto read = read_gradient_target(target, document.vocabulary); !read)
            return as_options_have_it(read.error());
        document.gradient = target;
        return Done{};
    }
    const std::string name = target.substr(kDistance.size(), comma - kDistance.size());
    const std::size_t begin = std::min(target.find_first_not_of(' ', comma + 1), target.size() - 1);
    const std::string path = target.substr(begin, target.size() - 1 - begin);
    const Result<std::string> bytes = read_file(path);
    if (!bytes) return Error{bytes.error()};
    const Result<std::map<std::string, Tensor>> arrays = read_npz(*bytes);
    if (!arrays) return Error{path + ": " + arrays.error()};
    const Result<Tensor> to = array_called(*arrays, name, path);
    if (!to) return Error{to.error()};
    document.tensors["target"] = *to;
    document.gradient = std::string(kDistance) + name + ")";
    return Done{};
}

} // namespace lab
