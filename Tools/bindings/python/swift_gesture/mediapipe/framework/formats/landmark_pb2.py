"""As `mediapipe.framework.formats.landmark_pb2`."""
from ._messages import Message

_POINT = dict.fromkeys(("x", "y", "z", "visibility", "presence"), float)


class Landmark(Message):
    """A point in metres."""

    _fields = _POINT


class NormalizedLandmark(Message):
    """A point in shares of the image's width and height."""

    _fields = _POINT


class LandmarkList(Message):
    """Points in metres: `landmark`."""

    _fields = {"landmark": Landmark}


class NormalizedLandmarkList(Message):
    """Points in shares of the image's width and height: `landmark`."""

    _fields = {"landmark": NormalizedLandmark}
