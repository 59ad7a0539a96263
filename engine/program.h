#pragma once

#include <cassert>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/step.h"

namespace lab {

// What an axis of a tensor counts.
enum class Axis {
    queries,
    keys,
    new_keys, // those below a past
    past_keys,
    input_dimensions,
    key_dimensions,
    value_dimensions,
    model_dimensions,
    hidden_dimensions, // of the MLP
    heads,
    vocabulary,
    positions,
    distances, // from −r to r
    none
};
inline bool counts_tokens(Axis axis) { return axis == Axis::queries || axis == Axis::keys; }

// Whether rows or columns are named by words of the document, rather than counted.
inline bool are_words(Axis axis) {
    return counts_tokens(axis) || axis == Axis::new_keys || axis == Axis::past_keys || axis == Axis::vocabulary;
}

// What a tensor is in the computation, for views: they ask this and never test names.
enum class Role {
    embedding,
    weight_matrix,
    bias, // or a gain: a vector of parameters
    projection,
    scores,
    mask,
    weights,
    weighted_values,
    context,
    hidden // rows of the residual stream, of norms and the MLP, and logits
};

// Which of the three projections a tensor belongs to; none: it stands before, between or after them.
enum class Branch { none, query, key, value };

// How a tensor presents itself. Filled in by the function that builds the program.
struct Presentation {
    Role role = Role::embedding;
    Axis rows = Axis::none;
    Axis cols = Axis::none;
    Axis planes = Axis::none;
    std::string meaning; // "how much {row} attends to {col}"; {plane}, {row}, {col} are replaced by labels
    std::string label;   // a formula for leaves, "X, one row per token"; other nodes ask their step
    std::string symbol;  // stands for the name in formulas where there is little room: "X"; or empty
    int column = 0;      // where it stands from left to right
    Branch branch = Branch::none;
    bool non_negative = false;   // picks the colour scale
    bool folded = false;         // stands as a titled line until it is unfolded
    bool row_of_query = false;   // its row i belongs to query i: dims when another query is chosen
    bool slice_by_query = false; // of planes × queries × columns the matrix of the chosen query is shown
    int n_sliced_heads = 1;      // of a slice: its planes are those of head 0, then those of head 1, …
};

// How a tensor holds heads: plane by plane, or side by side along its rows or columns. Where heads share keys and values there
// are fewer parts than heads.
enum class HeadsAlong { nothing, planes, rows, cols };
struct HeadLayout {
    HeadsAlong along = HeadsAlong::nothing;
    int n_parts = 1;
};

// One tensor of the computation: given by the document (no step), or the result of a step.
struct Node {
    std::string name; // as in the contract
    std::shared_ptr<const Step> step;
    std::vector<int> operands; // earlier nodes
    Shape shape;
    Presentation presentation;
    bool stored = true; // false: computed from its operands when read
    int stage = 0;
    int section = 0;
    int gradient_of = -1;      // the node whose gradient it is, or a part of it
    bool is_auxiliary = false; // a part of a gradient: computed for others, never shown or written by itself
    HeadLayout heads = {};

    bool is_leaf() const { return step == nullptr; }
    bool is_of_gradient() const { return gradient_of >= 0; }
    int n_planes_of_slice() const { return shape.planes / presentation.n_sliced_heads; } // one head's
};

// A step of the explanation: "Score every pair".
struct Stage {
    std::string title;
    std::string sentence; // one plain sentence on what happens
    int section = 0;
};

// What stands on one canvas: an attention with what leads to it, an MLP, the prediction. A bare attention is one section.
struct Section {
    std::string title; // "Block 0: attention"
};

using TensorShapes = std::map<std::string, Shape>; // by name

// The ordered list of named steps that attention consists of. A value; operands come before what they feed.
struct Program {
    std::vector<Node> nodes;
    std::vector<Stage> stages;
    std::vector<Section> sections;
    int target = -1;   // the node whose gradients were asked for
    int n_forward = 0; // where there is one: nodes that there are without gradients, which come first

    // What follows from these, by lay_out: with the heads of every node and the section of every stage.
    int n_heads = 1;
    std::vector<std::vector<int>> nodes_of_sections; // what stands on the canvas of each, in order; guests among them

    const Node& node(int index) const {
        assert(index >= 0 && index < static_cast<int>(nodes.size()));
        return nodes[static_cast<std::size_t>(index)];
    }
    int find(std::string_view name) const; // −1 if there is none
    std::vector<std::string> operand_names(int index) const;
    std::vector<Shape> operand_shapes(int index) const;
    std::string formula(int index) const;       // of a step from its operands' names, of a leaf its label
    std::string short_formula(int index) const; // the same from their symbols
    std::vector<int> consumers(int index) const;
    int gradient(int index) const; // the node "grad.NAME"; −1 without
    // The first node of what comes after all else: gradients, and what is only there for them, such as the softmax' Jacobian or what a
    // distance is measured to. As many as there are nodes without.
    int first_of_gradients() const { return target < 0 ? static_cast<int>(nodes.size()) : n_forward; }

    int n_parameters() const; // numbers in weight matrices and biases
};

} // namespace lab
