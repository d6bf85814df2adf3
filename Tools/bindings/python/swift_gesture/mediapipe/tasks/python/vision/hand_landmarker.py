"""MediaPipe's hand landmarker."""
import dataclasses
import enum
from typing import Callable, List, Optional

from swift_gesture.engine import Hand
from swift_gesture.mediapipe.tasks.python.components.containers.category import Category
from swift_gesture.mediapipe.tasks.python.components.containers.landmark import Landmark, NormalizedLandmark
from swift_gesture.mediapipe.tasks.python.core.base_options import BaseOptions
from swift_gesture.mediapipe.tasks.python.vision import _connections
from swift_gesture.mediapipe.tasks.python.vision.core._hands import HandTask
from swift_gesture.mediapipe.tasks.python.vision.core._task import Landmarker
from swift_gesture.mediapipe.tasks.python.vision.core.image import Image
from swift_gesture.mediapipe.tasks.python.vision.core.vision_task_running_mode import VisionTaskRunningMode


class HandLandmark(enum.IntEnum):
    """The numbers of a hand's points."""

    WRIST = 0
    THUMB_CMC = 1
    THUMB_MCP = 2
    THUMB_IP = 3
    THUMB_TIP = 4
    INDEX_FINGER_MCP = 5
    INDEX_FINGER_PIP = 6
    INDEX_FINGER_DIP = 7
    INDEX_FINGER_TIP = 8
    MIDDLE_FINGER_MCP = 9
    MIDDLE_FINGER_PIP = 10
    MIDDLE_FINGER_DIP = 11
    MIDDLE_FINGER_TIP = 12
    RING_FINGER_MCP = 13
    RING_FINGER_PIP = 14
    RING_FINGER_DIP = 15
    RING_FINGER_TIP = 16
    PINKY_MCP = 17
    PINKY_PIP = 18
    PINKY_DIP = 19
    PINKY_TIP = 20


class HandLandmarksConnections:
    """The lines of a hand: its palm, and each finger from its knuckle to its tip."""

    Connection = _connections.Connection

    HAND_PALM_CONNECTIONS = [
        Connection(0, 1), Connection(0, 5), Connection(9, 13), Connection(13, 17), Connection(5, 9), Connection(0, 17)]
    HAND_THUMB_CONNECTIONS = [Connection(1, 2), Connection(2, 3), Connection(3, 4)]
    HAND_INDEX_FINGER_CONNECTIONS = [Connection(5, 6), Connection(6, 7), Connection(7, 8)]
    HAND_MIDDLE_FINGER_CONNECTIONS = [Connection(9, 10), Connection(10, 11), Connection(11, 12)]
    HAND_RING_FINGER_CONNECTIONS = [Connection(13, 14), Connection(14, 15), Connection(15, 16)]
    HAND_PINKY_FINGER_CONNECTIONS = [Connection(17, 18), Connection(18, 19), Connection(19, 20)]
    HAND_CONNECTIONS = (
        HAND_PALM_CONNECTIONS + HAND_THUMB_CONNECTIONS + HAND_INDEX_FINGER_CONNECTIONS + HAND_MIDDLE_FINGER_CONNECTIONS
        + HAND_RING_FINGER_CONNECTIONS + HAND_PINKY_FINGER_CONNECTIONS)


@dataclasses.dataclass
class HandLandmarkerResult:
    """An element for each hand. Landmarks are those of the image as it is stored, whatever its rotation."""

    handedness: List[List[Category]]
    hand_landmarks: List[List[NormalizedLandmark]]
    hand_world_landmarks: List[List[Landmark]]


@dataclasses.dataclass
class HandLandmarkerOptions:
    """MediaPipe's options; see GestureRecognizerOptions."""

    base_options: BaseOptions = dataclasses.field(default_factory=BaseOptions)
    running_mode: VisionTaskRunningMode = VisionTaskRunningMode.IMAGE
    num_hands: int = 1
    min_hand_detection_confidence: float = 0.5
    min_hand_presence_confidence: float = 0.5
    min_tracking_confidence: float = 0.5
    result_callback: Optional[Callable[[HandLandmarkerResult, Image, int], None]] = None


class HandLandmarker(HandTask[HandLandmarkerOptions, HandLandmarkerResult],
                     Landmarker[HandLandmarkerOptions, HandLandmarkerResult]):
    """Finds the points of hands in images."""

    _options, _thread = HandLandmarkerOptions, "hand-landmarker"
    _networks = ("hand_detector.tflite", "hand_landmarks_detector.tflite")

    def _result(self, found: List[Hand], image: Image, rotation: int) -> HandLandmarkerResult:
        return HandLandmarkerResult(*self._parts(found, image, rotation))
