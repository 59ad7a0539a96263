#pragma once

#include <cmath>
#include <string>

#include "engine/step.h"

namespace lab {

// Whether a token's number is a word's, of n words: a whole number from 0 to n − 1.
template <class T> bool is_word(T number, int n_words) {
    return number >= 0 && number < static_cast<T>(n_words) && number == std::floor(number);
}

// 1 where token i, of the numbers that operand 0 holds, is this word, else 0: by definition, because of its number.
inline Expression token_is_word(Operands<float> operands, int i, int word, int n_words) {
    const Cell at{0, 0, i};
    const float number = operands[0].at(at);
    const bool is_it = is_word(number, n_words) && static_cast<int>(number) == word;
    const std::string reason = is_word(number, n_words) ? "the token's number is " : "no word has the number ";
    return Expression::given(is_it ? 1 : 0, reason + digits_text(static_cast<double>(number), 9),
                             {Expression::cell({0, at}, number)});
}

} // namespace lab
