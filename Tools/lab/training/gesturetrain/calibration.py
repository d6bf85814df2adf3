"""Frames for int8 calibration: a fixed sample of a training cache, balanced over labels and light.

`python -m gesturetrain.calibration CACHE OUT.npy [--count 512]` writes uint8 [count,224,224].
"""

import argparse
import pathlib

import numpy as np

from common.labels import CLASSES

from . import cache


def draw(folder, count, seed=0):
    """At most one frame per clip; labels alternate, and within a label darker and brighter frames alternate."""
    rng = np.random.default_rng(seed)
    pool = [[] for _ in range(CLASSES)]
    for path in sorted(pathlib.Path(folder).glob("chunk-*.npy")):
        frames, meta = cache.read(folder, int(path.stem[6:]))
        for clip in range(len(meta["first"])):
            step = int(rng.integers(meta["index"].shape[1]))
            frame = np.array(frames[meta["first"][clip] + meta["index"][clip, step]])
            label = int(meta["label"][clip, step])
            if len(pool[label]) < count // 4:
                pool[label].append(frame)
    for k, frames in enumerate(pool):
        frames.sort(key=lambda f: float(f.mean()))
        half = len(frames) // 2
        pool[k] = [f for pair in zip(frames[:half], frames[half:2 * half]) for f in pair]
    out, turn = [], 0
    while len(out) < count and any(pool):
        if pool[turn % CLASSES]:
            out.append(pool[turn % CLASSES].pop(0))
        turn += 1
    return np.stack(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cache", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=512)
    args = parser.parse_args()
    frames = draw(args.cache, args.count)
    np.save(args.out, frames)
    print(f"{frames.shape}, mean {frames.mean():.1f}")


if __name__ == "__main__":
    main()
