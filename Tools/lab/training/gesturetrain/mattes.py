"""Photographs of hands -> sprites: uint8 [128,128,2] (gray, alpha), with the palm's centre and size normalised.

The palm is the largest disc inside the matte; the sprite has its centre at PALM and its radius is PALM_RADIUS.
"""

import csv
import pathlib
import re

import cv2
import numpy as np

SIDE = 128
PALM = (64.0, 76.0)
HAND_LENGTH = 80.0  # pixels from the wrist to the tip of the middle finger
PALM_RADIUS = 17.0
SKIN = 150.0  # mean gray of the skin in every sprite

# Digit of signdigits-218 -> pose.
DIGITS = {"0": "ring", "1": "point", "2": "victory", "4": "four", "5": "open", "9": "pinch"}


def _largest(mask):
    count, regions, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
    if count < 2:
        return None
    best = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
    return (regions == best).astype(np.uint8)


def _palm(mask):
    distance = cv2.distanceTransform(cv2.copyMakeBorder(mask, 1, 1, 1, 1, cv2.BORDER_CONSTANT), cv2.DIST_L2, 5)
    _, radius, _, where = cv2.minMaxLoc(distance)
    return (where[0] - 1, where[1] - 1), radius


def normalise(gray, mask, centre, radius):
    """A cut-out at its own size -> sprite at the common size, with colour extended under the rim and skin at one level."""
    scale = PALM_RADIUS / radius
    warp = np.array([[scale, 0, PALM[0] - scale * centre[0]], [0, scale, PALM[1] - scale * centre[1]]], np.float32)
    core = cv2.erode(mask, np.ones((3, 3), np.uint8))
    fill = cv2.inpaint(gray, (cv2.dilate(mask, np.ones((5, 5), np.uint8)) - core), 2, cv2.INPAINT_TELEA)
    mean = float(gray[core > 0].mean()) if core.any() else 128.0
    fill = np.clip(fill.astype(np.float32) * (SKIN / max(mean, 20.0)), 0, 255).astype(np.uint8)
    soft = cv2.GaussianBlur(cv2.erode(mask, np.ones((2, 2), np.uint8)) * 255, (3, 3), 0.8)
    mode = cv2.INTER_AREA if scale < 0.7 else cv2.INTER_LINEAR
    return np.dstack([cv2.warpAffine(fill, warp, (SIDE, SIDE), flags=mode, borderMode=cv2.BORDER_REPLICATE),
                      cv2.warpAffine(soft, warp, (SIDE, SIDE), flags=mode)])


def spread(sprite):
    """The sprite with the colour inside the matte extended over its rim and beyond.

    Shrinking, blurring or warping a sprite mixes both sides of its rim. With black outside, every composed hand would have a dark outline, and a
    network would learn the outline instead of the hand.
    """
    gray = sprite[..., 0].astype(np.float32)
    inside = (sprite[..., 1] >= 200).astype(np.float32)
    if not inside.any():
        return sprite
    filled = np.full_like(gray, gray[inside > 0].mean())
    for sigma in (12.0, 4.0, 1.5):
        weight = cv2.GaussianBlur(inside, (0, 0), sigma)
        value = cv2.GaussianBlur(gray * inside, (0, 0), sigma)
        np.divide(value, weight, out=filled, where=weight > 0.02)
    gray = np.where(inside > 0, gray, filled)
    return np.dstack([np.uint8(np.clip(np.rint(gray), 0, 255)), sprite[..., 1]])


def signdigit(path):
    """One colour image of an upright hand on a plain wall -> sprite, or None if the matte looks wrong."""
    image = cv2.imread(str(path))
    cr = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2YCrCb)[..., 1], (3, 3), 0)
    _, mask = cv2.threshold(cr, 0, 1, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    mask = _largest(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)))
    if mask is None or not 0.1 < mask.mean() < 0.55:
        return None
    # The disc is searched above the wrist.
    rows = np.flatnonzero(mask.any(1))
    upper = mask.copy()
    upper[int(rows[0] + 0.8 * (rows[-1] - rows[0])):] = 0
    centre, radius = _palm(upper)
    if not 9 < radius < 30 or mask[0].mean() > 0.05 or mask[:60, 0].any() or mask[:60, -1].any():
        return None
    return normalise(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), mask, centre, radius)


def signdigits(folder):
    """-> list of (person, pose, sprite), person = number of the student in the order of the photographs."""
    out = []
    for digit, pose in DIGITS.items():
        for path in sorted(pathlib.Path(folder, "images", digit).iterdir()):
            number = int(re.search(r"(\d+)", path.stem).group(1))
            sprite = signdigit(path)
            if sprite is not None:
                out.append(((number - 1118) // 10, pose, sprite))
    return out


def bright_on_dark(gray, box):
    """A bright hand in front of dark clothes: Otsu inside the hand's box and its margin. -> sprite or None."""
    x0, y0, x1, y1 = box
    mx, my = 0.35 * (x1 - x0) + 4, 0.35 * (y1 - y0) + 4
    x0, y0, x1, y1 = (int(max(x0 - mx, 0)), int(max(y0 - my, 0)), int(min(x1 + mx, 159)), int(min(y1 + my, 159)))
    part = cv2.GaussianBlur(gray[y0:y1, x0:x1], (3, 3), 0)
    level, mask = cv2.threshold(part, 0, 1, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    if not mask.any() or mask.all():
        return None
    inside, outside = part[mask > 0], part[mask == 0]
    if inside.mean() - outside.mean() < 45 or not 0.15 < mask.mean() < 0.6:
        return None
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    mask = _largest(mask)
    # The arm comes from the left or from below; a region that touches the other sides is not a hand.
    if mask is None or mask[0].any() or mask[:, -1].any() or mask[-1].mean() > 0.5:
        return None
    filled = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    whole = np.zeros(gray.shape, np.uint8)
    whole[y0:y1, x0:x1] = filled
    centre, radius = _palm(whole)
    if radius < 7:
        return None
    return normalise(gray, whole, centre, radius)


def photographs(folder, classes):
    """emrecandir crops of some classes: yields (class, uint8 [160,160], hand box x0, y0, x1, y1 in it)."""
    with open(pathlib.Path(folder, "index.csv"), newline="") as file:
        for row in csv.DictReader(file):
            if row["source_class"] not in classes:
                continue
            gray = cv2.imread(str(pathlib.Path(folder, row["file"])), cv2.IMREAD_GRAYSCALE)
            if gray is not None:
                yield row["source_class"], gray, [float(row[k]) for k in ("hand_x0", "hand_y0", "hand_x1", "hand_y1")]


def static_poses(folder, classes):
    """emrecandir crops of some classes -> list of (class, sprite)."""
    cut = ((name, bright_on_dark(gray, box)) for name, gray, box in photographs(folder, classes))
    return [(name, sprite) for name, sprite in cut if sprite is not None]
