"""Teaches the landmark front end new gestures: `finetune VIDEOS --output MODEL`.

VIDEOS has one folder per gesture, named by its label, and one named null for footage without gestures; in them short clips, each of one gesture
(`handtrain.recordings` describes how it is located). Labels that the model already has are trained again on these clips, others are added.

- Every clip is tracked by the engine. Its landmarks are varied: turned, tilted, resized, moved, with fingers of other lengths, faster and slower,
  with noise and lost hands, after no hand or another clip, and mirrored if --mirror gives the label of the mirror image.
- Only the classifier's rows of the labels in VIDEOS learn. Every other weight stays, and a new gesture takes from null's probability alone
  (`common.recognise.Rules.taught`). So the old gestures are exactly as probable as before, and what looks like one of them can't be taught.
- At the same time the rows rehearse the committed clips of the old gestures (`handtrain.rehearsal`) and the clips of null: a new gesture should not be
  reported in them.

`gesture-import` makes MODEL from the result. Then the old model and MODEL are measured on VIDEOS, on the rehearsed clips, on the repository's demo clip,
and with --test FOLDER, of the same layout, on other clips. What harms is a warning.
"""

import argparse
import copy
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unicodedata
from typing import NamedTuple

import numpy as np
import torch
from safetensors import safe_open
from torch.nn import functional as F

import needs
from common.labels import LABELS, MIRRORED
from common.quantised import PREFIX
from common.recognise import Rules, events
from common.tensors import safetensors

from . import features, poses, recordings, rehearsal
from .augmentation import FLIPPED, NAMES, Augmentation
from .camera import GRID
from .features import LAYOUT
from .head import SCALE, Folded, layers_of, statistics
from .quantised import Learning, Quantised
from .skeletons import PARENT, palm_size, points_of, turn

HERE = pathlib.Path(__file__).resolve()
SHIPPED = HERE.parents[4] / "Weights" / "hands" / "hand-gestures.safetensors"
DEMO = HERE.parents[4] / "Weights" / "demo" / "hands.mp4"
STEPS = rehearsal.COLUMNS
STRETCH = (0.75, 1.33)
BEFORE, AFTER = 15, 8  # columns before and after a clip that a sequence may contain
BEGIN = 0.3  # this share of a gesture's length, at most BEGIN_MOST seconds, is undecidable
BEGIN_MOST = 0.2
AFTERWARDS = (0.1, 0.4)  # seconds after its end until which it counts, and until which it is undecidable
BATCH = 48  # sequences at once
NULL_SHARE = 0.35  # share of null in new sequences, if there are clips of it


class Model(NamedTuple):
    """The head and metadata of a model file."""
    head: Folded
    labels: list
    null: str
    scales: dict
    rules: Rules
    metadata: dict
    digest: str

    def exact(self):
        """Its logits as computed by the engine: function from columns [N,T,128] to [N,T-15,classes]."""
        quantised = Quantised(self.head, self.scales)
        return lambda codes: quantised.logits(torch.from_numpy(np.asarray(codes, np.uint8))).numpy()


def load(path):
    """An int8 model of landmarks -> Model."""
    try:
        with safe_open(str(path), "pt") as file:
            metadata = file.metadata() or {}
            state = {k: file.get_tensor(k).float() for k in file.keys()}
        if not metadata.get("network", "").startswith("LandmarkTCN") or metadata["precision"] != "int8":
            raise ValueError(f"its network is {metadata.get('network', 'missing')}, its precision {metadata.get('precision', 'missing')}")
        labels = json.loads(metadata["labels"])
        head = Folded(len(labels), layers_of(state))
        for name in (*(f"{name}.conv" for name, _ in head.layers), "fc"):
            weight = state[f"{name}.weight"]
            state[f"{name}.weight"] = weight * state.pop(f"{name}.scale").view(-1, *[1] * (weight.dim() - 1))
        head.load_state_dict(state)
        scales = {f"{name}.conv": float(np.float32(metadata[f"{PREFIX}{name}.conv"])) for name, _ in head.layers}
        rules = Rules.said(metadata, GRID)
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        raise SystemExit(f"{path} is not an int8 model of the landmark front end: {error}") from None
    except Exception as error:  # safetensors has its own error class
        raise SystemExit(f"{path} cannot be read: {error}") from None
    return Model(head.eval(), labels, labels[int(metadata["null_index"])], scales, rules, metadata, hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest())


# What is learned from


class Clip(NamedTuple):
    """A recording on the columns' grid: landmarks [T,21,3], right [T], aspect, motion [T,12] (quantised), target names [T] ("" for no target), own
    (of a null folder)."""
    path: pathlib.Path
    landmarks: np.ndarray
    right: np.ndarray
    aspect: float
    motion: np.ndarray
    names: np.ndarray
    own: bool

    @property
    def codes(self):
        return codes_of(self.landmarks, self.right, self.aspect, self.motion)


def codes_of(landmarks, right, aspect, motion):
    """Columns with the given quantised motion."""
    out = features.codes(landmarks, right, aspect, poses=poses.of_seen(landmarks, aspect))
    out[:, features.POSED:features.USED] = motion
    return out


def labelled(recording, name, null):
    """Names of each frame of a clip in the folder `name`: "" for no target. -> (names [n], how the gesture was located)."""
    said = recordings.described(recording)
    if said is not None:
        names, ignore = said
        return np.where(ignore, "", names), "labels"
    names = np.full(len(recording.time), null, object)
    if name == null:
        return names, "null"
    first, end, kind = recordings.gesture(recording)
    step, t = 1 / recording.rate, recording.time
    begin, stop = t[first], t[end - 1] + step
    decided = begin + min(BEGIN * (stop - begin), BEGIN_MOST)
    names[(t >= begin - 2 * step - 1e-6) & (t < stop + AFTERWARDS[1] - 1e-6)] = ""
    names[(t >= decided - 1e-6) & (t < stop + (AFTERWARDS[0] if kind == "moves" else 0) - 1e-6)] = name
    if kind != "moves":
        # While a hand appears or disappears, its pose is uncertain.
        names[names == null] = ""
    return names, kind


def clips_of(recording, name, null):
    names, kind = labelled(recording, name, null)
    motion = recording.motion
    if motion is None:
        motion = np.broadcast_to(features.NONE[features.POSED:features.USED], (len(names), features.USED - features.POSED))
    out = []
    for index in recordings.columns(recording):
        out.append(Clip(recording.path, recording.landmarks[index], recording.right[index], recording.aspect, motion[index], names[index], name == null))
    return out, kind


def mirrored_names(pairs, null, shown):
    """{label: label of its mirror image}, from A=B."""
    names = {null: null, "": ""} | {LABELS[i]: LABELS[m] for i, m in enumerate(MIRRORED)}
    for pair in pairs:
        a, _, b = pair.partition("=")
        b = b or a
        unknown = [n for n in (a, b) if n not in shown]
        if unknown:
            raise SystemExit(f"--mirror names {unknown[0]}, which no clip shows")
        names |= {a: b, b: a}
    return names


def moved(rng, landmarks, right, aspect, roll=0.0):
    """The landmarks of a clip [T,21,3] varied as from another hand and camera, turned in the picture by about `roll` radians. -> landmarks, right."""
    p = landmarks.astype(np.float64) * [aspect, 1, aspect]
    seen = np.isfinite(p).all((1, 2))
    if not seen.any():
        return landmarks, right
    q = p[seen]
    bones = (q[:, 1:] - q[:, PARENT]) * np.exp(rng.normal(0, 0.05, (1, 20, 1)) + np.repeat(rng.normal(0, 0.04, 5), 4)[None, :, None])
    other = points_of(bones)
    palm = list(features.PALM)
    at, here = q[:, palm].mean(1), other[:, palm].mean(1)
    tilt = turn(np.array(rng.normal(0, 0.15)), 0) @ turn(np.array(rng.normal(0, 0.15)), 1)
    other = (other - here[:, None]) @ tilt.T
    roll = turn(np.array(rng.normal(roll, 0.12)))
    size = np.exp(rng.normal(0, 0.3))
    middle = at.mean(0)
    path = (at - middle) @ roll.T * size
    other = other @ roll.T * size
    # Anywhere in the frame, if most of the path stays inside.
    span = np.abs(path[:, :2]).max(0)
    room = np.maximum(np.array([aspect, 1]) / 2 - span - 0.05, 0)
    place = np.clip(middle[:2] + rng.normal(0, 0.15, 2), [aspect / 2, 0.5] - room, [aspect / 2, 0.5] + room)
    other = other + path[:, None]
    other[..., :2] += place
    other[..., 2] += middle[2]
    other[..., 2] -= other[:, :1, 2]
    other[..., 2] *= rng.uniform(0.7, 1.15)
    unit = np.median(palm_size(other))
    level = unit * np.exp(rng.normal(np.log(0.012), 0.5))
    other += rng.normal(0, level, other.shape) * [1, 1, 2] + rng.normal(0, 1.5 * level, (1, 21, 3))
    out = np.full(landmarks.shape, np.nan, np.float32)
    out[seen] = other / [aspect, 1, aspect]
    return out, right


def carried(motion, landmarks, elsewhere):
    """Quantised motion [T,12] of a clip whose hand was moved in the frame from `landmarks` to `elsewhere`."""
    way = np.nan_to_num((elsewhere - landmarks)[:, list(features.PALM), :2].mean(1))
    way = way[np.any(way != 0, 1)].mean(0) if np.any(way) else np.zeros(2)
    out = motion.astype(np.float32)
    for axis, x in enumerate("XY"):
        for name, known in ((f"move{x}", f"wide{x}"), (f"last{x}", None)):
            k = NAMES.index(name)
            at = out[:, NAMES.index(known) - features.POSED] > 0 if known else out[:, NAMES.index("age") - features.POSED] < 255
            out[at, k - features.POSED] += way[axis] * features.GAIN[k]
    return np.rint(np.clip(out, 0, 255)).astype(np.uint8)


def sample(rng, clip, mirror, filler):
    """STEPS columns around a part of a clip -> (columns [STEPS,128], names [STEPS], whether they belong to the clip).

    Before and after it: no hand, the repeated first or last column, or `filler`, columns of another clip; these have no target.
    """
    landmarks, right, names, motion = clip.landmarks, clip.right, clip.names, clip.motion
    pace = np.exp(rng.uniform(*np.log(STRETCH)))
    count = max(int(round(len(names) / pace)), 2)
    index = np.minimum((np.arange(count) * pace).astype(int), len(names) - 1)
    landmarks, right, names, motion = landmarks[index], right[index], names[index], motion[index]
    if mirror is not None and rng.random() < 0.5:
        landmarks, right, names = landmarks * np.float32([-1, 1, 1]) + np.float32([1, 0, 0]), 1 - right, np.array([mirror[n] for n in names], object)
        motion = np.where(FLIPPED[features.POSED:features.USED].numpy(), 255 - motion, motion)
    elsewhere, right = moved(rng, landmarks, right, clip.aspect)
    codes = codes_of(elsewhere, right, clip.aspect, carried(motion, landmarks, elsewhere))
    if rng.random() < 0.25:
        a = int(rng.integers(0, count))
        codes[a:a + int(rng.integers(1, 4))] = features.NONE
    low, high = -BEFORE, max(count - STEPS + AFTER, -BEFORE)
    first = int(rng.integers(low, high + 1))
    at = np.arange(first, first + STEPS)
    inside = (at >= 0) & (at < count)
    kind = rng.choice(3, p=[0.35, 0.25, 0.4])
    out = np.empty((STEPS, features.CODES), np.uint8)
    said = np.full(STEPS, "", object)
    out[:] = features.NONE if kind == 0 else filler[:STEPS] if kind == 2 else codes[np.clip(at, 0, count - 1)]
    out[inside], said[inside] = codes[at[inside]], names[at[inside]]
    if kind == 1:
        # A pose that is held longer is the same pose.
        said[at < 0] = names[0] if clip.own else ""
    return out, said


# The network


def enlarged(model, labels):
    """The model's head with a classifier for `labels`: existing labels keep their rows; each new one gets null's row, made less likely."""
    head = Folded(len(labels), model.head.layers)
    state = copy.deepcopy(model.head.state_dict())
    rows = [model.labels.index(n) if n in model.labels else model.labels.index(model.null) for n in labels]
    new = torch.tensor([n not in model.labels for n in labels])
    state["fc.weight"] = state["fc.weight"][rows].clone()
    state["fc.bias"] = state["fc.bias"][rows] - 2.0 * new
    head.load_state_dict(state)
    return head.eval()


def paced(rng, codes):
    """Rehearsed columns [B,T,128], faster or slower around a random moment. The old model provides their targets."""
    batch, count = codes.shape[:2]
    pace, moment = np.exp(rng.uniform(*np.log(STRETCH), (batch, 1))), rng.uniform(0, count - 1, (batch, 1))
    at = np.clip(np.rint(moment + (np.arange(count) - moment) * pace), 0, count - 1).astype(int)
    return codes[np.arange(batch)[:, None], at]


def drawn(rng, clips, mirror, rehearsed, null, batch):
    """`batch` sequences of new clips -> columns [B,STEPS,128], names [B][STEPS], whether each is of the null folder."""
    by_name = {}
    for clip in clips:
        by_name.setdefault(null if clip.own else clip.path.parent.name, []).append(clip)
    gestures = sorted(n for n in by_name if n != null)
    mirrors = {id(c): mirror if all(n in mirror for n in c.names) else None for c in clips}
    while True:
        rows = []
        for _ in range(batch):
            name = null if null in by_name and rng.random() < NULL_SHARE else gestures[int(rng.integers(len(gestures)))]
            clip = by_name[name][int(rng.integers(len(by_name[name])))]
            rows.append((*sample(rng, clip, mirrors[id(clip)], rehearsed[int(rng.integers(len(rehearsed)))]), clip.own))
        yield rows


def learned_loss(log_p, before, label, own, new):
    """Loss on new clips: the label [B,T], -1 for no target; outside a gesture, where the label is null or an old class, half of the target is the old
    model's output."""
    shown = F.one_hot(label.clamp(min=0), log_p.shape[-1]).float()
    half = ~new[label.clamp(min=0)] & ~own
    shown = torch.where(half[..., None], 0.5 * (shown + before), shown)
    asked = (label >= 0).float()
    return -((shown * log_p).sum(-1) * asked).sum() / asked.sum().clamp(min=1)


def kept_loss(log_p, before):
    """Loss on old clips: the targets are the old outputs, so a new gesture in them is an error."""
    return F.kl_div(log_p, before, reduction="none").sum(-1).mean()


def divided(logits, null, new):
    """Logarithms of `common.recognise.probabilities`; new: bool [classes] of the taught ones."""
    log_p = F.log_softmax(logits.masked_fill(new, -torch.inf), -1)
    among = new.clone()
    among[null] = True
    shares = F.log_softmax(logits.masked_fill(~among, -torch.inf), -1)
    return torch.where(among, log_p[..., null:null + 1] + shares, log_p)


class Rows(NamedTuple):
    """Outputs of the last temporal layer [N,channels] with their targets: of clips of the user's, label [N], -1 for no target, and own [N]; of
    rehearsed clips neither."""
    hidden: torch.Tensor
    label: torch.Tensor = None
    own: torch.Tensor = None


def rows_of(model, labels, clips, mirror, rehearsed, args):
    """-> (Rows of the clips, Rows of the rehearsed clips, the head that made them): `args.sequences` varied sequences, and twice as many rehearsed."""
    null = labels.index(model.null)
    number = {n: k for k, n in enumerate(labels)}
    rng, augment = np.random.default_rng(args.seed), Augmentation(args.seed, 2 * BATCH, STEPS)
    old_codes, old_label = torch.from_numpy(rehearsed["codes"]), torch.from_numpy(rehearsed["label"]).long()
    mean, deviation = statistics(old_codes.reshape(-1, old_codes.shape[-1]))
    learner = Learning(enlarged(model, labels), model.scales, mean, 1 / deviation)
    fresh, again, begun = [], [], time.time()
    count = -(-args.sequences // BATCH)
    for done, batch in zip(range(1, count + 1), drawn(rng, clips, mirror, rehearsed["codes"], model.null, BATCH)):
        codes, names, own = zip(*batch)
        offset = int(rng.integers(0, 4))
        x = torch.from_numpy(np.stack(codes)).float()
        label = torch.tensor([[number.get(n, null if n else -1) for n in row] for row in names])[:, 14 + offset::4]
        own = torch.tensor(own)[:, None].expand(label.shape)
        pick = torch.from_numpy(rng.integers(0, len(old_codes), 2 * BATCH))
        y, _, _ = augment(paced(rng, old_codes[pick]).float(), old_label[pick], torch.zeros_like(old_label[pick]))
        with torch.no_grad():
            hidden = learner.begun(torch.cat([x, y])[:, offset:])
        fresh.append(Rows(hidden[:BATCH].flatten(0, 1), label.flatten(), own.flatten()))
        again.append(hidden[BATCH:].flatten(0, 1))
        if done % 20 == 0:
            print(f"{done * BATCH} of {count * BATCH} sequences, {time.time() - begun:.0f} s", flush=True)
    return Rows(*(torch.cat(part) for part in zip(*fresh))), Rows(torch.cat(again)), learner


def train(model, labels, clips, mirror, rehearsed, args):
    """-> the Folded with trained rows of the labels that the clips show. The same arguments give the same weights."""
    fresh, again, learner = rows_of(model, labels, clips, mirror, rehearsed, args)
    null = labels.index(model.null)
    new = torch.tensor([n not in model.labels for n in labels])
    shown = torch.zeros(len(labels), dtype=torch.bool)
    shown[fresh.label[fresh.label >= 0].unique()] = True
    shown[null] = False
    with torch.no_grad():
        # Rows of new labels have no share in what was said before.
        before = [divided(learner.classified(part.hidden), null, new).masked_fill(new, -torch.inf).softmax(-1) for part in (fresh, again)]
    fc = learner.head.fc
    for values in (fc.weight, fc.bias):
        values.register_hook(lambda gradient: gradient * shown.view(-1, *[1] * (gradient.dim() - 1)))
    optimiser = torch.optim.Adam([fc.weight, fc.bias], lr=args.rate, betas=(0.9, 0.98))
    for step in range(args.steps):
        for group in optimiser.param_groups:
            group["lr"] = args.rate * (0.5 + 0.5 * np.cos(np.pi * step / args.steps))
        log_p = [divided(learner.classified(part.hidden), null, new) for part in (fresh, again)]
        learned, kept = learned_loss(log_p[0], before[0], fresh.label, fresh.own, new), kept_loss(log_p[1], before[1])
        optimiser.zero_grad()
        (learned + args.keep * kept).backward()
        optimiser.step()
        if (step + 1) % 100 == 0:
            print(f"step {step + 1} of {args.steps}: new {learned.item():.3f}, kept {kept.item():.3f}", flush=True)
    head = enlarged(model, labels)
    head.fc.load_state_dict(fc.state_dict())
    return head


def written(head, model, labels, added, output, args):
    """Writes the model file with `gesture-import`."""
    weights = {k: v for k, v in head.state_dict().items()}
    assert all(torch.isfinite(v).all() for v in weights.values())
    training = json.loads(model.metadata.get("training", "{}"))
    training["added"] = added
    metadata = {"network": "GestureTCN-340K temporal layers on landmarks", "labels": json.dumps(labels), "null_index": str(labels.index(model.null)),
                "batchnorm": "folded", "input_scale": repr(SCALE), "grid_hz": str(GRID), "features": json.dumps([name for name, *_ in LAYOUT]),
                "training": json.dumps(training)}
    taught = [n for n in labels if n not in model.labels or n in model.rules.taught]
    metadata |= model.rules._replace(taught=taught).metadata(labels, GRID)
    metadata |= {PREFIX + name: str(np.float32(scale)) for name, scale in model.scales.items()}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "checkpoint.safetensors").write_bytes(safetensors(weights, metadata))
        (folder / "labels.json").write_text(json.dumps({"labels": labels, "null": model.null}))
        command = [args.bench.parent / "gesture-import", "import", folder / "checkpoint.safetensors", "--precision", "int8", "--replace-head",
                   folder / "labels.json", "--output", output]
        dropped = set(LABELS) - set(labels)
        run(command + ["--allow-dropped"] * bool(dropped))


def run(command):
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        raise SystemExit(f"{command[0]} cannot be run ({error.strerror}): build it with Tools/build") from None
    if done.returncode:
        raise SystemExit(done.stderr.strip() or f"{command[0]} ended with status {done.returncode}")
    return done.stdout


# Results


def begins(model, codes):
    """Labels of the events of a recording's columns, computed like a stream in int8; the first column is held for half a second before."""
    codes = np.concatenate([np.repeat(codes[:1], 15, 0), codes])
    return [e[0] for e in events(model.exact()(codes[None])[0], model.rules, model.labels, model.null)]


def found(model, clips):
    """{name: [clips, clips in which its gesture is found, other events]} by folder."""
    out = {}
    for clip in clips:
        name = clip.path.parent.name
        said = begins(model, clip.codes)
        row = out.setdefault(name, [0, 0, 0])
        row[0] += 1
        row[1] += name in said
        row[2] += sum(n != name for n in said)
    return out


def table(models, rows):
    """Lines of a table: for each folder the number of clips and, for each model, the clips in which the gesture is found and the other events in
    them. rows: `found` of each model."""
    lines = [f"{'':24}{'clips':>6}" + "".join(f"{title + ': found':>16}{'others':>8}" for title in ("before", "after"))]
    for name in rows[0]:
        cells = "".join(f"{('-' if name == m.null or name not in m.labels else row[name][1])!s:>16}{row[name][2]:>8}" for m, row in zip(models, rows))
        lines.append(f"{name:24}{rows[0][name][0]:>6}" + cells)
    return lines


def harm(before, after, rehearsed):
    """-> (clips of the rehearsed ones in which AFTER tells other old gestures than BEFORE, those in which it tells a new one)"""
    other = reported = 0
    logits = [m.exact()(rehearsed["codes"]) for m in (before, after)]
    for old, new in zip(*logits):
        names = [[e[0] for e in events(x, m.rules, m.labels, m.null)] for m, x in ((before, old), (after, new))]
        other += names[0] != [n for n in names[1] if n in before.labels]
        reported += any(n not in before.labels for n in names[1])
    return other, reported


def replayed(path, model, bench):
    """Begins in a video by the engine: [(label, seconds, confidence)]."""
    lines = [json.loads(line) for line in run([bench, "replay", path, "--model", model, "--front-end", "landmarks", "--no-arms", "--json"]).splitlines()]
    return [(e["label"], e["decision_s"], e["confidence"]) for e in lines if e["event"] == "begin"]


def warnings(kinds, before, rows, clips):
    """Sentences about gestures that can't be recognised as they were recorded. kinds: {label: {kind: clips}} of `gather`; before: the old model;
    rows: `found` of the new one."""
    out = []
    for name, how in kinds.items():
        if how.get("all"):
            out.append(f"{name} is shown throughout {how['all']} of its clips, so that nothing says where it begins: begin and end a clip with a still "
                       "hand or none")
    for name, (count, hit, _) in rows.items():
        if name not in before.labels and 2 * hit < count:
            reported = sorted({n for c in clips if c.path.parent.name == name for n in begins(before, c.codes)})
            out.append(f"{name} is found in {hit} of the {count} clips it learned from"
                       + (f"; the old model tells {', '.join(reported)} in them, and keeps what it tells" if reported else ""))
    return out


def gather(folder, null, bench, tell=True, least=2):
    """-> ({label: {how a gesture was located: clips}}, [Clip]). least: the fewest clips of a gesture."""
    out, located = [], {}
    for name, paths in recordings.gathered(folder, null, least).items():
        kinds, seconds = {}, 0.0
        for path in paths:
            recording = recordings.read(path, bench)
            made, kind = clips_of(recording, name, null)
            out += made
            kinds[kind] = kinds.get(kind, 0) + 1
            seconds += recording.time[-1] + 1 / recording.rate
        located[name] = kinds
        if tell:
            how = {"pose": "a pose held", "moves": "moves from rest to rest", "all": "shown throughout", "labels": "by its labels", "null": "nothing"}
            print(f"{name}: {len(paths)} clips, {seconds:.1f} s; " + ", ".join(f"{how[k]} in {n}" for k, n in sorted(kinds.items())), flush=True)
    return located, out


def options(parser):
    parser.add_argument("videos", type=pathlib.Path, metavar="VIDEOS", help="a folder with one folder a gesture, and null")
    parser.add_argument("--output", type=pathlib.Path, required=True, metavar="MODEL", help="the model file to write")
    parser.add_argument("--model", type=pathlib.Path, default=SHIPPED, help="the int8 model to begin with; the shipped one by default")
    parser.add_argument("--keep-labels", metavar="A,B", help="gestures of that model to keep, with commas between, or none; all by default")
    parser.add_argument("--mirror", action="append", default=[], metavar="A=B", help="gesture A mirrored is gesture B; A=A where it is the same")
    parser.add_argument("--test", type=pathlib.Path, metavar="FOLDER", help="clips of the same layout to measure on, before and after; one of a gesture suffices")
    parser.add_argument("--sequences", type=int, default=2880, help="variations of the new clips; twice as many of the old gestures")
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--rate", type=float, default=2e-2)
    parser.add_argument("--keep", type=float, default=4.0, help="weight of what the model said before")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--bench", type=pathlib.Path, default=recordings.BENCH, help="gesture-bench, with gesture-import beside it")


def checked_output(output):
    if output.is_dir():
        raise SystemExit(f"{output} is a folder: --output is the file to write")
    if not output.absolute().parent.is_dir():
        raise SystemExit(f"{output.absolute().parent} does not exist")
    if not os.access(output if output.exists() else output.absolute().parent, os.W_OK):
        raise SystemExit(f"{output} cannot be written")


def checked_needs(args, null):
    """Exits before tracking if anything that is needed later is missing."""
    paths = [p for paths in recordings.gathered(args.videos, null).values() for p in paths]
    if args.test:
        paths += [p for paths in recordings.gathered(args.test, null, least=1).values() for p in paths]
    kinds = {p.suffix.lower() for p in paths}
    needs.check(needs.built(args.bench.parent / "gesture-import"), needs.built(args.bench) if kinds - {".npz"} else [],
                needs.programs("ffmpeg", "ffprobe") if kinds - {".npz", ".y4m"} else [])


def kept_of(args, model, shown):
    """The labels of the model that stay."""
    if args.keep_labels is None:
        return list(model.labels)
    wanted = [] if args.keep_labels == "none" else args.keep_labels.split(",")
    unknown = [n for n in wanted if n not in model.labels]
    if unknown:
        raise SystemExit(f"--keep-labels names {unknown[0]}, which {args.model} does not have: it has {', '.join(model.labels)}")
    return [n for n in model.labels if n in wanted or n in shown or n == model.null]


def folders_of(args, null):
    """The labels that the folders and the label files beside clips name, before anything is tracked."""
    found = recordings.gathered(args.videos, null)
    named = {str(run[2]) for paths in found.values() for path in paths for run in recordings.label_file(path).get("labels", ())}
    return (set(found) | named) - {null, ""}


def checked_labels(args, model, shown):
    """Exits before tracking if MODEL could not have these labels: `gesture-import` makes it once with rows that have learned nothing."""
    kept = kept_of(args, model, shown)
    same = {}
    for name in [*kept, *sorted(shown - set(kept))]:
        other = same.setdefault(unicodedata.normalize("NFC", name), name)
        if other != name:
            places = [str(args.videos / n) if (args.videos / n).is_dir() else f"the label {n}" for n in (other, name)]
            raise SystemExit(f"{places[0]} and {places[1]} are the same label, written in two ways of Unicode: join them in one folder")
    labels = [*kept, *sorted(shown - set(kept))]
    with tempfile.TemporaryDirectory() as folder:
        try:
            written(enlarged(model, labels), model, labels, {}, pathlib.Path(folder) / "model.safetensors", args)
        except SystemExit as error:
            raise SystemExit(f"{args.videos} has names that cannot be labels together: {error}") from None


def finetune(args):
    begun = time.time()
    for name in ("steps", "sequences", "threads"):
        if getattr(args, name) < 1:
            raise SystemExit(f"--{name} must be 1 or more, not {getattr(args, name)}")
    checked_output(args.output)
    model = load(args.model)
    checked_needs(args, model.null)
    first = folders_of(args, model.null)
    checked_labels(args, model, first)
    mirrored_names(args.mirror, model.null, first | set(kept_of(args, model, first)))
    located, clips = gather(args.videos, model.null, args.bench)
    counts = {name: sum(kinds.values()) for name, kinds in located.items()}
    tests = gather(args.test, model.null, args.bench, tell=False, least=1)[1] if args.test else []
    shown = {str(n) for c in clips for n in c.names} - {"", model.null} | set(counts) - {model.null}
    kept = kept_of(args, model, shown)
    labels = kept + sorted(shown - set(kept))
    mirror = mirrored_names(args.mirror, model.null, shown | set(labels))
    rehearsed = rehearsal.read()
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    print(f"tracked in {time.time() - begun:.0f} s; {len(rehearsed['codes'])} clips of old gestures; "
          f"new: {', '.join(sorted(shown - set(model.labels))) or 'none'}", flush=True)
    head = train(model, labels, clips, mirror, rehearsed, args)
    added = {"classes": sorted(shown - set(model.labels)), "again": sorted(shown & set(model.labels)), "dropped": sorted(set(model.labels) - set(labels)),
             "clips": counts, "model_sha256": model.digest, "rehearsal_clips": len(rehearsed["codes"]), "sequences": args.sequences, "steps": args.steps,
             "seed": args.seed}
    written(head, model, labels, added, args.output, args)
    after = load(args.output)
    print("\nthe clips it learned from, by the model itself")
    rows = [found(m, clips) for m in (model, after)]
    print("\n".join(table([model, after], rows)))
    if tests:
        print(f"\n{args.test}")
        print("\n".join(table([model, after], [found(m, tests) for m in (model, after)])))
    other, reported = harm(model, after, rehearsed)
    print(f"\nof {len(rehearsed['codes'])} clips of the old gestures {other} tell other old gestures than before, and {reported} a new one")
    if needs.runs(args.bench):
        names = [" ".join(label for label, *_ in replayed(DEMO, path, args.bench)) for path in (args.model, args.output)]
        print(f"the demo clip before: {names[0]}\nthe demo clip after:  {names[1]}")
        if names[0] != names[1]:
            print("warning: the demo clip has other events than before")
    if reported:
        print(f"warning: a new gesture is reported in {reported} clips of old ones: show more of what it is not in a folder called {model.null}")
    for sentence in warnings(located, model, rows[1], clips):
        print(f"warning: {sentence}")
    print(f"{args.output}: {', '.join(labels)}; {time.time() - begun:.0f} s")


def main():
    parser = argparse.ArgumentParser(prog="finetune", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options(parser)
    try:
        finetune(parser.parse_args())
    except KeyboardInterrupt:
        # No model is written before the rows are trained.
        print("finetune: ended by a signal; no model was written", file=sys.stderr)
        raise SystemExit(130) from None


if __name__ == "__main__":
    main()
