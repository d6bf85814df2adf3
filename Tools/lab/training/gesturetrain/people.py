"""Heads and shoulders of synthetic people: the MakeHuman base mesh (CC0) with a random face, hair and clothes each time.

On real clips the encoder mistook faces for hands: they are skin with dark marks, over a neck like a forearm. Faces made of ellipses do not prevent
this, so three of four people in composed clips are these.
"""

import json
import pathlib

import cv2
import numpy as np

from .mattes import SKIN, spread
from .mesh import read_quads, rotation

SIDE = 256
UNIT = 42.0          # pixels for a decimetre of the mesh
EYES = (128.0, 72.0)  # position of the middle between the eyes, as in a drawn person
SKIN_PART, CLOTH, HAIR = 0, 1, 2

_EYE = np.array([0.305, 7.285, 1.25])  # left; decimetres, y up, z to the front
_NECK = np.array([0.0, 5.9, 0.05])
_LOWEST = 2.2


class Body:
    """The part of the mesh that a webcam sees: its quads above the waist."""

    def __init__(self, path):
        self.vertices, quads = read_quads(path, ("body", "helper-l-eye", "helper-r-eye", "helper-hair"))
        self.body = self._above(quads["body"])
        self.eyes = np.concatenate([quads["helper-l-eye"], quads["helper-r-eye"]])
        hair = self._above(quads["helper-hair"])
        self.hair = hair[self.vertices[hair][:, :, 2].max(1) < 0.75]  # without the part in front of the face

    def _above(self, quads):
        centre = self.vertices[quads].mean(1)
        return quads[(centre[:, 1] > _LOWEST) & (np.abs(centre[:, 0]) < 4.0)]


def _step(x, low, high):
    """0 below low, 1 above high, smooth between them."""
    t = np.clip((x - low) / (high - low), 0, 1)
    return t * t * (3 - 2 * t)


def _face(v, rng):
    """Varies skull, jaw, nose and cheeks: scales and smooth bumps, almost symmetric."""
    v = v.copy()
    head = _step(v[:, 1], 5.9, 6.4)[:, None]
    centre = np.array([0, 7.2, 0.4])
    v += head * (v - centre) * rng.normal(0, (0.06, 0.05, 0.05))
    jaw = head[:, 0] * (1 - _step(v[:, 1], 6.2, 7.1))
    v[:, 0] *= 1 + jaw * rng.normal(0, 0.1)
    v[:, 1] += jaw * rng.normal(0, 0.06)
    for _ in range(14):
        at = np.array([abs(rng.normal(0, 0.35)), rng.uniform(6.2, 8.0), rng.uniform(0.9, 1.7)])
        push, width = rng.normal(0, (0.03, 0.05, 0.07)), rng.uniform(0.12, 0.4)
        for side in (1, -1):
            near = np.exp(-((v - at * (side, 1, 1)) ** 2).sum(1) / (2 * width * width))
            v += near[:, None] * push * (side, 1, 1) * rng.uniform(0.8, 1.2)
    return v


def _build(v, rng):
    """Varies neck, shoulders and chest: narrow or broad, arms hanging close to the body."""
    v = v.copy()
    body = 1 - _step(v[:, 1], 5.6, 6.1)
    v[:, 0] *= 1 + body * rng.normal(0, 0.08)
    v[:, 2] = v[:, 2] * (1 + body * rng.normal(0.05, 0.1))
    neck = np.exp(-((v[:, 1] - 5.95) / 0.35) ** 2)
    v[:, [0, 2]] *= 1 + (neck * rng.normal(0, 0.1))[:, None]
    for side in (1, -1):
        joint = np.array([side * 1.68, 5.25, 0.14])
        hang = rotation((0, 0, 1), -side * rng.uniform(12, 42)) @ rotation((1, 0, 0), -rng.uniform(0, 25))
        # Along the upper arm of the rest pose, which points down and outwards.
        along = (v - joint) @ np.array([side * 0.66, -0.75, 0])
        outside = _step(side * v[:, 0], 1.3, 1.8) * _step(along, -0.25, 0.35)
        v += outside[:, None] * ((v - joint) @ hang.T + joint - v)
    return v


def _materials(centre, rng):
    """-> part [n], albedo [n] (1 is skin), thickness [n] of clothes and hair over the body, in decimetres."""
    x, y, z = centre.T
    part, albedo, thick = np.zeros(len(x), np.uint8), np.ones(len(x)), np.zeros(len(x))

    def wear(where, kind, code, depth):
        part[where], albedo[where], thick[where] = kind, code, depth

    # Face: brows, lips, beard.
    front = z > 0.75
    tone = rng.uniform(0.25, 0.75)
    arch = 7.50 + rng.uniform(-0.03, 0.05) + 0.12 * np.abs(np.abs(x) - 0.32)
    wear(front & (np.abs(y - arch) < rng.uniform(0.03, 0.065)) & (np.abs(x) > 0.1) & (np.abs(x) < 0.55), HAIR, tone, 0.01)
    lips = front & (((x / 0.27) ** 2 + ((y - 6.70) / 0.1) ** 2) < 1)
    albedo[lips] = rng.uniform(0.6, 0.95)
    if rng.random() < 0.3:
        edge = rng.uniform(6.72, 6.95)
        beard = (y < edge) & (y > 5.95) & (z > 0.25) & (np.abs(x) < 0.9)
        if rng.random() < 0.9:
            beard &= ~lips
        beard &= (y < 6.78) | (np.abs(x) > 0.12)  # not on the nose
        wear(beard, HAIR, tone * rng.uniform(0.8, 1.6), rng.uniform(0.0, 0.08))
    # Hair down to a line from the forehead to behind the ears.
    if rng.random() < 0.9:
        line = np.interp(z, (-0.4, 0.25, 0.75, 1.5), (rng.uniform(5.9, 6.5), rng.uniform(6.7, 7.1), rng.uniform(7.2, 7.7), rng.uniform(7.75, 8.1)))
        line = line + 0.08 * np.sin(7 * x + rng.uniform(0, 6))
        ear = (np.abs(x) > 0.78) & (y < 7.45) & (y > 6.7)
        top = rng.uniform(0.03, 0.35)
        depth = top * _step(y, 7.0, 8.2) + 0.04 + 0.04 * np.sin(11 * x + 5 * y)
        hair = (y > line) & ~ear
        wear(hair, HAIR, 1.0, 0.0)
        albedo[hair], thick[hair] = rng.uniform(0.08, 0.8), depth[hair]
    # Clothes up to a round or pointed neckline, with or without sleeves.
    neckline = rng.uniform(5.3, 5.75) + rng.uniform(0, 0.45) * np.clip(np.abs(x), 0, 0.7)
    neckline -= (z > 0.2) * rng.uniform(0, 0.4) * np.clip(0.5 - np.abs(x), 0, 1)
    sleeve = rng.uniform(1.9, 3.2) if rng.random() < 0.85 else 1.55
    cloth = (y < neckline) & (np.abs(x) < sleeve)
    wear(cloth, CLOTH, 1.0, rng.uniform(0.02, 0.14))
    if rng.random() < 0.3:  # an open jacket
        wide = rng.uniform(0.2, 0.7)
        albedo[cloth & (np.abs(x) > wide + 0.15 * (y - 4))] = rng.uniform(0.4, 2.0)
    return part, albedo, thick


def render(body, rng):
    """-> uint8 [256,256,3]: gray (skin at `mattes.SKIN`), alpha, part."""
    v = _build(_face(body.vertices, rng), rng)
    quads = body.body
    part, albedo, thick = _materials(body.vertices[quads].mean(1), rng)
    grown = np.zeros(len(v))
    np.maximum.at(grown, quads.ravel(), np.repeat(thick, 4))
    v = v + _vertex_normals(v, quads) * grown[:, None]
    quads = [quads, body.eyes]
    part, albedo = [part, np.full(len(body.eyes), HAIR, np.uint8)], [albedo, np.full(len(body.eyes), rng.uniform(1.1, 1.5))]
    aside = np.abs(np.abs(body.vertices[body.eyes].mean(1)[:, :2]) - _EYE[:2])
    albedo[1][np.hypot(*aside.T) < rng.uniform(0.07, 0.1)] = rng.uniform(0.1, 0.4)
    crown = int(body.vertices[body.body].mean(1)[:, 1].argmax())
    if rng.random() < 0.3 and part[0][crown] == HAIR:  # long hair
        quads.append(body.hair)
        part.append(np.full(len(body.hair), HAIR, np.uint8))
        albedo.append(np.full(len(body.hair), albedo[0][crown]))
        strand = np.unique(body.hair)
        length = rng.uniform(0.35, 1.0)
        v[strand, 1] = np.where(v[strand, 1] < 7.6, 7.6 - (7.6 - v[strand, 1]) * length, v[strand, 1])
        v[strand, 0] *= rng.uniform(0.75, 1.05)
    quads, part, albedo = np.concatenate(quads), np.concatenate(part), np.concatenate(albedo)

    head = _step(v[:, 1], 5.7, 6.5)[:, None]
    look = rotation((0, 1, 0), rng.normal(0, 18)) @ rotation((1, 0, 0), rng.normal(0, 9)) @ rotation((0, 0, 1), rng.normal(0, 6))
    v = v + head * ((v - _NECK) @ look.T + _NECK - v)
    v = (v - _NECK) @ rotation((0, 1, 0), rng.normal(0, 14)).T + _NECK
    return _draw(v, quads, part, albedo, body.eyes, rng)


def _vertex_normals(v, quads):
    across = np.cross(v[quads[:, 2]] - v[quads[:, 0]], v[quads[:, 3]] - v[quads[:, 1]])
    normal = np.zeros_like(v)
    for corner in range(4):
        np.add.at(normal, quads[:, corner], across)
    return normal / np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-9)


def _draw(v, quads, part, albedo, eyes, rng):
    normal = _vertex_normals(v, quads)
    # Hollows get less light: the depth of a vertex below the mean of its neighbours.
    total, count, middle = np.zeros_like(v), np.zeros(len(v)), v[quads].mean(1)
    for corner in range(4):
        np.add.at(total, quads[:, corner], middle)
        np.add.at(count, quads[:, corner], 1)
    hollow = ((total / np.maximum(count, 1)[:, None] - v) * normal).sum(1)
    lights = [(rng.normal(0, 0.7), rng.normal(0.5, 0.5), rng.uniform(0.3, 1.0), rng.uniform(0.3, 0.7)),
              (rng.normal(0, 1.0), rng.normal(0.3, 0.6), rng.uniform(0.2, 1.0), rng.uniform(0.0, 0.35))]
    shade = np.full(len(v), rng.uniform(0.35, 0.7))
    for x, y, z, power in lights:
        toward = np.array([x, y, z]) / np.linalg.norm((x, y, z))
        shade += power * np.clip(normal @ toward, 0, None)
    shade *= np.clip(1 - rng.uniform(4, 12) * hollow, 0.5, 1.15)
    if rng.random() < 0.5:  # shine
        shade += rng.uniform(0.1, 0.4) * np.clip(normal @ (0.2, 0.5, 0.85), 0, 1) ** 12

    zoom, far = 2, rng.uniform(5, 12)
    scale = UNIT * zoom * far / np.clip(far + 1.4 - v[:, 2], 1, None)
    flat = np.column_stack([EYES[0] * zoom + v[:, 0] * scale, EYES[1] * zoom - (v[:, 1] - _EYE[1]) * scale])
    points = np.rint(flat[quads] * 16).astype(np.int32)
    facing = normal[quads].mean(1)[:, 2] > -0.05
    order = np.flatnonzero(facing)
    order = order[np.argsort(middle[order, 2])]
    skin = shade[quads].mean(1)
    reference = np.full(len(quads), np.median(skin[facing & (part == SKIN_PART) & (middle[:, 1] > 6.3)]))
    reference[part == CLOTH] = np.median(skin[facing & (part == CLOTH)])
    level = SKIN * skin * albedo / np.maximum(reference, 0.2)
    level[part == HAIR] *= np.exp(rng.normal(0, 0.12, int((part == HAIR).sum())))
    gray, alpha, kind = (np.zeros((SIDE * zoom, SIDE * zoom), np.uint8) for _ in range(3))
    for i in order:
        cv2.fillConvexPoly(gray, points[i], float(min(level[i], 255.0)), cv2.LINE_8, 4)
        cv2.fillConvexPoly(alpha, points[i], 255, cv2.LINE_8, 4)
        cv2.fillConvexPoly(kind, points[i], int(part[i]), cv2.LINE_8, 4)
    if rng.random() < 0.35:
        _glasses(gray, *(flat[half].mean((0, 1)) for half in np.split(eyes, 2)), rng)
    small = [cv2.resize(a, (SIDE, SIDE), interpolation=cv2.INTER_AREA) for a in (cv2.GaussianBlur(gray, (3, 3), 0), alpha)]
    gray = spread(np.dstack(small))[..., 0]
    return np.dstack([gray, small[1], cv2.resize(kind, (SIDE, SIDE), interpolation=cv2.INTER_NEAREST)])


def _glasses(gray, left, right, rng):
    """The frames of glasses around both eyes (pixels), and the bridge between them."""
    across = left - right
    apart = float(np.linalg.norm(across))
    angle = float(np.rad2deg(np.arctan2(-across[1], -across[0]))) % 180
    wide, tall = apart * rng.uniform(0.34, 0.46), apart * rng.uniform(0.22, 0.4)
    code, line = float(rng.choice([rng.uniform(5, 70), rng.uniform(120, 230)], p=[0.8, 0.2])), int(rng.integers(1, 6))
    down = np.array([0, rng.uniform(0, 0.08) * apart])
    round_ones = rng.random() < 0.5
    for centre in (left + down, right + down):
        if round_ones:
            cv2.ellipse(gray, (np.asarray(centre), (2 * wide, 2 * tall), angle), code, line, cv2.LINE_AA)
        else:
            cv2.polylines(gray, [np.int32(cv2.boxPoints((np.asarray(centre), (2 * wide, 2 * tall), angle)))], True, code, line, cv2.LINE_AA)
    inner = across / apart * wide
    cv2.line(gray, np.int32(right + down + inner).tolist(), np.int32(left + down - inner).tolist(), code, line, cv2.LINE_AA)


def write(assets, folder, train, test):
    """Writes BANK/people.npy (uint8 [train + test,256,256,3] in the format of `render`); those for the test split come last."""
    body = Body(pathlib.Path(assets) / "mesh-makehuman" / "base.obj")
    people = [render(body, np.random.default_rng([7, split, k])) for split, count in enumerate((train, test)) for k in range(count)]
    np.save(folder / "people.npy", np.stack(people))
    (folder / "people.json").write_text(json.dumps({"train": [0, train], "test": [train, train + test]}))
