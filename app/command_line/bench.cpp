#include "app/command_line/bench.h"

#include <cstdlib>
#include <ostream>

#include "app/benchmark/benchmark.h"
#include "app/command_line/report.h"

namespace lab {

namespace {

struct BenchOptions {
    BenchmarkCase benchmark;
    bool as_json = false;
};

Result<int> read_count(const std::string& option, const std::string& text, int most) {
    char* end = nullptr;
    const long number = std::strtol(text.c_str(), &end, 10);
    if (end == text.c_str() || *end != '\0' || number < 1 || number > most)
        return Error{option + " is '" + text + "' but should be a number from 1 to " + std::to_string(most)};
    return static_cast<int>(number);
}

Result<BenchOptions> read_options(const std::vector<std::string>& arguments) {
    BenchOptions options;
    std::string error;
    const auto take = [&](auto result, auto& to) {
        if (result)
            to = *result;
        else
            error = result.error();
    };
    BenchmarkCase of_case;
    int threads = 1, repeats = 25;
    for (std::size_t i = 0; i < arguments.size() && error.empty(); ++i) {
        const std::string& option = arguments[i];
        if (option == "--json") {
            options.as_json = true;
            continue;
        }
        if (option != "--case" && option != "--threads" && option != "--repeats")
            return Error{"bench has no option '" + option + "'; --help lists them"};
        if (i + 1 == arguments.size()) return Error{option + " needs a value"};
        const std::string& value = arguments[++i];
        if (option == "--case") take(read_benchmark_case(value), of_case);
        if (option == "--threads") take(read_count(option, value, 256), threads);
        if (option == "--repeats") take(read_count(option, value, 100000), repeats);
    }
    if (!error.empty()) return Error{error};
    if (of_case.n == 0) return Error{"bench needs --case NxD_INxD_K, as 1024x64x64"};
    of_case.threads = threads;
    of_case.repeats = repeats;
    options.benchmark = of_case;
    return options;
}

} // namespace

int run_bench(const std::vector<std::string>& arguments, const Streams& streams) {
    const Result<BenchOptions> options = read_options(arguments);
    if (!options) return report(streams, kWrongInput, options.error());
    ThreadPool threads(options->benchmark.threads);
    const Result<std::unique_ptr<Benchmark>> ready = Benchmark::prepare(options->benchmark, threads);
    if (!ready) return report(streams, kWrongInput, ready.error());
    const BenchmarkTimes times = (*ready)->run_repeats();
    const BenchmarkCase& benchmark = (*ready)->of_case();
    if (options->as_json) {
        streams.out << benchmark_json(benchmark, times) << '\n';
        return kSuccess;
    }
    streams.out << benchmark.name() << ", threads " << benchmark.threads << ": least " << times.least()
                << " µs, median " << times.median() << " µs of " << benchmark.repeats << '\n';
    return kSuccess;
}

} // namespace lab
