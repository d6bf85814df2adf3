"""From logits to events, as the engine does it: median of 5 frames, softmax, then the begin and end rules."""

import numpy as np

from .labels import CLASSES, LABELS, NULL

MEDIAN, CONFIDENCE, BEGIN, END = 5, 0.85, 3, 2


def smooth(logits):
    """Causal element-wise median over the last 5 rows (fewer at the start). [T,13] -> [T,13]."""
    return np.stack([np.median(logits[max(0, t - MEDIAN + 1):t + 1], axis=0) for t in range(len(logits))]) if len(logits) else logits


def softmax(logits):
    e = np.exp(logits - logits.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def events(logits):
    """Logits of consecutive grid frames [T,13] -> [[label, onset, decision, end, peak confidence]] in row numbers.

    Begin: 3 rows in a row of one gesture above 0.85. End: 2 rows in a row of null or another class.
    """
    confidence = softmax(smooth(np.asarray(logits, np.float64)))
    out, current, streak, candidate, away = [], None, 0, NULL, 0
    for t, row in enumerate(confidence):
        top = int(row.argmax())
        if top != NULL and row[top] > CONFIDENCE:
            streak = streak + 1 if top == candidate else 1
            candidate = top
        else:
            streak, candidate = 0, NULL
        if current is not None:
            if top == current[0]:
                away = 0
                current[4] = max(current[4], float(row[top]))
            else:
                away += 1
            if away == END:
                current[3] = t
                out.append(current)
                current = None
        if current is None and streak >= BEGIN:
            current, away = [candidate, t - BEGIN + 1, t, len(confidence), float(row[candidate])], 0
    if current is not None:
        out.append(current)
    return [[LABELS[c], *rest] for c, *rest in out]


def match(found, truth, slack):
    """Greedy matching of [[label, onset, decision, ...]] and [[label, onset, end]] in the same unit.

    A truth is recognised when an event of its label is decided between its onset and `slack` after its end.
    -> (recognised flags of truth, false events)
    """
    used, hit = set(), []
    for name, begin, end in truth:
        k = next((i for i, e in enumerate(found) if i not in used and e[0] == name and begin <= e[2] <= end + slack), None)
        hit.append(k is not None)
        if k is not None:
            used.add(k)
    return hit, [e for i, e in enumerate(found) if i not in used]


def confusion(truth, guess):
    """-> int [13,13], rows are the truth."""
    return np.bincount(np.asarray(truth) * CLASSES + np.asarray(guess), minlength=CLASSES ** 2).reshape(CLASSES, CLASSES)
