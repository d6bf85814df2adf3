"""As `mediapipe.solutions.pose`."""
from typing import List, NamedTuple, Optional

import numpy

from swift_gesture import _arguments
from swift_gesture._library import InvalidArgument
from swift_gesture.engine import Body, BodyTracker, Engine
from swift_gesture.mediapipe.framework.formats.landmark_pb2 import LandmarkList, NormalizedLandmarkList
from swift_gesture.mediapipe.solutions._solution import Solution, complexity, points, score
from swift_gesture.mediapipe.solutions.pose_connections import POSE_CONNECTIONS
from swift_gesture.mediapipe.tasks.python.vision.pose_landmarker import PoseLandmark

__all__ = ["POSE_CONNECTIONS", "Pose", "PoseLandmark", "SolutionOutputs"]


class SolutionOutputs(NamedTuple):
    """The points of the person; None without one. There is no mask."""

    pose_landmarks: Optional[NormalizedLandmarkList]
    pose_world_landmarks: Optional[LandmarkList]
    segmentation_mask: None = None


class Pose(Solution):
    """A person in images of red, green and blue.

    static_image_mode: whether the images are unrelated, and not a video.
    model_complexity:  0, 1 or 2, without effect.
    smooth_landmarks:  of a video.
    min_detection_confidence, min_tracking_confidence: 0 to 1; the second is the presence below which a person is lost.
    There are no masks, so enable_segmentation is refused.
    """

    def __init__(self, static_image_mode: bool = False, model_complexity: int = 1, smooth_landmarks: bool = True,
                 enable_segmentation: bool = False, smooth_segmentation: bool = True,
                 min_detection_confidence: float = 0.5, min_tracking_confidence: float = 0.5) -> None:
        complexity(model_complexity, 2)
        _arguments.flag("smooth_segmentation", smooth_segmentation)
        if _arguments.flag("enable_segmentation", enable_segmentation):
            raise InvalidArgument("enable_segmentation is True; there are no masks here.")
        super().__init__(Engine(pixels=True), static_image_mode, {
            "is_smoothed": _arguments.flag("smooth_landmarks", smooth_landmarks),
            "minimum_detection_score": score("min_detection_confidence", min_detection_confidence),
            "minimum_presence": score("min_tracking_confidence", min_tracking_confidence)})

    def process(self, image: numpy.ndarray) -> SolutionOutputs:
        """The person of the next image: height x width x 3 of uint8, red, green and blue."""
        bodies = self._found(image)
        if not bodies:
            return SolutionOutputs(None, None)
        body = bodies[0]
        return SolutionOutputs(points(NormalizedLandmarkList, body.landmarks, body.visibility),
                               points(LandmarkList, body.world_landmarks, body.visibility))

    def _make_tracker(self) -> BodyTracker:
        return self._engine.body_tracker(detects_in_every_frame=True, **self._options)

    def _still(self, image: numpy.ndarray) -> List[Body]:
        return self._engine.recognize_bodies(image, format="rgb", **self._options)
