#pragma once

#include <map>
#include <string>
#include <string_view>

#include "engine/result.h"
#include "engine/tensor.h"

namespace lab {

// One array as NumPy's npy format (versions 1 to 3) holds it.
//
// Read: float32, float64 and whole numbers of 4 or 8 bytes, little-endian, in C or Fortran order, of 0 to 3
// axes (no axis: a vector of one). With `booleans_mask` also booleans, true as 0 and false as −∞. An error:
// anything else, an array without numbers, a number beyond float32, bytes that are missing.
Result<Tensor> read_npy(std::string_view bytes, bool booleans_mask = false);

// float32 in C order, version 1.
std::string write_npy(const Tensor& tensor);

// The arrays of NumPy's npz format, a zip archive of npy files, by name without ".npy". The array `mask` may
// be boolean.
Result<std::map<std::string, Tensor>> read_npz(std::string_view bytes);

// Stored, not deflated; numpy.load reads it. Equal tensors give equal bytes.
std::string write_npz(const std::map<std::string, Tensor>& tensors);

// The same tensors as one JSON object of nested lists, a line for each row.
std::string write_json_tensors(const std::map<std::string, Tensor>& tensors);

} // namespace lab
