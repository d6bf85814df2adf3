"""What a body wears and how it is lit: colours of the faces, cloth over the skin, a picture of both."""

import cv2
import numpy as np

from gesturetrain.mesh import rotation

from .body import step

# Red, green, blue of skin in even light, from light to dark.
SKINS = ((236, 196, 172), (214, 164, 132), (176, 122, 88), (128, 84, 60), (92, 60, 44))
HAIRS = ((28, 22, 20), (60, 40, 28), (120, 84, 48), (150, 146, 140))
LIGHT_CLOTHES = ((222, 220, 212), (196, 60, 52), (120, 180, 210), (226, 190, 70), (150, 200, 150))
DARK_CLOTHES = ((36, 40, 52), (24, 24, 26), (40, 66, 110), (90, 30, 40), (44, 74, 56))
ZOOM = 2  # pixels drawn for one that is kept, each way


class Look:
    """Clothes, skin, hair and light of one body. skin: place in SKINS; dark: its clothes. seed: all else."""

    def __init__(self, rig, seed, skin, dark):
        rng = np.random.default_rng([12, seed])
        self.quads = np.concatenate([rig.quads, rig.eyes])
        colors, thick = _dressed(rig, rng, np.array(SKINS[skin], float), dark)
        eyes = np.full((len(rig.eyes), 3), 225.0)
        off = np.abs(np.abs(rig.base[rig.eyes].mean(1)[:, :2]) - (0.305, 7.285))
        eyes[np.hypot(*off.T) < 0.085] = (40, 28, 22)
        self.colors = np.concatenate([colors, eyes])
        self.rest = rig.rest + normals(rig.rest, rig.quads) * thick[:, None]
        waves = np.sin(rig.rest @ rng.normal(0, 45, (3, 8)) + rng.uniform(0, 6.3, 8)).sum(1) / 8
        self.folds = 1 + rng.uniform(0.06, 0.14) * waves * (thick > 0.004)
        side = 1 if rng.random() < 0.5 else -1
        self.lights = [(np.array([side * rng.uniform(0.3, 0.8), rng.uniform(0.5, 0.9), rng.uniform(0.5, 0.9)]), rng.uniform(0.4, 0.55)),
                       (np.array([-side * 0.8, 0.3, 0.4]), rng.uniform(0.1, 0.25)), (np.array([0.0, 1.0, 0.0]), 0.15)]
        self.ambient = rng.uniform(0.42, 0.52)

    def draw(self, picture, vertices, camera):
        """The body into uint8 [H,W,3]; vertices [V,3] in the room."""
        flat, depth = camera.project(vertices)
        corners = flat[self.quads]
        low = np.floor(np.clip(corners.reshape(-1, 2).min(0) - 3, 0, None)).astype(int)
        high = np.minimum(np.ceil(corners.reshape(-1, 2).max(0) + 3).astype(int), picture.shape[1::-1])
        if (high <= low).any():
            return
        width, height = high - low
        a, b = corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1]
        front = np.flatnonzero(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0] < 0)
        order = front[np.argsort(-depth[self.quads[front]].mean(1))]
        points = np.rint((corners - low) * ZOOM * 16).astype(np.int32)
        shown = np.full((height * ZOOM, width * ZOOM), -1, np.int32)
        for i in order:
            cv2.fillConvexPoly(shown, points[i], int(i), cv2.LINE_8, 4)
        alpha = np.where(shown < 0, 0, 255).astype(np.uint8)
        color = self._lit(vertices, camera)[shown]
        near = np.where(shown < 0, 0, depth[self.quads].mean(1)[shown]).astype(np.float32)
        color = color * _gaps(near, shown >= 0, camera.pixels_a_metre(depth) * ZOOM)[..., None]
        color = np.uint8(np.clip(color, 0, 255))
        color = np.where(alpha[..., None] > 0, color, cv2.dilate(np.where(alpha[..., None] > 0, color, 0), np.ones((5, 5), np.uint8)))
        size = (int(width), int(height))
        color = cv2.resize(color, size, interpolation=cv2.INTER_AREA).astype(np.float32)
        share = cv2.resize(alpha, size, interpolation=cv2.INTER_AREA)[..., None].astype(np.float32) / 255
        part = picture[low[1]:high[1], low[0]:high[0]]
        part[:] = np.rint(color * share + part * (1 - share)).astype(np.uint8)

    def _lit(self, vertices, camera):
        """Red, green, blue of every face [Q,3]."""
        normal = normals(vertices, self.quads)
        facing = np.clip(normal @ camera.toward, 0, 1)
        shade = self.ambient * (0.6 + 0.4 * facing)
        for direction, power in self.lights:
            shade += power * np.clip(normal @ (direction / np.linalg.norm(direction)), 0, None)
        return self.colors * (shade * self.folds)[self.quads].mean(1)[:, None]


def _gaps(depth, there, unit):
    """Factor of the light: less of it where something nearer is close by. unit: pixels a metre."""
    there = there.astype(np.float32)
    reach = max(0.05 * unit, 1.0)

    def mean(values):
        return cv2.blur(cv2.blur(values, (int(reach),) * 2), (int(reach),) * 2)
    around = mean(depth) / np.maximum(mean(there), 1e-3)
    return 1 - 0.45 * np.clip((depth - around - 0.01) / 0.12, 0, 1)


def normals(v, quads):
    """Unit normals of the vertices [V,3] of a surface; 0 where no face is."""
    across = np.cross(v[quads[:, 2]] - v[quads[:, 0]], v[quads[:, 3]] - v[quads[:, 1]])
    out = np.column_stack([np.bincount(quads.ravel(), np.repeat(across[:, k], 4), len(v)) for k in range(3)])
    return out / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-12)


def _dressed(rig, rng, skin, dark):
    """-> colours of the body's faces [Q,3], metres of cloth over each vertex [V]. Places are those of the file."""
    x, y, z = rig.base[rig.quads].mean(1).T
    side = np.abs(x)
    bones = np.array([name.split(".")[0].rstrip("0123456789-") for name in rig.bones])[rig.bone[:, 0]]
    kind = bones[rig.quads[:, 0]]
    colors = np.tile(skin, (len(x), 1)) * (1 + 0.02 * np.sin(5 * x + 3 * y) + rng.normal(0, 0.01, len(x)))[:, None]
    thick = np.zeros(len(x))

    def wear(where, color, depth):
        colors[where], thick[where] = np.asarray(color, float), depth
    # Face and hair.
    hair = HAIRS[rng.integers(len(HAIRS))]
    front = (z > 0.75) & (y > 6)
    wear(front & (np.abs(y - 7.5 - 0.12 * np.abs(side - 0.32)) < 0.055) & (side > 0.1) & (side < 0.55), hair, 0.0)
    lips = front & (((x / 0.27) ** 2 + ((y - 6.70) / 0.1) ** 2) < 1)
    colors[lips] *= (0.85, 0.6, 0.6)
    line = np.interp(z, (-0.4, 0.25, 0.75, 1.5), (rng.uniform(5.95, 6.5), 6.9, 7.5, rng.uniform(7.8, 8.05)))
    scalp = (y > line) & ~((side > 0.78) & (y < 7.45) & (y > 6.7))
    wear(scalp, hair, 0.0)
    thick[scalp] = (0.006 + rng.uniform(0.005, 0.03) * step(y, 7.0, 8.2))[scalp]
    # Shirt, trousers, shoes.
    arm = np.isin(kind, ("upperarm", "lowerarm", "wrist", "finger", "metacarpal"))
    along = np.where(side > 1.7, (side - 1.68) * 0.66 + (5.25 - y) * 0.75, 0)  # down the arm
    choices = LIGHT_CLOTHES, DARK_CLOTHES
    upper = choices[dark][rng.integers(5)]
    lower = choices[rng.random() < (0.8 if dark else 0.6)][rng.integers(5)]
    sleeve = rng.choice([0.9, 1.5, 3.9])
    neckline = 5.55 + 0.35 * np.clip(side, 0, 0.8) - 0.25 * ((z > 0.2) & (side < 0.4))
    waist = rng.uniform(0.4, 0.9)
    hem = rng.choice([-7.0, -3.3])  # trousers or shorts
    limb = ~np.isin(kind, ("wrist", "finger", "metacarpal"))
    shirt = (y < neckline) & limb & np.where(arm, along < sleeve, y > waist)
    wear(shirt, upper, rng.uniform(0.006, 0.014))
    wear((y <= waist) & (y > hem) & ~arm & limb & (side < 3.2) & ~shirt, lower, rng.uniform(0.008, 0.016))
    wear((y < -7.35) & ~arm, choices[rng.random() < 0.5][rng.integers(2)], 0.009)
    grown = np.zeros(len(rig.rest))
    np.maximum.at(grown, rig.quads.ravel(), np.repeat(thick, 4))
    return colors, grown


class Camera:
    """A pinhole over the floor, looking level or down. The body stands about the origin.

    size: width and height in pixels; share: of the picture's height that `tall` metres take; height: of the lens, metres.
    """

    def __init__(self, size, share, tall, height, field=48.0, aside=0.0, middle=0.52):
        self.size = size
        self.focal = size[1] / (2 * np.tan(np.deg2rad(field) / 2))
        self.away = self.focal * tall / (share * size[1])
        pitch = np.rad2deg(np.arctan2(height - tall / 2, self.away))
        self.axes = rotation((1, 0, 0), pitch)  # rows: right, up, backwards
        self.place = np.array([0.0, height, self.away])
        self.toward = self.axes[2]
        self.centre = np.array([size[0] * (0.5 + aside), size[1] * middle])

    def project(self, points):
        """-> pixels [N,2], metres along the camera's axis [N]."""
        p = (points - self.place) @ self.axes.T
        far = np.maximum(-p[:, 2], 0.05)
        return self.centre + self.focal * np.column_stack([p[:, 0], -p[:, 1]]) / far[:, None], far

    def pixels_a_metre(self, depth):
        """About, of what lies at these depths."""
        return self.focal / float(np.median(depth))

    def rays(self):
        """Directions in the room of all pixels [H,W,3], not of length 1."""
        u, v = np.meshgrid(np.arange(self.size[0]) + 0.5, np.arange(self.size[1]) + 0.5)
        local = np.stack([(u - self.centre[0]) / self.focal, (self.centre[1] - v) / self.focal, -np.ones_like(u)], -1)
        return local @ self.axes
