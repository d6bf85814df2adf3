"""LiteRT: the TFLite interpreter with its XNNPACK delegate, which is on by default."""

import importlib.metadata

import numpy as np
from ai_edge_litert.interpreter import Interpreter

from .. import tflite_graphs

NAME = "LiteRT (XNNPACK)"
FORMS = {
    "fp32": "TFLite; frames are handed over as float32, so the conversion from uint8 is not in its time",
    "int8": "TFLite: int8 activations with zero point -128, int8 weights a channel; classifier float; frames are "
            "handed over as code - 128, so that shift is not in its time",
}
OVERHEAD = "Interpreter.invoke, called from Python"


def version():
    return importlib.metadata.version("ai-edge-litert")


def export(folder, weights, quantised, frames):
    tflite_graphs.export(folder / "fp32", weights)
    tflite_graphs.export(folder / "int8", weights, quantised)


class Engine:
    def __init__(self, threads):
        self.threads = threads

    def load(self, folder, graph):
        return _Bound(Interpreter(model_path=str(folder / f"{graph}.tflite"), num_threads=self.threads))


class _Bound:
    def __init__(self, interpreter):
        interpreter.allocate_tensors()
        self.interpreter = interpreter
        self.source = interpreter.get_input_details()[0]
        self.result = interpreter.get_output_details()[0]["index"]
        self.run = interpreter._interpreter.Invoke

    def write(self, array):
        """Columns come as [features, steps], and TFLite has the features innermost."""
        shape, dtype = self.source["shape"], self.source["dtype"]
        if array.ndim == 2 and len(shape) == 4 and shape[3] == array.shape[0]:
            array = array.T
        if dtype == np.int8 and array.dtype == np.uint8:
            array = (array ^ np.uint8(128)).view(np.int8)
        self.interpreter.set_tensor(self.source["index"], np.ascontiguousarray(array.astype(dtype).reshape(shape)))

    def read(self):
        return self.interpreter.get_tensor(self.result)
