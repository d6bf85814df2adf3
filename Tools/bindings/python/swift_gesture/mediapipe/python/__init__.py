"""As `mediapipe.python` of MediaPipe 0.10, whose solutions are those of `mediapipe.solutions`."""
import sys

from swift_gesture.mediapipe import solutions

# `mediapipe.python.solutions.hands` and the others by the same modules.
for _name, _module in [("", solutions), *(("." + _name, getattr(solutions, _name)) for _name in solutions.__all__)]:
    sys.modules[f"{__name__}.solutions{_name}"] = _module

__all__ = ["solutions"]
