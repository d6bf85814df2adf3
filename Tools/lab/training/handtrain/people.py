"""Lets a model learn from labelled recordings of people: `finetune --people FOLDER... --output MODEL [--signs TAKES.npz...]`.

FOLDER has a folder for each recording with its `truth.csv`, as for `gesture-bench accuracy`. What comes before the first "-" of a folder's name is the
person. TAKES are recordings of people who sign, as landmarks (`NAME.hands` [frames,2,21,3], MediaPipe Holistic): they show no gesture.

- Every layer of MODEL learns varied pieces of the recordings: another hand, place, size and pace, no hand before and after (`piece`). Gestures, people
  and pieces are drawn evenly, twice as many pieces of null as of gestures, and as many rehearsed clips, on which the old outputs are the targets.
- The result is the weighted mean of the old weights and the mean of `--seeds` tuned ones. Tuned alone, a head finds no more of people whom it has not
  seen than before; mixed with the old one, it makes up less.
- The table comes first: for each weight and threshold what is found and made up of people who were left out, in `--folds` groups of people.
  `--models` keeps the model of each group, with which `Tools/report recognition --people` measures the whole engine.
"""

import argparse
import json
import pathlib
import time
from typing import NamedTuple

import numpy as np
import torch
from torch.nn import functional as F

from common.labels import LABELS, NULL

from . import accuracy, features, finetune, recordings, rehearsal
from .augmentation import Augmentation
from .head import SCALE, Folded
from .mean import mean

COLUMNS = 90  # of a piece
PACE = (0.7, 1.4)
# Half of the pieces are turned in the picture by up to so many radians: of poses whose direction means nothing, of other gestures, and of null, which may
# show what would be a gesture if it were turned.
TURNABLE = {"openPalm", "grab"}
TURNS = {"turnable": 1.2, "gesture": 0.5, "null": 0.3}
EACH, NULLS = 24, 4  # pieces of a gesture, and of 45 columns of a recording
MOST = 160  # pieces of null of one recording
BATCH = (16, 32, 24)  # pieces of gestures, of null, and rehearsed
MOVEMENTS = ("swipeLeft", "swipeRight", "swipeUp", "swipeDown", "zoomIn", "zoomOut", "grab", "tap")
# Seconds around a gesture: its first part is undecided, at most LATE_SHARE of it; so are EARLY before and the second part of AFTER after it. A movement
# counts for the first part of AFTER beyond its end.
EARLY, LATE, LATE_SHARE = 0.1, 0.2, 0.35
AFTER = {True: (0.1, 0.35), False: (0.0, 0.15)}
# Seconds without a hand after which only swipes are asked for.
UNSEEN = 0.2
SHOWN = ("hello", "bye", "seeyou", "welcome", "you.", "i.", "thanks")  # signs that show a pose or movement of the labels
SIGN_RATE = 15  # frames a second of the signing takes, about
WEIGHTS, THRESHOLDS = (0.0, 0.5, 0.7, 0.85, 1.0), (0.7, 0.75, 0.8, 0.85, 0.92, 0.96)


def person_of(take):
    """Whom a take shows: what its folder's name begins with."""
    return take.path.parent.name.split("-")[0]


class Piece(NamedTuple):
    """COLUMNS columns [COLUMNS,128] of a take, varied, and their labels [COLUMNS], -1 for no target."""
    codes: np.ndarray
    label: np.ndarray


def targets(count, rate, truth):
    """Names [count] of a recording's frames, "" for no target, from truth [(first, last, label)]."""
    names = np.full(count, LABELS[NULL], object)
    for first, last, name in truth:
        if name == "skip":
            names[first:last + 1] = ""

    def frames(seconds):
        return int(round(seconds * rate))

    for first, last, name in truth:
        if name not in LABELS or name == LABELS[NULL]:
            continue
        first, end = min(first, count - 1), min(last + 1, count)
        kept, open_end = (frames(s) for s in AFTER[name in MOVEMENTS])
        around = names[max(0, first - frames(EARLY)):end + open_end]
        around[around == LABELS[NULL]] = ""
        late = max(1, frames(min(LATE_SHARE * (end - first) / rate, LATE)))
        names[min(first + late, end - 1):end + kept] = name
    return names


def take_of(recording, truth):
    """-> finetune.Clip. Where no hand was tracked for UNSEEN, only swipes are asked for: the motion of the picture shows them."""
    names, index = targets(len(recording.time), recording.rate, truth), recordings.columns(recording)[0]
    frames = np.arange(len(names))
    unseen = frames - np.maximum.accumulate(np.where(recording.seen, frames, -np.inf)) > UNSEEN * recording.rate
    names[unseen & ~np.isin(names, [LABELS[NULL], *MOVEMENTS[:4]])] = ""
    return finetune.Clip(recording.path, recording.landmarks[index], recording.right[index], recording.aspect, recording.motion[index], names[index], False)


def signs_of(rng, paths, motions):
    """Takes of people who sign. Most get the motion of another recording, because theirs is unknown."""
    out = []
    for path in paths:
        arrays = np.load(path)
        for key in sorted(arrays.files):
            word = key.removesuffix(".hands").rsplit(".", 1)[0].lower() + "."
            if not key.endswith(".hands") or word.startswith(SHOWN):
                continue
            hands = arrays[key].astype(np.float32)
            seen = np.isfinite(hands).all((2, 3)).sum(0)
            side = int(seen.argmax())
            if seen[side] < 10:
                continue
            index = np.repeat(np.arange(len(hands)), recordings.COLUMN_RATE // SIGN_RATE)
            motion = np.broadcast_to(features.NONE[features.POSED:features.USED], (len(index), features.USED - features.POSED))
            if rng.random() < 0.6:
                other = motions[rng.integers(len(motions))]
                motion = other[(rng.integers(len(other)) + np.arange(len(index))) % len(other)]
            out.append(finetune.Clip(pathlib.Path(f"signs {len(out) % 12}-{path.parent.name}") / key, hands[:, side][index],
                                     np.full(len(index), 1.0 - side, np.float32), 4 / 3, motion, np.full(len(index), LABELS[NULL], object), True))
    return out


def piece(rng, take, at):
    """-> Piece around column `at` of a take, as from another hand, place, direction and pace."""
    pace = np.exp(rng.uniform(*np.log(PACE)))
    index = np.floor(at + pace * (np.arange(COLUMNS) - rng.uniform(0.25, 0.95) * COLUMNS)).astype(int)
    before, after = index < 0, index >= len(take.names)
    index = np.clip(index, 0, len(take.names) - 1)
    landmarks, names = take.landmarks[index], take.names[index]
    names[before | after] = ""
    # No hand before and after, or the first one held before.
    landmarks[after | before & (rng.random() < 0.6)] = np.nan
    shown = set(names) - {"", LABELS[NULL]}
    limit = TURNS["null" if not shown else "turnable" if shown <= TURNABLE else "gesture"]
    roll = rng.uniform(-limit, limit) if rng.random() < 0.5 else 0.0
    elsewhere, right = finetune.moved(rng, landmarks, take.right[index], take.aspect, roll)
    codes = finetune.codes_of(elsewhere, right, take.aspect, finetune.carried(take.motion[index], landmarks, elsewhere))
    return Piece(codes, np.array([LABELS.index(n) if n else -1 for n in names]))


def pieces_of(rng, takes):
    """-> {label: {person: [Piece]}}"""
    out = {}
    for take in takes:
        null = min(max(1, round(len(take.names) / 45 * NULLS)), MOST)
        places = [(LABELS[NULL], int(rng.integers(len(take.names)))) for _ in range(null)]
        edges = np.flatnonzero(np.append(True, take.names[1:] != take.names[:-1]))
        for first, end in zip(edges, [*edges[1:], len(take.names)]):
            if take.names[first] not in ("", LABELS[NULL]):
                places += [(take.names[first], int(rng.integers(first, end))) for _ in range(EACH)]
        for name, at in places:
            out.setdefault(name, {}).setdefault(person_of(take), []).append(piece(rng, take, at))
    return out


def tuned(model, pieces, rehearsed, seed, args):
    """-> the Folded of `model` after args.steps steps on pieces of people and rehearsed clips. The same arguments give the same weights."""
    rng = np.random.default_rng(seed)
    augment = Augmentation(int(rng.integers(2 ** 31)), sum(BATCH), COLUMNS)
    head = finetune.enlarged(model, model.labels)
    start = [p.detach().clone() for p in head.parameters()]
    optimiser = torch.optim.AdamW(head.parameters(), lr=args.rate, betas=(0.9, 0.98), weight_decay=0)
    gestures = sorted(set(pieces) - {LABELS[NULL]})
    old = torch.from_numpy(rehearsed["codes"])
    said = torch.from_numpy(rehearsed["label"]).long().masked_fill(torch.from_numpy(rehearsed["ignore"]), -1)
    lead = COLUMNS - old.shape[1]

    def drawn(name):
        people = pieces[name]
        some = people[sorted(people)[rng.integers(len(people))]]
        return some[rng.integers(len(some))]

    for step in range(args.steps):
        for group in optimiser.param_groups:
            group["lr"] = args.rate * min(1, (step + 1) / 20) * (0.5 + 0.5 * np.cos(np.pi * step / args.steps))
        rows = [drawn(gestures[rng.integers(len(gestures))]) for _ in range(BATCH[0])] + [drawn(LABELS[NULL]) for _ in range(BATCH[1])]
        pick = torch.from_numpy(rng.integers(0, len(old), BATCH[2]))
        again = F.pad(old[pick], (0, 0, lead, 0))
        again[:, :lead] = torch.from_numpy(features.NONE)
        codes = torch.cat([torch.from_numpy(np.stack([r.codes for r in rows])), again]).float()
        label = torch.cat([torch.from_numpy(np.stack([r.label for r in rows])), F.pad(said[pick], (lead, 0), value=-1)])
        asked = label >= 0
        asked[:, :6] = False
        codes, label, _ = augment(codes, label.clamp(min=0), torch.zeros_like(label))
        with torch.no_grad():
            before = model.head(codes[-BATCH[2]:] * SCALE)[:, lead:].softmax(-1)
        log_p = head(codes * SCALE).log_softmax(-1)
        wrong = F.nll_loss(log_p.flatten(0, 1), label.flatten(), reduction="none").view(label.shape)
        loss = (wrong * asked).sum() / asked.sum() + args.keep * finetune.kept_loss(log_p[-BATCH[2]:, lead:], before)
        loss = loss + 1e-3 * sum(((p - s) ** 2).sum() for p, s in zip(head.parameters(), start))
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(head.parameters(), 1.0)
        optimiser.step()
    return head.eval()


def mixed(old, heads, weight):
    """-> a Folded: the old weights by 1 - weight, and the mean of the heads' by weight."""
    out = Folded(old.fc.out_features, old.layers)
    learned = mean([h.state_dict() for h in heads])
    out.load_state_dict({k: (1 - weight) * v + weight * learned[k] for k, v in old.state_dict().items()})
    return out.eval()


def logits(head, codes):
    """Columns [N,T,128] -> logits [N,T-15,classes]."""
    with torch.no_grad():
        return head.logits(torch.from_numpy(codes).float() * SCALE).numpy()


def shipped_rules(model, args):
    """The model's rules with the thresholds and the merge window of the options. People zoom in and out in turn, so neither is the other's way back."""
    merge = model.rules.once_rows if args.merge is None else round(args.merge * recordings.COLUMN_RATE / 1000)
    back = {a: b for a, b in model.rules.back.items() if a not in ("zoomIn", "zoomOut")}
    steady = {}
    if args.steady:
        steady = dict(steady_rows=round(args.steady[0] * recordings.COLUMN_RATE / 1000), steady_confidence=args.steady[1])
    return model.rules._replace(confidence=args.threshold or model.rules.confidence, once_rows=merge, back=back, **steady)


def left_out(model, clips, takes, signs, rehearsed, args):
    """Prints what is found and made up of people who were left out, by folder, weight and threshold. -> the tables, for --report."""
    order = np.random.default_rng(args.seed).permutation(sorted({person_of(take) for take in takes}))
    groups, rules = list(dict.fromkeys(clip.group for clip in clips)), shipped_rules(model, args)
    counts = {(g, w, c): np.zeros(3, int) for g in groups for w in WEIGHTS for c in THRESHOLDS}
    for k in range(args.folds):
        fold, begun = set(order[k::args.folds]), time.time()
        pieces = pieces_of(np.random.default_rng([args.seed, k]), [t for t in takes if person_of(t) not in fold] + signs)
        heads = [tuned(model, pieces, rehearsed, [args.seed, k, s], args) for s in range(args.seeds)]
        if args.models:
            finetune.written(mixed(model.head, heads, args.weight), model._replace(rules=rules), model.labels,
                             {"people": {"without": sorted(fold)}}, args.models / f"without-{'-'.join(sorted(fold))}.safetensors", args)
        some = [clip for clip in clips if clip.person in fold]
        for weight in WEIGHTS:
            head = mixed(model.head, heads, weight)
            rows = [accuracy.said(clip, lambda codes: logits(head, codes)) for clip in some]
            for confidence in THRESHOLDS:
                counted = accuracy.counted(some, rows, rules._replace(confidence=confidence))
                for g in groups:
                    counts[g, weight, confidence] += accuracy.totals(some, counted, lambda clip: clip.group == g)
        print(f"without {', '.join(sorted(fold))}: {time.time() - begun:.0f} s", flush=True)
    tables = []
    for g in groups:
        minutes = sum(clip.seconds for clip in clips if clip.group == g) / 60
        print(f"\n{g}, people left out: found / made up of {counts[g, 0, THRESHOLDS[0]][1]} gestures in {minutes:.1f} minutes")
        print(f"{'weight':8}" + "".join(f"{c:>10}" for c in THRESHOLDS))
        for weight in WEIGHTS:
            print(f"{weight:<8}" + "".join(f"{'{0} / {2}'.format(*counts[g, weight, c]):>10}" for c in THRESHOLDS), flush=True)
        rows = [{"weight": w, "threshold": c, "found": int(counts[g, w, c][0]), "false_positives": int(counts[g, w, c][2])}
                for w in WEIGHTS for c in THRESHOLDS]
        tables.append({"name": g, "gestures": int(counts[g, 0, THRESHOLDS[0]][1]), "minutes": round(minutes, 1), "rows": rows})
    return tables


def run(args):
    begun = time.time()
    finetune.checked_output(args.output)
    if args.models:
        args.models.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(args.threads)
    model, rehearsed = finetune.load(args.model), rehearsal.read()
    if model.labels != list(LABELS):
        raise SystemExit(f"{args.model} has other labels than {', '.join(LABELS)}")
    clips, takes = [], []
    for people in args.people:
        found = accuracy.folders(people)
        if not found:
            raise SystemExit(f"{people} has no folder with a truth.csv and a video")
        for folder, video in found:
            recording, truth = recordings.read(video, args.bench, args.cache and args.cache / people.name), accuracy.truth_of(folder / "truth.csv")
            clips.append(accuracy.Clip(folder.name, people.name, *accuracy.on_grid(recording), truth))
            takes.append(take_of(recording, truth))
    signs = signs_of(np.random.default_rng([args.seed, 9]), args.signs, [t.motion for t in takes])
    print(f"{len(takes)} recordings of {len({person_of(t) for t in takes})} people, {len(signs)} takes of signs; read in {time.time() - begun:.0f} s", flush=True)
    tables = left_out(model, clips, takes, signs, rehearsed, args) if args.folds > 1 else []
    pieces = pieces_of(np.random.default_rng([args.seed, 1000]), takes + signs)
    heads = [tuned(model, pieces, rehearsed, [args.seed, 1000, s], args) for s in range(args.seeds)]
    head = mixed(model.head, heads, args.weight)
    rules = shipped_rules(model, args)
    learned = {"recordings": len(takes), "people": len({person_of(t) for t in takes}), "sign_takes": len(signs), "steps": args.steps, "seeds": args.seeds,
               "weight": args.weight, "seed": args.seed, "model_sha256": model.digest}
    finetune.written(head, model._replace(rules=rules), model.labels, {"people": learned}, args.output, args)
    if args.report:
        steady = [round(1000 * rules.steady_rows / recordings.COLUMN_RATE), rules.steady_confidence] if rules.steady_rows else None
        shipped = {"weight": args.weight, "threshold": rules.confidence, "steady": steady, "people": learned["people"], "folds": args.folds, "seeds": args.seeds}
        args.report.write_text(json.dumps(shipped | {"tables": tables}, indent=1) + "\n")
    print(f"{args.output}: weight {args.weight}, threshold {rules.confidence}; {time.time() - begun:.0f} s")


def main():
    parser = argparse.ArgumentParser(prog="finetune", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=pathlib.Path, nargs="+", required=True, metavar="FOLDER", help="has a folder for each recording, with its truth.csv")
    parser.add_argument("--output", type=pathlib.Path, required=True, metavar="MODEL", help="the model file to write")
    parser.add_argument("--signs", type=pathlib.Path, nargs="*", default=[], metavar="TAKES.npz", help="landmarks of people who sign: no gesture")
    parser.add_argument("--model", type=pathlib.Path, default=finetune.SHIPPED, help="the int8 model to begin with; the shipped one by default")
    parser.add_argument("--weight", type=float, default=0.5, help="of what was learned; the rest is the old weights'")
    parser.add_argument("--threshold", type=float, help="confidence at which a gesture begins; the model's by default")
    parser.add_argument("--steady", type=float, nargs=2, metavar=("MS", "CONFIDENCE"),
                        help="a gesture that leads for so long above a lower confidence begins, too; the model's by default")
    parser.add_argument("--merge", type=int, metavar="MS", help="the merge window in milliseconds; the model's by default")
    parser.add_argument("--folds", type=int, default=4, help="groups of people to leave out; 0 or 1 leaves out the table")
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--keep", type=float, default=1.0, help="weight of what the model said before")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--report", type=pathlib.Path, metavar="FILE", help="the table of people left out as JSON")
    parser.add_argument("--models", type=pathlib.Path, metavar="FOLDER", help="keeps the model of each group of people that was left out")
    parser.add_argument("--cache", type=pathlib.Path, help="a folder that keeps what was tracked")
    parser.add_argument("--bench", type=pathlib.Path, default=recordings.BENCH, help="gesture-bench, with gesture-import beside it")
    run(parser.parse_args())


if __name__ == "__main__":
    main()
