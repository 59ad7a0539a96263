#include <algorithm>
#include <cstdio>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "engine/formats/bytes.h"
#include "engine/formats/json_text.h"
#include "engine/formats/npz.h"
#include "engine/formats/number_text.h"

namespace lab {

namespace {

constexpr std::string_view kMagic{"\x93NUMPY", 6};

struct NpyHeader {
    std::string type; // "<f4"
    bool fortran_order = false;
    std::vector<std::uint64_t> dims;
};

// What stands after `'key':` in the header, a Python dictionary as NumPy prints it; empty if the key is not
// there.
std::string_view value_of(std::string_view dictionary, const std::string& key) {
    std::size_t begin = dictionary.find("'" + key + "'");
    if (begin == std::string_view::npos) return {};
    begin = dictionary.find(':', begin);
    if (begin == std::string_view::npos) return {};
    begin = dictionary.find_first_not_of(' ', begin + 1);
    return begin == std::string_view::npos ? std::string_view() : dictionary.substr(begin);
}

// "(6, 3)" or "(6,)" or "()".
std::optional<std::vector<std::uint64_t>> parse_dims(std::string_view text) {
    if (text.empty() || text.front() != '(') return std::nullopt;
    std::vector<std::uint64_t> dims;
    bool in_number = false;
    for (char c : text.substr(1)) {
        if (c == ')') return dims;
        if (c >= '0' && c <= '9') {
            if (!in_number) dims.push_back(0);
            dims.back() = dims.back() * 10 + static_cast<std::uint64_t>(c - '0');
            if (dims.back() > static_cast<std::uint64_t>(std::numeric_limits<int>::max())) return std::nullopt;
        } else if (c != ',' && c != ' ') {
            return std::nullopt;
        }
        in_number = c >= '0' && c <= '9';
    }
    return std::nullopt;
}

// What the header's dictionary says.
Result<NpyHeader> parse_header(std::string_view dictionary) {
    NpyHeader header;
    const std::string_view type = value_of(dictionary, "descr"), shape = value_of(dictionary, "shape");
    if (type.size() > 1 && type.front() == '\'') header.type = std::string(type.substr(1, type.find('\'', 1) - 1));
    if (header.type.empty()) return Error{"has a header that names no type of numbers but an npy array has one"};
    header.fortran_order = value_of(dictionary, "fortran_order").substr(0, 4) == "True";
    const auto dims = parse_dims(shape);
    if (!dims) {
        constexpr std::size_t kMostShown = 40;
        const std::string shown(shape.substr(0, std::min(shape.find(')'), kMostShown - 1) + 1));
        return Error{"has the shape " + json_string(shown) + " but a shape is one such as (6, 3), below 2³¹"};
    }
    header.dims = *dims;
    return header;
}

// The header, which is taken off the front of `bytes`.
Result<NpyHeader> take_header(std::string_view& bytes) {
    const std::string_view begins_with = bytes.substr(0, kMagic.size());
    if (begins_with != kMagic) {
        return Error{"begins with " + json_string(std::string(begins_with)) + " but an npy array with \\x93NUMPY"};
    }
    if (bytes.size() < 12)
        return Error{"ends after " + std::to_string(bytes.size()) + " bytes but a header takes more"};
    const int version = static_cast<unsigned char>(bytes[6]);
    if (version < 1 || version > 3) return Error{"is npy version " + std::to_string(version) + " but 1 to 3 are known"};
    const std::size_t length_bytes = version == 1 ? 2 : 4;
    const std::size_t begin = 8 + length_bytes;
    const std::uint64_t length = read_little_endian(bytes.substr(8), length_bytes);
    if (length > bytes.size() - begin) {
        return Error{"has a header of " + std::to_string(length) + " bytes but ends after " +
                     std::to_string(bytes.size() - begin) + " of them"};
    }
    const std::string_view dictionary = bytes.substr(begin, static_cast<std::size_t>(length));
    bytes.remove_prefix(begin + static_cast<std::size_t>(length));
    return parse_header(dictionary);
}

Result<Shape> shape_of(const std::vector<std::uint64_t>& dims) {
    if (dims.size() > 3) return Error{"has " + std::to_string(dims.size()) + " axes but a tensor has at most 3"};
    for (std::uint64_t extent : dims) {
        if (extent == 0) return Error{"is empty but a tensor has at least one number"};
    }
    const auto extent = [&](std::size_t axis) { return static_cast<int>(dims[axis]); };
    if (dims.empty()) return Shape::vector(1);
    if (dims.size() == 1) return Shape::vector(extent(0));
    if (dims.size() == 2) return Shape::matrix(extent(0), extent(1));
    return Shape::stack(extent(0), extent(1), extent(2));
}

std::size_t bytes_per_number(const std::string& type, bool booleans_mask) {
    if (type == "<f4" || type == "<i4") return 4;
    if (type == "<f8" || type == "<i8") return 8;
    return type == "|b1" && booleans_mask ? 1 : 0;
}

template <class Bits, class Value> Value from_bits(std::uint64_t word) {
    const Bits bits = static_cast<Bits>(word);
    Value value;
    static_assert(sizeof bits == sizeof value);
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

// Nothing where a finite float64 has no float32.
std::optional<float> number_of(const std::string& type, std::uint64_t word) {
    if (type == "<f4") return from_bits<std::uint32_t, float>(word);
    if (type == "<f8") return to_float32(from_bits<std::uint64_t, double>(word));
    if (type == "<i4") return static_cast<float>(from_bits<std::uint32_t, std::int32_t>(word));
    if (type == "<i8") return static_cast<float>(from_bits<std::uint64_t, std::int64_t>(word));
    return word != 0 ? 0.0f : -std::numeric_limits<float>::infinity(); // a boolean mask
}

std::string float64_text(std::uint64_t word) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", from_bits<std::uint64_t, double>(word));
    return text;
}

// Extents are below 2³¹, so that a product of three overflows unless it is looked at on the way.
bool fits_in(std::uint64_t n_held, const std::vector<std::uint64_t>& dims) {
    std::uint64_t n_wanted = 1;
    for (std::uint64_t extent : dims) {
        if (n_wanted > n_held) return false;
        n_wanted *= extent;
    }
    return n_wanted <= n_held;
}

// Where the cell that C order has at `index` stands in Fortran order, whose first axis runs fastest.
std::size_t fortran_index(const Shape& shape, std::size_t index) {
    const std::size_t n_cols = static_cast<std::size_t>(shape.cols), n_rows = static_cast<std::size_t>(shape.rows);
    const std::size_t col = index % n_cols, row = index / n_cols % n_rows, plane = index / n_cols / n_rows;
    return plane + static_cast<std::size_t>(shape.planes) * (row + n_rows * col);
}

} // namespace

Result<Tensor> read_npy(std::string_view bytes, bool booleans_mask) {
    const Result<NpyHeader> header = take_header(bytes);
    if (!header) return Error{header.error()};
    const Result<Shape> shape = shape_of(header->dims);
    if (!shape) return Error{shape.error()};
    const std::size_t width = bytes_per_number(header->type, booleans_mask);
    if (width == 0) return Error{"holds " + json_string(header->type) + " but <f4, <f8, <i4 and <i8 are known"};
    const std::size_t n_held = bytes.size() / width;
    if (!fits_in(n_held, header->dims)) {
        return Error{"is " + shape->to_text() + " but holds " + std::to_string(n_held) + " of these numbers"};
    }
    std::vector<float> cells(shape->size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::size_t place = header->fortran_order ? fortran_index(*shape, i) : i;
        const std::uint64_t word = read_little_endian(bytes.substr(place * width), width);
        const auto number = number_of(header->type, word);
        if (!number)
            return Error{"has " + float64_text(word) + " at index " + std::to_string(i) + " but " + kFloat32Ends};
        cells[i] = *number;
    }
    return Tensor(*shape, cells);
}

std::string write_npy(const Tensor& tensor) {
    std::string dims;
    for (int extent : tensor.shape().dims()) dims += std::to_string(extent) + ", ";
    dims.resize(dims.size() - (tensor.shape().rank == 1 ? 1 : 2)); // "6," and "6, 3"
    std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + dims + "), }";
    while ((10 + header.size() + 1) % 64 != 0) header += ' '; // NumPy aligns the data to 64 bytes
    header += '\n';
    std::string bytes{kMagic};
    append_little_endian(bytes, 0x0001, 2); // version 1.0
    append_little_endian(bytes, header.size(), 2);
    bytes += header;
    for (float cell : tensor.values()) {
        std::uint32_t word = 0;
        std::memcpy(&word, &cell, sizeof word);
        append_little_endian(bytes, word, 4);
    }
    return bytes;
}

} // namespace lab
