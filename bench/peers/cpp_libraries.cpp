// The pass written by hand in C++ around a library's matrix product, OpenBLAS or oneDNN, as one would who knows how:
// buffers that are there already, the scale folded into the product of queries and keys, a row softmax that the compiler
// lays out in this machine's vectors. Scores and weights are kept.
//
//   cpp_libraries openblas|onednn --case NxD_INxD_K[xHEADS] --threads T --repeats R
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "app/benchmark/spread_numbers.h"
#include "bench/peers/matrix_library.h"

namespace lab {
namespace {

constexpr double kRepeatLasts_us = 2000, kWarmUp_us = 200'000;
constexpr int kFewestRowsToShare = 64;

struct Options {
    std::string library, size;
    int n = 0, d_in = 0, d_k = 0, n_heads = 1;
    int threads = 1, repeats = 25;

    int width() const { return d_k * n_heads; }
    double n_operations() const { return (n_heads > 1 ? 8.0 : 6.0) * n * d_in * width() + 4.0 * n * n * width(); }
};

Options read_options(int argc, char** argv) {
    Options options;
    if (argc > 1) options.library = argv[1];
    for (int i = 2; i + 1 < argc; i += 2) {
        const std::string name = argv[i];
        if (name == "--case") options.size = argv[i + 1];
        if (name == "--threads") options.threads = std::atoi(argv[i + 1]);
        if (name == "--repeats") options.repeats = std::atoi(argv[i + 1]);
    }
    const int n_read =
        std::sscanf(options.size.c_str(), "%dx%dx%dx%d", &options.n, &options.d_in, &options.d_k, &options.n_heads);
    if (n_read < 3 || options.threads < 1 || options.repeats < 1) {
        std::fputs("usage: cpp_libraries openblas|onednn --case NxD_INxD_K[xHEADS] --threads T --repeats R\n", stderr);
        std::exit(2);
    }
    return options;
}

// e^x for −87.3 ≤ x ≤ 0, without a branch, so that it is laid out in vectors (coefficients of Cephes' expf).
inline float exponential(float x) {
    x = std::max(x, -87.3f);
    const float k = std::nearbyint(x * 1.44269504f);
    const float r = (x - k * 0.693359375f) + k * 2.12194440e-4f;
    float series = 1.9875691500e-4f;
    for (float coefficient : {1.3981999507e-3f, 8.3334519073e-3f, 4.1665795894e-2f, 1.6666665459e-1f, 5.0000001201e-1f})
        series = series * r + coefficient;
    const std::int32_t bits = (static_cast<std::int32_t>(k) + 127) << 23;
    float power;
    std::memcpy(&power, &bits, sizeof power);
    return (series * r * r + r + 1.0f) * power;
}

void softmax_row(const float* __restrict scores, float* __restrict weights, int n) {
    float greatest = scores[0];
    for (int j = 1; j < n; ++j) greatest = std::max(greatest, scores[j]);
    float sum = 0;
    for (int j = 0; j < n; ++j) sum += weights[j] = exponential(scores[j] - greatest);
    const float factor = 1 / sum;
    for (int j = 0; j < n; ++j) weights[j] *= factor;
}

class Pass {
  public:
    Pass(const Options& of, const MatrixLibrary& library);
    void run();
    double mean_square() const;

  private:
    void project(const std::vector<float>& weights, std::vector<float>& to) const;
    void soften(const float* scores, float* weights) const;
    void attend(int head);

    const Options& of_;
    const MatrixLibrary& library_;
    std::vector<float> inputs_, W_query_, W_key_, W_value_, W_output_;
    std::vector<float> queries_, keys_, values_, scores_, weights_, contexts_, outputs_;
};

Pass::Pass(const Options& of, const MatrixLibrary& library) : of_(of), library_(library) {
    const std::size_t n = of.n, d_in = of.d_in, width = of.width();
    const double by_width = std::sqrt(3.0 / of.d_in);
    inputs_ = spread_numbers(n * d_in, 1, std::sqrt(3.0));
    W_query_ = spread_numbers(d_in * width, 2, by_width);
    W_key_ = spread_numbers(d_in * width, 3, by_width);
    W_value_ = spread_numbers(d_in * width, 4, by_width);
    W_output_ = spread_numbers(width * d_in, 5, std::sqrt(3.0 / static_cast<double>(width)));
    for (std::vector<float>* each : {&queries_, &keys_, &values_, &contexts_}) each->resize(n * width);
    for (std::vector<float>* each : {&scores_, &weights_}) each->resize(n * n * of.n_heads);
    outputs_.resize(n * d_in);
}

void Pass::project(const std::vector<float>& weights, std::vector<float>& to) const {
    library_.multiply({of_.n, of_.width(), of_.d_in}, {inputs_.data(), of_.d_in}, {weights.data(), of_.width()},
                      {to.data(), of_.width()});
}

// Entering a parallel region takes longer than a few rows do, also with one thread.
void Pass::soften(const float* scores, float* weights) const {
    const int n = of_.n;
    const auto row = [=](int i) {
        softmax_row(scores + static_cast<std::size_t>(i) * n, weights + static_cast<std::size_t>(i) * n, n);
    };
    if (of_.threads == 1 || n < kFewestRowsToShare) {
        for (int i = 0; i < n; ++i) row(i);
        return;
    }
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; ++i) row(i);
}

void Pass::attend(int head) {
    const int n = of_.n, width = of_.width(), first = head * of_.d_k;
    float* scores = scores_.data() + static_cast<std::size_t>(head) * n * n;
    float* weights = weights_.data() + static_cast<std::size_t>(head) * n * n;
    const float scale = 1 / std::sqrt(static_cast<float>(of_.d_k));
    library_.multiply({n, n, of_.d_k, scale}, {queries_.data() + first, width}, {keys_.data() + first, width, true},
                      {scores, n});
    soften(scores, weights);
    library_.multiply({n, of_.d_k, n}, {weights, n}, {values_.data() + first, width},
                      {contexts_.data() + first, width});
}

void Pass::run() {
    project(W_query_, queries_);
    project(W_key_, keys_);
    project(W_value_, values_);
    for (int head = 0; head < of_.n_heads; ++head) attend(head);
    if (of_.n_heads > 1)
        library_.multiply({of_.n, of_.d_in, of_.width()}, {contexts_.data(), of_.width()}, {W_output_.data(), of_.d_in},
                          {outputs_.data(), of_.d_in});
}

double Pass::mean_square() const {
    const std::vector<float>& last = of_.n_heads > 1 ? outputs_ : contexts_;
    double sum = 0;
    for (float value : last) sum += static_cast<double>(value) * value;
    return sum / static_cast<double>(last.size());
}

double microseconds_now() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double, std::micro>(now).count();
}

double mean_pass_us(Pass& pass, int n_passes) {
    const double before = microseconds_now();
    for (int i = 0; i < n_passes; ++i) pass.run();
    return (microseconds_now() - before) / n_passes;
}

std::vector<double> measure_us(Pass& pass, int repeats) {
    const double begin = microseconds_now();
    for (int n_warm = 0; n_warm < 3 || microseconds_now() - begin < kWarmUp_us; ++n_warm) pass.run();
    const int n_passes = std::max(1, static_cast<int>(kRepeatLasts_us / mean_pass_us(pass, 3)));
    std::vector<double> times;
    for (int i = 0; i < repeats; ++i) times.push_back(mean_pass_us(pass, n_passes));
    std::sort(times.begin(), times.end());
    return times;
}

} // namespace
} // namespace lab

int main(int argc, char** argv) {
    using namespace lab;
    const Options options = read_options(argc, argv);
    MatrixLibrary library;
    omp_set_num_threads(options.threads);
    library.open(options.library, options.threads);
    Pass pass(options, library);
    const std::vector<double> times = measure_us(pass, options.repeats);
    const double median = times[times.size() / 2];
    std::printf(R"({"case": "%s", "threads": %d, "repeats": %d, "us_min": %.3f, "us_median": %.3f, )",
                options.size.c_str(), options.threads, options.repeats, times.front(), median);
    std::printf(R"("gflops_median": %.3f, "version": "C++ with %s", "mean_square": %.9g})"
                "\n",
                options.n_operations() / median / 1000, library.version().c_str(), pass.mean_square());
    return 0;
}
