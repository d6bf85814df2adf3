"""As `mediapipe.solutions` of MediaPipe 0.10: hands, poses and their drawings."""
from . import drawing_styles, drawing_utils, hands, hands_connections, pose, pose_connections

__all__ = ["drawing_styles", "drawing_utils", "hands", "hands_connections", "pose", "pose_connections"]
