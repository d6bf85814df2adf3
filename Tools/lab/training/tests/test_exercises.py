"""Checks of the exercising body, on a body of boxes; `EXERCISE_BODY=MESHDIR` names the MakeHuman mesh for one more."""

import json
import os
import pathlib

import cv2
import numpy as np
import pytest

from exercises import check, clips
from exercises.__main__ import chosen, main
from exercises.body import JOINTS, Rig, middle_joint, swing, turn
from exercises.look import Camera
from exercises.motions import ACTIVITIES, Motion, Schedule
from exercises.room import Room

FIXTURES = pathlib.Path(__file__).parents[4] / "Tests" / "Fixtures" / "body"

# Heads of the bones of the left side and the middle, decimetres, as on a person with arms down and out.
_BONES = {"root": (None, (0, 0.6, 0)), "spine05": ("root", (0, 0.8, 0)), "spine04": ("spine05", (0, 1.5, 0)),
          "spine03": ("spine04", (0, 2, 0)), "spine02": ("spine03", (0, 3, 0)), "spine01": ("spine02", (0, 4.4, 0)),
          "neck01": ("spine01", (0, 5.9, 0)), "neck02": ("neck01", (0, 6.3, 0)), "neck03": ("neck02", (0, 6.6, 0)), "head": ("neck03", (0, 7, 0))}
_LIMBS = {"clavicle": ("spine01", (0.3, 5.2, 0)), "shoulder01": ("clavicle", (1.2, 5.5, 0)), "upperarm01": ("shoulder01", (1.7, 5.2, 0)),
          "lowerarm01": ("upperarm01", (3.1, 3.5, 0)), "wrist": ("lowerarm01", (4.3, 2.4, 1.7)), "upperleg01": ("root", (1.1, 0.5, 0.1)),
          "lowerleg01": ("upperleg01", (1.6, -3.7, 0.3)), "foot": ("lowerleg01", (2.2, -7.4, 0))}


def _limbs():
    out = dict(_LIMBS)
    for finger in range(2, 6):
        before = "wrist"
        for part in (1, 2, 3):
            out[f"finger{finger}-{part}"] = (before, (4.6, 2.2 - 0.2 * finger, 2 + 0.3 * part - 0.1 * finger))
            before = f"finger{finger}-{part}"
    return out


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A body of one small box a bone, in the files' formats."""
    out = tmp_path_factory.mktemp("body")
    bones = dict(_BONES)
    for sign, side in ((1, "L"), (-1, "R")):
        for name, (parent, (x, y, z)) in _limbs().items():
            above = parent if parent in _BONES else f"{parent}.{side}"
            bones[f"{name}.{side}"] = (above, (sign * x, y, z))
    places = {**bones, "l-eye": (None, (0.3, 7.3, 1.2)), "r-eye": (None, (-0.3, 7.3, 1.2))}
    corner = 0.15 * np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    faces = ((1, 2, 4, 3), (5, 7, 8, 6), (1, 5, 6, 2), (3, 4, 8, 7), (1, 3, 7, 5), (2, 6, 8, 4))
    lines, doc, weights, joints, first = [], {}, {}, {}, 0
    for name, (parent, at) in places.items():
        lines += [f"v {x:.4f} {y:.4f} {z:.4f}" for x, y, z in corner + at]
        lines += ["g body" if name in bones else f"g helper-{name}", *("f " + " ".join(str(first + i) for i in face) for face in faces)]
        if name in bones:
            weights[name] = [[first + i, 1.0] for i in range(8)]
            joints[name + ":head"], joints[name + ":tail"] = list(range(first, first + 8)), [first + 2, first + 3, first + 6, first + 7]
            doc[name] = {"parent": parent, "head": name + ":head", "tail": name + ":tail"}
        first += 8
    (out / "base.obj").write_text("\n".join(lines))
    (out / "default.mhskel").write_text(json.dumps({"bones": doc, "joints": joints}))
    (out / "default_weights.mhw").write_text(json.dumps({"weights": weights}))
    return out


@pytest.fixture(scope="module")
def rig(folder):
    return Rig(folder, 1)


def motion(rig, activity, seed=1, tempo=1.5, length=12.0):
    return Motion(rig, activity, seed, length, tempo)


def knee(joints, side):
    thigh, shin = joints[f"{side}_hip"] - joints[f"{side}_knee"], joints[f"{side}_ankle"] - joints[f"{side}_knee"]
    return np.rad2deg(np.arccos(thigh @ shin / np.linalg.norm(thigh) / np.linalg.norm(shin)))


def test_rotations_turn_as_they_say():
    assert turn(1, 90) @ (0, 0, 1) == pytest.approx([1, 0, 0])  # yaw to the left
    assert turn(0, 90) @ (0, 1, 0) == pytest.approx([0, 0, 1])  # pitch forwards
    a, b = np.array([0.6, 0.8, 0]), np.array([0, 0.28, 0.96])
    assert swing(a, b) @ a == pytest.approx(b)
    assert np.linalg.det(swing(a, b)) == pytest.approx(1)


def test_a_middle_joint_is_as_far_from_both_ends_as_its_bones_are_long():
    joint = middle_joint(np.zeros(3), np.array([0, -0.7, 0.1]), 0.4, 0.45, np.array([0.0, 0, 1]))
    assert np.linalg.norm(joint) == pytest.approx(0.4)
    assert np.linalg.norm(joint - (0, -0.7, 0.1)) == pytest.approx(0.45)
    assert joint[2] > 0.1


@pytest.mark.parametrize("seed", range(6))
def test_repetitions_follow_each_other_and_reach_their_ends(seed):
    schedule = Schedule(np.random.default_rng(seed), 15, 1.2)
    assert 7 < len(schedule.repetitions) < 13
    before = 0
    for k, (begin, peak, end, *_) in enumerate(schedule.repetitions):
        assert before <= begin < peak < end <= 14
        assert schedule.at(begin) == (0.0, k) and schedule.at(end)[0] == 0.0
        assert schedule.at(peak)[0] > 0.88 and schedule.at(peak)[1] == k
        before = end
    sides = [r["side"] for r in schedule.truth("right")]
    assert sides[:3] == ["right", "left", "right"]


@pytest.mark.parametrize("activity", ACTIVITIES)
@pytest.mark.parametrize("seed", (1, 2, 3))
def test_bones_keep_their_lengths_and_motions_are_smooth(rig, activity, seed):
    moves = motion(rig, activity, seed)
    places = []
    for t in np.arange(1, 6, 1 / 30):
        _, joints = rig.pose(moves.pose(t))
        places.append([joints[name] for name in JOINTS])
        for side in ("left", "right"):
            suffix = side[0].upper()
            for a, b in (("shoulder", "elbow"), ("elbow", "wrist"), ("hip", "knee"), ("knee", "ankle")):
                long = rig.length(*(JOINTS[f"{side}_{name}"] for name in (a, b)))
                assert np.linalg.norm(joints[f"{side}_{a}"] - joints[f"{side}_{b}"]) == pytest.approx(long, abs=1e-6), (t, suffix, a)
    # Nothing goes faster than a quick fist does.
    assert np.linalg.norm(np.diff(places, axis=0), axis=2).max() * 30 < 8


@pytest.mark.parametrize("seed", (1, 4, 7))
def test_ankles_stay_where_they_are_in_squats(rig, seed):
    moves = motion(rig, "squat", seed, 2.0)
    ankles = [[rig.pose(moves.pose(t))[1][f"{side}_ankle"] for side in ("left", "right")] for t in np.arange(0, 12, 0.2)]
    assert np.ptp(ankles, axis=0).max() < 1e-6


def test_knees_bend_at_the_peaks_of_squats_only(rig):
    moves = motion(rig, "squat", 2, 2.0)
    assert len(moves.truth()) >= 3
    for repetition in moves.truth():
        for side in ("left", "right"):
            assert knee(rig.pose(moves.pose(repetition["peak_s"]))[1], side) < 105
            assert knee(rig.pose(moves.pose(repetition["begin_s"]))[1], side) > 155


def test_jacks_open_arms_and_legs_at_once(rig):
    moves = motion(rig, "jumping-jacks", 3, 1.2)
    for repetition in moves.truth():
        closed, opened = (rig.pose(moves.pose(repetition[end]))[1] for end in ("begin_s", "peak_s"))
        assert opened["left_wrist"][1] > opened["left_shoulder"][1] + 0.2 and closed["left_wrist"][1] < closed["left_shoulder"][1] - 0.3
        assert opened["left_ankle"][0] - opened["right_ankle"][0] > closed["left_ankle"][0] - closed["right_ankle"][0] + 0.3


def test_punches_alternate(rig):
    moves = motion(rig, "punches", 4, 0.7)
    assert len(moves.truth()) > 8
    for repetition in moves.truth():
        joints = rig.pose(moves.pose(repetition["peak_s"]))[1]
        forth = {side: joints[f"{side}_wrist"][2] - joints[f"{side}_shoulder"][2] for side in ("left", "right")}
        other = {"left": "right", "right": "left"}[repetition["side"]]
        assert forth[repetition["side"]] > forth[other] + 0.15


@pytest.mark.parametrize("seed", (1, 2, 3, 4))
def test_feet_are_far_apart_at_the_peaks_of_lunges_only_and_the_hips_sink(rig, seed):
    moves = motion(rig, "lunge", seed, 2.0)
    assert len(moves.truth()) >= 3
    for repetition in moves.truth():
        rest, deep = (rig.pose(moves.pose(repetition[end]))[1] for end in ("begin_s", "peak_s"))
        stride = [abs(joints["left_ankle"][2] - joints["right_ankle"][2]) for joints in (rest, deep)]
        assert stride[0] < 0.05 and stride[1] > 0.5 * moves.leg
        assert rest["left_hip"][1] - deep["left_hip"][1] > 0.2 * moves.leg


@pytest.mark.parametrize("seed", (1, 2, 3, 4))
def test_the_trunk_rises_in_sit_ups_and_the_feet_stay(rig, seed):
    moves = motion(rig, "sit-up", seed, 2.0)
    assert len(moves.truth()) >= 3

    def rise(joints):
        trunk = joints["left_shoulder"] - joints["left_hip"]
        return np.rad2deg(np.arcsin(trunk[1] / np.linalg.norm(trunk)))
    for repetition in moves.truth():
        rest, high = (rig.pose(moves.pose(repetition[end]))[1] for end in ("begin_s", "peak_s"))
        assert rise(rest) < 20 and rise(high) > rise(rest) + 35
        assert high["left_ankle"] == pytest.approx(rest["left_ankle"], abs=1e-6)


def test_null_has_no_repetitions_and_turns_about(rig):
    moves = motion(rig, "null")
    assert moves.truth() == []
    joints = rig.pose(moves.pose(10.8))[1]
    across = joints["left_hip"] - joints["right_hip"]
    assert abs(np.rad2deg(np.arctan2(-across[2], across[0]))) > 40


def test_the_camera_sees_a_standing_body_as_tall_as_asked():
    camera = Camera((640, 480), 0.8, 1.7, 1.2)
    flat, far = camera.project(np.array([[0, 0, 0], [0, 1.7, 0], [0.3, 0.9, 0], [0, 0.9, 0]], float))
    assert flat[0, 1] - flat[1, 1] == pytest.approx(0.8 * 480, rel=0.03)
    assert flat[2, 0] > flat[3, 0] and (far > 0).all()


def test_a_room_is_a_function_of_the_seed_with_a_floor_below():
    camera = Camera((160, 120), 0.8, 1.7, 1.2)
    a, b, c = (Room(camera, seed) for seed in (3, 3, 4))
    assert (a.picture == b.picture).all() and (a.picture != c.picture).any()
    assert a.on_floor[-1].all() and not a.on_floor[0].any()
    before = a.picture.copy()
    shaded = a.shaded([np.zeros(3)], np.array([0, 1.0, 0]))
    assert (shaded <= before).all() and (shaded < before).any() and (a.picture == before).all()


def test_a_frame_is_a_function_of_its_clip_and_has_the_body_at_its_joints(folder):
    clip = clips.Clip("t", "squat", 3, 4, 20, 1.5, 0.8, 1, False, (160, 120))
    (a, where), (b, _) = (clips.Film(clip, folder).frame(40) for _ in range(2))
    film = clips.Film(clip, folder)
    assert a.shape == (120, 160, 3) and (a == b).all() and where.shape == (12, 2)
    empty = cv2.GaussianBlur(film.room.picture, (0, 0), film.blur).astype(int)
    for x, y in where:
        row, column = int(y * 120), int(x * 160)
        assert np.abs(a.astype(int) - empty)[row - 1:row + 2, column - 1:column + 2].max() > 12


def test_clips_are_of_all_activities_and_words_choose_them():
    assert {clip.activity for clip in clips.CLIPS} == set(ACTIVITIES)
    assert len({clip.name for clip in clips.CLIPS}) == len({clip.seed for clip in clips.CLIPS}) == len(clips.CLIPS)
    assert {clip.activity for clip in chosen(["squat"])} == {"squat"}
    assert chosen([]) == list(clips.CLIPS) and chosen(["swim"]) == []
    with pytest.raises(SystemExit):
        main(["--body", "x", "--output", "y", "--only", "swim"])


def test_a_tracker_is_held_against_the_joints():
    places = np.random.default_rng(1).uniform(0.2, 0.8, (2, 12, 2))
    people = []
    for frame in places:
        points = np.zeros((33, 4))
        points[check._NUMBERS, :2], points[:, 3] = frame, 0.9
        people.append({"people": [{"presence": 0.8, "landmarks": points.tolist()}]})
    found = check.joints(people, places, (640, 480))
    assert found == {"found": 1.0, "presence": 0.8, "visible": 1.0, "median": pytest.approx(0), "p95": pytest.approx(0)}
    assert check.joints([{"people": []}] * 2, places, (640, 480))["found"] == 0
    assert check.counted([{"activity": {"repetitions": 1}}, {"activity": {"repetitions": 4}}]) == 4
    for lines in ([], [{"people": []}], [{"activity": None}]):
        with pytest.raises(RuntimeError):
            check.counted(lines)


def test_a_check_counts_what_differs_from_the_truth(tmp_path, capsys):
    bench = tmp_path / "bench"
    bench.write_text("#!/bin/sh\necho '{\"activity\": {\"repetitions\": 9}}'\n")
    bench.chmod(0o755)
    truth = json.loads((FIXTURES / "truth.json").read_text())
    (tmp_path / "truth.json").write_text(json.dumps(truth))
    for clip in truth:
        (tmp_path / clip["clip"]).write_bytes((FIXTURES / clip["clip"]).read_bytes())
    main(["--check", str(bench), str(tmp_path), "--only", "squat"])
    out = capsys.readouterr().out
    assert f"| squat-front | squat | {len(truth[0]['repetitions'])} | 9 | 9 | 9 |" in out and "3 counts differ" in out and "jacks" not in out


def test_thinned_clips_keep_each_nth_frame(tmp_path):
    source = FIXTURES / "jacks-front.mp4"
    check.thinned(source, tmp_path / "thin.mp4", 3)
    kept, all_ = check.frames_of(tmp_path / "thin.mp4"), check.frames_of(source)
    assert len(kept) == len(all_) // 3
    video = cv2.VideoCapture(str(tmp_path / "thin.mp4"))
    assert video.get(cv2.CAP_PROP_FPS) == pytest.approx(10)
    away = [np.abs(kept[20].astype(int) - frame).mean() for frame in all_]
    assert int(np.argmin(away)) == 60


def test_fixtures_are_what_their_truth_says():
    for clip in json.loads((FIXTURES / "truth.json").read_text()):
        frames = check.frames_of(FIXTURES / clip["clip"])
        assert len(frames) == clip["frames"] and frames[0].shape == (clip["height"], clip["width"], 3)
        assert 3 < len(clip["repetitions"]) and clip["repetitions"][-1]["end_s"] < clip["frames"] / clip["rate_hz"]


@pytest.mark.skipif("EXERCISE_BODY" not in os.environ, reason="EXERCISE_BODY names no folder with the mesh")
def test_the_mesh_stands_on_the_floor():
    mesh = Rig(os.environ["EXERCISE_BODY"], 1)
    vertices, joints = mesh.pose(motion(mesh, "squat").pose(0.0))
    body = vertices[np.unique(mesh.quads)]
    assert -0.02 < body[:, 1].min() < 0.02 and 1.45 < body[:, 1].max() < 1.9
    assert joints["left_shoulder"][0] > 0 > joints["right_shoulder"][0]
