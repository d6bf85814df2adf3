"""Measures heads on recordings of people: `python -m handtrain.accuracy HEAD... --real FOLDER [--clips FOLDER] [--null VIDEO...] --cache FOLDER
[--rules M,B,C,E[,R[,O]]...] [--variants N] [--sweep] [--misses]`.

FOLDER of --real has a folder for each recording with its `truth.csv`, as for `gesture-bench accuracy`; found and false gestures are counted in the
same way. With --clips each file shows the gesture of its name once; recordings of --null show no gestures. Every recording is tracked once by
`gesture-bench hands --columns` and stored in --cache. Several heads are averaged by their logits.

A begin near its threshold depends on tiny errors of a landmark: two equivalent heads may differ by three gestures by chance. --variants prints the
mean of found and false gestures over N copies of the columns that differ as little as two trackers do; choose heads and rules by that.

--sweep prints found and false gestures for many rules, and a leave-one-person-out estimate: the rules chosen on all others, counted on that person.
"""

import argparse
import csv
import dataclasses
import functools
import itertools
import pathlib

import numpy as np

from common.labels import LABELS, WINDOW
from common.recognise import Rules, events, smooth, softmax

from . import features, poses, recordings
from .evaluate import together

EARLY, LATE = 5, 10  # frames before a gesture's start and after its end in which a begin counts
NOTHING = ("other", "null")
SEVERAL = {"hand": ("openPalm", "grab")}  # the gestures in kusanagi-fist's clip
GROUPS = ("real", "clips", "null")
NEVER = ("clockwise", "counterclockwise")


@dataclasses.dataclass(frozen=True)
class Clip:
    name: str
    group: str  # "real", "clips" or "null"
    codes: np.ndarray  # [T,128], 30 a second
    frame: np.ndarray  # [T] the frame of each column
    seconds: float
    truth: list  # [(first frame, last frame, label)]

    @property
    def person(self):
        return self.name.split("-")[0]

    @functools.cached_property
    def shown(self):
        """What the hand shows beside the network, for each column with logits, as arguments of `events`."""
        kept, ended = poses.kept_and_ended(self.codes)
        shown = dict(kept=kept, ended=ended, ruled_out=poses.ruled_out(self.codes))
        return {name: values[WINDOW - 1:] for name, values in shown.items()}


def on_grid(recording):
    """-> columns [T,128] of a recording on the 30 Hz grid, the frame of each, and its seconds."""
    frame, rate = recordings.columns(recording)[0], recording.rate
    return recording.codes[frame], frame, float(recording.time[-1] - recording.time[0] + 1 / rate)


def truth_of(path):
    with open(path) as file:
        return [(int(row["start"]), int(row["end"]), row["label"]) for row in csv.DictReader(file)]


def folders(real):
    """-> [(folder, video)] of the recordings with truth in a folder."""
    out = []
    for folder in sorted(p.parent for p in real.glob("*/truth.csv")):
        videos = sorted(p for p in folder.iterdir() if p.suffix.lower() in recordings.VIDEOS[:-1])
        if not videos:
            raise SystemExit(f"{folder} has a truth.csv and no video beside it")
        out.append((folder, videos[0]))
    return out


def read(args):
    """-> [Clip]"""
    def seen(path):
        return on_grid(recordings.read(path, args.bench, args.cache))

    out = [Clip(folder.name, "real", *seen(video), truth_of(folder / "truth.csv")) for folder, video in folders(args.real)] if args.real else []
    for path in sorted(p for p in args.clips.rglob("*") if p.suffix.lower() in recordings.VIDEOS[:-1]) if args.clips else []:
        codes, frame, seconds = seen(path)
        last = int(frame[-1])
        shown = () if path.stem in NEVER else SEVERAL.get(path.stem, tuple(name for name in LABELS if name.lower() == path.stem.lower()))
        out.append(Clip(path.stem, "clips", codes, frame, seconds, [(0, last, name) for name in shown]))
    for path in args.null:
        out.append(Clip(f"{path.parent.name}-{path.stem}", "null", *seen(path), []))
    return out


def matched(found, frame, truth):
    """Events and truth matched like in `gesture-bench accuracy` -> (found [of truth's gestures], false events)."""
    wanted = [t for t in truth if t[2] in LABELS and t[2] not in NOTHING]
    used, hit = set(), []
    for first, last, name in wanted:
        k = next((k for k, e in enumerate(found) if k not in used and e[0] == name and first - EARLY <= frame[e[2]] <= last + LATE), None)
        hit.append(k is not None)
        if k is not None:
            used.add(k)
    false_positives = [e for k, e in enumerate(found)
               if k not in used and not any(a <= frame[e[2]] <= b and name == "skip" for a, b, name in truth)]
    return list(zip(wanted, hit)), false_positives


def said(clip, head):
    """Logits of every column [T,classes]; a stream has none before its sixteenth column."""
    if len(clip.codes) < WINDOW:
        return np.zeros((0, len(LABELS)), np.float32)
    return head(clip.codes[None])[0]


def disturbed(clip, rng):
    """A clip whose columns begin up to two later, with noise of two quantisation steps on landmarks and poses and one on motion, if there is any."""
    codes, late = clip.codes.astype(np.float32), int(rng.integers(0, 3))
    noise = rng.normal(0, 1, codes.shape)
    hand, moves = codes[:, :1] > 0, codes[:, features.POSED:features.POSED + 1] > 0
    codes[:, 1:features.POSED] += 2 * noise[:, 1:features.POSED] * hand
    codes[:, features.POSED:features.USED] += noise[:, features.POSED:features.USED] * moves
    return dataclasses.replace(clip, codes=np.clip(np.rint(codes), 0, 255).astype(np.uint8)[late:], frame=clip.frame[late:])


def over_variants(clips, head, rules, count):
    """Prints, for each of the rules, the mean of found and false over `count` disturbed copies of the clips, and the fewest and most found."""
    copies = [[disturbed(clip, np.random.default_rng([7, k, n])) for n, clip in enumerate(clips)] for k in range(count)]
    said_of = [[said(clip, head) for clip in copy] for copy in copies]
    for one in rules:
        each = {g: np.array([totals(copy, counted(copy, rows, one), lambda c: c.group == g) for copy, rows in zip(copies, said_of)]) for g in GROUPS}
        print(one.text, "; ".join(f"{g} {n[:, 0].mean():.1f} ({n[:, 0].min()}-{n[:, 0].max()}) of {n[0, 1]}, {n[:, 2].mean():.1f} false"
                                  for g, n in each.items() if any(c.group == g for c in clips)), flush=True)


def counted(clips, logits, rules):
    """-> [(wanted with hits, false)] of each clip."""
    return [matched(events(rows, rules, **clip.shown), clip.frame[WINDOW - 1:], clip.truth) for clip, rows in zip(clips, logits)]


def totals(clips, counts, chosen=lambda clip: True):
    """-> (found, gestures, false) of the chosen clips."""
    some = [count for clip, count in zip(clips, counts) if chosen(clip)]
    return sum(h for w, _ in some for _, h in w), sum(len(w) for w, _ in some), sum(len(m) for _, m in some)


def table(clips, logits, counts, rules, misses):
    for clip, rows, (wanted, false_positives) in zip(clips, logits, counts):
        if not wanted and not false_positives:
            continue
        frame = clip.frame[WINDOW - 1:]
        print(f"{clip.name}: {sum(h for _, h in wanted)} of {len(wanted)}; false: "
              + (", ".join(f"{e[0]} {frame[e[2]]} ({e[4]:.2f})" for e in false_positives) or "nothing"))
        if not misses:
            continue
        p = softmax(smooth(rows.astype(np.float64), rules.median))
        for (first, last, name), hit in wanted:
            at = (frame >= first - EARLY) & (frame <= last + LATE)
            if hit or not at.any():
                continue
            best = ", ".join(f"{LABELS[c]} {p[at, c].max():.2f}" for c in np.argsort(-p[at].max(0))[:4])
            print(f"    missed {name} {first}-{last}: {best}")


def grid():
    """The rules of a sweep."""
    for median, begin, confidence, end, once in itertools.product((1, 3, 5, 7), (1, 2, 3), (0.5, 0.6, 0.7, 0.8, 0.9, 0.95), (2, 6, 10), (0, 15)):
        yield Rules(median, begin, confidence, end, 12, 15, once_rows=once)


def worth(found, false_positives):
    return found - 1.5 * false_positives


def sweep(clips, logits):
    names = sorted({clip.person for clip in clips if clip.group == "real"})
    rows = []
    for rules in grid():
        counts = counted(clips, logits, rules)
        groups = {g: totals(clips, counts, lambda c: c.group == g) for g in GROUPS}
        people = {n: totals(clips, counts, lambda c: c.group == "real" and c.person == n) for n in names}
        rows.append((rules, groups, people))
    score = lambda row, but=None: sum(worth(*row[1][g][::2]) for g in row[1]) - (worth(*row[2][but][::2]) if but else 0)
    for rules, groups, _ in sorted(rows, key=score)[-12:]:
        print(rules.text, " ".join(f"{g} {f}/{n}+{m}" for g, (f, n, m) in groups.items()))
    left = [max(rows, key=lambda row: score(row, n))[2][n] for n in names]
    print("one person left out:", f"{sum(f for f, _, _ in left)} of {sum(n for _, n, _ in left)}, {sum(m for *_, m in left)} false")
    print("found against false, recordings:")
    best = {}
    for rules, groups, _ in rows:
        f, _, m = groups["real"]
        if f > best.get(m, (-1,))[0]:
            best[m] = f, rules
    most = -1
    for m in sorted(best):
        if best[m][0] > most:
            most = best[m][0]
            print(f"    {most} found, {m} false: {best[m][1].text}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("heads", type=pathlib.Path, nargs="+")
    parser.add_argument("--real", type=pathlib.Path)
    parser.add_argument("--clips", type=pathlib.Path)
    parser.add_argument("--null", type=pathlib.Path, nargs="*", default=[])
    parser.add_argument("--cache", type=pathlib.Path, required=True)
    parser.add_argument("--bench", type=pathlib.Path, default=recordings.BENCH)
    parser.add_argument("--rules", nargs="*", default=["3,2,0.75,10,15,15"])
    parser.add_argument("--variants", type=int, default=0)
    parser.add_argument("--sweep", action="store_true")
    parser.add_argument("--misses", action="store_true")
    args = parser.parse_args()
    head, clips = together(args.heads), read(args)
    logits = [said(clip, head) for clip in clips]
    for text in args.rules:
        rules = Rules.of(text)
        counts = counted(clips, logits, rules)
        for group in GROUPS:
            some = [k for k, clip in enumerate(clips) if clip.group == group]
            if some:
                found, gestures, false_positives = totals(clips, counts, lambda c: c.group == group)
                minutes = sum(clips[k].seconds for k in some) / 60
                print(f"== {text} {group}: {found} of {gestures}, {false_positives} false in {minutes:.1f} minutes")
                table(*([x[k] for k in some] for x in (clips, logits, counts)), rules, args.misses)
    if args.variants:
        over_variants(clips, head, [Rules.of(text) for text in args.rules], args.variants)
    if args.sweep:
        sweep(clips, logits)


if __name__ == "__main__":
    main()
