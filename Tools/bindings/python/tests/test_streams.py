"""Streams, trackers and stills on the demo clip."""
import contextlib
import io
import threading
import unittest
import warnings

import numpy
import swift_gesture

import support


class StreamTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.engine = swift_gesture.Engine()

    def events(self, frame, **how):
        stream, events = self.engine.stream(), []
        for index in range(172):
            events += stream.push(frame(index), index / support.RATE, **how)
        return events + stream.finish()

    def test_events_are_those_of_replay(self):
        self.assertGreater(len(support.replayed()), 10)
        self.assertEqual(
            [support.line(event) for event in self.events(support.i420, format="i420")], support.replayed())

    def test_planes_of_their_own_are_the_same(self):
        def planes(index):
            luma, half = numpy.split(support.frames("yuv420p")[index], [support.WIDTH * support.HEIGHT])
            blue, red = half.reshape(2, support.HEIGHT // 2, support.WIDTH // 2)
            wide = numpy.zeros((support.HEIGHT, support.WIDTH + 32), numpy.uint8)
            wide[:, :support.WIDTH] = luma.reshape(support.HEIGHT, support.WIDTH)
            return wide[:, :support.WIDTH], numpy.stack([blue, red], axis=2).reshape(support.HEIGHT // 2, support.WIDTH)

        self.assertEqual([support.line(event) for event in self.events(planes, format="nv12")], support.replayed())

    def test_example_of_the_readme(self):
        found = self.told_by_the_readme(support.CLIP)
        # The command is given the same colours. An end that only finish() tells is not printed by the example.
        reported = [line for line in support.replayed_in_colour() if line["sequence"] < len(found)]
        self.assertEqual([(kind, label, round(float(decision), 6)) for kind, label, _, decision in found],
                         [(line["event"], line["label"], line["decision_s"]) for line in reported])
        for (_, _, confidence, _), line in zip(found, reported):
            self.assertAlmostEqual(float(confidence), line["confidence"], delta=0.006)
        self.assertGreater(len(found), 10)

    def told_by_the_readme(self, clip):
        example = support.example(0)
        self.assertIn("cv2.VideoCapture", example)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), warnings.catch_warnings():
            warnings.simplefilter("error")
            exec(example.replace("clip.mp4", str(clip)), {})
        return [line.split() for line in printed.getvalue().splitlines()]

    def test_example_of_the_readme_without_times(self):
        # OpenCV assumes 25 frames a second of the ten, so some gestures come too fast.
        begun = [line[1] for line in self.told_by_the_readme(support.clip_without_times()) if line[0] == "begin"]
        self.assertEqual(begun[:2], [line["label"] for line in support.replayed() if line["event"] == "begin"][:2])
        self.assertGreater(len(begun), 3)

    def test_hands_scores_and_statistics(self):
        stream, seen = self.engine.stream(held_poses=True), 0
        self.assertEqual(stream.null_label, "null")
        self.assertEqual(stream.labels[-3:], ["fist", "victory", "iLoveYou"])
        self.assertEqual(stream.scores, {})
        for index in range(60):
            stream.push(support.i420(index), index / support.RATE, format="i420")
            for hand in stream.hands:
                seen += 1
                self.assertEqual(hand.landmarks.shape, (21, 3))
                self.assertTrue(0.5 < hand.presence <= 1)
                self.assertIn(hand.pose, swift_gesture.POSES)
                self.assertEqual(hand.pose_scores[hand.pose], max(hand.pose_scores.values()))
                self.assertAlmostEqual(sum(hand.pose_scores.values()), 1, places=3)
                # The wrist is where z begins, and a hand is about 20 cm long.
                self.assertLess(abs(hand.landmarks[0, 2]), 0.01)
                length = numpy.linalg.norm(hand.world_landmarks[12] - hand.world_landmarks[0])
                self.assertTrue(0.03 < length < 0.3, length)
        self.assertGreater(seen, 20)
        self.assertEqual(stream.outcome, "encoded")
        self.assertEqual(stream.prediction.confidence, stream.scores[stream.prediction.label])
        self.assertAlmostEqual(sum(stream.scores.values()), 1, places=4)
        counted = stream.statistics
        self.assertEqual((counted.admitted, counted.dropped, counted.begins), (60, 0, 2))
        self.assertEqual(counted.latency["frame"]["count"], 60)
        self.assertTrue(0 < counted.latency["frame"]["median"] <= counted.latency["frame"]["maximum"] < 5)
        stream.push(support.i420(0), 1, format="i420")
        self.assertEqual((stream.outcome, stream.statistics.backward_times), ("dropped", 1))

    def test_pointers_are_those_of_replay(self):
        stream, found = self.engine.stream(pointer=True), []
        for index in range(172):
            stream.push(support.i420(index), index / support.RATE, format="i420")
            pointer, other, pair = stream.pointers
            self.assertEqual((pointer, other.state, pair), (stream.pointer, "absent", None))
            if pointer.state != "absent" or pointer.events:
                names = [name.replace("double_clicked", "doubleClicked") for name in pointer.events]
                found.append([index / support.RATE, pointer.state, round(pointer.x, 3), round(pointer.y, 3), names])
        expected = [
            [line["time_s"], first["state"], *(round(number, 3) for number in first["position"]), [name.split(":")[0] for name in first["events"]]]
            for line in support.replay(support.CLIP, "--pointer") if "pointers" in line for first in line["pointers"][:1]]
        self.assertGreater(len(found), 60)
        self.assertEqual([row[:2] + row[4:] for row in found], [row[:2] + row[4:] for row in expected])
        for row, other in zip(found, expected):
            # Numbers of JSON are rounded before they are rounded here.
            numpy.testing.assert_allclose(row[2:4], other[2:4], atol=0.0011)
        with self.assertRaisesRegex(swift_gesture.InvalidArgument, "pointer_region"):
            self.engine.stream(pointer=True, pointer_region=(0, 0, 1))
        self.assertEqual(self.engine.stream().pointer.state, "absent")

    def test_stills_and_trackers(self):
        tracker, identities, still_hands = self.engine.hand_tracker(detects_in_every_frame=True), set(), 0
        for index in range(10, 40):
            tracked = tracker.track(support.rgb(index), index / support.RATE, format="rgb")
            identities.update(hand.identity for hand in tracked)
            found = self.engine.recognize_hands(support.rgb(index), format="rgb")
            still_hands += len(found)
            if tracked and found:
                # The same hand, by the detector alone.
                self.assertLess(numpy.abs(tracked[0].landmarks - found[0].landmarks)[:, :2].mean(), 0.05)
        self.assertGreater(still_hands, 10)
        self.assertTrue(identities)
        tracker.reset()
        image = support.rgb(20)
        bgr = image[:, :, ::-1]
        self.assertFalse(bgr.flags.c_contiguous)
        same = [self.engine.recognize_hands(*given)[0].landmarks.tolist()
                for given in [(image, "rgb"), (bgr,), (numpy.dstack([image, image[:, :, :1]]), "rgba")]]
        self.assertEqual(same[0], same[1])
        self.assertEqual(same[0], same[2])

    def test_orientation(self):
        upright = self.engine.recognize_hands(support.rgb(20), format="rgb")[0]
        # Stored with its first row at the right side: to be turned clockwise.
        turned = self.engine.recognize_hands(numpy.rot90(support.rgb(20)), format="rgb", orientation=6)[0]
        # The crop of a turned frame rounds differently.
        self.assertLess(numpy.abs(upright.landmarks - turned.landmarks).max(), 0.01)
        self.assertEqual((upright.pose, upright.handedness), (turned.pose, turned.handedness))

    def test_threads_share_a_stream(self):
        stream, failures = swift_gesture.Engine(pixels=True).stream(), []

        def push(offset):
            try:
                for index in range(20):
                    stream.push(support.i420(index), (index * 4 + offset) / support.RATE, format="i420")
                    stream.scores, stream.hands
            except Exception as error:
                failures.append(error)

        threads = [threading.Thread(target=push, args=(offset,)) for offset in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        counted = stream.statistics
        self.assertEqual(failures, [])
        self.assertEqual(counted.admitted + counted.surplus + counted.dropped, 80)

    def test_reset_ends_the_gesture(self):
        begin = next(line for line in support.replayed() if line["event"] == "begin")
        stream, events = self.engine.stream(), []
        for index in range(172):
            events += stream.push(support.i420(index), index / support.RATE, format="i420")
            if events:
                break
        self.assertEqual(support.line(events[0]), begin)
        end, = stream.reset()
        self.assertEqual((end.kind, end.label, end.end_cause), ("end", begin["label"], "flushed"))
        self.assertEqual(stream.push(support.i420(0), 0, format="i420"), [])


if __name__ == "__main__":
    unittest.main()
