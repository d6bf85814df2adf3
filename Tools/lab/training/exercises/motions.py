"""What the body does: an activity's pose at every time, and when its repetitions begin, peak and end.

All angles are degrees; the body looks along z, its left is x.
"""

import dataclasses

import numpy as np

from .body import SIDES, turn

ACTIVITIES = ("squat", "jumping-jacks", "punches", "lunge", "side-lunge", "sit-up", "null")


@dataclasses.dataclass
class Arm:
    """Directions in the frame of the chest, x outwards for both arms.

    hand: where the wrist is from the shoulder, in lengths of the arm; then `upper` is the side to which the elbow bends.
    """

    upper: np.ndarray
    fore: np.ndarray = None
    hand: np.ndarray = None
    raised: float = 0.0   # degrees by which shoulder blade and collarbone go up
    forward: float = 0.0  # and to the front
    fist: float = 0.25    # 0 flat, 1 closed


@dataclasses.dataclass
class Foot:
    """shift: of the ankle from its rest place, metres."""

    shift: np.ndarray
    rotation: np.ndarray


@dataclasses.dataclass
class Pose:
    """shift: of the hips' middle, metres; spine and neck: (pitch forwards, yaw to the left, roll to the right)."""

    shift: np.ndarray
    pelvis: np.ndarray
    spine: tuple
    neck: tuple
    arms: dict
    feet: dict


def ease(t):
    """0...1 with no speed at either end."""
    t = np.clip(t, 0, 1)
    return t * t * t * (t * (6 * t - 15) + 10)


class Schedule:
    """Repetitions one after another from `first` seconds on while they end `tail` seconds before the clip does.

    Each takes about `seconds`, with rests between some; a repetition begins and ends at 0 and peaks at 1.
    """

    def __init__(self, rng, length, seconds, first=1.5, tail=1.0, pause=0.12, rest=0.1, hold=0.08):
        self.repetitions, at = [], first
        while True:
            took = seconds * float(np.exp(rng.normal(0, 0.08)))
            if at + took > length - tail:
                break
            middle = at + took * rng.uniform(0.46, 0.54)
            self.repetitions.append((at, middle, at + took, took * hold, float(rng.uniform(0.9, 1.0))))
            at += took * (1 + pause)
            if rng.random() < rest:
                at += rng.uniform(0.6, 1.6)

    def at(self, t):
        """-> (how far, 0...1; index of the repetition that is going on or was last, -1 before the first)."""
        last = -1
        for k, (begin, middle, end, hold, depth) in enumerate(self.repetitions):
            if t >= begin:
                last = k
            if begin <= t <= end:
                low = ease((t - begin) / (middle - hold / 2 - begin))
                return depth * float(low * ease((end - t) / (end - middle - hold / 2))), k
        return 0.0, last

    def truth(self, side=None):
        """[{"begin_s", "peak_s", "end_s"}], with "side" of every other one where `side` names the first's."""
        out = [{"begin_s": round(b, 3), "peak_s": round(m, 3), "end_s": round(e, 3)} for b, m, e, *_ in self.repetitions]
        for k, repetition in enumerate(out):
            if side:
                repetition["side"] = ("left", "right")[(k + (side == "right")) % 2]
        return out


class Motion:
    """One person's way of an activity. rig: of `body.Rig`; tempo: seconds a repetition."""

    def __init__(self, rig, activity, seed, length, tempo):
        rng = np.random.default_rng([13, seed])
        self.rig, self.activity, self.length = rig, activity, length
        self.leg = rig.length("upperleg01.L", "lowerleg01.L") + rig.length("lowerleg01.L", "foot.L")
        self.sway = rng.uniform(0.5, 1.0, 6) * (0.006, 0.004, 0.8, 0.8, 1.0, 2.0)
        self.rate, self.phase = rng.uniform(0.1, 0.35, 6), rng.uniform(0, 6.28, 6)
        self.toes = rng.uniform(8, 22)
        self.style = rng.random(4)
        self.first = "left" if rng.random() < 0.5 else "right"
        rest = {"squat": dict(pause=0.15), "jumping-jacks": dict(pause=0.04, rest=0.05, hold=0.04),
                "punches": dict(pause=0.25, rest=0.08, hold=0.1), "lunge": dict(pause=0.2, hold=0.1),
                "side-lunge": dict(pause=0.2, hold=0.1),
                "sit-up": dict(pause=0.12, rest=0.15)}.get(activity, {})
        self.schedule = Schedule(rng, length, tempo, **rest) if activity != "null" else None

    def truth(self):
        """The repetitions as `Schedule.truth`; none of null."""
        if self.schedule is None:
            return []
        return self.schedule.truth(self.first if self.activity == "punches" else None)

    def pose(self, t):
        """The pose at a time in seconds; a body turned about itself in null has its yaw in the pelvis."""
        pose = self._standing(t)
        getattr(self, "_" + self.activity.replace("-", "_"))(pose, t)
        return pose

    def _standing(self, t, apart=0.0):
        s = self.sway * np.sin(2 * np.pi * self.rate * t + self.phase)
        feet = {side: Foot(np.array([sign * apart, 0.0, 0.0]), turn(1, sign * self.toes)) for side, sign in zip(SIDES, (1, -1))}
        arms = {side: Arm(np.array([0.2, -1.0, 0.02 + 0.01 * s[4]]), np.array([0.1, -1.0, 0.25])) for side in SIDES}
        return Pose(np.array([s[0], -0.012, s[1]]), turn(2, s[2] * 0.3), (s[3], s[2], 0.0), (s[4], s[5], 0.0), arms, feet)

    def _squat(self, pose, t):
        s, _ = self.schedule.at(t)
        wide = 0.03 + 0.1 * self.style[0]
        for side, sign in zip(SIDES, (1, -1)):
            pose.feet[side] = Foot(np.array([sign * wide, 0, 0]), turn(1, sign * (self.toes + 8)))
        drop = 0.43 + 0.07 * self.style[1]
        pose.shift += (0, -s * drop * self.leg, -s * 0.20 * self.leg)
        pose.pelvis = turn(0, s * 22) @ pose.pelvis
        pose.spine = (pose.spine[0] + s * 16, *pose.spine[1:])
        pose.neck = (pose.neck[0] - s * 22, *pose.neck[1:])
        for side in SIDES:
            arm = pose.arms[side]
            if self.style[2] < 0.55:  # arms go to the front
                a = np.deg2rad(8 + s * 92)
                arm.upper = np.array([0.16, -np.cos(a), np.sin(a)])
                arm.fore = np.array([0.0, -np.cos(a + 0.15), np.sin(a + 0.15)])
            else:  # hands before the chest
                arm.hand, arm.upper, arm.fist = np.array([-0.16, -0.18, 0.42]), np.array([0.7, -1.0, -0.1]), 0.8

    def _jumping_jacks(self, pose, t):
        s, _ = self.schedule.at(t)
        # Off the floor while the feet move, most at the middle of the way.
        fly = 0.05 * np.sin(np.pi * s) ** 2
        apart = s * (0.2 + 0.08 * self.style[0]) - 0.05
        pose.shift += (0, fly, 0)
        for side, sign in zip(SIDES, (1, -1)):
            pose.feet[side] = Foot(np.array([sign * apart, fly, 0]), turn(1, sign * self.toes) @ turn(0, 400 * fly))
            a = np.deg2rad(12 + s * (138 + 15 * self.style[1]))
            b = a + np.deg2rad(6 + 12 * s * self.style[2])
            arm = pose.arms[side]
            arm.upper, arm.fore = np.array([np.sin(a), -np.cos(a), 0.06]), np.array([np.sin(b), -np.cos(b), 0.12])
            arm.raised, arm.fist = 34 * s * s, 0.1
        pose.neck = (pose.neck[0] - 4 * s, *pose.neck[1:])

    def _punches(self, pose, t):
        s, k = self.schedule.at(t)
        left = (k % 2 == 0) == (self.first == "left")
        guard, out = np.array([-0.14, 0.02, 0.42]), np.array([0.45, 0.1, 0.85])
        bob = 0.02 * np.sin(2 * np.pi * 1.1 * t)
        pose.shift += (0, -0.045 + 0.4 * bob, 0.02 * s)
        for side, sign in zip(SIDES, (1, -1)):
            ahead = 0.12 if side == self.first[0].upper() else -0.12
            pose.feet[side] = Foot(np.array([sign * 0.06, 0, ahead]), turn(1, sign * 14))
            share = s if (side == "L") == left else 0.0
            pose.arms[side] = Arm(np.array([0.35 + 0.5 * share, -1.0, -0.1]), hand=guard + share * (out - guard) + (0, bob, 0),
                                  raised=6 * share, forward=14 * share, fist=1.0)
        twist = (-1 if left else 1) * 24 * s
        pose.spine = (pose.spine[0] + 5, pose.spine[1] + twist, 0)
        pose.neck = (pose.neck[0], pose.neck[1] - twist, 0)
        pose.pelvis = turn(1, 0.4 * twist) @ pose.pelvis

    def _lunge(self, pose, t):
        """Steps ahead or back with one leg after the other, or always the same one, and comes back."""
        s, k = self.schedule.at(t)
        left = (k % 2 == 0 or self.style[3] < 0.35) == (self.first == "left")
        front, rear = ("L", "R") if left else ("R", "L")
        ahead = self.style[1] < 0.6
        stride, drop = (0.75 + 0.15 * self.style[0]) * self.leg, 0.3 + 0.12 * self.style[0]
        moved, lifted = (front, 0.08) if ahead else (rear, 0.06)
        pose.shift += (0, -s * drop * self.leg, (0.5 if ahead else -0.5) * stride * s)
        pose.spine = (pose.spine[0] + 4 * s, *pose.spine[1:])
        for side in SIDES:
            foot = pose.feet[side]
            foot.rotation = turn(1, (1 if side == "L" else -1) * 0.4 * self.toes)
            if side == moved:
                foot.shift += (0, lifted * np.sin(np.pi * s), stride * s if ahead else -stride * s)
        # The rear heel rises about the toes.
        pose.feet[rear].shift += (0, 0.11 * s, 0.05 * s)
        pose.feet[rear].rotation = pose.feet[rear].rotation @ turn(0, 55 * s)
        for side in SIDES:
            arm = pose.arms[side]
            if self.style[2] < 0.4:  # hands on the hips
                arm.hand, arm.upper, arm.fist = np.array([0.1, -0.78, 0.12]), np.array([1.0, -0.2, -0.5]), 0.4
            elif self.style[2] < 0.7:  # hands before the chest
                arm.hand, arm.upper, arm.fist = np.array([-0.16, -0.18, 0.42]), np.array([0.7, -1.0, -0.1]), 0.8

    def _side_lunge(self, pose, t):
        """Steps to a side and comes back, or stands wide: one knee bends, and the hips go to it until the other leg is straight.

        To one side after the other, or always to the same one.
        """
        s, k = self.schedule.at(t)
        left = (k % 2 == 0 or self.style[3] < 0.35) == (self.first == "left")
        bent, sign = ("L", 1) if left else ("R", -1)
        wide = (0.5 + 0.35 * self.style[0]) * self.leg
        lean = 12 + 22 * self.style[1]
        for side, out in zip(SIDES, (1, -1)):
            pose.feet[side].rotation = turn(1, out * (0.4 * self.toes + 10 * self.style[1]))
        if self.style[2] < 0.65:
            # The foot is down before the knee is bent.
            go = ease(1.4 * s)
            pose.feet[bent].shift += (sign * wide * go, 0.05 * np.sin(np.pi * go), 0)
            aside = 0.9 * wide * s
        else:
            for side, out in zip(SIDES, (1, -1)):
                pose.feet[side].shift += (out * wide / 2, 0, 0)
            aside = 0.42 * wide * s
        pose.shift += (sign * aside, -0.04 * s * self.leg, -0.14 * s * self.leg)
        pose.pelvis = turn(0, s * lean * 0.6) @ pose.pelvis
        pose.spine = (pose.spine[0] + s * lean * 0.6, *pose.spine[1:])
        pose.neck = (pose.neck[0] - s * lean * 0.8, *pose.neck[1:])
        for side in SIDES:
            arm = pose.arms[side]
            if self.style[2] % 0.3 < 0.1:  # hands on the hips
                arm.hand, arm.upper, arm.fist = np.array([0.1, -0.78, 0.12]), np.array([1.0, -0.2, -0.5]), 0.4
            elif self.style[2] % 0.3 < 0.2:  # hands before the chest
                arm.hand, arm.upper, arm.fist = np.array([-0.16, -0.18, 0.42]), np.array([0.7, -1.0, -0.1]), 0.8
            else:  # hands go down to the floor
                arm.upper, arm.fore = np.array([0.05, -1.0, 0.1 + 0.3 * s]), np.array([-0.1 * s, -1.0, 0.2 + 0.2 * s])

    def _sit_up(self, pose, t):
        """Lies on the back with bent knees, and sits up more or less far."""
        s, _ = self.schedule.at(t)
        rise = 50 + 35 * self.style[0]
        pelvis, spine = 0.7 * rise * s, 0.3 * rise * s
        pose.shift = np.array([0.0, 0.12 - self.rig.hips[1], 0.0])
        pose.pelvis = turn(0, -90 + pelvis)
        pose.spine, pose.neck = (spine, 0.0, 0.0), (12 + 10 * s, 0.0, 0.0)
        for side, sign in zip(SIDES, (1, -1)):
            rest = self.rig.head[f"foot.{side}"]
            hips = self.rig.hips
            pose.feet[side] = Foot(np.array([0.04 * sign, 0.0, hips[2] + (0.5 + 0.12 * self.style[1]) * self.leg - rest[2]]), turn(1, 6 * sign))
            arm = pose.arms[side]
            if self.style[2] < 0.4:  # hands behind the head
                arm.hand, arm.upper, arm.fist = np.array([-0.12, 0.42, 0.05]), np.array([1.0, 0.4, -0.1]), 0.1
            elif self.style[2] < 0.7:  # crossed on the chest
                arm.hand, arm.upper, arm.fist = np.array([-0.45, -0.05, 0.3]), np.array([0.5, -1.0, 0.2]), 0.3
            else:  # reaching for the knees
                arm.upper, arm.fore = np.array([0.1, -1.0, 0.5 + 0.4 * s]), np.array([0.0, -1.0, 0.6 + 0.4 * s])

    def _null(self, pose, t):
        """Stands, shifts its weight, waves, walks on the spot, turns around and back: a fifth of the clip each."""
        part = self.length / 5

        def within(k, fade=0.5):
            return float(ease((t - k * part) / fade) * ease(((k + 1) * part - t) / fade))
        weight = within(1) * np.sin(2 * np.pi * 0.45 * t)
        pose.shift += (0.055 * weight, -0.012 * abs(weight), 0)
        pose.pelvis = turn(2, 4 * weight) @ pose.pelvis
        pose.spine = (pose.spine[0], pose.spine[1], -5 * weight)
        wave = within(2)
        if wave > 0:
            arm = pose.arms["R"]
            swing = 0.35 * np.sin(2 * np.pi * 1.6 * t)
            rest = np.array([0.32, -0.93, 0.1])
            arm.hand = rest + wave * (np.array([0.38 + 0.5 * swing, 0.52, 0.32]) - rest)
            arm.upper = np.array([0.5, -1.0, -0.6 * (1 - wave)])
            arm.fist = 0.05
        walk = within(3)
        for side, sign, phase in zip(SIDES, (1, -1), (0.0, np.pi)):
            lift = walk * max(np.sin(2 * np.pi * 0.9 * t + phase), 0.0) ** 1.5
            pose.feet[side].shift += (0, 0.14 * lift, -0.05 * lift)
            pose.feet[side].rotation = turn(1, sign * self.toes) @ turn(0, 25 * lift)
            swing = walk * 0.35 * np.sin(2 * np.pi * 0.9 * t + phase)
            if side == "L" or wave == 0:
                pose.arms[side].upper += (0, 0, -swing)
                pose.arms[side].fore += (0, 0, -swing + 0.2 * walk)
        about = 60 * within(4, part / 2)
        whole = turn(1, about)
        pose.pelvis = whole @ pose.pelvis
        pose.shift[[0, 2]] = (whole @ pose.shift)[[0, 2]]
        # Feet follow in small steps about the hips' middle.
        centre = self.rig.hips * (1, 0, 1)
        for side in SIDES:
            foot, rest = pose.feet[side], self.rig.head[f"foot.{side}"]
            place = rest + foot.shift - centre
            foot.shift = whole @ place + centre - rest
            foot.rotation = whole @ foot.rotation
