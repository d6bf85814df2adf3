"""A gesture is taught, kept in a file, and recognised."""
import pathlib
import tempfile
import unittest

import numpy
import swift_gesture

import support


class TeachingTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.engine = swift_gesture.Engine()
        # A frame whose hand is a fist, for which the model has no class.
        cls.fist = support.rgb(83)
        hand, = cls.engine.recognize_hands(cls.fist, format="rgb")
        assert hand.pose == "Closed_Fist", hand.pose
        cls.nothing = numpy.zeros_like(cls.fist)

    def record(self, frames):
        recorder = self.engine.recorder(rate=30)
        for index, frame in enumerate(frames):
            recorder.push(frame, index / 30, format="rgb")
        return recorder.finish()

    def labels(self, frames, **options):
        stream, events = self.engine.stream(rate=30, **options), []
        for index, frame in enumerate(frames):
            events += stream.push(frame, index / 30, format="rgb")
        return stream.labels, [event.label for event in events if event.kind == "begin"]

    def test_a_pose(self):
        held = [self.nothing] * 20 + [self.fist] * 60 + [self.nothing] * 20
        taught = self.engine.user_gestures()
        taught.add("rock", [self.record(held)], background=[self.record([self.nothing] * 60)])
        labels, begun = self.labels(held, user_gestures=taught)
        self.assertEqual((labels[-1], begun), ("rock", ["rock"]))
        self.assertNotIn("rock", self.labels(held)[0])
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "gestures"
            taught.save(path)
            self.assertEqual(path.read_bytes(), taught.content)
            for content in (path, str(path), taught.content):
                again = self.engine.user_gestures(content)
                self.assertEqual(self.labels(held, user_gestures=again)[1], ["rock"])
        with self.assertRaisesRegex(swift_gesture.InvalidArgument, "rock"):
            taught.add("rock", [self.record(held)])
        self.assertEqual(taught.content, again.content)
        again.remove("rock")
        self.assertEqual(self.labels(held, user_gestures=again)[1], [])
        # A stream keeps what it has.
        stream = self.engine.stream(user_gestures=taught)
        taught.close()
        self.assertEqual(stream.labels[-1], "rock")
        with self.assertRaises(swift_gesture.InvalidHandle):
            self.engine.stream(user_gestures=taught)

    def test_the_example_of_the_readme(self):
        held = [frame[:, :, ::-1] for frame in [self.nothing] * 20 + [self.fist] * 60]
        code = support.example(2)
        self.assertIn("user_gestures", code)
        with tempfile.TemporaryDirectory() as folder:
            names = {"swift_gesture": swift_gesture, "frames": held}
            exec(code.replace("rock.gestures", f"{folder}/rock.gestures"), names)
        self.assertEqual(names["stream"].labels[-1], "rock")

    def test_refusals(self):
        taught = self.engine.user_gestures()
        nothing = self.record([self.nothing] * 60)
        for call, part in [
                (lambda: taught.add("rock", []), "ecording"), (lambda: taught.add("rock", [nothing]), "Recording 1 hardly"),
                (lambda: taught.add("tap", [nothing]), "tap"), (lambda: taught.add(5, [nothing]), "label is"),
                (lambda: taught.add("rock", nothing), "examples is"), (lambda: taught.add("rock", ["a"]), "examples is"),
                (lambda: taught.add("rock", [nothing], ["a"]), "background is"), (lambda: taught.remove("rock"), "rock"),
                (lambda: self.engine.stream(user_gestures="rock"), "user_gestures is"),
                (lambda: self.engine.user_gestures(5), "content is")]:
            with self.assertRaisesRegex(swift_gesture.InvalidArgument, part):
                call()
        for content in (b"", b"no gestures", pathlib.Path("/no/such/file")):
            with self.assertRaises(swift_gesture.GestureError):
                self.engine.user_gestures(content)
        # Of another model.
        with self.assertRaises(swift_gesture.GestureError):
            swift_gesture.Engine(pixels=True).user_gestures(taught.content)


if __name__ == "__main__":
    unittest.main()
