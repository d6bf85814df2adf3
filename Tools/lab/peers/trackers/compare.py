"""Our hand or body tracker against MediaPipe's on the same clips: `run compare [--bodies] CLIP...`.

MediaPipe's `Hands` (lite networks) or `Pose` (full; --complexity names another) gets the frames that OpenCV decodes, in order:
one hand or person, tracking mode, both thresholds 0.5. Prints, a clip a line and over all: in how many frames both say the same of
whether there is one; where both say so, the median and the 95th percentile of the distance between the same landmarks, in shares of
a size in pixels of the frame: of a hand the longest side of the box around MediaPipe's landmarks, of a body its torso, from the
middle of the shoulders to the middle of the hips. Of a body only points count that MediaPipe calls visible (0.5 or more). Exits with
1 where the whole misses --agreement or --distance.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import cv2
import numpy as np

import mediapipe_graphs
from clips import frames

REPOSITORY = pathlib.Path(__file__).resolve().parents[4]


class Hands:
    """What is compared of hands."""

    command, key, thing, agreement = "hands", "hands", "hand", 0.98

    @staticmethod
    def size(points):
        """In the unit of the points [21, 2]."""
        return np.ptp(points, axis=0).max()

    @staticmethod
    def theirs(pictures, options):
        """A frame an item: landmarks [21, 2] in shares of the frame and which of them count, or None."""
        found = []
        with mediapipe_graphs.hands() as hands:
            for picture in pictures:
                result = hands.process(cv2.cvtColor(picture, cv2.COLOR_BGR2RGB))
                first = (result.multi_hand_landmarks or [None])[0]
                found.append(None if first is None else (
                    np.array([(point.x, point.y) for point in first.landmark]), np.ones(21, bool)))
        return found


class Bodies:
    """What is compared of bodies."""

    command, key, thing, agreement = "body", "people", "person", 0.97

    @staticmethod
    def size(points):
        """In the unit of the points [33, 2]."""
        return np.linalg.norm(points[11:13].mean(axis=0) - points[23:25].mean(axis=0))

    @staticmethod
    def theirs(pictures, options):
        """A frame an item: landmarks [33, 2] in shares of the frame and which of them count, or None."""
        found = []
        with mediapipe_graphs.pose(smooth=not options.plain, complexity=options.complexity) as pose:
            for picture in pictures:
                points = pose.process(cv2.cvtColor(picture, cv2.COLOR_BGR2RGB)).pose_landmarks
                found.append(None if points is None else (
                    np.array([(point.x, point.y) for point in points.landmark]),
                    np.array([point.visibility >= 0.5 for point in points.landmark])))
        return found


def ours(kind, program, clip, arguments):
    """The same of our command; who is only held is not seen."""
    run = subprocess.run([program, kind.command, clip, "--json", *arguments], capture_output=True, text=True)
    if run.returncode:
        raise SystemExit(f"{program} {kind.command} {clip}: {run.stderr.strip()}")
    found = []
    for line in run.stdout.splitlines():
        seen = [one for one in json.loads(line)[kind.key] if one.get("state", "seen") == "seen"]
        found.append(np.array(seen[0]["landmarks"])[:, :2] if seen else None)
    return found


class Tally:
    """What was found in the frames of one clip, or of all."""

    def __init__(self, kind):
        self.kind = kind
        self.frames = self.equal = self.only_ours = self.only_theirs = 0
        self.distances = []

    def add(self, mine, reference, width, height):
        """One frame."""
        self.frames += 1
        self.equal += (mine is None) == (reference is None)
        self.only_ours += mine is not None and reference is None
        self.only_theirs += mine is None and reference is not None
        if mine is not None and reference is not None:
            pixels = np.array([width, height])
            points, counts = reference
            size = self.kind.size(points * pixels)
            self.distances.append((np.linalg.norm((mine - points) * pixels, axis=1) / size)[counts])

    def extend(self, other):
        """All frames of another tally."""
        for name in ("frames", "equal", "only_ours", "only_theirs"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.distances += other.distances

    @property
    def agreement(self):
        """Share of frames."""
        return self.equal / self.frames

    def distance(self, percentile):
        """Share of the size."""
        return np.percentile(np.concatenate(self.distances), percentile) if self.distances else float("nan")

    def row(self, name):
        """A line of the table."""
        return (f"| {name} | {self.frames} | {100 * self.agreement:.1f} % | {self.only_ours} | {self.only_theirs} "
                f"| {100 * self.distance(50):.2f} % | {100 * self.distance(95):.2f} % |")


def main():
    """Compares and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clips", nargs="+", help="videos and directories of images")
    parser.add_argument("--bodies", action="store_true", help="people and not hands")
    parser.add_argument("--plain", action="store_true", help="with --bodies: MediaPipe does not smooth, and ours shall not")
    parser.add_argument("--complexity", type=int, choices=(0, 1, 2), default=1,
                        help="with --bodies: MediaPipe's lite, full or heavy network; give ours by --argument=--model=FILE")
    parser.add_argument("--program", default=str(REPOSITORY / ".build/release/gesture-bench"))
    parser.add_argument("--argument", action="append", default=[], help="for our program, as --argument=--smoothed")
    parser.add_argument("--pictures", action="store_true",
                        help="give our program the frames that OpenCV decoded, as PNG at 30 Hz, not the clip")
    parser.add_argument("--frames", action="store_true", help="print each frame in which only one of them sees one")
    parser.add_argument("--agreement", type=float, help="0.98 of hands, 0.97 of bodies")
    parser.add_argument("--distance", type=float, default=0.02)
    options = parser.parse_args()
    kind = Bodies if options.bodies else Hands
    if options.plain:
        options.argument.append("--no-smoothed")
    whole = Tally(kind)
    print("| clip | frames | found or not: equal | only ours | only MediaPipe | distance, median | 95th percentile |\n"
          "|---|---|---|---|---|---|---|")
    for clip in options.clips:
        with tempfile.TemporaryDirectory() as folder:
            pictures = list(frames(clip))
            height, width = pictures[0].shape[:2]
            if options.pictures:
                for index, picture in enumerate(pictures):
                    cv2.imwrite(f"{folder}/{index:06}.png", picture, [cv2.IMWRITE_PNG_COMPRESSION, 1])
            mine = ours(kind, options.program, folder if options.pictures else clip, options.argument)
        reference = kind.theirs(pictures, options)
        if len(mine) != len(reference):
            raise SystemExit(f"{clip}: our program has {len(mine)} frames and OpenCV {len(reference)}")
        tally = Tally(kind)
        for index, pair in enumerate(zip(mine, reference)):
            tally.add(*pair, width, height)
            if options.frames and (pair[0] is None) != (pair[1] is None):
                print(f"{clip}: frame {index}: only {'MediaPipe' if pair[0] is None else 'ours'}", file=sys.stderr)
        print(tally.row(pathlib.Path(clip).name), flush=True)
        whole.extend(tally)
    print(whole.row("all"))
    # Without a frame in which both see one the distance is no number, and no number is near enough.
    near = whole.distance(50) <= options.distance
    sys.exit(not (whole.agreement >= (options.agreement or kind.agreement) and near))


if __name__ == "__main__":
    main()
