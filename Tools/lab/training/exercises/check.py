"""What a tracker says of the clips against their truth: where the joints are, and how often something was done."""

import json
import subprocess

import cv2
import numpy as np

from .body import JOINTS

# MediaPipe's numbers of `JOINTS`.
_NUMBERS = np.array([{"shoulder": 11, "elbow": 13, "wrist": 15, "hip": 23, "knee": 25, "ankle": 27}[name.split("_")[1]]
                     + (name.startswith("right")) for name in JOINTS])
_PLACE = {name: k for k, name in enumerate(JOINTS)}


def run(command, clip, *options):
    """The lines that `gesture-bench body CLIP --json` prints, decoded."""
    out = subprocess.run([str(command), "body", str(clip), "--json", *options], capture_output=True, text=True)
    if out.returncode:
        raise RuntimeError(f"{command} on {clip}: {out.stderr.strip()}")
    return [json.loads(line) for line in out.stdout.splitlines()]


def joints(lines, truth, size):
    """Compares every frame with a person. truth: [T,12,2] shares; size: width and height in pixels.

    -> {"found": share of frames with a person, "presence": the least, "visible": share of points above 0.5, "median" and "p95" of
    the distances in lengths of the torso as it stands: of shoulders' to hips' middle the 90th percentile of the clip}
    """
    places = truth * np.asarray(size, float)
    middle = {name: (places[:, _PLACE[f"left_{name}"]] + places[:, _PLACE[f"right_{name}"]]) / 2 for name in ("shoulder", "hip")}
    torso = float(np.quantile(np.linalg.norm(middle["shoulder"] - middle["hip"], axis=1), 0.9))
    distances, visible, presence = [], [], []
    for line, frame in zip(lines, places):
        if line["people"]:
            person = line["people"][0]
            points = np.array(person["landmarks"])[_NUMBERS]
            distances.append(np.linalg.norm(points[:, :2] * size - frame, axis=1) / torso)
            visible.append(points[:, 3] > 0.5)
            presence.append(person["presence"])
    if not distances:
        return {"found": 0.0, "presence": 0.0, "visible": 0.0, "median": float("inf"), "p95": float("inf")}
    return {"found": len(distances) / len(lines), "presence": float(min(presence)), "visible": float(np.mean(visible)),
            "median": float(np.median(distances)), "p95": float(np.quantile(distances, 0.95))}


def thinned(source, target, keep):
    """Every `keep`-th frame of a video as another, at a rate that much lower."""
    subprocess.run(["ffmpeg", "-y", "-loglevel", "error", "-i", str(source), "-vf", f"select=not(mod(n\\,{keep})),setpts=N/({30 // keep}*TB)",
                    "-r", str(30 // keep), "-c:v", "libx264", "-crf", "20", "-pix_fmt", "yuv420p", "-threads", "1", str(target)], check=True)


def counted(lines):
    """Repetitions that the last line tells, as {"activity": {"repetitions": N}}."""
    try:
        return int(lines[-1]["activity"]["repetitions"])
    except (IndexError, KeyError, TypeError):
        raise RuntimeError("the tracker's output has no repetitions of an activity") from None


def frames_of(path):
    """Pictures of a video, uint8 [H,W,3] blue, green, red."""
    video = cv2.VideoCapture(str(path))
    out = []
    while (read := video.read())[0]:
        out.append(read[1])
    return out
