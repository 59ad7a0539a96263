"""Forward cases: heads, groups, biases, output projection, given queries, cross-attention, past."""
import numpy as np

from attention_case import Case, Draw

ALL = ("query", "key", "value")


def projections(draw, d_in, n_heads=1, n_kv_heads=None, d_k=2, d_v=None, biases=()):
    """W_query, W_key, W_value as matrices, with biases for the branches named."""
    G, d_v = n_kv_heads or n_heads, d_v or d_k
    widths = {"query": n_heads * d_k, "key": G * d_k, "value": G * d_v}
    tensors = {f"W_{name}": draw(d_in, width) for name, width in widths.items()}
    return {**tensors, **{f"b_{name}": draw(widths[name]) for name in biases}}


def output(draw, width, d_model, bias=False):
    return {"W_output": draw(width, d_model), **({"b_output": draw(d_model)} if bias else {})}


def past(draw, n_past, n_heads=1, n_kv_heads=None, d_k=2, d_v=None):
    G = n_kv_heads or n_heads
    axes = (G,) if n_heads > 1 else ()
    return {"past_keys": draw(*axes, n_past, d_k), "past_values": draw(*axes, n_past, d_v or d_k)}


def heads_settings(H, G=None, **more):
    return {**({"n_heads": H} if H > 1 else {}), **({"n_kv_heads": G} if G else {}), **more}


def apart(tensors, H, G=None):
    """The same weights given apart: heads x d_in x d."""
    given = dict(tensors)
    for name, n in (("W_query", H), ("W_key", G or H), ("W_value", G or H)):
        W = tensors[name]
        given[name] = W.reshape(W.shape[0], n, -1).transpose(1, 0, 2)
    return given


def head_cases():
    for name, n, d_in, H, G, d_k, d_v, biases, d_model, b_output in (
            ("one head", 4, 3, 1, None, 2, None, (), None, False),
            ("one head, one token", 1, 3, 1, None, 2, None, (), None, False),
            ("one head, values wider", 3, 3, 1, None, 2, 4, (), None, False),
            ("one head, biases", 4, 3, 1, None, 2, None, ALL, None, False),
            ("one head, one bias", 3, 3, 1, None, 2, None, ("key",), None, False),
            ("one head, output", 4, 3, 1, None, 2, None, (), 3, False),
            ("one head, output with bias", 4, 3, 1, None, 2, None, ALL, 5, True),
            ("two heads", 4, 3, 2, None, 2, None, (), None, False),
            ("two heads, output", 4, 4, 2, None, 2, None, (), 4, False),
            ("two heads, values narrower", 4, 3, 2, None, 3, 1, (), 3, False),
            ("two heads, biases, output with bias", 3, 4, 2, None, 2, None, ALL, 4, True),
            ("three heads, value bias", 3, 3, 3, None, 2, None, ("value",), 3, False),
            ("four heads of one dimension", 3, 4, 4, None, 1, None, (), 4, True),
            ("grouped, 4 heads on 2", 4, 3, 4, 2, 2, None, (), None, False),
            ("grouped, 4 heads on 2, output", 3, 4, 4, 2, 2, None, ALL, 3, True),
            ("grouped, 3 heads on 3", 3, 3, 3, 3, 2, None, (), None, False),
            ("multi-query, 2 heads on 1", 4, 3, 2, 1, 2, None, (), 3, False),
            ("multi-query, 4 heads on 1, values wider", 3, 3, 4, 1, 2, 3, ("query", "value"), 3, False)):
        draw = Draw(name)
        tensors = {"inputs": draw(n, d_in), **projections(draw, d_in, H, G, d_k, d_v, biases)}
        if d_model:
            tensors.update(output(draw, H * (d_v or d_k), d_model, b_output))
        yield Case(name, tensors, heads_settings(H, G))
        if H > 1:
            yield Case(name + ", matrices given apart", apart(tensors, H, G), heads_settings(H, G))
    draw = Draw("no projections")
    yield Case("no projections", {"inputs": draw(4, 3)}, {"projections": False})
    yield Case("no projections, output", {"inputs": draw(3, 2), **output(draw, 2, 3)}, {"projections": False})


def unprojected_cases():
    """projections false with several heads: the columns of inputs, or of context_inputs, head by head."""
    for name, n, m, H, G, d_k, more in (
            ("two heads", 4, None, 2, None, 2, {}),
            ("four heads of one dimension", 3, None, 4, None, 1, {}),
            ("three heads, causal", 3, None, 3, None, 2, {"mask": "causal"}),
            ("two heads, window, soft cap", 4, None, 2, None, 2, {"mask": "sliding_window", "window": 2, "softcap": 1.5}),
            ("two heads, scale, padded", 3, None, 2, None, 3, {"scale": 0.4, "nonpad_keys": 2}),
            ("two heads, alibi", 3, None, 2, None, 2, {"position": "alibi", "mask": "causal"}),
            ("two heads, sinusoidal", 3, None, 2, None, 2, {"position": "sinusoidal"}),
            ("two heads, context length", 4, None, 2, None, 2, {"context_length": 3}),
            ("two heads, sparsemax", 4, None, 2, None, 2, {"normalization": "sparsemax"}),
            ("two heads, rope", 3, None, 2, None, 4, {"position": "rope"}),
            ("cross-attention, two heads", 3, 4, 2, None, 2, {}),
            ("cross-attention, 4 heads on 2", 2, 3, 4, 2, 2, {}),
            ("cross-attention, 3 heads on 1, causal", 3, 2, 3, 1, 2, {"mask": "causal"}),
            ("cross-attention, 4 heads on 2, rope", 2, 3, 4, 2, 2, {"position": "rope"})):
        draw = Draw("no projections, " + name)
        tensors = {"inputs": draw(n, H * d_k), **({"context_inputs": draw(m, (G or H) * d_k)} if m else {})}
        settings = heads_settings(H, G, projections=False, **more)
        yield Case(f"no projections, {name}", tensors, settings)
        if not more:
            tensors = {**tensors, **output(draw, H * d_k, 3, True)}
            yield Case(f"no projections, {name}, output", tensors, settings)


def given(draw, n, m, H=1, G=None, d_k=2, d_v=None, rank=2):
    """queries, keys and values: heads side by side, or of rank 3."""
    widths = (("queries", n, H, d_k), ("keys", m, G or H, d_k), ("values", m, G or H, d_v or d_k))
    return {name: draw(rows, heads * d) if rank == 2 else draw(heads, rows, d) for name, rows, heads, d in widths}


def given_cases():
    for name, n, m, H, G, d_k, d_v, rank in (
            ("given, one head", 3, 4, 1, None, 2, 3, 2),
            ("given, one head, as many keys as queries", 3, 3, 1, None, 2, None, 2),
            ("given, two heads side by side", 3, 4, 2, None, 2, None, 2),
            ("given, two heads of rank 3", 3, 4, 2, None, 2, 3, 3),
            ("given, grouped side by side", 2, 4, 4, 2, 2, None, 2),
            ("given, grouped of rank 3", 2, 4, 4, 2, 2, None, 3),
            ("given, multi-query side by side", 3, 3, 3, 1, 2, 4, 2),
            ("given, multi-query of rank 3", 3, 3, 3, 1, 2, 4, 3)):
        draw = Draw(name)
        tensors = given(draw, n, m, H, G, d_k, d_v, rank)
        yield Case(name, tensors, heads_settings(H, G))
        yield Case(name + ", output, causal", {**tensors, **output(draw, H * (d_v or d_k), 3, True)},
                   heads_settings(H, G, mask="causal"))
    for name, H, G in (("given with past, one head", 1, None), ("given with past, 2 heads on 1", 2, 1)):
        draw = Draw(name)
        tensors = {**given(draw, 2, 2, H, G, rank=3 if H > 1 else 2), **past(draw, 3, H, G)}
        yield Case(name, tensors, heads_settings(H, G, mask="causal"))
    draw = Draw("given side by side with past")
    tensors = {**given(draw, 2, 2, 4, 2), "past_keys": draw(3, 4), "past_values": draw(3, 4)}
    yield Case("given side by side with a past side by side", tensors, heads_settings(4, 2, mask="causal"))
    yield Case("given side by side with a past by head", {**given(draw, 2, 2, 4, 2), **past(draw, 3, 4, 2)},
               heads_settings(4, 2, mask="causal"))
    yield Case("given side by side with a past by head, rope", {**given(draw, 2, 2, 4, 2), **past(draw, 3, 4, 2)},
               heads_settings(4, 2, position="rope"))


def cross_cases():
    for name, n, m, H, G, more in (
            ("cross-attention", 3, 5, 1, None, {}),
            ("cross-attention, fewer keys", 4, 2, 1, None, {}),
            ("cross-attention, two heads", 3, 4, 2, None, {}),
            ("cross-attention, grouped", 2, 4, 4, 2, {}),
            ("cross-attention, causal", 4, 3, 1, None, {"mask": "causal"}),
            ("cross-attention, padded", 3, 4, 2, None, {"nonpad_keys": 3}),
            ("cross-attention, soft cap", 3, 4, 2, 1, {"softcap": 2})):
        draw = Draw(name)
        tensors = {"inputs": draw(n, 3), "context_inputs": draw(m, 3), **projections(draw, 3, H, G, biases=ALL),
                   **output(draw, H * 2, 3)}
        yield Case(name, tensors, heads_settings(H, G, **more))


def past_cases():
    for name, n, n_past, H, G, more in (
            ("past, one head", 2, 3, 1, None, {}),
            ("past, one head, causal", 3, 2, 1, None, {"mask": "causal"}),
            ("past, one new token, causal", 1, 4, 1, None, {"mask": "causal"}),
            ("past, one head, window", 3, 3, 1, None, {"mask": "sliding_window", "window": 2}),
            ("past, window longer than all", 2, 2, 1, None, {"mask": "sliding_window", "window": 9}),
            ("past, two heads, causal", 2, 2, 2, None, {"mask": "causal"}),
            ("past, grouped, causal", 2, 3, 4, 2, {"mask": "causal"}),
            ("past, multi-query, window", 3, 2, 2, 1, {"mask": "sliding_window", "window": 3}),
            ("past, grouped, window, soft cap", 2, 3, 4, 2, {"mask": "sliding_window", "window": 2, "softcap": 1.5}),
            ("past, rope", 2, 3, 1, None, {"position": "rope"}),
            ("past, rope, two heads, causal", 3, 2, 2, None, {"position": "rope", "mask": "causal"}),
            ("past, rope, grouped, window", 2, 3, 4, 2,
             {"position": "rope", "mask": "sliding_window", "window": 3, "rope_base": 500}),
            ("past, rope interleaved, multi-query", 2, 2, 2, 1, {"position": "rope", "rope_pairs": "interleaved"}),
            ("past, alibi, causal", 2, 3, 2, None, {"position": "alibi", "mask": "causal"}),
            ("past, alibi, one head", 2, 3, 1, None, {"position": "alibi"}),
            ("past, prefix", 3, 2, 1, None, {"mask": "prefix", "prefix": 4}),
            ("past, documents", 2, 3, 2, None, {"mask": "causal", "document_lengths": [2, 3]}),
            ("past, padded", 2, 3, 1, None, {"nonpad_keys": 4}),
            ("past, top-k", 2, 4, 1, None, {"normalization": "top_k_softmax", "top_k": 3}),
            ("past, sparsemax, grouped, causal", 3, 2, 2, 1, {"normalization": "sparsemax", "mask": "causal"})):
        draw = Draw(name)
        d_k = 4 if more.get("position") == "rope" else 2
        tensors = {"inputs": draw(n, 3), **projections(draw, 3, H, G, d_k, d_v=2), **past(draw, n_past, H, G, d_k, d_v=2)}
        if H > 1:
            tensors.update(output(draw, H * 2, 3))
        yield Case(name, tensors, heads_settings(H, G, **more))
    for H in (1, 2):
        name = f"past, relative bias, {H} heads"
        draw = Draw(name)
        tensors = {"inputs": draw(2, 3), **projections(draw, 3, H), **past(draw, 3, H), "relative_bias": draw(H, 5)}
        yield Case(name, tensors, heads_settings(H, position="relative_bias", mask="causal"))
    for mask in (draw(2, 4), np.array([[True, False, True, True], [False, True, True, False]])):
        name = "past, own mask, " + ("boolean" if mask.dtype == bool else "additive")
        draw = Draw(name)
        tensors = {"inputs": draw(2, 3), **projections(draw, 3, 2, 1), **past(draw, 2, 2, 1), "mask": mask}
        yield Case(name, tensors, heads_settings(2, 1, mask="causal"))
    draw = Draw("past, learned")
    tensors = {"inputs": draw(2, 3), "W_position": draw(6, 3), **projections(draw, 3), **past(draw, 3)}
    yield Case("past, learned positions", tensors, {"position": "learned", "mask": "causal"})
    draw = Draw("past, sinusoidal")
    yield Case("past, sinusoidal", {"inputs": draw(2, 4), **projections(draw, 4), **past(draw, 3)},
               {"position": "sinusoidal", "mask": "causal"})
    draw = Draw("past, no projections")
    yield Case("past, no projections", {"inputs": draw(2, 3), **past(draw, 2, d_k=3)}, {"projections": False, "mask": "causal"})
    for name, own, more in (("by head", past(draw, 2, 2), {"mask": "causal"}),
                            ("side by side", {"past_keys": draw(3, 4), "past_values": draw(3, 4)}, {}),
                            ("by head, rope", past(draw, 2, 2), {"position": "rope"}),
                            ("by head, sinusoidal", past(draw, 1, 2), {"position": "sinusoidal"})):
        yield Case(f"past {name}, no projections, two heads", {"inputs": draw(2, 4), **own},
                   heads_settings(2, projections=False, **more))
    for H in (1, 2):
        draw = Draw(f"past, sinusoidal, {H} heads, context length")
        yield Case(f"past, sinusoidal, {H} on {H}, context length",
                   {"inputs": draw(3, 3), **projections(draw, 3, H), **past(draw, 2, H)},
                   heads_settings(H, position="sinusoidal", context_length=2))


THEMES = {"heads": (head_cases, unprojected_cases, given_cases, cross_cases), "past": (past_cases,)}
