"""The C interface, gesture.h, by ctypes. A test compares the layouts here with the header."""
import ctypes
import pathlib
import re
from typing import Any, NoReturn

MESSAGE_SIZE = 1024
LABEL_SIZE = 64
POINT_COUNT = 21
BODY_POINT_COUNT = 33
POSE_COUNT = 8
EMBEDDING_COUNT = 128


class Error(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int32), ("message", ctypes.c_char * MESSAGE_SIZE)]


class Bytes(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_void_p), ("count", ctypes.c_size_t)]


class Sized(ctypes.Structure):
    """A struct that begins with its size."""

    def __init__(self, **values: Any) -> None:
        super().__init__(size=ctypes.sizeof(type(self)), **values)


class EngineOptions(Sized):
    _fields_ = [
        ("size", ctypes.c_size_t), ("networks", ctypes.c_int32), ("arms", ctypes.c_int32),
        ("hands_folder", ctypes.c_char_p), ("palm_detection", Bytes), ("hand_landmarks", Bytes),
        ("gesture_embedder", Bytes), ("gesture_classifier", Bytes), ("hand_gestures", Bytes),
        ("model_path", ctypes.c_char_p), ("model", Bytes), ("bodies_folder", ctypes.c_char_p),
        ("hand_background", Bytes),
    ]


class Threshold(ctypes.Structure):
    _fields_ = [("label", ctypes.c_char_p), ("confidence", ctypes.c_float), ("reserved", ctypes.c_int32)]


class Options(Sized):
    _fields_ = [
        ("size", ctypes.c_size_t), ("rate", ctypes.c_int32), ("orientation", ctypes.c_int32),
        ("maximum_hands", ctypes.c_int32), ("minimum_palm_score", ctypes.c_float),
        ("minimum_presence", ctypes.c_float), ("held_poses", ctypes.c_int32), ("is_smoothed", ctypes.c_int32),
        ("detects_in_every_frame", ctypes.c_int32), ("sensitivity", ctypes.c_int32), ("pinch", ctypes.c_int32),
        ("begin_confidence", ctypes.c_float), ("wake_pose", ctypes.c_int32), ("wake_hold", ctypes.c_int64),
        ("wake_window", ctypes.c_int64), ("allowed_classes", ctypes.POINTER(ctypes.c_char_p)),
        ("allowed_class_count", ctypes.c_size_t), ("denied_classes", ctypes.POINTER(ctypes.c_char_p)),
        ("denied_class_count", ctypes.c_size_t), ("thresholds", ctypes.POINTER(Threshold)),
        ("threshold_count", ctypes.c_size_t), ("user_gestures", ctypes.c_void_p), ("pointer", ctypes.c_int32),
        ("pointer_x", ctypes.c_float), ("pointer_y", ctypes.c_float), ("pointer_width", ctypes.c_float),
        ("pointer_height", ctypes.c_float), ("pointer_reserved", ctypes.c_int32),
    ]


class BodyOptions(Sized):
    _fields_ = [
        ("size", ctypes.c_size_t), ("orientation", ctypes.c_int32), ("maximum_bodies", ctypes.c_int32),
        ("minimum_detection_score", ctypes.c_float), ("minimum_presence", ctypes.c_float),
        ("unsmoothed", ctypes.c_int32), ("detects_in_every_frame", ctypes.c_int32),
    ]


class Plane(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_void_p), ("count", ctypes.c_size_t), ("bytes_per_row", ctypes.c_size_t)]


class Frame(Sized):
    _fields_ = [
        ("size", ctypes.c_size_t), ("format", ctypes.c_int32), ("width", ctypes.c_int32), ("height", ctypes.c_int32),
        ("matrix", ctypes.c_int32), ("planes", Plane * 3), ("region_x", ctypes.c_int32), ("region_y", ctypes.c_int32),
        ("region_width", ctypes.c_int32), ("region_height", ctypes.c_int32),
    ]


class Point(ctypes.Structure):
    _fields_ = [("x", ctypes.c_float), ("y", ctypes.c_float), ("z", ctypes.c_float)]


class Hand(ctypes.Structure):
    _fields_ = [
        ("identity", ctypes.c_int64), ("handedness", ctypes.c_int32), ("pose", ctypes.c_int32),
        ("presence", ctypes.c_float), ("right_handedness", ctypes.c_float), ("landmarks", Point * POINT_COUNT),
        ("world_landmarks", Point * POINT_COUNT), ("pose_scores", ctypes.c_float * POSE_COUNT),
        ("embedding", ctypes.c_float * EMBEDDING_COUNT),
    ]


class Body(ctypes.Structure):
    _fields_ = [
        ("identity", ctypes.c_int64), ("is_held", ctypes.c_int32), ("presence", ctypes.c_float),
        ("landmarks", Point * BODY_POINT_COUNT), ("world_landmarks", Point * BODY_POINT_COUNT),
        ("visibility", ctypes.c_float * BODY_POINT_COUNT), ("point_presence", ctypes.c_float * BODY_POINT_COUNT),
    ]


class PushResult(ctypes.Structure):
    _fields_ = [
        ("outcome", ctypes.c_int32), ("class_index", ctypes.c_int32), ("confidence", ctypes.c_float),
        ("quality", ctypes.c_uint32), ("waiting_events", ctypes.c_uint64), ("time_fault", ctypes.c_int32),
        ("is_armed", ctypes.c_int32),
    ]


class Event(ctypes.Structure):
    _fields_ = [
        ("kind", ctypes.c_int32), ("end_cause", ctypes.c_int32), ("class_index", ctypes.c_int32),
        ("confidence", ctypes.c_float), ("onset", ctypes.c_int64), ("decision", ctypes.c_int64),
        ("sequence", ctypes.c_uint64), ("label", ctypes.c_char * LABEL_SIZE),
    ]


class Pointer(ctypes.Structure):
    _fields_ = [
        ("identity", ctypes.c_int64), ("handedness", ctypes.c_int32), ("state", ctypes.c_int32), ("x", ctypes.c_float),
        ("y", ctypes.c_float), ("confidence", ctypes.c_float), ("events", ctypes.c_uint32),
        ("release_reason", ctypes.c_int32), ("scroll_x", ctypes.c_float), ("scroll_y", ctypes.c_float),
        ("reserved", ctypes.c_int32),
    ]


class Pointers(ctypes.Structure):
    _fields_ = [
        ("first", Pointer), ("second", Pointer), ("has_pair", ctypes.c_int32), ("distance", ctypes.c_float),
        ("angle", ctypes.c_float), ("zoom", ctypes.c_float), ("rotation", ctypes.c_float), ("reserved", ctypes.c_int32),
    ]


class Lesson(ctypes.Structure):
    _fields_ = [
        ("is_pose", ctypes.c_int32), ("is_movement", ctypes.c_int32), ("false_events_per_minute", ctypes.c_float),
        ("warning", ctypes.c_char * MESSAGE_SIZE),
    ]


class Latency(ctypes.Structure):
    _fields_ = [
        ("count", ctypes.c_uint64), ("median", ctypes.c_int64), ("percentile95", ctypes.c_int64),
        ("percentile99", ctypes.c_int64), ("maximum", ctypes.c_int64),
    ]


class Statistics(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in (
        "admitted", "repeats", "surplus", "resets", "dropped", "equal_times", "backward_times", "beyond_horizon",
        "unconfirmed_jumps", "begins", "ends")] + [
            (name, Latency) for name in ("intake", "inference", "recognition", "frame")]


# The structs by their names in the header.
STRUCTS = {
    "gesture_error": Error, "gesture_bytes": Bytes, "gesture_engine_options": EngineOptions, "gesture_options": Options,
    "gesture_threshold": Threshold, "gesture_body_options": BodyOptions, "gesture_body": Body,
    "gesture_lesson": Lesson, "gesture_plane": Plane, "gesture_frame": Frame, "gesture_point": Point, "gesture_hand": Hand,
    "gesture_push_result": PushResult, "gesture_event": Event, "gesture_pointer": Pointer,
    "gesture_pointers": Pointers, "gesture_latency": Latency,
    "gesture_statistics": Statistics,
}

# The values of the header's constants that this package uses.
CONSTANTS = {
    "GESTURE_OK": 0, "GESTURE_INVALID_ARGUMENT": 1, "GESTURE_INVALID_HANDLE": 2, "GESTURE_INVALID_FRAME": 3,
    "GESTURE_INVALID_MODEL": 4, "GESTURE_NO_NETWORKS": 5, "GESTURE_FINISHED": 6, "GESTURE_TOO_SMALL": 7,
    "GESTURE_FORKED": 10,
    "GESTURE_NETWORKS_HANDS": 0, "GESTURE_NETWORKS_PIXELS": 1,
    "GESTURE_FORMAT_GRAY": 1, "GESTURE_FORMAT_NV12": 2, "GESTURE_FORMAT_NV12_FULL": 3, "GESTURE_FORMAT_NV21": 4,
    "GESTURE_FORMAT_NV21_FULL": 5, "GESTURE_FORMAT_I420": 6, "GESTURE_FORMAT_I420_FULL": 7, "GESTURE_FORMAT_YUYV": 8,
    "GESTURE_FORMAT_YUYV_FULL": 9, "GESTURE_FORMAT_UYVY": 10, "GESTURE_FORMAT_UYVY_FULL": 11, "GESTURE_FORMAT_RGB": 12,
    "GESTURE_FORMAT_BGR": 13, "GESTURE_FORMAT_RGBA": 14, "GESTURE_FORMAT_BGRA": 15,
    "GESTURE_HAND_LEFT": 0, "GESTURE_HAND_RIGHT": 1,
    "GESTURE_FRAME_ENCODED": 0, "GESTURE_FRAME_SURPLUS": 1, "GESTURE_FRAME_DROPPED": 2, "GESTURE_FRAME_SKIPPED": 3,
    "GESTURE_EVENT_BEGIN": 1, "GESTURE_EVENT_END": 2,
    "GESTURE_END_NONE": 0, "GESTURE_END_RELEASED": 1, "GESTURE_END_UNSURE": 2, "GESTURE_END_EXPIRED": 3,
    "GESTURE_END_FLUSHED": 4,
    "GESTURE_POINTER_NONE": 0, "GESTURE_POINTER_MIRRORED": 1, "GESTURE_POINTER_UNMIRRORED": 2,
    "GESTURE_POINTER_STATE_ABSENT": 0, "GESTURE_POINTER_STATE_HOVERING": 1, "GESTURE_POINTER_STATE_PRESSED": 2,
    "GESTURE_POINTER_STATE_DRAGGING": 3,
    "GESTURE_POINTER_ENTERED": 1, "GESTURE_POINTER_MOVED": 2, "GESTURE_POINTER_DRAGGED": 4, "GESTURE_POINTER_PRESSED": 8,
    "GESTURE_POINTER_RELEASED": 16, "GESTURE_POINTER_CLICKED": 32, "GESTURE_POINTER_DOUBLE_CLICKED": 64,
    "GESTURE_POINTER_SCROLLED": 128, "GESTURE_POINTER_LEFT": 256,
    "GESTURE_POINTER_RELEASE_OPENED": 1, "GESTURE_POINTER_RELEASE_LOST": 2, "GESTURE_POINTER_RELEASE_RESET": 3,
}


class GestureError(Exception):
    """A call failed. The text is a sentence that says why; `status` is the C interface's name of the failure."""

    def __init__(self, message: str, status: str = "GESTURE_INVALID_ARGUMENT") -> None:
        super().__init__(message)
        self.status = status


class InvalidArgument(GestureError, ValueError):
    """A value is out of range."""


class ImageError(GestureError, RuntimeError):
    """An image file is missing, or is no image."""


class InvalidHandle(GestureError):
    """The object was closed."""


class FrameError(GestureError, ValueError):
    """The size, the memory or the format of a frame is not usable."""


class ModelError(GestureError, RuntimeError):
    """A model file is missing, damaged or of another network."""


class ModelNotFound(ModelError, FileNotFoundError):
    """There is no file or folder with the model's path. MediaPipe raises a RuntimeError or a FileNotFoundError."""

    # OSError has a text of its own.
    __str__ = Exception.__str__


class NoNetworks(GestureError):
    """The engine lacks the networks for what is asked."""


class ForkedProcess(GestureError):
    """The object belongs to the process from which this one was forked. Make another one here."""


class GestureWarning(UserWarning):
    """Something was given that cannot work or is not used, such as times that never advance."""


class StreamFinished(GestureError):
    """The stream is finished; `Stream.reset` begins it anew."""


_EXCEPTIONS = {
    "GESTURE_INVALID_ARGUMENT": InvalidArgument, "GESTURE_INVALID_HANDLE": InvalidHandle,
    "GESTURE_INVALID_FRAME": FrameError, "GESTURE_INVALID_MODEL": ModelError, "GESTURE_NO_NETWORKS": NoNetworks,
    "GESTURE_FINISHED": StreamFinished, "GESTURE_FORKED": ForkedProcess,
}

_handle, _size, _count = ctypes.c_void_p, ctypes.c_size_t, ctypes.POINTER(ctypes.c_size_t)
_error = ctypes.POINTER(Error)


def _found(kind):
    return [ctypes.POINTER(kind), _size, _size, _count, _error]


# The parameters of the functions that return a status.
FUNCTIONS = {
    "gesture_engine_create": [ctypes.POINTER(EngineOptions), ctypes.POINTER(_handle), _error],
    "gesture_engine_destroy": [_handle, _error],
    "gesture_engine_recognize_hands":
        [_handle, ctypes.POINTER(Frame), ctypes.POINTER(Options), *_found(Hand)],
    "gesture_engine_recognize_bodies":
        [_handle, ctypes.POINTER(Frame), ctypes.POINTER(BodyOptions), *_found(Body)],
    "gesture_hand_tracker_create": [_handle, ctypes.POINTER(Options), ctypes.POINTER(_handle), _error],
    "gesture_hand_tracker_track": [_handle, ctypes.POINTER(Frame), ctypes.c_int64, _error],
    "gesture_hand_tracker_copy_hands": [_handle, *_found(Hand)],
    "gesture_hand_tracker_reset": [_handle, _error],
    "gesture_hand_tracker_destroy": [_handle, _error],
    "gesture_body_tracker_create": [_handle, ctypes.POINTER(BodyOptions), ctypes.POINTER(_handle), _error],
    "gesture_body_tracker_track": [_handle, ctypes.POINTER(Frame), ctypes.c_int64, _error],
    "gesture_body_tracker_copy_bodies": [_handle, *_found(Body)],
    "gesture_body_tracker_reset": [_handle, _error],
    "gesture_body_tracker_destroy": [_handle, _error],
    "gesture_stream_create": [_handle, ctypes.POINTER(Options), ctypes.POINTER(_handle), _error],
    "gesture_stream_push":
        [_handle, ctypes.POINTER(Frame), ctypes.c_int64, ctypes.POINTER(PushResult), _size, _error],
    "gesture_stream_take_events": [_handle, ctypes.POINTER(Event), _size, _size, _count, _error],
    "gesture_stream_copy_hands": [_handle, *_found(Hand)],
    "gesture_stream_copy_pointers": [_handle, ctypes.POINTER(Pointers), _size, _error],
    "gesture_stream_count_labels": [_handle, _count, _count, _error],
    "gesture_stream_copy_label": [_handle, _size, ctypes.c_char_p, _size, _count, _error],
    "gesture_stream_copy_scores": [_handle, ctypes.POINTER(ctypes.c_float), _size, _count, _error],
    "gesture_stream_copy_statistics": [_handle, ctypes.POINTER(Statistics), _size, _error],
    "gesture_stream_reset": [_handle, _error],
    "gesture_stream_finish": [_handle, _error],
    "gesture_stream_destroy": [_handle, _error],
    "gesture_recorder_create": [_handle, ctypes.POINTER(Options), ctypes.POINTER(_handle), _error],
    "gesture_recorder_push": [_handle, ctypes.POINTER(Frame), ctypes.c_int64, _error],
    "gesture_recorder_finish": [_handle, ctypes.POINTER(_handle), _error],
    "gesture_recorder_destroy": [_handle, _error],
    "gesture_recording_destroy": [_handle, _error],
    "gesture_user_gestures_create": [_handle, ctypes.POINTER(Bytes), ctypes.POINTER(_handle), _error],
    "gesture_user_gestures_teach":
        [_handle, ctypes.c_char_p, ctypes.c_int32, ctypes.POINTER(_handle), _size, ctypes.POINTER(_handle), _size,
         ctypes.POINTER(Lesson), _size, _error],
    "gesture_user_gestures_add":
        [_handle, ctypes.c_char_p, ctypes.POINTER(_handle), _size, ctypes.POINTER(_handle), _size, _error],
    "gesture_user_gestures_remove": [_handle, ctypes.c_char_p, _error],
    "gesture_user_gestures_copy_bytes": [_handle, ctypes.c_void_p, _size, _count, _error],
    "gesture_user_gestures_destroy": [_handle, _error],
}

# The library, and the networks in folders beside it.
FOLDER = pathlib.Path(__file__).absolute().parent / "lib"
_library = ctypes.CDLL(str(FOLDER / "libgesture.so"))
for _name, _parameters in FUNCTIONS.items():
    getattr(_library, _name).argtypes = _parameters
    getattr(_library, _name).restype = ctypes.c_int32
for _name, _parameters in {
        "gesture_status_name": [ctypes.c_int32], "gesture_version": [], "gesture_pose_name": [ctypes.c_int32],
        "gesture_time_fault_text": [ctypes.c_int32]}.items():
    getattr(_library, _name).argtypes = _parameters
    getattr(_library, _name).restype = ctypes.c_char_p


def call(name: str, *arguments: Any) -> None:
    """Calls a function that returns a status; a failure becomes an exception with the library's sentence."""
    error = Error()
    status = getattr(_library, name)(*arguments, ctypes.byref(error))
    if status != CONSTANTS["GESTURE_OK"]:
        text = _library.gesture_status_name(status).decode()
        # Arguments have the names of the structs' fields.
        sentence = re.sub(r"^gesture_\w*options\.", "", error.message.decode())
        raise _EXCEPTIONS.get(text, GestureError)(sentence, text)


def release(name: str, handle: ctypes.c_void_p) -> None:
    """Destroys a handle; one that is gone already, or that belongs to another process, is left alone."""
    getattr(_library, name)(handle, None)


def refuse_pickling(thing: object) -> NoReturn:
    """Raises InvalidArgument: what belongs to a process cannot be pickled or copied."""
    raise InvalidArgument(f"This {type(thing).__name__} belongs to its process and cannot be pickled or copied. Make one "
                          "in each process, such as in the initializer of a multiprocessing.Pool.")


def version() -> str:
    return _library.gesture_version().decode()


def pose_name(index: int) -> str:
    return _library.gesture_pose_name(index).decode()


def time_fault_text(number: int) -> str:
    return _library.gesture_time_fault_text(number).decode()
