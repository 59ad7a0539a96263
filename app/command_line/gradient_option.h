#pragma once

#include <string>

#include "engine/document.h"
#include "engine/result.h"

namespace lab {

// --gradient TARGET: what the document's gradients are taken of. "distance(NAME,FILE.npz)" measures to an array of the file: the
// one called NAME, or "target", or the only one; it becomes the document's tensor `target`. An error says what cannot be read,
// or which arrays there are instead.
Result<Done> take_gradient(Document& document, const std::string& target);

} // namespace lab
