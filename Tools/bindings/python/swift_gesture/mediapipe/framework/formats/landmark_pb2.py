"""As `mediapipe.framework.formats.landmark_pb2`."""
from ._messages import Message, message

_FILE = "mediapipe/framework/formats/landmark"
_POINT = dict.fromkeys(("x", "y", "z", "visibility", "presence"), float)


@message(_FILE)
class Landmark(Message):
    """A point in metres."""

    _fields = _POINT


@message(_FILE)
class NormalizedLandmark(Message):
    """A point in shares of the image's width and height."""

    _fields = _POINT


@message(_FILE)
class LandmarkList(Message):
    """Points in metres: `landmark`."""

    _fields = {"landmark": Landmark}


@message(_FILE)
class NormalizedLandmarkList(Message):
    """Points in shares of the image's width and height: `landmark`."""

    _fields = {"landmark": NormalizedLandmark}
