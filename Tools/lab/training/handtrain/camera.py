"""From a timeline to the tracker's output on the 30 Hz grid: the camera's pace, noise, lag, lost and false hands.

The sizes of the tracker's errors were measured on recordings.
"""

import numpy as np

from common.labels import MIRRORED

from . import features
from .script import TICK, blend
from .skeletons import palm_size, points_of, split, turn

GRID = 30


def paces(rng):
    """The frame rate of a source."""
    return float(rng.choice([30, 25, 24, 20, 16, 15, 12, 10], p=[0.45, 0.08, 0.07, 0.09, 0.09, 0.1, 0.05, 0.07]))


def times(rng, pace, seconds):
    """-> tick of the frame in each grid slot [seconds * GRID], and whether it is a new frame."""
    count = int(seconds * pace) + 2
    jitter = rng.uniform(0, 0.25) if rng.random() < 0.3 else 0.0
    at = (np.arange(count) + rng.uniform(-jitter, jitter, count)) / pace
    at += rng.uniform(0, 1 / pace) - at[0] - 1 / pace
    if rng.random() < 0.2:
        at = np.delete(at, np.flatnonzero(rng.random(count) < 0.03)[:3])
    slots = np.arange(int(seconds * GRID)) / GRID
    newest = np.maximum(np.searchsorted(at, slots, side="right") - 1, 0)
    shown = np.arange(len(at))
    if rng.random() < 0.25:
        # A film of a low frame rate in a file of a higher one: frames are repeated, nearly the same.
        again = np.arange(len(at)) % 2 == 1 if rng.random() < 0.5 else rng.random(len(at)) < rng.uniform(0.15, 0.5)
        again[0] = False
        shown = np.maximum.accumulate(np.where(again, 0, shown))
    tick = np.clip(np.rint(at[shown[newest]] * TICK), 0, None).astype(int)
    return tick, np.concatenate([[True], np.diff(newest) > 0])


def lost(rng, speed, flat, seen, steady):
    """Frames in which the tracker has no hand. speed: palm sizes a frame; flat: the palm's size in the frame over its size in space."""
    gone = ~seen
    out = gone.copy()
    hold = 0
    for t in range(len(seen)):
        if hold > 0:
            out[t] = True
            hold -= 1
            if hold == 0 and speed[t] > 2.0 and rng.random() < 0.5:
                hold = 1
            continue
        if gone[t]:
            if t + 1 < len(seen) and not gone[t + 1]:
                hold = int(rng.choice([0, 1, 2, 3, 5], p=[0.35, 0.25, 0.2, 0.12, 0.08]))
            continue
        chance = 0.0008 + 0.25 * np.clip((speed[t] - 1.2) / 2.5, 0, 1) + 0.1 * np.clip((0.66 - flat[t]) / 0.3, 0, 1) * min(speed[t], 1.0)
        if rng.random() < chance * steady:
            hold = int(rng.choice([1, 2, 3, 4, 6, 9], p=[0.3, 0.22, 0.18, 0.12, 0.1, 0.08]))
            out[t] = True
            hold -= 1
    return out


MISREAD = ("fist", "relaxed", "claw", "point", "open", "two", "cup")
PALMS = (0, 4, 8, 12, 16)  # bones


def misread(rng, shapes, points, chance, stay):
    """Hands [m,21,3] whose fingers are read as those of another shape for a few frames, as the landmark network does for a turning or blurred hand.

    chance, stay: for each frame, the probability that such an error begins, and that it continues.
    """
    out, size, shape = points.copy(), palm_size(points), None
    for k in range(len(points)):
        if shape is None or rng.random() >= stay[k]:
            shape = shapes.draw(rng, str(rng.choice(MISREAD))) if rng.random() < chance[k] else None
        if shape is None:
            continue
        bones, view, roll = (x[0] for x in split(points[k][None]))
        share = np.full(20, rng.uniform(0.3, 1.0))
        share[list(PALMS)] = 0
        out[k] = points[k, :1] + size[k] * points_of(blend(bones, shape, share[None])[0]) @ (turn(roll) @ view).T
    return out


def smooth(rng, n, shape, keep):
    """Noise of deviation 1 that keeps the share `keep` from frame to frame: [n, *shape]."""
    out = np.empty((n, *shape))
    out[0] = rng.normal(0, 1, shape)
    fresh = rng.normal(0, np.sqrt(1 - keep * keep), (n, *shape))
    for t in range(1, n):
        out[t] = keep * out[t - 1] + fresh[t]
    return out


def mirrored(also):
    """Bits of classes after mirroring."""
    return sum((also >> k & 1) << m for k, m in enumerate(MIRRORED))


def film(rng, clip, seconds, shapes=None, clean=False):
    """clip: of `script.write`; shapes: hands whose fingers sometimes replace the clip's own, as reading errors.

    -> dict on the grid: landmarks [T,21,3] as reported by the tracker (NaN: none), right [T], aspect, label, also [T], tick [T].
    """
    tick, fresh = times(rng, paces(rng), seconds)
    tick = np.minimum(tick, len(clip["label"]) - 1)
    points = clip["points"][tick].copy()
    seen = clip["seen"][tick].copy()
    aspect = clip["aspect"]
    n = len(tick)
    mirror = rng.random() < 0.5
    said_aspect = aspect
    size = palm_size(points)
    flat = palm_size(points[..., :2]) / size
    place = points[:, list(features.PALM), :2].mean(1)
    inside = (place[:, 0] > -0.02 * aspect) & (place[:, 0] < 1.02 * aspect) & (place[:, 1] > -0.02) & (place[:, 1] < 1.04)
    seen &= inside
    speed = np.concatenate([[0], np.linalg.norm(np.diff(place, axis=0), axis=1) / size[1:]])
    steady = rng.choice([0.3, 1.0, 2.0])
    if not clean:
        index = np.flatnonzero(fresh)
        gone = lost(rng, speed[index], flat[index], seen[index], steady)
        order = np.cumsum(fresh) - 1
        seen = ~gone[order]
        # Depth is estimated by the network: flatter than in reality, with its own errors.
        m = len(index)
        unit = size[index][:, None, None]
        got = points[index]
        depth = rng.uniform(0.5, 1.15)
        got[..., 2] *= depth
        level = np.exp(rng.normal(np.log(0.022), 0.65))
        error = smooth(rng, m, (21, 3), 0.0) * level + smooth(rng, m, (21, 3), 0.85) * level * 1.5 + rng.normal(0, rng.uniform(0.01, 0.08), (21, 3))
        error[..., 2] *= 4.0
        # Blur: faster hands have larger errors.
        turning = np.clip((0.75 - flat[index]) / 0.3, 0, 1) * np.clip(speed[index], 0, 1)
        error *= (1 + rng.uniform(0.5, 1.5) * np.clip(speed[index], 0, 3) + rng.uniform(0, 4) * turning)[:, None, None]
        if shapes is not None:
            amount = rng.choice([0.0, 0.6, 1.2])
            got = misread(rng, shapes, got, amount * (np.clip(0.4 * (speed[index] - 0.35), 0, 0.4) + 0.5 * turning), np.clip(speed[index], 0, 0.6))
        came = np.concatenate([[False], gone[:-1] & ~gone[1:]])
        came[0] = True
        error[came] *= rng.uniform(1, 2.2)
        whole = np.exp(rng.normal(0, rng.uniform(0, 0.03), m))
        for k in np.flatnonzero(came):
            whole[k] = rng.uniform(0.82, 1.05)
        # The whole hand is seen turned by a varying angle.
        turned = smooth(rng, m, (3,), rng.uniform(0, 0.9)) * np.exp(rng.uniform(np.log(0.01), np.log(0.15)))
        rotation = turn(turned[:, 0]) @ turn(turned[:, 1], 0) @ turn(turned[:, 2], 1)
        centre = got[:, list(features.PALM)].mean(1, keepdims=True)
        got = centre + (got - centre) @ rotation.transpose(0, 2, 1) * whole[:, None, None] + error * unit
        # Lag: the region follows the hand, and readings lean towards earlier ones.
        lag = rng.choice([0.0, 0.0, rng.uniform(0, 0.3)])
        for t in range(1, m):
            if not gone[t] and not gone[t - 1]:
                got[t] += lag * (got[t - 1] - got[t])
        # At high speed a finger is misread for a frame.
        for k in np.flatnonzero((rng.random(m) < 0.01 + 0.1 * np.clip(speed[index] - 0.8, 0, 1)) & ~gone):
            finger = int(rng.integers(5))
            tip = [4 * finger + 3, 4 * finger + 4]
            got[k, tip] += rng.normal(0, 0.35, (1, 3)) * unit[k]
        stretch = np.exp(rng.normal(0, 0.05))
        got[..., 0] = (got[..., 0] - 0.5 * aspect) * stretch + 0.5 * aspect
        points = got[order]
    confidence = rng.uniform(0.85, 0.99)
    right = np.full(n, confidence)
    if not clean:
        wrong = rng.random() < 0.04
        right = np.clip(right + np.exp(rng.uniform(np.log(0.02), np.log(0.25))) * smooth(rng, n, (), 0.8), 0.02, 0.999)
        swapped = rng.random(n) < np.where(flat < 0.7, 0.12, 0.01)
        right = np.where(swapped ^ wrong, 1 - right, right)
        right = right[np.maximum.accumulate(np.where(fresh, np.arange(n), 0))]
    landmarks = points.copy()
    landmarks[..., 0] /= aspect
    landmarks[..., 2] = (landmarks[..., 2] - landmarks[:, :1, 2]) / aspect
    label, also = clip["label"][tick].copy(), clip["also"][tick].copy()
    if mirror:
        landmarks[..., 0] = 1 - landmarks[..., 0]
        right = 1 - right
        label, also = np.asarray(MIRRORED)[label], mirrored(also)
    landmarks[~seen] = np.nan
    # A slot that repeats a frame keeps the label of its own time; its content is the latest frame.
    return {"landmarks": landmarks.astype(np.float32), "right": right.astype(np.float32), "aspect": said_aspect, "label": label,
            "also": also, "seen": seen, "tick": tick, "fresh": fresh, "mirror": mirror}
