"""Which frames a stage on stills takes: rare poses more often than they come, and those that a network gets wrong.

A third of the composed frames show an open hand, and half of all frames cost a trained encoder next to nothing: on frames taken as they
come 30 % of them made 86 % of the pose's loss, most of it on fists, pinches, spread and dipping hands, which are what the
moving gestures are made of. A frame's chance is the inverse root of its pose's share, times its loss within LOSSES (choosing
by loss: Katharopoulos and Fleuret 2018, arXiv 1803.00942; here it stays uncorrected, as what counts is the features).

`python -m gesturetrain.chances CACHE --first 0 --chunks 100` writes `chances-NNNNN.npy`, float32 [n], beside each chunk: by pose alone.
With `--checkpoint CHECKPOINT --model MODEL` by loss too. MODEL is the imported CHECKPOINT: the engine computes the columns, the
checkpoint's auxiliary head reads the pose from them.
"""

import argparse
import os
import pathlib

import numpy as np
import torch
from torch.nn import functional as F

from . import cache, columns
from .train import Auxiliary, pose_of, pose_shares

LOSSES = (0.2, 1.5)  # nats; what no picture shows is not worth more than that


def chances(pose, loss, share):
    """pose int [n], loss [n] in nats, share [poses] -> [n], sum 1."""
    chance = share[pose] ** -0.5 * np.clip(loss, *LOSSES)
    return chance / chance.sum()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cache", type=pathlib.Path)
    parser.add_argument("--checkpoint", type=pathlib.Path)
    parser.add_argument("--model", type=pathlib.Path)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--chunks", type=int, default=100)
    parser.add_argument("--bench", type=pathlib.Path, default=columns.BENCH)
    args = parser.parse_args()
    torch.set_num_threads(1)
    if (args.checkpoint is None) != (args.model is None):
        parser.error("--checkpoint and --model come together")
    heads = Auxiliary()
    if args.checkpoint:
        heads.load_state_dict(torch.load(args.checkpoint, weights_only=False)["aux_average"])
    numbers = range(args.first, args.first + args.chunks)
    # One at a time: an archive is an open file for as long as somebody holds it.
    share = pose_shares(torch.from_numpy(np.concatenate([np.load(cache.path(args.cache, k).with_suffix(".npz"))["aux"] for k in numbers])))
    for k in numbers:
        if cache.chances_path(args.cache, k).exists():
            continue
        frames, meta = cache.read(args.cache, k)
        pose = pose_of(torch.from_numpy(meta["aux"]))
        loss = np.ones(len(pose))
        if args.checkpoint:
            with torch.no_grad():
                out = heads.linear(torch.from_numpy(columns.encode(frames, args.model, args.bench)).float())
            loss = F.cross_entropy(out[:, heads.POSES], pose, reduction="none").numpy()
        part = cache.chances_path(args.cache, k).with_suffix(".tmp.npy")
        np.save(part, chances(pose.numpy(), loss, share).astype(np.float32))
        os.replace(part, cache.chances_path(args.cache, k))


if __name__ == "__main__":
    main()
