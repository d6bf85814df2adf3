"""Composes clips of two gestures that the shipped network does not know: a hand that follows recorded circles of a fingertip.

`python -m gesturetrain.circles BANK TRACES OUT --split train --count 60 --seed 1` writes OUT/circleClockwise, OUT/circleCounterclockwise and
OUT/null, each with videos at 30 Hz and their label JSON files.

TRACES is `point_history.csv` of Kazuhito00/hand-gesture-recognition-using-mediapipe (Apache-2.0): rows of a label (0 stop, 1 clockwise, 2
counterclockwise, 3 move) and 16 fingertip positions relative to the first, in shares of a 16:9 frame, one per frame. Rows are successive windows of
one recording, so they are joined to the original traces; the last quarter of each label's points is `test`, the second before it is in neither split.

A circle is labelled from a third of its first turn until the trace ends; before that it is null and undecidable. Its direction is that in the stored
frame, so a mirrored clip shows the other. Circles are drawn with a radius of 0.08 to 0.2 of the frame's width: the small ones in other timelines
(`script.Track`, at most 0.06) stay null. The clips in OUT/null follow the recording's other movements, or draw small circles, with the same hands.
"""

import argparse
import json
import pathlib

import cv2
import numpy as np

from common.labels import LABELS, NULL

from .compose import Composer, describe, write_video
from .script import FAST_POINT, TICK, Track

RATE = 30
SIZE = (320, 240)
CIRCLES = {"circleClockwise": 1, "circleCounterclockwise": 2}  # the recording's labels
MOVE = 3
NAMES = (*LABELS, *CIRCLES)
RADIUS = (0.08, 0.2)
TEST_SHARE, GAP = 0.25, 30  # of a label's points; points between the splits
PICTURE = np.array([960.0, 540.0])  # of the recording, in pixels
FURTHEST = 0.1  # of the frame's width: a larger step between two frames is a zero that the recording has for a lost hand
SHORTEST = 16  # points of a trace
SEAM = 3  # positions that successive rows must share to be joined


def traces(path):
    """-> {label: list of float arrays [n,2], in pixels of the recording, y down}."""
    rows = np.loadtxt(path, delimiter=",", dtype=np.float64, ndmin=2)
    labels, points = rows[:, 0].astype(int), rows[:, 1:].reshape(len(rows), -1, 2) * PICTURE
    out, previous, before = {}, None, None
    for label, window in zip(labels, points):
        shift = _shift(previous, window) if previous is not None and label == before else None
        parts = out.setdefault(label, [])
        if shift is None:
            parts.append(window)
        else:
            seam = parts[-1][len(parts[-1]) - len(window) + shift]
            parts[-1] = np.concatenate([parts[-1], window[-shift:] - window[0] + seam])
        previous, before = window, label
    return {label: [piece for part in parts for piece in _steady(part)] for label, parts in out.items()}


def _steady(trace):
    """The parts of a trace between jumps."""
    jumps = np.flatnonzero(np.hypot(*np.diff(trace, axis=0).T) > FURTHEST * PICTURE[0]) + 1
    return [p for p in np.split(trace, jumps) if len(p) >= SHORTEST]


def _shift(a, b):
    """The number of frames by which window b follows a; None if they do not overlap."""
    for shift in range(1, len(a) - SEAM + 1):
        if np.abs((a[shift:] - a[shift]) - (b[:-shift] - b[0])).max() < 0.5:
            return shift
    return None


def split(parts, name):
    """The traces of one label that belong to a split, cut at its borders."""
    ends = np.cumsum([len(p) for p in parts])
    border = int((1 - TEST_SHARE) * ends[-1])
    low, high = (border + GAP, ends[-1]) if name == "test" else (0, border)
    out = [p[max(low - end + len(p), 0):max(high - end + len(p), 0)] for p, end in zip(parts, ends)]
    return [p for p in out if len(p) >= SHORTEST]


def turns(trace):
    """Turns of the direction of movement at each point, clockwise as seen in the frame. [n,2] -> [n]."""
    step = np.gradient(trace, axis=0)
    kernel = np.ones(3) / 3
    smooth = np.stack([np.convolve(np.pad(c, 1, "edge"), kernel, "valid") for c in step.T], 1)
    angle = np.unwrap(np.arctan2(smooth[:, 1], smooth[:, 0]))
    return (angle - angle[0]) / (2 * np.pi)


def radius(trace):
    """Mean radius in pixels: the length of the path over its total turning angle."""
    return np.hypot(*np.diff(trace, axis=0).T).sum() / max(abs(2 * np.pi * turns(trace)[-1]), 1e-6)


def cut(rng, parts, wanted):
    """A part of one of the traces with `wanted` turns, or with fewer if it is too short, at least 1.2."""
    parts = [p for p in parts if abs(turns(p)[-1]) >= 1.2]
    length = np.array([len(p) for p in parts], float)
    trace = parts[rng.choice(len(parts), p=length / length.sum())]
    done = np.abs(turns(trace))
    first = rng.integers(0, np.flatnonzero(done <= done[-1] - min(wanted, done[-1]) + 1e-9)[-1] + 1)
    last = np.flatnonzero(done >= done[first] + wanted)
    return trace[first:(last[0] + 1 if len(last) else None)]


class TracedTrack(Track):
    """A timeline with movements that follow recorded traces."""

    def follow(self, name, path, seconds):
        """The palm moves along path [n,2], in shares of the frame and relative to its first point, in a pose."""
        n = int(seconds * TICK)
        at = np.linspace(0, len(path) - 1, n)
        x, y = (np.interp(at, np.arange(len(path)), axis) for axis in path.T)
        sprite, pose, openness = self._pose(name)
        turning = self.swing * 0.3 * (x - x[0])
        self._add(n, self.x + x + self._tremor(n), self.y + y + self._tremor(n), self.size, self.roll + turning, sprite,
                  NULL, False, pose, openness)

    def circle(self, label, pose, path, seconds, third):
        """As `follow`; the label begins at the share `third` of the time."""
        begin = self.ticks
        self.follow(pose, path, seconds)
        start = begin + int(third * (self.ticks - begin))
        self._overwrite("label", NAMES.index(label), start, self.ticks)
        self._overwrite("ignore", True, begin, start + int(0.03 * TICK))

    def start(self, pose, x, y):
        """Moves to (x, y): from outside the frame, or from nearby."""
        rng = self.rng
        kind = rng.random()
        self.x, self.y = x, y
        if kind < 0.3:
            self.hidden(rng.uniform(0.2, 0.6))
        elif kind < 0.6:
            self.x, self.y = x + rng.normal(0, 0.08), 1.25
            self.move(x, y, rng.uniform(0.5, 0.9), self.pick("relaxed", pose))
        else:
            self.x, self.y = x + rng.normal(0, 0.08), y + rng.uniform(0, 0.12)
            self.hold(self.pick("relaxed", pose, pose), rng.uniform(0.2, 0.6))
            self.move(x, y, rng.uniform(0.3, 0.6), pose)
        if rng.random() < 0.5:
            self.hold(pose, rng.uniform(0.05, 0.5))

    def leave(self, pose):
        """Rests, relaxes or leaves."""
        rng = self.rng
        kind = rng.random()
        if kind < 0.4:
            self.hold(pose, rng.uniform(0.2, 0.8))
        if kind < 0.8:
            self.move(self.x + rng.normal(0, 0.05), self.y + rng.uniform(0.05, 0.15), rng.uniform(0.4, 0.8), self.pick("relaxed", "fist"))
        else:
            self.move(self.x + rng.normal(0, 0.1), 1.3, rng.uniform(0.5, 0.9), self.pick("relaxed", "fist"))
        self.hidden(rng.uniform(0.2, 0.6)) if rng.random() < 0.5 else self.hold(self.pick("relaxed", "fist"), rng.uniform(0.3, 0.7))


class Circles:
    """Composes circle clips of one split of hands and traces."""

    def __init__(self, composer, path):
        recorded = traces(path)
        self.composer = composer
        self.parts = {name: split(recorded[label], composer.split) for name, label in CIRCLES.items()}
        self.moves = split(recorded[MOVE], composer.split)

    def clip(self, wanted, seed):
        """-> the result of Composer.clip, with the label `wanted` or only null and resting poses."""
        rng = np.random.default_rng([11, self.composer.split == "test", NAMES.index(wanted), seed])
        pose = "point" if rng.random() < 0.8 else "open"
        actor = self.composer.actor(rng, {"point": "point", "open": "openPalm"}[pose])
        size = float(np.exp(rng.uniform(np.log(0.18), np.log(0.5))))
        track = TracedTrack(rng, actor, RATE, size)
        pace = np.exp(rng.uniform(np.log(0.75), np.log(1.2)))
        aspect = np.array([1.0, SIZE[0] / SIZE[1]])  # y in shares of the height
        if wanted == "null" and rng.random() < 0.5:
            track.start(pose, *rng.uniform(0.3, 0.7, 2))
            track._circle()
        elif wanted == "null":
            trace = self.moves[rng.integers(len(self.moves))][:60]
            fastest = np.hypot(*np.diff(trace, axis=0).T).max() / PICTURE[0] * RATE * pace
            path = (trace - trace[0]) / PICTURE[0] * min(1.5, 0.8 * FAST_POINT / max(fastest, 1e-3)) * aspect
            track.start("point" if "point" in actor["poses"] else pose, *rng.uniform(0.3, 0.7, 2))
            track.follow("point" if "point" in actor["poses"] else "fist" if "fist" in actor["poses"] else pose, path,
                         len(path) / RATE / pace)
        else:
            trace = cut(rng, self.parts[wanted], rng.uniform(1.3, 3.5))
            drawn = np.exp(rng.uniform(*np.log(RADIUS)))
            path = (trace - trace[0]) * (drawn / radius(trace)) * aspect
            low, high = path.min(0), path.max(0)
            x, y = np.clip(rng.uniform(0.35, 0.65, 2) - (low + high) / 2, 0.06 - low, np.maximum(0.94 - high, 0.06 - low))
            done = np.abs(turns(trace))
            track.start(pose, x, y)
            track.circle(wanted, pose, path, len(path) / RATE / pace, float(np.argmax(done >= 1 / 3)) / len(path))
        track.leave(pose)
        lines = track.finish()
        steps = int(len(lines["x"]) / TICK * RATE)
        return self.composer.film(rng, lines, RATE, float(rng.choice([RATE, RATE, RATE, rng.uniform(20, 30)])), 0.0, steps, SIZE,
                                  True, actor["identity"], names=NAMES)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bank", type=pathlib.Path)
    parser.add_argument("traces", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--split", choices=("train", "test"), default="train")
    parser.add_argument("--count", type=int, default=60, help="clips of each circle; null gets half as many")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first clip; the others follow")
    parser.add_argument("--crf", type=int, default=18)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    circles = Circles(Composer(args.bank, args.split), args.traces)
    for wanted in (*CIRCLES, "null"):
        folder = args.out / wanted
        folder.mkdir(parents=True, exist_ok=True)
        for k in range(args.count // 2 if wanted == "null" else args.count):
            clip = circles.clip(wanted, args.seed + k)
            name = folder / f"{wanted}-{args.split}-{k:03d}-{RATE}"
            write_video(name.with_suffix(".mp4"), clip["frames"][clip["index"]], RATE, args.crf)
            name.with_suffix(".json").write_text(json.dumps(describe(clip, args.seed + k, args.split), indent=1))


if __name__ == "__main__":
    main()
