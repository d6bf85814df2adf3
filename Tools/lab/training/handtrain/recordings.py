"""Recordings of new gestures as seen by the landmark front end, and the location of the gesture in them.

A recording is a video, tracked by `gesture-bench hands`, or an .npz written by `handtrain.track`. In a folder of gestures the folder of a recording
has the name of its gesture; a label JSON beside the recording, in the format of `gesturetrain.compose`, describes it exactly. Without one:

- The recording is cut to the longest stretch with a hand in view, including gaps of up to GAP seconds.
- If the hand is still for REST seconds at the beginning and at the end of the stretch and moves between, the gesture is the movement.
- Otherwise, if it is still half of the time, the gesture is a pose: from the first to the last still moment.
- Otherwise it is the whole stretch.

Every fault of a recording is a SystemExit with a sentence.
"""

import json
import pathlib
import subprocess
from typing import NamedTuple

import numpy as np

from . import features
from .skeletons import palm_size

BENCH = pathlib.Path(__file__).resolve().parents[4] / ".build" / "release" / "gesture-bench"
VIDEOS = (".mp4", ".mov", ".m4v", ".avi", ".mkv", ".webm", ".gif", ".mpg", ".mpeg", ".ts", ".mts", ".3gp", ".wmv", ".y4m", ".npz")
GRIDS = (30, 60, 120)
COLUMN_RATE = 30
GAP = 0.35
REST = 0.2
LEAST = 0.3  # seconds of a hand in view
STILL = 0.8  # palm sizes a second, the mean of all points
REACH = 0.1  # seconds before and after over which a speed is measured


class Recording(NamedTuple):
    path: pathlib.Path
    time: np.ndarray  # [n] seconds
    landmarks: np.ndarray  # [n,21,3], NaN: no hand
    right: np.ndarray  # [n] as in `features`
    aspect: float
    codes: np.ndarray | None = None  # uint8 [n,128], the engine's columns; None: from landmarks alone

    @property
    def seen(self):
        return np.isfinite(self.landmarks).all((1, 2))

    @property
    def motion(self):
        """uint8 [n,12], quantised as in `features`; None if it is unknown."""
        return None if self.codes is None else self.codes[:, features.POSED:features.USED]

    @property
    def rate(self):
        return (len(self.time) - 1) / (self.time[-1] - self.time[0])


def read(path, bench=BENCH, cache=None):
    """-> Recording of a video or an .npz. The folder `cache`, if given, keeps what was tracked in videos."""
    if path.suffix.lower() == ".npz":
        try:
            said = np.load(path)
            landmarks, rate = said["landmarks"].astype(np.float32), float(said["rate"])
            made = Recording(path, np.arange(len(landmarks)) / rate, landmarks, said["right"].astype(np.float32), float(said["aspect"]))
            if landmarks.shape[1:] != (21, 3) or made.right.shape != landmarks.shape[:1] or not rate > 0 or not made.aspect > 0:
                raise ValueError("the shapes of its arrays differ from those of a recording")
        except (ValueError, KeyError, OSError) as error:
            raise SystemExit(f"{path} is not a recording of landmarks: {error}") from None
    else:
        kept = cache and cache / f"{path.parent.name}-{path.stem}.npz"
        if kept and kept.exists():
            said = np.load(kept)
            made = Recording(path, said["time"], said["landmarks"], said["right"], float(said["aspect"]), said["codes"])
        else:
            made = tracked(path, bench)
            if kept:
                cache.mkdir(parents=True, exist_ok=True)
                np.savez(kept, time=made.time, landmarks=made.landmarks, right=made.right, aspect=made.aspect, codes=made.codes)
    if len(made.time) < 2 or not made.time[-1] > made.time[0]:
        raise SystemExit(f"{path} has {'one frame' if len(made.time) == 1 else 'no frames'}: a clip needs {LEAST} s of a hand in view")
    return made


def frames_of(path, bench=BENCH):
    """-> the output of `gesture-bench hands --columns` for each frame of a video."""
    try:
        run = subprocess.run([bench, "hands", path, "--json", "--columns"], capture_output=True, text=True)
    except OSError as error:
        raise SystemExit(f"{bench} cannot be run ({error.strerror}): build it with Tools/build") from None
    if run.returncode:
        said = [line.strip().removeprefix(f"{path}: ") for line in run.stderr.splitlines() if line.strip()]
        raise SystemExit(f"{path} cannot be read: " + (said[-1] if said else f"gesture-bench ended with status {run.returncode}"))
    return [json.loads(line) for line in run.stdout.splitlines()]


def tracked(path, bench=BENCH):
    """-> Recording of a video, by the engine's tracker. Its columns are checked against those of `features`."""
    lines = frames_of(path, bench)
    landmarks = np.full((len(lines), 21, 3), np.nan, np.float32)
    right = np.full(len(lines), 0.5, np.float32)
    for k, line in enumerate(lines):
        if line["hands"]:
            landmarks[k] = line["hands"][0]["landmarks"]
            right[k] = np.float32(1) - np.float32(line["hands"][0]["right_handedness"])
    columns = np.array([line["column"] for line in lines], np.uint8).reshape(len(lines), features.CODES)
    made = Recording(path, np.array([line["time_s"] for line in lines]), landmarks, right, lines[0]["aspect"] if lines else 1.0, columns)
    hand = slice(0, features.HAND)  # scores of poses differ in their last bits, and motion is the frame's
    if lines and not np.array_equal(features.codes(landmarks, right, made.aspect)[:, hand], columns[:, hand]):
        raise SystemExit(f"the columns of {path} are not those of handtrain.features: gesture-bench and these tools are of different versions")
    return made


def slots(time, rate):
    """Times in seconds on the engine's grid of `rate` slots a second -> the frame in each slot."""
    out = []
    for frame, t in enumerate(time - time[0]):
        late = t * rate - len(out) + 1e-6
        if late < -7 / 8:
            continue
        out += [frame - 1] * (max(0, int(np.ceil(late - 7 / 8 - 2e-6))) if frame else 0)
        out.append(frame)
    return np.array(out)


def columns(recording):
    """-> [frames of consecutive columns]: one list at up to 30 frames a second, one for each phase of the taps of faster recordings."""
    grid = next((g for g in GRIDS if 1.01 * g >= recording.rate), GRIDS[-1])
    index, stride = slots(recording.time, grid), grid // COLUMN_RATE
    return [index[phase::stride] for phase in range(min(stride, 2))]


def speeds(recording):
    """Mean speed of the points in palm sizes a second [n]; NaN if no hand is in view at nearby times."""
    seen = np.flatnonzero(recording.seen)
    points = recording.landmarks[seen, :, :2].astype(np.float64) * [recording.aspect, 1]
    size = palm_size(points)
    time = recording.time[seen]
    out = np.full(len(recording.time), np.nan)
    for k, t in enumerate(time):
        a, b = np.searchsorted(time, [t - REACH - 1e-6, t + REACH + 1e-6])
        if b - a >= 2 and time[b - 1] > time[a]:
            out[seen[k]] = np.linalg.norm(points[b - 1] - points[a], axis=1).mean() / np.median(size[a:b]) / (time[b - 1] - time[a])
    return out


def stretch(recording):
    """(first, end) of the frames of the longest stretch with a hand in view."""
    seen = np.flatnonzero(recording.seen)
    if not len(seen):
        raise SystemExit(f"no hand is found in {recording.path}: it must be in view, in colour, and not too small")
    cuts = np.flatnonzero(np.diff(recording.time[seen]) > GAP) + 1
    best = max(np.split(seen, cuts), key=lambda part: recording.time[part[-1]] - recording.time[part[0]])
    length = recording.time[best[-1]] - recording.time[best[0]] + 1 / recording.rate
    if length < LEAST - 1e-6:
        raise SystemExit(f"{recording.path} shows a hand for {length:.2f} s: a clip needs {LEAST} s")
    return int(best[0]), int(best[-1]) + 1


def gesture(recording):
    """-> (first, end, kind): the frames that show the gesture; kind is "moves", "pose" or "all"."""
    first, end = stretch(recording)
    time, speed = recording.time, speeds(recording)
    inside = np.arange(first, end)
    inside = inside[np.isfinite(speed[first:end])]
    if not len(inside):
        return first, end, "all"
    v = speed[inside]
    quiet, busy = np.percentile(v, [10, 90])
    bound = max(STILL, quiet + 0.25 * (busy - quiet)) if quiet < STILL else STILL
    still = v < bound
    at = time[inside]
    begin, rest = at <= time[first] + REST, at >= time[end - 1] - REST
    if still[begin].all() and still[rest].all() and begin.any() and rest.any() and not still.all():
        moving = inside[~still]
        if time[moving[-1]] - time[moving[0]] >= REST:
            return int(moving[0]), int(moving[-1]) + 1, "moves"
    if still.mean() >= 0.5:
        held = inside[still]
        return int(held[0]), int(held[-1]) + 1, "pose"
    return first, end, "all"


def label_file(clip):
    """The object in the label JSON beside a clip; empty without one."""
    path = clip.with_suffix(".json")
    if not path.exists():
        return {}
    try:
        truth = json.loads(path.read_text())
        if not all(len(run) == 3 for run in truth["labels"]):
            raise ValueError("a run needs a first frame, an end and a label")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SystemExit(f"{path} is not a label file: {error!r}") from None
    return truth


def described(recording):
    """Names of each frame and whether it is undecidable, from the label JSON beside a recording -> (names [n], ignore [n]); None without one."""
    path = recording.path.with_suffix(".json")
    if not path.exists():
        return None
    try:
        truth = label_file(recording.path)
        names, ignore = np.full(len(recording.time), "", object), np.zeros(len(recording.time), bool)
        if truth["frames"] != len(names):
            raise SystemExit(f"{recording.path} has {len(names)} frames, its labels state {truth['frames']}")
        for first, end, name in truth["labels"]:
            names[first:end] = str(name)
        for first, end in truth.get("undecided", ()):
            ignore[first:end] = True
    except (ValueError, KeyError, TypeError) as error:
        raise SystemExit(f"{path} is not a label file: {error!r}") from None
    return names, ignore


def gathered(folder, null, least=2):
    """A folder of gestures -> {label: [paths]}, at least `least` of each but null; faults are reported as a sentence."""
    if not folder.is_dir():
        raise SystemExit(f"{folder} is not a folder of clips" if folder.exists() else f"{folder} does not exist")
    names = sorted(p for p in folder.iterdir() if p.is_dir() and not p.name.startswith("."))
    layout = f"it needs one folder for each gesture, with the gesture's name, and one called {null}"
    loose = [p for p in sorted(folder.iterdir()) if p.is_file() and p.suffix.lower() in VIDEOS]
    if loose:
        raise SystemExit(f"{loose[0]} is in no gesture's folder: {layout}")
    if not names:
        raise SystemExit(f"{folder} is empty: {layout}")
    out = {}
    for inner in names:
        paths = sorted(p for p in inner.rglob("*") if p.suffix.lower() in VIDEOS and p.is_file() and not p.name.startswith("."))
        if not paths:
            raise SystemExit(f"{inner} has no clips: it needs videos ({', '.join(VIDEOS[:6])} and the like)")
        if inner.name != null and len(paths) < least:
            raise SystemExit(f"{inner} has one clip: a gesture needs two or more, five are better")
        out[inner.name] = paths
    if set(out) == {null}:
        raise SystemExit(f"{folder} shows no gesture: {layout}")
    return out
