"""Adds classes to a trained network: the encoder stays unchanged, the temporal layers and a larger classifier are trained further.

`python -m gesturetrain.finetune CHECKPOINT MODEL CLIPS OUT --rehearsal COLUMNS` reads the float32 CHECKPOINT and the int8 MODEL made from it, and
writes OUT/checkpoint.safetensors and OUT/labels.json, for `gesture-import import OUT/checkpoint.safetensors --precision int8 --replace-head
OUT/labels.json`.

CLIPS is searched for videos. A video's classes are those of the label JSON with the same name beside it (the output of `gesturetrain.compose`).
Without one, the moving part of the video has the class of its folder's name and the rest is null; if nothing moves, the whole video has that class;
in a folder called null, all of it is null. Labels that the checkpoint does not have are new classes, appended to its labels in alphabetical order.

COLUMNS is a folder of `gesturetrain.columns`: on these clips of the old classes the network is trained to keep its previous outputs (distillation:
Hinton, Vinyals, Dean 2015, arXiv 1503.02531; for old classes together with new ones: Li and Hoiem 2016, arXiv 1606.09282).

The engine encodes the frames with MODEL, so the temporal layers are trained on exactly their later input. The written checkpoint has MODEL's
activation scales for the encoder, so its quantised values do not change, and for the temporal layers the largest output over all their training data.
"""

import argparse
import hashlib
import json
import os
import pathlib
import time

import numpy as np
import torch
from safetensors import safe_open
from safetensors.torch import load_file
from torch import nn
from torch.nn import functional as F

from common.labels import LABELS, MIRRORED
from common.quantised import PREFIX
from common.tensors import safetensors

from . import columns
from .evaluate import on_grid, read_video
from .network import WINDOW, fold, network_of
from .quantised import TEMPORAL
from .run import schedule

VIDEOS = (".mp4", ".mov", ".m4v", ".avi", ".mkv", ".webm", ".gif")
GRIDS = (30, 60, 120)
STEPS = 48  # columns of a training sequence, as in the rehearsal clips
STRETCH = (0.8, 1.25)
BORDER = 0.1  # seconds around the found onset and end that are ignored
LARGEST_SCALE = 6 / 255
BATCH_FRAMES = 4000  # encoded at once


def moving_part(frames):
    """(first, end) of the frames with movement; all frames if the movement is uniform or there is none."""
    if len(frames) < 3:
        return 0, len(frames)
    small = frames.reshape(len(frames), 28, 8, 28, 8).mean((2, 4))
    change = np.abs(np.diff(small, axis=0, prepend=small[:1])).max((1, 2))
    change[0] = change[1]
    change = np.convolve(np.pad(change, 2, "edge"), np.ones(5) / 5, "valid")
    quiet, busy = np.percentile(change, [10, 90])
    if busy < 2 * quiet + 2:
        return 0, len(frames)
    where = np.flatnonzero(change > quiet + 0.25 * (busy - quiet))
    return int(where[0]), int(where[-1]) + 1


class Clip:
    """A video on its grid: frames uint8 [n,224,224], index [T] into them, names [T] of the classes, ignore [T]."""

    def __init__(self, video, null):
        self.frames, source = read_video(video)
        described = video.with_suffix(".json")
        if described.exists():
            truth = json.loads(described.read_text())
            if truth["frames"] != len(self.frames):
                raise SystemExit(f"{video} has {len(self.frames)} frames, its labels state {truth['frames']}")
            source = truth["rate_hz"]
            names, ignore = np.full(len(self.frames), null, object), np.zeros(len(self.frames), bool)
            for first, end, name in truth["labels"]:
                names[first:end] = name
            for first, end in truth.get("undecided", ()):
                ignore[first:end] = True
        else:
            names, ignore = np.full(len(self.frames), null, object), np.zeros(len(self.frames), bool)
            if video.parent.name != null:
                first, end = moving_part(self.frames)
                names[first:end] = video.parent.name
                margin = round(BORDER * source)
                for edge in (first, end):
                    if 0 < edge < len(names):
                        ignore[max(edge - margin, 0):edge + margin] = True
        grid = next((g for g in GRIDS if g >= source - 0.5), GRIDS[-1])
        self.index = on_grid(len(self.frames), source, grid)
        self.names, self.ignore = names[self.index], ignore[self.index]
        self.seconds = len(self.index) / grid


def mirrored_names(pairs, null):
    """{label: label of its mirror image}; new classes only if `pairs` has them, as A=B."""
    names = {LABELS[i]: LABELS[m] for i, m in enumerate(MIRRORED)} | {null: null}
    for pair in pairs:
        a, _, b = pair.partition("=")
        names |= {a: b or a, b or a: a}
    return names


def sequences(clips, mirror, model, bench):
    """-> list of (columns float16 [T,128], names [T], ignore [T]): every clip, and its mirror image if its labels are known."""
    out, batch, waiting = [], [], 0

    def encode():
        nonlocal waiting
        if batch:
            encoded = columns.encode(np.concatenate([frames for frames, *_ in batch]), model, bench)
            for frames, index, names, ignore in batch:
                out.append((encoded[:len(frames)][index], names, ignore))
                encoded = encoded[len(frames):]
        batch.clear()
        waiting = 0

    for clip in clips:
        versions = [(clip.frames, clip.names)]
        if all(n in mirror for n in clip.names):
            versions.append((np.ascontiguousarray(clip.frames[:, :, ::-1]), [mirror[n] for n in clip.names]))
        for frames, names in versions:
            batch.append((frames, clip.index, names, clip.ignore))
            waiting += len(frames)
        if waiting > BATCH_FRAMES:
            encode()
    encode()
    return out


def enlarged(state, count):
    """A network with the checkpoint's parameters, temporal BatchNorm folded, and `count` more rows in its classifier.

    A new row starts as the mean of the old ones, with 2 subtracted from its bias.
    """
    net = network_of(state)
    for part in (net.t1, net.t2, net.t3):
        fold(part)
    old = net.fc
    net.fc = nn.Linear(old.in_features, old.out_features + count)
    with torch.no_grad():
        net.fc.weight.copy_(torch.cat([old.weight, old.weight.mean(0).expand(count, -1)]))
        net.fc.bias.copy_(torch.cat([old.bias, (old.bias.mean() - 2).expand(count)]))
    return net


def stretched(rng, sequence):
    """STEPS columns of a sequence with their labels, around a random column, faster or slower by up to STRETCH."""
    column, label, ignore = sequence
    pace = np.exp(rng.uniform(*np.log(STRETCH)))
    reach = (STEPS - 1) * pace
    first = rng.uniform(min(0, len(label) - 1 - reach), max(0, len(label) - 1 - reach))
    index = np.clip(np.rint(first + np.arange(STEPS) * pace).astype(int), 0, len(label) - 1)
    return column[index], label[index], ignore[index]


def train(net, teacher, fresh, rehearsal, args):
    """Trains the temporal layers and the classifier of `net`. rehearsal: columns [N,T,128]."""
    parameters = [p for n, p in net.named_parameters() if n.startswith(("t1", "t2", "t3", "fc"))]
    for p in net.parameters():
        p.requires_grad_(any(p is q for q in parameters))
    # Without BatchNorm a step must be small relative to the weights.
    groups = [{"params": [p], "weight_decay": 0.0,
               "scale": p.detach().pow(2).mean().sqrt().clamp(min=0.02 if p.dim() > 1 else 0.2).item()} for p in parameters]
    optimiser = torch.optim.AdamW(groups, lr=args.rate, betas=(0.9, 0.98))
    mean, added = {}, net.fc.out_features - teacher.fc.out_features
    for step in range(args.steps):
        rng = np.random.default_rng([args.seed, 21, step])
        parts = [stretched(rng, fresh[k]) for k in rng.integers(0, len(fresh), args.batch)]
        x, label, ignore = (torch.from_numpy(np.stack(p)) for p in zip(*parts))
        old = torch.from_numpy(rehearsal[np.sort(rng.integers(0, len(rehearsal), 2 * args.batch))]).float()
        x = x.float()
        with torch.no_grad():
            said, target = (F.pad(F.softmax(teacher.temporal(v), -1), (0, added)) for v in (x, old))
        noise = [torch.from_numpy(rng.normal(0, args.noise, v.shape).astype(np.float32)) for v in (x, old)]
        logits = net.temporal(x + noise[0])
        label, ignore = label[:, WINDOW - 1:].flatten(), ignore[:, WINDOW - 1:].flatten()
        weight = torch.where(ignore, 0.05, 1.0)
        # For the old classes in the new clips, too, half of the target is the old network's output.
        shown = F.one_hot(label, logits.shape[-1]).float()
        shown = torch.where((label < logits.shape[-1] - added)[:, None], 0.5 * (shown + said.flatten(0, 1)), shown)
        loss = F.cross_entropy(logits.flatten(0, 1), shown, reduction="none")
        loss = (loss * weight).sum() / weight.sum()
        again = F.log_softmax(net.temporal(old + noise[1]), -1)
        kept = F.kl_div(again, target, reduction="none").sum(-1).mean()
        optimiser.zero_grad()
        (loss + args.keep * kept).backward()
        nn.utils.clip_grad_norm_(parameters, 1.0)
        for group in optimiser.param_groups:
            group["lr"] = schedule(step, args.steps, args.rate, 50) * group["scale"]
        optimiser.step()
        for name, value in (("new", loss), ("kept", kept)):
            mean[name] = 0.98 * mean.get(name, value.item()) + 0.02 * value.item()
        if (step + 1) % 100 == 0:
            print(f"{step + 1} " + " ".join(f"{k} {v:.4f}" for k, v in mean.items()), flush=True)


def largest_outputs(net, fresh, rehearsal):
    """The largest output of each temporal layer over all the columns."""
    largest = dict.fromkeys(TEMPORAL, 0.0)
    with torch.inference_mode():
        for column in [f[0][None] for f in fresh if len(f[0]) >= WINDOW] + np.array_split(rehearsal, max(len(rehearsal) // 64, 1)):
            x = torch.from_numpy(column).float().transpose(1, 2)
            for name, layer in zip(TEMPORAL, (net.t1, net.t2, net.t3)):
                x = layer(x)
                largest[name] = max(largest[name], x.max().item())
    return largest


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint", type=pathlib.Path)
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument("clips", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--rehearsal", type=pathlib.Path, required=True, help="columns of clips of the old classes")
    parser.add_argument("--mirror", action="append", default=[], metavar="A=B", help="class A mirrored is class B; clips whose classes are all named are learned from mirrored, too")
    parser.add_argument("--steps", type=int, default=700)
    parser.add_argument("--batch", type=int, default=24, help="sequences of new clips a step; twice as many of the old ones")
    parser.add_argument("--rate", type=float, default=1e-2, help="peak learning rate, relative to the weights")
    parser.add_argument("--noise", type=float, default=0.02, help="added to the columns")
    parser.add_argument("--keep", type=float, default=8.0, help="weight of what the old network said")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--bench", type=pathlib.Path, default=columns.BENCH)
    args = parser.parse_args()
    begun = time.time()
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    print(json.dumps(finetune(args)))
    print(f"{time.time() - begun:.0f} s", flush=True)


def finetune(args):
    """-> what was added, for the metadata `training` of the written checkpoint."""
    state = load_file(args.checkpoint)
    with safe_open(args.checkpoint, "pt") as file:
        metadata = file.metadata() or {}
    with safe_open(args.model, "pt") as file:
        made = file.metadata()
    scales = {k: v for k, v in made.items() if k.startswith(PREFIX)}
    source = hashlib.sha256(args.checkpoint.read_bytes()).hexdigest()
    if made.get("source_sha256") not in (None, source):
        raise SystemExit(f"{args.model} was not made from {args.checkpoint}")
    labels = json.loads(metadata.get("labels", json.dumps(LABELS)))
    null_index = int(metadata.get("null_index", len(labels) - 1))
    null = labels[null_index]

    videos = sorted(v for v in args.clips.rglob("*") if v.suffix.lower() in VIDEOS)
    read = {"clips": 0, "seconds": 0.0, "frames": 0}

    def clips():
        for video in videos:
            clip = Clip(video, null)
            read["clips"] += 1
            read["seconds"] = round(read["seconds"] + clip.seconds, 2)
            read["frames"] += len(clip.frames)
            yield clip

    fresh = sequences(clips(), mirrored_names(args.mirror, null), args.model, args.bench)
    added = sorted({n for _, names, _ in fresh for n in names} - set(labels))
    if not added:
        raise SystemExit(f"{args.clips} shows no class that is new to the checkpoint")
    shown = set(labels).union(added)
    unknown = sorted({n for pair in args.mirror for n in pair.split("=")} - shown)
    if unknown:
        raise SystemExit(f"--mirror names classes that no clip shows: {', '.join(unknown)}")
    number = {name: i for i, name in enumerate(labels + added)}
    fresh = [(column, np.array([number[n] for n in names]), ignore) for column, names, ignore in fresh]
    if not any(args.rehearsal.glob("columns-?????.npz")):
        raise SystemExit(f"{args.rehearsal} has no columns of features")
    rehearsal = columns.read(args.rehearsal)[0]
    print(f"{read['clips']} clips, {read['seconds']:.0f} s, {read['frames']} frames; {len(fresh)} sequences with mirror images; "
          f"{len(rehearsal)} rehearsal clips; new: {', '.join(added)}", flush=True)

    net, teacher = enlarged(state, len(added)), enlarged(state, 0).eval()
    train(net, teacher, fresh, rehearsal, args)
    learned = {k: v.detach().contiguous().clone() for k, v in net.state_dict().items() if k.startswith(("t1", "t2", "t3", "fc"))}
    weights = {k: v for k, v in state.items() if not k.startswith(("t1.", "t2.", "t3.", "fc."))} | learned
    assert all(torch.isfinite(v).all() for v in weights.values())
    for name, value in largest_outputs(net, fresh, rehearsal).items():
        scales[PREFIX + name] = f"{min(max(value, 1e-3) / 255, LARGEST_SCALE):.9g}"

    training = json.loads(metadata.get("training", "{}"))
    training["added"] = {"classes": added, "checkpoint_sha256": source, **read, "rehearsal_clips": len(rehearsal),
                         "steps": args.steps, "seed": args.seed}
    kept = {k: v for k, v in metadata.items() if k not in ("tensors_sha256", "parameters")}
    metadata = kept | scales | {"labels": json.dumps(labels + added), "null_index": str(null_index), "training": json.dumps(training)}
    args.out.mkdir(parents=True, exist_ok=True)
    part = args.out / "checkpoint.part"
    part.write_bytes(safetensors(weights, metadata))
    os.replace(part, args.out / "checkpoint.safetensors")
    (args.out / "labels.json").write_text(json.dumps({"labels": labels + added, "null": null}, indent=1) + "\n")
    return training["added"]


if __name__ == "__main__":
    main()
