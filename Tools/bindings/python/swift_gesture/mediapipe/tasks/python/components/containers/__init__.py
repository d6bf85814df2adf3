"""As `mediapipe.tasks.python.components.containers`: what results are made of."""
from . import category, landmark
from .category import Category
from .landmark import Landmark, NormalizedLandmark

__all__ = ["Category", "Landmark", "NormalizedLandmark", "category", "landmark"]
