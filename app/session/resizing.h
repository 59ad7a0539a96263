#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/session/sizes.h"

namespace lab {

// Where each plane, row and column of a tensor comes from: its old place, or −1 for a new one.
struct Places {
    std::vector<int> planes;
    std::vector<int> rows;
    std::vector<int> cols;
    int rank = 2;

    static Places all_of(const Shape& shape); // as it is
    Shape shape() const;
};

// The tensor rearranged; new cells are zeros, or those of `fresh`, which has the new shape.
Tensor rearranged(const Tensor& from, const Places& places, const Tensor* fresh = nullptr);

using Rearrangement = std::map<std::string, Places>; // by tensor

// The tensors that change once these axes are so long. Widths of keys and values are one head's. The mask, which follows
// from tokens, is not among them.
Rearrangement with_lengths(const Document& document, const std::map<Axis, int>& lengths);

// The tensors that change when the document, whose settings `before` are still in place, has so many heads and groups:
// each head keeps its numbers, the last go first.
Rearrangement with_heads(const Document& document, int n_heads, int n_groups);

TensorShapes shapes_after(const Document& document, const Rearrangement& changed);

// Numbers of this kind that no other tensor of the document has: a stream of their own for the tensor at this size.
Result<Tensor> fresh_numbers(const Document& document, const std::string& name, MadeBy how, const Shape& shape);

// Rearranges tensors: every number that still has its place (head, row, column) stays to the bit, and so does a tensor whose
// shape stays. New cells of a tensor that is what its made_by draws are fresh_numbers of its own kind. Those of another are
// zeros, or, with `drawn`, in matrices of heads fresh_numbers of the kind that the matrix looks like: heads of zeros would be
// alike. made_by stays only where it still is the truth.
enum class NewCells { zeros, drawn };
void resize_tensors(Document& document, const Rearrangement& changed, NewCells new_cells);

// What an edit that lets tensors grow has to say of those whose new cells are zeros, since no seed draws their numbers:
// "the new cells of W_query are 0, …". Empty where there are none.
std::string padding_note(const Document& before, const Document& after);

} // namespace lab
