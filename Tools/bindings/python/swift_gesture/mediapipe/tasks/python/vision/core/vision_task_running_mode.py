"""What a task takes."""
import enum


class VisionTaskRunningMode(enum.Enum):
    """Still images, a video, or a camera whose results go to a callback."""

    IMAGE = "IMAGE"
    VIDEO = "VIDEO"
    LIVE_STREAM = "LIVE_STREAM"
