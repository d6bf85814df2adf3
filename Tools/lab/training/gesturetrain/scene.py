"""Backgrounds and people: everything in a composed frame except the hand. All gray, all seeded."""

import cv2
import numpy as np

from .mattes import SKIN, spread
from .people import CLOTH, SKIN_PART


def noise_texture(rng, width, height, octaves=5):
    """Smooth random texture, float32 in 0...1."""
    out = np.zeros((height, width), np.float32)
    weight = 0.0
    for k in range(octaves):
        cells = 2 ** (k + 1)
        w = rng.uniform(0.3, 1.0) / (k + 1)
        out += w * cv2.resize(rng.random((cells, cells), np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
        weight += w
    return np.clip(out / weight, 0, 1)


def room(rng, width, height):
    """Walls, windows, shelves, posters, lamps and furniture as shaded polygons: uint8."""
    image = np.full((height, width), rng.uniform(40, 220), np.float32)
    image += (np.linspace(-1, 1, width)[None] * rng.normal(0, 25) + np.linspace(-1, 1, height)[:, None] * rng.normal(0, 20))
    if rng.random() < 0.6:
        floor = int(height * rng.uniform(0.6, 0.95))
        image[floor:] = rng.uniform(30, 190)
    for _ in range(rng.integers(2, 16)):
        w, h = rng.uniform(0.04, 0.5) * width, rng.uniform(0.04, 0.6) * height
        x, y = rng.uniform(-0.1, 1) * width, rng.uniform(-0.1, 1) * height
        level = float(rng.uniform(10, 245))
        kind = rng.random()
        if kind < 0.55:
            angle = rng.normal(0, 4) if rng.random() < 0.8 else rng.uniform(0, 180)
            box = cv2.boxPoints(((x + w / 2, y + h / 2), (w, h), angle))
            cv2.fillConvexPoly(image, np.int32(box), level, cv2.LINE_AA)
            if rng.random() < 0.3:
                _patterned(rng, image, box)
            if rng.random() < 0.5:
                cv2.polylines(image, [np.int32(box)], True, float(rng.uniform(10, 245)), int(rng.integers(1, 5)), cv2.LINE_AA)
            if rng.random() < 0.35:
                for f in np.linspace(0.1, 0.9, rng.integers(2, 8)):
                    a, b = box[0] + (box[1] - box[0]) * f, box[3] + (box[2] - box[3]) * f
                    cv2.line(image, np.int32(a).tolist(), np.int32(b).tolist(), float(rng.uniform(10, 245)), int(rng.integers(1, 4)), cv2.LINE_AA)
        elif kind < 0.75:
            cv2.ellipse(image, (int(x), int(y)), (int(w / 3) + 1, int(h / 3) + 1), rng.uniform(0, 180), 0, 360, level, -1, cv2.LINE_AA)
        elif kind < 0.9:
            cv2.line(image, (int(x), int(y)), (int(x + rng.normal(0, width / 2)), int(y + rng.normal(0, height / 2))), level,
                     int(rng.integers(1, 10)), cv2.LINE_AA)
        else:
            points = np.int32(np.stack([x + rng.normal(0, w, 6), y + rng.normal(0, h, 6)], 1))
            cv2.fillConvexPoly(image, cv2.convexHull(points), level, cv2.LINE_AA)
    image += (noise_texture(rng, width, height, 6) - 0.5) * rng.uniform(0, 50)
    image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.3, 1.0) if rng.random() < 0.6 else rng.uniform(1.0, 3.0))
    return np.clip(image, 0, 255).astype(np.uint8)


def cluttered(rng, image):
    """Adds shelves, leaves, grain and small objects to parts of a room, and glare: the background of people at home. uint8, in place."""
    height, width = image.shape
    for _ in range(rng.integers(1, 5)):
        w, h = int(rng.uniform(0.15, 0.8) * width), int(rng.uniform(0.15, 0.8) * height)
        x, y = int(rng.uniform(-0.1, 0.9) * width), int(rng.uniform(-0.1, 0.9) * height)
        part = image[max(y, 0):y + h, max(x, 0):x + w]
        if min(part.shape) > 16:
            rng.choice([_shelf, _leaves, _grain, _things])(rng, part)
    if rng.random() < 0.3:
        glare = np.zeros((height, width), np.float32)
        for _ in range(rng.integers(1, 4)):
            centre, axes = (rng.random(2) * (width, height)).astype(int), rng.uniform(0.01, 0.12, 2) * width + 1
            cv2.ellipse(glare, centre.tolist(), axes.astype(int).tolist(), rng.uniform(0, 180), 0, 360, float(rng.uniform(60, 255)), -1, cv2.LINE_AA)
        image[...] = cv2.add(image, cv2.GaussianBlur(glare, (0, 0), rng.uniform(1, 0.04 * width)), dtype=cv2.CV_8U)
    image[...] = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.3, 1.5))


def _shelf(rng, part):
    """Rows of books: upright boxes of all gray values, some with a label on their back."""
    height, width = part.shape
    low, high = np.sort(rng.uniform(0, 255, 2))
    y = 0
    while y < height:
        row = int(rng.uniform(14, 60))
        part[y:y + row] = low * rng.uniform(0.3, 1)
        x = 0
        while x < width:
            thick, tall = int(rng.uniform(2, 14)), int(row * rng.uniform(0.5, 0.92))
            book = part[max(y + row - tall, 0):y + row - 2, x:x + thick]
            book[...] = rng.uniform(low, high)
            if rng.random() < 0.4:
                book[tall // 5:tall // 5 + max(tall // 4, 1)] = rng.uniform(low, high)
            x += thick if rng.random() < 0.9 else 2 * thick
        y += row


def _leaves(rng, part):
    """A plant, a heap of clothes, pebbles: overlapping ellipses of similar gray values, each darker at one side."""
    height, width = part.shape
    base, spread_of = rng.uniform(20, 220), rng.uniform(10, 60)
    size, slim = rng.uniform(2, 16), rng.uniform(0.2, 1.0)
    for _ in range(int(rng.uniform(0.4, 1.6) * min(height * width / (size * size * slim), 500))):
        at = (int(rng.uniform(0, width)), int(rng.uniform(0, height)))
        axes, angle = (int(size * rng.uniform(0.6, 1.4)) + 1, int(size * slim * rng.uniform(0.6, 1.4)) + 1), rng.uniform(0, 360)
        code = float(np.clip(rng.normal(base, spread_of), 0, 255))
        cv2.ellipse(part, at, axes, angle, 0, 360, code * 0.7, -1, cv2.LINE_AA)
        cv2.ellipse(part, at, axes, angle, 0, 180, code, -1, cv2.LINE_AA)


def _grain(rng, part):
    """Wood, curtains or brushed plaster: noise stretched along one axis, with joints."""
    height, width = part.shape
    fine, long = int(rng.integers(1, 5)), int(rng.uniform(8, 60))
    cells = (max(height // fine, 2), max(width // long, 2)) if rng.random() < 0.5 else (max(height // long, 2), max(width // fine, 2))
    noise = cv2.resize(rng.normal(0, 1, cells).astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR)
    part[...] = np.clip(rng.uniform(30, 220) + rng.uniform(5, 45) * noise, 0, 255)
    if rng.random() < 0.5:
        step = int(rng.uniform(12, 60))
        (part if rng.random() < 0.5 else part.T)[step // 2::step] = rng.uniform(0, 255)


def _things(rng, part):
    """Small boxes, bottles, cables and papers with lines, as on a table."""
    height, width = part.shape
    for _ in range(rng.integers(8, 45)):
        at = rng.random(2) * (width, height)
        size, code, kind = np.exp(rng.uniform(np.log(3), np.log(45), 2)), float(rng.uniform(0, 255)), rng.random()
        box = np.int32(cv2.boxPoints((at, size, rng.normal(0, 15))))
        if kind < 0.6:
            cv2.fillConvexPoly(part, box, code, cv2.LINE_AA)
            if rng.random() < 0.3:
                for f in np.linspace(0.15, 0.85, int(rng.integers(2, 7))):
                    a, b = box[0] + (box[1] - box[0]) * f, box[3] + (box[2] - box[3]) * f
                    cv2.line(part, np.int32(a).tolist(), np.int32(b).tolist(), float(rng.uniform(0, 255)), 1, cv2.LINE_AA)
        elif kind < 0.8:
            cv2.ellipse(part, (at, size, rng.uniform(0, 180)), code, -1, cv2.LINE_AA)
        else:
            points = np.int32(at + np.cumsum(rng.normal(0, 15, (6, 2)), 0))
            cv2.polylines(part, [points], False, code, int(rng.integers(1, 4)), cv2.LINE_AA)


def _patterned(rng, image, box):
    """Blinds, books, cloth or print on one piece of furniture (corners [4,2]), in place."""
    height, width = image.shape
    if rng.random() < 0.5:
        pattern = (noise_texture(rng, width, height, 8) - 0.5) * rng.uniform(50, 400)
    else:
        across = rng.normal(0, 1, 2)
        along = (np.arange(width)[None] * across[0] + np.arange(height)[:, None] * across[1]) / np.linalg.norm(across)
        pattern = rng.uniform(10, 70) * np.sign(np.sin(along * rng.uniform(0.15, 1.2) + rng.normal(0, 0.5, (height, 1)) * (rng.random() < 0.3)))
    mask = np.zeros((height, width), np.uint8)
    cv2.fillConvexPoly(mask, np.int32(box), 1)
    image[mask > 0] += np.broadcast_to(pattern, image.shape)[mask > 0]


def texture(rng, width, height):
    """Gradients and noise: uint8."""
    base = noise_texture(rng, width, height, int(rng.integers(1, 8)))
    low, high = np.sort(rng.uniform(0, 255, 2))
    return np.clip(low + (high - low) * base, 0, 255).astype(np.uint8)


def drawn_person(rng, skin):
    """A head and shoulders of ellipses: uint8 [256,256,2]."""
    side = 256
    gray = np.zeros((side, side), np.float32)
    alpha = np.zeros((side, side), np.uint8)
    cloth = rng.uniform(15, 220)
    shoulder = rng.uniform(70, 115)
    top = rng.uniform(128, 145)
    torso = np.array([[128 - 26, top - 8], [128 + 26, top - 8], [128 + shoulder, top + 30], [128 + shoulder + 12, 256],
                      [128 - shoulder - 12, 256], [128 - shoulder, top + 30]])
    body = np.zeros((side, side), np.uint8)
    cv2.fillConvexPoly(body, np.int32(torso), 255, cv2.LINE_AA)
    body = cv2.GaussianBlur(body, (0, 0), 5)
    body = np.where(body > 127, 255, 0).astype(np.uint8)
    pattern = cloth + (noise_texture(rng, side, side, 6) - 0.5) * rng.uniform(5, 60)
    if rng.random() < 0.3:
        pattern += rng.uniform(10, 40) * np.sign(np.sin(np.arange(side)[:, None] / rng.uniform(2, 8)))
    if rng.random() < 0.35:
        cv2.rectangle(pattern, (int(rng.uniform(90, 115)), 175), (int(rng.uniform(140, 170)), 235), float(rng.uniform(20, 230)), -1)
        pattern += (rng.random((side, side), np.float32) - 0.5) * 50 * (np.abs(np.arange(side)[None] - 128) < 30)
    gray[body > 0] = pattern[body > 0]
    alpha |= body
    face = skin * rng.uniform(0.85, 1.05)
    cv2.rectangle(gray, (110, 95), (146, int(top)), face * 0.8, -1)
    cv2.rectangle(alpha, (110, 95), (146, int(top)), 255, -1)
    wide, tall = rng.uniform(32, 42), rng.uniform(44, 54)
    centre = (128, 72)
    hair = rng.uniform(10, 120)
    if rng.random() < 0.85:
        long = rng.random() < 0.35
        size = (int(wide + rng.uniform(3, 9)), int(tall + rng.uniform(2, 9)))
        at = (128, int(72 - rng.uniform(4, 10)) + (18 if long else 0))
        size = (size[0], size[1] + (25 if long else 0))
        cv2.ellipse(gray, at, size, 0, 0, 360, hair, -1, cv2.LINE_AA)
        cv2.ellipse(alpha, at, size, 0, 0, 360, 255, -1, cv2.LINE_AA)
    cv2.ellipse(gray, centre, (int(wide), int(tall)), 0, 0, 360, face, -1, cv2.LINE_AA)
    cv2.ellipse(alpha, centre, (int(wide), int(tall)), 0, 0, 360, 255, -1, cv2.LINE_AA)
    if rng.random() < 0.8:
        cv2.ellipse(gray, (128, int(72 - tall * 0.72)), (int(wide * 0.95), int(tall * 0.38)), 0, 180, 360, hair, -1, cv2.LINE_AA)
    dark = face * rng.uniform(0.3, 0.7)
    for s in (-1, 1):
        cv2.ellipse(gray, (int(128 + s * wide * 0.42), 68), (6, 3), 0, 0, 360, dark, -1, cv2.LINE_AA)
        cv2.line(gray, (int(128 + s * wide * 0.25), 59), (int(128 + s * wide * 0.62), 58), dark, 2, cv2.LINE_AA)
        cv2.ellipse(gray, (int(128 + s * wide), 74), (5, 9), 0, 0, 360, face * 0.9, -1, cv2.LINE_AA)
    if rng.random() < 0.35:
        for s in (-1, 1):
            cv2.ellipse(gray, (int(128 + s * wide * 0.42), 69), (11, 8), 0, 0, 360, face * 0.35, 2, cv2.LINE_AA)
    cv2.line(gray, (128, 72), (126, 86), face * 0.75, 2, cv2.LINE_AA)
    cv2.ellipse(gray, (128, 100), (int(rng.uniform(8, 14)), int(rng.uniform(2, 5))), 0, 0, 360, dark, -1, cv2.LINE_AA)
    if rng.random() < 0.3:
        cv2.ellipse(gray, (128, 104), (int(wide * 0.7), 16), 0, 0, 180, face * 0.5, -1, cv2.LINE_AA)
    side_light = 1 + np.linspace(-1, 1, side)[None] * rng.normal(0, 0.2) + np.linspace(0.1, -0.1, side)[:, None]
    gray = gray * side_light + (noise_texture(rng, side, side, 5) - 0.5) * 15
    gray = spread(np.dstack([np.clip(gray, 0, 255).astype(np.uint8), alpha]))[..., 0]
    gray = cv2.GaussianBlur(gray, (0, 0), rng.uniform(0.8, 2.2))
    return np.dstack([gray, cv2.GaussianBlur(alpha, (0, 0), 1.2)])


def dressed_person(rng, skin, cloth, rendered):
    """A rendered head and shoulders (`people.render`) with this skin and clothes of this gray value, plain, striped or printed: uint8 [256,256,2]."""
    gray, part = rendered[..., 0].astype(np.float32), rendered[..., 2]
    side = len(gray)
    pattern = 1 + (noise_texture(rng, side, side, 6) - 0.5) * rng.uniform(0.05, 0.6)
    if rng.random() < 0.3:
        along = np.arange(side)[:, None] if rng.random() < 0.6 else np.arange(side)[None]
        pattern += rng.uniform(0.1, 0.4) * np.sign(np.sin(along / rng.uniform(1.5, 8)))
    if rng.random() < 0.35:
        x0, x1, y0, y1 = rng.uniform(90, 115), rng.uniform(140, 170), rng.uniform(160, 185), rng.uniform(205, 256)
        printed = rng.uniform(0.2, 1.5) + (noise_texture(rng, side, side, 7) - 0.5) * rng.uniform(0, 3)
        pattern[int(y0):int(y1), int(x0):int(x1)] = printed[int(y0):int(y1), int(x0):int(x1)]
    gray = np.where(part == CLOTH, gray * pattern * (cloth / SKIN), np.where(part == SKIN_PART, gray * (skin / SKIN), gray))
    gray = cv2.GaussianBlur(np.clip(gray, 0, 255).astype(np.uint8), (0, 0), rng.uniform(0.4, 1.4))
    return np.dstack([gray, cv2.GaussianBlur(rendered[..., 1], (0, 0), 0.7)])


class Person:
    """A swaying head and shoulders (uint8 [256,256,2]); with `bust`, the frame's edge hides its lower end."""

    def __init__(self, rng, sprite, bust):
        self.sprite = sprite
        self.x, self.y = rng.uniform(0.2, 0.8), rng.uniform(0.45, 0.85)
        self.size = rng.uniform(0.45, 1.25)
        if bust:
            self.y = max(self.y, 1.04 - 0.45 * self.size)
        self.sway = rng.uniform(0, 0.025, 2) * (3 if rng.random() < 0.2 else 1)
        self.rate = rng.uniform(0.15, 0.9, 2)
        self.phase = rng.uniform(0, 6.3, 3)
        self.walk = rng.normal(0, 0.25) if rng.random() < 0.12 else 0.0

    def at(self, t):
        """-> (x, y, roll in degrees) at t seconds; x and y in shares of the frame."""
        x = self.x + self.sway[0] * np.sin(6.28 * self.rate[0] * t + self.phase[0]) + self.walk * t
        y = self.y + self.sway[1] * np.sin(6.28 * self.rate[1] * t + self.phase[1])
        return x, y, 60 * self.sway[0] * np.sin(6.28 * self.rate[0] * t + self.phase[2])


def paste(frame, sprite, warp, gain):
    """Blends a 2-channel sprite through a 2x3 warp into a uint8 frame, in place. -> covered share of the frame."""
    h, w = frame.shape
    sh, sw = sprite.shape[:2]
    corners = np.array([[0, 0, 1], [sw, 0, 1], [sw, sh, 1], [0, sh, 1]], np.float64) @ warp.T
    x0, y0 = np.maximum(np.floor(corners.min(0)).astype(int) - 1, 0)
    x1, y1 = np.minimum(np.ceil(corners.max(0)).astype(int) + 2, (w, h))
    if x1 <= x0 or y1 <= y0:
        return 0.0
    local = warp.copy()
    local[:, 2] -= (x0, y0)
    part = cv2.warpAffine(sprite, local, (int(x1 - x0), int(y1 - y0)), flags=cv2.INTER_LINEAR)
    blend(frame[y0:y1, x0:x1], part[..., 0], part[..., 1], gain)
    return float((part[..., 1] > 127).sum()) / (h * w)


def blend(target, gray, alpha, gain):
    """target += (gray * gain - target) * alpha / 255, uint8, in place."""
    a = alpha.astype(np.float32) * (1 / 255.0)
    value = gray.astype(np.float32) * gain
    np.minimum(value, 255, out=value)
    value -= target
    value *= a
    value += target
    target[...] = value
