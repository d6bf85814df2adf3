"""The correct classes at each moment of a timeline, independent of its intention: hands that move like strokes, and held poses."""

import numpy as np

from common.labels import INDEX, NULL

from .classes import EDGE, FIRM, OPEN, STRAIGHT, SWIPES, TICK, bits


def runs(values):
    """-> (first, end, value) of each stretch of equal values."""
    cut = np.flatnonzero(np.diff(values)) + 1
    return [(a, b, values[a]) for a, b in zip([0, *cut], [*cut, len(values)])]


def moving(out, channels):
    """An open hand that moves straight like a swipe may be a swipe, independent of its intention: a window could not decide.

    Not where a hand appears, leaves or retracts: that is null.
    """
    size = np.exp(channels[:, 2:3])
    place = channels[:, :2] / size
    third, half = int(0.33 * TICK), int(0.5 * TICK)

    def gone(ticks):
        return place - np.concatenate([np.repeat(place[:1], ticks, 0), place])[:len(place)]

    way = gone(third)
    steps = np.linalg.norm(gone(5), axis=1)
    path = sum(np.concatenate([np.zeros(k), steps])[:len(steps)] for k in range(0, half, 5))
    far = np.linalg.norm(way, axis=1)
    straight = np.linalg.norm(gone(half), axis=1) > 0.85 * path
    open_ = np.zeros(len(place), bool)
    stretches = runs(out["tag"])
    for k, (a, b, tag) in enumerate(stretches):
        open_[a:b] = tag in (1, 8) or tag == 0 and k + 1 < len(stretches) and stretches[k + 1][2] == 1
    like = open_ & straight & (far > 0.6) & (np.abs(way).max(1) > 0.82 * far) & (out["label"] == NULL) & (out["also"] & FIRM == 0)
    for name, (x, y) in SWIPES.items():
        out["also"] |= np.where(like & (way @ np.array([x, y]) > 0.82 * far), bits("null", name), 0)


def still(out, channels, openness):
    """Labels every stretch that shows a palm, a pointing finger or a thumb and moves little, independent of its intention.

    Movement is measured over the last third of a second: the palm's position, in palm sizes, and its angles. If it moves somewhat more, has just
    appeared, is about to change (EDGE; a palm as long as it is open), or is half open, both its pose and null are correct. A palm that rolls or
    drifts is null. openness: of each tick's hand.
    """
    tag, label, also = out["tag"], out["label"], out["also"]
    k, edge = int(0.33 * TICK), int(EDGE * TICK)
    size = np.exp(channels[:, 2])
    null = 1 << NULL
    padded = np.concatenate([np.repeat(channels[:1], k, 0), channels])
    span = np.ptp(np.lib.stride_tricks.sliding_window_view(padded, k + 1, axis=0), axis=2)
    rest = (np.hypot(span[:, 0], span[:, 1]) < 0.52 * size) & (span[:, 3] < 0.16)
    for a, b, pose in runs(tag):
        if pose not in (1, 2, 3, 8):
            continue
        for lo, hi, seen in runs(out["seen"][a:b]):
            if not seen:
                continue
            lo, hi = a + lo, a + hi
            c = channels[lo:hi]
            padded = np.concatenate([np.repeat(c[:1], k, 0), c])
            windows = np.lib.stride_tricks.sliding_window_view(padded, k + 1, axis=0)
            span = windows.max(2) - windows.min(2)
            far = np.hypot(span[:, 0], span[:, 1]) / size[lo:hi]
            roll, bend = span[:, 3], span[:, 3:].max(1)
            age = np.arange(hi - lo) / TICK
            if pose in (1, 8):
                sure, maybe = (far < 0.7) & (roll < 0.25) & (bend < 0.45), (far < 1.1) & (roll < 0.4) & (bend < 0.7)
                sure = sure & (age >= 0.35) & (pose == 1) & (openness[lo:hi] > STRAIGHT)
                name = np.full(hi - lo, INDEX["openPalm"])
            elif pose == 2:
                sure, maybe = (far < 1.6) & (bend < 0.5), (far < 2.4) & (bend < 0.9)
                sure = sure & (age >= 0.25)
                name = np.full(hi - lo, INDEX["point"])
            else:
                d = out["points"][lo:hi, 4] - out["points"][lo:hi, 2]
                up = np.arctan2(d[:, 0], -d[:, 1])
                angle = np.minimum(np.abs(up), np.pi - np.abs(up))
                short = np.hypot(d[:, 0], d[:, 1]) < 0.7 * size[lo:hi]
                sure, maybe = (far < 0.9) & (bend < 0.35) & (angle < 0.78) & ~short, (far < 1.7) & (bend < 0.6) & (angle < 1.08)
                sure = sure & (age >= 0.25)
                name = np.where(np.abs(up) < np.pi / 2, INDEX["thumbsUp"], INDEX["thumbsDown"])
            mine = label[lo:hi] == NULL
            also[lo:hi] |= np.where(mine & maybe, null | 1 << name, 0)
            # A hand that is surely at rest is labelled even around a gesture of another kind; there null stays correct, too.
            also[lo:hi] &= ~np.where(mine & sure & (also[lo:hi] == (null | 1 << name)), null, 0)
            label[lo:hi] = np.where(mine & sure, name, label[lo:hi])
            for to, moment in ((-1, 0), (1, -1)):
                t = (lo - 1, hi)[moment]
                at = t
                while maybe[moment] and 0 <= t < len(label) and tag[t] in (0, 7, 8) and out["seen"][t] and (abs(t - at) < edge or (
                        pose == 1 and openness[t] > OPEN and rest[t])):
                    also[t] |= null | 1 << name[moment] if label[t] == NULL else 0
                    t += to
