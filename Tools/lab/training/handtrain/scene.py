"""The camera's view of a hand that plays a script, on the grid of `motion`: a silhouette of hand and arm in front of a person and a room, each of one
brightness with some texture. It is coarse, but changes between frames are in the right places, and `motion` uses only these.
"""

import cv2
import numpy as np

from . import features, motion
from .script import TICK, runs
from .skeletons import palm_size

ACROSS, DOWN, FINE = motion.ACROSS, motion.DOWN, 2
PALM = [0, 1, 5, 9, 13, 17]
CHAINS = [[0, 1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 15, 16], [17, 18, 19, 20]]


def texture(rng, height, width):
    """Luma [height,width] of a room: soft light, and objects with edges."""
    out = np.full((height, width), rng.uniform(40, 200), np.float32)
    for cells, amount in ((4, 25), (12, 15)):
        out += cv2.resize(rng.normal(0, rng.uniform(0, amount), (cells, cells)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    for _ in range(int(rng.integers(0, 12))):
        x, y = rng.integers(0, width), rng.integers(0, height)
        cv2.rectangle(out, (int(x), int(y)), (int(x + rng.integers(2, width // 2)), int(y + rng.integers(2, height // 2))), float(rng.uniform(20, 235)), -1)
    out += rng.normal(0, rng.uniform(0, 6), out.shape)
    return np.clip(out, 0, 255)


def shown(clip):
    """Points [T,21,3], where hidden hands move from where they disappeared to where they return, and whether each is drawn."""
    points, drawn = clip["points"].copy(), np.ones(len(clip["seen"]), bool)
    for a, b, seen in runs(clip["seen"]):
        if not seen:
            if 0 < a and b < len(points):
                u = (np.arange(1, b - a + 1) / (b - a + 1))[:, None, None]
                points[a:b] = points[a - 1] * (1 - u) + points[b] * u
            else:
                drawn[a:b] = False
    return points, drawn


class Scene:
    def __init__(self, rng, clip):
        self.rng, self.aspect = rng, clip["aspect"]
        self.points, self.drawn = shown(clip)
        n = len(self.points)
        t = np.arange(n) / TICK
        self.room = texture(rng, DOWN + 16, ACROSS + 16)
        self.skin, self.sleeve, self.body, self.head = rng.uniform(60, 230), rng.uniform(20, 230), rng.uniform(20, 230), rng.uniform(60, 220)
        self.bend = rng.normal(0, 0.25)
        # A camera's own noise in a cell is small; artefacts of compression and of small palettes are larger, and not equal everywhere.
        self.noise = np.exp(rng.uniform(np.log(0.2), np.log(6.0)))
        uneven = rng.random() < 0.6
        self.where = np.clip(texture(rng, DOWN, ACROSS) / 128 - 0.3, 0, 2) if uneven else np.ones((DOWN, ACROSS), np.float32)
        self.pulse = int(rng.integers(8, 60)) if rng.random() < 0.2 else 0  # frames from one key frame of a film to the next
        self.frames = 0
        self.sleeved = rng.random() < 0.6
        self.person = rng.random() < 0.8
        self.sizes = palm_size(self.points)
        size = float(np.median(self.sizes))
        at = self.points[self.drawn][:, list(features.PALM), :2].mean((0, 1)) if self.drawn.any() else np.array([0.5 * self.aspect, 0.5])
        side = rng.choice([-1, 1])
        self.shoulder = at + np.array([side * rng.uniform(2, 6), rng.uniform(1, 8)]) * size
        self.middle = self.shoulder + np.array([side * rng.uniform(3, 5), 0]) * size
        self.size = size
        sway = np.zeros((n, 2))
        restless = np.exp(rng.uniform(np.log(0.03), np.log(0.5)))
        for _ in range(2):
            sway += rng.normal(0, restless, 2) * size * np.sin(6.28 * rng.uniform(0.1, 0.6, 2) * t[:, None] + rng.uniform(0, 6.28, 2))
        nod = sum(rng.normal(0, 0.3, 2) * size * np.sin(6.28 * rng.uniform(0.1, 1.0, 2) * t[:, None] + rng.uniform(0, 6.28, 2)) for _ in range(2))
        # The body moves with its arm.
        centre = self.points[:, list(features.PALM), :2].mean(1)
        self.sway = sway + rng.choice([0.0, rng.uniform(0, 0.12)]) * (centre - centre.mean(0))
        self.nod = nod * (rng.random() < 0.6)

    def cells(self, tick, exposure, camera):
        """int32 grid at a tick. exposure: ticks of motion blur; camera [2]: the shift of the whole frame, in shares."""
        rng = self.rng
        whole = np.zeros((DOWN, ACROSS), np.float32)
        ticks = sorted({max(int(tick - k), 0) for k in np.linspace(0, exposure, 3)})
        dx, dy = camera[0] * ACROSS, camera[1] * DOWN
        room = cv2.warpAffine(self.room, np.float32([[1, 0, dx - 8], [0, 1, dy - 8]]), (ACROSS, DOWN), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for k in ticks:
            picture = cv2.resize(room, None, fx=FINE, fy=FINE, interpolation=cv2.INTER_NEAREST) if FINE > 1 else room.copy()
            self.draw(picture, k, camera)
            whole += cv2.resize(picture, (ACROSS, DOWN), interpolation=cv2.INTER_AREA)
        self.frames += 1
        noise = self.noise * (3 if self.pulse and self.frames % self.pulse == 0 else 1)
        whole = whole / len(ticks) + rng.standard_normal(whole.shape, np.float32) * (noise * self.where)
        return np.rint(np.clip(whole, 0, 255) * motion.CODE).astype(np.int32)

    def draw(self, picture, k, camera):
        across, down = ACROSS * FINE / self.aspect, DOWN * FINE
        right, below = camera[0] * ACROSS * FINE, camera[1] * DOWN * FINE

        def at(x, y):
            return min(max(round((x * across + right) * 16), -60000), 60000), min(max(round((y * down + below) * 16), -60000), 60000)

        def line(a, b, width, code):
            cv2.line(picture, at(*a), at(*b), code, max(round(width * down), 1), cv2.LINE_8, 4)

        def ellipse(x, y, wide, high, code):
            cv2.ellipse(picture, at(x, y), (round(wide * across * 16), round(high * down * 16)), 0, 0, 360, code, -1, cv2.LINE_8, 4)

        s = self.size
        if self.person:
            x, y = (self.middle + self.sway[k]).tolist()
            ellipse(x, y + 5 * s, 4.2 * s, 6 * s, self.body)
            ellipse(x + self.nod[k, 0], y + self.nod[k, 1] - 3.2 * s, 1.8 * s, 2.4 * s, self.head)
        if not self.drawn[k]:
            return
        p, own = self.points[k], float(self.sizes[k])
        d = p[0] - p[9]
        d = d / (np.linalg.norm(d) + 1e-6)
        c, n = np.cos(self.bend), np.sin(self.bend)
        elbow = (float(p[0, 0] + (c * d[0] - n * d[1]) * 6.5 * own), float(p[0, 1] + (n * d[0] + c * d[1]) * 6.5 * own))
        wrist = p[0, :2].tolist()
        line((self.shoulder + self.sway[k]).tolist(), elbow, 1.5 * own, self.sleeve)
        line(elbow, wrist, 1.1 * own, self.sleeve if self.sleeved else self.skin)
        hand = np.clip(np.rint((p[:, :2] * [across, down] + [right, below]) * 16), -60000, 60000).astype(np.int32)
        cv2.fillConvexPoly(picture, cv2.convexHull(hand[PALM]), self.skin, cv2.LINE_8, 4)
        cv2.polylines(picture, [hand[chain] for chain in CHAINS], False, self.skin, max(round(0.42 * own * down), 1), cv2.LINE_8, 4)


def swaying(rng, clip):
    """The shift of a hand-held camera at each tick, in shares [T,2]: usually 0."""
    n = len(clip["label"])
    if rng.random() > 0.2:
        return np.zeros((n, 2))
    t = np.arange(n)[:, None] / TICK
    out = sum(rng.normal(0, 0.6, 2) * np.sin(6.28 * rng.uniform(0.3, 4, 2) * t + rng.uniform(0, 6.28, 2)) for _ in range(2))
    return out * np.exp(rng.uniform(np.log(0.002), np.log(0.02)))


def moves(rng, clip, shown, camera):
    """-> float32 [T,12]: `motion` on the grid of the frames of `camera.film`."""
    scene, watch, out = Scene(rng, clip), motion.Motion(), []
    where = features.numbers(np.nan_to_num(shown["landmarks"]), shown["right"], shown["aspect"])
    exposure = rng.uniform(0, 0.03) * TICK
    row = last = None
    for slot, (tick, fresh) in enumerate(zip(shown["tick"], shown["fresh"])):
        if fresh or row is None:
            if tick != last:
                last, cells = tick, scene.cells(int(tick), exposure, camera[int(tick)])
                if shown["mirror"]:
                    cells = cells[:, ::-1]
            else:
                # The same frame, encoded again by the video codec.
                cells = cells + rng.integers(-2, 3, cells.shape, np.int32)
            hand = None
            if shown["seen"][slot]:
                size = where[slot, 3]
                hand = (float(where[slot, 1]), float(where[slot, 2]), float(0.1 * size / (1 - size)))
            row = watch.see(np.ascontiguousarray(cells), float(tick) / TICK, hand, shown["aspect"])
        out.append(row)
    return np.stack(out)
