"""The network's graphs in ncnn's own text and binary files.

The int8 form is what ncnn's table tools arrive at: symmetric signed activations, 127 / largest value, one weight scale
an output channel, and neighbouring layers handing over int8 without a detour through float (the "+100" of the scale
term).
ncnn has no batch: a window is 16 runs of the encoder and one of the head.
"""

import struct

import numpy as np

from . import network

_FLOAT32, _INT8 = 0x00000000, 0x000D4B38


class Graph:
    """A chain of layers; each reads the blob before it."""

    def __init__(self, weights, quantised, source):
        self.weights, self.quantised = weights, quantised
        self.lines = [f"Input {source} 0 1 {source}"]
        self.blob = source
        self.binary = bytearray()

    def line(self, kind, name, *parameters, out=None):
        out = out or name
        self.lines.append(" ".join([kind, name, "1 1", self.blob, out, *parameters]))
        self.blob = out

    def numbers(self, values):
        self.binary += np.ascontiguousarray(values, np.float32).tobytes()

    def weight(self, name, scale=1.0):
        if self.quantised is None:
            self.binary += struct.pack("<I", _FLOAT32)
            self.numbers(self.weights[f"{name}.weight"] * np.float32(scale))
        else:
            codes = self.quantised[name].weight.tobytes()
            self.binary += struct.pack("<I", _INT8) + codes + bytes(-len(codes) % 4)
        self.numbers(self.weights[f"{name}.bias"])

    def scales(self, name, following):
        """Weight scales, the input's and, before another integer layer, the output's; codes = value * scale."""
        q = self.quantised[name]
        # Frames are codes 0...255: the first layer takes the 1/255 into its weights.
        unit = network.INPUT_SCALE if name == "stem.conv" else 1.0
        self.numbers(1 / (q.weight_scale * unit))
        self.numbers([127 * unit / (255 * q.input_scale)])
        if following:
            self.numbers([127 / (255 * q.output_scale)])

    def layer(self, layer, following):
        over_time = layer.kernel == (1, 3)
        weight = self.weights[f"{layer.name}.weight"]
        parameters = [
            f"0={layer.outputs}", f"1={layer.kernel[1]}", f"11={layer.kernel[0]}", f"3={layer.stride}",
            f"13={1 if over_time else layer.stride}", f"2={layer.dilation}", "12=1", f"4={layer.padding}", "5=1",
            f"6={weight.size}", "9=3", "-23310=2,0.000000e+00,6.000000e+00",
        ]
        if layer.depthwise:
            parameters.append(f"7={layer.groups}")
        if self.quantised is not None:
            parameters.append(f"8={101 if following else 1}")
        self.line("ConvolutionDepthWise" if layer.depthwise else "Convolution", layer.name, *parameters)
        stem = layer.name == "stem.conv"
        self.weight(layer.name, network.INPUT_SCALE if stem else 1.0)
        if self.quantised is not None:
            self.scales(layer.name, following)

    def chain(self, layers):
        for k, layer in enumerate(layers):
            self.layer(layer, following=k + 1 < len(layers))

    def classifier(self):
        weight = self.weights["fc.weight"]
        self.line("InnerProduct", "logits", f"0={weight.shape[0]}", "1=1", f"2={weight.size}",
                  *(["8=1"] if self.quantised else []))
        self.weight("fc")
        if self.quantised is not None:
            self.scales("fc", following=False)

    def save(self, path):
        head = ["7767517", f"{len(self.lines)} {len(self.lines)}"]
        path.with_suffix(".param").write_text("\n".join(head + self.lines) + "\n")
        path.with_suffix(".bin").write_bytes(self.binary)


def export(folder, weights, quantised=None):
    """Writes encoder, head, head-trimmed and identity to `folder`."""
    folder.mkdir(parents=True, exist_ok=True)

    g = Graph(weights, quantised, "frame")
    g.chain(network.ENCODER)
    g.save(folder / "encoder")

    g = Graph(weights, quantised, "columns")
    g.chain(network.TRIMMED)
    g.classifier()
    g.save(folder / "head-trimmed")

    g = Graph(weights, quantised, "columns")
    for layer in network.TEMPORAL:
        g.line("Padding", f"{layer.name}.pad", f"2={2 * layer.dilation}")
        g.layer(layer, following=False)
    g.line("Crop", "last", f"0={network.WINDOW - 1}", "3=1", "4=1", "5=160")
    g.classifier()
    g.save(folder / "head")

    g = Graph(weights, None, "x")
    g.line("Noop", "y")
    g.save(folder / "identity")
