"""A hand's timeline, and the basic moves of gestures and everything else."""

import numpy as np

from gesturetrain.labels import INDEX, NULL

from ..skeletons import FINGER, points_of, turn
from .classes import ALIKE, ANY, CHANNELS, FIRM, HOLD, TICK, bits
from .shapes import blend, minimum_jerk, opened, played, tag_of
from .truth import moving, still


class Hand:
    """A hand whose timeline grows with each move."""

    def __init__(self, rng, shapes, aspect):
        self.rng, self.shapes, self.aspect = rng, shapes, aspect
        self.parts = {k: [] for k in ("bones", "channels", "view", "label", "also", "seen", "tag")}
        self.ticks = self.done = 0
        self.notes = []  # (first tick, name of the move), for analysing errors
        size = np.exp(rng.uniform(np.log(0.022), np.log(0.14))) if rng.random() < 0.8 else np.exp(rng.uniform(np.log(0.1), np.log(0.34)))
        self.size0 = size
        self.now = np.array([rng.uniform(0.2, 0.8) * aspect, rng.uniform(0.3, 0.7), np.log(size), rng.normal(0, 0.25) if rng.random() < 0.7 else rng.normal(0, 0.7), 0.0, 0.0])
        if rng.random() < 0.5:
            self.now[4:] = rng.normal(0, 0.3), rng.normal(0.05, 0.3)
        else:
            self.now[4:] = rng.normal(0, 0.45), np.clip(rng.normal(0.3, 0.5), -0.6, 1.25)
        if rng.random() < 0.12:
            # Held in any way: hanging, lying, upside down.
            self.now[3:] = rng.uniform(-np.pi, np.pi), rng.normal(0, 0.5), rng.uniform(-1.3, 1.3)
        self.home = self.now.copy()
        self.bones = shapes.draw(rng, "relaxed")
        self.tag = tag_of("relaxed", self.bones)
        self.view = shapes.view[shapes.row(rng, rng.choice(["open", "fist", "point", "two", "thumb"], p=[0.4, 0.2, 0.2, 0.1, 0.1]))]

    @property
    def size(self):
        return float(np.exp(self.now[2]))

    def clock(self, seconds):
        return max(int(round(seconds * TICK)), 1)

    def add(self, n, bones, channels, label=NULL, also=0, seen=True, tag=None):
        channels = np.broadcast_to(channels, (n, 6)).copy()
        self.parts["bones"].append(np.broadcast_to(bones, (n, 20, 3)).astype(np.float32))
        self.parts["channels"].append(channels)
        self.parts["view"].append(np.broadcast_to(self.view, (n, 3, 3)))
        for key, value, kind in (("label", label, np.int64), ("also", also, np.int64), ("seen", seen, bool),
                                 ("tag", self.tag if tag is None else tag, np.int64)):
            self.parts[key].append(np.broadcast_to(np.asarray(value, kind), n).copy())
        self.ticks += n
        self.now = channels[-1].copy()
        self.bones = np.asarray(self.parts["bones"][-1][-1], np.float64)

    def tremor(self, n, amount=1.0):
        """Small motion of a held hand: [n,6], zero at the start."""
        rng, t = self.rng, np.arange(1, n + 1) / TICK
        scale = np.array([0.08 * self.size, 0.08 * self.size, 0.012, 0.035, 0.05, 0.05]) * amount
        out = np.zeros((n, 6))
        for _ in range(2):
            rate, phase = rng.uniform(0.3, 4, 6), rng.uniform(0, 6.28, 6)
            out += rng.normal(0, 0.6, 6) * (np.sin(6.28 * rate * t[:, None] + phase) - np.sin(phase))
        return out * scale

    def ease(self, n):
        u = np.arange(1, n + 1) / n
        u = u ** np.exp(self.rng.normal(0, 0.15))
        linear = self.rng.uniform(0, 1) if self.rng.random() < 0.35 + 0.3 * (n > 0.6 * TICK) else 0.0
        return linear * u + (1 - linear) * minimum_jerk(u)

    def go(self, seconds, target=None, pose=None, *, fingers=0.0, early=(0.0, 1.0), tremble=0.6, label=NULL, also=0, seen=True, extra=None, named=0,
           surely_null=False, path=None, share=None):
        """Moves channels to `target` (dict or array) and bones to `pose` (a name or bones) in the interval `early` of the time. share: of the way at
        each tick."""
        n = self.clock(seconds)
        u = self.ease(n) if share is None else share
        goal = self.now.copy()
        if isinstance(target, dict):
            for key, value in target.items():
                goal[CHANNELS.index(key)] = value
        elif target is not None:
            goal[:] = target
        channels = self.now + (goal - self.now) * u[:, None] + self.tremor(n, tremble)
        if extra is not None:
            channels = channels + extra
        tag = None
        if path is not None:
            bones, tag = played(path, np.arange(1, n + 1) / n), np.zeros(n, np.int64)
            tag[-1] = self.tag = named
        elif pose is None:
            bones = self.bones
        else:
            last = self.shapes.draw(self.rng, pose) if isinstance(pose, str) else pose
            before, after = self.tag, tag_of(pose, last) if isinstance(pose, str) else named
            bones = self.change(n, last, fingers, early)
            tag = np.zeros(n, np.int64) if before != after else np.full(n, after)
            tag[-1] = after
            if surely_null:
                also |= FIRM
            else:
                also |= ALIKE.get((7 if before == 8 else before, 7 if after == 8 else after), 0)
            self.tag = after
        self.add(n, bones, channels, label, also, seen, tag)
        return u

    def change(self, n, to, fingers=0.0, early=(0.0, 1.0)):
        """Bones changing into others: [n,20,3]. Fingers start up to `fingers` of the time apart."""
        t = np.arange(1, n + 1) / n
        t = np.clip((t - early[0]) / max(early[1] - early[0], 1e-3), 0, 1)
        delay = self.rng.uniform(0, fingers, 6) if fingers else np.zeros(6)
        if self.rng.random() < 0.5:
            delay = np.sort(delay)
        share = minimum_jerk((t[:, None] - delay) / (1 - fingers + 1e-6))
        index = FINGER.copy()
        index[[0, 4, 8, 12, 16]] = 5  # the palm changes with its own share
        return blend(self.bones, to, share[:, index])

    def become(self, pose, named=0):
        """Changes the hand's shape at once, while the hand is hidden."""
        self.bones = self.shapes.draw(self.rng, pose) if isinstance(pose, str) else pose.copy()
        self.tag = tag_of(pose, self.bones) if isinstance(pose, str) else named

    def hide(self, seconds):
        self.add(self.clock(seconds), self.bones, self.now, seen=False)

    def event(self, name, begin, end, margin_before=0.08, margin_after=0.06):
        """Labels ticks begin...end, at least HOLD seconds; the track is extended if needed."""
        end = max(end, begin + self.clock(HOLD))
        if end + 2 > self.ticks:
            self.go((end + 2 - self.ticks) / TICK, tremble=0.4)
        either = bits(name, "null")
        for key, value, a, b in (("also", either, begin - self.clock(margin_before), begin + self.clock(0.03)),
                                 ("also", either, end, end + self.clock(margin_after)), ("label", INDEX[name], begin, end),
                                 ("also", 0, begin + self.clock(0.03), end)):
            self.overwrite(key, value, max(a, 0), min(b, self.ticks))

    def overwrite(self, key, value, a, b):
        """Adds equally correct classes; replaces all other values."""
        at = 0
        for part in self.parts[key]:
            lo, hi = max(a - at, 0), min(b - at, len(part))
            if lo < hi:
                part[lo:hi] = value | part[lo:hi] if key == "also" and value else value
            at += len(part)

    # Positions

    def place(self, reach=None, margin=0.12):
        """A position in the frame, within `reach` of the current one."""
        rng = self.rng
        x, y = rng.uniform(margin, 1 - margin) * self.aspect, rng.uniform(margin, 1 - margin)
        if reach is not None:
            d = np.array([x - self.now[0], y - self.now[1]])
            far = np.hypot(*d)
            k = min(1.0, reach / max(far, 1e-6)) * rng.uniform(0.3, 1)
            x, y = self.now[0] + d[0] * k, self.now[1] + d[1] * k
        return {"x": float(np.clip(x, 0.03 * self.aspect, 0.97 * self.aspect)), "y": float(np.clip(y, 0.03, 0.97))}

    def arrive(self, pose, seconds=None, named=0, **angles):
        """Moves to a position in a pose, without swiping. named: the tag of bones."""
        if self.ticks == 0:
            self.now[:2] = list(self.place().values())
            self.bones = self.shapes.draw(self.rng, pose) if isinstance(pose, str) else pose.copy()
            self.tag = tag_of(pose, self.bones) if isinstance(pose, str) else named
            for key, value in angles.items():
                self.now[CHANNELS.index(key)] = value
            self.add(1, self.bones, self.now)
            return
        target = self.place(2.0 * self.size) | {"roll": self.home[3], "yaw": self.home[4], "pitch": self.home[5]} | angles
        self.go(seconds or self.rng.uniform(0.3, 0.8), target, pose, fingers=0.3, named=named)

    def aim(self, spread):
        """The roll of a pointing finger: about as the hand is usually held, or far from that."""
        rng = self.rng
        return self.home[3] + (rng.normal(0, spread) if rng.random() < 0.8 else rng.choice([-1, 1]) * rng.uniform(0.7, 2.0))

    def note(self, text):
        self.notes.append((self.ticks, text))

    def rest(self, seconds, wander=0.0):
        """Holds the current pose; `still` labels it."""
        extra = self.wandering(self.clock(seconds), wander) if wander else None
        self.go(seconds, tremble=self.rng.uniform(0.2, 1.5), extra=extra)

    def wandering(self, n, amount):
        """Smooth motion [n,6] of a hand that is not still, `amount` in palm sizes, zero at the start."""
        rng, t = self.rng, np.arange(1, n + 1)[:, None] / TICK
        out = np.zeros((n, 6))
        for _ in range(3):
            rate, phase = rng.uniform(0.15, 1.2, 6), rng.uniform(0, 6.28, 6)
            out += rng.normal(0, 0.5, 6) / (0.5 + rate) * (np.sin(6.28 * rate * t + phase) - np.sin(phase))
        return out * np.array([amount * self.size, amount * self.size, 0.05, 0.1 * min(amount, 3), 0.12 * min(amount, 3), 0.12 * min(amount, 3)])

    def finish(self, seconds):
        """-> dict: points [T,21,3] in heights of the frame around the palm's position (x, y) and depth, label, also, seen [T]."""
        n = self.clock(seconds)
        out = {k: np.concatenate(v)[:n] for k, v in self.parts.items()}
        channels = out.pop("channels")
        rotation = turn(channels[:, 3]) @ turn(channels[:, 5], 0) @ turn(channels[:, 4], 1) @ out.pop("view")
        points = points_of(out.pop("bones").astype(np.float64)) @ rotation.transpose(0, 2, 1)
        points -= points[:, [0, 5, 9, 13, 17]].mean(1, keepdims=True)
        openness = opened(points)
        out["points"] = points * np.exp(channels[:, 2])[:, None, None]
        # Nearer parts look larger: the camera is `far` palm sizes away.
        far = self.rng.uniform(9, 40)
        out["points"] *= 1 / (1 + np.clip(points[..., 2:] / far, -0.6, 1.0))
        out["points"][..., 0] += channels[:, :1]
        out["points"][..., 1] += channels[:, 1:2]
        moving(out, channels)
        out["also"] &= ANY
        still(out, channels, openness)
        return out
