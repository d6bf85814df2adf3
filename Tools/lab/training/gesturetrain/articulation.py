"""How people's fingers close: recordings of hand landmarks (jxshyz, Apache-2.0), as movements for the mesh.

The landmarks are 21 points (wrist, then four of the thumb and of each finger from its root to its tip) at 30 fps, scaled and with the wrist at the
origin, so that only the articulation is left. From a recording of a closing fist or of a pinch, the stretch in which the hand closes is taken: the
share of each finger's movement at even shares of the whole movement, and the share of the whole movement at even times. Only shares are used: single
joints are wrong by dozens of degrees (in a fist the middle one would bend by 155).
"""

import numpy as np

TEST_SUBJECT = 4
TIMES = 17
CURLED = 120.0  # degrees over the joints of a finger
_ROOTS = (5, 9, 13, 17)
_LABEL = {"grab": "close_fist", "zoom": "pinch"}


class Closing:
    """One hand closing.

    fingers: [steps,5] share of each finger's own movement (thumb, index...pinky), from 0 to 1, at even shares of the whole. pace: [17] share of the
    whole at even times, from 0 to 1. seconds: the duration. curled: whether the last two fingers are curled from the start.
    """

    def __init__(self, fingers, pace, seconds, curled):
        self.fingers, self.pace, self.seconds, self.curled = fingers, pace, seconds, curled


def flexion(points):
    """[T,21,3] -> degrees between successive bones of each finger, [T,4,3]; never negative."""
    bones = np.diff(np.stack([points[:, [0, root, root + 1, root + 2, root + 3]] for root in _ROOTS], 1), axis=2)
    bones /= np.linalg.norm(bones, axis=3, keepdims=True) + 1e-9
    return np.degrees(np.arccos(np.clip((bones[:, :, 1:] * bones[:, :, :-1]).sum(3), -1, 1)))


def _closed(points, motion):
    """[T,21,3] -> [T]: a measure that grows as the hand closes, in degrees per finger or in lengths of the palm."""
    if motion == "grab":
        return flexion(points).sum(2).mean(1)
    palm = np.linalg.norm(points[:, 9], axis=1) + 1e-9
    return -np.linalg.norm(points[:, 4] - points[:, 8], axis=1) / palm


# Limits of a complete movement, in the units of `_closed`: an open hand and a fist, fingers apart and touching.
_WAY = {"grab": (60.0, 170.0), "zoom": (-0.45, -0.25)}


def closing(points, motion, fps, steps):
    """The first closing of a hand in a recording [T,21,3], or None if it does not close within 0.1...1.5 seconds."""
    way = _closed(points, motion)
    open_below, closed_above = _WAY[motion]
    reached = np.flatnonzero(way > closed_above)
    if not len(reached) or not (way[:reached[0]] < open_below).any():
        return None
    # From the last moment near the open end to the first near the closed end, at which it stops growing.
    end = min(reached[0] + int(0.4 * fps), len(way) - 1)
    low, high = way[:reached[0]].min(), way[reached[0]:end + 1].max()
    first = np.flatnonzero(way[:reached[0]] < low + 0.08 * (high - low))[-1]
    last = reached[0] + np.flatnonzero(way[reached[0]:end + 1] > high - 0.08 * (high - low))[0]
    seconds = (last - first) / fps
    if not 0.1 <= seconds <= 1.5:
        return None
    share = np.maximum.accumulate(way[first:last + 1])
    share = (share - share[0]) / (share[-1] - share[0])
    at = np.interp(np.linspace(0, 1, steps), share + 1e-6 * np.arange(len(share)), np.arange(len(share)))
    bent = flexion(points[first:last + 1]).sum(2)
    across = -np.linalg.norm(points[first:last + 1, 4] - points[first:last + 1, 17], axis=1)
    fingers = []
    for values, least in ((across, 0.05), *((finger, 20.0) for finger in bent.T)):
        whole = values[-1] - values[0]
        # A finger that hardly moves follows the hand.
        own = np.clip((values - values[0]) / whole, 0, 1) if whole > least else share
        fingers.append(np.interp(at, np.arange(len(share)), own))
    pace = np.interp(np.linspace(0, 1, TIMES), np.linspace(0, 1, len(share)), share)
    return Closing(np.stack(fingers, 1), pace, float(seconds), bool(bent[0, 2:].mean() > CURLED))


def load(path, steps):
    """The file landmarks.npz -> {"train" or "test": {"grab" or "zoom": [Closing]}}; no person is in both."""
    with np.load(path) as file:
        points = file["seq"].astype(np.float64).reshape(*file["seq"].shape[:2], 21, 3)
        names, fps = file["label_names"][file["label"]], float(file["fps"])
        count, subject = file["length"], file["subject"]
    out = {split: {motion: [] for motion in _LABEL} for split in ("train", "test")}
    for motion, label in _LABEL.items():
        for k in np.flatnonzero(names == label):
            found = closing(points[k, :count[k]], motion, fps, steps)
            if found is not None:
                out["test" if subject[k] == TEST_SUBJECT else "train"][motion].append(found)
    return out
