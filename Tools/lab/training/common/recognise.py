"""From logits to events, as in the engine: median, softmax, then the begin and end rules. The numbers are a model's metadata."""

import json
import math
from typing import NamedTuple

import numpy as np

from .labels import BACK, CLASSES, LABELS, NULL


class Rules(NamedTuple):
    """Begin: `begin` consecutive rows of one gesture above `confidence`. So counts a row, too, that ends `steady_rows` consecutive rows of the gesture
    above `steady_confidence`; 0 rows switch this off. End: the begin of another gesture; or `end` rows of null, or of another
    gesture above `confidence`, without rows of the gesture itself between them; or `unsure_end` rows of anything else. For `back_rows` after an end,
    rows of the gesture's return stroke `back` count as null, and so do rows that continue from one of them. If the rows that begin a gesture start
    less than `once_rows` after the same gesture ended, it is not reported again, unless a row of another gesture above `confidence`, or of its return
    stroke, was between. Rows in which a hand keeps the gesture's pose extend this time. The classes `taught` take from null's probability alone, so all others are as probable as without them."""

    median: int = 5
    begin: int = 3
    confidence: float = 0.85
    end: int = 2
    unsure_end: int = 12
    back_rows: int = 0
    back: dict = BACK
    once_rows: int = 0
    taught: tuple = ()
    steady_rows: int = 0
    steady_confidence: float = 0.0

    @classmethod
    def of(cls, text):
        """From "median,begin,confidence,end", optionally followed by back rows and once rows."""
        median, begin, confidence, end, *rows = text.split(",")
        back, once = (*map(int, rows), 0, 0)[:2]
        return cls(int(median), int(begin), float(confidence), int(end), max(12, int(end)), back_rows=back, once_rows=once)

    @property
    def text(self):
        """The input format of `of`."""
        return f"{self.median},{self.begin},{self.confidence},{self.end},{self.back_rows},{self.once_rows}"

    @classmethod
    def said(cls, metadata, grid):
        """From the metadata of a model file with `grid` columns a second."""
        post = {key.removeprefix("post."): value for key, value in metadata.items() if key.startswith("post.")}

        def rows(key):
            """The nearest number of rows, of two the smaller; as in the engine."""
            return int(post[f"{key}_frames"]) if f"{key}_frames" in post else max(1, math.ceil(int(post[f"{key}_ms"]) * grid / 1000 - 0.5))

        def time(key):
            return round(int(post.get(key, 0)) * grid / 1000)

        median = rows("median") if "median_frames" in post else 2 * max(0, math.ceil((int(post["median_ms"]) * grid / 1000 - 1) / 2 - 0.5)) + 1
        unsure = rows("unsure_end") if "unsure_end_ms" in post else 12
        return cls(median, rows("begin"), float(post["begin_confidence"]), rows("end"), max(unsure, rows("end")), back_rows=time("return_ms"),
                   back=json.loads(post.get("return_strokes", "{}")), once_rows=time("once_ms"),
                   taught=tuple(json.loads(post.get("taught", "[]"))), steady_rows=rows("steady") if "steady_ms" in post else 0,
                   steady_confidence=float(post.get("steady_confidence", 0)))

    def metadata(self, labels, grid):
        """The rules as metadata of a checkpoint with these classes and `grid` columns a second: times in milliseconds."""
        def time(rows):
            return str(round(1000 * rows / grid))

        said = {"median_ms": time(self.median), "begin_ms": time(self.begin), "begin_confidence": str(self.confidence), "end_ms": time(self.end),
                "unsure_end_ms": time(self.unsure_end)}
        back = {a: b for a, b in self.back.items() if a in labels and b in labels}
        if self.back_rows and back:
            said |= {"return_ms": time(self.back_rows), "return_strokes": json.dumps(back)}
        if self.once_rows:
            said["once_ms"] = time(self.once_rows)
        if self.steady_rows:
            said |= {"steady_ms": time(self.steady_rows), "steady_confidence": str(self.steady_confidence)}
        if taught := [name for name in self.taught if name in labels]:
            said["taught"] = json.dumps(taught)
        return said


def smooth(logits, median=5):
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


def softmax(logits):
    e = np.exp(logits - logits.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def probabilities(logits, labels, null, taught=()):
    """Logits [...,classes] -> probabilities: the softmax of the classes that were not taught, with null's divided among it and the taught ones by the
    softmax of their logits."""
    new = [labels.index(n) for n in taught]
    if not new:
        return softmax(logits)
    among = [*new, labels.index(null)]
    base = np.array(logits)
    base[..., new] = -np.inf
    out = softmax(base)
    out[..., among] = out[..., among[-1:]] * softmax(logits[..., among])
    return out


def events(logits, rules=Rules(), labels=LABELS, null=LABELS[NULL], kept=None, ended=None, ruled_out=None):
    """Logits of consecutive grid frames [T,classes] -> [[label, onset, decision, end, peak confidence]] in row numbers.

    kept: the class [T] of the pose that a hand keeps in each row, -1 without one. ended: likewise of the pose that ended in it.
    ruled_out: the classes [T,classes] whose probability goes to null.
    """
    nothing = labels.index(null)
    confidence = probabilities(smooth(np.asarray(logits, np.float64), rules.median), labels, null, rules.taught)
    if ruled_out is not None:
        confidence[:, nothing] += np.where(ruled_out, confidence, 0).sum(1)
        confidence = np.where(ruled_out, 0, confidence)
    tops, values = confidence.argmax(1), confidence.max(1)
    out, current, streak, candidate, away, decisive = [], None, 0, nothing, 0, 0
    ways = {labels.index(a): labels.index(b) for a, b in rules.back.items() if a in labels and b in labels}
    returns = ways if rules.back_rows else {}
    back, until, leading = None, 0, False
    over, parted, silent = None, False, False
    steady = 0
    for t, (top, value) in enumerate(zip(tops.tolist(), values.tolist())):
        steady = (steady + 1 if t and top == tops[t - 1] else 1) if value > rules.steady_confidence else 0
        seen = top
        if over is not None and kept is not None and kept[t] == over[0] and t - 1 < over[1]:
            over = over[0], max(over[1], t + 1)
        leading = top == back and (t < until or leading)
        stop = -1 if ended is None else ended[t]
        if leading or top == stop:
            top = nothing
        sure = top != nothing and (value > rules.confidence or 0 < rules.steady_rows <= steady)
        if current is not None:
            parted = seen != current[0] and (parted or sure or ways.get(current[0]) == seen)
        if over is not None and (over[0] == stop or seen != over[0] and (sure or ways.get(over[0]) == seen)):
            over = None
        if sure and (current is None or top != current[0]):
            streak = streak + 1 if top == candidate else 1
            candidate = top
        else:
            streak, candidate = 0, nothing
        if current is not None:
            if top == current[0]:
                away = decisive = 0
                current[4] = max(current[4], value)
            else:
                away, decisive = away + 1, decisive + (sure or top == nothing)
            if current[0] == stop or decisive == rules.end or away == rules.unsure_end or streak >= rules.begin:
                current[3] = t
                if not silent:
                    out.append(current)
                over = (current[0], t + rules.once_rows) if rules.once_rows and not parted and current[0] != stop else None
                if current[0] in returns:
                    back, until = returns[current[0]], t + rules.back_rows
                    leading = top == back
                    if candidate == back:
                        streak, candidate = 0, nothing
                current = None
        if current is None and streak >= rules.begin:
            silent = over is not None and over[0] == candidate and t - rules.begin + 1 < over[1]
            current, streak, candidate, away, decisive = [candidate, t - rules.begin + 1, t, len(confidence), value], 0, nothing, 0, 0
            over, parted = None, False
    if current is not None and not silent:
        out.append(current)
    return [[labels[c], *rest] for c, *rest in out]


def match(found, truth, slack):
    """Greedy matching of [[label, onset, decision, ...]] and [[label, onset, end]] in the same unit.

    A truth is recognised if an event of its label is decided between its onset and `slack` after its end.
    -> (recognised flags of truth, false events)
    """
    used, hit = set(), []
    for name, begin, end in truth:
        k = next((i for i, e in enumerate(found) if i not in used and e[0] == name and begin <= e[2] <= end + slack), None)
        hit.append(k is not None)
        if k is not None:
            used.add(k)
    return hit, [e for i, e in enumerate(found) if i not in used]


def levenshtein(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (x != y))
    return row[-1]


def confusion(truth, guess):
    """-> int [13,13], rows are the truth."""
    return np.bincount(np.asarray(truth) * CLASSES + np.asarray(guess), minlength=CLASSES ** 2).reshape(CLASSES, CLASSES)
