"""Forward cases: masks of every kind and what makes weights of scores."""
import numpy as np

from attention_case import INFINITY, Case, Draw
from attention_cases_heads import given, heads_settings, output, past, projections


def simple(name, n=4, H=1, G=None, d_k=2, **more):
    """Tokens with projections; with heads an output projection too."""
    draw = Draw(name)
    tensors = {"inputs": draw(n, 3), **projections(draw, 3, H, G, d_k)}
    if H > 1:
        tensors.update(output(draw, H * d_k, 3))
    return Case(name, tensors, heads_settings(H, G, **more))


def with_mask(name, own, H=1, G=None, **more):
    case = simple(name, own.shape[-1], H, G, **{"mask": "tensor", **more})
    case.tensors["mask"] = own
    return case


def booleans(*shape, seed=0):
    return np.random.RandomState(seed).uniform(size=shape) < 0.6


def with_infinities(values, seed=0):
    return np.where(booleans(*values.shape, seed=seed), values, -INFINITY)


def rule_cases():
    for H, G in ((1, None), (2, None), (4, 2)):
        of = {1: "one head", 2: "two heads", 4: "grouped"}[H]
        yield simple(f"causal, {of}", 4, H, G, mask="causal")
        yield simple(f"window of 2, {of}", 4, H, G, mask="sliding_window", window=2)
        yield simple(f"prefix of 2, {of}", 4, H, G, mask="prefix", prefix=2)
        yield simple(f"documents, {of}", 4, H, G, document_lengths=[1, 3])
        yield simple(f"padding, {of}", 4, H, G, nonpad_keys=3)
    yield simple("window of 1", 3, mask="sliding_window", window=1)
    yield simple("window of 3 in 6", 6, mask="sliding_window", window=3)
    yield simple("prefix longer than all", 3, mask="prefix", prefix=7)
    yield simple("prefix of 1", 3, mask="prefix", prefix=1)
    yield simple("three documents, causal", 5, document_lengths=[2, 1, 2], mask="causal")
    yield simple("documents, window", 5, document_lengths=[3, 2], mask="sliding_window", window=2)
    yield simple("documents, prefix", 5, document_lengths=[3, 2], mask="prefix", prefix=2)
    yield simple("documents, padded: a document without keys", 4, document_lengths=[3, 1], nonpad_keys=3)
    yield simple("padded, causal", 4, nonpad_keys=2, mask="causal")
    yield simple("padded, window: rows without keys", 5, nonpad_keys=2, mask="sliding_window", window=2)
    yield simple("all padding but one", 3, nonpad_keys=1)
    yield simple("documents, padded, causal, soft cap", 4, 2, 1, document_lengths=[2, 2], nonpad_keys=3, mask="causal",
                 softcap=1.25)


def own_mask_cases():
    draw = Draw("own masks")
    yield with_mask("own additive mask", draw(4, 4))
    yield with_mask("own additive mask with infinities", with_infinities(draw(4, 4)))
    yield with_mask("own additive mask, two heads share it", with_infinities(draw(3, 3)), 2)
    yield with_mask("own additive mask per head", with_infinities(draw(2, 3, 3)), 2)
    yield with_mask("own additive mask per head, grouped", with_infinities(draw(4, 3, 3)), 4, 2)
    yield with_mask("own boolean mask", booleans(4, 4, seed=1))
    yield with_mask("own boolean mask, grouped heads share it", booleans(3, 3, seed=2), 4, 2)
    yield with_mask("own boolean mask per head", booleans(2, 4, 4, seed=3), 2)
    yield with_mask("own mask, large and negative", np.round(-1e4 * booleans(3, 3, seed=4), 3))
    fully = np.ones((3, 3), dtype=bool)
    fully[1] = False
    yield with_mask("a row fully masked", fully)
    yield with_mask("a row fully masked, two heads", fully, 2)
    yield with_mask("every row fully masked", np.zeros((2, 2), dtype=bool))
    yield with_mask("own mask and causal", with_infinities(draw(4, 4), seed=5), mask="causal")
    yield with_mask("own mask and causal: rows without keys", booleans(4, 4, seed=8), mask="causal")
    yield with_mask("own mask per head and window", draw(2, 4, 4), 2, mask="sliding_window", window=2)
    yield with_mask("own boolean mask and prefix", booleans(4, 4, seed=6), mask="prefix", prefix=3)
    yield with_mask("own mask and documents", draw(4, 4), document_lengths=[2, 2])
    yield with_mask("own mask and padding", draw(3, 3), 2, 1, nonpad_keys=2)
    yield with_mask("own mask, soft cap", with_infinities(draw(3, 3)), softcap=0.8)
    yield with_mask("own mask, soft cap, grouped", draw(2, 3, 3), 2, 1, softcap=0.8, mask="causal")
    yield with_mask("own mask kept but not used", draw(3, 3), mask="none")
    yield with_mask("own mask, sparsemax", with_infinities(draw(3, 3), seed=7), normalization="sparsemax")
    yield with_mask("own boolean mask, top-k", booleans(4, 4, seed=9), normalization="top_k_softmax", top_k=2)
    yield with_mask("own mask, alibi", draw(2, 3, 3), 2, position="alibi")
    yield with_mask("own mask, alibi, window", with_infinities(draw(4, 4), seed=3), 2, position="alibi",
                    mask="sliding_window", window=3)


def scale_cases():
    yield simple("scale 1", 3, scale=1)
    yield simple("scale 0.3", 3, scale=0.3)
    yield simple("scale 0", 3, scale=0)
    yield simple("scale below 0", 3, scale=-1.5)
    yield simple("scale, two heads", 3, 2, scale=0.25)
    yield simple("soft cap", 4, softcap=1)
    yield simple("soft cap of 50", 4, softcap=50)
    yield simple("soft cap, two heads", 3, 2, softcap=0.5)
    yield simple("soft cap, scale", 3, softcap=2, scale=3)
    yield simple("soft cap, causal", 4, softcap=1, mask="causal")
    yield simple("soft cap, window, grouped", 4, 4, 2, softcap=1, mask="sliding_window", window=2)
    yield simple("soft cap, padded", 3, softcap=1, nonpad_keys=2)
    yield simple("soft cap, alibi", 3, 2, softcap=1, position="alibi")
    yield simple("soft cap, rope", 3, 2, softcap=1, position="rope")
    yield simple("soft cap, by sum", 3, softcap=1, normalization="sum", mask="causal")


def rounded(name, kind, seeds=range(1000), **more):
    """The first draw of which no row needs the project's correction; see attention_case.check_roundings."""
    from attention_case import complete
    for seed in seeds:
        case = simple(f"{name} {seed}", **more)
        case.name, case.keys = name, {}
        try:
            complete(case)
        except AssertionError:
            continue
        return case
    raise AssertionError(name)


def rounding_cases():
    yield rounded("rounded to 1 decimal", "", n=3, round_weights=1)
    yield rounded("rounded to 2 decimals", "", n=4, round_weights=2)
    yield rounded("rounded to 0 decimals", "", n=3, round_weights=0, scale=4)
    yield rounded("rounded to 3 decimals, two heads", "", n=3, H=2, round_weights=3)
    yield rounded("rounded, causal, grouped", "", n=3, H=4, G=2, round_weights=2, mask="causal")
    yield rounded("rounded, rows without keys", "", n=4, round_weights=1, nonpad_keys=2, mask="sliding_window", window=2)
    yield rounded("rounded, sparsemax", "", n=3, round_weights=2, normalization="sparsemax")
    yield rounded("rounded, dropped", "", n=3, round_weights=1, dropout=0.5)
    # weights of 1/8 and 7/8, 3/8 and 5/8: ties go to the even digit
    eighths = np.array([[1.0, 7.0], [3.0, 5.0]])
    tensors = {"queries": np.eye(2), "keys": eighths.T.copy(), "values": Draw("ties")(2, 2)}
    yield Case("rounded, ties to even", tensors, {"scale": 1, "normalization": "sum", "round_weights": 2})


def normalization_cases():
    for kind in ("softmax", "naive_softmax", "sum", "sparsemax", "top_k_softmax"):
        top = {"top_k": 2} if kind == "top_k_softmax" else {}
        for H, G, more in ((1, None, {}), (2, 1, {}), (1, None, {"mask": "causal"}), (2, None, {"mask": "causal"}),
                           (1, None, {"nonpad_keys": 2, "mask": "sliding_window", "window": 1})):
            name = f"{kind}, {H} on {G or H}, {more or 'free'}".replace("'", "").replace("{", "").replace("}", "")
            case = simple(name, 4, H, G, normalization=kind, **top, **more)
            if kind == "sum":  # positive scores, so that a row's sum is far from zero
                case.tensors = {key: np.abs(value) for key, value in case.tensors.items()}
            yield case
    yield simple("softmax of great scores", 3, scale=60)
    big = {"queries": np.array([[30.0, 0], [0, 1], [2, 1]]), "keys": np.array([[27.0, 0], [0, 1], [-1, 2]])}
    yield Case("naive softmax overflows", {**big, "values": Draw("naive")(3, 2)},
               {"scale": 1, "normalization": "naive_softmax"})
    yield Case("softmax does not overflow", {**big, "values": Draw("naive")(3, 2)}, {"scale": 1})
    yield Case("by sum, rows that sum to 0", {"queries": np.array([[1.0, 0], [0, 0], [1, 1]]),
                                              "keys": np.array([[1.0, 2], [-1, 3]]), "values": Draw("sum")(2, 2)},
               {"scale": 1, "normalization": "sum"})
    yield simple("sparsemax, scale 3", 4, normalization="sparsemax", scale=3)
    yield simple("sparsemax, even rows", 4, normalization="sparsemax", scale=0)
    yield simple("sparsemax, alibi, two heads", 4, 2, normalization="sparsemax", position="alibi")
    keys = Draw("ties")(5, 2)
    keys[1], keys[2], keys[4] = keys[0], keys[3], keys[3]
    for k in (1, 2, 3, 4):
        yield Case(f"top {k} of ties", {"queries": Draw("tied queries")(4, 2), "keys": keys, "values": Draw("v")(5, 2)},
                   {"normalization": "top_k_softmax", "top_k": k})
    yield simple("top 9 of 3", 3, normalization="top_k_softmax", top_k=9)
    yield simple("top 1, causal, grouped", 4, 4, 2, normalization="top_k_softmax", top_k=1, mask="causal")
    yield simple("top 2, alibi, soft cap", 4, 2, normalization="top_k_softmax", top_k=2, position="alibi", softcap=2)


def sink_cases():
    for name, n, H, G, more in (
            ("sink", 3, 1, None, {}), ("sink, two heads", 3, 2, None, {}), ("sink, grouped, causal", 3, 4, 2, {"mask": "causal"}),
            ("sink, window, soft cap", 4, 2, 1, {"mask": "sliding_window", "window": 2, "softcap": 1}),
            ("sink, rows without keys", 3, 1, None, {"nonpad_keys": 1, "mask": "sliding_window", "window": 1}),
            ("sink, rope, grouped, causal", 3, 2, 1, {"position": "rope", "mask": "causal"}),
            ("sink, naive softmax", 3, 2, None, {"normalization": "naive_softmax"}),
            ("sink, dropout", 3, 2, None, {"dropout": 0.3}),
            ("sink, top 2", 4, 1, None, {"normalization": "top_k_softmax", "top_k": 2}),
            ("sink, top 1, two heads", 3, 2, None, {"normalization": "top_k_softmax", "top_k": 1}),
            ("sink, top 9 of 3", 3, 1, None, {"normalization": "top_k_softmax", "top_k": 9}),
            ("sink, top 2, grouped, causal", 4, 4, 2, {"normalization": "top_k_softmax", "top_k": 2, "mask": "causal"}),
            ("sink, top 1, rows without keys", 3, 1, None,
             {"normalization": "top_k_softmax", "top_k": 1, "nonpad_keys": 1, "mask": "sliding_window", "window": 1})):
        case = simple(name, n, H, G, sink=True, **more)
        case.tensors["sink"] = Draw(name + " sink")(H)
        yield case
    case = simple("sink far above the scores", 3, sink=True)
    yield Case(case.name, {**case.tensors, "sink": np.array([90.0])}, case.attention)
    case = simple("sink far above the scores, top 2", 3, sink=True, normalization="top_k_softmax", top_k=2)
    yield Case(case.name, {**case.tensors, "sink": np.array([90.0])}, case.attention)
    case = simple("sink with past", 2, 2, 1, sink=True, mask="causal")
    draw = Draw("sink with past")
    yield Case(case.name, {**case.tensors, **past(draw, 2, 2, 1), "sink": draw(2)}, case.attention)
    yield Case("sink, given", {**given(draw, 2, 3, 2), "sink": draw(2)}, heads_settings(2, sink=True))


def dropout_cases():
    yield simple("dropout", 4, dropout=0.5)
    yield simple("dropout of 0.1", 6, dropout=0.1, dropout_seed=7)
    yield simple("dropout, another seed", 4, dropout=0.5, dropout_seed=2024)
    yield simple("dropout, seed beyond 32 bits", 3, dropout=0.4, dropout_seed=4294967303)
    yield simple("dropout, two heads, causal", 4, 2, dropout=0.25, mask="causal")
    yield simple("dropout, grouped", 3, 4, 2, dropout=0.5, dropout_seed=0)
    yield simple("dropout, sparsemax", 3, dropout=0.2, normalization="sparsemax")
    yield simple("dropout of 0", 3, dropout=0, dropout_seed=9)


THEMES = {"masks": (rule_cases, own_mask_cases),
          "weights": (scale_cases, rounding_cases, normalization_cases, sink_cases, dropout_cases)}
