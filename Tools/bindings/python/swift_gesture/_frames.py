"""NumPy arrays as frames of the C interface."""
from typing import Any, List, Optional, Sequence, Tuple

import numpy

from . import _arguments, _library
from ._library import FrameError

_FORMATS = {name[len("GESTURE_FORMAT_"):].lower(): value for name, value in _library.CONSTANTS.items()
            if name.startswith("GESTURE_FORMAT_")}
_BYTES_PER_PIXEL = {"gray": 1, "yuyv": 2, "uyvy": 2, "rgb": 3, "bgr": 3, "rgba": 4, "bgra": 4}
_BY_CHANNELS = {1: "gray", 3: "bgr", 4: "bgra"}


def frame(image: Any, format: Optional[str] = None,
          region: Optional[Sequence[Any]] = None) -> Tuple[_library.Frame, List[numpy.ndarray]]:
    """Describes an image.

    image:  an array of uint8, height x width or height x width x channels, with any distance between rows. For nv12,
            nv21 and i420 the array that OpenCV uses, 3/2 * height x width, or a tuple of the planes.
    format: gray, rgb, bgr, rgba, bgra, yuyv, uyvy, nv12, nv21, i420; those with luma and chroma also with _full for
            full range. None takes gray, bgr or bgra by the number of channels.
    region: x, y, width, height of the part to examine; None for all.
    Returns the struct, and the arrays that must live as long as it is used.
    """
    planes = image if isinstance(image, (tuple, list)) else None
    first = _array(planes[0] if planes else image)
    if format is not None and not isinstance(format, str):
        _arguments.refuse("format", format, "one of " + ", ".join(_FORMATS))
    if format is None:
        channels = first.shape[2] if first.ndim == 3 else 1
        if planes or first.ndim not in (2, 3) or channels not in _BY_CHANNELS:
            raise FrameError(f"The array's shape {first.shape} does not tell its format; name one.")
        format = _BY_CHANNELS[channels]
    if format not in _FORMATS:
        raise FrameError(f"The format {format!r} is none of {', '.join(_FORMATS)}.")
    kind = format.split("_")[0]
    if kind in _BYTES_PER_PIXEL:
        if planes and len(planes) != 1:
            raise FrameError(f"The format {format} has one plane, not {len(planes)}.")
        if first.ndim not in (2, 3) or first.size == 0:
            raise FrameError(f"An image has two or three dimensions and some pixels; this array has the shape "
                             f"{first.shape}.")
        # Bytes of a row may also lie in one dimension.
        samples = first.shape[2] if first.ndim == 3 else 1
        width, odd = divmod(first.shape[1] * samples, _BYTES_PER_PIXEL[kind])
        if odd or samples not in (1, _BYTES_PER_PIXEL[kind]):
            raise FrameError(f"An array of the shape {first.shape} is no image of the format {format}.")
        parts, height = [_rows(first)], first.shape[0]
    else:
        parts, width, height = _planar(first, planes, format, kind)
    described = _library.Frame(format=_FORMATS[format], width=width, height=height)
    for plane, array in zip(described.planes, parts):
        plane.bytes = array.ctypes.data
        plane.bytes_per_row = array.strides[0]
        plane.count = array.strides[0] * (array.shape[0] - 1) + array[0].nbytes
    if region is not None:
        sides = _region(region)
        described.region_x, described.region_y, described.region_width, described.region_height = sides
    return described, parts


def _array(image: Any) -> numpy.ndarray:
    if image is None:
        raise FrameError("The image is None; OpenCV gives that for a file or frame that it could not read.")
    try:
        return numpy.asarray(image)
    except ValueError as error:
        raise FrameError(f"The image is no array: {error}.") from error


def _region(region: Any) -> List[int]:
    requirement = "x, y, width and height in whole pixels"
    try:
        sides = list(region)
    except TypeError:
        sides = []
    if len(sides) != 4 or isinstance(region, (str, bytes)):
        raise FrameError(f"A region is {requirement}, not {region!r}.")
    sides = [_arguments.whole("region", side, requirement) for side in sides]
    if not any(sides):
        raise FrameError("The region is empty.")
    return sides


def _planar(first: numpy.ndarray, planes: Optional[Sequence[Any]], format: str,
            kind: str) -> Tuple[List[numpy.ndarray], int, int]:
    expected = 3 if kind == "i420" else 2
    if planes:
        if len(planes) != expected:
            raise FrameError(f"The format {format} has {expected} planes, not {len(planes)}.")
        arrays = [_array(plane) for plane in planes]
        if any(array.ndim not in (2, 3) or array.size == 0 for array in arrays):
            raise FrameError("A plane has two or three dimensions and some samples.")
        return [_rows(array) for array in arrays], first.shape[1], first.shape[0]
    if first.ndim != 2 or first.size == 0 or first.shape[0] % 3 or first.shape[1] % 2:
        raise FrameError(f"An array of the shape {first.shape} is no image of the format {format}: "
                         "give 3/2 * height x width with an even width, or a tuple of planes.")
    height, width = first.shape[0] * 2 // 3, first.shape[1]
    if height % 2:
        raise FrameError(f"An image of {height} rows cannot be one array of the format {format}; "
                         "give a tuple of planes.")
    flat = numpy.ascontiguousarray(_bytes(first)).reshape(-1)
    luma, chroma = flat[:width * height].reshape(height, width), flat[width * height:]
    if kind == "i420":
        return [luma] + [half.reshape(height // 2, width // 2) for half in numpy.split(chroma, 2)], width, height
    return [luma, chroma.reshape(height // 2, width)], width, height


def _bytes(array: numpy.ndarray) -> numpy.ndarray:
    if array.dtype != numpy.uint8:
        raise FrameError(f"Frames have 8 bits a sample, uint8; this array has {array.dtype}.")
    return array


def _rows(array: numpy.ndarray) -> numpy.ndarray:
    """The array, or a copy if the bytes of a row do not follow each other or the rows run backward."""
    row = _bytes(array)[0]
    if row.flags.c_contiguous and (array.shape[0] == 1 or array.strides[0] >= row.nbytes):
        return array if array.shape[0] > 1 else numpy.ascontiguousarray(array)
    return numpy.ascontiguousarray(array)
