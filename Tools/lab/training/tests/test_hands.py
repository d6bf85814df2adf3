"""Checks of the rigged hands and of recorded closings, on a hand of sticks."""

import json

import cv2
import numpy as np
import pytest

from gesturetrain import articulation, assets, crops, mattes, photos, script
from gesturetrain.mesh import FINGERS, POSES, HandMesh, Pose
from gesturetrain.script import AUX_POSES

# Wrist, then knuckle, middle, end joint and tip of index...pinky; thumb likewise. Metres: x to the thumb, y along the fingers.
ROOTS = np.array([[0.025, 0.09, 0], [0.005, 0.095, 0], [-0.015, 0.09, 0], [-0.035, 0.08, 0]])
BONES = (0.045, 0.03, 0.02)
THUMB = np.array([[0.02, 0.02, 0], [0.045, 0.045, 0], [0.065, 0.065, 0], [0.08, 0.08, 0]])


def straight(root):
    return [root + np.array([0, length, 0]) for length in np.cumsum((0, *BONES))]


@pytest.fixture(scope="module")
def makehuman(tmp_path_factory):
    """The files of a MakeHuman body that has a right hand, turned and moved, and a forearm."""
    folder = tmp_path_factory.mktemp("makehuman")
    chains = {"wrist": [np.zeros(3), 0.9 * ROOTS[1]], "lowerarm02": [np.array([0, -0.2, 0]), np.zeros(3)], "lowerarm01": [np.array([0, -0.3, 0]), np.array([0, -0.2, 0])]}
    for k, points in enumerate([THUMB, *(straight(root) for root in ROOTS)]):
        if k:
            chains[f"metacarpal{k}"] = [0.3 * ROOTS[k - 1], ROOTS[k - 1]]
        for j in range(3):
            chains[f"finger{k + 1}-{j + 1}"] = [points[j], points[j + 1]]
    turn = np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))[0]
    turn *= np.linalg.det(turn)
    vertices, joints, weights, faces = [], {}, {}, []
    for bone, ends in chains.items():
        first = len(vertices)
        # A square tube about the bone; its faces look outwards as seen from the palm (z).
        for end in ends:
            vertices += [end + offset for offset in ((-0.005, 0, 0.004), (0.005, 0, 0.004), (0.005, 0, -0.004), (-0.005, 0, -0.004))]
        joints[f"{bone}.R____head"], joints[f"{bone}.R____tail"] = list(range(first, first + 4)), list(range(first + 4, first + 8))
        weights[f"{bone}.R"] = [[first + k, 1.0] for k in range(8)]
        faces += [[first + k, first + (k + 1) % 4, first + 4 + (k + 1) % 4, first + 4 + k] for k in range(4)]
    lines = [f"v {x:.6f} {y:.6f} {z:.6f}" for x, y, z in 10 * (np.array(vertices) @ turn.T + (3, 9, 1))]
    lines += ["g joint-cube", "f 1/1 2/2 3/3 4/4", "g body", *("f " + " ".join(f"{i + 1}/1" for i in face) for face in faces)]
    (folder / "base.obj").write_text("\n".join(lines))
    (folder / "default.mhskel").write_text(json.dumps({"joints": joints}))
    (folder / "default_weights.mhw").write_text(json.dumps({"weights": weights}))
    return HandMesh.makehuman(folder)


def tip(mesh, finger, pose):
    """The middle of the outermost vertices of a finger in a pose."""
    end = mesh.weights[:, mesh.chain(finger)[-2]] > 0.5
    far = np.argsort(np.linalg.norm(mesh.vertices[end], axis=1))[-4:]
    return mesh.pose(pose)[np.flatnonzero(end)[far]].mean(0)


def test_the_hand_of_a_body_lies_in_hand_space(makehuman):
    joint = dict(zip(makehuman.NAMES, makehuman.joints))
    np.testing.assert_allclose(joint["wrist"], 0, atol=1e-6)
    assert joint["middle-finger-phalanx-proximal"][1] > 0.09
    assert joint["index-finger-tip"][0] > 0 > joint["pinky-finger-tip"][0] and joint["thumb-tip"][0] > joint["index-finger-tip"][0]
    np.testing.assert_allclose(makehuman.joints[:, 2], 0, atol=1e-5)
    np.testing.assert_allclose(makehuman.weights.sum(1), 1, atol=1e-6)
    assert makehuman.vertices[:, 1].min() > -0.021 and makehuman.triangles.max() < len(makehuman.vertices)


@pytest.mark.parametrize("finger", FINGERS[1:])
def test_a_finger_curls_into_the_palm_and_the_others_stay(makehuman, finger):
    flat = Pose([(0, 0, 0)] * 4, (0, 0, 0, 0), 0)
    curled = Pose([(80, 90, 50) if name == finger else (0, 0, 0) for name in FINGERS[1:]], (0, 0, 0, 0), 0)
    for name in FINGERS[1:]:
        before, after = tip(makehuman, name, flat), tip(makehuman, name, curled)
        if name == finger:
            assert after[1] < before[1] - 0.04 and after[2] > before[2]
        else:
            np.testing.assert_allclose(after, before, atol=1e-6)


def test_bending_goes_finger_by_finger_from_one_pose_to_the_other():
    first, last = POSES["open"], POSES["fist"]
    for share in (0.0, 1.0):
        pose, end = first.bend(last, np.full(5, share)), (first, last)[int(share)]
        assert np.allclose(pose.curl, end.curl) and np.allclose(pose.thumb, end.thumb) and np.isclose(pose.spread, end.spread)
    only = first.bend(last, np.array([0, 1, 0, 0, 0]))
    assert np.allclose(only.curl[0], last.curl[0]) and np.allclose(only.curl[1:], first.curl[1:]) and np.allclose(only.thumb, first.thumb)


# Recordings.

def landmarks(shares, thumb=0.0):
    """[T,21,3]: a hand whose index...pinky [T,4] are the given shares of a fist, the thumb's tip as much nearer to the index's."""
    shares = np.asarray(shares, float)
    points = np.zeros((len(shares), 21, 3))
    for k, root in enumerate(ROOTS):
        angle, at = np.zeros(len(shares)), np.tile(root, (len(shares), 1))
        points[:, 5 + 4 * k] = at
        for j, length in enumerate(BONES):
            angle = angle + shares[:, k] * (70, 90, 45)[j] * np.pi / 180
            at = at + length * np.stack([np.zeros_like(angle), np.cos(angle), np.sin(angle)], 1)
            points[:, 6 + 4 * k + j] = at
    points[:, 1:5] = THUMB
    points[:, 4] += np.broadcast_to(thumb, len(shares))[:, None] * (points[:, 8] - THUMB[3])
    return points / 0.095


def test_flexion_is_the_angle_between_bones():
    np.testing.assert_allclose(articulation.flexion(landmarks([[1, 0.5, 0, 0]]))[0, :, 1:], [[90, 45], [45, 22.5], [0, 0], [0, 0]], atol=0.02)


def test_a_closing_has_its_time_its_pace_and_the_order_of_the_fingers():
    # Half a second at rest, half a second closing with the pinky ahead of the index, rest.
    u = np.clip((np.arange(60) - 15) / 15, 0, 1)
    shares = np.stack([np.clip(1.4 * u - lag, 0, 1) for lag in (0.4, 0.25, 0.1, 0.0)], 1)
    found = articulation.closing(landmarks(shares), "grab", 30.0, 12)
    assert 0.3 < found.seconds < 0.55 and not found.curled
    assert found.pace[0] == 0 and found.pace[-1] == 1 and (np.diff(found.pace) >= 0).all()
    assert found.fingers.shape == (12, 5) and np.allclose(found.fingers[0], 0, atol=0.02) and np.allclose(found.fingers[-1], 1, atol=0.02)
    assert (np.diff(found.fingers[5, 1:]) > 0.05).all()


@pytest.mark.parametrize("shares", [np.zeros(60), np.ones(60), np.linspace(0, 0.3, 60), (np.arange(60) > 30) * 1.0, np.linspace(1, 0, 60)])
def test_what_does_not_close_or_jumps_is_no_closing(shares):
    assert articulation.closing(landmarks(np.tile(shares[:, None], 4)), "grab", 30.0, 12) is None


def test_a_pinch_closes_by_its_thumb_and_knows_whether_the_hand_is_curled():
    thumb = np.clip((np.arange(60) - 10) / 20, 0, 0.98)
    for curled in (False, True):
        found = articulation.closing(landmarks(np.tile([0.2, 0.2, curled, curled], (60, 1)), thumb), "zoom", 30.0, 12)
        assert found.curled == curled and 0.4 < found.seconds < 0.8
    # Nothing but the thumb moves, so the fingers go with the hand.
    np.testing.assert_allclose(found.fingers[:, 1:], np.tile(np.linspace(0, 1, 12)[:, None], 4), atol=0.05)


def test_nobody_is_recorded_for_both_splits(tmp_path):
    u = np.clip((np.arange(60) - 15) / 15, 0, 1)
    takes = [landmarks(np.tile(u[:, None] ** power, 4)) for power in (0.8, 1.0, 1.2)]
    np.savez(tmp_path / "landmarks.npz", seq=np.stack(takes).reshape(3, 60, 63).astype(np.float16), length=np.full(3, 60), label=np.array([0, 0, 1]),
             label_names=np.array(["close_fist", "neutral_palm"]), subject=np.array([0, articulation.TEST_SUBJECT, 0]), fps=np.float32(30))
    found = articulation.load(tmp_path / "landmarks.npz", 12)
    assert {split: {motion: len(takes) for motion, takes in of.items()} for split, of in found.items()} \
        == {"train": {"grab": 1, "zoom": 0}, "test": {"grab": 1, "zoom": 0}}


def test_a_recorded_pace_is_played_as_it_was_and_not_always():
    shares = [0.0, 0.8, 0.9, 1.0]  # most of the way in the first third
    actor = {"poses": {"open": 0}, "motions": {"grab": list(range(12))}, "pace": {"grab": {"seconds": 0.6, "shares": shares}}}
    early, ticks = [], []
    for seed in range(60):
        track = script.Track(np.random.default_rng(seed), actor, 60, 0.3)
        track._play("grab", 0.2)
        closed = 1 - track.finish()["open"]
        assert closed[-1] == 1 and (np.diff(closed) >= 0).all()
        early.append(closed[len(closed) // 3 - 1] > 0.7)
        ticks.append(len(closed))
    recorded = np.array(early)
    assert 0.35 < recorded.mean() < 0.85
    seconds = np.array(ticks) / script.TICK
    assert np.allclose(seconds[~recorded], 0.2, atol=0.01) and abs(np.median(seconds[recorded]) - 0.6) < 0.1
    assert 0.1 <= seconds.min() and seconds.max() <= 1.5


def test_a_bank_holds_its_sprites_in_the_order_of_their_numbers(tmp_path):
    rng, bank = np.random.default_rng(4), assets.Bank(tmp_path / "bank")
    sprites = rng.integers(0, 256, (3, assets.SIDE, assets.SIDE, 2), dtype=np.uint8)
    assert [bank.add(sprite, (k, 0, 0, 1, 1)) for k, sprite in enumerate(sprites)] == [0, 1, 2]
    bank.write()
    assert (np.load(tmp_path / "bank/sprites.npy") == np.stack([mattes.spread(sprite) for sprite in sprites])).all()
    assert (np.load(tmp_path / "bank/arms.npy")[:, 0] == [0, 1, 2]).all()
    assert sorted(p.name for p in (tmp_path / "bank").iterdir()) == ["actors.json", "arms.npy", "sprites.npy"]


def test_photographs_of_raised_and_hanging_hands(tmp_path):
    """Above a raised hand is a light wall, above a hanging one a dark sleeve; what is neither is left out."""
    root = tmp_path / "emrecandir-static-poses"
    root.mkdir()
    lines = ["file,source_class,hand_x0,hand_y0,hand_x1,hand_y1"]
    for name, above, below, folder in (("a", 180, 30, "palm"), ("b", 30, 180, "palm"), ("c", 100, 110, "palm"), ("d", 180, 30, "emergency"), ("e", 180, 30, "land")):
        picture = np.full((160, 160), 120, np.uint8)
        picture[:50], picture[111:] = above, below
        cv2.imwrite(str(root / f"{name}.png"), picture)
        lines.append(f"{name}.png,{folder},50,50,100,110")
    (root / "index.csv").write_text("\n".join(lines))
    pictures, aux = photos.read(tmp_path)
    poses = [AUX_POSES[int(p)] for p in aux[:, 7]]
    assert pictures.shape == (3, 160, 160) and poses == ["open", "relaxed", "fist"]
    assert np.allclose(aux[0, 1:4] * crops.FRAME, (75, 50 + 0.65 * 60, 60)) and aux[2, 3] > aux[0, 3]
    assert aux[:, 5].tolist() == [1, -1, 1] and aux[:, 6].tolist() == [1, 0, 0]
    photos.write(tmp_path, tmp_path)
    assert all(np.array_equal(a, b) for a, b in zip(photos.load(tmp_path), (pictures, aux)))


def test_every_tenth_picture_is_a_photograph_at_its_palm():
    picture = np.zeros((160, 160), np.uint8)
    cv2.circle(picture, (80, 84), 6, 255, -1)
    aux = np.array([[1, 80 / crops.FRAME, 84 / crops.FRAME, 60 / crops.FRAME, 0, 1, 1, 1]], np.float32)
    rng = np.random.default_rng(2)
    for _ in range(20):
        out, target = crops.photo(picture, aux[0], rng)
        assert 34 < target[3] * crops.FRAME < 141 and target[0] == 1
        y, x = np.unravel_index(cv2.GaussianBlur(out, (0, 0), 3).argmax(), out.shape)
        assert np.hypot(x - target[1] * crops.FRAME, y - target[2] * crops.FRAME) < 8

    class Data:
        range = staticmethod(lambda: (0, 1))
        __getitem__ = staticmethod(lambda k: (np.full((9, 224, 224), 7, np.uint8), {"aux": np.zeros((9, 8), np.float32), "sampling_weights": np.full(9, 1 / 9)}))

    _, targets = crops.batch(Data(), np.random.default_rng(1), 64, lambda picture, aux, rng: (picture, aux), crops.FRAME, (picture[None], aux))
    assert np.flatnonzero(targets[:, 0]).tolist() == list(range(0, 64, crops.PHOTO_EVERY))
