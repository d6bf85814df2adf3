"""The looks of MediaPipe's drawings: a colour for each finger, and for each side of a body."""
from typing import Dict, Tuple

from swift_gesture.mediapipe.tasks.python.vision.drawing_utils import WHITE_COLOR, DrawingSpec
from swift_gesture.mediapipe.tasks.python.vision.hand_landmarker import HandLandmark, HandLandmarksConnections
from swift_gesture.mediapipe.tasks.python.vision.pose_landmarker import PoseLandmark

# Blue, green, red.
_FINGERS = {"THUMB": (180, 229, 255), "INDEX_FINGER": (128, 64, 128), "MIDDLE_FINGER": (0, 204, 255),
            "RING_FINGER": (48, 255, 48), "PINKY": (192, 101, 21)}
_PALM_POINT, _PALM_LINE = (48, 48, 255), (128, 128, 128)
_LEFT, _RIGHT = (0, 138, 255), (231, 217, 0)


def get_default_hand_landmarks_style() -> Dict[int, DrawingSpec]:
    """The looks of a hand's points, by their numbers: filled, those of the palm red."""
    style: Dict[int, DrawingSpec] = {}
    for point in HandLandmark:
        finger = point.name.rpartition("_")[0]
        # The base of the thumb belongs to the palm, its second joint to the thumb.
        is_palm = point is HandLandmark.WRIST or point is HandLandmark.THUMB_CMC or (
            point.name.endswith("_MCP") and finger != "THUMB")
        style[point] = DrawingSpec(_PALM_POINT if is_palm else _FINGERS[finger], thickness=-1, circle_radius=5)
    return style


def get_default_hand_connections_style() -> Dict[Tuple[int, int], DrawingSpec]:
    """The looks of a hand's lines, by their ends."""
    lines = HandLandmarksConnections
    style = {(line.start, line.end): DrawingSpec(_PALM_LINE, thickness=3) for line in lines.HAND_PALM_CONNECTIONS}
    for finger, color in _FINGERS.items():
        name = finger if finger.endswith("FINGER") or finger == "THUMB" else finger + "_FINGER"
        for line in getattr(lines, f"HAND_{name}_CONNECTIONS"):
            style[(line.start, line.end)] = DrawingSpec(color, thickness=2)
    return style


def get_default_pose_landmarks_style() -> Dict[int, DrawingSpec]:
    """The looks of a body's points, by their numbers: a colour for each side."""
    return {point: DrawingSpec(
        WHITE_COLOR if point is PoseLandmark.NOSE else _LEFT if "LEFT" in point.name else _RIGHT)
        for point in PoseLandmark}
