"""The sprite bank: all hand images for the composer, cut out or rendered once, with their arms.

`python -m gesturetrain.assets ASSETS BANK [--train-views N] [--test-views N] [--tuning]` writes BANK/sprites.npy (uint8 [N,128,128,2], gray and
alpha), BANK/arms.npy (float32 [N,5]: x, y of the wrist in the sprite, unit vector from the hand to the elbow, visible share of the arm's length) and
BANK/actors.json, the background frames and rendered people (`people`). An actor is one hand from one viewpoint: its `poses` maps a pose to a sprite,
its `motions` maps a motion to a sequence of sprites, its `pace` maps a motion to its recorded duration; `turning` is the pose that `turn` turns (for
held-out hands it counts as open, as it did when their labels were made). No person and no synthetic hand is in both splits.
"""

import argparse
import json
import pathlib

import cv2
import numpy as np

from . import articulation, mattes, people, photos
from .mattes import HAND_LENGTH, PALM, SIDE
from .mesh import POSES, HandMesh, Look, Pose, render, rotation

TEST_PERSON = 453  # signdigits: students from here on are held out,
GAP = 2            # and this many before them are left out, in case the numbering is off by one.
STATIC = ("open", "together", "point", "fist", "relaxed", "claw", "victory", "three", "four", "shaka", "horns")
STEPS = 12  # images of a motion
FIRST = {"train": 0, "test": 100_000, "tuning": 200_000}  # the number of the first synthetic hand


class Bank:
    """Collects sprites and actors in a folder. Sprites are written to disk at once: those of a synthetic hand have 2.4 MB."""

    def __init__(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.arms, self.actors = folder, [], []
        self.collected = (folder / "sprites.tmp").open("wb")

    def add(self, sprite, arm):
        """-> index of the sprite. arm = (x, y, dx, dy, length share)."""
        self.collected.write(mattes.spread(sprite).tobytes())
        self.arms.append(arm)
        return len(self.arms) - 1

    def write(self):
        self.collected.close()
        collected = pathlib.Path(self.collected.name)
        np.save(self.folder / "sprites.npy", np.memmap(collected, np.uint8, "r", shape=(len(self.arms), SIDE, SIDE, 2)))
        collected.unlink()
        np.save(self.folder / "arms.npy", np.array(self.arms, np.float32))
        (self.folder / "actors.json").write_text(json.dumps(self.actors))


def mesh_actor(bank, mesh, closings, split, source, identity, rng, randomised=False):
    """One synthetic hand from one side, in all poses and motions; half of the closing motions are recorded ones (`articulation`).

    randomised: the gaps of the hand are in shadow, and its poses differ more from those of other people.
    """
    look = Look(mesh, rng, shaded=randomised)
    unit = HAND_LENGTH / mesh.length
    side = rng.random()
    yaw = rng.normal(0, 18) if side < 0.65 else rng.normal(180, 18) if side < 0.82 else rng.choice([-1, 1]) * rng.uniform(30, 65)
    pitch, roll = rng.normal(6, 13), rng.normal(0, 7)
    if 0.82 <= side:
        pitch = rng.normal(15, 15)
    upright = rotation((0, 0, 1), roll) @ rotation((1, 0, 0), pitch) @ rotation((0, 1, 0), yaw)
    palm = np.array([0, 0.34, 0]) * mesh.length

    def shot(pose, turn, wrist=0.0, extra=None, base=None):
        # During a motion the wrist stays where the first image has it.
        base = turn if base is None else base
        offset = base @ palm * unit
        centre = (PALM[0] - offset[0], PALM[1] + offset[1])
        if extra is not None:
            turn = extra @ turn
        sprite = render(mesh, mesh.pose(pose, wrist), look, turn, SIDE, unit, centre)
        down = turn @ np.array([0, -1.0, 0])
        length = float(np.hypot(down[0], down[1]))
        return bank.add(sprite, (centre[0], centre[1], down[0] / (length + 1e-6), -down[1] / (length + 1e-6), length))

    def own(name, amount=1.0):
        pose = POSES[name]
        if randomised and name == "fist":
            pose = pose.mix(POSES["relaxed"], rng.uniform(0, 0.35))  # a loosely closed fist, as people often show it
        amount *= 1.5 if randomised else 1.0
        return pose.jitter(rng, 5 * amount, 5 * amount, 1.5 * amount)

    poses = {name: shot(own(name), upright) for name in STATIC}
    for name, sign in (("thumbsUp", 1), ("thumbsDown", -1)):
        back = 180 if rng.random() < 0.3 else 0
        turn = (rotation((0, 0, 1), rng.normal(0, 10)) @ rotation((0, 1, 0), back + rng.normal(0, 25))
                @ rotation((1, 0, 0), rng.normal(0, 12)) @ rotation((0, 0, 1), 90 * sign))
        poses[name] = shot(own("thumb", 0.8), turn)
    # A thumb that points to the side is not a gesture.
    turn = rotation((0, 0, 1), rng.normal(0, 12)) @ rotation((1, 0, 0), rng.normal(0, 12)) @ rotation((0, 1, 0), rng.normal(0, 20))
    poses["thumbAside"] = shot(own("thumb", 0.8), turn)

    motions, pace = {}, {}

    def recorded(motion):
        """A closing by a person of the split, or None, with equal probability."""
        found = closings[motion][rng.integers(len(closings[motion]))] if rng.random() < 0.5 else None
        if found is not None:
            pace[motion] = {"seconds": found.seconds, "shares": found.pace.tolist()}
        return found

    first, last = own(rng.choice(["open", "open", "together"])), own("fist")
    lag, closing = rng.uniform(0, 0.25), recorded("grab")
    even = np.linspace(0, 1, STEPS)
    # Fingers close one after another, the thumb last.
    fingers = np.clip(np.column_stack([(even - 0.3) / 0.7, *(even * (1 + lag) - lag * f / 3 for f in range(4))]), 0, 1)
    fingers = fingers if closing is None else closing.fingers
    motions["grab"] = [shot(first.bend(last, shares), upright) for shares in fingers]
    curled, closing = rng.random() < 0.45, recorded("zoom")
    curled = curled if closing is None else closing.curled
    kind = "Curled" if curled else ""
    first, last = own("pinch" + kind, 0.6), own("spread" + kind)
    turn = upright @ rotation((0, 1, 0), rng.uniform(-45, 15)) if rng.random() < 0.6 else upright
    fingers = np.tile(even[:, None], 5) if closing is None else 1 - closing.fingers[::-1]
    motions["zoom"] = [shot(first.bend(last, shares), turn) for shares in fingers]
    kind = rng.choice(["point", "open", "relaxed"], p=[0.7, 0.2, 0.1])
    first = own(kind)
    depth, tilt = rng.uniform(35, 65), rng.uniform(5, 28)
    path = []
    for s in np.linspace(0, 1, STEPS):
        pose = Pose(first.curl.copy(), first.thumb, first.spread)
        pose.curl[0] += s * np.array([depth, depth * 0.35, depth * 0.1])
        path.append(shot(pose, upright, wrist=s * tilt))
    motions["dipFinger"] = path
    first, depth = own(rng.choice(["open", "open", "together"])), rng.uniform(45, 80)
    front = np.cos(np.deg2rad(yaw)) >= 0
    curl = np.zeros(3)
    if randomised and rng.random() < 0.5:  # from the knuckles as much as from the wrist
        depth, curl = rng.uniform(0, 45), rng.uniform((30, 0, 0), (75, 40, 20))
    motions["dipHand"] = [shot(Pose(first.curl + s * curl, first.thumb, first.spread), upright, wrist=s * depth * (1 if front else -1))
                          for s in np.linspace(0, 1, STEPS)]
    turning = str(rng.choice(["open", "relaxed", "claw", "together"]))
    first, swing = own(turning), rng.uniform(25, 55)
    motions["turn"] = [shot(first, upright @ rotation((0, 1, 0), a)) for a in np.linspace(-swing, swing, STEPS)]
    bank.actors.append({"split": split, "source": source, "identity": identity, "poses": poses, "motions": motions, "pace": pace,
                        "turning": turning if randomised else "open"})


def dip(sprite, wrist, degrees):
    """A flat hand that tilts towards the camera about its wrist: a homography."""
    a = np.deg2rad(degrees)
    corners = np.array([[-40, 0], [40, 0], [40, -95], [-40, -95]], np.float64)
    far = 260.0
    out = []
    for cx, cy in corners:
        z = -cy * np.sin(a)
        k = far / (far - z)
        out.append((wrist[0] + cx * k, wrist[1] + cy * np.cos(a) * k))
    matrix = cv2.getPerspectiveTransform((corners + wrist).astype(np.float32), np.array(out, np.float32))
    return cv2.warpPerspective(sprite, matrix, (SIDE, SIDE))


def photo_actors(bank, assets):
    """Real hands: one actor for each student of signdigits, one for each usable crop of emrecandir (training only)."""
    people = {}
    for person, pose, sprite in mattes.signdigits(assets / "signdigits-218"):
        people.setdefault(person, {})[pose] = sprite
    upright = (PALM[0], PALM[1] + 24.0, 0.0, 1.0, 1.0)
    for person, pictures in sorted(people.items()):
        if TEST_PERSON - GAP <= person < TEST_PERSON:
            continue
        split = "train" if person < TEST_PERSON else "test"
        poses = {pose: bank.add(sprite, upright) for pose, sprite in pictures.items()}
        motions = {}
        if "open" in pictures:
            wrist = np.array([PALM[0], PALM[1] + 22.0])
            motions["dipHand"] = [bank.add(dip(pictures["open"], wrist, 70 * s), upright) for s in np.linspace(0, 1, STEPS)]
        if "point" in pictures:
            wrist = np.array([PALM[0], PALM[1] + 18.0])
            motions["dipFinger"] = [bank.add(dip(pictures["point"], wrist, 48 * s), upright) for s in np.linspace(0, 1, STEPS)]
        bank.actors.append({"split": split, "source": "signdigits-218", "identity": f"student-{person}",
                            "poses": poses, "motions": motions})
    named = {"up": ("thumbsUp", (-0.96, 0.28)), "down": ("thumbsDown", (-0.94, -0.34)), "follow": ("shaka", (-0.96, 0.28)),
             "take_off": ("point", (-0.5, 0.87))}
    for folder, sprite in mattes.static_poses(assets / "emrecandir-static-poses", named):
        pose, (dx, dy) = named[folder]
        alpha = sprite[..., 1]
        if pose == "point" and (alpha[np.flatnonzero(alpha.any(1))[0] + 3] > 0).sum() > 12:
            continue  # the other hand, lowered: its top is a wrist, not a fingertip
        arm = (PALM[0] + 14 * dx, PALM[1] + 14 * dy, dx, dy, 1.0)
        bank.actors.append({"split": "train", "source": "emrecandir-static-poses", "identity": "emrecandir",
                            "poses": {pose: bank.add(sprite, arm)}, "motions": {}})


# Video -> (split, step): every step-th frame is a background in the bank. The videos show people but no working hands.
VIDEOS = {
    "null-intel-sample-videos/head-pose-face-detection-male.gif": ("train", 1),
    "null-intel-sample-videos/head-pose-face-detection-female-and-male.gif": ("train", 1),
    "null-intel-sample-videos/one-by-one-person-detection.mp4": ("train", 6),
    "null-intel-sample-videos/face-demographics-walking.gif": ("test", 1),
    "temugeb-hands/bodypose3d_cam0_test.mp4": ("test", 2),
}
BACKGROUND = (256, 192)


def backgrounds(assets, folder):
    """Writes BANK/backgrounds.npy (uint8 [N,192,256] gray) and backgrounds.json ([video, split, first, end])."""
    frames, table = [], []
    for name, (split, step) in VIDEOS.items():
        capture, first, count = cv2.VideoCapture(str(assets / name)), len(frames), 0
        while True:
            ok, image = capture.read()
            if not ok:
                break
            if count % step == 0:
                gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
                frames.append(cv2.resize(gray, BACKGROUND, interpolation=cv2.INTER_AREA))
            count += 1
        table.append([name, split, first, len(frames)])
    np.save(folder / "backgrounds.npy", np.stack(frames))
    (folder / "backgrounds.json").write_text(json.dumps(table))


def build(assets, folder, train_views, test_views, persons=(600, 100), tuning=False):
    """tuning: only synthetic hands that are in neither split, under the training split's name."""
    bank = Bank(folder)
    if not tuning:
        photo_actors(bank, assets)
    closings = articulation.load(assets / "landmarks-jxshyz" / "landmarks.npz", STEPS)
    meshes = {"mesh-webxr-generic-hand": HandMesh.generic(assets / "mesh-webxr-generic-hand" / "right.glb"),
              "mesh-makehuman": HandMesh.makehuman(assets / "mesh-makehuman")}
    for k, (source, mesh) in enumerate(meshes.items()):
        for split, views in (("train", train_views), ("test", test_views)):
            first = FIRST["tuning" if tuning else split]
            for i in range(first, first + views):
                mesh_actor(bank, mesh, closings[split], split, source, f"{source}-{i}", np.random.default_rng([k, i]),
                           randomised=split == "train" and not tuning)
    bank.write()
    backgrounds(assets, folder)
    people.write(assets, folder, *persons)
    if not tuning:
        photos.write(assets, folder)
    return bank


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("assets", type=pathlib.Path)
    parser.add_argument("bank", type=pathlib.Path)
    parser.add_argument("--train-views", type=int, default=220, help="of each mesh")
    parser.add_argument("--test-views", type=int, default=40, help="of each mesh")
    parser.add_argument("--tuning", action="store_true", help="only 40 synthetic hands of each mesh that are in no split, for `temperature`")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    if args.tuning:
        bank = build(args.assets, args.bank, 40, 0, tuning=True)
    else:
        bank = build(args.assets, args.bank, args.train_views, args.test_views)
    for split in ("train", "test"):
        actors = [a for a in bank.actors if a["split"] == split]
        print(split, len(actors), "actors,", len({a["identity"] for a in actors}), "identities")
    print(len(bank.arms), "sprites")


if __name__ == "__main__":
    main()
