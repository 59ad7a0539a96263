"""The whole of docs/attention.md in float64, written from its formulas for the tests of the engine.

forward(tensors, attention) takes a session's tensors (torch float64, by name) and its `attention` object, and returns every
computed tensor by name. Where a tensor requires a gradient, autograd runs through the named tensors themselves, so that the
gradient of each of them can be asked for. Nothing here is taken from the engine or speaks of how it computes.

Run by make_attention_reference.py with Debian's python3-torch.
"""
import math

import numpy as np
import torch

INFINITY = float("inf")


def float32(number):
    """The float32 nearest to a setting's number, which is what a session holds."""
    return float(np.float32(number))


DEFAULTS = dict(
    projections=True, scale="rsqrt_d_k", normalization="softmax", mask="none", window=None, prefix=None,
    document_lengths=None, nonpad_keys=None, top_k=None, sink=False, dropout=0, dropout_seed=123, round_weights=None,
    n_heads=1, n_kv_heads=None, softcap=None, position="none", rope_base=10000, rope_pairs="half", rope_dims=None,
    rope_scaling=1, context_length=None, n_blocks=0, residual=True, norm="none", norm_position="pre", norm_epsilon=1e-5,
    final_norm=False, mlp="none", unembedding="none")


class Names:
    """Tensors by name within a block or outside; what is computed is remembered, and keeps its gradient."""

    def __init__(self, tensors, computed, prefix=""):
        self.tensors, self.computed, self.prefix = tensors, computed, prefix

    def get(self, name):
        return self.tensors.get(self.prefix + name)

    def put(self, name, value):
        if value.requires_grad:
            value.retain_grad()
        self.computed[self.prefix + name] = value
        return value


# Weights of a row. `scores` may hold -inf; a row of nothing else becomes zeros.

def softmax(scores, sink=None, naive=False):
    masked_rows = (scores == -INFINITY).all(-1, keepdim=True)
    scores = torch.where(masked_rows, torch.zeros_like(scores), scores)
    greatest = scores.max(-1, keepdim=True).values.detach()
    if sink is not None:
        greatest = torch.maximum(greatest, sink.detach())
    if naive:
        greatest = torch.zeros_like(greatest)
    exponentials = torch.exp(scores - greatest)
    total = exponentials.sum(-1, keepdim=True)
    if sink is not None:
        total = total + torch.exp(sink - greatest)
    return torch.where(masked_rows, torch.zeros_like(scores), exponentials / total)


def by_sum(scores):
    unmasked = torch.where(scores == -INFINITY, torch.zeros_like(scores), scores)
    total = unmasked.sum(-1, keepdim=True)
    is_zero = total == 0
    return torch.where(is_zero, torch.zeros_like(unmasked), unmasked / torch.where(is_zero, torch.ones_like(total), total))


def sparsemax(scores):
    """Martins and Astudillo 2016: max(x - tau, 0), with tau such that the row sums to 1."""
    rows = scores.reshape(-1, scores.shape[-1])
    result = []
    for row in rows:
        if bool((row == -INFINITY).all()):
            result.append(torch.zeros_like(row))
            continue
        descending = row.detach().sort(descending=True).values
        for k in range(1, len(row) + 1):
            if descending[k - 1] == -INFINITY or 1 + k * descending[k - 1] <= descending[:k].sum():
                break
            n_support = k
        support = row >= descending[n_support - 1]
        tau = (torch.where(support, row, torch.zeros_like(row)).sum() - 1) / n_support
        result.append(torch.where(support, row - tau, torch.zeros_like(row)))
    return torch.stack(result).reshape(scores.shape)


def top_k_softmax(scores, k, sink=None):
    """A sink is none of the k: it stands in the sum beside them."""
    order = np.argsort(-scores.detach().numpy(), axis=-1, kind="stable")[..., :k]  # of equals the earlier
    chosen = torch.zeros(scores.shape, dtype=torch.bool)
    chosen.scatter_(-1, torch.from_numpy(order.copy()), True)
    return softmax(torch.where(chosen, scores, torch.full_like(scores, -INFINITY)), sink)


# Positions.

def sinusoidal_table(places, d):
    table = torch.zeros(len(places), d, dtype=torch.float64)
    for row, p in enumerate(places):
        for column in range(d):
            angle = p / 10000 ** (2 * (column // 2) / d)
            table[row, column] = math.sin(angle) if column % 2 == 0 else math.cos(angle)
    return table


def rotate(x, places, settings):
    """The first r dimensions turned pair by pair; x[..., place, d]."""
    d = x.shape[-1]
    r = settings["rope_dims"] or d
    columns = list(x.unbind(-1))
    base, scaling = float32(settings["rope_base"]), float32(settings["rope_scaling"])
    for m in range(r // 2):
        a, b = (m, m + r // 2) if settings["rope_pairs"] == "half" else (2 * m, 2 * m + 1)
        angles = torch.tensor([p / scaling * base ** (-2 * m / r) for p in places], dtype=torch.float64)
        cos, sin = torch.cos(angles), torch.sin(angles)
        columns[a], columns[b] = columns[a] * cos - columns[b] * sin, columns[b] * cos + columns[a] * sin
    return torch.stack(columns, -1)


def alibi_slopes(n_heads):
    """Press, Smith, Lewis 2021, with their rule for numbers of heads that are no power of two."""
    def of_power(n):
        return [2 ** (-8 * (h + 1) / n) for h in range(n)]
    n = 2 ** int(math.floor(math.log2(n_heads)))
    return of_power(n) + of_power(2 * n)[0::2][: n_heads - n]


def position_bias(names, settings, n_queries, n_keys, n_past):
    n_heads = settings["n_heads"]
    distance = torch.arange(n_keys)[None, :] - torch.arange(n_queries)[:, None] - n_past  # j - (i + n_past)
    if settings["position"] == "alibi":
        slopes = torch.tensor(alibi_slopes(n_heads), dtype=torch.float64)
        bias = -slopes[:, None, None] * distance.abs()
    elif settings["position"] == "relative_bias":
        table = names.get("relative_bias")
        reach = (table.shape[1] - 1) // 2
        bias = table[:, distance.clamp(-reach, reach) + reach]
    else:
        return None
    return names.put("position_bias", bias if n_heads > 1 else bias[0])


# Masks.

def allowed_pairs(settings, n_queries, n_keys, n_past):
    """Whether query i may attend to key j; None where every pair may."""
    place = torch.arange(n_queries)[:, None] + n_past
    key = torch.arange(n_keys)[None, :]
    rules = []
    if settings["mask"] in ("causal", "sliding_window"):
        rules.append(key <= place)
    if settings["mask"] == "sliding_window":
        rules.append(key > place - settings["window"])
    if settings["mask"] == "prefix":
        rules.append((key <= place) | (key < settings["prefix"]))
    if settings["document_lengths"]:
        ends = torch.tensor(settings["document_lengths"]).cumsum(0)
        rules.append(torch.bucketize(place, ends, right=True) == torch.bucketize(key, ends, right=True))
    if settings["nonpad_keys"] is not None:
        rules.append((key < settings["nonpad_keys"]).expand(n_queries, n_keys))
    if not rules:
        return None
    allowed = rules[0]
    for rule in rules[1:]:
        allowed = allowed & rule
    return allowed


def combined_mask(names, settings, shape, n_past):
    n_queries, n_keys = shape[-2:]
    allowed = allowed_pairs(settings, n_queries, n_keys, n_past)
    bias = position_bias(names, settings, n_queries, n_keys, n_past)
    own = names.tensors.get("mask") if settings["mask"] != "none" else None
    if allowed is None and bias is None and own is None:
        return None
    mask = torch.zeros(shape, dtype=torch.float64)
    for part in (bias, own):
        if part is not None:
            mask = mask + part
    if allowed is not None:
        mask = torch.where(allowed, mask, torch.full_like(mask, -INFINITY))
    return names.put("combined_mask", mask)


# One attention.

def split_heads(x, n):
    """[tokens x n·d] -> [n x tokens x d]; of rank 3 already, or one head: as it is."""
    if x.dim() == 3 or n is None:
        return x
    return x.reshape(x.shape[0], n, -1).transpose(0, 1)


def project(names, name, x, n):
    W, b = names.get("W_" + name), names.get("b_" + name)
    if W.dim() == 3:
        y = torch.stack([x @ head for head in W])
        return y if b is None else y + b.reshape(W.shape[0], 1, -1)
    y = x @ W
    return split_heads(y if b is None else y + b, n)


def projections(names, settings, x):
    H = settings["n_heads"]
    n, G = (H, settings["n_kv_heads"] or H) if H > 1 else (None, None)
    if names.get("queries") is not None:
        return [split_heads(names.get(name), heads) for name, heads in (("queries", n), ("keys", G), ("values", G))]
    context = names.get("context_inputs")
    read = x if context is None else context
    if not settings["projections"]:
        return [split_heads(x, n), split_heads(read, G), split_heads(read, G)]
    return [names.put("queries", project(names, "query", x, n)),
            names.put("keys", project(names, "key", read, G)),
            names.put("values", project(names, "value", read, G))]


def are_side_by_side(names, settings):
    """Whether what serves as queries, keys and values is given as matrices, in whose columns the heads lie."""
    given = names.get("queries")
    return not settings["projections"] if given is None else given.dim() == 2


def split_past(names, name, like):
    return split_heads(names.get(name), like.shape[0] if like.dim() == 3 else None)


def for_each_head(groups, n_heads):
    """Head h reads group h ÷ (n_heads ÷ n_groups)."""
    if n_heads == 1:
        return groups
    return torch.stack([groups[h // (n_heads // groups.shape[0])] for h in range(n_heads)])


def sink_of(names, settings, scores):
    """A logit for every head, beside its rows of scores."""
    if not settings["sink"]:
        return None
    return names.get("sink").reshape(-1, 1, 1) if scores.dim() == 3 else names.get("sink").reshape(1, 1)


def weights_of(names, settings, scores):
    kind = settings["normalization"]
    if kind == "sum":
        weights = by_sum(scores)
    elif kind == "sparsemax":
        weights = sparsemax(scores)
    elif kind == "top_k_softmax":
        weights = top_k_softmax(scores, settings["top_k"], sink_of(names, settings, scores))
    else:
        weights = softmax(scores, sink_of(names, settings, scores), naive=kind == "naive_softmax")
    weights = names.put("attention_weights", weights)
    if settings["round_weights"] is not None:
        weights = names.put("rounded_weights", torch.round(weights, decimals=settings["round_weights"]))
    if settings["dropout"]:
        p = float32(settings["dropout"])
        kept = torch.nn.functional.dropout(torch.ones(weights.shape, dtype=torch.float64), p)  # seeded in forward()
        weights = names.put("dropped_weights", weights * kept)
    return weights


def attention(names, settings, x):
    """One attention over rows x; returns what stands at its end."""
    H = settings["n_heads"]
    queries, keys, values = projections(names, settings, x)
    n_past = n_past_of(names)
    rotates, joins = settings["position"] == "rope", names.get("past_keys") is not None
    if H > 1 and are_side_by_side(names, settings):
        queries = names.put("queries_by_head", queries) if rotates else queries
        keys = names.put("keys_by_head", keys) if rotates or joins else keys
        values = names.put("values_by_head", values) if joins else values
    if rotates:
        queries = names.put("rotated_queries", rotate(queries, range(n_past, n_past + queries.shape[-2]), settings))
        keys = names.put("rotated_keys", rotate(keys, range(n_past, n_past + keys.shape[-2]), settings))
    if joins:
        keys = names.put("present_keys", torch.cat([split_past(names, "past_keys", keys), keys], -2))
        values = names.put("present_values", torch.cat([split_past(names, "past_values", values), values], -2))
    scores = names.put("attention_scores", queries @ for_each_head(keys, H).transpose(-1, -2))
    scale = 1 / math.sqrt(queries.shape[-1]) if settings["scale"] == "rsqrt_d_k" else float32(settings["scale"])
    scores = names.put("scaled_scores", scores * scale)
    if settings["softcap"] is not None:
        cap = float32(settings["softcap"])
        scores = names.put("capped_scores", cap * torch.tanh(scores / cap))
    mask = combined_mask(names, settings, scores.shape, n_past)
    if mask is not None:
        scores = names.put("masked_scores", scores + mask)
    weights = weights_of(names, settings, scores)
    if H == 1:
        names.put("weighted_values", values[:, None, :] * weights.transpose(0, 1)[:, :, None])
    contexts = names.put("context_vectors", weights @ for_each_head(values, H))
    return outputs_of(names, H, contexts)


def outputs_of(names, n_heads, contexts):
    W, b = names.get("W_output"), names.get("b_output")
    if W is None and not names.prefix:
        return contexts
    if n_heads > 1:
        contexts = names.put("joined_contexts", torch.cat(list(contexts), -1))
    if W is None:
        return contexts
    return names.put("outputs", contexts @ W if b is None else contexts @ W + b)


def n_past_of(names):
    past = names.get("past_keys")
    return 0 if past is None else past.shape[-2]


# Blocks.

def normed(names, settings, name, x):
    """Layer norm (mean 0, variance 1) or root mean square norm, then gain and bias."""
    epsilon = float32(settings["norm_epsilon"])
    if settings["norm"] == "layer_norm":
        x = x - x.mean(-1, keepdim=True)
    y = x / torch.sqrt((x * x).mean(-1, keepdim=True) + epsilon) * names.get(name + "_gain")
    bias = names.get(name + "_bias")
    return names.put(name, y if bias is None else y + bias)


def linear(names, name, x):
    b = names.get("b_" + name)
    y = x @ names.get("W_" + name)
    return y if b is None else y + b


def mlp(names, settings, x):
    up = names.put("mlp_up", linear(names, "up", x))
    kind = settings["mlp"]
    if kind == "relu":
        hidden = torch.where(up > 0, up, torch.zeros_like(up))
    elif kind == "gelu":
        hidden = up * (1 + torch.erf(up / math.sqrt(2))) / 2
    elif kind == "gelu_tanh":
        hidden = up / 2 * (1 + torch.tanh(math.sqrt(2 / math.pi) * (up + 0.044715 * up ** 3)))
    else:
        gate = names.put("mlp_gate", linear(names, "gate", x))
        hidden = gate / (1 + torch.exp(-gate)) * up
    return names.put("mlp_outputs", linear(names, "down", names.put("mlp_activations", hidden)))


def part_of_block(names, settings, kind, compute, x):
    """norm, compute, residual (pre) or compute, residual, norm (post)."""
    has_norm, is_pre = settings["norm"] != "none", settings["norm_position"] == "pre"
    y = compute(normed(names, settings, kind + "_norm", x) if has_norm and is_pre else x)
    if settings["residual"]:
        y = names.put(kind + "_residual", x + y)
    return normed(names, settings, kind + "_norm", y) if has_norm and not is_pre else y


def block(names, settings, x):
    x = part_of_block(names, settings, "attention", lambda y: attention(names, settings, y), x)
    if settings["mlp"] == "none":
        return x
    return part_of_block(names, settings, "mlp", lambda y: mlp(names, settings, y), x)


# The whole.

def stream_of(names, settings):
    """What the first attention reads; None where queries, keys and values are given."""
    x = names.get("inputs")
    if names.get("token_ids") is not None:
        ids = names.get("token_ids").detach().long()
        one_hot = torch.nn.functional.one_hot(ids, names.get("W_embedding").shape[0]).double()
        x = names.put("inputs", names.put("one_hot_tokens", one_hot.requires_grad_()) @ names.get("W_embedding"))
    if x is None:
        return None
    length = settings["context_length"]
    if length is not None and length < x.shape[0]:
        x = names.put("truncated_inputs", x[:length])
    first_block = Names(names.tensors, names.computed, "blocks.0." if settings["n_blocks"] else "")
    n_past = n_past_of(first_block)
    places = range(n_past, n_past + x.shape[0])
    if settings["position"] == "sinusoidal":
        table = names.put("position_table", sinusoidal_table(range(places.stop), x.shape[1]).requires_grad_())
        x = names.put("positioned_inputs", x + table[n_past:])
    if settings["position"] == "learned":
        x = names.put("positioned_inputs", x + names.get("W_position")[n_past : n_past + x.shape[0]])
    return x


def head_of(names, settings, x):
    if settings["final_norm"]:
        x = normed(names, settings, "final_norm", x)
    if settings["unembedding"] == "none":
        return
    b = names.get("b_unembedding")
    W = names.get("W_unembedding") if settings["unembedding"] == "own" else names.get("W_embedding").transpose(0, 1)
    logits = names.put("logits", x @ W if b is None else x @ W + b)
    greatest = logits.max(-1, keepdim=True).values.detach()
    total = torch.exp(logits - greatest).sum(-1, keepdim=True)
    names.put("log_probabilities", logits - greatest - torch.log(total))
    names.put("next_token_probabilities", torch.exp(logits - greatest) / total)


def forward(tensors, attention_settings):
    unknown = set(attention_settings) - set(DEFAULTS)
    assert not unknown, unknown
    settings = {**DEFAULTS, **attention_settings}
    computed = {}
    names = Names(tensors, computed)
    torch.manual_seed(settings["dropout_seed"])  # once: the blocks draw one after another
    x = stream_of(names, settings)
    if settings["n_blocks"] == 0:
        x = attention(names, settings, x)
    for b in range(settings["n_blocks"]):
        x = block(Names(tensors, computed, f"blocks.{b}."), settings, x)
    head_of(names, settings, x)
    return computed
