"""The network's graphs as TFLite flatbuffers, written with the schema that LiteRT ships.

NHWC. The int8 form is the one LiteRT's XNNPACK kernels take: signed activations with zero point -128, which are the
uint8 codes less 128, and one weight scale an output channel. The classifier stays float: its output has no range to
calibrate and it is 0.01 % of the work.
"""

import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as schema

from . import network

_FLOAT, _INT8, _INT32 = schema.TensorType.FLOAT32, schema.TensorType.INT8, schema.TensorType.INT32
_TYPES = {np.dtype(np.float32): _FLOAT, np.dtype(np.int8): _INT8, np.dtype(np.int32): _INT32}
_ZERO = -128


class Graph:
    """Collects tensors and operators; a tensor is its index, its shape is in `shapes`."""

    def __init__(self, weights, quantised=None):
        self.weights, self.quantised = weights, quantised
        self.tensors, self.shapes, self.operators, self.codes = [], [], [], []
        self.buffers = [schema.BufferT()]
        self.type = _FLOAT if quantised is None else _INT8

    def tensor(self, name, shape, kind, scale=None, zero=0, axis=0, data=None):
        t = schema.TensorT()
        t.name, t.shape, t.type, t.buffer = name, list(shape), kind, 0
        if scale is not None:
            q = schema.QuantizationParametersT()
            q.scale = np.atleast_1d(np.asarray(scale, np.float32))
            q.zeroPoint = np.full(len(q.scale), zero, np.int64)
            q.quantizedDimension = axis
            t.quantization = q
        if data is not None:
            buffer = schema.BufferT()
            buffer.data = np.frombuffer(np.ascontiguousarray(data).tobytes(), np.uint8)
            t.buffer = len(self.buffers)
            self.buffers.append(buffer)
        self.tensors.append(t)
        self.shapes.append(tuple(shape))
        return len(self.tensors) - 1

    def constant(self, name, data, scale=None, axis=0):
        return self.tensor(name, data.shape, _TYPES[data.dtype], scale, 0, axis, data)

    def activation(self, name, shape, scale):
        """A float tensor, or codes with this scale."""
        return self.tensor(name, shape, self.type, None if self.quantised is None else scale, _ZERO)

    def operator(self, code, version, inputs, output, options=None, kind=0):
        key = (code, version)
        if key not in self.codes:
            self.codes.append(key)
        op = schema.OperatorT()
        op.opcodeIndex, op.inputs, op.outputs = self.codes.index(key), list(inputs), [output]
        op.builtinOptions, op.builtinOptionsType = options, kind
        self.operators.append(op)
        return output

    def pad(self, x, name, rows, columns, scale):
        amounts = self.constant(f"{name}.pads", np.array([[0, 0], rows, columns, [0, 0]], np.int32))
        n, h, w, c = self.shapes[x]
        y = self.activation(f"{name}.padded", (n, h + sum(rows), w + sum(columns), c), scale)
        return self.operator(schema.BuiltinOperator.PAD, 2, [x, amounts], y, schema.PadOptionsT(),
                             schema.BuiltinOptions.PadOptions)

    def parameters(self, layer):
        """(weight, bias) tensors; OHWI, or 1HWC for depthwise layers."""
        order = (1, 2, 3, 0) if layer.depthwise else (0, 2, 3, 1)
        axis = 3 if layer.depthwise else 0
        if self.quantised is None:
            weight, bias = self.weights[f"{layer.name}.weight"], self.weights[f"{layer.name}.bias"]
            if layer.name == "stem.conv":
                weight = weight * np.float32(network.INPUT_SCALE)
            return (self.constant(f"{layer.name}.weight", weight.transpose(order)),
                    self.constant(f"{layer.name}.bias", bias))
        q = self.quantised[layer.name]
        return (self.constant(f"{layer.name}.weight", q.weight.transpose(order), q.weight_scale, axis),
                self.constant(f"{layer.name}.bias", q.bias, q.weight_scale * np.float32(q.input_scale)))

    def layer(self, layer, x, causal=False):
        q = self.quantised and self.quantised[layer.name]
        over_time = layer.kernel == (1, 3)
        in_scale, out_scale = (q.input_scale, q.output_scale) if q else (None, None)
        # TFLite's SAME pads only below and to the right at stride 2.
        same = layer.padding == 1 and layer.stride == 1
        if layer.padding and not same:
            x = self.pad(x, layer.name, [1, 1], [1, 1], in_scale)
        if causal:
            x = self.pad(x, layer.name, [0, 0], [2 * layer.dilation, 0], in_scale)
        n, h, w, _ = self.shapes[x]
        steps = (1 if over_time else layer.stride, layer.stride)
        if not same:
            reach = (layer.kernel[0] - 1, (layer.kernel[1] - 1) * layer.dilation)
            h, w = ((size - r - 1) // s + 1 for size, r, s in zip((h, w), reach, steps))
        y = self.activation(layer.name, (n, h, w, layer.outputs), out_scale)
        options = schema.DepthwiseConv2DOptionsT() if layer.depthwise else schema.Conv2DOptionsT()
        options.padding = schema.Padding.SAME if same else schema.Padding.VALID
        options.strideH, options.strideW = steps
        options.dilationHFactor, options.dilationWFactor = 1, layer.dilation
        options.fusedActivationFunction = schema.ActivationFunctionType.RELU6
        if layer.depthwise:
            options.depthMultiplier = 1
            code, kind = schema.BuiltinOperator.DEPTHWISE_CONV_2D, schema.BuiltinOptions.DepthwiseConv2DOptions
        else:
            code, kind = schema.BuiltinOperator.CONV_2D, schema.BuiltinOptions.Conv2DOptions
        return self.operator(code, 3, [x, *self.parameters(layer)], y, options, kind)

    def encoder(self, frames):
        x = frames
        for layer in network.ENCODER:
            x = self.layer(layer, x)
        return x

    def slice_time(self, x, first, count, name, scale):
        n, h, _, c = self.shapes[x]
        begin = self.constant(f"{name}.begin", np.array([0, 0, first, 0], np.int32))
        size = self.constant(f"{name}.size", np.array([n, h, count, c], np.int32))
        y = self.activation(name, (n, h, count, c), scale)
        return self.operator(schema.BuiltinOperator.SLICE, 2, [x, begin, size], y, schema.SliceOptionsT(),
                             schema.BuiltinOptions.SliceOptions)

    def reshape(self, x, shape, name, kind, scale=None):
        y = self.tensor(name, shape, kind, scale, _ZERO)
        options = schema.ReshapeOptionsT()
        options.newShape = list(shape)
        target = self.constant(f"{name}.shape", np.array(shape, np.int32))
        return self.operator(schema.BuiltinOperator.RESHAPE, 1, [x, target], y, options,
                             schema.BuiltinOptions.ReshapeOptions)

    def head(self, columns, trimmed):
        x = columns
        for layer in network.TRIMMED if trimmed else network.TEMPORAL:
            x = self.layer(layer, x, causal=not trimmed)
        scale = self.quantised["fc"].input_scale if self.quantised else None
        if not trimmed:
            x = self.slice_time(x, network.WINDOW - 1, 1, "last", scale)
        if self.quantised is not None:
            y = self.tensor("fc.float", self.shapes[x], _FLOAT)
            x = self.operator(schema.BuiltinOperator.DEQUANTIZE, 2, [x], y, schema.DequantizeOptionsT(),
                              schema.BuiltinOptions.DequantizeOptions)
        x = self.reshape(x, (1, 160), "fc.row", _FLOAT)
        weight = self.constant("fc.weight", self.weights["fc.weight"])
        bias = self.constant("fc.bias", self.weights["fc.bias"])
        y = self.tensor("logits", (1, network.CLASSES), _FLOAT)
        return self.operator(schema.BuiltinOperator.FULLY_CONNECTED, 1, [x, weight, bias], y,
                             schema.FullyConnectedOptionsT(), schema.BuiltinOptions.FullyConnectedOptions)

    def save(self, path, source, result):
        graph = schema.SubGraphT()
        graph.name, graph.tensors, graph.operators = "main", self.tensors, self.operators
        graph.inputs, graph.outputs = [source], [result]
        model = schema.ModelT()
        model.version, model.subgraphs, model.buffers = 3, [graph], self.buffers
        model.operatorCodes = []
        for code, version in self.codes:
            entry = schema.OperatorCodeT()
            entry.builtinCode = entry.deprecatedBuiltinCode = code
            entry.version = version
            model.operatorCodes.append(entry)
        builder = flatbuffers.Builder(1 << 20)
        builder.Finish(model.Pack(builder), b"TFL3")
        path.write_bytes(bytes(builder.Output()))


def export(folder, weights, quantised=None):
    """Writes encoder, head, head-trimmed, window and identity to `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    side, count, seen = network.SIDE, network.WINDOW, network.TRIMMED_COLUMNS
    pixel_scale = network.INPUT_SCALE
    column_scale = quantised["t1.conv"].input_scale if quantised else None

    g = Graph(weights, quantised)
    x = g.activation("frame", (1, side, side, 1), pixel_scale)
    g.save(folder / "encoder.tflite", x, g.encoder(x))

    for name, trimmed, steps in (("head", False, count), ("head-trimmed", True, seen)):
        g = Graph(weights, quantised)
        x = g.activation("columns", (1, 1, steps, network.FEATURES), column_scale)
        g.save(folder / f"{name}.tflite", x, g.head(x, trimmed))

    g = Graph(weights, quantised)
    frames = g.activation("frames", (count, side, side, 1), pixel_scale)
    x = g.reshape(g.encoder(frames), (1, 1, count, network.FEATURES), "columns", g.type, column_scale)
    x = g.slice_time(x, count - seen, seen, "seen", column_scale)
    g.save(folder / "window.tflite", frames, g.head(x, trimmed=True))

    g = Graph(weights)
    x = g.tensor("x", (1, 16), _FLOAT)
    g.save(folder / "identity.tflite", x, g.reshape(x, (16, 1), "y", _FLOAT))
