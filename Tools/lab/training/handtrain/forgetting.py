"""The effect of fine-tuning on the old gestures: `python -m handtrain.forgetting BEFORE AFTER --held-out CLIPS.npz [--null CLIPS.npz] [--clips
FOLDER]`.

BEFORE and AFTER are int8 model files, CLIPS.npz output of `handtrain.clips`. They are measured as in `handtrain.evaluate`, with new gestures counted
as null; the number of events of new gestures is reported, too. FOLDER is searched for videos, which the engine replays with both models.
"""

import argparse
import pathlib

import numpy as np
import torch

from common.labels import LABELS
from common.recognise import events

from . import evaluate, recordings
from .finetune import load, replayed


def as_before(model, logits):
    """Logits [N,T,classes] of a model with new gestures, reduced to the project's classes: new gestures count as null where they exceed it."""
    out = np.full((*logits.shape[:-1], len(LABELS)), -30.0, logits.dtype)
    for k, name in enumerate(model.labels):
        c = LABELS.index(name) if name in LABELS else LABELS.index("null")
        out[..., c] = np.maximum(out[..., c], logits[..., k])
    return out


def measure(model, data):
    """-> (measures of evaluate.on_clips, {new label: events a minute})."""
    logits = evaluate.batches(model.exact(), data["codes"])
    found = {n: 0 for n in model.labels if n not in LABELS}
    for row in logits if found else ():
        for name, *_ in events(row, model.rules, model.labels, model.null):
            if name in found:
                found[name] += 1
    minutes = logits.shape[0] * logits.shape[1] / evaluate.GRID / 60
    return evaluate.on_clips(as_before(model, logits), data["label"], data["also"], model.rules), {n: c / minutes for n, c in found.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", type=pathlib.Path, nargs="+")
    parser.add_argument("--held-out", type=pathlib.Path)
    parser.add_argument("--null", type=pathlib.Path)
    parser.add_argument("--clips", type=pathlib.Path, action="append", default=[])
    parser.add_argument("--bench", type=pathlib.Path, default=recordings.BENCH)
    args = parser.parse_args()
    torch.set_num_threads(1)
    for name in ("held_out", "null"):
        path = getattr(args, name)
        for model in args.models if path else ():
            m, new = measure(load(model), np.load(path))
            evaluate.report(f"{path.stem}, {model.stem}", m)
            if new:
                print("   new, events a minute: " + ", ".join(f"{n} {v:.2f}" for n, v in new.items()))
    for folder in args.clips:
        for path in sorted(p for p in folder.rglob("*") if p.suffix.lower() in recordings.VIDEOS and p.suffix != ".npz"):
            for model in args.models:
                print(f"{path.relative_to(folder)}, {model.stem}: " + ("; ".join(f"{label} {at:.2f} s ({sure:.2f})" for label, at, sure in replayed(path, model, args.bench)) or "none"), flush=True)


if __name__ == "__main__":
    main()
