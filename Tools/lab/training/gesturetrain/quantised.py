"""The network computed like in the engine's int8: for training with the rounding, and bit for bit for comparison.

Activations are integers 0...255 with one scale per layer, weights -127...127 with one binary16 scale per channel, biases int32; a sum is multiplied
once in float32, rounded half to even and clamped. The rules are those of `gesture-import`, so a model imported with the same scales has the same
quantised values.

`python -m gesturetrain.quantised CHECKPOINT MODEL FRAMES.npy LOGITS.npy` writes float32 [N-15,classes] for uint8 [N,224,224], with the activation
scales of MODEL: `gesture-bench infer` must print the same to the last bit.
"""

import argparse
import pathlib

import numpy as np
import torch
from safetensors import safe_open
from safetensors.torch import load_file
from torch import nn
from torch.nn import functional as F

from common.quantised import PREFIX, Codes, binary16, weight_scales

from .network import BLOCKS, WINDOW, network_of, pixels, plain

INPUT_SCALE = np.float32(1) / np.float32(255)
BLOCK_NAMES = (*(name for name, *_ in BLOCKS), "b8")
ENCODER = ("stem.conv", *(f"{block}.{part}" for block in BLOCK_NAMES for part in ("dw", "pw")))
TEMPORAL = ("t1.conv", "t2.conv", "t3.conv")


def scales_of(path):
    """Activation scale of every layer but the classifier, from the metadata of a model or a checkpoint."""
    with safe_open(str(path), "np") as file:
        metadata = file.metadata()
    return {name: np.float32(metadata[PREFIX + name]) for name in (*ENCODER, *TEMPORAL)}


class Quantised(nn.Module):
    """A folded network (`network.plain`) with the engine's rounding. `maps`, `column` and `temporal` mirror GestureTCN's."""

    def __init__(self, net, scales):
        super().__init__()
        self.net, self.scales = net, {name: float(scale) for name, scale in scales.items()}

    def rounded(self, conv, scale):
        """Weight and bias after quantisation and dequantisation; gradients pass straight through."""
        shape = (-1, *[1] * (conv.weight.dim() - 1))
        step = weight_scales(conv.weight)
        w = (conv.weight.detach() / step.view(shape)).round().clamp(-127, 127) * step.view(shape)
        b = (binary16(conv.bias) / (scale * step)).round() * (scale * step)
        return conv.weight + (w - conv.weight).detach(), conv.bias + (b - conv.bias).detach()

    def _layer(self, name, x, scale):
        conv = self.net.get_submodule(name)
        return Codes.apply(conv._conv_forward(x, *self.rounded(conv, scale)), self.scales[name]), self.scales[name]

    def _through(self, names, x, scale):
        for name in names:
            x, scale = self._layer(name, x, scale)
        return x

    def maps(self, frames, frozen=0):
        """[N,256,7,7]. The first `frozen` stages get no gradient."""
        cut = 0 if frozen == 0 else 2 * frozen - 1
        with torch.no_grad():
            x = self._through(ENCODER[:cut], pixels(frames), float(INPUT_SCALE))
        return self._through(ENCODER[cut:-2], x, self.scales[ENCODER[cut - 1]] if cut else float(INPUT_SCALE))

    def column(self, maps):
        """[N,256,7,7] -> [N,128]."""
        return self._through(ENCODER[-2:], maps, self.scales[ENCODER[-3]]).flatten(1)

    def temporal(self, columns):
        """[B,T,128], T >= 16 -> [B,T-15,classes]."""
        x = self._through(TEMPORAL, columns.transpose(1, 2), self.scales[ENCODER[-1]])
        weight, bias = self.rounded(self.net.fc, self.scales[TEMPORAL[-1]])
        return F.linear(x.transpose(1, 2), weight, bias)[:, 1:]


def logits(state, scales, frames, batch=32):
    """uint8 [N,224,224], folded state dict -> float32 [N-15,classes], bit for bit as in the engine's int8 backend.

    Sums of integers are exact in float64; all other operations are float32 in the engine's order.
    """
    net = network_of(plain(state))

    def codes(name, x, scale):
        conv = net.get_submodule(name)
        shape = (1, -1, *[1] * (conv.weight.dim() - 2))
        step = weight_scales(conv.weight)
        w = (conv.weight / step.view(-1, *shape[2:], 1)).round().clamp(-127, 127).double()
        unit = torch.tensor(scale) * step
        bias = (binary16(conv.bias) / unit).round().double()
        total = conv._conv_forward(x, w, bias).float()
        out = scales[name]
        return (total * (unit / torch.tensor(out)).view(shape)).round().clamp(0, 255).double(), out

    with torch.inference_mode():
        columns = []
        for a in range(0, len(frames), batch):
            x, scale = torch.from_numpy(np.array(frames[a:a + batch])).unsqueeze(1).double(), INPUT_SCALE
            for name in ENCODER:
                x, scale = codes(name, x, scale)
            columns.append(x.flatten(1))
        x = torch.cat(columns).T[None]
        for name in TEMPORAL:
            x, scale = codes(name, x, scale)
        step = weight_scales(net.fc.weight)
        unit = torch.tensor(scale) * step
        w = (net.fc.weight / step.view(-1, 1)).round().clamp(-127, 127).double()
        total = F.linear(x[0].T, w, (binary16(net.fc.bias) / unit).round().double()).float()
        return (total * unit)[len(total) - (len(frames) - WINDOW + 1):].numpy()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=pathlib.Path)
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument("frames", type=pathlib.Path)
    parser.add_argument("logits", type=pathlib.Path)
    args = parser.parse_args()
    np.save(args.logits, logits(load_file(args.checkpoint), scales_of(args.model), np.load(args.frames, mmap_mode="r")))


if __name__ == "__main__":
    main()
