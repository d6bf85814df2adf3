"""Draws a hand and its forearm into a frame: layers with straight colours, one alpha, motion blur over both.

Colours are extended under every soft edge (`mattes.spread`, and limbs whose colour is wider than their alpha), and are multiplied by an alpha only
once. So an edge mixes only the hand and the background.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from .mattes import HAND_LENGTH, PALM, SIDE

# Position from the edge of a limb inwards, as a share of its half width, and brightness there: a cylinder lit from the camera's side.
_ROUND = ((1.0, 0.80), (0.88, 0.88), (0.74, 0.94), (0.56, 0.99), (0.34, 1.02))


@dataclass(frozen=True)
class Look:
    """One person's arm and skin. skin, sleeve: gray values; cuff: the end of a bare arm's sleeve on the forearm (none from 0.7 on)."""

    skin: float
    contrast: float
    arm: bool
    bare: bool
    sleeve: float
    cuff: float
    thick: float
    turn: float  # of the elbow, in degrees
    elbow: float  # angle between upper arm and forearm, in degrees
    watch: float  # gray value of a band on a bare arm, or below 0 for none
    light: np.ndarray | None = None  # factor of the gray values of hand and arm, [k,k] over a square around the sprite, 3 times its side
    detail: float = 0.0  # factor of the sprite's fine shading that is added; negative: subtracted
    short: float = 1.0  # start of the sleeve on the upper arm if the forearm is bare (1: no sleeve)
    belly: float = 0.0  # widening of a bare forearm at two thirds of the way to the elbow

    @classmethod
    def drawn(cls, rng, skin):
        return cls(skin=skin, contrast=rng.uniform(0.8, 1.25), arm=rng.random() < 0.93, bare=rng.random() < 0.5,
                   sleeve=rng.uniform(15, 225), cuff=rng.uniform(0.0, 0.9), thick=rng.uniform(0.85, 1.15), turn=rng.normal(0, 10),
                   elbow=rng.uniform(15, 110) * rng.choice([-1, 1]), watch=rng.uniform(10, 240) if rng.random() < 0.2 else -1.0)

    def randomised(self, rng):
        """The same person with a rounder arm, possibly a T-shirt, and other light: harder or softer, from a side, with edges of shadows over hand and
        arm, through a camera that sharpens."""
        light = None
        if rng.random() < 0.8:
            y, x = np.mgrid[-3:3:96j, -3:3:96j]

            def along(angle):
                return x * np.cos(angle) + y * np.sin(angle)

            stops = rng.normal(0, 0.5) * np.clip(along(rng.uniform(0, 2 * np.pi)), -1.3, 1.3)
            for cells, deep in ((12, 0.15), (48, rng.uniform(0, 0.08))):
                stops += cv2.resize(rng.normal(0, deep, (cells, cells)), (96, 96), interpolation=cv2.INTER_LINEAR)
            while rng.random() < 0.4:
                edge = along(rng.uniform(0, 2 * np.pi)) - rng.uniform(-1.5, 1.5)
                stops -= rng.uniform(0.2, 0.8) * np.clip(0.5 + edge / rng.uniform(0.05, 0.4), 0, 1)
            light = np.exp(stops).astype(np.float32)
        return replace(self, contrast=self.contrast * float(np.exp(rng.normal(0, 0.2))), light=light,
                       detail=rng.uniform(-0.6, 1.5) if rng.random() < 0.6 else 0.0,
                       short=rng.uniform(0.08, 0.6) if rng.random() < 0.7 else 1.0, belly=rng.uniform(0, 0.35),
                       cuff=0.9 if rng.random() < 0.5 else self.cuff)

    def sharpened(self, sprite):
        """uint8 [n,n,2] -> the sprite with its detail."""
        if self.detail == 0:
            return sprite
        gray = np.ascontiguousarray(sprite[..., 0])
        gray = cv2.addWeighted(gray, 1 + self.detail, cv2.GaussianBlur(gray, (0, 0), 2.5 * len(sprite) / SIDE), -self.detail, 0)
        return cv2.merge([gray, np.ascontiguousarray(sprite[..., 1])])

    def limbs(self, arm):
        """arm: a row of the bank's arms.npy. -> list of (corners [4,2] in sprite pixels, half widths at both ends, side, gray value)."""
        if not self.arm:
            return []
        ax, ay, dx, dy, share = (float(v) for v in arm)
        turn = np.deg2rad(self.turn)
        dx, dy = dx * np.cos(turn) - dy * np.sin(turn), dx * np.sin(turn) + dy * np.cos(turn)
        a = np.array([ax, ay])
        b = a + np.array([dx, dy]) * 300 * max(share, 0.3)
        side = np.array([-dy, dx])
        wa, wb = 9.5 * self.thick, 22 * self.thick

        def between(f, wider, end=1.0):
            """From the share f of the forearm on, towards the elbow."""
            return a + (b - a) * f, a + (b - a) * end, side, (wa + (wb - wa) * f) * wider, (wa + (wb - wa) * end) * wider

        turn = np.deg2rad(self.elbow)
        up = np.array([dx * np.cos(turn) - dy * np.sin(turn), dx * np.sin(turn) + dy * np.cos(turn)])
        covered = not self.bare or self.cuff < 0.7
        wide = wb * (1.15 if covered else 1.0)
        aside = np.array([-up[1], up[0]])
        upper = (b - up * 0.6 * wide, b + up * 300, aside, wide, wide * 1.3, self.sleeve if covered else self.skin)
        if not self.bare:
            c = a + (b - a) * 0.05
            return [upper, (a, c, side, wa, wa + 1, self.skin), (c, b, side, (wa + 2) * 1.1, wb * 1.15, self.sleeve)]
        out = [upper]
        if not covered and self.short < 1:
            out.append((b + up * 300 * self.short, b + up * 300, aside, wide * (1.1 + 0.3 * self.short), wide * 1.5, self.sleeve))
        if self.belly:
            middle, half = a + (b - a) * 0.65, (wa + (wb - wa) * 0.65) * (1 + self.belly)
            out += [(a, middle, side, wa, half, self.skin), (middle, b, side, half, wb, self.skin)]
        else:
            out.append((*between(0.0, 1.0), self.skin))
        if self.watch >= 0:
            out.append((*between(0.05, 1.08, 0.075), self.watch))
        if self.cuff < 0.7:
            out.append((*between(0.12 + 0.5 * self.cuff, 1.17), self.sleeve))
        return out


def similarity(cx, cy, x, y, scale, roll, squeeze, mirror):
    """2x3 warp: sprite point (cx, cy) goes to frame point (x, y); squeeze narrows the frame's x axis afterwards."""
    a = np.deg2rad(roll)
    m = -1.0 if mirror else 1.0
    linear = scale * np.array([[np.cos(a) * m, -np.sin(a)], [np.sin(a) * m, np.cos(a)]])
    linear[0] *= squeeze
    return np.column_stack([linear, np.array([x, y]) - linear @ (cx, cy)])


def level(scale):
    """The number of times that a sprite is halved before it is warped by this scale."""
    return 0 if scale > 0.6 else 1 if scale > 0.3 else 2


def place(frame, sprite, arm, look, x, y, size, roll, squeeze, mirror, smear=(0.0, 0.0), lag=(0.0, 0.0)):
    """Draws the hand with its palm at (x, y) pixels into a uint8 frame, in place. -> visible share of an open hand's area.

    sprite: uint8 [n,n,2], halved `level` times. size: the open hand's length as a share of the frame's height. roll: degrees. smear: movement of the
    hand while the shutter is open, in pixels (x, y). lag: movement of the hand between the exposures of two rows, in pixels (rolling shutter).
    """
    height, width = frame.shape
    scale = size * height / HAND_LENGTH
    warp = similarity(*PALM, x, y, scale, roll, squeeze, mirror)
    later = np.array([[1, lag[0]], [0, 1 + lag[1]]])
    warp = np.column_stack([later @ warp[:, :2], later @ (warp[:, 2] - (0, y)) + (0, y)])
    limbs = look.limbs(arm)
    length = float(np.hypot(*smear))
    span = int(min(length, 60)) | 1 if length > 2.0 else 3

    # Only the part of the frame that hand and arm can reach.
    reach = [(0, 0), (SIDE, 0), (SIDE, SIDE), (0, SIDE)]
    for a, b, side, wa, wb, _ in limbs:
        reach += [a - side * wa, a + side * wa, b + side * wb, b - side * wb]
    reach = np.array(reach) @ warp[:, :2].T + warp[:, 2]
    x0, y0 = np.clip(np.floor(reach.min(0)).astype(int) - span // 2 - 2, 0, (width, height))
    x1, y1 = np.clip(np.ceil(reach.max(0)).astype(int) + span // 2 + 3, 0, (width, height))
    if x0 >= x1 or y0 >= y1:
        return 0.0
    warp[:, 2] -= (x0, y0)
    shape = (int(y1 - y0), int(x1 - x0))

    gray, alpha = np.zeros(shape, np.uint8), np.zeros(shape, np.uint8)
    for limb in limbs:
        _limb(gray, alpha, warp, scale, *limb)
    matrix = warp.copy()
    matrix[:, :2] *= SIDE / len(sprite)
    part = cv2.warpAffine(look.sharpened(sprite), matrix, shape[::-1], flags=cv2.INTER_LINEAR)
    tone = np.arange(256)
    tone = np.clip((tone - 150) * look.contrast + 150, 0, 255) * (look.skin / 150)
    tone = cv2.LUT(part[..., 0], np.minimum(tone, 255).astype(np.float32))
    cover = part[..., 1].astype(np.float32) * (1 / 255)
    area = float((part[..., 1] > 127).sum())

    value = tone * cover
    if limbs:
        under = alpha.astype(np.float32) * (1 / 255) * (1 - cover)
        value += gray * under
        cover += under
    if look.light is not None:
        step = 3 * SIDE / (len(look.light) - 1)
        matrix = warp @ np.array([[step, 0, -SIDE], [0, step, -SIDE], [0, 0, 1]])
        value *= cv2.warpAffine(look.light, matrix, shape[::-1], borderMode=cv2.BORDER_REPLICATE)
    if length > 2.0:
        kernel = _line(smear, length, span)
        cover, value = cv2.filter2D(cover, -1, kernel), cv2.filter2D(value, -1, kernel)
    else:
        cover, value = cv2.GaussianBlur(cover, (3, 3), 0), cv2.GaussianBlur(value, (3, 3), 0)
    region = frame[y0:y1, x0:x1]
    value += region * (1 - cover)
    np.clip(value, 0, 255, out=value)
    region[...] = value
    # A hand of HAND_LENGTH covers about 3,400 pixels when open, a fist 1,200.
    return area / (1200.0 * scale * scale * squeeze)


def _limb(gray, alpha, warp, scale, a, b, side, wa, wb, code):
    """A tapered, rounded limb from a to b (sprite pixels). Its colour is a pixel and a half wider than its alpha."""
    more = 1.5 / scale
    insets = np.array([[wa + more, wb + more], [wa, wb], *([wa * inset, wb * inset] for inset, _ in _ROUND[1:])])
    near, far = insets[:, :1] * side, insets[:, 1:] * side
    corners = np.stack([a - near, a + near, b + far, b - far], 1)
    outer, rim, *inner = np.int32(np.rint((corners @ warp[:, :2].T + warp[:, 2]) * 16))
    cv2.fillConvexPoly(alpha, rim, 255, cv2.LINE_AA, 4)
    for points, (_, shade) in zip((outer, *inner), _ROUND):
        cv2.fillConvexPoly(gray, points, float(min(code * shade, 255)), cv2.LINE_8, 4)


def _line(smear, length, span):
    kernel = np.zeros((span, span), np.float32)
    c = span // 2
    ux, uy = smear[0] / length * c, smear[1] / length * c
    cv2.line(kernel, (int(round(c - ux)), int(round(c - uy))), (int(round(c + ux)), int(round(c + uy))), 1.0, 1)
    return kernel / kernel.sum()
