#pragma once

#include <random>
#include <string>

namespace lab_tests {

// One to a few random changes of a session's text: bytes, cuts, pieces put elsewhere, and tokens that sessions are made
// of. The same on every platform for the same state of `random`.
std::string mutated(const std::string& text, std::mt19937& random);

// Reads a text as a session and checks what must hold of any text. Empty, or what does not hold.
//   an error is one line that is not empty
//   what was read, written and read again, is the same to the bit, and written again the same text
//   its program runs, and every tensor has a number in every cell
std::string broken_promise(const std::string& text);

} // namespace lab_tests
