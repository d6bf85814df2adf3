"""A bank of real hands' skeletons: each as the bones of an upright hand, and as seen by the camera.

`python -m handtrain.skeletons BANK.npz --photographs FILE --closings FILE --traces FILE --handy FOLDER --emre FOLDER`. The files are the sources
landmarks-of-photographs, landmarks-jxshyz and fingertip-traces-forks; the folders are the outputs of `handtrain.track` for the runs of
handy-webcam-2people and of emrecandir-static-poses (`--static --pad 40`).

Coordinates: x right, y down, z away from the camera, in palm sizes (`features`: s). All hands are right hands as reported by the tracker (others are
mirrored). A skeleton is split into `bones` [20,3] (bone k ends at landmark k + 1) in the frame of its palm (wrist to middle knuckle is -y, the palm's
normal z) and `view` [3,3], which rotates them to the camera's view, without the roll.
"""

import argparse
import pathlib

import numpy as np

from .features import BODY

PARENT = np.array([0, 1, 2, 3, 0, 5, 6, 7, 0, 9, 10, 11, 0, 13, 14, 15, 0, 17, 18, 19])  # of landmarks 1...20
FINGER = np.array([0] * 4 + [1] * 4 + [2] * 4 + [3] * 4 + [4] * 4)  # of bones
PERSONS_OF_HANDY = 45  # frames of each run in the first room
HELD_OUT = 0.25
SUBJECTS_HELD_OUT = (2, 4)

NAMES = {
    "roboflow-handgesture-lebanese": {"five": "open", "four": "four", "one": "point", "three": "three", "two": "two"},
    "signdigits-218": {"digit 0": "ring", "digit 1": "point", "digit 2": "two", "digit 4": "four", "digit 5": "open", "digit 9": "ok"},
    "subhih-hands": {"0 fingers": "fist", "1 fingers": "point", "2 fingers": "two", "3 fingers": "three", "4 fingers": "four", "5 fingers": "open"},
}
NAMES_OF_EMRECANDIR = {"palm": "open", "emergency": "fist", "up": "thumb", "down": "thumb", "left": "thumb", "right": "thumb", "follow": "shaka",
                       "closer": "two", "photo": "horns", "further": "two", "land": "two", "take_off": "point", "video": "three", "video_pause": "four"}
RUNS_OF_HANDY = {0: "open", 1: "horns", 2: "fist", 8: "shaka", 9: "pinch"}  # those in the first room


def palm_size(points):
    """The palm's size (`features`: s) of hands [N,21,3], or of [N,21,2] in the frame (f), in their unit -> [N]."""
    body = points[:, BODY]
    return np.sqrt(((body - body.mean(1, keepdims=True)) ** 2).sum(2).mean(1))


def sized(points):
    """[N,21,3] -> palm size 1, wrist at the origin."""
    return (points - points[:, :1]) / palm_size(points)[:, None, None]


def split(points):
    """[N,21,3] of right hands -> bones [N,20,3] in the palm's frame, view [N,3,3] without roll, roll [N] in radians, clockwise."""
    points = sized(points)
    up = points[:, 9] / np.linalg.norm(points[:, 9], axis=1, keepdims=True)
    normal = np.cross(points[:, 5], points[:, 17])
    normal -= up * (normal * up).sum(1, keepdims=True)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    frame = np.stack([np.cross(-up, normal), -up, normal], 1)  # rows: x, y, z of the palm
    bones = np.einsum("nij,nkj->nki", frame, points[:, 1:] - points[:, PARENT])
    roll = np.arctan2(up[:, 0], -up[:, 1])
    view = turn(-roll) @ frame.transpose(0, 2, 1)
    return bones, view, roll


def turn(angle, axis=2):
    """Rotations [N,3,3] by angles [N]; about z: clockwise as seen."""
    c, s = np.cos(angle), np.sin(angle)
    a, b = ((1, 2), (2, 0), (0, 1))[axis]
    out = np.zeros(np.shape(angle) + (3, 3))
    out[..., axis, axis] = 1
    out[..., a, a] = out[..., b, b] = c
    out[..., a, b], out[..., b, a] = -s, s
    return out


def points_of(bones):
    """[...,20,3] -> [...,21,3], wrist at the origin."""
    out = np.zeros(bones.shape[:-2] + (21, 3), bones.dtype)
    for k in range(20):
        out[..., k + 1, :] = out[..., PARENT[k], :] + bones[..., k, :]
    return out


def reaches(points):
    """The distance of each tip from its knuckle, in palm sizes: [N,5]."""
    return np.linalg.norm(points[:, [4, 8, 12, 16, 20]] - points[:, [2, 5, 9, 13, 17]], axis=2)


def plausible(name, points):
    """Whether a skeleton shows the pose that its source states: some images show another hand, and some fingers were misread."""
    r = reaches(points)
    long, short = r > 1.25, r < 1.15
    thumb = np.linalg.norm(points[:, 4] - points[:, 5], axis=1)
    four = long[:, 1:].all(1)
    if name in ("open", "four"):
        return four & (thumb > 0.6 if name == "open" else True)
    if name == "point":
        return long[:, 1] & short[:, 2:].all(1)
    if name in ("fist", "thumb"):
        closed = short[:, 1:].all(1)
        return closed & (thumb > 1.15) if name == "thumb" else closed & (thumb < 1.15)
    if name == "two":
        return long[:, 1] & long[:, 2] & short[:, 3]
    if name == "three":
        return long[:, 1:].sum(1) + (thumb > 0.9) >= 3
    if name == "horns":
        return long[:, 1] & long[:, 4] & short[:, 2:4].all(1)
    if name == "shaka":
        return (r[:, 4] > r[:, 1:4].max(1)) & short[:, 1:4].all(1)
    return np.ones(len(points), bool)


def gather(photographs, handy, emre):
    """-> lists of (name, source, group within the source as a share 0...1, points [21,3] right-handed)."""
    data = np.load(photographs)
    rows = []
    for source in sorted(NAMES):
        for label, name in NAMES[source].items():
            at = np.flatnonzero((data["source"] == source) & (data["label"] == label))
            for order, k in enumerate(at):
                rows.append((name, source, order / len(at), data["points"][k], bool(data["right"][k])))

    def add(path, name, source, stop=None):
        said = np.load(path)
        points = said["landmarks"].astype(np.float64)
        points[..., [0, 2]] *= float(said["aspect"])
        count = len(points) if stop is None else stop
        for k in range(count):
            if np.isfinite(points[k]).all():
                rows.append((name, source, 0.0 if stop else k / count, points[k], bool(said["right"][k] > 0.5)))

    for folder, name in NAMES_OF_EMRECANDIR.items():
        add(emre / f"emrecandir-static-poses-{folder}.npz", name, "emrecandir-static-poses")
    for run, name in RUNS_OF_HANDY.items():
        add(handy / f"data-{run}.npz", name, "handy-webcam-2people", PERSONS_OF_HANDY)
    return rows


def recorded(closings):
    """Closings of Jxshyz/Gesture_Recognition (Apache-2.0; 30 frames a second, five people): from open hands to fists, from spread thumbs
    and index fingers to pinches. -> dict of arrays: motion [N,48,20,3] (bones of the closing, stretched to 48 moments from its begin to
    its end), motion_view [N,3,3] without roll, motion_name ("grab", "pinch"), motion_seconds [N], motion_held_out [N].
    """
    data = np.load(closings)
    names = [str(n) for n in data["label_names"]]
    out = {k: [] for k in ("motion", "motion_view", "motion_name", "motion_seconds", "motion_held_out")}
    for label, name in (("close_fist", "grab"), ("pinch", "pinch")):
        for k in np.flatnonzero(data["label"] == names.index(label)):
            points = data["seq"][k].astype(np.float64).reshape(60, 21, 3)[:int(data["length"][k])]
            points = points[np.isfinite(points).all((1, 2))]
            if len(points) < 15:
                continue
            if not data["right"][k]:
                points[..., 0] *= -1
            points = sized(points)
            measure = np.linalg.norm(points[:, 4] - points[:, 8], axis=1) if name == "pinch" else reaches(points)[:, 1:].mean(1)
            measure = np.convolve(np.pad(measure, 2, mode="edge"), np.ones(5) / 5, "valid")
            low = int(measure.argmin())
            if low < 4:
                continue
            high = int(measure[:low].argmax())
            top, bottom = measure[high], measure[low]
            if top - bottom < (0.9 if name == "pinch" else 0.6) or bottom > (0.8 if name == "pinch" else 1.1):
                continue
            begin = high + int(np.flatnonzero(measure[high:low + 1] > bottom + 0.92 * (top - bottom))[-1])
            end = begin + int(np.flatnonzero(measure[begin:low + 1] < bottom + 0.08 * (top - bottom))[0])
            if end - begin < 2:
                continue
            bones, view, _ = split(points[begin:end + 1])
            t = np.linspace(0, len(bones) - 1, 48)
            i = np.minimum(t.astype(int), len(bones) - 2)
            w = (t - i)[:, None, None]
            out["motion"].append(bones[i] * (1 - w) + bones[i + 1] * w)
            out["motion_view"].append(view[0])
            out["motion_name"].append(name)
            out["motion_seconds"].append((end - begin) / float(data["fps"]))
            out["motion_held_out"].append(int(data["subject"][k]) in SUBJECTS_HELD_OUT)
    return {k: np.array(v) for k, v in out.items()}


DRAWN = ("null:circle", "null:letter", "null:other", "null:shape", "null:sign", "null:wave")
STEPPED = "Ghostexvan"  # whose strokes have steps of twenty pixels
ASPECT = 16 / 9  # of the program's frames


def traced(traces):
    """Paths of real index fingertips, 16 points each, of fingertip-traces-forks (Apache-2.0, MIT; about twenty people). -> dict of arrays: trace
    [N,16,2], trace_name, trace_weight [N] with which each person counts by the root of their number, trace_held_out [N].

    "stroke": a swipe from its begin to its end, in any direction: coordinates along it from 0 to 1, and to its right. "drawing": paths that are not
    gestures, from (0, 0), the larger of width and height 1.
    """
    data = np.load(traces)
    xy = data["xy"][:, :16].astype(np.float64) * [ASPECT, 1]
    label, person = data["label"].astype(str), data["person"]
    stepped = np.char.startswith(data["person_repo"].astype(str), STEPPED)[person]
    rows = []
    for k in np.flatnonzero(data["no_jump"] & np.isfinite(xy).all((1, 2))):
        way = xy[k]
        if label[k] in DRAWN:
            extent = np.ptp(way, axis=0).max()
            if extent > 0.04:
                rows.append((way / extent, "drawing", person[k]))
        elif label[k].startswith("swipe") and data["agrees"][k] and not stepped[k]:
            far = np.linalg.norm(way - way[0], axis=1)
            last = int(far.argmax())
            first = int(np.flatnonzero(far[:last + 1] < 0.05 * far[last])[-1])
            if last - first < 4:
                continue
            stroke = way[first:last + 1] - way[first]
            x, y = stroke[-1] / (stroke[-1] @ stroke[-1])
            stroke = np.stack([stroke @ [x, y], stroke @ [-y, x]], 1)
            t = np.linspace(0, len(stroke) - 1, 16)
            rows.append((np.stack([np.interp(t, np.arange(len(stroke)), a) for a in stroke.T], 1), "stroke", person[k]))
    name, who = (np.array([r[k] for r in rows]) for k in (1, 2))
    weight = np.array([((name == n) & (who == p)).sum() for n, p in zip(name, who)]) ** -0.5
    return {"trace": np.stack([r[0] for r in rows]).astype(np.float32), "trace_name": name, "trace_weight": weight, "trace_held_out": who % 4 == 0}


def build(photographs, closings, traces, handy, emre):
    """-> dict of arrays: bones, view, name, source, held_out, and those of `recorded` and `traced`."""
    rows = gather(photographs, handy, emre)
    points = np.stack([r[3] for r in rows]).astype(np.float64)
    left = np.array([not r[4] for r in rows])
    points[left, :, 0] *= -1
    points = sized(points)
    names = np.array([r[0] for r in rows])
    keep = np.zeros(len(rows), bool)
    for name in sorted(set(names)):
        keep[names == name] = plausible(name, points[names == name])
    keep &= np.isfinite(points).all((1, 2))
    bones, view, roll = split(points)
    share = np.array([r[2] for r in rows])
    source = np.array([r[1] for r in rows])
    # In sources with several people, images are ordered by person; the last people are held out.
    held_out = (share >= 1 - HELD_OUT) & (source != "subhih-hands")
    out = {"bones": bones, "view": view, "roll": roll, "name": names, "source": source, "held_out": held_out}
    return {k: v[keep] for k, v in out.items()} | recorded(closings) | traced(traces)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bank", type=pathlib.Path)
    for name in ("photographs", "closings", "traces", "handy", "emre"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    args = parser.parse_args()
    bank = build(args.photographs, args.closings, args.traces, args.handy, args.emre)
    np.savez_compressed(args.bank, **bank)
    for name in sorted(set(bank["motion_name"])):
        at = bank["motion_name"] == name
        print(f"recorded {name}: {at.sum()}, held out {(at & bank['motion_held_out']).sum()}, of {np.percentile(bank['motion_seconds'][at], [10, 50, 90])} s")
    for name in sorted(set(bank["trace_name"])):
        print(f"{name}s of fingertips: {(bank['trace_name'] == name).sum()}, held out {((bank['trace_name'] == name) & bank['trace_held_out']).sum()}")
    for name in sorted(set(bank["name"])):
        at = bank["name"] == name
        print(f"{name}: {at.sum()}, held out {(at & bank['held_out']).sum()}, of " + ", ".join(sorted(set(bank["source"][at]))))


if __name__ == "__main__":
    main()
