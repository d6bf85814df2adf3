"""The stages `crops` and `encoder`: the layers up to the feature column, on single frames with auxiliary targets."""

import time

import numpy as np
import torch

from . import crops, photos
from .network import balance, pixels, standardise
from .run import Cached, Run, schedule


def light(frames, rng):
    """Brightness and contrast jitter per frame. uint8 [N,224,224] -> float frames."""
    n = len(frames)
    gain = torch.from_numpy(np.exp(rng.normal(0, 0.2, n)).astype(np.float32)).view(n, 1, 1)
    offset = torch.from_numpy(rng.normal(0, 10, n).astype(np.float32)).view(n, 1, 1)
    return frames.float().mul_(gain).add_(offset).clamp_(0, 255)


def encoder(args):
    """The layers up to the feature column on whole frames."""
    run = Run(args.run, "encoder", args.start, 0.998, relative=True)
    data = Cached(args, run)
    begin(run, data, args)
    run.freeze(args.frozen)
    spatial = [p for stage in (*run.net.stages(), run.net.b8) for p in stage.parameters() if p.requires_grad]
    run.prepare(spatial + list(run.aux.parameters()), 0.02)

    def losses(frames, aux):
        seen = run.net.maps(frames, args.frozen)
        return run.aux.loss(seen, run.net.column(seen), aux)

    stills(run, data, args, 1, crops.frame, crops.FRAME, losses)


def crops_encoder(args):
    """The layers up to b7 on crops, from scratch unless a start is given; b8 and the column's heads are trained later, on whole frames."""
    run = Run(args.run, "crops", args.start, 0.999, relative=True)
    data = Cached(args, run)
    begin(run, data, args)
    run.freeze(args.frozen)
    spatial = [p for stage in run.net.stages() for p in stage.parameters() if p.requires_grad]
    run.prepare(spatial + list(run.aux.cells.parameters()) + [run.aux.none], 0.02)

    def losses(frames, aux):
        parts = run.aux.cell_parts(run.net.maps(frames, args.frozen), aux)
        return sum(parts.values()), parts

    stills(run, data, args, 4, crops.crop, crops.SIDE, losses)


def begin(run, data, args):
    """Untrained filters get gains and biases from the same 256 frames in every process."""
    if not run.new or (args.start and not args.fresh):
        return
    frames = crops.batch(data, np.random.default_rng(args.seed), 256, crops.frame, crops.FRAME)[0]
    if args.start:
        balance(run.net.b8, run.net.maps(frames))
        return
    x = pixels(frames)
    run.net = standardise(run.net).to(memory_format=torch.channels_last)
    for stage in (*run.net.stages(), run.net.b8):
        x = balance(stage, x)


def stills(run, data, args, stage, cut, side, losses):
    """Trains on single frames that `cut` makes from the cached ones; `losses` returns (loss, its parts)."""
    loss_of, size = run.loss(losses), args.batch // run.processes
    photographs = photos.load(args.photos) if args.photos else None
    mean, begun = {}, time.time()
    for rng in run.batches(args, stage):
        if args.reinitialise and run.step % args.reinitialise == 0 and 2 * run.step <= args.steps:
            drawn = np.random.default_rng([args.seed, 4, run.step])
            run.reinitialise(crops.batch(data, drawn, 256, crops.frame, crops.FRAME)[0], args)
        frames, aux = crops.batch(data, rng, size, cut, side, photographs)
        loss, parts = loss_of(light(frames, rng), aux)
        now = time.time()
        run.advance(loss, schedule(run.step, args.steps, args.rate), len(frames), now - begun)
        begun = now
        for k, v in parts.items():
            mean[k] = 0.99 * mean.get(k, v.item()) + 0.01 * v.item()
        if run.step % 100 == 0:
            run.log(f"{run.step} {run.recent / run.seconds:.0f}/s " + " ".join(f"{k} {v:.3f}" for k, v in mean.items()))
        if run.step % 500 == 0:
            run.save()
    run.save()
