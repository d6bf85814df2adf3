"""What teachers think of every window of a cache's clips, as half of what `train whole --advice` learns.

`python -m gesturetrain.advice CACHE COLUMNS CHECKPOINT... --first 0 --chunks 100` writes `advice-NNNNN.npy`, float16
[2 clips, T-15, 13], beside each chunk: probabilities, those of the mirrored clips after the others. COLUMNS are the chunks' as the engine
computes them with the encoder that the checkpoints have in common. The teachers see the clips as the columns have them,
the network that learns from them bent, lit and focused in yet another way.
"""

import argparse
import os
import pathlib

import numpy as np
import torch

from . import cache, columns
from .evaluate import load


def opinion(teachers, stored):
    """Networks, columns [N,T,128] -> probabilities [N,T-15,13] of their mean logits."""
    with torch.no_grad():
        return torch.stack([teacher.temporal(stored) for teacher in teachers]).mean(0).softmax(-1)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cache", type=pathlib.Path)
    parser.add_argument("columns", type=pathlib.Path)
    parser.add_argument("teachers", type=pathlib.Path, nargs="+")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--chunks", type=int, default=100)
    args = parser.parse_args()
    torch.set_num_threads(1)
    teachers = [load(path) for path in args.teachers]
    for chunk in range(args.first, args.first + args.chunks):
        stored = torch.from_numpy(np.load(columns.path(args.columns, chunk))["columns"]).float()
        part = cache.advice_path(args.cache, chunk).with_suffix(".tmp.npy")
        np.save(part, opinion(teachers, stored).numpy().astype(np.float16))
        os.replace(part, cache.advice_path(args.cache, chunk))


if __name__ == "__main__":
    main()
