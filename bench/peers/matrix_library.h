#pragma once

#include <cstdint>
#include <string>

namespace lab {

// C [rows × cols] = scale · A [rows × inner] · B, or · Bᵀ; strides count floats from row to row.
struct Product {
    int rows, cols, inner;
    float scale = 1;
};
struct Operand {
    const float* cells;
    int stride;
    bool is_transposed = false;
};
struct Target {
    float* cells;
    int stride;
};

// OpenBLAS or oneDNN, opened while running, so that neither is needed to build.
class MatrixLibrary {
  public:
    // `name`: openblas or onednn. Ends the program with status 3 and a sentence where it is not installed.
    void open(const std::string& name, int threads);
    void multiply(const Product& product, const Operand& a, const Operand& b, const Target& c) const;
    const std::string& version() const { return version_; }

  private:
    using Cblas = void (*)(int, int, int, int, int, int, float, const float*, int, const float*, int, float, float*,
                           int);
    using Dnnl = int (*)(char, char, std::int64_t, std::int64_t, std::int64_t, float, const float*, std::int64_t,
                         const float*, std::int64_t, float, float*, std::int64_t);
    struct DnnlVersion {
        int major, minor, patch;
    };
    void open_openblas(int threads);
    void open_onednn();

    Cblas cblas_ = nullptr;
    Dnnl dnnl_ = nullptr;
    std::string version_;
};

} // namespace lab
