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

// Rearranges tensors as ResizeWidth says: what fits stays to the bit, new cells are zeros.
void keep_what_fits(Document& document, const Rearrangement& changed);

// Rearranges tensors as SetSentence and SetAttention say.
//
// A tensor that is what its made_by draws is drawn again at its new size, so that it shows what a notebook of that size
// shows. Where W_query, W_key and W_value were drawn one after the other from one seed they are again, so one whose own size
// stays is drawn from a later number. Any other tensor keeps what fits, and its made_by goes; its new cells are zeros, or,
// where heads would be alike, numbers as torch.rand draws them.
enum class NewCells { zeros, drawn };
void resize_tensors(Document& document, const Rearrangement& changed, NewCells new_cells);

} // namespace lab
