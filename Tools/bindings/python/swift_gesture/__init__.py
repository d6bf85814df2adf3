"""Hands and gestures in camera frames, on one CPU core.

    import swift_gesture

    stream = swift_gesture.Engine().stream(rate=30)
    for event in stream.push(bgr, seconds):
        print(event.kind, event.label, event.confidence)

`swift_gesture.mediapipe` answers the calls of MediaPipe's GestureRecognizer.
"""
from ._library import (FrameError, GestureError, InvalidArgument, InvalidHandle, ModelError, NoNetworks, StreamFinished,
                       version)
from .engine import POSES, Engine, Event, Hand, HandTracker, Prediction, Statistics, Stream

__version__ = version()
__all__ = [
    "POSES", "Engine", "Event", "FrameError", "GestureError", "Hand", "HandTracker", "InvalidArgument", "InvalidHandle",
    "ModelError", "NoNetworks", "Prediction", "Statistics", "Stream", "StreamFinished",
]
