"""Runs scripts that are written for MediaPipe, and records what they print with MediaPipe 0.10.21 itself.

    python3 -m venv there && there/bin/pip install mediapipe==0.10.21
    there/bin/python Tools/bindings/python/tests/recorded.py

writes recorded.json, with which test_scripts.py compares. Needs ffmpeg. A clip is the camera, and no window opens.
"""
import contextlib
import importlib
import io
import json
import os
import pathlib
import re
import tempfile
import zipfile
from unittest import mock

import cv2
import numpy

import support

FILE = pathlib.Path(__file__).with_suffix(".json")
SCRIPTS = FILE.parent / "scripts"
# Scripts and what their camera shows.
CASES = [
    ("virtual_mouse", "hand"), ("virtual_mouse", "two hands"), ("volume_control", "hand"), ("finger_counter", "hand"),
    ("finger_counter", "two hands"), ("squat_counter", "squats"), ("sign_letters", "hand"), ("sign_letters", "two hands"),
    ("live_callback", "hand"), ("holistic_drawing", "squats"),
]


def frames(clip):
    """The pictures of a clip: red, green and blue."""
    if clip == "squats":
        return support.people()
    hand = [support.rgb(index) for index in range(60)]
    # The hand and its mirror image, side by side.
    return hand if clip == "hand" else [numpy.hstack([image, image[:, ::-1]]) for image in hand[::2]]


def run(script, clip, package, files=lambda folder: None):
    """The words of each line that a script prints, and the pictures that it shows.

    package: what is imported as mediapipe.
    files:   puts files into the folder in which the script runs.
    """
    code = re.sub(r"^(from|import) mediapipe\b", rf"\1 {package}", (SCRIPTS / f"{script}.py").read_text(), flags=re.MULTILINE)
    printed, shown = io.StringIO(), []
    camera = mock.Mock(isOpened=lambda: True)
    camera.read.side_effect = [
        *((True, numpy.ascontiguousarray(image[:, :, ::-1])) for image in frames(clip)), (False, None)]
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder, mock.patch.multiple(
            cv2, VideoCapture=lambda *_: camera, imshow=lambda title, image: shown.append(image.copy()),
            waitKey=lambda *_: -1, destroyAllWindows=lambda: None):
        files(pathlib.Path(folder))
        os.chdir(folder)
        try:
            with contextlib.redirect_stdout(printed):
                exec(compile(code, script, "exec"), {"__name__": "__main__"})
        finally:
            os.chdir(before)
    return [line.split() for line in printed.getvalue().splitlines()], shown


def main():
    package = importlib.import_module("mediapipe")
    writer = importlib.import_module("mediapipe.tasks.python.metadata.metadata_writers.metadata_writer").MetadataWriter
    modules = pathlib.Path(package.__file__).parent / "modules"

    def write_bundle(folder):
        with zipfile.ZipFile(folder / "hand_landmarker.task", "w", zipfile.ZIP_STORED) as bundle:
            for name, path in zip(support.HAND_NETWORKS, (
                    "palm_detection/palm_detection_lite.tflite", "hand_landmark/hand_landmark_lite.tflite")):
                # The task reads from the file how its input is scaled: to 0 to 1.
                network = writer.create(bytearray((modules / path).read_bytes())).add_image_input([0.0], [255.0])
                bundle.writestr(name, network.populate()[0])

    recorded = {"version": package.__version__}
    for script, clip in CASES:
        lines, _ = run(script, clip, "mediapipe", write_bundle)
        recorded[f"{script}, {clip}"] = [" ".join(line) for line in lines]
    FILE.write_text(json.dumps(recorded, indent=0) + "\n")


if __name__ == "__main__":
    main()
