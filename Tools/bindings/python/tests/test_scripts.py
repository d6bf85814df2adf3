"""Scripts written for MediaPipe, with the name of the package changed; a clip is the camera, and no window opens."""
import contextlib
import io
import os
import pathlib
import re
import tempfile
import unittest
import warnings
from unittest import mock

import cv2
import numpy
import swift_gesture

import support

SCRIPTS = pathlib.Path(__file__).parent / "scripts"


class Camera:
    """The first frames of the clip."""

    def __init__(self, *_):
        self.index = 0

    def isOpened(self):
        return True

    def read(self):
        if self.index == 60:
            return False, None
        frame = numpy.ascontiguousarray(support.rgb(self.index)[:, :, ::-1])
        self.index += 1
        return True, frame

    def release(self):
        pass


class ScriptTests(unittest.TestCase):
    def run_script(self, name):
        """The lines that a script prints, and the pictures that it shows."""
        code = re.sub(r"^(from|import) mediapipe\b", r"\1 swift_gesture.mediapipe", (SCRIPTS / name).read_text(),
                      flags=re.MULTILINE)
        printed, shown = io.StringIO(), []
        with tempfile.TemporaryDirectory() as folder, mock.patch.multiple(
                cv2, VideoCapture=Camera, imshow=lambda title, image: shown.append(image.copy()),
                waitKey=lambda *_: -1, destroyAllWindows=lambda: None):
            for task in ("hand_landmarker", "gesture_recognizer", "pose_landmarker"):
                support.bundle(pathlib.Path(folder) / f"{task}.task")
            cv2.imwrite(f"{folder}/hand.png", support.rgb(20)[:, :, ::-1])
            cv2.imwrite(f"{folder}/person.png", support.person()[:, :, ::-1])
            before = os.getcwd()
            os.chdir(folder)
            try:
                with contextlib.redirect_stdout(printed), warnings.catch_warnings():
                    # These bundles hold no networks.
                    warnings.simplefilter("ignore", swift_gesture.GestureWarning)
                    exec(compile(code, name, "exec"), {"__name__": "__main__"})
            finally:
                os.chdir(before)
        return [line.split() for line in printed.getvalue().splitlines()], shown

    def drawn(self, shown):
        """How many pictures differ from the camera's."""
        return sum(not (picture[:, :, ::-1] == support.rgb(index)).all() for index, picture in enumerate(shown))

    def tips(self, lines):
        """Hands whose index finger's tip is where the tracker puts it."""
        hands = [line for line in lines if line[0] == "hand"]
        self.assertTrue(all(-0.5 < float(share) < 1.5 for line in hands for share in line[-2:]))
        return len(hands)

    def test_landmarker_with_own_drawing(self):
        lines, shown = self.run_script("landmarker_with_own_drawing.py")
        self.assertEqual(len(shown), 60)
        self.assertGreater(self.tips(lines), 25)
        self.assertTrue({line[1] for line in lines} <= {"Left", "Right"})
        self.assertGreater(self.drawn(shown), 25)

    def test_landmarker_and_gestures(self):
        lines, shown = self.run_script("landmarker_and_gestures.py")
        self.assertEqual((len(shown), self.drawn(shown)), (60, 0))
        self.assertGreater(self.tips(lines), 25)
        self.assertIn("Open_Palm", {line[1] for line in lines})

    def test_gestures_with_drawing_utils(self):
        lines, shown = self.run_script("gestures_with_drawing_utils.py")
        self.assertEqual(len(shown), 60)
        self.assertGreater(self.tips(lines), 25)
        self.assertGreater(self.drawn(shown), 25)
        # Turned from blue, green, red. The colours are those of the palm (red) and of the thumb (peach).
        picture = shown[20][:, :, ::-1]
        for color in ((48, 48, 255), (180, 229, 255)):
            self.assertTrue((picture == color).all(axis=2).any(), color)

    def test_live_callback(self):
        lines, shown = self.run_script("live_callback.py")
        self.assertEqual(len(shown), 60)
        times = [int(line[1]) for line in lines]
        self.assertEqual(times, sorted(set(times)))
        self.assertGreater(self.tips(lines), 10)
        self.assertGreater(self.drawn(shown), 10)

    def test_still_pictures(self):
        lines, shown = self.run_script("still_pictures.py")
        self.assertEqual(len(shown), 2)
        self.assertEqual(lines[0][:2], ["hand", "Open_Palm"])
        bodies = [line for line in lines if line[0] == "body" and line[1] == "person.png"]
        self.assertEqual([line[4:] for line in bodies], [["True", "True"]])
        # The drawn person stands in the middle, with the head at the top.
        self.assertAlmostEqual(float(bodies[0][2]), 0.5, delta=0.1)
        self.assertLess(float(bodies[0][3]), 0.3)

    def test_legacy_hands(self):
        lines, shown = self.run_script("legacy_hands.py")
        self.assertEqual(len(shown), 60)
        self.assertGreater(self.tips(lines), 25)
        # The solutions name the side of a mirrored picture, the tasks the other one.
        modern = {"Left": "Right", "Right": "Left"}
        by_tasks, _ = self.run_script("landmarker_with_own_drawing.py")
        self.assertEqual(modern[lines[0][1]], by_tasks[0][1])
        self.assertGreater(self.drawn([cv2.flip(picture, 1) for picture in shown]), 25)


if __name__ == "__main__":
    unittest.main()
