"""As `mediapipe.solutions` of MediaPipe 0.10: hands, poses, both, and their drawings."""
import warnings
from typing import NoReturn

from swift_gesture._library import GestureWarning

from . import drawing_styles, drawing_utils, hands, hands_connections, holistic, pose, pose_connections

__all__ = ["drawing_styles", "drawing_utils", "hands", "hands_connections", "holistic", "pose", "pose_connections"]

_OTHERS = ("face_detection", "face_mesh", "face_mesh_connections", "objectron", "selfie_segmentation")


def __getattr__(name: str) -> NoReturn:
    if name in _OTHERS:
        sentence = f"swift_gesture.mediapipe has no solutions.{name}; it is about hands and bodies: {', '.join(__all__)}."
        # A script that catches every exception would do nothing without a word.
        warnings.warn(sentence, GestureWarning, stacklevel=2)
        raise AttributeError(sentence)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
