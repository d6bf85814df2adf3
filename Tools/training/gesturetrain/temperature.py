"""One number by which all logits are divided, so that a confidence of 0.85 means 85 % (Guo et al. 2017, arXiv 1706.04599).

`python -m gesturetrain.temperature BANK CHECKPOINT.pt MODEL OUT.pt` composes clips as evaluation does, with the training's
hands but motions that no training run has seen, encodes them with the engine's MODEL (of the same weights), and writes the
checkpoint with the weights of the classes' losses taken out and the temperature in its classifier.
"""

import argparse
import pathlib

import cv2
import numpy as np
import torch
from torch.nn import functional as F

from . import columns
from .compose import Composer
from .export import unweighted
from .labels import LABELS, NULL
from .network import WINDOW, network_of

SEEDS = 3_000_000
TOP = 8.0


def gather(composer, net, model, clips, bench):
    """Logits [N,13] and labels [N] of the decided frames of `clips` clips of three to five seconds."""
    outputs, labels = [], []
    for k in range(clips):
        rate = (30, 60, 120)[k % 3]
        steps = int(np.random.default_rng(SEEDS + k).uniform(3, 5) * rate)
        clip = composer.clip(SEEDS + k, rate=rate, wanted=LABELS[k % (NULL + 1)], steps=steps)
        seen = torch.from_numpy(columns.encode(clip["frames"], model, bench)).float()[torch.from_numpy(clip["index"])]
        with torch.inference_mode():
            logits = net.temporal(seen[None])[0]
        keep = ~clip["ignore"][WINDOW - 1:]
        outputs.append(logits[torch.from_numpy(keep)])
        labels.append(torch.from_numpy(clip["label"][WINDOW - 1:][keep]).long())
    return torch.cat(outputs), torch.cat(labels)


def fit(logits, labels):
    """The temperature of least cross-entropy, 1/8 to 8, by golden-section search (the loss is convex in its inverse)."""
    low, high = 1 / TOP, TOP
    ratio = (5 ** 0.5 - 1) / 2
    for _ in range(60):
        a, b = high - ratio * (high - low), low + ratio * (high - low)
        if F.cross_entropy(logits * a, labels) < F.cross_entropy(logits * b, labels):
            high = b
        else:
            low = a
    return 2 / (low + high)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bank", type=pathlib.Path)
    parser.add_argument("checkpoint", type=pathlib.Path)
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--clips", type=int, default=90)
    parser.add_argument("--bench", type=pathlib.Path, default=columns.BENCH)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    state = torch.load(args.checkpoint, weights_only=False)
    state["average"], state["class_weights"] = unweighted(state), None
    net = network_of(state["average"]).eval()
    logits, labels = gather(Composer(args.bank, "train"), net, args.model, args.clips, args.bench)
    temperature = fit(logits, labels)
    for name in ("fc.weight", "fc.bias"):
        state["average"][name] = state["average"][name] / temperature
    torch.save(state, args.out)
    before, after = (F.cross_entropy(logits / t, labels).item() for t in (1.0, temperature))
    print(f"temperature {temperature:.3f} on {len(labels)} frames of {args.clips} clips; cross-entropy {before:.4f} -> {after:.4f}")


if __name__ == "__main__":
    main()
