"""MediaPipe's calls for recognising gestures, answered by this engine.

    import swift_gesture.mediapipe as mp            # instead of: import mediapipe as mp
    from swift_gesture.mediapipe.tasks import python                # instead of: from mediapipe.tasks import python
    from swift_gesture.mediapipe.tasks.python import vision         # likewise

What differs is in README.md of this package.
"""
from . import tasks
from .image import Image, ImageFormat

__all__ = ["Image", "ImageFormat", "tasks"]
