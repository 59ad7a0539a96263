"""Forward cases: positions of every kind, context length, tokens by their ids, predictions without blocks."""
from attention_case import Case, Draw
from attention_cases_heads import given, heads_settings, output, projections
from attention_cases_masks import simple


def rope_cases():
    for name, n, H, G, d_k, more in (
            ("rope", 4, 1, None, 2, {}),
            ("rope, four dimensions", 3, 1, None, 4, {}),
            ("rope interleaved", 3, 1, None, 4, {"rope_pairs": "interleaved"}),
            ("rope, two heads", 3, 2, None, 4, {}),
            ("rope interleaved, grouped", 3, 4, 2, 2, {"rope_pairs": "interleaved"}),
            ("rope, base", 3, 1, None, 4, {"rope_base": 100}),
            ("rope, base 500000", 3, 2, None, 4, {"rope_base": 500000}),
            ("rope, some dimensions", 3, 1, None, 4, {"rope_dims": 2}),
            ("rope, some dimensions, interleaved", 3, 1, None, 6, {"rope_dims": 4, "rope_pairs": "interleaved"}),
            ("rope, some dimensions, half", 3, 2, 1, 6, {"rope_dims": 4}),
            ("rope, odd width, some dimensions", 3, 1, None, 3, {"rope_dims": 2}),
            ("rope, all dimensions named", 3, 1, None, 4, {"rope_dims": 4}),
            ("rope, scaling", 4, 1, None, 4, {"rope_scaling": 4}),
            ("rope, scaling below 1", 3, 2, None, 4, {"rope_scaling": 0.5, "rope_base": 77.5}),
            ("rope, causal", 4, 1, None, 2, {"mask": "causal"}),
            ("rope, window, grouped", 4, 4, 2, 2, {"mask": "sliding_window", "window": 2}),
            ("rope, documents", 4, 1, None, 2, {"document_lengths": [2, 2]}),
            ("rope, top-k", 4, 1, None, 2, {"normalization": "top_k_softmax", "top_k": 2}),
            ("rope, context length", 4, 1, None, 2, {"context_length": 3}),
            ("rope, scale", 3, 1, None, 4, {"scale": 1})):
        yield simple(name, n, H, G, d_k, position="rope", **more)
    draw = Draw("rope, no projections")
    yield Case("rope, no projections", {"inputs": draw(3, 4)}, {"projections": False, "position": "rope"})
    yield Case("rope, given", given(draw, 2, 3, 2, 1, 4, rank=2), heads_settings(2, 1, position="rope"))
    yield Case("rope, given of rank 3", given(draw, 3, 3, 2, 1, 4, rank=3), heads_settings(2, 1, position="rope"))
    tensors = {"inputs": draw(2, 3), "context_inputs": draw(3, 3), **projections(draw, 3)}
    yield Case("rope, cross-attention", tensors, {"position": "rope"})


def bias_cases():
    for H in (1, 2, 3, 4, 6):
        yield simple(f"alibi, {H} heads", 3, H, position="alibi", d_k=1)
    yield simple("alibi, grouped, causal", 4, 4, 2, position="alibi", mask="causal")
    yield simple("alibi, window", 4, 2, position="alibi", mask="sliding_window", window=2)
    yield simple("alibi, documents, padded", 4, 2, position="alibi", document_lengths=[2, 2], nonpad_keys=3)
    yield simple("alibi, by naive softmax", 3, 2, position="alibi", normalization="naive_softmax")
    draw = Draw("alibi, cross-attention")
    tensors = {"inputs": draw(2, 3), "context_inputs": draw(4, 3), **projections(draw, 3, 2)}
    yield Case("alibi, cross-attention", tensors, heads_settings(2, position="alibi"))
    for n, H, G, r, more in ((4, 1, None, 1, {}), (4, 1, None, 5, {}), (3, 2, None, 1, {}), (4, 4, 2, 2, {"mask": "causal"}),
                             (4, 2, 1, 0, {}), (4, 2, None, 1, {"mask": "sliding_window", "window": 2}),
                             (3, 2, None, 1, {"softcap": 1}), (3, 1, None, 1, {"normalization": "sparsemax"}),
                             (3, 2, None, 1, {"scale": 1, "nonpad_keys": 2})):
        name = f"relative bias, {H} on {G or H}, reach {r}, " + (", ".join(more) or "free")
        case = simple(name, n, H, G, position="relative_bias", **more)
        case.tensors["relative_bias"] = Draw(name)(H, 2 * r + 1)
        yield case


def table_cases():
    for n, d_in in ((4, 4), (3, 3), (2, 6), (5, 1)):
        draw = Draw(f"sinusoidal, {n} x {d_in}")
        yield Case(f"sinusoidal, {n} tokens of {d_in} dimensions", {"inputs": draw(n, d_in), **projections(draw, d_in)},
                   {"position": "sinusoidal"})
    draw = Draw("tables")
    yield Case("sinusoidal, no projections", {"inputs": draw(3, 4)}, {"projections": False, "position": "sinusoidal"})
    yield simple("sinusoidal, two heads, causal", 3, 2, position="sinusoidal", mask="causal")
    yield simple("sinusoidal, context length", 4, position="sinusoidal", context_length=2)
    for name, n, rows, H, more in (("learned positions", 3, 3, 1, {}), ("learned positions, more than tokens", 3, 6, 2, {}),
                                   ("learned positions, causal", 4, 4, 1, {"mask": "causal"}),
                                   ("learned positions, context length", 4, 2, 1, {"context_length": 2})):
        case = simple(name, n, H, position="learned", **more)
        case.tensors["W_position"] = draw(rows, 3)
        yield case
    draw = Draw("learned, no projections")
    yield Case("learned positions, no projections", {"inputs": draw(3, 2), "W_position": draw(4, 2)},
               {"projections": False, "position": "learned"})


def token_cases():
    yield simple("context length", 4, context_length=3)
    yield simple("context length of 1", 3, context_length=1)
    yield simple("context length longer than all", 3, context_length=8)
    yield simple("context length, causal, grouped", 4, 4, 2, context_length=3, mask="causal")
    draw = Draw("tokens by ids")
    tokens = {"token_ids": draw.ids(4, 5), "W_embedding": draw(5, 3)}
    yield Case("tokens by ids", {**tokens, **projections(draw, 3)}, {})
    yield Case("tokens by ids, no projections", tokens, {"projections": False, "mask": "causal"})
    yield Case("tokens by ids, context length", {**tokens, **projections(draw, 3)}, {"context_length": 2})
    yield Case("tokens by ids, sinusoidal, two heads", {**tokens, **projections(draw, 3, 2), **output(draw, 4, 3)},
               {"n_heads": 2, "position": "sinusoidal"})
    yield Case("tokens by ids, learned positions", {**tokens, "W_position": draw(4, 3), **projections(draw, 3)},
               {"position": "learned", "mask": "causal"})
    yield Case("prediction without blocks", {**tokens, **projections(draw, 3, 2), **output(draw, 4, 3),
                                             "W_unembedding": draw(3, 5), "b_unembedding": draw(5)},
               {"n_heads": 2, "mask": "causal", "unembedding": "own"})
    yield Case("prediction without blocks, tied", {**tokens, **projections(draw, 3), **output(draw, 2, 3)},
               {"mask": "causal", "unembedding": "tied"})


THEMES = {"positions": (rope_cases, bias_cases, table_cases, token_cases)}
