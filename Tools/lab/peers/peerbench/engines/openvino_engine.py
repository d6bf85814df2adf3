"""OpenVINO through its C API: the call inside the timed loop is `ov_infer_request_infer` on tensors bound once."""

import ctypes
import functools
import glob
import os

import numpy as np
import openvino

from .. import onnx_graphs

NAME = "OpenVINO"
FORMS = {
    "fp32": "ONNX, uint8 frames converted in the graph",
    "int8": "the same static QDQ ONNX as for ONNX Runtime, read by its low-precision passes",
}
OVERHEAD = "C API called through ctypes"


def version():
    return openvino.__version__.split("-")[0]


def export(folder, weights, quantised, frames):
    onnx_graphs.export(folder / "fp32", weights)
    onnx_graphs.export(folder / "int8", weights, quantised)


class _Library:
    """libopenvino_c with its status codes turned into exceptions."""

    def __init__(self):
        libs = os.path.join(os.path.dirname(openvino.__file__), "libs")
        self.library = ctypes.CDLL(glob.glob(os.path.join(libs, "libopenvino_c.so*"))[0])

    def __call__(self, name, *arguments):
        status = getattr(self.library, name)(*arguments)
        if status != 0:
            raise RuntimeError(f"{name} returned {status}")

    def new(self, name, *arguments):
        """The object that a function returns through its last argument."""
        handle = ctypes.c_void_p()
        self(name, *arguments, ctypes.byref(handle))
        return handle


class Engine:
    def __init__(self, threads):
        self.call = _Library()
        self.core = self.call.new("ov_core_create")
        self.properties = {
            "PERFORMANCE_HINT": "LATENCY", "NUM_STREAMS": "1", "INFERENCE_NUM_THREADS": str(threads),
            "INFERENCE_PRECISION_HINT": "f32", "ENABLE_CPU_PINNING": "NO",
        }

    def load(self, folder, graph):
        path = str(folder / f"{graph}.onnx").encode()
        words = [word.encode() for pair in self.properties.items() for word in pair]
        compiled = ctypes.c_void_p()
        self.call("ov_core_compile_model_from_file", self.core, path, b"CPU", ctypes.c_size_t(len(words)),
                  ctypes.byref(compiled), *[ctypes.c_char_p(word) for word in words])
        return _Request(self.call, self.call.new("ov_compiled_model_create_infer_request", compiled))


class _Request:
    def __init__(self, call, request):
        self.input = self._array(call, call.new(
            "ov_infer_request_get_input_tensor_by_index", request, ctypes.c_size_t(0)))
        self.output = self._array(call, call.new(
            "ov_infer_request_get_output_tensor_by_index", request, ctypes.c_size_t(0)))
        infer = call.library.ov_infer_request_infer
        self.run = functools.partial(infer, request)
        if self.run() != 0:
            raise RuntimeError("ov_infer_request_infer failed")

    @staticmethod
    def _array(call, tensor):
        """The tensor's memory as a flat array of uint8 or float32, by the size of its elements."""
        size, count, data = ctypes.c_size_t(), ctypes.c_size_t(), ctypes.c_void_p()
        call("ov_tensor_get_byte_size", tensor, ctypes.byref(size))
        call("ov_tensor_get_size", tensor, ctypes.byref(count))
        call("ov_tensor_data", tensor, ctypes.byref(data))
        dtype = {1: np.uint8, 4: np.float32}[size.value // count.value]
        memory = (ctypes.c_char * size.value).from_address(data.value)
        return np.frombuffer(memory, dtype)

    def write(self, array):
        self.input[...] = array.reshape(-1)

    def read(self):
        return self.output.copy()
