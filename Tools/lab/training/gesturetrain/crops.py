"""Crops around the hand, on which the encoder learns poses: five times as many a second as whole frames.

All layers up to b7 are convolutions, so a crop of 96x96 gives a 3x3 map whose cells compute what they would in the frame. A crop is one warp of a
cached frame: the hand's size is drawn again (log-uniform), its position in the crop is uniform, and it is rolled, stretched and mirrored a little;
the auxiliary targets change accordingly.
"""

import functools

import cv2
import numpy as np
import torch

SIDE = 96
SIZES = (16.0, 88.0)  # pixels of an open hand's length
FRAME = 224
BEND = 7.0  # pixels
PHOTO_EVERY = 10


def warp(picture, aux, rng, side, scale, to):
    """The frame turned, stretched, sheared and mirrored a little, scaled, and moved so that its palm is at `to`.

    picture: uint8 [224,224]. aux: its targets (compose.AUX). scale: output pixels per frame pixel. to: pixels, or None for a random part of the
    frame. -> uint8 [side,side], targets with x, y as shares of the side.
    """
    mirror = -1.0 if rng.random() < 0.5 else 1.0
    a = np.deg2rad(np.clip(rng.normal(0, 8), -25, 25))
    stretch, shear = np.exp(rng.normal(0, 0.12)), rng.normal(0, 0.12)
    palm = np.array([aux[1], aux[2]]) * FRAME
    at = palm
    if to is None:
        at, to = rng.uniform(0, FRAME, 2), np.full(2, side / 2)
    linear = scale * np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]) @ np.array([[mirror * stretch, shear], [0, 1 / stretch]])
    offset = to - linear @ at
    half = scale < 0.55
    source = cv2.pyrDown(picture) if half else picture
    matrix = np.column_stack([linear * (2 if half else 1), offset])
    out = cv2.warpAffine(source, matrix, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    target = aux.copy()
    place = (linear @ palm + offset) / side
    target[0] = float(aux[0] > 0.5 and (0 <= place).all() and (place < 1).all())
    target[1:3] = np.clip(place, 0, 0.999)
    target[3] = aux[3] * scale * FRAME / side
    roll = np.arctan2(aux[4], aux[5]) * mirror + a
    target[4:6] = np.sin(roll), np.cos(roll)
    return out, target


def crop(picture, aux, rng):
    """A crop of 96x96 with the hand in it, if there is one. Its size target stays a share of 224 pixels, so that cells have one scale."""
    if aux[0] > 0.5 and rng.random() < 0.9:
        size = np.exp(rng.uniform(np.log(SIZES[0]), np.log(SIZES[1])))
        scale = float(np.clip(size / max(float(aux[3]) * FRAME, 8.0), 0.3, 1.5))
        out, target = warp(picture, aux, rng, SIDE, scale, rng.uniform(14, SIDE - 14, 2))
    else:
        out, target = warp(picture, aux, rng, SIDE, np.exp(rng.uniform(-0.7, 0.3)), None)
    target[3] *= SIDE / FRAME
    return out, target


def frame(picture, aux, rng):
    """A whole frame, with its hand up to a quarter larger or smaller and moved by up to a tenth of the side."""
    place = np.clip(np.array([aux[1], aux[2]]) + rng.uniform(-0.1, 0.1, 2), 0.02, 0.98) * FRAME
    return warp(picture, aux, rng, FRAME, np.exp(rng.uniform(-0.22, 0.22)), place if aux[0] > 0.5 else None)


def photo(picture, aux, rng):
    """A frame with a whole photograph (`photos`) at a random position, its hand of any size for which the photograph is sharp enough."""
    size = np.exp(rng.uniform(np.log(35), np.log(140)))
    return warp(picture, aux, rng, FRAME, size / (float(aux[3]) * FRAME), rng.uniform(0.12, 0.88, 2) * FRAME)


def batch(data, rng, size, cut, side, photographs=None):
    """Single frames from random chunks of the data's range, passed through `cut` (`crop` or `frame`). -> uint8 [size,side,side], aux [size,8].

    A chunk's `sampling_weights` [n], if it has them, are the weights of its frames; otherwise clips have equal weights. photographs: the result of
    `photos.load`; one of them replaces every PHOTO_EVERYth frame.
    """
    pictures, targets = np.empty((size, side, side), np.uint8), np.empty((size, 8), np.float32)
    at = 0
    for chunk in rng.integers(*data.range(), 16):
        frames, meta = data[int(chunk)]
        if "sampling_weights" in meta:
            picks = rng.choice(len(frames), size // 32, p=meta["sampling_weights"])
        else:
            clips = rng.integers(0, len(meta["first"]), size // 32)
            picks = (meta["first"][clip] + rng.integers(meta["counts"][clip]) for clip in clips)
        for k in picks:
            # Each frame is used twice: if the cache does not fit in memory, reading a frame takes as long as training on it.
            for _ in range(2):
                pictures[at], targets[at] = cut(np.asarray(frames[k]), meta["aux"][k], rng)
                at += 1
    if photographs is not None:
        for k in range(0, at, PHOTO_EVERY):
            i = rng.integers(len(photographs[0]))
            pictures[k], targets[k] = (photo if side == FRAME else cut)(photographs[0][i], photographs[1][i], rng)
    clutter(pictures[:at], targets[:at], rng)
    bend(pictures[:at], targets[:at], rng)
    shade(pictures[:at], rng)
    focus(pictures[:at], rng)
    return torch.from_numpy(pictures[:at]), torch.from_numpy(targets[:at])


def clutter(pictures, targets, rng, tries=12):
    """Replaces a rectangle in half of the images by one of another image, without touching hands, in place, so that rooms do not reveal hands.

    CutMix (Yun et al. 2019, arXiv 1905.04899) on the background alone; of several random rectangles the largest that avoids both hands by a margin of
    a third of their length.
    """
    n, side = pictures.shape[:2]
    low, high = np.sort(rng.uniform(-0.3, 1.3, (n, tries, 2, 2)).clip(0, 1), axis=2).transpose(2, 0, 1, 3)
    donor = rng.integers(0, n, n)
    free = np.ones((n, tries), bool)
    for who in (np.arange(n), donor):
        palm, length = targets[who, None, 1:3], targets[who, 3] * FRAME / side
        away = np.linalg.norm(palm - palm.clip(low, high), axis=2)
        free &= (away > 0.8 * length[:, None]) | (targets[who, 0] < 0.5)[:, None]
    area = np.where(free, (high - low).prod(2), 0.0)
    best = area.argmax(1)
    for k in np.flatnonzero((rng.random(n) < 0.5) & (area.max(1) > 0)):
        x, y = (slice(*edge) for edge in (np.stack([low[k, best[k]], high[k, best[k]]], 1) * side).astype(int))
        pictures[k, y, x] = pictures[donor[k], y, x]


def bend(pictures, targets, rng):
    """Bends half of the images a little, in place, with their palm positions: hands with finger shapes that are not in the bank.

    Displacements are interpolated smoothly between random ones 45 pixels apart (elastic distortion: Simard et al. 2003), at most BEND.
    """
    for k in range(len(pictures)):
        _bend_alike(pictures[k:k + 1], targets[k:k + 1], rng)


@functools.cache
def _places(side):
    """x and y of every pixel of a square image: float32 [side,side,2]."""
    return np.stack(np.meshgrid(np.arange(side), np.arange(side)), 2).astype(np.float32)


def _bend_alike(pictures, targets, rng):
    if rng.random() < 0.5:
        return
    side = pictures.shape[1]
    knots = round(side / 45) + 1
    moved = cv2.resize(rng.uniform(-BEND, BEND, (knots, knots, 2)).astype(np.float32), (side, side), interpolation=cv2.INTER_LINEAR)
    x, y = (targets[:, 1:3] * side).astype(int).clip(0, side - 1).T
    targets[:, 1:3] = np.clip(targets[:, 1:3] - moved[y, x] / side, 0, 0.999)
    maps = cv2.convertMaps(moved + _places(side), None, cv2.CV_16SC2)
    for picture in pictures:
        picture[:] = cv2.remap(picture, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def shade(pictures, rng):
    """Gives half of the images uneven light, and a third of those the edge of a shadow, too; in place."""
    for k in range(len(pictures)):
        _shade_alike(pictures[k:k + 1], rng)


def _shade_alike(pictures, rng):
    if rng.random() < 0.5:
        return
    side = pictures.shape[1]
    stops = cv2.resize(rng.normal(0, 0.3, (4, 4)).astype(np.float32), (side, side), interpolation=cv2.INTER_LINEAR)
    if rng.random() < 1 / 3:
        along = np.linspace(-1, 1, side, dtype=np.float32)
        angle, soft = rng.uniform(0, 2 * np.pi), rng.uniform(0.02, 0.3)
        edge = (along * np.cos(angle) + along[:, None] * np.sin(angle) - rng.uniform(-0.6, 0.6)) / soft
        stops -= rng.uniform(0.2, 0.9) * np.clip(0.5 + edge, 0, 1)
    factor = cv2.exp(stops)
    for picture in pictures:
        cv2.multiply(picture, factor, picture, dtype=cv2.CV_8U)


def randomise(pictures, targets, rng):
    """Bends, shades and focuses all frames of one clip in the same way, in place."""
    same = np.random.default_rng(int(rng.integers(1 << 62)))
    _bend_alike(pictures, targets, same)
    _shade_alike(pictures, same)
    _focus_alike(pictures, same)


def focus(pictures, rng):
    """Makes half of the images softer or sharper: cameras sharpen edges, or are out of focus."""
    for k in range(len(pictures)):
        _focus_alike(pictures[k:k + 1], rng)


def _focus_alike(pictures, rng):
    kind, sigma, amount = rng.random(), rng.uniform(0.4, 1.1), rng.uniform(0.3, 1.2)
    if kind >= 0.5:
        return
    for picture in pictures:
        soft = cv2.GaussianBlur(picture, (0, 0), sigma)
        picture[:] = soft if kind < 0.2 else cv2.addWeighted(picture, 1 + amount, soft, -amount, 0)
