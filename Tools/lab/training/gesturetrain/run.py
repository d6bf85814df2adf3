"""The common parts of all stages of training: data, schedule, averaged weights, and the checkpoint to resume from."""

import numpy as np
import torch
import torch.distributed
from torch import nn

from common import tensors
from common.muon import Muon

from . import cache, dead_channels
from .auxiliary import Auxiliary
from .network import GestureTCN, Standard, network_of


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
    """The chunks of a cache, opened once."""

    def __init__(self, args, run):
        self.folder, self.open, self.args, self.run = args.cache, {}, args, run

    def range(self):
        """(first, end) of the chunks to draw from in this step."""
        args, run = self.args, self.run
        window = min(args.window or args.end, args.end - args.first)
        first = args.first + int((args.end - args.first - window) * run.step / args.steps)
        return first, first + window

    def __getitem__(self, chunk):
        if chunk not in self.open:
            data = cache.read(self.folder, chunk, self.args.sampling_weights, self.args.soft_targets)
            if data is None:
                raise SystemExit(f"{self.folder} has no chunk {chunk}; --first {self.args.first} and --end {self.args.end} need it")
            self.open[chunk] = data
        return self.open[chunk]


def schedule(step, total, peak, warm=200):
    if step < warm:
        return peak * (step + 1) / warm
    return peak * (0.02 + 0.98 * 0.5 * (1 + np.cos(np.pi * min(1.0, (step - warm) / max(total - warm, 1)))))


class Loss(nn.Module):
    """A stage's loss as a module over the network and the auxiliary heads, for DistributedDataParallel to wrap."""

    def __init__(self, run, function):
        super().__init__()
        self.net, self.aux, self.function = run.net, run.aux, function

    def forward(self, *batch):
        return self.function(*batch)


class Run:
    """Network, auxiliary heads, optimiser and their checkpoint; this process's index and the number of processes."""

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
        self.recent, self.seconds = 0, 0.0  # frames of this run, and its time: only for the log
        if not self.new:
            self.net = network_of(self.saved["net"])
        elif start:
            state = torch.load(start, weights_only=False)
            self.net = network_of(state["average"])
            self.aux.load_state_dict(state["aux_average"])
        self.net = self.net.to(memory_format=torch.channels_last)
        self.decay, self.relative = decay, relative

    def freeze(self, count):
        """Freezes the first `count` stages."""
        for stage in self.net.stages()[:count]:
            stage.requires_grad_(False)

    def prepare(self, parameters, weight_decay, orthogonal=True):
        """Creates the optimiser, then loads the checkpoint if there is one. orthogonal: whether matrices are updated by Muon."""
        matrices = [m.weight for m in (*self.net.modules(), *self.aux.modules())
                    if orthogonal and isinstance(m, (nn.Conv1d, nn.Conv2d)) and m.in_channels > 1 == m.groups]
        groups = []
        for p in (*self.net.parameters(), *self.aux.parameters()):
            p.requires_grad_(any(p is q for q in parameters))
        for p in parameters:
            # Without BatchNorm a step must be small relative to the weights: the rate is relative to their size.
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
            # From the chunks at the start of training: `--window` may have moved past them.
            self.class_weights = state["class_weights"]
            self.aux.weight[:] = state.get("pose_weights", 1.0)

    def loss(self, function):
        """The loss `function` of a batch, with gradients averaged over the processes."""
        loss = Loss(self, function)
        return nn.parallel.DistributedDataParallel(loss) if self.processes > 1 else loss

    def batches(self, args, stage):
        """Random generators of the remaining steps: functions of seed, stage, step and process alone."""
        while self.step < min(args.steps, args.until or args.steps):
            yield np.random.default_rng([args.seed, stage, self.step, self.rank])

    def log(self, *what):
        if self.rank == 0:
            print(*what, flush=True)

    def save(self):
        if self.rank:
            return
        tensors.save(self.path, {
            "net": self.net.state_dict(), "aux": self.aux.state_dict(), "optimiser": self.optimiser.state_dict(), "average": self.average.state,
            "aux_average": self.aux_average.state, "step": self.step, "seen": self.seen, "class_weights": self.class_weights,
            "pose_weights": self.aux.weight, "scales": self.scales})

    def reinitialise(self, frames, args):
        """Re-initialises dead channels, identically in every process, and restarts the averages."""
        if not isinstance(self.net.stem.conv, Standard):
            raise SystemExit("--reinitialise: this checkpoint's filters are not standardised; it needs a checkpoint whose training began with `crops`")
        with torch.random.fork_rng():
            torch.manual_seed(args.seed + self.step)
            self.log("dead", dead_channels.reinitialise(self.net, self.aux, frames, args.frozen))
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
