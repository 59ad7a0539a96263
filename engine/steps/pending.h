#pragma once
// Kinds of step that are being written: each line goes when its kind is there.
#include "engine/attention.h"
#include "engine/steps/steps.h"
namespace lab {
namespace pending {
template <class... T> StepPtr none(const T&...) { return nullptr; }
struct RopeForm {
    float base;
    Rope::Pairs pairs;
    std::optional<int> dims;
    float scaling;
    int n_heads, first_place;
};
struct Places {
    int n_heads, n_queries, n_keys, n_past;
};
template <class T> StepPtr soft_cap(T) { return nullptr; }
template <class... T> StepPtr append_rows(T...) { return nullptr; }
inline StepPtr rope(RopeForm) { return nullptr; }
inline StepPtr alibi(Places) { return nullptr; }
inline StepPtr relative_bias(Places) { return nullptr; }
template <class... T> StepPtr sparsemax(T...) { return nullptr; }
template <class... T> StepPtr top_k_softmax(T...) { return nullptr; }
template <class... T> StepPtr softmax_with_sink(T...) { return nullptr; }
template <class... T> StepPtr naive_softmax_with_sink(T...) { return nullptr; }
template <class... T> StepPtr dropout(T...) { return nullptr; }
template <class... T> StepPtr one_hot(T...) { return nullptr; }
inline StepPtr take_rows(Range) { return nullptr; }
template <class... T> StepPtr add_rows(T...) { return nullptr; }
template <class... T> StepPtr position_table(T...) { return nullptr; }
template <class... T> StepPtr layer_norm(T...) { return nullptr; }
template <class... T> StepPtr rms_norm(T...) { return nullptr; }
template <class... T> StepPtr activation(T...) { return nullptr; }
template <class... T> StepPtr multiply(T...) { return nullptr; }
template <class... T> StepPtr log_softmax(T...) { return nullptr; }
enum class Function { relu, gelu, gelu_tanh, silu };
} // namespace pending
} // namespace lab
