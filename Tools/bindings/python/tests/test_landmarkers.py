"""The landmarkers, the solutions, their messages and drawings, beside the calls of this package."""
import copy
import importlib
import inspect
import json
import pathlib
import pickle
import pkgutil
import subprocess
import sys
import threading
import typing
import unittest
from unittest import mock

import numpy
import swift_gesture
import swift_gesture.mediapipe as mp
from swift_gesture.mediapipe import solutions
from swift_gesture.mediapipe.framework.formats import classification_pb2, landmark_pb2

import support

vision = mp.tasks.vision
NOTHING = numpy.zeros((240, 320, 3), numpy.uint8)


def image(pixels):
    return mp.Image(mp.ImageFormat.SRGB, pixels)


def coordinates(points):
    return [[point.x, point.y, point.z] for point in points]


class LandmarkerTests(unittest.TestCase):
    # The landmarker, its options, and a picture with what it looks for.
    KINDS = [(vision.HandLandmarker, vision.HandLandmarkerOptions, lambda: support.rgb(20)),
             (vision.PoseLandmarker, vision.PoseLandmarkerOptions, support.person)]

    def test_hands(self):
        with vision.HandLandmarker.create_from_options(vision.HandLandmarkerOptions(num_hands=4)) as landmarker:
            result = landmarker.detect(image(support.rgb(20)))
            nothing = landmarker.detect(image(NOTHING))
        hand, = swift_gesture.Engine().recognize_hands(support.rgb(20), format="rgb", maximum_hands=4)
        self.assertEqual(coordinates(result.hand_landmarks[0]), hand.landmarks.tolist())
        self.assertEqual(coordinates(result.hand_world_landmarks[0]), hand.world_landmarks.tolist())
        self.assertEqual(result.handedness[0][0].category_name, hand.handedness.capitalize())
        self.assertEqual({(point.visibility, point.presence) for point in result.hand_landmarks[0]}, {(None, None)})
        self.assertEqual(nothing, vision.HandLandmarkerResult([], [], []))

    def test_bodies(self):
        with vision.PoseLandmarker.create_from_options(vision.PoseLandmarkerOptions(num_poses=2)) as landmarker:
            result = landmarker.detect(image(support.person()))
            nothing = landmarker.detect(image(NOTHING))
        body, = swift_gesture.Engine().recognize_bodies(support.person(), format="rgb")
        self.assertEqual(coordinates(result.pose_landmarks[0]), body.landmarks.tolist())
        self.assertEqual(coordinates(result.pose_world_landmarks[0]), body.world_landmarks.tolist())
        for points in (result.pose_landmarks[0], result.pose_world_landmarks[0]):
            self.assertEqual([point.visibility for point in points], body.visibility.tolist())
            self.assertEqual([point.presence for point in points], body.point_presence.tolist())
        self.assertIsNone(result.segmentation_masks)
        self.assertEqual(nothing, vision.PoseLandmarkerResult([], [], None))

    def test_modes(self):
        for kind, options, picture in self.KINDS:
            with self.subTest(kind.__name__):
                results, called = [], threading.Event()

                def take(result, of, timestamp_ms):
                    results.append((result, of.width, timestamp_ms, threading.current_thread().name))
                    called.set()

                with kind.create_from_options(options(running_mode=vision.RunningMode.VIDEO)) as landmarker:
                    of_video = landmarker.detect_for_video(image(picture()), 0)
                    with self.assertRaisesRegex(ValueError, "must increase"):
                        landmarker.detect_for_video(image(picture()), 0)
                    with self.assertRaisesRegex(ValueError, "The landmarker was made for the mode VIDEO, not for IMAGE"):
                        landmarker.detect(image(picture()))
                live = kind.create_from_options(options(
                    running_mode=vision.RunningMode.LIVE_STREAM, result_callback=take))
                pixels = picture().copy()
                live.detect_async(image(pixels), 5)
                # The program draws into its array meanwhile.
                pixels[:] = 0
                self.assertTrue(called.wait(20))
                live.close()
                self.assertEqual(results[0][1:3], (picture().shape[1], 5))
                self.assertEqual(results[0][3], {"HandLandmarker": "hand-landmarker"}.get(kind.__name__, "pose-landmarker"))
                self.assertEqual(results[0][0], of_video)
                for wrong in ({"running_mode": vision.RunningMode.LIVE_STREAM}, {"result_callback": print},
                              {"min_tracking_confidence": 2}, {"base_options": None}):
                    with self.assertRaises(swift_gesture.InvalidArgument):
                        kind.create_from_options(options(**wrong))

    def test_turned_bodies(self):
        with vision.PoseLandmarker.create_from_options(vision.PoseLandmarkerOptions()) as landmarker:
            upright = landmarker.detect(image(support.person())).pose_landmarks[0]
            turned = landmarker.detect(image(numpy.rot90(support.person())),
                                       vision.ImageProcessingOptions(rotation_degrees=90)).pose_landmarks[0]
        for there, here in zip(turned[:13], upright[:13]):
            self.assertAlmostEqual(there.x, here.y, delta=0.04)
            self.assertAlmostEqual(there.y, 1 - here.x, delta=0.04)

    def test_what_is_not_there(self):
        with self.assertRaisesRegex(ValueError, "output_segmentation_masks is True; there are no masks"):
            vision.PoseLandmarker.create_from_options(vision.PoseLandmarkerOptions(output_segmentation_masks=True))
        with self.assertRaisesRegex(ValueError, "enable_segmentation is True; there are no masks"):
            solutions.pose.Pose(enable_segmentation=True)
        for name, make in {"num_hands": vision.HandLandmarkerOptions, "num_poses": vision.PoseLandmarkerOptions}.items():
            kind = vision.HandLandmarker if name == "num_hands" else vision.PoseLandmarker
            for wrong in (0, 5, 1.5, "2"):
                with self.assertRaisesRegex(ValueError, name):
                    kind.create_from_options(make(**{name: wrong}))

    def test_spellings(self):
        options = mp.tasks.components.processors.ClassifierOptions(category_allowlist=["Victory"])
        for name in ("canned_gesture_classifier_options", "canned_gestures_classifier_options"):
            for given, expected in ((options, "Victory"), (None, "Open_Palm")):
                with vision.GestureRecognizer.create_from_options(
                        vision.GestureRecognizerOptions(**{name: given})) as recognizer:
                    gesture = recognizer.recognize(image(support.rgb(20))).gestures[0][0]
                    self.assertEqual(gesture.category_name, expected)
        with self.assertRaisesRegex(ValueError, "are the same; give one of them"):
            vision.GestureRecognizer.create_from_options(vision.GestureRecognizerOptions(
                canned_gesture_classifier_options=options, canned_gestures_classifier_options=options))


class ImageTests(unittest.TestCase):
    def test_pixels(self):
        pixels = support.rgb(20).copy()
        made = image(pixels)
        self.assertEqual(made[10, 20, 1], pixels[10, 20, 1])
        self.assertEqual((made[3].tolist(), made.step), (pixels[3].tolist(), 3 * support.WIDTH))
        with self.assertRaises(ValueError):
            made.numpy_view()[0, 0, 0] = 1
        self.assertTrue(made.is_contiguous() and not made.is_empty() and not made.uses_gpu())
        self.assertTrue(made.is_aligned(1) and made.image_format is mp.ImageFormat.SRGB)
        self.assertTrue((made.copy().numpy_view() == pixels).all())


class SolutionTests(unittest.TestCase):
    def test_hands(self):
        with solutions.hands.Hands(static_image_mode=True, max_num_hands=1) as hands:
            found = hands.process(support.rgb(20))
            self.assertEqual(hands.process(NOTHING), (None, None, None))
            for wrong in (support.rgb(20)[:, :, 0], None, "image"):
                with self.assertRaisesRegex(ValueError, "three channel rgb"):
                    hands.process(wrong)
        hand, = swift_gesture.Engine().recognize_hands(support.rgb(20), format="rgb")
        self.assertEqual(coordinates(found.multi_hand_landmarks[0].landmark), hand.landmarks.tolist())
        self.assertEqual(coordinates(found.multi_hand_world_landmarks[0].landmark), hand.world_landmarks.tolist())
        self.assertFalse(found.multi_hand_landmarks[0].landmark[0].HasField("visibility"))
        side = found.multi_handedness[0].classification[0]
        # Of a mirrored picture.
        self.assertEqual(side.label.lower(), "left" if hand.handedness == "right" else "right")
        self.assertEqual(side.index, {"Left": 0, "Right": 1}[side.label])
        for name, wrong in {"max_num_hands": 5, "model_complexity": 2, "min_detection_confidence": 2,
                            "min_tracking_confidence": -1, "static_image_mode": "no"}.items():
            with self.assertRaisesRegex(ValueError, name):
                solutions.hands.Hands(**{name: wrong})

    def test_videos(self):
        with solutions.hands.Hands() as hands:
            found = [hands.process(support.rgb(index)).multi_hand_landmarks for index in range(10, 40)]
            hands.reset()
        self.assertGreater(sum(hands is not None for hands in found), 15)

    def test_pose(self):
        with solutions.pose.Pose(static_image_mode=True) as pose:
            found = pose.process(support.person())
            self.assertEqual(pose.process(NOTHING), (None, None, None))
        body, = swift_gesture.Engine().recognize_bodies(support.person(), format="rgb")
        self.assertEqual(coordinates(found.pose_landmarks.landmark), body.landmarks.tolist())
        nose = found.pose_world_landmarks.landmark[solutions.pose.PoseLandmark.NOSE]
        self.assertTrue(nose.HasField("visibility") and not nose.HasField("presence"))
        self.assertAlmostEqual(nose.visibility, body.visibility[0], places=6)

    def test_names(self):
        from swift_gesture.mediapipe.python.solutions import drawing_utils, hands
        self.assertIs(hands, solutions.hands)
        self.assertIs(drawing_utils, mp.solutions.drawing_utils)
        self.assertEqual(mp.__version__, swift_gesture.__version__)
        self.assertEqual(len(solutions.hands.HAND_CONNECTIONS), 21)
        self.assertEqual(len(solutions.pose.POSE_CONNECTIONS), 35)


class MessageTests(unittest.TestCase):
    def test_points(self):
        point = landmark_pb2.NormalizedLandmark(x=0.1, y=2, visibility=None)
        self.assertEqual((point.z, point.y, point.HasField("z"), point.HasField("visibility")), (0, 2, False, False))
        # As in messages, floats have 32 bits.
        self.assertEqual(point.x, float(numpy.float32(0.1)))
        point.presence = 0.5
        self.assertTrue(point.HasField("presence"))
        point.ClearField("presence")
        self.assertEqual(str(point), "x: 0.1\ny: 2\n")
        points = landmark_pb2.NormalizedLandmarkList(landmark=[point])
        points.landmark.add(x=1)
        other = landmark_pb2.NormalizedLandmarkList()
        other.CopyFrom(points)
        self.assertEqual(other, points)
        other.landmark.pop()
        self.assertEqual((len(other.landmark), len(points.landmark)), (1, 2))
        self.assertEqual(str(other), "landmark {\n  x: 0.1\n  y: 2\n}\n")
        self.assertEqual(str(classification_pb2.Classification(label="Left", score=1)), 'score: 1\nlabel: "Left"\n')
        for wrong in (lambda: landmark_pb2.Landmark(w=1), lambda: point.HasField("w"), lambda: point.ClearField("w")):
            with self.assertRaises(ValueError):
                wrong()
        with self.assertRaises(AttributeError):
            point.w = 1
        with self.assertRaises(AttributeError):
            points.landmark = []
        with self.assertRaises(TypeError):
            points.CopyFrom(point)

    def test_functions_of_protobuf(self):
        from google.protobuf import json_format
        points = landmark_pb2.NormalizedLandmarkList(landmark=[landmark_pb2.NormalizedLandmark(x=0.5, z=0)])
        points.landmark.add(y=0.25, visibility=1)
        as_dict = {"landmark": [{"x": 0.5, "z": 0.0}, {"y": 0.25, "visibility": 1.0}]}
        self.assertEqual(json_format.MessageToDict(points), as_dict)
        self.assertEqual(json.loads(json_format.MessageToJson(points)), as_dict)
        for other in (json_format.ParseDict(as_dict, landmark_pb2.NormalizedLandmarkList()),
                      landmark_pb2.NormalizedLandmarkList.FromString(points.SerializeToString()),
                      pickle.loads(pickle.dumps(points)), copy.deepcopy(points)):
            self.assertEqual(other, points)
        # MediaPipe's bytes.
        self.assertEqual(points.SerializeToString().hex(), "0a0a0d0000003f1d000000000a0a150000803e250000803f")
        self.assertEqual(classification_pb2.ClassificationList(classification=[classification_pb2.Classification(
            index=1, score=0.5, label="Left")]).SerializeToString().hex(), "0a0d0801150000003f1a044c656674")
        self.assertEqual(points.DESCRIPTOR.full_name, "mediapipe.NormalizedLandmarkList")

    def test_without_protobuf(self):
        """The same objects; what a script that catches everything would hide is a warning."""
        program = """
import sys, unittest
sys.modules["google.protobuf"] = None
import test_landmarkers
found = unittest.TextTestRunner(stream=sys.stdout).run(test_landmarkers.MessageTests("test_points"))
assert found.testsRun == 1 and found.wasSuccessful()
message = test_landmarkers.classification_pb2.Classification()
for _ in range(3):
    try:
        message.DESCRIPTOR
    except:
        print("caught")
"""
        ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        self.assertEqual((ran.returncode, ran.stdout.count("caught")), (0, 3), ran.stdout + ran.stderr)
        self.assertEqual(ran.stderr.count("GestureWarning: Classification has no DESCRIPTOR"), 1, ran.stderr)
        self.assertIn('pip install "protobuf', ran.stderr)


class HolisticTests(unittest.TestCase):
    def test_a_person(self):
        with self.assertWarnsRegex(swift_gesture.GestureWarning, "face_landmarks is None") as caught:
            holistic = solutions.holistic.Holistic(static_image_mode=True)
        self.assertEqual((len(caught.warnings), caught.filename), (1, __file__))
        with holistic:
            found = holistic.process(support.person())
            self.assertEqual(holistic.process(NOTHING), (None,) * 6)
            # No person is there, and the side is that of the tasks.
            hand = holistic.process(support.rgb(20))
            with self.assertRaises(ValueError):
                holistic.process(NOTHING[0])
        body, = swift_gesture.Engine().recognize_bodies(support.person(), format="rgb")
        self.assertEqual(coordinates(found.pose_landmarks.landmark), body.landmarks.tolist())
        self.assertIsNone(found.face_landmarks)
        other, = swift_gesture.Engine().recognize_hands(support.rgb(20), format="rgb")
        sides = {"left": hand.left_hand_landmarks, "right": hand.right_hand_landmarks}
        self.assertEqual(coordinates(sides.pop(other.handedness).landmark), other.landmarks.tolist())
        self.assertEqual(list(sides.values()), [None])
        self.assertIsNone(hand.pose_landmarks)

    def test_hands_of_the_person(self):
        """Each wrist takes the nearest hand within reach."""
        person = landmark_pb2.NormalizedLandmarkList()
        for index in range(33):
            person.landmark.add(x={15: 0.7, 16: 0.3}.get(index, 0.5), y=0.5)

        def hand(x):
            points = landmark_pb2.NormalizedLandmarkList()
            for index in range(21):
                points.landmark.add(x=x, y=0.5 if index == 0 else 0.4)
            return points

        for wheres, expected in [((0.31, 0.72), (1, 0)), ((0.72, 0.31), (0, 1)), ((0.72,), (0, None)), ((0.69, 0.75), (0, None)),
                                 ((0.75, 0.69), (1, None)), ((0.31, 0.95), (None, 0)), ((), (None, None))]:
            hands = [hand(where) for where in wheres]
            owned = solutions.holistic._owned(person, hands, (360, 480, 3))
            self.assertEqual(owned, [None if number is None else hands[number] for number in expected], wheres)

    def test_what_is_not_there(self):
        with self.assertWarnsRegex(swift_gesture.GestureWarning, "no solutions.face_mesh"):
            with self.assertRaisesRegex(AttributeError, "hands and bodies: .*holistic"):
                solutions.face_mesh
        with self.assertRaisesRegex(AttributeError, "no attribute 'fase'"):
            solutions.fase


class DrawingTests(unittest.TestCase):
    def draw(self, points, lines, *looks, **more):
        canvas = numpy.zeros((100, 200, 3), numpy.uint8)
        solutions.drawing_utils.draw_landmarks(canvas, points, lines, *looks, **more)
        return canvas

    def test_points_and_lines(self):
        point = landmark_pb2.NormalizedLandmark
        ends = landmark_pb2.NormalizedLandmarkList(landmark=[point(x=0.25, y=0.5), point(x=0.75, y=0.5)])
        canvas = self.draw(ends, [(0, 1)])
        self.assertEqual(canvas[50, 100].tolist(), [224, 224, 224])
        self.assertEqual(canvas[50, 52].tolist(), [0, 0, 255])
        connection = vision.HandLandmarksConnections.Connection
        as_list = [
            mp.tasks.components.containers.NormalizedLandmark(x=found.x, y=found.y) for found in ends.landmark]
        self.assertTrue((self.draw(as_list, [connection(0, 1)]) == canvas).all())
        spec = solutions.drawing_utils.DrawingSpec
        self.assertEqual(self.draw(ends, [(0, 1)], None, {(0, 1): spec(color=(1, 2, 3), thickness=1)})[50, 100].tolist(),
                         [1, 2, 3])
        self.assertFalse(self.draw(ends, [(0, 1)], None, None).any())
        self.assertFalse(self.draw(ends, [], is_drawing_landmarks=False).any())
        # Nothing is drawn of points that are hidden or outside.
        for hidden in ({"visibility": 0.4}, {"presence": 0.4}):
            self.assertFalse(self.draw([point(x=0.5, y=0.5, **hidden)], []).any())
        self.assertFalse(self.draw([point(x=1.5, y=0.5)], []).any())
        self.assertFalse(self.draw(None, [(0, 1)]).any())
        with self.assertRaisesRegex(ValueError, "out of range"):
            self.draw(ends, [(0, 2)])
        with self.assertRaisesRegex(ValueError, "three channels"):
            solutions.drawing_utils.draw_landmarks(numpy.zeros((4, 4), numpy.uint8), ends)

    def test_plots(self):
        axes, pyplot = mock.Mock(), mock.Mock()
        pyplot.axes.return_value = axes
        point = landmark_pb2.Landmark
        points = [point(x=1, y=2, z=3), point(x=4, y=5, z=6), point(visibility=0.4)]
        with mock.patch.dict(sys.modules, {"matplotlib": mock.Mock(pyplot=pyplot), "matplotlib.pyplot": pyplot}):
            solutions.drawing_utils.plot_landmarks(points, [(0, 1), (1, 2)])
            solutions.drawing_utils.plot_landmarks(None)
            with self.assertRaisesRegex(ValueError, "out of range"):
                solutions.drawing_utils.plot_landmarks(points, [(0, 3)])
        self.assertEqual([call.args for call in axes.scatter3D.call_args_list[:2]],
                         [([-3], [1], [-2]), ([-6], [4], [-5])])
        self.assertEqual(axes.scatter3D.call_args_list[0].kwargs, {"color": (1, 0, 0), "linewidth": 5})
        axes.plot3D.assert_called_once_with((-3, -6), (1, 4), (-2, -5), color=(0, 0, 0), linewidth=5)
        pyplot.show.assert_called_once_with()

    def test_styles(self):
        self.assertEqual(set(solutions.drawing_styles.get_default_hand_landmarks_style()), set(range(21)))
        self.assertEqual(set(solutions.drawing_styles.get_default_hand_connections_style()),
                         solutions.hands.HAND_CONNECTIONS)
        self.assertEqual(set(solutions.drawing_styles.get_default_pose_landmarks_style()), set(range(33)))

    def test_without_opencv(self):
        """The modules are there; only drawing needs OpenCV."""
        kept, sys.modules["cv2"] = sys.modules["cv2"], None
        try:
            importlib.reload(solutions.drawing_utils)
            with self.assertRaises(ImportError):
                self.draw([landmark_pb2.Landmark(x=0.5, y=0.5)], [])
        finally:
            sys.modules["cv2"] = kept


class TypeTests(unittest.TestCase):
    def test_every_public_call_is_annotated(self):
        root = pathlib.Path(swift_gesture.__file__).parent
        self.assertTrue((root / "py.typed").exists())
        modules = [swift_gesture, *(importlib.import_module(found.name) for found in pkgutil.walk_packages(
            swift_gesture.__path__, "swift_gesture.") if "._" not in found.name and found.name != "swift_gesture.daft")]
        # What needs Daft has an environment and tests of its own: daft-check.
        calls = 0
        for module in modules:
            owners = [module, *(kind for kind in vars(module).values()
                                if inspect.isclass(kind) and kind.__module__.startswith("swift_gesture"))]
            for owner in owners:
                for name, call in vars(owner).items():
                    call = inspect.unwrap(getattr(call, "__func__", call))
                    if not inspect.isfunction(call) or not call.__module__.startswith("swift_gesture") or (
                            name.startswith("_") and name != "__init__") or call.__code__.co_filename == "<string>":
                        continue
                    # The annotations of the code, not those of the signature with the options' names.
                    needed = set(call.__code__.co_varnames[:call.__code__.co_argcount]) - {"self", "cls"} | {"return"}
                    self.assertLessEqual(needed, set(call.__annotations__), f"{module.__name__}.{owner}.{name}")
                    calls += 1
        self.assertGreater(calls, 60)

    def test_options_are_those_that_are_checked(self):
        from swift_gesture import engine
        for options, readers in [(engine.StreamOptions, engine._STREAM_OPTIONS),
                                 (engine.TrackerOptions, engine._TRACKER_OPTIONS),
                                 (engine.BodyOptions, engine._BODY_OPTIONS)]:
            self.assertEqual(set(typing.get_type_hints(options)), set(readers))
        self.assertLessEqual(set(engine._STREAM_OPTIONS), set(inspect.signature(swift_gesture.Engine.stream).parameters))


if __name__ == "__main__":
    unittest.main()
