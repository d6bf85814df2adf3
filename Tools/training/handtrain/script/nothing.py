"""Movements that are not gestures."""

import numpy as np

from .classes import ANY, FIRM, IGNORED, TAG, TICK, bits
from .poses import Poses
from .shapes import blend, flex, tag_of


class Nothing(Poses):
    """Hands that appear and disappear, talk, write, rest and begin gestures without completing them."""

    def nothing(self):
        rng = self.rng
        kinds = {
            "hidden": 0.06, "hold": 0.10, "wander": 0.12, "pointing": 0.13, "swing": 0.08, "come": 0.13, "move": 0.12, "depth": 0.05,
            "wave": 0.06, "circle": 0.05, "knob": 0.04, "scratch": 0.05, "type": 0.04, "drink": 0.05, "talk": 0.09, "glasses": 0.03, "flap": 0.02,
            "drawing": 0.08, "aborted": 0.06, "reopen": 0.05, "twice": 0.04, "false": 0.03, "thumb_aside": 0.04,
        }
        p = np.array(list(kinds.values()))
        kind = str(rng.choice(list(kinds), p=p / p.sum()))
        self.note(kind)
        getattr(self, "_" + kind)()

    def _hidden(self):
        self.hide(self.rng.uniform(0.2, 1.0))
        self.now = self.home.copy()
        self.now[:2] = list(self.place().values())
        self.become(str(self.rng.choice(IGNORED)))

    def _hold(self):
        self.arrive(str(self.rng.choice(IGNORED)))
        self.go(self.rng.uniform(0.3, 1.2), tremble=self.rng.uniform(0.3, 2))

    def _wander(self):
        """A hand in a pose that is not a gesture, moving naturally."""
        rng = self.rng
        self.arrive(str(rng.choice(IGNORED)))
        n = self.clock(rng.uniform(0.6, 1.8))
        self.go(n / TICK, extra=self.wandering(n, rng.uniform(0.5, 5)))

    def _pointing(self):
        """One or two fingers that point, wander, draw, rest or wobble: not a tap."""
        rng = self.rng
        name = "point" if rng.random() < 0.65 else rng.choice(["two", "pistol"])
        self.arrive(str(name), pitch=rng.uniform(-0.2, 1.25), roll=self.aim(0.5))
        seconds = rng.uniform(0.6, 2.2)
        n = self.clock(seconds)
        t = np.arange(1, n + 1) / TICK
        amount = rng.choice([0.3, 1.0, 3.0])
        extra = self.wandering(n, amount)
        wobble = rng.random()
        if wobble < 0.4:
            k, rate = rng.choice([3, 4, 5]), rng.uniform(0.7, 3)
            extra[:, k] += rng.uniform(0.05, 0.3) * np.sin(6.28 * (rate * t + rng.random()))
            extra[:, k] -= extra[0, k]
        if wobble > 0.7:
            radius, rate, phase = rng.uniform(0.3, 2.5) * self.size, rng.choice([-1, 1]) * rng.uniform(0.4, 1.6), rng.uniform(0, 6.28)
            extra[:, 0] += radius * (np.cos(6.28 * rate * t + phase) - np.cos(phase))
            extra[:, 1] += radius * (np.sin(6.28 * rate * t + phase) - np.sin(phase))
        bones = self.bones
        if rng.random() < 0.5:
            # The finger moves slightly without dipping.
            angles = np.zeros((n, 5, 3))
            angles[:, 1] = (rng.uniform(0.05, 0.3, 3) * np.sin(6.28 * (rng.uniform(0.2, 1.2) * t[:, None] + rng.random(3))))
            bones = flex(self.bones, angles - angles[:1])
        self.add(n, bones, self.now + extra + self.tremor(n))

    def _swing(self):
        """Fingers towards the camera, held low, swinging from side to side by a turn of the wrist."""
        rng = self.rng
        name = str(rng.choice(["point", "two", "pistol", "relaxed", "cup", "fist"]))
        self.arrive(name, pitch=rng.uniform(0.6, 1.3), roll=rng.normal(0, 0.6))
        n = self.clock(rng.uniform(0.5, 1.5))
        t = np.arange(1, n + 1) / TICK
        rate, phase = rng.uniform(0.5, 2.2), rng.uniform(0, 6.28)
        w = np.sin(6.28 * rate * t + phase) - np.sin(phase)
        extra = self.wandering(n, 0.5)
        extra[:, 0] += w * rng.uniform(0.3, 3.0) * self.size
        extra[:, 3] += w * rng.uniform(0.1, 0.8) * rng.choice([-1, 1])
        extra[:, 4] += w * rng.uniform(0, 0.5) * rng.choice([-1, 1])
        self.add(n, self.bones, self.now + extra)

    def _come(self):
        """Enters or leaves the frame, in any pose."""
        rng = self.rng
        pose = str(rng.choice(["relaxed", "fist", "open", "point", "cup", "two", "thumb"], p=[0.22, 0.14, 0.32, 0.14, 0.1, 0.04, 0.04]))
        side = rng.random()
        out = (self.now[0] + rng.normal(0, 0.1), 1.0 + rng.uniform(0.0, 0.35)) if side < 0.75 else (
            rng.choice([-0.1, 1.1]) * self.aspect, np.clip(self.now[1] + rng.normal(0, 0.2), 0, 1.2))
        seconds = rng.uniform(0.2, 1.1)
        if self.ticks == 0 or rng.random() < 0.5:
            if self.ticks:
                self.hide(rng.uniform(0.1, 0.5))
            goal = self.place()
            self.now = self.home.copy()
            self.now[:2] = out if side >= 0.75 else (goal["x"] + rng.normal(0, 0.1), out[1])
            self.now[5] += rng.normal(0, 0.4)
            self.become(pose)
            self.go(seconds, goal | {"pitch": self.home[5]}, None if rng.random() < 0.6 else pose, also=FIRM)
            label = {"open": "openPalm", "point": "point"}.get(pose)
            if label:
                self.rest(rng.uniform(0.1, 0.9))
        else:
            self.go(seconds, {"x": out[0], "y": out[1], "pitch": self.now[5] + rng.normal(0, 0.4)}, None if rng.random() < 0.4 else pose, also=FIRM)
            self.hide(rng.uniform(0.2, 0.7))
            self.now = self.home.copy()
            self.now[:2] = list(self.place().values())

    def _move(self):
        """Moves between positions in a pose that cannot swipe, or as a palm that is too slow for a swipe."""
        rng = self.rng
        pose = str(rng.choice(["open", "fist", "point", "relaxed", "two", "thumb", "ok", "cup", "ok", "pinch", "three", "shaka", "horns"]))
        self.arrive(pose)
        goal = self.place((1.5 if pose == "open" else 6) * self.size)
        reach = np.hypot(goal["x"] - self.now[0], goal["y"] - self.now[1])
        seconds = reach / (rng.uniform(0.3, 1.3) * self.size) if pose == "open" else max(reach / (rng.uniform(2, 10) * self.size), 0.2)
        self.go(float(np.clip(seconds, 0.2, 1.8)), goal)

    def _depth(self):
        rng = self.rng
        pose = str(rng.choice(["open", "relaxed", "fist", "point", "ok", "two"]))
        self.arrive(pose)
        n = self.clock(rng.uniform(0.5, 1.6))
        self.go(n / TICK, {"ls": np.log(np.clip(self.size * np.exp(rng.normal(0, 0.4)), 0.02, 0.3))}, tremble=1)

    def _wave(self):
        """A hand that waves or rocks: not a swipe."""
        rng = self.rng
        self.arrive(str(rng.choice(["open", "open", "relaxed", "claw", "point", "thumb"])))
        n = self.clock(rng.uniform(0.6, 1.8))
        t = np.arange(1, n + 1) / TICK
        w = np.sin(6.28 * rng.uniform(0.6, 2.5) * t + rng.choice([0, np.pi]))
        extra = self.wandering(n, 0.2)
        amount = rng.uniform(0.12, 0.5)
        extra[:, 3] += amount * w
        extra[:, 0] += rng.uniform(0, 2.2) * amount * self.size * w * 1.3
        extra[:, 4] += rng.normal(0, 0.2) * w
        self.add(n, self.bones, self.now + extra)

    def _flap(self):
        """A hand that beckons or shoos repeatedly: null, but each time may be a tap if it is slow enough, and a finger may point."""
        rng = self.rng
        pose = str(rng.choice(["open", "relaxed", "four", "cup", "point"], p=[0.4, 0.3, 0.1, 0.1, 0.1]))
        self.arrive(pose)
        rate, times, side = rng.uniform(1.0, 5.0), int(rng.integers(2, 7)), rng.choice([-1, 1])
        n, first = self.clock(times / rate), self.clock(1 / rate)
        w = 0.5 - 0.5 * np.cos(6.28 * rate * np.arange(1, n + 1) / TICK)
        extra = self.wandering(n, 0.3)
        extra[:, 5] += side * w * rng.uniform(0.3, 1.2)
        extra[:, 1] += side * w * rng.uniform(0, 1.5) * self.size
        angles = np.zeros((n, 5, 3))
        angles[:, 1:, 0] = w[:, None] * rng.uniform(0, 0.7)
        shown = bits("null", "point") if pose == "point" else 0
        self.add(n, flex(self.bones, angles), self.now + extra, also=shown | np.where((np.arange(n) < first) | (rate < 2.5), bits("null", "tap"), 0), tag=0)

    def _circle(self):
        rng = self.rng
        pose = str(rng.choice(["open", "relaxed", "claw", "fist", "ok"]))
        self.arrive(pose)
        n = self.clock(rng.uniform(0.6, 1.8))
        t = np.arange(1, n + 1) / TICK
        radius, rate, phase = rng.uniform(0.15, 1.2) * self.size, rng.choice([-1, 1]) * rng.uniform(0.5, 1.8), rng.uniform(0, 6.28)
        angle = 6.28 * rate * t + phase
        extra = self.wandering(n, 0.2)
        extra[:, 0] += radius * (np.cos(angle) - np.cos(phase))
        extra[:, 1] += radius * (np.sin(angle) - np.sin(phase))
        extra[:, 3] += rng.uniform(0, 0.25) * (np.sin(angle) - np.sin(phase))
        self.add(n, self.bones, self.now + extra)

    def _drawing(self):
        """A hand, usually a finger, that writes, draws and waves along paths of real fingertips."""
        rng = self.rng
        self.arrive(str(rng.choice(["point", "open", "two", "relaxed", "pinch"], p=[0.45, 0.2, 0.13, 0.12, 0.1])))
        for _ in range(int(rng.integers(1, 4))):
            way = self.shapes.trace(rng, "drawing")
            n = self.clock(len(way) / rng.uniform(12, 32))
            reach = min(np.exp(rng.uniform(np.log(0.6), np.log(7))) * self.size, 0.7)
            extra = self.tremor(n, 0.4)
            for axis in (0, 1):
                extra[:, axis] += reach * np.interp(np.arange(1, n + 1) / n, np.linspace(0, 1, len(way)), way[:, axis])
            self.add(n, self.bones, self.now + extra, tag=self.tag)
            if rng.random() < 0.4:
                self.go(rng.uniform(0.05, 0.4), tremble=0.5)

    def _knob(self):
        """Rolls or turns about its own axis; if it nods, each time may be a tap."""
        rng = self.rng
        self.arrive(str(rng.choice(["open", "relaxed", "claw", "cup", "fist", "ring"])))
        n = self.clock(rng.uniform(0.5, 1.8))
        t = np.arange(1, n + 1) / TICK
        k = rng.choice([3, 4, 5])
        extra = self.wandering(n, 0.3)
        phase = rng.uniform(0, 6.28)
        extra[:, k] += rng.uniform(0.3, 1.2) * (np.sin(6.28 * rng.uniform(0.2, 1.2) * t + phase) - np.sin(phase))
        self.add(n, self.bones, self.now + extra, also=bits("null", "tap") if k == 5 else 0)

    def _scratch(self):
        rng = self.rng
        pose = str(rng.choice(["relaxed", "claw", "point", "cup", "open"]))
        self.arrive(pose, roll=self.now[3] + rng.normal(0, 0.9), pitch=rng.normal(0, 0.6))
        n = self.clock(rng.uniform(0.4, 1.5))
        t = np.arange(1, n + 1) / TICK
        rate = rng.uniform(2, 6)
        angles = np.zeros((n, 5, 3))
        angles[:, 1:] = (rng.uniform(0.1, 0.5) * np.sin(6.28 * rate * t))[:, None, None]
        extra = self.wandering(n, 0.3)
        extra[:, :2] += np.sin(6.28 * rate * t)[:, None] * rng.normal(0, 0.3, 2) * self.size
        self.add(n, flex(self.bones, angles), self.now + extra, also=bits("null", "point") if pose == "point" else 0, tag=0)

    def _type(self):
        """Fingers that strike one after another."""
        rng = self.rng
        self.arrive(str(rng.choice(["relaxed", "claw", "open"])), pitch=rng.uniform(0.5, 1.4))
        n = self.clock(rng.uniform(0.5, 1.6))
        t = np.arange(1, n + 1) / TICK
        angles = np.zeros((n, 5, 3))
        for finger in range(1, 5):
            beat = np.sin(6.28 * (rng.uniform(1, 3) * t + rng.random()))
            angles[:, finger] = np.clip(beat, 0, None)[:, None] * rng.uniform(0.1, 0.5)
        self.add(n, flex(self.bones, angles), self.now + self.wandering(n, 1.0), tag=0)

    def _drink(self):
        """Lifts an object or puts it down."""
        rng = self.rng
        self.arrive(str(rng.choice(["cup", "claw", "ring", "fist", "relaxed"])), roll=rng.choice([-1, 1]) * rng.uniform(0.6, 1.7), yaw=rng.normal(0, 0.8))
        for _ in range(2):
            self.go(rng.uniform(0.4, 0.9), {"y": self.now[1] + rng.choice([-1, 1]) * rng.uniform(1, 6) * self.size, "x": self.now[0] + rng.normal(0, 1) * self.size,
                                            "roll": self.now[3] + rng.normal(0, 0.4), "pitch": self.now[5] + rng.normal(0, 0.3)}, tremble=1)

    def _talk(self):
        """Hands of a talking person: shapes, positions and angles change together, without an aim."""
        rng = self.rng
        for _ in range(int(rng.integers(2, 5))):
            a, b = self.shapes.draw(rng, "relaxed"), self.shapes.draw(rng, str(rng.choice(["open", "relaxed", "claw", "cup", "fist", "point", "ring", "ok"])))
            bones = blend(a, b, np.full((1, 20), rng.uniform(0, 0.7)))[0]
            target = self.place(rng.uniform(0.5, 5) * self.size) | {"roll": self.home[3] + rng.normal(0, 0.5), "yaw": self.home[4] + rng.normal(0, 0.5),
                                                                     "pitch": self.home[5] + rng.normal(0, 0.5)}
            self.go(rng.uniform(0.15, 0.6), target, bones, fingers=0.2, tremble=1)

    def _glasses(self):
        rng = self.rng
        self.arrive(str(rng.choice(["pinch", "ok", "point", "ring"])), roll=rng.normal(0, 0.5), pitch=rng.normal(0, 0.4))
        self.go(rng.uniform(0.2, 0.5), {"y": self.now[1] - rng.uniform(0.3, 2) * self.size}, tremble=1)
        self.go(rng.uniform(0.2, 0.6), {"y": self.now[1] + rng.uniform(0.3, 3) * self.size}, "relaxed", fingers=0.2)

    def _aborted(self):
        """The beginning of a gesture, and back."""
        rng = self.rng
        pose = str(rng.choice(["open", "open", "fist", "point", "ok"]))
        self.arrive(pose)
        before = self.bones.copy()
        if rng.random() < 0.5:
            other = self.shapes.draw(rng, "fist" if pose != "fist" else "open")
            tag = self.tag
            partly = blend(before, other, np.full((1, 20), rng.uniform(0.1, 0.3)))[0]
            seconds, shown = rng.uniform(0.15, 0.5), {1: bits("openPalm", "null"), 2: bits("point", "null")}.get(tag, 0)
            self.go(seconds, None, partly, also=shown, named=0)
            self.go(seconds, None, before, also=shown, named=tag)
        else:
            x, y = self.now[:2]
            angle, reach, seconds = rng.uniform(0, 6.28), rng.uniform(0.3, 1.2) * self.size, rng.uniform(0.15, 0.5)
            self.go(seconds, {"x": x + reach * np.cos(angle), "y": y + reach * np.sin(angle)})
            self.go(seconds, {"x": x, "y": y})

    def _reopen(self):
        """A fist or a loose hand opens fully, or a pose changes into another: not a gesture of the model."""
        rng = self.rng
        first, last = [("fist", "open"), ("relaxed", "open"), ("fist", "open"), ("open", "relaxed"), ("two", "fist"), ("fist", "two"), ("open", "two"),
                       ("fist", "point"), ("point", "fist"), ("thumb", "fist"), ("fist", "thumb"), ("three", "two")][int(rng.integers(12))]
        self.arrive(first)
        self.go(rng.uniform(0.1, 0.5), tremble=0.6)
        self.go(rng.uniform(0.12, 0.7), None, last, fingers=0.4)
        if last in ("open", "point") and rng.random() < 0.6:
            self.rest(rng.uniform(0.2, 0.8))
        if rng.random() < 0.3 and first != "open":
            self.go(rng.uniform(0.12, 0.5), None, first, fingers=0.3)

    def _twice(self):
        """A fist opens and closes repeatedly, or a pinch does, too fast for separate gestures."""
        rng = self.rng
        first, last = [("fist", "open"), ("fist", "open"), ("fist", "relaxed"), ("ok", "open"), ("fist", "two")][int(rng.integers(5))]
        self.arrive(first)
        closed, opened = self.bones.copy(), self.shapes.draw(rng, last)
        self.go(rng.uniform(0.1, 0.4), tremble=0.6)
        for k in range(int(rng.integers(1, 3))):
            self.go(rng.uniform(0.1, 0.25), None, opened, fingers=0.2, named=tag_of(last, opened), surely_null=k > 0)
            self.go(rng.uniform(0.02, 0.15), tremble=0.5)
            self.go(rng.uniform(0.1, 0.25), None, closed, fingers=0.2, surely_null=True)
            self.go(rng.uniform(0.02, 0.2), tremble=0.5)
        self.tag = TAG.get(first, 0)

    def _false(self):
        """Another object is mistaken for a hand, for a moment, anywhere."""
        rng = self.rng
        self.hide(rng.uniform(0.05, 0.3))
        bones, now, view, tag = self.bones, self.now.copy(), self.view, self.tag
        self.tag = 0
        self.now = self.home.copy()
        self.now[:2] = list(self.place().values())
        self.now[2:] = np.log(rng.uniform(0.02, 0.1)), *rng.normal(0, 1.0, 3)
        self.bones = self.shapes.draw(rng, str(rng.choice(["fist", "relaxed", "open", "claw", "ring", "thumb"])))
        n = self.clock(rng.uniform(0.05, 0.5))
        self.add(n, self.bones + rng.normal(0, 0.1, (1, 20, 3)), self.now + self.tremor(n, 4), also=ANY if n > 12 else 0)
        self.hide(rng.uniform(0.05, 0.3))
        self.bones, self.now, self.view, self.tag = bones, now, view, tag

    def _thumb_aside(self):
        """A thumb that points neither up nor down."""
        rng = self.rng
        row = self.shapes.row(rng, "thumb")
        bones = self.shapes.bones[row]
        yaw, pitch = rng.normal(0, 0.3), rng.normal(0, 0.3)
        roll = self.thumb_roll(bones, True, yaw, pitch) + rng.choice([-1, 1]) * rng.uniform(1.12, 2.0)
        roll = self.now[3] + (roll - self.now[3] + np.pi) % (2 * np.pi) - np.pi
        self.arrive(bones, roll=roll, yaw=yaw, pitch=pitch, named=3)
        self.go(rng.uniform(0.3, 1.2), tremble=rng.uniform(0.3, 2))
