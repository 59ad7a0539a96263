#pragma once

#include <string>
#include <vector>

#include "engine/document.h"
#include "engine/trace.h"

// Gradients in words.
namespace lab {

// A target as people count, by words and from 1: "attention_weights[head 1, journey, starts]", of a row "the sum of
// queries[journey]". Of one that is no cell or row, the target's own text.
std::string target_text(const Document& document, const Program& program, const std::string& target);

// The same shorter and shorter, for where there is little room: in blocks without the block, then without the tensor's name.
std::vector<std::string> short_target_texts(const Document& document, const Program& program,
                                            const std::string& target);

// What a cell of a gradient, or of a part of one, says: the target, what a small step does to it, and where it is steepest.
std::vector<std::string> answers_about_gradient(const Document& document, const Trace& trace, const CellRef& at);

} // namespace lab
