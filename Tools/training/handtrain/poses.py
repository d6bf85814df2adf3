"""The pose of a hand from its points, by the two networks of MediaPipe's gesture recognizer as shipped in Weights/hands: scores of none, fist, palm,
..., in the order of `features.LAYOUT`."""

import functools
import pathlib

import numpy as np
from safetensors.numpy import load_file

from gesturetrain.labels import LABELS

from .features import BODY, LAYOUT

GESTURES = {"poseOpenPalm": "openPalm", "posePointingUp": "point", "poseThumbUp": "thumbsUp", "poseThumbDown": "thumbsDown"}  # poses that are classes
KEPT, LOST = 127.5, 7  # quantised score that shows a pose; columns, under a quarter of a second, for which it may be lost
FOLDER = pathlib.Path(__file__).resolve().parents[3] / "Weights" / "hands"


@functools.cache
def networks(folder=FOLDER):
    return load_file(folder / "gesture-embedder.safetensors") | {
        f"last.{name}": values for name, values in load_file(folder / "canned-gesture-classifier.safetensors").items()}


def kept(codes):
    """The class [T] of the pose that the hand keeps in each of the columns [T,128], 30 a second; -1 without one. As in the engine's `KeptPose`."""
    places = [k for k, (name, *_) in enumerate(LAYOUT) if name.startswith("pose") and name != "poseNone"]
    shown = codes[:, places]
    out, pose, latest = np.full(len(codes), -1), None, 0
    for t, (best, most) in enumerate(zip(shown.argmax(1), shown.max(1))):
        if most > KEPT:
            pose, latest = LAYOUT[places[best]][0], t
        elif t - latest > LOST:
            pose = None
        if pose in GESTURES:
            out[t] = LABELS.index(GESTURES[pose])
    return out


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
