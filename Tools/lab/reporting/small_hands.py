"""How small a hand may be in the frame, with and without a body: `python3 Tools/lab/reporting/small_hands.py CLIP|DIRECTORY...`.

Every clip is fitted into 1280x720 and then shrunk to each of --shrink in the middle of that canvas; the border is smeared over the rest (--border
black: the rest is black). The true hands come from `gesture-bench hands --maximum-hands 2` at full size, without a body. A hand of a shrunk clip is
found if the median distance of the 21 points of some hand from the true ones is below half a hand's size, which is the longest side of the box around
the true points. A directory holds photographs: each is shown for four frames at 10 Hz between twelve black ones, in which all tracking is lost, and
its fourth frame counts.

Prints, for each shrinking, without and with --with-body: true hands, the share that was found, the median distance of their points in hand sizes,
false hands per hundred frames, the hand's median size in pixels, and the median and 99th percentile of the time of a frame. Needs only ffmpeg and
Python.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
WIDTH, HEIGHT = 1280, 720
IMAGES = {".bmp", ".jpeg", ".jpg", ".png"}
SHOWN, HIDDEN = 4, 12
NEAR = 0.5


def even(number):
    """The nearest even number, at least 2."""
    return max(2, 2 * round(number / 2))


def size(path):
    """Width and height of a video or image as it is shown."""
    reply = json.loads(subprocess.run(
        ["ffprobe", "-v", "error", "-select_streams", "v:0", "-show_streams", "-of", "json", path], check=True,
        capture_output=True).stdout)["streams"][0]
    turned = any(abs(int(data.get("rotation", 0))) % 180 == 90 for data in reply.get("side_data_list", []))
    sides = reply["width"], reply["height"]
    return sides[::-1] if turned else sides


class Canvas:
    """The position of an image of some size in the canvas."""

    def __init__(self, path, shrink, border):
        width, height = size(path)
        scale = min(WIDTH / width, HEIGHT / height) / shrink
        self.width, self.height = even(width * scale), even(height * scale)
        self.left, self.top = even((WIDTH - self.width) / 2 - 1), even((HEIGHT - self.height) / 2 - 1)
        if self.width == WIDTH:
            self.left = 0
        if self.height == HEIGHT:
            self.top = 0
        right, bottom = WIDTH - self.width - self.left, HEIGHT - self.height - self.top
        self.filter = (
            f"scale={self.width}:{self.height}:flags=area,pad={WIDTH}:{HEIGHT}:{self.left}:{self.top}:black")
        if border == "smear":
            self.filter += f",fillborders={self.left}:{right}:{self.top}:{bottom}:smear"

    def place(self, points):
        """From shares of the canvas to shares of the image's height."""
        return [((x * WIDTH - self.left) / self.height, (y * HEIGHT - self.top) / self.height) for x, y in points]


def encode(source, filters, target):
    """Writes a lossless video of an ffmpeg input."""
    subprocess.run(
        ["ffmpeg", "-v", "error", *source, "-vf", filters, "-pix_fmt", "yuv420p", "-c:v", "ffv1", target], check=True,
        stdin=subprocess.DEVNULL)


def photographs(folder):
    """The images of a directory and its subdirectories."""
    return sorted(path for path in pathlib.Path(folder).rglob("*") if path.suffix.lower() in IMAGES)


def prepare(clip, shrink, border, target):
    """Writes a clip.

    Returns a canvas for each frame that counts, and None for the others.
    """
    if not pathlib.Path(clip).is_dir():
        canvas = Canvas(clip, shrink, border)
        encode(["-i", clip], canvas.filter, target)
        return lambda frame: canvas
    canvases = [Canvas(str(path), shrink, border) for path in photographs(clip)]
    with tempfile.NamedTemporaryFile(suffix=".rgb") as raw:
        for path, canvas in zip(photographs(clip), canvases):
            picture = subprocess.run(
                ["ffmpeg", "-v", "error", "-i", path, "-frames:v", "1", "-vf", canvas.filter, "-f", "rawvideo",
                 "-pix_fmt", "rgb24", "-"], check=True, capture_output=True, stdin=subprocess.DEVNULL).stdout
            raw.write(picture * SHOWN + bytes(len(picture)) * HIDDEN)
        raw.flush()
        encode(["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{WIDTH}x{HEIGHT}", "-r", "10", "-i", raw.name], "null", target)
    whole = SHOWN + HIDDEN
    return lambda frame: canvases[frame // whole] if frame % whole == SHOWN - 1 else None


def hands(program, clip, arguments):
    """For each frame: hands as points in shares of the frame, and milliseconds."""
    run = subprocess.run(
        [program, "hands", clip, "--maximum-hands", "2", "--json", "--timing", *arguments], capture_output=True, text=True)
    if run.returncode:
        raise SystemExit(f"{clip}: {run.stderr.strip()}")
    lines = [json.loads(line) for line in run.stdout.splitlines()]
    return [([[point[:2] for point in hand["landmarks"]] for hand in line["hands"]], line["step_ms"]) for line in lines]


def distances(points, others):
    """The distance of each point from its counterpart."""
    return [((x - u) ** 2 + (y - v) ** 2) ** 0.5 for (x, y), (u, v) in zip(points, others)]


def extent(points):
    """The longest side of the box around points."""
    return max(max(values) - min(values) for values in zip(*points))


class Tally:
    """Counts of true and found hands."""

    def __init__(self):
        self.true = self.found = self.others = self.frames = 0
        self.distances, self.sizes, self.times = [], [], []

    def add(self, truth, seen, canvas):
        """Adds one frame; points in shares of the image's height."""
        self.frames += 1
        rest = list(seen)
        for hand in truth:
            self.true += 1
            self.sizes.append(extent(hand) * canvas.height)
            near = [(statistics.median(distances(hand, other)) / extent(hand), other) for other in rest]
            best = min(near, default=(NEAR, None), key=lambda pair: pair[0])
            if best[0] < NEAR:
                self.found += 1
                self.distances.append(best[0])
                rest.remove(best[1])
        self.others += len(rest)

    def extend(self, other):
        """Adds another tally."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    def row(self, *names):
        """A row of the table."""
        times = sorted(self.times)
        near = f"{statistics.median(self.distances):.3f}" if self.distances else "-"
        pixels = f"{statistics.median(self.sizes):.0f}" if self.sizes else "-"
        share = 100 * self.found / self.true if self.true else float("nan")
        return " | ".join(["", *names][1:] + [
            pixels, str(self.true), f"{share:.1f} %", near, f"{100 * self.others / max(1, self.frames):.1f}",
            f"{statistics.median(times):.1f}", f"{times[len(times) * 99 // 100]:.1f}"])


def main():
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clips", nargs="+", help="videos, and directories of photographs")
    parser.add_argument("--program", default=str(REPOSITORY / ".build/release/gesture-bench"))
    parser.add_argument("--shrink", type=float, nargs="+", default=[1, 2, 3, 4, 6])
    parser.add_argument("--border", choices=["smear", "black"], default="smear")
    parser.add_argument("--argument", action="append", default=[], help="for both runs, as --argument=--smoothed")
    parser.add_argument("--every", action="store_true", help="a table of every clip, not of all alone")
    options = parser.parse_args()
    modes = {"alone": [], "with body": ["--with-body"]}
    whole = {(shrink, mode): Tally() for shrink in options.shrink for mode in modes}
    head = ("| 1 of | hands | pixels | true | found | distance | others in 100 frames | ms, median | 99th percentile |\n"
            "|---|---|---|---|---|---|---|---|---|")
    for clip in options.clips:
        with tempfile.TemporaryDirectory() as folder:
            target = f"{folder}/clip.mkv"
            canvas = prepare(clip, 1, options.border, target)
            truth = hands(options.program, target, options.argument)
            places = [canvas(frame) for frame in range(len(truth))]
            true = [[place.place(hand) for hand in seen] if place else [] for place, (seen, _) in zip(places, truth)]
            if options.every:
                print(f"\n{clip}\n\n{head}")
            for shrink in options.shrink:
                pathlib.Path(target).unlink()
                canvas = prepare(clip, shrink, options.border, target)
                for mode, arguments in modes.items():
                    tally = Tally()
                    for frame, (seen, time) in enumerate(hands(options.program, target, options.argument + arguments)):
                        place = canvas(frame)
                        tally.times.append(time)
                        if place:
                            tally.add(true[frame], [place.place(hand) for hand in seen], place)
                    if options.every:
                        print(f"| {tally.row(f'{shrink:g}', mode)} |", flush=True)
                    whole[shrink, mode].extend(tally)
            print(f"{clip}: done", file=sys.stderr)
    print(f"\nall clips\n\n{head}")
    for (shrink, mode), tally in whole.items():
        print(f"| {tally.row(f'{shrink:g}', mode)} |")


if __name__ == "__main__":
    main()
