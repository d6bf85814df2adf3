"""As `mediapipe.solutions.holistic`: a person and the person's hands. There are no faces."""
import math
import warnings
from typing import Any, Dict, FrozenSet, List, NamedTuple, NoReturn, Optional, Sequence, Tuple

import numpy

from swift_gesture import _arguments
from swift_gesture._library import GestureWarning, refuse_pickling
from swift_gesture.mediapipe.framework.formats.landmark_pb2 import LandmarkList, NormalizedLandmarkList
from swift_gesture.mediapipe.solutions import hands as _hands
from swift_gesture.mediapipe.solutions import pose as _pose
from swift_gesture.mediapipe.solutions.hands_connections import HAND_CONNECTIONS
from swift_gesture.mediapipe.solutions.pose_connections import POSE_CONNECTIONS
from swift_gesture.mediapipe.tasks.python.vision.hand_landmarker import HandLandmark
from swift_gesture.mediapipe.tasks.python.vision.pose_landmarker import PoseLandmark

__all__ = ["FACEMESH_CONTOURS", "FACEMESH_TESSELATION", "HAND_CONNECTIONS", "POSE_CONNECTIONS", "HandLandmark", "Holistic",
           "PoseLandmark", "SolutionOutputs"]

# Without lines: there is no face to draw.
FACEMESH_CONTOURS: FrozenSet[Tuple[int, int]] = frozenset()
FACEMESH_TESSELATION: FrozenSet[Tuple[int, int]] = frozenset()

# A hand belongs to a person if the wrist of one is that near to the other's, in lengths of the hand's palm.
_REACH = 2.0


class SolutionOutputs(NamedTuple):
    """The points of the person and of the person's hands; None without them. There is no face and no mask."""

    pose_landmarks: Optional[NormalizedLandmarkList]
    pose_world_landmarks: Optional[LandmarkList]
    left_hand_landmarks: Optional[NormalizedLandmarkList]
    right_hand_landmarks: Optional[NormalizedLandmarkList]
    face_landmarks: None = None
    segmentation_mask: None = None


class Holistic:
    """A person with both hands, in images of red, green and blue.

    The arguments are those of `Pose`. A GestureWarning says that `face_landmarks` is None; refine_face_landmarks has no
    effect. In contrast to MediaPipe, hands are also found where no person is.
    """

    def __init__(self, static_image_mode: bool = False, model_complexity: int = 1, smooth_landmarks: bool = True,
                 enable_segmentation: bool = False, smooth_segmentation: bool = True,
                 refine_face_landmarks: bool = False, min_detection_confidence: float = 0.5,
                 min_tracking_confidence: float = 0.5) -> None:
        _arguments.flag("refine_face_landmarks", refine_face_landmarks)
        self._pose = _pose.Pose(
            static_image_mode, model_complexity, smooth_landmarks, enable_segmentation, smooth_segmentation,
            min_detection_confidence, min_tracking_confidence)
        self._hands = _hands.Hands(
            static_image_mode, 2, min_detection_confidence=min_detection_confidence,
            min_tracking_confidence=min_tracking_confidence)
        warnings.warn("Holistic finds no faces here: face_landmarks is None in every result.", GestureWarning, stacklevel=2)

    def process(self, image: numpy.ndarray) -> SolutionOutputs:
        """The person of the next image: height x width x 3 of uint8, red, green and blue.

        Left and right are the person's own, in an image that is not mirrored.
        """
        person, found = self._pose.process(image), self._hands.process(image)
        hands = list(zip(found.multi_hand_landmarks or (), found.multi_handedness or ()))
        if person.pose_landmarks is None:
            # `Hands` names the side in a mirrored image.
            sides = {side.classification[0].label: points for points, side in reversed(hands)}
            left, right = sides.get("Right"), sides.get("Left")
        else:
            left, right = _owned(person.pose_landmarks, [points for points, _ in hands], image.shape)
        return SolutionOutputs(person.pose_landmarks, person.pose_world_landmarks, left, right)

    def reset(self) -> None:
        """Forgets the images before."""
        self._pose.reset()
        self._hands.reset()

    def close(self) -> None:
        """Releases the networks. A second close does nothing."""
        self._pose.close()
        self._hands.close()

    def __reduce__(self) -> NoReturn:
        refuse_pickling(self)

    def __enter__(self) -> "Holistic":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _owned(person: Any, hands: Sequence[Any], shape: Sequence[int]) -> List[Optional[NormalizedLandmarkList]]:
    """The person's left and right hand: each wrist takes the nearest hand within reach, the nearest pair first."""
    def apart(one: Any, other: Any) -> float:
        return math.hypot((one.x - other.x) * shape[1], (one.y - other.y) * shape[0])

    pairs = []
    for number, hand in enumerate(hands):
        wrist, knuckle = (hand.landmark[point] for point in (HandLandmark.WRIST, HandLandmark.MIDDLE_FINGER_MCP))
        reach = _REACH * apart(wrist, knuckle)
        for side, point in enumerate((PoseLandmark.LEFT_WRIST, PoseLandmark.RIGHT_WRIST)):
            distance = apart(person.landmark[point], wrist)
            if distance <= reach:
                pairs.append((distance, side, number))
    taken: Dict[int, int] = {}
    for _, side, number in sorted(pairs):
        if side not in taken and number not in taken.values():
            taken[side] = number
    return [hands[taken[side]] if side in taken else None for side in (0, 1)]
