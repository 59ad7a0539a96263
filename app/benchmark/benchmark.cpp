#include "app/benchmark/benchmark.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "app/benchmark/spread_numbers.h"

namespace lab {

namespace {

constexpr double kRepeatLasts_us = 2000;

Tensor spread(const Shape& shape, std::uint32_t seed, double scale) {
    return Tensor(shape, spread_numbers(shape.size(), seed, scale));
}

double microseconds_now() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double, std::micro>(now).count();
}

constexpr long kMostOfACount = 1'000'000;

std::string wrong_case(const std::string& text) {
    return "the case is '" + text + "' but should be NxD_INxD_K or NxD_INxD_KxHEADS, as 1024x768x64x12";
}

} // namespace

std::string BenchmarkCase::name() const {
    std::string text = std::to_string(n) + "x" + std::to_string(d_in) + "x" + std::to_string(d_k);
    return n_heads > 1 ? text + "x" + std::to_string(n_heads) : text;
}

double BenchmarkCase::n_operations() const {
    const double width = static_cast<double>(d_k) * n_heads;
    const double projections = (n_heads > 1 ? 8.0 : 6.0) * n * d_in * width;
    return projections + 4.0 * n * n * width;
}

Result<BenchmarkCase> read_benchmark_case(std::string_view text) {
    std::vector<int> numbers;
    const std::string copy(text);
    const char* at = copy.c_str();
    for (bool goes_on = true; goes_on; ++at) {
        char* end = nullptr;
        const long number = std::strtol(at, &end, 10);
        if (end == at || number < 1 || number > kMostOfACount) return Error{wrong_case(copy)};
        numbers.push_back(static_cast<int>(number));
        at = end;
        goes_on = *at == 'x';
        if (!goes_on && *at != '\0') return Error{wrong_case(copy)};
    }
    if (numbers.size() < 3 || numbers.size() > 4) return Error{wrong_case(copy)};
    return BenchmarkCase{numbers[0], numbers[1], numbers[2], numbers.size() > 3 ? numbers[3] : 1};
}

Document benchmark_document(const BenchmarkCase& benchmark) {
    Document document;
    const int width = benchmark.d_k * benchmark.n_heads;
    const double by_width = std::sqrt(3.0 / benchmark.d_in);
    const Shape of_weights = Shape::matrix(benchmark.d_in, width);
    document.attention.n_heads = benchmark.n_heads;
    document.tensors["inputs"] = spread(Shape::matrix(benchmark.n, benchmark.d_in), 1, std::sqrt(3.0));
    document.tensors["W_query"] = spread(of_weights, 2, by_width);
    document.tensors["W_key"] = spread(of_weights, 3, by_width);
    document.tensors["W_value"] = spread(of_weights, 4, by_width);
    if (benchmark.n_heads > 1) {
        document.tensors["W_output"] = spread(Shape::matrix(width, benchmark.d_in), 5, std::sqrt(3.0 / width));
    }
    return document;
}

double BenchmarkTimes::least() const { return *std::min_element(us.begin(), us.end()); }

double BenchmarkTimes::median() const {
    std::vector<double> sorted = us;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
}

Result<std::unique_ptr<Benchmark>> Benchmark::prepare(const BenchmarkCase& benchmark, ThreadPool& threads) {
    const Document document = benchmark_document(benchmark);
    const Result<Program> program = build_program(document);
    if (!program) return Error{program.error()};
    std::unique_ptr<Benchmark> ready(new Benchmark(benchmark, threads));
    threads.start();
    ready->trace_.update(*program, document.tensors);
    return ready;
}

double Benchmark::run_us(int n_passes) {
    const double before = microseconds_now();
    for (int i = 0; i < n_passes; ++i) run();
    return microseconds_now() - before;
}

BenchmarkTimes Benchmark::run_repeats() {
    const int n_passes = static_cast<int>(std::clamp(3 * kRepeatLasts_us / run_us(3), 1.0, 1e5));
    run_us(n_passes);
    BenchmarkTimes times;
    for (int i = 0; i < case_.repeats; ++i) times.us.push_back(run_us(n_passes) / n_passes);
    return times;
}

std::string benchmark_json(const BenchmarkCase& benchmark, const BenchmarkTimes& times) {
    char text[256];
    std::snprintf(
        text, sizeof text,
        R"({"case": "%s", "threads": %d, "repeats": %d, "us_min": %.3f, "us_median": %.3f, "gflops_median": %.3f})",
        benchmark.name().c_str(), benchmark.threads, benchmark.repeats, times.least(), times.median(),
        benchmark.n_operations() / times.median() / 1000);
    return text;
}

} // namespace lab
