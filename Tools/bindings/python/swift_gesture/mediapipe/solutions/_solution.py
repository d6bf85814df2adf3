"""What the solutions have in common."""
from typing import Any, NoReturn, Type, TypeVar

import numpy

from swift_gesture import _arguments
from swift_gesture._library import FrameError, InvalidArgument, refuse_pickling
from swift_gesture.engine import Engine
from swift_gesture.mediapipe.framework.formats._messages import Message

_List = TypeVar("_List", bound=Message)

# Frames of a video are taken to be this far apart, in seconds, as in MediaPipe.
_INTERVAL = 1 / 30


class Solution:
    """Images one after the other: unrelated ones, or those of a video."""

    def __init__(self, engine: Engine, is_static: Any, options: Any) -> None:
        self._engine = engine
        self._options = options
        self._is_static = _arguments.flag("static_image_mode", is_static)
        # Refuses unusable networks now.
        self._tracker = self._make_tracker()
        self._count = 0

    def _make_tracker(self) -> Any:
        raise NotImplementedError

    def _still(self, image: numpy.ndarray) -> Any:
        raise NotImplementedError

    def _found(self, image: numpy.ndarray) -> Any:
        """What is in the next image."""
        if not isinstance(image, numpy.ndarray) or image.ndim != 3 or image.shape[2] != 3:
            raise FrameError(f"Input image must contain three channel rgb data; this is {_described(image)}.")
        if self._is_static:
            return self._still(image)
        self._count += 1
        return self._tracker.track(image, self._count * _INTERVAL, format="rgb")

    def reset(self) -> None:
        """Forgets the images before."""
        self._tracker.reset()

    def close(self) -> None:
        """Releases the networks. A second close does nothing."""
        self._tracker.close()
        self._engine.close()

    def __reduce__(self) -> NoReturn:
        refuse_pickling(self)

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _described(image: Any) -> str:
    return f"an array of the shape {image.shape}" if isinstance(image, numpy.ndarray) else f"a {type(image).__name__}"


def score(name: str, value: Any) -> float:
    """A confidence, 0 to 1, in the engine's range."""
    found = _arguments.number(name, value, "from 0 to 1")
    if not 0 <= found <= 1:
        _arguments.refuse(name, value, "from 0 to 1")
    return min(max(found, 0.01), 0.99)


def complexity(value: Any, most: int) -> None:
    """Refuses a model_complexity that MediaPipe does not have. There is one network for all."""
    if not 0 <= _arguments.whole("model_complexity", value, f"from 0 to {most}") <= most:
        raise InvalidArgument(f"model_complexity is {value}; it must be from 0 to {most}.")


def points(kind: Type[_List], coordinates: numpy.ndarray, *visibility: numpy.ndarray) -> _List:
    """A message of points, with their visibility if it is given."""
    names = ("x", "y", "z", "visibility")
    made = kind()
    for values in numpy.column_stack([coordinates, *visibility]).tolist():
        made.landmark.add(**dict(zip(names, values)))
    return made
