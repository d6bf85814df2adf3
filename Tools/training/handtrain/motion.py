"""Where a picture changes, as twelve numbers of a column: what moves is seen where the tracker has lost the hand. Luma alone, of any rate.

A picture is read on a grid of 64 x 48 cells (48 x 64 where it is higher than wide): a cell is the sum of 4 x 4 pixels, sample i of an axis of
n pixels and S samples at (2i + 1) * n // 2S. It is compared with the latest grid that is at least BEFORE old; a grid that equals the one before it is the
same picture again and changes nothing.

- change = max(|cell - cell before| - their median - NOISE, 0); W is its sum in codes.
- The whole picture's movement is taken out. Where W is LEAST or more and change is as wide and as high as SPREAD, the shift s of all cells is solved for by
  Lucas and Kanade's least squares on cells of the inside, in ROUNDS, of which all but the first weigh a cell by 1 / (1 + (what is left / UNLIKE)^2). The
  grid before is then read s away, linearly between cells, and where W becomes less than KEPT of what it was, so it stays.

Numbers, places as shares of the upright picture; x, y and shift are of the stored picture turned upright:

    amount              W / (W + 400)
    moveX, moveY        centroid of change; 0.5 where W < LEAST
    wideX, wideY        its standard deviations; 0 where W < LEAST
    area                share of cells that change
    shiftX, shiftY      the whole picture's shift
    nearby              share of W within 2.5 palm sizes (`features`: s), as a square, of where the hand was last; 0 without one
    lastX, lastY, age   the palm's place where a hand was last, its age t as t / (t + 0.5); 0.5, 0.5, 1 where none was
"""

import collections

import numpy as np

ACROSS, DOWN, SAMPLES = 64, 48, 4
BEFORE = 0.024  # seconds: two frames of 60 a second, three of 120
CODE = SAMPLES * SAMPLES
NOISE, UNLIKE = 6 * CODE, 8.0 * CODE
SPREAD, KEPT, REACH, ROUNDS, LEAST = 0.15, 0.9, 4.0, 3, 24.0
NAMES = ("amount", "moveX", "moveY", "wideX", "wideY", "area", "shiftX", "shiftY", "nearby", "lastX", "lastY", "age")


def grid(luma):
    """uint8 [H,W] -> int32 [48,64], or [64,48] of an upright picture."""
    height, width = luma.shape
    across, down = (ACROSS, DOWN) if width >= height else (DOWN, ACROSS)
    rows, columns = ((2 * np.arange(n * SAMPLES) + 1) * size // (2 * n * SAMPLES) for n, size in ((down, height), (across, width)))
    return luma[np.ix_(rows, columns)].reshape(down, SAMPLES, across, SAMPLES).sum((1, 3), dtype=np.int32)


def moved(cells, shift):
    """float32 cells as they are `shift` (x, y) later: cell (r, c) is what was at (r - y, c - x), edges repeated."""
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
    """Of [N] numbers >= 0 the smallest that half of them do not exceed, of whole numbers."""
    return int(np.partition(values.ravel().astype(np.int32), (values.size - 1) // 2)[(values.size - 1) // 2])


def shift(cells, before):
    """float32 grids -> (x, y) cells that the whole picture seems to have gone."""
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
    """Of one stream."""

    def __init__(self):
        self.grids = collections.deque(maxlen=8)
        self.numbers = np.array([0, 0.5, 0.5, 0, 0, 0, 0, 0, 0], np.float32)
        self.change = None
        self.last = None

    def see(self, cells, time, hand=None, aspect=4 / 3):
        """cells: of `grid`; time in seconds; hand: (x, y) of the palm in shares and its size s in heights, as `features` has them, or None. -> float32 [12]."""
        if not self.grids or not np.array_equal(cells, self.grids[-1][1]):
            before = next((g for t, g in reversed(self.grids) if t <= time - BEFORE), None)
            self.grids.append((time, cells))
            if before is not None and before.shape == cells.shape:
                self.compare(cells.astype(np.float32), before.astype(np.float32))
        # Where the hand was before this frame tells what is near.
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
