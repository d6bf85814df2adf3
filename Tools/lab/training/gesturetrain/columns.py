"""Composed clips as feature columns: the training data of the temporal layers, computed by the engine itself.

`python -m gesturetrain.columns BANK MODEL OUT --first 1000 --count 400` composes the missing chunks of clips, each clip as it is and mirrored,
encodes them with `gesture-bench infer --columns` and MODEL, and stores only the columns: a thousandth of the frames' size, and fifteen times as fast
as PyTorch on the same core. With --randomised each clip and its mirror image are first bent, shaded and focused, each in its own way
(`crops.randomise`).
"""

import argparse
import os
import pathlib
import subprocess
import tempfile

import cv2
import numpy as np

from common.labels import MIRRORED

from . import cache, crops
from .network import WINDOW

BENCH = pathlib.Path(__file__).resolve().parents[4] / ".build" / "release" / "gesture-bench"


def encode(frames, model, bench=BENCH):
    """uint8 [n,224,224] -> float16 [n,128]."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        source, out = pathlib.Path(folder, "frames.npy"), pathlib.Path(folder, "columns.npy")
        np.save(source, frames)
        subprocess.run([bench, "infer", "--model", model, "--frames", source, "--output", out, "--columns"],
                       check=True, stdout=subprocess.DEVNULL)
        return np.load(out).astype(np.float16)


def path(folder, chunk):
    return pathlib.Path(folder) / f"columns-{chunk:05d}.npz"


def randomise(frames, meta, rng):
    """The frames of a chunk, with the same random changes for all frames of a clip."""
    frames = frames.copy()
    for first, count in zip(meta["first"], meta["counts"], strict=True):
        clip = slice(first, first + count)
        crops.randomise(frames[clip], meta["aux"][clip].copy(), rng)
    return frames


def write(compose, folder, chunk, model, bench=BENCH, composed=None, randomised=False):
    """Encodes one chunk of clips, from the cache `composed` if it exists there, else from `compose(chunk)`."""
    frames, meta = (composed and cache.read(composed, chunk)) or compose(chunk)
    where, label, ignore = meta["first"][:, None] + meta["index"], meta["label"], meta["ignore"]
    columns = []
    for flipped in (False, True):
        part = randomise(frames, meta, np.random.default_rng([chunk, flipped])) if randomised else frames
        columns.append(encode(np.ascontiguousarray(part[:, :, ::-1]) if flipped else part, model, bench)[where])
    part = path(folder, chunk).with_suffix(".tmp.npz")
    np.savez(part, columns=np.concatenate(columns), label=np.concatenate([label, np.array(MIRRORED)[label]]),
             ignore=np.concatenate([ignore, ignore]), rate=np.tile(meta["rate"], 2))
    os.replace(part, path(folder, chunk))


def cut(array, steps):
    """[N,T,...] -> [M,steps,...]: a longer clip becomes several, so that each of its windows is in at least one of them."""
    last = array.shape[1] - steps
    return np.concatenate([array[:, at:at + steps] for at in (*range(0, last, steps - WINDOW + 1), last)])


def read(folder, part=0, parts=1):
    """-> columns float16 [N,T,128], label [N,T], ignore [N,T] of a folder's clips and their mirror images, or of a part of them; T is the length of
    the shortest clip."""
    files = [np.load(p) for p in sorted(pathlib.Path(folder).glob("columns-?????.npz"))[part::parts]]
    steps = min(f["label"].shape[1] for f in files)
    return [np.concatenate([cut(f[name], steps) for f in files]) for name in ("columns", "label", "ignore")]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bank", type=pathlib.Path)
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--split", choices=("train", "test"), default="train")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=100, help="chunks to encode")
    parser.add_argument("--bench", type=pathlib.Path, default=BENCH)
    parser.add_argument("--composed", type=pathlib.Path, help="cache whose chunks need no composing")
    parser.add_argument("--slow", action="store_true", help="shorter clips of slower cameras")
    parser.add_argument("--randomised", action="store_true", help="clips bent, shaded and focused")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    compose = cache.composing(args.bank, args.split, args.slow)
    args.out.mkdir(parents=True, exist_ok=True)
    for chunk in range(args.first, args.first + args.count):
        if not path(args.out, chunk).exists():
            write(compose, args.out, chunk, args.model, args.bench, args.composed, args.randomised)


if __name__ == "__main__":
    main()
