"""Hands, bodies and gestures in camera frames, on one CPU core.

    import swift_gesture

    stream = swift_gesture.Engine().stream(rate=30)
    for event in stream.push(bgr, seconds):
        print(event.kind, event.label, event.confidence)

`swift_gesture.mediapipe` answers the calls of MediaPipe that are about hands and bodies.
"""
from ._library import (ForkedProcess, FrameError, GestureError, GestureWarning, ImageError, InvalidArgument,
                       InvalidHandle, ModelError, ModelNotFound, NoNetworks, StreamFinished, version)
from .engine import (POSES, Body, BodyOptions, BodyTracker, Engine, Event, Hand, HandTracker, Lesson,
                     Pointer, PointerPair, Prediction, Recorder, Recording, Statistics, Stream, StreamOptions, UserGestures, TrackerOptions)

__version__ = version()
__all__ = [
    "POSES", "Body", "BodyOptions", "BodyTracker", "Engine", "Event", "ForkedProcess", "FrameError", "GestureError",
    "GestureWarning", "Hand", "HandTracker", "ImageError", "InvalidArgument", "InvalidHandle", "Lesson", "ModelError",
    "ModelNotFound", "NoNetworks", "Pointer", "PointerPair", "Prediction", "Recorder", "Recording", "Statistics", "Stream",
    "StreamFinished", "StreamOptions", "UserGestures", "TrackerOptions",
]
