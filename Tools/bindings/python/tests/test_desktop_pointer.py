"""The example that moves the pointer of an X11 desktop, on a virtual one that tells what its pointer did."""
import ctypes
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy
import swift_gesture

import support

EXAMPLE = support.ROOT / "Tools/examples/DesktopPointer/pointer.py"
WIDTH, HEIGHT = 1280, 720
PRESS, RELEASE, MOTION = 4, 5, 6
ESCAPE = 0xFF1B
# A package whose streams tell these pointers in turn, whatever the frames show.
SCRIPTED = """
import types

SCRIPT = {script}

class Engine:
    def stream(self, **options):
        return Stream()

class Stream:
    number = -1

    def push(self, frame, time):
        self.number += 1

    @property
    def pointer(self):
        if self.number >= len(SCRIPT):
            return types.SimpleNamespace(x=self.last.x, y=self.last.y, state=self.last.state, events=(), scroll=(0, 0))
        x, y, state, events, *scroll = SCRIPT[self.number]
        self.last = types.SimpleNamespace(x=x, y=y, state=state, events=events, scroll=(0, *scroll, 0)[:2])
        return self.last
"""


class Event(ctypes.Union):
    """XButtonEvent, which is an XMotionEvent up to its button, in the space of an XEvent."""

    class Fields(ctypes.Structure):
        _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("sent", ctypes.c_int), ("display", ctypes.c_void_p),
                    *((name, ctypes.c_ulong) for name in ("window", "root", "child", "time")),
                    *((name, ctypes.c_int) for name in ("x", "y", "root_x", "root_y")),
                    ("state", ctypes.c_uint), ("button", ctypes.c_uint)]

    _fields_ = [("fields", Fields), ("space", ctypes.c_long * 24)]


class DesktopPointerTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        server = subprocess.Popen(["Xvfb", "-displayfd", "1", "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-nolisten", "tcp"],
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        cls.addClassCleanup(server.communicate)
        cls.addClassCleanup(server.kill)
        cls.name = f":{server.stdout.readline().strip()}"
        cls.x11, cls.xtst = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXtst.so.6")
        cls.x11.XOpenDisplay.restype, cls.x11.XDefaultRootWindow.restype = ctypes.c_void_p, ctypes.c_ulong
        cls.display = ctypes.c_void_p(cls.x11.XOpenDisplay(cls.name.encode()))
        root = ctypes.c_ulong(cls.x11.XDefaultRootWindow(cls.display))
        # All motions, presses and releases come here, whatever is below the pointer.
        mask = 1 << 2 | 1 << 3 | 1 << 6
        none = ctypes.c_ulong(0)
        if cls.x11.XGrabPointer(cls.display, root, 0, mask, 1, 1, none, none, none):
            raise RuntimeError("the pointer cannot be grabbed")
        cls.addClassCleanup(cls.x11.XCloseDisplay, cls.display)

    def clip(self, start, seconds):
        path = self.folder / f"{start}-{seconds}.mkv"
        subprocess.run(["ffmpeg", "-v", "error", "-y", "-ss", str(start), "-i", str(support.CLIP), "-t", str(seconds), "-c:v", "ffv1",
                        str(path)], check=True)
        return path

    def run_example(self, clip, packages=()):
        """What the X server's pointer does: (type, button, x, y) of each event, without motions to where it is."""
        paths = [str(path) for path in packages] + [path for path in [os.environ.get("PYTHONPATH")] if path]
        subprocess.run([sys.executable, str(EXAMPLE), str(clip)], check=True, timeout=60,
                       env=os.environ | {"DISPLAY": self.name, "PYTHONPATH": os.pathsep.join(paths)})
        self.x11.XSync(self.display, 0)
        found, event = [], Event()
        while self.x11.XPending(self.display):
            self.x11.XNextEvent(self.display, ctypes.byref(event))
            fields = event.fields
            place = fields.root_x, fields.root_y
            if fields.type in (PRESS, RELEASE):
                found.append((fields.type, fields.button, *place))
            elif fields.type == MOTION and (not found or found[-1][2:] != place):
                found.append((MOTION, 0, *place))
        return found

    def run_script(self, *script):
        (self.folder / "swift_gesture.py").write_text(SCRIPTED.format(script=repr(script)))
        return self.run_example(self.clip(0, 0.5), [self.folder])

    def test_a_pinch_presses_where_the_hand_points(self):
        found = self.run_script(
            (0.25, 0.5, "hovering", ("entered",)), (0.75, 0.25, "hovering", ("moved",)), (0.75, 0.25, "pressed", ("pressed",)),
            (0.5, 0.75, "dragging", ("dragged",)), (0.5, 0.75, "hovering", ("released",)), (1, 0, "hovering", ("moved",)))
        self.assertEqual(found, [
            (MOTION, 0, 319, 359), (MOTION, 0, 959, 179), (PRESS, 1, 959, 179), (MOTION, 0, 639, 539), (RELEASE, 1, 639, 539),
            (MOTION, 0, 1279, 0)])

    def test_a_fist_turns_the_wheel(self):
        # A turn is 0.03: one upwards with 0.01 left, then two downwards.
        found = self.run_script((0.5, 0.75, "hovering", ("scrolled",), 0.04), (0.5, 0.75, "hovering", ("scrolled",), -0.08))
        self.assertEqual([step[:2] for step in found if step[0] != MOTION], [(PRESS, 4), (RELEASE, 4), *2 * [(PRESS, 5), (RELEASE, 5)]])

    def test_the_end_of_the_video_releases(self):
        found = self.run_script((0.5, 0.25, "pressed", ("pressed",)))
        self.assertEqual(found, [(MOTION, 0, 639, 179), (PRESS, 1, 639, 179), (RELEASE, 1, 639, 179)])

    def test_escape_stops(self):
        key = self.x11.XKeysymToKeycode(self.display, ctypes.c_ulong(ESCAPE))
        self.xtst.XTestFakeKeyEvent(self.display, key, 1, ctypes.c_ulong(0))
        self.addCleanup(self.x11.XSync, self.display, 0)
        self.addCleanup(self.xtst.XTestFakeKeyEvent, self.display, key, 0, ctypes.c_ulong(0))
        self.x11.XSync(self.display, 0)
        self.assertEqual(self.run_script((0.25, 0.25, "hovering", ()), (0.75, 0.75, "hovering", ())), [(MOTION, 0, 319, 179)])

    def test_a_hand_in_a_video_moves_it(self):
        clip = self.clip(3.8, 2)
        found = self.run_example(clip)
        frames = subprocess.run(["ffmpeg", "-v", "error", "-i", str(clip), "-r", "30", "-vf", "scale=640:480", "-f", "rawvideo", "-pix_fmt",
                                 "bgr24", "-"], check=True, stdout=subprocess.PIPE).stdout
        stream, expected = swift_gesture.Engine().stream(rate=30, pointer=True), []
        for number, frame in enumerate(numpy.frombuffer(frames, numpy.uint8).reshape(-1, 480, 640, 3)):
            stream.push(frame, number / 30)
            place = int(stream.pointer.x * (WIDTH - 1)), int(stream.pointer.y * (HEIGHT - 1))
            if place != (expected or [None])[-1]:
                expected.append(place)
        self.assertEqual([step[2:] for step in found if step[0] == MOTION], expected)
        across = [x for x, _ in expected]
        self.assertGreater(max(across) - min(across), WIDTH / 4)


if __name__ == "__main__":
    unittest.main()
