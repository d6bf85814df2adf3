"""As `mediapipe.tasks.python.vision.core`."""
from . import image, image_processing_options, vision_task_running_mode

__all__ = ["image", "image_processing_options", "vision_task_running_mode"]
