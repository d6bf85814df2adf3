"""The clip that the tests use, and what the command says of it. `Tools/gates/c-interface` sets up all of it."""
import functools
import json
import os
import pathlib
import subprocess
import tempfile

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[4]
CLIP = ROOT / "Weights" / "demo" / "hands.mp4"
HEADER = ROOT / "Sources" / "CGesture" / "gesture.h"
# The clip has ten frames a second.
WIDTH, HEIGHT, RATE = 480, 360, 10


def replay(clip):
    command = [os.environ["GESTURE_BENCH"], "replay", "--json", str(clip)]
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


def line(event):
    """An event as the command prints it."""
    return {"event": event.kind, "label": event.label, "confidence": round(event.confidence, 4),
            "onset_s": round(event.onset, 6), "decision_s": round(event.decision, 6), "sequence": event.sequence}
