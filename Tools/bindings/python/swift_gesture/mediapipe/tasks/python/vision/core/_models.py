"""What the options say of networks: a folder of this project's, or a .task bundle of MediaPipe's."""
import hashlib
import io
import os
import sys
import warnings
import zipfile
from typing import Dict, Iterator, NamedTuple, Optional, Sequence, Set, Tuple

from swift_gesture import _arguments
from swift_gesture._library import GestureWarning, ModelError, ModelNotFound
from swift_gesture.mediapipe.tasks.python.core.base_options import BaseOptions
from swift_gesture.mediapipe.tasks.python.vision.core._classifier import DAMAGED_ZIP, Classifier

# SHA-256 of MediaPipe's networks of which this package has its own, quantised.
_SHIPPED = {
    "e9a4aaddf90dda56a87235303cf00e4c2d3fb28725f68fd88772997dac905c18",  # palm detection, lite
    "048edd3645c9bf7397d19a9f6e3a42957d6e414c9bea6598030a2e9b624156e6",  # hand landmarks, lite
    "54abe78de1d1cd5e3cdaa0dab01db18e3ec7e09a76e7c3b5fa278572f7a60977",  # gesture embedder
    "62a87ded76da05155f6a59c8babb4c537c138c25138b29450fb030e207a5c0e9",  # canned gesture classifier
    "9ba9dd3d42efaaba86b4ff0122b06f29c4122e756b329d89dca1e297fd8f866c",  # pose detection
    "e9a5c5cb17f736fafd4c2ec1da3b3d331d6edbe8a0d32395855aeb2cdfd64b9f",  # pose landmarks, full
}

# Models for which the warning that they are not used was given.
_told: Set[Tuple[str, str]] = set()


class Models(NamedTuple):
    """What the options name."""

    # A folder of networks; None for those of this package.
    folder: Optional[str] = None
    # The bundle's gesture classifier of one's own, if it has one and the task uses it.
    classifier: Optional[Classifier] = None


def read(options: BaseOptions, networks: Sequence[str], task: str) -> Models:
    """Reads what the options name.

    networks: names of the bundle's networks that the task needs.
    task:     names the task in sentences.
    """
    _arguments.instance("base_options", options, BaseOptions)
    path, content = options.model_asset_path, options.model_asset_buffer
    if content is not None and not isinstance(content, (bytes, bytearray, memoryview)):
        _arguments.refuse("model_asset_buffer", content, "bytes")
    found = Models()
    if content is not None:
        found = _read("model_asset_buffer", bytes(content), networks, task)
    if path is None:
        return found
    _arguments.path("model_asset_path", path)
    if os.path.isdir(path):
        return Models(folder=path)
    if not os.path.exists(path):
        raise ModelNotFound(f"Unable to open file at {os.path.abspath(path)}: it does not exist.")
    with open(path, "rb") as file:
        return _read(os.path.abspath(path), file.read(), networks, task)


def _read(model: str, content: bytes, networks: Sequence[str], task: str) -> Models:
    """Refuses what is no bundle of the task, and warns where its networks are not used."""
    try:
        members: Dict[str, bytes] = dict(_networks(content))
    except DAMAGED_ZIP as error:
        raise ModelError(f"{model} is no .task bundle, which is a zip file.", "GESTURE_INVALID_MODEL") from error
    names = ", ".join(members) or "no network"
    if not set(networks) <= set(members):
        raise ModelError(f"{model} has {names}; {task} needs {', '.join(networks)}.", "GESTURE_INVALID_MODEL")
    others = [name for name in networks if hashlib.sha256(members[name]).hexdigest() not in _SHIPPED]
    if others and (model, task) not in _told:
        _told.add((model, task))
        warnings.warn(f"{model} is not used: this package has networks of its own instead of {', '.join(others)}.",
                      GestureWarning, stacklevel=_outside())
    own = "custom_gesture_classifier.tflite"
    used = own in members and "canned_gesture_classifier.tflite" in networks
    return Models(classifier=Classifier(f"{own} in {model}", members[own]) if used else None)


def _networks(content: bytes) -> Iterator[Tuple[str, bytes]]:
    """The networks of a bundle and of the bundles in it, by name."""
    with zipfile.ZipFile(io.BytesIO(content)) as bundle:
        for member in bundle.infolist():
            # Networks of hands and bodies have at most 30 MB.
            if member.file_size > 2 ** 26:
                raise zipfile.BadZipFile(f"{member.filename} is too large")
            if member.filename.endswith(".task"):
                yield from _networks(bundle.read(member))
            elif member.filename.endswith(".tflite"):
                yield os.path.basename(member.filename), bundle.read(member)


def _outside() -> int:
    """How many callers back the first one outside of these tasks is, for warnings."""
    frame, found = sys._getframe(2), 2
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("swift_gesture.mediapipe."):
        frame, found = frame.f_back, found + 1
    return found
