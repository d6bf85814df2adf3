"""Whole photographs of hands in poses: hand, sleeve, body and room in one camera's view, as training data for the encoder besides composed frames.

Cut-outs lose what makes an image real: the common light of hand and room, cloth behind fingers, a camera's own edges.
emrecandir9/custom-gesture-dataset has two or three people, so these are used for training only, and as a small part of it.
"""

import pathlib

import numpy as np

from .crops import FRAME
from .mattes import photographs
from .script import AUX_POSE, AUX_POSES

# Folder -> its pose, the open hand's length as a multiple of the hand box's longer side, and the vertical position of the palm in the box: estimates
# by eye.
CLASSES = {
    "palm": ("open", 1.0, 0.65), "emergency": ("fist", 1.6, 0.5), "up": ("thumbsUp", 1.3, 0.6), "down": ("thumbsDown", 1.3, 0.4),
    "take_off": ("point", 1.0, 0.68), "video_pause": ("four", 1.0, 0.65), "closer": ("victory", 1.0, 0.65), "photo": ("horns", 1.0, 0.65),
    "left": ("thumbAside", 1.35, 0.5), "right": ("thumbAside", 1.35, 0.5),
}
LOWERED = ("relaxed", 1.2, 0.45)  # the other hand, hanging: detected instead of the raised one
# Above the box of a raised hand is the room or a chest; above that of a lowered hand is a dark sleeve. If the area above the box is darker than the
# area below by more than HANGS gray values, the hand hangs; by less than RAISED, it is raised; between them it is uncertain.
HANGS, RAISED = 40, -2


def read(assets):
    """-> uint8 [n,160,160], float32 [n,8] as compose.AUX, with x, y and size in shares of FRAME pixels, not of the image's side."""
    pictures, targets = [], []
    for folder, picture, (x0, y0, x1, y1) in photographs(pathlib.Path(assets) / "emrecandir-static-poses", CLASSES):
        across = slice(max(int(x0), 0), int(x1))
        darker = picture[int(y1) + 4:int(y1) + 30, across].mean() - picture[max(int(y0) - 30, 0):max(int(y0) - 4, 1), across].mean()
        if RAISED <= darker <= HANGS:
            continue
        name, length, down = LOWERED if darker > HANGS else CLASSES[folder]
        size = length * max(x1 - x0, y1 - y0)
        pictures.append(picture)
        targets.append((1, (x0 + x1) / 2 / FRAME, (y0 + down * (y1 - y0)) / FRAME, size / FRAME, 0, -1 if darker > HANGS else 1,
                        float(name in ("open", "four")), AUX_POSE.get(name, AUX_POSES.index("other"))))
    return np.stack(pictures), np.array(targets, np.float32)


def write(assets, bank):
    """Writes BANK/photos.npz."""
    pictures, aux = read(assets)
    np.savez_compressed(pathlib.Path(bank) / "photos.npz", pictures=pictures, aux=aux)


def load(bank):
    """-> the result of `read`, from the bank."""
    with np.load(pathlib.Path(bank) / "photos.npz") as stored:
        return stored["pictures"], stored["aux"]
