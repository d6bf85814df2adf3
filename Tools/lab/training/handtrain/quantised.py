"""A head computed like in the engine's int8, and the last steps of training with that rounding.

NETWORK's rules for the temporal layers: weights are integers -127...127 with one binary16 scale per channel, activations integers 0...255 with one
scale per layer (the largest value of a calibration over 255, at most 6/255), biases integer multiples of the product of scales.

`python -m handtrain.quantised RUN.pt CLIPS.npz... --output RUN-q.pt [--steps N]`: folds BatchNorm into the convolutions and continues training with
rounded weights and activations and straight-through gradients. The result has the names of a folded checkpoint and its scales.
"""

import argparse
import copy
import pathlib
import time

import numpy as np
import torch
from safetensors import safe_open
from torch import nn
from torch.nn import functional as F

from common import tensors
from common.labels import WINDOW
from common.quantised import PREFIX, Codes, binary16, weight_scales

from .augmentation import Augmentation
from .head import FIELD, SCALE, Folded, before, folded, layers_of, restored
from .rows import WIDTH, batch, load, loss_of


def activation_scales(head, codes):
    """Scale of each temporal layer's output on columns [N,T,128]. -> {"t1.conv": float, ...}"""
    out, x = {}, codes.float().transpose(1, 2) * SCALE
    with torch.no_grad():
        for name, dilation in head.layers:
            conv = getattr(head, name).conv
            x = F.relu6(F.conv1d(before(x, 2 * dilation), conv.weight, conv.bias, dilation=dilation))
            out[f"{name}.conv"] = float(np.float32(x.max() / 255))
    return out


class Quantised:
    """Exact: integers in float64. head: a Folded."""

    def __init__(self, head, scales):
        self.layers, scale = [], SCALE
        for name, dilation in head.layers:
            conv, out = getattr(head, name).conv, scales[f"{name}.conv"]
            step, w, b = self.whole(conv.weight, conv.bias, scale)
            self.layers.append((w, b, (scale * step / out).double().view(1, -1, 1), dilation))
            scale = out
        step, w, b = self.whole(head.fc.weight, head.fc.bias, scale)
        self.last = (w, b, (scale * step).double())

    @staticmethod
    def whole(weight, bias, scale):
        weight, bias = weight.detach(), bias.detach()
        step = weight_scales(weight)
        w = (weight / step.view(-1, *[1] * (weight.dim() - 1))).round().clamp(-127, 127).double()
        return step, w, (binary16(bias) / (scale * step)).round().double()

    def logits(self, codes):
        """Columns [B,T,128] -> [B,T-15,classes]."""
        x = codes.double().transpose(1, 2)
        for w, b, factor, dilation in self.layers:
            x = (F.conv1d(before(x, 2 * dilation), w, b, dilation=dilation) * factor).round().clamp(0, 255)
        w, b, factor = self.last
        return ((F.linear(x.transpose(1, 2), w, b) * factor)[:, WINDOW - 1:]).float()


def model(path):
    """-> the Folded of an int8 model file."""
    with safe_open(str(path), "pt") as file:
        whole = Folded(layers=layers_of(file.keys()))
        for name in (*(f"{name}.conv" for name, _ in whole.layers), "fc"):
            part = whole.get_submodule(name)
            weight, step = file.get_tensor(f"{name}.weight").float(), file.get_tensor(f"{name}.scale").float()
            with torch.no_grad():
                part.weight.copy_(weight * step.view(-1, *[1] * (weight.dim() - 1)))
                part.bias.copy_(file.get_tensor(f"{name}.bias").float())
    return whole.eval()


def rounded(weight, bias, scale):
    """Weight and bias after quantisation and dequantisation; gradients pass straight through."""
    step = weight_scales(weight)
    view = step.view(-1, *[1] * (weight.dim() - 1))
    w = (weight.detach() / view).round().clamp(-127, 127) * view
    b = (binary16(bias) / (scale * step)).round() * (scale * step)
    return weight + (w - weight).detach(), bias + (b - bias).detach()


class Learning(nn.Module):
    """A folded head in training with rounding. The first layer's weights are for inputs of mean 0 and deviation 1, as in `Scaled`."""

    def __init__(self, head, scales, mean, gain):
        super().__init__()
        self.head, self.scales = head, scales
        self.register_buffer("mean", mean.double())
        self.register_buffer("gain", gain.double())
        with torch.no_grad():
            conv = head.t1.conv
            weight = conv.weight.double() * SCALE
            conv.bias += (weight * self.mean.view(1, -1, 1)).sum((1, 2)).float()
            conv.weight.copy_(weight / self.gain.view(1, -1, 1))

    def first(self):
        weight = self.head.t1.conv.weight.double() * self.gain.view(1, -1, 1)
        bias = self.head.t1.conv.bias.double() - (weight * self.mean.view(1, -1, 1)).sum((1, 2))
        return (weight / SCALE).float(), bias.float()

    def every_fourth(self, codes, origin):
        return self.classified(self.hidden(codes, origin))

    def classified(self, hidden):
        """Logits of the last layer's outputs [...,channels]."""
        scale = self.scales[f"{self.head.layers[-1][0]}.conv"]
        return F.linear(hidden, *rounded(self.head.fc.weight, self.head.fc.bias, scale))

    def hidden(self, codes, origin):
        """The last layer's outputs for the same rows [B,rows,channels]."""
        x, scale, step = codes.transpose(1, 2) * SCALE, SCALE, 1
        time = torch.arange(codes.shape[1])
        x = x * (time >= origin[:, None])[:, None]
        for name, dilation in self.head.layers:
            conv = getattr(self.head, name).conv
            weight, bias = self.first() if name == "t1" else (conv.weight, conv.bias)
            stride, reach = 2 if step < 4 else 1, dilation // step
            x = F.conv1d(x, *rounded(weight, bias, scale), stride=stride, dilation=reach)
            time, step = time[2 * reach::stride][:x.shape[2]], step * stride
            scale = self.scales[f"{name}.conv"]
            x = Codes.apply(x.contiguous(), scale) * (time >= origin[:, None])[:, None]
        return x.transpose(1, 2)

    def begun(self, codes):
        """`hidden` of streams that begin with the first of columns [B,T,128]: rows 14, 18, ..."""
        ahead = FIELD - 15
        return self.hidden(F.pad(codes, (0, 0, ahead, 0)), torch.full((len(codes),), ahead))

    def plain(self):
        """-> an equivalent Folded for unnormalised values."""
        out = copy.deepcopy(self.head)
        with torch.no_grad():
            weight, bias = self.first()
            out.t1.conv.weight.copy_(weight)
            out.t1.conv.bias.copy_(bias)
        return out.eval()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=pathlib.Path)
    parser.add_argument("clips", type=pathlib.Path, nargs="+")
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--batch", type=int, default=192)
    parser.add_argument("--rate", type=float, default=3e-4)
    parser.add_argument("--gesture-weight", type=float, default=1.5)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    rng, augment = np.random.default_rng(args.seed), Augmentation(args.seed, args.batch, WIDTH)
    codes, label, also = load(args.clips)
    state = torch.load(args.run, weights_only=False)
    net = restored(state)
    head = folded(net.plain())
    scales = activation_scales(head, codes[:: max(len(codes) // 400, 1)])
    learner = Learning(head, scales, net.mean, net.gain)
    average = copy.deepcopy(learner)
    optimiser = torch.optim.AdamW(learner.parameters(), lr=args.rate, weight_decay=0.0, betas=(0.9, 0.98))
    began, running, step = time.time(), 0.0, 0
    while step < args.steps:
        for group in optimiser.param_groups:
            group["lr"] = args.rate * min(1.0, (step + 1) / 30) * (0.5 + 0.5 * np.cos(np.pi * step / args.steps))
        x, y, right, origin = batch((codes, label, also), rng, augment, args.batch)
        loss = loss_of(learner.every_fourth(x, origin), y, right, args.gesture_weight)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(learner.parameters(), 5.0)
        optimiser.step()
        keep = min(0.98, (step + 1) / (step + 10))
        with torch.no_grad():
            for a, b in zip(average.parameters(), learner.parameters()):
                a.lerp_(b, 1 - keep)
        running = loss.item() if step == 0 else 0.96 * running + 0.04 * loss.item()
        step += 1
        if step % 50 == 0:
            print(f"step {step} loss {running:.4f} {time.time() - began:.0f} s", flush=True)
    scales = {PREFIX + k: v for k, v in scales.items()}
    tensors.save(args.output, {"folded": average.plain().state_dict(), "scales": scales, "steps": state["steps"] + step})


if __name__ == "__main__":
    main()
