"""What the arms of a body show, as features of a column: a hand that is thrown is blurred and lost, but its wrist can be followed. All arithmetic is
float32, in the order written.

Input of one frame: whether the body network looked at it; the body's points as shares of the frame, if it found one; the hand, if one is followed.

Lengths are in heights of the frame: X = x * aspect, Y = y. Of a body's points (MediaPipe's numbers) M is the middle of the shoulders 11 and 12, and
W = max(|p11 - p12|, NECK * |p0 - M|) its scale: shoulders turned from the camera look narrow. Arm k has the shoulder 11 + k, the elbow 13 + k, the wrist
15 + k and the knuckles 17 + k and 19 + k.

A body is believed if W >= SMALLEST, its nose and shoulders are visible (VISIBLE), W is at least WIDEST_HAND sizes of a palm that was seen within RECALLED
seconds and, while a hand is followed, the hand is one of its hands: its wrist is at most JOINED * W from that of an arm. What resembles a body in the
picture of a close hand fails this. Without a body that is believed the column is that of a stream without arms.

The gesturing arm is the one that the hand belongs to: of two within JOINED the nearer, where an arm's distance counts up to DOUBT * W more, the less its
wrist is visible; the arm stays until the other is nearer by STAYS * W. Without a hand it stays, too, until the other wrist has moved by MOVED * W within
SPAN, and twice as far. At first it is the arm whose wrist is higher.

Positions are relative to M, x right and y down, in W. Movements are between the latest look and the latest one that is at least BEFORE and at most SPAN older;
0 without one. Everything but `armAge` and `armApart` keeps the values of the latest look.

    armBody             1 if the latest look of the body network found a body that is believed
    armAge              t / (t + 0.2) of the time t since a body was last found; 1 if it never was
    bodyX, bodyY        M as shares of the frame
    bodySize            W / (W + 0.3)
    wristX, wristY      of the gesturing arm
    elbowX, elbowY
    shoulderX           of its shoulder
    knucklesX, Y        the middle of its knuckles, from its wrist
    wristSeen, elbowSeen    their visibility
    inside              how far its wrist is inside the frame, in W; negative outside
    wristMoveX, Y       its movement, in W a second
    strokeX, strokeY    its way since the oldest look that is at most SPAN older
    otherX, otherY, otherSeen, otherMoveX, otherMoveY   the other wrist
    bodyMoveX, Y        movement of M, in W a second
    armApart            distance of the hand's wrist from the arm's, in W; 2 without either
"""

import collections

import numpy as np

from .motion import BEFORE

NAMES = ("armBody", "armAge", "bodyX", "bodyY", "bodySize", "wristX", "wristY", "elbowX", "elbowY", "shoulderX", "knucklesX", "knucklesY",
         "wristSeen", "elbowSeen", "inside", "wristMoveX", "wristMoveY", "strokeX", "strokeY", "otherX", "otherY", "otherSeen", "otherMoveX", "otherMoveY",
         "bodyMoveX", "bodyMoveY", "armApart")
RANGES = ((0, 1), (0, 1), (-0.2, 1.2), (-0.2, 1.2), (0, 0.9), (-2.5, 2.5), (-2.0, 3.0), (-2.5, 2.5), (-2.0, 3.0), (-0.7, 0.7), (-0.6, 0.6), (-0.6, 0.6),
          (0, 1), (0, 1), (-1, 1), (-10, 10), (-10, 10), (-2.5, 2.5), (-2.5, 2.5), (-2.5, 2.5), (-2.0, 3.0), (0, 1), (-10, 10), (-10, 10), (-4, 4), (-4, 4), (0, 2))
COUNT = len(NAMES)
NECK, SMALLEST, VISIBLE, JOINED, WIDEST_HAND, RECALLED, DOUBT, STAYS, MOVED, SPAN = 1.3, 0.06, 0.5, 0.8, 3.5, 3.0, 0.5, 0.15, 0.5, 0.34
POINTS = (0, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20)  # of MediaPipe's 33 that are read
NONE = np.array([0, 1, 0.5, 0.5, 0, 0, 0.5, 0, 0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0, 2], np.float32)
f = np.float32


def length(v):
    return np.sqrt(v[0] * v[0] + v[1] * v[1])


class Reading:
    """A body at one moment, in heights of the frame."""

    def __init__(self, time, points, aspect):
        p = np.asarray(points, f)
        self.time, self.aspect, self.seen = time, f(aspect), p[:, 2]
        self.at = p[:, :2] * np.array([aspect, 1], f)
        self.middle = (self.at[11] + self.at[12]) / f(2)
        self.scale = max(length(self.at[11] - self.at[12]), f(NECK) * length(self.at[0] - self.middle))

    def wrist(self, arm):
        return self.at[15 + arm]

    def placed(self, point):
        return (point - self.middle) / self.scale

    @property
    def plausible(self):
        return bool(np.isfinite(self.at[list(POINTS)]).all() and self.scale >= SMALLEST and min(self.seen[0], self.seen[11], self.seen[12]) >= VISIBLE)


class Arms:
    """The arms of one stream."""

    def __init__(self):
        self.readings = collections.deque(maxlen=24)
        self.arm = None
        self.found = None  # time of the latest body
        self.palm = None  # the latest hand's size and time
        self.numbers = NONE.copy()

    def see(self, time, aspect, looked=False, points=None, hand=None):
        """points: [33,3], x and y as shares and visibility, or None; hand: (x, y) of its wrist in shares and the palm's size s in heights, or None.
        -> float32 [27]"""
        at = None if hand is None else np.array([f(hand[0]) * f(aspect), f(hand[1])], f)
        if hand is not None:
            self.palm = f(hand[2]), time
        if looked:
            reading = Reading(time, points, aspect) if points is not None else None
            if reading is not None and reading.plausible and self.believed(reading, at):
                self.found = time
                self.readings.append(reading)
                self.choose(reading, at)
                self.numbers = self.of(reading)
            else:
                self.readings.clear()
                self.arm = None
                self.numbers = NONE.copy()
        out = self.numbers.copy()
        if self.readings:
            age = f(time - self.found)
            out[1] = age / (age + f(0.2))
        if self.readings and at is not None:
            latest = self.readings[-1]
            out[-1] = min(length(at - latest.wrist(self.arm)) / latest.scale, f(2))
        return out

    def believed(self, reading, at):
        if self.palm is not None and reading.time - self.palm[1] <= RECALLED and reading.scale < f(WIDEST_HAND) * self.palm[0]:
            return False
        return at is None or min(length(reading.wrist(k) - at) for k in (0, 1)) <= f(JOINED) * reading.scale

    def choose(self, reading, at):
        if at is not None:
            near = [length(reading.wrist(k) - at) / reading.scale + f(DOUBT) * (1 - reading.seen[15 + k]) for k in (0, 1)]
            if self.arm is None or near[1 - self.arm] + f(STAYS) < near[self.arm]:
                self.arm = int(near[1] < near[0])
        elif self.arm is None:
            self.arm = int(reading.wrist(1)[1] < reading.wrist(0)[1])
        else:
            oldest = self.oldest(reading)
            if oldest is not None:
                way = [length(reading.placed(reading.wrist(k)) - oldest.placed(oldest.wrist(k))) * min(reading.seen[15 + k], oldest.seen[15 + k]) for k in (0, 1)]
                if way[1 - self.arm] > f(MOVED) and way[1 - self.arm] > 2 * way[self.arm]:
                    self.arm = 1 - self.arm

    def oldest(self, reading):
        return next((r for r in self.readings if BEFORE <= reading.time - r.time <= SPAN), None)

    def of(self, reading):
        arm, other = self.arm, 1 - self.arm
        before = next((r for r in reversed(self.readings) if BEFORE <= reading.time - r.time <= SPAN), None)
        oldest = self.oldest(reading)
        wrist, elbow, rest = (reading.placed(reading.at[k]) for k in (15 + arm, 13 + arm, 15 + other))
        knuckles = ((reading.at[17 + arm] + reading.at[19 + arm]) / f(2) - reading.wrist(arm)) / reading.scale
        move = rest_move = body_move = stroke = np.zeros(2, f)
        if before is not None:
            seconds = f(reading.time - before.time)
            move = (wrist - before.placed(before.wrist(arm))) / seconds
            rest_move = (rest - before.placed(before.wrist(other))) / seconds
            body_move = (reading.middle - before.middle) / reading.scale / seconds
            stroke = wrist - oldest.placed(oldest.wrist(arm))
        x, y = reading.wrist(arm)
        inside = min(x, reading.aspect - x, y, f(1) - y) / reading.scale
        return np.array([1, 0, reading.middle[0] / reading.aspect, reading.middle[1], reading.scale / (reading.scale + f(0.3)), *wrist, *elbow,
                         reading.placed(reading.at[11 + arm])[0], *knuckles, reading.seen[15 + arm], reading.seen[13 + arm], inside, *move, *stroke, *rest,
                         reading.seen[15 + other], *rest_move, *body_move, 2], f)


class Schedule:
    """When the body network looks: at most every FAST seconds while the frame moves and the hand is lost or quick, else every SLOW."""

    FAST, SLOW, QUICK, RECENT = 1 / 35, 0.2, 2.5, 0.5

    def __init__(self):
        self.last = self.place = self.seen = None

    def looks(self, time, moving, hand):
        """moving: whether the frame changes (`motion`: amount > 0); hand as for `Arms.see`, in heights: (X, Y, s) or None."""
        quick = hand is None
        if hand is not None:
            if self.place is not None and time > self.seen:
                quick = np.hypot(hand[0] - self.place[0], hand[1] - self.place[1]) > self.QUICK * hand[2] * (time - self.seen)
            self.place, self.seen = hand, time
        interval = self.FAST if quick and moving else self.SLOW
        if self.last is not None and time - self.last < interval - 1e-6:
            return False
        self.last = time
        return True
