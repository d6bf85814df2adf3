"""Images as MediaPipe's calls take them."""
import enum

import numpy


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

    def __init__(self, image_format, data):
        self.image_format = ImageFormat(image_format)
        self._array = numpy.asarray(data)
        name, channels = _LAYOUTS[self.image_format]
        found = self._array.shape[2] if self._array.ndim == 3 else 1
        if self._array.ndim not in (2, 3) or found != channels or self._array.dtype != numpy.uint8:
            raise ValueError(f"An image of {self.image_format.name} has {channels} channels of uint8; "
                             f"this array has the shape {self._array.shape} and {self._array.dtype}.")
        self.layout = name

    @classmethod
    def create_from_file(cls, file_name):
        """Reads an image file, with OpenCV or with Pillow, whichever is installed."""
        with open(file_name, "rb") as file:
            content = file.read()
        try:
            import cv2
        except ImportError:
            return cls._read_with_pillow(file_name, content)
        decoded = cv2.imdecode(numpy.frombuffer(content, numpy.uint8), cv2.IMREAD_COLOR) if content else None
        if decoded is None:
            raise RuntimeError(f"{file_name} is no image that OpenCV reads.")
        return cls(ImageFormat.SRGB, numpy.ascontiguousarray(decoded[:, :, ::-1]))

    @classmethod
    def _read_with_pillow(cls, file_name, content):
        try:
            import PIL.Image
        except ImportError as error:
            raise RuntimeError("Reading an image file needs OpenCV or Pillow; install one of them.") from error
        import io
        try:
            return cls(ImageFormat.SRGB, numpy.asarray(PIL.Image.open(io.BytesIO(content)).convert("RGB")))
        except OSError as error:
            raise RuntimeError(f"{file_name} is no image that Pillow reads.") from error

    @property
    def width(self):
        return self._array.shape[1]

    @property
    def height(self):
        return self._array.shape[0]

    @property
    def channels(self):
        return _LAYOUTS[self.image_format][1]

    def numpy_view(self):
        """The pixels."""
        return self._array
