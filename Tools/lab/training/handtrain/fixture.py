"""Landmarks with their expected quantised columns, for other implementations of `features`: `python -m handtrain.fixture TRACKED FOLDER`.

TRACKED/emre and TRACKED/handy: output of `handtrain.track`, as for `handtrain.skeletons`. FOLDER/hand-features.safetensors: landmarks float32
[N,21,3], right float32 [N], aspect float32 [N], codes uint8 [N,128]. Contains recorded hands, no hand, points that are all equal, hands far outside
the frame, landmarks that are not finite, and mirrored and degenerate ones.

`python -m handtrain.fixture --bank BANK.npz` writes a bank of the recorded hands in the tests' fixture, in the format of `handtrain.skeletons`:
enough to run training, not to learn from.

`python -m handtrain.fixture --motion FOLDER` writes FOLDER/motion.safetensors: synthetic frame sequences with the expected results of `motion`. A
sequence NAME has NAME.pictures uint8 [N,H,W], NAME.times int64 [N] in nanoseconds, NAME.hands float32 [N,3] (x, y and size; nan without a hand),
NAME.numbers float32 [N,12], NAME.codes uint8 [N,12]; picture and grid are one frame with odd sides and its cells.
"""

import argparse
import pathlib

import numpy as np
from safetensors.numpy import load_file, save_file

from . import features, motion, skeletons

NAME = "hand-features.safetensors"
PATH = pathlib.Path(__file__).resolve().parents[1] / "tests" / NAME
MOTION = PATH.with_name("motion.safetensors")


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
    """-> dict of arrays in the format of `handtrain.skeletons`, of the first 60 hands of the tests' fixture under every name."""
    cases = load_file(PATH)
    seen = cases["codes"][:, 0] == 255
    points = cases["landmarks"][seen][:60].astype(np.float64)
    points[..., [0, 2]] *= cases["aspect"][seen][:60, None, None]
    bones, view, roll = skeletons.split(points)
    names = ("open", "four", "point", "three", "two", "ring", "ok", "fist", "thumb", "shaka", "horns")
    u = np.linspace(0, 1, 16)
    motion = np.stack([np.linspace(bones[k], bones[k + 1], 48) for k in range(4)])
    return {"bones": bones, "view": view, "roll": roll, "name": np.array([names[k % len(names)] for k in range(60)]),
            "source": np.array(["fixture"] * 60), "held_out": np.zeros(60, bool), "motion": motion, "motion_view": view[:4],
            "motion_name": np.array(["grab", "grab", "pinch", "pinch"]), "motion_seconds": np.full(4, 0.4), "motion_held_out": np.zeros(4, bool),
            "trace": np.stack([np.stack([u, 0.05 * np.sin(np.pi * u)], 1), np.stack([0.5 - 0.5 * np.cos(6.28 * u), 0.5 * np.sin(6.28 * u)], 1)]),
            "trace_name": np.array(["stroke", "drawing"]), "trace_weight": np.ones(2), "trace_held_out": np.zeros(2, bool)}


def texture(rng, waves):
    """-> a function of x and y, in pixels: a smooth pattern with values in -1...1."""
    directions = rng.uniform(-1, 1, (waves, 2)) * 0.9
    phases, sizes = rng.uniform(0, 2 * np.pi, waves), rng.uniform(0.3, 1, waves)

    def at(x, y):
        return sum(s * np.sin(x * u + y * v + p) for (u, v), p, s in zip(directions, phases, sizes)) / sizes.sum()

    return at


def sequences():
    """-> dict of name: (frames uint8 [N,H,W], times [N] in nanoseconds, hands [N,3])."""
    rng = np.random.default_rng(11)
    ground, block = texture(rng, 9), texture(rng, 6)

    def picture(width, height, shift=(0.0, 0.0), squares=(), noise=0.0, light=0.0):
        y, x = np.mgrid[0:height, 0:width].astype(float)
        out = 110 + light + 70 * ground(x - shift[0], y - shift[1])
        for left, top, side in squares:
            inside = (np.abs(x - left - side / 2) < side / 2) & (np.abs(y - top - side / 2) < side / 2)
            out = np.where(inside, 150 + 80 * block(x - left, y - top), out)
        return np.rint(np.clip(out + noise * rng.standard_normal(out.shape), 0, 255)).astype(np.uint8)

    nobody = (np.nan,) * 3
    out = {
        # A block crosses a still frame with changing light.
        "block": ([picture(72, 54, squares=[(4 + 5 * k, 12 + 2 * k, 14)], light=k) for k in range(9)], 33_333_333, [nobody] * 9),
        # The whole frame sways, with a block that moves differently, then stops.
        "sway": ([picture(72, 54, (1.7 * np.sin(k), 1.3 * np.cos(1.3 * k)), [(50 - 4 * k, 30, 9)]) for k in range(8)]
                 + [picture(72, 54, (1.7 * np.sin(7), 1.3 * np.cos(9.1)), [(22, 30, 9)])], 33_333_333, [nobody] * 9),
        "noise": ([picture(64, 48, noise=2.5) for _ in range(4)], 33_333_333, [nobody] * 4),
        "portrait": ([picture(40, 71, (0.8 * k, -0.6 * k), [(5 + 4 * k, 40 - 5 * k, 12)]) for k in range(7)], 16_666_667, [nobody] * 7),
    }
    # At 120 frames a second: a hand is seen, then too fast, then seen again; two frames are repeated, and one is much later.
    path = [(6, 8), (7, 8), (7, 8), (13, 10), (20, 13), (28, 17), (28, 17), (37, 20), (45, 22), (46, 22)]
    hands = [((x + 6) / 64, (y + 6) / 48, 0.09) if k < 3 or k > 8 else nobody for k, (x, y) in enumerate(path)]
    times = [8_333_333 * k + (400_000_000 if k == 9 else 0) for k in range(10)]
    out["hand"] = ([picture(64, 48, squares=[(x, y, 12)]) for x, y in path], times, hands)
    return {name: (np.stack(pictures), np.array(every if isinstance(every, list) else [every * k for k in range(len(hands))], np.int64),
                   np.array(hands, np.float32)) for name, (pictures, every, hands) in out.items()}


def moving(pictures, times, hands):
    """-> numbers float32 [N,12], codes uint8 [N,12]."""
    seen = motion.Motion()
    aspect = pictures.shape[2] / pictures.shape[1]
    numbers = np.stack([seen.see(motion.grid(p), t / 1e9, None if np.isnan(h[0]) else tuple(float(v) for v in h), aspect)
                        for p, t, h in zip(pictures, times, hands)])
    low, gain = features.LOW[-len(motion.NAMES):], features.GAIN[-len(motion.NAMES):]
    return numbers, np.rint(np.clip((numbers - low) * gain, 0, 255)).astype(np.uint8)


def motion_cases():
    out = {}
    for name, (pictures, times, hands) in sequences().items():
        numbers, codes = moving(pictures, times, hands)
        out |= {f"{name}.pictures": pictures, f"{name}.times": times, f"{name}.hands": hands, f"{name}.numbers": numbers, f"{name}.codes": codes}
    odd = np.random.default_rng(3).integers(0, 256, (83, 131), np.uint8)
    return out | {"picture": odd, "grid": motion.grid(odd).astype(np.uint16)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tracked", type=pathlib.Path, nargs="?")
    parser.add_argument("folder", type=pathlib.Path, nargs="?")
    parser.add_argument("--bank", type=pathlib.Path)
    parser.add_argument("--motion", type=pathlib.Path)
    args = parser.parse_args()
    if args.motion:
        save_file(motion_cases(), args.motion / MOTION.name)
        return
    if args.bank:
        np.savez_compressed(args.bank, **bank())
        return
    if args.folder is None:
        parser.error("give TRACKED and FOLDER, --bank BANK.npz, or --motion FOLDER")
    landmarks, right, aspect = cases(args.tracked)
    codes = features.codes(landmarks, right, aspect)
    save_file({"landmarks": landmarks, "right": right, "aspect": aspect, "codes": codes}, args.folder / NAME)
    print(f"{len(codes)} frames, {(codes[:, 0] == 0).sum()} without a hand")


if __name__ == "__main__":
    main()
