"""Rigged hand meshes: joint angles -> skinned vertices -> a shaded gray image with alpha.

Hand space, in metres: x towards the thumb, y along the fingers, z out of the palm; the wrist is the origin.
Angles are degrees.
"""

import json
import pathlib
import struct

import cv2
import numpy as np

FINGERS = ("thumb", "index-finger", "middle-finger", "ring-finger", "pinky-finger")
_TYPES = {5126: np.float32, 5121: np.uint8, 5123: np.uint16}
STUMP = 0.02  # metres of forearm behind the wrist
_WIDTH = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
# Rows: x, y, z of hand space in the file's axes (fingers along -y, thumb along -z, palm facing -x).
_AXES = np.array([[0, 0, -1], [0, -1, 0], [-1, 0, 0]], np.float32)


def rotation(axis, degrees):
    """3x3 rotation about a unit axis."""
    return cv2.Rodrigues(np.asarray(axis, np.float64) * np.deg2rad(degrees))[0]


class Pose:
    """Joint angles. curl[f] = (knuckle, middle, end) for index...pinky; thumb = (across, aside, knuckle, end)."""

    def __init__(self, curl, thumb, spread=6.0):
        self.curl = np.asarray(curl, np.float64).reshape(4, 3)
        self.thumb = np.asarray(thumb, np.float64)
        self.spread = float(spread)

    def mix(self, other, share):
        """Linear interpolation: 0 gives self, 1 gives other."""
        return Pose(self.curl + (other.curl - self.curl) * share, self.thumb + (other.thumb - self.thumb) * share,
                    self.spread + (other.spread - self.spread) * share)

    def bend(self, other, shares):
        """Moves every finger by its own share [5] towards other, thumb first; the spread uses the mean share."""
        mixed = self.mix(other, float(np.mean(shares)))
        mixed.curl = self.curl + (other.curl - self.curl) * shares[1:, None]
        mixed.thumb = self.thumb + (other.thumb - self.thumb) * shares[0]
        return mixed

    def jitter(self, rng, curl=6.0, thumb=6.0, spread=2.0):
        """A person's individual variation of the pose."""
        return Pose(self.curl + rng.normal(0, curl, (4, 3)), self.thumb + rng.normal(0, thumb, 4),
                    self.spread + rng.normal(0, spread))


_OUT, _IN = (3, 4, 3), (82, 98, 55)
POSES = {
    "open": Pose([_OUT] * 4, (0, -8, 0, 0), 8),
    "together": Pose([_OUT] * 4, (0, 14, 5, 0), 0),
    "fist": Pose([_IN] * 4, (52, 25, 40, 50), 0),
    "point": Pose([_OUT, _IN, _IN, _IN], (50, 25, 40, 45), 0),
    "thumb": Pose([_IN] * 4, (0, -5, -8, -12), 0),
    "relaxed": Pose([(28, 32, 18), (34, 38, 20), (38, 42, 22), (42, 44, 22)], (22, 8, 12, 10), 3),
    "claw": Pose([(28, 55, 35)] * 4, (25, -2, 15, 20), 8),
    "pinch": Pose([(50, 46, 24), (18, 22, 12), (14, 18, 10), (10, 14, 8)], (50, 8, 16, 30), 6),
    "spread": Pose([(8, 10, 6), (14, 18, 10), (12, 16, 10), (10, 14, 8)], (12, -22, -4, -4), 8),
    "pinchCurled": Pose([(52, 46, 24), _IN, _IN, _IN], (50, 8, 16, 30), 4),
    "spreadCurled": Pose([(10, 10, 6), _IN, _IN, _IN], (10, -24, -6, -6), 4),
    "victory": Pose([_OUT, _OUT, _IN, _IN], (52, 25, 35, 40), 9),
    "three": Pose([_OUT, _OUT, _OUT, _IN], (52, 25, 30, 40), 7),
    "four": Pose([_OUT] * 4, (60, 30, 25, 30), 6),
    "shaka": Pose([_IN, _IN, _IN, _OUT], (0, -14, -6, -8), 6),
    "horns": Pose([_OUT, _IN, _IN, _OUT], (52, 25, 35, 40), 4),
}


def _unit(v):
    return v / np.linalg.norm(v)


def read_quads(path, groups):
    """Vertices [V,3] of a Wavefront OBJ file, in its own units, and the faces [Q,4] of these groups by name: triangles repeat a corner."""
    vertices, faces, group = [], {name: [] for name in groups}, None
    with open(path) as file:
        for line in file:
            kind, _, rest = line.partition(" ")
            if kind == "v":
                vertices.append([float(x) for x in rest.split()[:3]])
            elif kind == "g":
                group = rest.strip()
            elif kind == "f" and group in faces:
                corners = [int(x.split("/")[0]) - 1 for x in rest.split()]
                faces[group].append(corners if len(corners) == 4 else [*corners, corners[-1]])
    return np.array(vertices), {name: np.array(quads) for name, quads in faces.items()}


class HandMesh:
    """A right hand in its bind pose, flat and open, with its skin weights.

    vertices [V,3]; triangles [T,3]; weights [V,25] of WebXR's joints: the wrist, four of the thumb and five of each finger.
    """

    NAMES = ("wrist", *("thumb-" + part for part in ("metacarpal", "phalanx-proximal", "phalanx-distal", "tip")),
             *(f"{finger}-{part}" for finger in FINGERS[1:]
               for part in ("metacarpal", "phalanx-proximal", "phalanx-intermediate", "phalanx-distal", "tip")))

    def __init__(self, vertices, triangles, joints, weights):
        self.vertices, self.triangles = np.asarray(vertices, np.float32), np.asarray(triangles, np.int32)
        self.joints = np.asarray(joints, np.float32)
        self.weights = (weights / weights.sum(1, keepdims=True)).astype(np.float32)
        self.length = float(np.linalg.norm(self.joints[self.NAMES.index("middle-finger-tip")]))

    @classmethod
    def generic(cls, path):
        """The mesh of WebXR's generic hand, a glTF binary file."""
        blob = pathlib.Path(path).read_bytes()
        length = struct.unpack("<I", blob[12:16])[0]
        doc, binary = json.loads(blob[20:20 + length]), blob[28 + length:]

        def accessor(i):
            a = doc["accessors"][i]
            view = doc["bufferViews"][a["bufferView"]]
            n = a["count"] * _WIDTH[a["type"]]
            return np.frombuffer(binary, _TYPES[a["componentType"]], n, view.get("byteOffset", 0)).reshape(a["count"], -1)

        primitive = doc["meshes"][0]["primitives"][0]
        attributes = primitive["attributes"]
        nodes = [doc["nodes"][j] for j in doc["skins"][0]["joints"]]
        place = {node["name"]: k for k, node in enumerate(nodes)}
        joints = np.array([nodes[place[name]]["translation"] for name in cls.NAMES], np.float32) @ _AXES.T
        vertices = accessor(attributes["POSITION"]) @ _AXES.T
        weights = np.zeros((len(vertices), len(nodes)), np.float32)
        index, value = accessor(attributes["JOINTS_0"]), accessor(attributes["WEIGHTS_0"])
        for k in range(4):
            np.add.at(weights, (np.arange(len(weights)), index[:, k]), value[:, k])
        weights = weights[:, [place[name] for name in cls.NAMES]]
        return cls(vertices - joints[0], accessor(primitive["indices"]).reshape(-1, 3), joints - joints[0], weights)

    @classmethod
    def makehuman(cls, folder):
        """The right hand of MakeHuman's base mesh: base.obj, default.mhskel and default_weights.mhw."""
        folder = pathlib.Path(folder)
        vertices, faces = read_quads(folder / "base.obj", ("body",))
        vertices, quads = 0.1 * vertices, faces["body"]  # decimetres
        points = json.loads((folder / "default.mhskel").read_text())["joints"]
        of_bone = json.loads((folder / "default_weights.mhw").read_text())["weights"]
        bones = [("wrist", "head")]
        for k in range(5):
            chain = [f"finger{k + 1}-{j}" for j in (1, 2, 3)]
            chain = [f"metacarpal{k}", *chain] if k else chain
            bones += [*((bone, "head") for bone in chain), (chain[-1], "tail")]
        joints = np.array([vertices[points[f"{bone}.R____{end}"]].mean(0) for bone, end in bones])
        weights = np.zeros((len(vertices), len(bones)))
        for k, (bone, end) in enumerate(bones):
            if end == "head":
                index, value = zip(*of_bone[bone + ".R"])
                weights[list(index), k] = value
        for bone in ("lowerarm01.R", "lowerarm02.R"):
            index, value = zip(*of_bone[bone])
            weights[list(index), 0] += value
        # The axes of hand space, from the wrist, the knuckle of the middle finger, and those of index and pinky.
        along = _unit(joints[cls.NAMES.index("middle-finger-phalanx-proximal")] - joints[0])
        across = joints[cls.NAMES.index("index-finger-phalanx-proximal")] - joints[cls.NAMES.index("pinky-finger-phalanx-proximal")]
        across = _unit(across - (across @ along) * along)
        axes = np.array([across, along, np.cross(across, along)])
        vertices, joints = (vertices - joints[0]) @ axes.T, (joints - joints[0]) @ axes.T
        hand = (weights.sum(1) > 0.3) & (vertices[:, 1] > -STUMP)
        quads = quads[hand[quads].all(1)]
        used, triangles = np.unique(np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]]), return_inverse=True)
        return cls(vertices[used], triangles.reshape(-1, 3), joints, weights[used])

    def chain(self, finger):
        """Joint indices of one finger from the palm outwards."""
        return [i for i, n in enumerate(self.NAMES) if n.startswith(finger)]

    def pose(self, pose, wrist=0.0):
        """Vertices [V,3] of a Pose; wrist = flexion of the whole hand towards the palm, in degrees."""
        matrices = np.tile(np.eye(4), (len(self.NAMES), 1, 1))

        def turn(indices, pivot, r, before):
            step = np.eye(4)
            step[:3, :3] = r
            step[:3, 3] = pivot - r @ pivot
            total = before @ step
            for i in indices:
                matrices[i] = total
            return total

        for f, finger in enumerate(FINGERS[1:]):
            chain = self.chain(finger)
            at = self.joints[chain].astype(np.float64)
            along = at[2] - at[1]
            along /= np.linalg.norm(along)
            bend = np.cross(along, (0, 0, 1.0))
            bend /= np.linalg.norm(bend)
            total = np.eye(4)
            fan = (1.5 - f) * pose.spread * -1.0
            knuckle = rotation((0, 0, 1), fan) @ rotation(bend, pose.curl[f, 0])
            total = turn(chain[1:], at[1], knuckle, total)
            total = turn(chain[2:], at[2], rotation(bend, pose.curl[f, 1]), total)
            turn(chain[3:], at[3], rotation(bend, pose.curl[f, 2]), total)
        chain = self.chain("thumb")
        at = self.joints[chain].astype(np.float64)
        across, aside, knuckle, end = pose.thumb
        total = turn(chain, at[0], rotation((0, 1, 0), -across) @ rotation((0, 0, 1), aside), np.eye(4))
        along = at[2] - at[1]
        along /= np.linalg.norm(along)
        bend = np.cross(along, (-0.5, 0.0, 0.8))
        bend /= np.linalg.norm(bend)
        total = turn(chain[1:], at[1], rotation(bend, knuckle), total)
        turn(chain[2:], at[2], rotation(bend, end), total)
        blend = np.einsum("vj,jab->vab", self.weights, matrices)
        out = np.einsum("vab,vb->va", blend[:, :3, :3], self.vertices) + blend[:, :3, 3]
        return out @ rotation((1, 0, 0), wrist).T


class Look:
    """One synthetic person's hand: proportions, skin texture and the light on it. Seeded.

    shaded: less light reaches hollows and the gaps between fingers, and usually fingers cast shadows.
    """

    def __init__(self, mesh, rng, shaded=False):
        self.stretch = np.array([rng.uniform(0.86, 1.16), rng.uniform(0.92, 1.08), rng.uniform(0.9, 1.15)])
        self.inflate = rng.uniform(-0.0008, 0.0016)
        freq = rng.normal(0, 60, (6, 3))
        waves = np.sin(mesh.vertices @ freq.T + rng.uniform(0, 6.3, 6)).sum(1)
        fine = rng.normal(0, 1, len(mesh.vertices))
        self.albedo = 1 + rng.uniform(0.01, 0.05) * waves + rng.uniform(0.0, 0.05) * fine
        depth = np.clip((mesh.vertices[:, 2] - np.median(mesh.vertices[:, 2])) / 0.02, -1, 1)
        self.albedo *= 1 + rng.uniform(0.0, 0.08) * depth
        light = np.array([rng.normal(0, 0.7), rng.uniform(-0.1, 1.0), rng.uniform(0.4, 1.2)])
        self.light = light / np.linalg.norm(light)
        self.ambient = rng.uniform(0.35, 0.75)
        self.shine = rng.uniform(0.0, 0.25)
        self.hollows = rng.uniform(0.3, 1.0) if shaded else 0.0
        self.shadow = rng.uniform(0.3, 1.0) if shaded and rng.random() < 0.7 else 0.0


def render(mesh, vertices, look, turn, side, unit, centre):
    """-> uint8 [side,side,2]: gray (skin about 150) and alpha.

    turn: 3x3 hand space to camera space (x right, y up, z to the camera). unit: pixels per metre. centre: position of the wrist, in pixels.
    """
    zoom = 2
    v = (vertices * look.stretch) @ turn.T
    tri = mesh.triangles
    a, b, c = v[tri[:, 0]], v[tri[:, 1]], v[tri[:, 2]]
    normal = np.cross(b - a, c - a)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True) + 1e-12
    vertex_normal = np.zeros_like(v)
    for k in range(3):
        np.add.at(vertex_normal, tri[:, k], normal)
    vertex_normal /= np.linalg.norm(vertex_normal, axis=1, keepdims=True) + 1e-9
    v = v + vertex_normal * look.inflate
    smooth = vertex_normal[tri].mean(1)
    smooth /= np.linalg.norm(smooth, axis=1, keepdims=True) + 1e-9
    lambert = np.clip(smooth @ look.light, 0, 1)
    facing = np.clip(smooth[:, 2], 0, 1)
    ambient = look.ambient * (0.55 + 0.45 * facing)
    direct = (1 - look.ambient) * lambert + look.shine * lambert ** 12
    albedo = look.albedo[tri].mean(1) * 175
    # Weak perspective: the camera is half a metre away.
    scale = unit * zoom * 0.5 / np.clip(0.5 - v[:, 2], 0.2, None)
    flat = np.empty((len(v), 2))
    flat[:, 0] = centre[0] * zoom + v[:, 0] * scale
    flat[:, 1] = centre[1] * zoom - v[:, 1] * scale
    points = np.rint(flat[tri] * 16).astype(np.int32)
    depth = v[tri, 2].mean(1)
    front = np.flatnonzero(normal[:, 2] > -0.02)
    shown = np.full((side * zoom, side * zoom), -1, np.int32)  # the triangle visible at each pixel
    for i in front[np.argsort(depth[front])]:
        cv2.fillConvexPoly(shown, points[i], int(i), cv2.LINE_8, 4)
    height = np.where(shown < 0, -np.inf, depth[shown] * unit * zoom).astype(np.float32)
    around = 1 - look.hollows * _hollows(height) if look.hollows else 1.0
    past = 1 - look.shadow * _shadows(height, look.light) if look.shadow else 1.0
    shade = (ambient[shown] * around + direct[shown] * past) * albedo[shown]
    alpha = np.where(shown < 0, 0, 255).astype(np.uint8)
    gray = np.where(shown < 0, 0, np.rint(np.clip(shade, 5, 255))).astype(np.uint8)
    # Extend the colour over the rim so that averaging does not darken it.
    rim = cv2.dilate(gray, np.ones((5, 5), np.uint8))
    gray = np.where(alpha > 0, gray, rim)
    size = (side, side)
    gray = cv2.resize(cv2.GaussianBlur(gray, (3, 3), 0), size, interpolation=cv2.INTER_AREA)
    alpha = cv2.resize(alpha, size, interpolation=cv2.INTER_AREA)
    return np.dstack([gray, alpha])


def _hollows(height):
    """height: pixels towards the camera, -inf outside the hand -> 0 where light comes from all sides, up to 1 in a deep gap."""
    there = np.isfinite(height).astype(np.float32)
    height = np.where(there > 0, height, 0)

    def mean(reach):
        return cv2.GaussianBlur(height, (0, 0), reach) / np.maximum(cv2.GaussianBlur(there, (0, 0), reach), 1e-3)

    near = mean(1.5)  # smooths the flat triangles
    return np.clip(np.maximum((mean(4.0) - near) / 4 - 0.06, (mean(9.0) - near) / 9), 0, 0.7) / 0.7


def _shadows(height, light):
    """-> the share of the light that is blocked by nearer parts of the hand, softened. light: unit vector, y up."""
    taken = np.zeros(height.shape, np.float32)
    for far in range(4, 44, 4):
        x, y = light[0] * far, -light[1] * far
        toward = cv2.warpAffine(height, np.float32([[1, 0, -x], [0, 1, -y]]), height.shape[::-1], flags=cv2.INTER_NEAREST,
                                borderValue=-np.inf)
        taken[toward > height + light[2] * far + 3] = 1
    return cv2.GaussianBlur(taken, (0, 0), 1.5)
