#include "app/session/edits.h"
#include "engine/gradient.h"

namespace lab {

namespace {

// What distances are measured to: zeros of the tensor's shape, where the document has nothing that fits.
void add_missing_target(Document& document, const GradientTarget& target) {
    if (target.kind != GradientTarget::Kind::distance) return;
    const Result<Program> program = build_program(document.attention, document.shapes());
    const int node = program ? program->find(target.tensor) : -1;
    if (node < 0) return;
    const Shape& shape = program->node(node).shape;
    const auto present = document.tensors.find("target");
    if (present == document.tensors.end() || present->second.shape() != shape)
        document.tensors["target"] = Tensor(shape);
}

} // namespace

Result<Document> edited(Document document, const SetGradient& command) {
    document.gradient = command.target;
    if (command.target.empty()) return document;
    const Result<GradientTarget> target = read_gradient_target(command.target, document.vocabulary);
    if (!target) return Error{target.error()};
    add_missing_target(document, *target);
    return document;
}

void drop_gradient_that_is_gone(Document& document, const Document& before) {
    if (document.gradient.empty() || have_equal_programs(document, before) || build_program(document)) return;
    Document without = document;
    without.gradient.clear();
    if (build_program(without)) document = std::move(without);
}

} // namespace lab
