"""As `mediapipe.tasks.python.components`."""
from . import containers, processors

__all__ = ["containers", "processors"]
