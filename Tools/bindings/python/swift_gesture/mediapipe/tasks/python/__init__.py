"""As `mediapipe.tasks.python`."""
from . import components, vision
from .base_options import BaseOptions

__all__ = ["BaseOptions", "components", "vision"]
