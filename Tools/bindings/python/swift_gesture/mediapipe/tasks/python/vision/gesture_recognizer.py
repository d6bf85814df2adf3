"""MediaPipe's gesture recognizer, by this engine's hands and poses."""
import atexit
import dataclasses
import enum
import os
import sys
import threading
import warnings
import weakref
from typing import Any, Callable, List, Optional

import numpy

from swift_gesture import _arguments
from swift_gesture._library import ForkedProcess, GestureWarning, InvalidArgument, ModelNotFound
from swift_gesture.engine import Engine, HandTracker
from swift_gesture.mediapipe.image import Image
from swift_gesture.mediapipe.tasks.python.base_options import BaseOptions
from swift_gesture.mediapipe.tasks.python.components.containers import Category, Landmark, NormalizedLandmark
from swift_gesture.mediapipe.tasks.python.components.processors import ClassifierOptions

# The engine counts nanoseconds in 64 bits, and drops times beyond 146 years.
_LATEST_MS = 4_000_000_000_000

# The stored frame's EXIF orientation by the degrees, clockwise, that turn it upright.
_ORIENTATIONS = {0: 1, 90: 6, 180: 3, 270: 8}


class RunningMode(enum.Enum):
    """Still images, a video, or a camera whose results go to a callback."""

    IMAGE = "IMAGE"
    VIDEO = "VIDEO"
    LIVE_STREAM = "LIVE_STREAM"


@dataclasses.dataclass
class ImageProcessingOptions:
    """How an image is stored: the degrees, clockwise, that turn it upright; a multiple of 90.

    There is no region of interest.
    """

    region_of_interest: Optional[Any] = None
    rotation_degrees: int = 0


@dataclasses.dataclass
class GestureRecognizerResult:
    """An element for each hand. Landmarks are those of the image as it is stored, whatever its rotation."""

    gestures: List[List[Category]]
    handedness: List[List[Category]]
    hand_landmarks: List[List[NormalizedLandmark]]
    hand_world_landmarks: List[List[Landmark]]


@dataclasses.dataclass
class GestureRecognizerOptions:
    """MediaPipe's options.

    num_hands is 1 or 2. Confidences below 0.01 and above 0.99 count as these. min_tracking_confidence has no effect: a
    hand is tracked as long as its presence is above min_hand_presence_confidence. There are no custom gestures, so
    their options have none either.
    """

    base_options: BaseOptions = dataclasses.field(default_factory=BaseOptions)
    running_mode: RunningMode = RunningMode.IMAGE
    num_hands: int = 1
    min_hand_detection_confidence: float = 0.5
    min_hand_presence_confidence: float = 0.5
    min_tracking_confidence: float = 0.5
    canned_gesture_classifier_options: ClassifierOptions = dataclasses.field(default_factory=ClassifierOptions)
    custom_gesture_classifier_options: ClassifierOptions = dataclasses.field(default_factory=ClassifierOptions)
    result_callback: Optional[Callable[[GestureRecognizerResult, Image, int], None]] = None


class GestureRecognizer:
    """Recognises the poses of hands in images."""

    def __init__(self, options: GestureRecognizerOptions):
        _arguments.instance("options", options, GestureRecognizerOptions)
        live = _arguments.instance("running_mode", options.running_mode, RunningMode) is RunningMode.LIVE_STREAM
        callback = options.result_callback
        if live and callback is None:
            raise InvalidArgument("The live stream mode needs a result_callback.")
        if not live and callback is not None:
            raise InvalidArgument("A result_callback belongs to the live stream mode.")
        if callback is not None and not callable(callback):
            _arguments.refuse("result_callback", callback, "a function")
        self._mode, self._canned = options.running_mode, _canned(options.canned_gesture_classifier_options)
        self._callback = callback
        self._tracking = {
            "maximum_hands": _arguments.whole("num_hands", options.num_hands, "1 or 2"),
            "minimum_palm_score": _confidence(options, "min_hand_detection_confidence"),
            "minimum_presence": _confidence(options, "min_hand_presence_confidence")}
        if self._tracking["maximum_hands"] not in (1, 2):
            _arguments.refuse("num_hands", options.num_hands, "1 or 2")
        self._engine = Engine(hands_folder=_hands_folder(options.base_options))
        self._trackers = {}
        self._latest_time = None
        self._latest_rotation = None
        if self._mode is RunningMode.IMAGE:
            # Refuses unusable networks now.
            HandTracker(self._engine, **self._tracking).close()
        else:
            self._tracker(0)
        self._worker = _Worker(self._deliver) if live else None

    @classmethod
    def create_from_options(cls, options: GestureRecognizerOptions) -> "GestureRecognizer":
        """Makes a recogniser. Raises ValueError for unusable options."""
        return cls(options)

    @classmethod
    def create_from_model_path(cls, model_path: str) -> "GestureRecognizer":
        """Makes a recogniser of still images; see BaseOptions about the path."""
        return cls(GestureRecognizerOptions(base_options=BaseOptions(model_asset_path=model_path)))

    def recognize(self, image: Image,
                  image_processing_options: Optional[ImageProcessingOptions] = None) -> GestureRecognizerResult:
        """The hands of a still image, in the image mode."""
        self._require(RunningMode.IMAGE, image)
        rotation = _rotation(image_processing_options)
        hands = self._engine.recognize_hands(
            image.numpy_view(), format=image.layout, orientation=_ORIENTATIONS[rotation], **self._tracking)
        return self._result(hands, image, rotation)

    def recognize_for_video(
            self, image: Image, timestamp_ms: int,
            image_processing_options: Optional[ImageProcessingOptions] = None) -> GestureRecognizerResult:
        """The hands of a video's next frame, in the video mode. Timestamps must increase."""
        self._require(RunningMode.VIDEO, image)
        rotation, timestamp_ms = self._admit(timestamp_ms, image_processing_options)
        return self._track(image, timestamp_ms, rotation)

    def recognize_async(self, image: Image, timestamp_ms: int,
                        image_processing_options: Optional[ImageProcessingOptions] = None) -> None:
        """Hands a camera's frame over, in the live stream mode. Timestamps must increase.

        The callback gets result, image and timestamp in a thread of the recogniser. A frame that still waits when the
        next one comes is dropped.
        """
        self._require(RunningMode.LIVE_STREAM, image)
        self._worker.require_process()
        rotation, timestamp_ms = self._admit(timestamp_ms, image_processing_options)
        self._worker.put((image, timestamp_ms, rotation))

    def close(self):
        """Waits for the frame at work and releases the networks. A second close does nothing."""
        if self._worker is not None:
            self._worker.stop()
            self._worker.join()
        for tracker in self._trackers.values():
            tracker.close()
        self._engine.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _require(self, mode, image):
        _arguments.instance("image", image, Image)
        if self._mode is not mode:
            raise InvalidArgument(f"The recognizer was made for the mode {self._mode.name}, not for {mode.name}.")

    def _admit(self, timestamp_ms, options):
        rotation = _rotation(options)
        timestamp_ms = _arguments.whole("timestamp_ms", timestamp_ms, "a whole number of milliseconds", _LATEST_MS)
        if self._latest_time is not None and timestamp_ms <= self._latest_time:
            raise InvalidArgument(f"The timestamp {timestamp_ms} ms is not after {self._latest_time} ms; "
                                  "timestamps must increase.")
        self._latest_time = timestamp_ms
        return rotation, timestamp_ms

    def _tracker(self, rotation):
        if rotation not in self._trackers:
            self._trackers[rotation] = self._engine.hand_tracker(
                orientation=_ORIENTATIONS[rotation], detects_in_every_frame=True, **self._tracking)
        if self._latest_rotation != rotation:
            self._trackers[rotation].reset()
            self._latest_rotation = rotation
        return self._trackers[rotation]

    def _track(self, image, timestamp_ms, rotation):
        hands = self._tracker(rotation).track(image.numpy_view(), timestamp_ms / 1000, format=image.layout)
        return self._result(hands, image, rotation)

    def _deliver(self, image, timestamp_ms, rotation):
        self._callback(self._track(image, timestamp_ms, rotation), image, timestamp_ms)

    def _result(self, hands, image, rotation):
        # As in MediaPipe's result, the points are those of the stored image.
        aspect = image.height / image.width if rotation % 180 else 1
        return GestureRecognizerResult(
            [[self._gesture(hand)] for hand in hands], [[_handedness(hand)] for hand in hands],
            [[NormalizedLandmark(*point) for point in _stored(hand.landmarks, rotation, aspect, 1)] for hand in hands],
            [[Landmark(*point) for point in _stored(hand.world_landmarks, rotation, 1, 0)] for hand in hands])

    def _gesture(self, hand):
        """The best pose that the options let through; without one "None" with its score."""
        allowed, denied = self._canned.category_allowlist, self._canned.category_denylist
        least = self._canned.score_threshold or 0
        scores = {name: score for name, score in hand.pose_scores.items()
                  if score >= least and (not allowed or name in allowed) and name not in (denied or ())}
        name = max(scores, key=scores.get) if scores else "None"
        return Category(index=-1, score=hand.pose_scores[name], display_name="", category_name=name)


def _rotation(options):
    if options is None:
        return 0
    _arguments.instance("image_processing_options", options, ImageProcessingOptions)
    if options.region_of_interest is not None:
        raise InvalidArgument("A gesture recognizer takes no region of interest.")
    degrees = _arguments.whole("rotation_degrees", options.rotation_degrees, "a multiple of 90")
    if degrees % 90:
        _arguments.refuse("rotation_degrees", degrees, "a multiple of 90")
    return degrees % 360


def _confidence(options, name):
    """A confidence, 0 to 1, in the engine's range."""
    requirement, value = "from 0 to 1", getattr(options, name)
    found = _arguments.number(name, value, requirement)
    if not 0 <= found <= 1:
        _arguments.refuse(name, value, requirement)
    return min(max(found, 0.01), 0.99)


def _canned(options):
    """Checks which categories are reported."""
    _arguments.instance("canned_gesture_classifier_options", options, ClassifierOptions)
    if options.score_threshold is not None:
        _arguments.number("score_threshold", options.score_threshold, "a number, or None")
    for name in ("category_allowlist", "category_denylist"):
        names = getattr(options, name)
        if names is not None and not (
                isinstance(names, (list, tuple, set)) and all(isinstance(found, str) for found in names)):
            _arguments.refuse(name, names, "a list of texts, or None")
    if options.category_allowlist and options.category_denylist:
        raise InvalidArgument("category_allowlist and category_denylist exclude each other.")
    return options


# The models that were told not to be used.
_told = set()


def _hands_folder(options):
    """The folder of hand networks that the options name; None for those of this package."""
    _arguments.instance("base_options", options, BaseOptions)
    path, content = options.model_asset_path, options.model_asset_buffer
    if content is not None and not isinstance(content, (bytes, bytearray, memoryview)):
        _arguments.refuse("model_asset_buffer", content, "bytes")
    if content is not None:
        _tell_unused("model_asset_buffer")
    if path is None:
        return None
    _arguments.path("model_asset_path", path)
    if os.path.isdir(path):
        return path
    if not os.path.exists(path):
        raise ModelNotFound(f"Unable to open file at {os.path.abspath(path)}: it does not exist.")
    _tell_unused(os.path.abspath(path))
    return None


def _tell_unused(model):
    if model not in _told:
        _told.add(model)
        warnings.warn(
            f"{model} is not used: this package recognises its own poses by its own networks.", GestureWarning,
            stacklevel=_outside())


def _outside():
    """How many callers back the first one outside of this module is, for warnings of the function that asks."""
    frame, count = sys._getframe(2), 2
    while frame.f_back is not None and frame.f_globals.get("__name__") == __name__:
        frame, count = frame.f_back, count + 1
    return count


def _handedness(hand):
    """MediaPipe's tasks number the right hand 0 and the left one 1."""
    right = hand.right_handedness >= 0.5
    name = "Right" if right else "Left"
    return Category(index=0 if right else 1, score=hand.right_handedness if right else 1 - hand.right_handedness,
                    display_name=name, category_name=name)


def _stored(points, rotation, aspect, side):
    """Points of the upright image in the stored one, as lists.

    `side` is 1 where x and y go from 0 to 1, and 0 where they are relative to the middle.
    """
    x, y, z = points.astype(numpy.float64).T
    if rotation == 90:
        x, y = y, side - x
    elif rotation == 180:
        x, y = side - x, side - y
    elif rotation == 270:
        x, y = side - y, x
    return numpy.stack([x, y, z * aspect], axis=1).tolist()


class _Worker:
    """A thread that gives the newest item to a method.

    The thread holds the method's object only while it works, so the object can be released; then the thread ends.
    """

    # Those whose threads may be at work at the end of the program.
    _all = weakref.WeakSet()

    def __init__(self, method):
        # Reentrant: the garbage collector may call `stop` from within.
        self._changed = threading.Condition(threading.RLock())
        self._item = None
        self._stopped = False
        self._process = os.getpid()
        weakref.finalize(method.__self__, self.stop).atexit = False
        self._thread = threading.Thread(
            target=self._run, args=(weakref.WeakMethod(method),), name="gesture-recognizer", daemon=True)
        self._thread.start()
        self._all.add(self)

    def put(self, item):
        self.require_process()
        with self._changed:
            if self._stopped:
                raise InvalidArgument("The recognizer is closed.")
            self._item = item
            self._changed.notify()

    def require_process(self):
        """Refuses a process that was forked after the thread began: it has no such thread, and its lock may be held."""
        if os.getpid() != self._process:
            raise ForkedProcess("The recognizer belongs to the process from which this one was forked; "
                                "make another one here.", "GESTURE_FORKED")

    def stop(self):
        """Lets the thread end after the waiting item."""
        if os.getpid() != self._process:
            return
        with self._changed:
            self._stopped = True
            self._changed.notify()

    def join(self, timeout=None):
        """Waits for the thread; in the thread itself, and in a process that was forked, it does not wait."""
        if threading.current_thread() is not self._thread and os.getpid() == self._process:
            self._thread.join(timeout)

    def _run(self, reference):
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
def _stop_all():
    """Ends threads before the interpreter does, which would cut them off; a callback that never returns is left."""
    workers = list(_Worker._all)
    for worker in workers:
        worker.stop()
    for worker in workers:
        worker.join(timeout=1)
