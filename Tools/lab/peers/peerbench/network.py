"""GestureTCN-340K as plain data: its layers in order, and their folded float32 weights."""

from dataclasses import dataclass

import numpy as np
from safetensors.numpy import load_file

SIDE = 224
WINDOW = 16
FEATURES = 128
CLASSES = 13
INPUT_SCALE = 1 / 255
CLIP = 6.0
# Columns that the trimmed temporal head reads: the last step of the three causal convolutions sees 15.
TRIMMED_COLUMNS = 15


@dataclass(frozen=True)
class Layer:
    """One convolution with bias and ReLU6. `depthwise` has one filter a channel."""

    name: str
    inputs: int
    outputs: int
    kernel: tuple
    stride: int = 1
    padding: int = 0
    dilation: int = 1
    depthwise: bool = False

    @property
    def groups(self):
        return self.inputs if self.depthwise else 1


def _encoder():
    yield Layer("stem.conv", 1, 16, (3, 3), 2, 1)
    blocks = (
        ("b1", 16, 32, 2), ("b2", 32, 32, 1), ("b3", 32, 64, 2), ("b4", 64, 64, 1), ("b4b", 64, 64, 1),
        ("b5", 64, 128, 2), ("b6", 128, 128, 1), ("b7", 128, 256, 2),
    )
    for name, inputs, outputs, stride in blocks:
        yield Layer(f"{name}.dw", inputs, inputs, (3, 3), stride, 1, depthwise=True)
        yield Layer(f"{name}.pw", inputs, outputs, (1, 1))
    yield Layer("b8.dw", 256, 256, (7, 7), depthwise=True)
    yield Layer("b8.pw", 256, FEATURES, (1, 1))


ENCODER = tuple(_encoder())
# Convolutions over time, drawn as 1 x 3 over an image of height 1.
TEMPORAL = tuple(
    Layer(f"t{k + 1}.conv", 128 if k == 0 else 160, 160, (1, 3), dilation=2 ** k) for k in range(3)
)
# The same three when only the last step is wanted: of t1 the 7 steps and of t2 the 3 steps that reach it. Taking every
# second step turns the dilations 2 and 4 into 1.
TRIMMED = tuple(Layer(t.name, t.inputs, t.outputs, t.kernel, stride=s) for t, s in zip(TEMPORAL, (2, 2, 1)))


def load_weights(path):
    """Name -> float32 array of a folded checkpoint; 1-d convolutions become [O, I, 1, 3]."""
    tensors = load_file(path)
    if "stem.conv.bias" not in tensors:
        raise SystemExit(f"{path}: BatchNorm must be folded; gesture-import import --precision float32 does that")
    weights = {}
    for layer in ENCODER + TEMPORAL:
        shape = (layer.outputs, layer.inputs // layer.groups, *layer.kernel)
        weights[f"{layer.name}.weight"] = tensors[f"{layer.name}.weight"].astype(np.float32).reshape(shape)
        weights[f"{layer.name}.bias"] = tensors[f"{layer.name}.bias"].astype(np.float32)
    weights["fc.weight"] = tensors["fc.weight"].astype(np.float32)
    weights["fc.bias"] = tensors["fc.bias"].astype(np.float32)
    return weights


def random_weights(seed):
    """Weights of the right shapes with activations that neither die nor saturate everywhere."""
    generator = np.random.default_rng(seed)
    weights = {}
    for layer in ENCODER + TEMPORAL:
        shape = (layer.outputs, layer.inputs // layer.groups, *layer.kernel)
        fan_in = int(np.prod(shape[1:]))
        gain = np.sqrt(2 / fan_in)
        weights[f"{layer.name}.weight"] = generator.normal(0, gain, shape).astype(np.float32)
        weights[f"{layer.name}.bias"] = generator.uniform(0, 0.5, layer.outputs).astype(np.float32)
    weights["fc.weight"] = generator.normal(0, 160 ** -0.5, (CLASSES, 160)).astype(np.float32)
    weights["fc.bias"] = generator.normal(0, 0.1, CLASSES).astype(np.float32)
    return weights


def checkpoint_tensors(weights):
    """The tensors of a checkpoint file: names and shapes as PyTorch has them."""
    return {
        name: np.ascontiguousarray(value[:, :, 0] if name[0] == "t" and name.endswith("weight") else value)
        for name, value in weights.items()
    }
