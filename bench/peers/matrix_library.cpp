#include "bench/peers/matrix_library.h"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <initializer_list>

namespace lab {

namespace {

constexpr int kLeftOut = 3; // what bench/compare.py reads as "a package is missing"

void* open_or_leave_out(std::initializer_list<const char*> files, const char* package) {
    for (const char* file : files) {
        if (void* library = dlopen(file, RTLD_NOW)) return library;
    }
    std::fprintf(stderr, "%s is not installed\n", package);
    std::exit(kLeftOut);
}

template <class Function> Function function_of(void* library, const char* name) {
    void* address = dlsym(library, name);
    if (!address) {
        std::fprintf(stderr, "the library has no %s\n", name);
        std::exit(1);
    }
    return reinterpret_cast<Function>(address);
}

} // namespace

void MatrixLibrary::open_openblas(int threads) {
    void* library = open_or_leave_out({"libopenblas.so.0"}, "libopenblas0-pthread");
    cblas_ = function_of<Cblas>(library, "cblas_sgemm");
    function_of<void (*)(int)>(library, "openblas_set_num_threads")(threads);
    version_ = function_of<char* (*)()>(library, "openblas_get_config")();
}

void MatrixLibrary::open_onednn() {
    void* library = open_or_leave_out({"libdnnl.so.3", "libdnnl.so.2"}, "oneDNN (libdnnl)");
    dnnl_ = function_of<Dnnl>(library, "dnnl_sgemm");
    const DnnlVersion* version = function_of<const DnnlVersion* (*)()>(library, "dnnl_version")();
    version_ = "oneDNN " + std::to_string(version->major) + "." + std::to_string(version->minor) + "." +
               std::to_string(version->patch);
}

void MatrixLibrary::open(const std::string& name, int threads) {
    if (name == "openblas") return open_openblas(threads);
    if (name == "onednn") return open_onednn();
    std::fprintf(stderr, "the library is '%s' but should be openblas or onednn\n", name.c_str());
    std::exit(2);
}

void MatrixLibrary::multiply(const Product& product, const Operand& a, const Operand& b, const Target& c) const {
    constexpr int kRowMajor = 101, kAsItIs = 111, kTransposed = 112;
    const auto& [rows, cols, inner, scale] = product;
    if (cblas_)
        cblas_(kRowMajor, kAsItIs, b.is_transposed ? kTransposed : kAsItIs, rows, cols, inner, scale, a.cells, a.stride,
               b.cells, b.stride, 0.0f, c.cells, c.stride);
    else
        dnnl_('N', b.is_transposed ? 'T' : 'N', rows, cols, inner, scale, a.cells, a.stride, b.cells, b.stride, 0.0f,
              c.cells, c.stride);
}

} // namespace lab
