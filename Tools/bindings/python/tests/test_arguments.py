"""Every public call with arguments of every type: what works, and InvalidArgument with the name for the rest."""
import datetime
import decimal
import fractions
import itertools
import pathlib
import unittest

import numpy
import swift_gesture
import swift_gesture.mediapipe as mp

GRAY = numpy.zeros((48, 64), numpy.uint8)
RGB = numpy.zeros((48, 64, 3), numpy.uint8)
vision = mp.tasks.vision
# Of no use as a number, a text, a path or an object.
WRONG = [[], {}, (1, 2), object(), datetime.datetime.now(), numpy.zeros(2), b"bytes", 1j, float("nan"), float("inf"),
         10 ** 400, -10 ** 400, 10 ** 5000, numpy.datetime64("now"), numpy.timedelta64(1, "s"), numpy.float64("nan")]
NUMBERS = [True, False, *WRONG, "text", "1"]


class ArgumentTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.engine = swift_gesture.Engine()

    def refused(self, name, call, values, kind=swift_gesture.InvalidArgument):
        for value in values:
            with self.subTest(argument=name, value=type(value).__name__):
                with self.assertRaisesRegex(kind, name) as caught:
                    call(value)
                self.assertIsInstance(caught.exception, swift_gesture.GestureError)
                self.assertIsInstance(caught.exception, ValueError)
                self.assertLess(len(str(caught.exception)), 400)

    def test_options(self):
        makers = [self.engine.stream, self.engine.hand_tracker,
                  lambda **options: self.engine.recognize_hands(GRAY, **options)]
        whole = {"orientation": 6, "maximum_hands": 2}
        scores = {"minimum_palm_score": 0.25, "minimum_presence": 0.75}
        for make in makers:
            for name, value in {**whole, **scores}.items():
                for given in (value, float(value), numpy.float32(value), numpy.float64(value), numpy.array(value),
                              decimal.Decimal(str(value)), fractions.Fraction(value), None):
                    make(**{name: given})
                self.refused(name, lambda value: make(**{name: value}), [*NUMBERS, 0, -1, 99, 2 ** 32 + 1])
            for name in scores:
                for given in (0.01, 0.99, numpy.float32(0.01), numpy.float32(0.99)):
                    make(**{name: given})
                self.refused(f"{name} is .* from 0.01 to 0.99", lambda value: make(**{name: value}), [0.009, 0.991, 1])
            for name in whole:
                make(**{name: numpy.int64(2)})
                self.refused(name, lambda value: make(**{name: value}), [1.5])
            for name in ("is_smoothed", "detects_in_every_frame"):
                for given in (True, False, 1, 0, numpy.bool_(True), None):
                    make(**{name: given})
                self.refused(name, lambda value: make(**{name: value}), [*WRONG, "yes", 2, 0.5])
            self.refused("fps is not an option", lambda value: make(fps=value), [30])
        for rate in (30, 30.0, numpy.float64(30), numpy.int32(60), 120, None):
            self.engine.stream(rate=rate)
        self.refused("rate is .*30, 60 or 120", lambda value: self.engine.stream(rate=value),
                     [*NUMBERS, 29.97, 25, 0, 2 ** 32 + 30])
        for sensitivity in ("low", "medium", "high", -1, 0, 1.0, None):
            self.engine.stream(sensitivity=sensitivity)
        self.refused("sensitivity is .*low, medium or high", lambda value: self.engine.stream(sensitivity=value),
                     [*NUMBERS, "Low", "-1", 0.5, 2, -2])
        for name in ("held_poses", "pinch"):
            self.refused(name, lambda value: self.engine.stream(**{name: value}), [*WRONG, "fist"])
        self.engine.stream(begin_confidence=0.5, thresholds={"tap": 0.6}, allowed_classes=("tap", "grab"),
                           denied_classes={"grab"}, wake_pose="Open_Palm", wake_hold=1, wake_window=60)
        self.engine.stream(allowed_classes=[], denied_classes=[], thresholds={})
        self.refused("begin_confidence is", lambda value: self.engine.stream(begin_confidence=value), [*NUMBERS, 0, 1])
        for name in ("allowed_classes", "denied_classes"):
            self.refused(f"{name} is", lambda value: self.engine.stream(**{name: value}),
                         ["tap", b"tap", 5, [5], [None], ["a\0b"], ["waltz"]])
        self.refused("thresholds is", lambda value: self.engine.stream(thresholds=value),
                     [["tap"], "tap", 5, {5: 0.5}, {"tap": "0.5"}, {"tap": 1}, {"tap": -0.1}, {"waltz": 0.5}])
        self.refused("wake_pose is", lambda value: self.engine.stream(wake_pose=value), [*WRONG, "None", "Fist", 2])
        for name in ("wake_hold", "wake_window"):
            self.refused(f"{name} is", lambda value: self.engine.stream(wake_pose="Victory", **{name: value}),
                         [*NUMBERS, 0, -1, 4000])

    def test_engines(self):
        for name in ("hands_folder", "model_path"):
            make = lambda value: swift_gesture.Engine(**{name: value})
            self.refused(name, make, [*WRONG, 1, 1.5, True, b"/folder", "/folder/\udcff", "a\0b"])
            for missing in ("/no/such", pathlib.Path("/no/such")):
                with self.assertRaisesRegex(swift_gesture.ModelError, "/no/such"):
                    make(missing)
        self.refused("pixels", lambda value: swift_gesture.Engine(pixels=value), [*WRONG, "no"])
        for kind in (swift_gesture.Stream, swift_gesture.HandTracker):
            self.refused("engine is .* of the type Engine", kind, [None, 1, "engine", self.engine.stream()])

    def test_frames_and_times(self):
        stream, tracker = swift_gesture.Engine(pixels=True).stream(), self.engine.hand_tracker()
        for take in (stream.push, tracker.track):
            times = itertools.count()
            for kind in (int, float, numpy.float32, numpy.float64, numpy.int64, decimal.Decimal, fractions.Fraction):
                take(GRAY, kind(next(times)))
            self.refused("time is .* a number of seconds", lambda value: take(GRAY, value), [*NUMBERS, None])
            take(GRAY, 1e300)
            self.refused("format", lambda value: take(GRAY, 0, format=value), WRONG)
        takes = [lambda image, **how: stream.push(image, 9, **how), lambda image, **how: tracker.track(image, 9, **how),
                 self.engine.recognize_hands]
        for take in takes:
            self.refused("", take, [None, "image", 5, object(), [], [[1, 2], [3]], [GRAY, GRAY], {}, RGB.astype(float)],
                         swift_gesture.FrameError)
            self.refused("The format 'png'", lambda value: take(GRAY, format=value), ["png"], swift_gesture.FrameError)
            take(GRAY, region=numpy.array([0, 0, 8, 8]))
            take(GRAY, region=(0.0, 0, numpy.int16(8), 8))
            self.refused("egion", lambda value: take(GRAY, region=value),
                         [5, "text", "abcd", (0, 0), (0, 0, 0, 0), (0, 0, 65, 1), (0, 0, 1.5, 1),
                          (2 ** 32, 0, 8, 8), (0, 0, "8", 8), (0, 0, float("nan"), 8), (0, None, 8, 8)],
                         swift_gesture.GestureError)

    def test_recognizers(self):
        def make(**options):
            return vision.GestureRecognizer.create_from_options(vision.GestureRecognizerOptions(**options))

        for mode in (vision.RunningMode.IMAGE, vision.RunningMode.VIDEO):
            for name in ("min_hand_detection_confidence", "min_hand_presence_confidence"):
                for given in (0, 0.5, 1, numpy.float32(0.3)):
                    make(running_mode=mode, **{name: given}).close()
                self.refused(name, lambda value: make(running_mode=mode, **{name: value}), [*NUMBERS, None, -0.1, 1.1])
            make(running_mode=mode, num_hands=2.0).close()
            self.refused("num_hands", lambda value: make(running_mode=mode, num_hands=value), [*NUMBERS, None, 0, 5])
        for name, values in {
                "running_mode": [None, "IMAGE", 1], "base_options": [None, "x.task"],
                "canned_gesture_classifier_options": [{}, 5], "canned_gestures_classifier_options": [{}, 5],
                "custom_gesture_classifier_options": [{}, 5]}.items():
            self.refused(name, lambda value: make(**{name: value}), values)
        for call in (vision.GestureRecognizer, vision.GestureRecognizer.create_from_options):
            self.refused("options", call, [None, {}, "options"])
        self.refused("result_callback", lambda value: make(
            running_mode=vision.RunningMode.LIVE_STREAM, result_callback=value), [None, 1, "print"])
        classifier = mp.tasks.components.processors.ClassifierOptions
        for name, values in {"score_threshold": NUMBERS, "category_allowlist": ["Victory", 5, [1]],
                             "category_denylist": ["Victory", 5, [None]]}.items():
            self.refused(name, lambda value: make(
                canned_gesture_classifier_options=classifier(**{name: value})), values)
        for name, values in {"model_asset_path": [1, b"x.task", [], "a\0b", "\udcff"],
                             "model_asset_buffer": [1, "x.task", []]}.items():
            self.refused(name, lambda value: make(base_options=mp.tasks.BaseOptions(**{name: value})), values)

    def test_recognizing(self):
        image = mp.Image(mp.ImageFormat.SRGB, RGB)
        callers = {
            vision.RunningMode.IMAGE: lambda recognizer: lambda image, time, how: recognizer.recognize(image, how),
            vision.RunningMode.VIDEO: lambda recognizer: recognizer.recognize_for_video,
            vision.RunningMode.LIVE_STREAM: lambda recognizer: recognizer.recognize_async}
        for mode, caller in callers.items():
            callback = (lambda *_: None) if mode is vision.RunningMode.LIVE_STREAM else None
            with vision.GestureRecognizer.create_from_options(
                    vision.GestureRecognizerOptions(running_mode=mode, result_callback=callback)) as recognizer:
                call, time = caller(recognizer), itertools.count(1)
                for given in (numpy.int64(next(time)), float(next(time)), next(time)):
                    call(image, given, None)
                self.refused("image", lambda value: call(value, next(time), None), [None, RGB, "image"])
                if mode is not vision.RunningMode.IMAGE:
                    self.refused("timestamp", lambda value: call(image, value, None), [*NUMBERS, None, 10 ** 30, 9.5])
                self.refused("image_processing_options", lambda value: call(image, next(time), value), [90, "90", {}])
                options = vision.ImageProcessingOptions
                call(image, next(time), options(rotation_degrees=numpy.int64(90)))
                self.refused("rotation_degrees", lambda value: call(
                    image, next(time), options(rotation_degrees=value)), [*NUMBERS, None, 45])

    def test_images(self):
        mp.Image(1, RGB)
        self.refused("image_format", lambda value: mp.Image(value, RGB), [None, "SRGB", 99, [], 1.5])
        self.refused("", lambda value: mp.Image(mp.ImageFormat.SRGB, value),
                     [None, "text", 5, [], [[1, 2], [3]], GRAY, RGB.astype(float)], swift_gesture.FrameError)
        self.refused("file_name", mp.Image.create_from_file, [None, *WRONG, 5, "a\0b", "\udcff"])
        for file in ("/no/such/image.png", "/"):
            with self.assertRaisesRegex(swift_gesture.ImageError, "cannot be read"):
                mp.Image.create_from_file(file)


if __name__ == "__main__":
    unittest.main()
