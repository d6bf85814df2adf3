"""As `mediapipe.tasks.python.vision`, for gestures."""
from .gesture_recognizer import (GestureRecognizer, GestureRecognizerOptions, GestureRecognizerResult,
                                 ImageProcessingOptions, RunningMode)

__all__ = ["GestureRecognizer", "GestureRecognizerOptions", "GestureRecognizerResult", "ImageProcessingOptions",
           "RunningMode"]
