"""Swipes: by the arm, the wrist or a finger, thrown, and by a turning forearm."""

import numpy as np

from gesturetrain.labels import BACK

from ..skeletons import turn
from .classes import CHANNELS, FIRM, SWIPES, TAG, TICK, bits
from .hand import Hand


class Strokes(Hand):
    """Swipes."""

    def swipe(self, name):
        rng = self.rng
        direction = np.array(SWIPES[name], float)
        manner = rng.choice(["arm", "slow", "wrist", "flat", "throw", "finger", "flip"], p=[0.25, 0.13, 0.08, 0.05, 0.09, 0.08, 0.32])
        self.note(f"{name} {manner}")
        if manner == "flip":
            return self.flip(name, direction)
        if manner == "throw":
            return self.throw(name, direction)
        if manner != "slow":
            seconds = np.exp(rng.uniform(np.log(0.13), np.log(0.65)))
        length = np.clip(rng.uniform(3.5, 12) * self.size, 0.15, 0.8 * (self.aspect if direction[0] else 1.0))
        if manner == "wrist":
            length = np.clip(rng.uniform(2.5, 5) * self.size, 0.08, 0.6)
        if manner == "slow":
            seconds = float(np.clip(length / self.size / np.exp(rng.uniform(np.log(1.7), np.log(8))), 0.6, 3.0))
        pose = str(rng.choice(["point", "two", "three"], p=[0.4, 0.45, 0.15])) if manner == "finger" else "four" if rng.random() < 0.08 else "open"
        if manner == "finger":
            seconds = min(seconds, 0.5)
        tilt = np.clip(rng.normal(0, 0.2), -0.42, 0.42)
        across = turn(np.array(tilt))[:2, :2] @ direction
        middle = np.array([0.5 * self.aspect, 0.5]) + rng.normal(0, 0.12, 2)
        start = middle - across * length / 2
        sweep = rng.uniform(0, 0.6) * (direction[0] if direction[0] else rng.choice([-0.3, 0.3]))
        roll, yaw, pitch = self.home[3] - sweep / 2, self.home[4], self.home[5]
        if manner == "flat":
            yaw = rng.choice([-1, 1]) * rng.uniform(0.8, 1.4) if direction[0] else yaw
            pitch = rng.choice([-1, 1]) * rng.uniform(0.6, 1.2) if direction[1] else pitch
        bones = self.shapes.draw(rng, pose)
        named = TAG.get(pose, 0)
        here = {"x": start[0], "y": start[1], "roll": roll, "yaw": yaw, "pitch": pitch}
        if self.ticks == 0:
            self.arrive(bones, named=named, **here)
            if rng.random() < 0.7:
                self.go(rng.uniform(0.1, 0.5), tremble=0.5)
        else:
            reach = np.hypot(start[0] - self.now[0], start[1] - self.now[1])
            way = rng.random()
            if way < 0.45:
                self.go(max(reach * rng.uniform(0.8, 1.6), 0.25), here, str(rng.choice(["relaxed", "fist", "cup"])), fingers=0.2)
                self.go(rng.uniform(0.1, 0.3), None, bones, fingers=0.3, named=named)
            elif way < 0.7:
                self.go(max(reach * rng.uniform(2.5, 5), 0.4), here, bones, fingers=0.3, named=named)
            else:
                self.hide(rng.uniform(0.1, 0.5))
                self.become(bones, named)
                for key, value in here.items():
                    self.now[CHANNELS.index(key)] = value
                self.go(rng.uniform(0.12, 0.4), tremble=0.5)
            if rng.random() < 0.5:
                self.go(rng.uniform(0.03, 0.4), tremble=0.5)
        if rng.random() < 0.35:
            # A third begin with a movement in the opposite direction.
            back = across * length * rng.uniform(0.25, 0.6)
            self.go(rng.uniform(0.15, 0.4), {"x": self.now[0] - back[0], "y": self.now[1] - back[1]}, tremble=0.4, also=FIRM)
        begin, start = self.ticks, self.now[:2].copy()
        stop = start + across * length
        turning = {"x": stop[0], "y": stop[1], "roll": roll + sweep, "ls": self.now[2] + rng.normal(0, 0.08)}
        if manner == "wrist" or rng.random() < 0.25:
            turning["roll"] = roll + direction[0] * rng.uniform(0.3, 1.3)
            turning["pitch"] = pitch + direction[1] * rng.uniform(0.2, 0.9)
            turning["yaw"] = yaw + rng.normal(0, 0.4)
        arc, share = np.zeros((self.clock(seconds), 6)), None
        at = np.arange(1, len(arc) + 1) / len(arc)
        w = np.sin(np.pi * at) * rng.normal(0, 0.08) * length
        if manner in ("arm", "slow", "finger") and rng.random() < 0.35:
            # Along the path of a real fingertip.
            along, beside = self.shapes.trace(rng, "stroke").T
            share = np.interp(at, np.linspace(0, 1, len(along)), along)
            w = np.interp(at, np.linspace(0, 1, len(along)), beside) * length
        arc[:, 0], arc[:, 1] = -across[1] * w, across[0] * w
        share = self.go(seconds, turning, extra=arc, tremble=0.4, share=share)
        self.mark_stroke(name, begin, share)
        self.after_swipe(name, direction, seconds, length)

    def mark_stroke(self, name, begin, share):
        """share: of the way at each tick from `begin` on."""
        end = begin + len(share)
        start = begin + int((share < 0.07).sum())
        stop = end + self.clock(0.08) if len(share) < self.clock(0.75) else begin + int((share < 0.96).sum())
        if self.rng.random() < 0.6 and len(share) < self.clock(0.3):
            self.go(self.rng.uniform(0.05, 0.25), tremble=0.5)
        self.event(name, start, stop, margin_before=max(0.05, (start - begin) / TICK), margin_after=max((end - stop) / TICK, 0) + 0.15)

    def after_swipe(self, name, direction, seconds, length):
        """Holds on, leaves the frame, or returns: null."""
        rng, way = self.rng, self.rng.random()
        if way < 0.3:
            self.go(rng.uniform(0.1, 0.6), tremble=0.5)
        elif way < 0.45:
            self.hide(rng.uniform(0.2, 0.7))
        if way < 0.15 or way >= 0.45:
            back = {"x": self.now[0] - direction[0] * length * rng.uniform(0.4, 1.1), "y": self.now[1] - direction[1] * length * rng.uniform(0.4, 1.1) + rng.uniform(0.0, 0.2),
                    "roll": self.home[3], "yaw": self.home[4], "pitch": self.home[5] + rng.uniform(-0.3, 0.3)}
            slow = max(seconds * rng.uniform(1.4, 3.0), rng.uniform(0.35, 0.8))
            if rng.random() < 0.2:
                self.go(max(2.5 * slow, 1.0), back, also=bits("null", BACK[name]))
            else:
                self.go(slow, back, str(rng.choice(["relaxed", "fist", "relaxed", "cup"])), early=(0.0, rng.uniform(0.2, 0.6)), surely_null=True)

    def flip(self, name, direction):
        """The forearm turns about the elbow, from one side to the other or downwards, through the direction of the camera; held before and after."""
        rng = self.rng
        pose = str(rng.choice(["open", "four", "two", "three", "pistol", "point"], p=[0.4, 0.12, 0.22, 0.08, 0.1, 0.08]))
        bones, arm = self.shapes.draw(rng, pose), rng.uniform(3.5, 8) * self.size
        named = TAG.get(pose, 0) if pose != "four" else 1
        over = rng.uniform(0.2, 1.35)  # its turn towards the camera at half way
        yaw = self.home[4] + rng.choice([0.0, rng.uniform(-1.5, 1.5), np.pi]) + rng.normal(0, 0.25)
        if direction[0]:
            ends = [side * rng.uniform(0.75, 1.75) for side in (-direction[0], direction[0])]
            rolls, pitches = ends, (rng.normal(0, 0.2), rng.normal(0, 0.2))
        else:
            up, down = rng.normal(0, 0.2), np.pi + rng.normal(0, 0.35)
            rolls, pitches, over = (self.home[3] + rng.normal(0, 0.15),) * 2, (up, down) if direction[1] > 0 else (down, up), 0.0

        def places(roll, pitch, elbow):
            return elbow + arm * np.stack([np.sin(roll) * np.cos(pitch), -np.cos(roll) * np.cos(pitch)], -1)

        first, last = (places(np.array(rolls[k]), np.array(pitches[k]), 0.0) for k in (0, 1))
        middle = np.array([0.5 * self.aspect, 0.5]) + rng.normal(0, 0.1, 2)
        elbow = middle - (first + last) / 2
        start = np.clip(elbow + first, [0.04 * self.aspect, 0.04], [0.96 * self.aspect, 0.96])
        elbow = start - first
        here = {"x": start[0], "y": start[1], "roll": rolls[0], "yaw": yaw, "pitch": pitches[0]}
        if self.ticks and rng.random() < 0.7:
            self.go(max(np.hypot(*(start - self.now[:2])) * rng.uniform(1.5, 4), 0.4), here, bones, fingers=0.3, named=named, also=FIRM)
        elif self.ticks:
            self.hide(rng.uniform(0.1, 0.5))
            self.become(bones, named)
            for key, value in here.items():
                self.now[CHANNELS.index(key)] = value
        else:
            self.arrive(bones, named=named, **here)
        self.go(rng.uniform(0.1, 1.6), tremble=rng.uniform(0.2, 0.8))
        n = self.clock(np.exp(rng.uniform(np.log(0.22), np.log(0.75))))
        u, start = self.ease(n), self.now.copy()
        roll, pitch = (a[0] + (a[1] - a[0]) * u for a in (rolls, pitches))
        pitch = pitch + over * np.sin(np.pi * u)
        way = np.repeat(start[None], n, 0) + self.tremor(n, 0.4)
        way[:, :2] += places(roll, pitch, elbow) - start[:2] + (start[:2] - places(np.array(rolls[0]), np.array(pitches[0]), elbow)) * (1 - u)[:, None]
        way[:, 3], way[:, 5] = roll, pitch
        way[:, 2] += rng.uniform(0.0, 0.35) * np.sin(np.pi * u)
        begin = self.ticks
        self.add(n, self.change(n, bones, 0.0), way, tag=0)
        self.tag = named
        gone = (way[:, :2] - way[0, :2]) @ direction
        self.mark_stroke(name, begin, np.clip(gone / max(gone[-1], 1e-6), 0, 1))
        if rng.random() < 0.75:
            self.go(rng.uniform(0.1, 1.6), tremble=rng.uniform(0.2, 0.8))
        else:
            self.after_swipe(name, direction, n / TICK, max(gone[-1], 0.1))

    def throw(self, name, direction):
        """From a fist or a loose hand: a small move to the opposite side, then hand and wrist open within a few frames, and fold again."""
        rng = self.rng
        begins = str(rng.choice(["fist", "relaxed", "pinch", "point", "cup"], p=[0.45, 0.25, 0.1, 0.1, 0.1]))
        self.arrive(begins)
        if rng.random() < 0.6:
            self.go(rng.uniform(0.05, 0.6), tremble=0.8)
        back = rng.uniform(0.2, 1.2) * self.size
        side = direction[0] if direction[0] else rng.choice([-0.3, 0.3])
        self.go(rng.uniform(0.1, 0.3), {"x": self.now[0] - direction[0] * back, "y": self.now[1] - direction[1] * back,
                                        "roll": self.now[3] - side * rng.uniform(0, 0.4), "yaw": self.now[4] + rng.normal(0, 0.2),
                                        "pitch": self.now[5] - direction[1] * rng.uniform(0, 0.4)}, tremble=0.4)
        seconds = np.exp(rng.uniform(np.log(0.07), np.log(0.24)))
        length = rng.uniform(1.2, 7) * self.size
        begin = self.ticks
        turned = {"x": self.now[0] + direction[0] * length, "y": self.now[1] + direction[1] * length + (0 if direction[1] else rng.normal(0, 0.15) * length),
                  "roll": self.now[3] + side * rng.uniform(0.3, 1.2), "yaw": self.now[4] + rng.normal(0, 0.5),
                  "pitch": self.now[5] + direction[1] * rng.uniform(0.2, 1.1) + (0 if direction[1] else rng.uniform(0, 0.9)),
                  "ls": self.now[2] + rng.normal(0, 0.08)}
        opened = self.shapes.draw(rng, rng.choice(["open", "open", "open", "four", "two", "relaxed"], p=[0.3, 0.3, 0.2, 0.06, 0.06, 0.08]))
        self.go(seconds, turned, opened, fingers=0.2, early=(0.0, rng.uniform(0.5, 1.0)), tremble=0.3)
        end = self.ticks
        if rng.random() < 0.6:
            self.go(rng.uniform(0.03, 0.4), tremble=0.5)
        lost = begin + int(rng.uniform(0.2, 1.0) * (end - begin)), self.clock(rng.uniform(0.07, 0.33))
        back = {"x": self.now[0] - direction[0] * length * rng.uniform(0.3, 1.1), "y": self.now[1] - direction[1] * length * rng.uniform(0.3, 1.1),
                "roll": self.home[3], "yaw": self.home[4], "pitch": self.home[5]}
        self.go(rng.uniform(0.2, 0.6), back, begins if rng.random() < 0.8 else "relaxed", fingers=0.2, surely_null=True)
        if rng.random() < 0.3:
            self.overwrite("seen", False, lost[0], lost[0] + lost[1])
        self.event(name, begin + int(0.3 * (end - begin)), end + self.clock(0.08), margin_before=0.05, margin_after=0.12)
