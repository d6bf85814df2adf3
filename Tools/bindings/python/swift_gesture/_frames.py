"""NumPy arrays as frames of the C interface."""
from typing import Any, List, Optional, Sequence, Tuple

import numpy

from . import _arguments, _library
from ._library import FrameError

_FORMATS = {name[len("GESTURE_FORMAT_"):].lower(): value for name, value in _library.CONSTANTS.items()
            if name.startswith("GESTURE_FORMAT_")}
_BYTES_PER_PIXEL = {"gray": 1, "yuyv": 2, "uyvy": 2, "rgb": 3, "bgr": 3, "rgba": 4, "bgra": 4}
_BY_CHANNELS = {1: "gray", 3: "bgr", 4: "bgra"}
# The formats by the modes of PIL's images.
_BY_MODE = {"L": "gray", "RGB": "rgb", "RGBA": "rgba", "RGBX": "rgba"}


def frame(image: Any, format: Optional[str] = None,
          region: Optional[Sequence[Any]] = None) -> Tuple[_library.Frame, List[numpy.ndarray]]:
    """Describes an image.

    image:  an array of uint8, height x width or height x width x channels, with any distance between rows, or a PIL
            image. For nv12, nv21 and i420 the array that OpenCV uses, 3/2 * height x width, or a tuple of the planes.
    format: gray, rgb, bgr, rgba, bgra, yuyv, uyvy, nv12, nv21, i420; those with luma and chroma also with _full for
            full range. None takes gray, bgr or bgra by the number of channels of a NumPy array, and what a PIL image
            says of itself. Alpha is ignored.
    region: x, y, width, height of the part to examine; None for all.
    Returns the struct, and the arrays that must live as long as it is used.
    """
    planes = image if isinstance(image, (tuple, list)) else None
    if format is not None and not isinstance(format, str):
        _arguments.refuse("format", format, "one of " + ", ".join(_FORMATS))
    first = array(planes[0] if planes else image, "gray" if planes else format)
    mode = _mode(image)
    if format is None and mode is not None:
        format = _BY_MODE[mode]
    if format is None:
        channels = first.shape[2] if first.ndim == 3 else 1
        if planes or first.ndim not in (2, 3) or channels not in _BY_CHANNELS:
            raise FrameError(f"The array's shape {first.shape} does not tell its format; name one.{_hint(first)}")
        if channels > 1 and not isinstance(image, numpy.ndarray):
            raise FrameError(f"The order of the channels of a {type(image).__name__} is not known; name it, such as "
                             "format='rgb'.")
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
            raise FrameError(f"An array of the shape {first.shape} is no image of the format {format}.{_hint(first)}")
        parts, height = [_rows(first)], first.shape[0]
    else:
        parts, width, height = _planar(first, planes, format, kind)
    described = _library.Frame(format=_FORMATS[format], width=width, height=height)
    for plane, part in zip(described.planes, parts):
        plane.bytes = part.ctypes.data
        plane.bytes_per_row = part.strides[0]
        plane.count = part.strides[0] * (part.shape[0] - 1) + part[0].nbytes
    if region is not None:
        sides = _region(region)
        described.region_x, described.region_y, described.region_width, described.region_height = sides
    return described, parts


def array(image: Any, format: Optional[str]) -> numpy.ndarray:
    """The samples of an image, or of a plane. A PIL image is refused if it has another format than a given one."""
    if image is None:
        raise FrameError("The image is None; OpenCV gives that for a file or frame that it could not read.")
    mode = _mode(image)
    if mode is not None:
        if mode not in _BY_MODE:
            raise FrameError(f"A PIL image of the mode {mode} has no samples that are read; call image.convert('RGB') "
                             "first.")
        if format is not None and format != _BY_MODE[mode]:
            raise FrameError(f"A PIL image of the mode {mode} has the format {_BY_MODE[mode]}, not {format}.")
    try:
        return numpy.asarray(image)
    # What PIL raises for a damaged file, and frameworks for arrays in the memory of a graphics processor.
    except Exception as error:
        raise FrameError(f"The image is no array: {str(error).rstrip('.')}.") from error


def _mode(image: Any) -> Optional[str]:
    """The mode of a PIL image; None for everything else."""
    mode = getattr(image, "mode", None)
    return mode if isinstance(mode, str) and callable(getattr(image, "getbands", None)) else None


def _hint(array: numpy.ndarray) -> str:
    """What to do about an array with its channels first, as of PyTorch."""
    if array.ndim == 3 and array.shape[0] in _BY_CHANNELS:
        return " Channels come last: call image.transpose(1, 2, 0), or permute(1, 2, 0) of a tensor."
    return ""


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
        arrays = [array(plane, "gray") for plane in planes]
        if any(plane.ndim not in (2, 3) or plane.size == 0 for plane in arrays):
            raise FrameError("A plane has two or three dimensions and some samples.")
        return [_rows(plane) for plane in arrays], first.shape[1], first.shape[0]
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
        hint = " Multiply shares of 1 by 255 and call astype(numpy.uint8)." if array.dtype.kind == "f" else ""
        raise FrameError(f"Frames have 8 bits a sample, uint8; this array has {array.dtype}.{hint}")
    return array


def _rows(array: numpy.ndarray) -> numpy.ndarray:
    """The array, or a copy if the bytes of a row do not follow each other or the rows run backward."""
    row = _bytes(array)[0]
    if row.flags.c_contiguous and (array.shape[0] == 1 or array.strides[0] >= row.nbytes):
        return array if array.shape[0] > 1 else numpy.ascontiguousarray(array)
    return numpy.ascontiguousarray(array)
