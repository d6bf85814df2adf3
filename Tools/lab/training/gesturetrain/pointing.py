"""A clip of rendered hands that point: they press, drag, draw, scroll, and zoom and turn with two pinches. No photograph is in it.

`python -m gesturetrain.pointing MESH OUT.mp4` moves the MakeHuman hand (the folder MESH, CC0) to places of a screen, as
`HandPointer` maps them for a camera that faces the user.
"""

import argparse
import pathlib
import subprocess

import cv2
import numpy as np

from .mesh import POSES, HandMesh, Look, Pose, render, rotation

RATE, SIZE = 30, (480, 360)
UNIT, SIDE = 760, 290  # pixels per metre, and of a picture of one hand
PALM = 0.055  # metres from the wrist to the point that the pointer follows
REGION = (0.2, 0.6)  # of the frame, which is the whole screen
SKIN = (0.66, 0.82, 1.12)  # blue, green and red over gray
# Each with the hand's turn, about the upright axis and the one across, in degrees.
OPEN, FIST = (POSES["spread"], (-12, 0)), (POSES["fist"], (20, 25))
# Thumb and index finger are bent a little further than in training, so that their tips meet.
PINCH = (Pose([(60, 52, 28), *POSES["pinch"].curl[1:]], (52, 8, 18, 34), POSES["pinch"].spread), (-12, 0))

# Seconds, place on the screen and pose. Between two of them a hand moves.
RIGHT = (
    (0.8, (0.45, 0.5), OPEN), (1.4, (0.45, 0.5), OPEN),
    # A click, top left.
    (2.1, (0.18, 0.19), OPEN), (2.5, (0.18, 0.19), OPEN), (2.65, (0.18, 0.19), PINCH), (3.05, (0.18, 0.19), PINCH),
    (3.2, (0.18, 0.19), OPEN), (3.6, (0.18, 0.19), OPEN),
    # A drag from below.
    (4.3, (0.5, 0.8), OPEN), (4.6, (0.5, 0.8), OPEN), (4.75, (0.5, 0.8), PINCH), (5.0, (0.5, 0.8), PINCH),
    (5.8, (0.35, 0.6), PINCH), (6.0, (0.35, 0.6), PINCH), (6.15, (0.35, 0.6), OPEN), (6.4, (0.35, 0.6), OPEN),
    # A stroke on the left.
    (7.0, (0.1, 0.55), OPEN), (7.3, (0.1, 0.55), OPEN), (7.45, (0.1, 0.55), PINCH), (7.7, (0.1, 0.55), PINCH),
    (8.5, (0.25, 0.75), PINCH), (8.7, (0.25, 0.75), PINCH), (8.85, (0.25, 0.75), OPEN), (9.1, (0.25, 0.75), OPEN),
    # A fist that moves up.
    (9.7, (0.5, 0.7), OPEN), (9.9, (0.5, 0.7), OPEN), (10.1, (0.5, 0.7), FIST), (10.5, (0.5, 0.7), FIST),
    (11.2, (0.5, 0.35), FIST), (11.4, (0.5, 0.35), FIST), (11.6, (0.5, 0.35), OPEN),
    # Both pinch, and move apart and around.
    (12.2, (0.62, 0.5), OPEN), (12.8, (0.62, 0.5), OPEN), (12.95, (0.62, 0.5), PINCH), (13.3, (0.62, 0.5), PINCH),
    (14.1, (0.8, 0.3), PINCH), (14.3, (0.8, 0.3), PINCH), (14.45, (0.8, 0.3), OPEN), (15.0, (0.8, 0.3), OPEN),
)
LEFT = (
    (12.0, (0.38, 0.5), OPEN), (12.8, (0.38, 0.5), OPEN), (12.95, (0.38, 0.5), PINCH), (13.3, (0.38, 0.5), PINCH),
    (14.1, (0.2, 0.7), PINCH), (14.3, (0.2, 0.7), PINCH), (14.45, (0.2, 0.7), OPEN), (15.0, (0.2, 0.7), OPEN),
)


def at(track, time):
    """Place, pose and turn of a hand; none before it comes."""
    for (start, place, (pose, turn)), (end, next_place, (next_pose, next_turn)) in zip(track, track[1:]):
        if start <= time < end:
            share = (time - start) / (end - start)
            share = share * share * (3 - 2 * share)
            place, turn = (np.array(old) + share * (np.array(new) - old) for old, new in ((place, next_place), (turn, next_turn)))
            return place, pose.mix(next_pose, share), turn
    return None


def draw(image, mesh, look, place, pose, turn, flip):
    """Draws a hand whose palm is at a place of the screen into the image. flip: a left hand."""
    start, size = REGION
    palm = np.array([start + size * (1 - place[0]), start + size * place[1]]) * SIZE
    wrist = np.array([SIDE / 2, SIDE * 0.75])
    sprite = render(mesh, mesh.pose(pose), look, rotation((0, 1, 0), turn[0]) @ rotation((1, 0, 0), turn[1]), SIDE, UNIT, wrist)
    if flip:
        sprite = sprite[:, ::-1]
    left, top = np.rint(palm - wrist + (0, PALM * UNIT)).astype(int)
    rows, columns = slice(max(0, top), min(SIZE[1], top + SIDE)), slice(max(0, left), min(SIZE[0], left + SIDE))
    part = sprite[rows.start - top:rows.stop - top, columns.start - left:columns.stop - left].astype(np.float32)
    alpha = part[..., 1:] / 255
    image[rows, columns] += alpha * (part[..., :1] * np.float32(SKIN) - image[rows, columns])


def frames(mesh):
    """The frames, [H,W,3] in blue, green and red."""
    look = Look(mesh, np.random.default_rng(3))
    look.light = np.array([0, 0.5, 0.86])  # from the front: the same for both hands
    y, x = np.mgrid[0:1:SIZE[1] * 1j, 0:1:SIZE[0] * 1j]
    room = np.dstack([96 + 30 * y, 92 + 24 * y, 84 + 28 * x]).astype(np.float32)
    for index in range(round(RATE * RIGHT[-1][0])):
        image = room.copy()
        for track, flip in ((RIGHT, False), (LEFT, True)):
            hand = at(track, index / RATE)
            if hand is not None:
                draw(image, mesh, look, *hand, flip)
        yield np.clip(np.rint(image), 0, 255).astype(np.uint8)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("mesh", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    command = ["ffmpeg", "-y", "-v", "error", "-f", "rawvideo", "-pix_fmt", "bgr24", "-s", f"{SIZE[0]}x{SIZE[1]}", "-r", str(RATE), "-i", "-",
               "-c:v", "libx264", "-preset", "veryslow", "-crf", "27", "-pix_fmt", "yuv420p", "-threads", "1", "-map_metadata", "-1",
               "-fflags", "+bitexact", "-flags:v", "+bitexact", "-movflags", "+faststart", str(args.out)]
    video = b"".join(image.tobytes() for image in frames(HandMesh.makehuman(args.mesh)))
    subprocess.run(command, input=video, check=True)


if __name__ == "__main__":
    main()
