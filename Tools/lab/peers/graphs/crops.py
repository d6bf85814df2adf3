"""Makes arrays to calibrate and to test hand and body networks with: `run crops DETECTOR.tflite PICTURES... --output FOLDER`.

Takes pictures or directories of them (read by ffmpeg) and writes `palm.npy`, every picture as the palm detector gets it, and
`hands.npy`, the region of the surest palm of each as the landmark networks get it: uint8, [N, height, width, 3]. With a pose
detector they are `detection.npy` and `bodies.npy`.
"""

import argparse
import pathlib
import subprocess

import numpy as np

from outputs import Graph

SIDE = 640
HAND_SIDE, BODY_SIDE = 224, 256
PICTURES = {".jpg", ".jpeg", ".png", ".webp"}


def picture(path, side):
    """The picture in the middle of a black square."""
    scale = f"scale={side}:{side}:force_original_aspect_ratio=decrease:flags=area,"
    pad = f"pad={side}:{side}:(ow-iw)/2:(oh-ih)/2,format=rgb24"
    command = ["ffmpeg", "-v", "error", "-i", path, "-frames:v", "1", "-vf", scale + pad, "-f", "rawvideo", "-"]
    return np.frombuffer(subprocess.run(command, check=True, capture_output=True).stdout, np.uint8).reshape(side, side, 3)


# Strides of a detector's grids and how many anchors it has at each place.
PALM_GRIDS, BODY_GRIDS = ((8, 2), (16, 6)), ((8, 2), (16, 2), (32, 6))


def anchors(side, grids):
    """Centres of a detector's anchors."""
    centres = []
    for stride, count in grids:
        places = (np.arange(side // stride) + 0.5) / (side // stride)
        y, x = np.meshgrid(places, places, indexing="ij")
        centres.append(np.stack([x, y], -1).reshape(-1, 2).repeat(count, axis=0))
    return np.concatenate(centres)


def surest(outputs, side, threshold, grids):
    """The surest palm or body as box centre, size and key points, in shares of the square; None below the threshold."""
    boxes, scores = sorted((value[0] for value in outputs.values()), key=lambda value: -value.shape[-1])
    best = scores[:, 0].argmax()
    if 1 / (1 + np.exp(-np.clip(scores[best, 0], -100, 100))) < threshold:
        return None
    points = boxes[best].reshape(-1, 2) / side
    centre = anchors(side, grids)[best]
    return points[0] + centre, points[1], points[2:] + centre


def region(centre, size, points):
    """Centre, side and rotation of a hand's region from its palm, as MediaPipe's hand landmark graph makes it."""
    x, y = points[2] - points[0]
    rotation = np.pi / 2 - np.arctan2(-y, x)
    shift = -0.5 * size[1]
    return centre + shift * np.array([-np.sin(rotation), np.cos(rotation)]), 2.6 * size.max(), rotation


def body_region(centre, size, points):
    """The same of a body, as MediaPipe's pose landmark graph makes it from the hips' middle and the circle around all."""
    x, y = points[1] - points[0]
    return points[0], 1.25 * 2 * np.hypot(x, y), np.pi / 2 - np.arctan2(-y, x)


def crop(image, centre, side, rotation, cells):
    """A rotated square of the image, bilinear, with as many rows and columns as cells; black outside."""
    places = ((np.arange(cells) + 0.5) / cells - 0.5) * side
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
    parser.add_argument("detector")
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
    detector = Graph(options.detector)
    side = detector.shape[0]
    # The pose detector's images have 224 pixels a side and numbers of -1...1, the palm detectors' 192 and 0...1.
    bodies = side == 224
    grids, low = (BODY_GRIDS, -1) if bodies else (PALM_GRIDS, 0)
    place, cells = (body_region, BODY_SIDE) if bodies else (region, HAND_SIDE)
    wholes, parts = [], []
    for path in paths[options.skip::step][: options.limit]:
        wholes.append(picture(path, side))
        found = surest(detector.run(low + (1 - low) * wholes[-1][None] / np.float32(255)), side, options.threshold, grids)
        if found is not None:
            parts.append(crop(picture(path, SIDE), *place(*found), cells))
    output = pathlib.Path(options.output)
    output.mkdir(parents=True, exist_ok=True)
    names = ("detection", "bodies") if bodies else ("palm", "hands")
    np.save(output / f"{names[0]}.npy", np.stack(wholes))
    np.save(output / f"{names[1]}.npy", np.array(parts, np.uint8).reshape(-1, cells, cells, 3))
    print(f"{len(wholes)} pictures, {len(parts)} with a {'person' if bodies else 'palm'}")


if __name__ == "__main__":
    main()
