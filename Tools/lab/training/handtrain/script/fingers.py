"""Finger gestures: zooms, grabs and taps."""

from typing import NamedTuple

import numpy as np

from common.labels import BACK

from .classes import OPEN, TICK, Names, Range, bits, log_uniform, pick
from .hand import Hand
from .shapes import chained, flex, minimum_jerk, openness


class Articulation(NamedTuple):
    """The change of shape of a zoom or a grab, and the moments that carry its label."""

    seconds: Range = (0.1, 0.9)  # s, log-uniform
    recorded: float = 0.4  # chance of the movement of a recorded hand,
    paced: float = 0.5  # and of its own duration, too,
    pace: float = 0.25  # scaled by a factor with this standard deviation of its logarithm,
    paced_limits: Range = (0.1, 1.2)  # s, of the result
    travel: float = 0.25  # palm sizes, standard deviation of the hand's movement meanwhile
    turn: float = 0.12  # rad, the same of its angles
    size: float = 0.05  # the same of the logarithm of its size
    fingers: Range = (0, 0.4)  # share of the time by which fingers start apart
    tremble: float = 0.6  # amount of tremor
    kept: float = 0.7  # chance that the hand keeps its shape for `hold`; otherwise `short_hold`
    hold: Range = (0.12, 0.7)  # s
    short_hold: Range = (0.02, 0.15)  # s
    label_from: float = 0.25  # share of the articulation after which it is labelled,
    label_least: float = 0.1  # s of the label after its end,
    label_most: float = 0.2  # s, the longest while the hand stays so, of a zoom
    label_most_grab: float = 0.3  # s, the same of a grab
    margin_share: float = 0.22  # share of the articulation before the label in which null is correct, too,
    margin_before: float = 0.05  # s, at least
    margin_after: float = 0.15  # s


class Zoom(NamedTuple):
    """A pinch that opens or closes."""

    digits: tuple = (2, 3)  # thumb and one or two fingers
    curled: float = 0.75  # chance that the other fingers are curled
    fist: float = 0.45  # chance that curled fingers begin or end as a fist
    hidden: float = 0.3  # chance that the hand is hidden before,
    hidden_for: Range = (0.1, 0.5)  # s
    still: Range = (0.1, 0.7)  # s before the articulation
    tremble: float = 0.8  # amount of tremor meanwhile
    back: float = 0.3  # chance of a return to the first shape,
    back_for: Range = (0.15, 0.6)  # s
    back_fingers: float = 0.2  # share of the time by which fingers start apart
    back_late: float = 0.25  # s after the articulation from which the return may be a second gesture
    leaves: float = 0.6  # chance of a return or of moving on to one of
    leaving: Names = ("relaxed", "fist")
    leaving_for: Range = (0.2, 0.6)  # s
    leaving_reach: float = 2  # palm sizes
    leaving_fingers: float = 0.3  # share of the time by which fingers start apart


class Grab(NamedTuple):
    """An open hand that becomes a fist."""

    open: float = 0.9  # chance that all five fingers are straight before; otherwise four
    rests: float = 0.7  # chance of a rest before, where the clip begins with the grab
    rest: Range = (0.2, 0.9)  # s
    still: float = 0.25  # palm sizes of `travel`,
    moving: Range = (0.5, 2)  # or these,
    travel_weights: tuple = (0.7, 0.3)  # and their chances
    opens: float = 0.6  # chance that the hand opens again, to one of
    opened: Names = ("open", "relaxed")
    opening: Range = (0.15, 0.8)  # s
    opening_fingers: float = 0.3  # share of the time by which fingers start apart
    after: Range = (0.05, 0.6)  # s
    tremble: float = 0.6  # amount of tremor meanwhile


class Tap(NamedTuple):
    """A finger, a hand or a push towards the camera, down and up again."""

    manners: Names = ("finger", "hand", "towards")
    manner_weights: tuple = (0.47, 0.32, 0.21)
    poses: Names = ("open", "point", "four", "relaxed")  # of all manners but a finger's
    pose_weights: tuple = (0.55, 0.3, 0.05, 0.1)
    pitch: Range = (0, 1.2)  # rad, of a pointing finger
    aim: float = 0.3  # rad, standard deviation of a pointing finger's roll
    before: float = 0.8  # chance of a moment before the tap
    finger_rests: float = 0.5  # chance that a finger rests in it,
    finger_rest: Range = (0.2, 1.0)  # s
    finger_wander: Range = (0, 0.5)  # palm sizes
    palm_rests: float = 0.4  # chance that an open hand rests in it,
    palm_rest: Range = (0.2, 0.7)  # s
    still: Range = (0.1, 0.5)  # s, otherwise
    still_tremble: float = 0.8  # amount of tremor
    down: Range = (0.07, 0.3)  # s
    stay: Range = (-0.05, 0.12)  # s; negative: not at all
    up: Range = (0.08, 0.35)  # s
    slow: float = 0.35  # chance of a slow tap of a hand,
    slow_down: Range = (2, 5)  # times as long down,
    slow_up: Range = (1.5, 3)  # times as long up,
    slow_up_too: float = 0.6  # chance of that
    depth: Range = (0.45, 1.1)  # of a finger, a factor of its joints' angles:
    knuckle: Range = (0.6, 1.1)  # rad
    middle_joint: Range = (0, 0.7)  # rad
    end_joint: Range = (0, 0.4)  # rad
    others_follow: float = 0.3  # chance that the other fingers bend, too,
    others: Range = (0, 0.25)  # share of the finger's angles
    finger_y: Range = (-0.1, 0.6)  # palm sizes downwards
    finger_pitch: Range = (0, 0.3)  # rad
    hand_pitch: Range = (0.5, 1.2)  # rad
    hand_y: Range = (0.3, 2.0)  # palm sizes downwards
    hand_size: Range = (-0.05, 0.15)  # logarithm of the size
    towards_size: Range = (0.15, 0.5)  # logarithm of the size
    towards_y: Range = (-0.3, 0.8)  # palm sizes downwards
    towards_pitch: Range = (0, 0.5)  # rad
    tremble: float = 0.4  # amount of tremor
    after: Range = (0.15, 0.5)  # s
    after_tremble: float = 0.6  # amount of tremor
    label_from: float = 0.3  # share of the way down after which it is labelled,
    label_after: float = 0.07  # s after the return
    margin_before: float = 0.06  # s before the label in which null is correct, too, at least


ARTICULATION, ZOOM, GRAB, TAP = Articulation(), Zoom(), Grab(), Tap()


class Fingers(Hand):
    """Zooms, grabs, taps."""

    def zoom(self, name):
        """Thumb and one or two fingers open or close, from a pinch or from a fist, the others curled or not."""
        rng, p = self.rng, ZOOM
        digits = int(rng.choice(p.digits))
        curled = rng.random() < p.curled
        closed, spread = self.shapes.pinch(rng, digits, curled)
        begins = 5
        if curled and rng.random() < p.fist:
            closed, begins = self.shapes.draw(rng, "fist"), 4
            spread = chained(closed, spread, range(digits))
        path = None
        seconds = log_uniform(rng, ARTICULATION.seconds)
        if rng.random() < ARTICULATION.recorded:
            path, view, pace = self.shapes.recorded(rng, "pinch")
            closed, spread, begins = path[-1], path[0], 5
            path = path[::-1] if name == "zoomIn" else path
            if rng.random() < ARTICULATION.paced:
                seconds = self.paced(pace)
            if self.ticks == 0:
                self.view = view
        self.note(f"{name} {digits} {'fist' if begins == 4 else 'pinch'}{' recorded' if path is not None else ''}")
        opened = 1 if openness(spread) > OPEN else 6
        first, last = ((closed, begins), (spread, opened)) if name == "zoomIn" else ((spread, opened), (closed, begins))
        if rng.random() < p.hidden and self.ticks:
            self.hide(rng.uniform(*p.hidden_for))
            self.become(*first)
        self.arrive(first[0], named=first[1])
        self.go(rng.uniform(*p.still), tremble=p.tremble)
        self.articulate(name, last[0], seconds, last[1], path)
        after = rng.random()
        if after < p.back:
            # After an immediate return only the first gesture counts. After a while the return may be a second gesture, and a window does not reach
            # back to the first.
            late = self.ticks - self.done > self.clock(p.back_late)
            self.go(rng.uniform(*p.back_for), None, first[0], fingers=p.back_fingers, also=bits("null", BACK[name]) if late else 0, named=first[1],
                    surely_null=True)
        elif after < p.leaves:
            self.go(rng.uniform(*p.leaving_for), self.place(p.leaving_reach * self.size), pick(rng, p.leaving), fingers=p.leaving_fingers)

    def paced(self, pace):
        """The seconds of an articulation that takes about as long as a recorded one."""
        return np.clip(pace * np.exp(self.rng.normal(0, ARTICULATION.pace)), *ARTICULATION.paced_limits)

    def articulate(self, name, last, seconds, named, path=None, travel=ARTICULATION.travel):
        """travel: approximate movement of the hand meanwhile, in palm sizes."""
        rng, p = self.rng, ARTICULATION
        begin = self.ticks
        self.go(seconds, {"x": self.now[0] + rng.normal(0, travel) * self.size, "y": self.now[1] + rng.normal(0, travel) * self.size,
                          "roll": self.now[3] + rng.normal(0, p.turn), "yaw": self.now[4] + rng.normal(0, p.turn),
                          "pitch": self.now[5] + rng.normal(0, p.turn), "ls": self.now[2] + rng.normal(0, p.size)},
                last, fingers=rng.uniform(*p.fingers), tremble=p.tremble, named=named, path=path)
        end = self.done = self.ticks
        self.go(rng.uniform(*(p.hold if rng.random() < p.kept else p.short_hold)), tremble=p.tremble)
        # While the hand keeps its shape, the gesture counts for some time.
        latest = end + self.clock(p.label_most_grab if name == "grab" else p.label_most)
        labelled = min(max(self.ticks, end + self.clock(p.label_least)), latest)
        self.event(name, begin + int(p.label_from * (end - begin)), labelled,
                   margin_before=max(p.margin_before, p.margin_share * (end - begin) / TICK), margin_after=p.margin_after)

    def grab(self, name):
        rng, p = self.rng, GRAB
        seconds, path = log_uniform(rng, ARTICULATION.seconds), None
        if rng.random() < ARTICULATION.recorded:
            path, view, pace = self.shapes.recorded(rng, "grab")
            if rng.random() < ARTICULATION.paced:
                seconds = self.paced(pace)
            if self.ticks == 0:
                self.view = view
            self.arrive(path[0], named=1)
        else:
            self.arrive("open" if rng.random() < p.open else "four")
        if self.ticks > 1 or rng.random() < p.rests:
            self.rest(rng.uniform(*p.rest))
        self.articulate("grab", self.shapes.draw(rng, "fist"), seconds, 4, path, rng.choice([p.still, rng.uniform(*p.moving)], p=p.travel_weights))
        if rng.random() < p.opens:
            self.go(rng.uniform(*p.opening), None, pick(rng, p.opened), fingers=p.opening_fingers)
            self.go(rng.uniform(*p.after), tremble=p.tremble)

    def tap(self, name):
        rng, p = self.rng, TAP
        manner = rng.choice(p.manners, p=p.manner_weights)
        self.note(f"tap {manner}")
        pose = "point" if manner == "finger" else pick(rng, p.poses, p.pose_weights)
        if manner == "finger":
            self.arrive("point", pitch=rng.choice([self.home[5], rng.uniform(*p.pitch)]), roll=self.aim(p.aim))
        else:
            self.arrive(pose)
        if rng.random() < p.before:
            if manner == "finger" and rng.random() < p.finger_rests:
                self.rest(rng.uniform(*p.finger_rest), rng.uniform(*p.finger_wander))
            elif pose == "open" and rng.random() < p.palm_rests:
                self.rest(rng.uniform(*p.palm_rest))
            else:
                self.go(rng.uniform(*p.still), tremble=p.still_tremble)
        down, stay, up = rng.uniform(*p.down), max(rng.uniform(*p.stay), 0), rng.uniform(*p.up)
        if manner == "hand" and rng.random() < p.slow:
            down *= rng.uniform(*p.slow_down)
            up *= rng.uniform(*p.slow_up) if rng.random() < p.slow_up_too else 1
        n1, n2, n3 = self.clock(down), int(stay * TICK), self.clock(up)
        w = np.concatenate([minimum_jerk(np.arange(1, n1 + 1) / n1), np.ones(n2), 1 - minimum_jerk(np.arange(1, n3 + 1) / n3)])
        extra, bones = np.zeros((len(w), 6)), self.bones
        if manner == "finger":
            depth = rng.uniform(*p.depth)
            angles = np.zeros((len(w), 5, 3))
            angles[:, 1] = w[:, None] * depth * np.array([rng.uniform(*p.knuckle), rng.uniform(*p.middle_joint), rng.uniform(*p.end_joint)])
            if rng.random() < p.others_follow:
                angles[:, 2:] = angles[:, 1:2] * rng.uniform(*p.others)
            bones = flex(self.bones, angles)
            extra[:, 1] = w * rng.uniform(*p.finger_y) * self.size
            extra[:, 5] = w * rng.uniform(*p.finger_pitch)
        elif manner == "hand":
            extra[:, 5] = w * rng.uniform(*p.hand_pitch)
            extra[:, 1] = w * rng.uniform(*p.hand_y) * self.size
            extra[:, 2] = w * rng.uniform(*p.hand_size)
        else:
            extra[:, 2] = w * rng.uniform(*p.towards_size)
            extra[:, 1] = w * rng.uniform(*p.towards_y) * self.size
            extra[:, 5] = w * rng.uniform(*p.towards_pitch)
        begin = self.ticks
        self.add(len(w), bones, self.now + extra + self.tremor(len(w), p.tremble), tag=0)
        end = self.ticks
        self.go(rng.uniform(*p.after), tremble=p.after_tremble)
        self.event("tap", begin + int(p.label_from * n1), end + self.clock(p.label_after),
                   margin_before=max(p.margin_before, p.label_from * n1 / TICK))
