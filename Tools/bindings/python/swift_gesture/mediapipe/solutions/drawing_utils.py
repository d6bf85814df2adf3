"""As `mediapipe.solutions.drawing_utils`."""
from swift_gesture.mediapipe.tasks.python.vision.drawing_utils import (
    BLACK_COLOR, BLUE_COLOR, GREEN_COLOR, RED_COLOR, WHITE_COLOR, DrawingSpec, _normalized_to_pixel_coordinates,
    draw_landmarks, plot_landmarks)

__all__ = ["BLACK_COLOR", "BLUE_COLOR", "GREEN_COLOR", "RED_COLOR", "WHITE_COLOR", "DrawingSpec",
           "_normalized_to_pixel_coordinates", "draw_landmarks", "plot_landmarks"]
