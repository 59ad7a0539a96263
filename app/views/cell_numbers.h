#pragma once

#include <optional>
#include <string>
#include <vector>

namespace lab {

// What a cell has room for: figures of the numbers' face, and whether they are as large as the design's.
struct FigureRoom {
    int n_figures = 6;
    bool are_large = true;
    int n_smaller = n_figures; // of kOfLong times the size, as numbers have that are longer than usual
};

// In place of decimals: of numbers so small that a decimal fraction would say 0.00 of what is strongly coloured.
constexpr int kWithExponent = -1, kWithWholeExponent = -2;
constexpr int kUsualDecimals = 2;
// The size of numbers with an exponent or more decimals: side by side they do not run together.
constexpr float kOfLong = 0.9f;

// How all numbers of a matrix are written.
struct NumberForm {
    int decimals = 0;
    bool has_zero = true; // before the point: ".003" has room where "0.003" has none

    NumberForm(int n_decimals, bool with_zero = true) : decimals(n_decimals), has_zero(with_zero) {}
    bool operator==(const NumberForm&) const = default;
    bool is_long() const { return decimals < 0 || !has_zero || decimals > kUsualDecimals; }
};

// As many decimals as there is room for and the numbers need, two at most until there is room for four or some are small. Of what is
// typically small two digits; where there is no room for them no zero before the point, then an exponent.
// least_seen  smaller magnitudes are as good as 0 beside the others: by their colour nobody tells them from it
NumberForm form_that_fits(const std::vector<float>& cells, FigureRoom room, float least_seen = 0);

// Where no four figures have room: ".08", "1.2", "−.3" or whole numbers, if they say enough of all cells; else absent.
std::optional<NumberForm> short_form_that_fits(const std::vector<float>& cells, int n_figures);

// "1.81", "−0.003", "−.003", "1.4e11", "2.1e−4": what stands in a cell.
std::string cell_number(float value, NumberForm form);

// What such a text says, as a number, however it was rounded: 0.12 of "0.12"; absent of "NaN", "∞" or a mere sign.
std::optional<float> number_said(const std::string& number);

// "0.00", "−0"
bool says_zero(const std::string& number);

// "−3.12e−4", with so many decimals.
std::string exponent_text(float value, int decimals);

// "−3e−4": where "−3.1e−4" has no room.
std::string whole_exponent_text(float value);

} // namespace lab
