"""Objects that are let go without `close()`."""
import gc
import os
import subprocess
import sys
import threading
import time
import unittest

import numpy
import swift_gesture
import swift_gesture.mediapipe as mp

PIXELS = numpy.zeros((360, 480, 3), numpy.uint8)
vision = mp.tasks.vision


def resident():
    """Mebibytes."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 2 ** 20


def live(callback=lambda *_: None):
    return vision.GestureRecognizer.create_from_options(
        vision.GestureRecognizerOptions(running_mode=vision.RunningMode.LIVE_STREAM, result_callback=callback))


def recognizer_threads():
    return [thread for thread in threading.enumerate() if thread.name == "gesture-recognizer"]


class LifetimeTests(unittest.TestCase):
    def leaves_nothing(self, make):
        def settle():
            gc.collect()
            end = time.monotonic() + 10
            while recognizer_threads() and time.monotonic() < end:
                time.sleep(0.01)

        for _ in range(10):
            make()
        settle()
        before = resident()
        for _ in range(40):
            make()
            # An owner and its recogniser hold each other.
            gc.collect()
        settle()
        self.assertEqual(recognizer_threads(), [])
        # An object takes 9 MB or more.
        self.assertLess(resident() - before, 30)

    def test_recognizers(self):
        image = mp.Image(mp.ImageFormat.SRGB, PIXELS)

        def of_a_live_stream():
            live().recognize_async(image, 1)

        def whose_owner_is_called():
            class App:
                def __init__(self):
                    self.recognizer = live(self.take)

                def take(self, *_):
                    pass

            App().recognizer.recognize_async(image, 1)

        def of_images():
            vision.GestureRecognizer.create_from_options(vision.GestureRecognizerOptions()).recognize(image)

        def of_videos():
            vision.GestureRecognizer.create_from_options(
                vision.GestureRecognizerOptions(running_mode=vision.RunningMode.VIDEO)).recognize_for_video(image, 1)

        for make in (of_a_live_stream, whose_owner_is_called, of_images, of_videos):
            with self.subTest(make.__name__):
                self.leaves_nothing(make)

    def test_engines_streams_and_trackers(self):
        def make():
            engine = swift_gesture.Engine()
            engine.stream().push(PIXELS, 0)
            engine.hand_tracker().track(PIXELS, 0)
            engine.recognize_hands(PIXELS)

        self.leaves_nothing(make)

    def test_a_recognizer_that_is_kept_works_on(self):
        called = threading.Event()
        recognizer = live(lambda *_: called.set())
        gc.collect()
        recognizer.recognize_async(mp.Image(mp.ImageFormat.SRGB, PIXELS), 1)
        self.assertTrue(called.wait(10))
        recognizer.close()

    def test_the_end_of_a_program(self):
        """Without a traceback and in time, with a recogniser and streams at work."""
        program = """
import sys, threading, numpy, swift_gesture, swift_gesture.mediapipe as mp
pixels = numpy.zeros((360, 480, 3), numpy.uint8)
vision = mp.tasks.vision
recognizer = vision.GestureRecognizer.create_from_options(vision.GestureRecognizerOptions(
    running_mode=vision.RunningMode.LIVE_STREAM, result_callback=CALLBACK))
stream = swift_gesture.Engine().stream()
def push():
    for index in range(10 ** 9): stream.push(pixels, index / 30)
threading.Thread(target=push, daemon=True).start()
for index in range(20): recognizer.recognize_async(mp.Image(mp.ImageFormat.SRGB, pixels), index)
"""
        for callback in ("lambda *_: None", "lambda *_: threading.Event().wait()"):
            for _ in range(3):
                done = subprocess.run([sys.executable, "-c", program.replace("CALLBACK", callback)], timeout=60,
                                      capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))


if __name__ == "__main__":
    unittest.main()
