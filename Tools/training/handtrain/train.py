"""Trains the head: `python -m handtrain.train CLIPS.npz... --output RUN.pt [--steps N] [--seed S] [--minutes M]`."""

import argparse
import copy
import pathlib
import time

import numpy as np
import torch
from torch.nn import functional as F

from gesturetrain.labels import NULL
from gesturetrain.muon import Muon

from .head import Scaled, statistics
from .vary import varied

WIDTH = 75  # columns of a training row: 61 decisions, of which every fourth is asked for


def load(paths):
    parts = [np.load(p) for p in paths]
    return [torch.from_numpy(np.concatenate([p[k] for p in parts])) for k in ("codes", "label", "ignore")]


def loss_of(logits, label, ignore, gesture_weight, smoothing=0.02):
    weight = torch.where(ignore, 0.0, torch.where(label == NULL, 1.0, gesture_weight))
    each = F.cross_entropy(logits.flatten(0, 1), label.flatten(), reduction="none", label_smoothing=smoothing)
    return (each * weight.flatten()).sum() / weight.sum()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clips", type=pathlib.Path, nargs="+")
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--batch", type=int, default=192)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--decay", type=float, default=0.02)
    parser.add_argument("--drop", type=float, default=0.1)
    parser.add_argument("--gesture-weight", type=float, default=1.5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=pathlib.Path)
    parser.add_argument("--minutes", type=float, default=9.0, help="the schedule is shortened so that training ends by then")
    parser.add_argument("--plain", action="store_true", help="the clips as they are, without `vary`")
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    generator = torch.Generator().manual_seed(args.seed)
    codes, label, ignore = load(args.clips)
    net = Scaled(*statistics(codes[::7, ::5].reshape(-1, codes.shape[-1])))
    if args.start:
        net.load_state_dict(torch.load(args.start, weights_only=False)["net"])
    average = copy.deepcopy(net)
    groups = [{"params": [p], "matrix": p.dim() == 3, "weight_decay": args.decay if p.dim() > 1 else 0.0} for p in net.parameters()]
    optimiser = Muon(groups, lr=args.rate, betas=(0.9, 0.98))
    began, total, running = time.time(), args.steps, 0.0
    span = codes.shape[1]
    step = 0
    while step < total:
        # The share of the schedule that is over, by steps or by time, whichever is more.
        done = max(step / total, (time.time() - began) / (60 * args.minutes))
        if done >= 1:
            break
        warm = min(1.0, (step + 1) / 60)
        for group in optimiser.param_groups:
            group["lr"] = args.rate * warm * (0.5 + 0.5 * np.cos(np.pi * done)) + 1e-6
        rows = torch.from_numpy(rng.integers(0, len(codes), args.batch))
        first = int(rng.integers(0, span - WIDTH + 1))
        x = codes[rows, first:first + WIDTH].float()
        y, doubt = label[rows, first + 14:first + WIDTH:4].long(), ignore[rows, first + 14:first + WIDTH:4]
        if not args.plain:
            x, y = varied(generator, x, y)
        net.train()
        loss = loss_of(net.every_fourth(x, args.drop), y, doubt, args.gesture_weight)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        keep = min(0.995, (step + 1) / (step + 20))
        with torch.no_grad():
            for a, b in zip(average.state_dict().values(), net.state_dict().values()):
                a.lerp_(b, 1 - keep) if a.dtype.is_floating_point else a.copy_(b)
        running = loss.item() if step == 0 else 0.98 * running + 0.02 * loss.item()
        step += 1
        if step % 100 == 0:
            print(f"step {step} loss {running:.4f} {time.time() - began:.0f} s", flush=True)
    torch.save({"net": average.state_dict(), "steps": step, "arguments": vars(args)}, args.output)


if __name__ == "__main__":
    main()
