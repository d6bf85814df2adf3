"""OpenCV's and libyuv's resize to 224 x 224, one core: the mean of all pixels (INTER_AREA, kFilterBox) or bilinear, of four.

Run as a module it reads JSON lines {"count": n} and answers {"opencv": {source: us}, "libyuv": {...}}, medians.
libyuv is taken from the system (Debian: libyuv0) and left out where it is absent; for luma it is ScalePlane, for BGRA
the better of resizing first and converting first, as for OpenCV.
"""

import ctypes
import ctypes.util
import json
import statistics
import sys
import time

import cv2
import numpy as np

from .network import SIDE

_SIZES = {
    "luma 1920x1080": (1920, 1080, 1), "luma 1280x720": (1280, 720, 1), "luma 640x480": (640, 480, 1),
    "BGRA 640x480": (640, 480, 4),
}
_BILINEAR, _BOX = 2, 3  # libyuv's kFilterBilinear, kFilterBox
# Width, height, channels, OpenCV's and libyuv's filter.
SOURCES = ({name: (*size, cv2.INTER_AREA, _BOX) for name, size in _SIZES.items()}
           | {f"{name}, four pixels": (*size, cv2.INTER_LINEAR, _BILINEAR) for name, size in _SIZES.items()})


def _pointer(array):
    return ctypes.c_void_p(array.ctypes.data)


def opencv_ways(image, result, interpolation):
    """Callables that fill `result`."""
    size = (SIDE, SIDE)
    if image.ndim == 2:
        return [lambda: cv2.resize(image, size, dst=result, interpolation=interpolation)]
    gray = np.empty(image.shape[:2], np.uint8)
    small = np.empty((SIDE, SIDE, 4), np.uint8)

    def convert_first():
        cv2.cvtColor(image, cv2.COLOR_BGRA2GRAY, dst=gray)
        cv2.resize(gray, size, dst=result, interpolation=interpolation)

    def resize_first():
        cv2.resize(image, size, dst=small, interpolation=interpolation)
        cv2.cvtColor(small, cv2.COLOR_BGRA2GRAY, dst=result)

    return [convert_first, resize_first]


def libyuv_ways(library, image, result, filtering):
    height, width = image.shape[:2]

    def scale(source, target):
        function = library.ScalePlane if source.ndim == 2 else library.ARGBScale
        (h, w), arguments = source.shape[:2], (_pointer(source), source.strides[0])
        arguments += (w, h, _pointer(target), target.strides[0], SIDE, SIDE, filtering)
        return lambda: function(*arguments)

    def gray_of(source, target):
        h, w = source.shape[:2]
        arguments = (_pointer(source), source.strides[0], _pointer(target), target.strides[0], w, h)
        return lambda: library.ARGBToJ400(*arguments)

    if image.ndim == 2:
        return [scale(image, result)]
    gray = np.empty((height, width), np.uint8)
    small = np.empty((SIDE, SIDE, 4), np.uint8)
    ways = [(gray_of(image, gray), scale(gray, result))]
    # Of four channels libyuv makes no mean but at whole ratios: its box filter is the bilinear one then.
    if filtering != _BOX:
        ways.append((scale(image, small), gray_of(small, result)))
    # The arrays must outlive the pointers to them.
    return [lambda first=first, second=second, keep=(gray, small): (first(), second()) for first, second in ways]


def load_libyuv():
    name = ctypes.util.find_library("yuv")
    return ctypes.CDLL(name) if name else None


def _median(call, count):
    samples = []
    for index in range(count + 3):
        begin = time.perf_counter_ns()
        call()
        samples.append((time.perf_counter_ns() - begin) / 1000)
    return statistics.median(samples[3:])


def main():
    cv2.setNumThreads(1)
    library = load_libyuv()
    generator = np.random.default_rng(0)
    works = []
    for name, (width, height, channels, interpolation, filtering) in SOURCES.items():
        # Smooth content; the kernels' time does not depend on it.
        image = cv2.resize(generator.integers(0, 256, (9, 16, channels), np.uint8), (width, height))
        image = np.ascontiguousarray(image)
        result = np.empty((SIDE, SIDE), np.uint8)
        works.append(("opencv", name, opencv_ways(image, result, interpolation)))
        if library is not None:
            works.append(("libyuv", name, libyuv_ways(library, image, result, filtering)))
    for line in sys.stdin:
        count = json.loads(line)["count"]
        answer = {"opencv": {}, "libyuv": {}}
        for engine, name, ways in works:
            answer[engine][name] = min(_median(way, count) for way in ways)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
