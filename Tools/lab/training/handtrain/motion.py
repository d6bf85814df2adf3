"""Where a frame changes, as twelve features of a column: movement is visible even if the tracker has lost the hand. From luma alone, at any frame
rate.

A frame is read on a grid of 64 x 48 cells (48 x 64 if it is higher than wide): a cell is the sum of 4 x 4 pixels, sample i of an axis of n pixels and
S samples at (2i + 1) * n // 2S. It is compared with the latest grid that is at least BEFORE older; a grid that equals the one before it is the same
frame again and is ignored.

- change = max(|cell - cell before| - their median - NOISE, 0); W is its sum in luma values of a pixel.
- The movement of the whole frame is removed. If W is at least LEAST and the change is as wide and as high as SPREAD, the shift s of all cells is
  estimated by Lucas and Kanade's least squares on the inner cells, in ROUNDS; all but the first weigh a cell by 1 / (1 + (remaining difference /
  UNLIKE)^2). The earlier grid is then moved by s, interpolated linearly between cells; if W becomes less than KEPT of its value, the shift counts.

Positions are shares of the upright frame; x, y and shift refer to the stored frame turned upright:

    amount              W / (W + 400)
    moveX, moveY        centroid of change; 0.5 where W < LEAST
    wideX, wideY        its standard deviations; 0 where W < LEAST
    area                share of cells that change
    shiftX, shiftY      the shift of the whole frame
    nearby              share of W in a square around the hand's last position, up to 2.5 palm sizes (`features`: s) from it; 0 without one
    lastX, lastY, age   the palm's last position, and its age t as t / (t + 0.5); 0.5, 0.5, 1 if there was no hand
"""

import collections

import numpy as np

ACROSS, DOWN, SAMPLES = 64, 48, 4
BEFORE = 0.024  # seconds: two frames at 60 a second, three at 120
CODE = SAMPLES * SAMPLES
NOISE, UNLIKE = 6 * CODE, 8.0 * CODE
SPREAD, KEPT, REACH, ROUNDS, LEAST = 0.15, 0.9, 4.0, 3, 24.0
NAMES = ("amount", "moveX", "moveY", "wideX", "wideY", "area", "shiftX", "shiftY", "nearby", "lastX", "lastY", "age")


def grid(luma):
    """uint8 [H,W] -> int32 [48,64], or [64,48] for a frame that is higher than wide."""
    height, width = luma.shape
    across, down = (ACROSS, DOWN) if width >= height else (DOWN, ACROSS)
    rows, columns = ((2 * np.arange(n * SAMPLES) + 1) * size // (2 * n * SAMPLES) for n, size in ((down, height), (across, width)))
    return luma[np.ix_(rows, columns)].reshape(down, SAMPLES, across, SAMPLES).sum((1, 3), dtype=np.int32)


def moved(cells, shift):
    """float32 cells moved by `shift` (x, y): cell (r, c) is the value at (r - y, c - x), edges repeated."""
    height, width = cells.shape
    out = cells
    for axis, s, n in ((0, shift[1], height), (1, shift[0], width)):
        at = np.arange(n, dtype=np.float32) - np.float32(s)
        low = np.floor(at)
        share = np.float32(at[0] - low[0])
        a, b = (np.clip(low.astype(int) + k, 0, n - 1) for k in (0, 1))
        first, second = np.take(out, a, axis), np.take(out, b, axis)
        out = first + share * (second - first)
    return out


def median(values):
    """The smallest integer that at least half of [N] numbers >= 0, rounded down, do not exceed."""
    return int(np.partition(values.ravel().astype(np.int32), (values.size - 1) // 2)[(values.size - 1) // 2])


def shift(cells, before):
    """float32 grids -> (x, y), the movement of the whole frame in cells."""
    s = np.zeros(2)
    for k in range(ROUNDS):
        was = moved(before, s)
        d = (cells - was)[1:-1, 1:-1].ravel()
        gx, gy = ((was[1:-1, 2:] - was[1:-1, :-2]) / 2).ravel(), ((was[2:, 1:-1] - was[:-2, 1:-1]) / 2).ravel()
        w = 1 / (1 + (d / UNLIKE) ** 2) if k else np.ones_like(d)
        xx, xy, yy, xd, yd = (float((w * a * b).sum()) for a, b in ((gx, gx), (gx, gy), (gy, gy), (gx, d), (gy, d)))
        det = xx * yy - xy * xy
        if det <= 1e-3 * max(xx * yy, 1):
            return 0.0, 0.0
        s = np.clip(s - np.array([yy * xd - xy * yd, xx * yd - xy * xd]) / det, -REACH, REACH)
    return float(s[0]), float(s[1])


def changed(cells, before):
    d = np.abs(cells - before)
    return np.maximum(d - median(d) - NOISE, 0)


def extent(change):
    """-> W, centroid x and y, deviations x and y."""
    height, width = change.shape
    total = float(change.sum()) / CODE
    if total < LEAST:
        return total, 0.5, 0.5, 0.0, 0.0
    place = []
    for sums, n in ((change.sum(0), width), (change.sum(1), height)):
        at = (np.arange(n) + 0.5) / n
        middle = float((sums * at).sum() / sums.sum())
        place.append((middle, float(np.sqrt((sums * (at - middle) ** 2).sum() / sums.sum()))))
    (x, wide), (y, high) = place
    return total, x, y, wide, high


class Motion:
    """The motion of one stream."""

    def __init__(self):
        self.grids = collections.deque(maxlen=8)
        self.numbers = np.array([0, 0.5, 0.5, 0, 0, 0, 0, 0, 0], np.float32)
        self.change = None
        self.last = None

    def see(self, cells, time, hand=None, aspect=4 / 3):
        """cells: of `grid`; time in seconds; hand: (x, y) of the palm in shares and its size s in heights, as in `features`, or None. -> float32
        [12]."""
        if not self.grids or not np.array_equal(cells, self.grids[-1][1]):
            before = next((g for t, g in reversed(self.grids) if t <= time - BEFORE), None)
            self.grids.append((time, cells))
            if before is not None and before.shape == cells.shape:
                self.compare(cells.astype(np.float32), before.astype(np.float32))
        # The position of the palm in this frame, or else the last one.
        place = hand if hand is not None else self.last[0] if self.last else None
        nearby = 0.0
        if place is not None and self.change is not None:
            (x, y), size = place[:2], place[2]
            height, width = self.change.shape
            cx, cy = (np.arange(width) + 0.5) / width, (np.arange(height) + 0.5) / height
            near = (np.abs(cx - x) <= 2.5 * size / aspect)[None] & (np.abs(cy - y) <= 2.5 * size)[:, None]
            total = self.change.sum()
            nearby = float((self.change * near).sum() / total) if total >= LEAST * CODE else 0.0
        if hand is not None:
            self.last = (hand, time)
        age = time - self.last[1] if self.last else None
        return np.array([*self.numbers[:8], nearby, *(self.last[0][:2] if self.last else (0.5, 0.5)), age / (age + 0.5) if self.last else 1.0], np.float32)

    def compare(self, cells, before):
        height, width = cells.shape
        change, s = changed(cells, before), (0.0, 0.0)
        total, x, y, wide, high = extent(change)
        if min(wide, high) >= SPREAD:
            s = shift(cells, before)
            other = changed(cells, moved(before, s))
            if other.sum() < KEPT * change.sum():
                change = other
                total, x, y, wide, high = extent(change)
            else:
                s = (0.0, 0.0)
        self.change = change
        self.numbers = np.array([total / (total + 400), x, y, wide, high, (change > 0).mean(), s[0] / width, s[1] / height, 0], np.float32)
