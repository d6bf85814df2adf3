"""Frames a second of swift_gesture.daft and of daft-physical-ai's MediaPipe method: throughput.py NETWORKS [CLIP...].

Both get the same images in the same run, in turns. Without CLIPs it takes the demo's recording and adds the run to results.md.
"""
import datetime
import importlib.metadata
import os
import pathlib
import statistics
import sys
import tempfile
import time

import av
import daft
from daft_physical_ai.hands import track_hands

import swift_gesture
from swift_gesture.daft import recognize_gestures, recognize_hands

FOLDER = pathlib.Path(__file__).resolve().parent
DEMO = FOLDER.parents[3] / "Weights/demo/hands.mp4"
ROUNDS = 5
# So many frames that the start of the workers counts little. Clips need no memory for decoded images.
LEAST_FRAMES = 1_200
CLIPS_FOR_IMAGES = 4
INTRODUCTION = f"""# Throughput with Daft

Written by `Tools/bindings/python/daft-check/run measure`, the newest run first. From a data frame to parquet, {ROUNDS} rounds in
turns, the start of the workers included. Images are frames of Weights/demo/hands.mp4, 480x360 pixels, decoded before; clips
are that file. daft-physical-ai finds hands with MediaPipe's full networks, each image by itself; swift_gesture with its
lite pair, and adds poses. A load above the number of workers means that other programs took a core.
"""


def main():
    networks, *given = sys.argv[1:]
    clips = given or [str(DEMO)]
    images = [frame.to_ndarray(format="rgb24") for clip in clips for frame in av.open(clip).decode(video=0)]
    times = -(-LEAST_FRAMES // len(images))
    images, clips = images * times, clips * times * CLIPS_FOR_IMAGES
    frames = daft.from_pydict({"image": images}).select(daft.col("image").cast(daft.DataType.image("RGB"))).collect()
    files = daft.from_pydict({"path": clips})
    image, path = frames["image"], files["path"]
    runs = {
        "images, daft-physical-ai with MediaPipe, its 2 workers": (
            frames, track_hands(image, method="mediapipe", model_path=networks)),
        "images, swift_gesture, 1 worker": (frames, recognize_hands(image, max_concurrency=1)),
        "images, swift_gesture, 2 workers": (frames, recognize_hands(image, max_concurrency=2)),
        "images, swift_gesture, as Daft decides": (frames, recognize_hands(image)),
        "clips to events with decoding, 1 worker": (files, recognize_gestures(path, max_concurrency=1)),
        "clips to events with decoding, 2 workers": (files, recognize_gestures(path, max_concurrency=2)),
    }
    rates, hands = {name: [] for name in runs}, {}
    for _ in range(ROUNDS):
        for name, (source, expression) in runs.items():
            with tempfile.TemporaryDirectory() as folder:
                begin = time.perf_counter()
                source.select(expression.alias("found")).write_parquet(folder)
                count = len(images) * (1 if source is frames else CLIPS_FOR_IMAGES)
                rates[name].append(count / (time.perf_counter() - begin))
                found = daft.read_parquet(folder).to_pydict()["found"]
            if source is frames:
                hands[name] = sum(map(len, found))
            elif any(row["error"] for row in found):
                sys.exit(f"FAIL: {found}")
    medians = {name: statistics.median(values) for name, values in rates.items()}
    peer, one, two, _, first, second = medians.values()
    lines = [
        "| what | frames a second, median | least and most | hands found |", "|---|---|---|---|",
        *(f"| {name} | {medians[name]:.0f} | {min(values):.0f} to {max(values):.0f} | {hands.get(name, '')} |"
          for name, values in rates.items()),
        "", f"Images by 2 workers each: {two / peer:.1f} times as many as daft-physical-ai; with 1 worker of "
        f"swift_gesture against its 2: {one / peer:.1f} times. From 1 to 2 workers: {two / one:.2f} times for images, "
        f"{second / first:.2f} times for clips.",
    ]
    print("\n".join(lines))
    if not given:
        page = FOLDER / "results.md"
        earlier = page.read_text().split("\n## ")[1:] if page.exists() else []
        run = "\n".join([conditions(len(images), len(clips)), "", *lines])
        page.write_text("\n## ".join([INTRODUCTION, run + "\n", *earlier]))


def conditions(images, clips):
    peers = ("daft", "daft-physical-ai", "mediapipe")
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in peers)
    return (f"{datetime.datetime.now():%Y-%m-%d %H:%M}, load {os.getloadavg()[0]:.1f} at the end\n\n"
            f"{images} images; clips: the file {clips} times. {processor()}, {len(os.sched_getaffinity(0))} cores, "
            f"swift_gesture {swift_gesture.__version__}, {versions}.")


def processor():
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    return next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), "unknown processor")


if __name__ == "__main__":
    main()
