"""A hand's timeline, and the basic moves of gestures and everything else."""

from typing import NamedTuple

import numpy as np

from common.labels import INDEX, NULL

from ..skeletons import FINGER, points_of, turn
from .classes import ALIKE, ANY, CHANNELS, FIRM, HOLD, TICK, TURN, Names, Range, bits, log_uniform
from .shapes import blend, minimum_jerk, opened, played, tag_of
from .truth import moving, still


class Start(NamedTuple):
    """The hand at the beginning of a clip, and how it is usually held (`Hand.home`)."""

    usual: float = 0.8  # chance of a hand of `size`; the others have `near`
    size: Range = (0.022, 0.14)  # palm, heights of the frame, log-uniform
    near: Range = (0.1, 0.34)  # the same, of hands near the camera
    x: Range = (0.2, 0.8)  # widths of the frame
    y: Range = (0.3, 0.7)  # heights of the frame
    upright: float = 0.7  # chance of a roll near upright
    upright_roll: float = 0.25  # rad, standard deviation
    tilted_roll: float = 0.7  # rad, standard deviation of the others
    facing: float = 0.5  # chance of a hand that faces the camera
    facing_yaw: float = 0.3  # rad, standard deviation
    facing_pitch: Range = (0.05, 0.3)  # rad, mean and standard deviation
    turned_yaw: float = 0.45  # rad, standard deviation of the others
    turned_pitch: Range = (0.3, 0.5)  # rad, mean and standard deviation
    turned_limits: Range = (-0.6, 1.25)  # rad, of that pitch
    any_way: float = 0.12  # chance of a hand held in any way: hanging, lying, upside down
    any_yaw: float = 0.5  # rad, standard deviation
    any_pitch: Range = (-1.3, 1.3)  # rad
    views: Names = ("open", "fist", "point", "two", "thumb")  # poses from whose skeletons the view is taken,
    view_weights: tuple = (0.4, 0.2, 0.2, 0.1, 0.1)  # and their chances


class Tremor(NamedTuple):
    """The small motion of a held hand: two sine waves a channel."""

    place: float = 0.08  # palm sizes, x and y
    size: float = 0.012  # logarithm of the size
    roll: float = 0.035  # rad
    turn: float = 0.05  # rad, yaw and pitch
    waves: int = 2
    rate: Range = (0.3, 4)  # Hz
    amplitude: float = 0.6  # standard deviation of a wave, in the units above


class Wandering(NamedTuple):
    """The smooth motion of a hand that is not still: three sine waves a channel."""

    size: float = 0.05  # logarithm of the size
    roll: float = 0.1  # rad for each palm size of `amount`
    turn: float = 0.12  # rad for each palm size of `amount`, yaw and pitch
    most: float = 3  # palm sizes; angles do not grow beyond
    waves: int = 3
    rate: Range = (0.15, 1.2)  # Hz
    amplitude: float = 0.5  # standard deviation of a wave
    damping: float = 0.5  # Hz, added to the rate that divides the amplitude: fast waves are small


class Move(NamedTuple):
    """The course of any move, positions in the frame and the distance of the camera."""

    skew: float = 0.15  # standard deviation of the logarithm of time's exponent: how early or late a move is fastest
    linear: float = 0.35  # chance of a share of linear motion,
    linear_long: float = 0.3  # added to it for moves longer than
    long: float = 0.6  # s
    in_order: float = 0.5  # chance that fingers start in the order of the hand
    margin: float = 0.12  # of a position to the frame's edge, sides of the frame
    limits: Range = (0.03, 0.97)  # of a position after limiting its reach, sides of the frame
    part: Range = (0.3, 1)  # share of the reach that a position takes
    arrival_reach: float = 2.0  # palm sizes
    arrival: Range = (0.3, 0.8)  # s
    arrival_fingers: float = 0.3  # share of the time by which fingers start apart
    aimed: float = 0.8  # chance that a pointing finger rolls about as the hand is usually held
    aside: Range = (0.7, 2.0)  # rad to either side, of the others
    rest_tremble: Range = (0.2, 1.5)  # amounts of tremor
    camera: Range = (9, 40)  # palm sizes from the hand
    nearness: Range = (-0.6, 1.0)  # limits of depth over that distance


class Margins(NamedTuple):
    """Moments around a gesture's label in which null is correct, too."""

    before: float = 0.08  # s
    after: float = 0.06  # s
    inside: float = 0.03  # s at the beginning of the label
    tremble: float = 0.4  # amount of tremor of a track that is extended for its label


START, TREMOR, WANDERING, MOVE, MARGINS = Start(), Tremor(), Wandering(), Move(), Margins()


class Hand:
    """A hand whose timeline grows with each move."""

    def __init__(self, rng, shapes, aspect):
        self.rng, self.shapes, self.aspect = rng, shapes, aspect
        self.parts = {k: [] for k in ("bones", "channels", "view", "label", "also", "seen", "tag")}
        self.ticks = self.done = 0
        self.notes = []  # (first tick, name of the move), for analysing errors
        p = START
        size = log_uniform(rng, p.size if rng.random() < p.usual else p.near)
        self.now = np.array([rng.uniform(*p.x) * aspect, rng.uniform(*p.y), np.log(size),
                             rng.normal(0, p.upright_roll if rng.random() < p.upright else p.tilted_roll), 0.0, 0.0])
        if rng.random() < p.facing:
            self.now[4:] = rng.normal(0, p.facing_yaw), rng.normal(*p.facing_pitch)
        else:
            self.now[4:] = rng.normal(0, p.turned_yaw), np.clip(rng.normal(*p.turned_pitch), *p.turned_limits)
        if rng.random() < p.any_way:
            self.now[3:] = rng.uniform(-np.pi, np.pi), rng.normal(0, p.any_yaw), rng.uniform(*p.any_pitch)
        self.home = self.now.copy()
        self.bones = shapes.draw(rng, "relaxed")
        self.tag = tag_of("relaxed", self.bones)
        self.view = shapes.view[shapes.row(rng, rng.choice(p.views, p=p.view_weights))]

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
        rng, t, p = self.rng, np.arange(1, n + 1) / TICK, TREMOR
        scale = np.array([p.place * self.size, p.place * self.size, p.size, p.roll, p.turn, p.turn]) * amount
        out = np.zeros((n, 6))
        for _ in range(p.waves):
            rate, phase = rng.uniform(*p.rate, 6), rng.uniform(0, TURN, 6)
            out += rng.normal(0, p.amplitude, 6) * (np.sin(TURN * rate * t[:, None] + phase) - np.sin(phase))
        return out * scale

    def ease(self, n):
        u = np.arange(1, n + 1) / n
        u = u ** np.exp(self.rng.normal(0, MOVE.skew))
        linear = self.rng.uniform(0, 1) if self.rng.random() < MOVE.linear + MOVE.linear_long * (n > MOVE.long * TICK) else 0.0
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
        if self.rng.random() < MOVE.in_order:
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

    def event(self, name, begin, end, margin_before=MARGINS.before, margin_after=MARGINS.after):
        """Labels ticks begin...end, at least HOLD seconds; the track is extended if needed."""
        end = max(end, begin + self.clock(HOLD))
        if end + 2 > self.ticks:
            self.go((end + 2 - self.ticks) / TICK, tremble=MARGINS.tremble)
        either = bits(name, "null")
        for key, value, a, b in (("also", either, begin - self.clock(margin_before), begin + self.clock(MARGINS.inside)),
                                 ("also", either, end, end + self.clock(margin_after)), ("label", INDEX[name], begin, end),
                                 ("also", 0, begin + self.clock(MARGINS.inside), end)):
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

    def place(self, reach=None, margin=MOVE.margin):
        """A position in the frame, within `reach` of the current one."""
        rng = self.rng
        x, y = rng.uniform(margin, 1 - margin) * self.aspect, rng.uniform(margin, 1 - margin)
        if reach is not None:
            d = np.array([x - self.now[0], y - self.now[1]])
            far = np.hypot(*d)
            k = min(1.0, reach / max(far, 1e-6)) * rng.uniform(*MOVE.part)
            x, y = self.now[0] + d[0] * k, self.now[1] + d[1] * k
        low, high = MOVE.limits
        return {"x": float(np.clip(x, low * self.aspect, high * self.aspect)), "y": float(np.clip(y, low, high))}

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
        target = self.place(MOVE.arrival_reach * self.size) | {"roll": self.home[3], "yaw": self.home[4], "pitch": self.home[5]} | angles
        self.go(seconds or self.rng.uniform(*MOVE.arrival), target, pose, fingers=MOVE.arrival_fingers, named=named)

    def aim(self, spread):
        """The roll of a pointing finger: about as the hand is usually held, or far from that."""
        rng = self.rng
        return self.home[3] + (rng.normal(0, spread) if rng.random() < MOVE.aimed else rng.choice([-1, 1]) * rng.uniform(*MOVE.aside))

    def note(self, text):
        self.notes.append((self.ticks, text))

    def rest(self, seconds, wander=0.0):
        """Holds the current pose; `still` labels it."""
        extra = self.wandering(self.clock(seconds), wander) if wander else None
        self.go(seconds, tremble=self.rng.uniform(*MOVE.rest_tremble), extra=extra)

    def wandering(self, n, amount):
        """Smooth motion [n,6] of a hand that is not still, `amount` in palm sizes, zero at the start."""
        rng, t, p = self.rng, np.arange(1, n + 1)[:, None] / TICK, WANDERING
        out = np.zeros((n, 6))
        for _ in range(p.waves):
            rate, phase = rng.uniform(*p.rate, 6), rng.uniform(0, TURN, 6)
            out += rng.normal(0, p.amplitude, 6) / (p.damping + rate) * (np.sin(TURN * rate * t + phase) - np.sin(phase))
        angle = min(amount, p.most)
        return out * np.array([amount * self.size, amount * self.size, p.size, p.roll * angle, p.turn * angle, p.turn * angle])

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
        far = self.rng.uniform(*MOVE.camera)
        out["points"] *= 1 / (1 + np.clip(points[..., 2:] / far, *MOVE.nearness))
        out["points"][..., 0] += channels[:, :1]
        out["points"][..., 1] += channels[:, 1:2]
        moving(out, channels)
        out["also"] &= ANY
        still(out, channels, openness)
        return out
