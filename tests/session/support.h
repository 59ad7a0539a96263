#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "app/session/decoding.h"
#include "app/session/lab.h"
#include "app/session/sizes.h"

namespace lab::test {

// A lab with one of the worked examples open and computed.
inline Lab lab_with(const std::string& preset) {
    Lab lab;
    EXPECT_TRUE(lab.open_preset(preset).has_value()) << preset;
    lab.refresh();
    return lab;
}

inline Document opened_preset(const std::string& preset) { return lab_with(preset).document(); }

inline Document trainable() { return opened_preset("trainable"); }
// The same numbers, but nobody knows where they come from.
inline Document typed_trainable() {
    Document document = trainable();
    document.made_by.clear();
    return document;
}

// The document after the command, which must succeed.
inline Document after(const Document& document, const Command& command) {
    const Result<Document> result = apply(document, command);
    EXPECT_TRUE(result.has_value()) << (result ? "" : result.error());
    return result ? *result : document;
}

// The document with its settings changed.
template <class Change> Document with_settings(const Document& document, Change change) {
    AttentionSettings settings = document.attention;
    change(settings);
    return after(document, SetAttention{settings});
}

// The sentence with which the command is refused; empty if it is not.
inline std::string refusal(const Document& document, const Command& command) {
    const Result<Document> result = apply(document, command);
    return result ? std::string() : result.error();
}

inline void perform(Lab& lab, const Command& command, std::uint64_t gesture = 0) {
    const Result<Done> done = lab.perform(command, gesture);
    EXPECT_TRUE(done.has_value()) << (done ? "" : done.error());
    lab.refresh();
}

inline const Shape& shape(const Document& document, const std::string& tensor) {
    return document.tensors.at(tensor).shape();
}

inline std::vector<float> row(const Document& document, const std::string& tensor, int index) {
    const auto cells = document.tensors.at(tensor).row(index);
    return {cells.begin(), cells.end()};
}

inline float computed(const Lab& lab, const std::string& tensor, Cell cell) {
    return lab.trace().at(lab.program().find(tensor), cell);
}

// The next word, computed with the keys and values that the trace has.
inline Result<Done> decode_word(Lab& lab, const std::string& word) {
    const Result<DecodeStep> step = decode_step(lab.document(), lab.trace(), word);
    if (!step) return Error{step.error()};
    const Result<Done> done = lab.perform(*step);
    lab.refresh();
    return done;
}

using Floats = std::vector<float>;
using Words = std::vector<std::string>;

} // namespace lab::test
