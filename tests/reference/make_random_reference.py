#!/usr/bin/python3
"""Writes random_reference.h: what PyTorch 1.13 draws, for the tests of engine/random and engine/initialisers.

Run with Debian's python3-torch:  /usr/bin/python3 tests/reference/make_random_reference.py > tests/reference/random_reference.h
"""
import torch

SEEDS = [123, 789, 2**40 + 7]
EMBEDDING_ROWS = [0, 4, 3, 2, 5, 1, 3, 777, 49994, 49995, 49999]


def bits(tensor):
    return tensor.contiguous().view(torch.int32).flatten().tolist()


def hash_of_bits(tensor):
    value = 2166136261
    for word in bits(tensor):
        value = ((value ^ (word & 0xFFFFFFFF)) * 16777619) & 0xFFFFFFFF
    return value


def kept_cells(n):
    """All cells of a small tensor; of a large one the first, some between and the last sixteen."""
    return list(range(n)) if n <= 64 else list(range(17)) + list(range(41, n - 16, 97)) + list(range(n - 16, n))


def literal(value):
    text = "%.9g" % value
    return text + ("f" if "." in text or "e" in text else ".0f")


def emit(name, seed, tensor):
    tensor = tensor.detach().contiguous()
    flat = tensor.flatten()
    cells = kept_cells(flat.numel())
    dims = ", ".join(str(extent) for extent in tensor.shape)
    indices = ", ".join(str(i) for i in cells)
    values = ", ".join(literal(flat[i].item()) for i in cells)
    total = flat.double().sum().item()
    print(f'    {{"{name}", {seed}u, {{{dims}}}, {{{indices}}},')
    print(f"     {{{values}}},")
    print(f"     {total!r}, 0x{hash_of_bits(tensor):08x}u}},")


def after(seed, make):
    torch.manual_seed(seed)
    return make()


def sequence(seed):
    """One notebook cell after the other: below 16 a kept normal number goes over from the first randn to the second."""
    torch.manual_seed(seed)
    return torch.cat([torch.rand(3), torch.randn(5), torch.rand(2), torch.randn(5), torch.randn(16), torch.randn(2)])


def layers(seed):
    for n_in, n_out in [(3, 2), (7, 5), (64, 32)]:
        layer = after(seed, lambda: torch.nn.Linear(n_in, n_out))
        emit("linear", seed, layer.weight.T)
        emit("linear_bias", seed, layer.bias)
    for n_in, n_out in [(3, 2), (7, 5)]:
        for name in ["xavier_uniform", "xavier_normal", "kaiming_uniform", "kaiming_normal"]:
            fill = getattr(torch.nn.init, name + "_")
            emit(name, seed, after(seed, lambda: fill(torch.empty(n_out, n_in))).T)


def embedding(seed):
    table = after(seed, lambda: torch.nn.Embedding(50000, 3)).weight.detach()
    emit("embedding", seed, table[EMBEDDING_ROWS])
    emit("embedding_table", seed, table)


def main():
    print("// Made by make_random_reference.py with PyTorch", torch.__version__)
    print("#pragma once\n\n#include <cstdint>\n#include <string>\n#include <vector>\n")
    print("// Some cells of a tensor that PyTorch drew, their sum in double, and a hash of all bits.")
    print("struct RandomReference {\n    std::string name;\n    std::uint64_t seed;\n    std::vector<int> dims;")
    print("    std::vector<int> indices;\n    std::vector<float> values;\n    double sum;\n    std::uint32_t hash;\n};\n")
    print("inline const std::vector<int> kEmbeddingRows = {" + ", ".join(map(str, EMBEDDING_ROWS)) + "};\n")
    print("// clang-format off\ninline const std::vector<RandomReference> kRandomReferences = {")
    for seed in SEEDS:
        for n in [5, 16, 21, 1000]:
            emit("rand", seed, after(seed, lambda: torch.rand(n)))
            emit("randn", seed, after(seed, lambda: torch.randn(n)))
        emit("sequence", seed, sequence(seed))
        layers(seed)
        embedding(seed)
    print("};\n// clang-format on")


main()
