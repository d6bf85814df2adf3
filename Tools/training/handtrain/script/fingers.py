"""Finger gestures: zooms, grabs and taps."""

import numpy as np

from gesturetrain.labels import BACK

from .classes import OPEN, TICK, bits
from .hand import Hand
from .shapes import chained, flex, minimum_jerk, openness


class Fingers(Hand):
    """Zooms, grabs, taps."""

    def zoom(self, name):
        """Thumb and one or two fingers open or close, from a pinch or from a fist, the others curled or not."""
        rng = self.rng
        digits = int(rng.choice([2, 3]))
        curled = rng.random() < 0.75
        closed, spread = self.shapes.pinch(rng, digits, curled)
        begins = 5
        if curled and rng.random() < 0.45:
            closed, begins = self.shapes.draw(rng, "fist"), 4
            spread = chained(closed, spread, range(digits))
        path = None
        seconds = np.exp(rng.uniform(np.log(0.1), np.log(0.9)))
        if rng.random() < 0.4:
            path, view, pace = self.shapes.recorded(rng, "pinch")
            closed, spread, begins = path[-1], path[0], 5
            path = path[::-1] if name == "zoomIn" else path
            if rng.random() < 0.5:
                seconds = np.clip(pace * np.exp(rng.normal(0, 0.25)), 0.1, 1.2)
            if self.ticks == 0:
                self.view = view
        self.note(f"{name} {digits} {'fist' if begins == 4 else 'pinch'}{' recorded' if path is not None else ''}")
        opened = 1 if openness(spread) > OPEN else 6
        first, last = ((closed, begins), (spread, opened)) if name == "zoomIn" else ((spread, opened), (closed, begins))
        if rng.random() < 0.3 and self.ticks:
            self.hide(rng.uniform(0.1, 0.5))
            self.become(*first)
        self.arrive(first[0], named=first[1])
        self.go(rng.uniform(0.1, 0.7), tremble=0.8)
        self.articulate(name, last[0], seconds, last[1], path)
        after = rng.random()
        if after < 0.3:
            # After an immediate return only the first gesture counts. After a while the return may be a second gesture, and a window does not reach
            # back to the first.
            late = self.ticks - self.done > self.clock(0.25)
            self.go(rng.uniform(0.15, 0.6), None, first[0], fingers=0.2, also=bits("null", BACK[name]) if late else 0, named=first[1], surely_null=True)
        elif after < 0.6:
            self.go(rng.uniform(0.2, 0.6), self.place(2 * self.size), str(rng.choice(["relaxed", "fist"])), fingers=0.3)

    def articulate(self, name, last, seconds, named, path=None, travel=0.25):
        """travel: approximate movement of the hand meanwhile, in palm sizes."""
        rng = self.rng
        begin = self.ticks
        self.go(seconds, {"x": self.now[0] + rng.normal(0, travel) * self.size, "y": self.now[1] + rng.normal(0, travel) * self.size,
                          "roll": self.now[3] + rng.normal(0, 0.12), "yaw": self.now[4] + rng.normal(0, 0.12),
                          "pitch": self.now[5] + rng.normal(0, 0.12), "ls": self.now[2] + rng.normal(0, 0.05)},
                last, fingers=rng.uniform(0, 0.4), tremble=0.6, named=named, path=path)
        end = self.done = self.ticks
        self.go(rng.uniform(0.12, 0.7) if rng.random() < 0.7 else rng.uniform(0.02, 0.15), tremble=0.6)
        # While the hand keeps its shape, the gesture counts for some time.
        told = min(max(self.ticks, end + self.clock(0.1)), end + self.clock(0.3 if name == "grab" else 0.2))
        self.event(name, begin + int(0.25 * (end - begin)), told, margin_before=max(0.05, 0.22 * (end - begin) / TICK), margin_after=0.15)

    def grab(self, name):
        rng = self.rng
        seconds, path = np.exp(rng.uniform(np.log(0.1), np.log(0.9))), None
        if rng.random() < 0.4:
            path, view, pace = self.shapes.recorded(rng, "grab")
            if rng.random() < 0.5:
                seconds = np.clip(pace * np.exp(rng.normal(0, 0.25)), 0.1, 1.2)
            if self.ticks == 0:
                self.view = view
            self.arrive(path[0], named=1)
        else:
            self.arrive("open" if rng.random() < 0.9 else "four")
        if self.ticks > 1 or rng.random() < 0.7:
            self.rest(rng.uniform(0.2, 0.9))
        self.articulate("grab", self.shapes.draw(rng, "fist"), seconds, 4, path, rng.choice([0.25, rng.uniform(0.5, 2)], p=[0.7, 0.3]))
        if rng.random() < 0.6:
            self.go(rng.uniform(0.15, 0.8), None, str(rng.choice(["open", "relaxed"])), fingers=0.3)
            self.go(rng.uniform(0.05, 0.6), tremble=0.6)

    def tap(self, name):
        rng = self.rng
        manner = rng.choice(["finger", "hand", "towards"], p=[0.47, 0.32, 0.21])
        self.note(f"tap {manner}")
        pose = "point" if manner == "finger" else str(rng.choice(["open", "point", "four", "relaxed"], p=[0.55, 0.3, 0.05, 0.1]))
        if manner == "finger":
            self.arrive("point", pitch=rng.choice([self.home[5], rng.uniform(0, 1.2)]), roll=self.aim(0.3))
        else:
            self.arrive(pose)
        for _ in range(1):
            if rng.random() < 0.8:
                if manner == "finger" and rng.random() < 0.5:
                    self.rest(rng.uniform(0.2, 1.0), rng.uniform(0, 0.5))
                elif pose == "open" and rng.random() < 0.4:
                    self.rest(rng.uniform(0.2, 0.7))
                else:
                    self.go(rng.uniform(0.1, 0.5), tremble=0.8)
            down, stay, up = rng.uniform(0.07, 0.3), max(rng.uniform(-0.05, 0.12), 0), rng.uniform(0.08, 0.35)
            if manner == "hand" and rng.random() < 0.35:
                down *= rng.uniform(2, 5)
                up *= rng.uniform(1.5, 3) if rng.random() < 0.6 else 1
            n1, n2, n3 = self.clock(down), int(stay * TICK), self.clock(up)
            w = np.concatenate([minimum_jerk(np.arange(1, n1 + 1) / n1), np.ones(n2), 1 - minimum_jerk(np.arange(1, n3 + 1) / n3)])
            extra, bones = np.zeros((len(w), 6)), self.bones
            if manner == "finger":
                depth = rng.uniform(0.45, 1.1)
                angles = np.zeros((len(w), 5, 3))
                angles[:, 1] = w[:, None] * depth * np.array([rng.uniform(0.6, 1.1), rng.uniform(0, 0.7), rng.uniform(0, 0.4)])
                if rng.random() < 0.3:
                    angles[:, 2:] = angles[:, 1:2] * rng.uniform(0, 0.25)
                bones = flex(self.bones, angles)
                extra[:, 1] = w * rng.uniform(-0.1, 0.6) * self.size
                extra[:, 5] = w * rng.uniform(0, 0.3)
            elif manner == "hand":
                extra[:, 5] = w * rng.uniform(0.5, 1.2)
                extra[:, 1] = w * rng.uniform(0.3, 2.0) * self.size
                extra[:, 2] = w * rng.uniform(-0.05, 0.15)
            else:
                extra[:, 2] = w * rng.uniform(0.15, 0.5)
                extra[:, 1] = w * rng.uniform(-0.3, 0.8) * self.size
                extra[:, 5] = w * rng.uniform(0, 0.5)
            begin = self.ticks
            self.add(len(w), bones, self.now + extra + self.tremor(len(w), 0.4), tag=0)
            end = self.ticks
            self.go(rng.uniform(0.15, 0.5), tremble=0.6)
            self.event("tap", begin + int(0.3 * n1), end + self.clock(0.07), margin_before=max(0.06, 0.3 * n1 / TICK))
