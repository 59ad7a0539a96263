"""Forward cases: blocks of every norm, order and MLP, stacked or one, and the prediction after them."""
from attention_case import Case, Draw
from attention_cases_heads import heads_settings, output, past, projections

MLPS = ("none", "relu", "gelu", "gelu_tanh", "silu_gated")


def block_tensors(draw, settings, d=4, H=1, G=None, d_k=2, d_ff=3, has_output=True, biases=()):
    """One block's tensors, without prefix. `biases` names any of norm, query, key, value, output, mlp."""
    tensors = projections(draw, d, H, G, d_k, biases=[name for name in ("query", "key", "value") if name in biases])
    if has_output:
        tensors.update(output(draw, H * d_k, d, "output" in biases))
    mlp = settings.get("mlp", "none")
    for part in ("attention", "mlp") if settings.get("norm", "none") != "none" else ():
        if part == "attention" or mlp != "none":
            tensors[f"{part}_norm_gain"] = draw.gain(d)
            if "norm" in biases:
                tensors[f"{part}_norm_bias"] = draw(d)
    for name, axes in (("up", (d, d_ff)), ("gate", (d, d_ff)), ("down", (d_ff, d))):
        if mlp != "none" and (name != "gate" or mlp == "silu_gated"):
            tensors[f"W_{name}"] = draw(*axes)
            if "mlp" in biases:
                tensors[f"b_{name}"] = draw(axes[1])
    return tensors


def model(name, n=3, d=4, n_vocabulary=5, n_past=0, by_ids=True, **settings):
    """Blocks with what stands before and after them. Settings of the session, and the keywords of block_tensors."""
    draw = Draw(name)
    block_keywords = {key: settings.pop(key) for key in ("d_k", "d_ff", "has_output", "biases") if key in settings}
    H, G = settings.pop("H", 1), settings.pop("G", None)
    settings = heads_settings(H, G, **settings)
    unembedding, n_blocks = settings.get("unembedding", "none"), settings.setdefault("n_blocks", 1)
    if unembedding == "none" or not by_ids:
        tensors = {"inputs": draw(n, d)}
    else:
        tensors = {"token_ids": draw.ids(n, n_vocabulary), "W_embedding": draw(n_vocabulary, d)}
    for b in range(n_blocks):
        of_block = block_tensors(draw, settings, d, H, G, **block_keywords)
        if n_past:
            of_block.update(past(draw, n_past, H, G, block_keywords.get("d_k", 2)))
        tensors.update({f"blocks.{b}.{key}": value for key, value in of_block.items()})
    if settings.get("final_norm"):
        tensors["final_norm_gain"] = draw.gain(d)
        if "norm" in block_keywords.get("biases", ()):
            tensors["final_norm_bias"] = draw(d)
    if unembedding == "own":
        tensors["W_unembedding"] = draw(d, n_vocabulary)
        if "output" in block_keywords.get("biases", ()):
            tensors["b_unembedding"] = draw(n_vocabulary)
    return Case(name, tensors, settings)


def order_cases():
    """Every norm × position × MLP; residual, final norm, unembedding, heads and biases take turns."""
    turn = 0
    for norm in ("layer_norm", "rms_norm", "none"):
        for position in ("pre", "post") if norm != "none" else ("pre",):
            for mlp in MLPS:
                more = {"residual": False} if turn % 3 == 1 else {}
                if norm != "none":
                    more.update(norm=norm, norm_position=position)
                    more.update({"final_norm": True} if turn % 2 else {})
                more.update({"mlp": mlp} if mlp != "none" else {})
                unembedding = ("none", "own", "tied")[turn // 2 % 3]
                more.update({"unembedding": unembedding} if unembedding != "none" else {})
                biases = ((), ("norm", "query", "key", "value", "output", "mlp"), ("mlp",), ("norm",))[turn % 4]
                n_heads = 1 + (turn // 2) % 2
                words = [f"{norm} {position}" if norm != "none" else "no norm", mlp if mlp != "none" else "no mlp"]
                words += [key for key in ("residual", "final_norm") if key in more] + [unembedding]
                yield model("block, " + ", ".join(words), n=2, H=n_heads, biases=biases, **more)
                turn += 1


def stack_cases():
    yield model("block, attention alone", n=3, d=3)
    yield model("block, no output projection", n=3, d=2, d_k=2, has_output=False, norm="rms_norm", mlp="relu")
    yield model("block, no output projection, two heads", n=3, d=4, H=2, has_output=False, norm="layer_norm", biases=("norm",))
    yield model("blocks, two", n=2, n_blocks=2, norm="layer_norm", mlp="gelu", biases=("norm", "mlp"))
    yield model("blocks, two, grouped, rope, causal", n=3, H=2, G=1, n_blocks=2, norm="rms_norm", mlp="silu_gated",
                position="rope", mask="causal", final_norm=True, unembedding="own", d_ff=2)
    yield model("blocks, three of one head", n=2, d=2, n_blocks=3, mask="causal")
    yield model("blocks, post, two", n=2, n_blocks=2, norm="layer_norm", norm_position="post", mlp="relu", biases=("mlp",))
    yield model("block, epsilon", n=2, norm="rms_norm", norm_epsilon=0.25, mlp="relu")
    yield model("block, epsilon of layer norm", n=2, norm="layer_norm", norm_epsilon=0.5, final_norm=True)
    yield model("block, past, causal", n=2, n_past=2, H=2, norm="layer_norm", mask="causal")
    yield model("block, past, sinusoidal", n=2, n_past=2, position="sinusoidal", norm="rms_norm", mask="causal")
    yield model("blocks, past, rope, grouped", n=1, n_past=3, H=2, G=1, n_blocks=2, norm="rms_norm", position="rope", mask="causal")
    yield model("block, window, soft cap", n=4, H=2, G=1, mask="sliding_window", window=2, softcap=1, norm="rms_norm")
    yield model("block, alibi, causal", n=3, H=2, position="alibi", mask="causal", norm="layer_norm")
    yield model("block, sinusoidal", n=3, position="sinusoidal", mlp="relu")
    yield model("block, context length", n=4, context_length=2, norm="layer_norm", unembedding="tied")
    yield model("block, dropout", n=3, H=2, dropout=0.3, norm="layer_norm")
    yield model("blocks, dropout goes on", n=3, n_blocks=2, dropout=0.5, dropout_seed=5)
    yield model("block, unembedding of given inputs", n=3, by_ids=False, unembedding="own", biases=("output",))
    for name, H, more in (("two heads", 2, {"norm": "layer_norm"}), ("two heads, rope", 2, {"position": "rope"}),
                          ("one head, causal", 1, {"mask": "causal", "n_blocks": 2})):
        case = model(f"block, no projections, {name}", n=3, H=H, d_k=4 // H, projections=False, **more)
        case.tensors = {key: value for key, value in case.tensors.items() if key.split("W_")[-1] not in ("query", "key", "value")}
        yield case
    for H in (1, 2):
        case = model(f"block, relative bias, {H} heads", n=3, H=H, n_blocks=2, position="relative_bias", norm="rms_norm")
        draw = Draw(case.name + " table")
        for b in range(2):
            case.tensors[f"blocks.{b}.relative_bias"] = draw(H, 3)
        yield case
    case = model("blocks, own mask", n=3, H=2, n_blocks=2, mask="tensor")
    case.tensors["mask"] = Draw("mask of blocks")(3, 3)
    yield case
    case = model("block, sink", n=3, H=2, sink=True, mask="causal", norm="rms_norm")
    case.tensors["blocks.0.sink"] = Draw("sink of blocks")(2)
    yield case
    case = model("block, learned positions", n=3, position="learned", norm="layer_norm", final_norm=True, unembedding="tied")
    case.tensors["W_position"] = Draw("positions of blocks")(5, 4)
    yield case


THEMES = {"blocks": (order_cases, stack_cases)}
