#include "app/command_line/tensors_option.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "app/files.h"
#include "engine/count_text.h"
#include "engine/document_tensors.h"
#include "engine/formats/npz.h"

namespace lab {

namespace {

using Arrays = std::map<std::string, Tensor>;
using Names = std::vector<std::string>;

// What cannot stand beside one another, since both say where the same rows come from.
struct Replacement {
    Names given;    // any of these
    Names replaced; // takes the place of all of these
};
const std::vector<Replacement>& replacements() {
    static const Names projected{"queries", "keys", "values"};
    static const std::vector<Replacement> all = {
        {projected,
         {"token_ids", "inputs", "context_inputs", "W_query", "b_query", "W_key", "b_key", "W_value", "b_value"}},
        {{"inputs", "token_ids"}, projected},
        {{"inputs"}, {"token_ids"}},
        {{"token_ids"}, {"inputs"}},
    };
    return all;
}

// Leaves out what the session gives and the file's arrays contradict; where the file contradicts itself, nothing can be chosen.
void make_way(SessionFile& file, const Arrays& arrays, const std::string& path) {
    const auto is_in_file = [&](const std::string& name) { return arrays.count(name) > 0; };
    for (const Replacement& replacement : replacements()) {
        Names given, left_out;
        std::copy_if(replacement.given.begin(), replacement.given.end(), std::back_inserter(given), is_in_file);
        if (given.empty()) continue;
        for (const std::string& name : replacement.replaced) {
            if (is_in_file(name) || file.document.tensors.erase(name) == 0) continue;
            file.document.made_by.erase(name);
            left_out.push_back(name);
        }
        if (left_out.empty()) continue;
        file.notes.push_back(path + " gives " + listed(given) + ", so that the session's " + listed(left_out) +
                             (left_out.size() == 1 ? " is" : " are") + " left out");
    }
}

// Words that no longer name the rows of a tensor from the file are left out.
void drop_stale_words(SessionFile& file, RowWords kind, const Arrays& arrays) {
    const bool are_tokens = kind == RowWords::tokens;
    Words& words = are_tokens ? file.document.tokens : file.document.context_tokens;
    const DocumentTensor* named = find_named_by(file.document, kind);
    if (words.empty() || named == nullptr) return;
    const bool is_in_file = arrays.count(named->name) > 0 || arrays.count(prefix_of_block(0) + named->name) > 0;
    const auto n_rows = static_cast<std::size_t>(n_rows_named_by(file.document, kind));
    if (!is_in_file || words.size() == n_rows) return;
    file.notes.push_back(std::string(are_tokens ? "tokens" : "context_tokens") + " has " +
                         count_text(words.size(), "word") + " but " + named->name + " now has " +
                         count_text(n_rows, named->ranks.most == 1 ? "number" : "row") + "; the words are left out");
    words.clear();
}

// "1 nan and 2 infinite numbers"; empty where all are finite. A mask's −∞ is what masks are made of.
std::string not_finite(const Tensor& tensor, bool is_mask) {
    std::size_t n_nan = 0, n_infinite = 0;
    for (float cell : tensor.values()) {
        n_nan += std::isnan(cell) ? 1 : 0;
        n_infinite += std::isinf(cell) && !(is_mask && cell < 0) ? 1 : 0;
    }
    std::string text = n_nan == 0 ? "" : std::to_string(n_nan) + " nan";
    if (n_infinite > 0) text += (text.empty() ? "" : " and ") + count_text(n_infinite, "infinite number");
    return text;
}

} // namespace

Result<Done> take_tensors(SessionFile& file, const std::string& path) {
    const Result<std::string> bytes = read_file(path);
    if (!bytes) return Error{bytes.error()};
    const Result<Arrays> arrays = read_npz(*bytes);
    if (!arrays) return Error{path + ": " + arrays.error()};
    make_way(file, *arrays, path);
    for (const auto& [name, tensor] : *arrays) {
        const DocumentTensor* known = find_document_tensor(name);
        if (known == nullptr) {
            file.notes.push_back(path + ": '" + name + "' is not a tensor that a session holds; it is left out");
            continue;
        }
        file.document.tensors[name] = tensor;
        const std::string odd = not_finite(tensor, known->role == Role::mask);
        if (!odd.empty()) file.notes.push_back(path + ": " + name + " has " + odd);
    }
    for (const RowWords kind : {RowWords::tokens, RowWords::context_tokens}) drop_stale_words(file, kind, *arrays);
    return Done{};
}

} // namespace lab
