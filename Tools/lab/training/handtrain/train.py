"""Trains the head: `python -m handtrain.train CLIPS.npz... --output RUN.pt [--steps N] [--seed S]`. The same arguments give the same bytes."""

import argparse
import copy
import pathlib
import time

import numpy as np
import torch
from torch.nn import functional as F

from common import tensors
from common.muon import Muon

from .augmentation import Augmentation
from .head import CHANNELS, Folded, Scaled, restored, statistics, unfolded
from .quantised import model
from .rows import WIDTH, batch, load, loss_of


def started(path, codes):
    """-> a Scaled: from an int8 model file or the output of training or `quantised`; if BatchNorm is missing, it gets the statistics of columns
    `codes`."""
    net = model(path) if path.suffix == ".safetensors" else restored(torch.load(path, weights_only=False))
    return unfolded(net, codes[::max(len(codes) // 1000, 1)]) if isinstance(net, Folded) else net


def options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clips", type=pathlib.Path, nargs="+")
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--decay", type=float, default=0.02)
    parser.add_argument("--drop", type=float, default=0.1)
    parser.add_argument("--gesture-weight", type=float, default=1.5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=pathlib.Path, help="what to go on from: a state of this or of `quantised`, or an int8 model")
    parser.add_argument("--channels", type=int, default=CHANNELS, help="of each layer: more for a head that is to teach")
    parser.add_argument("--teachers", type=pathlib.Path, nargs="*", default=[],
                        help="heads, as for --start: half of the loss is against the soft targets of all of them together")
    parser.add_argument("--half", action="store_true", help="products of bfloat16: twice as quick where the processor has them")
    parser.add_argument("--threads", type=int, default=1)
    return parser


def distilled(loss, logits, teachers, x, origin, kind):
    """Half of the loss plus half of the loss against the teachers' soft targets."""
    with torch.no_grad():
        soft_targets = sum(F.softmax(t.every_fourth(x, origin, kind=kind), -1) for t in teachers) / len(teachers)
    return 0.5 * loss - 0.5 * (soft_targets * F.log_softmax(logits, -1)).sum(-1).mean()


def train(args):
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    data = load(args.clips)
    codes = data[0]
    net = started(args.start, codes) if args.start else Scaled(*statistics(codes[::7, ::5].reshape(-1, codes.shape[-1])), args.channels)
    teachers = [started(path, codes).eval() for path in args.teachers]
    average, augment = copy.deepcopy(net), Augmentation(args.seed, args.batch, WIDTH)
    groups = [{"params": [p], "matrix": p.dim() == 3, "weight_decay": args.decay if p.dim() > 1 else 0.0} for p in net.parameters()]
    optimiser = Muon(groups, lr=args.rate, betas=(0.9, 0.98))
    kind = torch.bfloat16 if args.half else torch.float32
    began, running = time.time(), 0.0
    for step in range(args.steps):
        for group in optimiser.param_groups:
            group["lr"] = args.rate * min(1.0, (step + 1) / 60) * (0.5 + 0.5 * np.cos(np.pi * step / args.steps)) + 1e-6
        x, y, right, origin = batch(data, rng, augment, args.batch)
        net.train()
        logits = net.every_fourth(x, origin, args.drop, kind)
        loss = loss_of(logits, y, right, args.gesture_weight)
        if teachers:
            loss = distilled(loss, logits, teachers, x, origin, kind)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        keep = min(0.995, (step + 1) / (step + 20))
        with torch.no_grad():
            for a, b in zip(average.state_dict().values(), net.state_dict().values()):
                a.lerp_(b, 1 - keep) if a.dtype.is_floating_point else a.copy_(b)
        running = loss.item() if step == 0 else 0.98 * running + 0.02 * loss.item()
        if (step + 1) % 100 == 0:
            print(f"step {step + 1} loss {running:.4f} {time.time() - began:.0f} s", flush=True)
    tensors.save(args.output, {"net": average.state_dict(), "steps": args.steps})


def main():
    train(options().parse_args())


if __name__ == "__main__":
    main()
