"""The table of people left out: events matched to truth, held poses, and the copies of a recording."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from reporting import people  # noqa: E402


def recording(poses, rate=10, truth=(), landmarks=None, size=(640, 480)):
    made = people.Recording.__new__(people.Recording)
    made.name, made.person, made.truth = "ann-one", "ann", list(truth)
    made.times = [k / rate for k in range(len(poses))]
    made.hands = [pose and {"pose": {"None": 0.2, pose: 0.8}, "landmarks": landmarks or [[0.5, 0.4, 0], [0.6, 0.7, 0]]} for pose in poses]
    made.width, made.height = size
    return made


def test_begins_find_one_gesture_each_within_the_frames_around_it():
    truth = [(10, 20, "grab"), (40, 50, "grab"), (60, 70, "skip")]
    said = people.matched([("grab", 5), ("grab", 30), ("grab", 31), ("tap", 65), ("tap", 75)], truth[:2], truth)
    assert said == {"found": ["grab"], "missed": ["grab"], "false_positives": ["grab", "grab", "tap"]}
    assert people.matched([("grab", 4)], truth[:1], truth[:1])["found"] == []


def test_a_pose_that_is_held_begins_once():
    palm = ["Open_Palm"] * 5
    said = recording(["None", *palm, "None", "None", *palm], truth=[(1, 3, "openPalm"), (8, 12, "openPalm")]).poses()
    assert said == {"found": ["openPalm", "openPalm"], "missed": [], "false_positives": []}
    flicker = recording(["Open_Palm", None] * 6, truth=[(0, 11, "openPalm")]).poses()
    assert flicker["missed"] == ["openPalm"] and not flicker["false_positives"]
    # Movements are not asked of poses; a pose that is shown elsewhere is false.
    assert recording(palm, truth=[(0, 4, "swipeUp")]).poses() == {"found": [], "missed": [], "false_positives": ["openPalm"]}


@pytest.mark.parametrize(("places", "size", "crop"), [
    ([0.45, 0.5, 0.55], (640, 480), "crop=270:480:185:0"), ([0.01, 0.1, 0.2], (640, 480), "crop=270:480:0:0"),
    ([0.05, 0.5, 0.95], (640, 480), None), ([0.45, 0.5, 0.55], (480, 640), None)])
def test_an_upright_copy_holds_the_hand(places, size, crop):
    made = recording(["None"] * 40, landmarks=[[x, 0.5, 0] for x in places], size=size)
    assert made.upright() == crop


def test_a_mirrored_copy_has_the_other_swipes(tmp_path, monkeypatch):
    made = recording(["None"], truth=[(1, 2, "swipeLeft"), (3, 4, "grab")])
    made.video = tmp_path / "clip.mp4"
    monkeypatch.setattr(people, "output", lambda command: "")
    assert made.copy("mirrored", tmp_path)
    assert (tmp_path / "ann-one" / "truth.csv").read_text() == "start,end,label\n1,2,swipeRight\n3,4,grab\n"


def test_a_slowed_copy_has_the_truth_of_the_frames_that_are_left(tmp_path, monkeypatch):
    made = recording(["None"] * 12, rate=30, truth=[(0, 0, "other"), (1, 2, "tap"), (3, 7, "grab"), (8, 11, "null")])
    made.video, commands = tmp_path / "clip.mp4", []
    monkeypatch.setattr(people, "output", commands.append)
    assert made.copy("slowed", tmp_path) and any("mod(n\\,3)" in str(word) for word in commands[0])
    assert (tmp_path / "ann-one" / "truth.csv").read_text() == "start,end,label\n0,0,other\n1,2,grab\n3,3,null\n"
    assert not recording(["None"] * 12, rate=15).copy("slowed", tmp_path)


def test_counts_are_of_the_labels_that_are_asked_for():
    rows = [{"hand": {"found": ["grab"], "missed": ["tap"], "false_positives": ["point"]}}]
    assert people.counts(rows, "hand") == (1, 2, 1) and people.counts(rows, "hand", lambda label: label == "grab") == (1, 1, 0)


def test_recordings_that_anyone_can_fetch_are_counted_apart():
    rows = [{"clip": "senseman-swipes"}, {"clip": "ann-one"}]
    assert [(name, [each["clip"] for each in some]) for name, some in people.sources(rows)] == [
        ("of `public-recordings`", ["senseman-swipes"]), ("other recordings", ["ann-one"])]
    assert people.sources(rows[:1]) == people.sources(rows[1:]) == []
