"""From logits to events, as the engine does it: median, softmax, then the begin and end rules. The numbers are a model's metadata."""

from typing import NamedTuple

import numpy as np

from gesturetrain.labels import LABELS, NULL
from gesturetrain.recognise import softmax


class Rules(NamedTuple):
    median: int = 5
    begin: int = 3
    confidence: float = 0.85
    end: int = 2


def smooth(logits, median):
    """Causal element-wise median over the last rows (fewer at the start). [T,C] -> [T,C]."""
    if median <= 1 or len(logits) == 0:
        return logits
    out = np.empty_like(logits)
    for t in range(min(median - 1, len(logits))):
        out[t] = np.median(logits[:t + 1], axis=0)
    if len(logits) >= median:
        windows = np.lib.stride_tricks.sliding_window_view(logits, median, axis=0)
        out[median - 1:] = np.median(windows, axis=-1)
    return out


def events(logits, rules=Rules(), labels=LABELS, null=LABELS[NULL]):
    """Logits of consecutive grid frames [T,classes] -> [[label, onset, decision, end, peak confidence]] in row numbers."""
    nothing = labels.index(null)
    confidence = softmax(smooth(np.asarray(logits, np.float64), rules.median))
    tops, values = confidence.argmax(1), confidence.max(1)
    out, current, streak, candidate, away = [], None, 0, nothing, 0
    for t, (top, value) in enumerate(zip(tops.tolist(), values.tolist())):
        if top != nothing and value > rules.confidence:
            streak = streak + 1 if top == candidate else 1
            candidate = top
        else:
            streak, candidate = 0, nothing
        if current is not None:
            if top == current[0]:
                away = 0
                current[4] = max(current[4], value)
            else:
                away += 1
            if away == rules.end:
                current[3] = t
                out.append(current)
                current = None
        if current is None and streak >= rules.begin:
            current, away = [candidate, t - rules.begin + 1, t, len(confidence), value], 0
    if current is not None:
        out.append(current)
    return [[labels[c], *rest] for c, *rest in out]


def levenshtein(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (x != y))
    return row[-1]
