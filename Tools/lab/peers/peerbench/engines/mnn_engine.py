"""MNN, float32 only.

The quantiser of its wheel dies with std::length_error on every configuration, a fault known upstream, and MNN reads int8
only from its own tools. The wheel's command-line wrappers are not used: they install a logging client over the network;
the converter is called in its extension module, in a process of its own because it prints to stdout.
"""

import importlib.metadata
import subprocess
import sys

import MNN
import numpy as np

from .. import onnx_graphs

NAME = "MNN"
FORMS = {"fp32": "converted from ONNX; frames are handed over as float32"}
ABSENT = {"int8": "the quantiser in the wheel aborts (std::length_error)"}
OVERHEAD = "Interpreter.runSession, called from Python"
GRAPHS = ("encoder", "head", "head-trimmed", "window", "identity")


def version():
    return importlib.metadata.version("mnn")


def export(folder, weights, quantised, frames):
    onnx_graphs.export(folder / "fp32", weights, float_input=True)
    for graph in GRAPHS:
        source = folder / "fp32" / f"{graph}.onnx"
        arguments = ["mnnconvert", "-f", "ONNX", "--modelFile", str(source), "--MNNModel",
                     str(source.with_suffix(".mnn")), "--bizCode", "peers"]
        subprocess.run([sys.executable, "-c", f"import _tools; _tools.mnnconvert({arguments!r})"],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class Engine:
    def __init__(self, threads):
        self.configuration = {"backend": "CPU", "numThread": threads, "precision": "high"}

    def load(self, folder, graph):
        return _Bound(MNN.Interpreter(str(folder / f"{graph}.mnn")), self.configuration)


class _Bound:
    def __init__(self, interpreter, configuration):
        self.interpreter = interpreter
        self.session = interpreter.createSession(configuration)
        self.source = interpreter.getSessionInput(self.session)
        self.result = interpreter.getSessionOutput(self.session)

    def run(self):
        self.interpreter.runSession(self.session)

    def write(self, array):
        shape = self.source.getShape()
        values = np.ascontiguousarray(array.reshape(shape), np.float32)
        self.source.copyFrom(MNN.Tensor(shape, MNN.Halide_Type_Float, values, MNN.Tensor_DimensionType_Caffe))

    def read(self):
        shape = self.result.getShape()
        host = MNN.Tensor(shape, MNN.Halide_Type_Float, np.zeros(shape, np.float32), MNN.Tensor_DimensionType_Caffe)
        self.result.copyToHostTensor(host)
        return np.array(host.getNumpyData(), np.float32).reshape(shape)
