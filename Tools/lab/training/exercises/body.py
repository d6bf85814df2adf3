"""The MakeHuman base mesh (CC0) as a rigged, dressed body: proportions, clothes, a pose -> vertices and joints.

Metres; x towards the body's left, y up from the floor, z to the front. Rest pose: upright, arms down and out.
"""

import json
import pathlib

import numpy as np

from gesturetrain.mesh import read_quads

SIDES = ("L", "R")
# The joints that are checked against a tracker: name -> bone whose head it is.
JOINTS = {f"{side}_{name}": f"{bone}.{suffix}" for side, suffix in (("left", "L"), ("right", "R"))
          for name, bone in (("shoulder", "upperarm01"), ("elbow", "lowerarm01"), ("wrist", "wrist"),
                             ("hip", "upperleg01"), ("knee", "lowerleg01"), ("ankle", "foot"))}
SPINE = ("spine05", "spine04", "spine03", "spine02", "spine01")
NECK = ("neck01", "neck02", "neck03", "head")
_INFLUENCES = 4  # bones that move a vertex
_FLOOR, _WAIST = -8.168, 0.5  # y in the file, decimetres: the soles and where legs begin
_STRETCH = 0.995  # of a leg's length that it spans at most


def step(x, low, high):
    """0 below low, 1 above high, smooth between them."""
    t = np.clip((x - low) / (high - low), 0, 1)
    return t * t * (3 - 2 * t)


def unit(v):
    """A vector of length 1 in the direction of v, which is not zero."""
    return v / np.linalg.norm(v)


def turn(axis, degrees):
    """3x3 rotation about an axis 0...2 (x, y, z)."""
    c, s = np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))
    i, j = (axis + 1) % 3, (axis + 2) % 3
    out = np.eye(3)
    out[i, i], out[i, j], out[j, i], out[j, j] = c, -s, s, c
    return out


def swing(a, b):
    """The smallest rotation that takes unit vector a to unit vector b; they are not opposite."""
    v, c = np.cross(a, b), float(a @ b)
    x = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    return np.eye(3) + x + x @ x / max(1 + c, 1e-6)


def middle_joint(start, end, upper, lower, pole):
    """Where knee or elbow lies between two points, bent towards the direction `pole`; out of reach, it is straight."""
    along = end - start
    far = float(np.clip(np.linalg.norm(along), abs(upper - lower) + 1e-6, upper + lower - 1e-6))
    along = unit(along)
    share = (upper * upper - lower * lower + far * far) / (2 * far)
    out = pole - (pole @ along) * along
    return start + along * share + unit(out) * np.sqrt(max(upper * upper - share * share, 0.0))


class Rig:
    """Mesh, skin weights and bones of a body. seed: its proportions."""

    def __init__(self, folder, seed):
        folder = pathlib.Path(folder)
        vertices, quads = read_quads(folder / "base.obj", ("body", "helper-l-eye", "helper-r-eye"))
        doc = json.loads((folder / "default.mhskel").read_text())
        weights = json.loads((folder / "default_weights.mhw").read_text())["weights"]
        self.quads, self.eyes = quads["body"], np.concatenate([quads["helper-l-eye"], quads["helper-r-eye"]])
        self.base = vertices.copy()
        self.rest = _proportions(vertices, np.random.default_rng([11, seed]))
        self.bones = _parents_first(doc["bones"])
        self.parent = {name: doc["bones"][name]["parent"] for name in self.bones}
        self.head, self.tail = ({name: self.rest[doc["joints"][doc["bones"][name][end]]].mean(0) for name in self.bones}
                                for end in ("head", "tail"))
        dense = np.zeros((len(vertices), len(self.bones)), np.float32)
        for k, name in enumerate(self.bones):
            if weights.get(name):
                index, value = zip(*weights[name])
                dense[list(index), k] = value
        for eye in ("helper-l-eye", "helper-r-eye"):
            dense[np.unique(quads[eye])] = 0
            dense[np.unique(quads[eye]), self.bones.index("head")] = 1
        dense[dense.sum(1) == 0, self.bones.index("root")] = 1
        self.bone = np.argsort(-dense, axis=1)[:, :_INFLUENCES]
        self.weight = np.take_along_axis(dense, self.bone, 1)
        self.weight /= self.weight.sum(1, keepdims=True)
        self.hips = (self.head["upperleg01.L"] + self.head["upperleg01.R"]) / 2
        self.height = float(self.rest[np.unique(self.quads), 1].max())

    def pose(self, pose, rest=None):
        """-> (vertices [V,3], joints {name: [3]}). rest: other vertices than the naked body's, such as clothes."""
        turned, place = self._place(pose)
        rotations = np.array([turned[name] for name in self.bones], np.float32)
        offsets = np.array([place[name] - turned[name] @ self.head[name] for name in self.bones], np.float32)
        rest = (self.rest if rest is None else rest).astype(np.float32)
        out = np.zeros(rest.shape, np.float32)
        for k in range(_INFLUENCES):
            bone = self.bone[:, k]
            moved = np.einsum("vab,vb->va", rotations[bone], rest) + offsets[bone]
            out += self.weight[:, k, None] * moved
        return out, {name: place[bone] for name, bone in JOINTS.items()}

    def length(self, a, b):
        """From one bone's head to another's, in metres."""
        return float(np.linalg.norm(self.head[b] - self.head[a]))

    def _place(self, pose):
        """Absolute rotations and places of all bones' heads."""
        turned, place, fixed = {}, {}, self._joints_turned(pose)
        shift = pose.shift + (0, self._sink(pose), 0)
        for name in self.bones:
            parent = self.parent[name]
            if parent is None:
                turned[name] = pose.pelvis
                place[name] = self.hips + shift + pose.pelvis @ (self.head[name] - self.hips)
            else:
                turned[name] = turned[parent] @ fixed[name] if name in fixed else turned[parent]
                place[name] = place[parent] + turned[parent] @ (self.head[name] - self.head[parent])
            base, _, side = name.partition(".")
            if base == "upperleg01":
                knee, ankle = self._leg(pose, side, place[name])
                self._aim(turned, name, f"lowerleg01.{side}", knee - place[name])
                lower = ankle - knee
            elif base == "lowerleg01":
                self._aim(turned, name, f"foot.{side}", lower)
            elif base == "foot":
                turned[name] = pose.feet[side].rotation
            elif base == "upperarm01":
                upper, fore = self._arm(pose, side, place[name], turned["spine01"])
                self._aim(turned, name, f"lowerarm01.{side}", upper)
            elif base == "lowerarm01":
                self._aim(turned, name, f"wrist.{side}", fore)
        return turned, place

    def _sink(self, pose):
        """Metres, at most 0, by which the hips go down for both feet to stay where they are."""
        sink = 0.0
        for side in SIDES:
            hip = self.hips + pose.shift + pose.pelvis @ (self.head[f"upperleg01.{side}"] - self.hips)
            away = self.head[f"foot.{side}"] + pose.feet[side].shift - hip
            reach = _STRETCH * (self.length(f"upperleg01.{side}", f"lowerleg01.{side}") + self.length(f"lowerleg01.{side}", f"foot.{side}"))
            sink = min(sink, float(np.sqrt(max(reach ** 2 - away[0] ** 2 - away[2] ** 2, 0.01)) + away[1]))
        return sink

    def _joints_turned(self, pose):
        """Rotations relative to the parents, of spine, neck, shoulders and fingers."""
        out = {}
        for names, (pitch, yaw, roll) in ((SPINE, pose.spine), (NECK, pose.neck)):
            n = len(names)
            each = turn(1, yaw / n) @ turn(0, pitch / n) @ turn(2, roll / n)
            out.update(dict.fromkeys(names, each))
        for side, sign in zip(SIDES, (1, -1)):
            arm = pose.arms[side]
            out[f"clavicle.{side}"] = turn(2, sign * arm.raised * 0.6) @ turn(1, -sign * arm.forward)
            out[f"shoulder01.{side}"] = turn(2, sign * arm.raised * 0.4)
            for finger in range(2, 6):
                for part, share in ((1, 70), (2, 90), (3, 50)):
                    bone = f"finger{finger}-{part}.{side}"
                    along = unit(self.tail[bone] - self.head[bone])
                    across = unit(self.head[f"finger5-1.{side}"] - self.head[f"finger2-1.{side}"])
                    out[bone] = _about(sign * unit(across - (across @ along) * along), share * arm.fist)
        return out

    def _leg(self, pose, side, hip):
        foot = pose.feet[side]
        ankle = self.head[f"foot.{side}"] + foot.shift
        pole = foot.rotation @ np.array([0.0, 0.15, 1.0])
        knee = middle_joint(hip, ankle, self.length(f"upperleg01.{side}", f"lowerleg01.{side}"),
                            self.length(f"lowerleg01.{side}", f"foot.{side}"), pole)
        return knee, ankle

    def _arm(self, pose, side, shoulder, chest):
        arm = pose.arms[side]
        sides = np.array([1 if side == "L" else -1, 1, 1])
        if arm.hand is None:
            return chest @ (unit(arm.upper) * sides), chest @ (unit(arm.fore) * sides)
        upper, fore = self.length(f"upperarm01.{side}", f"lowerarm01.{side}"), self.length(f"lowerarm01.{side}", f"wrist.{side}")
        hand = shoulder + chest @ (arm.hand * sides) * (upper + fore)
        elbow = middle_joint(shoulder, hand, upper, fore, chest @ (arm.upper * sides))
        return elbow - shoulder, hand - elbow

    def _aim(self, turned, name, end, direction):
        rest = unit(self.head[end] - self.head[name])
        turned[name] = swing(turned[name] @ rest, unit(direction)) @ turned[name]


def _about(axis, degrees):
    """3x3 rotation about a unit axis."""
    x = np.cross(np.eye(3), axis)
    angle = np.deg2rad(degrees)
    return np.eye(3) + np.sin(angle) * x + (1 - np.cos(angle)) * x @ x


def _parents_first(bones):
    out = []

    def add(name):
        if name not in out:
            if bones[name]["parent"]:
                add(bones[name]["parent"])
            out.append(name)
    for name in bones:
        add(name)
    return out


def _proportions(v, rng):
    """Decimetres of the file -> metres from the floor, with longer or shorter legs, a waist, shoulders, hips and a belly."""
    x, y, z = v.copy().T
    trunk = step(-np.abs(x), -2.3, -1.5)  # without the arms
    wide = 1 + rng.normal(0, 0.04) + np.exp(-((y - 0.6) / 1.6) ** 2) * trunk * rng.normal(0.02, 0.06)
    wide -= np.exp(-((y - 2.4) / 1.0) ** 2) * trunk * rng.uniform(0, 0.12)
    belly = np.exp(-((y - 1.8) / 1.3) ** 2) * trunk * step(z, 0, 0.6) * rng.uniform(0, 0.35)
    legs = rng.uniform(0.95, 1.07)
    y = np.where(y < _WAIST, _WAIST + (y - _WAIST) * legs, y)
    floor = _WAIST + (_FLOOR - _WAIST) * legs
    return np.column_stack([x * wide, y - floor, z + belly]) * 0.1 * rng.uniform(0.94, 1.06)
