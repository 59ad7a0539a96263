// Each kernel by itself, on one thread, at the sizes of large, xlarge and wide: how fast, and which share of what the machine
// can do, which is measured in turn with it. Prints a table, or JSON lines.
//
//   kernels [--rounds R] [--json]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>

#include "bench/limits.h"
#include "bench/stopwatch.h"
#include "engine/kernels/product.h"
#include "engine/kernels/rows.h"

namespace lab {
namespace {

// What is timed: a kernel at one size. It works either on numbers or on memory.
struct Kernel {
    std::string name;
    double n_operations; // 0: its speed is that of memory
    double n_bytes;      // read once and written once
    std::function<void()> run;
    std::vector<double> us = {};

    bool is_arithmetic() const { return n_operations > 0; }
};

// Cells that do not matter, but are no zeros nor anything else that the processor would be slow or quick with.
std::vector<float> some_cells(std::size_t n) {
    std::vector<float> cells(n);
    for (std::size_t i = 0; i < n; ++i) cells[i] = static_cast<float>((i * 2654435761u >> 8) % 2048) / 1024.0f - 1.0f;
    return cells;
}

// Of one head; where there are several, the heads of A lie side by side (queries) or one after another (weights).
struct Extents {
    int rows, inner, cols;
    int n_heads = 1;
    bool a_is_side_by_side = false;
    bool is_of_scores = false;

    Summing summing() const { return is_of_scores ? faster_summing(rows, inner, cols) : Summing::in_order; }
    std::size_t n_a() const { return static_cast<std::size_t>(rows) * inner; }
    std::size_t n_b() const { return static_cast<std::size_t>(inner) * cols; }
    std::size_t n_c() const { return static_cast<std::size_t>(rows) * cols; }
};

// C = A · B with B laid out already.
Kernel product(const std::string& name, const Extents& of) {
    std::vector<PanelMatrix> packed(of.n_heads);
    for (PanelMatrix& each : packed)
        pack_rows(some_cells(of.n_b()).data(), of.cols, of.inner, of.cols, each, of.summing());
    const double n_cells = 1.0 * of.n_heads * static_cast<double>(of.n_a() + of.n_b() + of.n_c());
    return {name, 2.0 * of.n_heads * static_cast<double>(of.n_a()) * of.cols, n_cells * sizeof(float),
            [=, a = some_cells(of.n_heads * of.n_a()), c = std::vector<float>(of.n_heads * of.n_c())]() mutable {
                const std::ptrdiff_t stride = of.a_is_side_by_side ? of.n_heads * of.inner : of.inner;
                for (int head = 0; head < of.n_heads; ++head) {
                    const float* rows = a.data() + (of.a_is_side_by_side ? head * of.inner : head * of.n_a());
                    float* result = c.data() + head * of.n_c();
                    multiply_packed({rows, stride, of.rows, &packed[head], {0, of.cols}, result, of.cols});
                }
            }};
}

Kernel softmax(const std::string& name, int n_rows, int n) {
    constexpr float kFactor = 0.125f; // 1/√64, multiplied on the way
    const std::size_t n_cells = static_cast<std::size_t>(n_rows) * n;
    return {name, 0, 2.0 * static_cast<double>(n_cells) * sizeof(float),
            [=, scores = some_cells(n_cells), weights = std::vector<float>(n_cells)]() mutable {
                softmax_rows({scores.data(), n, n_rows, n, kFactor, nullptr, weights.data(), n});
            }};
}

using Pack = void (*)(const float*, std::ptrdiff_t, int, int, PanelMatrix&, Summing);
Kernel packing(const std::string& name, Pack pack, int n_inner, int n_cols, Summing summing = Summing::in_order) {
    const std::size_t n_cells = static_cast<std::size_t>(n_inner) * n_cols;
    const std::ptrdiff_t stride = pack == static_cast<Pack>(pack_rows) ? n_cols : n_inner;
    return {name, 0, 2.0 * static_cast<double>(n_cells) * sizeof(float),
            [=, b = some_cells(n_cells), packed = PanelMatrix()]() mutable {
                pack(b.data(), stride, n_inner, n_cols, packed, summing);
            }};
}

std::vector<Kernel> kernels() {
    std::vector<Kernel> all;
    for (const auto& [name, n] : {std::pair<std::string, int>{"large", 1024}, {"xlarge", 4096}}) {
        all.push_back(product(name + " inputs · W", {n, 64, 64}));
        all.push_back(product(name + " queries · keysᵀ", {.rows = n, .inner = 64, .cols = n, .is_of_scores = true}));
        all.push_back(softmax(name + " softmax", n, n));
        all.push_back(product(name + " weights · values", {n, n, 64}));
        all.push_back(packing(name + " keysᵀ into panels", pack_transposed, 64, n, faster_summing(n, 64, n)));
        all.push_back(packing(name + " values into panels", pack_rows, n, 64));
    }
    all.push_back(product("wide inputs · W", {1024, 768, 768}));
    all.push_back(product(
        "wide queries · keysᵀ",
        {.rows = 1024, .inner = 64, .cols = 1024, .n_heads = 12, .a_is_side_by_side = true, .is_of_scores = true}));
    all.push_back(softmax("wide softmax", 12 * 1024, 1024));
    all.push_back(product("wide weights · values", {1024, 1024, 64, 12}));
    all.push_back(packing("wide W into panels", pack_rows, 768, 768));
    return all;
}

double median(std::vector<double> numbers) {
    std::sort(numbers.begin(), numbers.end());
    return numbers[numbers.size() / 2];
}

// Which level of memory holds as many bytes; the last where none does.
std::size_t level_of(const std::vector<MemoryLevel>& levels, double bytes) {
    std::size_t i = 0;
    while (i + 1 < levels.size() && 3.0 * static_cast<double>(levels[i].bytes_per_array) < bytes) ++i;
    return i;
}

// `limit`: the greatest rate that the machine showed in the same minutes.
void print(const Kernel& kernel, double limit, bool as_json) {
    const double least = *std::min_element(kernel.us.begin(), kernel.us.end());
    const double work = kernel.is_arithmetic() ? kernel.n_operations : kernel.n_bytes;
    const double rate = work / least / 1000;
    const char* unit = kernel.is_arithmetic() ? "GFLOP/s" : "GB/s";
    const char* format = as_json ? R"({"kernel": "%s", "us_min": %.2f, "us_median": %.2f, "rate_max": %.2f, )"
                                   R"("unit": "%s", "limit": %.1f, "share": %.3f})"
                                 : "| %s | %.1f | %.1f | %.1f %s | %.1f | %.2f |";
    std::printf(format, kernel.name.c_str(), least, median(kernel.us), rate, unit, limit, rate / limit);
    std::printf("\n");
}

struct Options {
    int n_rounds = 15;
    bool as_json = false;
};
Options read_options(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string name = argv[i];
        if (name == "--rounds" && i + 1 < argc) options.n_rounds = std::max(1, std::atoi(argv[++i]));
        if (name == "--json") options.as_json = true;
    }
    return options;
}

void run(const Options& options) {
    const LimitLoops loops = instruction_sets().back().loops;
    const std::vector<MemoryLevel> levels = memory_levels();
    std::vector<Kernel> all = kernels();
    double peak = 0;
    std::vector<double> bandwidths(levels.size());
    for (int round = 0; round < options.n_rounds; ++round) {
        peak = std::max(peak, peak_gflops(loops, 1));
        for (std::size_t i = 0; i < levels.size(); ++i)
            bandwidths[i] = std::max(bandwidths[i], triad_gbytes(loops, levels[i], 1, 1));
        for (Kernel& each : all) each.us.push_back(mean_run_us(each.run));
    }
    if (!options.as_json) {
        std::printf("%s, one thread\n\n", instruction_set());
        std::printf("| kernel | least µs | median µs | greatest rate | limit | share |\n|---|---|---|---|---|---|\n");
    }
    for (const Kernel& each : all)
        print(each, each.is_arithmetic() ? peak : bandwidths[level_of(levels, each.n_bytes)], options.as_json);
}

} // namespace
} // namespace lab

int main(int argc, char** argv) {
    lab::run(lab::read_options(argc, argv));
    return 0;
}
