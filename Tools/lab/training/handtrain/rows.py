"""The training data of a step: rows of columns of random clips, and the loss over their correct classes."""

import numpy as np
import torch
from torch.nn import functional as F

from common.labels import CLASSES, NULL, WINDOW

from .head import FIELD
from .script import ANY, POSES

WIDTH = FIELD + 60  # columns of a training row: 61 decisions, of which every fourth is trained

BEGINNINGS = 0.3  # share of rows in which a stream begins


def load(paths):
    parts = [np.load(p) for p in paths]
    return [torch.from_numpy(np.concatenate([p[k] for p in parts])) for k in ("codes", "label", "also")]


def loss_of(logits, label, also, gesture_weight, smoothing=0.02):
    """Cross-entropy of the sum of all correct classes; where null is the label, poses count a third. Moments in which any class is correct have no
    weight."""
    weight = torch.where(also == ANY, 0.0, torch.where(label == NULL, 1.0, gesture_weight))
    log_p = F.log_softmax(logits, -1)
    right = (also[..., None] >> torch.arange(CLASSES)) & 1 == 1
    other = (label == NULL)[..., None] & torch.tensor([c in POSES for c in range(CLASSES)])
    each = -(1 - smoothing) * (log_p - np.log(3) * other).masked_fill(~right, -1e4).logsumexp(-1) - smoothing * log_p.mean(-1)
    return (each * weight).sum() / weight.sum()


def paced(rng, span, size):
    """-> [size,WIDTH]: the columns, of `span`, that rows contain; most are faster or slower by up to a third."""
    pace = np.where(rng.random(size) < 0.6, np.exp(rng.uniform(np.log(0.75), np.log(1.3), size)), 1.0)
    pace = np.minimum(pace, (span - 1) / (WIDTH - 1))
    first = rng.random(size) * (span - 1 - pace * (WIDTH - 1))
    return np.minimum((first[:, None] + pace[:, None] * np.arange(WIDTH) + 1e-6).astype(int), span - 1)


def batch(data, rng, augment, size):
    """Rows of WIDTH columns from random positions in random clips, some faster or slower than in the clip, augmented.

    -> columns, labels and correct classes of every fourth column, and the column at which each row's stream begins.
    """
    codes, label, also = data
    rows = torch.from_numpy(rng.integers(0, len(codes), size))[:, None]
    shown = torch.from_numpy(paced(rng, codes.shape[1], size))
    asked = range(FIELD - 1, WIDTH, 4)
    y, right = (v[rows, shown[:, list(asked)]].long() for v in (label, also))
    # Some streams have just begun: before the sixteenth column there is no output.
    origin = torch.from_numpy(np.where(rng.random(size) < BEGINNINGS, rng.integers(FIELD - WINDOW, WIDTH - WINDOW, size), 0))
    right = torch.where(torch.tensor(asked) < origin[:, None] + WINDOW - 1, ANY, right)
    return *augment(codes[rows, shown].float(), y, right), origin
