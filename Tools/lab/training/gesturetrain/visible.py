"""What sixteen frames can decide: adjusts the labels of a clip to what the network's window shows.

The script labels the intention of the hand. If two intentions look the same in the window, training on both only makes the network uncertain: at 120
Hz, where the window is 133 ms, half of the windows with a still palm were null, because the palm was drifting, rolling back or about to leave. Here a
null frame whose window shows only a static pose gets that pose's label, and frames between the clear cases are ignored (`ignore`). A palm must be
nearly at rest for that, because a moving palm may be a swipe. A thumb or a pointing finger counts while it moves, too.
"""

import numpy as np

from common.labels import INDEX, NULL, WINDOW

from .script import AUX_POSES, HELD_UP, STATIC_LABEL, SWIPES

# Ranges over the window: position in shares of the frame, roll in degrees, natural logarithm of the size.
STILL = (0.035, 10.0, 0.1)
MOVING = (0.08, 20.0, 0.2)
SHOWN = (0.12, 25.0, 0.3)  # poses of HELD_UP; faster ones may be entering or leaving
SHORTEST_REST = 0.2  # seconds; a shorter rest of a static pose is not an event
# Speed over the last 133 ms in frame widths a second: a slower stroke may be a drifting hand; an open hand faster than this plus DRIFT may be a
# swipe. Between them a window must contain LEAST_REACH of movement, which at 120 Hz only a fast stroke does.
SLOWEST_SWIPE, LEAST_REACH, DRIFT = 0.15, 0.04, 0.05
STATIC = {AUX_POSES.index(pose): INDEX[label] for pose, label in STATIC_LABEL.items() if pose in AUX_POSES}
OPEN = AUX_POSES.index("open")
_HELD_UP = [AUX_POSES.index(pose) for pose in HELD_UP]
_SWIPES = [INDEX[name] for name in SWIPES]


def reach(values, count):
    """max - min of the last `count` values at each position (fewer at the start). [T] -> [T]."""
    padded = np.concatenate([np.repeat(values[:1], count - 1), values])
    windows = np.lib.stride_tricks.sliding_window_view(padded, count)
    return windows.max(1) - windows.min(1)


def settle(label, ignore, aux, rate):
    """label, ignore [T] and aux [T,8] (compose.AUX) of a clip's grid frames, rate in Hz -> label, ignore, both new.

    Idempotent.
    """
    label, ignore = label.copy(), ignore.copy()
    present, x, y, size, sin, cos, openness, pose = aux.T
    pose = pose.astype(int)
    moved = np.maximum(reach(x, WINDOW), reach(y, WINDOW))
    turned = reach(np.degrees(np.unwrap(np.arctan2(sin, cos))), WINDOW)
    grown = reach(np.log(np.maximum(size, 0.01)), WINDOW)
    steady = (reach(pose, WINDOW) == 0) & (reach(present, WINDOW) == 0) & (present > 0.5)

    def within(limits):
        return steady & (moved < limits[0]) & (turned < limits[1]) & (grown < limits[2])

    still, nearly = within(STILL), within(MOVING)
    static = np.array([STATIC.get(p, NULL) for p in range(len(AUX_POSES))])[pose]
    # Openness distinguishes a resting palm from one that turns over or dips.
    static = np.where((pose == OPEN) & (openness < 0.9), NULL, static)
    null = (label == NULL) & (static != NULL)
    ignore |= null & nearly & ~still
    label = np.where(null & still & ~ignore, static, label)
    null = (label == NULL) & np.isin(pose, _HELD_UP) & (present > 0.5)
    shown = null & within(SHOWN)
    ignore = np.where(null, ~shown, ignore)
    label = np.where(shown, static, label)

    steps = max(round(0.133 * rate), 1)
    back = np.maximum(np.arange(len(x)) - steps, 0)
    speed = np.hypot(x - x[back], y - y[back]) * rate / steps
    swipe = np.isin(label, _SWIPES)
    slowest = max(SLOWEST_SWIPE, LEAST_REACH * rate / WINDOW)
    ignore |= swipe & (speed < slowest)
    ignore |= (label == NULL) & (static == INDEX["openPalm"]) & (speed > slowest + DRIFT)

    # A rest that is cut by the clip's edge may be longer.
    edges = np.flatnonzero(np.diff(label)) + 1
    for a, b in zip(edges[:-1], edges[1:]):
        if label[a] in STATIC.values() and (b - a) / rate < SHORTEST_REST:
            label[a:b], ignore[a:b] = NULL, True
    return label, ignore


def settle_chunk(meta):
    """The same for every clip of a cached chunk (cache.read's arrays), in place."""
    for k, first in enumerate(meta["first"]):
        aux = meta["aux"][first + meta["index"][k]]
        meta["label"][k], meta["ignore"][k] = settle(meta["label"][k], meta["ignore"][k], aux, int(meta["rate"][k]))
