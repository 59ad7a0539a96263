#pragma once

#include <string>
#include <vector>

#include "engine/document.h"

namespace lab {

// A tensor that has to be there, of this shape; how it is drawn where it, or a part of it, is new.
struct Need {
    std::string name;
    Shape shape;
    MadeBy how;
};

// What a document needs by its settings, in the order in which a notebook draws it; completing.h says how.
std::vector<Need> needs_of(const Document& document);

// Whether what leaves the heads must be mixed by W_output, since what reads it is of another width: then it cannot be removed.
bool needs_output_projection(const Document& document);

// As the worked examples have it: 3 → 2, 4 → 3; wide inputs keep their width.
int usual_projection_width(int d_in);

} // namespace lab
