"""The landmark front end's training: features against their fixture, geometry, scripts, the network's forms, rules."""

import json
import pathlib

import numpy as np
import pytest
import torch
from safetensors import safe_open
from safetensors.torch import load_file

from common import recognise
from common.labels import INDEX, LABELS, MIRRORED, NULL
from handtrain import (
    accuracy,
    augmentation,
    camera,
    clips,
    evaluate,
    export,
    features,
    fixture,
    head,
    poses,
    quantised,
    recordings,
    rows,
    script,
    skeletons,
    train,
)

FIXTURE = pathlib.Path(__file__).parent / "hand-features.safetensors"


@pytest.fixture(scope="module")
def cases():
    return {k: v.numpy() for k, v in load_file(FIXTURE).items()}


@pytest.fixture(scope="module")
def bank():
    return fixture.bank()


# Features


def test_an_upright_frame_is_the_middle_of_a_wide_one(cases):
    hand, right = cases["landmarks"], cases["right"]
    cut = hand.copy()
    cut[..., 0] = 0.5 + (hand[..., 0] - 0.5) * (4 / 3) / (9 / 16)
    cut[..., 2] = hand[..., 2] * (4 / 3) / (9 / 16)
    motion = np.tile(np.float32([0.4, 0.55, 0.4, 0.1, 0.1, 0.05, 0.01, 0, 0.3, 0.45, 0.5, 0.2]), (len(hand), 1))
    narrow = motion.copy()
    for place in (1, 9):
        narrow[:, place] = 0.5 + (motion[:, place] - 0.5) * (4 / 3) / (9 / 16)
    narrow[:, [3, 5, 6]] *= (4 / 3) / (9 / 16)
    change = 400 * 0.4 / 0.6 * (4 / 3) / (9 / 16)
    narrow[:, 0] = change / (change + 400)
    here, there = (features.codes(p, right, aspect, motion=m).astype(int) for p, aspect, m in ((hand, 4 / 3, motion), (cut, 9 / 16, narrow)))
    assert np.abs(here - there).max() <= 1


def test_codes_of_the_fixture(cases):
    codes = features.codes(cases["landmarks"], cases["right"], cases["aspect"])
    assert np.array_equal(codes[:, :features.HAND], cases["codes"][:, :features.HAND])
    assert (codes[:, features.HAND:features.POSED] == 0).all() and (codes[:, features.POSED:] == features.NONE[features.POSED:]).all()


def test_codes_do_not_depend_on_their_neighbours(cases):
    for k in range(0, len(cases["codes"]), 17):
        one = features.codes(cases["landmarks"][k:k + 1], cases["right"][k:k + 1], cases["aspect"][k:k + 1])
        assert np.array_equal(one[0, :features.HAND], cases["codes"][k, :features.HAND])


def test_no_hand_is_one_column():
    nothing = np.full((1, 21, 3), np.nan, np.float32)
    assert np.array_equal(features.codes(nothing, [0.3], 1.0)[0], features.NONE)
    hand = np.random.default_rng(0).random((1, 21, 3), np.float32)
    assert np.array_equal(features.codes(hand, [0.3], 1.0, seen=[False])[0], features.NONE)
    assert features.codes(hand, [0.3], 1.0)[0, 0] == 255


def test_features_do_not_depend_on_place_and_size(cases):
    names = [name for name, *_ in features.LAYOUT]
    free = [k for k, n in enumerate(names[:features.HAND]) if n not in ("presence", "x", "y", "size", "right") and not n.startswith("at")]
    hand = cases["landmarks"][:40].astype(np.float64)
    moved = hand * 0.5 + [0.1, 0.3, 0.0]
    a = features.numbers(hand, np.ones(40), 1.5)
    b = features.numbers(moved, np.ones(40), 1.5)
    assert np.abs(a - b)[:, free].max() < 2e-2
    assert np.abs(b[:, 1] - (a[:, 1] * 0.5 + 0.1)).max() < 1e-5


def test_turned_features_do_not_depend_on_roll(cases):
    names = [name for name, *_ in features.LAYOUT]
    turned = [k for k, n in enumerate(names) if n[0] == "u" or n.startswith(("reach", "wrist", "gap", "bend", "depth"))]
    hand = cases["landmarks"][:40].astype(np.float64) - [0.5, 0.5, 0]
    rotated = hand @ skeletons.turn(np.array(0.7)).T
    a, b = (features.numbers(h, np.ones(40), 1.0) for h in (hand, rotated))
    assert np.abs(a - b)[:, turned].max() < 2e-2
    up = names.index("rollX")
    assert np.allclose(np.arctan2(b[:, up], -b[:, up + 1]) - np.arctan2(a[:, up], -a[:, up + 1]) - 0.7, 0, atol=1e-2) or np.allclose(
        np.exp(1j * (np.arctan2(b[:, up], -b[:, up + 1]) - np.arctan2(a[:, up], -a[:, up + 1]) - 0.7)), 1, atol=1e-2)


def test_fixture_has_the_odd_cases(cases):
    flat = np.ptp(cases["landmarks"], axis=1).max(1) == 0
    assert flat.sum() >= 5 and (cases["codes"][flat, 0] == 255).all()
    assert (cases["codes"][:, 0] == 0).sum() >= 2
    assert len(np.unique(cases["aspect"])) >= 3 and len(cases["codes"]) >= 190
    assert fixture.NAME == FIXTURE.name


# Skeletons and scripts


def test_bones_and_view_give_the_hand_back(cases):
    points = cases["landmarks"][:40].astype(np.float64)
    points[..., [0, 2]] *= cases["aspect"][:40, None, None]
    bones, view, roll = skeletons.split(points)
    back = skeletons.points_of(bones) @ (skeletons.turn(roll) @ view).transpose(0, 2, 1)
    assert np.abs(back - skeletons.sized(points)).max() < 1e-6
    assert np.allclose(view @ view.transpose(0, 2, 1), np.eye(3), atol=1e-9)
    middle = skeletons.points_of(bones)[:, 9]
    assert np.allclose(middle[:, [0, 2]], 0, atol=1e-9) and (middle[:, 1] < 0).all()


def test_blending_keeps_both_ends_and_lengths(bank):
    a, b = bank["bones"][0], bank["bones"][7]
    share = np.linspace(0, 1, 11)[:, None] * np.ones(20)
    path = script.blend(a, b, share)
    assert np.allclose(path[0], a, atol=1e-4) and np.allclose(path[-1], b, atol=1e-4)
    la, lb = np.linalg.norm(a, axis=1), np.linalg.norm(b, axis=1)
    assert np.allclose(np.linalg.norm(path[5], axis=1), (la + lb) / 2, atol=1e-3)


def test_clips_are_functions_of_their_seed(bank):
    shapes = script.Shapes(bank, False)
    a, b, c = (clips.make(s, shapes) for s in (5, 5, 6))
    assert all(np.array_equal(x, y) for x, y in zip(a, b))
    assert not np.array_equal(a[0], c[0])


@pytest.mark.parametrize("name", list(script.SWIPES))
def test_swipes_go_where_they_say(bank, name):
    shapes = script.Shapes(bank, False)
    direction = np.array(script.SWIPES[name], float)
    seen = 0
    for seed in range(12):
        clip, events = script.write(np.random.default_rng(seed), shapes, 3.6, name, null_share=1.0)
        for c, a, b in events:
            if c == INDEX[name]:
                place = clip["points"][:, list(features.PALM), :2].mean(1)
                way = place[min(b, len(place)) - 1] - place[max(a - 6, 0)]
                assert way @ direction > 0.8 * np.abs(way).max() - 0.02 or np.abs(way).max() < 0.05
                seen += way @ direction > 0.03
    assert seen >= 8


def test_mirrored_clips_have_mirrored_labels(bank):
    shapes = script.Shapes(bank, False)
    found = set()
    for seed in range(30):
        rng = np.random.default_rng(seed)
        clip, _ = script.write(rng, shapes, 3.6, "swipeLeft")
        shown = camera.film(rng, clip, 3.6)
        labels = clip["label"][shown["tick"]]
        expected = np.array(MIRRORED)[labels] if shown["mirror"] else labels
        assert np.array_equal(shown["label"], expected)
        assert (shown["also"] >> shown["label"] & 1).all()
        other = clip["also"][shown["tick"]] & ~3
        assert np.array_equal(shown["also"] & ~3, other)
        found.add(shown["mirror"])
    assert found == {True, False}
    assert np.array_equal(camera.mirrored(np.array([1, 2, 3, 4])), [2, 1, 3, 4])


def test_null_clips_have_no_moving_gesture(bank):
    shapes = script.Shapes(bank, False)
    for seed in range(20):
        clip, _ = script.write(np.random.default_rng(seed), shapes, 3.6, "null")
        assert set(np.unique(clip["label"])) <= script.POSES | {NULL}


def test_slow_cameras_repeat_frames():
    tick, fresh = camera.times(np.random.default_rng(0), 10.0, 3.0)
    assert len(tick) == 90 and (np.diff(tick) >= 0).all()
    assert abs(fresh.mean() - 1 / 3) < 0.05
    assert (tick[~fresh] == tick[np.flatnonzero(~fresh) - 1]).all()


def test_static_labels_are_decidable_where_a_hand_is_seen():
    label = np.full(40, NULL)
    label[10:40] = INDEX["openPalm"]
    seen = np.ones(40, bool)
    seen[20:26] = False
    also = clips.decidable(label, 1 << label, seen, np.ones(40, bool))
    either = script.bits("openPalm", "null")
    assert (also[20:26] == either).all() and (also[32:] == script.bits("openPalm")).all() and (also[:10] == script.bits("null")).all()


def test_mirrored_codes_are_those_of_the_mirrored_hand(cases):
    hand, right, aspect = (cases[k][:140] for k in ("landmarks", "right", "aspect"))
    other = hand.copy()
    other[..., 0] = 1 - other[..., 0]
    expected = features.codes(other, 1 - right, aspect).astype(int)
    found = augmentation.mirrored(torch.from_numpy(features.codes(hand, right, aspect)).float()).int().numpy()
    assert np.abs(found - expected).max() <= 1 and (found != expected)[:, :features.POSED].mean() < 0.01
    assert (augmentation.mirrored(augmentation.NOTHING) - augmentation.NOTHING).abs().max() <= 1


def test_augmented_columns_stay_columns(cases):
    codes = torch.from_numpy(features.codes(*(cases[k][:195] for k in ("landmarks", "right", "aspect")))).float().view(13, 15, 128)
    label = torch.full((13, 15), INDEX["swipeLeft"])
    also = torch.full((13, 15), script.bits("swipeLeft", "tap"))
    a, la, also_a = augmentation.Augmentation(3, 13, 15)(codes.clone(), label, also)
    b, lb, _ = augmentation.Augmentation(3, 13, 15)(codes.clone(), label, also)
    assert torch.equal(a, b) and torch.equal(la, lb)
    unseen = (a[..., 0] == 0).all(1)
    assert 0 < unseen.sum() < 6 and (la[unseen] == NULL).all() and (also_a[unseen] == 1 << NULL).all()
    assert torch.equal(a[unseen][..., augmentation.ALONE], augmentation.NOTHING[augmentation.ALONE].expand(int(unseen.sum()), 15, -1))
    assert set(la[~unseen].unique().tolist()) == {INDEX["swipeLeft"], INDEX["swipeRight"]}
    assert torch.equal(also_a[~unseen], (1 << la[~unseen]) | script.bits("tap"))
    assert a.min() >= 0 and a.max() <= 255 and torch.equal(a, a.round()) and (a[..., features.USED:] == 0).all()
    assert set(a[..., 0].unique().tolist()) == {0.0, 255.0}
    gone = a[..., 0] == 0
    assert torch.equal(a[gone][:, :features.POSED], augmentation.NOTHING[:features.POSED].expand(int(gone.sum()), -1))


def test_rows_lie_aside_for_as_long_as_they_last(cases, monkeypatch):
    monkeypatch.setattr(augmentation, "WANDER", 0.0)
    codes = torch.from_numpy(features.codes(*(cases[k][:1] for k in ("landmarks", "right", "aspect")))).float().expand(200, 40, -1).clone()
    codes[..., 1:features.HAND] = 128
    label = torch.full((200, 40), NULL)
    out, *_ = augmentation.Augmentation(4, 200, 40)(codes, label, 1 << label)
    k = [i for i, n in enumerate(augmentation.NAMES) if n.startswith("reach")]  # neither mirrored nor moved
    seen = out[:, :, :1] > 0
    mean = (((out[..., k] - 128) * seen).sum(1) / seen.sum(1))[seen.any(1)[:, 0]]
    # Of seven rows in ten the mean lies aside, by up to 7 codes at one deviation; of noise of up to 5 codes forty columns leave less than one.
    assert 0.3 < (mean.abs() > 1).float().mean() < 0.6 and 1.5 < mean.std() < 4


def test_errors_wander(cases, monkeypatch):
    monkeypatch.setattr(augmentation, "TREMBLE", 0.0)
    monkeypatch.setattr(augmentation, "ASIDE", 0.0)
    codes = torch.from_numpy(features.codes(*(cases[k][:1] for k in ("landmarks", "right", "aspect")))).float().expand(200, 60, -1).clone()
    codes[..., 1:features.HAND] = 128
    label = torch.full((200, 60), NULL)
    out, *_ = augmentation.Augmentation(4, 200, 60)(codes, label, 1 << label)
    k = [i for i, n in enumerate(augmentation.NAMES) if n.startswith("reach")]
    whole = (out[..., :1] > 0).all(1)[:, 0]
    error = out[whole][..., k] - 128
    wandering = error.std(1).mean(1) > 1
    assert 0.4 < wandering.float().mean() < 0.65 and error[wandering].std() < augmentation.WANDER
    # From one column to the next little changes, over twice the distance of knots nearly everything.
    near, far = ((error[wandering, n:] - error[wandering, :-n]).std() for n in (1, 2 * augmentation.KNOT))
    assert near < 0.3 * far


def test_misread_hands_have_the_palm_of_the_hand_and_other_fingers(bank):
    shapes, rng = script.Shapes(bank, False), np.random.default_rng(1)
    points = np.stack([skeletons.points_of(shapes.draw(rng, "open")) for _ in range(30)]) * 0.07 + 0.4
    palm = [0, *(k + 1 for k in camera.PALMS)]
    found = camera.misread(rng, shapes, points, np.ones(30), np.full(30, 0.5))
    assert np.abs(found - points)[:, palm].max() < 1e-6
    assert (np.linalg.norm(found - points, axis=2)[:, [8, 12, 16, 20]].max(1) > 0.01).mean() > 0.9
    assert np.array_equal(camera.misread(rng, shapes, points, np.zeros(30), np.ones(30)), points)


def test_traces_are_strokes_and_drawings(tmp_path):
    u = np.linspace(0, 1, 16)
    up, circle = np.stack([0.1 * u, -0.3 * u], 1), 0.1 * np.stack([np.cos(6 * u) - 1, np.sin(6 * u)], 1)
    rest = np.concatenate([np.zeros((6, 2)), up[::-1][:10] - up[-1]])
    xy = np.full((6, 32, 2), np.nan)
    xy[:, :16] = [up, circle, up, up, circle * 0.01, rest]
    np.savez(tmp_path / "traces.npz", xy=xy, label=np.array(["swipeUp", "null:circle", "swipeUp", "swipeUp", "null:circle", "swipeDown"]),
             person=np.array([0, 1, 1, 2, 1, 1]), person_repo=np.array(["a/b", "c/d", "Ghostexvan/x"]), no_jump=np.array([1, 1, 0, 1, 1, 1], bool),
             agrees=np.ones(6, bool))
    found = skeletons.traced(tmp_path / "traces.npz")
    assert found["trace_name"].tolist() == ["stroke", "drawing", "stroke"] and found["trace_held_out"].tolist() == [True, False, False]
    stroke, drawing, late = found["trace"]
    assert np.allclose(stroke[0], 0) and np.allclose(stroke[-1], [1, 0]) and np.abs(stroke[:, 1]).max() < 1e-6
    assert np.allclose(np.ptp(drawing, axis=0).max(), 1)
    # What was before the stroke is left out.
    assert np.allclose(late[:, 0], u, atol=0.02)


def test_drawings_are_no_gesture(bank):
    shapes = script.Shapes(bank, False)
    for seed in range(10):
        track = script.Track(np.random.default_rng(seed), shapes, 1.5)
        while track.ticks < 3 * script.TICK:
            track._drawing()
        assert set(np.unique(track.finish(3)["label"])) <= script.POSES | {NULL}


def test_rows_are_quicker_and_slower_than_clips():
    for span in (rows.WIDTH, rows.WIDTH + 1, 138):
        shown = rows.paced(np.random.default_rng(2), span, 400)
        assert shown.shape == (400, rows.WIDTH) and shown.min() >= 0 and shown.max() < span
        step = np.diff(shown, axis=1)
        assert step.min() >= 0 and step.max() <= 2
        length = shown[:, -1] - shown[:, 0]
        assert length.min() <= 0.78 * rows.WIDTH and length.max() >= min(1.25 * rows.WIDTH, span - 2)
        assert ((step == 1).all(1)).mean() > 0.3


def test_loss_asks_for_any_class_that_is_right():
    logits = torch.zeros(1, 4, len(LABELS))
    logits[0, :, INDEX["tap"]] = 20
    label = torch.tensor([[INDEX["tap"], NULL, NULL, NULL]])
    also = torch.tensor([[script.bits("tap"), script.bits("null", "tap"), script.bits("null"), script.ANY]])
    pose = torch.zeros(1, 1, len(LABELS))
    pose[..., INDEX["point"]] = 20
    third = rows.loss_of(pose, label[:, 1:2], torch.tensor([[script.bits("null", "point")]]), 1.5, smoothing=0.0).item()
    assert third == pytest.approx(np.log(3), abs=1e-3)
    each = [rows.loss_of(logits[:, k:k + 1], label[:, k:k + 1], also[:, k:k + 1], 1.5, smoothing=0.0).item() for k in range(3)]
    assert each[0] < 1e-3 and each[1] < 1e-3 and each[2] > 10
    assert rows.loss_of(logits, label, also, 1.0, smoothing=0.0).item() == pytest.approx(sum(each) / 3, rel=1e-3)


# The network


def test_every_fourth_row_is_a_row_of_all():
    torch.manual_seed(0)
    net = head.Head().eval()
    x, origin = torch.rand(2, rows.WIDTH, 128) * 6, torch.zeros(2, dtype=torch.long)
    with torch.no_grad():
        assert torch.allclose(net(x)[:, head.FIELD - 1::4], net.every_fourth(x, origin), atol=1e-5)
        assert net.logits(x).shape == (2, rows.WIDTH - 15, len(LABELS))
        changed = x.clone()
        changed[:, -1] = 0
        assert torch.equal(net(changed)[:, :-1], net(x)[:, :-1])
        changed = x.clone()
        changed[:, 20] += 1
        different = (net(changed) != net(x)).any(2)[0]
        assert different[20:20 + head.FIELD].any() and not different[20 + head.FIELD:].any() and not different[:20].any() and different[20 + head.FIELD - 1]
        # A stream that begins in the middle is one without what was before.
        late = net.every_fourth(x, torch.tensor([30, 0]))
        alone = net(x[:1, 30:])[:, head.FIELD - 1 - 30::4]
        assert torch.allclose(late[:1], alone, atol=1e-5) and torch.allclose(late[1:], net.every_fourth(x, origin)[1:], atol=1e-6)


def test_scaling_goes_into_the_first_layer():
    torch.manual_seed(1)
    codes = torch.randint(0, 256, (3, 60, 128))
    net = head.Scaled(*head.statistics(codes.view(-1, 128))).eval()
    with torch.no_grad():
        expected = net(codes)
        assert torch.allclose(net.plain()(codes.float() * head.SCALE)[:, head.FIELD - 1:], expected, atol=1e-3)


def test_unfolding_is_what_folding_undoes():
    torch.manual_seed(6)
    codes = torch.randint(0, 256, (4, 99, 128), dtype=torch.uint8)
    net = head.Scaled(*head.statistics(codes.view(-1, 128))).eval()
    whole = head.folded(net.plain())
    again = head.unfolded(whole, codes)
    with torch.no_grad():
        expected = whole(codes.float() * head.SCALE)[:, head.FIELD - 1:]
        assert torch.allclose(again.eval()(codes), expected, atol=1e-3)
        assert (again.train()(codes) - expected).abs().max() < 0.1 * np.ptp(expected.numpy())


def test_a_model_file_can_be_gone_on_from():
    path = pathlib.Path(__file__).parents[4] / "Weights/hands/hand-gestures.safetensors"
    whole = quantised.model(path)
    with safe_open(str(path), "np") as file:
        scales = {k.removeprefix(quantised.PREFIX): float(v) for k, v in file.metadata().items() if k.startswith(quantised.PREFIX)}
    codes = torch.from_numpy(np.tile(features.NONE, (2, 40, 1)))
    with torch.no_grad():
        exact, plain = quantised.Quantised(whole, scales).logits(codes), whole.logits(codes.float() * head.SCALE)
    assert (exact - plain).abs().max() < 0.2 and (exact.argmax(-1) == NULL).all()


def test_soft_targets_of_teachers_are_learned(tmp_path, monkeypatch):
    """Labels say null and the teacher a tap: a head with that teacher takes taps for likelier than one without."""
    torch.manual_seed(7)
    codes = torch.randint(0, 256, (40, 110, 128), dtype=torch.uint8)
    np.savez(tmp_path / "clips.npz", codes=codes.numpy(), label=np.full((40, 110), NULL, np.int64), also=np.full((40, 110), 1 << NULL, np.int64))
    teacher = head.Scaled(*head.statistics(codes.view(-1, 128))).eval()
    with torch.no_grad():
        teacher.head.fc.bias[INDEX["tap"]] += 20
    torch.save({"net": teacher.state_dict(), "steps": 0}, tmp_path / "teacher.pt")
    chance = []
    for teachers in ([], ["--teachers", str(tmp_path / "teacher.pt")]):
        out = tmp_path / f"run{len(teachers)}.pt"
        monkeypatch.setattr("sys.argv", ["train", str(tmp_path / "clips.npz"), "--output", str(out), "--steps", "60", "--batch", "16", *teachers])
        train.main()
        with torch.no_grad():
            net = head.restored(torch.load(out, weights_only=False))
            chance.append(net.eval()(codes).softmax(-1)[..., INDEX["tap"]].mean().item())
    assert chance[1] > 0.2 and chance[0] < 0.1, chance


def drawn_hand(extended):
    """Points [21,3] of a hand whose fingers are straight or folded: a pattern such as "01000", the thumb first."""
    points = np.zeros((21, 3))
    points[1:5] = [[-0.5, -0.3, 0], [-0.9, -0.6, 0], [-1.2, -0.8, 0], [-1.6, -0.9, 0]] if extended[0] == "1" else [
        [-0.4, -0.3, 0], [-0.6, -0.7, 0], [-0.4, -1.0, -0.2], [-0.1, -1.1, -0.3]]
    for finger in range(1, 5):
        way = np.array([[0, -0.6, 0], [0, -1.0, 0], [0, -1.3, 0]] if extended[finger] == "1" else [[0, -0.5, -0.2], [0, -0.2, -0.4], [0, 0.1, -0.3]])
        points[4 * finger + 1] = [0.35 * finger - 0.9, -1.4, 0]
        points[4 * finger + 2:4 * finger + 5] = points[4 * finger + 1] + way
    return skeletons.sized(points[None])


@pytest.mark.parametrize(("name", "shows", "shows_not"), [
    ("three", "01110 11100 11110", "01000 11000 00000"), ("horns", "01001", "01000 01101 00000"), ("shaka", "10001 00001", "01000 11111"),
    ("point", "01000 11000", "01100 01110 00000")])
def test_a_folder_of_another_pose_is_left_out(name, shows, shows_not):
    for patterns, right in ((shows, True), (shows_not, False)):
        for pattern in patterns.split():
            assert skeletons.plausible(name, drawn_hand(pattern))[0] == right, pattern


@pytest.mark.parametrize(("bend", "sure"), [(0.1, True), (0.3, True), (0.4, False)])
def test_a_bent_palm_may_be_none(bend, sure):
    bones = drawn_hand("11111")[0][1:] - drawn_hand("11111")[0][skeletons.PARENT]
    bones = script.flex(bones, np.full((1, 5, 3), bend))[0]
    rng = np.random.default_rng(1)
    track = script.Track(rng, script.Shapes(fixture.bank(), False), 4 / 3)
    track.view = np.eye(3)
    track.now = np.array([0.6, 0.5, np.log(0.1), 0.0, 0.0, 0.0])
    track.tag = 1
    track.add(60, bones, track.now)
    out = track.finish(1.0)
    assert script.openness(bones) > script.OPEN
    assert (out["label"][-1], out["also"][-1]) == ((INDEX["openPalm"], script.bits("openPalm")) if sure else (NULL, script.bits("null", "openPalm")))


def test_a_head_of_more_channels_can_teach(tmp_path):
    torch.manual_seed(3)
    codes = torch.randint(0, 256, (40, 99, 128), dtype=torch.uint8)
    wide = head.Scaled(*head.statistics(codes.view(-1, 128)), channels=24).eval()
    torch.save({"net": wide.state_dict(), "steps": 0}, tmp_path / "wide.pt")
    again = train.started(tmp_path / "wide.pt", codes)
    origin = torch.zeros(40, dtype=torch.long)
    assert torch.equal(again.every_fourth(codes.float(), origin), wide.every_fourth(codes.float(), origin))
    assert torch.allclose(again.plain()(codes.float() * head.SCALE)[:, head.FIELD - 1:], wide(codes), atol=1e-3)
    label = np.full((40, 99), NULL)
    np.savez(tmp_path / "clips.npz", codes=codes.numpy(), label=label.astype(np.int8), also=(1 << label).astype(np.int16))
    argv = [str(tmp_path / "clips.npz"), "--output", str(tmp_path / "run.pt"), "--steps", "2", "--batch", "4"]
    train.train(train.options().parse_args([*argv, "--teachers", str(tmp_path / "wide.pt")]))
    assert head.restored(torch.load(tmp_path / "run.pt", weights_only=False)).head.fc.in_features == head.CHANNELS
    train.train(train.options().parse_args([*argv, "--channels", "24"]))
    assert head.restored(torch.load(tmp_path / "run.pt", weights_only=False)).head.fc.in_features == 24


def test_export_keeps_the_logits(tmp_path):
    torch.manual_seed(2)
    codes = torch.randint(0, 256, (500, 128), dtype=torch.uint8)
    codes[:, features.USED:] = 0
    net = head.Scaled(*head.statistics(codes)).eval()
    torch.save({"net": net.state_dict(), "steps": 0}, tmp_path / "run.pt")
    digest = export.export(tmp_path / "run.pt", tmp_path / "head.safetensors", recognise.Rules(3, 4, 0.8, 2), bias={"null": 0.25})
    assert len(digest) == 64
    a, b = (evaluate.load(tmp_path / n)(codes[None, :40].numpy()) for n in ("run.pt", "head.safetensors"))
    b[..., NULL] -= 0.25
    assert np.abs(a - b).max() < 1e-3
    with safe_open(tmp_path / "head.safetensors", "np") as file:
        said = file.metadata()
        names = set(file.keys())
    assert {"t1.conv.weight", "t3.bn.running_var", "fc.bias"} <= names
    assert (said["median_ms"], said["begin_ms"], said["begin_confidence"], said["end_ms"]) == ("100", "133", "0.8", "67")


def test_folding_int8_and_learning_with_it():
    torch.manual_seed(5)
    codes = torch.randint(0, 256, (4, 99, 128), dtype=torch.uint8)
    net = head.Scaled(*head.statistics(codes.view(-1, 128))).eval()
    for name, _ in head.LAYERS:
        getattr(net.head, name).bn.running_mean.normal_(0, 0.1)
    whole = head.folded(net.plain())
    scales = quantised.activation_scales(whole, codes)
    assert set(scales) == {"t1.conv", "t2.conv", "t3.conv", "t4.conv"} and all(0 < s <= np.float32(6 / 255) for s in scales.values())
    with torch.no_grad():
        expected = net.plain().logits(codes.float() * head.SCALE)
        assert torch.allclose(whole.logits(codes.float() * head.SCALE), expected, atol=1e-3)
        exact = quantised.Quantised(whole, scales).logits(codes)
        assert not torch.equal(exact, expected) and (exact - expected).abs().max() < 0.1 * np.ptp(expected.numpy())
    learner = quantised.Learning(head.folded(net.plain()), scales, net.mean, net.gain)
    with torch.no_grad():
        assert torch.allclose(learner.every_fourth(codes.float(), torch.zeros(4, dtype=torch.long)), exact[:, head.FIELD - 16::4], atol=2e-2)
        again = quantised.Quantised(learner.plain(), scales).logits(codes)
        assert (again - exact).abs().max() < 2e-2
    learner.every_fourth(codes.float(), torch.zeros(4, dtype=torch.long)).sum().backward()
    assert all(p.grad is not None and torch.isfinite(p.grad).all() for p in learner.parameters())


# Rules


def test_an_end_is_decided_by_null_or_by_a_sure_gesture():
    logits = np.zeros((30, len(LABELS)))
    logits[:, NULL] = 5
    logits[5:25, 0] = 12
    logits[10:25, 1] = 12.5  # ahead, at 0.62
    (_, _, _, end, _), = recognise.events(logits, recognise.Rules(1, 3, 0.85, 2))
    assert end == 21
    logits[15:25, 1] = 15
    first, second = recognise.events(logits, recognise.Rules(1, 3, 0.85, 2))
    assert first[3] == 16 and second[:3] == ["swipeRight", 15, 17]


def test_another_gesture_does_not_wait_for_the_end():
    logits = np.zeros((30, len(LABELS)))
    logits[:, NULL] = 5
    logits[5:12, 0] = 12
    logits[12:20, 4] = 15
    first, second = recognise.events(logits, recognise.Rules(1, 2, 0.75, 8))
    assert first[3] == second[2] == 13


def test_other_rules():
    logits = np.zeros((20, len(LABELS)))
    logits[:, NULL] = 5
    logits[8:12, 0] = 12
    assert recognise.events(logits, recognise.Rules(1, 4, 0.85, 1))[0][1:4] == [8, 11, 12]
    assert recognise.events(logits, recognise.Rules(1, 5, 0.85, 1)) == []


@pytest.mark.parametrize("after", (0, 6))
def test_a_way_back_is_no_gesture(after):
    logits = np.zeros((60, len(LABELS)))
    logits[:, NULL] = 5
    logits[5:15, 0] = 12
    logits[15 + after:40, 1] = 12
    rules = recognise.Rules(1, 2, 0.85, 2)
    assert [e[0] for e in recognise.events(logits, rules)] == ["swipeLeft", "swipeRight"]
    assert [e[0] for e in recognise.events(logits, rules._replace(back_rows=10))] == ["swipeLeft"]
    assert len(recognise.events(logits, rules._replace(back_rows=10, back={}))) == 2
    late = np.roll(logits, 20, axis=0)
    late[20:35] = logits[:15]
    late[35:51] = logits[:1]
    late[51:, 1] = 12
    assert [e[0] for e in recognise.events(late, rules._replace(back_rows=10))] == ["swipeLeft", "swipeRight"]


def test_the_same_class_is_told_once():
    logits = np.zeros((60, len(LABELS)))
    logits[:, NULL] = 5
    pose, other = LABELS.index("openPalm"), LABELS.index("grab")
    logits[5:20, pose] = logits[26:40, pose] = 12
    rules = recognise.Rules(1, 2, 0.8, 2)
    assert [e[0] for e in recognise.events(logits, rules)] == ["openPalm", "openPalm"]
    assert [e[0] for e in recognise.events(logits, rules._replace(once_rows=6))] == ["openPalm"]
    assert len(recognise.events(logits, rules._replace(once_rows=5))) == 2
    kept = np.full(60, -1)
    kept[:26] = pose
    assert len(recognise.events(logits, rules._replace(once_rows=5), kept=kept)) == 2
    kept[26] = pose
    assert len(recognise.events(logits, rules._replace(once_rows=5), kept=kept)) == 1
    kept[21:25] = -1  # it was over in row 21: within once_rows
    assert len(recognise.events(logits, rules._replace(once_rows=5), kept=kept)) == 1
    assert len(recognise.events(logits, rules._replace(once_rows=3), kept=kept)) == 2
    logits[23, other] = 12
    assert len(recognise.events(logits, rules._replace(once_rows=6))) == 2
    assert len(recognise.events(logits, rules._replace(once_rows=6), kept=kept)) == 2


def test_a_pose_is_kept_over_a_quarter_of_a_second():
    places = {name: k for k, (name, *_) in enumerate(features.LAYOUT)}
    codes = np.zeros((40, features.CODES), np.uint8)
    codes[3, places["poseOpenPalm"]] = codes[10, places["poseOpenPalm"]] = 128
    codes[5, places["poseNone"]] = 255
    codes[30, places["poseVictory"]] = 200
    codes[29, places["posePointingUp"]] = 128
    kept = poses.kept(codes)
    assert (kept[3:18] == LABELS.index("openPalm")).all() and (kept[:3] == -1).all() and (kept[18:29] == -1).all()
    assert kept[29] == LABELS.index("point") and (kept[30:] == -1).all()
    codes[3, places["poseOpenPalm"]] = 127
    assert (poses.kept(codes)[:10] == -1).all()


def shaped(*parts):
    """Columns of hands: parts of (number of columns, features by name); what no name gives is the middle of its range."""
    places = {name: (k, low, 255 / (high - low)) for k, (name, low, high) in enumerate(features.LAYOUT)}
    codes = np.full((sum(n for n, _ in parts), features.CODES), 128, np.uint8)
    codes[:, [k for name, (k, *_) in places.items() if name.startswith("pose")]] = 0
    codes[:, 0] = 255
    at = 0
    for n, numbers in parts:
        for name, number in numbers.items():
            k, low, gain = places[name]
            codes[at:at + n, k] = round((number - low) * gain)
        at += n
    return codes


PALM = dict(normalZ=0.9, right=0.9, poseOpenPalm=0.9, bend12=1, bend16=1, bend20=1, p4X=2, p8X=0)
BACK = PALM | dict(normalZ=-0.9)
EDGE = PALM | dict(normalZ=0.1)


def test_a_pose_ends_when_the_hand_turns_over():
    palm = LABELS.index("openPalm")
    kept, ended = poses.kept_and_ended(shaped((3, BACK), (2, EDGE), (9, PALM)))
    assert kept.tolist() == [palm] * 5 + [-1] + [palm] * 8
    assert ended.tolist() == [-1] * 5 + [palm] + [-1] * 8


def test_a_mirror_image_keeps_a_pose():
    thumb = dict(normalZ=0.9, right=0.1, poseThumbDown=0.9, bend12=-0.9)
    mirrored = thumb | dict(normalZ=-0.9, right=0.95, poseThumbDown=0)
    down = LABELS.index("thumbsDown")
    kept, ended = poses.kept_and_ended(shaped((15, thumb), (59, mirrored), (9, thumb)))
    assert (kept == down).all() and (ended == -1).all()
    kept, ended = poses.kept_and_ended(shaped((15, thumb), (62, mirrored), (9, thumb)))
    assert (kept[:74] == down).all() and (kept[74:77] == -1).all() and (kept[77:] == down).all() and (ended == -1).all()
    kept, ended = poses.kept_and_ended(shaped((15, thumb), (20, mirrored | dict(right=0.1)), (9, thumb)))
    assert (kept[15:35] == -1).all() and ended[15] == down
    kept, ended = poses.kept_and_ended(shaped((15, thumb), (20, mirrored | dict(x=0.9)), (9, thumb)))
    assert (kept[15:22] == down).all() and (kept[22:35] == -1).all() and (ended == -1).all()


def test_the_back_of_a_hand_is_no_palm_once_both_sides_were_shown():
    codes = shaped((20, BACK), (5, PALM), (10, PALM), (3, BACK), (3, PALM))
    shown, back = poses.sides(codes)
    assert shown.tolist() == [-1] * 20 + [1] * 15 + [-1] * 3 + [1] * 3
    assert back.tolist() == [False] * 35 + [True] * 3 + [False] * 3
    assert (poses.ruled_out(codes)[:, LABELS.index("openPalm")] == back).all()
    # A hand that is misread in every column shows one side alone, or two that look like backs.
    misread = PALM | dict(right=0.05)
    assert not poses.sides(shaped((90, misread)))[1].any() and not poses.sides(shaped((30, misread), (30, BACK)))[1].any()
    away = shaped((20, PALM), (15, PALM), (20, BACK))
    away[20:35] = features.NONE
    assert not poses.sides(away)[1].any() and poses.sides(np.delete(away, 20, 0))[1].any()


def test_a_pinch_ends_a_pose_and_is_no_grab():
    touch, between, fist = PALM | dict(p4X=0.2), PALM | dict(p4X=0.9), PALM | dict(p4X=0.2, bend12=-0.9)
    codes = shaped((3, PALM), (1, touch), (1, between), (3, touch), (9, between), (3, PALM), (9, fist))
    held, touching = poses.pinches(codes)
    assert held.tolist() == [False] * 6 + [True] * 12 + [False] * 11
    assert touching.nonzero()[0].tolist() == [3, 5, 6, 7]
    kept, ended = poses.kept_and_ended(codes)
    assert (ended >= 0).nonzero()[0].tolist() == [6] and (kept[6:18] == -1).all() and (kept[18:] >= 0).all()
    out = poses.ruled_out(codes)
    assert (out[:, LABELS.index("grab")] == touching).all() and (out[:, LABELS.index("openPalm")] == held).all()


def test_a_pose_that_ended_is_told_again():
    pose = LABELS.index("openPalm")
    logits = np.zeros((40, len(LABELS)))
    logits[:, NULL] = 5
    logits[5:40, pose] = 12
    rules = recognise.Rules(1, 2, 0.8, 4, once_rows=9)
    ended = np.full(40, -1)
    ended[20] = pose
    assert [e[1:4] for e in recognise.events(logits, rules, ended=ended)] == [[5, 6, 20], [21, 22, 40]]
    out = np.zeros((40, len(LABELS)), bool)
    out[5:15, pose] = True
    assert [e[2] for e in recognise.events(logits, rules, ruled_out=out)] == [16]


def test_a_class_that_keeps_leading_begins_below_the_threshold():
    tap, other = LABELS.index("tap"), LABELS.index("grab")
    rules = recognise.Rules(1, 2, 0.9, 4, steady_rows=3, steady_confidence=0.6)

    def begins(*shown):
        """Begins of rows of (class, probability)."""
        rows = np.full((len(shown), len(LABELS)), -20.0)
        for row, (name, share) in zip(rows, shown):
            row[name], row[NULL] = np.log(share), max(row[NULL], np.log(1 - share))
        return [e[:3] for e in recognise.events(rows, rules)]

    assert begins(*[(tap, 0.7)] * 4) == [["tap", 2, 3]]  # the third row is sure, and two are needed
    assert begins(*[(tap, 0.7)] * 3) == [] and begins(*[(tap, 0.58)] * 9) == []
    assert begins((tap, 0.95), (tap, 0.95)) == [["tap", 0, 1]]
    assert begins(*[(tap, 0.7)] * 2, (other, 0.7), *[(tap, 0.7)] * 3) == []
    assert recognise.events(np.log([[0.3, 0.7]] * 4), rules._replace(steady_rows=0), ["null", "tap"], "null") == []


def test_rules_are_read_back():
    rules = recognise.Rules.of("7,2,0.75,2,15")
    said = {f"post.{k}": v for k, v in rules.metadata(LABELS, 30).items()}
    assert said["post.return_ms"] == "500" and recognise.Rules.said(said, 30) == rules
    assert recognise.Rules.of("7,2,0.75,2").metadata(LABELS, 30).keys() == {"median_ms", "begin_ms", "begin_confidence", "end_ms", "unsure_end_ms"}
    timed = {"post.median_ms": "233", "post.begin_ms": "67", "post.begin_confidence": "0.75", "post.end_ms": "333", "post.once_ms": "500"}
    assert recognise.Rules.said(timed, 30) == recognise.Rules(7, 2, 0.75, 10, back={}, once_rows=15)
    steady = recognise.Rules(3, 2, 0.9, 10, back={}, steady_rows=5, steady_confidence=0.6)
    said = {f"post.{k}": v for k, v in steady.metadata(LABELS, 30).items()}
    assert said["post.steady_ms"] == "167" and said["post.steady_confidence"] == "0.6" and recognise.Rules.said(said, 30) == steady
    assert [recognise.Rules.said(timed | {"post.median_ms": ms}, 30).median for ms in ("33", "66", "67", "133", "134")] == [1, 1, 3, 3, 5]
    few = rules.metadata(["zoomIn", "zoomOut", "swipeLeft", "null"], 30)
    assert json.loads(few["return_strokes"]) == {"zoomIn": "zoomOut", "zoomOut": "zoomIn"}


def test_levenshtein():
    assert recognise.levenshtein("kitten", "sitting") == 3
    assert recognise.levenshtein([], ["a", "b"]) == 2


# Recordings of people


def test_begins_are_matched_as_the_engine_matches_them():
    truth = [(10, 20, "grab"), (40, 50, "skip"), (60, 70, "openPalm"), (71, 80, "other")]
    frame = np.arange(120)

    def begins(*pairs):
        found, false_positives = accuracy.matched([[name, at - 1, at, at + 5, 0.9] for name, at in pairs], frame, truth)
        return [hit for _, hit in found], [e[2] for e in false_positives]

    assert begins(("grab", 5), ("openPalm", 80)) == ([True, True], [])
    assert begins(("grab", 4), ("openPalm", 81)) == ([False, False], [4, 81])
    assert begins(("grab", 12), ("grab", 15)) == ([True, False], [15])
    assert begins(("tap", 45), ("tap", 39)) == ([False, False], [39])


def test_columns_of_a_recording_are_those_of_its_slots():
    def recording(count, rate):
        codes = np.arange(count, dtype=np.uint8)[:, None].repeat(128, 1)
        return recordings.Recording(pathlib.Path("a"), np.arange(count) / rate, np.zeros((count, 21, 3), np.float32), np.zeros(count, np.float32), 1.0, codes)

    codes, frame, seconds = accuracy.on_grid(recording(20, 10))
    assert abs(seconds - 2.0) < 1e-9 and np.array_equal(codes[:, 0], frame) and abs(len(frame) - 58) <= 3 and (np.diff(frame) >= 0).all()
    fast, index, _ = accuracy.on_grid(recording(120, 60))
    assert np.array_equal(index, np.arange(0, 120, 2)) and np.array_equal(fast[:, 0], index)


def test_variants_differ_a_little():
    codes = np.tile(features.NONE, (40, 1))
    codes[10:, :features.POSED] = 100
    codes[20:, features.POSED:] = 90
    clip = accuracy.Clip("a-b", "real", codes, np.arange(40), 1.3, [])
    for seed in range(6):
        other = accuracy.disturbed(clip, np.random.default_rng(seed))
        at = other.frame
        assert 38 <= len(at) <= 40 and len(other.codes) == len(at) and other.person == "a"
        off = np.abs(other.codes.astype(int) - codes[at])
        assert (off[at < 10] == 0).all() and (off[:, 0] == 0).all() and 1 < off[at >= 10][:, 1:features.POSED].mean() < 2.2
        assert (off[at < 20][:, features.POSED:] == 0).all() and 0.4 < off[at >= 20][:, features.POSED:features.USED].mean() < 1.2


def test_what_else_changes_in_a_picture_is_mixed_with_the_hand():
    draw = torch.Generator().manual_seed(3)
    codes = torch.from_numpy(features.NONE).float().repeat(400, 30, 1)
    k = [augmentation.NAMES.index(n) for n in ("amount", "moveX", "wideX", "nearby")]
    codes[..., k] = torch.tensor([200.0, 60.0, 20.0, 255.0])
    out = augmentation.restless(codes, draw)
    assert torch.equal(out[..., :features.POSED], codes[..., :features.POSED]) and torch.equal(out[..., -3:], codes[..., -3:])
    amount, place, wide, near = out[..., k].unbind(-1)
    same, still = amount == 200, amount == 0
    more = ~(same | still)
    assert 0.2 < same.float().mean() < 0.6 and 0.1 < still.float().mean() < 0.4
    assert (amount[more] > 199).all() and (place[more] > 59).all() and (near[more] <= 255).all() and (wide[more] > 19).all()


def test_thumbs_that_no_network_sees_are_none():
    name = INDEX["thumbsUp"]
    label, also, scores = np.full(20, name), np.full(20, 1 << name), np.zeros((20, 8), np.float32)
    scores[10:, 5] = 0.9
    now, right = clips.agreed(label, also, scores)
    assert (now[:10] == NULL).all() and (now[12:] == name).all() and (right[:10] >> name & 1 == 0).all() and (right[16:] == 1 << name).all()
    palm = INDEX["openPalm"]
    now, right = clips.agreed(np.full(20, palm), np.full(20, 1 << palm), np.zeros((20, 8), np.float32))
    assert (now == palm).all() and (right == 1 << palm | 1 << NULL).all()
