"""make_onnx.py SIZE FILE: the case as an ONNX model whose outputs are scores, weights and context vectors, and outputs where
there are heads. Weights are part of the model, so that a runtime may lay them out beforehand."""
import sys

import work

try:
    import numpy as np
    from onnx import TensorProto, checker, helper, numpy_helper, save
except ImportError:
    work.leave_out("python3-onnx is not installed")


class Graph:
    def __init__(self):
        self.nodes, self.constants = [], []

    def add(self, operator, operands, result, **attributes):
        self.nodes.append(helper.make_node(operator, operands, [result], **attributes))

    def constant(self, name, values):
        self.constants.append(numpy_helper.from_array(values, name))


def split_heads(graph, name, case, order):
    graph.add("Reshape", [f"flat_{name}", "by_head"], f"split_{name}")
    graph.add("Transpose", [f"split_{name}"], f"{name}_to_multiply", perm=order)


def add_projections(graph, case):
    has_heads = case.n_heads > 1
    for weights, name in (("W_query", "queries"), ("W_key", "keys"), ("W_value", "values")):
        graph.add("MatMul", ["inputs", weights], f"flat_{name}" if has_heads or name == "keys" else f"{name}_to_multiply")
    if not has_heads:
        graph.add("Transpose", ["flat_keys"], "keys_to_multiply", perm=[1, 0])
        return
    graph.constant("by_head", np.array([case.n, case.n_heads, case.d_k], np.int64))
    split_heads(graph, "queries", case, [1, 0, 2])
    split_heads(graph, "keys", case, [1, 2, 0])
    split_heads(graph, "values", case, [1, 0, 2])


def add_attention(graph, case):
    graph.constant("scale", np.array(case.d_k**-0.5, np.float32))
    graph.add("MatMul", ["queries_to_multiply", "keys_to_multiply"], "attention_scores")
    graph.add("Mul", ["attention_scores", "scale"], "scaled_scores")
    graph.add("Softmax", ["scaled_scores"], "attention_weights", axis=-1)
    graph.add("MatMul", ["attention_weights", "values_to_multiply"], "context_vectors")
    if case.n_heads > 1:
        graph.constant("side_by_side", np.array([case.n, case.width], np.int64))
        graph.add("Transpose", ["context_vectors"], "contexts_by_token", perm=[1, 0, 2])
        graph.add("Reshape", ["contexts_by_token", "side_by_side"], "flat_contexts")
        graph.add("MatMul", ["flat_contexts", "W_output"], "outputs")


def model_of(case):
    graph = Graph()
    for name, values in work.tensors_of(case).items():
        if name != "inputs":
            graph.constant(name, values)
    add_projections(graph, case)
    add_attention(graph, case)
    heads = [case.n_heads] if case.n_heads > 1 else []
    shapes = {"scaled_scores": [*heads, case.n, case.n], "attention_weights": [*heads, case.n, case.n],
              "context_vectors": [*heads, case.n, case.d_k]}
    if heads:
        shapes["outputs"] = [case.n, case.d_in]
    describe = lambda name, shape: helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
    whole = helper.make_graph(graph.nodes, "attention", [describe("inputs", [case.n, case.d_in])],
                              [describe(*each) for each in shapes.items()], graph.constants)
    model = helper.make_model(whole, opset_imports=[helper.make_opsetid("", 13)])
    model.ir_version = 8
    checker.check_model(model)
    return model


save(model_of(work.read_case(sys.argv[1])), sys.argv[2])
