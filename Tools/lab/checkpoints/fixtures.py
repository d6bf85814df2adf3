"""Writes the files of Tests/Fixtures/checkpoints, small checkpoints by the libraries whose formats the importer reads.

Every file but those of `deflated.zip` has the tensors of `TENSORS`: element i of a tensor is i / 8 - 1. So the tests know
the values without reading them. The files are committed; this script needs PyTorch and ONNX:

    Tools/lab/training/setup && Tools/lab/training/.venv/bin/python Tools/lab/checkpoints/fixtures.py Tests/Fixtures/checkpoints
"""

import argparse
import io
import pathlib
import random
import warnings
import zipfile
import zlib

import numpy
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

TENSORS = {"conv.weight": (4, 2, 3), "conv.bias": (4,), "fc.weight": (3, 4), "fc.bias": (3,)}


def arrays():
    return {name: (numpy.arange(numpy.prod(shape), dtype=numpy.float32) / 8 - 1).reshape(shape)
            for name, shape in TENSORS.items()}


class Network(nn.Module):
    """A convolution and a classifier with the tensors of TENSORS."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(2, 4, 3)
        self.fc = nn.Linear(4, 3)
        self.load_state_dict({name: torch.from_numpy(array) for name, array in arrays().items()})

    def forward(self, x):
        return self.fc(nn.functional.relu6(self.conv(x))[:, :, -1])


class Normalised(nn.Module):
    """The same behind a BatchNorm that changes nothing but by its epsilon, which exporters fold."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(2, 4, 3, bias=False)
        self.bn = nn.BatchNorm1d(4)
        self.fc = nn.Linear(4, 3)
        values = arrays()
        self.bn.bias.data = torch.from_numpy(values.pop("conv.bias"))
        self.load_state_dict({name: torch.from_numpy(array) for name, array in values.items()}, strict=False)

    def forward(self, x):
        return self.fc(nn.functional.relu6(self.bn(self.conv(x)))[:, :, -1])


def torch_files(directory):
    state = Network().state_dict()
    optimizer = {"state": {0: {"exp_avg": torch.zeros(3)}}, "param_groups": [{"lr": 0.1, "params": [0]}]}
    torch.save(state, directory / "state.pt")
    torch.save({"epoch": 3, "seed": 2**40, "model": state, "optimizer": optimizer}, directory / "training.pt")
    torch.save({name: value.permute(*range(value.dim() - 1, -1, -1)).contiguous().permute(
        *range(value.dim() - 1, -1, -1)) for name, value in state.items()}, directory / "strided.pt")
    torch.save({name: value.bfloat16() for name, value in state.items()}, directory / "bfloat16.pt")
    torch.save(state, directory / "legacy.pt", _use_new_zipfile_serialization=False)
    torch.save(Network(), directory / "module.pt")


def numpy_files(directory):
    numpy.savez(directory / "stored.npz", **arrays())
    numpy.savez_compressed(directory / "compressed.npz", **arrays())
    numpy.savez(directory / "fortran-big-endian.npz", **{
        name: numpy.asfortranarray(array).astype(">f8", order="K") for name, array in arrays().items()})


def onnx_files(directory):
    x = torch.zeros(1, 2, 8)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(Normalised().eval(), (x,), directory / "scoped.onnx", dynamo=False)
        program = torch.onnx.export(Normalised().eval(), (x,), dynamo=True, verbose=False)
    model = program.model_proto
    # Where the exporter ran is no part of the weights.
    for part in [*model.graph.node, *model.graph.value_info, *model.graph.input, *model.graph.output, model.graph]:
        del part.metadata_props[:]
    (directory / "exported.onnx").write_bytes(model.SerializeToString(deterministic=True))
    quantised(directory / "quantised.onnx")


def quantised(path):
    """Weights in int8 behind DequantizeLinear, a scale for each output; the bias in int32; the rest in float."""
    values = arrays()
    scales = numpy.array([1 / 8, 1 / 16, 1 / 32, 1 / 8], numpy.float32)
    weights = (values["conv.weight"] / scales[:, None, None]).round().astype(numpy.int8)
    bias = (values["conv.bias"] * 8).astype(numpy.int32)
    constants = {"conv.weight_quantized": weights, "scales": scales, "zeros": numpy.zeros(4, numpy.int8),
                 "conv.bias_quantized": bias, "scale": numpy.float32(1 / 8), "fc.weight": values["fc.weight"],
                 "fc.bias": values["fc.bias"]}
    nodes = [
        helper.make_node("DequantizeLinear", ["conv.weight_quantized", "scales", "zeros"], ["w"], axis=0),
        helper.make_node("DequantizeLinear", ["conv.bias_quantized", "scale"], ["b"]),
        helper.make_node("Conv", ["x", "w", "b"], ["y"]),
        helper.make_node("GlobalAveragePool", ["y"], ["mean"]),
        helper.make_node("Flatten", ["mean"], ["features"]),
        helper.make_node("Gemm", ["features", "fc.weight", "fc.bias"], ["logits"], transB=1),
    ]
    graph = helper.make_graph(
        nodes, "quantised", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 2, 8])],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, [1, 3])],
        [numpy_helper.from_array(numpy.asarray(array), name) for name, array in constants.items()])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    path.write_bytes(model.SerializeToString(deterministic=True))


def contents():
    """Bytes whose compressed forms use every kind of block and word."""
    generator = random.Random(1)
    yield "empty", b""
    yield "one", b"a"
    yield "text", b"swipe left, swipe right, zoom in, zoom out. " * 40 + b"the end"
    yield "zeros", bytes(100_000)
    yield "noise", generator.randbytes(300)
    # Frequencies like Fibonacci's numbers give words of every length up to 15 bits.
    frequencies = [1, 1]
    while len(frequencies) < 19:
        frequencies.append(frequencies[-1] + frequencies[-2])
    skewed = [value for value, count in enumerate(frequencies) for _ in range(count)]
    generator.shuffle(skewed)
    yield "skewed", bytes(skewed)


def deflated(path):
    strategies = {"fixed": zlib.Z_FIXED, "huffman": zlib.Z_HUFFMAN_ONLY, "runs": zlib.Z_RLE}
    settings = [(str(level), level, zlib.Z_DEFAULT_STRATEGY) for level in (0, 1, 6, 9)]
    settings += [(name, 9, strategy) for name, strategy in strategies.items()]
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in contents():
            for suffix, level, strategy in settings:
                if len(content) > 2000 and suffix in ("0", "1", "fixed", "huffman"):
                    continue
                # zipfile passes levels to zlib, but no strategies.
                zipfile.zlib = _Zlib(level, strategy)
                archive.writestr(zipfile.ZipInfo(f"{name}-{suffix}"), content, zipfile.ZIP_DEFLATED)
    zipfile.zlib = zlib
    path.write_bytes(buffer.getvalue())


class _Zlib:
    """zlib, whose compressors have this level and strategy."""

    def __init__(self, level, strategy):
        self._settings = level, strategy

    def compressobj(self, *_):
        level, strategy = self._settings
        return zlib.compressobj(level, zlib.DEFLATED, -15, zlib.DEF_MEM_LEVEL, strategy)

    def __getattr__(self, name):
        return getattr(zlib, name)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=pathlib.Path)
    directory = parser.parse_args().directory
    directory.mkdir(parents=True, exist_ok=True)
    torch_files(directory)
    numpy_files(directory)
    onnx_files(directory)
    deflated(directory / "deflated.zip")


if __name__ == "__main__":
    main()
