#!/usr/bin/python3
"""Writes attention_THEME.json beside this file: sessions and the tensors that float64 expects of them.

Run with Debian's python3-torch and python3-numpy:  /usr/bin/python3 tests/reference/make_attention_reference.py [THEME...]
Read by tests/formats/attention_cases_test.cpp. The same numbers on every run.
"""
import pathlib
import re
import sys

import torch

import attention_case
import attention_cases_blocks
import attention_cases_gradients
import attention_cases_heads
import attention_cases_masks
import attention_cases_modules
import attention_cases_positions

MODULES = (attention_cases_heads, attention_cases_masks, attention_cases_positions, attention_cases_blocks,
           attention_cases_gradients, attention_cases_modules)


def check_dropout():
    """Dropout here is MT19937's; a PyTorch built with MKL draws another mask on Intel's processors."""
    torch.manual_seed(123)
    kept = torch.nn.functional.dropout(torch.ones(8), 0.5).tolist()
    assert kept == [2, 2, 0, 2, 2, 0, 0, 0], "this PyTorch draws dropout with MKL: use Debian's"


def main():
    check_dropout()
    folder = pathlib.Path(__file__).parent
    names, sizes = [], 0
    for module in MODULES:
        for theme, makers in module.THEMES.items():
            if sys.argv[1:] and theme not in sys.argv[1:]:
                continue
            cases = [case for make in makers for case in make()]
            for case in cases:
                if case.expected is None:
                    attention_case.complete(case)
            path = folder / f"attention_{theme}.json"
            attention_case.write(path, cases)
            names += [theme + re.sub("[^A-Za-z0-9]+", "_", " " + case.name) for case in cases]  # as gtest names them
            sizes += path.stat().st_size
            print(f"{path.name}: {len(cases)} cases, {path.stat().st_size} bytes")
    assert len(names) == len(set(names)), sorted(name for name in names if names.count(name) > 1)
    print(f"{len(names)} cases, {sizes} bytes")


if __name__ == "__main__":
    main()
