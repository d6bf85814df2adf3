"""Makes arrays to calibrate and to test hand networks with: `run crops PALM.tflite PICTURES... --output FOLDER`.

Takes pictures or directories of them (read by ffmpeg) and writes `palm.npy`, every picture as the palm detector gets it, and
`hands.npy`, the region of the surest palm of each as the landmark networks get it: uint8, [N, height, width, 3].
"""

import argparse
import pathlib
import subprocess

import numpy as np

from outputs import Graph

SIDE = 640
HAND_SIDE = 224
PICTURES = {".jpg", ".jpeg", ".png", ".webp"}


def picture(path, side):
    """The picture in the middle of a black square."""
    scale = f"scale={side}:{side}:force_original_aspect_ratio=decrease:flags=area,"
    pad = f"pad={side}:{side}:(ow-iw)/2:(oh-ih)/2,format=rgb24"
    command = ["ffmpeg", "-v", "error", "-i", path, "-frames:v", "1", "-vf", scale + pad, "-f", "rawvideo", "-"]
    return np.frombuffer(subprocess.run(command, check=True, capture_output=True).stdout, np.uint8).reshape(side, side, 3)


def anchors(side):
    """Centres of the palm detector's anchors: two a place of the 8-pixel grid, six a place of the 16-pixel grid."""
    centres = []
    for stride, count in ((8, 2), (16, 6)):
        places = (np.arange(side // stride) + 0.5) / (side // stride)
        y, x = np.meshgrid(places, places, indexing="ij")
        centres.append(np.stack([x, y], -1).reshape(-1, 2).repeat(count, axis=0))
    return np.concatenate(centres)


def palm(outputs, side, threshold):
    """The surest palm as box centre, size and seven key points, in shares of the square; None below the threshold."""
    boxes, scores = sorted((value[0] for value in outputs.values()), key=lambda value: -value.shape[-1])
    best = scores[:, 0].argmax()
    if 1 / (1 + np.exp(-np.clip(scores[best, 0], -100, 100))) < threshold:
        return None
    points = boxes[best].reshape(-1, 2) / side
    centre = anchors(side)[best]
    return points[0] + centre, points[1], points[2:] + centre


def region(centre, size, points):
    """Centre, side and rotation of a hand's region from its palm, as MediaPipe's hand landmark graph makes it."""
    x, y = points[2] - points[0]
    rotation = np.pi / 2 - np.arctan2(-y, x)
    shift = -0.5 * size[1]
    return centre + shift * np.array([-np.sin(rotation), np.cos(rotation)]), 2.6 * size.max(), rotation


def crop(image, centre, side, rotation):
    """A rotated square of the image, bilinear; black outside."""
    places = ((np.arange(HAND_SIDE) + 0.5) / HAND_SIDE - 0.5) * side
    y, x = np.meshgrid(places, places, indexing="ij")
    columns = (centre[0] + x * np.cos(rotation) - y * np.sin(rotation)) * len(image) - 0.5
    lines = (centre[1] + x * np.sin(rotation) + y * np.cos(rotation)) * len(image) - 0.5
    padded = np.pad(image.astype(np.float32), ((1, 1), (1, 1), (0, 0)))
    columns, lines = (np.clip(value + 1, 0, len(padded) - 1.001) for value in (columns, lines))
    left, top = columns.astype(int), lines.astype(int)
    across, down = (columns - left)[..., None], (lines - top)[..., None]
    above = padded[top, left] * (1 - across) + padded[top, left + 1] * across
    below = padded[top + 1, left] * (1 - across) + padded[top + 1, left + 1] * across
    return np.rint(above * (1 - down) + below * down).astype(np.uint8)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("palm")
    parser.add_argument("pictures", nargs="+")
    parser.add_argument("--output", required=True)
    parser.add_argument("--limit", type=int, default=120, help="pictures of all, spread evenly")
    parser.add_argument("--skip", type=int, default=0, help="begin this many pictures later, for a set of others")
    parser.add_argument("--threshold", type=float, default=0.5)
    options = parser.parse_args()
    paths = []
    for path in map(pathlib.Path, options.pictures):
        paths += sorted(file for file in path.rglob("*") if file.suffix.lower() in PICTURES) if path.is_dir() else [path]
    step = max(1, len(paths) // options.limit)
    detector = Graph(options.palm)
    side = detector.shape[0]
    palms, hands = [], []
    for path in paths[options.skip::step][: options.limit]:
        palms.append(picture(path, side))
        found = palm(detector.run(palms[-1][None] / np.float32(255)), side, options.threshold)
        if found is not None:
            hands.append(crop(picture(path, SIDE), *region(*found)))
    output = pathlib.Path(options.output)
    output.mkdir(parents=True, exist_ok=True)
    np.save(output / "palm.npy", np.stack(palms))
    np.save(output / "hands.npy", np.array(hands, np.uint8).reshape(-1, HAND_SIDE, HAND_SIDE, 3))
    print(f"{len(palms)} pictures, {len(hands)} with a palm")


if __name__ == "__main__":
    main()
