"""Hands and gestures as functions of Daft, for columns of images and of clips.

    import daft
    from swift_gesture.daft import recognize_gestures

    clips = daft.from_glob_path("clips/*.mp4")
    clips.with_column("gestures", recognize_gestures(clips["path"])).write_parquet("annotated")

Needs `pip install "swift-gesture[daft]"`. Column types follow daft-physical-ai (Eventual, Apache-2.0) in the names and
types of their first fields: code that reads its hands reads these.
"""
import contextlib
import errno
import io
import os
import warnings
from typing import Any, BinaryIO, Dict, Iterator, List, Optional, Tuple, Union

import numpy

try:
    import av
    import daft
    from daft import DataType
except ModuleNotFoundError as error:
    raise ModuleNotFoundError('swift_gesture.daft needs Daft and PyAV: pip install "swift-gesture[daft]".',
                              name=error.name) from error

from . import _arguments, _library, engine
from ._clip_faults import CannotOpen, Clip
from ._library import FrameError, GestureWarning, InvalidArgument

_POINTS = DataType.list(DataType.list(DataType.float32()))

# A hand. The first four fields are those of daft-physical-ai.
HAND_DTYPE = DataType.struct({
    # "left" or "right", in an image that is not mirrored.
    "handedness": DataType.string(),
    # That this is a hand, 0 to 1.
    "confidence": DataType.float32(),
    # 21 x 2: x and y in pixels of the image, from its top left.
    "kp2d": _POINTS,
    # 21 x 3: in metres, from the hand's middle.
    "kp3d": _POINTS,
    # The leading one of swift_gesture.POSES and the score of each, 0 to 1; null if the engine has no networks of poses.
    "pose": DataType.string(),
    "pose_scores": DataType.struct({name: DataType.float32() for name in engine.POSES}),
})
# The hands of an image.
HANDS_DTYPE = DataType.list(HAND_DTYPE)

# The begin or the end of a gesture; the fields are those of swift_gesture.Event.
EVENT_DTYPE = DataType.struct({
    "kind": DataType.string(),
    "label": DataType.string(),
    "confidence": DataType.float32(),
    # Seconds from the beginning of what was examined.
    "onset": DataType.float64(),
    "decision": DataType.float64(),
    "end_cause": DataType.string(),
})
# The gestures of a clip.
GESTURES_DTYPE = DataType.struct({
    "events": DataType.list(EVENT_DTYPE),
    # How many frames were read.
    "frames": DataType.int64(),
    # Null, or what is wrong with the clip, as `gesture-bench replay` says it after the kind of failure, such as
    # "CutOff: clip.ts ends inside frame 172: it is cut off." The events of the frames that could be read are kept.
    "error": DataType.string(),
})

# As in the library's warning about times.
_MOST_DROPPED = 10


def recognize_hands(
        images: daft.Expression, *, max_concurrency: Optional[int] = None, **options: Any) -> daft.Expression:
    """The hands of each image by itself: an expression of the type HANDS_DTYPE.

    images:          a column of images of 8 bits a sample, as an expression.
    max_concurrency: the number of worker processes, on Ray actors, of which each takes a core; None lets Daft decide.
    The options are those of `HandTracker`; `maximum_hands` is 2 here unless given.

    An image that is null gives null, and so does one that cannot be examined, with a GestureWarning that says why.
    Raises InvalidArgument for an option that does not exist or has a wrong value.
    """
    options = {"maximum_hands": 2, **options}
    engine._options(_library.Options, engine._TRACKER_OPTIONS, options)
    return _workers(_Images, max_concurrency)(options).recognize(images)


def recognize_gestures(
        clips: daft.Expression, *, from_ts: Union[None, float, daft.Expression] = None,
        to_ts: Union[None, float, daft.Expression] = None, model_path: Optional[_arguments.Path] = None,
        max_concurrency: Optional[int] = None, **options: Any) -> daft.Expression:
    """The gestures of each clip: an expression of the type GESTURES_DTYPE.

    A worker decodes a clip and recognises its frames in their order. A clip that fails is a row with an `error`.

    clips:           a column of paths or URLs, of the bytes of video files, or of Daft's files.
    from_ts, to_ts:  the part to examine, in seconds of the file: numbers or columns. None is the beginning or the end.
    model_path:      as for `Engine`; every worker must find it.
    max_concurrency: as for `recognize_hands`.
    The options are those of `Stream`; `rate` is the file's and `orientation` what the file says unless given.

    Raises InvalidArgument for an option that does not exist or has a wrong value.
    """
    engine._options(_library.Options, engine._STREAM_OPTIONS, options)
    _arguments.path("model_path", model_path)
    options = {name: value for name, value in options.items() if value is not None}
    return _workers(_Clips, max_concurrency)(model_path, options).recognize(clips, from_ts, to_ts)


def _workers(cls: Any, count: Optional[int]) -> Any:
    if count is not None and (isinstance(count, bool) or not isinstance(count, int) or count < 1):
        _arguments.refuse("max_concurrency", count, "a number of workers from 1, or None to let Daft decide")
    return daft.cls(cls, max_concurrency=count)


class _Images:
    """A worker for images. Daft makes it where it runs, and may call it from several threads."""

    def __init__(self, options: Dict[str, Any]) -> None:
        self._options = options
        # Images wait for each other in one engine, so each thread at work takes one.
        self._idle = [engine.Engine()]

    @daft.method.batch(return_dtype=HANDS_DTYPE, batch_size=16)
    def recognize(self, images: daft.Series) -> List[Any]:
        if not (images.datatype().is_image() or images.datatype().is_fixed_shape_image()):
            raise InvalidArgument(f"recognize_hands takes a column of images, not of {images.datatype()}; "
                                  "decode_image makes one of encoded images.")
        try:
            taken = self._idle.pop()
        except IndexError:
            taken = engine.Engine()
        try:
            return [self._hands(taken, image) for image in images.to_pylist()]
        finally:
            self._idle.append(taken)

    def _hands(self, finder: engine.Engine, image: Any) -> Optional[List[Dict[str, Any]]]:
        if image is None:
            return None
        pixels = numpy.asarray(image)
        # Daft's images are gray, gray with alpha, red-green-blue, or that with alpha.
        channels = pixels.shape[2] if pixels.ndim == 3 else 1
        if channels == 2:
            pixels, channels = pixels[..., 0], 1
        try:
            hands = finder.recognize_hands(pixels, {1: "gray", 3: "rgb"}.get(channels, "rgba"), **self._options)
        except FrameError as error:
            warnings.warn(f"The hands of an image are null: {error}", GestureWarning)
            return None
        size = numpy.array([pixels.shape[1], pixels.shape[0]], numpy.float32)
        return [{
            "handedness": hand.handedness, "confidence": hand.presence,
            "kp2d": (hand.landmarks[:, :2] * size).tolist(), "kp3d": hand.world_landmarks.tolist(), "pose": hand.pose,
            "pose_scores": hand.pose_scores or None,
        } for hand in hands]


class _Clips:
    """A worker for clips. Daft makes it where it runs, and may call it from several threads."""

    def __init__(self, model_path: Optional[_arguments.Path], options: Dict[str, Any]) -> None:
        self._engine, self._options = engine.Engine(model_path=model_path), options

    # A batch goes to one worker, and one clip is enough for it.
    @daft.method.batch(return_dtype=GESTURES_DTYPE, batch_size=1)
    def recognize(self, clips: daft.Series, from_ts: Any, to_ts: Any) -> List[Any]:
        clips = clips.to_pylist()
        starts, ends = (side.to_pylist() if isinstance(side, daft.Series) else [side] * len(clips)
                        for side in (from_ts, to_ts))
        return [self._gestures(*clip) for clip in zip(clips, starts, ends)]

    def _gestures(self, clip: Any, start: Optional[float], end: Optional[float]) -> Dict[str, Any]:
        found: Dict[str, Any] = {"events": [], "frames": 0, "error": None}
        try:
            name, opened = _opened(clip)
            with opened as file, contextlib.closing(Clip(name, file)) as reading:
                self._recognize(reading, start, end, found)
        # Whatever is wrong with one clip, the others are read.
        except Exception as error:
            found["error"] = f"{type(error).__name__}: {error}"
        return found

    def _recognize(self, clip: Clip, start: Optional[float], end: Optional[float], found: Dict[str, Any]) -> None:
        stream, dropped = None, 0
        try:
            for frame, time in _frames(clip, start, end):
                if stream is None:
                    options = {"rate": _nominal(clip.rate), "orientation": _ORIENTATIONS.get(frame.rotation % 360)}
                    stream = self._engine.stream(**{**options, **self._options})
                events = stream.push(*_pixels(frame, time))
                found["frames"] += 1
                found["events"] += map(_event, events)
                dropped = dropped + 1 if stream.outcome == "dropped" else 0
                if dropped == _MOST_DROPPED:
                    raise ValueError(f"The times of {dropped} frames in a row do not continue the clip: the last one "
                                     f"is {time:g} s.")
            clip.judge(found["frames"])
        finally:
            # A begin gets its end, even if the clip breaks off.
            if stream is not None:
                found["events"] += map(_event, stream.finish())
                stream.close()


def _opened(clip: Any) -> Tuple[str, BinaryIO]:
    """What sentences call a clip, and what PyAV reads: a file in every case, since FFmpeg gives a string more meanings
    than that of a path."""
    if clip is None:
        raise ValueError("The clip is null.")
    if isinstance(clip, bytes):
        return "The clip", io.BytesIO(clip)
    if isinstance(clip, str):
        name = clip.removeprefix("file://")
    elif isinstance(clip, daft.File):
        name = clip.path
    else:
        raise TypeError(f"A clip is a path, bytes or a file of Daft, not {type(clip).__name__}.")
    try:
        if isinstance(clip, str) and "://" not in name:
            return name, open(name, "rb")
        return name, (clip if isinstance(clip, daft.File) else daft.File(clip)).open()
    except OSError as error:
        # Daft's own has no number.
        reason = os.strerror(errno.ENOENT) if isinstance(error, FileNotFoundError) else error.strerror or error
        raise CannotOpen(f"{name} cannot be opened: {reason}.") from error


def _frames(clip: Clip, start: Optional[float], end: Optional[float]) -> Iterator[Tuple[Any, float]]:
    """The frames of a part of a video, each with its time in seconds from the beginning of the part."""
    first, tolerance = start, 0.5 / clip.rate
    for index, frame in enumerate(clip.frames(start)):
        # A bare stream of frames has no times.
        time = index / clip.rate if frame.time is None else frame.time
        if first is None:
            first = time
        if end is not None and time >= end - tolerance:
            return
        if start is None or time >= start - tolerance:
            # Not before the beginning, which the times of a file meet within their rounding.
            yield frame, max(0.0, time - first)


def _pixels(frame: Any, time: float) -> Tuple[Any, float, str]:
    """The arguments of `Stream.push`."""
    kind = frame.format
    if kind.is_rgb or kind.has_palette:
        return frame.to_ndarray(format="rgb24"), time, "rgb"
    if kind.name not in ("yuv420p", "yuvj420p"):
        frame = frame.reformat(format="yuv420p")
    full = kind.name.startswith("yuvj") or frame.color_range == av.video.reformatter.ColorRange.JPEG
    return _planes(frame), time, "i420_full" if full else "i420"


def _planes(frame: Any) -> Tuple[numpy.ndarray, ...]:
    """The planes of a 4:2:0 frame where they lie, so that no pixel is copied."""
    planes = []
    for plane in frame.planes:
        rows = numpy.frombuffer(plane, numpy.uint8).reshape(-1, plane.line_size)
        planes.append(rows[:plane.height, :plane.width])
    return tuple(planes)


def _nominal(rate: float) -> int:
    """The stream's rate for a clip's. Cameras run up to one per cent fast."""
    return next((nominal for nominal in (30, 60, 120) if rate <= nominal * 1.01), 120)


# Where a frame's rotation, in degrees against the clock, is that of EXIF's orientation.
_ORIENTATIONS = {90: 8, 180: 3, 270: 6}


def _event(event: engine.Event) -> Dict[str, Any]:
    return {name: getattr(event, name) for name in _EVENT_FIELDS}


_EVENT_FIELDS = ("kind", "label", "confidence", "onset", "decision", "end_cause")
