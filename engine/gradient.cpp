#include "engine/gradient.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "engine/count_text.h"
#include "engine/gradient_memory.h"
#include "engine/nearest_names.h"
#include "engine/steps/steps.h"
#include "engine/tensor_name.h"

namespace lab {

namespace {

// Which of its numbers, for a sentence.
std::string place_in(const Node& node) { return node.shape.rank == 1 ? " of {col}" : " of {row}, {col}"; }

// Makes a node of the gradient of `of` the one that is called so and shown in its place.
void name_gradient(ProgramBuilder& builder, int gradient, int of) {
    Node& node = builder.node(gradient);
    const Node& forward = builder.node(of);
    node.name = gradient_name(forward.name);
    node.presentation = forward.presentation;
    node.presentation.symbol.clear();
    node.presentation.non_negative = false;
    node.presentation.meaning = "how much the target grows with " + forward.name + place_in(forward);
    node.section = forward.section;
    node.stage = forward.stage;
    node.gradient_of = of;
    node.is_auxiliary = false;
}

// What a step has written on the way to one operand's gradient.
struct WrittenPart {
    int node;
    int consumer;
    int operand;
};

// "what attention_scores adds to the gradient of keys": in a block under its prefix, as all names are.
std::string name_of_part(ProgramBuilder& builder, const WrittenPart& part) {
    const std::string& consumer = builder.node(part.consumer).name;
    const std::string& operand = builder.node(part.operand).name;
    const bool is_of_one_block = block_prefix(consumer) == block_prefix(operand);
    return std::string(block_prefix(consumer)) + "what " + std::string(name_in_block(consumer)) +
           " adds to the gradient of " + (is_of_one_block ? std::string(name_in_block(operand)) : operand);
}

// Gives what a step added for an operand, or wrote on the way there, a name that can be read.
void name_part(ProgramBuilder& builder, const WrittenPart& part, const std::string& which) {
    const std::string by = "what " + std::string(name_in_block(builder.node(part.consumer).name)) + " adds";
    std::string name = name_of_part(builder, part) + which;
    for (int again = 2; builder.find(name) >= 0; ++again)
        name = name_of_part(builder, part) + which + " (" + std::to_string(again) + ")";
    Node& node = builder.node(part.node);
    const bool is_whole = which.empty();
    const bool is_like_consumer = !is_whole && node.shape == builder.shape(part.consumer);
    const Node& operand = builder.node(part.operand);
    const Node& like = is_like_consumer ? builder.node(part.consumer) : operand;
    node.name = name;
    node.presentation = like.presentation;
    node.presentation.symbol = by + which;
    node.presentation.non_negative = false;
    node.presentation.meaning = (is_whole ? "" : "a part of ") + by + " to how much the target grows with " +
                                operand.name + (is_whole ? place_in(operand) : "");
    if (node.shape.planes > 1 && like.shape.planes == 1) node.presentation.planes = Axis::heads;
    node.section = operand.section;
    node.stage = operand.stage;
    node.gradient_of = is_whole ? part.operand : part.consumer;
}

// Runs a program's steps backwards, from the last node before the target to the first.
class BackwardRun {
  public:
    BackwardRun(ProgramBuilder& builder, int target, int gradient_of_target)
        : builder_(builder), n_forward_(target + 1), parts_(static_cast<std::size_t>(target) + 1) {
        parts_of(target).push_back({gradient_of_target, !builder.node(gradient_of_target).is_leaf()});
    }

    void run() {
        for (int node = n_forward_ - 1; node >= 0; --node) {
            if (parts_of(node).empty() || builder_.failed()) continue;
            const int gradient = total(node);
            if (!builder_.node(node).is_leaf()) run_step(node, gradient);
        }
    }

  private:
    // What one consumer adds to the gradient of a node. Its own: made for this, so that it can become the gradient itself.
    struct Part {
        int node;
        bool is_own;
    };
    std::vector<Part>& parts_of(int node) { return parts_[static_cast<std::size_t>(node)]; }

    // One step's view of the run.
    class AtStep final : public Backward {
      public:
        AtStep(BackwardRun& run, int node, int gradient) : run_(run), node_(node), gradient_(gradient) {}

        int operand(int i) const override { return step_node().operands[static_cast<std::size_t>(i)]; }
        int result() const override { return node_; }
        int gradient() const override { return gradient_; }
        Shape shape(int node) const override { return run_.builder_.shape(node); }
        int n_operands() const override { return static_cast<int>(step_node().operands.size()); }

        int step(StepPtr step, std::vector<int> operands) override {
            const std::string name = gradient_name(step_node().name) + ".part" + std::to_string(++n_steps_);
            const int written = run_.auxiliary(name, std::move(step), std::move(operands), node_);
            unnamed_.push_back(written);
            return written;
        }
        void add(int i, int node) override {
            if (run_.builder_.failed()) return;
            assert(shape(node) == shape(operand(i)));
            run_.parts_of(operand(i)).push_back({node, node != gradient_});
            name_with_what_it_was_made_from(node, operand(i));
        }

      private:
        const Node& step_node() const { return run_.builder_.node(node_); }

        static std::string pieces(const Shape& shape) {
            return ", in " + count_text(static_cast<std::size_t>(shape.planes > 1 ? shape.planes : shape.rows), "part");
        }

        // What is summed up, or joined, to the part is told by how many pieces it is in.
        void name_with_what_it_was_made_from(int part, int operand) {
            std::vector<std::pair<int, std::string>> to_name{{part, ""}};
            while (!to_name.empty()) {
                const auto [node, which] = to_name.back();
                to_name.pop_back();
                const auto found = std::find(unnamed_.begin(), unnamed_.end(), node);
                if (found == unnamed_.end()) continue;
                unnamed_.erase(found);
                name_part(run_.builder_, {node, node_, operand}, which);
                for (int read : run_.builder_.node(node).operands)
                    to_name.emplace_back(read, shape(read) == shape(node) ? which + ", a factor" : pieces(shape(read)));
            }
        }

        BackwardRun& run_;
        int node_;
        int gradient_;
        int n_steps_ = 0;
        std::vector<int> unnamed_; // that were written for this step
    };

    void run_step(int node, int gradient) {
        const StepPtr step = builder_.node(node).step;
        AtStep at(*this, node, gradient);
        step->backward(at);
        for (int operand : std::vector<int>(builder_.node(node).operands)) {
            if (!parts_of(operand).empty() || builder_.failed()) continue;
            const int none = auxiliary(gradient_name(builder_.node(operand).name) + ".none",
                                       zeros(builder_.shape(operand), "nothing of it has a slope"), {}, operand);
            parts_of(operand).push_back({none, true});
        }
    }

    int auxiliary(const std::string& name, StepPtr step, std::vector<int> operands, int of) {
        const int node = builder_.step(name, std::move(step), std::move(operands), builder_.node(of).presentation);
        if (node < 0) return node;
        builder_.node(node).is_auxiliary = true;
        builder_.node(node).gradient_of = of;
        return node;
    }

    // The parts' sum as the node "grad.NAME"; a single part that was made for it becomes it.
    int total(int node) {
        std::vector<int> summed;
        for (const Part& part : parts_of(node)) summed.push_back(part.node);
        const bool is_one = summed.size() == 1 && parts_of(node)[0].is_own;
        const int found = is_one ? summed[0] : auxiliary("", sum(), summed, node);
        if (found >= 0) name_gradient(builder_, found, node);
        return found;
    }

    ProgramBuilder& builder_;
    int n_forward_;
    std::vector<std::vector<Part>> parts_; // per node
};

// The cells that the target names, or why there are none such.
Result<Block> target_block(const Node& node, const GradientTarget& target) {
    if (target.index.empty()) return Block::all(node.shape);
    const std::vector<int> dims = node.shape.dims();
    if (target.index.size() != dims.size()) {
        return Error{"the target " + target.tensor + " is " + node.shape.to_text() + " but " +
                     count_text(target.index.size(), "index number") +
                     (target.index.size() == 1 ? " is given" : " are given")};
    }
    Block block = Block::all(node.shape);
    Range* ranges[] = {&block.planes, &block.rows, &block.cols};
    for (std::size_t i = 0; i < dims.size(); ++i) {
        if (target.index[i] == GradientTarget::kWholeRow) continue;
        if (target.index[i] < 0 || target.index[i] >= dims[i]) {
            return Error{"the target's index is " + std::to_string(target.index[i]) + " but " + target.tensor + " is " +
                         node.shape.to_text() + ", counted from 0"};
        }
        *ranges[i + 3 - dims.size()] = Range::at(target.index[i]);
    }
    return block;
}

// ∂target/∂(its tensor), or −1: then the builder says why.
int seed(ProgramBuilder& builder, int node, const GradientTarget& target) {
    const std::string name = gradient_name(target.tensor);
    const Presentation shown = builder.node(node).presentation;
    if (target.kind == GradientTarget::Kind::distance) {
        Presentation as_leaf = shown;
        as_leaf.role = Role::hidden;
        as_leaf.label = "given";
        const int to = builder.leaf("target", "the target is distance(" + target.tensor + ")", as_leaf);
        const int gradient = builder.step(name, distance_slope(), {node, to}, shown);
        const int opposite = builder.step(gradient_name("target"), scale(-1, "(−1)"), {gradient}, {});
        if (opposite >= 0) name_gradient(builder, opposite, to);
        return gradient;
    }
    const Result<Block> cells = target_block(builder.node(node), target);
    if (!cells) {
        builder.fail(cells.error());
        return -1;
    }
    return builder.step(name, target_cells(builder.shape(node), *cells), {}, shown);
}

// Beside weights: how each grows with each score of its row. As large as weighted values may be.
void add_row_slopes(ProgramBuilder& builder, int weights) {
    const Node of = builder.node(weights);
    const std::optional<RowSlopes> slopes = of.is_leaf() ? std::nullopt : of.step->row_slopes();
    const Shape& shape = of.shape;
    if (!slopes || Shape::stack(shape.planes * shape.cols, shape.rows, shape.cols).n_cells() > kMostShownCells) return;
    Presentation shown = of.presentation;
    shown.role = Role::weighted_values;
    shown.planes = Axis::keys;
    shown.meaning = "how much the weight that {row} gives {plane} grows with the score of {col}";
    shown.non_negative = false;
    shown.slice_by_query = true;
    shown.n_sliced_heads = shape.planes;
    shown.folded = true;
    const std::string name = std::string(block_prefix(of.name)) + "softmax_jacobian";
    const int node = builder.step(name, slopes->step, {slopes->reads_result ? weights : of.operands[0]}, shown);
    if (node < 0) return;
    builder.node(node).stored = false;
    builder.node(node).section = of.section;
    builder.node(node).stage = of.stage;
}

} // namespace

void run_backwards(ProgramBuilder& builder, int target, int gradient_of_target) {
    BackwardRun(builder, target, gradient_of_target).run();
}

Result<Program> with_gradients(Program program, const GradientTarget& target, const TensorShapes& shapes) {
    const int node = program.find(target.tensor);
    const int n_forward = static_cast<int>(program.nodes.size());
    program.target = node;
    program.n_forward = n_forward;
    if (node < 0) {
        const std::string none = "the target is of the tensor " + target.tensor;
        if (target.tensor == "log_probabilities")
            return Error{none + " but it is not computed: unembedding is \"none\""};
        std::vector<std::string> names;
        for (const Node& there : program.nodes) names.push_back(there.name);
        return Error{none + " but it is not computed; there are " + nearest_names_text(target.tensor, names)};
    }
    ProgramBuilder builder(shapes, std::move(program));
    const int gradient = seed(builder, node, target);
    if (!builder.failed()) run_backwards(builder, node, gradient);
    for (int i = 0; i < n_forward && !builder.failed(); ++i) {
        const std::string name = gradient_name(builder.node(i).name);
        if (builder.find(name) >= 0) continue;
        const int none = builder.step(name, zeros(builder.shape(i), "the target does not depend on it"), {}, {});
        if (none < 0) break;
        name_gradient(builder, none, i);
        builder.node(none).stored = false;
    }
    for (int i = 0; i < n_forward && !builder.failed(); ++i) {
        if (builder.node(i).presentation.role == Role::weights) add_row_slopes(builder, i);
    }
    const std::string error = builder.failed() ? std::string() : error_if_too_large(builder);
    Result<Program> made = std::move(builder).finish();
    return made || error.empty() ? std::move(made) : Error{error};
}

} // namespace lab
