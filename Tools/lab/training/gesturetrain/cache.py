"""Composed training clips on disk: chunks of uint8 frames with their labels, each written atomically.

`python -m gesturetrain.cache BANK CACHE --first 0 --count 100` composes the missing chunks.
Chunk c holds the clips with seeds c*CLIPS ... c*CLIPS+CLIPS-1, so a cache is a function of the bank alone.
"""

import argparse
import functools
import mmap
import os
import pathlib

import cv2
import numpy as np

from . import visible
from .compose import SLOW, SOURCES, Composer

CLIPS = 40
STEPS = 48
SLOW_STEPS = 36
EASY = 1000  # clips with seeds below this have only large hands


def path(folder, chunk):
    return pathlib.Path(folder) / f"chunk-{chunk:05d}"


def sampling_weights_path(folder, chunk):
    """The file with the sampling weight of each frame of the chunk, written by `sampling`."""
    return pathlib.Path(folder) / f"sampling-weights-{chunk:05d}.npy"


def soft_targets_path(folder, chunk):
    """The file with the teachers' soft targets for the chunk's clips, written by `distillation`."""
    return pathlib.Path(folder) / f"soft-targets-{chunk:05d}.npy"


def compose(composer, chunk, steps=STEPS):
    """The clips of a chunk, with `steps` grid frames each. -> frames uint8 [n,224,224] of all, dict of arrays."""
    seeds = range(chunk * CLIPS, (chunk + 1) * CLIPS)
    clips = [composer.clip(seed, steps=steps, min_hand=0.25 if seed < EASY else 0.1) for seed in seeds]
    counts = np.array([len(c["frames"]) for c in clips])
    meta = {name: np.stack([c[name] for c in clips]) for name in ("index", "label", "ignore", "rate")}
    meta |= {"first": np.cumsum(counts) - counts, "counts": counts, "aux": np.concatenate([c["aux"] for c in clips])}
    return np.concatenate([c["frames"] for c in clips]), meta


def composing(bank, split, slow):
    """A function that composes a chunk: clips of cameras of all rates, or shorter clips of cameras that are only as fast as needed."""
    composer = Composer(bank, split, sources=SLOW if slow else SOURCES)
    return functools.partial(compose, composer, steps=SLOW_STEPS if slow else STEPS)


def write(compose, folder, chunk):
    frames, meta = compose(chunk)
    base = path(folder, chunk)
    np.savez(base.with_suffix(".tmp.npz"), **meta)
    np.save(base.with_suffix(".tmp.npy"), frames)
    os.replace(base.with_suffix(".tmp.npz"), base.with_suffix(".npz"))
    os.replace(base.with_suffix(".tmp.npy"), base.with_suffix(".npy"))


def read(folder, chunk, sampling_weights=None, soft_targets=None):
    """-> (frames uint8 memmap [n,224,224], dict of arrays, including the frames' sampling weights and the clips' soft targets if their folders are
    given), or None if the chunk does not exist."""
    base = path(folder, chunk)
    if not base.with_suffix(".npy").exists():
        return None
    meta = dict(np.load(base.with_suffix(".npz")))
    visible.settle_chunk(meta)
    if sampling_weights:
        weight = np.load(sampling_weights_path(sampling_weights, chunk)).astype(np.float64)
        meta["sampling_weights"] = weight / weight.sum()
    if soft_targets:
        meta["soft_targets"] = np.load(soft_targets_path(soft_targets, chunk))
    frames = np.load(base.with_suffix(".npy"), mmap_mode="r")
    # Drawing single frames at random would wait for the disk each time: start reading ahead in the background.
    frames._mmap.madvise(mmap.MADV_WILLNEED)
    return frames, meta


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bank", type=pathlib.Path)
    parser.add_argument("cache", type=pathlib.Path)
    parser.add_argument("--split", choices=("train", "test"), default="train")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=100, help="chunks to compose")
    parser.add_argument("--slow", action="store_true", help="shorter clips of slower cameras: twice as many from the same number of pictures")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    compose = composing(args.bank, args.split, args.slow)
    args.cache.mkdir(parents=True, exist_ok=True)
    for chunk in range(args.first, args.first + args.count):
        if not path(args.cache, chunk).with_suffix(".npy").exists():
            write(compose, args.cache, chunk)


if __name__ == "__main__":
    main()
