#!/usr/bin/python3
"""Writes engine/presets/NAME.session.json and NAME.expected.json for the presets of preset_documents.py.

Run with Debian's python3-torch and python3-numpy:  /usr/bin/python3 tests/reference/make_presets.py
Sessions stand in the form in which Attention Lab saves them, which tests/formats/presets_test.cpp holds. What they come to is
computed in float64 by attention_reference.py. The same bytes on every run.
"""
import json
import pathlib

import numpy as np
import torch

import attention_reference as reference
import preset_documents
from attention_case import lists_text

FOLDER = pathlib.Path(__file__).parents[2] / "engine" / "presets"

# The order in which a session states its settings.
ALWAYS_STATED = {"projections": True, "scale": "rsqrt_d_k", "normalization": "softmax", "mask": "none"}
THEN_STATED = ("window", "n_heads", "n_kv_heads", "position", "n_blocks", "norm", "final_norm", "mlp", "unembedding")


def number_text(number):
    """The fewest digits that bring a float32 back."""
    return np.format_float_positional(np.float32(number), unique=True, trim="-")


def tensor_text(array, indent):
    if array.ndim == 1:
        return "[" + ", ".join(map(number_text, array)) + "]"
    parts = [f"{indent}  {tensor_text(part, indent + '  ')}" for part in array]
    return "[\n" + ",\n".join(parts) + f"\n{indent}]"


def object_text(fields, indent):
    lines = [f"{indent}  {json.dumps(key)}: {text}" for key, text in fields.items()]
    return "{\n" + ",\n".join(lines) + f"\n{indent}}}"


def plain(value):
    return json.dumps(value, ensure_ascii=False)


def settings_of(preset):
    unstated = set(preset.attention) - set(ALWAYS_STATED) - set(THEN_STATED)
    assert not unstated, (preset.name, unstated)
    return {**ALWAYS_STATED, **preset.attention}


def session_text(preset):
    settings = settings_of(preset)
    fields = {"format": plain("attention-lab/session"), "version": "1", "title": plain(preset.title),
              "source": plain(preset.source), "tokens": plain(preset.tokens)}
    for key in ("context_tokens", "vocabulary"):
        if getattr(preset, key):
            fields[key] = plain(getattr(preset, key))
    fields["tensors"] = object_text({name: tensor_text(np.asarray(value), "    ") for name, value in preset.tensors.items()}, "  ")
    fields["attention"] = object_text({key: plain(settings[key]) for key in (*ALWAYS_STATED, *THEN_STATED) if key in settings}, "  ")
    if preset.made_by:
        fields["made_by"] = object_text({name: plain(made) for name, made in preset.made_by.items()}, "  ")
    return object_text(fields, "") + "\n"


def computed(preset):
    tensors = {name: torch.from_numpy(np.asarray(value, dtype=np.float32).astype(np.float64))
               for name, value in preset.tensors.items()}
    by_name = reference.forward(tensors, settings_of(preset))
    return {name: value.detach().numpy() for name, value in by_name.items() if not name.endswith("weighted_values")}


def check_printed(preset, by_name):
    for name, numbers in preset.printed.items():
        assert np.abs(by_name[name] - np.array(numbers)).max() <= 0.5001e-4, (preset.name, name)


def rows_text(value):
    """Nested lists with a row on each line."""
    return lists_text(value).replace("],[", "],\n [").replace(",", ", ").replace(", \n", ",\n")


def expected_text(preset):
    by_name = computed(preset)
    check_printed(preset, by_name)
    parts = [",\n".join(f'"{name}": {rows_text(value)}' for name, value in group.items()) for group in (by_name, preset.printed)]
    return f'{{"expected": {{{parts[0]}}},\n"printed": {{{parts[1]}}}}}\n'


def main():
    for preset in preset_documents.all_presets():
        (FOLDER / f"{preset.name}.session.json").write_text(session_text(preset), encoding="utf-8")
        (FOLDER / f"{preset.name}.expected.json").write_text(expected_text(preset), encoding="utf-8")
        print(preset.name)


if __name__ == "__main__":
    main()
