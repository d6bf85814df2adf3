"""Soft targets of a cache's clips: the teachers' outputs for every window, half of the target in `train whole --soft-targets`.

`python -m gesturetrain.distillation COLUMNS OUT CHECKPOINT... --first 0 --count 100` writes OUT/`soft-targets-NNNNN.npy`, float16 [2 clips, T-15,
13], for each chunk: probabilities, those of the mirrored clips after the others. COLUMNS are the chunks' columns as computed by the engine with the
encoder that the checkpoints share. The teachers see the clips as they are in the columns; the trained network sees them bent, lit and focused
differently.
"""

import argparse
import os
import pathlib

import numpy as np
import torch

from . import cache, columns
from .evaluate import load


def soft_targets(teachers, stored):
    """Networks, columns [N,T,128] -> probabilities [N,T-15,13] of their mean logits."""
    with torch.no_grad():
        return torch.stack([teacher.temporal(stored) for teacher in teachers]).mean(0).softmax(-1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("columns", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("teachers", type=pathlib.Path, nargs="+")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=100, help="chunks")
    args = parser.parse_args()
    torch.set_num_threads(1)
    teachers = [load(path) for path in args.teachers]
    args.out.mkdir(parents=True, exist_ok=True)
    for chunk in range(args.first, args.first + args.count):
        stored = torch.from_numpy(np.load(columns.path(args.columns, chunk))["columns"]).float()
        part = cache.soft_targets_path(args.out, chunk).with_suffix(".tmp.npy")
        np.save(part, soft_targets(teachers, stored).numpy().astype(np.float16))
        os.replace(part, cache.soft_targets_path(args.out, chunk))


if __name__ == "__main__":
    main()
