"""As `mediapipe.solutions.drawing_styles`."""
from swift_gesture.mediapipe.tasks.python.vision.drawing_styles import (
    get_default_hand_connections_style, get_default_hand_landmarks_style, get_default_pose_landmarks_style)

__all__ = ["get_default_hand_connections_style", "get_default_hand_landmarks_style", "get_default_pose_landmarks_style"]
