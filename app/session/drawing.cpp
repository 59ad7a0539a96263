#include "app/session/drawing.h"

#include <algorithm>

#include "engine/document_tensors.h"
#include "engine/initialisers.h"
#include "engine/tokenizer.h"

namespace lab {

namespace {

// As the worked examples have it: 3 → 2, 4 → 3; wide inputs keep their width.
int usual_projection_width(int d_in) { return d_in >= 2 && d_in <= 4 ? d_in - 1 : d_in; }

} // namespace

bool has_tensor(const Document& document, const std::string& name) { return document.tensors.count(name) > 0; }

bool is_given_directly(const Document& document) { return has_tensor(document, "queries"); }

int n_tokens(const Document& document) { return n_rows_named_by(document, RowWords::tokens); }

int n_key_tokens(const Document& document) {
    const bool has_own = find_named_by(document, RowWords::context_tokens) != nullptr;
    return n_rows_named_by(document, has_own ? RowWords::context_tokens : RowWords::tokens);
}

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
    const auto matrix = document.tensors.find(known == nullptr ? "" : known->matrix);
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

void add_to_vocabulary(Document& document, const std::string& word) {
    auto& words = document.vocabulary;
    const auto place = std::lower_bound(words.begin(), words.end(), word);
    if (place == words.end() || *place != word) words.insert(place, word);
}

Tensor gathered(const Tensor& from, const std::vector<int>& rows, const std::vector<int>& cols) {
    Shape shape = from.shape();
    const int n_rows_before = shape.rows;
    shape.rows = static_cast<int>(rows.size());
    shape.cols = static_cast<int>(cols.size());
    std::vector<float> values(shape.size(), 0.0f);
    float* cell = values.data();
    for (int plane = 0; plane < shape.planes; ++plane) {
        for (int row : rows) {
            const auto source = row < 0 ? std::span<const float>() : from.row(plane * n_rows_before + row);
            for (int col : cols) {
                if (row >= 0 && col >= 0) *cell = source[static_cast<std::size_t>(col)];
                ++cell;
            }
        }
    }
    return Tensor(shape, values);
}

std::vector<int> counted(int n) { return counted_up_to(n, n); }

std::vector<int> counted_up_to(int n, int n_existing) {
    std::vector<int> numbers;
    for (int i = 0; i < n; ++i) numbers.push_back(i < n_existing ? i : -1);
    return numbers;
}

TensorShapes with_missing_projections(const AttentionSettings& attention, TensorShapes shapes) {
    const auto cols_of = [&](const char* name) {
        const auto found = shapes.find(name);
        return found == shapes.end() ? 0 : found->second.cols;
    };
    const int d_in = cols_of("inputs");
    if (!attention.projections || d_in == 0) return shapes;
    const int d_k_given = std::max(cols_of("W_query"), cols_of("W_key"));
    const int d_k = d_k_given > 0 ? d_k_given : usual_projection_width(d_in);
    for (const DocumentTensor& matrix : kDocumentTensors) {
        if (!matrix.is_input_projection()) continue;
        const bool is_value = matrix.cols == Axis::value_dimensions;
        shapes.try_emplace(matrix.name, Shape::matrix(d_in, is_value ? usual_projection_width(d_in) : d_k));
    }
    return shapes;
}

Result<Done> check_shapes(const AttentionSettings& attention, const TensorShapes& shapes) {
    const Result<Program> program = build_program(attention, shapes);
    if (!program) return Error{program.error()};
    return Done{};
}

Result<Done> add_missing_projections(Document& document) {
    const TensorShapes shapes = with_missing_projections(document.attention, document.shapes());
    if (shapes.size() == document.tensors.size()) return Done{};
    if (Result<Done> fits = check_shapes(document.attention, shapes); !fits) return fits;
    MadeBy how{"rand", 123, 0, {}, {}};
    for (const DocumentTensor& matrix : kDocumentTensors) {
        if (!matrix.is_input_projection()) continue;
        const Shape& shape = shapes.at(matrix.name);
        if (!has_tensor(document, matrix.name)) {
            const Result<Tensor> made = make_tensor(how, shape);
            if (!made) return Error{std::string(matrix.name) + ": " + made.error()};
            document.tensors[matrix.name] = *made;
            document.made_by[matrix.name] = how;
        }
        how.skip += static_cast<std::int64_t>(draws(how, shape));
    }
    return Done{};
}

} // namespace lab
