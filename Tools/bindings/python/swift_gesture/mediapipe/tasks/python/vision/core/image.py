"""Images as MediaPipe's calls take them."""
import enum
import io
from typing import Any

import numpy

from swift_gesture import _arguments, _frames, _orientation
from swift_gesture._library import FrameError, ImageError


class ImageFormat(enum.IntEnum):
    """The formats that are read; the values are MediaPipe's."""

    SRGB = 1
    SRGBA = 2
    GRAY8 = 3
    SBGRA = 11


# The names of the formats for a stream, and their channels.
_LAYOUTS = {ImageFormat.SRGB: ("rgb", 3), ImageFormat.SRGBA: ("rgba", 4), ImageFormat.GRAY8: ("gray", 1),
            ImageFormat.SBGRA: ("bgra", 4)}


class Image:
    """Pixels and their format. The array is not copied and must not change before it was recognised."""

    def __init__(self, image_format: ImageFormat, data: numpy.ndarray) -> None:
        try:
            self._format = ImageFormat(image_format)
        except (TypeError, ValueError):
            _arguments.refuse("image_format", image_format, "one of " + ", ".join(map(str, ImageFormat)))
        name, channels = _LAYOUTS[self.image_format]
        self._array = _frames.array(data, name)
        found = self._array.shape[2] if self._array.ndim == 3 else 1
        if self._array.ndim not in (2, 3) or found != channels or self._array.dtype != numpy.uint8:
            raise FrameError(f"An image of {self.image_format.name} has {channels} channels of uint8; "
                             f"this array has the shape {self._array.shape} and {self._array.dtype}.")
        self.layout = name

    @property
    def image_format(self) -> ImageFormat:
        """How the pixels are stored."""
        return self._format

    @classmethod
    def create_from_file(cls, file_name: str) -> "Image":
        """Reads an image file upright: the orientation that a JPEG, PNG, WebP or AVIF file states is applied.

        It reads with OpenCV or with Pillow, whichever is installed; both give the same pixels.
        """
        if _arguments.path("file_name", file_name) is None:
            _arguments.refuse("file_name", file_name, "a path")
        try:
            with open(file_name, "rb") as file:
                content = file.read()
        except OSError as error:
            raise ImageError(f"{file_name} cannot be read: {error.strerror}.") from error
        try:
            stored = _decoded(content)
        except _NoImage as error:
            raise ImageError(f"{file_name} is no image that {error} reads.") from error
        return cls(ImageFormat.SRGB, _orientation.upright(stored, _orientation.of_file(content)))

    @property
    def width(self) -> int:
        return self._array.shape[1]

    @property
    def height(self) -> int:
        return self._array.shape[0]

    @property
    def channels(self) -> int:
        return _LAYOUTS[self.image_format][1]

    @property
    def step(self) -> int:
        """Bytes from one row to the next."""
        return self._array.strides[0]

    def numpy_view(self) -> numpy.ndarray:
        """The pixels, which cannot be written to through this array."""
        view = self._array.view()
        view.flags.writeable = False
        return view

    def copy(self) -> "Image":
        """The same with pixels of its own."""
        return Image(self.image_format, self._array.copy())

    def is_contiguous(self) -> bool:
        """Whether rows follow each other without a gap."""
        return self._array.flags.c_contiguous

    def is_empty(self) -> bool:
        """Whether there are no pixels."""
        return self._array.size == 0

    def uses_gpu(self) -> bool:
        """False: pixels lie in the main memory."""
        return False

    def is_aligned(self, alignment_boundary: int) -> bool:
        """Whether every row begins at a multiple of so many bytes."""
        return self._array.ctypes.data % alignment_boundary == 0 and self.step % alignment_boundary == 0

    def __getitem__(self, key: Any) -> Any:
        """A sample by its row, column and channel, or a part of the array."""
        return self.numpy_view()[key]


class _NoImage(Exception):
    """The content is no image that the library named in the text reads."""


def _decoded(content: bytes) -> numpy.ndarray:
    """The pixels as red, green and blue, as they are stored."""
    try:
        import cv2
    except ImportError:
        return _decoded_by_pillow(content)
    how = cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION
    try:
        decoded = cv2.imdecode(numpy.frombuffer(content, numpy.uint8), how) if content else None
    except cv2.error as error:
        raise _NoImage("OpenCV") from error
    if decoded is None:
        raise _NoImage("OpenCV")
    return decoded[:, :, ::-1]


def _decoded_by_pillow(content: bytes) -> numpy.ndarray:
    try:
        import PIL.Image
    except ImportError as error:
        raise ImageError("Reading an image file needs OpenCV or Pillow; install one of them.") from error
    try:
        image = PIL.Image.open(io.BytesIO(content))
        if image.mode.startswith("I;16"):
            # Pillow would clip 16 bits to 8, instead of dividing them.
            return numpy.repeat((numpy.asarray(image) >> 8).astype(numpy.uint8)[:, :, None], 3, axis=2)
        return numpy.asarray(image.convert("RGB"))
    except (OSError, SyntaxError, ValueError, PIL.Image.DecompressionBombError) as error:
        raise _NoImage("Pillow") from error
