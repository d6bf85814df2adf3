"""The clip that the tests use, and what the command says of it. `Tools/gates/c-interface` sets up all of it."""
import atexit
import functools
import io
import json
import os
import pathlib
import re
import select
import signal
import subprocess
import tempfile
import zipfile

import numpy
import PIL.Image

ROOT = pathlib.Path(__file__).resolve().parents[4]
CLIP = ROOT / "Weights" / "demo" / "hands.mp4"
HEADER = ROOT / "Sources" / "CModules" / "CGesture" / "gesture.h"
# The clip has ten frames a second.
WIDTH, HEIGHT, RATE = 480, 360, 10


def replay(clip, *options):
    command = [os.environ["GESTURE_BENCH"], "replay", "--no-arms", "--json", *options, str(clip)]
    printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return [json.loads(line) for line in printed.splitlines()]


@functools.cache
def replayed():
    """The events of the clip by `gesture-bench replay --json`."""
    return replay(CLIP)


@functools.cache
def replayed_in_colour():
    """The same for a lossless copy in red, green and blue, whose rounding changes some events.

    ffmpeg converts as OpenCV does.
    """
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "clip.mkv"
        command = ["ffmpeg", "-v", "error", "-i", str(CLIP), "-c:v", "ffv1", "-pix_fmt", "gbrp", str(copy)]
        subprocess.run(command, check=True)
        return replay(copy)


@functools.cache
def clip_without_times():
    """The clip's pictures as a bare H.264 stream, of which OpenCV says the time 0 for every frame."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    path = pathlib.Path(folder.name) / "clip.h264"
    subprocess.run(["ffmpeg", "-v", "error", "-i", str(CLIP), "-c:v", "copy", str(path)], check=True)
    return path


def example(number):
    """The code of an example in the README, from 0."""
    text = (ROOT / "Tools/bindings/python/README.md").read_text()
    return re.findall(r"```python\n(.*?)```", text, re.DOTALL)[number]


def in_child(body, seconds=60):
    """Calls `body` in a process that is forked, and returns the text that it returns; None if the time is over."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        # No test may go on in this process.
        try:
            answer = str(body())
        except BaseException as error:
            answer = f"{type(error).__name__}: {error}"
        os.write(writing, answer.encode()[:4096])
        os._exit(0)
    os.close(writing)
    answered = select.select([reading], [], [], seconds)[0]
    answer = os.read(reading, 4096).decode() if answered else None
    os.close(reading)
    if not answered:
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return answer


@functools.cache
def frames(pixel_format):
    """The clip's frames as ffmpeg decodes them: each a flat array."""
    command = ["ffmpeg", "-v", "error", "-i", str(CLIP), "-f", "rawvideo", "-pix_fmt", pixel_format, "-"]
    decoded = numpy.frombuffer(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout, numpy.uint8)
    return decoded.reshape(172, -1)


def i420(index):
    """A frame as OpenCV lays it out."""
    return frames("yuv420p")[index].reshape(HEIGHT * 3 // 2, WIDTH)


def rgb(index):
    return frames("rgb24")[index].reshape(HEIGHT, WIDTH, 3)


@functools.cache
def people():
    """The frames of the drawn person who does squats, ten a second: red, green and blue."""
    with PIL.Image.open(ROOT / "Weights" / "demo" / "body.webp") as animation:
        found = []
        for index in range(animation.n_frames):
            animation.seek(index)
            found.append(numpy.asarray(animation.convert("RGB")))
        return found


def person():
    return people()[0]


# The networks of MediaPipe's bundles.
HAND_NETWORKS = ("hand_detector.tflite", "hand_landmarks_detector.tflite")
GESTURE_NETWORKS = ("gesture_embedder.tflite", "canned_gesture_classifier.tflite")
POSE_NETWORKS = ("pose_detector.tflite", "pose_landmarks_detector.tflite")


def bundle(path, *more, custom=b"a network"):
    """Writes a .task file with the networks that its name tells, and more; each is of a few bytes.

    custom: the content of custom_gesture_classifier.tflite, if it is among them.
    """
    def write(target, names):
        with zipfile.ZipFile(target, "w") as file:
            for name in names:
                file.writestr(name, custom if name == "custom_gesture_classifier.tflite" else b"a network")

    if path.stem == "gesture_recognizer":
        # Bundles in a bundle.
        with zipfile.ZipFile(path, "w") as file:
            for name, networks in {"hand_landmarker.task": HAND_NETWORKS,
                                   "hand_gesture_recognizer.task": (*GESTURE_NETWORKS, *more)}.items():
                inner = io.BytesIO()
                write(inner, networks)
                file.writestr(name, inner.getvalue())
    else:
        write(path, (*(POSE_NETWORKS if path.stem == "pose_landmarker" else HAND_NETWORKS), *more))


def line(event):
    """An event as the command prints it."""
    return {"event": event.kind, "label": event.label, "confidence": round(event.confidence, 4),
            "onset_s": round(event.onset, 6), "decision_s": round(event.decision, 6), "sequence": event.sequence}
