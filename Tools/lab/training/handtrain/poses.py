"""The pose of a hand from its points, by the two networks of MediaPipe's gesture recognizer as shipped in Weights/hands: scores of none, fist, palm,
..., in the order of `features.LAYOUT`."""

import functools
import pathlib

import numpy as np
from safetensors.numpy import load_file

from common.labels import LABELS

from .features import BODY, LAYOUT

GESTURES = {"poseOpenPalm": "openPalm", "posePointingUp": "point", "poseThumbUp": "thumbsUp", "poseThumbDown": "thumbsDown"}  # poses that are classes
KEPT, LOST = 127.5, 7  # quantised score that shows a pose; columns, under a quarter of a second, for which it may be lost
MIRRORED, CONTRARY, MOST = 59, 0.2, 16  # columns, under two seconds, for which a mirror image keeps it; agreement of handednesses; columns of their mean
CLEAR, SURE = 0.3, 0.2  # palm normal's z that shows a side; evidence of facing from which it is a palm, and under whose negative a back
SHOWN, MEMORY, STEP = 0.18, 1, 0.1  # seconds after which a side counts as shown; that its evidence looks back; that a column counts at most
TOUCH, PART = 0.7, 1  # palm sizes between the tips of thumb and index finger, below which they touch and above which they part
HAND = 15  # columns, half a second, after which a hand may be another one
FOLDER = pathlib.Path(__file__).resolve().parents[4] / "Weights" / "hands"


@functools.cache
def networks(folder=FOLDER):
    return load_file(folder / "gesture-embedder.safetensors") | {
        f"last.{name}": values for name, values in load_file(folder / "canned-gesture-classifier.safetensors").items()}


def sides(codes):
    """Which side the hand shows in each of the columns [T,128], 30 a second: -1 or 1, the sign of the palm normal's z, 0 before a clear view; and
    whether it is known to be the back, [T]. As in the engine's `HandSides`, but columns do not tell one hand from another."""
    seen, normal, right = codes[:, 0] > 0, value(codes, "normalZ"), value(codes, "right")
    facing = normal * (2 * right - 1)
    shown, back = np.zeros(len(codes), int), np.zeros(len(codes), bool)
    side, latest, time, mean = 0, None, {-1: 0.0, 1: 0.0}, {-1: 0.0, 1: 0.0}
    for t in range(len(codes)):
        if seen[t]:
            if latest is not None and t - latest > HAND:
                side, latest, time, mean = 0, None, {-1: 0.0, 1: 0.0}, {-1: 0.0, 1: 0.0}
            step = 0 if latest is None else min((t - latest) / 30, STEP)
            latest = t
            if abs(normal[t]) >= CLEAR:
                side = -1 if normal[t] < 0 else 1
                if step > 0:
                    time[side] = min(time[side] + step, MEMORY)
                    mean[side] += (facing[t] - mean[side]) * min(step / time[side], 1)
        shown[t] = side
        back[t] = side != 0 and min(time.values()) >= SHOWN and mean[side] < -SURE and mean[-side] > SURE
    return shown, back


def pinches(codes):
    """Whether the hand pinches in each of the columns [T,128], 30 a second, and whether the column shows its tips together, both [T]. As in the
    engine's `Pinch`."""
    gap = np.hypot(value(codes, "p4X") - value(codes, "p8X"), value(codes, "p4Y") - value(codes, "p8Y"))
    straight = np.minimum.reduce([value(codes, f"bend{tip}") for tip in (12, 16, 20)])
    touching = (codes[:, 0] > 0) & (gap < TOUCH) & (np.abs(value(codes, "normalZ")) > 0.5) & (straight > 0.5)
    parted = (gap > PART) | (straight < 0)
    held, out, count, latest = False, np.zeros(len(codes), bool), 0, 0
    for t in range(len(codes)):
        if codes[t, 0] > 0:
            latest = t
            count = count + 1 if (parted if held else touching)[t] else 0
            if count == 2:
                held, count = not held, 0
        elif t - latest > LOST:
            held, count = False, 0
        out[t] = held
    return out, touching


def kept(codes):
    """The class [T] of the pose that the hand keeps in each of the columns [T,128], 30 a second; -1 without one. As in the engine's `PoseDebouncer`: a hand
    that turns over or pinches ends the pose, one that is read as its mirror image keeps it, and the back of a hand is no palm."""
    return kept_and_ended(codes)[0]


def ruled_out(codes):
    """Whether the hand's shape rules each class out [T,classes]: its back an open palm, a pinch that and a grab."""
    out = np.zeros((len(codes), len(LABELS)), bool)
    held, touching = pinches(codes)
    out[:, LABELS.index("openPalm")] = sides(codes)[1] | held
    out[:, LABELS.index("grab")] = touching
    return out


def kept_and_ended(codes):
    """`kept`, and likewise the class [T] of the pose that ended in each column because the hand turned over or pinches."""
    places = [k for k, (name, *_) in enumerate(LAYOUT) if name.startswith("pose") and name != "poseNone"]
    seen, backs = sides(codes)
    scores = codes[:, places].copy()
    scores[backs, [LAYOUT[k][0] for k in places].index("poseOpenPalm")] = 0
    pinch = pinches(codes)[0]
    hand, right, size = codes[:, 0] > 0, value(codes, "right"), value(codes, "size")
    place, size = np.stack([value(codes, "x"), value(codes, "y")], 1), 0.1 * size / (1 - size)
    out, ended, pose, latest, side, count, mean, last = np.full(len(codes), -1), np.full(len(codes), -1), None, 0, 0, 0, 0.0, None
    for t, (best, most) in enumerate(zip(scores.argmax(1), scores.max(1))):
        other = bool(pose and side and seen[t] and seen[t] != side)
        mirrored = other and hand[t] and count > 0 and (2 * right[t] - 1) * (2 * mean - 1) < -CONTRARY
        if pinch[t] or other and not mirrored:
            if pose in GESTURES:
                ended[t] = LABELS.index(GESTURES[pose])
            pose, side, count, mean, last = None, 0, 0, 0.0, None
            continue
        if most > KEPT:
            name = LAYOUT[places[best]][0]
            if name != pose:
                side, count, mean, last = 0, 0, 0.0, None
            pose, latest = name, t
            if hand[t] and not mirrored:
                count = min(count + 1, MOST)
                mean, last = mean + (right[t] - mean) / count, t
        elif t - latest > (MIRRORED if mirrored and last is not None and ((place[t] - place[last]) ** 2).sum() < size[last] ** 2 else LOST):
            pose = None
        if pose is None:
            side, count, mean, last = 0, 0, 0.0, None
        else:
            side = side or seen[t]
        if pose in GESTURES:
            out[t] = LABELS.index(GESTURES[pose])
    return out, ended


def value(codes, name):
    """A feature of columns [T,128], as `HandShape` reads it -> float32 [T]."""
    place = [n for n, *_ in LAYOUT].index(name)
    _, low, high = LAYOUT[place][:3]
    return np.float32(low) + codes[:, place].astype(np.float32) / np.float32(255 / (high - low))


def of_seen(landmarks, aspect):
    """`scores` of landmarks [N,21,3]; 0 where they are not finite."""
    seen = np.isfinite(landmarks).all((1, 2))
    out = np.zeros((len(landmarks), 8), np.float32)
    if seen.any():
        out[seen] = scores(landmarks[seen], aspect)
    return out


def scores(landmarks, aspect):
    """landmarks [N,21,3] as for `features`, all finite; aspect (a number or [N]) -> float32 [N,8], with row sums of 1."""
    net = networks()

    def connected(x, k):
        return x @ net[f"fully_connected_{k}.weights"].T + net[f"fully_connected_{k}.bias"]

    def scaled(x, scale, shift, prefix=""):
        return np.maximum(x * net[f"{prefix}mul_{scale}.factors"] + net[f"{prefix}add_{shift}.offsets"], 0)

    points = np.asarray(landmarks, np.float32).copy()
    points[..., [0, 2]] *= np.broadcast_to(np.asarray(aspect, np.float32), len(points))[:, None, None]
    points -= points[:, BODY].mean(1, keepdims=True)
    points /= np.ptp(points[..., :2], axis=1).max(1)[:, None, None] + np.float32(1e-5)
    v = points.reshape(-1, 63)
    x = connected(v, 18) + connected(np.maximum(connected(v, 19), 0), 20)
    for k in range(22, 42, 4):
        x = x + connected(scaled(x, k, k + 1), k + 2)
    x = np.maximum(connected(scaled(x, 42, 43), 44), 0)
    x = scaled(x, 0, 1, "last.") @ net["last.fully_connected_2.weights"].T + net["last.fully_connected_2.bias"]
    x = np.exp(x - x.max(1, keepdims=True))
    return x / x.sum(1, keepdims=True)
