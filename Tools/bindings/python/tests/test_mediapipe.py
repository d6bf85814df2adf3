"""MediaPipe's calls, in their order, on the demo clip."""
import contextlib
import io
import pathlib
import struct
import sys
import tempfile
import threading
import unittest
import warnings

import cv2
import numpy
import PIL.Image
import swift_gesture
import swift_gesture.mediapipe as mp
from swift_gesture import _orientation
from swift_gesture.mediapipe.tasks import python
from swift_gesture.mediapipe.tasks.python import vision

import support

SRGB = mp.ImageFormat.SRGB


def options(mode, **more):
    return vision.GestureRecognizerOptions(running_mode=mode, **more)


@contextlib.contextmanager
def without_opencv():
    """As where Pillow alone is installed."""
    kept, sys.modules["cv2"] = sys.modules["cv2"], None
    try:
        yield
    finally:
        sys.modules["cv2"] = kept


class RecognizerTests(unittest.TestCase):
    def image(self, index):
        return mp.Image(image_format=SRGB, data=support.rgb(index))

    def check(self, result):
        """A result with hands has everything of each."""
        for gestures, handedness, landmarks, world in zip(
                result.gestures, result.handedness, result.hand_landmarks, result.hand_world_landmarks):
            self.assertIn(gestures[0].category_name, swift_gesture.POSES)
            self.assertEqual(gestures[0].index, -1)
            self.assertTrue(0 <= gestures[0].score <= 1)
            self.assertIn((handedness[0].index, handedness[0].category_name), [(0, "Right"), (1, "Left")])
            self.assertTrue(0.5 <= handedness[0].score <= 1)
            self.assertEqual((len(landmarks), len(world)), (21, 21))
            self.assertTrue(all(-0.5 < point.x < 1.5 for point in landmarks))
        return len(result.gestures)

    def test_names(self):
        self.assertIs(mp.tasks.vision.GestureRecognizer, vision.GestureRecognizer)
        self.assertIs(mp.tasks.BaseOptions, python.BaseOptions)
        self.assertEqual([mode.name for mode in vision.RunningMode], ["IMAGE", "VIDEO", "LIVE_STREAM"])

    def test_images(self):
        with vision.GestureRecognizer.create_from_options(options(vision.RunningMode.IMAGE)) as recognizer:
            result = recognizer.recognize(self.image(20))
            self.assertEqual(self.check(result), 1)
            hand, = swift_gesture.Engine().recognize_hands(support.rgb(20), format="rgb")
            points = [[point.x, point.y, point.z] for point in result.hand_landmarks[0]]
            self.assertEqual(points, hand.landmarks.tolist())
            self.assertEqual(result.gestures[0][0].category_name, hand.pose)
            nothing = recognizer.recognize(mp.Image(SRGB, numpy.zeros((100, 100, 3), numpy.uint8)))
            self.assertEqual(nothing, vision.GestureRecognizerResult([], [], [], []))

    def test_examples_of_the_readme(self):
        with tempfile.TemporaryDirectory() as folder:
            image, other, model = (
                pathlib.Path(folder) / name for name in ("hand.png", "person.png", "gesture_recognizer.task"))
            cv2.imwrite(str(image), support.rgb(20)[:, :, ::-1])
            cv2.imwrite(str(other), support.person()[:, :, ::-1])
            support.bundle(model)
            exec(support.example(1), {"swift_gesture": swift_gesture})
            for example in (support.example(3), support.example(4)):
                for file in (image, other, model):
                    example = example.replace(file.name, str(file))
                printed = io.StringIO()
                with contextlib.redirect_stdout(printed), warnings.catch_warnings():
                    # The bundle is not used.
                    warnings.simplefilter("ignore", swift_gesture.GestureWarning)
                    exec(example, {"cv2": cv2, "swift_gesture": swift_gesture, "rgb": support.rgb(20), "timestamp_ms": 0})
                self.assertIn("Open_Palm", printed.getvalue())

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = str(pathlib.Path(folder) / "hand.png")
            cv2.imwrite(path, support.rgb(20)[:, :, ::-1])
            image = mp.Image.create_from_file(path)
            self.assertEqual((image.width, image.height, image.channels), (support.WIDTH, support.HEIGHT, 3))
            self.assertTrue((image.numpy_view() == support.rgb(20)).all())
            pathlib.Path(path).write_bytes(b"no image")
            for reader in (contextlib.nullcontext(), without_opencv()):
                with self.assertRaisesRegex(RuntimeError, "is no image"), reader:
                    mp.Image.create_from_file(path)

    def test_files_are_read_upright(self):
        """Whatever the orientation, the format and the library."""
        upright = support.rgb(20)
        # How the pixels lie in the file, by the orientation.
        stored = {1: upright, 2: upright[:, ::-1], 3: upright[::-1, ::-1], 4: upright[::-1],
                  5: upright.swapaxes(0, 1), 6: numpy.rot90(upright), 7: upright[::-1, ::-1].swapaxes(0, 1),
                  8: numpy.rot90(upright, -1)}
        with tempfile.TemporaryDirectory() as folder:
            for suffix, how, limit in [("png", {}, 0), ("webp", {"lossless": True}, 0), ("jpg", {"quality": 98}, 60),
                                       ("avif", {"quality": 100, "subsampling": "4:4:4"}, 20)]:
                for orientation, pixels in stored.items():
                    with self.subTest(suffix=suffix, orientation=orientation):
                        exif = PIL.Image.Exif()
                        exif[0x0112] = orientation
                        path = str(pathlib.Path(folder) / f"{orientation}.{suffix}")
                        PIL.Image.fromarray(numpy.ascontiguousarray(pixels)).save(path, exif=exif, **how)
                        found = mp.Image.create_from_file(path).numpy_view()
                        with without_opencv():
                            same = mp.Image.create_from_file(path).numpy_view()
                        self.assertEqual(found.shape, upright.shape)
                        self.assertTrue((found == same).all())
                        self.assertTrue(found.flags.c_contiguous)
                        self.assertLessEqual(numpy.abs(found.astype(int) - upright).max(), limit)

    def test_damaged_orientations(self):
        """No change of the bytes before the pixels is worse than an image that is not turned, or none."""
        exif = PIL.Image.Exif()
        exif[0x0112] = 6
        for kind in ("PNG", "WEBP", "JPEG", "AVIF"):
            file = io.BytesIO()
            PIL.Image.fromarray(support.rgb(20)[:24, :32].copy()).save(file, kind, exif=exif)
            content = bytearray(file.getvalue())
            self.assertEqual(_orientation.of_file(bytes(content)), 6)
            for place in range(min(len(content), 400)):
                for value in (0, 1, 0x7F, 0xFF):
                    changed = content[:place] + bytes([value]) + content[place + 1:]
                    self.assertIn(_orientation.of_file(bytes(changed)), range(1, 9))
                self.assertIn(_orientation.of_file(bytes(content[:place])), range(1, 9))

    def test_orientation_of_the_primary_item(self):
        """A depth map or a thumbnail beside it may lie otherwise."""
        def box(name, content):
            return struct.pack(">I4s", 8 + len(content), name) + content

        turns = box(b"ipco", box(b"irot", b"\1") + box(b"irot", b"\3"))
        owners = box(b"ipma", struct.pack(">IIHBBHBB", 0, 2, 1, 1, 0x81, 2, 1, 0x82))
        for item, expected in ((1, 8), (2, 6), (3, 1)):
            primary = box(b"pitm", struct.pack(">IH", 0, item))
            meta = box(b"meta", bytes(4) + primary + box(b"iprp", turns + owners))
            self.assertEqual(_orientation.of_file(box(b"ftyp", b"avif\0\0\0\0") + meta), expected)

    def test_deep_gray_images(self):
        deep = (numpy.arange(64, dtype=numpy.uint16) * 1000).reshape(8, 8)
        with tempfile.TemporaryDirectory() as folder:
            path = str(pathlib.Path(folder) / "deep.png")
            cv2.imwrite(path, deep)
            found = mp.Image.create_from_file(path).numpy_view()
            with without_opencv():
                same = mp.Image.create_from_file(path).numpy_view()
        self.assertTrue((found == same).all())

    def test_models(self):
        def make(**options):
            vision.GestureRecognizer.create_from_options(
                vision.GestureRecognizerOptions(base_options=python.BaseOptions(**options))).close()

        for kind in (swift_gesture.ModelError, RuntimeError, FileNotFoundError):
            with self.assertRaisesRegex(kind, "^Unable to open file at /no/such.task"):
                make(model_asset_path="/no/such.task")
            with self.assertRaisesRegex(kind, "Unable to open file"):
                vision.GestureRecognizer.create_from_model_path("no-such.task")
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for name in "ab":
                path = pathlib.Path(folder) / name / "gesture_recognizer.task"
                path.parent.mkdir()
                support.bundle(path)
                paths.append(str(path))
            content = path.read_bytes()
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                for _ in range(2):
                    for path in paths:
                        make(model_asset_path=path)
                    make(model_asset_buffer=content)
            self.assertEqual([str(warning.message).split(" is not used")[0] for warning in caught],
                             [*paths, "model_asset_buffer"])
            for warning in caught:
                self.assertIs(warning.category, swift_gesture.GestureWarning)
                self.assertEqual(warning.filename, __file__)
                self.assertIn("instead of hand_detector.tflite, hand_landmarks_detector.tflite", str(warning.message))
            # What is no bundle, one of another task, and one whose classifier is damaged.
            for name, more, part in [
                    ("gesture_recognizer", ("custom_gesture_classifier.tflite",), "custom_gesture_classifier.tflite in /.*task is no gesture classifier that"),
                    ("pose_landmarker", (), "pose_landmarks_detector.tflite; a GestureRecognizer needs hand_detector"),
                    ("hand_landmarker", (), "a GestureRecognizer needs hand_detector")]:
                path = pathlib.Path(folder) / f"{name}.task"
                support.bundle(path, *more)
                with self.assertRaisesRegex(swift_gesture.ModelError, part):
                    make(model_asset_path=str(path))
            for content in (b"", b"no bundle", path.read_bytes()[:-30]):
                with self.assertRaisesRegex(swift_gesture.ModelError, "is no .task bundle"):
                    make(model_asset_buffer=content)
            # A folder is used.
            with self.assertRaisesRegex(swift_gesture.ModelError, "palm-detection-lite"):
                make(model_asset_path=folder)

    def test_turned_images(self):
        with vision.GestureRecognizer.create_from_options(options(vision.RunningMode.IMAGE)) as recognizer:
            upright = recognizer.recognize(self.image(20))
            for turns, degrees in [(1, 90), (2, 180), (3, 270), (3, -90)]:
                stored = mp.Image(SRGB, numpy.rot90(support.rgb(20), turns))
                found = recognizer.recognize(stored, vision.ImageProcessingOptions(rotation_degrees=degrees))
                # The crop of a turned frame rounds differently.
                self.assertEqual(found.gestures[0][0].category_name, upright.gestures[0][0].category_name)
                self.assertAlmostEqual(found.gestures[0][0].score, upright.gestures[0][0].score, delta=0.05)
                # The points of the stored image lie on the pixels of the same points of the upright one.
                for there, here in zip(found.hand_landmarks[0], upright.hand_landmarks[0]):
                    x, y = {1: (here.y, 1 - here.x), 2: (1 - here.x, 1 - here.y), 3: (1 - here.y, here.x)}[turns]
                    self.assertAlmostEqual(there.x, x, delta=0.01)
                    self.assertAlmostEqual(there.y, y, delta=0.01)
                    # As many pixels.
                    self.assertAlmostEqual(there.z * stored.width, here.z * support.WIDTH, delta=4)
                for there, here in zip(found.hand_world_landmarks[0], upright.hand_world_landmarks[0]):
                    x, y = {1: (here.y, -here.x), 2: (-here.x, -here.y), 3: (-here.y, here.x)}[turns]
                    self.assertAlmostEqual(there.x, x, delta=0.01)
                    self.assertAlmostEqual(there.y, y, delta=0.01)

    def test_videos(self):
        with vision.GestureRecognizer.create_from_options(
                options(vision.RunningMode.VIDEO, num_hands=2)) as recognizer:
            hands, names = 0, set()
            for index in range(80):
                result = recognizer.recognize_for_video(self.image(index), index * 100)
                hands += self.check(result)
                names.update(gestures[0].category_name for gestures in result.gestures)
            self.assertGreater(hands, 30)
            self.assertIn("Closed_Fist", names)
            for late in (7900, 7800):
                with self.assertRaisesRegex(ValueError, "must increase"):
                    recognizer.recognize_for_video(self.image(0), late)

    def test_live_streams(self):
        results, called = [], threading.Event()

        def take(result, image, timestamp_ms):
            self.check(result)
            results.append((timestamp_ms, image.width, threading.current_thread().name))
            called.set()

        recognizer = vision.GestureRecognizer.create_from_options(
            options(vision.RunningMode.LIVE_STREAM, result_callback=take))
        for index in range(30):
            called.clear()
            recognizer.recognize_async(self.image(index), index * 100)
            # Some frames come faster than they are recognised, and give way.
            if index % 3 == 0:
                self.assertTrue(called.wait(10))
        recognizer.close()
        times = [result[0] for result in results]
        self.assertEqual(times, sorted(set(times)))
        self.assertTrue(10 <= len(times) <= 30)
        # The last frame is never dropped.
        self.assertEqual(times[-1], 2900)
        self.assertEqual({result[1:] for result in results}, {(support.WIDTH, "gesture-recognizer")})
        with self.assertRaisesRegex(ValueError, "closed"):
            recognizer.recognize_async(self.image(0), 5000)

    def test_a_callback_that_fails(self):
        reported, calls = [], []
        hook, threading.excepthook = threading.excepthook, lambda arguments: reported.append(arguments.exc_value)
        try:
            def take(result, image, timestamp_ms):
                calls.append(timestamp_ms)
                raise LookupError("of the user")

            with vision.GestureRecognizer.create_from_options(
                    options(vision.RunningMode.LIVE_STREAM, result_callback=take)) as recognizer:
                recognizer.recognize_async(self.image(0), 0)
        finally:
            threading.excepthook = hook
        self.assertEqual(calls, [0])
        self.assertEqual([str(error) for error in reported], ["of the user"])

    def test_categories(self):
        classifier = python.components.processors.ClassifierOptions

        def gesture(**canned):
            with vision.GestureRecognizer.create_from_options(options(
                    vision.RunningMode.IMAGE, canned_gesture_classifier_options=classifier(**canned))) as recognizer:
                return recognizer.recognize(self.image(20)).gestures[0][0]

        best = gesture()
        self.assertEqual(gesture(category_allowlist=[best.category_name]), best)
        self.assertNotEqual(gesture(category_denylist=[best.category_name]).category_name, best.category_name)
        self.assertEqual(gesture(category_allowlist=["Victory"]).category_name, "Victory")
        self.assertEqual(gesture(score_threshold=1.0).category_name, "None")
        with self.assertRaisesRegex(ValueError, "exclude each other"):
            gesture(category_allowlist=["Victory"], category_denylist=["Victory"])

    def test_misuse(self):
        create = vision.GestureRecognizer.create_from_options
        with self.assertRaisesRegex(ValueError, "needs a result_callback"):
            create(options(vision.RunningMode.LIVE_STREAM))
        with self.assertRaisesRegex(ValueError, "belongs to the live stream"):
            create(options(vision.RunningMode.IMAGE, result_callback=print))
        for wrong in ({"num_hands": 5}, {"num_hands": 0}, {"min_hand_detection_confidence": 2},
                      {"min_hand_presence_confidence": -1}):
            for mode in (vision.RunningMode.IMAGE, vision.RunningMode.VIDEO):
                with self.assertRaises(ValueError):
                    create(options(mode, **wrong))
        with create(options(vision.RunningMode.IMAGE)) as recognizer:
            with self.assertRaisesRegex(ValueError, "made for the mode IMAGE"):
                recognizer.recognize_for_video(self.image(0), 0)
            with self.assertRaisesRegex(ValueError, "made for the mode IMAGE"):
                recognizer.recognize_async(self.image(0), 0)
            with self.assertRaisesRegex(ValueError, "multiple of 90"):
                recognizer.recognize(self.image(0), vision.ImageProcessingOptions(rotation_degrees=45))
            with self.assertRaisesRegex(ValueError, "no region of interest"):
                recognizer.recognize(self.image(0), vision.ImageProcessingOptions(region_of_interest=(0, 0, 1, 1)))
        for data in (numpy.zeros((4, 4), numpy.uint8), numpy.zeros((4, 4, 3), float)):
            with self.assertRaisesRegex(ValueError, "3 channels of uint8"):
                mp.Image(SRGB, data)


if __name__ == "__main__":
    unittest.main()
