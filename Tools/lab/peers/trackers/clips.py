"""The frames of a video or of a directory of images, in the order in which `gesture-bench` takes them."""

import pathlib
import re

import cv2

IMAGES = {".bmp", ".jpeg", ".jpg", ".png"}


def numbered(path):
    """Sorts 2.png before 10.png."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", path.name)]


def forth_and_back(pictures):
    """The pictures as a loop in which nothing jumps."""
    return pictures + pictures[-2:0:-1]


def frames(path):
    """BGR arrays [height, width, 3] of uint8.

    Raises `ValueError` where OpenCV reads nothing.
    """
    path = pathlib.Path(path)
    count = 0
    if path.is_dir():
        for file in sorted((file for file in path.iterdir() if file.suffix.lower() in IMAGES), key=numbered):
            picture = cv2.imread(str(file))
            if picture is None:
                raise ValueError(f"{file} is no picture that OpenCV reads")
            count += 1
            yield picture
    else:
        capture = cv2.VideoCapture(str(path))
        # Upright, as the file says it is shown; off by default in some builds.
        capture.set(cv2.CAP_PROP_ORIENTATION_AUTO, 1)
        while True:
            read, picture = capture.read()
            if not read:
                break
            count += 1
            yield picture
        capture.release()
    if count == 0:
        raise ValueError(f"{path} has no frames that OpenCV reads")
