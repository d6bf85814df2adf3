"""Landmarks of videos and of folders of images, from MediaPipe's tracker with the lite networks.

`python -m handtrain.track OUTPUT SOURCE...` with the Python of Tools/lab/peers/trackers, whose mediapipe 0.10.21 and numpy 1.26.4 are incompatible with the
packages for training. SOURCE is a video (its frames in order) or a folder of images (in the order of the numbers in their names).
OUTPUT/NAME.npz: landmarks float32 [T,21,3] (x, y as shares of the frame, z as in MediaPipe; NaN: no hand), right float32 [T] (score of handedness
"Right" as reported), aspect (width / height), rate (frames a second; 15 for folders unless `--rate` is given). `--static` treats images as unrelated.
"""

import argparse
import os
import pathlib
import re

import cv2
import mediapipe
import numpy as np

PICTURES = (".jpg", ".jpeg", ".png")


def pictures(source):
    """-> (iterator of BGR images, rate or None)."""
    if source.is_dir():
        names = sorted((p for p in source.iterdir() if p.suffix.lower() in PICTURES),
                       key=lambda p: [int(n) for n in re.findall(r"\d+", p.stem)] or [0])
        return (cv2.imread(str(p)) for p in names), None
    capture = cv2.VideoCapture(str(source))

    def read():
        while True:
            ok, image = capture.read()
            if not ok:
                return
            yield image
    return read(), capture.get(cv2.CAP_PROP_FPS)


def track(source, static=False, complexity=0, pad=0):
    """-> dict of arrays as described at the top of this module."""
    hands = mediapipe.solutions.hands.Hands(static_image_mode=static, model_complexity=complexity, max_num_hands=1)
    images, rate = pictures(source)
    landmarks, right, aspect = [], [], 1.0
    for image in images:
        if pad:
            image = cv2.copyMakeBorder(image, pad, pad, pad, pad, cv2.BORDER_REPLICATE)
        if min(image.shape[:2]) < 300:
            image = cv2.resize(image, None, fx=2, fy=2, interpolation=cv2.INTER_LINEAR)
        aspect = image.shape[1] / image.shape[0]
        found = hands.process(cv2.cvtColor(image, cv2.COLOR_BGR2RGB))
        if found.multi_hand_landmarks:
            landmarks.append([[p.x, p.y, p.z] for p in found.multi_hand_landmarks[0].landmark])
            said = found.multi_handedness[0].classification[0]
            right.append(said.score if said.label == "Right" else 1 - said.score)
        else:
            landmarks.append(np.full((21, 3), np.nan))
            right.append(0.5)
    hands.close()
    return {"landmarks": np.array(landmarks, np.float32).reshape(-1, 21, 3), "right": np.array(right, np.float32), "aspect": aspect, "rate": rate}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("sources", type=pathlib.Path, nargs="+")
    parser.add_argument("--static", action="store_true")
    parser.add_argument("--rate", type=float, default=15.0)
    parser.add_argument("--complexity", type=int, default=0)
    parser.add_argument("--pad", type=int, default=0)
    args = parser.parse_args()
    args.output.mkdir(parents=True, exist_ok=True)
    for source in args.sources:
        said = track(source, args.static, args.complexity, args.pad)
        said["rate"] = said["rate"] or args.rate
        name = source.stem if source.is_file() else f"{source.parent.name}-{source.name}"
        part = args.output / f".{name}.npz"
        np.savez_compressed(part, **said)
        os.replace(part, args.output / f"{name}.npz")
        print(f"{name}: {len(said['right'])} frames at {said['rate']:.0f} a second, a hand in {np.isfinite(said['landmarks'][:, 0, 0]).mean():.3f}", flush=True)


if __name__ == "__main__":
    main()
