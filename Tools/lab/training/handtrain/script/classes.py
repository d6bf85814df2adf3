"""The vocabulary of scripts: units, classes of hands, and the gestures that a change of shape may be.

Every family of movements has tables of its parameters at the top of its file. Comments give the units. The values are round numbers that were set by
hand; no measurement of them is recorded. A change of any value changes the clips of a seed.
"""

import numpy as np

from common.labels import INDEX

TICK = 60
HOLD = 0.24
TURN = 6.28  # radians of one turn, as phases and rates count them
Range = tuple[float, float]  # the smallest and the largest value of a uniform draw
Names = tuple[str, ...]  # poses of `Shapes.draw`; a pose that is listed twice is drawn twice as often
CHANNELS = ("x", "y", "ls", "roll", "yaw", "pitch")
SWIPES = {"swipeLeft": (-1, 0), "swipeRight": (1, 0), "swipeUp": (0, -1), "swipeDown": (0, 1)}
POSES = {INDEX[n] for n in ("point", "openPalm", "thumbsUp", "thumbsDown")}
PALMAR = np.array([0.0, 0.0, -1.0])
TAGS = ("", "open", "point", "thumb", "fist", "pinch", "spread", "loose", "half open")
TAG = {"open": 1, "four": 1, "point": 2, "thumb": 3, "fist": 4, "pinch": 5, "ok": 5, "ring": 5, "pistol": 6, "three": 6, "relaxed": 7, "claw": 7, "cup": 7}
ANY = (1 << len(INDEX)) - 1
FIRM = 1 << len(INDEX)  # a bit of `also` while a clip is made: definitely null


def bits(*names):
    return sum(1 << INDEX[n] for n in names)


def log_uniform(rng, span):
    """A draw whose logarithm is uniform over `span`, a `Range`."""
    return np.exp(rng.uniform(np.log(span[0]), np.log(span[1])))


def pick(rng, names, weights=None):
    """One of `names`, with equal chances or with `weights`."""
    return str(rng.choice(names, p=weights))


# A change from one shape to the other looks like these gestures and may be one.
CLOSING, OPENING = bits("null", "grab", "zoomOut"), bits("null", "zoomIn")
ALIKE = {(1, 4): CLOSING, (1, 5): CLOSING, (6, 4): CLOSING, (6, 5): CLOSING, (6, 3): CLOSING, (1, 7): CLOSING, (7, 4): CLOSING,
         (1, 3): CLOSING, (6, 7): CLOSING, (7, 5): CLOSING,
         (4, 6): OPENING, (5, 6): OPENING, (5, 1): OPENING, (3, 6): OPENING, (2, 6): OPENING, (5, 7): OPENING}
OPEN = 0.25  # `openness` from which on a hand counts as open,
STRAIGHT = 0.45  # and from which on a palm: kusanagi-effect's has 0.54
EDGE = 0.12  # seconds before and after a pose in which it may be reported
IGNORED = ("fist", "two", "three", "horns", "shaka", "ok", "pinch", "ring", "relaxed", "claw", "cup", "pistol")
