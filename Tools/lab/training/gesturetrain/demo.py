"""The demo clip: held-out hands over a generated room, at times with a composed person, without real faces, with its true events.

`python -m gesturetrain.demo BANK OUT.mp4 --seed S` writes OUT.mp4 and OUT.json. `--search N --weights W` tries the seeds S ... S+N-1, prints how many
gestures W recognises in each, and writes the best.
"""

import argparse
import json
import pathlib

import cv2
import numpy as np

from common.labels import LABELS, NULL

from .compose import Composer, describe, write_video
from .script import TICK, Track

GESTURES = 7  # of different classes
PHOTO = ("swipeLeft", "swipeRight", "swipeUp", "swipeDown", "openPalm", "tap")  # shown by real hands, the others by a mesh
SIZE = (480, 360)


def timeline(composer, rng, rate, size):
    """One hand after another: it enters from below, makes its gesture and leaves. -> arrays over ticks."""
    parts = []
    for label in rng.choice(LABELS[:NULL], GESTURES, replace=False):
        pool = [a for a in composer.by_label[label] if (a["source"] == "signdigits-218") == (label in PHOTO)]
        track = Track(rng, pool[rng.integers(len(pool))], rate, size * rng.uniform(0.85, 1.15))
        track.hidden(rng.uniform(0.15, 0.4))
        x, y = track.x, track.y
        track.y = 1.35
        track.move(x, y, rng.uniform(0.4, 0.55), track.pick("relaxed", "ring"))
        track.gesture(label)
        track.move(track.x, 1.4, rng.uniform(0.4, 0.6), track.pick("relaxed", "ring"))
        parts.append(track.finish())
    return {k: np.concatenate([p[k] for p in parts]) for k in parts[0]}


def make(composer, seed, rate):
    rng = np.random.default_rng([7, seed])
    track = timeline(composer, rng, rate, 0.5)
    steps = int(len(track["x"]) / TICK * rate)
    return composer.film(rng, track, rate, rate, 0.0, steps, SIZE, faces=False, identity="held-out hands", calm=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bank", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=int, default=60)
    parser.add_argument("--crf", type=int, default=27)
    parser.add_argument("--search", type=int, default=0)
    parser.add_argument("--weights", type=pathlib.Path)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    composer = Composer(args.bank, "test")
    seed = args.seed
    if args.search:
        seed = search(composer, args)
    clip = make(composer, seed, args.rate)
    write_video(args.out, clip["frames"][clip["index"]], args.rate, args.crf)
    args.out.with_suffix(".json").write_text(json.dumps(describe(clip, seed, "test"), indent=1) + "\n")
    print(f"seed {seed}: {len(clip['index']) / args.rate:.1f} s, events " + ", ".join(f"{n} {a:.2f}" for n, a, _ in clip["events"]))


def search(composer, args):
    """-> the seed whose clip the weights recognise best (fewest missed and false events)."""
    from common.recognise import events, match

    from .evaluate import SLACK, clip_logits, load

    net, best = load(args.weights), None
    for seed in range(args.seed, args.seed + args.search):
        clip = make(composer, seed, args.rate)
        frames = np.stack([cv2.resize(f, (224, 224), interpolation=cv2.INTER_LINEAR) for f in clip["frames"]])
        found = events(clip_logits(net, frames, args.rate, args.rate))
        truth = [[n, a * args.rate, b * args.rate] for n, a, b in clip["events"]]
        hit, false = match(found, truth, SLACK * args.rate)
        score = sum(hit) - len(hit) - len(false)
        print(f"seed {seed}: {sum(hit)}/{len(hit)} recognised, {len(false)} false", flush=True)
        if best is None or score > best[0]:
            best = (score, seed)
    return best[1]


if __name__ == "__main__":
    main()
