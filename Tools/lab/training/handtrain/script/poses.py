"""Poses that are held: palms, pointing fingers, thumbs."""

from typing import NamedTuple

import numpy as np

from ..skeletons import FINGER, points_of, turn
from .classes import Range
from .hand import Hand
from .shapes import blend


class Palm(NamedTuple):
    """An open hand that is held."""

    open: float = 0.93  # chance that all five fingers are straight; otherwise four
    seconds: Range = (0.6, 1.8)  # s
    wander: Range = (0, 0.9)  # palm sizes, of half of them; the others are still


class Point(NamedTuple):
    """A pointing finger."""

    aim: float = 0.5  # rad, standard deviation of its roll
    pitch: Range = (0, 1.2)  # rad, of half of them; the others have the usual pitch
    seconds: Range = (0.5, 2.0)  # s
    wander: Range = (0, 1.0)  # palm sizes, of a third of them
    far: Range = (1.0, 3.0)  # palm sizes, of a third; the others are still


class Thumb(NamedTuple):
    """A thumb that points up or down."""

    loose: float = 0.4  # chance of fingers that are loosely closed, or read as such:
    opened: Range = (0.1, 0.45)  # share of the way to an open hand
    fingers: Range = (0.6, 1.2)  # factor of it for each finger
    turned: float = 0.5  # chance that the hand turns to the skeleton's own view,
    hidden: Range = (0.1, 0.4)  # s, hidden meanwhile
    turn: float = 0.3  # rad, standard deviation of yaw and pitch
    slant: float = 0.33  # rad, standard deviation of the thumb from up or down
    slant_limits: Range = (-0.72, 0.72)  # rad
    arrival: Range = (0.25, 0.8)  # s
    seconds: Range = (0.5, 1.6)  # s
    wander: Range = (0, 0.6)  # palm sizes, of half of them; the others are still


PALM, POINT, THUMB = Palm(), Point(), Thumb()


class Poses(Hand):
    """Holds a pose; `truth.still` decides when it counts as one."""

    def palm(self, name="openPalm"):
        rng = self.rng
        self.arrive("open" if rng.random() < PALM.open else "four")
        self.rest(rng.uniform(*PALM.seconds), rng.choice([0.0, rng.uniform(*PALM.wander)]))

    def point(self, name="point"):
        rng, p = self.rng, POINT
        self.arrive("point", roll=self.aim(p.aim), pitch=rng.choice([self.home[5], rng.uniform(*p.pitch)]))
        self.rest(rng.uniform(*p.seconds), rng.choice([0.0, rng.uniform(*p.wander), rng.uniform(*p.far)]))

    def thumb_roll(self, bones, up, yaw, pitch):
        """The roll at which a thumb points up or down in the frame."""
        points = points_of(bones[None])[0] @ (turn(np.array(pitch), 0) @ turn(np.array(yaw), 1) @ self.view).T
        d = points[4] - points[2]
        angle = np.arctan2(d[0], -d[1])
        return (0.0 if up else np.pi) - angle

    def thumb(self, name):
        rng, p = self.rng, THUMB
        row = self.shapes.row(rng, "thumb")
        bones = self.shapes.bones[row]
        if rng.random() < p.loose:
            share = rng.uniform(*p.opened) * (FINGER > 0) * rng.uniform(*p.fingers, 5)[FINGER]
            bones = blend(bones, self.shapes.draw(rng, "open"), share[None])[0]
        if self.ticks == 0 or rng.random() < p.turned:
            if self.ticks:
                self.hide(rng.uniform(*p.hidden))
            self.view = self.shapes.view[row]
        yaw, pitch = rng.normal(0, p.turn), rng.normal(0, p.turn)
        roll = self.thumb_roll(bones, name == "thumbsUp", yaw, pitch) + np.clip(rng.normal(0, p.slant), *p.slant_limits)
        roll = self.now[3] + (roll - self.now[3] + np.pi) % (2 * np.pi) - np.pi
        self.arrive(bones, roll=roll, yaw=yaw, pitch=pitch, seconds=rng.uniform(*p.arrival), named=3)
        self.rest(rng.uniform(*p.seconds), rng.choice([0.0, rng.uniform(*p.wander)]))
