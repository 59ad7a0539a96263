"""What a reference case is, how its numbers are drawn and how it is written: see make_attention_reference.py."""
import json
import math
import re
import zlib

import numpy as np
import torch

import attention_reference as reference

INFINITY = float("inf")


class Case:
    """One session and what is expected of it."""

    def __init__(self, name, tensors, attention, unchecked=(), **keys):
        self.name, self.tensors, self.attention, self.keys = name, tensors, attention, keys
        self.unchecked = unchecked  # tensors whose rows docs/attention.md leaves open
        self.expected = None

    def session(self):
        tensors = {name: plain(value) for name, value in self.tensors.items()}
        return {"format": "attention-lab/session", "version": 1, "tensors": tensors, "attention": self.attention, **self.keys}


class Draw:
    """Numbers with 3 decimals that depend on the case's name only."""

    def __init__(self, name):
        self.random = np.random.RandomState(zlib.crc32(name.encode()))

    def __call__(self, *shape, low=-1.5, high=1.5):
        return np.round(self.random.uniform(low, high, shape), 3)

    def gain(self, n):
        return self(n, low=0.5, high=1.5)

    def ids(self, n, n_vocabulary):
        return self.random.randint(0, n_vocabulary, n).astype(float)


def plain(value):
    """Nested lists for JSON, of 3 decimals or of true and false."""
    return value.tolist() if isinstance(value, np.ndarray) else value


def as_tensors(case, needs_gradient=False):
    """The session's tensors as the engine reads them: float32 numbers, here in float64."""
    tensors = {}
    for name, value in case.tensors.items():
        array = np.asarray(value)
        if array.dtype == bool:
            array = np.where(array, 0.0, -INFINITY)
        tensor = torch.from_numpy(array.astype(np.float32).astype(np.float64))
        tensors[name] = tensor.requires_grad_(needs_gradient and name != "token_ids")
    return tensors


# What is expected.

def complete(case):
    """Fills in case.expected: all computed tensors, or with a gradient those of the target."""
    target = case.keys.get("gradient")
    tensors = as_tensors(case, needs_gradient=target is not None)
    computed = reference.forward(tensors, case.attention)
    check_roundings(case, computed)
    check_top_k(case, computed)
    if target is None:
        case.expected = {name: value.detach().numpy() for name, value in computed.items() if name not in case.unchecked}
        return
    value_of_target(case, {**tensors, **computed}).backward()
    case.expected = {"grad." + name: value.grad.numpy()
                     for name, value in {**tensors, **computed}.items() if value.grad is not None}
    assert any(np.abs(value).max() > 0.01 for value in case.expected.values()), (case.name, "gradients vanish")
    check_against_differences(case, tensors)


def value_of_target(case, named):
    """The number that the text of a target stands for: docs/attention.md, Gradients."""
    target = case.keys["gradient"]
    cell = re.fullmatch(r"([\w.]+)\[([\d,:]+)\]", target)
    if cell:
        index = tuple(slice(None) if part == ":" else int(part) for part in cell[2].split(","))
        return named[cell[1]][index].sum()
    call = re.fullmatch(r"(\w+)\((.+)\)", target)
    if call[1] == "sum":
        return named[call[2]].sum()
    if call[1] == "distance":
        squares = ((named[call[2]] - named["target"]) ** 2).sum()
        return squares.sqrt() if squares > 0 else squares * 0
    row, token = call[2].split(",")
    column = int(token) if token.isdigit() else case.keys["vocabulary"].index(token)
    return named["log_probabilities"][int(row), column]


def check_against_differences(case, tensors):
    """Autograd against central differences, for every finite number of the document's tensors."""
    tensors = {name: value.detach().clone(memory_format=torch.contiguous_format) for name, value in tensors.items()}

    def target():
        return float(value_of_target(case, {**tensors, **reference.forward(tensors, case.attention)}))

    step = 1e-5
    for name in tensors:
        gradient = case.expected.get("grad." + name)
        if gradient is None:
            continue
        cells = tensors[name].view(-1)
        for c in range(len(cells)):
            before = float(cells[c])
            if not math.isfinite(before):
                continue
            cells[c] = before + step
            above = target()
            cells[c] = before - step
            slope = (above - target()) / (2 * step)
            cells[c] = before
            assert abs(slope - gradient.reshape(-1)[c]) <= 1e-6 * (1 + abs(slope)), (case.name, name, c, slope)


def check_roundings(case, computed):
    """No weight so near a tie that float32 might round it elsewhere, and no row that the project's correction turns."""
    decimals = case.attention.get("round_weights")
    for name, rounded in computed.items() if decimals is not None else ():
        if not name.endswith("rounded_weights"):
            continue
        units = computed[name.replace("rounded", "attention")].detach() * 10 ** decimals
        from_tie = (units - torch.floor(units) - 0.5).abs()
        assert bool(((from_tie > 1e-3) | (from_tie == 0)).all()), (case.name, "too near a tie")
        for units_of_row, row in zip(units.reshape(-1, units.shape[-1]), rounded.reshape(-1, rounded.shape[-1])):
            sums_to_one = abs(float(units_of_row.sum()) / 10 ** decimals - 1) <= 1e-4
            assert not sums_to_one or abs(float(row.sum()) - 1) < 1e-4, (case.name, "a row to correct")


def check_top_k(case, computed):
    """The last score that is taken and the first that is not are equal, or far enough apart for float32."""
    k = case.attention.get("top_k")
    names = ("masked_scores", "capped_scores", "scaled_scores")
    scores = next((computed[name] for name in names if name in computed), None)
    if k is None or scores is None or k >= scores.shape[-1]:
        return
    descending = scores.detach().sort(-1, descending=True).values
    gap = torch.nan_to_num(descending[..., k - 1] - descending[..., k], nan=0.0)
    assert bool(((gap == 0) | (gap > 1e-4)).all()), (case.name, "too near a tie")


# How it is written.

def number_text(number):
    if math.isnan(number):
        return '"nan"'
    if math.isinf(number):
        return '"inf"' if number > 0 else '"-inf"'
    return "%.9g" % (number + 0.0)


def lists_text(value):
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (list, tuple, np.ndarray)):
        return "[" + ",".join(lists_text(item) for item in value) + "]"
    return number_text(float(value))


def case_text(case):
    session = case.session()
    tensors = session.pop("tensors")
    texts = [f'"{name}":{lists_text(value)}' for name, value in tensors.items()]
    head = json.dumps(session, separators=(",", ":"), ensure_ascii=False)[:-1]
    expected = [f'"{name}":{lists_text(value)}' for name, value in case.expected.items()]
    return (f'{{"name":{json.dumps(case.name)},"session":{head},"tensors":{{' + ",".join(texts) + "}},\n"
            f'"expected":{{' + ",".join(expected) + "}}")


def write(path, cases):
    with open(path, "w", encoding="utf-8") as file:
        file.write("[\n" + ",\n".join(case_text(case) for case in cases) + "\n]\n")
