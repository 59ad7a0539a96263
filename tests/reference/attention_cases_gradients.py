"""Gradient cases: every feature and every kind of target, from autograd, each checked against central differences."""
import numpy as np

from attention_case import Case, Draw
from attention_cases_blocks import model
from attention_cases_heads import apart, given, heads_settings, output, past, projections
from attention_cases_masks import booleans, rounded, simple, with_infinities


def towards(case, target, shape=None):
    """The case with this target; of a distance also the tensor `target`, of that shape."""
    case.name = f"{target} of {case.name}"
    case.keys, case.expected = {**case.keys, "gradient": target}, None
    if shape:
        case.tensors = {**case.tensors, "target": Draw(case.name)(*shape)}
    return case


def plus(case, **tensors):
    case.tensors = {**case.tensors, **tensors}
    return case


CONTEXTS = "distance(context_vectors)"


def target_cases():
    yield towards(simple("one head", 3), "context_vectors[1,0]")
    yield towards(simple("one head", 3), "scaled_scores[2,:]")
    yield towards(simple("one head", 3), "sum(context_vectors)")
    yield towards(simple("one head", 3), CONTEXTS, (3, 2))
    yield towards(simple("one head", 3), "attention_weights[2,0]")
    yield towards(simple("one head", 3), "attention_scores[0,2]")
    yield towards(simple("one head", 3), "weighted_values[2,0,1]")
    yield towards(simple("two heads", 3, 2), "attention_weights[1,0,2]")
    yield towards(simple("two heads", 3, 2), "context_vectors[0,2,:]")
    yield towards(simple("two heads", 3, 2), "joined_contexts[1,:]")
    yield towards(simple("two heads", 3, 2), "outputs[2,1]")
    yield towards(simple("two heads", 3, 2), "sum(outputs)")
    yield towards(simple("two heads", 3, 2), "distance(outputs)", (3, 3))
    yield towards(simple("two heads", 2, 2), "distance(attention_weights)", (2, 2, 2))
    yield towards(simple("inputs themselves", 2), "distance(inputs)", (2, 3))
    words = ["and", "bird", "cat", "dog", "eel"]
    for target in ("logprob(2,cat)", "logprob(0,4)"):
        case = model("a model", unembedding="own", mask="causal", norm="layer_norm", mlp="gelu")
        case.keys = {"vocabulary": words}
        yield towards(case, target)
    yield towards(model("a tied model", unembedding="tied", mask="causal"), "logprob(1,3)")
    yield towards(model("a model", unembedding="own", final_norm=True, norm="rms_norm"), "next_token_probabilities[1,2]")
    yield towards(model("a model", unembedding="tied", H=2), "logits[2,:]")
    yield towards(model("two blocks", n=2, n_blocks=2, norm="rms_norm"), "blocks.0.attention_weights[1,0]")


def given_cases():
    yield towards(Case("no projections", {"inputs": Draw("none")(3, 2)}, {"projections": False}), CONTEXTS, (3, 2))
    for name, H, m, more in (("two heads", 2, None, {}), ("two heads, rope", 2, None, {"position": "rope"}),
                             ("cross-attention, 4 heads on 2, causal", 4, 3, {"n_kv_heads": 2, "mask": "causal"})):
        draw = Draw("gradients without projections, " + name)
        tensors = {"inputs": draw(3, 2 * H), **({"context_inputs": draw(m, 4)} if m else {})}
        yield towards(Case(f"no projections, {name}", tensors, heads_settings(H, projections=False, **more)), CONTEXTS, (H, 3, 2))
    draw = Draw("gradients of what is given")
    yield towards(Case("given", given(draw, 2, 3), {}), CONTEXTS, (2, 2))
    yield towards(Case("given side by side, grouped", given(draw, 2, 3, 4, 2), heads_settings(4, 2)), CONTEXTS, (4, 2, 2))
    yield towards(Case("given of rank 3, grouped", given(draw, 2, 2, 4, 2, rank=3), heads_settings(4, 2)), CONTEXTS, (4, 2, 2))
    tensors = {"inputs": draw(2, 3), "context_inputs": draw(3, 3), **projections(draw, 3, 2, biases=("query", "key", "value")),
               **output(draw, 4, 3, True)}
    yield towards(Case("cross-attention", tensors, {"n_heads": 2}), "distance(outputs)", (2, 3))
    tensors = {"inputs": draw(2, 4), **past(draw, 2, 2)}
    yield towards(Case("past, no projections, two heads", tensors, {"n_heads": 2, "projections": False}), CONTEXTS, (2, 2, 2))
    for H, G, more in ((1, None, {}), (2, 1, {"mask": "causal"}), (2, None, {"position": "rope"}), (1, None, {"position": "sinusoidal"})):
        tensors = {"inputs": draw(2, 3), **projections(draw, 3, H, G), **past(draw, 2, H, G)}
        shape = (H, 2, 2) if H > 1 else (2, 2)
        yield towards(Case(f"past, {H} on {G or H}, {', '.join(more) or 'free'}", tensors, heads_settings(H, G, **more)),
                      CONTEXTS, shape)
    tensors = {"inputs": draw(3, 3), **apart(projections(draw, 3, 2, 1, biases=("query", "value")), 2, 1)}
    yield towards(Case("matrices given apart", tensors, heads_settings(2, 1)), "context_vectors[1,0,1]")


def setting_cases():
    for name, n, H, G, more in (
            ("grouped, causal", 3, 4, 2, {"mask": "causal"}),
            ("multi-query, window", 3, 2, 1, {"mask": "sliding_window", "window": 2}),
            ("prefix", 3, 1, None, {"mask": "prefix", "prefix": 2}),
            ("documents, padded", 4, 1, None, {"document_lengths": [2, 2], "nonpad_keys": 3}),
            ("rows without keys", 3, 1, None, {"nonpad_keys": 1, "mask": "sliding_window", "window": 1}),
            ("scale", 3, 1, None, {"scale": 0.3}),
            ("soft cap", 3, 1, None, {"softcap": 1}),
            ("soft cap, causal, grouped", 3, 2, 1, {"softcap": 0.7, "mask": "causal"}),
            ("naive softmax", 3, 1, None, {"normalization": "naive_softmax"}),
            ("naive softmax, causal", 3, 2, None, {"normalization": "naive_softmax", "mask": "causal"}),
            ("sparsemax", 4, 1, None, {"normalization": "sparsemax"}),
            ("sparsemax, causal", 4, 2, None, {"normalization": "sparsemax", "mask": "causal"}),
            ("top 2", 4, 1, None, {"normalization": "top_k_softmax", "top_k": 2}),
            ("top 2, alibi", 4, 2, None, {"normalization": "top_k_softmax", "top_k": 2, "position": "alibi"}),
            ("dropout", 3, 1, None, {"dropout": 0.3}),
            ("dropout, two heads, causal", 3, 2, None, {"dropout": 0.5, "mask": "causal"}),
            ("rope", 3, 1, None, {"position": "rope"}),
            ("rope interleaved, grouped, causal", 3, 2, 1, {"position": "rope", "rope_pairs": "interleaved", "mask": "causal"}),
            ("alibi, causal", 3, 2, None, {"position": "alibi", "mask": "causal"}),
            ("sinusoidal", 3, 1, None, {"position": "sinusoidal"}),
            ("context length", 3, 1, None, {"context_length": 2})):
        rows = more.get("context_length", n)
        yield towards(simple(name, n, H, G, **more), CONTEXTS, (H, rows, 2) if H > 1 else (rows, 2))
    yield towards(simple("rope of some dimensions, scaled", 3, d_k=4, position="rope", rope_dims=2, rope_scaling=2, rope_base=50),
                  CONTEXTS, (3, 4))
    for mask in ("none", "causal"):
        case = simple(f"by sum, mask {mask}", 3, normalization="sum", mask=mask)
        case.tensors = {key: np.abs(value) for key, value in case.tensors.items()}
        yield towards(case, CONTEXTS, (3, 2))
    tensors = {"queries": np.array([[1.0, 0], [1, 1]]), "keys": np.array([[1.0, 2], [-1, 3]]), "values": Draw("sums")(2, 2)}
    yield towards(Case("by sum, a row that sums to 0", tensors, {"scale": 1, "normalization": "sum"}), "context_vectors[1,0]")
    yield towards(rounded("rounded", "rounded for gradients", n=3, round_weights=1), CONTEXTS, (3, 2))


def tensor_cases():
    draw = Draw("gradients of tensors")
    yield towards(plus(simple("own mask", 3, mask="tensor"), mask=draw(3, 3)), CONTEXTS, (3, 2))
    yield towards(plus(simple("own mask per head, causal", 3, 2, mask="causal"), mask=with_infinities(draw(2, 3, 3))),
                  "distance(outputs)", (3, 3))
    yield towards(plus(simple("own mask shared by heads", 3, 2, mask="tensor"), mask=draw(3, 3)), "outputs[2,0]")
    yield towards(plus(simple("own boolean mask", 3, mask="tensor"), mask=booleans(3, 3, seed=1)), CONTEXTS, (3, 2))
    yield towards(plus(simple("sink", 3, sink=True), sink=draw(1)), CONTEXTS, (3, 2))
    yield towards(plus(simple("sink, grouped, causal", 3, 2, 1, sink=True, mask="causal"), sink=draw(2)), "outputs[2,0]")
    for H, G in ((1, None), (2, 1)):
        yield towards(plus(simple(f"sink, top 2, {H} on {G or H}", 4, H, G, sink=True, normalization="top_k_softmax", top_k=2),
                           sink=draw(H)), CONTEXTS, (4, 2) if H == 1 else (2, 4, 2))
    yield towards(plus(simple("relative bias", 4, position="relative_bias"), relative_bias=draw(1, 3)), CONTEXTS, (4, 2))
    yield towards(plus(simple("relative bias, two heads, causal", 3, 2, position="relative_bias", mask="causal"),
                       relative_bias=draw(2, 5)), "distance(outputs)", (3, 3))
    yield towards(plus(simple("learned positions", 3, position="learned"), W_position=draw(4, 3)), CONTEXTS, (3, 2))
    ids = {"token_ids": np.array([1.0, 0, 1]), "W_embedding": draw(3, 3)}
    yield towards(Case("tokens by ids", {**ids, **projections(draw, 3)}, {}), CONTEXTS, (3, 2))
    yield towards(Case("tokens by ids, sinusoidal, context length", {**ids, **projections(draw, 3)},
                       {"position": "sinusoidal", "context_length": 2}), CONTEXTS, (2, 2))


def block_cases():
    every = ("norm", "query", "key", "value", "output", "mlp")
    for norm, position, mlp, H, biases, more in (
            ("layer_norm", "pre", "relu", 1, every, {}), ("layer_norm", "post", "gelu", 2, every, {}),
            ("rms_norm", "pre", "silu_gated", 2, ("mlp",), {"G": 1}), ("rms_norm", "post", "gelu_tanh", 1, ("norm",), {}),
            ("layer_norm", "pre", "silu_gated", 1, (), {"residual": False}), ("none", "pre", "gelu", 1, (), {})):
        settings = {**more, **({"norm": norm} if norm != "none" else {}), **({"norm_position": position} if position == "post" else {})}
        case = model(f"block, {norm} {position}, {mlp}", n=2, H=H, biases=biases, mlp=mlp, **settings)
        end = "mlp_norm" if position == "post" else "mlp_residual" if "residual" not in more else "mlp_outputs"
        yield towards(case, f"distance(blocks.0.{end})", (2, 4))
    yield towards(model("block, no output projection", n=2, H=2, has_output=False), "distance(blocks.0.attention_residual)", (2, 4))
    yield towards(model("blocks, past, rope", n=2, n_past=1, n_blocks=2, norm="rms_norm", position="rope", mask="causal"),
                  "distance(blocks.1.attention_residual)", (2, 4))
    yield towards(model("blocks, final norm", n=2, n_blocks=2, norm="layer_norm", final_norm=True, biases=("norm",)),
                  "distance(final_norm)", (2, 4))


THEMES = {"gradients": (target_cases, given_cases, setting_cases, tensor_cases, block_cases)}
