"""Checks of the network, the timelines, the composer and the event rules."""

import json
import pathlib
import subprocess
import sys

import cv2
import numpy as np
import pytest
import torch
import torch.utils._pytree
from safetensors.torch import load_file

from common import recognise
from common.labels import CLASSES, INDEX, LABELS, MIRRORED, NULL
from gesturetrain import (
    cache,
    columns,
    crops,
    distillation,
    evaluate,
    export,
    golden,
    network,
    quantised,
    sampling,
    temperature,
    visible,
)
from gesturetrain import train as training
from gesturetrain.auxiliary import Auxiliary, pose_of, pose_shares
from gesturetrain.compose import SLOW, SOURCES, Composer, exposure_gains, runs
from gesturetrain.dead_channels import reinitialise
from gesturetrain.head import clip_loss
from gesturetrain.script import SWIPES, TICK, write_script
from gesturetrain.whole import thinned, window_targets

WEIGHTS = pathlib.Path(__file__).resolve().parents[4] / "Weights"
CHECKPOINT, MODEL = WEIGHTS / "checkpoint.safetensors", WEIGHTS / "gesture-tcn-int8.safetensors"

# An actor without pictures: timelines need only its names.
ACTOR = {
    "poses": {n: i for i, n in enumerate(("open", "together", "point", "fist", "relaxed", "claw", "four", "thumbsUp", "thumbsDown", "ring"))},
    "motions": {n: list(range(100 * k, 100 * k + 8)) for k, n in enumerate(("grab", "zoom", "dipFinger", "dipHand", "turn"), 1)},
}


def script(seed, label, rate=60):
    return write_script(np.random.default_rng(seed), ACTOR, rate, 0.3, 3.0, label)


def test_network_is_the_specified_one():
    assert network.self_check() == network.PARAMETERS


def test_golden_set_is_the_committed_one():
    net, _, logits = golden.make()
    folder = WEIGHTS.parent / "Tests/Fixtures/golden"
    assert np.allclose(logits, np.load(folder / "golden_logits.npy"), atol=1e-4)
    state = net.state_dict()
    for name, values in load_file(folder / "golden-norms.safetensors").items():
        assert np.allclose(state[name], values, atol=1e-4), name


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
    people = [{person.tobytes() for person in Composer(bank, split).rendered} for split in ("train", "test")]
    assert people[0] and people[1] and not people[0] & people[1]


def test_a_clip_is_a_function_of_its_seed(bank):
    composer, other = Composer(bank, "test"), Composer(bank, "train")
    a, b = composer.clip(11, steps=20), Composer(bank, "test").clip(11, steps=20)
    assert np.array_equal(a["frames"], b["frames"]) and np.array_equal(a["label"], b["label"])
    assert not np.array_equal(a["frames"][0], other.clip(11, steps=20)["frames"][0])
    assert a["frames"].dtype == np.uint8 and a["index"].max() == len(a["frames"]) - 1


def test_exposures_begin_and_end_where_they_say():
    times = 2.0 + np.arange(91) / 30
    ramp, low = exposure_gains("ramp", times), exposure_gains("low", times)
    assert abs(ramp[0] - 0.389) < 0.001 and abs(ramp[-1] - 1.604) < 0.001 and abs(ramp[45] - (0.389 * 1.604) ** 0.5) < 0.001
    assert np.allclose(low, ramp[0]) and (exposure_gains("steady", times) == 1).all()
    assert exposure_gains("ramp", times[:1]).shape == (1,)


def test_slow_cameras_take_fewer_pictures(bank):
    seeds = range(16)
    fast, slow = ([Composer(bank, "train", sources=sources).clip(seed, steps=36) for seed in seeds] for sources in (SOURCES, SLOW))
    assert [c["rate"] for c in fast] == [c["rate"] for c in slow] and all(c["source"] <= 60 for c in slow)
    assert sum(len(c["frames"]) for c in slow) < 0.8 * sum(len(c["frames"]) for c in fast)
    assert all(len(c["index"]) == len(c["label"]) == 36 and len(c["frames"]) == c["index"][-1] + 1 for c in slow)


def test_exposure_changes_brightness_only(bank):
    composer = Composer(bank, "test")
    for seed in (11, 12):
        steady, ramp, low = (composer.clip(seed, steps=40, source=30, rate=60, exposure=e) for e in ("steady", "ramp", "low"))
        assert np.array_equal(steady["frames"], composer.clip(seed, steps=40, source=30, rate=60)["frames"])
        assert all(np.array_equal(steady[k], clip[k]) for clip in (ramp, low) for k in ("label", "ignore", "aux", "index"))
        plain, up, down = (clip["frames"].reshape(len(clip["frames"]), -1).mean(1) for clip in (steady, ramp, low))
        assert (down < 0.6 * plain).all() and up[0] < 0.6 * plain[0] and up[-1] > plain[-1]


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


# What a window shows, and the labels that follow from it.

def still(count, rate=120, pose=1, **change):
    """label, ignore, aux, rate of a hand at rest; `change` gives other values a frame by name."""
    aux = np.zeros((count, 8), np.float32)
    aux[:, 0], aux[:, 1:3], aux[:, 3], aux[:, 5], aux[:, 6], aux[:, 7] = 1, 0.5, 0.3, 1, 1, pose
    for name, values in change.items():
        aux[:, ("present", "x", "y", "size", "sin", "cos", "open").index(name)] = values
    return np.full(count, NULL), np.zeros(count, bool), aux, rate


def test_null_that_looks_like_a_resting_palm_is_one():
    label, ignore = visible.settle(*still(48))
    assert (label == INDEX["openPalm"]).all() and not ignore.any()


@pytest.mark.parametrize("pose, name", [(2, "point"), (3, "thumbsUp"), (4, "thumbsDown"), (5, "null"), (8, "null"), (0, "null")])
def test_only_static_poses_settle(pose, name):
    label, _ = visible.settle(*still(48, pose=pose))
    assert (label == INDEX[name]).all()


# The way of a window is 15 steps. STILL, MOVING and SHOWN are 0.035, 0.08 and 0.12 of the frame.
@pytest.mark.parametrize("pose, step, name, counts", [
    (1, 0.002, "openPalm", True), (1, 0.004, "null", False), (1, 0.006, "null", True),
    (2, 0.006, "point", True), (3, 0.006, "thumbsUp", True), (4, 0.006, "thumbsDown", True), (3, 0.009, "null", False),
    (5, 0.002, "null", True), (8, 0.006, "null", True)])
def test_a_palm_must_rest_and_a_thumb_may_move(pose, step, name, counts):
    label, ignore = visible.settle(*still(48, pose=pose, x=0.2 + step * np.arange(48), rate=30))
    assert (label[20:] == INDEX[name]).all() and (not ignore[20:].any()) == counts and len(set(ignore[20:])) == 1


def test_a_thumb_that_turns_or_comes_closer_quickly_counts_for_neither():
    angle = np.radians(2.5 * np.arange(48))
    for change in ({"sin": np.sin(angle), "cos": np.cos(angle)}, {"size": 0.1 * 1.03 ** np.arange(48)}):
        label, ignore = visible.settle(*still(48, pose=3, **change))
        assert (label[20:] == NULL).all() and ignore[20:].all()


def test_a_thumb_that_just_came_counts_for_neither_until_the_window_shows_only_it():
    present = (np.arange(48) >= 20).astype(np.float32)
    label, ignore = visible.settle(*still(48, pose=3, present=present))
    assert (label[:20] == NULL).all() and not ignore[:20].any()
    assert (label[20:35] == NULL).all() and ignore[20:35].all()
    assert (label[35:] == INDEX["thumbsUp"]).all() and not ignore[35:].any()


def test_a_palm_that_turns_over_is_null():
    label, ignore = visible.settle(*still(48, open=0.5))
    assert (label == NULL).all() and not ignore.any()


@pytest.mark.parametrize("rate, speed, counts", [(120, 0.2, False), (120, 0.6, True), (60, 0.2, True), (30, 0.2, True), (30, 0.12, False)])
def test_a_slow_stroke_counts_for_neither_and_a_fast_one_counts(rate, speed, counts):
    label, ignore, aux, rate = still(40, x=0.1 + speed / rate * np.arange(40), rate=rate)
    label[:] = INDEX["swipeRight"]
    settled, ignored = visible.settle(label, ignore, aux, rate)
    assert (settled == label).all() and (not ignored[20:].any()) == counts


def test_short_rests_are_no_events():
    label, ignore, aux, rate = still(60, x=np.concatenate([np.linspace(0, 0.5, 20), np.full(22, 0.5), np.linspace(0.5, 1, 18)]))
    label[24:40] = INDEX["openPalm"]  # 133 ms
    settled, ignored = visible.settle(label, ignore, aux, rate)
    assert (settled[24:40] == NULL).all() and ignored[24:40].all()


@pytest.mark.parametrize("seed", range(20))
def test_settling_twice_is_settling_once(seed):
    rng = np.random.default_rng(seed)
    label, ignore, aux, rate = still(48, x=0.5 + 0.01 * rng.normal(size=48).cumsum(), pose=seed % 4 + rng.integers(0, 11, 48) // 6)
    label[10:20] = rng.integers(0, CLASSES)
    once = visible.settle(label, ignore, aux, rate)
    twice = visible.settle(*once, aux, rate)
    assert all(np.array_equal(a, b) for a, b in zip(once, twice))


# Standard convolutions are plain ones whose filters are written otherwise.

def test_standard_filters_are_plain_ones_once_exported():
    torch.manual_seed(3)
    net = network.standardise(network.GestureTCN()).eval()
    frames = torch.randint(0, 256, (6, 224, 224), dtype=torch.uint8)
    x = network.pixels(frames)
    for stage in (*net.stages(), net.b8):
        x = network.balance(stage, x)
    state = network.plain(net.state_dict())
    assert "stem.conv.gain" in net.state_dict() and not any(k.endswith(".gain") for k in state)
    clip = torch.randint(0, 256, (1, 17, 224, 224), dtype=torch.uint8)
    with torch.no_grad():
        torch.testing.assert_close(network.network_of(state).eval()(clip), net(clip), atol=1e-4, rtol=1e-4)
    again = network.network_of(net.state_dict())
    assert again.state_dict().keys() == net.state_dict().keys()


def test_balance_gives_every_channel_the_same_spread():
    torch.manual_seed(3)
    net = network.standardise(network.GestureTCN())
    frames = torch.from_numpy(np.random.default_rng(0).integers(0, 256, (8, 224, 224), dtype=np.uint8))
    x = network.pixels(frames)
    network.balance(net.stem, x)
    before = net.stem.conv(x)
    torch.testing.assert_close(before.mean((0, 2, 3)), torch.full((16,), 0.3), atol=1e-3, rtol=0)
    torch.testing.assert_close(before.std((0, 2, 3)), torch.full((16,), 1.5), atol=1e-2, rtol=0)


def test_dead_channels_start_anew_and_the_others_go_on():
    torch.manual_seed(3)
    net, aux = network.standardise(network.GestureTCN()), Auxiliary()
    frames = torch.from_numpy(np.random.default_rng(0).integers(0, 256, (24, 224, 224), dtype=np.uint8))
    x = network.pixels(frames)
    for stage in (*net.stages(), net.b8):
        x = network.balance(stage, x)
    with torch.no_grad():
        net.b5.dw.bias[:9] = -30
        net.b7.pw.bias[10:90] = -30
        net.b8.pw.bias[:50] = 30
        seen = net.maps(frames)
        before, column = aux.cells(seen), net.column(seen)[:, 50:]
        assert reinitialise(net, aux, frames, frozen=7) == {"b7.pw": 80, "b8.dw": 80, "b8.pw": 50}
        assert reinitialise(net, aux, frames, frozen=7) == {}
        assert reinitialise(net, aux, frames) == {"b5.dw": 9}
        seen = net.maps(frames)
        assert (net.column(seen).std(0) > 1e-3).all()
        assert (aux.cells(seen) - before).std() < 0.2 * before.std()
        assert (net.column(seen)[:, 50:] - column).std() < 0.5 * column.std()


def test_clutter_leaves_hands_alone_and_brings_none():
    rng = np.random.default_rng(5)
    n, side, hand = 200, 224, 200
    targets = np.zeros((n, 8), np.float32)
    targets[:, 0], targets[:, 1:3], targets[:, 3] = rng.random(n) < 0.8, rng.uniform(0.1, 0.9, (n, 2)), rng.uniform(0.1, 0.4, n)
    pictures = np.tile((np.arange(n) % 100)[:, None, None].astype(np.uint8), (1, side, side))
    y, x = (np.mgrid[:side, :side] + 0.5) / side
    for picture, (present, a, b, size, *_) in zip(pictures, targets):
        picture[(np.hypot(x - a, y - b) < size / 2) & (present > 0)] = hand
    before = pictures.copy()
    crops.clutter(pictures, targets, rng)
    assert np.array_equal(before == hand, pictures == hand)
    assert 0.3 < (before != pictures).any((1, 2)).mean() < 0.5


def test_frames_are_taken_as_often_as_their_weights_say():
    weight = sampling.weights(np.array([0, 1, 1, 0]), np.array([0.64, 0.16, 0.2]))
    assert np.allclose(weight / weight[0], [1, 2, 2, 1]) and np.isclose(weight.sum(), 1)

    frames = np.arange(4, dtype=np.uint8)[:, None, None] * np.ones((1, 8, 8), np.uint8)
    chunk = frames, {"aux": np.zeros((4, 8), np.float32), "sampling_weights": np.array([0, 0.25, 0.75, 0])}

    class Data:
        range = staticmethod(lambda: (0, 1))
        __getitem__ = staticmethod(lambda k: chunk)

    taken = []
    crops.batch(Data(), np.random.default_rng(3), 3200, lambda picture, aux, rng: (taken.append(picture[0, 0]), (picture, aux))[1], 8)
    counts = np.bincount(taken, minlength=4) / len(taken)
    assert counts[0] == counts[3] == 0 and abs(counts[2] - 0.75) < 0.04


def test_a_hand_that_is_not_there_has_no_pose():
    aux = torch.zeros(2, 8)
    aux[:, 7], aux[1, 0] = 4, 1
    assert pose_of(aux).tolist() == [0, 4]


def test_rare_poses_count_for_more_and_frames_for_one_on_average():
    aux = torch.zeros(400, 8)
    aux[:, 0], aux[:300, 7], aux[300:, 7] = 1, 1, 5
    heads = Auxiliary()
    heads.balance(pose_shares(aux.repeat(1000, 1)))
    weight = heads.weight[pose_of(aux)]
    assert abs(weight.mean() - 1) < 0.05 and abs(weight[-1] / weight[0] - 3 ** 0.5) < 0.02
    assert heads.state_dict().keys() == Auxiliary().state_dict().keys() and "weight" not in heads.state_dict()

    maps, columns = torch.rand(400, 256, 7, 7), torch.rand(400, 128)
    with torch.no_grad():
        for layer in (heads.linear, heads.cells):
            layer.weight.zero_()
            layer.bias.zero_()
            layer.bias[heads.POSES.start + 1] = 9
        _, parts = heads.loss(maps, columns, aux)
    # Everything is called pose 1, which only pose 5 suffers from.
    expected = 9 * weight[-1] * 100 / 400
    assert abs(parts["pose"] - expected) < 0.01 and abs(parts["cell_pose"] - expected) < 0.01


def test_half_of_the_loss_is_of_the_soft_targets():
    rng = torch.Generator().manual_seed(2)
    logits, label = torch.randn(3, 5, CLASSES, generator=rng), torch.randint(0, CLASSES, (3, 20), generator=rng)
    ignore, weight = torch.rand(3, 20, generator=rng) < 0.3, torch.rand(CLASSES, generator=rng) + 0.5
    plain = clip_loss(logits, label, ignore, weight, 0.0)
    same = torch.nn.functional.one_hot(label[:, 15:], CLASSES).float()
    assert torch.isclose(clip_loss(logits, label, ignore, weight, 0.0, same), plain)
    # A label counts by its own class's weight, whatever the soft targets.
    other, one = clip_loss(logits, label, ignore, weight, 0.0, same.roll(1, 2)), torch.ones(CLASSES)
    assert not torch.isclose(other, plain)
    ignore[:] = False
    nobody = clip_loss(logits, label, ignore, one, 0.0, logits.softmax(-1)) - 0.5 * clip_loss(logits, label, ignore, one, 0.0)
    assert torch.isclose(nobody, 0.5 * torch.distributions.Categorical(logits=logits).entropy().mean())


def test_soft_targets_are_the_teachers_mean_of_each_window(tmp_path, monkeypatch):
    tiny_cache(tmp_path)
    paths = [tmp_path / "one.pt", tmp_path / "other.pt"]
    for seed, path in enumerate(paths):
        torch.manual_seed(seed)
        torch.save({"average": network.GestureTCN().state_dict()}, path)
    monkeypatch.setattr("sys.argv", ["distillation", str(tmp_path), str(tmp_path), *map(str, paths), "--count", "2"])
    distillation.main()
    _, meta = cache.read(tmp_path, 1, soft_targets=tmp_path)
    stored = torch.from_numpy(np.load(columns.path(tmp_path, 1))["columns"]).float()
    with torch.no_grad():
        logits = sum(evaluate.load(path).temporal(stored) for path in paths) / 2
    # Frames 7 to 29 of clip 1 have eight windows, and its mirror image comes after the four clips.
    assert torch.allclose(window_targets(meta, 1, 7, 23, False), logits[1, 7:15].softmax(-1), atol=1e-3)
    assert torch.allclose(window_targets(meta, 1, 7, 23, True), logits[5, 7:15].softmax(-1), atol=1e-3)


def test_a_thinned_clip_is_that_of_a_slower_camera():
    index = np.array([3, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14])  # the camera was late once, picture 8 came too early to be seen
    found = {30: set(), 60: set(), 120: set()}
    for seed in range(90):
        rate = [30, 60, 120][seed % 3]
        left, place = thinned(index, rate, np.random.default_rng(seed))
        shown = left[place]
        assert (np.diff(left) > 0).all() and left[0] == 3 and (shown <= index).all() and (index - shown < 4).all()
        steps = set(np.diff(left[1:]))
        assert len(steps) == 1, "one camera, one rate"
        assert all(shown[k] == left[left <= index[k]].max() for k in range(len(index))), "no grid frame is older than need be"
        found[rate] |= steps
    assert found == {30: {2}, 60: {2, 3}, 120: {2, 3, 4}}


# Training is a function of the seed: interrupted, repeated, or shared between processes.

def tiny_cache(folder):
    rng = np.random.default_rng(1)
    for chunk in range(3):
        frames = rng.integers(0, 256, (160, 224, 224), dtype=np.uint8)
        _, _, aux, _ = still(160, x=rng.random(160), y=rng.random(160), pose=rng.integers(1, 11, 160))
        first = np.arange(0, 160, 40)
        base = cache.path(folder, chunk)
        np.save(base.with_suffix(".npy"), frames)
        np.savez(base.with_suffix(".npz"), first=first, counts=np.full(4, 40), index=np.tile(np.arange(40), (4, 1)), aux=aux,
                 label=rng.integers(0, CLASSES, (4, 40)), ignore=np.zeros((4, 40), bool), rate=np.full(4, 30))
        np.save(cache.sampling_weights_path(folder, chunk), rng.random(160).astype(np.float32))
        np.save(cache.soft_targets_path(folder, chunk), rng.dirichlet(np.ones(CLASSES), (8, 25)).astype(np.float16))
        np.savez(columns.path(folder, chunk), columns=rng.normal(size=(8, 40, 128)).astype(np.float16),
                 label=rng.integers(0, CLASSES, (8, 40)), ignore=np.zeros((8, 40), bool))


def train(stage, folder, run, *options, processes=1, end=2, saved=None):
    words = [stage, str(folder), str(run), "--end", str(end), "--threads", "1", "--steps", "4", "--processes", str(processes), *options]
    if processes > 1:
        done = subprocess.run([sys.executable, "-m", "gesturetrain.train", *words], cwd=pathlib.Path(__file__).parent.parent, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    else:
        threads = torch.get_num_threads(), cv2.getNumThreads()
        try:
            training.train(0, training.parsed(words))
        finally:
            torch.set_num_threads(threads[0])
            cv2.setNumThreads(threads[1])
            torch.set_flush_denormal(False)
    return (run / f"{saved or stage}.pt").read_bytes()


@pytest.mark.parametrize("stage, options, reason", [
    ("head", ("--photos", "."), "--photos can be used with encoder and crops, not with head"),
    ("head", ("--soft-targets", "."), "--soft-targets can be used with whole, not with head"),
    ("whole", ("--batch", "64", "--processes", "2", "--span", "36"), "fewer than a clip of --span 36 may have"),
])
def test_options_that_do_not_go_together_are_refused(tmp_path, capsys, stage, options, reason):
    with pytest.raises(SystemExit) as refused:
        training.parsed([stage, str(tmp_path), str(tmp_path), "--steps", "1", *options])
    assert refused.value.code == 2 and reason in capsys.readouterr().err


@pytest.mark.parametrize("stage, options", [
    ("crops", ("--batch", "32")), pytest.param("encoder", ("--batch", "32", "--frozen", "2"), marks=pytest.mark.slow),
    ("encoder", ("--batch", "32", "--window", "1", "--end", "3", "--reinitialise", "2")), ("encoder", ("--batch", "32", "--sampling-weights", "CACHE")), ("head", ("--batch", "4")),
    ("head", ("--batch", "4", "--teachers")), pytest.param("whole", ("--batch", "64", "--span", "20"), marks=pytest.mark.slow),
    ("whole", ("--batch", "64", "--span", "20", "--soft-targets", "CACHE", "--balance", "--thin", "0.7", "--muon", "--window", "1", "--end", "3"))])
def test_an_interrupted_run_gives_the_same_numbers(tmp_path, stage, options):
    tiny_cache(tmp_path)
    options = tuple(str(tmp_path) if option == "CACHE" else option for option in options)
    if stage == "head":
        start = start_of(tmp_path)
        options += (start,) if options[-1] == "--teachers" else ()
        options += ("--start", start)
    if stage == "whole":
        train("head", tmp_path, tmp_path / "start", "--batch", "4", "--start", start_of(tmp_path))
        options += ("--start", str(tmp_path / "start" / "head.pt"))
    train(stage, tmp_path, tmp_path / "a", *options)
    train(stage, tmp_path, tmp_path / "b", *options, "--until", "2")
    train(stage, tmp_path, tmp_path / "b", *options)
    states = [torch.load(tmp_path / run / f"{stage}.pt", weights_only=False) for run in "ab"]
    (left, names), (right, others) = (torch.utils._pytree.tree_flatten_with_path(state) for state in states)
    assert names == others and len(left) > 100
    different = [(path, a, b) for (path, a), (_, b) in zip(left, right) if not (torch.equal(a, b) if torch.is_tensor(a) else a == b)]
    assert not different, different[:3]
    assert (tmp_path / "a" / f"{stage}.pt").read_bytes() == (tmp_path / "b" / f"{stage}.pt").read_bytes()


def test_a_run_gives_the_same_bytes_again(tmp_path):
    tiny_cache(tmp_path)
    assert train("encoder", tmp_path, tmp_path / "a", "--batch", "32") == train("encoder", tmp_path, tmp_path / "b", "--batch", "32")


@pytest.mark.slow
def test_two_processes_share_a_batch_and_repeat(tmp_path):
    tiny_cache(tmp_path)
    options = ("--batch", "64")
    first = train("crops", tmp_path, tmp_path / "a", *options, processes=2)
    assert train("crops", tmp_path, tmp_path / "b", *options, processes=2) == first
    assert train("crops", tmp_path, tmp_path / "c", *options) != first


def test_training_in_the_engines_arithmetic_exports_its_scales(tmp_path):
    tiny_cache(tmp_path)
    train("head", tmp_path, tmp_path / "start", "--batch", "4", "--start", start_of(tmp_path))
    options = ("--batch", "64", "--span", "20", "--quantised", str(MODEL), "--start", str(tmp_path / "start" / "head.pt"))
    before = torch.load(tmp_path / "start" / "head.pt", weights_only=False)["average"]
    train("whole", tmp_path, tmp_path / "a", *options, saved="quantised")
    after = torch.load(tmp_path / "a" / "quantised.pt", weights_only=False)
    export.export(tmp_path / "a" / "quantised.pt", tmp_path / "out.safetensors")
    assert quantised.scales_of(tmp_path / "out.safetensors") == quantised.scales_of(MODEL)
    assert not torch.equal(network.plain(before)["b5.pw.weight"], after["net"]["b5.pw.weight"])


# The engine's int8 arithmetic.

def test_weight_scales_are_the_smallest_halves_that_hold_127_codes():
    weight = torch.from_numpy(np.random.default_rng(2).normal(size=(400, 9)).astype(np.float32))
    weight[7] = 0
    largest = weight.abs().amax(1).double().numpy()
    scale = quantised.weight_scales(weight).numpy()
    assert scale[7] == 1
    keep = np.arange(400) != 7
    half = scale[keep].astype(np.float16)
    assert np.array_equal(half.astype(np.float32), scale[keep])
    assert (127 * half.astype(np.float64) >= largest[keep]).all()
    below = np.nextafter(half, np.float16(0)).astype(np.float64)
    assert (127 * below < largest[keep]).any() and (127.1 * below < largest[keep] * 1.01).all()


def test_rounded_training_sees_what_the_engine_computes():
    state, scales = load_file(CHECKPOINT), quantised.scales_of(MODEL)
    frames = evaluate.read_video(WEIGHTS / "demo" / "demo.mp4")[0][430:460]
    exact = quantised.logits(state, scales, frames)
    model = quantised.Quantised(network.network_of(state), scales)
    with torch.no_grad():
        trained = model.temporal(model.column(model.maps(torch.from_numpy(frames)))[None])[0].numpy()
    plain = network.network_of(state).eval()(torch.from_numpy(frames)[None])[0].detach().numpy()
    # Sums in float32 round the other way now and then, so: nearer, not equal.
    assert np.abs(trained - exact).mean() < 0.3 * np.abs(plain - exact).mean()


@pytest.mark.skipif(not columns.BENCH.exists(), reason="the engine is not built")
def test_simulated_int8_is_the_engines_to_the_last_bit(tmp_path):
    frames = np.random.default_rng(5).integers(0, 256, (20, 224, 224), dtype=np.uint8)
    frames[10:] //= 3
    np.save(tmp_path / "frames.npy", frames)
    subprocess.run([columns.BENCH, "infer", "--model", MODEL, "--frames", tmp_path / "frames.npy", "--output", tmp_path / "out.npy"],
                   check=True, capture_output=True)
    ours = quantised.logits(load_file(CHECKPOINT), quantised.scales_of(MODEL), frames)
    assert np.array_equal(ours, np.load(tmp_path / "out.npy"))


def test_class_weights_leave_the_exported_biases(tmp_path):
    tiny_cache(tmp_path)
    train("head", tmp_path, tmp_path / "a", "--batch", "4", "--start", start_of(tmp_path))
    state = torch.load(tmp_path / "a" / "head.pt", weights_only=False)
    export.export(tmp_path / "a" / "head.pt", tmp_path / "out.safetensors")
    exported = load_file(tmp_path / "out.safetensors")
    weight = state["class_weights"]
    assert len(weight) == CLASSES and weight[NULL] != 1
    torch.testing.assert_close(exported["fc.bias"], state["average"]["fc.bias"] - torch.log(weight))
    assert torch.equal(exported["fc.weight"], state["average"]["fc.weight"])


def start_of(folder):
    train("encoder", folder, folder / "start", "--batch", "32")
    return str(folder / "start" / "encoder.pt")


def test_focus_softens_and_sharpens_in_place_and_repeats():
    rng = np.random.default_rng(3)
    pictures = cv2.GaussianBlur(rng.integers(0, 256, (64, 64), np.uint8), (0, 0), 1.5)[None].repeat(200, 0)
    before = pictures[0].copy()

    def edges(picture):
        return np.abs(np.diff(picture.astype(int))).mean()

    crops.focus(pictures, np.random.default_rng(4))
    found = np.array([edges(p) for p in pictures]) / edges(before)
    same = (pictures == before).all((1, 2)).mean()
    assert 0.35 < same < 0.65 and (found < 0.99).mean() > 0.1 and (found > 1.01).mean() > 0.2
    again = before[None].repeat(200, 0)
    crops.focus(again, np.random.default_rng(4))
    assert np.array_equal(pictures, again)


def test_scaling_finds_what_the_logits_lack():
    generator = torch.Generator().manual_seed(2)
    true = torch.randn(20000, CLASSES, generator=generator) * 3
    labels = torch.multinomial(true.softmax(1), 1, generator=generator)[:, 0]
    shift = torch.linspace(-1, 1, CLASSES)
    found, bias = temperature.fit((true - shift) * 2, labels)
    assert found == pytest.approx(2, rel=0.05)
    assert bias.numpy() == pytest.approx(shift.numpy(), abs=0.15)


def test_scaling_goes_into_the_classifier_and_the_bias_to_null_alone():
    torch.manual_seed(4)
    weights, seen, bias = network.GestureTCN().eval().state_dict(), torch.randn(7, 160), torch.randn(CLASSES)
    weights["fc.bias"] = torch.randn(CLASSES)
    logits = seen @ weights["fc.weight"].T + weights["fc.bias"]
    found = temperature.scaled(weights, 1.3, bias, 0.3)
    expected = logits / 1.3 + bias
    expected[:, NULL] += 0.3
    assert torch.allclose(seen @ found["fc.weight"].T + found["fc.bias"], expected, atol=1e-5)
    assert all(found[name] is weights[name] for name in weights if not name.startswith("fc"))


def test_bending_takes_the_palm_along_and_repeats():
    rng = np.random.default_rng(2)
    n, side = 60, 224
    targets = np.zeros((n, 8), np.float32)
    targets[:, 0], targets[:, 1:3] = 1, rng.uniform(0.15, 0.85, (n, 2))
    y, x = np.mgrid[:side, :side]
    pictures = np.stack([np.uint8(255 * np.exp(-((x - a * side) ** 2 + (y - b * side) ** 2) / 50)) for a, b in targets[:, 1:3]])
    before, were = pictures.copy(), targets.copy()
    crops.bend(pictures, targets, np.random.default_rng(6))
    bent = (pictures != before).any((1, 2))
    assert 0.3 < bent.mean() < 0.7
    assert np.array_equal(targets[~bent], were[~bent])
    found = np.array([[(p * x).sum(), (p * y).sum()] / p.sum(dtype=float) for p in pictures.astype(float)])
    away = np.hypot(*(found - targets[:, 1:3] * side).T)
    assert away[bent].mean() < 1.0 < np.hypot(*(found - were[:, 1:3] * side).T)[bent].mean()
    again, targets = before.copy(), were.copy()
    crops.bend(again, targets, np.random.default_rng(6))
    assert np.array_equal(again, pictures)


def test_shading_changes_light_smoothly_and_repeats():
    before = np.full((200, 96, 96), 120, np.uint8)
    pictures = before.copy()
    crops.shade(pictures, np.random.default_rng(1))
    shaded = (pictures != before).any((1, 2))
    assert 0.4 < shaded.mean() < 0.6
    steps = np.abs(np.diff(pictures[shaded].astype(int), axis=2)).max((1, 2))
    assert (steps < 12).mean() > 0.6 and (pictures[shaded].std((1, 2)) > 5).mean() > 0.9
    again = before.copy()
    crops.shade(again, np.random.default_rng(1))
    assert np.array_equal(again, pictures)


def test_a_clip_s_pictures_change_alike():
    rng = np.random.default_rng(9)
    picture = cv2.GaussianBlur(rng.integers(0, 256, (96, 96), np.uint8), (0, 0), 3)
    changed = 0
    for seed in range(20):
        pictures, targets = picture[None].repeat(3, 0), np.tile(np.float32([1, 0.4, 0.6, 0.3, 0, 1, 1, 1]), (3, 1))
        crops.randomise(pictures, targets, np.random.default_rng(seed))
        assert (pictures == pictures[0]).all() and (targets == targets[0]).all()
        changed += (pictures[0] != picture).any()
    assert 12 <= changed < 20


@pytest.mark.parametrize("length", [36, 40, 48, 80])
def test_longer_clips_are_cut_and_no_window_is_lost(length):
    parts = columns.cut(np.arange(2 * length).reshape(2, length), 36)
    assert parts.shape[1] == 36 and (np.diff(parts) == 1).all()
    windows = {window for part in parts.tolist() for window in part[network.WINDOW - 1:]}
    assert windows == {clip * length + end for clip in range(2) for end in range(network.WINDOW - 1, length)}


def test_randomised_columns_differ_by_clip_and_by_chunk(tmp_path, monkeypatch):
    picture = cv2.GaussianBlur(np.random.default_rng(3).integers(0, 256, (224, 224), np.uint8), (0, 0), 5)
    frames = picture[None].repeat(24, 0)
    meta = {"index": np.tile(np.arange(6), (4, 1)), "label": np.full((4, 6), INDEX["swipeLeft"]), "ignore": np.zeros((4, 6), bool),
            "rate": np.full(4, 30), "first": np.arange(4) * 6, "counts": np.full(4, 6), "aux": np.full((24, 8), 0.5, np.float32)}
    monkeypatch.setattr(columns, "encode", lambda frames, *rest: frames.reshape(len(frames), -1)[:, ::97].astype(np.float16))

    def stored(chunk, randomised):
        columns.write(lambda chunk: (frames, meta), tmp_path, chunk, "model", randomised=randomised)
        return np.load(columns.path(tmp_path, chunk))

    clean, randomised, other = (stored(*which) for which in ((1, False), (2, True), (3, True)))
    assert (frames == picture).all()
    plain, mirrored = (columns.encode(p[None])[0] for p in (picture, picture[:, ::-1]))
    assert (clean["columns"][:4] == plain).all() and (clean["columns"][4:] == mirrored).all()
    assert (randomised["columns"] == randomised["columns"][:, :1]).all()  # a clip's pictures alike
    assert len(np.unique(randomised["columns"][:, 0], axis=0)) >= 5 and (randomised["columns"] != other["columns"]).any()
    assert (randomised["label"][:4] == INDEX["swipeLeft"]).all() and (randomised["label"][4:] == INDEX["swipeRight"]).all()
