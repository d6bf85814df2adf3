"""Swipes: by the arm, the wrist or a finger, thrown, and by a turning forearm."""

from typing import NamedTuple

import numpy as np

from common.labels import BACK

from ..skeletons import turn
from .classes import CHANNELS, FIRM, SWIPES, TAG, TICK, Names, Range, bits, log_uniform, pick
from .hand import Hand


class Swipe(NamedTuple):
    """A stroke of the arm (`slow`: taking its time), the wrist, a flat hand or a finger. Thrown and flipped ones have tables of their own."""

    manners: Names = ("arm", "slow", "wrist", "flat", "throw", "finger", "flip")
    manner_weights: tuple = (0.25, 0.13, 0.08, 0.05, 0.09, 0.08, 0.32)
    seconds: Range = (0.13, 0.65)  # s, log-uniform
    finger_most: float = 0.5  # s, the longest of a finger
    slow_pace: Range = (1.7, 8)  # palm sizes a second, log-uniform
    slow_seconds: Range = (0.6, 3.0)  # s, limits at that pace
    length: Range = (3.5, 12)  # palm sizes
    length_least: float = 0.15  # heights of the frame
    length_most: float = 0.8  # sides of the frame
    wrist_length: Range = (2.5, 5)  # palm sizes
    wrist_limits: Range = (0.08, 0.6)  # heights of the frame
    finger_poses: Names = ("point", "two", "three")
    finger_weights: tuple = (0.4, 0.45, 0.15)
    four: float = 0.08  # chance of a hand with its thumb folded; otherwise all fingers are straight
    tilt: float = 0.2  # rad, standard deviation of the direction
    tilt_limits: Range = (-0.42, 0.42)  # rad
    middle: float = 0.12  # heights of the frame, standard deviation of the stroke's middle from the frame's
    sweep: Range = (0, 0.6)  # rad, roll along the stroke
    upright_sweep: tuple = (-0.3, 0.3)  # factors of it for a stroke up or down
    flat_yaw: Range = (0.8, 1.4)  # rad to either side
    flat_pitch: Range = (0.6, 1.2)  # rad to either side
    lift: float = 0.08  # standard deviation of the change of the size's logarithm
    turns: float = 0.25  # chance that a stroke of any other manner turns like one of the wrist:
    turn_roll: Range = (0.3, 1.3)  # rad in the stroke's direction
    turn_pitch: Range = (0.2, 0.9)  # rad in the stroke's direction
    turn_yaw: float = 0.4  # rad, standard deviation
    bow: float = 0.08  # lengths of the stroke, standard deviation of its bow
    traced: float = 0.35  # chance of the path of a real fingertip, of arm, slow and finger
    tremble: float = 0.4  # amount of tremor


class Preparation(NamedTuple):
    """The way to the beginning of a stroke."""

    opening: float = 0.7  # chance of a pause where the clip begins with the stroke,
    opening_for: Range = (0.1, 0.5)  # s
    tremble: float = 0.5  # amount of tremor
    loose: float = 0.45  # chance of arriving in one of `loose_poses`:
    loose_pace: Range = (0.8, 1.6)  # s for a height of the frame
    loose_least: float = 0.25  # s
    loose_poses: Names = ("relaxed", "fist", "cup")
    loose_fingers: float = 0.2  # share of the time by which fingers start apart
    forming: Range = (0.1, 0.3)  # s until the hand has the stroke's pose
    forming_fingers: float = 0.3  # share of the time by which fingers start apart
    shown: float = 0.7  # chance of arriving so or in the stroke's pose; otherwise the hand is hidden
    shown_pace: Range = (2.5, 5)  # s for a height of the frame
    shown_least: float = 0.4  # s
    shown_fingers: float = 0.3  # share of the time by which fingers start apart
    hidden: Range = (0.1, 0.5)  # s
    appeared: Range = (0.12, 0.4)  # s in view before the stroke
    pauses: float = 0.5  # chance of one more pause,
    pause: Range = (0.03, 0.4)  # s
    backswing: float = 0.35  # chance of a movement in the opposite direction,
    backswing_length: Range = (0.25, 0.6)  # lengths of the stroke
    backswing_for: Range = (0.15, 0.4)  # s
    backswing_tremble: float = 0.4  # amount of tremor


class Marking(NamedTuple):
    """The moments of a stroke that carry its label."""

    start: float = 0.07  # share of the way
    stop: float = 0.96  # share of the way, of a long stroke
    long: float = 0.75  # s; a shorter stroke is labelled to its end
    late: float = 0.08  # s, and beyond it
    short: float = 0.3  # s; a shorter stroke may be held after it,
    holds: float = 0.6  # by this chance,
    hold: Range = (0.05, 0.25)  # s
    tremble: float = 0.5  # amount of tremor
    margin_before: float = 0.05  # s before the label in which null is correct, too, at least
    margin_after: float = 0.15  # s after the stroke


class Retraction(NamedTuple):
    """After a stroke: null."""

    holds: float = 0.3  # chance of a pause,
    hold: Range = (0.1, 0.6)  # s
    tremble: float = 0.5  # amount of tremor
    hidden: float = 0.45  # chance of a pause or of leaving the frame,
    hidden_for: Range = (0.2, 0.7)  # s
    held_back: float = 0.15  # chance of a pause and a return; without a pause or leaving the hand always returns:
    length: Range = (0.4, 1.1)  # lengths of the stroke
    drop: Range = (0.0, 0.2)  # heights of the frame downwards
    pitch: Range = (-0.3, 0.3)  # rad from the usual pitch
    pace: Range = (1.4, 3.0)  # times as long as the stroke
    least: Range = (0.35, 0.8)  # s, at least
    open: float = 0.2  # chance of a return with the hand unchanged,
    open_pace: float = 2.5  # times as long
    open_least: float = 1.0  # s
    poses: Names = ("relaxed", "fist", "relaxed", "cup")  # of all other returns,
    early: Range = (0.2, 0.6)  # reached at this share of the way


class Flip(NamedTuple):
    """The forearm turns about the elbow."""

    poses: Names = ("open", "four", "two", "three", "pistol", "point")
    pose_weights: tuple = (0.4, 0.12, 0.22, 0.08, 0.1, 0.08)
    arm: Range = (3.5, 8)  # palm sizes from the elbow
    over: Range = (0.2, 1.35)  # rad, its turn towards the camera at half way
    yaw: Range = (-1.5, 1.5)  # rad, of a third of them; the others face the camera or turn their back
    yaw_noise: float = 0.25  # rad, standard deviation
    ends: Range = (0.75, 1.75)  # rad from upright on either side
    end_pitch: float = 0.2  # rad, standard deviation
    down_pitch: float = 0.35  # rad, standard deviation of the lower end's pitch from pointing down
    roll: float = 0.15  # rad, standard deviation of the roll from the usual one, of flips up or down
    middle: float = 0.1  # heights of the frame, standard deviation of the flip's middle from the frame's
    limits: Range = (0.04, 0.96)  # of its start, sides of the frame
    shown: float = 0.7  # chance of a visible way to the start,
    pace: Range = (1.5, 4)  # s for a height of the frame
    least: float = 0.4  # s
    fingers: float = 0.3  # share of the time by which fingers start apart
    hidden: Range = (0.1, 0.5)  # s, otherwise
    held: Range = (0.1, 1.6)  # s before and after
    held_tremble: Range = (0.2, 0.8)  # amounts of tremor
    seconds: Range = (0.22, 0.75)  # s, log-uniform
    tremble: float = 0.4  # amount of tremor
    nearer: Range = (0.0, 0.35)  # logarithm of the size at half way
    stays: float = 0.75  # chance that the hand is held after it; otherwise a retraction
    length_least: float = 0.1  # heights of the frame, of that retraction's stroke


class Throw(NamedTuple):
    """Hand and wrist open within a few frames, as if throwing something away."""

    begins: Names = ("fist", "relaxed", "pinch", "point", "cup")
    begin_weights: tuple = (0.45, 0.25, 0.1, 0.1, 0.1)
    waits: float = 0.6  # chance of a pause before,
    wait: Range = (0.05, 0.6)  # s
    wait_tremble: float = 0.8  # amount of tremor
    back: Range = (0.2, 1.2)  # palm sizes to the opposite side,
    back_for: Range = (0.1, 0.3)  # s
    back_turn: Range = (0, 0.4)  # rad, roll and pitch
    back_yaw: float = 0.2  # rad, standard deviation
    back_tremble: float = 0.4  # amount of tremor
    upright_side: tuple = (-0.3, 0.3)  # factors of the roll for a throw up or down
    seconds: Range = (0.07, 0.24)  # s, log-uniform
    length: Range = (1.2, 7)  # palm sizes
    drift: float = 0.15  # lengths of a throw to a side, standard deviation up or down
    roll: Range = (0.3, 1.2)  # rad in the throw's direction
    yaw: float = 0.5  # rad, standard deviation
    pitch: Range = (0.2, 1.1)  # rad in the throw's direction
    side_pitch: Range = (0, 0.9)  # rad, of a throw to a side
    size: float = 0.08  # standard deviation of the change of the size's logarithm
    opened: Names = ("open", "four", "two", "relaxed")
    opened_weights: tuple = (0.8, 0.06, 0.06, 0.08)
    fingers: float = 0.2  # share of the time by which fingers start apart, opening and folding
    early: Range = (0.5, 1.0)  # share of the way at which the hand is open
    tremble: float = 0.3  # amount of tremor
    holds: float = 0.6  # chance of a pause after,
    hold: Range = (0.03, 0.4)  # s
    hold_tremble: float = 0.5  # amount of tremor
    lost: float = 0.3  # chance that the camera loses the hand meanwhile,
    lost_from: Range = (0.2, 1.0)  # share of the throw
    lost_for: Range = (0.07, 0.33)  # s
    returned: Range = (0.3, 1.1)  # lengths of the throw
    returning: Range = (0.2, 0.6)  # s
    folds: float = 0.8  # chance of a return in the first pose; otherwise relaxed
    label_from: float = 0.3  # share of the throw after which it is labelled,
    label_after: float = 0.08  # s after its end
    margin_before: float = 0.05  # s around the label in which null is correct, too
    margin_after: float = 0.12  # s


SWIPE, PREPARATION, MARKING, RETRACTION, FLIP, THROW = Swipe(), Preparation(), Marking(), Retraction(), Flip(), Throw()


class Strokes(Hand):
    """Swipes."""

    def swipe(self, name):
        rng, p = self.rng, SWIPE
        direction = np.array(SWIPES[name], float)
        manner = rng.choice(p.manners, p=p.manner_weights)
        self.note(f"{name} {manner}")
        if manner == "flip":
            return self.flip(name, direction)
        if manner == "throw":
            return self.throw(name, direction)
        if manner != "slow":
            seconds = log_uniform(rng, p.seconds)
        length = np.clip(rng.uniform(*p.length) * self.size, p.length_least, p.length_most * (self.aspect if direction[0] else 1.0))
        if manner == "wrist":
            length = np.clip(rng.uniform(*p.wrist_length) * self.size, *p.wrist_limits)
        if manner == "slow":
            seconds = float(np.clip(length / self.size / log_uniform(rng, p.slow_pace), *p.slow_seconds))
        if manner == "finger":
            pose = pick(rng, p.finger_poses, p.finger_weights)
            seconds = min(seconds, p.finger_most)
        else:
            pose = "four" if rng.random() < p.four else "open"
        tilt = np.clip(rng.normal(0, p.tilt), *p.tilt_limits)
        across = turn(np.array(tilt))[:2, :2] @ direction
        middle = np.array([0.5 * self.aspect, 0.5]) + rng.normal(0, p.middle, 2)
        start = middle - across * length / 2
        sweep = rng.uniform(*p.sweep) * (direction[0] if direction[0] else rng.choice(p.upright_sweep))
        roll, yaw, pitch = self.home[3] - sweep / 2, self.home[4], self.home[5]
        if manner == "flat":
            yaw = rng.choice([-1, 1]) * rng.uniform(*p.flat_yaw) if direction[0] else yaw
            pitch = rng.choice([-1, 1]) * rng.uniform(*p.flat_pitch) if direction[1] else pitch
        bones = self.shapes.draw(rng, pose)
        named = TAG.get(pose, 0)
        here = {"x": start[0], "y": start[1], "roll": roll, "yaw": yaw, "pitch": pitch}
        self.prepare(bones, named, here, across * length)
        begin, start = self.ticks, self.now[:2].copy()
        stop = start + across * length
        turning = {"x": stop[0], "y": stop[1], "roll": roll + sweep, "ls": self.now[2] + rng.normal(0, p.lift)}
        if manner == "wrist" or rng.random() < p.turns:
            turning["roll"] = roll + direction[0] * rng.uniform(*p.turn_roll)
            turning["pitch"] = pitch + direction[1] * rng.uniform(*p.turn_pitch)
            turning["yaw"] = yaw + rng.normal(0, p.turn_yaw)
        arc, share = np.zeros((self.clock(seconds), 6)), None
        at = np.arange(1, len(arc) + 1) / len(arc)
        w = np.sin(np.pi * at) * rng.normal(0, p.bow) * length
        if manner in ("arm", "slow", "finger") and rng.random() < p.traced:
            # Along the path of a real fingertip.
            along, beside = self.shapes.trace(rng, "stroke").T
            share = np.interp(at, np.linspace(0, 1, len(along)), along)
            w = np.interp(at, np.linspace(0, 1, len(along)), beside) * length
        arc[:, 0], arc[:, 1] = -across[1] * w, across[0] * w
        share = self.go(seconds, turning, extra=arc, tremble=p.tremble, share=share)
        self.mark_stroke(name, begin, share)
        self.after_swipe(name, direction, seconds, length)

    def prepare(self, bones, named, here, way):
        """Brings the hand to the beginning of a stroke. here: its channels there; way: of the stroke, heights of the frame."""
        rng, p = self.rng, PREPARATION
        if self.ticks == 0:
            self.arrive(bones, named=named, **here)
            if rng.random() < p.opening:
                self.go(rng.uniform(*p.opening_for), tremble=p.tremble)
        else:
            reach = np.hypot(here["x"] - self.now[0], here["y"] - self.now[1])
            manner = rng.random()
            if manner < p.loose:
                self.go(max(reach * rng.uniform(*p.loose_pace), p.loose_least), here, pick(rng, p.loose_poses), fingers=p.loose_fingers)
                self.go(rng.uniform(*p.forming), None, bones, fingers=p.forming_fingers, named=named)
            elif manner < p.shown:
                self.go(max(reach * rng.uniform(*p.shown_pace), p.shown_least), here, bones, fingers=p.shown_fingers, named=named)
            else:
                self.hide(rng.uniform(*p.hidden))
                self.become(bones, named)
                for key, value in here.items():
                    self.now[CHANNELS.index(key)] = value
                self.go(rng.uniform(*p.appeared), tremble=p.tremble)
            if rng.random() < p.pauses:
                self.go(rng.uniform(*p.pause), tremble=p.tremble)
        if rng.random() < p.backswing:
            back = way * rng.uniform(*p.backswing_length)
            self.go(rng.uniform(*p.backswing_for), {"x": self.now[0] - back[0], "y": self.now[1] - back[1]}, tremble=p.backswing_tremble, also=FIRM)

    def mark_stroke(self, name, begin, share):
        """share: of the way at each tick from `begin` on."""
        p, end = MARKING, begin + len(share)
        start = begin + int((share < p.start).sum())
        stop = end + self.clock(p.late) if len(share) < self.clock(p.long) else begin + int((share < p.stop).sum())
        if self.rng.random() < p.holds and len(share) < self.clock(p.short):
            self.go(self.rng.uniform(*p.hold), tremble=p.tremble)
        self.event(name, start, stop, margin_before=max(p.margin_before, (start - begin) / TICK),
                   margin_after=max((end - stop) / TICK, 0) + p.margin_after)

    def after_swipe(self, name, direction, seconds, length):
        """Holds on, leaves the frame, or returns: null."""
        rng, p, way = self.rng, RETRACTION, self.rng.random()
        if way < p.holds:
            self.go(rng.uniform(*p.hold), tremble=p.tremble)
        elif way < p.hidden:
            self.hide(rng.uniform(*p.hidden_for))
        if way < p.held_back or way >= p.hidden:
            back = {"x": self.now[0] - direction[0] * length * rng.uniform(*p.length),
                    "y": self.now[1] - direction[1] * length * rng.uniform(*p.length) + rng.uniform(*p.drop),
                    "roll": self.home[3], "yaw": self.home[4], "pitch": self.home[5] + rng.uniform(*p.pitch)}
            slow = max(seconds * rng.uniform(*p.pace), rng.uniform(*p.least))
            if rng.random() < p.open:
                self.go(max(p.open_pace * slow, p.open_least), back, also=bits("null", BACK[name]))
            else:
                self.go(slow, back, pick(rng, p.poses), early=(0.0, rng.uniform(*p.early)), surely_null=True)

    def flip(self, name, direction):
        """The forearm turns about the elbow, from one side to the other or downwards, through the direction of the camera; held before and after."""
        rng, p = self.rng, FLIP
        pose = pick(rng, p.poses, p.pose_weights)
        bones, arm = self.shapes.draw(rng, pose), rng.uniform(*p.arm) * self.size
        named = TAG.get(pose, 0) if pose != "four" else 1
        over = rng.uniform(*p.over)
        yaw = self.home[4] + rng.choice([0.0, rng.uniform(*p.yaw), np.pi]) + rng.normal(0, p.yaw_noise)
        if direction[0]:
            ends = [side * rng.uniform(*p.ends) for side in (-direction[0], direction[0])]
            rolls, pitches = ends, (rng.normal(0, p.end_pitch), rng.normal(0, p.end_pitch))
        else:
            up, down = rng.normal(0, p.end_pitch), np.pi + rng.normal(0, p.down_pitch)
            rolls, pitches, over = (self.home[3] + rng.normal(0, p.roll),) * 2, (up, down) if direction[1] > 0 else (down, up), 0.0

        def places(roll, pitch, elbow):
            return elbow + arm * np.stack([np.sin(roll) * np.cos(pitch), -np.cos(roll) * np.cos(pitch)], -1)

        first, last = (places(np.array(rolls[k]), np.array(pitches[k]), 0.0) for k in (0, 1))
        middle = np.array([0.5 * self.aspect, 0.5]) + rng.normal(0, p.middle, 2)
        elbow = middle - (first + last) / 2
        start = np.clip(elbow + first, *([limit * self.aspect, limit] for limit in p.limits))
        elbow = start - first
        here = {"x": start[0], "y": start[1], "roll": rolls[0], "yaw": yaw, "pitch": pitches[0]}
        if self.ticks and rng.random() < p.shown:
            seconds = max(np.hypot(*(start - self.now[:2])) * rng.uniform(*p.pace), p.least)
            self.go(seconds, here, bones, fingers=p.fingers, named=named, also=FIRM)
        elif self.ticks:
            self.hide(rng.uniform(*p.hidden))
            self.become(bones, named)
            for key, value in here.items():
                self.now[CHANNELS.index(key)] = value
        else:
            self.arrive(bones, named=named, **here)
        self.go(rng.uniform(*p.held), tremble=rng.uniform(*p.held_tremble))
        n = self.clock(log_uniform(rng, p.seconds))
        u, start = self.ease(n), self.now.copy()
        roll, pitch = (a[0] + (a[1] - a[0]) * u for a in (rolls, pitches))
        pitch = pitch + over * np.sin(np.pi * u)
        way = np.repeat(start[None], n, 0) + self.tremor(n, p.tremble)
        way[:, :2] += places(roll, pitch, elbow) - start[:2] + (start[:2] - places(np.array(rolls[0]), np.array(pitches[0]), elbow)) * (1 - u)[:, None]
        way[:, 3], way[:, 5] = roll, pitch
        way[:, 2] += rng.uniform(*p.nearer) * np.sin(np.pi * u)
        begin = self.ticks
        self.add(n, self.change(n, bones, 0.0), way, tag=0)
        self.tag = named
        gone = (way[:, :2] - way[0, :2]) @ direction
        self.mark_stroke(name, begin, np.clip(gone / max(gone[-1], 1e-6), 0, 1))
        if rng.random() < p.stays:
            self.go(rng.uniform(*p.held), tremble=rng.uniform(*p.held_tremble))
        else:
            self.after_swipe(name, direction, n / TICK, max(gone[-1], p.length_least))

    def throw(self, name, direction):
        """From a fist or a loose hand: a small move to the opposite side, then hand and wrist open within a few frames, and fold again."""
        rng, p = self.rng, THROW
        begins = pick(rng, p.begins, p.begin_weights)
        self.arrive(begins)
        if rng.random() < p.waits:
            self.go(rng.uniform(*p.wait), tremble=p.wait_tremble)
        back = rng.uniform(*p.back) * self.size
        side = direction[0] if direction[0] else rng.choice(p.upright_side)
        self.go(rng.uniform(*p.back_for), {"x": self.now[0] - direction[0] * back, "y": self.now[1] - direction[1] * back,
                                           "roll": self.now[3] - side * rng.uniform(*p.back_turn), "yaw": self.now[4] + rng.normal(0, p.back_yaw),
                                           "pitch": self.now[5] - direction[1] * rng.uniform(*p.back_turn)}, tremble=p.back_tremble)
        seconds = log_uniform(rng, p.seconds)
        length = rng.uniform(*p.length) * self.size
        begin = self.ticks
        turned = {"x": self.now[0] + direction[0] * length,
                  "y": self.now[1] + direction[1] * length + (0 if direction[1] else rng.normal(0, p.drift) * length),
                  "roll": self.now[3] + side * rng.uniform(*p.roll), "yaw": self.now[4] + rng.normal(0, p.yaw),
                  "pitch": self.now[5] + direction[1] * rng.uniform(*p.pitch) + (0 if direction[1] else rng.uniform(*p.side_pitch)),
                  "ls": self.now[2] + rng.normal(0, p.size)}
        opened = self.shapes.draw(rng, pick(rng, p.opened, p.opened_weights))
        self.go(seconds, turned, opened, fingers=p.fingers, early=(0.0, rng.uniform(*p.early)), tremble=p.tremble)
        end = self.ticks
        if rng.random() < p.holds:
            self.go(rng.uniform(*p.hold), tremble=p.hold_tremble)
        lost = begin + int(rng.uniform(*p.lost_from) * (end - begin)), self.clock(rng.uniform(*p.lost_for))
        back = {"x": self.now[0] - direction[0] * length * rng.uniform(*p.returned), "y": self.now[1] - direction[1] * length * rng.uniform(*p.returned),
                "roll": self.home[3], "yaw": self.home[4], "pitch": self.home[5]}
        self.go(rng.uniform(*p.returning), back, begins if rng.random() < p.folds else "relaxed", fingers=p.fingers, surely_null=True)
        if rng.random() < p.lost:
            self.overwrite("seen", False, lost[0], lost[0] + lost[1])
        self.event(name, begin + int(p.label_from * (end - begin)), end + self.clock(p.label_after),
                   margin_before=p.margin_before, margin_after=p.margin_after)
