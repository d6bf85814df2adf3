"""Training in three stages, each resumable: a stage that is started again goes on from its last checkpoint, and every
batch is a function of the seed and the step alone.

`python -m gesturetrain.train crops CACHE RUN` the layers up to the map on crops around the hand, auxiliary targets
(where, how large, which pose);
`python -m gesturetrain.train encoder CACHE RUN` the same on whole frames, with the feature column;
`python -m gesturetrain.train head COLUMNS RUN` the temporal layers on columns that the engine computed;
`python -m gesturetrain.train whole CACHE RUN` everything together on clips, with --quantised in the engine's arithmetic.

Every stage also runs under torchrun, its batch shared among the processes. One process with one thread for each core
is faster than one with all: nobody waits at the end of every layer, and each composes its own part of the batch.
`torchrun --standalone --nproc-per-node 2 -m gesturetrain.train STAGE ... --threads 1`
"""

import argparse
import os
import pathlib
import sys
import time

# glibc would give the large activation buffers back to the system at every step, and with more than one arena it does
# so whatever the thresholds: 1.5 times the frames a second.
_MALLOC = {"MALLOC_ARENA_MAX": "1", "MALLOC_MMAP_THRESHOLD_": str(8 << 30), "MALLOC_TRIM_THRESHOLD_": str(8 << 30), "MALLOC_TOP_PAD_": str(256 << 20)}

import cv2
import numpy as np
import torch
import torch.distributed
from torch import nn
from torch.nn import functional as F

from . import advice, cache, columns, crops, evaluate, photos
from .compose import AUX
from .labels import CLASSES, MIRRORED, NULL
from .muon import Muon
from .network import FEATURES, WINDOW, GestureTCN, Standard, balance, fold, network_of, pixels, plain, standardise
from .quantised import Quantised, scales_of
from .revive import revive
from .script import AUX_POSES

SIZE_SCALE = 0.25
# Options that mean nothing to the other stages.
_STAGES = {
    **dict.fromkeys(("chances", "photos", "revive"), ("encoder", "crops")),
    "frozen": ("encoder", "crops", "whole"),
    **dict.fromkeys(("span", "thin", "muon", "side", "quantised", "advice", "balance"), ("whole",)),
    **dict.fromkeys(("folded", "noise", "teachers"), ("head",)),
}


def pose_of(aux):
    """aux [N,8] as compose.AUX -> index of the pose [N], 0 where no hand is."""
    return torch.where(aux[:, 0] > 0, aux[:, 7], torch.zeros(())).long()


def pose_shares(aux):
    """How often each pose is shown in aux [N,8] as compose.AUX; a frame without a hand counts for the first. -> float [poses], sum 1."""
    count = np.bincount(pose_of(aux).numpy(), minlength=len(AUX_POSES)) + 1.0
    return count / count.sum()


class Auxiliary(nn.Module):
    """Heads for training only: linear on the feature column, and 1x1 on the 7x7 map before b8.

    Column: present, x, y, log size, roll (2), open, pose. Map: which of the 49 cells holds the palm (or none), and at
    that cell the offset in cells (2), log size, roll (2), open, pose. The map's heads tell every cell what a hand is.
    `weight` [poses] is what a frame of each pose counts for in the poses' losses.
    """

    POSES = slice(7, 7 + len(AUX_POSES))  # of both heads' outputs

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(FEATURES, self.POSES.stop)
        self.cells = nn.Conv2d(256, self.POSES.stop, 1)
        self.none = nn.Parameter(torch.zeros(1))
        self.register_buffer("weight", torch.ones(len(AUX_POSES)), persistent=False)

    def balance(self, shares):
        """Poses count by the inverse root of their share, a frame on average for one."""
        weight = shares ** -0.5
        self.weight[:] = torch.from_numpy(weight / (weight * shares).sum())

    @staticmethod
    def _parts(name, out, aux, centre, seen):
        """out: [N,6+poses] = where (2), log size, roll (2), open, pose."""
        def far(a, b):
            return (F.smooth_l1_loss(a, b, reduction="none", beta=0.05).flatten(1).sum(1) * seen).sum()

        size = torch.log(aux[:, 3].clamp(min=0.02)) - np.log(SIZE_SCALE)
        return {
            name + "where": far(out[:, 0:2], centre),
            name + "size": far(out[:, 2:3], size[:, None]),
            name + "roll": far(out[:, 3:5], aux[:, 4:6]),
            name + "open": far(out[:, 5:6], aux[:, 6:7]),
        }

    def loss(self, maps, columns, aux):
        """maps [N,256,7,7], columns [N,128], aux [N,8] as compose.AUX -> scalar, dict of parts."""
        present = aux[:, 0]
        seen = present / present.sum().clamp(min=1)
        pose = pose_of(aux)
        out = self.linear(columns)
        parts = self._parts("", out[:, 1:], aux, aux[:, 1:3] - 0.5, seen)
        parts["where"] = 6 * parts["where"]
        parts["present"] = F.binary_cross_entropy_with_logits(out[:, 0], present)
        parts["pose"] = (F.cross_entropy(out[:, self.POSES], pose, reduction="none") * self.weight[pose]).mean()

        parts.update(self.cell_parts(maps, aux))
        return sum(parts.values()), parts

    def cell_parts(self, maps, aux):
        """maps [N,256,side,side] of a whole frame or of a crop -> dict of the map's losses."""
        n, side = len(aux), maps.shape[2]
        present = aux[:, 0]
        seen = present / present.sum().clamp(min=1)
        pose = pose_of(aux)
        grid = self.cells(maps)
        cell = (aux[:, 1:3].clamp(0, 0.999) * side).long()
        index = cell[:, 1] * side + cell[:, 0]
        scores = torch.cat([grid[:, 0].flatten(1), self.none.expand(n, 1)], 1)
        at = grid.flatten(2)[torch.arange(n), :, index]
        return {
            "cell": F.cross_entropy(scores, torch.where(present > 0, index, side * side)),
            **self._parts("cell_", at[:, 1:], aux, (aux[:, 1:3] * side - cell - 0.5).clamp(-2, 2), seen),
            "cell_pose": (F.cross_entropy(at[:, self.POSES], pose, reduction="none") * self.weight[pose] * seen).sum(),
        }


class Average:
    """Exponential moving average of a state dict."""

    def __init__(self, module, decay):
        self.decay = decay
        self.state = {k: v.detach().clone() for k, v in module.state_dict().items()}

    def update(self, module, step):
        decay = min(self.decay, (1 + step) / (10 + step))
        with torch.no_grad():
            for k, v in module.state_dict().items():
                if v.is_floating_point():
                    self.state[k].lerp_(v, 1 - decay)
                else:
                    self.state[k].copy_(v)


class Cached:
    """The chunks of a cache, opened once; waits for one that is still being composed.

    With a bank it composes them itself, each process its own, and drops those that training has left behind: a
    network that sees every clip a few times learns the clips (0.67 nats a decided frame on 7,120 clips it had seen a
    dozen times, 0.91 on other clips of the same hands).
    """

    def __init__(self, args, run):
        self.folder, self.open, self.args, self.run = args.cache, {}, args, run
        self.compose = None
        if args.bank:
            self.compose = cache.composing(args.bank, "train", slow=False)
            args.cache.mkdir(parents=True, exist_ok=True)
        self.done = args.first + run.rank

    def range(self):
        """(first, end) of the chunks to draw from in this step."""
        args, run = self.args, self.run
        if self.compose is None:
            window = min(args.window or args.chunks, args.chunks - args.first)
            first = args.first + int((args.chunks - args.first - window) * run.step / args.steps)
            return first, first + window
        moved = run.processes * (run.step // args.renew)
        first, end = args.first + moved, args.chunks + moved
        for chunk in range(self.done, end, run.processes):
            if chunk < first:
                self.open.pop(chunk, None)
                for suffix in (".npy", ".npz"):
                    cache.path(self.folder, chunk).with_suffix(suffix).unlink(missing_ok=True)
                self.done = chunk + run.processes
            elif not cache.path(self.folder, chunk).with_suffix(".npy").exists():
                cache.write(self.compose, self.folder, chunk)
        return first, end

    def __getitem__(self, chunk):
        while chunk not in self.open:
            data = cache.read(self.folder, chunk, self.args.chances, self.args.advice)
            if data is None:
                time.sleep(2)
            else:
                self.open[chunk] = data
        return self.open[chunk]


def light(frames, rng):
    """Brightness and contrast jitter per picture. uint8 [N,224,224] -> float codes."""
    n = len(frames)
    gain = torch.from_numpy(np.exp(rng.normal(0, 0.2, n)).astype(np.float32)).view(n, 1, 1)
    offset = torch.from_numpy(rng.normal(0, 10, n).astype(np.float32)).view(n, 1, 1)
    return frames.float().mul_(gain).add_(offset).clamp_(0, 255)


def mirror_aux(aux):
    out = aux.copy()
    out[:, 1] = 1 - out[:, 1]
    out[:, 4] = -out[:, 4]
    return out


def schedule(step, total, peak, warm=200):
    if step < warm:
        return peak * (step + 1) / warm
    return peak * (0.02 + 0.98 * 0.5 * (1 + np.cos(np.pi * min(1.0, (step - warm) / max(total - warm, 1)))))


class Loss(nn.Module):
    """What a stage minimises, as a module over the network and the auxiliary heads, for DistributedDataParallel to wrap."""

    def __init__(self, run, function):
        super().__init__()
        self.net, self.aux, self.function = run.net, run.aux, function

    def forward(self, *batch):
        return self.function(*batch)


class Run:
    """Network, auxiliary heads, optimiser and their checkpoint; which of how many processes this is."""

    def __init__(self, folder, stage, start, decay, relative=False):
        several = torch.distributed.is_initialized()
        self.rank, self.processes = (torch.distributed.get_rank(), torch.distributed.get_world_size()) if several else (0, 1)
        self.path = folder / f"{stage}.pt"
        folder.mkdir(parents=True, exist_ok=True)
        self.net, self.aux = GestureTCN(), Auxiliary()
        self.step, self.seen = 0, 0
        self.class_weights, self.scales = None, None
        self.saved = torch.load(self.path, weights_only=False) if self.path.exists() else None
        self.new = self.saved is None
        self.recent, self.seconds = 0, 0.0  # frames of this process run, and its time: for the log alone
        if not self.new:
            self.net = network_of(self.saved["net"])
        elif start:
            state = torch.load(start, weights_only=False)
            self.net = network_of(state["average"])
            self.aux.load_state_dict(state["aux_average"])
        self.net = self.net.to(memory_format=torch.channels_last)
        self.decay, self.relative = decay, relative

    def freeze(self, count):
        """Keeps the first `count` stages as they are."""
        for stage in self.net.stages()[:count]:
            stage.requires_grad_(False)

    def prepare(self, parameters, weight_decay, orthogonal=True):
        """Creates the optimiser, then loads the checkpoint if there is one. orthogonal: matrices move by Muon."""
        matrices = [m.weight for m in (*self.net.modules(), *self.aux.modules())
                    if orthogonal and isinstance(m, (nn.Conv1d, nn.Conv2d)) and m.in_channels > 1 == m.groups]
        groups = []
        for p in (*self.net.parameters(), *self.aux.parameters()):
            p.requires_grad_(any(p is q for q in parameters))
        for p in parameters:
            # Without BatchNorm a step must be small against the weights: the rate is relative to their size.
            least = 0.02 if p.dim() > 1 else 0.2
            matrix = any(p is w for w in matrices)
            scale = p.detach().pow(2).mean().sqrt().clamp(min=least).item() if self.relative or matrix else 1.0
            groups.append({"params": [p], "weight_decay": weight_decay if p.dim() > 1 else 0.0, "scale": scale, "matrix": matrix})
        self.optimiser = Muon(groups, lr=1e-3, betas=(0.9, 0.98))
        self.average, self.aux_average = Average(self.net, self.decay), Average(self.aux, self.decay)
        if not self.new:
            state, self.saved = self.saved, None
            self.net.load_state_dict(state["net"])
            self.aux.load_state_dict(state["aux"])
            self.optimiser.load_state_dict(state["optimiser"])
            self.average.state, self.aux_average.state = state["average"], state["aux_average"]
            self.step, self.seen = state["step"], state["seen"]
            # Of the chunks that training began with: `--window` may have left them behind.
            self.class_weights = state["class_weights"]
            self.aux.weight[:] = state.get("pose_weights", 1.0)

    def loss(self, function):
        """`function` of a batch, gradients averaged over the processes."""
        loss = Loss(self, function)
        return nn.parallel.DistributedDataParallel(loss) if self.processes > 1 else loss

    def batches(self, args, stage):
        """Random generators of the steps to come: functions of seed, stage, step and process alone."""
        while self.step < min(args.steps, args.until or args.steps):
            yield np.random.default_rng([args.seed, stage, self.step, self.rank])

    def log(self, *what):
        if self.rank == 0:
            print(*what, flush=True)

    def save(self):
        if self.rank:
            return
        part = self.path.with_suffix(".tmp")
        torch.save({"net": self.net.state_dict(), "aux": self.aux.state_dict(), "optimiser": self.optimiser.state_dict(),
                    "average": self.average.state, "aux_average": self.aux_average.state, "step": self.step, "seen": self.seen,
                    "class_weights": self.class_weights, "pose_weights": self.aux.weight, "scales": self.scales}, part)
        os.replace(part, self.path)

    def revive(self, data, args):
        """Dormant channels start anew, the same in every process, and the averages from here."""
        if not isinstance(self.net.stem.conv, Standard):
            raise SystemExit("--revive: this checkpoint's filters are not standardised, as those that began with `crops` are")
        frames = crops.batch(data, np.random.default_rng([args.seed, 4, self.step]), 256, crops.frame, crops.FRAME)[0]
        with torch.random.fork_rng():
            torch.manual_seed(args.seed + self.step)
            self.log("dormant", revive(self.net, self.aux, frames, args.frozen))
        self.average, self.aux_average = Average(self.net, self.decay), Average(self.aux, self.decay)

    def advance(self, loss, rate, frames, seconds):
        for group in self.optimiser.param_groups:
            group["lr"] = rate * group["scale"]
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_([p for g in self.optimiser.param_groups for p in g["params"]], 5.0)
        self.optimiser.step()
        self.step += 1
        self.average.update(self.net, self.step)
        self.aux_average.update(self.aux, self.step)
        self.seen += frames * self.processes
        self.recent += frames * self.processes
        self.seconds += seconds


def encoder(args):
    """The layers up to the feature column on whole frames."""
    run = Run(args.run, "encoder", args.start, 0.998, relative=True)
    data = Cached(args, run)
    begin(run, data, args)
    run.freeze(args.frozen)
    spatial = [p for stage in (*run.net.stages(), run.net.b8) for p in stage.parameters() if p.requires_grad]
    run.prepare(spatial + list(run.aux.parameters()), 0.02)

    def losses(frames, aux):
        seen = run.net.maps(frames, args.frozen)
        return run.aux.loss(seen, run.net.column(seen), aux)

    stills(run, data, args, 1, crops.frame, crops.FRAME, losses)


def crop_encoder(args):
    """The layers up to b7 on crops, from scratch unless there is a start; b8 and the column's heads wait for whole frames."""
    run = Run(args.run, "crops", args.start, 0.999, relative=True)
    data = Cached(args, run)
    begin(run, data, args)
    run.freeze(args.frozen)
    spatial = [p for stage in run.net.stages() for p in stage.parameters() if p.requires_grad]
    run.prepare(spatial + list(run.aux.cells.parameters()) + [run.aux.none], 0.02)

    def losses(frames, aux):
        parts = run.aux.cell_parts(run.net.maps(frames, args.frozen), aux)
        return sum(parts.values()), parts

    stills(run, data, args, 4, crops.crop, crops.SIDE, losses)


def begin(run, data, args):
    """Filters that have learned nothing yet get gains and biases from the same 256 frames in every process."""
    if not run.new or (args.start and not args.fresh):
        return
    frames = crops.batch(data, np.random.default_rng(args.seed), 256, crops.frame, crops.FRAME)[0]
    if args.start:
        balance(run.net.b8, run.net.maps(frames))
        return
    x = pixels(frames)
    run.net = standardise(run.net).to(memory_format=torch.channels_last)
    for stage in (*run.net.stages(), run.net.b8):
        x = balance(stage, x)


def stills(run, data, args, stage, cut, side, losses):
    """Trains on single frames that `cut` takes from the cached ones; `losses` gives (loss, its parts)."""
    loss_of, size = run.loss(losses), args.batch // run.processes
    photographs = photos.load(args.photos) if args.photos else None
    mean, begun = {}, time.time()
    for rng in run.batches(args, stage):
        if args.revive and run.step % args.revive == 0 and 2 * run.step <= args.steps:
            run.revive(data, args)
        frames, aux = crops.batch(data, rng, size, cut, side, photographs)
        loss, parts = loss_of(light(frames, rng), aux)
        now = time.time()
        run.advance(loss, schedule(run.step, args.steps, args.rate), len(frames), now - begun)
        begun = now
        for k, v in parts.items():
            mean[k] = 0.99 * mean.get(k, v.item()) + 0.01 * v.item()
        if run.step % 100 == 0:
            run.log(f"{run.step} {run.recent / run.seconds:.0f}/s " + " ".join(f"{k} {v:.3f}" for k, v in mean.items()))
        if run.step % 500 == 0:
            run.save()
    run.save()


def class_weights(labels):
    """Rare classes weigh more, by the square root of their rarity; null keeps a third of the total."""
    count = np.bincount(labels, minlength=CLASSES).astype(np.float64) + 1
    weight = (count[:NULL].mean() / count) ** 0.5
    weight[NULL] = 0.5 * (count[:NULL] * weight[:NULL]).sum() / count[NULL]
    weight[NULL] = max(weight[NULL], 0.25)
    return torch.tensor(weight, dtype=torch.float32)


def clip_loss(logits, label, ignore, weight, smoothing, advice=None):
    """logits [B,T-15,13]; label, ignore [B,T]. Undecidable frames count a twentieth.

    advice: probabilities [B,T-15,13] of teachers, half of what is to be learned (Hinton et al. 2015, arXiv 1503.02531).
    """
    label, ignore = label[:, WINDOW - 1:].flatten(), ignore[:, WINDOW - 1:].flatten()
    logits = logits.flatten(0, 1)
    w = weight[label] * torch.where(ignore, 0.05, 1.0)
    loss = F.cross_entropy(logits, label, reduction="none", label_smoothing=smoothing)
    if advice is not None:
        loss = 0.5 * (loss + F.cross_entropy(logits, advice.flatten(0, 1), reduction="none"))
    return (loss * w).sum() / w.sum().clamp(min=1)


def head(args):
    start = args.start or args.run / "encoder.pt"
    run = Run(args.run, "head", start, 0.995, relative=args.folded)
    if args.fresh:
        for part in (run.net.t1, run.net.t2, run.net.t3, run.net.fc):
            for module in part.modules():
                if hasattr(module, "reset_parameters"):
                    module.reset_parameters()
    temporal = [p for n, p in run.net.named_parameters() if n.startswith(("t1", "t2", "t3", "fc"))]
    run.prepare(temporal, 0.03)
    run.net.eval()
    stored, labels, ignores = (torch.from_numpy(a) for a in columns.read(args.cache, run.rank, run.processes))
    noise = args.noise * stored[::8].float().std().item()
    run.log(f"{len(stored)} clips a process, {stored.shape[1]} steps")
    weight = run.class_weights = class_weights(labels[:, WINDOW - 1:].flatten().numpy())
    run.log("class weights", np.round(weight.numpy(), 2))
    loss_of = run.loss(lambda x, *known: clip_loss(run.net.temporal(x), *known))
    teachers = [evaluate.load(path) for path in args.teachers]
    begun, mean = time.time(), None
    for rng in run.batches(args, 2):
        pick = torch.from_numpy(rng.integers(0, len(stored), args.batch // run.processes))
        x = stored[pick].float()
        told = advice.opinion(teachers, x) if teachers else None
        x = x + torch.from_numpy(rng.normal(0, noise, x.shape).astype(np.float32))
        for part in (run.net.t1, run.net.t2, run.net.t3):
            part.train()
        loss = loss_of(x, labels[pick], ignores[pick], weight, 0.02, told)
        now = time.time()
        run.advance(loss, schedule(run.step, args.steps, args.rate), 0, now - begun)
        begun = now
        mean = loss.item() if mean is None else 0.98 * mean + 0.02 * loss.item()
        if run.step % 100 == 0:
            run.log(f"{run.step} loss {mean:.4f}")
    run.save()


def advised(meta, clip, begin, span, mirrored):
    """What teachers think of the windows within `span` grid frames of a clip or of its mirror image: [span-15,13]."""
    row = clip + len(meta["first"]) * mirrored
    return torch.from_numpy(meta["advice"][row, begin:begin + span - WINDOW + 1]).float()


def thinned(index, rate, rng):
    """A clip's grid as a slower camera would have filled it, of 15 pictures a second at least: of every two, three or four one is
    left, the others are replaced by the last one left.

    index: picture of every grid frame [T], ascending; rate: grid frames a second, 30 to 120
    -> the pictures left, ascending, and which of those each grid frame has [T].
    What a window says hardly changes, and a step sees two to four times as many windows for the same pictures.
    """
    every = int(rng.integers(2, min(4, rate // 30 + 1) + 1))
    phase = int(rng.integers(every))
    left = np.maximum(index - (index - phase) % every, index[0])
    return np.unique(left, return_inverse=True)


def whole(args):
    stage = "quantised" if args.quantised else "whole"
    run = Run(args.run, stage, args.start or args.run / "head.pt", 0.998, relative=True)
    if run.new:
        fold(run.net)
    model = run.net
    if args.quantised:
        run.scales = scales_of(args.quantised)
        run.net = network_of(plain(run.net.state_dict())).to(memory_format=torch.channels_last)
        model = Quantised(run.net, run.scales)
    run.freeze(args.frozen)
    # A step of a dozen whole clips is too few for updates that take all directions alike (at 2e-3 they undid the encoder).
    run.prepare([p for p in run.net.parameters() if p.requires_grad] + list(run.aux.parameters()), 0.02, orthogonal=args.muon)
    data = Cached(args, run)
    mirrored = torch.tensor(MIRRORED)
    if run.class_weights is None:
        metas = [data[c][1] for c in range(*data.range())]
        run.class_weights = class_weights(np.concatenate([meta["label"][:, WINDOW - 1:].ravel() for meta in metas]))
        if args.balance:
            run.aux.balance(pose_shares(torch.from_numpy(np.concatenate([meta["aux"] for meta in metas]))))
    weight = run.class_weights

    def losses(frames, aux, where, label, ignore, told):
        seen = model.maps(frames, args.frozen)
        columns = model.column(seen)
        main = clip_loss(model.temporal(columns[where]), label, ignore, weight, 0.02, told)
        side, _ = run.aux.loss(seen, columns, aux)
        return main + args.side * side, main, side

    loss_of, size = run.loss(losses), args.batch // run.processes
    mean, begun = {}, time.time()
    for rng in run.batches(args, 3):
        chunks = data.range()
        frames, aux, where, label, ignore, told, total = [], [], [], [], [], [], 0
        while total < size:
            chunk = int(rng.integers(*chunks))
            pictures, meta = data[chunk]
            clip = int(rng.integers(len(meta["first"])))
            begin = int(rng.integers(0, meta["index"].shape[1] - args.span + 1))
            index = meta["index"][clip, begin:begin + args.span]
            # A clip of a slow camera is thin as it is.
            if args.thin and rng.random() < args.thin and index[-1] - index[0] >= args.span // 2:
                left, place = thinned(index, meta["rate"][clip], rng)
            else:
                left, place = np.arange(index[0], index[-1] + 1), index - index[0]
            if total + len(left) > size:
                break
            left = left + int(meta["first"][clip])
            part, target = np.asarray(pictures[left]), meta["aux"][left]
            crops.vary(part, target, rng)
            part = torch.from_numpy(part)
            classes = torch.from_numpy(meta["label"][clip, begin:begin + args.span]).long()
            flipped = rng.random() < 0.5
            if flipped:
                part, target, classes = part.flip(2), mirror_aux(target), mirrored[classes]
            gain, offset = float(np.exp(rng.normal(0, 0.2))), float(rng.normal(0, 10))
            frames.append(part.float().mul_(gain).add_(offset).clamp_(0, 255))
            aux.append(torch.from_numpy(target))
            where.append(torch.from_numpy(place) + total)
            label.append(classes)
            ignore.append(torch.from_numpy(meta["ignore"][clip, begin:begin + args.span]))
            if args.advice:
                told.append(advised(meta, clip, begin, args.span, flipped))
            total += len(left)
        loss, main, side = loss_of(torch.cat(frames), torch.cat(aux), torch.stack(where), torch.stack(label), torch.stack(ignore),
                                   torch.stack(told) if told else None)
        now = time.time()
        run.advance(loss, schedule(run.step, args.steps, args.rate, 100), total, now - begun)
        begun = now
        for k, v in (("loss", main), ("aux", side)):
            mean[k] = 0.98 * mean.get(k, v.item()) + 0.02 * v.item()
        if run.step % 25 == 0:
            run.log(f"{run.step} {run.recent / run.seconds:.0f}/s " + " ".join(f"{k} {v:.4f}" for k, v in mean.items()))
        if run.step % 100 == 0:
            run.save()
    run.save()


def main():
    if any(os.environ.get(k) != v for k, v in _MALLOC.items()):
        os.environ.update(_MALLOC)
        os.execv(sys.executable, [sys.executable, "-m", "gesturetrain.train", *sys.argv[1:]])
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stage", choices=("encoder", "crops", "head", "whole"))
    parser.add_argument("cache", type=pathlib.Path, help="composed chunks; head: a folder of columns")
    parser.add_argument("run", type=pathlib.Path)
    parser.add_argument("--steps", type=int, required=True)
    parser.add_argument("--until", type=int, help="stop after this step, to go on later; the schedule is that of --steps")
    parser.add_argument("--rate", type=float, default=3e-3, help="peak learning rate")
    parser.add_argument("--batch", type=int, default=64, help="frames (encoder, whole) or clips (head) a step")
    parser.add_argument("--first", type=int, default=0, help="first chunk to use")
    parser.add_argument("--chunks", type=int, default=100, help="chunks below this number are used")
    parser.add_argument("--window", type=int, help="chunks in use at a time, moving through all of them: as many as memory can hold (75 MB each)")
    parser.add_argument("--bank", type=pathlib.Path, help="compose chunks on the way: every --renew steps a process's oldest gives way to a new one")
    parser.add_argument("--renew", type=int, default=20)
    parser.add_argument("--chances", action="store_true", help="encoder, crops: take frames as often as the cache's chances say")
    parser.add_argument("--photos", type=pathlib.Path, help="encoder, crops: a bank whose photographs are every tenth frame")
    parser.add_argument("--span", type=int, default=32, help="whole: grid frames of a clip")
    parser.add_argument("--thin", type=float, default=0.0, help="whole: share of the clips of fast cameras of which it takes fewer pictures")
    parser.add_argument("--muon", action="store_true", help="whole: matrices move by Muon, as in the other stages; wants --thin and a small rate")
    parser.add_argument("--side", type=float, default=0.15, help="whole: weight of the auxiliary loss")
    parser.add_argument("--frozen", type=int, default=0, help="encoder, crops, whole: stages from the stem on that stay as they are")
    parser.add_argument("--advice", action="store_true", help="whole: half of what is learned is what `advice` wrote beside the chunks")
    parser.add_argument("--balance", action="store_true", help="whole: rare poses count for more in the auxiliary loss")
    parser.add_argument("--quantised", type=pathlib.Path,
                        help="whole: train as the engine computes in int8, with the activation scales of this model")
    parser.add_argument("--start", type=pathlib.Path, help="checkpoint to start from")
    parser.add_argument("--folded", action="store_true", help="head: rates relative to the weights, as layers without BatchNorm need")
    parser.add_argument("--revive", type=int, help="encoder, crops: every so many steps of the first half dormant channels start anew")
    parser.add_argument("--noise", type=float, default=0.25, help="head: noise added to the columns, in deviations of theirs")
    parser.add_argument("--teachers", type=pathlib.Path, nargs="*", default=[],
                        help="head: checkpoints whose mean opinion of the same columns is half of what is learned")
    parser.add_argument("--fresh", action="store_true", help="encoder: b8 anew; head: the temporal part")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    for option, stages in _STAGES.items():
        if getattr(args, option) != parser.get_default(option) and args.stage not in stages:
            parser.error(f"--{option} is for {' and '.join(stages)}, not for {args.stage}")
    if args.bank and args.advice:
        parser.error("--advice is for chunks that are there: what --bank composes on the way has none")
    torch.set_num_threads(args.threads)
    cv2.setNumThreads(0)
    torch.manual_seed(args.seed)
    # What a dead channel's momentum decays to is subnormal, and a processor takes a hundred times as long over it.
    torch.set_flush_denormal(True)
    if "WORLD_SIZE" in os.environ:
        torch.distributed.init_process_group("gloo")
    {"encoder": encoder, "crops": crop_encoder, "head": head, "whole": whole}[args.stage](args)
    if torch.distributed.is_initialized():
        torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main()
