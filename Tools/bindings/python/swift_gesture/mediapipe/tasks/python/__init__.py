"""As `mediapipe.tasks.python`."""
from . import components, core, vision
from .core.base_options import BaseOptions

__all__ = ["BaseOptions", "components", "core", "vision"]
