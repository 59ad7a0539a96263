"""The work that every peer does, and how its time is taken: the same numbers, the same rule as `attention-lab bench`.

A peer is a program that takes `--case NxD_INxD_K[xHEADS] --threads T --repeats R`, as ours does, and prints one JSON line; where a
package is missing it says so in one sentence on standard error and ends with status 3.
"""
import argparse
import json
import os
import sys
import time
from dataclasses import dataclass

LEFT_OUT = 3
REPEAT_LASTS_s = 0.002  # each repeat is the mean of as many passes as take this long, as ours
WARM_UP_s = 0.2


@dataclass(frozen=True)
class Case:
    size: str
    n: int
    d_in: int
    d_k: int
    n_heads: int = 1

    @property
    def width(self):
        return self.d_k * self.n_heads

    @property
    def n_operations(self):
        """Multiplications and additions of the products, as app/benchmark/benchmark.cpp counts them."""
        n_projections = 4 if self.n_heads > 1 else 3
        return 2 * n_projections * self.n * self.d_in * self.width + 4 * self.n * self.n * self.width


def read_case(size):
    numbers = [int(number) for number in size.split("x")]
    if len(numbers) not in (3, 4) or min(numbers) < 1:
        raise argparse.ArgumentTypeError(f"the case is '{size}' but should be NxD_INxD_K or NxD_INxD_KxHEADS")
    return Case(size, *numbers)


def arguments(*, variants=()):
    """Reads the arguments and sets the number of threads, which libraries read when they are loaded: import them afterwards."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--case", type=read_case, required=True)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repeats", type=int, default=25)
    if variants:
        parser.add_argument("--variant", choices=variants, default=variants[0])
    options = parser.parse_args()
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[variable] = str(options.threads)
    return options


def leave_out(sentence):
    print(sentence, file=sys.stderr)
    sys.exit(LEFT_OUT)


def spread_numbers(rows, columns, seed, scale):
    """float32 in [−1, 1) · scale, from a hash of their place (lowbias32 by C. Wellons): bit for bit what ours are."""
    import numpy as np
    x = np.arange(rows * columns, dtype=np.uint32) + np.uint32(seed * 0x9E3779B1 & 0xFFFFFFFF)
    x ^= x >> np.uint32(16)
    x *= np.uint32(0x7FEB352D)
    x ^= x >> np.uint32(15)
    x *= np.uint32(0x846CA68B)
    x ^= x >> np.uint32(16)
    unit = (x >> np.uint32(8)).astype(np.float32) / np.float32(2**23) - np.float32(1)
    return (unit * np.float32(scale)).reshape(rows, columns)


def tensors_of(case):
    by_width = (3 / case.d_in) ** 0.5
    tensors = {"inputs": spread_numbers(case.n, case.d_in, 1, 3**0.5)}
    for seed, name in enumerate(("W_query", "W_key", "W_value"), start=2):
        tensors[name] = spread_numbers(case.d_in, case.width, seed, by_width)
    if case.n_heads > 1:
        tensors["W_output"] = spread_numbers(case.width, case.d_in, 5, (3 / case.width) ** 0.5)
    return tensors


def mean_pass_s(run, n_passes):
    before = time.perf_counter()
    for _ in range(n_passes):
        run()
    return (time.perf_counter() - before) / n_passes


def measure_us(run, repeats):
    """Microseconds of a pass, per repeat, from the least to the greatest."""
    begin = time.perf_counter()
    n_warm = 0
    while n_warm < 3 or time.perf_counter() - begin < WARM_UP_s:
        run()
        n_warm += 1
    n_passes = max(1, round(REPEAT_LASTS_s / mean_pass_s(run, 3)))
    return sorted(1e6 * mean_pass_s(run, n_passes) for _ in range(repeats))


def print_line(options, times_us, *, version, result):
    """`result`: the context vectors, or the outputs where there are heads; the mean of their squares tells whether all did the
    same work."""
    import numpy as np
    median = times_us[len(times_us) // 2]
    print(json.dumps({
        "case": options.case.size,
        "threads": options.threads,
        "repeats": options.repeats,
        "us_min": round(times_us[0], 3),
        "us_median": round(median, 3),
        "gflops_median": round(options.case.n_operations / median / 1000, 3),
        "version": version,
        "mean_square": float(np.mean(np.square(result, dtype=np.float64))),
    }))
