"""What the engine finds of people from whom its model has not learned: by class and by situation, beside MediaPipe's recogniser.

Every recording is recognised by the model of `finetune --people --models` that was made without its person, as it is, and in copies: cropped to 9:16
about the hand, turned, mirrored and with frames left out. MediaPipe's recogniser stands for its hand and pose networks, run by this engine: a pose
that leads for HELD_SECONDS begins, and begins again after it did not lead for as long.
"""

import concurrent.futures
import csv
import json
import pathlib
import shutil
import statistics
import tempfile
import tomllib

from . import machine, small_hands
from .machine import Failure, output

KINDS = (".mp4", ".gif", ".mkv", ".avi", ".webm", ".mov")
POSES = {"Closed_Fist": "grab", "Open_Palm": "openPalm", "Pointing_Up": "point", "Thumb_Up": "thumbsUp", "Thumb_Down": "thumbsDown"}
HELD_SECONDS = 0.16
# Frames before a gesture's start and after its end in which a begin counts, as in `gesture-bench accuracy`.
EARLY, LATE = 5, 10
MIRRORED = {"swipeLeft": "swipeRight", "swipeRight": "swipeLeft"}
SLOW_RATE, SMALL_HAND = 20, 60
SLOWED_RATE = 10  # about, of copies that leave frames out
# Of the hand's points in a crop, at least this share lies inside.
INSIDE = 0.93
COPIES = ("as recorded", "upright, 9:16", "turned by 15 degrees", "turned by 30 degrees", "mirrored", "slowed")
# The same copy on every machine, as in `public-recordings`.
EXACT = ("-sws_flags", "bicubic+accurate_rnd+full_chroma_int+bitexact", "-threads", "1")
# Those of the recordings that anyone can fetch.
PUBLIC = machine.ROOT / "Tools/lab/training/public-recordings.toml"
# The classes that the recipe for few false events allows.
FEW = ("swipeLeft", "swipeRight", "swipeUp", "swipeDown", "zoomIn", "zoomOut", "grab", "tap", "thumbsUp", "thumbsDown")
WAYS = {
    "hand": ["--no-arms"], "arms": ["--arms"], "low, arms": ["--arms", "--sensitivity", "low"],
    "few": ["--arms", "--sensitivity", "low", "--allowed-classes", ",".join(FEW)]}


def measure(bench, real, models):
    """The result `recognition-situations`."""
    machine.need(bench, "ffmpeg", "ffprobe")
    machine.need_paths(real, models)
    without = {person: path for path in sorted(models.glob("without-*.safetensors")) for person in path.stem.split("-")[1:]}
    clips = on_all_cores(lambda truth: Recording(bench, truth.parent), sorted(real.glob("*/truth.csv")))
    if unknown := {clip.person for clip in clips} - set(without):
        raise Failure(f"{models} has no model without {', '.join(sorted(unknown))}: finetune --people {real} --models {models}")
    copies = {}
    with tempfile.TemporaryDirectory() as temporary:
        for name in COPIES:
            folder = pathlib.Path(temporary) / name.replace(" ", "-")
            made = [clip for clip in clips if clip.copy(name, folder / without[clip.person].stem)]
            rows = [{"clip": clip.name, "seconds": clip.seconds} | (clip.measures() if name == COPIES[0] else {}) for clip in made]
            for way, options in WAYS.items():
                if name != COPIES[0] and way not in ("hand", "arms"):
                    continue
                said = {}
                for report in on_all_cores(lambda path: json.loads(output([bench, "accuracy", folder / path.stem, "--model", path, *options, "--json"])),
                                           sorted({without[clip.person] for clip in made})):
                    said |= {each["name"]: each for each in report["clips"]}
                for clip, each in zip(made, rows):
                    each[way] = of_report(said[clip.name])
            copies[name] = rows
    return machine.provenance("Tools/report recognition --real DIR --people MODELS") | {
        "weights": machine.weights(["hands/hand-gestures.safetensors"]), "copies": copies, "few": list(FEW)}


def on_all_cores(function, values):
    """Its results in order, as a list; no time is measured here."""
    with concurrent.futures.ThreadPoolExecutor(machine.cores()) as pool:
        return list(pool.map(function, values))


class Recording:
    """A folder with a recording and its truth."""

    def __init__(self, bench, folder):
        self.name, self.person = folder.name, folder.name.split("-")[0]
        self.video = next((p for p in sorted(folder.iterdir()) if p.suffix.lower() in KINDS), None)
        if self.video is None:
            raise Failure(f"{folder} has a truth.csv and no video beside it")
        with open(folder / "truth.csv") as file:
            self.truth = [(int(r["start"]), int(r["end"]), r["label"]) for r in csv.DictReader(file)]
        self.width, self.height = small_hands.size(self.video)
        frames = [json.loads(line) for line in output([bench, "hands", self.video, "--json", "--quiet"]).splitlines()]
        self.times = [frame["time_s"] for frame in frames]
        if len(self.times) < 2:
            raise Failure(f"{self.video} has {len(self.times)} frames, and a recording needs two")
        self.hands = [frame["hands"][0] if frame["hands"] else None for frame in frames]

    @property
    def rate(self):
        return (len(self.times) - 1) / (self.times[-1] - self.times[0])

    @property
    def seconds(self):
        return round(self.times[-1] - self.times[0] + 1 / self.rate, 2)

    def measures(self):
        """What is known of the recording as it is, and what MediaPipe's recogniser finds in it."""
        pixels = self.hand_pixels
        return {"rate": round(self.rate, 1), "hand_pixels": None if pixels is None else round(pixels), "poses": self.poses()}

    @property
    def hand_pixels(self):
        """The median of the longer side of the box around the hand; None without one."""
        def side(points):
            return max(size * (max(p[axis] for p in points) - min(p[axis] for p in points)) for axis, size in ((0, self.width), (1, self.height)))

        sides = [side(hand["landmarks"]) for hand in self.hands if hand]
        return statistics.median(sides) if sides else None

    def copy(self, name, folder):
        """Writes the copy of this name into a folder of its own, with its truth. Returns whether there is one."""
        swapped, step = MIRRORED if name == "mirrored" else {}, 1
        filters = {"turned by 15 degrees": "rotate=15*PI/180:c=gray", "turned by 30 degrees": "rotate=30*PI/180:c=gray", "mirrored": "hflip"}.get(name)
        if name == COPIES[1]:
            filters = self.upright()
            if filters is None:
                return False
        if name == "slowed":
            if self.rate < SLOW_RATE:
                return False
            step = round(self.rate / SLOWED_RATE)
            filters = f"select=not(mod(n\\,{step}))"
        truth = [(-(-first // step), last // step, swapped.get(label, label)) for first, last, label in self.truth]
        target = folder / self.name
        target.mkdir(parents=True)
        (target / "truth.csv").write_text("start,end,label\n" + "".join(f"{a},{b},{label}\n" for a, b, label in truth if a <= b))
        if filters is None:
            shutil.copy(self.video, target)
        else:
            output(["ffmpeg", "-v", "error", "-nostdin", "-i", self.video, "-vf", filters + ",crop=trunc(iw/2)*2:trunc(ih/2)*2", "-fps_mode", "passthrough",
                    "-c:v", "libx264", "-crf", "10", "-pix_fmt", "yuv420p", "-an", *EXACT, target / "clip.mp4"])
        return True

    def upright(self):
        """ffmpeg's crop to 9:16 about the hand; None if the picture is not wide, or the hand does not stay inside."""
        places = sorted(point[0] for hand in self.hands if hand for point in hand["landmarks"])
        if self.width < 1.2 * self.height or len(places) < 5 * 21:
            return None
        share = 9 / 16 * self.height / self.width
        left = min(max(places[len(places) // 2] - share / 2, 0), 1 - share)
        if sum(left < x < left + share for x in places) < INSIDE * len(places):
            return None
        return f"crop={int(self.width * share)}:{self.height}:{int(self.width * left)}:0"

    def poses(self):
        """What a held pose of MediaPipe's recogniser finds, like `of_report`."""
        begins, current, since, told = [], None, 0.0, None
        for index, (time, hand) in enumerate(zip(self.times, self.hands)):
            pose = max(hand["pose"], key=hand["pose"].get) if hand and hand.get("pose") else "None"
            if pose != current:
                current, since = pose, time
            # A frame lasts until the next.
            if time + 1 / self.rate - since >= HELD_SECONDS and current != told:
                told = current
                if current in POSES:
                    begins.append((POSES[current], index))
        return matched(begins, [run for run in self.truth if is_pose(run[2])], self.truth)


def matched(begins, gestures, truth):
    used, found, missed = set(), [], []
    for first, last, label in gestures:
        hit = next((k for k, (name, frame) in enumerate(begins) if k not in used and name == label and first - EARLY <= frame <= last + LATE), None)
        (missed if hit is None else found).append(label)
        used.add(hit)
    free = [name for k, (name, frame) in enumerate(begins)
            if k not in used and not any(a <= frame <= b and label == "skip" for a, b, label in truth)]
    return {"found": found, "missed": missed, "false_positives": free}


def of_report(clip):
    """Labels of what `gesture-bench accuracy` found, missed and made up."""
    return {key: [each["label"] for each in clip[key]] for key in ("found", "missed", "false_positives")}


def counts(rows, way, keep=lambda label: True):
    """Found, shown and false of some rows."""
    found, missed, false_positives = (sum(keep(label) for each in rows for label in each[way][key]) for key in ("found", "missed", "false_positives"))
    return found, found + missed, false_positives


def is_pose(label):
    """Whether MediaPipe's recogniser has a pose for a label."""
    return label in POSES.values()


def cell(rows, way, keep=lambda label: True):
    """The counts as text."""
    return as_text(*counts(rows, way, keep))


def as_text(found, shown, false_positives):
    return f"{found} of {shown}, {false_positives}"


def minutes(rows):
    return sum(each["seconds"] for each in rows) / 60


def sources(rows):
    """(name, rows of it): what `public-recordings` fetches, and other recordings; nothing if all are of one kind."""
    public = {each["name"] for each in tomllib.loads(PUBLIC.read_text())["recording"]}
    both = [("of `public-recordings`", [each for each in rows if each["clip"] in public]), ("other recordings", [each for each in rows if each["clip"] not in public])]
    return both if all(some for _, some in both) else []


def situations(rows):
    """(name, rows of it) of recordings as they are."""
    return [
        (f"camera under {SLOW_RATE} frames a second", [each for each in rows if each["rate"] < SLOW_RATE]),
        (f"{SLOW_RATE} and more", [each for each in rows if each["rate"] >= SLOW_RATE]),
        (f"hand under {SMALL_HAND} pixels", [each for each in rows if each["hand_pixels"] and each["hand_pixels"] < SMALL_HAND]),
        (f"{SMALL_HAND} and more", [each for each in rows if each["hand_pixels"] and each["hand_pixels"] >= SMALL_HAND])]
