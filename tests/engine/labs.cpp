#include "tests/engine/labs.h"

#include "engine/gradient.h"

namespace lab::test {

namespace {

struct MaskCase {
    const char* name;
    MaskKind kind;
    std::optional<int> window;
    bool own;
};
const std::vector<MaskCase> kMaskCases = {{"no mask", MaskKind::none, {}, false},
                                          {"causal", MaskKind::causal, {}, false},
                                          {"window 2", MaskKind::sliding_window, 2, false},
                                          {"own mask", MaskKind::tensor, {}, true},
                                          {"own mask and causal", MaskKind::causal, {}, true},
                                          {"a mask that is not used", MaskKind::none, {}, true}};

struct NormalizationCase {
    const char* name;
    Normalization kind;
};
const std::vector<NormalizationCase> kNormalizations = {
    {"softmax", Normalization::softmax}, {"naive softmax", Normalization::naive_softmax}, {"sum", Normalization::sum}};

// Row 1 forbids every key, row 2 all but one.
Tensor own_mask(const Shape& shape) {
    Dice dice(99);
    Tensor mask = dice.tensor(shape);
    for (int j = 0; j < shape.cols; ++j) {
        mask = mask.with({0, 1, j}, kMasked);
        if (j > 0) mask = mask.with({0, 2, j}, kMasked);
    }
    return mask;
}

Shape scores_shape(const Lab& lab) {
    const bool given = lab.tensors.count("queries") > 0;
    const int n_queries = lab.tensors.at(given ? "queries" : "inputs").shape().rows;
    const int n_keys = lab.tensors.at(given ? "keys" : "inputs").shape().rows;
    return Shape::matrix(n_queries, n_keys);
}

Lab combined(const Lab& base, const NormalizationCase& normalization, const MaskCase& mask, int turn) {
    Lab lab = base;
    lab.name += std::string(", ") + normalization.name + ", " + mask.name;
    lab.settings.normalization = normalization.kind;
    lab.settings.mask = mask.kind;
    lab.settings.window = mask.window;
    if (mask.own) lab.tensors["mask"] = own_mask(scores_shape(lab));
    if (turn % 3 == 1) lab.settings.scale = 1.0f;
    if (turn % 3 == 2) lab.settings.scale = -0.37f;
    if (turn % 2 == 1) lab.settings.round_weights = 1;
    return lab;
}

Lab named(Lab lab, std::string name) {
    lab.name = std::move(name);
    return lab;
}

void add_extremes(std::vector<Lab>& labs) {
    Lab lab = named(plain_lab(), "naive softmax that overflows");
    lab.settings.normalization = Normalization::naive_softmax;
    lab.settings.scale = 300.0f;
    labs.push_back(lab);
    lab = named(without_projections(plain_lab()), "rows that sum to zero");
    lab.settings.normalization = Normalization::sum;
    lab.tensors["inputs"] = matrix({{1, 0}, {-1, 0}, {0, 1}, {0, -1}});
    labs.push_back(lab);
    lab = named(plain_lab(), "NaN and infinities");
    lab.tensors["inputs"] = lab.tensors["inputs"].with({0, 1, 1}, kNaN).with({0, 2, 0}, kInfinity);
    labs.push_back(lab);
    lab.settings.normalization = Normalization::sum;
    labs.push_back(lab);
    lab = named(given_lab(), "saturated, rounded to whole numbers");
    lab.settings.scale = 50.0f;
    lab.settings.round_weights = 0;
    labs.push_back(lab);
    lab = named(without_projections(plain_lab()), "one token of one dimension");
    lab.tensors["inputs"] = matrix({{0.5f}});
    labs.push_back(lab);
}

} // namespace

TensorShapes shapes_of(const Tensors& tensors) {
    TensorShapes shapes;
    for (const auto& [name, tensor] : tensors) shapes[name] = tensor.shape();
    return shapes;
}

Result<Program> try_program(const Lab& lab) { return build_program(lab.settings, shapes_of(lab.tensors)); }

Program program_of(const Lab& lab) { return try_program(lab).value(); }

Result<Program> try_gradients(const Lab& lab, const std::string& target) {
    return with_gradients(program_of(lab), *read_gradient_target(target, {}), shapes_of(lab.tensors));
}

UpdateReport update(Trace& trace, const Lab& lab) { return trace.update(program_of(lab), lab.tensors); }

Trace run(const Lab& lab) {
    Trace trace;
    update(trace, lab);
    return trace;
}

Tensor tensor_of(const Trace& trace, int node) {
    const auto source = trace.source(node);
    return {source->shape(), read_all(*source)};
}

Tensor tensor_of(const Trace& trace, const std::string& name) { return tensor_of(trace, trace.program().find(name)); }

Lab plain_lab() {
    Dice dice(1);
    Lab lab{"projections", {}, {}};
    lab.tensors["inputs"] = dice.tensor(Shape::matrix(4, 3));
    lab.tensors["W_query"] = dice.tensor(Shape::matrix(3, 2));
    lab.tensors["W_key"] = dice.tensor(Shape::matrix(3, 2));
    lab.tensors["W_value"] = dice.tensor(Shape::matrix(3, 3));
    return lab;
}

Lab without_projections(Lab lab) {
    lab.name = "no projections";
    lab.settings.projections = false;
    return lab;
}

Lab with_biases(Lab lab) {
    Dice dice(2);
    lab.name += " with biases";
    lab.tensors["b_query"] = dice.tensor(Shape::vector(lab.tensors["W_query"].shape().cols));
    lab.tensors["b_value"] = dice.tensor(Shape::vector(lab.tensors["W_value"].shape().cols));
    return lab;
}

Lab given_lab() {
    Dice dice(3);
    Lab lab{"given", {}, {}};
    lab.tensors["queries"] = dice.tensor(Shape::matrix(4, 2));
    lab.tensors["keys"] = dice.tensor(Shape::matrix(5, 2));
    lab.tensors["values"] = dice.tensor(Shape::matrix(5, 3));
    return lab;
}

std::vector<Lab> many_labs() {
    std::vector<Lab> labs;
    int turn = 0;
    for (const Lab& base : {plain_lab(), without_projections(plain_lab()), with_biases(plain_lab()), given_lab()}) {
        for (const auto& normalization : kNormalizations) {
            for (const auto& mask : kMaskCases) labs.push_back(combined(base, normalization, mask, turn++));
        }
        ++turn;
    }
    add_extremes(labs);
    return labs;
}

} // namespace lab::test
