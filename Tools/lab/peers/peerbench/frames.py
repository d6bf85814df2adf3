"""Frames that calibrate and test every engine alike."""

import cv2
import numpy as np

from .network import SIDE


def from_clip(path, limit=400):
    """Gray uint8 [N, 224, 224] of a recorded clip."""
    capture = cv2.VideoCapture(str(path))
    frames = []
    while len(frames) < limit:
        more, image = capture.read()
        if not more:
            break
        gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        frames.append(cv2.resize(gray, (SIDE, SIDE), interpolation=cv2.INTER_LINEAR))
    if len(frames) < 64:
        raise SystemExit(f"{path}: {len(frames)} frames, at least 64 are needed")
    return np.stack(frames)


def load(path):
    """Frames of a .npy file or of a clip."""
    if str(path).endswith(".npy"):
        frames = np.load(path)
        if frames.dtype != np.uint8 or frames.ndim != 3 or frames.shape[1:] != (SIDE, SIDE) or len(frames) < 64:
            raise SystemExit(f"{path}: uint8 [N >= 64, {SIDE}, {SIDE}] wanted, found {frames.dtype} {frames.shape}")
        return frames
    return from_clip(path)


def split(frames):
    """(calibration, test): the first half and the second half."""
    middle = len(frames) // 2
    return frames[:middle], frames[middle:]
