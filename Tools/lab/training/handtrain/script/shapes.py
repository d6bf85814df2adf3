"""Hands of the bank, combined, bent and blended."""

from typing import NamedTuple

import numpy as np

from ..skeletons import FINGER, points_of, turn
from .classes import OPEN, PALMAR, TAG, Range


class Combination(NamedTuple):
    """How hands are combined from the bank's, by pose."""

    source_power: float = -0.4  # each skeleton's weight is its source's size to this power
    relaxed: Range = (0.33, 0.65)  # share of the way from an open hand to a fist
    relaxed_noise: float = 0.08  # standard deviation of a finger's share
    relaxed_slope: Range = (-0.1, 0.1)  # added to the share, from the thumb to the little finger
    closed_below: float = 0.1  # openness of a relaxed hand that counts as loose; above it as half open
    claw_knuckle: Range = (-0.1, 0.3)  # rad
    claw_middle: Range = (0.5, 1.1)  # rad
    claw_end: Range = (0.3, 0.8)  # rad
    claw_thumb: float = 0.4  # share of these angles
    cup_ring: float = 0.6  # chance of a cup from a ring; otherwise from an open hand
    cup: Range = (0.1, 0.5)  # rad, each joint
    ok_made: float = 0.5  # chance of an ok sign made as a pinch
    pinch_made: float = 0.7  # chance of a pinch made of fingers
    pinch_digits: tuple = (2, 3, 5)
    pinch_curled: float = 0.5  # chance that its other fingers are curled
    fist_fingers: float = 0.15  # chance that middle and ring finger of a closed pose come from a fist
    point_made: float = 0.3  # chance of a pointing hand made of others,
    point_whole: float = 0.5  # with all fingers of a pointing one, only the thumb is another's,
    point_fist: float = 0.5  # a fist's; otherwise that of two fingers
    open_mixed: float = 0.3  # chance of an open hand with another's fingers
    bent: float = 0.3  # chance of an open hand that is slightly bent,
    bend: Range = (0, 0.28)  # rad, each joint
    bend_thumb: float = 0.3  # share of the thumb, here and for loosely held hands
    beside: float = 0.6  # chance of fingers side by side,
    beside_pull: Range = (0.4, 0.9)  # weight of the middle finger's direction
    loose: float = 0.4  # chance that any other open hand is loosely held:
    loose_knuckle: Range = (0, 0.4)  # rad
    loose_middle: Range = (0.1, 0.9)  # rad
    loose_end: Range = (0, 0.5)  # rad
    loose_finger: Range = (0.8, 1.2)  # factor of each finger
    loose_shares: tuple = (1.0, 0.6, 0.3)  # of these angles; the first is taken that leaves the hand open


class Pinch(NamedTuple):
    """Hands whose fingertips meet the thumb's, and the same hands spread."""

    ok: float = 0.6  # chance of an ok sign's finger; otherwise a ring's
    l_shaped: float = 0.5  # chance of an L: the index of a pointing hand, the thumb far apart,
    two: float = 0.5  # and with three digits the fingers of two; otherwise an open hand's
    bent: float = 0.6  # chance that the spread fingers are bent,
    bend: Range = (0.0, 0.5)  # rad, each joint
    meeting: float = 0.06  # palm sizes, standard deviation of the point where tips meet
    closed: Range = (0.75, 1.0)  # share of the gap that a finger closes


COMBINATION, PINCH = Combination(), Pinch()


def minimum_jerk(u):
    u = np.clip(u, 0, 1)
    return u * u * u * (10 - 15 * u + 6 * u * u)


def blend(a, b, share):
    """Bones a, b [20,3], share [n,20] -> [n,20,3]: directions rotate, by the palm's side if they are opposite; lengths are interpolated."""
    la, lb = np.linalg.norm(a, axis=1), np.linalg.norm(b, axis=1)
    da, db = a / (la[:, None] + 1e-6), b / (lb[:, None] + 1e-6)
    s = share[..., None]
    d = (1 - s) * da + s * db + 2 * s * (1 - s) * (1 - (da * db).sum(1))[:, None] * PALMAR
    d /= np.linalg.norm(d, axis=2, keepdims=True) + 1e-6
    return d * ((1 - share) * la + share * lb)[..., None]


def flex(bones, angles):
    """Bends fingers: bones [20,3], angles [n,5,3] at the three joints of each finger, towards the palm -> [n,20,3]."""
    out = np.broadcast_to(bones, (len(angles), 20, 3)).copy()
    for finger in range(5):
        total = np.zeros(len(angles))
        for joint in range(3):
            total = total + angles[:, finger, joint]
            k = 4 * finger + 1 + joint
            out[:, k] = np.einsum("nij,j->ni", turn(total, 0), bones[k])
    return out


def chained(base, other, fingers):
    """The bones of `base` with some fingers of `other`, in proportion to the palms."""
    out = base.copy()
    for finger in fingers:
        k = slice(4 * finger + 1, 4 * finger + 4)
        out[k] = other[k]
    return out


def played(path, at):
    """Bones [K,20,3] at the shares `at` [n] of their time -> [n,20,3]."""
    t = np.clip(at, 0, 1) * (len(path) - 1)
    k = np.minimum(t.astype(int), len(path) - 2)
    w = (t - k)[:, None, None]
    return path[k] * (1 - w) + path[k + 1] * w


def openness(bones):
    """How straight the four fingers continue the palm: the mean cosine of tip and palm. 1: straight, 0: at right angles."""
    return float(opened(points_of(bones)[None])[0])


def opened(points):
    """`openness` of hands [N,21,3] -> [N]."""
    palm, tip = points[:, [5, 9, 13, 17]] - points[:, :1], points[:, [8, 12, 16, 20]] - points[:, [7, 11, 15, 19]]
    return ((palm * tip).sum(2) / (np.linalg.norm(palm, axis=2) * np.linalg.norm(tip, axis=2) + 1e-6)).mean(1)


def tag_of(pose, bones):
    """The tag of a pose; a loose hand that is open enough counts as an open one."""
    if pose in ("relaxed", "claw", "cup"):
        share = openness(bones)
        return 7 if share < COMBINATION.closed_below else 8 if share < OPEN or pose == "cup" else 1
    return TAG.get(pose, 0)


class Shapes:
    """Draws skeletons of one split by pose."""

    def __init__(self, bank, held_out):
        at = bank["held_out"] == held_out
        self.bones, self.view = bank["bones"][at].astype(np.float64), bank["view"][at].astype(np.float64)
        name, source = bank["name"][at], bank["source"][at]
        self.rows, self.probability = {}, {}
        for pose in sorted(set(name)):
            rows = np.flatnonzero(name == pose)
            # Sources count by the root of their size: some have many images of few people.
            weight = np.zeros(len(rows))
            for one in set(source[rows]):
                mine = source[rows] == one
                weight[mine] = mine.sum() ** COMBINATION.source_power
            self.rows[pose], self.probability[pose] = rows, weight / weight.sum()

        at = bank["trace_held_out"] == held_out
        self.traces = {name: bank["trace"][at & (bank["trace_name"] == name)].astype(np.float64) for name in ("stroke", "drawing")}
        self.trace_weights = {name: bank["trace_weight"][at & (bank["trace_name"] == name)] for name in self.traces}

        at = bank["motion_held_out"] == held_out
        self.motions = {name: bank["motion"][at & (bank["motion_name"] == name)].astype(np.float64) for name in ("grab", "pinch")}
        self.motion_views = {name: bank["motion_view"][at & (bank["motion_name"] == name)].astype(np.float64) for name in ("grab", "pinch")}
        self.motion_seconds = {name: bank["motion_seconds"][at & (bank["motion_name"] == name)] for name in ("grab", "pinch")}

    def recorded(self, rng, name):
        """-> (bones [48,20,3] of a recorded closing, its view, its seconds)."""
        k = int(rng.integers(len(self.motions[name])))
        return self.motions[name][k], self.motion_views[name][k], float(self.motion_seconds[name][k])

    def trace(self, rng, name):
        """-> [16,2]: the path of a real fingertip, of `skeletons.traced`."""
        weight = self.trace_weights[name]
        return self.traces[name][rng.choice(len(weight), p=weight / weight.sum())]

    def row(self, rng, pose):
        return int(rng.choice(self.rows[pose], p=self.probability[pose]))

    def draw(self, rng, pose):
        """-> bones of a hand in that pose, real or combined from real fingers."""
        g = lambda name: self.bones[self.row(rng, name)]
        p = COMBINATION
        if pose == "relaxed":
            a, b = g("open"), g("fist")
            share = np.clip(rng.uniform(*p.relaxed) + rng.normal(0, p.relaxed_noise, 5) + np.linspace(*p.relaxed_slope, 5), 0, 1)
            return blend(a, b, share[FINGER][None])[0]
        if pose == "claw":
            hand = g("open")
            bend = np.tile([rng.uniform(*p.claw_knuckle), rng.uniform(*p.claw_middle), rng.uniform(*p.claw_end)], (1, 5, 1))
            return flex(hand, bend * [[[p.claw_thumb], [1], [1], [1], [1]]])[0]
        if pose == "cup":
            return flex(g("ring" if rng.random() < p.cup_ring else "open"), rng.uniform(*p.cup, (1, 5, 3)))[0]
        if pose == "pistol":
            return chained(g("thumb"), g("point"), [1])
        if pose == "ok" and rng.random() < p.ok_made:
            return self.pinch(rng, 2, False)[0]
        if pose == "pinch" and (rng.random() < p.pinch_made or "pinch" not in self.rows):
            return self.pinch(rng, int(rng.choice(p.pinch_digits)), rng.random() < p.pinch_curled)[0]
        if pose in ("fist", "thumb", "shaka", "horns") and rng.random() < p.fist_fingers:
            return chained(g(pose), g("fist"), [2, 3])
        if pose == "point" and rng.random() < p.point_made:
            if rng.random() < p.point_whole:
                return chained(g("fist") if rng.random() < p.point_fist else g("two"), g("point"), [1, 2, 3, 4])
            return chained(g("fist"), g("point"), [1])
        bones = g(pose)
        if pose == "open" and rng.random() < p.open_mixed:
            bones = chained(bones, g("open"), [0, 1, 2, 3, 4])
        if pose == "open" and rng.random() < p.bent:
            # Not quite straight, with the fingers side by side.
            bend = np.tile(rng.uniform(*p.bend, 3), (1, 5, 1)) * np.array([p.bend_thumb, 1, 1, 1, 1])[:, None]
            bones = flex(bones, bend)[0]
            if rng.random() < p.beside:
                middle = bones[9:12].copy()
                for finger in (1, 3, 4):
                    k = slice(4 * finger + 1, 4 * finger + 4)
                    long = np.linalg.norm(bones[k], axis=1, keepdims=True)
                    way = bones[k] / long + rng.uniform(*p.beside_pull) * middle / np.linalg.norm(middle, axis=1, keepdims=True)
                    bones[k] = way / np.linalg.norm(way, axis=1, keepdims=True) * long
        elif pose == "open" and rng.random() < p.loose:
            # Loosely held: bent mostly at the middle joint.
            bend = np.array([rng.uniform(*p.loose_knuckle), rng.uniform(*p.loose_middle), rng.uniform(*p.loose_end)])
            bend = bend * rng.uniform(*p.loose_finger, (5, 1))
            for share in p.loose_shares:
                loose = flex(bones, (share * bend * np.array([p.bend_thumb, 1, 1, 1, 1])[:, None])[None])[0]
                if openness(loose) > OPEN:
                    return loose
        return bones

    def pinch(self, rng, digits, others_curled):
        """-> (closed, open): the thumb and the next digits - 1 fingers with tips together, and the same hand with them spread."""
        g = lambda name: self.bones[self.row(rng, name)]
        p = PINCH
        rest = g("fist") if others_curled else g("open")
        ok = g("ok") if rng.random() < p.ok else g("ring")
        base = chained(g("ok"), rest, [2, 3, 4]) if others_curled else g("ok").copy()
        closed = chained(base, ok, [0, 1])
        if digits >= 3:
            closed = chained(closed, g("ring"), [0, 1, 2] if digits == 3 else [0, 1, 2, 3, 4])
        spread = chained(closed, g("open"), list(range(digits)) if digits < 5 else [0, 1, 2, 3, 4])
        if digits < 5 and rng.random() < p.l_shaped:
            # L-shaped: index of a pointing hand, thumb far apart.
            spread = chained(spread, g("point") if digits == 2 else g("two" if rng.random() < p.two else "open"), list(range(1, digits)))
            spread = chained(spread, g("open"), [0])
        if rng.random() < p.bent:
            bend = np.zeros((1, 5, 3))
            bend[:, 1:digits] = rng.uniform(*p.bend, 3)
            spread = flex(spread, bend)[0]
        # Tips meet: the remaining gap is distributed over the fingers evenly.
        points = points_of(closed)
        meeting = points[[4 * k + 4 for k in range(digits)]].mean(0) + rng.normal(0, p.meeting, 3)
        for k in range(digits):
            slip = (meeting - points[4 * k + 4]) * rng.uniform(*p.closed)
            closed[4 * k + 1:4 * k + 4] += slip / 3
        return closed, spread
