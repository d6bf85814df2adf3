"""Sampling weights for the stages on stills: rare poses are drawn more often than they occur.

A third of the composed frames show an open hand; fists, pinches, spread and dipping hands, which the moving gestures consist of, are a few in a
hundred. A frame's weight is the inverse root of its pose's share. Weighing by the loss as well made the network believe that clear frames are rare
(EXPERIMENTS.md).

`python -m gesturetrain.sampling CACHE OUT --first 0 --count 100` writes OUT/`sampling-weights-NNNNN.npy`, float32 [n], for each chunk.
"""

import argparse
import os
import pathlib

import numpy as np
import torch

from . import cache
from .auxiliary import pose_of, pose_shares


def weights(pose, share):
    """pose int [n], share [poses] -> [n], sum 1."""
    weight = share[pose] ** -0.5
    return weight / weight.sum()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cache", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=100, help="chunks")
    args = parser.parse_args()
    # One at a time: an archive keeps its file open while it is referenced.
    aux = {k: torch.from_numpy(np.load(cache.path(args.cache, k).with_suffix(".npz"))["aux"]) for k in range(args.first, args.first + args.count)}
    share = pose_shares(torch.cat(list(aux.values())))
    args.out.mkdir(parents=True, exist_ok=True)
    for k, targets in aux.items():
        part = cache.sampling_weights_path(args.out, k).with_suffix(".tmp.npy")
        np.save(part, weights(pose_of(targets).numpy(), share).astype(np.float32))
        os.replace(part, cache.sampling_weights_path(args.out, k))


if __name__ == "__main__":
    main()
