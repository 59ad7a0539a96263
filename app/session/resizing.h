#pragma once

#include <map>
#include <string>

#include "engine/document.h"

namespace lab {

// The shapes that tensors of the document have once these axes are so long; only those that change.
std::map<std::string, Shape> shapes_with(const Document& document, const std::map<Axis, int>& lengths);

// Gives tensors of the document new shapes, as ResizeWidth says: what fits stays to the bit, new cells are zeros.
void keep_what_fits(Document& document, const std::map<std::string, Shape>& new_shapes);

// Gives tensors of the document new shapes, as SetSentence says. Tensors that the document does not have are left out.
//
// A tensor that is what its made_by draws is drawn again at its new size, so that it shows what a notebook with that
// width shows. Where W_query, W_key and W_value were drawn one after the
// other from one seed they are again, so one whose own size stays is drawn from a later number. Any other tensor keeps
// what fits and gains zeros, and its made_by goes.
void resize_tensors(Document& document, const std::map<std::string, Shape>& new_shapes);

} // namespace lab
