#pragma once

#include <optional>
#include <string>
#include <vector>

namespace lab {

// What a cell has room for: figures of the numbers' face, and whether they are as large as the design's.
struct FigureRoom {
    int n_figures = 6;
    bool are_large = true;
};

// In place of decimals: of numbers so small that a decimal fraction would say 0.00 of what is strongly coloured.
constexpr int kWithExponent = -1;

// As many decimals as there is room for and the numbers need, two at most until there is room for four or some are small. Of what is
// typically small two digits; where there is no room for them an exponent.
// least_seen  smaller magnitudes are as good as 0 beside the others: by their colour nobody tells them from it
int decimals_that_fit(const std::vector<float>& cells, FigureRoom room, float least_seen = 0);

// "1.81", "−0.003", "1.4e11", "2.1e−4": what stands in a cell.
std::string cell_number(float value, int decimals);

// What such a text says, as a number, however it was rounded: 0.12 of "0.12"; absent of "NaN", "∞" or a mere sign.
std::optional<float> number_said(const std::string& number);

// "0.00", "−0"
bool says_zero(const std::string& number);

// "−3e−4": where "−3.1e−4" has no room.
std::string whole_exponent_text(float value);

} // namespace lab
