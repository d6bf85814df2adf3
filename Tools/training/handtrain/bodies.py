"""The body of a hand that plays a script: shoulders, elbows, wrists and nose at each tick, and what a body network reports of them.

The sizes of the network's errors were measured on recordings. Lengths are in heights of the frame.
"""

import numpy as np

from . import arms, features
from .script import TICK, runs
from .skeletons import palm_size

WIDTH = (4.8, 9.5)  # palm sizes: shoulder widths of recordings are 5 to 9
UPPER, FORE = 0.80, 0.75  # lengths of the arm's parts in shoulder widths
REST = {"hanging": ((0.45, 0.75), (1.4, 2.0)), "lap": ((0.05, 0.5), (1.1, 1.6)), "table": ((0.2, 0.9), (0.7, 1.3))}  # ranges of x and y in shoulder widths


def eased(n):
    u = np.arange(1, n + 1) / n
    return u * u * u * (10 - 15 * u + 6 * u * u)


def followed(path, seconds):
    """A path [T,2] that follows another with a time constant."""
    if seconds < 0.5 / TICK:
        return path
    out, share = path.copy(), 1 / (1 + seconds * TICK)
    for t in range(1, len(path)):
        out[t] = out[t - 1] + share * (path[t] - out[t - 1])
    return out


def waves(rng, t, amount, rates=(0.1, 0.7)):
    return sum(rng.normal(0, amount, 2) * np.sin(6.28 * rng.uniform(*rates, 2) * t[:, None] + rng.uniform(0, 6.28, 2)) for _ in range(2))


class Body:
    """clip: of `script.write`; points [T,21,3] and drawn [T] of `scene.shown`.

    middle, nose [T,2]; shoulders, elbows, wrists, knuckles [T,2,2], the arm that plays first. At index 1 of knuckles only their middle is known.
    """

    def __init__(self, rng, clip, points, drawn):
        n = len(points)
        t = np.arange(n) / TICK
        size = float(np.median(palm_size(points)))
        side = self.side = 1 if rng.random() < 0.93 else -1  # of a right hand as reported: right in the picture
        hand = points[:, 0, :2]
        at = np.median(hand[drawn], 0) if drawn.any() else np.array([0.5 * clip["aspect"], 0.6])
        for _ in range(6):  # mostly a body whose shoulders are in the picture
            width = self.width = size * np.exp(rng.uniform(*np.log(WIDTH)))
            middle = at - width * np.array([side * rng.uniform(0.2, 1.35), rng.uniform(-0.4, 0.5)])
            if width / 2 < middle[0] < clip["aspect"] - width / 2 and 0.15 < middle[1] < 0.95:
                break
        self.middle = np.repeat(middle[None], n, 0) + waves(rng, t, rng.uniform(0, 0.04) * width)
        # The body moves with its arm, and goes where the arm would not reach.
        shoulder = self.middle + [side * width / 2, 0]
        way = hand - shoulder
        far = np.linalg.norm(way, axis=1, keepdims=True)
        pull = way * np.clip(1 - 1.6 * width / np.maximum(far, 1e-6), 0, 1) + rng.choice([0.0, rng.uniform(0, 0.1)]) * (hand - at)
        self.middle += followed(pull, rng.uniform(0.1, 0.4)) * 0.9
        slope = rng.normal(0, 0.06) * width
        self.shoulders = np.stack([self.middle + [side * width / 2, slope], self.middle - [side * width / 2, slope]], 1)
        wrist = self.wrist_of(rng, clip, hand, drawn, t)
        self.wrists = np.stack([wrist, self.other(rng, wrist, t)], 1)
        self.elbows = np.stack([self.elbow(rng, k, t) for k in (0, 1)], 1)
        self.nose = self.middle + width * np.array([rng.normal(0, 0.08), -rng.uniform(0.5, 0.85)]) + waves(rng, t, rng.uniform(0, 0.05) * width, (0.1, 1.0))
        knuckles = 0.65 * points[:, [5, 17], :2].mean(1) + 0.35 * points[:, [8, 20], :2].mean(1) - hand
        fore = self.wrists - self.elbows
        along = fore / np.maximum(np.linalg.norm(fore, axis=2, keepdims=True), 1e-6) * 0.25 * width
        self.knuckles = self.wrists + np.stack([np.where(self.hidden[:, None], along[:, 0], knuckles), along[:, 1]], 1)

    def resting(self, rng, side):
        (x0, x1), (y0, y1) = REST[str(rng.choice(list(REST), p=(0.4, 0.3, 0.3)))]
        return self.middle + self.width * np.array([side * rng.uniform(x0, x1), rng.uniform(y0, y1)])

    def wrist_of(self, rng, clip, hand, drawn, t):
        """The wrist of the arm that plays: where the hand is hidden for long, the arm mostly rests."""
        out, self.hidden = hand.copy(), np.zeros(len(hand), bool)
        rest, lowers = self.resting(rng, self.side), rng.random() < 0.8
        for a, b, seen in runs(clip["seen"]):
            whole = not (drawn[a:b].all())
            if seen or not whole and (b - a < 0.4 * TICK or not lowers):
                continue
            self.hidden[a:b] = True
            share = np.ones(b - a)
            n = int(min(rng.uniform(0.15, 0.5) * TICK, (b - a) / 2))
            if a > 0 and n:
                share[:n] = eased(n)
            if b < len(hand) and n:
                share[-n:] = np.minimum(share[-n:], 1 - eased(n))
            from_ = hand[a - 1] if a > 0 else hand[min(b, len(hand) - 1)]
            to = hand[b] if b < len(hand) else from_
            base = np.where(np.arange(b - a)[:, None] < (b - a) / 2, from_, to)
            out[a:b] = base * (1 - share[:, None]) + rest[a:b] * share[:, None]
        return out

    def other(self, rng, wrist, t):
        rest, manner = self.resting(rng, -self.side), rng.random()
        if manner < 0.55:
            return rest + waves(rng, t, rng.uniform(0, 0.05) * self.width)
        if manner < 0.72:  # both arms likewise
            rel = (wrist - self.middle) * [-1, 1]
            rel = followed(rel, rng.uniform(0, 0.06)) * rng.uniform(0.8, 1.15) + waves(rng, t, 0.04 * self.width)
            return self.middle + rel
        out, now, k = np.empty_like(wrist), rest[0], 0
        while k < len(out):
            if rng.random() < 0.5:
                n = int(rng.uniform(0.2, 1.5) * TICK)
                out[k:k + n] = now
            else:
                n = int(rng.uniform(0.2, 0.9) * TICK)
                goal = rest[min(k, len(rest) - 1)] if rng.random() < 0.4 else self.middle[k] + self.width * np.array([-self.side * rng.uniform(-0.2, 1.2), rng.uniform(-0.9, 1.4)])
                out[k:k + n] = (now + (goal - now) * eased(n)[:, None])[:len(out) - k]
                now = goal
            k += n
        return out

    def elbow(self, rng, k, t):
        """Of an arm with two parts in space, seen more or less from its front; it may stay behind the wrist."""
        side = self.side * (1 - 2 * k)
        s, w = self.shoulders[:, k], self.wrists[:, k]
        way = w - s
        d = np.maximum(np.linalg.norm(way, axis=1), 1e-6)
        grown = np.maximum(d / (0.97 * (UPPER + FORE) * self.width), 1)
        u, f = UPPER * self.width * grown, FORE * self.width * grown
        along = np.clip((u * u - f * f + d * d) / (2 * d), -u, u)
        beside = np.sqrt(np.maximum(u * u - along * along, 0)) * np.clip(rng.uniform(0.2, 1.0) + 0.15 * waves(rng, t, 1.0)[:, 0], 0.1, 1)
        direction = way / d[:, None]
        across = np.stack([-direction[:, 1], direction[:, 0]], 1)
        across *= np.where(across @ np.array([side * rng.uniform(0.1, 0.8), 1.0]) < 0, -1, 1)[:, None]
        return followed(s + direction * along[:, None] + across * beside[:, None], rng.choice([0.0, rng.uniform(0, 0.08), rng.uniform(0.05, 0.25)]))

    def points(self, k):
        """[33,2] of MediaPipe's numbers at tick k; those that no feature reads are 0."""
        out = np.zeros((33, 2))
        out[0] = self.nose[k]
        for place, what in ((11, self.shoulders), (13, self.elbows), (15, self.wrists), (17, self.knuckles), (19, self.knuckles)):
            out[place:place + 2] = what[k]
        return out


class Network:
    """Reports a body as the body network does: late, trembling, sometimes wrong about an arm, seldom nothing at all.

    sway [T,2]: the shift of the whole frame at each tick.
    """

    def __init__(self, rng, body, aspect, sway):
        self.rng, self.body, self.aspect, self.sway = rng, body, aspect, sway
        w = body.width
        self.level = w * np.exp(rng.uniform(np.log(0.006), np.log(0.05)))
        self.aside = rng.normal(0, 0.03, (33, 2)) * w
        self.behind = int(rng.choice([0, 0, rng.integers(0, 3)]))  # ticks
        self.lag = rng.choice([0.0, rng.uniform(0, 0.35)])
        self.absent = rng.random() < 0.12
        self.illusion = not self.absent and rng.random() < 0.06  # a body that is none
        self.hold = int(rng.choice([0, rng.integers(0, 5)]))  # looks that find nothing at first
        self.last = self.wrong = None

    def look(self, tick):
        """-> [33,3] in heights, and visibility; or None."""
        rng, body, w = self.rng, self.body, self.body.width
        if self.hold == 0 and rng.random() < 0.01:
            self.hold = int(rng.integers(1, 4))
        if self.absent or self.hold:
            self.hold = max(self.hold - 1, 0)
            self.last = None
            return None
        if self.illusion:
            place = rng.normal(0, 0.1, (33, 2)) + self.aside / w * 5 + [0.5 * self.aspect, 0.5]
            return np.concatenate([place, rng.uniform(0, 1, (33, 1))], 1)
        before = max(tick - self.behind, 0)
        true = body.points(before) + self.aside + self.sway[before]
        at = true
        outside = np.maximum.reduce([-at[:, 0], at[:, 0] - self.aspect, -at[:, 1], at[:, 1] - 1]) / w
        seen = np.where(outside > -0.02, rng.uniform(0.05, 0.75, 33) * np.clip(1 - outside, 0.1, 1), rng.uniform(0.9, 1.0, 33))
        noise = rng.normal(0, 1, (33, 2)) * self.level
        noise *= np.where(outside > -0.02, 3.0, 1.0)[:, None]
        if self.last is not None:
            quick = np.linalg.norm(at - self.last, axis=1, keepdims=True)
            noise += rng.normal(0, 0.12, (33, 2)) * quick
            at = at + self.lag * (self.last - at) * (quick > 0.02 * w)
        self.last = true
        out = at + noise
        # An arm is sometimes taken for the other, or its wrist for another thing, for a few looks.
        if self.wrong is None and rng.random() < 0.012:
            self.wrong = int(rng.integers(2)), int(rng.integers(1, 6)), rng.random() < 0.5, rng.normal(0, 0.5, 2) * w
        if self.wrong is not None:
            k, left, swapped, away = self.wrong
            for place in (13, 15, 17, 19):
                out[place + k] = out[place + 1 - k] + rng.normal(0, 0.05, 2) * w if swapped else out[place + k] + away * (place > 13)
                seen[place + k] = rng.uniform(0.1, 0.6)
            self.wrong = (k, left - 1, swapped, away) if left > 1 else None
        return np.concatenate([out, np.clip(seen, 0, 1)[:, None]], 1)


def seen(rng, body, shown, moving, sway):
    """The features of `arms` [T,27] on the grid of the frames of `camera.film`, and whether a body is known in each slot.

    moving: [T] whether the frame changes; sway: for `Network`.
    """
    aspect = shown["aspect"]
    network, watch, plan, out = Network(rng, body, aspect, sway), arms.Arms(), arms.Schedule(), []
    where = features.numbers(np.nan_to_num(shown["landmarks"]), shown["right"], aspect)
    for slot, (tick, fresh) in enumerate(zip(shown["tick"], shown["fresh"])):
        if fresh or not out:
            time, hand, quick = float(tick) / TICK, None, None
            if shown["seen"][slot]:
                size = float(where[slot, 3])
                size = 0.1 * size / (1 - size)
                x, y = shown["landmarks"][slot, 0, :2]
                hand, quick = (float(x), float(y), size), (float(where[slot, 1]) * aspect, float(where[slot, 2]), size)
            looked, points = plan.looks(time, bool(moving[slot]), quick), None
            if looked:
                points = network.look(int(tick))
                if points is not None:
                    points = points / [aspect, 1, 1]
                    if shown["mirror"]:
                        points[:, 0] = 1 - points[:, 0]
            row = watch.see(time, aspect, looked, points, hand)
        out.append(row)
    out = np.stack(out)
    return out, out[:, 0] > 0
