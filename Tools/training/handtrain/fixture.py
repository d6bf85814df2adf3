"""Landmarks with the codes expected of them, for other implementations of `features`: `python -m handtrain.fixture TRACKED FOLDER`.

TRACKED/emre and TRACKED/handy: what `handtrain.track` wrote, as for `handtrain.skeletons`. FOLDER/hand-features.safetensors: landmarks float32 [N,21,3], right float32 [N], aspect float32 [N],
codes uint8 [N,128]. Recorded hands, none, points that are all equal, hands far outside of the frame, landmarks that are not finite,
mirrored and degenerate ones.

`python -m handtrain.fixture --bank BANK.npz` writes a bank of the recorded hands in the tests' fixture, as `handtrain.skeletons` writes
one of the sources: enough for motion, not for learning.
"""

import argparse
import pathlib

import numpy as np
from safetensors.numpy import load_file, save_file

from . import features, skeletons

NAME = "hand-features.safetensors"
PATH = pathlib.Path(__file__).resolve().parents[1] / "tests" / NAME


def cases(tracked):
    rng = np.random.default_rng(7)
    rows = []
    for path in sorted(p for folder in ("emre", "handy") for p in (tracked / folder).glob("*.npz")):
        said = np.load(path)
        at = np.flatnonzero(np.isfinite(said["landmarks"][:, 0, 0]))
        for k in at[:: max(len(at) // 8, 1)][:8]:
            rows.append((said["landmarks"][k], said["right"][k], float(said["aspect"])))
    real = [rows[k] for k in rng.permutation(len(rows))[:140]]
    out = list(real)
    for p, right, aspect in real[:20]:
        q = p.copy()
        q[:, 0] = 1 - q[:, 0]
        out.append((q, 1 - right, aspect))
    for k, (p, right, aspect) in enumerate(real[20:40]):
        out.append((p * np.float32(10.0 ** (k % 5 - 2)) + np.float32(k - 10), right, aspect))
    nothing = np.full((21, 3), np.nan, np.float32)
    out += [(nothing, 0.5, 4 / 3), (np.where(np.arange(63).reshape(21, 3) == 40, np.inf, real[0][0]), 0.9, 4 / 3)]
    for value in (0.0, 0.5, 1.0, -3.0, 1e6, 1e-30):
        out.append((np.full((21, 3), value, np.float32), 0.5, 16 / 9))
    line = np.zeros((21, 3), np.float32)
    line[:, 0] = np.linspace(0.2, 0.8, 21)
    out += [(line, 0.0, 4 / 3), (line[:, [1, 0, 2]], 1.0, 4 / 3), (line[:, [1, 2, 0]], 1.0, 0.75), (line * np.float32(1e20), 1.0, 1.0)]
    for _ in range(10):
        out.append((rng.uniform(-0.5, 1.5, (21, 3)).astype(np.float32), np.float32(rng.random()), float(rng.choice([4 / 3, 16 / 9, 0.75, 1.0]))))
    return [np.stack([np.asarray(r[k], np.float32) for r in out]) for k in range(3)]


def bank():
    """-> dict of arrays as `handtrain.skeletons` writes them, of the first 60 hands of the tests' fixture under every name."""
    cases = load_file(PATH)
    seen = cases["codes"][:, 0] == 255
    points = cases["landmarks"][seen][:60].astype(np.float64)
    points[..., [0, 2]] *= cases["aspect"][seen][:60, None, None]
    bones, view, roll = skeletons.split(points)
    names = ("open", "four", "point", "three", "two", "ring", "ok", "fist", "thumb", "shaka", "horns")
    motion = np.stack([np.linspace(bones[k], bones[k + 1], 48) for k in range(4)])
    return {"bones": bones, "view": view, "roll": roll, "name": np.array([names[k % len(names)] for k in range(60)]),
            "source": np.array(["fixture"] * 60), "held_out": np.zeros(60, bool), "motion": motion, "motion_view": view[:4],
            "motion_name": np.array(["grab", "grab", "pinch", "pinch"]), "motion_seconds": np.full(4, 0.4), "motion_held_out": np.zeros(4, bool)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tracked", type=pathlib.Path, nargs="?")
    parser.add_argument("folder", type=pathlib.Path, nargs="?")
    parser.add_argument("--bank", type=pathlib.Path)
    args = parser.parse_args()
    if args.bank:
        np.savez_compressed(args.bank, **bank())
        return
    if args.folder is None:
        parser.error("TRACKED FOLDER, or --bank BANK.npz")
    landmarks, right, aspect = cases(args.tracked)
    codes = features.codes(landmarks, right, aspect)
    save_file({"landmarks": landmarks, "right": right, "aspect": aspect, "codes": codes}, args.folder / NAME)
    print(f"{len(codes)} frames, {(codes[:, 0] == 0).sum()} without a hand")


if __name__ == "__main__":
    main()
