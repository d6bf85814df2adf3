"""Bodies, on the drawn person of the project's page."""
import unittest
import warnings

import numpy
import swift_gesture

import support

NOSE, LEFT_HIP, RIGHT_HIP, LEFT_ANKLE = 0, 23, 24, 27


class BodyTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # Any engine has bodies.
        cls.engine = swift_gesture.Engine(pixels=True)

    def check(self, body):
        self.assertEqual((body.landmarks.shape, body.world_landmarks.shape), ((33, 3), (33, 3)))
        self.assertEqual((body.visibility.shape, body.point_presence.shape), ((33,), (33,)))
        for scores in (body.visibility, body.point_presence):
            self.assertTrue((scores >= 0).all() and (scores <= 1).all())
        self.assertTrue(0.5 < body.presence <= 1)
        # From the top down, and metres from the hips' middle.
        self.assertLess(body.landmarks[NOSE, 1], body.landmarks[LEFT_HIP, 1])
        self.assertLess(body.landmarks[LEFT_HIP, 1], body.landmarks[LEFT_ANKLE, 1])
        self.assertLess(numpy.abs(body.world_landmarks[[LEFT_HIP, RIGHT_HIP]].mean(axis=0)).max(), 0.05)
        self.assertTrue(0.3 < -body.world_landmarks[NOSE, 1] < 1, body.world_landmarks[NOSE])

    def test_stills(self):
        body, = self.engine.recognize_bodies(support.person(), format="rgb", maximum_bodies=4)
        self.check(body)
        self.assertEqual((body.identity, body.is_held), (0, False))
        self.assertEqual(self.engine.recognize_bodies(numpy.zeros((240, 320, 3), numpy.uint8)), [])
        turned, = self.engine.recognize_bodies(numpy.rot90(support.person()), format="rgb", orientation=6)
        self.assertLess(numpy.abs(turned.landmarks - body.landmarks)[:, :2].max(), 0.05)

    def test_videos(self):
        tracker, squats = self.engine.body_tracker(), []
        for index, frame in enumerate(support.people()):
            body, = tracker.track(frame, index / 10, format="rgb")
            self.check(body)
            self.assertEqual(body.identity, 0)
            squats.append(body.landmarks[NOSE, 1])
        # The head goes up and down.
        self.assertGreater(max(squats) - min(squats), 0.1)
        black, time = numpy.zeros((240, 320, 3), numpy.uint8), len(squats) / 10
        held, = tracker.track(black, time)
        self.assertTrue(held.is_held)
        self.assertEqual(held.landmarks.tolist(), body.landmarks.tolist())
        self.assertEqual(tracker.track(black, time + 2), [])
        tracker.track(support.person(), time + 3, format="rgb")
        tracker.reset()
        self.assertEqual(tracker.track(black, time + 4), [])

    def test_every_frame(self):
        """As in MediaPipe, who is not seen is forgotten at once."""
        tracker = self.engine.body_tracker(detects_in_every_frame=True, is_smoothed=False)
        still, = self.engine.recognize_bodies(support.person(), format="rgb")
        first, = tracker.track(support.person(), 0, format="rgb")
        self.assertEqual(first.landmarks.tolist(), still.landmarks.tolist())
        self.assertEqual(tracker.track(numpy.zeros((240, 320, 3), numpy.uint8), 0.1), [])

    def test_options(self):
        for options, part in [
                ({"maximum_bodies": 5}, "maximum_bodies is 5; it must be from 1 to 4"),
                ({"minimum_detection_score": 0}, "minimum_detection_score is 0"),
                ({"is_smoothed": "no"}, "is_smoothed is 'no'"),
                ({"maximum_hands": 1}, "maximum_hands is not an option here; the options are orientation, ")]:
            for make in (self.engine.body_tracker,
                         lambda **options: self.engine.recognize_bodies(support.person(), **options)):
                with self.assertRaisesRegex(swift_gesture.InvalidArgument, part):
                    make(**options)

    def test_times_that_do_not_advance(self):
        tracker = self.engine.body_tracker()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            for _ in range(12):
                tracker.track(support.person(), 0, format="rgb")
        self.assertEqual([str(warning.message)[:38] for warning in caught], ["The frames' times do not advance: ten "])
        self.assertEqual(caught[0].filename, __file__)

    def test_networks(self):
        engine = swift_gesture.Engine(bodies_folder="/no/such")
        # Hands need none of them.
        engine.hand_tracker()
        for need in (engine.body_tracker, lambda: engine.recognize_bodies(support.person()),
                     lambda: swift_gesture.Engine(bodies_folder="/no/such", arms=True)):
            with self.assertRaisesRegex(swift_gesture.ModelError, "/no/such/pose-detection.safetensors"):
                need()
        with self.assertRaisesRegex(swift_gesture.InvalidArgument, "arms need hands"):
            swift_gesture.Engine(pixels=True, arms=True)


class StreamTests(unittest.TestCase):
    def events(self, engine, **options):
        stream, events, armed = engine.stream(**options), [], []
        for index in range(172):
            events += stream.push(support.i420(index), index / support.RATE, format="i420")
            armed.append(stream.is_armed)
        return [event.label for event in events if event.kind == "begin"], armed

    def test_classes_and_thresholds(self):
        engine = swift_gesture.Engine()
        every, armed = self.events(engine)
        self.assertTrue(all(armed))
        self.assertIn("swipeLeft", every)
        self.assertEqual(set(self.events(engine, allowed_classes=["swipeLeft"])[0]), {"swipeLeft"})
        self.assertEqual(self.events(engine, allowed_classes=[])[0], [])
        rest, _ = self.events(engine, denied_classes=["swipeLeft"])
        self.assertNotIn("swipeLeft", rest)
        self.assertGreater(len(rest), 3)
        strict, _ = self.events(engine, begin_confidence=0.99)
        loose, _ = self.events(engine, begin_confidence=0.3)
        self.assertLess(len(strict), len(loose))
        # A threshold of a class goes before the one of all.
        only, _ = self.events(engine, begin_confidence=0.99, thresholds={"swipeLeft": 0.3})
        self.assertGreaterEqual(only.count("swipeLeft"), every.count("swipeLeft"))

    def test_wake_pose(self):
        labels, armed = self.events(swift_gesture.Engine(), wake_pose="ILoveYou")
        self.assertEqual((labels, any(armed)), ([], False))

    def test_arms(self):
        labels, _ = self.events(swift_gesture.Engine(arms=True))
        self.assertIn("swipeLeft", labels)


if __name__ == "__main__":
    unittest.main()
