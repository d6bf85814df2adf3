"""The golden set for the tests of the engine: PyTorch's logits of a checkpoint and frames that both make by the same formulas.

`python -m gesturetrain.golden DIR` writes golden_logits.npy, float32 [5,13], one row for every full window, and golden-norms.safetensors: the means
and variances of BatchNorm, which no formula gives, because those of the frames keep activations alive. `Tests/TestSupport/GoldenSet.swift` has the
formulas in Swift. The numbers come from SplitMix64 (Steele, Lea and Flood 2014).
"""

import argparse
import pathlib

import numpy as np
import torch

from common import tensors
from common.labels import LABELS

from .network import SIDE, WINDOW, GestureTCN

FRAMES = 20
SEED = 340


def splitmix(seed, count):
    """uint64 [count]: the first numbers of SplitMix64."""
    bits = np.uint64(seed) + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    bits = (bits ^ bits >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ bits >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return bits ^ bits >> np.uint64(31)


def frames():
    """A soft disc that moves under noise: uint8 [20,224,224]."""
    noise = (splitmix(SEED, FRAMES * SIDE * SIDE) & np.uint64(63)).astype(np.int64).reshape(FRAMES, SIDE, SIDE)
    y, x = np.mgrid[0:SIDE, 0:SIDE]
    discs = [160 - ((x - 60 - 6 * t) ** 2 + (y - 110 - t % 5 * 4) ** 2) // 12 for t in range(FRAMES)]
    return np.minimum(255, np.maximum(0, discs) + noise).astype(np.uint8)


def parameters(shapes):
    """{name: float32 array} for {name: shape} in the checkpoint's order. The means and variances are the usual ones: 0 and 1."""
    units = (splitmix(SEED, sum(map(np.prod, shapes.values()))) >> np.uint64(40)).astype(np.float32) * np.float32(2**-24)
    out, at = {}, 0
    for name, shape in shapes.items():
        u = units[at:at + np.prod(shape)].reshape(shape)
        at += u.size
        if len(shape) > 1:
            out[name] = (u * 2 - 1) * np.sqrt(np.float32(6) / np.float32(u[0].size))
        else:
            out[name] = u + np.float32(0.5)
    return out


def settle(conv, norm, x):
    """Sets the mean and the variance of `norm` to those of `conv` of x; returns the activated output."""
    y = conv(x)
    axes = [0, *range(2, y.dim())]
    norm.running_mean.copy_(y.mean(axes))
    # A lower bound keeps a channel that hardly varies from being amplified.
    variance = y.var(axes, unbiased=False)
    norm.running_var.copy_(torch.maximum(variance, 0.05 * variance.mean() + 1e-4))
    y = torch.clamp(norm(y), 0.0, 6.0)
    share = ((y > 0) & (y < 6)).float().mean().item()
    assert share > 0.5, f"only {share:.2f} of the activations are neither 0 nor 6"
    return y


def make():
    """-> (network in eval mode, frames, logits [5,13])."""
    net = GestureTCN().eval()
    drawn = parameters({k: tuple(v.shape) for k, v in net.state_dict().items() if "running" not in k and "num_batches" not in k})
    net.load_state_dict({k: torch.from_numpy(v) for k, v in drawn.items()}, strict=False)
    clip = frames()
    with torch.no_grad():
        x = torch.from_numpy(clip).unsqueeze(1).float() / 255.0
        for _, module in net.named_children():
            if module is net.t1:
                x = x.view(1, FRAMES, -1).transpose(1, 2)
            for conv, norm in getattr(module, "LAYERS", ()):
                x = settle(getattr(module, conv), getattr(module, norm), x)
        logits = net(torch.from_numpy(clip)[None])[0].numpy()
    assert logits.shape == (FRAMES - WINDOW + 1, len(LABELS))
    return net, clip, logits


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("directory", type=pathlib.Path)
    args = parser.parse_args()
    torch.set_num_threads(1)
    net, _, logits = make()
    tensors.write(args.directory / "golden-norms.safetensors", {k: v for k, v in net.state_dict().items() if "running" in k}, {})
    np.save(args.directory / "golden_logits.npy", logits.astype(np.float32))
    print(f"logits {logits.shape}, range {logits.min():.3f} to {logits.max():.3f}")


if __name__ == "__main__":
    main()
