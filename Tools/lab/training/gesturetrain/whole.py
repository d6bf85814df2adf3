"""The stage `whole`: all layers together on clips, in float or in the engine's arithmetic."""

import time
from typing import NamedTuple

import numpy as np
import torch

from common.labels import MIRRORED

from . import crops
from .auxiliary import mirror_aux, pose_shares
from .head import class_weights, clip_loss
from .network import WINDOW, fold, network_of, plain
from .quantised import Quantised, scales_of
from .run import Cached, Run, schedule


class Sample(NamedTuple):
    """A clip of `span` grid frames, or a batch of such clips."""
    frames: torch.Tensor  # [n,224,224]
    aux: torch.Tensor  # [n,8]
    where: torch.Tensor  # [span]: index of every grid frame in `frames`
    label: torch.Tensor  # [span]
    ignore: torch.Tensor  # [span]
    soft_targets: torch.Tensor | None  # [span-15,13]


def window_targets(meta, clip, begin, span, mirrored):
    """Soft targets of the windows within `span` grid frames of a clip or of its mirror image: [span-15,13]."""
    row = clip + len(meta["first"]) * mirrored
    return torch.from_numpy(meta["soft_targets"][row, begin:begin + span - WINDOW + 1]).float()


def thinned(index, rate, rng):
    """A clip's grid as filled by a slower camera, of at least 15 frames a second: of every two, three or four source frames one is kept and replaces
    those after it.

    index: source frame of every grid frame [T], ascending; rate: grid frames a second, 30 to 120
    -> the source frames kept, ascending, and the index of each grid frame among them [T].
    A window's outputs hardly change, and a step covers two to four times as many windows with the same number of source frames.
    """
    every = int(rng.integers(2, min(4, rate // 30 + 1) + 1))
    phase = int(rng.integers(every))
    left = np.maximum(index - (index - phase) % every, index[0])
    return np.unique(left, return_inverse=True)


def pictures_of(meta, clip, begin, args, rng):
    """-> the source frames of a clip's span, ascending from the clip's first, and the index of each grid frame among them."""
    index = meta["index"][clip, begin:begin + args.span]
    # A clip of a slow camera already has few source frames.
    if args.thin and rng.random() < args.thin and index[-1] - index[0] >= args.span // 2:
        return thinned(index, meta["rate"][clip], rng)
    return np.arange(index[0], index[-1] + 1), index - index[0]


def sample(pictures, meta, clip, begin, left, place, args, rng):
    """One clip's span, with all its frames bent, lit, focused, mirrored and exposed in the same way."""
    left = left + int(meta["first"][clip])
    frames, aux = np.asarray(pictures[left]), meta["aux"][left]
    crops.randomise(frames, aux, rng)
    frames = torch.from_numpy(frames)
    label = torch.from_numpy(meta["label"][clip, begin:begin + args.span]).long()
    mirrored = rng.random() < 0.5
    if mirrored:
        frames, aux, label = frames.flip(2), mirror_aux(aux), torch.tensor(MIRRORED)[label]
    gain, offset = float(np.exp(rng.normal(0, 0.2))), float(rng.normal(0, 10))
    return Sample(frames.float().mul_(gain).add_(offset).clamp_(0, 255), torch.from_numpy(aux), torch.from_numpy(place), label,
                  torch.from_numpy(meta["ignore"][clip, begin:begin + args.span]),
                  window_targets(meta, clip, begin, args.span, mirrored) if args.soft_targets else None)


def batch(data, rng, size, args):
    """Clips of at most `size` source frames together -> a Sample whose `where` indexes all of them, and the number of source frames."""
    chunks, samples, total = data.range(), [], 0
    while total < size:
        pictures, meta = data[int(rng.integers(*chunks))]
        clip = int(rng.integers(len(meta["first"])))
        begin = int(rng.integers(0, meta["index"].shape[1] - args.span + 1))
        left, place = pictures_of(meta, clip, begin, args, rng)
        if total + len(left) > size:
            break
        samples.append(sample(pictures, meta, clip, begin, left, place + total, args, rng))
        total += len(left)
    frames, aux, *grid = zip(*samples)
    return Sample(torch.cat(frames), torch.cat(aux), *(torch.stack(g) for g in grid[:3]), torch.stack(grid[3]) if args.soft_targets else None), total


def prepared(args):
    """-> the Run and the module for its forward pass: its network, or the network with the engine's rounding."""
    run = Run(args.run, "quantised" if args.quantised else "whole", args.start or args.run / "head.pt", 0.998, relative=True)
    if run.new:
        fold(run.net)
    model = run.net
    if args.quantised:
        run.scales = scales_of(args.quantised)
        run.net = network_of(plain(run.net.state_dict())).to(memory_format=torch.channels_last)
        model = Quantised(run.net, run.scales)
    run.freeze(args.frozen)
    # A step of a dozen whole clips is too small for updates with equal singular values (at 2e-3 they ruined the encoder).
    run.prepare([p for p in run.net.parameters() if p.requires_grad] + list(run.aux.parameters()), 0.02, orthogonal=args.muon)
    return run, model


def weigh(run, data, args):
    """Weights of classes, and with --balance of poses, by their frequency in the chunks at the start of training."""
    metas = [data[c][1] for c in range(*data.range())]
    run.class_weights = class_weights(np.concatenate([meta["label"][:, WINDOW - 1:].ravel() for meta in metas]))
    if args.balance:
        run.aux.balance(pose_shares(torch.from_numpy(np.concatenate([meta["aux"] for meta in metas]))))


def whole(args):
    run, model = prepared(args)
    data = Cached(args, run)
    if run.class_weights is None:
        weigh(run, data, args)
    weight = run.class_weights

    def losses(frames, aux, where, label, ignore, soft_targets):
        seen = model.maps(frames, args.frozen)
        columns = model.column(seen)
        main = clip_loss(model.temporal(columns[where]), label, ignore, weight, 0.02, soft_targets)
        side, _ = run.aux.loss(seen, columns, aux)
        return main + args.side * side, main, side

    loss_of, size = run.loss(losses), args.batch // run.processes
    mean, begun = {}, time.time()
    for rng in run.batches(args, 3):
        drawn, total = batch(data, rng, size, args)
        loss, main, side = loss_of(*drawn)
        now = time.time()
        run.advance(loss, schedule(run.step, args.steps, args.rate, 100), total, now - begun)
        begun = now
        for k, v in (("loss", main), ("aux", side)):
            mean[k] = 0.98 * mean.get(k, v.item()) + 0.02 * v.item()
        if run.step % 25 == 0:
            run.log(f"{run.step} {run.recent / run.seconds:.0f}/s " + " ".join(f"{k} {v:.4f}" for k, v in mean.items()))
        if run.step % 100 == 0:
            run.save()
    run.save()
