"""A plain room: wall, floor, a few things on and before the wall, and the shade that a body throws on the floor."""

import cv2
import numpy as np

_WALLS = ((206, 200, 188), (168, 182, 190), (190, 176, 158), (128, 140, 136), (222, 222, 224))
_FLOORS = ((150, 116, 84), (112, 100, 92), (176, 160, 140), (96, 78, 62))


def _noise(rng, width, height, cells):
    """Smooth, 0...1 [H,W]."""
    small = rng.random((max(2, int(cells * height / width) + 1), cells + 1)).astype(np.float32)
    return cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC)


class Room:
    """The picture of an empty room seen by a camera, uint8 [H,W,3]."""

    def __init__(self, camera, seed):
        rng = np.random.default_rng([14, seed])
        width, height = camera.size
        rays = camera.rays()
        behind = -rng.uniform(1.0, 2.2)  # z of the wall
        far = (behind - camera.place[2]) / np.minimum(rays[..., 2], -1e-3)
        wall = camera.place + rays * far[..., None]
        down = np.minimum(rays[..., 1], -1e-3)
        floor = camera.place - rays * (camera.place[1] / down)[..., None]
        self.on_floor = wall[..., 1] < 0
        picture = self._wall(rng, wall)
        planks = self._planks(rng, floor)
        picture = np.where(self.on_floor[..., None], planks, picture)
        picture *= 1 + 0.16 * (_noise(rng, width, height, 3) - 0.5)[..., None] + 0.05 * (_noise(rng, width, height, 40) - 0.5)[..., None]
        self.picture = np.uint8(np.clip(cv2.GaussianBlur(picture.astype(np.float32), (0, 0), 0.7), 0, 255))
        self.floor = floor[..., [0, 2]].astype(np.float32)
        self.rows = np.flatnonzero(self.on_floor.any(1))

    @staticmethod
    def _wall(rng, at):
        x, y = at[..., 0], at[..., 1]
        color = np.array(_WALLS[rng.integers(len(_WALLS))], float)
        out = color * (0.78 + 0.1 * y + rng.normal(0, 0.03) * x)[..., None]
        out *= (1 + 0.02 * np.sin(40 * x) * rng.random())[..., None]
        out[y < 0.1] = color * rng.uniform(0.5, 1.1)  # skirting
        for _ in range(rng.integers(1, 4)):  # pictures, a window, a door
            left, low = rng.choice([rng.uniform(-2.6, -0.7), rng.uniform(0.4, 1.8)]), rng.uniform(0.9, 1.5)
            wide, tall = rng.uniform(0.4, 0.9), rng.uniform(0.4, 0.9)
            if rng.random() < 0.3:
                low, tall, wide = 0.0, 2.0, 0.85
            inside = (x > left) & (x < left + wide) & (y > low) & (y < low + tall)
            frame = inside & ~((x > left + 0.05) & (x < left + wide - 0.05) & (y > low + 0.05) & (y < low + tall - 0.05))
            out[inside] = rng.uniform(60, 220, 3) * 0.4 + color * 0.5
            out[inside] *= (1 + 0.15 * np.sin(7 * x + 9 * y))[inside][:, None]
            out[frame] = rng.uniform(30, 200)
        return out

    @staticmethod
    def _planks(rng, at):
        x, z = at[..., 0], np.clip(at[..., 2], -10, 10)
        color = np.array(_FLOORS[rng.integers(len(_FLOORS))], float)
        plank = np.floor(x / 0.18).astype(int)
        tone = 1 + rng.uniform(0.02, 0.08) * np.sin(plank * 12.9898) + 0.02 * np.sin(25 * z + plank * 3)
        tone = tone - 0.15 * (np.abs(x / 0.18 - plank - 0.5) > 0.47)
        return color * (tone * (0.95 + 0.04 * z))[..., None]

    def shaded(self, feet, hips):
        """A copy with the body's shade on the floor. feet, hips: places in the room [3]."""
        out = self.picture.copy()
        if not len(self.rows):
            return out
        rows = slice(self.rows[0], self.rows[-1] + 1)
        floor, there = self.floor[rows], self.on_floor[rows]
        light = np.ones(there.shape, np.float32)
        for place, wide, strong in [(foot, 0.12, 0.55 * max(0.0, 1 - 6 * max(foot[1] - 0.09, 0))) for foot in feet] + [(hips, 0.4, 0.35)]:
            away = ((floor - np.float32([place[0], place[2] + (0.06 if wide < 0.2 else 0)])) ** 2).sum(-1)
            light *= 1 - np.float32(strong) * np.exp(-away / np.float32(2 * wide * wide / 2))
        light[~there] = 1
        out[rows] = np.uint8(out[rows] * light[..., None])
        return out
