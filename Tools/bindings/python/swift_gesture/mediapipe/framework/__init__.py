"""As `mediapipe.framework`."""
from . import formats

__all__ = ["formats"]
