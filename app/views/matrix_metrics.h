#pragma once

#include <algorithm>

#include "app/widgets/geometry.h"
#include "engine/program.h"

// What stands around a matrix's cells, as the design's pictures have it: those who place matrices and those who draw
// them go by the same lengths, in points at text scale 1.
namespace lab::matrix_metrics {

constexpr ImVec2 kPitch{44, 24}; // from cell to cell, where there is room
// Zoomed in to be read: so that small numbers have two figures beside their exponent.
constexpr ImVec2 kReadPitch{1.25f * kPitch.x, 1.25f * kPitch.y};
constexpr float kTitle = 36;        // above the cells: name and formula
constexpr float kColumnLabels = 12; // more above where columns are labelled
constexpr float kCompactTitle = 22; // the name alone
constexpr float kCompactLegend = 16;
constexpr float kLegend = 22; // below the cells
// Below a narrow legend, in the gap to what comes next: what a point of many cells says.
constexpr float kLegendSubject = 12;
constexpr float kAtEdge = 6;         // between the view's edge and the title and words that stand there
constexpr float kLeastSeen = 40;     // of a matrix: with its end, what stands at the view's edge leaves too
constexpr float kRowLabelGap = 8;    // between a word and its row
constexpr float kMostRowLabel = 110; // wider words are cut
constexpr float kColumnsApart = 3;   // whole words side by side, above columns
constexpr float kSomeLetters = 3.2f; // of the size: of a word that is cut less is not read

} // namespace lab::matrix_metrics

namespace lab {

// Rows and columns that are shown.
struct MatrixExtent {
    int n_rows = 0;
    int n_cols = 0;
};

// Of more rows or columns a matrix is a picture rather than numbers.
constexpr int kMostNumbers = 15;

// Weights of many rows and of many columns: not read number by number.
inline bool is_picture_of_weights(Role role, MatrixExtent extent) {
    return role == Role::weight_matrix && std::min(extent.n_rows, extent.n_cols) > kMostNumbers;
}

// What the words beside the rows name.
inline Axis row_axis(const Node& node) {
    return node.presentation.slice_by_query ? node.presentation.planes : node.presentation.rows;
}

// Whether the words beside the rows name queries, so that a click on one chooses it.
inline bool words_choose_query(const Node& node) {
    return node.presentation.rows == Axis::queries && !node.presentation.slice_by_query;
}

} // namespace lab
