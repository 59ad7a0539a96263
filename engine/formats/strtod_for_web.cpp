#include <cstdlib>
#include <cstring>

#include <fast_float/fast_float.h>

// WebAssembly's C library reads a number in software arithmetic of 128 bits: four fifths of the time in which a session is read.
// So whoever asks for strtod there is given this (the linker's --wrap); both round correctly, to the same bits.
extern "C" double __real_strtod(const char* text, char** end);

// What begins with a digit is read here, after a minus or not; what else strtod knows, such as hexadecimals, is left to it. errno
// says nothing.
extern "C" double __wrap_strtod(const char* text, char** end) {
    const char* digits = text + (*text == '-' ? 1 : 0);
    const bool begins_with_digit = *digits >= '0' && *digits <= '9';
    const bool is_hexadecimal = *digits == '0' && (digits[1] == 'x' || digits[1] == 'X');
    if (!begins_with_digit || is_hexadecimal) return __real_strtod(text, end);
    double value = 0;
    const auto read = fast_float::from_chars(text, text + std::strspn(text, "+-.0123456789eE"), value);
    if (end) *end = const_cast<char*>(read.ptr);
    return value;
}
