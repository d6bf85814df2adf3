"""MediaPipe's gesture recognizer, by this engine's hands and poses."""
import dataclasses
import enum
import pathlib
import sys
import threading
from typing import Any, Callable, List, Optional

import numpy

from swift_gesture.engine import Engine, HandTracker
from swift_gesture.mediapipe.image import Image
from swift_gesture.mediapipe.tasks.python.base_options import BaseOptions
from swift_gesture.mediapipe.tasks.python.components.containers import Category, Landmark, NormalizedLandmark
from swift_gesture.mediapipe.tasks.python.components.processors import ClassifierOptions

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

    num_hands is 1 or 2. min_tracking_confidence has no effect: a hand is tracked as long as its presence is above
    min_hand_presence_confidence. There are no custom gestures, so their options have none either.
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
        live = options.running_mode is RunningMode.LIVE_STREAM
        if live and options.result_callback is None:
            raise ValueError("The live stream mode needs a result_callback.")
        if not live and options.result_callback is not None:
            raise ValueError("A result_callback belongs to the live stream mode.")
        canned = options.canned_gesture_classifier_options
        if canned.category_allowlist and canned.category_denylist:
            raise ValueError("category_allowlist and category_denylist exclude each other.")
        self._mode, self._canned = options.running_mode, canned
        self._callback = options.result_callback
        self._tracking = {
            "maximum_hands": options.num_hands, "minimum_palm_score": options.min_hand_detection_confidence,
            "minimum_presence": options.min_hand_presence_confidence}
        path = options.base_options.model_asset_path
        self._engine = Engine(hands_folder=path if path and pathlib.Path(path).is_dir() else None)
        self._trackers = {}
        self._latest_time = None
        self._latest_rotation = None
        if self._mode is RunningMode.IMAGE:
            # Refuses unusable options now.
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
        self._require(RunningMode.IMAGE)
        rotation = _rotation(image_processing_options)
        hands = self._engine.recognize_hands(
            image.numpy_view(), format=image.layout, orientation=_ORIENTATIONS[rotation], **self._tracking)
        return self._result(hands, image, rotation)

    def recognize_for_video(
            self, image: Image, timestamp_ms: int,
            image_processing_options: Optional[ImageProcessingOptions] = None) -> GestureRecognizerResult:
        """The hands of a video's next frame, in the video mode. Timestamps must increase."""
        self._require(RunningMode.VIDEO)
        rotation = self._admit(timestamp_ms, image_processing_options)
        return self._track(image, timestamp_ms, rotation)

    def recognize_async(self, image: Image, timestamp_ms: int,
                        image_processing_options: Optional[ImageProcessingOptions] = None) -> None:
        """Hands a camera's frame over, in the live stream mode. Timestamps must increase.

        The callback gets result, image and timestamp in a thread of the recogniser. A frame that still waits when the
        next one comes is dropped.
        """
        self._require(RunningMode.LIVE_STREAM)
        rotation = self._admit(timestamp_ms, image_processing_options)
        self._worker.put((image, timestamp_ms, rotation))

    def close(self):
        """Waits for the frame at work and releases the networks. A second close does nothing."""
        if self._worker is not None:
            self._worker.stop()
        for tracker in self._trackers.values():
            tracker.close()
        self._engine.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _require(self, mode):
        if self._mode is not mode:
            raise ValueError(f"The recognizer was made for the mode {self._mode.name}, not for {mode.name}.")

    def _admit(self, timestamp_ms, options):
        rotation = _rotation(options)
        if self._latest_time is not None and timestamp_ms <= self._latest_time:
            raise ValueError(f"The timestamp {timestamp_ms} ms is not after {self._latest_time} ms; "
                             "timestamps must increase.")
        self._latest_time = timestamp_ms
        return rotation

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
    if options.region_of_interest is not None:
        raise ValueError("A gesture recognizer takes no region of interest.")
    if options.rotation_degrees % 90:
        raise ValueError(f"The rotation is {options.rotation_degrees} degrees; it must be a multiple of 90.")
    return options.rotation_degrees % 360


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
    """A thread that works on the newest item."""

    def __init__(self, work):
        self._work = work
        self._changed = threading.Condition()
        self._item = None
        self._stopped = False
        self._thread = threading.Thread(target=self._run, name="gesture-recognizer", daemon=True)
        self._thread.start()

    def put(self, item):
        with self._changed:
            if self._stopped:
                raise ValueError("The recognizer is closed.")
            self._item = item
            self._changed.notify()

    def stop(self):
        """Lets the waiting item be worked on, then ends. From the callback it does not wait."""
        with self._changed:
            self._stopped = True
            self._changed.notify()
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _run(self):
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._item is not None or self._stopped)
                item, self._item = self._item, None
            if item is None:
                return
            try:
                self._work(*item)
            except Exception:
                # A frame or a callback that fails is reported like any exception of a thread, and the next frame comes.
                threading.excepthook(threading.ExceptHookArgs((*sys.exc_info(), self._thread)))
