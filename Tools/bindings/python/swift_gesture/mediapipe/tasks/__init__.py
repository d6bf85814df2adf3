"""As `mediapipe.tasks`."""
from . import python
from .python import BaseOptions, components, vision

__all__ = ["BaseOptions", "components", "python", "vision"]
