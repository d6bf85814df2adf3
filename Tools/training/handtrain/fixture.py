"""Landmarks with their expected quantised columns, for other implementations of `features`: `python -m handtrain.fixture TRACKED FOLDER`.

TRACKED/emre and TRACKED/handy: output of `handtrain.track`, as for `handtrain.skeletons`. FOLDER/hand-features.safetensors: landmarks float32
[N,21,3], right float32 [N], aspect float32 [N], codes uint8 [N,128], without arms. Contains recorded hands, no hand, points that are all equal, hands far outside
the frame, landmarks that are not finite, and mirrored and degenerate ones.

`python -m handtrain.fixture --bank BANK.npz` writes a bank of the recorded hands in the tests' fixture, in the format of `handtrain.skeletons`:
enough to run training, not to learn from.

`python -m handtrain.fixture --motion FOLDER` writes FOLDER/motion.safetensors: synthetic frame sequences with the expected results of `motion`. A
sequence NAME has NAME.pictures uint8 [N,H,W], NAME.times int64 [N] in nanoseconds, NAME.hands float32 [N,3] (x, y and size; nan without a hand),
NAME.numbers float32 [N,12], NAME.codes uint8 [N,12]; picture and grid are one frame with odd sides and its cells.

`python -m handtrain.fixture --arms FOLDER` writes FOLDER/arms.safetensors: bodies in motion with the expected results of `arms`: times int64 [N] in
nanoseconds, looked and found uint8 [N], points float32 [N,33,3] (x, y, visibility), hands float32 [N,3] (wrist x and y, size; nan without a hand),
aspect float32 [1], codes uint8 [N,27]; and of its Schedule: moves uint8 [N], looks uint8 [N].
"""

import argparse
import pathlib

import numpy as np
from safetensors.numpy import load_file, save_file

from . import arms, features, motion, skeletons

NAME = "hand-features.safetensors"
PATH = pathlib.Path(__file__).resolve().parents[1] / "tests" / NAME
MOTION, ARMS = PATH.with_name("motion.safetensors"), PATH.with_name("arms.safetensors")


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
    low, gain = (v[features.POSED:features.MOVED] for v in (features.LOW, features.GAIN))
    return numbers, np.rint(np.clip((numbers - low) * gain, 0, 255)).astype(np.uint8)


def motion_cases():
    out = {}
    for name, (pictures, times, hands) in sequences().items():
        numbers, codes = moving(pictures, times, hands)
        out |= {f"{name}.pictures": pictures, f"{name}.times": times, f"{name}.hands": hands, f"{name}.numbers": numbers, f"{name}.codes": codes}
    odd = np.random.default_rng(3).integers(0, 256, (83, 131), np.uint8)
    return out | {"picture": odd, "grid": motion.grid(odd).astype(np.uint16)}


def arm_cases():
    """-> dict of arrays as described at the top of this module."""
    rng, n, aspect = np.random.default_rng(13), 150, 16 / 9
    times = (np.arange(n) * 33_333_333 + rng.integers(0, 4_000_000, n)).astype(np.int64)
    t = np.arange(n) / 30
    points = np.zeros((n, 33, 3), np.float32)
    place = {0: (0.5, 0.25), 11: (0.6, 0.45), 12: (0.4, 0.45), 13: (0.66, 0.7), 14: (0.34, 0.7), 15: (0.64, 0.55), 16: (0.36, 0.95)}
    for k, at in place.items():
        points[:, k, :2] = np.array(at) + 0.01 * rng.standard_normal((n, 2))
        points[:, k, 2] = rng.uniform(0.6, 1, n)
    # One wrist strokes across, then the other goes up from below the edge and down again.
    points[:, 15, 0] -= 0.35 * np.clip((t - 1) / 0.4, 0, 1) - 0.3 * np.clip((t - 2) / 0.5, 0, 1)
    points[:, 16, 1] += 0.2 - 0.7 * np.clip((t - 3) / 0.4, 0, 1) + 0.5 * np.clip((t - 4.2) / 0.3, 0, 1)
    for k in (15, 16):
        for knuckle in (k + 2, k + 4):
            points[:, knuckle, :2] = points[:, k, :2] + [0.01 * (knuckle - k), -0.05]
    hands = np.full((n, 3), np.nan, np.float32)
    hands[:35] = hands[50:70] = [0, 0, 0.05]
    hands[:35, :2], hands[50:70, :2] = points[:35, 15, :2] + 0.01, points[50:70, 15, :2] - 0.01
    hands[140:] = [0.9, 0.9, 0.05]  # of another person
    looked = rng.random(n) < 0.7
    looked[:3] = False
    found = looked & (rng.random(n) < 0.97)
    points[20, 15, 0] = np.nan
    points[75:80, 11:13, 2] = 0.2
    points[120:124, :, :2] = 0.5 + 0.02 * points[120:124, :, :2]
    watch, plan, codes, looks = arms.Arms(), arms.Schedule(), [], []
    moves = rng.random(n) < 0.6
    for k in range(n):
        hand = None if np.isnan(hands[k, 0]) else tuple(float(v) for v in hands[k])
        row = watch.see(times[k] / 1e9, aspect, bool(looked[k]), points[k] if found[k] else None, hand)
        codes.append(features.code(row, slice(features.MOVED, features.USED)))
        looks.append(plan.looks(times[k] / 1e9, bool(moves[k]), hand and (hand[0] * aspect, hand[1], hand[2])))
    return {"times": times, "looked": looked.astype(np.uint8), "found": found.astype(np.uint8), "points": points, "hands": hands,
            "aspect": np.array([aspect], np.float32), "codes": np.stack(codes), "moves": moves.astype(np.uint8), "looks": np.array(looks, np.uint8)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tracked", type=pathlib.Path, nargs="?")
    parser.add_argument("folder", type=pathlib.Path, nargs="?")
    parser.add_argument("--bank", type=pathlib.Path)
    parser.add_argument("--motion", type=pathlib.Path)
    parser.add_argument("--arms", type=pathlib.Path)
    args = parser.parse_args()
    if args.motion:
        save_file(motion_cases(), args.motion / MOTION.name)
        return
    if args.arms:
        save_file(arm_cases(), args.arms / ARMS.name)
        return
    if args.bank:
        np.savez_compressed(args.bank, **bank())
        return
    if args.folder is None:
        parser.error("give TRACKED and FOLDER, --bank BANK.npz, --motion FOLDER, or --arms FOLDER")
    landmarks, right, aspect = cases(args.tracked)
    codes = features.codes(landmarks, right, aspect)
    save_file({"landmarks": landmarks, "right": right, "aspect": aspect, "codes": codes}, args.folder / NAME)
    print(f"{len(codes)} frames, {(codes[:, 0] == 0).sum()} without a hand")


if __name__ == "__main__":
    main()
