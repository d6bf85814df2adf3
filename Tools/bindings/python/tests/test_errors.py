"""Failures are exceptions with the library's sentence."""
import pathlib
import shutil
import tempfile
import unittest

import numpy
import swift_gesture

GRAY = numpy.zeros((48, 64), numpy.uint8)


class ErrorTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.engine = swift_gesture.Engine()
        cls.pixels = swift_gesture.Engine(pixels=True)

    def raises(self, kind, part):
        return self.assertRaisesRegex(kind, part)

    def test_networks(self):
        with self.raises(swift_gesture.ModelError, "/palm-detection-lite.safetensors cannot be read") as caught:
            swift_gesture.Engine(hands_folder="/no/such/folder")
        self.assertEqual(caught.exception.status, "GESTURE_INVALID_MODEL")
        with self.raises(swift_gesture.ModelError, "cannot be read"):
            swift_gesture.Engine(model_path="/no/such/model")
        with self.raises(swift_gesture.InvalidArgument, "zero byte"):
            swift_gesture.Engine(model_path="a\0b")
        with self.raises(swift_gesture.NoNetworks, "no networks of hands"):
            self.pixels.hand_tracker()
        with self.raises(swift_gesture.NoNetworks, "no networks of hands"):
            self.pixels.recognize_hands(GRAY)

    def test_a_damaged_file(self):
        installed = pathlib.Path(swift_gesture.__file__).parent / "lib" / "gesture-hands"
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(installed, folder, dirs_exist_ok=True)
            file = pathlib.Path(folder) / "hand-landmark-lite.safetensors"
            content = bytearray(file.read_bytes())
            content[-1000] ^= 1
            file.write_bytes(content)
            with self.raises(swift_gesture.ModelError, "hand-landmark-lite.safetensors: The model is damaged"):
                swift_gesture.Engine(hands_folder=folder)

    def test_options(self):
        for options, part in [
                ({"rate": 25}, "rate is 25; it must be 30, 60 or 120"), ({"rate": 0}, "rate is 0"),
                ({"orientation": 9}, "orientation is 9"),
                ({"maximum_hands": 5}, "maximum_hands is 5; it must be from 1 to 4"),
                ({"allowed_classes": ["waltz"]}, '^allowed_classes is "waltz"; it must be a label of the model'),
                ({"denied_classes": ["waltz"]}, '^denied_classes is "waltz"'),
                ({"thresholds": {"waltz": 0.5}}, '^thresholds is "waltz"'),
                ({"minimum_presence": 1.5}, "minimum_presence is 1.5; it must be from 0.01 to 0.99"),
                ({"hands": 2}, "hands is not an option here; the options are rate, held_poses, ")]:
            with self.raises(ValueError, part):
                self.engine.stream(**options)
        with self.raises(swift_gesture.InvalidArgument, "rate is not an option here; the options are orientation, "):
            self.engine.hand_tracker(rate=30)

    def test_frames(self):
        stream = self.pixels.stream()
        for image, how, part in [
                (GRAY.astype(float), {}, "uint8"),
                (numpy.zeros((4, 4, 2), numpy.uint8), {}, "does not tell its format"),
                (GRAY, {"format": "png"}, "The format 'png' is none of"), (GRAY, {"format": "i420_full"}, None),
                (GRAY[:47], {"format": "nv12"}, "3/2"), (numpy.zeros((0, 4), numpy.uint8), {}, "some pixels"),
                (GRAY[0], {}, "does not tell"), (GRAY[0], {"format": "gray"}, "dimensions"),
                (numpy.zeros((4, 4, 3), numpy.uint8), {"format": "bgra"}, "no image of the format bgra"),
                (numpy.zeros((1, 20000), numpy.uint8), {}, "20000x1"), ((GRAY,), {"format": "nv12"}, "2 planes, not 1"),
                ((GRAY, GRAY[:3]), {"format": "nv12"}, "chroma plane has"),
                ((GRAY, GRAY[:24, :32], GRAY[:24, :31]), {"format": "i420"}, "chroma plane has"),
                (GRAY, {"region": (0, 0, 65, 1)}, "not inside"), (GRAY, {"region": (0, 0, 0, 0)}, "empty"),
                (GRAY, {"region": 5}, "x, y, width and height")]:
            if part is None:
                stream.push(image, 0, **how)
                continue
            with self.raises(swift_gesture.FrameError, part):
                stream.push(image, 0, **how)
        with self.raises(ValueError, "time is nan"):
            stream.push(GRAY, float("nan"))
        stream.push(GRAY, 1e300)
        self.assertEqual(stream.outcome, "dropped")

    def test_after_the_end(self):
        stream = self.pixels.stream()
        stream.push(GRAY, 0)
        self.assertEqual(stream.finish(), [])
        with self.raises(swift_gesture.StreamFinished, "gesture_stream_reset"):
            stream.push(GRAY, 1)
        with self.raises(swift_gesture.StreamFinished, "finished"):
            stream.finish()
        self.assertEqual(stream.reset(), [])
        stream.push(GRAY, 0)
        stream.close()
        stream.close()
        with self.raises(swift_gesture.InvalidHandle, "was destroyed"):
            stream.push(GRAY, 1)
        with swift_gesture.Engine(pixels=True) as engine:
            other = engine.stream()
        with self.raises(swift_gesture.InvalidHandle, "The engine was destroyed"):
            engine.stream()
        # A stream keeps what it needs of its engine.
        other.push(GRAY, 0)


if __name__ == "__main__":
    unittest.main()
