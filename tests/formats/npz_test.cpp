#include "engine/formats/npz.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "engine/formats/json_text.h"
#include "engine/formats/zip.h"
#include "tests/engine/support.h"
#include "tests/reference/npz_reference.h"

namespace {

using lab::Shape;
using lab::Tensor;

using lab::test::kInfinity;
const std::vector<float> kMatrix = {1.5f, -2.25f, 3.0f, 0.1f, kInfinity, -0.0f};

template <std::size_t n> std::string_view bytes_of(const unsigned char (&bytes)[n]) {
    return {reinterpret_cast<const char*>(bytes), n};
}

std::vector<float> counting(int n) {
    std::vector<float> numbers;
    for (int i = 0; i < n; ++i) numbers.push_back(static_cast<float>(i));
    return numbers;
}

void expect_numpys_arrays(std::string_view bytes) {
    const auto tensors = lab::read_npz(bytes);
    ASSERT_TRUE(tensors) << tensors.error();
    const auto expect = [&](const char* name, const Shape& shape, const std::vector<float>& values) {
        ASSERT_EQ(tensors->count(name), 1u) << name;
        EXPECT_TRUE(bit_equal(tensors->at(name), Tensor(shape, values))) << name;
    };
    EXPECT_EQ(tensors->size(), 9u);
    expect("f4", Shape::matrix(2, 3), kMatrix);
    expect("f8", Shape::matrix(2, 3), kMatrix);
    expect("fortran", Shape::matrix(2, 3), kMatrix);
    expect("i4", Shape::stack(2, 3, 4), counting(24));
    expect("i8", Shape::stack(2, 3, 4), counting(24));
    expect("fortran_stack", Shape::stack(2, 3, 4), counting(24));
    expect("vector", Shape::vector(2), {7.0f, -8.0f});
    expect("scalar", Shape::vector(1), {2.5f});
    expect("mask", Shape::matrix(2, 2), {0.0f, -kInfinity, 0.0f, 0.0f});
}

TEST(Npz, ReadsWhatNumPyStored) { expect_numpys_arrays(bytes_of(kStoredArchive)); }

TEST(Npz, ReadsWhatNumPyDeflated) { expect_numpys_arrays(bytes_of(kDeflatedArchive)); }

TEST(Npz, ReadsVersion3) {
    const auto tensor = lab::read_npy(bytes_of(kVersion3Array));
    ASSERT_TRUE(tensor) << tensor.error();
    EXPECT_TRUE(bit_equal(*tensor, Tensor(Shape::matrix(2, 3), kMatrix)));
}

TEST(Npz, WhatIsWrittenIsReadToTheBit) {
    const std::vector<float> odd = {std::nanf(""), -kInfinity, 1e-45f, -0.0f, 3.4028235e38f, 1.0f / 3.0f};
    const std::map<std::string, Tensor> tensors = {{"a", Tensor(Shape::vector(6), odd)},
                                                   {"b", Tensor(Shape::matrix(2, 3), odd)},
                                                   {"c", Tensor(Shape::stack(3, 1, 2), odd)}};
    const std::string bytes = lab::write_npz(tensors);
    const auto read = lab::read_npz(bytes);
    ASSERT_TRUE(read) << read.error();
    ASSERT_EQ(read->size(), 3u);
    for (const auto& [name, tensor] : tensors) EXPECT_TRUE(bit_equal(tensor, read->at(name))) << name;
    EXPECT_EQ(lab::write_npz(*read), bytes);
}

std::string error_of(std::string_view bytes) {
    const auto read = lab::read_npz(bytes);
    return read ? "" : read.error();
}

TEST(Npz, WhatIsWrongIsSaid) {
    const std::string no_zip = "npz is a zip archive but the file does not end with the directory of one";
    EXPECT_EQ(error_of(""), no_zip);
    EXPECT_EQ(error_of("{\"format\": 1}"), no_zip);
    EXPECT_EQ(error_of(bytes_of(kBigEndianArchive)), "the array x holds \">f4\" but <f4, <f8, <i4 and <i8 are known");
    EXPECT_EQ(error_of(bytes_of(kTooGreatArchive)),
              "the array x has 1e+39 at index 1 but float32 ends at 3.4028235e+38");
    EXPECT_EQ(error_of(bytes_of(kEmptyArchive)), "the array x is empty but a tensor has at least one number");
    EXPECT_EQ(error_of(bytes_of(kFourAxesArchive)), "the array x has 4 axes but a tensor has at most 3");
    const std::string npy = lab::write_npy(Tensor(Shape::vector(2)));
    EXPECT_EQ(error_of(lab::write_zip({{"x.npy", npy}, {"x", npy}})),
              "the array x stands twice in the archive but can be one tensor only");
}

// The sentence on an array of two numbers after a part of it was replaced.
std::string error_after(const std::string& part, const std::string& replacement) {
    std::string npy = lab::write_npy(Tensor(Shape::vector(2)));
    npy.replace(npy.find(part), part.size(), replacement);
    const auto read = lab::read_npy(npy);
    return read ? "" : read.error();
}

TEST(Npz, WhatIsWrongInAnArrayIsSaid) {
    const std::string npy = lab::write_npy(Tensor(Shape::vector(2)));
    const auto error_of_first = [&](std::size_t n) { return lab::read_npy(npy.substr(0, n)).error(); };
    EXPECT_EQ(lab::read_npy("text").error(), "begins with \"text\" but an npy array with \\x93NUMPY");
    EXPECT_EQ(error_of_first(9), "ends after 9 bytes but a header takes more");
    EXPECT_EQ(error_of_first(50), "has a header of 118 bytes but ends after 40 of them");
    EXPECT_EQ(error_of_first(npy.size() - 1), "is 2 but holds 1 of these numbers");
    EXPECT_EQ(error_after("\x01", "\x09"), "is npy version 9 but 1 to 3 are known");
    EXPECT_EQ(error_after("descr", "typed"), "has a header that names no type of numbers but an npy array has one");
    EXPECT_EQ(error_after("(2,)", "(2;)"), "has the shape \"(2;)\" but a shape is one such as (6, 3), below 2³¹");
    EXPECT_EQ(error_after("(2,)", "()  ") + error_after("(2,)", "(1,)"), "");
    EXPECT_EQ(error_after("(2,), }     ", "(2147483648)"),
              "has the shape \"(2147483648)\" but a shape is one such as (6, 3), below 2³¹");
}

// The sentence on a good archive of one array, in whose last `kind` of header a number of two bytes was replaced.
std::string error_with(std::string_view kind, std::size_t at, unsigned value) {
    std::string bytes = lab::write_zip({{"x.npy", lab::write_npy(Tensor(Shape::vector(4), 1.0f))}});
    const std::size_t begin = bytes.rfind(kind) + at;
    bytes[begin] = static_cast<char>(value & 0xFF);
    bytes[begin + 1] = static_cast<char>(value >> 8);
    return error_of(bytes);
}

TEST(Npz, WhatIsWrongInTheArchiveIsSaid) {
    const std::string entry = "the archive's entry \"x.npy\" ";
    const std::string_view central = "PK\x01\x02", end = "PK\x05\x06";
    EXPECT_EQ(error_with(end, 10, 1), "");
    EXPECT_EQ(error_with(end, 10, 3), "the archive's directory is to have 3 entries but only 1 can be read");
    EXPECT_EQ(error_with(central, 8, 1), entry + "is encrypted but only what is not can be read");
    EXPECT_EQ(error_with(central, 10, 9), entry + "is packed by method 9 but 0 and 8 are known");
    EXPECT_EQ(error_with(central, 10, 8), entry + "is to have 144 bytes but does not unpack to as many");
    EXPECT_EQ(error_with(central, 20, 500), entry + "takes 500 bytes but the file ends after 217 of them");
    EXPECT_EQ(error_with(central, 24, 99), entry + "is to have 99 bytes but does not unpack to as many");
    EXPECT_EQ(error_with(central, 26, 0x4001), entry + "brings the archive to 1073807504 bytes but 1 GiB is the most");
    EXPECT_EQ(error_with(central, 42, 7), entry + "is to begin at byte 7 but no entry does");
}

// The most that this process has held at once, in bytes; always 0 in WebAssembly.
std::int64_t most_bytes_held() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return std::int64_t{usage.ru_maxrss} * 1024;
}

TEST(Npz, MemoryGrowsWithWhatUnpacksAndNotWithWhatIsClaimed) {
    std::string bytes(bytes_of(kDeflatedArchive));
    const std::size_t size_at = bytes.find("PK\x01\x02") + 24;
    bytes.replace(size_at, 4, std::string("\0\0\0\x3f", 4)); // 1008 MiB
    const std::int64_t before = most_bytes_held();
    const std::string error = error_of(bytes);
    EXPECT_NE(error.find("is to have 1056964608 bytes but does not unpack to as many"), std::string::npos) << error;
    EXPECT_LT(most_bytes_held() - before, 64 << 20);
}

TEST(Npz, AFlippedBitIsNoticed) {
    std::string bytes = lab::write_npz({{"x", Tensor(Shape::vector(4), 1.0f)}});
    bytes[bytes.find("<f4") + 90] ^= 1;
    const std::string error = error_of(bytes);
    EXPECT_TRUE(error.starts_with("the archive's entry \"x.npy\" has the checksum ")) << error;
    EXPECT_NE(error.find(" but is to have "), std::string::npos) << error;
}

TEST(Npz, AHugeShapeTakesNoMemory) {
    for (const auto& [dims, shape] : {std::pair{"(2147483647, 2147483647, 9), ", "2147483647 × 2147483647 × 9"},
                                      {"(1073741824, 1073741824, 16),", "1073741824 × 1073741824 × 16"}}) { // 2⁶⁴
        std::string npy = lab::write_npy(Tensor(Shape::matrix(2, 3)));
        npy.replace(npy.find("(2, 3)"), 29, dims);
        const auto read = lab::read_npy(npy);
        ASSERT_FALSE(read);
        EXPECT_EQ(read.error(), "is " + std::string(shape) + " but holds 6 of these numbers");
    }
}

TEST(Npz, NoBytesCrashIt) {
    std::mt19937 random(2024);
    int n_read = 0;
    for (std::string_view seed : {bytes_of(kStoredArchive), bytes_of(kDeflatedArchive)}) {
        for (int round = 0; round < 1500; ++round) {
            std::string bytes(seed);
            for (std::uint32_t n = random() % 6 + 1; n > 0; --n)
                bytes[random() % bytes.size()] = static_cast<char>(random());
            if (random() % 4 == 0) bytes.resize(random() % bytes.size());
            if (const auto tensors = lab::read_npz(bytes)) {
                ++n_read;
                EXPECT_TRUE(lab::read_npz(lab::write_npz(*tensors)));
            }
        }
        for (int round = 0; round < 1500; ++round) { // the arrays within, which the archive's checksums protect
            auto entries = lab::read_zip(seed);
            ASSERT_TRUE(entries);
            std::string npy = (*entries)[random() % entries->size()].data;
            for (std::uint32_t n = random() % 4 + 1; n > 0; --n)
                npy[random() % npy.size()] = static_cast<char>(random());
            if (lab::read_npy(npy, random() % 2 == 0)) ++n_read;
        }
    }
    EXPECT_GT(n_read, 100) << "some mutations only change numbers";
}

TEST(JsonTensors, IsOneObjectOfNestedLists) {
    const std::string text = lab::write_json_tensors({{"b", Tensor(Shape::vector(2), {0.5f, kInfinity})},
                                                      {"m", Tensor(Shape::matrix(2, 1), {1.0f, -0.0f})},
                                                      {"s", Tensor(Shape::stack(2, 1, 2), counting(4))}});
    EXPECT_EQ(text, "{\n  \"b\": [0.5, \"inf\"],\n  \"m\": [\n    [1],\n    [-0.0]\n  ],\n"
                    "  \"s\": [\n    [\n      [0, 1]\n    ],\n    [\n      [2, 3]\n    ]\n  ]\n}\n");
    EXPECT_TRUE(lab::parse_json(text));
    EXPECT_EQ(lab::write_json_tensors({}), "{}\n");
}

} // namespace
