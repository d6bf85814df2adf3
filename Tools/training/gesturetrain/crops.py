"""Crops around the hand: what the encoder learns its poses from, five times as many a second as whole frames.

All layers up to b7 are convolutions, so a crop of 96x96 gives a 3x3 map whose cells see what they would see in the
frame. A crop is one warp of a cached frame: the hand's size is drawn anew (log-uniform), its place in the crop is
uniform, and it is rolled, stretched and mirrored a little, with the auxiliary targets following.
"""

import cv2
import numpy as np
import torch

SIDE = 96
SIZES = (16.0, 88.0)  # pixels of an open hand's length
FRAME = 224


def crop(picture, aux, rng):
    """One frame [224,224] and its targets (compose.AUX) -> uint8 [96,96], targets with x and y as shares of the crop."""
    mirror = -1.0 if rng.random() < 0.5 else 1.0
    turn = np.clip(rng.normal(0, 8), -25, 25)
    stretch = np.exp(rng.normal(0, 0.06))
    present = aux[0] > 0.5
    if present and rng.random() < 0.9:
        old = max(float(aux[3]) * FRAME, 8.0)
        new = np.exp(rng.uniform(np.log(SIZES[0]), np.log(SIZES[1])))
        scale = float(np.clip(new / old, 0.3, 1.5))
        at = np.array([aux[1], aux[2]]) * FRAME
        to = rng.uniform(4, SIDE - 4, 2)
    else:
        scale = np.exp(rng.uniform(-0.7, 0.3))
        at, to = rng.uniform(0, FRAME, 2), np.full(2, SIDE / 2)
    a = np.deg2rad(turn)
    linear = scale * np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]) @ np.diag([mirror * stretch, 1 / stretch])
    source = picture
    if scale < 0.55:
        source = cv2.pyrDown(picture)
        matrix = np.column_stack([linear * 2, to - linear @ at])
    else:
        matrix = np.column_stack([linear, to - linear @ at])
    out = cv2.warpAffine(source, matrix, (SIDE, SIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    target = aux.copy()
    place = (linear @ (np.array([aux[1], aux[2]]) * FRAME) + to - linear @ at) / SIDE
    target[0] = float(present and 0 <= place[0] < 1 and 0 <= place[1] < 1)
    target[1:3] = np.clip(place, 0, 0.999)
    target[3] = aux[3] * scale
    roll = np.arctan2(aux[4], aux[5]) * mirror + a
    target[4:6] = np.sin(roll), np.cos(roll)
    return out, target


def batch(data, rng, chunks, size):
    """Crops of single frames from random clips. -> uint8 [size,96,96], aux [size,8]."""
    pictures, targets = np.empty((size, SIDE, SIDE), np.uint8), np.empty((size, 8), np.float32)
    at = 0
    for chunk in rng.integers(0, chunks, 16):
        frames, meta = data[int(chunk)]
        for clip in rng.integers(0, len(meta["first"]), size // 16):
            k = meta["first"][clip] + rng.integers(meta["counts"][clip])
            pictures[at], targets[at] = crop(np.asarray(frames[k]), meta["aux"][k], rng)
            at += 1
    return torch.from_numpy(pictures[:at]), torch.from_numpy(targets[:at])
