"""MediaPipe's calls for hands and bodies, answered by this engine.

    import swift_gesture.mediapipe as mp            # instead of: import mediapipe as mp
    from swift_gesture.mediapipe.tasks import python                # instead of: from mediapipe.tasks import python
    from swift_gesture.mediapipe.tasks.python import vision         # likewise

What differs is in README.md of this package.
"""
from swift_gesture._library import version

from . import framework, python, solutions, tasks
from .tasks.python.vision.core.image import Image, ImageFormat

# This package's own version, which tells nothing of MediaPipe's.
__version__ = version()
__all__ = ["Image", "ImageFormat", "framework", "python", "solutions", "tasks"]
