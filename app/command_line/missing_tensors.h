#pragma once

#include <string>

#include "engine/document.h"

namespace lab {

// What is added to the sentence that the first of the document's missing tensors is missing: which others are, as far as can be
// told, and how to give them. Nothing where none is missing. With settings from the command line the window can help: it makes
// what a setting needs, --set makes nothing.
std::string how_to_give_what_is_missing(const Document& document, bool has_settings);

} // namespace lab
