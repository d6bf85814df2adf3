"""As `mediapipe.tasks.python.components.processors`."""
from . import classifier_options
from .classifier_options import ClassifierOptions

__all__ = ["ClassifierOptions", "classifier_options"]
