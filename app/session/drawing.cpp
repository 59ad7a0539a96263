#include "app/session/drawing.h"

#include <algorithm>

#include "app/session/sizes.h"
#include "engine/document_tensors.h"
#include "engine/formats/session_names.h"
#include "engine/initialisers.h"
#include "engine/tokenizer.h"

namespace lab {

Result<Tensor> drawn(const Document& document, const std::string& name, const MadeBy& how, const Shape& shape) {
    std::vector<int> ids;
    if (how.init == "embedding" && name == "inputs" && !document.vocabulary.empty()) {
        const Result<std::vector<int>> found = token_ids(document.tokens, document.vocabulary);
        if (!found) return Error{found.error()};
        ids = *found;
    }
    FillContext context;
    context.token_ids = ids;
    const DocumentTensor* known = find_document_tensor(name);
    const std::string prefix(block_prefix(name));
    const auto matrix = document.tensors.find(known == nullptr ? "" : prefix + known->matrix);
    if (matrix != document.tensors.end()) context.fan_in = matrix->second.shape().rows;
    return make_tensor(how, shape, context);
}

bool is_as_drawn(const Document& document, const std::string& name) {
    const auto how = document.made_by.find(name);
    const auto tensor = document.tensors.find(name);
    if (how == document.made_by.end() || tensor == document.tensors.end()) return false;
    const Result<Tensor> expected = drawn(document, name, how->second, tensor->second.shape());
    return expected && bit_equal(*expected, tensor->second);
}

void forget_untrue_made_by(Document& document, const std::string& name) {
    if (document.made_by.count(name) > 0 && !is_as_drawn(document, name)) document.made_by.erase(name);
}

std::vector<int> counted(int n) { return counted_up_to(n, n); }

std::vector<int> counted_up_to(int n, int n_existing) {
    std::vector<int> numbers;
    for (int i = 0; i < n; ++i) numbers.push_back(i < n_existing ? i : -1);
    return numbers;
}

Result<Done> check_shapes(const AttentionSettings& attention, const TensorShapes& shapes) {
    const Result<Program> program = build_program(attention, shapes);
    if (!program) return Error{program.error()};
    return Done{};
}

Result<Done> check_size(const TensorShapes& shapes) {
    std::vector<std::string> names;
    for (const auto& [name, shape] : shapes) names.push_back(name);
    std::sort(names.begin(), names.end(), stands_before);
    std::uint64_t n_cells = 0;
    for (const std::string& name : names) {
        const Shape& shape = shapes.at(name);
        n_cells += shape.n_cells();
        if (n_cells <= kMostCells) continue;
        return Error{name + " is " + shape.to_text() + ", which brings the tensors to " + std::to_string(n_cells) +
                     " numbers, but " + std::to_string(kMostCells) + " is the most"};
    }
    return Done{};
}

Result<Done> use_own_mask(Document& document) {
    if (document.tensors.count("mask") == 0) {
        TensorShapes shapes = document.shapes();
        const Shape& shape = shapes["mask"] = Shape::matrix(n_queries(document), n_keys(document));
        if (Result<Done> fits = check_size(shapes); !fits) return fits;
        document.tensors["mask"] = Tensor(shape);
        document.made_by.erase("mask");
    }
    if (document.attention.mask == MaskKind::none) document.attention.mask = MaskKind::tensor;
    return Done{};
}

} // namespace lab
