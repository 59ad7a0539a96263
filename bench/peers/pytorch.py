"""PyTorch, as the notebook writes it (a module, nothing preallocated) or tuned: results written into tensors that are there
already, the scale folded into the product of queries and keys, no bookkeeping for gradients. Scores and weights are kept."""
import os

import work

options = work.arguments(variants=("notebook", "tuned", "tuned-avx512"))
if options.variant == "tuned-avx512":
    # By itself PyTorch takes AVX2 for most of its own loops, also where there is more.
    os.environ["ATEN_CPU_CAPABILITY"] = "avx512"
    with open("/proc/cpuinfo", encoding="utf-8") as cpu:
        if "avx512f" not in cpu.read():
            work.leave_out("this processor has no AVX-512")
try:
    import torch
except ImportError:
    work.leave_out("python3-torch is not installed")


class SelfAttention(torch.nn.Module):
    def __init__(self, case, tensors):
        super().__init__()
        self.case = case
        for name, values in tensors.items():
            setattr(self, name, torch.nn.Parameter(torch.from_numpy(values)))

    def split_heads(self, x):
        return x.view(self.case.n, self.case.n_heads, self.case.d_k).transpose(0, 1)

    def forward(self, x):
        keys = x @ self.W_key
        queries = x @ self.W_query
        values = x @ self.W_value
        has_heads = self.case.n_heads > 1
        if has_heads:
            keys, queries, values = self.split_heads(keys), self.split_heads(queries), self.split_heads(values)
        attention_scores = queries @ keys.transpose(-2, -1)
        attention_weights = torch.softmax(attention_scores / self.case.d_k**0.5, dim=-1)
        context_vectors = attention_weights @ values
        if not has_heads:
            return attention_scores, attention_weights, context_vectors
        side_by_side = context_vectors.transpose(0, 1).contiguous().view(self.case.n, self.case.width)
        return attention_scores, attention_weights, side_by_side @ self.W_output


def notebook(case, tensors):
    inputs = torch.from_numpy(tensors.pop("inputs"))
    module = SelfAttention(case, tensors)
    return lambda: module(inputs)[-1]


def project(t, width, n):
    """A function that fills queries, keys and values, and these."""
    queries, keys, values = (torch.empty(n, width) for _ in range(3))

    def run():
        torch.mm(t["inputs"], t["W_query"], out=queries)
        torch.mm(t["inputs"], t["W_key"], out=keys)
        torch.mm(t["inputs"], t["W_value"], out=values)

    return run, queries, keys, values


def tuned_one_head(case, t):
    fill_projections, queries, keys, values = project(t, case.d_k, case.n)
    scores, weights = torch.empty(case.n, case.n), torch.empty(case.n, case.n)
    contexts = torch.empty(case.n, case.d_k)

    def run():
        fill_projections()
        torch.addmm(scores, queries, keys.t(), beta=0, alpha=case.d_k**-0.5, out=scores)
        torch._softmax(scores, -1, False, out=weights)
        return torch.mm(weights, values, out=contexts)

    return run


def tuned_heads(case, t):
    fill_projections, *projected = project(t, case.width, case.n)
    queries, keys, values = (x.view(case.n, case.n_heads, case.d_k).transpose(0, 1) for x in projected)
    scores, weights = (torch.empty(case.n_heads, case.n, case.n) for _ in range(2))
    contexts = torch.empty(case.n_heads, case.n, case.d_k)
    side_by_side, outputs = torch.empty(case.n, case.width), torch.empty(case.n, case.d_in)

    def run():
        fill_projections()
        torch.baddbmm(scores, queries, keys.transpose(1, 2), beta=0, alpha=case.d_k**-0.5, out=scores)
        torch._softmax(scores, -1, False, out=weights)
        torch.bmm(weights, values, out=contexts)
        side_by_side.view(case.n, case.n_heads, case.d_k).copy_(contexts.transpose(0, 1))
        return torch.mm(side_by_side, t["W_output"], out=outputs)

    return run


def tuned(case, tensors):
    t = {name: torch.from_numpy(values) for name, values in tensors.items()}
    return tuned_heads(case, t) if case.n_heads > 1 else tuned_one_head(case, t)


def blas_library():
    """The file that the system's BLAS is, which Debian's PyTorch multiplies with."""
    with open("/proc/self/maps", encoding="utf-8") as maps:
        files = {os.path.basename(line.split()[-1]) for line in maps if "blas" in line and ".so" in line}
    return next((file for file in files if "openblas" in file), None) or ", ".join(sorted(files)) or "its own BLAS"


torch.set_num_threads(options.threads)
is_notebook = options.variant == "notebook"
pass_of = notebook if is_notebook else tuned
with torch.no_grad() if is_notebook else torch.inference_mode():
    forward = pass_of(options.case, work.tensors_of(options.case))
    times = work.measure_us(forward, options.repeats)
    work.print_line(options, times, version=f"PyTorch {torch.__version__} with {blas_library()}", result=forward().numpy())
