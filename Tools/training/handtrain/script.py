"""What a hand does, as a timeline of bones, place, size and angles: gestures and everything that is no gesture.

Units: TICK samples a second; x and y in heights of the frame, sizes (`ls`, its logarithm) are the palm's (`features`: s) in heights of the
frame, angles are radians (roll clockwise as seen; pitch turns the fingers towards the camera, yaw the hand about its length).

When a moment carries a label (all else is null):
- swipe: from 7 to 96 % of the way, at least HOLD seconds. Preparation and retraction are null.
- grab, zoomIn, zoomOut: from 25 % of the articulation to 100 ms after its end, or as long as the hand stays so, up to 300 ms for a grab and 200 for a
  zoom; at least HOLD.
- tap: from 30 % of the way down to 70 ms after the return, at least HOLD.
- openPalm, point, thumbsUp, thumbsDown: see `still`.
`also` has a bit for every other class that would be as right: around a gesture it and null, for a hand nearly at rest its pose, for a
change that looks like a gesture that gesture; ANY where a window cannot decide at all.
"""

import numpy as np

from gesturetrain.labels import BACK, INDEX, NULL

from .skeletons import FINGER, points_of, turn

TICK = 60
HOLD = 0.24
CHANNELS = ("x", "y", "ls", "roll", "yaw", "pitch")
SWIPES = {"swipeLeft": (-1, 0), "swipeRight": (1, 0), "swipeUp": (0, -1), "swipeDown": (0, 1)}
POSES = {INDEX[n] for n in ("point", "openPalm", "thumbsUp", "thumbsDown")}
PALMAR = np.array([0.0, 0.0, -1.0])
TAGS = ("", "open", "point", "thumb", "fist", "pinch", "spread", "loose", "half open")
TAG = {"open": 1, "four": 1, "point": 2, "thumb": 3, "fist": 4, "pinch": 5, "ok": 5, "ring": 5, "pistol": 6, "three": 6, "relaxed": 7, "claw": 7, "cup": 7}
ANY = (1 << len(INDEX)) - 1
FIRM = 1 << len(INDEX)  # a bit of `also` while a clip is made: null, whatever it looks like


def bits(*names):
    return sum(1 << INDEX[n] for n in names)


# A change from one to the other looks like these gestures and may be one.
CLOSING, OPENING = bits("null", "grab", "zoomOut"), bits("null", "zoomIn")
ALIKE = {(1, 4): CLOSING, (1, 5): CLOSING, (6, 4): CLOSING, (6, 5): CLOSING, (6, 3): CLOSING, (1, 7): CLOSING, (7, 4): CLOSING,
         (1, 3): CLOSING, (6, 7): CLOSING, (7, 5): CLOSING,
         (4, 6): OPENING, (5, 6): OPENING, (5, 1): OPENING, (3, 6): OPENING, (2, 6): OPENING, (5, 7): OPENING}
OPEN = 0.25  # `openness` from which on a hand is an open one,
STRAIGHT = 0.45  # and from which on a palm: kusanagi-effect's has 0.54
EDGE = 0.12  # seconds before and after a pose in which it may be told
IGNORED = ("fist", "two", "three", "horns", "shaka", "ok", "pinch", "ring", "relaxed", "claw", "cup", "pistol")


def minimum_jerk(u):
    u = np.clip(u, 0, 1)
    return u * u * u * (10 - 15 * u + 6 * u * u)


def blend(a, b, share):
    """Bones a, b [20,3], share [n,20] -> [n,20,3]: directions turn, by the palm's side where they are opposite; lengths go over."""
    la, lb = np.linalg.norm(a, axis=1), np.linalg.norm(b, axis=1)
    da, db = a / (la[:, None] + 1e-6), b / (lb[:, None] + 1e-6)
    s = share[..., None]
    d = (1 - s) * da + s * db + 2 * s * (1 - s) * (1 - (da * db).sum(1))[:, None] * PALMAR
    d /= np.linalg.norm(d, axis=2, keepdims=True) + 1e-6
    return d * ((1 - share) * la + share * lb)[..., None]


def flex(bones, angles):
    """Bends fingers: bones [20,3], angles [n,5,3] at the three joints of each finger, towards the palm -> [n,20,3]."""
    out = np.broadcast_to(bones, (len(angles), 20, 3)).copy()
    for finger in range(5):
        total = np.zeros(len(angles))
        for joint in range(3):
            total = total + angles[:, finger, joint]
            k = 4 * finger + 1 + joint
            out[:, k] = np.einsum("nij,j->ni", turn(total, 0), bones[k])
    return out


def chained(base, other, fingers):
    """The bones of `base` with some fingers of `other`, in proportion to the palms."""
    out = base.copy()
    for finger in fingers:
        k = slice(4 * finger + 1, 4 * finger + 4)
        out[k] = other[k]
    return out


def played(path, at):
    """Bones [K,20,3] at the shares `at` [n] of their time -> [n,20,3]."""
    t = np.clip(at, 0, 1) * (len(path) - 1)
    k = np.minimum(t.astype(int), len(path) - 2)
    w = (t - k)[:, None, None]
    return path[k] * (1 - w) + path[k + 1] * w


def openness(bones):
    """How far the four fingers go on where the palm points: the mean cosine of tip and palm. 1: straight, 0: at right angles."""
    return float(opened(points_of(bones)[None])[0])


def opened(points):
    """`openness` of hands [N,21,3] -> [N]."""
    palm, tip = points[:, [5, 9, 13, 17]] - points[:, :1], points[:, [8, 12, 16, 20]] - points[:, [7, 11, 15, 19]]
    return ((palm * tip).sum(2) / (np.linalg.norm(palm, axis=2) * np.linalg.norm(tip, axis=2) + 1e-6)).mean(1)


def tag_of(pose, bones):
    """A loose hand that is open enough is an open one."""
    if pose in ("relaxed", "claw", "cup"):
        share = openness(bones)
        return 7 if share < 0.1 else 8 if share < OPEN or pose == "cup" else 1
    return TAG.get(pose, 0)


class Shapes:
    """Draws skeletons of one split by pose."""

    def __init__(self, bank, held_out):
        at = bank["held_out"] == held_out
        self.bones, self.view = bank["bones"][at].astype(np.float64), bank["view"][at].astype(np.float64)
        name, source = bank["name"][at], bank["source"][at]
        self.rows, self.probability = {}, {}
        for pose in sorted(set(name)):
            rows = np.flatnonzero(name == pose)
            # Sources count by the root of their size: some are many pictures of few people.
            weight = np.zeros(len(rows))
            for one in set(source[rows]):
                mine = source[rows] == one
                weight[mine] = mine.sum() ** -0.4
            self.rows[pose], self.probability[pose] = rows, weight / weight.sum()

        at = bank["trace_held_out"] == held_out
        self.traces = {name: bank["trace"][at & (bank["trace_name"] == name)].astype(np.float64) for name in ("stroke", "drawing")}
        self.trace_weights = {name: bank["trace_weight"][at & (bank["trace_name"] == name)] for name in self.traces}

        at = bank["motion_held_out"] == held_out
        self.motions = {name: bank["motion"][at & (bank["motion_name"] == name)].astype(np.float64) for name in ("grab", "pinch")}
        self.motion_views = {name: bank["motion_view"][at & (bank["motion_name"] == name)].astype(np.float64) for name in ("grab", "pinch")}
        self.motion_seconds = {name: bank["motion_seconds"][at & (bank["motion_name"] == name)] for name in ("grab", "pinch")}

    def recorded(self, rng, name):
        """-> (bones [48,20,3] of a recorded closing, its view, its seconds)."""
        k = int(rng.integers(len(self.motions[name])))
        return self.motions[name][k], self.motion_views[name][k], float(self.motion_seconds[name][k])

    def trace(self, rng, name):
        """-> [16,2]: the way of a real fingertip, of `skeletons.traced`."""
        weight = self.trace_weights[name]
        return self.traces[name][rng.choice(len(weight), p=weight / weight.sum())]

    def row(self, rng, pose):
        return int(rng.choice(self.rows[pose], p=self.probability[pose]))

    def draw(self, rng, pose):
        """-> bones of a hand in that pose, real or put together from real fingers."""
        g = lambda name: self.bones[self.row(rng, name)]
        if pose == "relaxed":
            a, b = g("open"), g("fist")
            share = np.clip(rng.uniform(0.33, 0.65) + rng.normal(0, 0.08, 5) + np.linspace(-0.1, 0.1, 5), 0, 1)
            return blend(a, b, share[FINGER][None])[0]
        if pose == "claw":
            return flex(g("open"), np.tile([rng.uniform(-0.1, 0.3), rng.uniform(0.5, 1.1), rng.uniform(0.3, 0.8)], (1, 5, 1)) * [[[0.4], [1], [1], [1], [1]]])[0]
        if pose == "cup":
            return flex(g("ring" if rng.random() < 0.6 else "open"), rng.uniform(0.1, 0.5, (1, 5, 3)))[0]
        if pose == "pistol":
            return chained(g("thumb"), g("point"), [1])
        if pose == "ok" and rng.random() < 0.5:
            return self.pinch(rng, 2, False)[0]
        if pose == "pinch" and (rng.random() < 0.7 or "pinch" not in self.rows):
            return self.pinch(rng, int(rng.choice([2, 3, 5])), rng.random() < 0.5)[0]
        if pose in ("fist", "thumb", "shaka", "horns") and rng.random() < 0.15:
            return chained(g(pose), g("fist"), [2, 3])
        if pose == "point" and rng.random() < 0.3:
            return chained(g("fist") if rng.random() < 0.5 else g("two"), g("point"), [1, 2, 3, 4]) if rng.random() < 0.5 else chained(g("fist"), g("point"), [1])
        bones = g(pose)
        if pose == "open" and rng.random() < 0.3:
            bones = chained(bones, g("open"), [0, 1, 2, 3, 4])
        if pose == "open" and rng.random() < 0.3:
            # Not quite straight, and the fingers side by side.
            bend = np.tile(rng.uniform(0, 0.28, 3), (1, 5, 1)) * np.array([0.3, 1, 1, 1, 1])[:, None]
            bones = flex(bones, bend)[0]
            if rng.random() < 0.6:
                middle = bones[9:12].copy()
                for finger in (1, 3, 4):
                    k = slice(4 * finger + 1, 4 * finger + 4)
                    long = np.linalg.norm(bones[k], axis=1, keepdims=True)
                    way = bones[k] / long + rng.uniform(0.4, 0.9) * middle / np.linalg.norm(middle, axis=1, keepdims=True)
                    bones[k] = way / np.linalg.norm(way, axis=1, keepdims=True) * long
        elif pose == "open" and rng.random() < 0.4:
            # Loosely held: bent mostly at the middle joint.
            bend = np.array([rng.uniform(0, 0.4), rng.uniform(0.1, 0.9), rng.uniform(0, 0.5)]) * rng.uniform(0.8, 1.2, (5, 1))
            for share in (1.0, 0.6, 0.3):
                loose = flex(bones, (share * bend * np.array([0.3, 1, 1, 1, 1])[:, None])[None])[0]
                if openness(loose) > OPEN:
                    return loose
        return bones

    def pinch(self, rng, digits, others_curled):
        """-> (closed, open): thumb and the next digits - 1 fingertips together, and the same hand with them spread."""
        g = lambda name: self.bones[self.row(rng, name)]
        rest = g("fist") if others_curled else g("open")
        ok = g("ok") if rng.random() < 0.6 else g("ring")
        base = chained(g("ok"), rest, [2, 3, 4]) if others_curled else g("ok").copy()
        closed = chained(base, ok, [0, 1])
        if digits >= 3:
            closed = chained(closed, g("ring"), [0, 1, 2] if digits == 3 else [0, 1, 2, 3, 4])
        spread = chained(closed, g("open"), list(range(digits)) if digits < 5 else [0, 1, 2, 3, 4])
        if digits < 5 and rng.random() < 0.5:
            # L-shaped: index of a pointing hand, thumb well apart.
            spread = chained(spread, g("point") if digits == 2 else g("two" if rng.random() < 0.5 else "open"), list(range(1, digits)))
            spread = chained(spread, g("open"), [0])
        if rng.random() < 0.6:
            bend = np.zeros((1, 5, 3))
            bend[:, 1:digits] = rng.uniform(0.0, 0.5, 3)
            spread = flex(spread, bend)[0]
        # Tips meet: what is left of the gap goes into the fingers evenly.
        points = points_of(closed)
        meeting = points[[4 * k + 4 for k in range(digits)]].mean(0) + rng.normal(0, 0.06, 3)
        for k in range(digits):
            slip = (meeting - points[4 * k + 4]) * rng.uniform(0.75, 1.0)
            closed[4 * k + 1:4 * k + 4] += slip / 3
        return closed, spread


class Track:
    def __init__(self, rng, shapes, aspect):
        self.rng, self.shapes, self.aspect = rng, shapes, aspect
        self.parts = {k: [] for k in ("bones", "channels", "view", "label", "also", "seen", "tag")}
        self.ticks = self.done = 0
        self.notes = []  # (first tick, what is played), for looking at mistakes
        size = np.exp(rng.uniform(np.log(0.022), np.log(0.14))) if rng.random() < 0.8 else np.exp(rng.uniform(np.log(0.1), np.log(0.34)))
        self.size0 = size
        self.now = np.array([rng.uniform(0.2, 0.8) * aspect, rng.uniform(0.3, 0.7), np.log(size), rng.normal(0, 0.25) if rng.random() < 0.7 else rng.normal(0, 0.7), 0.0, 0.0])
        if rng.random() < 0.5:
            self.now[4:] = rng.normal(0, 0.3), rng.normal(0.05, 0.3)
        else:
            self.now[4:] = rng.normal(0, 0.45), np.clip(rng.normal(0.3, 0.5), -0.6, 1.25)
        if rng.random() < 0.12:
            # Held anyhow: hanging, lying, upside down.
            self.now[3:] = rng.uniform(-np.pi, np.pi), rng.normal(0, 0.5), rng.uniform(-1.3, 1.3)
        self.home = self.now.copy()
        self.bones = shapes.draw(rng, "relaxed")
        self.tag = tag_of("relaxed", self.bones)
        self.view = shapes.view[shapes.row(rng, rng.choice(["open", "fist", "point", "two", "thumb"], p=[0.4, 0.2, 0.2, 0.1, 0.1]))]

    @property
    def size(self):
        return float(np.exp(self.now[2]))

    def clock(self, seconds):
        return max(int(round(seconds * TICK)), 1)

    def add(self, n, bones, channels, label=NULL, also=0, seen=True, tag=None):
        channels = np.broadcast_to(channels, (n, 6)).copy()
        self.parts["bones"].append(np.broadcast_to(bones, (n, 20, 3)).astype(np.float32))
        self.parts["channels"].append(channels)
        self.parts["view"].append(np.broadcast_to(self.view, (n, 3, 3)))
        for key, value, kind in (("label", label, np.int64), ("also", also, np.int64), ("seen", seen, bool),
                                 ("tag", self.tag if tag is None else tag, np.int64)):
            self.parts[key].append(np.broadcast_to(np.asarray(value, kind), n).copy())
        self.ticks += n
        self.now = channels[-1].copy()
        self.bones = np.asarray(self.parts["bones"][-1][-1], np.float64)

    def tremor(self, n, amount=1.0):
        """Small motion of a held hand: [n,6], zero at the start."""
        rng, t = self.rng, np.arange(1, n + 1) / TICK
        scale = np.array([0.08 * self.size, 0.08 * self.size, 0.012, 0.035, 0.05, 0.05]) * amount
        out = np.zeros((n, 6))
        for _ in range(2):
            rate, phase = rng.uniform(0.3, 4, 6), rng.uniform(0, 6.28, 6)
            out += rng.normal(0, 0.6, 6) * (np.sin(6.28 * rate * t[:, None] + phase) - np.sin(phase))
        return out * scale

    def ease(self, n):
        u = np.arange(1, n + 1) / n
        u = u ** np.exp(self.rng.normal(0, 0.15))
        linear = self.rng.uniform(0, 1) if self.rng.random() < 0.35 + 0.3 * (n > 0.6 * TICK) else 0.0
        return linear * u + (1 - linear) * minimum_jerk(u)

    def go(self, seconds, target=None, pose=None, *, fingers=0.0, early=(0.0, 1.0), tremble=0.6, label=NULL, also=0, seen=True, extra=None, named=0,
           surely_null=False, path=None, share=None):
        """Moves channels to `target` (dict or array) and bones to `pose` (a name or bones) in the share `early` of the time. share: of the way at each tick."""
        n = self.clock(seconds)
        u = self.ease(n) if share is None else share
        goal = self.now.copy()
        if isinstance(target, dict):
            for key, value in target.items():
                goal[CHANNELS.index(key)] = value
        elif target is not None:
            goal[:] = target
        channels = self.now + (goal - self.now) * u[:, None] + self.tremor(n, tremble)
        if extra is not None:
            channels = channels + extra
        tag = None
        if path is not None:
            bones, tag = played(path, np.arange(1, n + 1) / n), np.zeros(n, np.int64)
            tag[-1] = self.tag = named
        elif pose is None:
            bones = self.bones
        else:
            last = self.shapes.draw(self.rng, pose) if isinstance(pose, str) else pose
            before, after = self.tag, tag_of(pose, last) if isinstance(pose, str) else named
            bones = self.change(n, last, fingers, early)
            tag = np.zeros(n, np.int64) if before != after else np.full(n, after)
            tag[-1] = after
            if surely_null:
                also |= FIRM
            else:
                also |= ALIKE.get((7 if before == 8 else before, 7 if after == 8 else after), 0)
            self.tag = after
        self.add(n, bones, channels, label, also, seen, tag)
        return u

    def change(self, n, to, fingers=0.0, early=(0.0, 1.0)):
        """Bones on their way to others: [n,20,3]. Fingers start up to `fingers` of the time apart."""
        t = np.arange(1, n + 1) / n
        t = np.clip((t - early[0]) / max(early[1] - early[0], 1e-3), 0, 1)
        delay = self.rng.uniform(0, fingers, 6) if fingers else np.zeros(6)
        if self.rng.random() < 0.5:
            delay = np.sort(delay)
        share = minimum_jerk((t[:, None] - delay) / (1 - fingers + 1e-6))
        index = FINGER.copy()
        index[[0, 4, 8, 12, 16]] = 5  # the palm goes over with a share of its own
        return blend(self.bones, to, share[:, index])

    def become(self, pose, named=0):
        """Another shape at once, as while nobody looks."""
        self.bones = self.shapes.draw(self.rng, pose) if isinstance(pose, str) else pose.copy()
        self.tag = tag_of(pose, self.bones) if isinstance(pose, str) else named

    def hide(self, seconds):
        self.add(self.clock(seconds), self.bones, self.now, seen=False)

    def event(self, name, begin, end, margin_before=0.08, margin_after=0.06):
        """Labels ticks begin...end (the track is made longer if need be), at least HOLD seconds."""
        end = max(end, begin + self.clock(HOLD))
        if end + 2 > self.ticks:
            self.go((end + 2 - self.ticks) / TICK, tremble=0.4)
        either = bits(name, "null")
        for key, value, a, b in (("also", either, begin - self.clock(margin_before), begin + self.clock(0.03)),
                                 ("also", either, end, end + self.clock(margin_after)), ("label", INDEX[name], begin, end),
                                 ("also", 0, begin + self.clock(0.03), end)):
            self.overwrite(key, value, max(a, 0), min(b, self.ticks))

    def overwrite(self, key, value, a, b):
        """Classes that are as right are added, all else is replaced."""
        at = 0
        for part in self.parts[key]:
            lo, hi = max(a - at, 0), min(b - at, len(part))
            if lo < hi:
                part[lo:hi] = value | part[lo:hi] if key == "also" and value else value
            at += len(part)

    # Places

    def place(self, reach=None, margin=0.12):
        """Somewhere in the frame, within `reach` of now."""
        rng = self.rng
        x, y = rng.uniform(margin, 1 - margin) * self.aspect, rng.uniform(margin, 1 - margin)
        if reach is not None:
            d = np.array([x - self.now[0], y - self.now[1]])
            far = np.hypot(*d)
            k = min(1.0, reach / max(far, 1e-6)) * rng.uniform(0.3, 1)
            x, y = self.now[0] + d[0] * k, self.now[1] + d[1] * k
        return {"x": float(np.clip(x, 0.03 * self.aspect, 0.97 * self.aspect)), "y": float(np.clip(y, 0.03, 0.97))}

    def arrive(self, pose, seconds=None, named=0, **angles):
        """Comes to a place in a pose without swiping. named: the tag of bones."""
        if self.ticks == 0:
            self.now[:2] = list(self.place().values())
            self.bones = self.shapes.draw(self.rng, pose) if isinstance(pose, str) else pose.copy()
            self.tag = tag_of(pose, self.bones) if isinstance(pose, str) else named
            for key, value in angles.items():
                self.now[CHANNELS.index(key)] = value
            self.add(1, self.bones, self.now)
            return
        target = self.place(2.0 * self.size) | {"roll": self.home[3], "yaw": self.home[4], "pitch": self.home[5]} | angles
        self.go(seconds or self.rng.uniform(0.3, 0.8), target, pose, fingers=0.3, named=named)

    def aim(self, spread):
        """The roll of a finger that points: about as the hand is held, or well aside."""
        rng = self.rng
        return self.home[3] + (rng.normal(0, spread) if rng.random() < 0.8 else rng.choice([-1, 1]) * rng.uniform(0.7, 2.0))

    # Gestures

    def note(self, text):
        self.notes.append((self.ticks, text))

    def gesture(self, name):
        self.note(name)
        if name in SWIPES:
            self.swipe(name)
        elif name in ("zoomIn", "zoomOut"):
            self.zoom(name)
        else:
            {"grab": self.grab, "tap": self.tap, "openPalm": self.palm, "point": self.point, "thumbsUp": self.thumb, "thumbsDown": self.thumb}[name](name)

    def rest(self, seconds, wander=0.0):
        """Holds what it shows; `still` labels it."""
        extra = self.wandering(self.clock(seconds), wander) if wander else None
        self.go(seconds, tremble=self.rng.uniform(0.2, 1.5), extra=extra)

    def wandering(self, n, amount):
        """Smooth motion [n,6] of a hand that is not still, `amount` in palm sizes, zero at the start."""
        rng, t = self.rng, np.arange(1, n + 1)[:, None] / TICK
        out = np.zeros((n, 6))
        for _ in range(3):
            rate, phase = rng.uniform(0.15, 1.2, 6), rng.uniform(0, 6.28, 6)
            out += rng.normal(0, 0.5, 6) / (0.5 + rate) * (np.sin(6.28 * rate * t + phase) - np.sin(phase))
        return out * np.array([amount * self.size, amount * self.size, 0.05, 0.1 * min(amount, 3), 0.12 * min(amount, 3), 0.12 * min(amount, 3)])

    def palm(self, name="openPalm"):
        rng = self.rng
        self.arrive("open" if rng.random() < 0.93 else "four")
        self.rest(rng.uniform(0.6, 1.8), rng.choice([0.0, rng.uniform(0, 0.9)]))

    def point(self, name="point"):
        rng = self.rng
        self.arrive("point", roll=self.aim(0.5), pitch=rng.choice([self.home[5], rng.uniform(0, 1.2)]))
        self.rest(rng.uniform(0.5, 2.0), rng.choice([0.0, rng.uniform(0, 1.0), rng.uniform(1.0, 3.0)]))

    def thumb_roll(self, bones, up, yaw, pitch):
        """The roll with which a thumb points up or down in the picture."""
        points = points_of(bones[None])[0] @ (turn(np.array(pitch), 0) @ turn(np.array(yaw), 1) @ self.view).T
        d = points[4] - points[2]
        angle = np.arctan2(d[0], -d[1])
        return (0.0 if up else np.pi) - angle

    def thumb(self, name):
        rng = self.rng
        row = self.shapes.row(rng, "thumb")
        bones = self.shapes.bones[row]
        if rng.random() < 0.4:
            # Fingers that are loosely closed, or read so.
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
            # A third begin with a move the other way.
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
            # As a real fingertip went.
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
        """Holds on, goes out of the picture, or comes back: null."""
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
        """The forearm turns about the elbow, from one side to the other or from up to down, by way of the camera; held before and after."""
        rng = self.rng
        pose = str(rng.choice(["open", "four", "two", "three", "pistol", "point"], p=[0.4, 0.12, 0.22, 0.08, 0.1, 0.08]))
        bones, arm = self.shapes.draw(rng, pose), rng.uniform(3.5, 8) * self.size
        named = TAG.get(pose, 0) if pose != "four" else 1
        over = rng.uniform(0.2, 1.35)  # how far it turns towards the camera in the middle
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
        """From a fist or a loose hand: a small move to the other side, then hand and wrist open within a few frames, and fold again."""
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
            # Back at once: what was meant is told by the first. After a while it may be another, and a window does not reach further.
            late = self.ticks - self.done > self.clock(0.25)
            self.go(rng.uniform(0.15, 0.6), None, first[0], fingers=0.2, also=bits("null", BACK[name]) if late else 0, named=first[1], surely_null=True)
        elif after < 0.6:
            self.go(rng.uniform(0.2, 0.6), self.place(2 * self.size), str(rng.choice(["relaxed", "fist"])), fingers=0.3)

    def articulate(self, name, last, seconds, named, path=None, travel=0.25):
        """travel: palm sizes that the hand moves meanwhile, about."""
        rng = self.rng
        begin = self.ticks
        self.go(seconds, {"x": self.now[0] + rng.normal(0, travel) * self.size, "y": self.now[1] + rng.normal(0, travel) * self.size,
                          "roll": self.now[3] + rng.normal(0, 0.12), "yaw": self.now[4] + rng.normal(0, 0.12),
                          "pitch": self.now[5] + rng.normal(0, 0.12), "ls": self.now[2] + rng.normal(0, 0.05)},
                last, fingers=rng.uniform(0, 0.4), tremble=0.6, named=named, path=path)
        end = self.done = self.ticks
        self.go(rng.uniform(0.12, 0.7) if rng.random() < 0.7 else rng.uniform(0.02, 0.15), tremble=0.6)
        # As long as the hand stays as it is, it is told of for a while.
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

    # No gesture

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
        """A hand in any pose that is no gesture moves as hands do."""
        rng = self.rng
        self.arrive(str(rng.choice(IGNORED)))
        n = self.clock(rng.uniform(0.6, 1.8))
        self.go(n / TICK, extra=self.wandering(n, rng.uniform(0.5, 5)))

    def _pointing(self):
        """A finger, or two, that points, wanders, draws, rests, wobbles: not a tap."""
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
            # The finger breathes without dipping.
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
        """Comes into the picture or leaves it, in any pose."""
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
        """From place to place in a pose that swipes nothing, or as a palm too slowly for a swipe."""
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
        """A hand that waves or rocks: no swipe."""
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
        """A hand that beckons or shoos, again and again: null, but each time may be a tap where there is time for one, and a finger may point."""
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
        """A hand, mostly a finger, that writes, draws and waves as real fingertips did."""
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
        """Rolls or turns about its own axis; nodding, each time may be a tap."""
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
        """Fingers strike one after another."""
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
        """Something held is lifted or put down."""
        rng = self.rng
        self.arrive(str(rng.choice(["cup", "claw", "ring", "fist", "relaxed"])), roll=rng.choice([-1, 1]) * rng.uniform(0.6, 1.7), yaw=rng.normal(0, 0.8))
        for _ in range(2):
            self.go(rng.uniform(0.4, 0.9), {"y": self.now[1] + rng.choice([-1, 1]) * rng.uniform(1, 6) * self.size, "x": self.now[0] + rng.normal(0, 1) * self.size,
                                            "roll": self.now[3] + rng.normal(0, 0.4), "pitch": self.now[5] + rng.normal(0, 0.3)}, tremble=1)

    def _talk(self):
        """Hands that talk: shapes, places and angles change together, without an aim."""
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
        """A fist or a loose hand opens fully, or a pose changes into another: no gesture of ours."""
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
        """A fist opens and closes again and again, or a pinch does, too quickly for a gesture each."""
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
        """Something that is no hand is taken for one, a moment, anywhere."""
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

    def finish(self, seconds):
        """-> dict: points [T,21,3] in heights of the frame about the palm's place (x, y) and depth, label, also, seen [T]."""
        n = self.clock(seconds)
        out = {k: np.concatenate(v)[:n] for k, v in self.parts.items()}
        channels = out.pop("channels")
        rotation = turn(channels[:, 3]) @ turn(channels[:, 5], 0) @ turn(channels[:, 4], 1) @ out.pop("view")
        points = points_of(out.pop("bones").astype(np.float64)) @ rotation.transpose(0, 2, 1)
        points -= points[:, [0, 5, 9, 13, 17]].mean(1, keepdims=True)
        openness = opened(points)
        out["points"] = points * np.exp(channels[:, 2])[:, None, None]
        # Nearer parts look larger: the camera is `far` palm sizes away.
        far = self.rng.uniform(9, 40)
        out["points"] *= 1 / (1 + np.clip(points[..., 2:] / far, -0.6, 1.0))
        out["points"][..., 0] += channels[:, :1]
        out["points"][..., 1] += channels[:, 1:2]
        moving(out, channels)
        out["also"] &= ANY
        still(out, channels, openness)
        return out


def runs(values):
    """-> (first, end, value) of each stretch of equal values."""
    cut = np.flatnonzero(np.diff(values)) + 1
    return [(a, b, values[a]) for a, b in zip([0, *cut], [*cut, len(values)])]


def moving(out, channels):
    """An open hand that goes straight ahead as one that swipes may be one, whatever it was played for: no window could tell.

    Not where a hand comes, leaves or draws back: that is null.
    """
    size = np.exp(channels[:, 2:3])
    place = channels[:, :2] / size
    third, half = int(0.33 * TICK), int(0.5 * TICK)

    def gone(ticks):
        return place - np.concatenate([np.repeat(place[:1], ticks, 0), place])[:len(place)]

    way = gone(third)
    steps = np.linalg.norm(gone(5), axis=1)
    path = sum(np.concatenate([np.zeros(k), steps])[:len(steps)] for k in range(0, half, 5))
    far = np.linalg.norm(way, axis=1)
    straight = np.linalg.norm(gone(half), axis=1) > 0.85 * path
    open_ = np.zeros(len(place), bool)
    stretches = runs(out["tag"])
    for k, (a, b, tag) in enumerate(stretches):
        open_[a:b] = tag in (1, 8) or tag == 0 and k + 1 < len(stretches) and stretches[k + 1][2] == 1
    like = open_ & straight & (far > 0.6) & (np.abs(way).max(1) > 0.82 * far) & (out["label"] == NULL) & (out["also"] & FIRM == 0)
    for name, (x, y) in SWIPES.items():
        out["also"] |= np.where(like & (way @ np.array([x, y]) > 0.82 * far), bits("null", name), 0)


def still(out, channels, openness):
    """Labels every stretch that shows a palm, a pointing finger or a thumb and moves little, whatever it was played for.

    How much it moves is told by the last third of a second: the palm's place, in palm sizes, and its angles. Moving somewhat more, just
    come, about to change (EDGE; a palm as long as it is open), or half open, it is its pose or null. A palm that rolls or drifts is none.
    openness: of each tick's hand.
    """
    tag, label, also = out["tag"], out["label"], out["also"]
    k, edge = int(0.33 * TICK), int(EDGE * TICK)
    size = np.exp(channels[:, 2])
    null = 1 << NULL
    padded = np.concatenate([np.repeat(channels[:1], k, 0), channels])
    span = np.ptp(np.lib.stride_tricks.sliding_window_view(padded, k + 1, axis=0), axis=2)
    rest = (np.hypot(span[:, 0], span[:, 1]) < 0.52 * size) & (span[:, 3] < 0.16)
    for a, b, pose in runs(tag):
        if pose not in (1, 2, 3, 8):
            continue
        for lo, hi, seen in runs(out["seen"][a:b]):
            if not seen:
                continue
            lo, hi = a + lo, a + hi
            c = channels[lo:hi]
            padded = np.concatenate([np.repeat(c[:1], k, 0), c])
            windows = np.lib.stride_tricks.sliding_window_view(padded, k + 1, axis=0)
            span = windows.max(2) - windows.min(2)
            far = np.hypot(span[:, 0], span[:, 1]) / size[lo:hi]
            roll, bend = span[:, 3], span[:, 3:].max(1)
            age = np.arange(hi - lo) / TICK
            if pose in (1, 8):
                sure, maybe = (far < 0.7) & (roll < 0.25) & (bend < 0.45), (far < 1.1) & (roll < 0.4) & (bend < 0.7)
                sure = sure & (age >= 0.35) & (pose == 1) & (openness[lo:hi] > STRAIGHT)
                name = np.full(hi - lo, INDEX["openPalm"])
            elif pose == 2:
                sure, maybe = (far < 1.6) & (bend < 0.5), (far < 2.4) & (bend < 0.9)
                sure = sure & (age >= 0.25)
                name = np.full(hi - lo, INDEX["point"])
            else:
                d = out["points"][lo:hi, 4] - out["points"][lo:hi, 2]
                up = np.arctan2(d[:, 0], -d[:, 1])
                angle = np.minimum(np.abs(up), np.pi - np.abs(up))
                short = np.hypot(d[:, 0], d[:, 1]) < 0.7 * size[lo:hi]
                sure, maybe = (far < 0.9) & (bend < 0.35) & (angle < 0.78) & ~short, (far < 1.7) & (bend < 0.6) & (angle < 1.08)
                sure = sure & (age >= 0.25)
                name = np.where(np.abs(up) < np.pi / 2, INDEX["thumbsUp"], INDEX["thumbsDown"])
            mine = label[lo:hi] == NULL
            also[lo:hi] |= np.where(mine & maybe, null | 1 << name, 0)
            # A sure rest is one even around a gesture of another kind; there null stays as right.
            also[lo:hi] &= ~np.where(mine & sure & (also[lo:hi] == (null | 1 << name)), null, 0)
            label[lo:hi] = np.where(mine & sure, name, label[lo:hi])
            for to, moment in ((-1, 0), (1, -1)):
                t = (lo - 1, hi)[moment]
                at = t
                while maybe[moment] and 0 <= t < len(label) and tag[t] in (0, 7, 8) and out["seen"][t] and (abs(t - at) < edge or (
                        pose == 1 and openness[t] > OPEN and rest[t])):
                    also[t] |= null | 1 << name[moment] if label[t] == NULL else 0
                    t += to


def write(rng, shapes, seconds, wanted=None, null_share=0.5, lead=0.3):
    """A clip of `seconds` -> (dict of `finish` with `aspect`, events [(class, first tick, end tick)]).

    wanted: a label that comes first, after about `lead` seconds; more are drawn evenly. "null": nothing but what is no gesture.
    """
    aspect = float(rng.choice([4 / 3, 16 / 9, 16 / 9, 3 / 4, 1.0], p=[0.36, 0.3, 0.26, 0.05, 0.03]))
    track = Track(rng, shapes, aspect)
    names = [n for n in INDEX if n != "null"]
    if wanted is None:
        wanted = str(rng.choice(names))
    if rng.random() < 0.8:
        while track.ticks < lead * TICK:
            track.nothing()
    if wanted != "null":
        track.gesture(wanted)
    while track.ticks < seconds * TICK:
        if wanted == "null" or rng.random() < null_share:
            track.nothing()
        else:
            track.gesture(str(rng.choice(names)))
    out = track.finish(seconds)
    out["also"] |= 1 << out["label"]
    events = [(c, a, b) for a, b, c in runs(out["label"]) if c != NULL and (b - a >= 0.3 * TICK or c not in POSES)]
    return out | {"aspect": aspect, "notes": track.notes}, events
