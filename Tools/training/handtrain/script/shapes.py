"""Hands of the bank, combined, bent and blended."""

import numpy as np

from ..skeletons import FINGER, points_of, turn
from .classes import OPEN, PALMAR, TAG


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
        return 7 if share < 0.1 else 8 if share < OPEN or pose == "cup" else 1
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
                weight[mine] = mine.sum() ** -0.4
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
        if pose == "relaxed":
            a, b = g("open"), g("fist")
            share = np.clip(rng.uniform(0.33, 0.65) + rng.normal(0, 0.08, 5) + np.linspace(-0.1, 0.1, 5), 0, 1)
            return blend(a, b, share[FINGER][None])[0]
        if pose == "claw":
            return flex(g("open"), np.tile([rng.uniform(-0.1, 0.3), rng.uniform(0.5, 1.1), rng.uniform(0.3, 0.8)], (1, 5, 1)) * [[[0.4], [1], [1], [1], [1]]])[0]
        if pose == "cup":
            return flex(g("ring" if rng.random() < 0.6 else "open"), rng.uniform(0.1, 0.5, (1, 5, 3)))[0]
        if pose == "pistol":
            return chained(g("thumb"), g("point"), [1])
        if pose == "ok" and rng.random() < 0.5:
            return self.pinch(rng, 2, False)[0]
        if pose == "pinch" and (rng.random() < 0.7 or "pinch" not in self.rows):
            return self.pinch(rng, int(rng.choice([2, 3, 5])), rng.random() < 0.5)[0]
        if pose in ("fist", "thumb", "shaka", "horns") and rng.random() < 0.15:
            return chained(g(pose), g("fist"), [2, 3])
        if pose == "point" and rng.random() < 0.3:
            return chained(g("fist") if rng.random() < 0.5 else g("two"), g("point"), [1, 2, 3, 4]) if rng.random() < 0.5 else chained(g("fist"), g("point"), [1])
        bones = g(pose)
        if pose == "open" and rng.random() < 0.3:
            bones = chained(bones, g("open"), [0, 1, 2, 3, 4])
        if pose == "open" and rng.random() < 0.3:
            # Not quite straight, with the fingers side by side.
            bend = np.tile(rng.uniform(0, 0.28, 3), (1, 5, 1)) * np.array([0.3, 1, 1, 1, 1])[:, None]
            bones = flex(bones, bend)[0]
            if rng.random() < 0.6:
                middle = bones[9:12].copy()
                for finger in (1, 3, 4):
                    k = slice(4 * finger + 1, 4 * finger + 4)
                    long = np.linalg.norm(bones[k], axis=1, keepdims=True)
                    way = bones[k] / long + rng.uniform(0.4, 0.9) * middle / np.linalg.norm(middle, axis=1, keepdims=True)
                    bones[k] = way / np.linalg.norm(way, axis=1, keepdims=True) * long
        elif pose == "open" and rng.random() < 0.4:
            # Loosely held: bent mostly at the middle joint.
            bend = np.array([rng.uniform(0, 0.4), rng.uniform(0.1, 0.9), rng.uniform(0, 0.5)]) * rng.uniform(0.8, 1.2, (5, 1))
            for share in (1.0, 0.6, 0.3):
                loose = flex(bones, (share * bend * np.array([0.3, 1, 1, 1, 1])[:, None])[None])[0]
                if openness(loose) > OPEN:
                    return loose
        return bones

    def pinch(self, rng, digits, others_curled):
        """-> (closed, open): the thumb and the next digits - 1 fingers with tips together, and the same hand with them spread."""
        g = lambda name: self.bones[self.row(rng, name)]
        rest = g("fist") if others_curled else g("open")
        ok = g("ok") if rng.random() < 0.6 else g("ring")
        base = chained(g("ok"), rest, [2, 3, 4]) if others_curled else g("ok").copy()
        closed = chained(base, ok, [0, 1])
        if digits >= 3:
            closed = chained(closed, g("ring"), [0, 1, 2] if digits == 3 else [0, 1, 2, 3, 4])
        spread = chained(closed, g("open"), list(range(digits)) if digits < 5 else [0, 1, 2, 3, 4])
        if digits < 5 and rng.random() < 0.5:
            # L-shaped: index of a pointing hand, thumb far apart.
            spread = chained(spread, g("point") if digits == 2 else g("two" if rng.random() < 0.5 else "open"), list(range(1, digits)))
            spread = chained(spread, g("open"), [0])
        if rng.random() < 0.6:
            bend = np.zeros((1, 5, 3))
            bend[:, 1:digits] = rng.uniform(0.0, 0.5, 3)
            spread = flex(spread, bend)[0]
        # Tips meet: the remaining gap is distributed over the fingers evenly.
        points = points_of(closed)
        meeting = points[[4 * k + 4 for k in range(digits)]].mean(0) + rng.normal(0, 0.06, 3)
        for k in range(digits):
            slip = (meeting - points[4 * k + 4]) * rng.uniform(0.75, 1.0)
            closed[4 * k + 1:4 * k + 4] += slip / 3
        return closed, spread
