"""As `mediapipe.solutions.hands_connections`: the lines of a hand as pairs of numbers."""
from typing import Iterable, Tuple

from swift_gesture.mediapipe.tasks.python.vision._connections import Connection
from swift_gesture.mediapipe.tasks.python.vision.hand_landmarker import HandLandmarksConnections as _Lines


def _pairs(lines: Iterable[Connection]) -> Tuple[Tuple[int, int], ...]:
    return tuple((line.start, line.end) for line in lines)


HAND_PALM_CONNECTIONS = _pairs(_Lines.HAND_PALM_CONNECTIONS)
HAND_THUMB_CONNECTIONS = _pairs(_Lines.HAND_THUMB_CONNECTIONS)
HAND_INDEX_FINGER_CONNECTIONS = _pairs(_Lines.HAND_INDEX_FINGER_CONNECTIONS)
HAND_MIDDLE_FINGER_CONNECTIONS = _pairs(_Lines.HAND_MIDDLE_FINGER_CONNECTIONS)
HAND_RING_FINGER_CONNECTIONS = _pairs(_Lines.HAND_RING_FINGER_CONNECTIONS)
HAND_PINKY_FINGER_CONNECTIONS = _pairs(_Lines.HAND_PINKY_FINGER_CONNECTIONS)
HAND_CONNECTIONS = frozenset(_pairs(_Lines.HAND_CONNECTIONS))
