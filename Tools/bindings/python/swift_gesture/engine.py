"""Engines, streams and hand trackers."""
import ctypes
import dataclasses
import warnings
import weakref
from typing import Dict, List, Optional

import numpy

from . import _arguments, _frames, _library
from ._library import CONSTANTS, GestureWarning, InvalidArgument, call

# The names of poses, by MediaPipe.
POSES = tuple(_library.pose_name(index) for index in range(_library.POSE_COUNT))

_OUTCOMES = {CONSTANTS["GESTURE_FRAME_" + name]: name.lower() for name in ("ENCODED", "SURPLUS", "DROPPED", "SKIPPED")}
_CAUSES = {CONSTANTS["GESTURE_END_" + name]: name.lower() for name in ("RELEASED", "UNSURE", "EXPIRED", "FLUSHED")}
_MOST_HANDS = 2


@dataclasses.dataclass(frozen=True)
class Event:
    """The begin or the end of a gesture."""

    # "begin" or "end".
    kind: str
    label: str
    class_index: int
    # Begin: the probability in the frame that decided. End: the highest while the gesture lasted. 0 to 1.
    confidence: float
    # Seconds: the first frame of the evidence, and the frame that decided.
    onset: float
    decision: float
    # 0 for the stream's first event, then one more for each.
    sequence: int
    # "released", "unsure", "expired" or "flushed"; None for a begin.
    end_cause: Optional[str]


@dataclasses.dataclass(frozen=True, eq=False)
class Hand:
    """A hand in a frame."""

    # The same from frame to frame while the hand is tracked.
    identity: int
    # "left" or "right", in a frame that is not mirrored.
    handedness: str
    # The network's confidence that this is a hand, and that it is a right one, 0 to 1.
    presence: float
    right_handedness: float
    # 21 x 3: x and y in shares of the upright frame's width and height, z away from the camera in shares of its width.
    landmarks: numpy.ndarray
    # 21 x 3, in metres from the hand's middle.
    world_landmarks: numpy.ndarray
    # One of POSES; None if the engine has no networks of poses.
    pose: Optional[str]
    pose_scores: Dict[str, float]


@dataclasses.dataclass(frozen=True)
class Prediction:
    """The leading class of the newest frame."""

    label: str
    class_index: int
    confidence: float


@dataclasses.dataclass(frozen=True)
class Statistics:
    """What a stream has counted. `latency` has for each stage a count, and in seconds the median, percentile95,
    percentile99 and maximum."""

    admitted: int
    repeats: int
    surplus: int
    resets: int
    dropped: int
    equal_times: int
    backward_times: int
    beyond_horizon: int
    unconfirmed_jumps: int
    begins: int
    ends: int
    latency: Dict[str, Dict[str, float]]


class _Handle:
    """An object of the library, released with this one."""

    _destroy: str

    def __init__(self, create, *arguments):
        handle = ctypes.c_void_p()
        call(create, *arguments, ctypes.byref(handle))
        self._handle = handle
        self._finalizer = weakref.finalize(self, _library.release, self._destroy, handle)
        # The process's end frees everything, and a thread may still be at work then.
        self._finalizer.atexit = False

    def close(self):
        """Releases the object. Later calls raise InvalidHandle; a second close does nothing."""
        self._finalizer()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Engine(_Handle):
    """The loaded networks. One engine serves any number of streams and trackers, in any thread."""

    _destroy = "gesture_engine_destroy"

    def __init__(self, hands_folder=None, model_path=None, pixels=False):
        """
        hands_folder: a folder with the hand networks; None takes those of this package.
        model_path:   a model of `gesture-import` for hands, or for pixels; None takes the project's own.
        pixels:       sees the whole frame in gray instead of hands, and recognises people that it never saw far worse.
        """
        options = _library.EngineOptions(
            networks=CONSTANTS["GESTURE_NETWORKS_PIXELS" if _arguments.flag("pixels", pixels)
                               else "GESTURE_NETWORKS_HANDS"],
            hands_folder=_arguments.path("hands_folder", hands_folder),
            model_path=_arguments.path("model_path", model_path))
        super().__init__("gesture_engine_create", ctypes.byref(options))

    def stream(self, **options):
        """Makes a Stream; see `Stream` for the options."""
        return Stream(self, **options)

    def hand_tracker(self, **options):
        """Makes a HandTracker; see `HandTracker` for the options."""
        return HandTracker(self, **options)

    def recognize_hands(self, image, format=None, region=None, **options) -> List[Hand]:
        """Finds the hands of one still image, with their poses. The options are those of `HandTracker`."""
        described, kept = _frames.frame(image, format, region)
        given = _options(_TRACKER_OPTIONS, options)
        return _copy_hands("gesture_engine_recognize_hands", self._handle, ctypes.byref(described), ctypes.byref(given))


class HandTracker(_Handle):
    """Hands from frame to frame, without gestures. Calls from several threads wait for each other.

    orientation:            how the frames are stored, 1 to 8 as in EXIF.
    maximum_hands:          1 or 2; default 1.
    minimum_palm_score, minimum_presence: 0.01 to 0.99; default 0.5.
    smooths_landmarks:      calmer landmarks for drawing.
    detects_in_every_frame: looks for hands in every frame in which fewer are tracked, as MediaPipe does.
    """

    _destroy = "gesture_hand_tracker_destroy"

    def __init__(self, engine, **options):
        super().__init__("gesture_hand_tracker_create", _arguments.instance("engine", engine, Engine)._handle,
                         ctypes.byref(_options(_TRACKER_OPTIONS, options)))
        self._latest_time, self._stalled = None, 0

    def track(self, image, time, format=None, region=None) -> List[Hand]:
        """The hands of the next frame; the arguments are those of `Stream.push`.

        Where times do not advance, hands are looked for in the first frame alone; a GestureWarning says so once.
        """
        described, kept = _frames.frame(image, format, region)
        nanoseconds = _nanoseconds(time)
        call("gesture_hand_tracker_track", self._handle, ctypes.byref(described), nanoseconds)
        advances = self._latest_time is None or nanoseconds > self._latest_time
        # Above ten it is told.
        self._latest_time, self._stalled = nanoseconds, 0 if advances and self._stalled < 10 else self._stalled + 1
        if self._stalled == 10:
            warnings.warn("The frames' times do not advance: ten in a row are not later than the one before, and hands "
                          "are not looked for. If the source has no times, give the frame's number divided by the "
                          "rate.", GestureWarning, stacklevel=2)
        return _copy_hands("gesture_hand_tracker_copy_hands", self._handle)

    def reset(self):
        """Forgets all hands."""
        call("gesture_hand_tracker_reset", self._handle)


class Stream(_Handle):
    """Frames in, events out. Calls from several threads wait for each other.

    rate:       the camera's frames per second, 30, 60 or 120; default 30.
    held_poses: also reports fist, victory and iLoveYou.
    sensitivity: -1 makes up fewer gestures and misses more, 1 misses fewer and makes up more; default 0.
    The other options are those of `HandTracker`.
    """

    _destroy = "gesture_stream_destroy"

    def __init__(self, engine, **options):
        super().__init__("gesture_stream_create", _arguments.instance("engine", engine, Engine)._handle,
                         ctypes.byref(_options(_STREAM_OPTIONS, options)))
        # The labels of the classes, and the one that means no gesture.
        self.labels, self.null_label = self._labels()
        # What became of the latest frame: "encoded", "surplus", "dropped" or "skipped".
        self.outcome = None
        # The leading class of the latest frame; None until the stream has seen about half a second.
        self.prediction = None

    def push(self, image, time, format=None, region=None) -> List[Event]:
        """Takes one frame and returns its events.

        image:  uint8, height x width (gray), height x width x 3 (blue, green, red, as OpenCV) or x 4 (and one ignored);
                other formats by name.
        time:   when it was taken, in seconds, on any clock that does not run backward. Frames whose times do not
                continue the stream are dropped; ten in a row warn once with a GestureWarning that says why.
        format: gray, rgb, bgr, rgba, bgra, yuyv, uyvy, nv12, nv21, i420; with _full for luma of full range.
        region: x, y, width, height of the part to examine.
        """
        described, kept = _frames.frame(image, format, region)
        result = _library.PushResult()
        call("gesture_stream_push", self._handle, ctypes.byref(described), _nanoseconds(time), ctypes.byref(result),
             ctypes.sizeof(result))
        if result.time_fault:
            warnings.warn(_library.time_fault_text(result.time_fault), GestureWarning, stacklevel=2)
        self.outcome = _OUTCOMES[result.outcome]
        self.prediction = None if result.class_index < 0 else Prediction(
            self.labels[result.class_index], result.class_index, result.confidence)
        return self._events() if result.waiting_events else []

    @property
    def hands(self) -> List[Hand]:
        """The hands of the newest frame; none with the front end of pixels."""
        return _copy_hands("gesture_stream_copy_hands", self._handle)

    @property
    def scores(self) -> Dict[str, float]:
        """The probability of each label; empty until there is a prediction."""
        scores, count = (ctypes.c_float * len(self.labels))(), ctypes.c_size_t()
        call("gesture_stream_copy_scores", self._handle, scores, len(scores), ctypes.byref(count))
        return dict(zip(self.labels, scores[:count.value]))

    @property
    def statistics(self) -> Statistics:
        """What the stream has counted and measured since it was made."""
        counted = _library.Statistics()
        call("gesture_stream_copy_statistics", self._handle, ctypes.byref(counted), ctypes.sizeof(counted))
        counts, latency = {}, {}
        for name, kind in counted._fields_:
            value = getattr(counted, name)
            if kind is not _library.Latency:
                counts[name] = value
                continue
            latency[name] = {
                field: getattr(value, field) / (1 if field == "count" else 1e9) for field, _ in value._fields_}
        return Statistics(**counts, latency=latency)

    def reset(self) -> List[Event]:
        """Ends the active gesture, forgets every frame and returns the end. A finished stream takes frames again."""
        call("gesture_stream_reset", self._handle)
        return self._events()

    def finish(self) -> List[Event]:
        """Ends the active gesture and returns its end. A push then raises StreamFinished."""
        call("gesture_stream_finish", self._handle)
        return self._events()

    def _events(self):
        events, count = [], ctypes.c_size_t()
        while True:
            taken = (_library.Event * 16)()
            call("gesture_stream_take_events", self._handle, taken, len(taken), ctypes.sizeof(_library.Event),
                 ctypes.byref(count))
            events += [_event(event, self.labels) for event in taken[:count.value]]
            if count.value < len(taken):
                return events

    def _labels(self):
        count, null, needed, labels = ctypes.c_size_t(), ctypes.c_size_t(), ctypes.c_size_t(), []
        call("gesture_stream_count_labels", self._handle, ctypes.byref(count), ctypes.byref(null))
        for index in range(count.value):
            characters = ctypes.create_string_buffer(_library.MESSAGE_SIZE)
            call("gesture_stream_copy_label", self._handle, index, characters, len(characters), ctypes.byref(needed))
            labels.append(characters.value.decode())
        return labels, labels[null.value]


def _event(event, labels):
    begins = event.kind == CONSTANTS["GESTURE_EVENT_BEGIN"]
    return Event("begin" if begins else "end", labels[event.class_index], event.class_index, event.confidence,
                 event.onset / 1e9, event.decision / 1e9, event.sequence, _CAUSES.get(event.end_cause))


def _copy_hands(name, *arguments):
    hands, count = (_library.Hand * _MOST_HANDS)(), ctypes.c_size_t()
    call(name, *arguments, hands, len(hands), ctypes.sizeof(_library.Hand), ctypes.byref(count))
    return [_hand(hand) for hand in hands[:count.value]]


def _hand(hand):
    def points(array):
        return numpy.frombuffer(array, numpy.float32).reshape(_library.POINT_COUNT, 3).copy()

    return Hand(
        hand.identity, "right" if hand.handedness == CONSTANTS["GESTURE_HAND_RIGHT"] else "left", hand.presence,
        hand.right_handedness, points(hand.landmarks), points(hand.world_landmarks),
        None if hand.pose < 0 else POSES[hand.pose], {} if hand.pose < 0 else dict(zip(POSES, hand.pose_scores)))


def _number_option(low, high):
    requirement = f"from {low} to {high}, or None for the default"

    def read(name, value):
        found = _arguments.number(name, value, requirement)
        # The library holds them in 32 bits.
        if not numpy.float32(low) <= numpy.float32(found) <= numpy.float32(high):
            _arguments.refuse(name, value, requirement)
        return found

    return read


def _whole_option(values, requirement):
    def read(name, value):
        found = _arguments.whole(name, value, requirement)
        if found not in values:
            _arguments.refuse(name, value, requirement)
        return found

    return read


# How an option becomes a field of the library's struct.
_TRACKER_OPTIONS = {
    "orientation": _whole_option(range(1, 9), "from 1 to 8, or None for the default"),
    "maximum_hands": _whole_option((1, 2), "1 or 2, or None for the default"),
    "minimum_palm_score": _number_option(0.01, 0.99), "minimum_presence": _number_option(0.01, 0.99),
    "smooths_landmarks": _arguments.flag, "detects_in_every_frame": _arguments.flag,
}
_STREAM_OPTIONS = {
    "rate": _whole_option((30, 60, 120), "30, 60 or 120, the next one from the camera's rate up, or None for 30"),
    "held_poses": _arguments.flag, "sensitivity": _whole_option((-1, 0, 1), "-1, 0 or 1, or None for 0"), **_TRACKER_OPTIONS,
}


def _options(known, options):
    for name in options:
        if name not in known:
            raise InvalidArgument(f"{name} is not an option here; the options are {', '.join(known)}.")
    return _library.Options(**{
        name: known[name](name, value) for name, value in options.items() if value is not None})


def _nanoseconds(seconds):
    number = _arguments.number("time", seconds, "a number of seconds")
    # The library drops frames beyond 146 years, so all times beyond its count of nanoseconds are the same to it.
    return round(max(-9e9, min(9e9, number)) * 1e9)
