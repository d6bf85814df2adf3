"""What may stand for an array: images of PIL by their mode, and arrays whose order of channels is not plain."""
import unittest

import numpy
import PIL.Image
import swift_gesture
import swift_gesture.mediapipe as mp
from swift_gesture import _frames

import support

FrameError = swift_gesture.FrameError


class Tensor:
    """What another framework has in the place of NumPy's arrays."""

    def __init__(self, array):
        self._array = array

    def __array__(self, dtype=None, copy=None):
        if isinstance(self._array, Exception):
            raise self._array
        return self._array


class ImageTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.engine = swift_gesture.Engine()
        cls.rgb = support.rgb(15)
        cls.image = PIL.Image.fromarray(cls.rgb)

    def found(self, image, **options):
        return [(hand.handedness, hand.presence, hand.landmarks.tolist())
                for hand in self.engine.recognize_hands(image, **options)]

    def test_the_mode_of_an_image_says_its_format(self):
        expected = self.found(numpy.ascontiguousarray(self.rgb[:, :, ::-1]))
        self.assertEqual(len(expected), 1)
        transparent = self.image.copy()
        transparent.putalpha(0)
        for image in (self.image, self.image.convert("RGBA"), self.image.convert("RGBX"), transparent):
            self.assertEqual(self.found(image), expected, image.mode)
        self.assertEqual(self.found(self.image, format="rgb"), expected)
        stream = self.engine.stream()
        stream.push(self.image, 0)
        self.assertEqual(stream.hands[0].landmarks.tolist(), self.engine.hand_tracker().track(self.image, 0)[0].landmarks.tolist())
        person = PIL.Image.fromarray(support.person())
        self.assertEqual(len(self.engine.recognize_bodies(person)), 1)
        described, _ = _frames.frame(self.image.convert("L"))
        self.assertEqual(described.format, _frames._FORMATS["gray"])

    def test_other_modes_are_refused(self):
        for mode in ("1", "P", "CMYK", "LA", "PA", "I;16", "I", "F", "YCbCr", "HSV", "LAB", "La", "RGBa"):
            image = PIL.Image.new(mode, (48, 32))
            for take in (self.engine.recognize_hands, self.engine.recognize_bodies,
                         lambda image: self.engine.stream().push(image, 0),
                         lambda image: mp.Image(mp.ImageFormat.SRGB, image)):
                with self.assertRaisesRegex(FrameError, rf"{mode} .*image.convert\('RGB'\)"):
                    take(image)
        for image, format in ((self.image, "bgr"), (self.image.convert("RGBA"), "bgra"), (self.image.convert("L"), "rgb")):
            with self.assertRaisesRegex(FrameError, f"not {format}"):
                self.engine.recognize_hands(image, format)
        with self.assertRaisesRegex(FrameError, "mode RGBA has the format rgba, not rgb"):
            mp.Image(mp.ImageFormat.SRGB, self.image.convert("RGBA"))
        self.assertEqual(mp.Image(mp.ImageFormat.SRGB, self.image).width, self.image.width)

    def test_arrays_without_a_plain_order(self):
        first = numpy.ascontiguousarray(self.rgb.transpose(2, 0, 1))
        for image, options, words in (
                (Tensor(self.rgb), {}, "order of the channels of a Tensor"), (first, {}, "Channels come last"),
                (Tensor(first), {"format": "rgb"}, "Channels come last"),
                (Tensor(TypeError("on another device.")), {}, "no array: on another device"),
                (self.rgb / 255, {}, "float64.*255"), (self.rgb.astype(numpy.uint16), {}, "uint16")):
            with self.assertRaisesRegex(FrameError, words):
                self.engine.recognize_hands(image, **options)
        expected = self.found(self.rgb, format="rgb")
        self.assertEqual(self.found(Tensor(self.rgb), format="rgb"), expected)

    def test_alpha_is_ignored(self):
        expected = self.found(self.rgb, format="rgb")
        for alpha in (0, 127, 255):
            four = numpy.dstack([self.rgb, numpy.full(self.rgb.shape[:2], alpha, numpy.uint8)])
            self.assertEqual(self.found(four, format="rgba"), expected)
            self.assertEqual(self.found(numpy.ascontiguousarray(four[:, :, [2, 1, 0, 3]])), expected)


if __name__ == "__main__":
    unittest.main()
