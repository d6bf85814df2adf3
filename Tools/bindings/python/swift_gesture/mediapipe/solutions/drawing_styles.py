"""As `mediapipe.solutions.drawing_styles`. The styles of faces are empty, because this package finds no faces."""
from typing import Dict, Tuple

from swift_gesture.mediapipe.tasks.python.vision.drawing_styles import (
    get_default_hand_connections_style, get_default_hand_landmarks_style, get_default_pose_landmarks_style)
from swift_gesture.mediapipe.tasks.python.vision.drawing_utils import DrawingSpec

__all__ = [
    "get_default_face_mesh_contours_style", "get_default_face_mesh_iris_connections_style",
    "get_default_face_mesh_tesselation_style", "get_default_hand_connections_style", "get_default_hand_landmarks_style",
    "get_default_pose_landmarks_style",
]


def get_default_face_mesh_contours_style(i: int = 0) -> Dict[Tuple[int, int], DrawingSpec]:
    """No looks, whatever the style `i`: `FACEMESH_CONTOURS` has no lines."""
    return {}


def get_default_face_mesh_iris_connections_style() -> Dict[Tuple[int, int], DrawingSpec]:
    """No looks: there are no lines of irises."""
    return {}


def get_default_face_mesh_tesselation_style() -> DrawingSpec:
    """The look of no line: `FACEMESH_TESSELATION` has none."""
    return DrawingSpec(thickness=1)
