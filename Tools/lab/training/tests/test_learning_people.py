"""Learning from recordings of people: targets from truth, varied pieces, the mixed head."""

import argparse
import pathlib

import numpy as np
import pytest
import torch

from common.labels import BACK, LABELS, NULL
from handtrain import features, finetune, fixture, people, recordings, rehearsal


@pytest.fixture(scope="module")
def model():
    return finetune.load(finetune.SHIPPED)


def take(name, names):
    """A take of one held hand of the fixture, which moves across the frame."""
    shown = fixture.bank()["bones"][:1]
    points = finetune.points_of(np.repeat(shown, len(names), 0)) * 0.1
    points[..., 0] += np.linspace(0.3, 0.6, len(names))[:, None]
    points[..., 1] += 0.5
    motion = np.broadcast_to(features.NONE[features.POSED:features.USED], (len(names), features.USED - features.POSED))
    return finetune.Clip(pathlib.Path(name) / "clip.mp4", points.astype(np.float32), np.ones(len(names), np.float32), 4 / 3, motion,
                         np.array(names, object), False)


def test_targets_leave_out_what_is_undecided():
    names = people.targets(100, 30, [(20, 49, "grab"), (60, 79, "openPalm"), (90, 95, "skip"), (5, 8, "other")])
    assert (names[:17] == "null").all() and (names[17:26] == "").all()  # a fifth of a second of the gesture is undecided, and 0.1 s before it
    assert (names[26:53] == "grab").all()  # a movement counts for 0.1 s after its end
    assert (names[53:60] == "").all() or (names[53:57] == "").all()
    assert (names[66:80] == "openPalm").all() and (names[80:84] == "").all() and names[86] == "null"
    assert (names[90:96] == "").all() and (names[96:] == "null").all()


def test_a_gesture_at_the_edge_stays_inside():
    assert people.targets(10, 10, [(8, 30, "tap")])[9] == "tap"
    assert people.targets(10, 10, [(0, 2, "tap")])[1] == "tap"


def test_poses_are_asked_for_where_a_hand_was_tracked():
    shown = fixture.bank()["bones"][:1]
    landmarks = np.repeat(finetune.points_of(shown), 60, 0).astype(np.float32)
    landmarks[:20] = landmarks[40:] = np.nan
    recording = recordings.Recording(pathlib.Path("ann-one/clip.mp4"), np.arange(60) / 30, landmarks, np.ones(60, np.float32), 4 / 3,
                                     np.zeros((60, features.CODES), np.uint8))
    said = people.take_of(recording, [(0, 59, "openPalm")]).names
    # From the first hand on, and for a fifth of a second after the last one.
    assert (said[:20] == "").all() and (said[20:46] == "openPalm").all() and (said[46:] == "").all()
    swipe = people.take_of(recording, [(0, 59, "swipeLeft")]).names
    assert (swipe[10:] == "swipeLeft").all()


def test_pieces_show_what_they_were_drawn_for():
    takes = [take("ann-one", ["null"] * 40 + [""] * 6 + ["swipeRight"] * 10 + ["null"] * 40), take("bob-two", ["null"] * 90)]
    pieces = people.pieces_of(np.random.default_rng(1), takes)
    assert set(pieces) == {"swipeRight", "null"} and set(pieces["swipeRight"]) == {"ann"} and set(pieces["null"]) == {"ann", "bob"}
    shown = pieces["swipeRight"]["ann"]
    assert len(shown) == people.EACH
    for piece in shown:
        assert piece.codes.shape == (people.COLUMNS, features.CODES) and (piece.label == LABELS.index("swipeRight")).any()
    assert all(set(piece.label) <= {-1, NULL} for piece in pieces["null"]["bob"])
    assert any(not np.array_equal(shown[0].codes, other.codes) for other in shown[1:])


def test_signs_that_show_our_gestures_are_left_out(tmp_path):
    hands = np.random.default_rng(2).uniform(0.3, 0.6, (30, 2, 21, 3)).astype(np.float32)
    hands[:, 0] = np.nan
    (tmp_path / "some").mkdir()
    path = tmp_path / "some" / "takes.npz"
    np.savez(path, **{"book.1.hands": hands, "hello.1.hands": hands, "book.1.body": hands, "cat.2.hands": np.full_like(hands, np.nan)})
    found = people.signs_of(np.random.default_rng(3), [path], [np.zeros((5, 12), np.uint8)])
    assert len(found) == 1 and len(found[0].names) == 60 and (found[0].right == 0).all() and set(found[0].names) == {"null"}


def test_the_mixed_head_lies_between(model):
    other = finetune.enlarged(model, model.labels)
    with torch.no_grad():
        for value in other.parameters():
            value.add_(0.5)
    half = people.mixed(model.head, [other, other], 0.5)
    assert all(torch.allclose(a, b + 0.25, atol=1e-5) for a, b in zip(half.state_dict().values(), model.head.state_dict().values()))
    assert all(torch.equal(a, b) for a, b in zip(people.mixed(model.head, [other], 0.0).state_dict().values(), model.head.state_dict().values()))


def test_zooms_are_no_way_back_of_each_other(model):
    rules = people.shipped_rules(model._replace(rules=model.rules._replace(back=BACK)), argparse.Namespace(threshold=0.8, merge=200, steady=[167, 0.6]))
    assert (rules.confidence, rules.steady_rows, rules.steady_confidence) == (0.8, 5, 0.6)
    assert rules.once_rows == 6 and set(rules.back) == {"swipeLeft", "swipeRight", "swipeUp", "swipeDown"}
    assert model.rules.back == rules.back


def test_the_same_arguments_tune_the_same_head(model):
    torch.set_num_threads(1)
    takes = [take("ann-one", ["null"] * 30 + ["grab"] * 12 + ["null"] * 30)]
    pieces, rehearsed = people.pieces_of(np.random.default_rng(1), takes), rehearsal.read()
    args = argparse.Namespace(steps=2, rate=2e-4, keep=1.0)
    first, again = (people.tuned(model, pieces, rehearsed, [1, 2], args).state_dict() for _ in range(2))
    assert all(torch.equal(first[k], again[k]) for k in first)
    assert any(not torch.equal(first[k], v) for k, v in model.head.state_dict().items())
    assert all((first[k] - v).abs().max() < 0.01 for k, v in model.head.state_dict().items())
