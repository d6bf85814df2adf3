"""A divisor of all logits and a bias for each, so that a confidence of 0.85 means 85 % (vector scaling with one temperature: Guo et al. 2017, arXiv
1706.04599).

`python -m gesturetrain.temperature TUNING CHECKPOINT.pt MODEL OUT.pt` composes clips with hands that are in no split (`assets --tuning`), half of
them without gestures, encodes them with the engine's MODEL (of the same weights), and writes the checkpoint with the classes' loss weights removed
and with the scaling in its classifier. A network is more confident on the training's own hands than on other hands. `--share` below 1 applies only a
part of the scaling: more gestures are found, and more are false positives. `--null-bias` has the opposite effect and keeps the balance of the gestures.
"""

import argparse
import pathlib

import cv2
import numpy as np
import torch
from torch.nn import functional as F

from common.labels import CLASSES, LABELS, NULL

from . import columns
from .compose import Composer
from .export import unweighted
from .network import WINDOW, network_of

SEEDS = 3_000_000
DECAY = 0.01  # weight of the squared biases, relative to the mean cross-entropy


def gather(composer, net, model, clips, bench):
    """Logits [N,13] and labels [N] of the decided frames of `clips` clips of three to five seconds, every second one null."""
    outputs, labels = [], []
    for k in range(clips):
        rate = (30, 60, 120)[k // 2 % 3]
        steps = int(np.random.default_rng(SEEDS + k).uniform(3, 5) * rate)
        wanted = LABELS[k // 2 % NULL] if k % 2 else "null"
        clip = composer.clip(SEEDS + k, rate=rate, wanted=wanted, steps=steps)
        seen = torch.from_numpy(columns.encode(clip["frames"], model, bench)).float()[torch.from_numpy(clip["index"])]
        with torch.inference_mode():
            logits = net.temporal(seen[None])[0]
        keep = ~clip["ignore"][WINDOW - 1:]
        # Equally many frames of each rate.
        thin = slice(None, None, rate // 30)
        outputs.append(logits[torch.from_numpy(keep)][thin])
        labels.append(torch.from_numpy(clip["label"][WINDOW - 1:][keep]).long()[thin])
    return torch.cat(outputs), torch.cat(labels)


def fit(logits, labels):
    """-> temperature, biases [13] that sum to 0: those that minimise the cross-entropy of logits / temperature + biases, in double precision."""
    logits = logits.double()
    scale = torch.ones((), dtype=torch.double, requires_grad=True)
    bias = torch.zeros(CLASSES, dtype=torch.double, requires_grad=True)
    optimiser = torch.optim.LBFGS([scale, bias], max_iter=200, line_search_fn="strong_wolfe")

    def loss():
        optimiser.zero_grad()
        value = F.cross_entropy(logits * scale + bias, labels) + DECAY * bias.pow(2).mean()
        value.backward()
        return value

    optimiser.step(loss)
    bias = bias.detach()
    return 1 / scale.item(), bias - bias.mean()


def scaled(weights, temperature, bias, null_bias):
    """Weights with the logits z / temperature + bias instead of z, and `null_bias` added to null. -> a new dict."""
    return weights | {"fc.weight": weights["fc.weight"] / temperature,
                      "fc.bias": weights["fc.bias"] / temperature + bias + null_bias * (torch.arange(CLASSES) == NULL)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bank", type=pathlib.Path)
    parser.add_argument("checkpoint", type=pathlib.Path)
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--clips", type=int, default=480)
    parser.add_argument("--share", type=float, default=1.0, help="of the scaling that is applied, 0 to 1: of the temperature's logarithm and the biases")
    parser.add_argument("--null-bias", type=float, default=0.0, help="is added to null's logit, whatever was fitted: above 0 less is reported")
    parser.add_argument("--bench", type=pathlib.Path, default=columns.BENCH)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    state = torch.load(args.checkpoint, weights_only=False)
    state["average"], state["class_weights"] = unweighted(state), None
    net = network_of(state["average"]).eval()
    logits, labels = gather(Composer(args.bank, "train", randomised=False), net, args.model, args.clips, args.bench)
    temperature, bias = fit(logits, labels)
    state["average"] = scaled(state["average"], temperature ** args.share, args.share * bias.float(), args.null_bias)
    torch.save(state, args.out)
    before, after = (F.cross_entropy(logits / t + b, labels).item() for t, b in ((1.0, 0.0), (temperature, bias)))
    print(f"temperature {temperature:.3f} on {len(labels)} frames of {args.clips} clips; cross-entropy {before:.4f} -> {after:.4f}")
    print("biases " + " ".join(f"{label} {b:+.2f}" for label, b in zip(LABELS, bias)))


if __name__ == "__main__":
    main()
