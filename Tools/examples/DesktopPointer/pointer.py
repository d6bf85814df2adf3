#!/usr/bin/env python3
"""Moves the pointer of an X11 desktop with a hand: pointer.py [CLIP]. A pinch presses, a fist that moves scrolls, Escape stops."""
import ctypes
import subprocess
import sys

import numpy
import swift_gesture

WIDTH, HEIGHT, RATE, ESCAPE, TURN = 640, 480, 30, 0xFF1B, 0.03
x11, xtst = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXtst.so.6")
x11.XOpenDisplay.restype = ctypes.c_void_p
display = ctypes.c_void_p(x11.XOpenDisplay(None)) or sys.exit("There is no X11 display.")
screen = x11.XDefaultScreen(display)
size = x11.XDisplayWidth(display, screen), x11.XDisplayHeight(display, screen)
escape, keys, turned = x11.XKeysymToKeycode(display, ctypes.c_ulong(ESCAPE)), ctypes.create_string_buffer(32), 0.0
camera = ["-i", sys.argv[1]] if len(sys.argv) > 1 else ["-f", "v4l2", "-i", "/dev/video0"]
video = subprocess.Popen(["ffmpeg", "-v", "error", *camera, "-r", str(RATE), "-vf", f"scale={WIDTH}:{HEIGHT}", "-f", "rawvideo",
                          "-pix_fmt", "bgr24", "-"], stdout=subprocess.PIPE)
stream, number = swift_gesture.Engine().stream(rate=RATE, pointer=True), 0
while len(data := video.stdout.read(WIDTH * HEIGHT * 3)) == WIDTH * HEIGHT * 3:
    stream.push(numpy.frombuffer(data, numpy.uint8).reshape(HEIGHT, WIDTH, 3), number / RATE)
    pointer, number = stream.pointer, number + 1
    xtst.XTestFakeMotionEvent(display, -1, int(pointer.x * (size[0] - 1)), int(pointer.y * (size[1] - 1)), ctypes.c_ulong(0))
    for event in {"pressed", "released"} & set(pointer.events):
        xtst.XTestFakeButtonEvent(display, 1, event == "pressed", ctypes.c_ulong(0))
    turned += pointer.scroll[1]
    while abs(turned) > TURN:  # A fist that moves down pulls the page down: button 4 is a turn of the wheel upwards.
        for is_down in (1, 0):
            xtst.XTestFakeButtonEvent(display, 4 if turned > 0 else 5, is_down, ctypes.c_ulong(0))
        turned -= TURN if turned > 0 else -TURN
    x11.XFlush(display)
    x11.XQueryKeymap(display, keys)
    if keys.raw[escape // 8] >> escape % 8 & 1:
        break
if stream.pointer.state in ("pressed", "dragging"):
    xtst.XTestFakeButtonEvent(display, 1, 0, ctypes.c_ulong(0))
    x11.XFlush(display)
video.kill()
