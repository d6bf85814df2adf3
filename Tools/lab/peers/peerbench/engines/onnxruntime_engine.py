"""ONNX Runtime: QDQ graphs, all graph optimisations, inputs and outputs bound once."""

import numpy as np
import onnxruntime

from .. import onnx_graphs

NAME = "ONNX Runtime"
FORMS = {
    "fp32": "ONNX, uint8 frames cast in the graph",
    "int8": "static QDQ ONNX: uint8 activations, int8 weights a channel; int8 columns between encoder and head",
}
OVERHEAD = "run_with_iobinding, called from Python"


def version():
    return onnxruntime.__version__


def export(folder, weights, quantised, frames):
    onnx_graphs.export(folder / "fp32", weights)
    onnx_graphs.export(folder / "int8", weights, quantised)


class Engine:
    def __init__(self, threads):
        self.options = onnxruntime.SessionOptions()
        self.options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
        self.options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
        self.options.intra_op_num_threads = threads
        self.options.inter_op_num_threads = 1
        self.options.log_severity_level = 3

    def load(self, folder, graph):
        return _Bound(onnxruntime.InferenceSession(
            folder / f"{graph}.onnx", self.options, providers=["CPUExecutionProvider"]))


class _Bound:
    _TYPES = {"tensor(uint8)": np.uint8, "tensor(float)": np.float32}

    def __init__(self, session):
        source, result = session.get_inputs()[0], session.get_outputs()[0]
        self.input = np.zeros(source.shape, self._TYPES[source.type])
        self.output = np.zeros(result.shape, self._TYPES[result.type])
        binding = session.io_binding()
        for bind, node, array in (
            (binding.bind_input, source, self.input), (binding.bind_output, result, self.output),
        ):
            bind(node.name, "cpu", 0, array.dtype, array.shape, array.ctypes.data)
        options = onnxruntime.RunOptions()
        inner, bound = session._sess.run_with_iobinding, binding._iobinding
        self.run = lambda: inner(bound, options)

    def write(self, array):
        self.input.reshape(array.shape)[...] = array

    def read(self):
        return self.output.copy()
