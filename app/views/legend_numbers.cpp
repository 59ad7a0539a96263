#include "app/views/legend_numbers.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/views/cell_numbers.h"
#include "engine/derivation.h"

namespace lab {

namespace {

constexpr float kLeastPlainInLegend = 5e-4f; // below it numbers have an exponent,
constexpr float kLeastLargeInLegend = 1e5f;  // and from here on
constexpr int kMostDecimals = 4;             // of others

// Up to three figures and four decimals, or a decimal fewer; of very large and very small numbers two figures and the exponent.
std::string legend_number(float value, Figures figures) {
    const float magnitude = std::fabs(value);
    if (magnitude >= kLeastLargeInLegend || (magnitude > 0 && magnitude < kLeastPlainInLegend))
        return exponent_text(value, 1);
    const int decimals = magnitude >= 100 || value == std::floor(value) ? 0
                         : magnitude >= 10                              ? 1
                         : magnitude >= 1                               ? 2
                         : magnitude >= 0.01f                           ? 3
                                                                        : kMostDecimals;
    // Below 0.1 there are two figures already, or one.
    const bool has_three = decimals > 0 && magnitude >= 0.1f;
    const int n_left = figures == Figures::two && has_three ? decimals - 1 : decimals;
    return number_text(static_cast<double>(value), n_left);
}

// How all numbers of a legend are written, so that they can be compared.
class LegendForm {
  public:
    LegendForm(const ColorScale& colors, Figures figures) : figures_(figures) {
        constexpr float kGreatestOfSmall = 0.01f;
        const bool has_tiny = colors.greatest < kGreatestOfSmall && has_tiny_number(colors);
        if (colors.begins_above_0())
            tell_apart(colors.least, colors.greatest, has_tiny || colors.greatest >= kLeastLargeInLegend);
        else if (has_tiny)
            with_exponent_ = 1;
    }

    std::string text(float value) const {
        if (with_exponent_ && value != 0) return exponent_text(value, *with_exponent_);
        return decimals_ ? number_text(static_cast<double>(value), *decimals_) : legend_number(value, figures_);
    }

    // What stands halfway along the colours, of signed ones from 0 on, where that is not halfway to the end.
    std::string middle(const ColorScale& colors) const {
        if (!colors.is_bent()) return {};
        if (colors.has_two_sides()) return "±" + text(colors.value_at(0.75f));
        return text(middle_value(colors));
    }

  private:
    static float middle_value(const ColorScale& colors) {
        return colors.value_at((colors.first_place() + colors.last_place()) / 2);
    }
    static bool has_tiny_number(const ColorScale& colors) {
        const auto is_tiny = [](float value) { return value > 0 && value < kLeastPlainInLegend; };
        return is_tiny(colors.least) || is_tiny(colors.greatest) ||
               (colors.is_bent() && !colors.has_two_sides() && is_tiny(middle_value(colors)));
    }

    // Of ends that are near to each other, so that numbers between them can be told apart, too.
    void tell_apart(float least, float greatest, bool has_exponent) {
        if (!has_exponent && least == std::floor(least) && greatest == std::floor(greatest)) return;
        const double n_steps = figures_ == Figures::three ? 10 : 2;
        const double step = (static_cast<double>(greatest) - static_cast<double>(least)) / n_steps;
        const int place = static_cast<int>(std::ceil(-std::log10(step))); // of the last decimal
        const int exponent = static_cast<int>(std::floor(std::log10(static_cast<double>(greatest))));
        if (has_exponent)
            with_exponent_ = std::max(place + exponent, 1);
        else
            decimals_ = std::max(place, 0);
    }

    Figures figures_;
    std::optional<int> with_exponent_; // decimals before it
    std::optional<int> decimals_;
};

} // namespace

LegendNumbers::LegendNumbers(const ColorScale& colors, Figures figures) {
    const LegendForm form(colors, figures);
    least = (colors.is_open && colors.is_signed() ? "≤ " : "") + form.text(colors.least);
    middle = form.middle(colors);
    greatest = (colors.is_open ? "≥ " : "") + form.text(colors.greatest);
}

bool has_ticks(const ColorScale& colors) { return colors.is_bent() && colors.has_two_sides(); }

std::string legend_sentence(const ColorScale& colors) {
    if (colors.begins_above_0()) {
        const LegendNumbers ends(colors, Figures::three);
        return "The colours run from " + ends.least + " to " + ends.greatest +
               ", the least and the greatest number that points show, and not from 0: all are near to each other.";
    }
    const bool has_one_side = colors.is_signed() && !colors.has_two_sides();
    std::string sentence;
    if (has_one_side && colors.is_open)
        return "The colours run from what is usually the least to what is usually the greatest number of a row of "
               "points, both on one side of 0. The few beyond have the colours of the ends.";
    if (has_one_side)
        sentence = "The colours run from the least to the greatest number that points show: all are on one side of 0.";
    if (!colors.is_bent()) return sentence;
    if (has_one_side) sentence += " ";
    sentence += std::string("The scale is bent so that ") + (has_one_side ? "those nearest to 0" : "small numbers");
    return sentence + " get more of the colours: " + LegendForm(colors, Figures::three).middle(colors) +
           (has_ticks(colors) ? ", at the ticks, stand halfway between 0 and the ends."
                              : ", in the middle, stands halfway along them.");
}

} // namespace lab
