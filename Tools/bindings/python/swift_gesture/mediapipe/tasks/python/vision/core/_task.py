"""What the tasks have in common: still images, videos, and live streams whose results go to a callback."""
import atexit
import os
import sys
import threading
import weakref
from typing import TYPE_CHECKING, Any, Callable, ClassVar, Dict, Generic, List, NoReturn, Optional, Tuple, Type, TypeVar, Union

import numpy

from swift_gesture import _arguments
from swift_gesture._library import ForkedProcess, InvalidArgument, refuse_pickling
from swift_gesture.engine import BodyTracker, Engine, HandTracker
from swift_gesture.mediapipe.tasks.python.components.containers.landmark import Landmark, NormalizedLandmark
from swift_gesture.mediapipe.tasks.python.core.base_options import BaseOptions
from swift_gesture.mediapipe.tasks.python.vision.core.image import Image
from swift_gesture.mediapipe.tasks.python.vision.core.image_processing_options import ImageProcessingOptions
from swift_gesture.mediapipe.tasks.python.vision.core.vision_task_running_mode import VisionTaskRunningMode

# The engine counts nanoseconds in 64 bits, and drops times beyond 146 years.
_LATEST_MS = 4_000_000_000_000

# The stored frame's EXIF orientation by the degrees, clockwise, that turn it upright.
_ORIENTATIONS = {0: 1, 90: 6, 180: 3, 270: 8}

# Hands or bodies that are found at most.
_MOST = 4

if TYPE_CHECKING:
    # Of no use at run time; Python has it since 3.11.
    from typing_extensions import Self

_Options = TypeVar("_Options")
_Result = TypeVar("_Result")


class Task(Generic[_Options, _Result]):
    """Finds hands or bodies in one of the running modes."""

    # The class of the options.
    _options: ClassVar[Type[Any]]
    # Names the kind in sentences and in the thread's name.
    _kind: ClassVar[str]
    _thread: ClassVar[str]

    @classmethod
    def create_from_options(cls, options: _Options) -> "Self":
        """Makes one with these options. Raises ValueError for unusable ones."""
        return cls(options)  # type: ignore[call-arg]

    @classmethod
    def create_from_model_path(cls, model_path: str) -> "Self":
        """Makes one for still images; see BaseOptions about the path."""
        return cls(cls._options(base_options=BaseOptions(model_asset_path=model_path)))  # type: ignore[call-arg]

    def __init__(self, options: Any, engine: Engine, tracking: Dict[str, Any]) -> None:
        mode = _arguments.instance("running_mode", options.running_mode, VisionTaskRunningMode)
        live, callback = mode is VisionTaskRunningMode.LIVE_STREAM, options.result_callback
        if live and callback is None:
            raise InvalidArgument("The live stream mode needs a result_callback.")
        if not live and callback is not None:
            raise InvalidArgument("A result_callback belongs to the live stream mode.")
        if callback is not None and not callable(callback):
            _arguments.refuse("result_callback", callback, "a function")
        self._mode, self._callback, self._engine, self._tracking = mode, callback, engine, tracking
        self._trackers: Dict[int, Union[HandTracker, BodyTracker]] = {}
        self._latest_time: Optional[int] = None
        self._latest_rotation: Optional[int] = None
        if mode is VisionTaskRunningMode.IMAGE:
            # Refuses unusable networks now.
            self._make_tracker(**tracking).close()
        else:
            self._tracker(0)
        self._worker = _Worker(self._deliver, self._kind, self._thread) if live else None

    def _make_tracker(self, **options: Any) -> Union[HandTracker, BodyTracker]:
        """A tracker of these options."""
        raise NotImplementedError

    def _still(self, pixels: numpy.ndarray, **options: Any) -> List[Any]:
        """What a still image shows."""
        raise NotImplementedError

    def _result(self, found: List[Any], image: Image, rotation: int) -> _Result:
        """The result of hands or bodies in an upright image."""
        raise NotImplementedError

    def _of_image(self, image: Image, options: Optional[ImageProcessingOptions]) -> _Result:
        self._require(VisionTaskRunningMode.IMAGE, image)
        rotation = _rotation(options)
        return self._result(
            self._still(image.numpy_view(), format=image.layout, orientation=_ORIENTATIONS[rotation], **self._tracking),
            image, rotation)

    def _of_video(self, image: Image, timestamp_ms: int, options: Optional[ImageProcessingOptions]) -> _Result:
        self._require(VisionTaskRunningMode.VIDEO, image)
        rotation, timestamp_ms = self._admit(timestamp_ms, options)
        return self._track(image, timestamp_ms, rotation)

    def _of_stream(self, image: Image, timestamp_ms: int, options: Optional[ImageProcessingOptions]) -> None:
        self._require(VisionTaskRunningMode.LIVE_STREAM, image)
        assert self._worker is not None
        self._worker.require_process()
        rotation, timestamp_ms = self._admit(timestamp_ms, options)
        # Programs draw into the array while the thread is at work.
        self._worker.put((image.copy(), timestamp_ms, rotation))

    def close(self) -> None:
        """Waits for the frame at work and releases the networks. A second close does nothing."""
        if self._worker is not None:
            self._worker.stop()
            self._worker.join()
        for tracker in self._trackers.values():
            tracker.close()
        self._engine.close()

    def __reduce__(self) -> NoReturn:
        refuse_pickling(self)

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _require(self, mode: VisionTaskRunningMode, image: Image) -> None:
        _arguments.instance("image", image, Image)
        if self._mode is not mode:
            raise InvalidArgument(f"The {self._kind} was made for the mode {self._mode.name}, not for {mode.name}.")

    def _admit(self, timestamp_ms: int, options: Optional[ImageProcessingOptions]) -> Tuple[int, int]:
        rotation = _rotation(options)
        timestamp_ms = _arguments.whole("timestamp_ms", timestamp_ms, "a whole number of milliseconds", _LATEST_MS)
        if self._latest_time is not None and timestamp_ms <= self._latest_time:
            raise InvalidArgument(f"The timestamp {timestamp_ms} ms is not after {self._latest_time} ms; "
                                  "timestamps must increase.")
        self._latest_time = timestamp_ms
        return rotation, timestamp_ms

    def _tracker(self, rotation: int) -> Union[HandTracker, BodyTracker]:
        if rotation not in self._trackers:
            self._trackers[rotation] = self._make_tracker(
                orientation=_ORIENTATIONS[rotation], detects_in_every_frame=True, **self._tracking)
        if self._latest_rotation != rotation:
            self._trackers[rotation].reset()
            self._latest_rotation = rotation
        return self._trackers[rotation]

    def _track(self, image: Image, timestamp_ms: int, rotation: int) -> _Result:
        found = self._tracker(rotation).track(image.numpy_view(), timestamp_ms / 1000, format=image.layout)
        return self._result(list(found), image, rotation)

    def _deliver(self, image: Image, timestamp_ms: int, rotation: int) -> None:
        self._callback(self._track(image, timestamp_ms, rotation), image, timestamp_ms)


class Landmarker(Task[_Options, _Result]):
    """The calls of a landmarker."""

    _kind = "landmarker"

    def detect(self, image: Image, image_processing_options: Optional[ImageProcessingOptions] = None) -> _Result:
        """What a still image shows, in the image mode."""
        return self._of_image(image, image_processing_options)

    def detect_for_video(self, image: Image, timestamp_ms: int,
                         image_processing_options: Optional[ImageProcessingOptions] = None) -> _Result:
        """What a video's next frame shows, in the video mode. Timestamps must increase."""
        return self._of_video(image, timestamp_ms, image_processing_options)

    def detect_async(self, image: Image, timestamp_ms: int,
                     image_processing_options: Optional[ImageProcessingOptions] = None) -> None:
        """Hands a camera's frame over, in the live stream mode; see GestureRecognizer.recognize_async."""
        self._of_stream(image, timestamp_ms, image_processing_options)


def _rotation(options: Optional[ImageProcessingOptions]) -> int:
    if options is None:
        return 0
    _arguments.instance("image_processing_options", options, ImageProcessingOptions)
    if options.region_of_interest is not None:
        raise InvalidArgument("A recognizer or landmarker takes no region of interest.")
    degrees = _arguments.whole("rotation_degrees", options.rotation_degrees, "a multiple of 90")
    if degrees % 90:
        _arguments.refuse("rotation_degrees", degrees, "a multiple of 90")
    return degrees % 360


def confidence(options: Any, name: str) -> float:
    """A confidence of the options, 0 to 1, in the engine's range."""
    requirement, value = "from 0 to 1", getattr(options, name)
    found = _arguments.number(name, value, requirement)
    if not 0 <= found <= 1:
        _arguments.refuse(name, value, requirement)
    return min(max(found, 0.01), 0.99)


def count(options: Any, name: str) -> int:
    """How many hands or bodies the options want."""
    requirement, value = f"from 1 to {_MOST}", getattr(options, name)
    found = _arguments.whole(name, value, requirement)
    if not 1 <= found <= _MOST:
        _arguments.refuse(name, value, requirement)
    return found


def normalized(points: numpy.ndarray, image: Image, rotation: int, *scores: numpy.ndarray) -> List[NormalizedLandmark]:
    """Points of the upright image in the stored one, with visibility and presence if they are given."""
    aspect = image.height / image.width if rotation % 180 else 1
    return [NormalizedLandmark(*values) for values in _stored(points, rotation, aspect, 1, scores)]


def world(points: numpy.ndarray, rotation: int, *scores: numpy.ndarray) -> List[Landmark]:
    """Points in metres, likewise."""
    return [Landmark(*values) for values in _stored(points, rotation, 1, 0, scores)]


def _stored(points: numpy.ndarray, rotation: int, aspect: float, side: int, scores: Tuple[numpy.ndarray, ...]) -> Any:
    """`side` is 1 where x and y go from 0 to 1, and 0 where they are relative to the middle."""
    x, y, z = points.astype(numpy.float64).T
    if rotation == 90:
        x, y = y, side - x
    elif rotation == 180:
        x, y = side - x, side - y
    elif rotation == 270:
        x, y = side - y, x
    return numpy.stack([x, y, z * aspect, *scores], axis=1).tolist()


class _Worker:
    """A thread that gives the newest item to a method.

    The thread holds the method's object only while it works, so the object can be released; then the thread ends.
    """

    # Those whose threads may be at work at the end of the program.
    _all: "ClassVar[weakref.WeakSet[_Worker]]" = weakref.WeakSet()

    def __init__(self, method: Callable[..., None], kind: str, thread: str) -> None:
        # Reentrant: the garbage collector may call `stop` from within.
        self._changed = threading.Condition(threading.RLock())
        self._item: Optional[Tuple[Any, ...]] = None
        self._stopped = False
        self._process = os.getpid()
        self._kind = kind
        weakref.finalize(method.__self__, self.stop).atexit = False  # type: ignore[attr-defined]
        self._thread = threading.Thread(
            target=self._run, args=(weakref.WeakMethod(method),), name=thread, daemon=True)
        self._thread.start()
        self._all.add(self)

    def put(self, item: Tuple[Any, ...]) -> None:
        self.require_process()
        with self._changed:
            if self._stopped:
                raise InvalidArgument(f"The {self._kind} is closed.")
            self._item = item
            self._changed.notify()

    def require_process(self) -> None:
        """Refuses a process that was forked after the thread began: it has no such thread, and its lock may be held."""
        if os.getpid() != self._process:
            raise ForkedProcess(f"The {self._kind} belongs to the process from which this one was forked; "
                                "make another one here.", "GESTURE_FORKED")

    def stop(self) -> None:
        """Lets the thread end after the waiting item."""
        if os.getpid() != self._process:
            return
        with self._changed:
            self._stopped = True
            self._changed.notify()

    def join(self, timeout: Optional[float] = None) -> None:
        """Waits for the thread; in the thread itself, and in a process that was forked, it does not wait."""
        if threading.current_thread() is not self._thread and os.getpid() == self._process:
            self._thread.join(timeout)

    def _run(self, reference: Any) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._item is not None or self._stopped)
                item, self._item = self._item, None
            work = reference()
            if item is None or work is None:
                return
            try:
                work(*item)
            except Exception:
                # A frame or a callback that fails is reported like any exception of a thread, and the next frame comes.
                threading.excepthook(threading.ExceptHookArgs((*sys.exc_info(), self._thread)))
            # Held no longer than the work takes.
            del work, item


@atexit.register
def _stop_all() -> None:
    """Ends threads before the interpreter does, which would cut them off; a callback that never returns is left."""
    workers = list(_Worker._all)
    for worker in workers:
        worker.stop()
    for worker in workers:
        worker.join(timeout=1)
