"""The presets beyond the worked examples: a session's title, source, words, tensors, settings and how tensors were drawn."""
import numpy as np
import torch

RASCHKA = "Raschka 2024, Build a Large Language Model (From Scratch), chapter 3"
VASWANI = "Vaswani et al. 2017, Attention Is All You Need"
JOURNEY = "Your journey starts with one step".split()
JOURNEY_INPUTS = [[0.43, 0.15, 0.89], [0.55, 0.87, 0.66], [0.57, 0.85, 0.64], [0.22, 0.58, 0.33], [0.77, 0.25, 0.1],
                  [0.05, 0.8, 0.55]]


class Preset:
    """`printed` holds numbers that the source itself prints, by tensor."""

    def __init__(self, name, title, source):
        self.name, self.title, self.source = name, title, source
        self.tokens, self.context_tokens, self.vocabulary = [], [], []
        self.tensors, self.attention, self.made_by, self.printed = {}, {}, {}, {}

    def words(self, sentence, vocabulary=None):
        self.tokens = sentence.split()
        if vocabulary is not None:
            self.vocabulary = sorted(set(vocabulary.split()))
            self.tensors["token_ids"] = [self.vocabulary.index(word) for word in self.tokens]


class Notebook:
    """Draws tensors one after the other, as torch.manual_seed(seed) and PyTorch's modules do, and says how."""

    def __init__(self, preset, seed):
        self.preset, self.seed, self.skip = preset, seed, 0
        torch.manual_seed(seed)

    def keep(self, name, init, tensor, n_draws):
        self.preset.tensors[name] = tensor.detach().numpy()
        self.preset.made_by[name] = {"init": init, "seed": self.seed, "skip": self.skip}
        self.skip += n_draws

    def embedding(self, name, n_rows, d):
        n = n_rows * d
        assert n >= 16, "fewer normal numbers are drawn in another way"
        self.keep(name, "randn", torch.nn.Embedding(n_rows, d).weight, n if n % 16 == 0 else n + 16)

    def linear(self, name, n, m, bias=False):
        layer = torch.nn.Linear(n, m, bias=bias)
        self.keep(name, "linear", layer.weight.T, n * m)
        if bias:
            self.keep(name.replace("W_", "b_"), "linear", layer.bias, m)

    def rand(self, name, n, m):
        self.keep(name, "rand", torch.rand(n, m), n * m)

    def xavier_uniform(self, name, n, m):
        self.keep(name, "xavier_uniform", torch.nn.init.xavier_uniform_(torch.empty(m, n)).T, n * m)

    def norm(self, name, d, bias=False):
        self.preset.tensors[name + "_gain"] = np.ones(d)
        self.preset.made_by[name + "_gain"] = {"init": "constant", "value": 1}
        if bias:
            self.preset.tensors[name + "_bias"] = np.zeros(d)
            self.preset.made_by[name + "_bias"] = {"init": "zeros"}


# Heads.

def journey(name, title, source):
    preset = Preset(name, title, source)
    preset.words(" ".join(JOURNEY))
    preset.tensors["inputs"] = JOURNEY_INPUTS
    return preset


def causal():
    preset = journey("causal", "A causal head: no token sees the ones after it", [RASCHKA, VASWANI])
    notebook = Notebook(preset, 789)
    for name in ("W_query", "W_key", "W_value"):
        notebook.linear(name, 3, 2)
    preset.attention = {"mask": "causal"}
    preset.printed["attention_weights"] = [
        [1, 0, 0, 0, 0, 0], [0.5517, 0.4483, 0, 0, 0, 0], [0.38, 0.3097, 0.3103, 0, 0, 0],
        [0.2758, 0.246, 0.2462, 0.2319, 0, 0], [0.2175, 0.1983, 0.1984, 0.1888, 0.1971, 0],
        [0.1935, 0.1663, 0.1666, 0.1542, 0.1666, 0.1529]]
    return preset


def two_heads(are_split):
    """Each head drawn by itself: query, key, value, then those of the next head. So no made_by could draw them again."""
    title = "Two heads: one matrix, its columns split" if are_split else "Two heads: a matrix for each"
    preset = journey("two-heads-split" if are_split else "two-heads-separate", title, [RASCHKA, VASWANI])
    torch.manual_seed(123)
    drawn = [[torch.nn.Linear(3, 2, bias=False).weight.detach().numpy().T for _ in range(3)] for _ in range(2)]
    for i, name in enumerate(("W_query", "W_key", "W_value")):
        heads = [head[i] for head in drawn]
        preset.tensors[name] = np.concatenate(heads, axis=1) if are_split else np.stack(heads)
    preset.attention = {"mask": "causal", "n_heads": 2}
    preset.printed["context_vectors"] = [
        [[-0.4519, 0.2216], [-0.5874, 0.0058], [-0.63, -0.0632], [-0.5675, -0.0843], [-0.5526, -0.0981], [-0.5299, -0.1081]],
        [[0.4772, 0.1063], [0.5891, 0.3257], [0.6202, 0.386], [0.5478, 0.3589], [0.5321, 0.3428], [0.5077, 0.3493]]]
    return preset


def multi_head():
    preset = journey("multi-head", "Multi-head attention with output projection", [RASCHKA, VASWANI])
    notebook = Notebook(preset, 123)
    for name in ("W_query", "W_key", "W_value"):
        notebook.linear(name, 3, 2)
    notebook.linear("W_output", 2, 2, bias=True)
    preset.attention = {"mask": "causal", "n_heads": 2}
    preset.printed["outputs"] = [[0.319, 0.4858], [0.2943, 0.3897], [0.2856, 0.3593], [0.2693, 0.3873], [0.2639, 0.3928],
                                 [0.2575, 0.4028]]
    return preset


def grouped_query():
    preset = journey("grouped-query", "Grouped-query attention: four heads share two keys and values",
                     ["Ainslie et al. 2023, GQA: Training Generalized Multi-Query Transformer Models"])
    notebook = Notebook(preset, 123)
    notebook.linear("W_query", 3, 8)
    notebook.linear("W_key", 3, 4)
    notebook.linear("W_value", 3, 4)
    preset.attention = {"n_heads": 4, "n_kv_heads": 2}
    return preset


def cross_attention():
    """Columns: article, animal, colour, sleep. Each French word asks for what it means, whatever the order of the words."""
    preset = Preset("cross-attention", "Cross-attention: a French sentence reads an English one",
                    ["Bahdanau et al. 2015, Neural Machine Translation by Jointly Learning to Align and Translate", VASWANI])
    preset.words("Le chat noir dort")
    preset.context_tokens = "The black cat is sleeping".split()
    preset.tensors = {
        "inputs": [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]],
        "context_inputs": [[1, 0, 0, 0], [0, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 0.5], [0, 0, 0, 1]],
        "W_query": 6 * np.eye(4), "W_key": np.eye(4), "W_value": [[1, 0], [0, 1], [1, 1], [2, -1]]}
    return preset


# Masks and positions.

def sliding_window():
    preset = Preset("sliding-window", "A sliding window: each token sees itself and two before it",
                    ["Beltagy et al. 2020, Longformer", "Jiang et al. 2023, Mistral 7B"])
    preset.words("The river runs slowly to the sea")
    preset.tensors["inputs"] = [[0.1, 0.9, 0.2], [0.8, 0.3, 0.5], [0.4, 0.6, 0.9], [0.7, 0.1, 0.6], [0.2, 0.5, 0.3],
                                [0.1, 0.8, 0.2], [0.9, 0.4, 0.7]]
    notebook = Notebook(preset, 123)
    for name in ("W_query", "W_key", "W_value"):
        notebook.rand(name, 3, 2)
    preset.attention = {"mask": "sliding_window", "window": 3}
    return preset


def positions(name, title, source, position):
    """Both `the` have the same row: what tells them apart is position alone."""
    preset = Preset(name, title, [source])
    preset.words("the dog chased the cat")
    the = [0.2, 0.1, 0.9, 0.3]
    preset.tensors["inputs"] = [the, [0.9, 0.4, 0.1, 0.8], [0.1, 0.9, 0.5, 0.2], the, [0.8, 0.5, 0.2, 0.9]]
    notebook = Notebook(preset, 123)
    for matrix in ("W_query", "W_key", "W_value"):
        notebook.xavier_uniform(matrix, 4, 4)
    preset.attention = {"mask": "causal", "n_heads": 2, "position": position}
    return preset


def rotary():
    return positions("rotary", "Rotary positions: queries and keys turn with their place",
                     "Su et al. 2021, RoFormer: Enhanced Transformer with Rotary Position Embedding", "rope")


def alibi():
    return positions("alibi", "ALiBi: the farther away a key, the lower its score",
                     "Press et al. 2022, Train Short, Test Long: Attention with Linear Biases", "alibi")


# Blocks.

def gpt2_block():
    preset = Preset("gpt2-block", "A block in the style of GPT-2",
                    ["Radford et al. 2019, Language Models are Unsupervised Multitask Learners"])
    preset.words("The cat sat on the mat", "The cat sat on the mat")
    d, of_block = 4, "blocks.0."
    notebook = Notebook(preset, 123)
    notebook.embedding("W_embedding", len(preset.vocabulary), d)
    notebook.embedding("W_position", 8, d)
    notebook.norm(of_block + "attention_norm", d, bias=True)
    for name in ("W_query", "W_key", "W_value", "W_output"):
        notebook.linear(of_block + name, d, d, bias=True)
    notebook.norm(of_block + "mlp_norm", d, bias=True)
    notebook.linear(of_block + "W_up", d, 4 * d, bias=True)
    notebook.linear(of_block + "W_down", 4 * d, d, bias=True)
    notebook.norm("final_norm", d, bias=True)
    preset.attention = {"mask": "causal", "n_heads": 2, "position": "learned", "n_blocks": 1, "norm": "layer_norm",
                        "final_norm": True, "mlp": "gelu_tanh", "unembedding": "tied"}
    return preset


def llama_block():
    preset = Preset("llama-block", "A block in the style of Llama",
                    ["Touvron et al. 2023, Llama 2: Open Foundation and Fine-Tuned Chat Models"])
    preset.words("Once upon a time there", "Once upon a time there was")
    d, of_block = 8, "blocks.0."
    notebook = Notebook(preset, 123)
    notebook.embedding("W_embedding", len(preset.vocabulary), d)
    notebook.norm(of_block + "attention_norm", d)
    for name, width in (("W_query", 8), ("W_key", 4), ("W_value", 4), ("W_output", 8)):
        notebook.linear(of_block + name, d, width)
    notebook.norm(of_block + "mlp_norm", d)
    notebook.linear(of_block + "W_up", d, 2 * d)
    notebook.linear(of_block + "W_gate", d, 2 * d)
    notebook.linear(of_block + "W_down", 2 * d, d)
    notebook.norm("final_norm", d)
    notebook.linear("W_unembedding", d, len(preset.vocabulary))
    preset.attention = {"mask": "causal", "n_heads": 4, "n_kv_heads": 2, "position": "rope", "n_blocks": 1,
                        "norm": "rms_norm", "final_norm": True, "mlp": "silu_gated", "unembedding": "own"}
    return preset


def induction():
    """Written by hand. Columns of what flows through the blocks: the token, its place, the token before it.

    Block 0: a query asks with its place p, a key answers with the place after its own, so that p looks at p - 1; the token
    there is written into "the token before it". Block 1: a query asks with its token, a key answers with the token before
    it, so that the second A looks at what followed the first; the token there is written, 10 times, into "the token",
    which the tied unembedding reads. What block 0 finds for the first token is the token itself, since nothing is before
    it: W_key of block 1 takes place 0 off again.
    """
    preset = Preset("induction", "Two layers by hand: a previous-token head and an induction head",
                    ["Elhage et al. 2021, A Mathematical Framework for Transformer Circuits",
                     "Olsson et al. 2022, In-context Learning and Induction Heads"])
    preset.words("A B C A B", "A B C")
    n_words, n_places = len(preset.vocabulary), 6
    token, place, before = slice(0, n_words), slice(n_words, n_words + n_places), slice(n_words + n_places, None)
    d = 2 * n_words + n_places

    def written(rows, cols, numbers, width=None):
        """d × width with `numbers` in those rows, or rows × d with them in those columns."""
        matrix = np.zeros((d, width) if cols is None else (n_words if rows is None else rows, d))
        if cols is None:
            matrix[rows] = numbers
        else:
            matrix[:, cols] = numbers
        return matrix

    words = np.eye(n_words)
    key_of_block_1 = written(before, None, words, n_words)
    key_of_block_1[place.start] = -1
    preset.tensors.update({
        "W_embedding": written(None, token, words),
        "W_position": written(n_places, place, np.eye(n_places)),
        "blocks.0.W_query": written(place, None, 10 * np.eye(n_places), n_places),
        "blocks.0.W_key": written(place, None, np.eye(n_places, k=1), n_places),
        "blocks.0.W_value": written(token, None, words, n_words),
        "blocks.0.W_output": written(None, before, words),
        "blocks.1.W_query": written(token, None, 10 * words, n_words),
        "blocks.1.W_key": key_of_block_1,
        "blocks.1.W_value": written(token, None, words, n_words),
        "blocks.1.W_output": written(None, token, 10 * words)})
    preset.attention = {"scale": 1, "mask": "causal", "position": "learned", "n_blocks": 2, "unembedding": "tied"}
    return preset


def all_presets():
    return [causal(), two_heads(are_split=True), two_heads(are_split=False), multi_head(), grouped_query(),
            cross_attention(), sliding_window(), rotary(), alibi(), gpt2_block(), llama_block(), induction()]
