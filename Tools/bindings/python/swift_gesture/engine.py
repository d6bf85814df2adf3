"""Engines, streams, and trackers of hands and bodies."""
import ctypes
import dataclasses
import inspect
import numbers
import os
import warnings
import weakref
from typing import (TYPE_CHECKING, Any, Callable, ClassVar, Dict, Iterable, List, Mapping, NoReturn, Optional, Protocol, Sequence, Tuple,
                    Type, TypedDict, TypeVar, Union)

import numpy

from . import _arguments, _frames, _library
from ._library import CONSTANTS, GestureWarning, InvalidArgument, call

# The names of poses, by MediaPipe.
POSES = tuple(_library.pose_name(index) for index in range(_library.POSE_COUNT))

_OUTCOMES = {CONSTANTS["GESTURE_FRAME_" + name]: name.lower() for name in ("ENCODED", "SURPLUS", "DROPPED", "SKIPPED")}
_CAUSES = {CONSTANTS["GESTURE_END_" + name]: name.lower() for name in ("RELEASED", "UNSURE", "EXPIRED", "FLUSHED")}
_POINTER_STATES = {CONSTANTS["GESTURE_POINTER_STATE_" + name.upper()]: name
                   for name in ("absent", "hovering", "pressed", "dragging")}
# In the order in which they happen in a frame.
_POINTER_EVENTS = {CONSTANTS["GESTURE_POINTER_" + name.upper()]: name for name in (
    "entered", "moved", "dragged", "pressed", "released", "clicked", "double_clicked", "scrolled", "left")}
_RELEASES = {CONSTANTS["GESTURE_POINTER_RELEASE_" + name.upper()]: name for name in ("opened", "lost", "reset")}
# Hands or bodies that the library finds at most.
_MOST = 4

if TYPE_CHECKING:
    # Of no use at run time; Python has it since 3.11.
    from typing_extensions import Self, Unpack



class _Image(Protocol):
    @property
    def __array_interface__(self) -> Dict[str, Any]: ...


# What a frame may be: an array, a tuple of planes, or what NumPy makes an array of, such as an image of PIL.
Frame = Union[numpy.ndarray, Sequence[numpy.ndarray], _Image]
# A number, of Python or of NumPy.
Number = Union[float, numbers.Real, numpy.number]


class BodyOptions(TypedDict, total=False):
    """What `BodyTracker` takes; None is the default."""

    # How the frames are stored, 1 to 8 as in EXIF.
    orientation: Optional[Number]
    # 1 to 4; default 1.
    maximum_bodies: Optional[Number]
    # 0.01 to 0.99; default 0.5.
    minimum_detection_score: Optional[Number]
    minimum_presence: Optional[Number]
    # Calmer points; default True.
    is_smoothed: Optional[bool]
    # Looks for people in every frame in which fewer are followed, and forgets at once who is not seen, as MediaPipe.
    detects_in_every_frame: Optional[bool]


class TrackerOptions(TypedDict, total=False):
    """What `HandTracker` takes; None is the default."""

    # How the frames are stored, 1 to 8 as in EXIF.
    orientation: Optional[Number]
    # 1 to 4; default 1.
    maximum_hands: Optional[Number]
    # 0.01 to 0.99; default 0.5.
    minimum_palm_score: Optional[Number]
    minimum_presence: Optional[Number]
    # Calmer landmarks for drawing; default False.
    is_smoothed: Optional[bool]
    # Looks for hands in every frame in which fewer are tracked, as MediaPipe.
    detects_in_every_frame: Optional[bool]


class StreamOptions(TrackerOptions, total=False):
    """What `Stream` takes; None is the default."""

    # The camera's frames per second, 30, 60 or 120; default 30.
    rate: Optional[Number]
    # Also reports fist, victory and iLoveYou; also reports pinch.
    held_poses: Optional[bool]
    pinch: Optional[bool]
    # "low" gives fewer false positives and misses more, "high" misses fewer and gives more; default "medium". Or -1, 1, 0.
    sensitivity: Union[None, str, Number]
    # The probability above which gestures begin, 0.01 to 0.99, whatever the model's file and `sensitivity` say.
    begin_confidence: Optional[Number]
    # The same for single classes, which goes before `begin_confidence`.
    thresholds: Optional[Mapping[str, Number]]
    # The only labels that may begin, and those that may not.
    allowed_classes: Optional[Iterable[str]]
    denied_classes: Optional[Iterable[str]]
    # The pose, one of POSES, that has to be held before gestures count; the seconds for which it is held, 0.1 to 10, and
    # for which gestures count then, 1 to 3600; default none, 0.5 and 8.
    wake_pose: Optional[str]
    wake_hold: Optional[Number]
    wake_window: Optional[Number]
    # Gestures of the user's own, which were taught. The stream has those of the time when it is made.
    user_gestures: Optional["UserGestures"]
    # Follows hands as pointers, for `Stream.pointer`: "mirrored", or True, for a camera that faces the user and whose frames are
    # not mirrored; or "unmirrored".
    pointer: Union[None, bool, str]
    # x, y, width and height of the part of the frame in which the palm moves, in shares of the frame; it maps to the whole
    # screen. Default 0.2, 0.2, 0.6, 0.6.
    pointer_region: Optional[Sequence[Number]]


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
    # 128: what the scores are computed from, by the gesture embedder of MediaPipe; for classifiers of one's own.
    embedding: numpy.ndarray


@dataclasses.dataclass(frozen=True, eq=False)
class Body:
    """A person in a frame, with 33 points in MediaPipe's order."""

    # The same from frame to frame while the person is followed.
    identity: int
    # The latest frame does not show the person, who was seen within the last second; the values are those seen last.
    is_held: bool
    # The network's confidence that this is a person, 0 to 1.
    presence: float
    # 33 x 3: x and y in shares of the upright frame's width and height, z away from the camera in shares of its width.
    landmarks: numpy.ndarray
    # 33 x 3, in metres from the middle of the hips.
    world_landmarks: numpy.ndarray
    # 33 each: how likely a point is within the frame and not hidden, and within the frame, 0 to 1.
    visibility: numpy.ndarray
    point_presence: numpy.ndarray


@dataclasses.dataclass(frozen=True)
class Pointer:
    """A hand as a pointer in a frame."""

    # As of `Hand`; None without a hand.
    identity: Optional[int]
    handedness: Optional[str]
    # "absent", "hovering", "pressed" (thumb and index finger pinch) or "dragging" (the pinch has moved).
    state: str
    # Shares of the screen's width and height from its top left, 0 to 1.
    x: float
    y: float
    # The presence of the hand, 0 to 1; it falls while the hand is not seen.
    confidence: float
    # What happened in the newest frame, in this order: "entered", "moved", "dragged", "pressed", "released", "clicked",
    # "double_clicked", "scrolled" (a fist moved), "left".
    events: Tuple[str, ...]
    # With "released": "opened", "lost" (the hand was not seen for 150 ms) or "reset".
    release_reason: Optional[str]
    # With "scrolled": by shares of the screen, to the right and down; else zeros.
    scroll: Tuple[float, float]


@dataclasses.dataclass(frozen=True)
class PointerPair:
    """Two pressed pointers: their distance in widths of a screen of 16:9, the direction from the first to the second in radians
    (pi / 2 is down), and both since the second one pressed: a factor and a difference."""

    distance: float
    angle: float
    zoom: float
    rotation: float


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

    _destroy: ClassVar[str]

    def __init__(self, create: str, *arguments: Any) -> None:
        handle = ctypes.c_void_p()
        call(create, *arguments, ctypes.byref(handle))
        self._handle = handle
        self._finalizer = weakref.finalize(self, _library.release, self._destroy, handle)
        # The process's end frees everything, and a thread may still be at work then.
        self._finalizer.atexit = False

    def close(self) -> None:
        """Releases the object. Later calls raise InvalidHandle; a second close does nothing."""
        self._finalizer()

    def __reduce__(self) -> NoReturn:
        _library.refuse_pickling(self)

    def __enter__(self) -> "Self":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _number_option(low: float, high: float) -> Callable[[str, Any], float]:
    requirement = f"from {low} to {high}, or None for the default"

    def read(name: str, value: Any) -> float:
        found = _arguments.number(name, value, requirement)
        # The library holds them in 32 bits.
        if not numpy.float32(low) <= numpy.float32(found) <= numpy.float32(high):
            _arguments.refuse(name, value, requirement)
        return found

    return read


def _whole_option(values: Iterable[int], requirement: str) -> Callable[[str, Any], int]:
    def read(name: str, value: Any) -> int:
        found = _arguments.whole(name, value, requirement)
        if found not in values:
            _arguments.refuse(name, value, requirement)
        return found

    return read


def _seconds_option(low: float, high: float) -> Callable[[str, Any], int]:
    read = _number_option(low, high)
    return lambda name, value: round(read(name, value) * 1e9)


_SENSITIVITIES = {"low": -1, "medium": 0, "high": 1}


def _sensitivity_option(name: str, value: Any) -> int:
    if isinstance(value, str) and value in _SENSITIVITIES:
        return _SENSITIVITIES[value]
    return _whole_option((-1, 0, 1), "low, medium or high, or -1, 0 or 1, or None for medium")(name, value)


_POINTER_MODES = {"mirrored": 1, "unmirrored": 2}


def _pointer_option(name: str, value: Any) -> int:
    if isinstance(value, str) and value in _POINTER_MODES:
        return _POINTER_MODES[value]
    if isinstance(value, str):
        _arguments.refuse(name, value, "True, False, mirrored or unmirrored")
    return 1 if _arguments.flag(name, value) else 0


def _pointer_region_option(name: str, value: Any) -> Dict[str, float]:
    requirement = "x, y, width and height in shares of the frame"
    try:
        numbers = [_arguments.number(name, part, requirement) for part in value]
    except TypeError:
        numbers = []
    if len(numbers) != 4 or not any(numbers):
        _arguments.refuse(name, value, requirement)
    return dict(zip(("pointer_x", "pointer_y", "pointer_width", "pointer_height"), numbers))


def _pose_option(name: str, value: Any) -> int:
    if not isinstance(value, str) or value not in POSES[1:]:
        _arguments.refuse(name, value, "one of " + ", ".join(POSES[1:]) + ", or None for none")
    return POSES.index(value)


def _labels_option(name: str, value: Any) -> Dict[str, Any]:
    labels = _arguments.texts(name, value, "a list of labels, or None for the default")
    # A C array has one element or more.
    array = (ctypes.c_char_p * max(1, len(labels)))(*[label.encode() for label in labels])
    return {name: array, name[:-2] + "_count": len(labels)}


def _thresholds_option(name: str, value: Any) -> Dict[str, Any]:
    requirement = "a dictionary of labels and numbers from 0 to 0.99, or None for the default"
    if not isinstance(value, Mapping):
        _arguments.refuse(name, value, requirement)
    labels = _arguments.texts(name, list(value), requirement)
    found = []
    for label in labels:
        confidence = _arguments.number(name, value[label], requirement)
        if not 0 <= confidence <= 0.99:
            _arguments.refuse(name, value, requirement)
        found.append(_library.Threshold(label=label.encode(), confidence=confidence))
    return {name: (_library.Threshold * max(1, len(found)))(*found), "threshold_count": len(found)}


# How an option becomes a field of the library's structs, or several.
_Readers = Dict[str, Callable[[str, Any], Any]]
_SHARED_OPTIONS: _Readers = {
    "orientation": _whole_option(range(1, 9), "from 1 to 8, or None for the default"),
    "minimum_presence": _number_option(0.01, 0.99), "detects_in_every_frame": _arguments.flag,
}
_TRACKER_OPTIONS: _Readers = {
    **_SHARED_OPTIONS,
    "maximum_hands": _whole_option(range(1, _MOST + 1), f"from 1 to {_MOST}, or None for the default"),
    "minimum_palm_score": _number_option(0.01, 0.99), "is_smoothed": _arguments.flag,
}
_BODY_OPTIONS: _Readers = {
    **_SHARED_OPTIONS,
    "maximum_bodies": _whole_option(range(1, _MOST + 1), f"from 1 to {_MOST}, or None for the default"),
    "minimum_detection_score": _number_option(0.01, 0.99),
    "is_smoothed": lambda name, value: {"unsmoothed": not _arguments.flag(name, value)},
}
_STREAM_OPTIONS: _Readers = {
    "rate": _whole_option((30, 60, 120), "30, 60 or 120, the next one from the camera's rate up, or None for 30"),
    "held_poses": _arguments.flag, "pinch": _arguments.flag,
    "sensitivity": _sensitivity_option,
    "begin_confidence": _number_option(0.01, 0.99), "thresholds": _thresholds_option,
    "allowed_classes": _labels_option, "denied_classes": _labels_option, "wake_pose": _pose_option,
    "wake_hold": _seconds_option(0.1, 10), "wake_window": _seconds_option(1, 3600),
    "user_gestures": lambda name, value: _arguments.instance(name, value, UserGestures)._handle.value,
    "pointer": _pointer_option, "pointer_region": _pointer_region_option, **_TRACKER_OPTIONS,
}


def _options(struct: Type[_library.Sized], known: _Readers, options: Mapping[str, Any]) -> _library.Sized:
    fields: Dict[str, Any] = {}
    for name, value in options.items():
        if name not in known:
            raise InvalidArgument(f"{name} is not an option here; the options are {', '.join(known)}.")
        if value is not None:
            read = known[name](name, value)
            fields.update(read if isinstance(read, dict) else {name: read})
    return struct(**fields)


def _made_of(engine: "Engine", options: _library.Sized) -> Tuple[Any, Any]:
    """What the library makes streams and the like of."""
    return _arguments.instance("engine", engine, Engine)._handle, ctypes.byref(options)


def _pointer(found: _library.Pointer) -> Pointer:
    return Pointer(
        None if found.identity < 0 else found.identity,
        None if found.handedness < 0 else "right" if found.handedness == CONSTANTS["GESTURE_HAND_RIGHT"] else "left",
        _POINTER_STATES[found.state], found.x, found.y, found.confidence,
        tuple(name for bit, name in _POINTER_EVENTS.items() if found.events & bit),
        _RELEASES.get(found.release_reason), (found.scroll_x, found.scroll_y))


_Function = TypeVar("_Function", bound=Callable[..., Any])


def _signed(known: _Readers) -> Callable[[_Function], _Function]:
    """Names the options in the signature that `help` shows, in the place of `**options`."""
    def sign(function: _Function) -> _Function:
        signature = inspect.signature(function)
        named = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None) for name in known]
        kept = [parameter for parameter in signature.parameters.values() if parameter.kind is not parameter.VAR_KEYWORD]
        function.__signature__ = signature.replace(parameters=kept + named)  # type: ignore[attr-defined]
        return function

    return sign


class Engine(_Handle):
    """The loaded networks. One engine serves any number of streams and trackers, in any thread."""

    _destroy = "gesture_engine_destroy"

    def __init__(self, hands_folder: Optional[_arguments.Path] = None, model_path: Optional[_arguments.Path] = None,
                 pixels: bool = False, bodies_folder: Optional[_arguments.Path] = None, arms: bool = False) -> None:
        """
        hands_folder:  a folder with the hand networks; None takes those of this package.
        model_path:    a model of `gesture-import` for hands, or for pixels; None takes the project's own.
        pixels:        sees the whole frame in gray instead of hands, and recognises people that it never saw far worse.
        bodies_folder: a folder with the body networks; None takes those of this package. They are read when needed.
        arms:          streams also watch the arms by the body networks: more swipes are reported and fewer false, and a
                       frame takes longer.
        """
        sees_pixels = _arguments.flag("pixels", pixels)
        # The library finds its own folder by the system, which some sandboxes keep from it.
        if hands_folder is None and not sees_pixels:
            hands_folder = _library.FOLDER / "gesture-hands"
        if bodies_folder is None:
            bodies_folder = _library.FOLDER / "gesture-bodies"
        options = _library.EngineOptions(
            networks=CONSTANTS["GESTURE_NETWORKS_PIXELS" if sees_pixels else "GESTURE_NETWORKS_HANDS"],
            arms=_arguments.flag("arms", arms), hands_folder=_arguments.path("hands_folder", hands_folder),
            model_path=_arguments.path("model_path", model_path),
            bodies_folder=_arguments.path("bodies_folder", bodies_folder))
        super().__init__("gesture_engine_create", ctypes.byref(options))

    @_signed(_STREAM_OPTIONS)
    def stream(self, **options: "Unpack[StreamOptions]") -> "Stream":
        """Makes a Stream; see `StreamOptions`."""
        return Stream(self, **options)

    @_signed(_TRACKER_OPTIONS)
    def hand_tracker(self, **options: "Unpack[TrackerOptions]") -> "HandTracker":
        """Makes a HandTracker; see `TrackerOptions`."""
        return HandTracker(self, **options)

    @_signed(_BODY_OPTIONS)
    def body_tracker(self, **options: "Unpack[BodyOptions]") -> "BodyTracker":
        """Makes a BodyTracker; see `BodyOptions`."""
        return BodyTracker(self, **options)

    @_signed(_STREAM_OPTIONS)
    def recorder(self, **options: "Unpack[StreamOptions]") -> "Recorder":
        """Makes a Recorder. Give the options of the streams that will recognise the gesture."""
        return Recorder(self, **options)

    def user_gestures(self, content: Union[None, bytes, _arguments.Path] = None) -> "UserGestures":
        """Gestures of `UserGestures.save` or `.content`, as a path or as bytes; None has none yet."""
        return UserGestures(self, content)

    @_signed(_TRACKER_OPTIONS)
    def recognize_hands(self, image: Frame, format: Optional[str] = None, region: Optional[Sequence[Number]] = None,
                        **options: "Unpack[TrackerOptions]") -> List[Hand]:
        """Finds the hands of one still image, with their poses; see `TrackerOptions`."""
        described, kept = _frames.frame(image, format, region)
        given = _options(_library.Options, _TRACKER_OPTIONS, options)
        return [_hand(hand) for hand in _found(
            _library.Hand, "gesture_engine_recognize_hands", self._handle, ctypes.byref(described), ctypes.byref(given))]

    @_signed(_BODY_OPTIONS)
    def recognize_bodies(self, image: Frame, format: Optional[str] = None, region: Optional[Sequence[Number]] = None,
                         **options: "Unpack[BodyOptions]") -> List[Body]:
        """Finds the people of one still image in colour, the largest first; see `BodyOptions`."""
        described, kept = _frames.frame(image, format, region)
        given = _options(_library.BodyOptions, _BODY_OPTIONS, options)
        return [_body(body) for body in _found(
            _library.Body, "gesture_engine_recognize_bodies", self._handle, ctypes.byref(described),
            ctypes.byref(given))]


class _Tracker(_Handle):
    """What is followed from frame to frame. Calls from several threads wait for each other."""

    # The middle of the names of the library's functions, and what is found, for sentences.
    _kind: ClassVar[str]
    _name: ClassVar[str]

    def __init__(self, engine: Engine, options: _library.Sized) -> None:
        super().__init__(f"gesture_{self._kind}_create", *_made_of(engine, options))
        self._latest_time: Optional[int] = None
        self._stalled = 0

    def _track(self, image: Frame, time: Number, format: Optional[str], region: Optional[Sequence[Number]]) -> None:
        described, kept = _frames.frame(image, format, region)
        nanoseconds = _nanoseconds(time)
        call(f"gesture_{self._kind}_track", self._handle, ctypes.byref(described), nanoseconds)
        advances = self._latest_time is None or nanoseconds > self._latest_time
        # Above ten it is reported.
        self._latest_time, self._stalled = nanoseconds, 0 if advances and self._stalled < 10 else self._stalled + 1
        if self._stalled == 10:
            warnings.warn(f"The frames' times do not advance: ten in a row are not later than the one before, and "
                          f"{self._name} are not looked for. If the source has no times, give the frame's number divided "
                          "by the rate.", GestureWarning, stacklevel=3)

    def reset(self) -> None:
        """Forgets everything."""
        call(f"gesture_{self._kind}_reset", self._handle)


class HandTracker(_Tracker):
    """Hands from frame to frame, without gestures; see `TrackerOptions`."""

    _destroy, _kind, _name = "gesture_hand_tracker_destroy", "hand_tracker", "hands"

    @_signed(_TRACKER_OPTIONS)
    def __init__(self, engine: Engine, **options: "Unpack[TrackerOptions]") -> None:
        super().__init__(engine, _options(_library.Options, _TRACKER_OPTIONS, options))

    def track(self, image: Frame, time: Number, format: Optional[str] = None,
              region: Optional[Sequence[Number]] = None) -> List[Hand]:
        """The hands of the next frame; the arguments are those of `Stream.push`.

        Where times do not advance, hands are looked for in the first frame alone; a GestureWarning says so once.
        """
        self._track(image, time, format, region)
        return [_hand(hand) for hand in _found(_library.Hand, "gesture_hand_tracker_copy_hands", self._handle)]


class BodyTracker(_Tracker):
    """People from frame to frame; see `BodyOptions`. Any engine makes one."""

    _destroy, _kind, _name = "gesture_body_tracker_destroy", "body_tracker", "bodies"

    @_signed(_BODY_OPTIONS)
    def __init__(self, engine: Engine, **options: "Unpack[BodyOptions]") -> None:
        super().__init__(engine, _options(_library.BodyOptions, _BODY_OPTIONS, options))

    def track(self, image: Frame, time: Number, format: Optional[str] = None,
              region: Optional[Sequence[Number]] = None) -> List[Body]:
        """The people of the next frame, who are followed longest first; the arguments are those of `Stream.push`.

        Where times do not advance, people are looked for in the first frame alone; a GestureWarning says so once.
        """
        self._track(image, time, format, region)
        return [_body(body) for body in _found(_library.Body, "gesture_body_tracker_copy_bodies", self._handle)]


class Stream(_Handle):
    """Frames in, events out; see `StreamOptions`. Calls from several threads wait for each other."""

    _destroy = "gesture_stream_destroy"

    @_signed(_STREAM_OPTIONS)
    def __init__(self, engine: Engine, **options: "Unpack[StreamOptions]") -> None:
        super().__init__("gesture_stream_create", *_made_of(engine, _options(_library.Options, _STREAM_OPTIONS, options)))
        # The labels of the classes, and the one that means no gesture.
        self.labels, self.null_label = self._labels()
        # What became of the latest frame: "encoded", "surplus", "dropped" or "skipped".
        self.outcome: Optional[str] = None
        # The leading class of the latest frame; None until the stream has seen about half a second.
        self.prediction: Optional[Prediction] = None
        # Whether gestures count: always without a wake pose.
        self.is_armed = "wake_pose" not in options or options["wake_pose"] is None

    def push(self, image: Frame, time: Number, format: Optional[str] = None,
             region: Optional[Sequence[Number]] = None) -> List[Event]:
        """Takes one frame and returns its events.

        image:  uint8, height x width (gray), height x width x 3 (blue, green, red, as OpenCV) or x 4 (and alpha, which is
                ignored); other formats by name. Or an image of PIL, whose mode is RGB, RGBA or L.
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
        self.outcome, self.is_armed = _OUTCOMES[result.outcome], bool(result.is_armed)
        self.prediction = None if result.class_index < 0 else Prediction(
            self.labels[result.class_index], result.class_index, result.confidence)
        return self._events() if result.waiting_events else []

    @property
    def hands(self) -> List[Hand]:
        """The hands of the newest frame; none with the front end of pixels."""
        return [_hand(hand) for hand in _found(_library.Hand, "gesture_stream_copy_hands", self._handle)]

    @property
    def pointer(self) -> Pointer:
        """The pointer of the hand that came first and is still there; absent without the option `pointer`."""
        return self._pointers()[0]

    @property
    def pointers(self) -> Tuple[Pointer, Pointer, Optional[PointerPair]]:
        """`pointer`, that of another hand, and both together while both are pressed or dragging."""
        return self._pointers()

    def _pointers(self) -> Tuple[Pointer, Pointer, Optional[PointerPair]]:
        found = _library.Pointers()
        call("gesture_stream_copy_pointers", self._handle, ctypes.byref(found), ctypes.sizeof(found))
        pair = PointerPair(found.distance, found.angle, found.zoom, found.rotation) if found.has_pair else None
        return _pointer(found.first), _pointer(found.second), pair

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
        counts: Dict[str, int] = {}
        latency: Dict[str, Dict[str, float]] = {}
        for name, *_ in counted._fields_:
            value = getattr(counted, name)
            if not isinstance(value, _library.Latency):
                counts[name] = value
                continue
            latency[name] = {
                field: getattr(value, field) / (1 if field == "count" else 1e9) for field, *_ in value._fields_}
        return Statistics(**counts, latency=latency)

    def reset(self) -> List[Event]:
        """Ends the active gesture, forgets every frame and returns the end. A finished stream takes frames again."""
        call("gesture_stream_reset", self._handle)
        return self._events()

    def finish(self) -> List[Event]:
        """Ends the active gesture and returns its end. A push then raises StreamFinished."""
        call("gesture_stream_finish", self._handle)
        return self._events()

    def _events(self) -> List[Event]:
        events: List[Event] = []
        count = ctypes.c_size_t()
        while True:
            taken = (_library.Event * 16)()
            call("gesture_stream_take_events", self._handle, taken, len(taken), ctypes.sizeof(_library.Event),
                 ctypes.byref(count))
            events += [_event(event, self.labels) for event in taken[:count.value]]
            if count.value < len(taken):
                return events

    def _labels(self) -> Tuple[List[str], str]:
        count, null, needed = ctypes.c_size_t(), ctypes.c_size_t(), ctypes.c_size_t()
        labels: List[str] = []
        call("gesture_stream_count_labels", self._handle, ctypes.byref(count), ctypes.byref(null))
        for index in range(count.value):
            characters = ctypes.create_string_buffer(_library.MESSAGE_SIZE)
            call("gesture_stream_copy_label", self._handle, index, characters, len(characters), ctypes.byref(needed))
            labels.append(characters.value.decode())
        return labels, labels[null.value]


class Recording(_Handle):
    """What was recorded: a gesture, or anything else. It holds no image."""

    _destroy = "gesture_recording_destroy"


class Recorder(_Handle):
    """Takes frames for one recording after another."""

    _destroy = "gesture_recorder_destroy"

    @_signed(_STREAM_OPTIONS)
    def __init__(self, engine: Engine, **options: "Unpack[StreamOptions]") -> None:
        super().__init__("gesture_recorder_create", *_made_of(engine, _options(_library.Options, _STREAM_OPTIONS, options)))

    def push(self, image: Frame, time: Number, format: Optional[str] = None,
             region: Optional[Sequence[Number]] = None) -> None:
        """Takes the next frame; the arguments are those of `Stream.push`."""
        described, kept = _frames.frame(image, format, region)
        call("gesture_recorder_push", self._handle, ctypes.byref(described), _nanoseconds(time))

    def finish(self) -> Recording:
        """Ends the recording, returns it, and prepares for the next one."""
        return Recording("gesture_recorder_finish", self._handle)


@dataclasses.dataclass(frozen=True)
class Lesson:
    """What was learned of a gesture."""

    # Whether it is recognised when a hand is held still in it, and whether as a movement.
    is_pose: bool
    is_movement: bool
    # Of a movement: how often a minute it is made up in the background that comes with the hand networks; None for a
    # pose, and for a model without such a background.
    false_events_per_minute: Optional[float]
    # What the person who made the recordings should know; None if there is nothing.
    warning: Optional[str]


_KINDS = {"automatic": 0, "movement": 1, "pose": 2}


class UserGestures(_Handle):
    """Gestures of a user's own, for the option `user_gestures` of streams."""

    _destroy = "gesture_user_gestures_destroy"

    def __init__(self, engine: Engine, content: Union[None, bytes, _arguments.Path] = None) -> None:
        """See `Engine.user_gestures`."""
        given = None
        if content is not None and not isinstance(content, bytes):
            path = _arguments.path("content", content)
            assert path is not None
            try:
                with open(path, "rb") as file:
                    content = file.read()
            except OSError as error:
                raise _library.ModelError(f"{path.decode()} cannot be read: {error.strerror}.") from error
        if content is not None:
            buffer = ctypes.create_string_buffer(content, max(1, len(content)))
            given = ctypes.byref(_library.Bytes(ctypes.addressof(buffer), len(content)))
        super().__init__("gesture_user_gestures_create", _arguments.instance("engine", engine, Engine)._handle, given)

    def add(self, label: str, examples: Iterable[Recording], background: Iterable[Recording] = (),
            kind: str = "automatic") -> Lesson:
        """Teaches a gesture, or raises an InvalidArgument that says what to record instead, and then changes nothing.

        label:      of its events.
        examples:   recordings of the gesture, one or more; five of a movement are better.
        background: further recordings without the gesture, in which it must not be recognised.
        kind:       "automatic", "movement" or "pose"; by default a hand that is held still is a pose, anything else a
                    movement.
        """
        text, = _arguments.texts("label", [label], "a text")
        if not isinstance(kind, str) or kind not in _KINDS:
            _arguments.refuse("kind", kind, '"automatic", "movement" or "pose"')
        shown, other = _recordings("examples", examples), _recordings("background", background)
        lesson = _library.Lesson()
        call("gesture_user_gestures_teach", self._handle, text.encode(), _KINDS[kind], _handles(shown), len(shown), _handles(other),
             len(other), ctypes.byref(lesson), ctypes.sizeof(lesson))
        rate = lesson.false_events_per_minute
        return Lesson(bool(lesson.is_pose), bool(lesson.is_movement), None if rate < 0 else rate,
                      lesson.warning.decode() or None)

    def remove(self, label: str) -> None:
        """Forgets a gesture."""
        text, = _arguments.texts("label", [label], "a text")
        call("gesture_user_gestures_remove", self._handle, text.encode())

    @property
    def content(self) -> bytes:
        """The content of a file with the gestures, for `Engine.user_gestures`."""
        # 16 gestures, the most, have less.
        buffer, needed = ctypes.create_string_buffer(2 ** 20), ctypes.c_size_t()
        call("gesture_user_gestures_copy_bytes", self._handle, buffer, len(buffer), ctypes.byref(needed))
        return buffer.raw[:needed.value]

    def save(self, path: _arguments.Path) -> None:
        """Writes a file with the gestures. Raises OSError where that fails."""
        with open(os.fspath(path), "wb") as file:
            file.write(self.content)


def _recordings(name: str, recordings: Iterable[Recording]) -> List[Recording]:
    try:
        found = list(recordings)
    except TypeError:
        _arguments.refuse(name, recordings, "a list of recordings")
    return [_arguments.instance(name, recording, Recording) for recording in found]


def _handles(objects: Sequence[_Handle]) -> Any:
    return (ctypes.c_void_p * max(1, len(objects)))(*[held._handle.value for held in objects])


def _event(event: _library.Event, labels: Sequence[str]) -> Event:
    begins = event.kind == CONSTANTS["GESTURE_EVENT_BEGIN"]
    return Event("begin" if begins else "end", labels[event.class_index], event.class_index, event.confidence,
                 event.onset / 1e9, event.decision / 1e9, event.sequence, _CAUSES.get(event.end_cause))


_Found = TypeVar("_Found", bound=ctypes.Structure)


def _found(kind: Type[_Found], name: str, *arguments: Any) -> List[_Found]:
    """The structs that a function writes: hands or bodies."""
    found, count = (kind * _MOST)(), ctypes.c_size_t()
    call(name, *arguments, found, len(found), ctypes.sizeof(kind), ctypes.byref(count))
    return found[:count.value]


def _points(array: Any) -> numpy.ndarray:
    return numpy.frombuffer(array, numpy.float32).reshape(len(array), 3).copy()


def _hand(hand: _library.Hand) -> Hand:
    return Hand(
        hand.identity, "right" if hand.handedness == CONSTANTS["GESTURE_HAND_RIGHT"] else "left", hand.presence,
        hand.right_handedness, _points(hand.landmarks), _points(hand.world_landmarks),
        None if hand.pose < 0 else POSES[hand.pose], {} if hand.pose < 0 else dict(zip(POSES, hand.pose_scores)),
        numpy.array(hand.embedding, numpy.float32))


def _body(body: _library.Body) -> Body:
    return Body(body.identity, bool(body.is_held), body.presence, _points(body.landmarks), _points(body.world_landmarks),
                numpy.array(body.visibility, numpy.float32), numpy.array(body.point_presence, numpy.float32))


def _nanoseconds(seconds: Any) -> int:
    number = _arguments.number("time", seconds, "a number of seconds")
    # The library drops frames beyond 146 years, so all times beyond its count of nanoseconds are the same to it.
    return round(max(-9e9, min(9e9, number)) * 1e9)
