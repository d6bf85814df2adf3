"""Golden vectors for other implementations: random but sane weights, 20 frames, and PyTorch's logits.

`python -m gesturetrain.golden DIR [--seed 340]` writes golden.safetensors (float32, BatchNorm not folded),
golden_frames.npy (uint8 [20,224,224]) and golden_logits.npy (float32 [5,13], one row for every full window).
"""

import argparse
import json
import pathlib

import numpy as np
import torch

from common import tensors
from common.labels import LABELS, NULL

from .network import SIDE, WINDOW, ConvBN, GestureTCN, Separable

FRAMES = 20


def frames(seed):
    """Smooth blobs that move over a gradient, plus noise: uint8 [20,224,224]."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32)
    start, velocity = rng.uniform(30, 190, (6, 2)), rng.uniform(-5, 5, (6, 2))
    radius, level = rng.uniform(10, 45, 6), rng.uniform(-110, 130, 6)
    base = 90 + 0.3 * (x - y) + rng.uniform(-10, 10)
    out = np.empty((FRAMES, SIDE, SIDE), np.uint8)
    for t in range(FRAMES):
        image = base.copy()
        for k in range(6):
            cx, cy = start[k] + velocity[k] * t
            image += level[k] * np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / (2 * radius[k] ** 2))
        image += rng.normal(0, 6, image.shape)
        out[t] = np.clip(np.rint(image), 0, 255).astype(np.uint8)
    return out


def _settle(conv, bn, x, gen):
    """Sets conv and bn so that, on x, few outputs are dead or saturated; returns the activated output."""
    with torch.no_grad():
        fan = conv.weight[0].numel()
        conv.weight.copy_(torch.randn(conv.weight.shape, generator=gen) * (2.0 / fan) ** 0.5)
        y = conv(x)
        axes = [0] + list(range(2, y.dim()))
        bn.running_mean.copy_(y.mean(axes))
        # A lower bound keeps a channel that hardly varies from being amplified.
        variance = y.var(axes, unbiased=False)
        bn.running_var.copy_(torch.maximum(variance, 0.05 * variance.mean() + 1e-4))
        n = bn.num_features
        bn.weight.copy_(torch.empty(n).uniform_(0.8, 1.8, generator=gen))
        bn.bias.copy_(torch.empty(n).uniform_(0.2, 1.6, generator=gen))
        y = torch.clamp(bn(y), 0.0, 6.0)
        share = ((y > 0) & (y < 6)).float().mean().item()
        assert share > 0.5, f"only {share:.2f} of the activations are neither 0 nor 6"
        return y


def make(seed):
    """-> (network in eval mode, frames, logits [5,13])."""
    torch.manual_seed(seed)
    gen = torch.Generator().manual_seed(seed)
    net = GestureTCN().eval()
    clip = frames(seed)
    x = torch.from_numpy(clip).unsqueeze(1).float() / 255.0
    for _, module in net.named_children():
        if isinstance(module, Separable):
            x = _settle(module.dw, module.dw_bn, x, gen)
            x = _settle(module.pw, module.pw_bn, x, gen)
        elif isinstance(module, ConvBN):
            if module is net.t1:
                x = x.view(1, FRAMES, -1).transpose(1, 2)
            x = _settle(module.conv, module.bn, x, gen)
    with torch.no_grad():
        net.fc.weight.copy_(torch.randn(net.fc.weight.shape, generator=gen) * 0.12)
        net.fc.bias.copy_(torch.randn(net.fc.bias.shape, generator=gen) * 0.5)
        logits = net(torch.from_numpy(clip)[None])[0].numpy()
    assert logits.shape == (FRAMES - WINDOW + 1, len(LABELS))
    return net, clip, logits


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=340)
    args = parser.parse_args()
    torch.set_num_threads(1)
    net, clip, logits = make(args.seed)
    args.directory.mkdir(parents=True, exist_ok=True)
    state = {k: v.contiguous() for k, v in net.state_dict().items() if not k.endswith("num_batches_tracked")}
    metadata = {"labels": json.dumps(LABELS), "null_index": str(NULL), "seed": str(args.seed),
                "training": "none: random weights for golden vectors"}
    tensors.write(args.directory / "golden.safetensors", state, metadata)
    np.save(args.directory / "golden_frames.npy", clip)
    np.save(args.directory / "golden_logits.npy", logits.astype(np.float32))
    print(f"logits {logits.shape}, range {logits.min():.3f} to {logits.max():.3f}")
    print(np.round(logits, 3))


if __name__ == "__main__":
    main()
