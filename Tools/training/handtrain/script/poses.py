"""Poses that are held: palms, pointing fingers, thumbs."""

import numpy as np

from ..skeletons import FINGER, points_of, turn
from .hand import Hand
from .shapes import blend


class Poses(Hand):
    """Holds a pose; `truth.still` decides when it counts as one."""

    def palm(self, name="openPalm"):
        rng = self.rng
        self.arrive("open" if rng.random() < 0.93 else "four")
        self.rest(rng.uniform(0.6, 1.8), rng.choice([0.0, rng.uniform(0, 0.9)]))

    def point(self, name="point"):
        rng = self.rng
        self.arrive("point", roll=self.aim(0.5), pitch=rng.choice([self.home[5], rng.uniform(0, 1.2)]))
        self.rest(rng.uniform(0.5, 2.0), rng.choice([0.0, rng.uniform(0, 1.0), rng.uniform(1.0, 3.0)]))

    def thumb_roll(self, bones, up, yaw, pitch):
        """The roll at which a thumb points up or down in the frame."""
        points = points_of(bones[None])[0] @ (turn(np.array(pitch), 0) @ turn(np.array(yaw), 1) @ self.view).T
        d = points[4] - points[2]
        angle = np.arctan2(d[0], -d[1])
        return (0.0 if up else np.pi) - angle

    def thumb(self, name):
        rng = self.rng
        row = self.shapes.row(rng, "thumb")
        bones = self.shapes.bones[row]
        if rng.random() < 0.4:
            # Fingers that are loosely closed, or read as such.
            share = rng.uniform(0.1, 0.45) * (FINGER > 0) * rng.uniform(0.6, 1.2, 5)[FINGER]
            bones = blend(bones, self.shapes.draw(rng, "open"), share[None])[0]
        if self.ticks == 0 or rng.random() < 0.5:
            if self.ticks:
                self.hide(rng.uniform(0.1, 0.4))
            self.view = self.shapes.view[row]
        yaw, pitch = rng.normal(0, 0.3), rng.normal(0, 0.3)
        roll = self.thumb_roll(bones, name == "thumbsUp", yaw, pitch) + np.clip(rng.normal(0, 0.33), -0.72, 0.72)
        roll = self.now[3] + (roll - self.now[3] + np.pi) % (2 * np.pi) - np.pi
        self.arrive(bones, roll=roll, yaw=yaw, pitch=pitch, seconds=rng.uniform(0.25, 0.8), named=3)
        self.rest(rng.uniform(0.5, 1.6), rng.choice([0.0, rng.uniform(0, 0.6)]))
