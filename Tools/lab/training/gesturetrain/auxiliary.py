"""What the composer knows about every frame, as additional targets: presence, position, size, roll, openness and pose of the hand."""

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from .network import FEATURES
from .script import AUX_POSES

SIZE_SCALE = 0.25


def pose_of(aux):
    """aux [N,8] as compose.AUX -> index of the pose [N], 0 without a hand."""
    return torch.where(aux[:, 0] > 0, aux[:, 7], torch.zeros(())).long()


def pose_shares(aux):
    """The frequency of each pose in aux [N,8] as compose.AUX; a frame without a hand counts for the first pose. -> float [poses], sum 1."""
    count = np.bincount(pose_of(aux).numpy(), minlength=len(AUX_POSES)) + 1.0
    return count / count.sum()


def mirror_aux(aux):
    """aux [N,8] as compose.AUX of the mirrored frames."""
    out = aux.copy()
    out[:, 1] = 1 - out[:, 1]
    out[:, 4] = -out[:, 4]
    return out


class Auxiliary(nn.Module):
    """Heads for training only: linear on the feature column, and 1x1 on the 7x7 map before b8.

    Column: present, x, y, log size, roll (2), open, pose. Map: which of the 49 cells contains the palm (or none), and at that cell the offset in
    cells (2), log size, roll (2), open, pose. The map's heads train every cell to recognise a hand. `weight` [poses] is the weight of a frame of each
    pose in the poses' losses.
    """

    POSES = slice(7, 7 + len(AUX_POSES))  # of both heads' outputs

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(FEATURES, self.POSES.stop)
        self.cells = nn.Conv2d(256, self.POSES.stop, 1)
        self.none = nn.Parameter(torch.zeros(1))
        self.register_buffer("weight", torch.ones(len(AUX_POSES)), persistent=False)

    def balance(self, shares):
        """Weighs poses by the inverse root of their share; the mean weight of a frame is one."""
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
