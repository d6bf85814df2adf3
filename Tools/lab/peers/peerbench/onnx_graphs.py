"""The network's graphs as ONNX, float32 or with quantise-dequantise pairs that engines fuse into integer kernels."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from . import network

OPSET = 17


class Graph:
    """Collects nodes and constants; names follow the layers."""

    def __init__(self, weights, quantised=None):
        self.weights = weights
        self.quantised = quantised
        self.nodes = []
        self.constants = {}

    def constant(self, name, value):
        self.constants[name] = numpy_helper.from_array(np.asarray(value), name)
        return name

    def node(self, op, inputs, output, **attributes):
        self.nodes.append(helper.make_node(op, inputs, [output], name=output, **attributes))
        return output

    def dequantise(self, x, scale, output):
        """uint8 codes with zero point 0 -> float32."""
        scale = self.constant(f"{output}.scale", np.float32(scale))
        return self.node("DequantizeLinear", [x, scale, self.constant(f"{output}.zero", np.uint8(0))], output)

    def quantise(self, x, scale, output):
        scale = self.constant(f"{output}.scale", np.float32(scale))
        return self.node("QuantizeLinear", [x, scale, self.constant(f"{output}.zero", np.uint8(0))], output)

    def parameters(self, name):
        """The layer's weight and bias as float32 values, integer constants behind them when quantised."""
        if self.quantised is None:
            weight = self.weights[f"{name}.weight"]
            if name == "stem.conv":
                weight = weight * np.float32(network.INPUT_SCALE)
            return self.constant(f"{name}.weight", weight), self.constant(f"{name}.bias", self.weights[f"{name}.bias"])
        q = self.quantised[name]
        found = []
        for kind, codes, scale in (
            ("weight", q.weight, q.weight_scale),
            ("bias", q.bias, q.weight_scale * np.float32(q.input_scale)),
        ):
            inputs = [
                self.constant(f"{name}.{kind}.codes", codes), self.constant(f"{name}.{kind}.scale", scale),
                self.constant(f"{name}.{kind}.zero", np.zeros(len(scale), codes.dtype)),
            ]
            found.append(self.node("DequantizeLinear", inputs, f"{name}.{kind}", axis=0))
        return tuple(found)

    def layer(self, layer, x, causal=False):
        """Convolution, bias, ReLU6. With scales, x and the result are uint8 codes; their range is the ReLU6."""
        weight, bias = self.parameters(layer.name)
        p, time = layer.padding, layer.dilation * 2 if causal else 0
        attributes = dict(
            kernel_shape=layer.kernel, group=layer.groups, pads=[p, p + time, p, p],
            strides=[1, layer.stride] if layer.kernel[0] == 1 and layer.kernel[1] > 1 else [layer.stride] * 2,
            dilations=[1, layer.dilation])
        if self.quantised is None:
            y = self.node("Conv", [x, weight, bias], f"{layer.name}.sum", **attributes)
            limits = [self.constant("low", np.float32(0)), self.constant("high", np.float32(network.CLIP))]
            return self.node("Clip", [y, *limits], layer.name)
        q = self.quantised[layer.name]
        x = self.dequantise(x, q.input_scale, f"{layer.name}.input")
        y = self.node("Conv", [x, weight, bias], f"{layer.name}.sum", **attributes)
        return self.quantise(y, q.output_scale, layer.name)

    def encoder(self, frames):
        x = frames
        for layer in network.ENCODER:
            x = self.layer(layer, x)
        return x

    def head(self, columns, trimmed):
        x = columns
        for layer in network.TRIMMED if trimmed else network.TEMPORAL:
            x = self.layer(layer, x, causal=not trimmed)
        if not trimmed:
            x = self.slice_time(x, network.WINDOW - 1, network.WINDOW, "last")
        if self.quantised is not None:
            x = self.dequantise(x, self.quantised["fc"].input_scale, "fc.input")
        x = self.node("Flatten", [x], "fc.row", axis=1)
        return self.node("Gemm", [x, *self.parameters("fc")], "logits", transB=1)

    def slice_time(self, x, first, end, output):
        limits = [self.constant(f"{output}.{k}", np.array([v], np.int64)) for k, v in
                  (("first", first), ("end", end), ("axis", 3))]
        return self.node("Slice", [x, *limits], output)

    def codes(self, x, dtype):
        """Frames as the first layer reads them: uint8 codes when quantised, else those codes as float32."""
        if self.quantised is None and dtype == TensorProto.UINT8:
            return self.node("Cast", [x], "codes", to=TensorProto.FLOAT)
        return x

    def save(self, path, source, dtype, shape, result, result_type, result_shape):
        graph = helper.make_graph(
            self.nodes, path.stem, [helper.make_tensor_value_info(source, dtype, shape)],
            [helper.make_tensor_value_info(result, result_type, result_shape)], list(self.constants.values()))
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)
        onnx.checker.check_model(model, full_check=True)
        onnx.save(model, path)


def export(folder, weights, quantised=None, float_input=False):
    """Writes encoder, head, head-trimmed, window and identity to `folder`.

    `float_input`: frames come as float32 codes 0...255, for engines that read no uint8.
    """
    folder.mkdir(parents=True, exist_ok=True)
    pixels = TensorProto.FLOAT if float_input else TensorProto.UINT8
    inner = TensorProto.FLOAT if quantised is None else TensorProto.UINT8
    side, features, count = network.SIDE, network.FEATURES, network.WINDOW

    g = Graph(weights, quantised)
    y = g.encoder(g.codes("frame", pixels))
    g.save(folder / "encoder.onnx", "frame", pixels, [1, 1, side, side], y, inner, [1, features, 1, 1])

    for name, trimmed, steps in (("head", False, count), ("head-trimmed", True, network.TRIMMED_COLUMNS)):
        g = Graph(weights, quantised)
        y = g.head("columns", trimmed)
        g.save(folder / f"{name}.onnx", "columns", inner, [1, features, 1, steps],
               y, TensorProto.FLOAT, [1, network.CLASSES])

    g = Graph(weights, quantised)
    x = g.encoder(g.codes("frames", pixels))
    x = g.node("Transpose", [x], "columns", perm=[2, 1, 3, 0])
    x = g.slice_time(x, count - network.TRIMMED_COLUMNS, count, "seen")
    y = g.head(x, trimmed=True)
    g.save(folder / "window.onnx", "frames", pixels, [count, 1, side, side], y, TensorProto.FLOAT, [1, network.CLASSES])

    g = Graph(weights)
    y = g.node("Identity", ["x"], "y")
    g.save(folder / "identity.onnx", "x", TensorProto.FLOAT, [1, 16], y, TensorProto.FLOAT, [1, 16])


def export_layers(path, weights):
    """The float window graph with every layer's activation as an output, for calibration. Returns their names."""
    g = Graph(weights)
    x = g.encoder(g.codes("frames", TensorProto.UINT8))
    x = g.node("Transpose", [x], "columns", perm=[2, 1, 3, 0])
    g.head(x, trimmed=False)
    names = [layer.name for layer in network.ENCODER + network.TEMPORAL]
    frames = helper.make_tensor_value_info("frames", TensorProto.UINT8, [network.WINDOW, 1, network.SIDE, network.SIDE])
    outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in names]
    graph = helper.make_graph(g.nodes, "layers", [frames], outputs, list(g.constants.values()))
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8), path)
    return names
