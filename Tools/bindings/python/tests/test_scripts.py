"""Scripts written for MediaPipe, with the name of the package changed; recorded.py says how they run."""
import json
import statistics
import unittest
import warnings

import cv2
import swift_gesture

import recorded
import support

PACKAGE = "swift_gesture.mediapipe"
THERE = json.loads(recorded.FILE.read_text())


def write_files(folder):
    for task in ("hand_landmarker", "gesture_recognizer", "pose_landmarker"):
        support.bundle(folder / f"{task}.task")
    cv2.imwrite(f"{folder}/hand.png", support.rgb(20)[:, :, ::-1])
    cv2.imwrite(f"{folder}/person.png", support.person()[:, :, ::-1])


def run(script, clip="hand"):
    """The words of each line that a script prints, and the pictures that it shows."""
    with warnings.catch_warnings():
        # These bundles hold no networks, and there are no faces.
        warnings.simplefilter("ignore", swift_gesture.GestureWarning)
        return recorded.run(script, clip, PACKAGE, write_files)


def frames(lines):
    """The lines before each `frame`, by their first words."""
    found = [{}]
    for first, *words in lines:
        if first == "frame":
            found.append({})
        else:
            found[-1].setdefault(first, []).append(words)
    return found


class RecordedTests(unittest.TestCase):
    """What scripts print, beside what they print with MediaPipe 0.10.21."""

    def both(self, script, clip):
        here, there = frames(run(script, clip)[0]), frames(line.split() for line in THERE[f"{script}, {clip}"])
        self.assertEqual(len(here), len(there))
        return list(zip(here, there))

    def same(self, pairs, least, key=lambda frame: frame):
        """At least such a share of the frames have the same lines, and MediaPipe's are not all alike or empty."""
        equal = sum(key(here) == key(there) for here, there in pairs)
        self.assertGreaterEqual(equal, least * len(pairs), [pair for pair in pairs if key(pair[0]) != key(pair[1])])
        self.assertGreater(len({json.dumps(key(there)) for _, there in pairs}), 1)

    def near(self, pairs, key, columns, limit):
        """The numbers of the lines of a kind differ by no more than a limit in the median and six times it in all."""
        apart = [abs(float(one) - float(other)) for here, there in pairs if key in here and key in there
                 for one, other in zip(here[key][0][columns], there[key][0][columns])]
        self.assertGreater(len(apart), 20)
        self.assertLessEqual(statistics.median(apart), limit)
        self.assertLessEqual(max(apart), 6 * limit)

    def test_virtual_mouse(self):
        for clip, fewest in (("hand", 30), ("two hands", 12)):
            pairs = self.both("virtual_mouse", clip)
            self.same(pairs, 0.9, lambda frame: sorted(side[:2] for side in frame.get("side", ())))
            self.assertGreater(sum("move" in here for here, _ in pairs), fewest)
            if clip == "hand":
                # Pixels of a screen.
                self.near(pairs, "move", slice(None), 6)

    def test_volume_control(self):
        pairs = self.both("volume_control", "hand")
        self.same(pairs, 0.9, lambda frame: "volume" in frame)
        self.near(pairs, "volume", slice(None), 3)

    def test_finger_counter(self):
        self.same(self.both("finger_counter", "hand"), 0.9)
        self.same(self.both("finger_counter", "two hands"), 0.9)

    def test_squat_counter(self):
        pairs = self.both("squat_counter", "squats")
        self.near(pairs, "angle", slice(1), 4)
        self.assertEqual(pairs[-1][0]["squats"], pairs[-1][1]["squats"])

    def test_sign_letters(self):
        """A hand gives 42 features in every frame, two give 84."""
        for clip in ("hand", "two hands"):
            self.same(self.both("sign_letters", clip), 0.9)

    def test_holistic_drawing(self):
        pairs = self.both("holistic_drawing", "squats")
        self.assertTrue(all(here["pose"][0][0] == there["pose"][0][0] for here, there in pairs[:-1]))
        self.near(pairs[:-1], "pose", slice(1, None), 0.01)


class ScriptTests(unittest.TestCase):
    def drawn(self, shown):
        """How many pictures differ from the camera's."""
        return sum(not (picture[:, :, ::-1] == support.rgb(index)).all() for index, picture in enumerate(shown))

    def tips(self, lines):
        """Hands whose index finger's tip is where the tracker puts it."""
        hands = [line for line in lines if line[0] == "hand"]
        self.assertTrue(all(-0.5 < float(share) < 1.5 for line in hands for share in line[-2:]))
        return len(hands)

    def test_landmarker_with_own_drawing(self):
        lines, shown = run("landmarker_with_own_drawing")
        self.assertEqual(len(shown), 60)
        self.assertGreater(self.tips(lines), 25)
        self.assertTrue({line[1] for line in lines} <= {"Left", "Right"})
        self.assertGreater(self.drawn(shown), 25)

    def test_landmarker_and_gestures(self):
        lines, shown = run("landmarker_and_gestures")
        self.assertEqual((len(shown), self.drawn(shown)), (60, 0))
        self.assertGreater(self.tips(lines), 25)
        self.assertIn("Open_Palm", {line[1] for line in lines})

    def test_gestures_with_drawing_utils(self):
        lines, shown = run("gestures_with_drawing_utils")
        self.assertEqual(len(shown), 60)
        self.assertGreater(self.tips(lines), 25)
        self.assertGreater(self.drawn(shown), 25)
        # Turned from blue, green, red. The colours are those of the palm (red) and of the thumb (peach).
        picture = shown[20][:, :, ::-1]
        for color in ((48, 48, 255), (180, 229, 255)):
            self.assertTrue((picture == color).all(axis=2).any(), color)

    def test_live_callback(self):
        lines, shown = run("live_callback")
        self.assertEqual(len(shown), 60)
        times = [int(line[1]) for line in lines]
        self.assertEqual(times, sorted(set(times)))
        self.assertGreater(self.tips(lines), 10)
        self.assertGreater(self.drawn(shown), 10)
        # Both drop frames when they are busy, so frames are compared that both took.
        here, there = ({int(line[1]): line[2:] for line in both} for both in (
            lines, (line.split() for line in THERE["live_callback, hand"])))
        shared = here.keys() & there.keys()
        self.assertGreater(len(shared), 10)
        for time in shared:
            for own, other in zip(here[time], there[time]):
                self.assertAlmostEqual(float(own), float(other), delta=0.05)

    def test_still_pictures(self):
        lines, shown = run("still_pictures")
        self.assertEqual(len(shown), 2)
        self.assertEqual(lines[0][:2], ["hand", "Open_Palm"])
        bodies = [line for line in lines if line[0] == "body" and line[1] == "person.png"]
        self.assertEqual([line[4:] for line in bodies], [["True", "True"]])
        # The drawn person stands in the middle, with the head at the top.
        self.assertAlmostEqual(float(bodies[0][2]), 0.5, delta=0.1)
        self.assertLess(float(bodies[0][3]), 0.3)

    def test_legacy_hands(self):
        lines, shown = run("legacy_hands")
        self.assertEqual(len(shown), 60)
        self.assertGreater(self.tips(lines), 25)
        # The solutions name the side of a mirrored picture, the tasks the other one.
        modern = {"Left": "Right", "Right": "Left"}
        by_tasks, _ = run("landmarker_with_own_drawing")
        self.assertEqual(modern[lines[0][1]], by_tasks[0][1])
        self.assertGreater(self.drawn([cv2.flip(picture, 1) for picture in shown]), 25)


if __name__ == "__main__":
    unittest.main()
