"""Cases from modules of PyTorch: nn.MultiheadAttention, nn.TransformerEncoder(Layer), and blocks in the manner of GPT-2 and
Llama written with its layers. Weights go into a session, what the module gives out and autograd's gradients are expected."""
import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

import attention_reference as reference
from attention_case import Case, Draw, as_tensors


def with_our_numbers(module, draw):
    """The module in float64 with parameters of 3 decimals, as float32 has them; gains near 1."""
    module = module.double()
    with torch.no_grad():
        for name, parameter in module.named_parameters():
            is_gain = parameter.dim() == 1 and name.endswith("weight")
            numbers = draw.gain(parameter.shape[0]) if is_gain else draw(*parameter.shape, low=-1.0, high=1.0)
            parameter.copy_(torch.from_numpy(numbers.astype(np.float32)))
    return module


def decimals(parameter):
    return np.round(parameter.detach().numpy(), 3)


class Exported:
    """Which parameter of a module, or which part of it, is which tensor of a session; with its gradient."""

    def __init__(self):
        self.tensors, self.gradients = {}, {}

    def add(self, name, parameter, rows=slice(None), transposed=True):
        view = (lambda x: x[rows].T) if parameter.dim() == 2 and transposed else (lambda x: x[rows])
        self.tensors[name] = decimals(view(parameter))
        self.gradients[name] = lambda: view(parameter.grad).numpy()

    def linear(self, name, module, prefix=""):
        self.add(f"{prefix}W_{name}", module.weight)
        if module.bias is not None:
            self.add(f"{prefix}b_{name}", module.bias)

    def norm(self, name, module):
        self.add(name + "_gain", module.weight)
        if getattr(module, "bias", None) is not None:
            self.add(name + "_bias", module.bias)

    def multihead(self, module, prefix=""):
        d = module.embed_dim
        for i, name in enumerate(("query", "key", "value")):
            rows = slice(i * d, (i + 1) * d)
            self.add(f"{prefix}W_{name}", module.in_proj_weight, rows)
            if module.in_proj_bias is not None:
                self.add(f"{prefix}b_{name}", module.in_proj_bias, rows)
        self.linear("output", module.out_proj, prefix)

    def numbers(self, name, values):
        """An input of the session, as a tensor of the module."""
        self.tensors[name] = values
        x = torch.from_numpy(np.asarray(values).astype(np.float32).astype(np.float64)).requires_grad_()
        self.gradients[name] = lambda: x.grad.numpy()
        return x


def towards(name, exported, settings, results, end):
    """The distance of results[end] to drawn numbers as the target; gradients of all that was exported."""
    draw = Draw(name)
    target = draw(*results[end].shape)
    distance = ((results[end] - torch.from_numpy(target.astype(np.float32).astype(np.float64))) ** 2).sum().sqrt()
    return finished(name, {**exported.tensors, "target": target}, settings, (f"distance({end})", distance), results, exported)


def finished(name, tensors, settings, target, results, exported):
    text, value = target
    value.backward()
    case = Case(name, tensors, settings, gradient=text)
    case.expected = {key: result.detach().numpy() for key, result in results.items()}
    case.expected.update({"grad." + key: gradient() for key, gradient in exported.gradients.items()})
    ours = reference.forward(as_tensors(case), settings)  # the formulas and PyTorch's own modules agree
    for key, result in results.items():
        assert torch.allclose(ours[key], result, rtol=1e-9, atol=1e-9), (name, key)
    return case


def multihead_cases():
    for name, d, H, bias, n, m, settings in (
            ("nn.MultiheadAttention", 4, 2, True, 3, None, {}),
            ("nn.MultiheadAttention without biases", 4, 4, False, 3, None, {}),
            ("nn.MultiheadAttention of one head", 3, 1, True, 3, None, {}),
            ("nn.MultiheadAttention, causal", 4, 2, True, 4, None, {"mask": "causal"}),
            ("nn.MultiheadAttention, additive mask", 4, 2, True, 3, None, {"mask": "tensor"}),
            ("nn.MultiheadAttention, padded", 4, 2, True, 4, None, {"nonpad_keys": 3}),
            ("nn.MultiheadAttention, cross-attention", 4, 2, True, 2, 3, {}),
            ("nn.MultiheadAttention, dropout", 4, 2, True, 3, None, {"dropout": 0.5})):
        draw, exported = Draw(name), Exported()
        module = with_our_numbers(nn.MultiheadAttention(d, H, settings.get("dropout", 0), bias, batch_first=True), draw)
        x = exported.numbers("inputs", draw(n, d))
        y = exported.numbers("context_inputs", draw(m, d)) if m else x
        masks = {}
        if settings.get("mask") == "causal":
            masks["attn_mask"] = torch.triu(torch.ones(n, n, dtype=torch.bool), 1)
        if settings.get("mask") == "tensor":
            masks["attn_mask"] = exported.numbers("mask", draw(n, n))
        if "nonpad_keys" in settings:
            masks["key_padding_mask"] = (torch.arange(n) >= settings["nonpad_keys"])[None]
        torch.manual_seed(reference.DEFAULTS["dropout_seed"])
        outputs, weights = module(x[None], y[None], y[None], average_attn_weights=False, **masks)
        exported.multihead(module)
        results = {"outputs": outputs[0]}
        weights = weights[0] if H > 1 else weights[0, 0]
        results["dropped_weights" if "dropout" in settings else "attention_weights"] = weights
        yield towards(name, exported, {"n_heads": H, **settings}, results, "outputs")


def export_layer(exported, layer, b):
    prefix = f"blocks.{b}."
    exported.multihead(layer.self_attn, prefix)
    exported.norm(prefix + "attention_norm", layer.norm1)
    exported.norm(prefix + "mlp_norm", layer.norm2)
    exported.linear("up", layer.linear1, prefix)
    exported.linear("down", layer.linear2, prefix)


def encoder_cases():
    for n_layers, norm_first, activation, causal, epsilon in (
            (1, False, "relu", False, 1e-5), (1, True, "relu", False, 1e-5), (1, False, "gelu", True, 1e-5),
            (1, True, "gelu", False, 1e-3), (2, True, "gelu", True, 1e-5), (2, False, "relu", False, 1e-5)):
        stack = f"nn.TransformerEncoder of {n_layers} layers" if n_layers > 1 else "nn.TransformerEncoderLayer"
        name = f"{stack}, norm_first={norm_first}, {activation}, {'causal' if causal else 'free'}, epsilon {epsilon}"
        draw, exported = Draw(name), Exported()
        layer = nn.TransformerEncoderLayer(4, 2, 5, dropout=0.0, activation=activation, layer_norm_eps=epsilon,
                                           batch_first=True, norm_first=norm_first)
        module = nn.TransformerEncoder(layer, n_layers, nn.LayerNorm(4, epsilon)) if n_layers > 1 else layer
        module = with_our_numbers(module, draw)
        x = exported.numbers("inputs", draw(3, 4))
        mask = torch.triu(torch.full((3, 3), float("-inf"), dtype=torch.float64), 1) if causal else None
        output = module(x[None], mask)[0]
        settings = {"n_heads": 2, "n_blocks": n_layers, "norm": "layer_norm", "mlp": activation,
                    **({"mask": "causal"} if causal else {}), **({} if norm_first else {"norm_position": "post"}),
                    **({"norm_epsilon": epsilon} if epsilon != 1e-5 else {})}
        end = "blocks.0.mlp_residual" if norm_first else "blocks.0.mlp_norm"
        for b, each in enumerate(module.layers if n_layers > 1 else [layer]):
            export_layer(exported, each, b)
        if n_layers > 1:
            settings["final_norm"], end = True, "final_norm"
            exported.norm("final_norm", module.norm)
        yield towards(name, exported, settings, {end: output}, end)


class RMSNorm(nn.Module):
    def __init__(self, d, epsilon):
        super().__init__()
        self.weight, self.epsilon = nn.Parameter(torch.ones(d)), epsilon

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.epsilon) * self.weight


def rotate_half(x):
    first, second = x.chunk(2, -1)
    return torch.cat((-second, first), -1)


class LlamaBlock(nn.Module):
    def __init__(self, d, n_heads, n_kv_heads, d_ff, base):
        super().__init__()
        self.n_heads, self.n_kv_heads, self.d_k, self.base = n_heads, n_kv_heads, d // n_heads, base
        self.input_norm, self.post_norm = RMSNorm(d, 1e-5), RMSNorm(d, 1e-5)
        self.q_proj = nn.Linear(d, d, bias=False)
        self.k_proj = nn.Linear(d, n_kv_heads * self.d_k, bias=False)
        self.v_proj = nn.Linear(d, n_kv_heads * self.d_k, bias=False)
        self.o_proj = nn.Linear(d, d, bias=False)
        self.gate_proj, self.up_proj = nn.Linear(d, d_ff, bias=False), nn.Linear(d, d_ff, bias=False)
        self.down_proj = nn.Linear(d_ff, d, bias=False)

    def rotary(self, x, first_place):
        frequencies = 1.0 / self.base ** (torch.arange(0, self.d_k, 2, dtype=torch.float64) / self.d_k)
        angles = torch.outer(torch.arange(first_place, first_place + x.shape[-2], dtype=torch.float64), frequencies)
        angles = torch.cat((angles, angles), -1)
        return x * angles.cos() + rotate_half(x) * angles.sin()

    def attend(self, x, cache):
        n, n_past = x.shape[0], 0 if cache is None else cache[0].shape[1]
        q = self.rotary(self.q_proj(x).view(n, self.n_heads, self.d_k).transpose(0, 1), n_past)
        k = self.rotary(self.k_proj(x).view(n, self.n_kv_heads, self.d_k).transpose(0, 1), n_past)
        v = self.v_proj(x).view(n, self.n_kv_heads, self.d_k).transpose(0, 1)
        if cache is not None:
            k, v = torch.cat((cache[0], k), 1), torch.cat((cache[1], v), 1)
        self.cache = k, v
        k, v = (t.repeat_interleave(self.n_heads // self.n_kv_heads, 0) for t in (k, v))
        mask = torch.triu(torch.full((n, n_past + n), float("-inf"), dtype=x.dtype), n_past + 1)
        weights = torch.softmax(q @ k.transpose(1, 2) / self.d_k ** 0.5 + mask, -1)
        return self.o_proj((weights @ v).transpose(0, 1).reshape(n, -1))

    def forward(self, x, cache=None):
        x = x + self.attend(self.input_norm(x), cache)
        h = self.post_norm(x)
        return x + self.down_proj(F.silu(self.gate_proj(h)) * self.up_proj(h))


class Llama(nn.Module):
    def __init__(self, n_layers, n_kv_heads, base):
        super().__init__()
        self.embed = nn.Embedding(6, 4)
        self.layers = nn.ModuleList(LlamaBlock(4, 2, n_kv_heads, 3, base) for _ in range(n_layers))
        self.norm, self.head = RMSNorm(4, 1e-5), nn.Linear(4, 6, bias=False)

    def forward(self, x, caches=None):
        for b, layer in enumerate(self.layers):
            x = layer(x, caches and caches[b])
        return self.head(self.norm(x))


def export_llama(exported, model):
    for b, layer in enumerate(model.layers):
        prefix = f"blocks.{b}."
        exported.norm(prefix + "attention_norm", layer.input_norm)
        exported.norm(prefix + "mlp_norm", layer.post_norm)
        for name, module in (("query", layer.q_proj), ("key", layer.k_proj), ("value", layer.v_proj), ("output", layer.o_proj),
                             ("gate", layer.gate_proj), ("up", layer.up_proj), ("down", layer.down_proj)):
            exported.linear(name, module, prefix)
    exported.norm("final_norm", model.norm)
    exported.linear("unembedding", model.head)


def llama_cases():
    for n_layers, n_kv_heads, base, n_past in ((1, 1, 10000, 0), (2, 2, 500000, 0), (1, 1, 10000, 2)):
        name = f"Llama of {n_layers}, {n_kv_heads} of 2 heads, base {base}, past {n_past}"
        draw, exported = Draw(name), Exported()
        model = with_our_numbers(Llama(n_layers, n_kv_heads, base), draw)
        settings = {"n_heads": 2, "n_kv_heads": n_kv_heads, "position": "rope", "mask": "causal", "n_blocks": n_layers,
                    "norm": "rms_norm", "mlp": "silu_gated", "final_norm": True, "unembedding": "own",
                    **({"rope_base": base} if base != 10000 else {})}
        caches = [tuple(exported.numbers(f"blocks.{b}.past_{kind}", draw(n_kv_heads, n_past, 2)) for kind in ("keys", "values"))
                  for b in range(n_layers)] if n_past else None
        ids = draw.ids(3, 6)
        logits = model(model.embed(torch.from_numpy(ids).long()), caches)
        export_llama(exported, model)
        exported.add("W_embedding", model.embed.weight, transposed=False)
        log_probabilities = torch.log_softmax(logits, -1)
        yield finished(name, {"token_ids": ids, **exported.tensors}, settings, ("logprob(2,4)", log_probabilities[2, 4]),
                       {"logits": logits, "log_probabilities": log_probabilities}, exported)


def cache_cases():
    """Decoding with a cache gives what the whole sequence gives: the last token's row, from the first tokens' keys and values."""
    name = "Llama decodes with a cache"
    draw, exported = Draw(name), Exported()
    model = with_our_numbers(Llama(1, 1, 10000), draw)
    x = draw(4, 4)
    rows = torch.from_numpy(x.astype(np.float32).astype(np.float64))
    whole = model(rows)
    model(rows[:3])
    cache = model.layers[0].cache
    past = {"blocks.0.past_keys": cache[0].detach().numpy(), "blocks.0.past_values": cache[1].detach().numpy()}
    export_llama(exported, model)
    case = Case(name, {"inputs": x[3:], **exported.tensors, **past},
                {"n_heads": 2, "n_kv_heads": 1, "position": "rope", "mask": "causal", "n_blocks": 1, "norm": "rms_norm",
                 "mlp": "silu_gated", "final_norm": True, "unembedding": "own"})
    case.expected = {"logits": whole.detach().numpy()[3:]}
    yield case


class Gpt2Block(nn.Module):
    def __init__(self, d, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.ln_1, self.ln_2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.c_attn, self.c_proj = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.c_fc, self.mlp_proj = nn.Linear(d, 3), nn.Linear(3, d)

    def forward(self, x):
        n, d = x.shape
        q, k, v = (t.view(n, self.n_heads, -1).transpose(0, 1) for t in self.c_attn(self.ln_1(x)).split(d, -1))
        allowed = torch.tril(torch.ones(n, n, dtype=torch.bool))
        scores = (q @ k.transpose(1, 2) / (d // self.n_heads) ** 0.5).masked_fill(~allowed, float("-inf"))
        x = x + self.c_proj((scores.softmax(-1) @ v).transpose(0, 1).reshape(n, d))
        return x + self.mlp_proj(F.gelu(self.c_fc(self.ln_2(x)), approximate="tanh"))


class Gpt2(nn.Module):
    def __init__(self, n_layers):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(5, 4), nn.Embedding(6, 4)
        self.layers = nn.Sequential(*(Gpt2Block(4, 2) for _ in range(n_layers)))
        self.ln_f = nn.LayerNorm(4)

    def forward(self, ids):
        x = self.layers(self.wte(ids) + self.wpe(torch.arange(len(ids))))
        return self.ln_f(x) @ self.wte.weight.T


def gpt2_cases():
    for n_layers in (1, 2):
        name = f"GPT-2 of {n_layers}"
        draw, exported = Draw(name), Exported()
        model = with_our_numbers(Gpt2(n_layers), draw)
        ids = draw.ids(3, 5)
        logits = model(torch.from_numpy(ids).long())
        for b, layer in enumerate(model.layers):
            prefix = f"blocks.{b}."
            for i, part in enumerate(("query", "key", "value")):
                for letter, parameter in (("W", layer.c_attn.weight), ("b", layer.c_attn.bias)):
                    exported.add(f"{prefix}{letter}_{part}", parameter, slice(4 * i, 4 * i + 4))
            for part, module in (("output", layer.c_proj), ("up", layer.c_fc), ("down", layer.mlp_proj)):
                exported.linear(part, module, prefix)
            exported.norm(prefix + "attention_norm", layer.ln_1)
            exported.norm(prefix + "mlp_norm", layer.ln_2)
        exported.norm("final_norm", model.ln_f)
        exported.add("W_embedding", model.wte.weight, transposed=False)
        exported.add("W_position", model.wpe.weight, transposed=False)
        settings = {"n_heads": 2, "position": "learned", "mask": "causal", "n_blocks": n_layers, "norm": "layer_norm",
                    "mlp": "gelu_tanh", "final_norm": True, "unembedding": "tied"}
        log_probabilities = torch.log_softmax(logits, -1)
        yield finished(name, {"token_ids": ids, **exported.tensors}, settings, ("logprob(1,3)", log_probabilities[1, 3]),
                       {"logits": logits, "next_token_probabilities": torch.softmax(logits, -1)}, exported)


THEMES = {"modules": (multihead_cases, encoder_cases, llama_cases, cache_cases, gpt2_cases)}
