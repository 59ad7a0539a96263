#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/attention.h"
#include "engine/tensor.h"
#include "engine/words.h"

namespace lab {

// How a tensor was filled, for show and for drawing it again; the numbers in the document rule.
struct MadeBy {
    std::string init;                // a name of initialisers.h: "rand", "linear", "embedding", …
    std::uint64_t seed = 0;          // as torch.manual_seed
    std::int64_t skip = 0;           // numbers drawn from the seed before the first of these
    std::optional<float> value;      // "constant": the number
    std::optional<int> n_embeddings; // "embedding": rows of the whole table, of which the tokens' ids pick theirs

    bool operator==(const MadeBy&) const = default;
};

// A document is a value: tokens, tensors and settings. Everything that a person can edit, and nothing else.
// Copies share their tensors' tiles and their words.
struct Document {
    std::string title;
    std::vector<std::string> source;
    Words tokens;                          // one per row of inputs (or of queries); may be empty
    Words context_tokens;                  // one per row of context_inputs (or of keys)
    Words vocabulary;                      // sorted unique words; an id is a place in it
    std::map<std::string, Tensor> tensors; // by the contract's names
    AttentionSettings attention;
    std::map<std::string, MadeBy> made_by;
    std::string gradient;     // what gradients are taken of, as GradientTarget has it; or empty
    std::string unknown_keys; // JSON object text of keys that this version does not know; kept on saving; or empty

    TensorShapes shapes() const {
        TensorShapes all;
        for (const auto& [name, tensor] : tensors) all[name] = tensor.shape();
        return all;
    }
};

// Whether nothing but numbers of tensors tells them apart.
bool have_equal_forms(const Document& a, const Document& b);
// Equal to the last bit of every tensor.
bool bit_equal(const Document& a, const Document& b);

// All of a document that its program depends on.
struct ProgramSource {
    AttentionSettings attention;
    TensorShapes shapes;
    std::string gradient;
    Words vocabulary; // where the gradient's target may name a word

    ProgramSource() = default;
    explicit ProgramSource(const Document& document)
        : attention(document.attention), shapes(document.shapes()), gradient(document.gradient),
          vocabulary(document.gradient.empty() ? Words() : document.vocabulary) {}
    bool operator==(const ProgramSource&) const = default;
};

// Whether both compute by one program.
bool have_equal_programs(const Document& a, const Document& b);

// What the document computes, and the gradients that it asks for: its program, or why its shapes and settings do not fit
// together.
Result<Program> build_program(const ProgramSource& source);
inline Result<Program> build_program(const Document& document) { return build_program(ProgramSource(document)); }

} // namespace lab
