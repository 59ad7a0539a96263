#pragma once

#include "engine/program.h"

namespace lab {

// A tensor that a document may hold: what it is, and what its axes count.
struct DocumentTensor {
    const char* name; // the contract's
    Role role;
    Axis rows; // none: no other tensor's rows or columns are as many because of it
    Axis cols;

    bool is_input_projection() const { return role == Role::weight_matrix && rows == Axis::input_dimensions; }
    bool is_parameter() const { return role == Role::weight_matrix || role == Role::bias; }
    bool has_tokens() const {
        const auto counts_tokens = [](Axis axis) { return axis == Axis::queries || axis == Axis::keys; };
        return counts_tokens(rows) || counts_tokens(cols);
    }
};

// All that there are, in the order in which a session is written and parameters are drawn in a notebook: a bias after its
// matrix. Edits and formats ask this table, so that a new tensor is one line here.
inline constexpr DocumentTensor kDocumentTensors[] = {
    {"inputs", Role::embedding, Axis::queries, Axis::input_dimensions},
    {"context_inputs", Role::embedding, Axis::keys, Axis::input_dimensions},
    {"W_query", Role::weight_matrix, Axis::input_dimensions, Axis::key_dimensions},
    {"b_query", Role::bias, Axis::none, Axis::key_dimensions},
    {"W_key", Role::weight_matrix, Axis::input_dimensions, Axis::key_dimensions},
    {"b_key", Role::bias, Axis::none, Axis::key_dimensions},
    {"W_value", Role::weight_matrix, Axis::input_dimensions, Axis::value_dimensions},
    {"b_value", Role::bias, Axis::none, Axis::value_dimensions},
    {"queries", Role::projection, Axis::queries, Axis::key_dimensions},
    {"keys", Role::projection, Axis::keys, Axis::key_dimensions},
    {"values", Role::projection, Axis::keys, Axis::value_dimensions},
    {"past_keys", Role::projection, Axis::none, Axis::key_dimensions},
    {"past_values", Role::projection, Axis::none, Axis::value_dimensions},
    {"mask", Role::mask, Axis::queries, Axis::keys},
    {"W_output", Role::weight_matrix, Axis::value_dimensions, Axis::none},
    {"b_output", Role::bias, Axis::none, Axis::none},
};

} // namespace lab
