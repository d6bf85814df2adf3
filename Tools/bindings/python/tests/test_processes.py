"""Processes that are forked while threads are at work in the library. A test without an answer in time has failed."""
import copy
import os
import pickle
import threading
import time
import unittest

import numpy
import swift_gesture
import swift_gesture.mediapipe as mp

import support

PIXELS = numpy.random.default_rng(1).integers(0, 255, (360, 480, 3), dtype=numpy.uint8)
TRIES = 10


class ForkTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.engine = swift_gesture.Engine()
        cls.stream, cls.tracker = cls.engine.stream(), cls.engine.hand_tracker()
        vision = mp.tasks.vision
        cls.recognizer = vision.GestureRecognizer.create_from_options(vision.GestureRecognizerOptions(
            running_mode=vision.RunningMode.LIVE_STREAM, result_callback=lambda *_: None))
        cls.ended = threading.Event()
        image = mp.Image(mp.ImageFormat.SRGB, PIXELS)

        def work(call):
            index = 0
            while not cls.ended.is_set():
                call(index)
                index += 1

        # The last makes and releases objects, which takes the lock of all handles.
        cls.threads = [threading.Thread(target=work, args=(call,)) for call in (
            lambda index: cls.stream.push(PIXELS, index / 30), lambda index: cls.tracker.track(PIXELS, index / 30),
            lambda _: cls.engine.recognize_hands(PIXELS), lambda index: cls.recognizer.recognize_async(image, index),
            lambda _: cls.engine.stream().close())]
        for thread in cls.threads:
            thread.start()

    @classmethod
    def tearDownClass(cls):
        cls.ended.set()
        for thread in cls.threads:
            thread.join()
        cls.recognizer.close()

    def answers(self, body):
        answers = set()
        for index in range(TRIES):
            time.sleep(0.003 * index)
            answers.add(support.in_child(body, seconds=20))
        return answers

    def test_a_child_makes_objects_of_its_own(self):
        def use():
            engine = swift_gesture.Engine()
            stream = engine.stream()
            return [stream.push(PIXELS, index / 30) for index in range(3)], len(engine.recognize_hands(PIXELS))

        self.assertEqual(self.answers(use), {"([[], [], []], 0)"})

    def test_objects_of_the_parent_are_refused(self):
        image = mp.Image(mp.ImageFormat.SRGB, PIXELS)
        for name, use in {
                "stream": lambda: self.stream.push(PIXELS, 1), "hand tracker": lambda: self.tracker.track(PIXELS, 1),
                "engine": lambda: self.engine.recognize_hands(PIXELS),
                "recognizer": lambda: self.recognizer.recognize_async(image, 10 ** 9)}.items():
            answer, = self.answers(use)
            self.assertEqual(answer, f"ForkedProcess: The {name} belongs to the process from which this one was forked; "
                                     "make another one here.")
        for use in (lambda: self.stream.statistics, lambda: self.stream.hands, self.stream.reset, self.tracker.reset,
                    self.engine.stream, self.engine.hand_tracker):
            self.assertTrue(support.in_child(use, seconds=20).startswith("ForkedProcess: "))
        self.assertTrue(issubclass(swift_gesture.ForkedProcess, swift_gesture.GestureError))

    def test_releasing_objects_of_the_parent_does_nothing(self):
        def release():
            self.recognizer.close()
            self.stream.close()
            self.tracker.close()
            self.engine.close()
            return "released"

        self.assertEqual(self.answers(release), {"released"})
        # They work on in the parent.
        self.assertEqual(self.engine.recognize_hands(PIXELS), [])
        self.assertGreater(self.stream.statistics.admitted, 0)

    def test_what_belongs_to_a_process_cannot_be_pickled(self):
        with mp.solutions.hands.Hands() as solution:
            for bound in (self.engine, self.stream, self.tracker, self.recognizer, solution, self.engine.recorder(),
                          self.engine.user_gestures()):
                for duplicate in (pickle.dumps, copy.copy, copy.deepcopy):
                    with self.assertRaisesRegex(swift_gesture.InvalidArgument, "Make one in each process"):
                        duplicate(bound)
        for plain in (swift_gesture.Event("begin", "tap", 1, 0.5, 0.1, 0.2, 0, None), self.stream.statistics,
                      swift_gesture.FrameError("text")):
            self.assertEqual(repr(pickle.loads(pickle.dumps(plain))), repr(plain))

    def test_the_child_ends(self):
        """At the end of a program, too, with what Python does then."""
        child = os.fork()
        if child == 0:
            try:
                stream = swift_gesture.Engine().stream()
                stream.push(PIXELS, 0)
            finally:
                import atexit
                atexit._run_exitfuncs()
                os._exit(0 if stream.outcome == "encoded" else 1)
        end = time.monotonic() + 30
        while time.monotonic() < end:
            found, status = os.waitpid(child, os.WNOHANG)
            if found:
                break
            time.sleep(0.01)
        else:
            os.kill(child, 9)
            os.waitpid(child, 0)
            self.fail("The child hangs.")
        self.assertEqual(status, 0)


if __name__ == "__main__":
    unittest.main()
