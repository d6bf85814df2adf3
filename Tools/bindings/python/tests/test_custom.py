"""A gesture classifier of one's own in a .task bundle."""
import functools
import pathlib
import random
import tempfile
import unittest
import warnings

import numpy

import support
import swift_gesture
import swift_gesture.mediapipe as mp
import tflite
from swift_gesture.mediapipe.tasks import python
from swift_gesture.mediapipe.tasks.python import vision
from swift_gesture.mediapipe.tasks.python.vision.core import _models
from swift_gesture.mediapipe.tasks.python.vision.core._classifier import Classifier

Options = python.components.processors.ClassifierOptions
# Frames of the clip with an open hand, and with a fist.
SHOWN, OTHER = 20, 82


@functools.cache
def embedding(index):
    with swift_gesture.Engine() as engine:
        return engine.recognize_hands(support.rgb(index), format="rgb")[0].embedding


def network(scale=12):
    """None, and a class whose probability is above one half where an embedding is nearer to the shown hand's."""
    shown, other = embedding(SHOWN).astype(float), embedding(OTHER).astype(float)
    direction = (shown - other) / numpy.sum((shown - other) ** 2)
    # Batch normalisation as Model Maker's converter leaves it, which changes nothing here.
    return (tflite.Network()
            .add(tflite.MUL, 128, numpy.full(128, 0.5)).add(tflite.ADD, 128, numpy.zeros(128), options={0: ("b", 1)})
            .add(tflite.FULLY_CONNECTED, 2, [numpy.zeros(128), 2 * scale * direction],
                 [0, -scale * direction @ (shown + other) / 2])
            .add(tflite.SOFTMAX, 2, options={0: ("f", 1.0)}))


def expected(index, scale=12):
    """The class's probability, by the logistic function of where the embedding lies between the two."""
    shown, other = embedding(SHOWN).astype(float), embedding(OTHER).astype(float)
    share = (embedding(index) - other) @ (shown - other) / numpy.sum((shown - other) ** 2)
    return 1 / (1 + numpy.exp(-scale * (share - 0.5)))


class CustomClassifierTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "gesture_recognizer.task"
        # The bundle's other networks are of a few bytes; a warning says that they are not used.
        self.addCleanup(_models._told.clear)
        caught = warnings.catch_warnings()
        caught.__enter__()
        self.addCleanup(caught.__exit__, None, None, None)
        warnings.simplefilter("ignore", swift_gesture.GestureWarning)

    def recognizer(self, content=None, labels=("None", "wave"), threshold=None, **options):
        if content is None:
            content = network().content(labels, threshold)
        support.bundle(self.path, "custom_gesture_classifier.tflite", custom=content)
        return vision.GestureRecognizer.create_from_options(vision.GestureRecognizerOptions(
            base_options=python.BaseOptions(model_asset_path=str(self.path)), **options))

    def gesture(self, index, **options):
        with self.recognizer(**options) as recognizer:
            found = recognizer.recognize(mp.Image(mp.ImageFormat.SRGB, support.rgb(index))).gestures
        self.assertEqual([len(gestures) for gestures in found], [1])
        self.assertEqual((found[0][0].index, found[0][0].display_name), (-1, ""))
        return found[0][0].category_name, found[0][0].score

    @functools.cache
    def canned(self, index):
        with vision.GestureRecognizer.create_from_options(vision.GestureRecognizerOptions()) as recognizer:
            found = recognizer.recognize(mp.Image(mp.ImageFormat.SRGB, support.rgb(index))).gestures[0][0]
        return found.category_name, found.score

    def test_embeddings(self):
        engine = swift_gesture.Engine()
        for index in (SHOWN, OTHER):
            tracker, stream, image = engine.hand_tracker(), engine.stream(), support.rgb(index)
            stream.push(image, 0, format="rgb")
            still = engine.recognize_hands(image, format="rgb")
            for hands in (still, stream.hands, tracker.track(image, 0, format="rgb")):
                found = hands[0].embedding
                self.assertEqual((found.shape, found.dtype), ((128,), numpy.float32))
                self.assertTrue((found >= 0).all())
                # The same hand, whose region may differ by a pixel.
                other = still[0].embedding
                self.assertGreater(found @ other / numpy.sqrt((found @ found) * (other @ other)), 0.95)
        # Each hand has its own.
        both = numpy.concatenate([support.rgb(SHOWN), support.rgb(OTHER)], axis=1)
        hands = engine.recognize_hands(both, format="rgb", maximum_hands=2)
        hands.sort(key=lambda hand: hand.landmarks[0, 0])
        self.assertEqual(len(hands), 2)
        for hand, index in zip(hands, (SHOWN, OTHER)):
            distances = {other: numpy.linalg.norm(hand.embedding - embedding(other)) for other in (SHOWN, OTHER)}
            self.assertEqual(min(distances, key=distances.get), index)

    def test_the_custom_gesture_comes_first(self):
        self.assertGreater(expected(SHOWN), 0.99)
        self.assertNotEqual(self.canned(OTHER)[0], "None")
        name, score = self.gesture(SHOWN)
        self.assertEqual(name, "wave")
        self.assertAlmostEqual(score, expected(SHOWN), places=4)
        # Where it is "None", the canned gesture comes.
        self.assertEqual(self.gesture(OTHER), self.canned(OTHER))
        # Where that is "None", too, the score is the custom one's.
        name, score = self.gesture(OTHER, canned_gesture_classifier_options=Options(category_allowlist=["None"]))
        self.assertEqual(name, "None")
        self.assertAlmostEqual(score, 1 - expected(OTHER), places=4)
        # Only this spelling is the background.
        name, score = self.gesture(OTHER, labels=("none", "wave"))
        self.assertEqual(name, "none")
        self.assertAlmostEqual(score, 1 - expected(OTHER), places=4)

    def test_options(self):
        canned = self.canned(SHOWN)
        for options in ({"score_threshold": 0.9999999}, {"category_denylist": ["wave"]},
                        {"category_allowlist": ["None"]}):
            for name in ("custom_gesture_classifier_options", "custom_gestures_classifier_options"):
                self.assertEqual(self.gesture(SHOWN, **{name: Options(**options)}), canned, options)
        for options in ({"score_threshold": 0.5}, {"category_denylist": ["None", "no such"]}, {"max_results": 1},
                        {"category_allowlist": ["wave", "no such"]}, {"category_allowlist": ["no such"]}):
            found = self.gesture(SHOWN, custom_gesture_classifier_options=Options(**options))
            self.assertEqual(found[0], "wave", options)
        # The file's own threshold, and one of the options that replaces it.
        self.assertEqual(self.gesture(SHOWN, threshold=0.9999999), canned)
        self.assertEqual(self.gesture(SHOWN, threshold=0.5)[0], "wave")
        self.assertEqual(self.gesture(SHOWN, threshold=0.9999999,
                                      custom_gesture_classifier_options=Options(score_threshold=0))[0], "wave")
        # Neither lets anything through.
        none = Options(score_threshold=1.1)
        found = self.gesture(SHOWN, custom_gesture_classifier_options=none, canned_gesture_classifier_options=none)
        self.assertEqual(found[0], "None")

    def test_videos_and_buffers(self):
        support.bundle(self.path, "custom_gesture_classifier.tflite", custom=network().content(("None", "wave")))
        with vision.GestureRecognizer.create_from_options(vision.GestureRecognizerOptions(
                base_options=python.BaseOptions(model_asset_buffer=self.path.read_bytes()),
                running_mode=vision.RunningMode.VIDEO)) as recognizer:
            names = set()
            for index in range(15, 90):
                found = recognizer.recognize_for_video(mp.Image(mp.ImageFormat.SRGB, support.rgb(index)), index * 100)
                names.update(gestures[0].category_name for gestures in found.gestures)
        self.assertLessEqual({"wave", self.canned(OTHER)[0]}, names)
        # A landmarker needs no classifier, damaged or not.
        support.bundle(self.path, "custom_gesture_classifier.tflite")
        vision.HandLandmarker.create_from_model_path(str(self.path)).close()

    def test_operators(self):
        generator = numpy.random.default_rng(1)
        first, second = generator.normal(size=(5, 128)).astype("f"), generator.normal(size=(3, 5)).astype("f")
        bias = generator.normal(size=3).astype("f")
        given = generator.random(128).astype("f")
        written = (tflite.Network().add(tflite.RESHAPE, 128).add(tflite.FULLY_CONNECTED, 5, first)
                   .add(tflite.RELU, 5).add(tflite.MUL, 5, [3.0]).add(tflite.FULLY_CONNECTED, 3, second, bias)
                   .add(tflite.LOGISTIC, 3))
        found = Classifier("a file", written.content("abc"))
        self.assertEqual((found.labels, found.score_threshold), (["a", "b", "c"], None))
        sums = second.astype(float) @ (3 * numpy.maximum(first.astype(float) @ given, 0)) + bias
        numpy.testing.assert_allclose(found.scores(given), 1 / (1 + numpy.exp(-sums)), rtol=1e-4, atol=1e-6)
        self.assertEqual(Classifier("a file", network().content(("None", "b"), 0.25)).score_threshold, 0.25)

    def test_files_that_are_refused(self):
        wide = numpy.zeros((2, 127))
        for written, labels, part in [
                (network(), None, "the names of its classes, labels.txt, are not in it"),
                (network(), ("None", "a", "b"), "gives 2 scores and names 3 classes"),
                (tflite.Network().add(tflite.FULLY_CONNECTED, 2, wide), "ab", "weights of .2, 127. gets 128 values"),
                (tflite.Network().add(tflite.FULLY_CONNECTED, 2, numpy.zeros((2, 128)), [1, 2, 3]), "ab", "3 biases"),
                (tflite.Network().add(tflite.ADD, 128, numpy.zeros(127)), "ab", "combines 128 values with 127"),
                (tflite.Network().add(tflite.CONV_2D, 2), "ab", "operator of the code 3; dense layers"),
                (tflite.Network().add(tflite.ADD, 128, [0], options={0: ("b", 2)}), "ab", "an activation"),
                (tflite.Network(), "ab", "gives 128 scores and names 2 classes")]:
            with self.assertRaisesRegex(
                    swift_gesture.ModelError, f"^custom_gesture_classifier.tflite in {self.path} is no .*{part}"):
                self.recognizer(written.content(labels))

    def test_damaged_files(self):
        content = network().content(("None", "wave"), 0.5)
        given = embedding(SHOWN)

        def read(damaged):
            """Whether a file is read; any error but a ModelError fails the test."""
            try:
                scores = Classifier("a file", bytes(damaged)).scores(given)
            except swift_gesture.ModelError as error:
                self.assertRegex(str(error), "^a file is no gesture classifier that is read here: ")
                return False
            self.assertEqual(scores.shape, (2,))
            return True

        self.assertTrue(read(content))
        # The names are at the end.
        self.assertFalse(any(read(content[:count]) for count in range(0, len(content), 7)))
        generator = random.Random(1)
        outcomes = set()
        # Tables are at the beginning, and the zip file at the end; between them are weights.
        for index in range(4000):
            damaged = bytearray(content)
            for _ in range(generator.randint(1, 4)):
                place = generator.choice([generator.randrange(2000), generator.randrange(-800, 0),
                                          generator.randrange(len(content))])
                damaged[place] = generator.choice([0, 1, 0x7f, 0x80, 0xff, generator.randrange(256)])
            outcomes.add(read(damaged))
        self.assertEqual(outcomes, {False, True})
        for index in range(1000):
            self.assertFalse(read(generator.randbytes(generator.randrange(400))))
            self.assertFalse(read(content[:8] + generator.randbytes(400)))


if __name__ == "__main__":
    unittest.main()
