"""Times that cannot be used are reported where the frames are pushed."""
import unittest
import warnings

import numpy
import swift_gesture

GRAY = numpy.zeros((48, 64), numpy.uint8)


class TimeTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.engine = swift_gesture.Engine(pixels=True)

    def push(self, times):
        """The stream after frames at these times, and what it warned of."""
        stream = self.engine.stream()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            for time in times:
                stream.push(GRAY, time)
        for warning in caught:
            self.assertIs(warning.category, swift_gesture.GestureWarning)
            self.assertEqual(warning.filename, __file__)
        return stream, [str(warning.message) for warning in caught]

    def test_causes(self):
        frames = [index / 30 for index in range(150)]
        for times, parts in [
                ([0.0] * 150, ["never advance"]), ([time * 1000 for time in frames], ["Milliseconds"]),
                ([int(time * 1000) for time in frames], ["Milliseconds"]),
                ([int(100 + time) for time in frames], ["whole seconds"]),
                ([numpy.float32(1.7e9 + time) for time in frames], ["32-bit floats"]),
                ([9 - time for time in frames], ["backward"]), ([time * 31.5 for time in frames], ["too seldom"]),
                ([1.7e18 + time for time in frames], ["146 years"]), ([time / 1e6 for time in frames], ["another unit"])]:
            stream, reported = self.push(times)
            self.assertEqual(len(reported), len(parts), reported)
            for text, part in zip(reported, parts):
                self.assertIn(part, text)

    def test_times_that_work(self):
        for times in ([-5 + index / 30 for index in range(150)], [1.7e9 + index / 30 for index in range(150)]):
            stream, reported = self.push(times)
            self.assertEqual((reported, stream.statistics.admitted, stream.statistics.dropped), ([], 150, 0))

    def test_trackers(self):
        tracker = swift_gesture.Engine().hand_tracker()
        for times, expected in [(range(30), 0), ([30] * 10, 0), (range(31, 60), 0), ([60] * 40, 1), (range(60, 0, -1), 0)]:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                for time in times:
                    tracker.track(GRAY, time)
            self.assertEqual([warning.category for warning in caught], [swift_gesture.GestureWarning] * expected)

    def test_a_slow_camera_is_taken(self):
        stream, _ = self.push([index * 1.05 for index in range(50)])
        self.assertEqual((stream.statistics.admitted, stream.statistics.unconfirmed_jumps), (48, 2))


if __name__ == "__main__":
    unittest.main()
