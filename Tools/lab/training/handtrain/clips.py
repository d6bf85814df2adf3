"""Clips in the head's input format: `python -m handtrain.clips BANK OUTPUT.npz --count N [--seed S] [--held-out] [--null] [--jobs J]`.

OUTPUT: codes uint8 [N,T,128], label int8 [N,T], also int16 [N,T]: a bit for each correct class.
"""

import argparse
import multiprocessing
import pathlib

import numpy as np

from common.labels import LABELS, NULL

from . import camera, features, poses, scene, script

SECONDS = 4.6
STROKES = {LABELS.index(n) for n in ("swipeLeft", "swipeRight", "swipeUp", "swipeDown")}
STATIC = {LABELS.index(n) for n in ("point", "openPalm", "thumbsUp", "thumbsDown")}


def decidable(label, also, seen, fresh):
    """The classes that are correct given what was seen. If a label depends on unseen frames, null is correct, too: for static poses without a hand,
    and for strokes that were mostly unseen.

    fresh: whether a slot has its own frame.
    """
    also, null = also.copy(), 1 << NULL
    edges = np.flatnonzero(np.diff(np.concatenate([[NULL], label, [NULL]])) != 0)
    for a, b in zip(edges[:-1], edges[1:]):
        if label[a] == NULL:
            continue
        if label[a] in STATIC:
            # A pose counts if it has been in view for a fifth of a second.
            for t in range(a, b):
                if not seen[t] or seen[max(0, t - 6):t + 1].mean() < 0.7:
                    also[t] |= null
            continue
        # The frame's motion shows a stroke whose hand is lost; finger movements must be seen.
        least = 0.25 if label[a] in STROKES else 0.5
        if seen[max(0, a - 4):b].mean() < least or (seen & fresh)[max(0, a - 4):b].sum() < 2:
            also[a:b] |= null
    return also


PALM = 2
SEEN, UNSEEN = 0.42, 0.12
SCORED = {LABELS.index(label): place for label, place in (("openPalm", PALM), ("thumbsDown", 4), ("thumbsUp", 5))}  # `poses.scores`


def agreed(label, also, scores):
    """Where MediaPipe's pose networks do not see a palm or thumb, null is correct, too: they judge these poses better than the script, and a column
    contains their scores.

    label, also [T], scores [T,8]; the mean of the last fifth of a second counts. The script's label stays if it is above SEEN; a thumb below UNSEEN
    becomes null.
    """
    label, also, null = label.copy(), also.copy(), 1 << NULL
    sums = np.concatenate([np.zeros((1, scores.shape[1])), np.cumsum(scores, 0)])
    t = np.arange(len(label))
    first = np.maximum(t - 5, 0)
    for name, place in SCORED.items():
        mean = (sums[t + 1, place] - sums[first, place]) / (t + 1 - first)
        said = also >> name & 1 == 1
        also[said & (mean < SEEN)] |= null
        if place != PALM:
            gone = said & (mean < UNSEEN)
            label[gone & (label == name)] = NULL
            also[gone] &= ~(1 << name)
    return label, also


def make(seed, shapes, seconds=SECONDS, wanted=None, null_share=0.5):
    rng = np.random.default_rng(seed)
    clip, _ = script.write(rng, shapes, seconds, wanted, null_share)
    sway = scene.swaying(rng, clip)
    # A swaying camera moves everything in the frame.
    swayed = clip["points"].copy()
    swayed[..., :2] += (sway * [clip["aspect"], 1])[:, None]
    shown = camera.film(rng, clip | {"points": swayed}, seconds, shapes)
    scores = poses.of_seen(shown["landmarks"], shown["aspect"])
    moved = scene.moves(rng, clip, shown, sway)
    codes = features.codes(shown["landmarks"], shown["right"], shown["aspect"], poses=scores, motion=moved)
    also = decidable(shown["label"], shown["also"], shown["seen"], shown["fresh"])
    label, also = agreed(shown["label"], also, scores)
    if rng.random() < 0.12:
        # A stream that begins with a repeated frame, as a recording does before its first.
        k = int(rng.integers(10, 45))
        codes[:k] = codes[k]
        also[:k + 2] = script.ANY
    return codes, label.astype(np.int8), also.astype(np.int16)


def _some(job):
    bank, held_out, seeds, seconds, null = job
    shapes = script.Shapes(dict(np.load(bank)), held_out)
    names = [n for n in LABELS if n != "null"]
    rows = [make(s, shapes, seconds, "null" if null else names[s % len(names)] if s % 5 else "null", 0.5) for s in seeds]
    return [np.stack(x) for x in zip(*rows)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bank", type=pathlib.Path)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=12000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--null", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    first = args.seed * 10_000_000
    jobs = [(args.bank, args.held_out, range(a, min(a + 250, first + args.count)), args.seconds, args.null)
            for a in range(first, first + args.count, 250)]
    with multiprocessing.Pool(args.jobs) as pool:
        parts = pool.map(_some, jobs, chunksize=1)
    codes, label, also = (np.concatenate(x) for x in zip(*parts))
    np.savez(args.output, codes=codes, label=label, also=also)
    sure = also == 1 << label.astype(np.int16)
    share = np.bincount(label[sure], minlength=len(LABELS)) / sure.sum()
    print(f"{len(codes)} clips, not decidable {1 - sure.mean():.3f}, no hand {(codes[..., 0] == 0).mean():.3f}: "
          + ", ".join(f"{n} {s:.3f}" for n, s in zip(LABELS, share)))


if __name__ == "__main__":
    main()
