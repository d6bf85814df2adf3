"""MediaPipe's pose landmarker, by this engine's bodies."""
import dataclasses
import enum
from typing import Any, Callable, List, Optional

import numpy

from swift_gesture import _arguments
from swift_gesture._library import InvalidArgument
from swift_gesture.engine import Body, BodyTracker, Engine
from swift_gesture.mediapipe.tasks.python.components.containers.landmark import Landmark, NormalizedLandmark
from swift_gesture.mediapipe.tasks.python.core.base_options import BaseOptions
from swift_gesture.mediapipe.tasks.python.vision import _connections
from swift_gesture.mediapipe.tasks.python.vision.core import _models
from swift_gesture.mediapipe.tasks.python.vision.core._task import Landmarker, confidence, count, normalized, world
from swift_gesture.mediapipe.tasks.python.vision.core.image import Image
from swift_gesture.mediapipe.tasks.python.vision.core.vision_task_running_mode import VisionTaskRunningMode


class PoseLandmark(enum.IntEnum):
    """The numbers of a body's points; left and right are the person's own."""

    NOSE = 0
    LEFT_EYE_INNER = 1
    LEFT_EYE = 2
    LEFT_EYE_OUTER = 3
    RIGHT_EYE_INNER = 4
    RIGHT_EYE = 5
    RIGHT_EYE_OUTER = 6
    LEFT_EAR = 7
    RIGHT_EAR = 8
    MOUTH_LEFT = 9
    MOUTH_RIGHT = 10
    LEFT_SHOULDER = 11
    RIGHT_SHOULDER = 12
    LEFT_ELBOW = 13
    RIGHT_ELBOW = 14
    LEFT_WRIST = 15
    RIGHT_WRIST = 16
    LEFT_PINKY = 17
    RIGHT_PINKY = 18
    LEFT_INDEX = 19
    RIGHT_INDEX = 20
    LEFT_THUMB = 21
    RIGHT_THUMB = 22
    LEFT_HIP = 23
    RIGHT_HIP = 24
    LEFT_KNEE = 25
    RIGHT_KNEE = 26
    LEFT_ANKLE = 27
    RIGHT_ANKLE = 28
    LEFT_HEEL = 29
    RIGHT_HEEL = 30
    LEFT_FOOT_INDEX = 31
    RIGHT_FOOT_INDEX = 32


class PoseLandmarksConnections:
    """The lines of a body."""

    Connection = _connections.Connection

    POSE_LANDMARKS = [_connections.Connection(*ends) for ends in (
        # The face, the arms with their hands, the trunk, the legs with their feet.
        (0, 1), (1, 2), (2, 3), (3, 7), (0, 4), (4, 5), (5, 6), (6, 8), (9, 10),
        (11, 12), (11, 13), (13, 15), (15, 17), (15, 19), (15, 21), (17, 19),
        (12, 14), (14, 16), (16, 18), (16, 20), (16, 22), (18, 20),
        (11, 23), (12, 24), (23, 24),
        (23, 25), (24, 26), (25, 27), (26, 28), (27, 29), (28, 30), (29, 31), (30, 32), (27, 31), (28, 32))]


@dataclasses.dataclass
class PoseLandmarkerResult:
    """An element for each person. Landmarks are those of the image as it is stored, whatever its rotation."""

    pose_landmarks: List[List[NormalizedLandmark]]
    pose_world_landmarks: List[List[Landmark]]
    # There are no masks.
    segmentation_masks: Optional[List[Image]] = None


@dataclasses.dataclass
class PoseLandmarkerOptions:
    """MediaPipe's options.

    num_poses is 1 to 4. Confidences below 0.01 and above 0.99 count as these. min_tracking_confidence has no effect: a
    person is followed as long as the presence is above min_pose_presence_confidence. There are no masks.
    """

    base_options: BaseOptions = dataclasses.field(default_factory=BaseOptions)
    running_mode: VisionTaskRunningMode = VisionTaskRunningMode.IMAGE
    num_poses: int = 1
    min_pose_detection_confidence: float = 0.5
    min_pose_presence_confidence: float = 0.5
    min_tracking_confidence: float = 0.5
    output_segmentation_masks: bool = False
    result_callback: Optional[Callable[[PoseLandmarkerResult, Image, int], None]] = None


class PoseLandmarker(Landmarker[PoseLandmarkerOptions, PoseLandmarkerResult]):
    """Finds the points of people in images."""

    _options, _thread = PoseLandmarkerOptions, "pose-landmarker"

    def __init__(self, options: PoseLandmarkerOptions) -> None:
        _arguments.instance("options", options, PoseLandmarkerOptions)
        if _arguments.flag("output_segmentation_masks", options.output_segmentation_masks):
            raise InvalidArgument("output_segmentation_masks is True; there are no masks here.")
        tracking = {
            "maximum_bodies": count(options, "num_poses"),
            "minimum_detection_score": confidence(options, "min_pose_detection_confidence"),
            "minimum_presence": confidence(options, "min_pose_presence_confidence")}
        confidence(options, "min_tracking_confidence")
        models = _models.read(
            options.base_options, ("pose_detector.tflite", "pose_landmarks_detector.tflite"), "a PoseLandmarker")
        # Any engine has bodies; that of pixels reads no networks of hands.
        super().__init__(options, Engine(pixels=True, bodies_folder=models.folder), tracking)

    def _make_tracker(self, **options: Any) -> BodyTracker:
        return self._engine.body_tracker(**options)

    def _still(self, pixels: numpy.ndarray, **options: Any) -> List[Body]:
        return self._engine.recognize_bodies(pixels, **options)

    def _result(self, found: List[Body], image: Image, rotation: int) -> PoseLandmarkerResult:
        return PoseLandmarkerResult(
            [normalized(body.landmarks, image, rotation, body.visibility, body.point_presence) for body in found],
            [world(body.world_landmarks, rotation, body.visibility, body.point_presence) for body in found])
