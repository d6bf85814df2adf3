"""As `mediapipe.framework.formats.classification_pb2`."""
from ._messages import Message, message

_FILE = "mediapipe/framework/formats/classification"


@message(_FILE)
class Classification(Message):
    """A class and its score."""

    _fields = {"index": int, "score": float, "label": str, "display_name": str}


@message(_FILE)
class ClassificationList(Message):
    """The classes of one hand: `classification`."""

    _fields = {"classification": Classification}
