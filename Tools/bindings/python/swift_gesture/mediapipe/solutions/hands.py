"""As `mediapipe.solutions.hands`."""
from typing import List, NamedTuple, Optional

import numpy

from swift_gesture import _arguments
from swift_gesture.engine import Engine, Hand, HandTracker
from swift_gesture.mediapipe.framework.formats.classification_pb2 import Classification, ClassificationList
from swift_gesture.mediapipe.framework.formats.landmark_pb2 import LandmarkList, NormalizedLandmarkList
from swift_gesture.mediapipe.solutions._solution import Solution, complexity, points, score
from swift_gesture.mediapipe.solutions.hands_connections import HAND_CONNECTIONS
from swift_gesture.mediapipe.tasks.python.vision.hand_landmarker import HandLandmark

__all__ = ["HAND_CONNECTIONS", "HandLandmark", "Hands", "SolutionOutputs"]


class SolutionOutputs(NamedTuple):
    """An element for each hand; None without hands."""

    multi_hand_landmarks: Optional[List[NormalizedLandmarkList]]
    multi_hand_world_landmarks: Optional[List[LandmarkList]]
    multi_handedness: Optional[List[ClassificationList]]


class Hands(Solution):
    """Hands in images of red, green and blue.

    static_image_mode: whether the images are unrelated, and not a video.
    max_num_hands:     1 to 4.
    model_complexity:  0 or 1, without effect.
    min_detection_confidence, min_tracking_confidence: 0 to 1; the second is the presence below which a hand is lost.
    """

    def __init__(self, static_image_mode: bool = False, max_num_hands: int = 2, model_complexity: int = 1,
                 min_detection_confidence: float = 0.5, min_tracking_confidence: float = 0.5) -> None:
        complexity(model_complexity, 1)
        hands = _arguments.whole("max_num_hands", max_num_hands, "from 1 to 4")
        if not 1 <= hands <= 4:
            _arguments.refuse("max_num_hands", max_num_hands, "from 1 to 4")
        super().__init__(Engine(), static_image_mode, {
            "maximum_hands": hands, "minimum_palm_score": score("min_detection_confidence", min_detection_confidence),
            "minimum_presence": score("min_tracking_confidence", min_tracking_confidence)})

    def process(self, image: numpy.ndarray) -> SolutionOutputs:
        """The hands of the next image: height x width x 3 of uint8, red, green and blue.

        The side is that in a mirrored image, as of a camera that one looks into; the tasks name the other.
        """
        hands = self._found(image)
        if not hands:
            return SolutionOutputs(None, None, None)
        return SolutionOutputs(
            [points(NormalizedLandmarkList, hand.landmarks) for hand in hands],
            [points(LandmarkList, hand.world_landmarks) for hand in hands], [_handedness(hand) for hand in hands])

    def _make_tracker(self) -> HandTracker:
        return self._engine.hand_tracker(detects_in_every_frame=True, **self._options)

    def _still(self, image: numpy.ndarray) -> List[Hand]:
        return self._engine.recognize_hands(image, format="rgb", **self._options)


def _handedness(hand: Hand) -> ClassificationList:
    right = hand.right_handedness >= 0.5
    return ClassificationList(classification=[Classification(
        index=0 if right else 1, score=hand.right_handedness if right else 1 - hand.right_handedness,
        label="Left" if right else "Right")])
