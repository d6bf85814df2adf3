"""ncnn. Its float input is a Mat filled once; a window is 16 runs of the encoder and one of the head."""

import importlib.metadata

import ncnn
import numpy as np

from .. import ncnn_graphs, network

NAME = "ncnn"
FORMS = {
    "fp32": "param and bin files; frames are handed over as float32",
    "int8": "int8 weights a channel, symmetric int8 activations, requantised between layers; frames are handed over "
            "as float32",
}
BATCHES = False
OVERHEAD = "create_extractor, input and extract, called from Python"


def version():
    return importlib.metadata.version("ncnn")


def export(folder, weights, quantised, frames):
    ncnn_graphs.export(folder / "fp32", weights)
    ncnn_graphs.export(folder / "int8", weights, quantised)


class Engine:
    def __init__(self, threads):
        self.threads = threads
        self.allocators = ncnn.UnlockedPoolAllocator(), ncnn.PoolAllocator()

    def load(self, folder, graph):
        if graph == "window":
            return _Window(self.load(folder, "encoder"), self.load(folder, "head-trimmed"))
        net = ncnn.Net()
        net.opt.num_threads = self.threads
        net.opt.use_vulkan_compute = False
        net.opt.blob_allocator, net.opt.workspace_allocator = self.allocators
        if net.load_param(str(folder / f"{graph}.param")) != 0 or net.load_model(str(folder / f"{graph}.bin")) != 0:
            raise RuntimeError(f"ncnn refused {folder}/{graph}")
        shape = {
            "encoder": (1, network.SIDE, network.SIDE), "identity": (16,),
            "head": (network.FEATURES, 1, network.WINDOW),
            "head-trimmed": (network.FEATURES, 1, network.TRIMMED_COLUMNS),
        }[graph]
        return _Bound(net, shape)


def _mat(array):
    """A Mat of its own memory; one made of an array only points into it and does not keep it alive."""
    array = np.ascontiguousarray(array, np.float32)
    return ncnn.Mat(array).clone()


class _Bound:
    def __init__(self, net, shape):
        self.net, self.shape = net, shape
        self.source, self.result = net.input_names()[0], net.output_names()[0]
        self.input = _mat(np.zeros(shape))
        self.output = None

    def run(self):
        extractor = self.net.create_extractor()
        extractor.input(self.source, self.input)
        _, self.output = extractor.extract(self.result)

    def write(self, array):
        self.input = _mat(array.reshape(self.shape))

    def read(self):
        return np.array(self.output)


class _Window:
    """Sixteen frames through the encoder, their last columns through the head."""

    def __init__(self, encoder, head):
        self.encoder, self.head = encoder, head
        self.frames = []

    def write(self, array):
        self.frames = [_mat(frame[None]) for frame in array.reshape(-1, network.SIDE, network.SIDE)]

    def run(self):
        columns = []
        for self.encoder.input in self.frames:
            self.encoder.run()
            columns.append(self.encoder.read().reshape(-1))
        self.head.write(np.stack(columns[-network.TRIMMED_COLUMNS:], axis=1))
        self.head.run()

    def read(self):
        return self.head.read()
