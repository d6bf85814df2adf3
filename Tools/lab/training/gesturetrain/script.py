"""The movements of the hand: a timeline of gestures and of everything else.

A Track is a set of arrays at TICK samples a second. Positions are shares of the frame (x right, y down), sizes are the open hand's length as a share
of the frame's height, angles are degrees, positive clockwise as seen in the frame.

Labels of moments (all others are null):
- swipe: from 20 % of the stroke's duration to its end. Preparation and retraction are null. A fist, a relaxed hand in slow motion and a pointing
  finger slower than FAST_POINT never swipe.
- grab, zoomIn, zoomOut: from 20 % of the articulation to 100 ms after its end.
- tap: from 20 % of the dip to the end of the return.
- openPalm, point, thumbsUp, thumbsDown: from 100 ms after the hand came to rest until it moves; `visible` adds the other moments that show them.
- Each labelled stretch of a motion lasts at least 7 frames of the stream's grid: a shorter stroke is still in the window, and events need 5 frames.
`ignore` marks moments that a 16-frame window cannot decide (the first part of a motion, the rest before a static pose counts, a stroke's braking,
fingers spread but still): training gives them no weight, evaluation counts them.
"""

from typing import NamedTuple

import numpy as np

from common.labels import INDEX, NULL

TICK = 480
FAST_POINT = 0.9  # frame widths a second
STATIC_LABEL = {"open": "openPalm", "together": "openPalm", "point": "point", "thumbsUp": "thumbsUp", "thumbsDown": "thumbsDown"}
SWIPES = {"swipeLeft": (-1, 0), "swipeRight": (1, 0), "swipeUp": (0, -1), "swipeDown": (0, 1)}
DISTRACTORS = ("fist", "relaxed", "claw", "victory", "three", "four", "shaka", "horns", "thumbAside", "ring", "pinch")
# Auxiliary targets of the encoder.
AUX_POSES = ("none", "open", "point", "thumbsUp", "thumbsDown", "fist", "pinch", "spread", "relaxed", "dipped", "other")
AUX_POSE = {"open": 1, "together": 1, "point": 2, "thumbsUp": 3, "thumbsDown": 4, "fist": 5, "ring": 6, "pinch": 6,
            "relaxed": 8, "claw": 8}
MOTIONS = {"grab": (1, 5), "zoom": (6, 7), "dipFinger": (2, 9), "dipHand": (1, 9)}
HELD_UP = ("point", "thumbsUp", "thumbsDown")  # gestures at almost any roll
FIELDS = ("x", "y", "size", "roll", "sprite", "label", "ignore", "pose", "open")


def minimum_jerk(u):
    return u * u * u * (10 - 15 * u + 6 * u * u)


def can_do(actor):
    """Labels that an actor can show."""
    poses, motions = actor["poses"], actor["motions"]
    out = [STATIC_LABEL[p] for p in ("open", "point", "thumbsUp", "thumbsDown") if p in poses]
    if "open" in poses:
        out += list(SWIPES)
    if "grab" in motions:
        out.append("grab")
    if "zoom" in motions:
        out += ["zoomIn", "zoomOut"]
    if "dipFinger" in motions or "dipHand" in motions:
        out.append("tap")
    return out


class Manner(NamedTuple):
    """The probabilities of optional behaviour. The default is that of held-out clips."""

    busy: float = 0.0  # share of null stretches with a working hand
    slow: float = 0.3  # share of strokes that last 0.7 s or longer
    steady: float = 0.0  # share of those at an almost constant pace, like a hand that follows an object carefully


class Track:
    """Builds the timeline of one hand. `rate` is the stream's grid in Hz."""

    def __init__(self, rng, actor, rate, size, manner=Manner()):
        self.rng, self.actor, self.rate, self.manner = rng, actor, rate, manner
        self.parts = {name: [] for name in FIELDS}
        self.events = []
        self.ticks = 0
        self.x, self.y = rng.uniform(0.25, 0.75), rng.uniform(0.3, 0.7)
        self.size = size
        self.roll0 = self.roll = rng.normal(0, 9)
        self.swing = rng.uniform(0, 45)  # degrees of roll per frame width, because the forearm turns about the elbow

    # Samples

    def _add(self, n, x, y, size, roll, sprite, label=NULL, ignore=False, pose=0, openness=0.0):
        values = (x, y, size, roll, sprite, label, ignore, pose, openness)
        for name, value in zip(FIELDS, values):
            self.parts[name].append(np.broadcast_to(np.asarray(value, np.float32), n))
        self.ticks += n
        self.x, self.y = float(self.parts["x"][-1][-1]), float(self.parts["y"][-1][-1])
        self.size, self.roll = float(self.parts["size"][-1][-1]), float(self.parts["roll"][-1][-1])

    def _tremor(self, n, amount=1.0):
        t = np.arange(n) / TICK
        out = 0
        for _ in range(3):
            out = out + self.rng.normal(0, 0.0012) * np.sin(6.28 * (self.rng.uniform(0.5, 6) * t + self.rng.random()))
        return amount * out

    def _ease(self, n, steady=False):
        u = (np.arange(n) + 1) / n
        u = u ** np.exp(self.rng.normal(0, 0.15))
        linear = self.rng.uniform(0, 0.8) if self.rng.random() < 0.3 else 0.0
        if steady:
            linear = self.rng.uniform(0.6, 1.0)
        return linear * u + (1 - linear) * minimum_jerk(u)

    def _pose(self, name):
        return self.actor["poses"][name], AUX_POSE.get(name, 10), 1.0 if name in ("open", "together", "four") else 0.0

    def pick(self, *names):
        """The first available of some poses in random order, or else any pose of the actor."""
        names = [n for n in names if n in self.actor["poses"]]
        return str(self.rng.choice(names or list(self.actor["poses"])))

    def hidden(self, seconds):
        n = max(int(seconds * TICK), 1)
        self._add(n, self.x, self.y, self.size, self.roll, -1)

    def hold(self, name, seconds, drift=0.02):
        """Rest in a pose, nearly still. Poses that are gestures count from 100 ms on."""
        n = max(int(seconds * TICK), 1)
        t = np.arange(n) / TICK
        sprite, pose, openness = self._pose(name)
        label, ignore = np.full(n, NULL), np.zeros(n, bool)
        if name in STATIC_LABEL:
            start = int(0.1 * TICK)
            label[start:] = INDEX[STATIC_LABEL[name]]
            ignore[int(0.05 * TICK):int(0.2 * TICK)] = True
            if n > start:
                self.events.append([STATIC_LABEL[name], self.ticks + start, self.ticks + n])
        angle = self.rng.uniform(0, 6.28)
        speed = self.rng.uniform(0, drift)
        self._add(n, self.x + np.cos(angle) * speed * t + self._tremor(n), self.y + np.sin(angle) * speed * t + self._tremor(n),
                  self.size * (1 + self._tremor(n, 3)), self.roll + self._tremor(n, 400), sprite, label, ignore, pose, openness)

    def move(self, x, y, seconds, name, size=None, roll=None, bulge=0.0, label=NULL, ignore=False, steady=False):
        """A minimum-jerk move to (x, y), or a steady one; bulge bends the path downwards (or sideways), in shares of its length."""
        n = max(int(seconds * TICK), 2)
        u = self._ease(n, steady)
        dx, dy = x - self.x, y - self.y
        size = self.size if size is None else size
        if roll is None:
            roll = self.roll + np.clip(self.swing * dx, -30, 30)
        sprite, pose, openness = self._pose(name)
        arc = bulge * 4 * u * (1 - u)
        px, py = self.x + dx * u - dy * arc, self.y + dy * u + dx * arc
        self._add(n, px + self._tremor(n), py + self._tremor(n), self.size + (size - self.size) * u,
                  self.roll + (roll - self.roll) * u, sprite, label, ignore, pose, openness)

    def motion(self, name, shares, label=NULL, ignore=False, travel=(0.0, 0.0), grow=0.0):
        """Plays a sprite sequence through `shares` (array over ticks, 0...1)."""
        path = np.array(self.actor["motions"][name])
        n = len(shares)
        turning = AUX_POSE[self.actor.get("turning", "open")]
        a, b = MOTIONS.get(name, (turning, turning))
        index = np.clip(np.rint(shares * (len(path) - 1)), 0, len(path) - 1).astype(int)
        openness = {"grab": 1 - shares, "zoom": shares}.get(name, np.zeros(n))
        self._add(n, self.x + travel[0] * shares + self._tremor(n), self.y + travel[1] * shares + self._tremor(n),
                  self.size * (1 + grow * shares), self.roll + self._tremor(n, 300), path[index], label, ignore,
                  np.where(shares < 0.5, a, b), openness)

    def _mark(self, name, begin, end, ignore_from, ignore_after=0.0):
        """Labels ticks begin...end of the track, at least 7 grid frames. The track must already cover them."""
        least = int(7.0 / self.rate * TICK) + 1
        short = begin + least - end
        if short > 0 and end + short > self.ticks:
            self.hold_last((end + short - self.ticks) / TICK + 0.002)
        end = max(end, begin + least)
        for field, value, lo, hi in (("label", INDEX[name], begin, end), ("ignore", True, ignore_from, begin + int(0.03 * TICK))):
            self._overwrite(field, value, lo, hi)
        self._overwrite("ignore", False, begin + int(0.03 * TICK), end)
        if ignore_after:
            self._overwrite("ignore", True, end - int(ignore_after * TICK), min(end + int(ignore_after * TICK), self.ticks))
        self.events.append([name, begin, end])

    def _overwrite(self, field, value, lo, hi):
        at = 0
        for k, part in enumerate(self.parts[field]):
            a, b = max(lo - at, 0), min(hi - at, len(part))
            if a < b:
                part = part.copy()
                part[a:b] = value
                self.parts[field][k] = part
            at += len(part)

    def hold_last(self, seconds):
        """Keeps the last sprite at its position, without a label."""
        n = max(int(seconds * TICK), 1)
        self._add(n, self.x + self._tremor(n), self.y + self._tremor(n), self.size, self.roll, self.parts["sprite"][-1][-1],
                  NULL, self.parts["ignore"][-1][-1] > 0, self.parts["pose"][-1][-1], self.parts["open"][-1][-1])

    # Gestures

    def gesture(self, label):
        if label in SWIPES:
            self._swipe(label)
        elif label in ("zoomIn", "zoomOut"):
            self._zoom(label)
        elif label == "grab":
            self._grab()
        elif label == "tap":
            self._tap()
        else:
            name = {v: k for k, v in reversed(STATIC_LABEL.items())}[label]
            if label == "openPalm":
                name = self.pick("open", "open", "together")
            self._arrive(name)
            self.hold(name, self.rng.uniform(0.45, 1.6))

    def _arrive(self, name, still=False):
        """Moves to a position near the middle in a pose, too slowly for a swipe."""
        x, y = self.rng.uniform(0.15, 0.85), self.rng.uniform(0.2, 0.8)
        if self.ticks == 0:
            self.x, self.y = x, y
            return
        reach = np.hypot(x - self.x, y - self.y)
        if reach > 0.12 and not still:
            scale = self.rng.uniform(0.05, 0.12) / reach
            x, y = self.x + (x - self.x) * scale, self.y + (y - self.y) * scale
        self.move(np.clip(x, 0.1, 0.9), np.clip(y, 0.15, 0.85), self.rng.uniform(0.35, 0.8), name, roll=self.roll0)

    def _swipe(self, label):
        rng = self.rng
        direction = np.array(SWIPES[label], float)
        slow = rng.random() >= 1 - self.manner.slow
        seconds = rng.uniform(0.7, 2.2) if slow else np.exp(rng.uniform(np.log(0.12), np.log(0.7)))
        steady = slow and self.manner.steady > 0 and rng.random() < self.manner.steady
        length = rng.uniform(0.25, 0.75) if seconds < 0.9 else rng.uniform(0.25, 0.7)
        if self.size < 0.2:
            length *= rng.uniform(0.6, 1.0)
        name = self.pick("open", "open", "open", "together")
        if rng.random() < 0.08 and "point" in self.actor["poses"] and 1.3 * length / seconds > 2 * FAST_POINT:
            name = "point"
        tilt = np.deg2rad(np.clip(rng.normal(0, 10), -24, 24))
        across = np.array([[np.cos(tilt), -np.sin(tilt)], [np.sin(tilt), np.cos(tilt)]]) @ direction
        centre = np.array([0.5, 0.5]) + rng.normal(0, 0.12, 2)
        start, stop = centre - across * length / 2, centre + across * length / 2
        if self.ticks == 0:
            self.x, self.y = start
            if rng.random() < 0.6:
                self.hold(name, rng.uniform(0.03, 0.4), drift=0.01)
        else:
            # Preparation: a relaxed hand, lower and slower than the stroke; or the same hand, much slower.
            reach = np.hypot(*(start - (self.x, self.y)))
            if rng.random() < 0.6 and {"relaxed", "fist", "ring"} & set(self.actor["poses"]):
                self.move(*start, max(reach * rng.uniform(1.0, 2.0), 1.5 * seconds, 0.3), self.pick("relaxed", "relaxed", "fist", "ring"),
                          roll=self.roll0 - self.swing * direction[0] * length / 2, bulge=rng.normal(0, 0.2))
            else:
                self.hidden(rng.uniform(0.1, 0.4))
                self.x, self.y = start
                self.roll = self.roll0 - self.swing * direction[0] * length / 2
            if rng.random() < 0.7:
                self.hold(name, rng.uniform(0.03, 0.35), drift=0.01)
        begin = self.ticks
        self.move(*stop, seconds, name, size=self.size * rng.uniform(0.9, 1.1), bulge=rng.normal(0, 0.08), steady=steady)
        end = self.ticks
        after = rng.random()
        if after < 0.45:
            self.hold(name, rng.uniform(0.05, 0.5), drift=0.01)
        elif after < 0.6:
            self.hidden(rng.uniform(0.2, 0.6))
        self._mark(label, begin + int(0.2 * (end - begin)), end, begin + int(0.03 * (end - begin)), min(0.06, 0.12 * seconds))
        if after < 0.6 and rng.random() < 0.6 or after >= 0.6:
            # Retraction: back to the start by a lower path, or down and out of the frame.
            slow = max(seconds * rng.uniform(1.8, 3.0), rng.uniform(0.45, 0.9))
            loose = self.pick("relaxed", "relaxed", "fist", "ring") if rng.random() < 0.8 else name
            if loose == name:
                slow = max(slow * 1.6, 2.4 * seconds)
            if rng.random() < 0.6:
                self.move(*(start + (0, rng.uniform(0.05, 0.25))), slow, loose, bulge=rng.uniform(0.1, 0.3) * np.sign(-direction[0] or 1),
                          roll=self.roll0)
            else:
                self.move(self.x + rng.normal(0, 0.12), 1.3, slow, loose)
                self.hidden(rng.uniform(0.1, 0.4))
                self.x, self.y = rng.uniform(0.3, 0.7), rng.uniform(0.4, 0.7)

    def _play(self, name, seconds, reverse=False, until=1.0, **kind):
        pace = self.actor.get("pace", {}).get(name)
        if pace and self.rng.random() < 0.6:
            # Approximately at the recorded speed.
            n = int(np.clip(pace["seconds"] * np.exp(self.rng.normal(0, 0.2)), 0.1, 1.5) * TICK)
            u = np.interp((np.arange(n) + 1) / n, np.linspace(0, 1, len(pace["shares"])), pace["shares"]) * until
        else:
            u = self._ease(max(int(seconds * TICK), 2)) * until
        self.motion(name, 1 - u if reverse else u, **kind)

    def _grab(self):
        rng = self.rng
        self._arrive("open")
        if rng.random() < 0.6:
            self.hold("open", rng.uniform(0.05, 0.6))
        seconds = np.exp(rng.uniform(np.log(0.15), np.log(0.8)))
        begin = self.ticks
        self._play("grab", seconds, travel=tuple(rng.normal(0, 0.02, 2)))
        end = self.ticks
        self._rest("grab", 1.0, 0.1 + rng.uniform(0.02, 0.7))
        self._mark("grab", begin + int(0.2 * (end - begin)), end + int(0.1 * TICK), begin + int(0.03 * (end - begin)), 0.03)
        if rng.random() < 0.7:
            self._play("grab", rng.uniform(0.2, 0.9), reverse=True)

    def _rest(self, name, share, seconds, ignore=False):
        n = max(int(seconds * TICK), 2)
        self.motion(name, np.full(n, share), ignore=ignore)

    def _zoom(self, label):
        rng = self.rng
        opening = label == "zoomIn"
        if self.ticks == 0:
            self.x, self.y = rng.uniform(0.2, 0.8), rng.uniform(0.2, 0.8)
        first, last = (0.0, 1.0) if opening else (1.0, 0.0)
        self._rest("zoom", first, rng.uniform(0.1, 0.6), ignore=not opening)
        seconds = np.exp(rng.uniform(np.log(0.18), np.log(0.9)))
        begin = self.ticks
        self._play("zoom", seconds, reverse=not opening)
        end = self.ticks
        self._rest("zoom", last, 0.1 + rng.uniform(0.02, 0.4), ignore=opening)
        self._mark(label, begin + int(0.2 * (end - begin)), end + int(0.1 * TICK), begin + int(0.03 * (end - begin)), 0.03)
        if rng.random() < 0.5:
            self.move(self.x + rng.normal(0, 0.1), self.y + rng.uniform(0.1, 0.3), rng.uniform(0.5, 0.9), self.pick("relaxed"))

    def _tap(self):
        rng = self.rng
        name = str(rng.choice([m for m in ("dipFinger", "dipHand") if m in self.actor["motions"]]))
        pose = "point" if name == "dipFinger" else "open"
        self._arrive(self.pick(pose))
        if rng.random() < 0.5:
            self._rest(name, 0.0, rng.uniform(0.05, 0.4), ignore=True)
        down, stay, up = rng.uniform(0.07, 0.25), rng.uniform(0.0, 0.1), rng.uniform(0.08, 0.3)
        if rng.random() < 0.2:
            down, up = down * 2.5, up * 2.5
        shares = np.concatenate([minimum_jerk((np.arange(int(down * TICK)) + 1) / int(down * TICK)), np.ones(int(stay * TICK)),
                                 1 - minimum_jerk((np.arange(int(up * TICK)) + 1) / int(up * TICK))])
        begin = self.ticks
        self.motion(name, shares, travel=(rng.normal(0, 0.01), rng.uniform(0, 0.05)), grow=rng.uniform(0, 0.1))
        end = self.ticks
        self._rest(name, 0.0, rng.uniform(0.05, 0.5), ignore=True)
        self._mark("tap", begin + int(0.2 * down * TICK), end, begin + int(0.03 * down * TICK), 0.03)

    # Not a gesture

    def nothing(self):
        """One stretch without a gesture (or with a resting static pose, which gets its label by itself)."""
        rng = self.rng
        if self.manner.busy and rng.random() < self.manner.busy:
            self._busy()
            return
        kind = rng.random()
        poses = self.actor["poses"]
        if kind < 0.10:
            self.hidden(rng.uniform(0.2, 1.0))
        elif kind < 0.28:
            self.hold(self.pick(*DISTRACTORS), rng.uniform(0.3, 1.2), drift=0.06)
            if self.parts["pose"][-1][-1] in (1, 2, 3, 4):
                return
        elif kind < 0.42:
            self._wiggle()
        elif kind < 0.5:
            self._circle()
        elif kind < 0.6:
            # Slow repositioning; a pointing finger may be faster.
            name = self.pick("open", "point", "point", "relaxed", "thumbsUp", "thumbsDown", "fist")
            angle, reach = rng.uniform(0, 6.28), rng.uniform(0.04, 0.14)
            if name in ("point", "fist", "thumbsUp", "thumbsDown", "relaxed"):
                reach *= 1.8
            speed = rng.uniform(0.05, 0.1) if name == "open" else rng.uniform(0.08, 0.35)
            self.move(np.clip(self.x + reach * np.cos(angle), 0.05, 0.95), np.clip(self.y + reach * np.sin(angle), 0.05, 0.95),
                      reach / speed, name, ignore=False)
        elif kind < 0.72:
            # Into the frame from below or from a side; out again.
            side = rng.random()
            x, y = (self.x + rng.normal(0, 0.1), 1.25) if side < 0.75 else (rng.choice([-0.25, 1.25]), self.y + rng.uniform(0.1, 0.3))
            if self.ticks == 0 or rng.random() < 0.5:
                goal = (rng.uniform(0.2, 0.8), rng.uniform(0.3, 0.75))
                self.x, self.y = x, y
                self.move(*goal, rng.uniform(0.5, 1.2), self.pick("relaxed", "relaxed", "fist", "point", "ring", "thumbsUp", "thumbsDown"))
            else:
                self.move(x, y, rng.uniform(0.5, 1.2), self.pick("relaxed", "relaxed", "fist", "point", "ring", "thumbsUp", "thumbsDown"))
                self.hidden(rng.uniform(0.1, 0.6))
                self.x, self.y = rng.uniform(0.2, 0.8), rng.uniform(0.3, 0.7)
        elif kind < 0.84 and ("open" in poses):
            self._aborted()
        elif kind < 0.92:
            # Towards the camera or away from it.
            name = self.pick("relaxed", "open", "fist", "point", "ring", "victory", "victory", "thumbsUp", "thumbsDown")
            size = float(np.clip(self.size * rng.choice([rng.uniform(0.6, 0.85), rng.uniform(1.15, 1.6)]), 0.07, 0.75))
            self.move(self.x + rng.normal(0, 0.02), self.y + rng.normal(0, 0.02), rng.uniform(0.4, 1.5), name, size=size)
        elif "turn" in self.actor["motions"]:
            n = int(rng.uniform(0.5, 1.6) * TICK)
            rate = rng.uniform(0.4, 1.3)
            self.motion("turn", 0.5 + 0.5 * np.sin(6.28 * (rate * np.arange(n) / TICK + rng.random())))
        else:
            self._wiggle()

    def _wiggle(self):
        rng = self.rng
        n = int(rng.uniform(0.5, 1.6) * TICK)
        t = np.arange(n) / TICK
        name = self.pick("open", "open", "relaxed", "claw", "point", "together", "thumbsUp", "thumbsDown", "four")
        amount, rate, phase = rng.uniform(8, 28), rng.uniform(0.6, 2.0), rng.choice([0.0, np.pi])
        wave = np.sin(6.28 * rate * t + phase)
        sprite, pose, openness = self._pose(name)
        self._add(n, self.x + 0.0012 * amount * rng.normal() * wave + self._tremor(n), self.y + self._tremor(n),
                  self.size, self.roll + amount * wave, sprite, NULL, False, pose, openness)

    def _circle(self):
        rng = self.rng
        n = int(rng.uniform(0.5, 1.6) * TICK)
        t = np.arange(n) / TICK
        name = self.pick("open", "point", "point", "relaxed", "claw")
        radius, rate, phase = rng.uniform(0.015, 0.06), rng.uniform(0.6, 1.8) * rng.choice([-1, 1]), rng.uniform(0, 6.28)
        angle = 6.28 * rate * t + phase
        sprite, pose, openness = self._pose(name)
        self._add(n, self.x + radius * (np.cos(angle) - np.cos(phase)), self.y + radius * (np.sin(angle) - np.sin(phase)),
                  self.size, self.roll + rng.uniform(0, 12) * np.sin(angle), sprite, NULL, False, pose, openness)

    def _busy(self):
        """A working hand that is not shown to the camera: rolling as about a knob, or turned aside, scratching or wandering, in any pose that is not
        a gesture at that roll."""
        rng = self.rng
        if "turn" in self.actor["motions"] and rng.random() < 0.3:
            t = np.arange(int(rng.uniform(0.5, 1.6) * TICK)) / TICK
            wave = rng.uniform(0.4, 1.0) * np.sin(6.28 * (rng.uniform(0.2, 1.3) * t + rng.random()))
            self.motion("turn", 0.5 + 0.5 * wave, travel=tuple(rng.normal(0, 0.04, 2)), grow=rng.normal(0, 0.1))
            return
        name = self.pick("relaxed", "relaxed", "claw", "fist", "fist", "open", "together", "ring", "pinch", "four")
        if name in HELD_UP:
            self.hidden(rng.uniform(0.2, 0.6))
            return
        roll = rng.choice([-1, 1]) * rng.uniform(45, 150)
        reach = rng.uniform(0.02, 0.2)
        x, y = np.clip(np.array([self.x, self.y]) + reach * rng.normal(0, 1, 2), 0.05, 0.95)
        if self.ticks == 0 or rng.random() < 0.3:
            self.hidden(rng.uniform(0.1, 0.3))
            self.x, self.y, self.roll = float(x), float(y), roll
        else:
            self.move(x, y, rng.uniform(0.4, 0.9), self.pick("relaxed", "relaxed", "fist", "ring"), roll=roll)
        n = int(rng.uniform(0.4, 1.6) * TICK)
        t = np.arange(n) / TICK
        stroke, rate, phase = rng.normal(0, 0.012, 2) * (rng.random() < 0.6), rng.uniform(1.5, 5), rng.uniform(0, 6.28)
        drift = rng.normal(0, 0.05, 2)
        wave = np.sin(6.28 * rate * t + phase) - np.sin(phase)
        sprite, pose, openness = self._pose(name)
        self._add(n, self.x + drift[0] * t + stroke[0] * wave + self._tremor(n), self.y + drift[1] * t + stroke[1] * wave + self._tremor(n),
                  self.size, self.roll + rng.normal(0, 8) * wave, sprite, NULL, False, pose, 0.6 * openness)
        if rng.random() < 0.5:
            self.move(self.x, self.y + rng.uniform(0, 0.2), rng.uniform(0.4, 0.9), self.pick("relaxed", "relaxed", "fist", "ring"), roll=self.roll0)
        else:
            self.hidden(rng.uniform(0.1, 0.4))
            self.roll = self.roll0

    def _aborted(self):
        rng = self.rng
        kind = rng.random()
        if kind < 0.4 and "grab" in self.actor["motions"] or kind < 0.7 and "zoom" in self.actor["motions"]:
            name = "grab" if kind < 0.4 else "zoom"
            part, seconds = rng.uniform(0.12, 0.3), rng.uniform(0.25, 0.6)
            n = int(seconds * TICK)
            shares = part * np.sin(np.pi * (np.arange(n) + 1) / n)
            self.motion(name, 1 - shares if name == "zoom" and rng.random() < 0.5 else shares)
        else:
            name = self.pick("open", "together")
            x, y = self.x, self.y
            angle, reach = rng.uniform(0, 6.28), rng.uniform(0.03, 0.06)
            seconds = rng.uniform(0.2, 0.5)
            self.move(x + reach * np.cos(angle), y + reach * np.sin(angle), seconds, name, ignore=False)
            self.move(x, y, seconds, name)

    def finish(self):
        """-> dict of arrays over ticks."""
        out = {name: np.concatenate(parts) for name, parts in self.parts.items()}
        for name in ("sprite", "label", "pose"):
            out[name] = out[name].astype(np.int32)
        out["ignore"] = out["ignore"] > 0.5
        return out


def write_script(rng, actor, rate, size, seconds, wanted=None, null_share=0.45, lead=0.3, manner=Manner()):
    """A timeline of at least `seconds`. -> (arrays, events as [label, first tick, end tick]).

    wanted: a label that must come first, after `lead` seconds without a gesture; further gestures are drawn uniformly from those that the actor can
    do.
    """
    track = Track(rng, actor, rate, size, manner)
    able = can_do(actor)
    while track.ticks < (lead if wanted is not None else 0.1) * TICK:
        track.nothing()
    if wanted is not None and wanted != "null":
        track.gesture(wanted)
    while track.ticks < seconds * TICK:
        if wanted == "null" or rng.random() < null_share:
            track.nothing()
        else:
            track.gesture(str(rng.choice(able)))
    return track.finish(), track.events
