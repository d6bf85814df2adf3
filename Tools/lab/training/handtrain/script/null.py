"""Movements that are not gestures."""

from typing import NamedTuple

import numpy as np

from .classes import ANY, FIRM, IGNORED, TAG, TICK, TURN, Names, Range, bits, log_uniform, pick
from .poses import Poses
from .shapes import blend, flex, tag_of

# The movements of `Nothing.nothing` and their relative frequencies.
KINDS = {
    "hidden": 0.06, "hold": 0.10, "wander": 0.12, "pointing": 0.13, "swing": 0.08, "come": 0.13, "move": 0.12, "depth": 0.05,
    "wave": 0.06, "circle": 0.05, "knob": 0.04, "scratch": 0.05, "type": 0.04, "drink": 0.05, "talk": 0.09, "glasses": 0.03, "flap": 0.02,
    "drawing": 0.08, "aborted": 0.06, "reopen": 0.05, "twice": 0.04, "false": 0.03, "thumb_aside": 0.04,
}


class Idle(NamedTuple):
    """A hand that is hidden, held or wandering in a pose that is not a gesture."""

    hidden: Range = (0.2, 1.0)  # s
    hold: Range = (0.3, 1.2)  # s
    tremble: Range = (0.3, 2)  # amounts of tremor while it is held
    wander: Range = (0.6, 1.8)  # s
    amount: Range = (0.5, 5)  # palm sizes of wandering


class Pointing(NamedTuple):
    """One or two fingers that point, wander, draw, rest or wobble."""

    one: float = 0.65  # chance of a pointing hand; otherwise one of
    others: Names = ("two", "pistol")
    pitch: Range = (-0.2, 1.25)  # rad
    aim: float = 0.5  # rad, standard deviation of the roll
    seconds: Range = (0.6, 2.2)  # s
    amounts: tuple = (0.3, 1.0, 3.0)  # palm sizes of wandering
    wobbles: float = 0.4  # chance of a wobble of one angle,
    wobble_rate: Range = (0.7, 3)  # Hz
    wobble: Range = (0.05, 0.3)  # rad
    circles_from: float = 0.7  # 1 - the chance of a circle,
    radius: Range = (0.3, 2.5)  # palm sizes
    circle_rate: Range = (0.4, 1.6)  # Hz
    fingers: float = 0.5  # chance that the finger moves slightly,
    bend: Range = (0.05, 0.3)  # rad, each joint
    bend_rate: Range = (0.2, 1.2)  # Hz


class Swing(NamedTuple):
    """Fingers towards the camera that swing from side to side."""

    poses: Names = ("point", "two", "pistol", "relaxed", "cup", "fist")
    pitch: Range = (0.6, 1.3)  # rad
    roll: float = 0.6  # rad, standard deviation
    seconds: Range = (0.5, 1.5)  # s
    rate: Range = (0.5, 2.2)  # Hz
    wander: float = 0.5  # palm sizes
    x: Range = (0.3, 3.0)  # palm sizes
    turn_roll: Range = (0.1, 0.8)  # rad
    turn_yaw: Range = (0, 0.5)  # rad


class Coming(NamedTuple):
    """A hand that enters or leaves the frame."""

    poses: Names = ("relaxed", "fist", "open", "point", "cup", "two", "thumb")
    pose_weights: tuple = (0.22, 0.14, 0.32, 0.14, 0.1, 0.04, 0.04)
    below: float = 0.75  # chance of the lower edge; otherwise one at a side
    x: float = 0.1  # heights of the frame, standard deviation, here and on entering
    depth: Range = (0.0, 0.35)  # heights of the frame below the edge
    sides: tuple = (-0.1, 1.1)  # widths of the frame
    side_y: float = 0.2  # heights of the frame, standard deviation
    side_limits: Range = (0, 1.2)  # heights of the frame
    seconds: Range = (0.2, 1.1)  # s
    enters: float = 0.5  # chance of entering; otherwise leaving
    hidden: Range = (0.1, 0.5)  # s before entering
    pitch: float = 0.4  # rad, standard deviation outside of the frame
    formed: float = 0.6  # chance that the hand keeps its skeleton on entering; otherwise it changes to another of the pose
    rest: Range = (0.1, 0.9)  # s of a palm or a pointing finger after entering
    kept: float = 0.4  # chance that the pose is kept on leaving
    gone: Range = (0.2, 0.7)  # s hidden after leaving


class Moving(NamedTuple):
    """A hand that moves between positions, or to and from the camera."""

    poses: Names = ("open", "fist", "point", "relaxed", "two", "thumb", "ok", "cup", "ok", "pinch", "three", "shaka", "horns")
    reach: float = 6  # palm sizes
    palm_reach: float = 1.5  # palm sizes of an open hand,
    palm_pace: Range = (0.3, 1.3)  # palm sizes a second: too slow for a swipe
    pace: Range = (2, 10)  # palm sizes a second
    seconds: Range = (0.2, 1.8)  # s, limits
    depth_poses: Names = ("open", "relaxed", "fist", "point", "ok", "two")
    depth_for: Range = (0.5, 1.6)  # s
    depth: float = 0.4  # standard deviation of the change of the size's logarithm
    depth_limits: Range = (0.02, 0.3)  # heights of the frame
    depth_tremble: float = 1  # amount of tremor


class Wave(NamedTuple):
    """A hand that waves or rocks."""

    poses: Names = ("open", "open", "relaxed", "claw", "point", "thumb")
    seconds: Range = (0.6, 1.8)  # s
    rate: Range = (0.6, 2.5)  # Hz
    wander: float = 0.2  # palm sizes
    roll: Range = (0.12, 0.5)  # rad
    arm: Range = (0, 2.2)  # palm sizes from the pivot of that roll,
    arm_factor: float = 1.3  # times this
    yaw: float = 0.2  # rad, standard deviation


class Flap(NamedTuple):
    """A hand that beckons or shoos repeatedly."""

    poses: Names = ("open", "relaxed", "four", "cup", "point")
    pose_weights: tuple = (0.4, 0.3, 0.1, 0.1, 0.1)
    rate: Range = (1.0, 5.0)  # Hz
    times: tuple = (2, 7)  # at least, and less than
    wander: float = 0.3  # palm sizes
    pitch: Range = (0.3, 1.2)  # rad
    y: Range = (0, 1.5)  # palm sizes
    knuckle: Range = (0, 0.7)  # rad
    slow: float = 2.5  # Hz; below it each time may be a tap


class Circle(NamedTuple):
    """A hand that moves in circles."""

    poses: Names = ("open", "relaxed", "claw", "fist", "ok")
    seconds: Range = (0.6, 1.8)  # s
    radius: Range = (0.15, 1.2)  # palm sizes
    rate: Range = (0.5, 1.8)  # Hz
    wander: float = 0.2  # palm sizes
    roll: Range = (0, 0.25)  # rad


class Drawing(NamedTuple):
    """A hand that writes, draws and waves along paths of real fingertips."""

    poses: Names = ("point", "open", "two", "relaxed", "pinch")
    pose_weights: tuple = (0.45, 0.2, 0.13, 0.12, 0.1)
    strokes: tuple = (1, 4)  # at least, and less than
    pace: Range = (12, 32)  # points of the path a second
    reach: Range = (0.6, 7)  # palm sizes, log-uniform
    reach_most: float = 0.7  # heights of the frame
    tremble: float = 0.4  # amount of tremor
    pauses: float = 0.4  # chance of a pause between strokes,
    pause: Range = (0.05, 0.4)  # s
    pause_tremble: float = 0.5  # amount of tremor


class Knob(NamedTuple):
    """A hand that rolls, turns or nods."""

    poses: Names = ("open", "relaxed", "claw", "cup", "fist", "ring")
    seconds: Range = (0.5, 1.8)  # s
    wander: float = 0.3  # palm sizes
    angle: Range = (0.3, 1.2)  # rad
    rate: Range = (0.2, 1.2)  # Hz


class Scratch(NamedTuple):
    """A hand that scratches."""

    poses: Names = ("relaxed", "claw", "point", "cup", "open")
    roll: float = 0.9  # rad, standard deviation
    pitch: float = 0.6  # rad, standard deviation
    seconds: Range = (0.4, 1.5)  # s
    rate: Range = (2, 6)  # Hz
    bend: Range = (0.1, 0.5)  # rad, each joint
    wander: float = 0.3  # palm sizes
    place: float = 0.3  # palm sizes, standard deviation


class Typing(NamedTuple):
    """Fingers that strike one after another."""

    poses: Names = ("relaxed", "claw", "open")
    pitch: Range = (0.5, 1.4)  # rad
    seconds: Range = (0.5, 1.6)  # s
    rate: Range = (1, 3)  # Hz, of each finger
    bend: Range = (0.1, 0.5)  # rad, each joint
    wander: float = 1.0  # palm sizes


class Drinking(NamedTuple):
    """An object that is lifted and put down."""

    poses: Names = ("cup", "claw", "ring", "fist", "relaxed")
    roll: Range = (0.6, 1.7)  # rad to either side
    yaw: float = 0.8  # rad, standard deviation
    moves: int = 2
    seconds: Range = (0.4, 0.9)  # s, each
    y: Range = (1, 6)  # palm sizes up or down
    x: float = 1  # palm sizes, standard deviation
    turn_roll: float = 0.4  # rad, standard deviation
    turn_pitch: float = 0.3  # rad, standard deviation
    tremble: float = 1  # amount of tremor


class Talking(NamedTuple):
    """Hands of a talking person."""

    moves: tuple = (2, 5)  # at least, and less than
    poses: Names = ("open", "relaxed", "claw", "cup", "fist", "point", "ring", "ok")
    share: Range = (0, 0.7)  # share of the way from a relaxed hand to the pose
    reach: Range = (0.5, 5)  # palm sizes
    turn: float = 0.5  # rad, standard deviation of each angle
    seconds: Range = (0.15, 0.6)  # s, each
    fingers: float = 0.2  # share of the time by which fingers start apart
    tremble: float = 1  # amount of tremor


class Glasses(NamedTuple):
    """Glasses that are pushed up."""

    poses: Names = ("pinch", "ok", "point", "ring")
    roll: float = 0.5  # rad, standard deviation
    pitch: float = 0.4  # rad, standard deviation
    up_for: Range = (0.2, 0.5)  # s
    up: Range = (0.3, 2)  # palm sizes
    tremble: float = 1  # amount of tremor
    down_for: Range = (0.2, 0.6)  # s
    down: Range = (0.3, 3)  # palm sizes
    fingers: float = 0.2  # share of the time by which fingers start apart


class Aborted(NamedTuple):
    """The beginning of a gesture, and back."""

    poses: Names = ("open", "open", "fist", "point", "ok")
    shape: float = 0.5  # chance of a change of shape; otherwise of position
    share: Range = (0.1, 0.3)  # share of the way to the other shape
    seconds: Range = (0.15, 0.5)  # s each way
    reach: Range = (0.3, 1.2)  # palm sizes


class Reopening(NamedTuple):
    """A pose that changes into another."""

    changes: tuple = (("fist", "open"), ("relaxed", "open"), ("fist", "open"), ("open", "relaxed"), ("two", "fist"), ("fist", "two"), ("open", "two"),
                      ("fist", "point"), ("point", "fist"), ("thumb", "fist"), ("fist", "thumb"), ("three", "two"))
    before: Range = (0.1, 0.5)  # s
    tremble: float = 0.6  # amount of tremor
    seconds: Range = (0.12, 0.7)  # s
    fingers: float = 0.4  # share of the time by which fingers start apart
    rests: float = 0.6  # chance that a palm or a pointing finger rests,
    rest: Range = (0.2, 0.8)  # s
    back: float = 0.3  # chance of a return to the first pose,
    back_for: Range = (0.12, 0.5)  # s
    back_fingers: float = 0.3  # share of the time by which fingers start apart


class Twice(NamedTuple):
    """A fist or a pinch that opens and closes, too fast for separate gestures."""

    changes: tuple = (("fist", "open"), ("fist", "open"), ("fist", "relaxed"), ("ok", "open"), ("fist", "two"))
    before: Range = (0.1, 0.4)  # s
    before_tremble: float = 0.6  # amount of tremor
    times: tuple = (1, 3)  # at least, and less than
    seconds: Range = (0.1, 0.25)  # s, opening and closing
    fingers: float = 0.2  # share of the time by which fingers start apart
    opened: Range = (0.02, 0.15)  # s
    closed: Range = (0.02, 0.2)  # s
    tremble: float = 0.5  # amount of tremor


class Mistaken(NamedTuple):
    """Another object that is mistaken for a hand."""

    poses: Names = ("fist", "relaxed", "open", "claw", "ring", "thumb")
    hidden: Range = (0.05, 0.3)  # s before and after
    size: Range = (0.02, 0.1)  # heights of the frame
    angle: float = 1.0  # rad, standard deviation of each
    seconds: Range = (0.05, 0.5)  # s
    noise: float = 0.1  # palm sizes, standard deviation of its bones
    tremble: float = 4  # amount of tremor
    undecided: int = 12  # ticks; of a longer one every class is correct


class ThumbAside(NamedTuple):
    """A thumb that points neither up nor down."""

    turn: float = 0.3  # rad, standard deviation of yaw and pitch
    aside: Range = (1.12, 2.0)  # rad from upwards, to either side
    seconds: Range = (0.3, 1.2)  # s
    tremble: Range = (0.3, 2)  # amounts of tremor


IDLE, POINTING, SWING, COMING, MOVING, WAVE, FLAP, CIRCLE = Idle(), Pointing(), Swing(), Coming(), Moving(), Wave(), Flap(), Circle()
DRAWING, KNOB, SCRATCH, TYPING, DRINKING, TALKING, GLASSES = Drawing(), Knob(), Scratch(), Typing(), Drinking(), Talking(), Glasses()
ABORTED, REOPENING, TWICE, MISTAKEN, THUMB_ASIDE = Aborted(), Reopening(), Twice(), Mistaken(), ThumbAside()


class NullScript(Poses):
    """Hands that appear and disappear, talk, write, rest and begin gestures without completing them."""

    def nothing(self):
        p = np.array(list(KINDS.values()))
        kind = pick(self.rng, list(KINDS), p / p.sum())
        self.note(kind)
        getattr(self, "_" + kind)()

    def _hidden(self):
        self.hide(self.rng.uniform(*IDLE.hidden))
        self.now = self.home.copy()
        self.now[:2] = list(self.place().values())
        self.become(pick(self.rng, IGNORED))

    def _hold(self):
        self.arrive(pick(self.rng, IGNORED))
        self.go(self.rng.uniform(*IDLE.hold), tremble=self.rng.uniform(*IDLE.tremble))

    def _wander(self):
        """A hand in a pose that is not a gesture, moving naturally."""
        rng = self.rng
        self.arrive(pick(rng, IGNORED))
        n = self.clock(rng.uniform(*IDLE.wander))
        self.go(n / TICK, extra=self.wandering(n, rng.uniform(*IDLE.amount)))

    def _pointing(self):
        """One or two fingers that point, wander, draw, rest or wobble: not a tap."""
        rng, p = self.rng, POINTING
        name = "point" if rng.random() < p.one else pick(rng, p.others)
        self.arrive(name, pitch=rng.uniform(*p.pitch), roll=self.aim(p.aim))
        n = self.clock(rng.uniform(*p.seconds))
        t = np.arange(1, n + 1) / TICK
        extra = self.wandering(n, rng.choice(p.amounts))
        manner = rng.random()
        if manner < p.wobbles:
            k, rate = rng.choice([3, 4, 5]), rng.uniform(*p.wobble_rate)
            extra[:, k] += rng.uniform(*p.wobble) * np.sin(TURN * (rate * t + rng.random()))
            extra[:, k] -= extra[0, k]
        if manner > p.circles_from:
            radius, rate = rng.uniform(*p.radius) * self.size, rng.choice([-1, 1]) * rng.uniform(*p.circle_rate)
            phase = rng.uniform(0, TURN)
            extra[:, 0] += radius * (np.cos(TURN * rate * t + phase) - np.cos(phase))
            extra[:, 1] += radius * (np.sin(TURN * rate * t + phase) - np.sin(phase))
        bones = self.bones
        if rng.random() < p.fingers:
            # The finger moves slightly without dipping.
            angles = np.zeros((n, 5, 3))
            angles[:, 1] = rng.uniform(*p.bend, 3) * np.sin(TURN * (rng.uniform(*p.bend_rate) * t[:, None] + rng.random(3)))
            bones = flex(self.bones, angles - angles[:1])
        self.add(n, bones, self.now + extra + self.tremor(n))

    def _swing(self):
        """Fingers towards the camera, held low, swinging from side to side by a turn of the wrist."""
        rng, p = self.rng, SWING
        self.arrive(pick(rng, p.poses), pitch=rng.uniform(*p.pitch), roll=rng.normal(0, p.roll))
        n = self.clock(rng.uniform(*p.seconds))
        t = np.arange(1, n + 1) / TICK
        rate, phase = rng.uniform(*p.rate), rng.uniform(0, TURN)
        w = np.sin(TURN * rate * t + phase) - np.sin(phase)
        extra = self.wandering(n, p.wander)
        extra[:, 0] += w * rng.uniform(*p.x) * self.size
        extra[:, 3] += w * rng.uniform(*p.turn_roll) * rng.choice([-1, 1])
        extra[:, 4] += w * rng.uniform(*p.turn_yaw) * rng.choice([-1, 1])
        self.add(n, self.bones, self.now + extra)

    def _come(self):
        """Enters or leaves the frame, in any pose."""
        rng, p = self.rng, COMING
        pose = pick(rng, p.poses, p.pose_weights)
        below = rng.random() < p.below
        out = (self.now[0] + rng.normal(0, p.x), 1.0 + rng.uniform(*p.depth)) if below else (
            rng.choice(p.sides) * self.aspect, np.clip(self.now[1] + rng.normal(0, p.side_y), *p.side_limits))
        seconds = rng.uniform(*p.seconds)
        if self.ticks == 0 or rng.random() < p.enters:
            if self.ticks:
                self.hide(rng.uniform(*p.hidden))
            goal = self.place()
            self.now = self.home.copy()
            self.now[:2] = (goal["x"] + rng.normal(0, p.x), out[1]) if below else out
            self.now[5] += rng.normal(0, p.pitch)
            self.become(pose)
            self.go(seconds, goal | {"pitch": self.home[5]}, None if rng.random() < p.formed else pose, also=FIRM)
            if pose in ("open", "point"):
                self.rest(rng.uniform(*p.rest))
        else:
            self.go(seconds, {"x": out[0], "y": out[1], "pitch": self.now[5] + rng.normal(0, p.pitch)},
                    None if rng.random() < p.kept else pose, also=FIRM)
            self.hide(rng.uniform(*p.gone))
            self.now = self.home.copy()
            self.now[:2] = list(self.place().values())

    def _move(self):
        """Moves between positions in a pose that cannot swipe, or as a palm that is too slow for a swipe."""
        rng, p = self.rng, MOVING
        pose = pick(rng, p.poses)
        self.arrive(pose)
        goal = self.place((p.palm_reach if pose == "open" else p.reach) * self.size)
        reach = np.hypot(goal["x"] - self.now[0], goal["y"] - self.now[1])
        seconds = reach / (rng.uniform(*(p.palm_pace if pose == "open" else p.pace)) * self.size)
        self.go(float(np.clip(seconds, *p.seconds)), goal)

    def _depth(self):
        rng, p = self.rng, MOVING
        self.arrive(pick(rng, p.depth_poses))
        n = self.clock(rng.uniform(*p.depth_for))
        size = np.clip(self.size * np.exp(rng.normal(0, p.depth)), *p.depth_limits)
        self.go(n / TICK, {"ls": np.log(size)}, tremble=p.depth_tremble)

    def _wave(self):
        """A hand that waves or rocks: not a swipe."""
        rng, p = self.rng, WAVE
        self.arrive(pick(rng, p.poses))
        n = self.clock(rng.uniform(*p.seconds))
        t = np.arange(1, n + 1) / TICK
        w = np.sin(TURN * rng.uniform(*p.rate) * t + rng.choice([0, np.pi]))
        extra = self.wandering(n, p.wander)
        amount = rng.uniform(*p.roll)
        extra[:, 3] += amount * w
        extra[:, 0] += rng.uniform(*p.arm) * amount * self.size * w * p.arm_factor
        extra[:, 4] += rng.normal(0, p.yaw) * w
        self.add(n, self.bones, self.now + extra)

    def _flap(self):
        """A hand that beckons or shoos repeatedly: null, but each time may be a tap if it is slow enough, and a finger may point."""
        rng, p = self.rng, FLAP
        pose = pick(rng, p.poses, p.pose_weights)
        self.arrive(pose)
        rate, times, side = rng.uniform(*p.rate), int(rng.integers(*p.times)), rng.choice([-1, 1])
        n, first = self.clock(times / rate), self.clock(1 / rate)
        w = 0.5 - 0.5 * np.cos(TURN * rate * np.arange(1, n + 1) / TICK)
        extra = self.wandering(n, p.wander)
        extra[:, 5] += side * w * rng.uniform(*p.pitch)
        extra[:, 1] += side * w * rng.uniform(*p.y) * self.size
        angles = np.zeros((n, 5, 3))
        angles[:, 1:, 0] = w[:, None] * rng.uniform(*p.knuckle)
        shown = bits("null", "point") if pose == "point" else 0
        taps = np.where((np.arange(n) < first) | (rate < p.slow), bits("null", "tap"), 0)
        self.add(n, flex(self.bones, angles), self.now + extra, also=shown | taps, tag=0)

    def _circle(self):
        rng, p = self.rng, CIRCLE
        self.arrive(pick(rng, p.poses))
        n = self.clock(rng.uniform(*p.seconds))
        t = np.arange(1, n + 1) / TICK
        radius, rate = rng.uniform(*p.radius) * self.size, rng.choice([-1, 1]) * rng.uniform(*p.rate)
        phase = rng.uniform(0, TURN)
        angle = TURN * rate * t + phase
        extra = self.wandering(n, p.wander)
        extra[:, 0] += radius * (np.cos(angle) - np.cos(phase))
        extra[:, 1] += radius * (np.sin(angle) - np.sin(phase))
        extra[:, 3] += rng.uniform(*p.roll) * (np.sin(angle) - np.sin(phase))
        self.add(n, self.bones, self.now + extra)

    def _drawing(self):
        """A hand, usually a finger, that writes, draws and waves along paths of real fingertips."""
        rng, p = self.rng, DRAWING
        self.arrive(pick(rng, p.poses, p.pose_weights))
        for _ in range(int(rng.integers(*p.strokes))):
            way = self.shapes.trace(rng, "drawing")
            n = self.clock(len(way) / rng.uniform(*p.pace))
            reach = min(log_uniform(rng, p.reach) * self.size, p.reach_most)
            extra = self.tremor(n, p.tremble)
            for axis in (0, 1):
                extra[:, axis] += reach * np.interp(np.arange(1, n + 1) / n, np.linspace(0, 1, len(way)), way[:, axis])
            self.add(n, self.bones, self.now + extra, tag=self.tag)
            if rng.random() < p.pauses:
                self.go(rng.uniform(*p.pause), tremble=p.pause_tremble)

    def _knob(self):
        """Rolls or turns about its own axis; if it nods, each time may be a tap."""
        rng, p = self.rng, KNOB
        self.arrive(pick(rng, p.poses))
        n = self.clock(rng.uniform(*p.seconds))
        t = np.arange(1, n + 1) / TICK
        k = rng.choice([3, 4, 5])
        extra = self.wandering(n, p.wander)
        phase = rng.uniform(0, TURN)
        extra[:, k] += rng.uniform(*p.angle) * (np.sin(TURN * rng.uniform(*p.rate) * t + phase) - np.sin(phase))
        self.add(n, self.bones, self.now + extra, also=bits("null", "tap") if k == 5 else 0)

    def _scratch(self):
        rng, p = self.rng, SCRATCH
        pose = pick(rng, p.poses)
        self.arrive(pose, roll=self.now[3] + rng.normal(0, p.roll), pitch=rng.normal(0, p.pitch))
        n = self.clock(rng.uniform(*p.seconds))
        t = np.arange(1, n + 1) / TICK
        rate = rng.uniform(*p.rate)
        angles = np.zeros((n, 5, 3))
        angles[:, 1:] = (rng.uniform(*p.bend) * np.sin(TURN * rate * t))[:, None, None]
        extra = self.wandering(n, p.wander)
        extra[:, :2] += np.sin(TURN * rate * t)[:, None] * rng.normal(0, p.place, 2) * self.size
        self.add(n, flex(self.bones, angles), self.now + extra, also=bits("null", "point") if pose == "point" else 0, tag=0)

    def _type(self):
        """Fingers that strike one after another."""
        rng, p = self.rng, TYPING
        self.arrive(pick(rng, p.poses), pitch=rng.uniform(*p.pitch))
        n = self.clock(rng.uniform(*p.seconds))
        t = np.arange(1, n + 1) / TICK
        angles = np.zeros((n, 5, 3))
        for finger in range(1, 5):
            beat = np.sin(TURN * (rng.uniform(*p.rate) * t + rng.random()))
            angles[:, finger] = np.clip(beat, 0, None)[:, None] * rng.uniform(*p.bend)
        self.add(n, flex(self.bones, angles), self.now + self.wandering(n, p.wander), tag=0)

    def _drink(self):
        """Lifts an object or puts it down."""
        rng, p = self.rng, DRINKING
        self.arrive(pick(rng, p.poses), roll=rng.choice([-1, 1]) * rng.uniform(*p.roll), yaw=rng.normal(0, p.yaw))
        for _ in range(p.moves):
            self.go(rng.uniform(*p.seconds), {"y": self.now[1] + rng.choice([-1, 1]) * rng.uniform(*p.y) * self.size,
                                              "x": self.now[0] + rng.normal(0, p.x) * self.size, "roll": self.now[3] + rng.normal(0, p.turn_roll),
                                              "pitch": self.now[5] + rng.normal(0, p.turn_pitch)}, tremble=p.tremble)

    def _talk(self):
        """Hands of a talking person: shapes, positions and angles change together, without an aim."""
        rng, p = self.rng, TALKING
        for _ in range(int(rng.integers(*p.moves))):
            a, b = self.shapes.draw(rng, "relaxed"), self.shapes.draw(rng, pick(rng, p.poses))
            bones = blend(a, b, np.full((1, 20), rng.uniform(*p.share)))[0]
            target = self.place(rng.uniform(*p.reach) * self.size) | {
                "roll": self.home[3] + rng.normal(0, p.turn), "yaw": self.home[4] + rng.normal(0, p.turn), "pitch": self.home[5] + rng.normal(0, p.turn)}
            self.go(rng.uniform(*p.seconds), target, bones, fingers=p.fingers, tremble=p.tremble)

    def _glasses(self):
        rng, p = self.rng, GLASSES
        self.arrive(pick(rng, p.poses), roll=rng.normal(0, p.roll), pitch=rng.normal(0, p.pitch))
        self.go(rng.uniform(*p.up_for), {"y": self.now[1] - rng.uniform(*p.up) * self.size}, tremble=p.tremble)
        self.go(rng.uniform(*p.down_for), {"y": self.now[1] + rng.uniform(*p.down) * self.size}, "relaxed", fingers=p.fingers)

    def _aborted(self):
        """The beginning of a gesture, and back."""
        rng, p = self.rng, ABORTED
        pose = pick(rng, p.poses)
        self.arrive(pose)
        before = self.bones.copy()
        if rng.random() < p.shape:
            other = self.shapes.draw(rng, "fist" if pose != "fist" else "open")
            tag = self.tag
            partly = blend(before, other, np.full((1, 20), rng.uniform(*p.share)))[0]
            seconds, shown = rng.uniform(*p.seconds), {1: bits("openPalm", "null"), 2: bits("point", "null")}.get(tag, 0)
            self.go(seconds, None, partly, also=shown, named=0)
            self.go(seconds, None, before, also=shown, named=tag)
        else:
            x, y = self.now[:2]
            angle, reach, seconds = rng.uniform(0, TURN), rng.uniform(*p.reach) * self.size, rng.uniform(*p.seconds)
            self.go(seconds, {"x": x + reach * np.cos(angle), "y": y + reach * np.sin(angle)})
            self.go(seconds, {"x": x, "y": y})

    def _reopen(self):
        """A fist or a loose hand opens fully, or a pose changes into another: not a gesture of the model."""
        rng, p = self.rng, REOPENING
        first, last = p.changes[int(rng.integers(len(p.changes)))]
        self.arrive(first)
        self.go(rng.uniform(*p.before), tremble=p.tremble)
        self.go(rng.uniform(*p.seconds), None, last, fingers=p.fingers)
        if last in ("open", "point") and rng.random() < p.rests:
            self.rest(rng.uniform(*p.rest))
        if rng.random() < p.back and first != "open":
            self.go(rng.uniform(*p.back_for), None, first, fingers=p.back_fingers)

    def _twice(self):
        """A fist opens and closes repeatedly, or a pinch does, too fast for separate gestures."""
        rng, p = self.rng, TWICE
        first, last = p.changes[int(rng.integers(len(p.changes)))]
        self.arrive(first)
        closed, opened = self.bones.copy(), self.shapes.draw(rng, last)
        self.go(rng.uniform(*p.before), tremble=p.before_tremble)
        for k in range(int(rng.integers(*p.times))):
            self.go(rng.uniform(*p.seconds), None, opened, fingers=p.fingers, named=tag_of(last, opened), surely_null=k > 0)
            self.go(rng.uniform(*p.opened), tremble=p.tremble)
            self.go(rng.uniform(*p.seconds), None, closed, fingers=p.fingers, surely_null=True)
            self.go(rng.uniform(*p.closed), tremble=p.tremble)
        self.tag = TAG.get(first, 0)

    def _false(self):
        """Another object is mistaken for a hand, for a moment, anywhere."""
        rng, p = self.rng, MISTAKEN
        self.hide(rng.uniform(*p.hidden))
        bones, now, view, tag = self.bones, self.now.copy(), self.view, self.tag
        self.tag = 0
        self.now = self.home.copy()
        self.now[:2] = list(self.place().values())
        self.now[2:] = np.log(rng.uniform(*p.size)), *rng.normal(0, p.angle, 3)
        self.bones = self.shapes.draw(rng, pick(rng, p.poses))
        n = self.clock(rng.uniform(*p.seconds))
        self.add(n, self.bones + rng.normal(0, p.noise, (1, 20, 3)), self.now + self.tremor(n, p.tremble), also=ANY if n > p.undecided else 0)
        self.hide(rng.uniform(*p.hidden))
        self.bones, self.now, self.view, self.tag = bones, now, view, tag

    def _thumb_aside(self):
        """A thumb that points neither up nor down."""
        rng, p = self.rng, THUMB_ASIDE
        row = self.shapes.row(rng, "thumb")
        bones = self.shapes.bones[row]
        yaw, pitch = rng.normal(0, p.turn), rng.normal(0, p.turn)
        roll = self.thumb_roll(bones, True, yaw, pitch) + rng.choice([-1, 1]) * rng.uniform(*p.aside)
        roll = self.now[3] + (roll - self.now[3] + np.pi) % (2 * np.pi) - np.pi
        self.arrive(bones, roll=roll, yaw=yaw, pitch=pitch, named=3)
        self.go(rng.uniform(*p.seconds), tremble=rng.uniform(*p.tremble))
