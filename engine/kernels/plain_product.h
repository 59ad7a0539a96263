#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace lab {

// Products of matrices by plain loops: c[j] = Σ_k a[k] · b[k, j], each cell added in the order of k from zero and every operation
// rounded by itself, so that the bits are the same on every machine. For what is small; engine/kernels/product.h is for the rest.

// Rows of A times columns of B, of which only where they lie is said.
template <class T> struct PlainProduct {
    const T* a;
    std::ptrdiff_t a_stride; // from row to row
    int n_rows;
    const T* b;
    std::ptrdiff_t b_stride_k, b_stride_j; // from one k, one column to the next
    int n_inner, n_cols;
    T* c;
    std::ptrdiff_t c_stride;
};

// The inner dimension is known to the compiler: a loop of three steps costs more in mispredicted ends than in products.
template <int kInner, class T> void multiply_few(const PlainProduct<T>& of) {
    for (int i = 0; i < of.n_rows; ++i) {
        const T* a = of.a + i * of.a_stride;
        T* c = of.c + i * of.c_stride;
        for (int j = 0; j < of.n_cols; ++j) {
            const T* b = of.b + j * of.b_stride_j;
            T sum = 0;
            for (int k = 0; k < kInner; ++k) sum += a[k] * b[k * of.b_stride_k];
            c[j] = sum;
        }
    }
}

// c[j] = Σ_k a[k] · B[j, k], along the rows of B.
template <class T> void multiply_along_rows(const PlainProduct<T>& of) {
    for (int i = 0; i < of.n_rows; ++i) {
        const T* a = of.a + i * of.a_stride;
        for (int j = 0; j < of.n_cols; ++j) {
            const T* b = of.b + j * of.b_stride_j;
            T sum = 0;
            for (int k = 0; k < of.n_inner; ++k) sum += a[k] * b[k * of.b_stride_k];
            of.c[i * of.c_stride + j] = sum;
        }
    }
}

// The same row by row of B, so that the inner loop runs along memory: b_stride_j is 1.
template <class T> void multiply_row_by_row(const PlainProduct<T>& of) {
    for (int i = 0; i < of.n_rows; ++i) {
        T* c = of.c + i * of.c_stride;
        std::fill(c, c + of.n_cols, T(0));
        for (int k = 0; k < of.n_inner; ++k) {
            const T factor = of.a[i * of.a_stride + k];
            const T* b = of.b + k * of.b_stride_k;
            for (int j = 0; j < of.n_cols; ++j) c[j] += factor * b[j];
        }
    }
}

inline constexpr int kFewInner = 8;
inline constexpr int kFewProducts = 64; // of a row

template <class T> void multiply_plain(const PlainProduct<T>& of) {
    const bool runs_along_rows = of.b_stride_j != 1 || of.n_cols == 1;
    if (of.n_inner <= kFewInner && (runs_along_rows || of.n_inner * of.n_cols <= kFewProducts)) {
        static constexpr auto by_inner = []<int... kInner>(std::integer_sequence<int, kInner...>) {
            return std::array{&multiply_few<kInner, T>...};
        }
        (std::make_integer_sequence<int, kFewInner + 1>());
        return by_inner[static_cast<std::size_t>(of.n_inner)](of);
    }
    runs_along_rows ? multiply_along_rows(of) : multiply_row_by_row(of);
}

} // namespace lab
