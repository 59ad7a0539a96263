#include "engine/initialisers.h"

#include <algorithm>
#include <cmath>

#include "engine/random.h"

namespace lab {

namespace {

using Numbers = std::vector<float>;

// A layer's view of a tensor: in × out, where a stack of heads stands side by side.
struct LayerSize {
    int n_in = 0;
    int n_out = 0;
};

LayerSize layer_size(const Shape& shape) { return {shape.rows, shape.planes * shape.cols}; }

// weight [out × in], as PyTorch's layer draws it; result in the order of `shape`: [in × out], or heads × in ×
// out.
Numbers transposed_weight(const Numbers& weight, const Shape& shape) {
    Numbers numbers;
    numbers.reserve(weight.size());
    const std::size_t n_in = static_cast<std::size_t>(shape.rows), n_cols = static_cast<std::size_t>(shape.cols);
    for (std::size_t plane = 0; plane < static_cast<std::size_t>(shape.planes); ++plane) {
        for (std::size_t row = 0; row < n_in; ++row) {
            for (std::size_t col = 0; col < n_cols; ++col) {
                numbers.push_back(weight[(plane * n_cols + col) * n_in + row]);
            }
        }
    }
    return numbers;
}

Numbers uniform_weight(Generator& generator, const Shape& shape, double bound) {
    const Numbers weight = rand_between(generator, shape.size(), static_cast<float>(-bound), static_cast<float>(bound));
    return transposed_weight(weight, shape);
}

Numbers normal_weight(Generator& generator, const Shape& shape, double deviation) {
    Numbers weight = randn(generator, shape.size());
    for (float& number : weight) number *= static_cast<float>(deviation);
    return transposed_weight(weight, shape);
}

// The formulas of torch.nn.init in Python's own order of operations, so that the bounds have the same bits.
double kaiming_deviation(double a, int fan_in) {
    return std::sqrt(2.0 / (1.0 + a * a)) / std::sqrt(static_cast<double>(fan_in));
}

double xavier_deviation(const Shape& shape) {
    const LayerSize size = layer_size(shape);
    return std::sqrt(2.0 / (static_cast<double>(size.n_in) + static_cast<double>(size.n_out)));
}

double linear_weight_bound(int fan_in) { return std::sqrt(3.0) * kaiming_deviation(std::sqrt(5.0), fan_in); }

Numbers fill_identity(const Shape& shape) {
    Numbers numbers(shape.size(), 0.0f);
    const std::size_t n_rows = static_cast<std::size_t>(shape.rows), n_cols = static_cast<std::size_t>(shape.cols);
    for (std::size_t plane = 0; plane < static_cast<std::size_t>(shape.planes); ++plane) {
        for (std::size_t i = 0; i < std::min(n_rows, n_cols); ++i) numbers[(plane * n_rows + i) * n_cols + i] = 1.0f;
    }
    return numbers;
}

Numbers fill_linear(Generator& generator, const Shape& shape, const FillContext& context) {
    if (shape.rank > 1) return uniform_weight(generator, shape, linear_weight_bound(shape.rows));
    const float bound = static_cast<float>(1.0 / std::sqrt(static_cast<double>(context.fan_in)));
    return rand_between(generator, shape.size(), -bound, bound);
}

Numbers fill_embedding(Generator& generator, const Shape& shape, const MadeBy& how, const FillContext& context) {
    std::vector<int> rows(context.token_ids.begin(), context.token_ids.end());
    for (int row = static_cast<int>(rows.size()); row < shape.rows; ++row) rows.push_back(row);
    return randn_rows(generator, how.n_embeddings.value_or(kDefaultEmbeddings), shape.cols, rows);
}

Numbers fill(const MadeBy& how, const Shape& shape, const FillContext& context) {
    Generator generator(how.seed);
    generator.skip(static_cast<std::uint64_t>(how.skip));
    const std::string& init = how.init;
    if (init == "constant") return Numbers(shape.size(), how.value.value_or(0.0f));
    if (init == "identity") return fill_identity(shape);
    if (init == "rand") return rand(generator, shape.size());
    if (init == "randn") return randn(generator, shape.size());
    if (init == "linear") return fill_linear(generator, shape, context);
    if (init == "embedding") return fill_embedding(generator, shape, how, context);
    if (init == "xavier_uniform") return uniform_weight(generator, shape, std::sqrt(3.0) * xavier_deviation(shape));
    if (init == "xavier_normal") return normal_weight(generator, shape, xavier_deviation(shape));
    if (init == "kaiming_uniform") {
        return uniform_weight(generator, shape, std::sqrt(3.0) * kaiming_deviation(0.0, shape.rows));
    }
    if (init == "kaiming_normal") return normal_weight(generator, shape, kaiming_deviation(0.0, shape.rows));
    return Numbers(shape.size(), 0.0f); // "zeros"
}

bool is_layer_weight(const std::string& init) {
    return init.rfind("xavier_", 0) == 0 || init.rfind("kaiming_", 0) == 0 || init == "linear";
}

// The sentence that says why an embedding cannot be looked up, or nothing.
std::string embedding_error(const MadeBy& how, const Shape& shape, const FillContext& context) {
    const int n_embeddings = how.n_embeddings.value_or(kDefaultEmbeddings);
    const std::string table = "the embedding has " + std::to_string(n_embeddings) + " rows";
    if (shape.rank != 2) return "an embedding fills a matrix, but the tensor is " + shape.to_text();
    if (n_embeddings < 1) return table + " but must have at least 1";
    if (context.token_ids.empty() && shape.rows > n_embeddings) {
        return table + " but the tensor has " + std::to_string(shape.rows);
    }
    if (!context.token_ids.empty() && context.token_ids.size() != static_cast<std::size_t>(shape.rows)) {
        return "there are " + std::to_string(context.token_ids.size()) + " token ids but the tensor has " +
               std::to_string(shape.rows) + " rows";
    }
    for (int id : context.token_ids) {
        if (id < 0 || id >= n_embeddings) return table + " but a token has id " + std::to_string(id);
    }
    return {};
}

std::string unknown_initialiser_error(const std::string& name) {
    std::string known;
    for (const InitialiserInfo& info : initialisers()) known += (known.empty() ? "" : ", ") + info.name;
    return "'" + name + "' is no way to fill a tensor but " + known + " are";
}

std::string fill_error(const MadeBy& how, const Shape& shape, const FillContext& context) {
    if (find_initialiser(how.init) == nullptr) return unknown_initialiser_error(how.init);
    if (shape.planes < 1 || shape.rows < 1 || shape.cols < 1) {
        return "the tensor is " + shape.to_text() + " but there must be a number to fill";
    }
    const bool is_bias = how.init == "linear" && shape.rank == 1 && context.fan_in > 0;
    if (is_layer_weight(how.init) && shape.rank == 1 && !is_bias) {
        return "'" + how.init + "' fills a matrix, but the tensor is a vector of " + shape.to_text();
    }
    if (how.init == "embedding") {
        if (std::string error = embedding_error(how, shape, context); !error.empty()) return error;
    }
    if (how.skip < 0) return "skip is " + std::to_string(how.skip) + " but cannot be negative";
    const std::uint64_t n_draws = static_cast<std::uint64_t>(how.skip) + draws(how, shape);
    if (static_cast<std::uint64_t>(how.skip) > kMaxDraws || n_draws > kMaxDraws) {
        return "this takes " + std::to_string(n_draws) + " random numbers, but at most " + std::to_string(kMaxDraws) +
               " are drawn";
    }
    return {};
}

} // namespace

const std::vector<InitialiserInfo>& initialisers() {
    static const std::vector<InitialiserInfo> all = {
        {"zeros", "Zeros", "Every number is 0.", false},
        {"constant", "One value", "Every number is the same, the one that you give.", false},
        {"identity", "Identity", "Ones on the diagonal, zeros elsewhere; a square W then changes nothing.", false},
        {"rand", "Uniform, 0 to 1", "Random numbers from 0 up to 1, each as likely as the other: torch.rand.", true},
        {"randn", "Normal", "Random numbers around 0, two thirds of them between −1 and 1: torch.randn.", true},
        {"linear", "Linear layer", "As torch.nn.Linear begins: uniform between −1/√n and 1/√n for n inputs.", true},
        {"embedding", "Embedding", "Each token's row of a table of normal numbers: torch.nn.Embedding.", true},
        {"xavier_uniform", "Xavier, uniform",
         "Uniform, as wide as keeps the spread alike forwards and backwards: ±√(6 / (inputs + outputs)).", true},
        {"xavier_normal", "Xavier, normal", "Normal, with deviation √(2 / (inputs + outputs)).", true},
        {"kaiming_uniform", "Kaiming, uniform", "Uniform, made for layers before a ReLU: ±√(6 / inputs).", true},
        {"kaiming_normal", "Kaiming, normal", "Normal, with deviation √(2 / inputs).", true},
    };
    return all;
}

const InitialiserInfo* find_initialiser(const std::string& name) {
    for (const InitialiserInfo& info : initialisers()) {
        if (info.name == name) return &info;
    }
    return nullptr;
}

Result<Tensor> make_tensor(const MadeBy& how, const Shape& shape, const FillContext& context) {
    std::string error = fill_error(how, shape, context);
    if (!error.empty()) return Error{std::move(error)};
    return Tensor(shape, fill(how, shape, context));
}

std::uint64_t draws(const MadeBy& how, const Shape& shape) {
    const std::string& init = how.init;
    const std::uint64_t n = shape.n_cells();
    if (init == "rand" || init == "linear" || init == "xavier_uniform" || init == "kaiming_uniform") return n;
    if (init == "randn" || init == "xavier_normal" || init == "kaiming_normal") return randn_draws(n);
    if (init != "embedding") return 0;
    const int n_embeddings = std::max(0, how.n_embeddings.value_or(kDefaultEmbeddings));
    return randn_draws(static_cast<std::uint64_t>(n_embeddings) * static_cast<std::uint64_t>(shape.cols));
}

} // namespace lab
