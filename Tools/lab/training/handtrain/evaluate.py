"""Measures heads: `python -m handtrain.evaluate RUN.pt... [--held-out CLIPS.npz] [--null CLIPS.npz] [--tracked FOLDER...] [--rules M,B,C,E[,R]]
[--output FILE.json]`.

Several heads are averaged by their logits. FOLDER: the output of `handtrain.track`; its events are printed.
"""

import argparse
import json
import pathlib

import numpy as np
import torch
from safetensors import safe_open
from safetensors.torch import load_file

from common.labels import CLASSES, INDEX, LABELS, NULL, WINDOW
from common.quantised import PREFIX
from common.recognise import Rules, events, levenshtein, match, smooth, softmax

from . import features, poses
from .camera import GRID
from .head import SCALE, Folded, Head, folded, layers_of, restored
from .quantised import Quantised, activation_scales, model

SLACK = 0.25  # an event counts until this many seconds after its gesture's end
POSE = 9  # slots
CUT = 12  # slots
POSES = ("point", "openPalm", "thumbsUp", "thumbsDown")


def load(path, calibration=None):
    """A training state or an exported checkpoint -> function from columns [B,T,128] to logits [B,T-15,classes].

    calibration: columns [N,T,128] for computing in int8, like the engine; a checkpoint's own scales have priority.
    """
    scales = None
    if str(path).endswith(".safetensors"):
        state = load_file(path)
        if "fc.scale" in state:  # an int8 model
            head = model(path)
        else:
            head = (Folded if "t1.conv.bias" in state else Head)(layers=layers_of(state))
            head.load_state_dict(state, strict=False)
        with safe_open(str(path), "np") as file:
            said = {k.removeprefix(PREFIX): float(v) for k, v in file.metadata().items() if k.startswith(PREFIX)}
        scales = said or None
    else:
        state = torch.load(path, weights_only=False)
        if "folded" in state:
            head, scales = restored(state), {k.removeprefix(PREFIX): v for k, v in state["scales"].items()}
        else:
            head = restored(state).plain()
    head.eval()

    if calibration is not None:
        whole = folded(head) if isinstance(head, Head) else head
        exact = Quantised(whole, scales or activation_scales(whole, torch.from_numpy(calibration)))
        return lambda codes: exact.logits(torch.from_numpy(codes)).numpy()

    def logits(codes):
        with torch.inference_mode():
            return head.logits(torch.from_numpy(codes).float() * SCALE).numpy()
    return logits


def together(paths, calibration=None):
    heads = [load(p, calibration) for p in paths]
    return lambda codes: np.mean([h(codes) for h in heads], axis=0)


def batches(head, codes, size=50):
    return np.concatenate([head(codes[a:a + size]) for a in range(0, len(codes), size)])


def runs(label, also):
    """-> [[class, first, end]] of each stretch of a gesture's label; two of one class are merged if the class is also correct everywhere between
    them."""
    edges = [0, *(np.flatnonzero(np.diff(label)) + 1).tolist(), len(label)]
    out = []
    for a, b in zip(edges[:-1], edges[1:]):
        if label[a] == NULL:
            continue
        if out and out[-1][0] == LABELS[label[a]] and (also[out[-1][2]:a] >> label[a] & 1).all():
            out[-1][2] = b
        else:
            out.append([LABELS[label[a]], a, b])
    return out


def early(run, also):
    """A run, extended back over the frames before it in which its class is also correct."""
    name, a, b = run
    while a > 0 and also[a - 1] >> INDEX[name] & 1:
        a -= 1
    return [name, a, b]


def on_clips(logits, labels, also, rules):
    """logits [N,T-15,13], labels and also [N,T]. -> dict of measures.

    The truth are the stretches of labels, except poses shorter than POSE slots, stretches that the clip's begin or end cuts off, and those in which
    null is mostly correct, too (little of them was seen).

    A gesture is detected if an event of its class is decided between the first frame in which its class is correct and SLACK after its end. Any other
    event is false, unless its class was also correct in most of the last quarter of a second; if its class was labelled in the half second before, it
    is a repetition. Levenshtein compares the truth with all events except those of stretches that are not part of it.
    """
    hits, counts, delays, wrong, edits, length, again = np.zeros(CLASSES), np.zeros(CLASSES), [], np.zeros(CLASSES), 0, 0, 0
    first = WINDOW + 4
    for row, label, right in zip(logits, labels, also):
        found = [[n, a + WINDOW - 1, d + WINDOW - 1, *rest] for n, a, d, *rest in events(row, rules)]
        shown = runs(label, right)
        wanted = [[n, a, b] for n, a, b in shown if a >= first and a + CUT <= len(label) and (b - a >= POSE or n not in POSES)
                  and (right[a:b] >> NULL & 1).mean() <= 0.5]
        hit, extra = match(found, [early(w, right) for w in wanted], SLACK * GRID)
        about = [e for e in found if e not in extra]
        for (name, a, b), h in zip(wanted, hit):
            counts[INDEX[name]] += 1
            hits[INDEX[name]] += h
            if h:
                delays.append(max(next(e for e in about if e[0] == name and early([name, a, b], right)[1] <= e[2] <= b + SLACK * GRID)[2] - a, 0) / GRID)
        # Stretches that are not counted: those at the clip's begin, and poses that are too short.
        _, extra = match(extra, [early(r, right) for r in shown if r not in wanted], SLACK * GRID)
        second = [e for e in extra if (label[max(0, e[2] - 15):e[2] + 2] == INDEX[e[0]]).any()]
        extra = [e for e in extra if e[2] >= first and (e in second or (right[max(0, e[2] - 8):e[2] + 1] >> INDEX[e[0]] & 1).mean() <= 0.5)]
        again += len(second)
        for e in extra:
            wrong[INDEX[e[0]]] += e not in second
        said = [e[0] for e in found if e in about or e in extra]
        edits += levenshtein(said, [w[0] for w in wanted])
        length += len(wanted)
    minutes = logits.shape[0] * logits.shape[1] / GRID / 60
    return {"hits": hits, "counts": counts, "delay": np.median(delays) if delays else np.nan, "wrong": wrong, "minutes": minutes, "again": again / minutes,
            "levenshtein": 1 - edits / max(length, 1), "detection": hits.sum() / max(counts.sum(), 1), "false": wrong.sum() / minutes}


def report(name, m):
    print(f"{name}: detection {m['detection']:.3f}, Levenshtein {m['levenshtein']:.3f}, median decision {1000 * m['delay']:.0f} ms, "
          f"false {m['false']:.2f} a minute, reported again {m['again']:.2f}")
    print("   " + ", ".join(f"{n} {int(h)}/{int(c)} (+{int(w)})" for n, h, c, w in zip(LABELS, m["hits"], m["counts"], m["wrong"]) if n != "null"), flush=True)


def grid_of(said, lead=15, first=0, stop=None):
    """A recording (its frames from `first` to `stop`) on the 30 Hz grid, with its first column repeated `lead` times -> columns [T,128]."""
    aspect = float(said["aspect"])
    codes = features.codes(said["landmarks"], said["right"], aspect, poses=poses.of_seen(said["landmarks"], aspect))[first:stop]
    rate = float(said["rate"])
    at = np.minimum((np.arange(int(len(codes) * GRID / rate)) * rate / GRID + 1e-6).astype(int), len(codes) - 1)
    codes = codes[at]
    return np.concatenate([np.repeat(codes[:1], lead, 0), codes])


def on_recording(head, path, rules, lead, first):
    said = np.load(path)
    logits = head(grid_of(said, lead, first)[None])[0]
    found = events(logits, rules)
    confidence = softmax(smooth(logits.astype(np.float64), rules.median))
    peak = confidence[:, :NULL].max(0)
    best = ", ".join(f"{LABELS[c]} {peak[c]:.2f}" for c in np.argsort(-peak)[:4] if peak[c] > 0.2)
    late = (WINDOW - 1 - lead) / GRID
    log = "; ".join(f"{n} {a / GRID + late:.2f}-{e / GRID + late:.2f} ({p:.2f})" for n, a, d, e, p in found) or "none"
    print(f"{path.stem}: {log} | {best}", flush=True)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("heads", type=pathlib.Path, nargs="+")
    parser.add_argument("--held-out", type=pathlib.Path)
    parser.add_argument("--null", type=pathlib.Path)
    parser.add_argument("--tracked", type=pathlib.Path, nargs="*", default=[])
    parser.add_argument("--int8", type=pathlib.Path, help="clips to calibrate on: the head computes in int8")
    parser.add_argument("--lead", type=int, default=15, help="how often a recording's first column is repeated before it")
    parser.add_argument("--first", type=int, default=0, help="first frame of each recording; 52 is the second room of handy-webcam-2people")
    parser.add_argument("--rules", default="5,3,0.85,2")
    parser.add_argument("--output", type=pathlib.Path, help="write the measures of --held-out and --null there as JSON")
    args = parser.parse_args()
    torch.set_num_threads(1)
    rules = Rules.of(args.rules)
    head = together(args.heads, np.load(args.int8)["codes"][:200] if args.int8 else None)
    measured = {}
    for name in ("held_out", "null"):
        path = getattr(args, name)
        if path:
            data = np.load(path)
            found = on_clips(batches(head, data["codes"]), data["label"], data["also"], rules)
            report(name, found)
            # Without detections the delay is NaN, which becomes null in JSON.
            plain = {key: value.tolist() if isinstance(value, np.ndarray) else float(value) for key, value in found.items()}
            measured[name] = {key: None if value != value else value for key, value in plain.items()} | {"clips": len(data["label"])}
    if args.output:
        args.output.write_text(json.dumps(measured, indent=1) + "\n")
    for folder in args.tracked:
        print(f"-- {folder}")
        for path in sorted(folder.glob("*.npz")):
            on_recording(head, path, rules, args.lead, args.first)


if __name__ == "__main__":
    main()
