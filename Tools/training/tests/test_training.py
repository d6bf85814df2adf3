"""Checks of the network, the timelines, the composer and the event rules."""

import json

import numpy as np
import pytest

from gesturetrain import golden, network, recognise
from gesturetrain.compose import Composer, runs
from gesturetrain.labels import CLASSES, INDEX, LABELS, MIRRORED, NULL
from gesturetrain.script import SWIPES, TICK, write_script

# An actor without pictures: timelines need only its names.
ACTOR = {
    "poses": {n: i for i, n in enumerate(("open", "together", "point", "fist", "relaxed", "claw", "four", "thumbsUp", "thumbsDown", "ring"))},
    "motions": {n: list(range(100 * k, 100 * k + 8)) for k, n in enumerate(("grab", "zoom", "dipFinger", "dipHand", "turn"), 1)},
}


def script(seed, label, rate=60):
    return write_script(np.random.default_rng(seed), ACTOR, rate, 0.3, 3.0, label)


def test_network_is_the_specified_one():
    assert network.self_check() == network.PARAMETERS


def test_golden_vectors_repeat():
    _, first, logits = golden.make(5)
    _, second, again = golden.make(5)
    assert np.array_equal(first, second) and np.array_equal(logits, again)


def test_mirroring_swaps_left_and_right_only():
    assert MIRRORED[INDEX["swipeLeft"]] == INDEX["swipeRight"] and MIRRORED[INDEX["swipeRight"]] == INDEX["swipeLeft"]
    assert all(MIRRORED[i] == i for i in range(CLASSES) if LABELS[i] not in ("swipeLeft", "swipeRight"))


@pytest.mark.parametrize("label", sorted(SWIPES))
@pytest.mark.parametrize("seed", range(10))
def test_a_swipe_moves_where_its_name_says(label, seed):
    track, events = script(seed, label)
    name, begin, end = next(e for e in events if e[0] == label)
    stroke = slice(begin, min(end, len(track["x"]) - 1))
    moved = track["x"][stroke][-1] - track["x"][begin], track["y"][stroke][-1] - track["y"][begin]
    along = np.dot(moved, SWIPES[label])
    assert along > 0.05 and along > 1.5 * abs(np.dot(moved, SWIPES[label][::-1]))


@pytest.mark.parametrize("label", LABELS[:NULL])
def test_every_gesture_lasts_seven_grid_frames(label):
    for seed in range(5):
        for rate in (30, 60, 120):
            track, events = script(seed, label, rate)
            _, begin, end = next(e for e in events if e[0] == label)
            if label not in ("openPalm", "point", "thumbsUp", "thumbsDown"):
                assert end - begin >= 7 / rate * TICK
                assert (track["label"][begin:end] == INDEX[label]).all()


def test_timelines_repeat_and_are_half_null():
    first, _ = script(3, "grab")
    second, _ = script(3, "grab")
    assert all(np.array_equal(first[k], second[k]) for k in first)
    share = np.mean([np.mean(script(s, None)[0]["label"] == NULL) for s in range(30)])
    assert share > 0.4


def test_events_need_three_sure_frames_and_end_after_two():
    rows = np.full((40, CLASSES), 0.0)
    rows[:, NULL] = 8
    rows[10:20] = 0
    rows[10:20, 0] = 8
    (name, onset, decision, end, _), = recognise.events(rows)
    assert name == LABELS[0] and onset == 12 and decision == 14 and end == 23
    rows[10:20, 0] = np.log(0.849 / 0.151 * 12)
    assert recognise.events(rows) == []


def test_runs_cover_every_frame():
    label = np.array([12, 12, 0, 0, 3, 12])
    assert runs(label) == [[0, 2, 12], [2, 4, 0], [4, 5, 3], [5, 6, 12]]


def test_splits_share_nobody(bank):
    actors = json.loads((bank / "actors.json").read_text())
    owners, sprites = {}, {}
    for actor in actors:
        assert owners.setdefault(actor["identity"], actor["split"]) == actor["split"]
        used = [*actor["poses"].values(), *(i for path in actor["motions"].values() for i in path)]
        for i in used:
            assert sprites.setdefault(i, actor["split"]) == actor["split"]
    videos = json.loads((bank / "backgrounds.json").read_text())
    assert not {v for v, s, *_ in videos if s == "train"} & {v for v, s, *_ in videos if s == "test"}
    assert {s for _, s, *_ in videos} == {"train", "test"}


def test_a_clip_is_a_function_of_its_seed(bank):
    composer, other = Composer(bank, "test"), Composer(bank, "train")
    a, b = composer.clip(11, steps=20), Composer(bank, "test").clip(11, steps=20)
    assert np.array_equal(a["frames"], b["frames"]) and np.array_equal(a["label"], b["label"])
    assert not np.array_equal(a["frames"][0], other.clip(11, steps=20)["frames"][0])
    assert a["frames"].dtype == np.uint8 and a["index"].max() == len(a["frames"]) - 1


def test_pixels_follow_the_timeline(bank):
    composer = Composer(bank, "test")
    for seed in range(40):
        clip = composer.clip(seed, rate=60, wanted="swipeLeft", source=60, steps=60)
        stroke = np.flatnonzero(clip["label"] == INDEX["swipeLeft"])
        if len(stroke) > 8:
            x = clip["aux"][clip["index"][stroke], 1]
            assert x[-1] < x[0]
            return
    raise AssertionError("no stroke in 40 clips")
