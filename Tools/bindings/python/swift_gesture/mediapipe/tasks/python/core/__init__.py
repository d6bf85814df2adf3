"""As `mediapipe.tasks.python.core`."""
from . import base_options
from .base_options import BaseOptions

__all__ = ["BaseOptions", "base_options"]
