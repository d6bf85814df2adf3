"""As `mediapipe.tasks.python.vision`, for hands and bodies."""
from . import core, drawing_styles, drawing_utils, gesture_recognizer, hand_landmarker, pose_landmarker
from .core.image_processing_options import ImageProcessingOptions
from .core.vision_task_running_mode import VisionTaskRunningMode as RunningMode
from .gesture_recognizer import GestureRecognizer, GestureRecognizerOptions, GestureRecognizerResult
from .hand_landmarker import (HandLandmark, HandLandmarker, HandLandmarkerOptions, HandLandmarkerResult,
                              HandLandmarksConnections)
from .pose_landmarker import (PoseLandmark, PoseLandmarker, PoseLandmarkerOptions, PoseLandmarkerResult,
                              PoseLandmarksConnections)

__all__ = [
    "GestureRecognizer", "GestureRecognizerOptions", "GestureRecognizerResult", "HandLandmark", "HandLandmarker",
    "HandLandmarkerOptions", "HandLandmarkerResult", "HandLandmarksConnections", "ImageProcessingOptions",
    "PoseLandmark", "PoseLandmarker", "PoseLandmarkerOptions", "PoseLandmarkerResult", "PoseLandmarksConnections",
    "RunningMode", "core", "drawing_styles", "drawing_utils", "gesture_recognizer", "hand_landmarker", "pose_landmarker",
]
