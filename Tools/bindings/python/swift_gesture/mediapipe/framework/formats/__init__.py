"""As `mediapipe.framework.formats`: the messages that scripts build and read."""
from . import classification_pb2, landmark_pb2

__all__ = ["classification_pb2", "landmark_pb2"]
