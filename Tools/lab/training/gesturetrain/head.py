"""The stage `head`: the temporal layers on columns that the engine computed."""

import time

import numpy as np
import torch
from torch.nn import functional as F

from common.labels import CLASSES, NULL

from . import columns, distillation, evaluate
from .network import WINDOW
from .run import Run, schedule


def class_weights(labels):
    """Rare classes have larger weights, by the square root of their rarity; null keeps a third of the total."""
    count = np.bincount(labels, minlength=CLASSES).astype(np.float64) + 1
    weight = (count[:NULL].mean() / count) ** 0.5
    weight[NULL] = 0.5 * (count[:NULL] * weight[:NULL]).sum() / count[NULL]
    weight[NULL] = max(weight[NULL], 0.25)
    return torch.tensor(weight, dtype=torch.float32)


def clip_loss(logits, label, ignore, weight, smoothing, soft_targets=None):
    """logits [B,T-15,13]; label, ignore [B,T]. Undecidable frames count a twentieth.

    soft_targets: probabilities [B,T-15,13] of teachers, half of the target (Hinton et al. 2015, arXiv 1503.02531).
    """
    label, ignore = label[:, WINDOW - 1:].flatten(), ignore[:, WINDOW - 1:].flatten()
    logits = logits.flatten(0, 1)
    w = weight[label] * torch.where(ignore, 0.05, 1.0)
    loss = F.cross_entropy(logits, label, reduction="none", label_smoothing=smoothing)
    if soft_targets is not None:
        loss = 0.5 * (loss + F.cross_entropy(logits, soft_targets.flatten(0, 1), reduction="none"))
    return (loss * w).sum() / w.sum().clamp(min=1)


def head(args):
    """The temporal layers on columns."""
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
        targets = distillation.soft_targets(teachers, x) if teachers else None
        x = x + torch.from_numpy(rng.normal(0, noise, x.shape).astype(np.float32))
        for part in (run.net.t1, run.net.t2, run.net.t3):
            part.train()
        loss = loss_of(x, labels[pick], ignores[pick], weight, 0.02, targets)
        now = time.time()
        run.advance(loss, schedule(run.step, args.steps, args.rate), 0, now - begun)
        begun = now
        mean = loss.item() if mean is None else 0.98 * mean + 0.02 * loss.item()
        if run.step % 100 == 0:
            run.log(f"{run.step} loss {mean:.4f}")
    run.save()
